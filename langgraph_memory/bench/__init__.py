"""How well memory finds and remembers, measured on data that a user brings."""
