"""Publishing: what happened becomes an event, under the one gate of every write path."""
