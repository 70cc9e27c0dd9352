"""Memory as files of JSON lines: out of one memory and into another."""
