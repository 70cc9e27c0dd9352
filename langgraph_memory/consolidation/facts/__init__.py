"""Facts: how a statement is grounded, meets what is held true, and what people decide about it by name."""
