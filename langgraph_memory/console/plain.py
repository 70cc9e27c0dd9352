"""Stored texts on a terminal: without what it would obey."""


def plain(text: str) -> str:
    """A stored text on one line."""
    return " ".join(plain_lines(text).split())


def plain_lines(text: str) -> str:
    """A stored text on its lines."""
    return "\n".join("".join(c if c.isprintable() else " " for c in line) for line in text.split("\n"))
