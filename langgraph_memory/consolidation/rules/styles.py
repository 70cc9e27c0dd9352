"""How the speaker wants to be answered: language, length, form and tone, by their words."""

from __future__ import annotations

from langgraph_memory.consolidation.rules.wording import holds
from langgraph_memory.consolidation.rules.words import Phrase

_LANGUAGES = """
    english|german|french|spanish|chinese|italian|portuguese|dutch|japanese|korean|arabic|russian|hindi|polish
    | turkish|swedish
"""
_REPLIES = holds("""
    answers?|replies|reply|responses?|outputs?|explanations?|summaries|summary|messages?|me|text|texts|wording|descriptions?
    |everything|docs|documentation|reports?|emails?|comments?|copy
""")
_TOPICS = tuple(
    (topic, holds(wording), bare)
    for topic, wording, bare in (
        ("language", f"{_LANGUAGES} | my language", True),
        ("unit", "metric|imperial|celsius|fahrenheit|kilometers|kilometres|miles|units?|kilos|pounds", True),
        ("currency", "euros?|dollars?|currency|gbp|usd|eur", True),
        ("emoji", "emojis?", True),
        ("indentation", "tabs|spaces|indentation | (?:two|four|2|4)-space", True),
        (
            "format",
            """bullets?|bulleted|markdown|tables?|lists?|format|formatting|json|yaml|csv|headings?|plain
            | bullet points?""",
            True,
        ),
        ("date_format", "dates? | date format | 24-hour|12-hour|iso", True),
        ("docstring", "docstrings?", True),
        ("type_hint", "(?:type-)?hints? | type hints?|annotations?", True),
        ("commit_message", "commit messages?", True),
        ("tone", "formal|informal|casual|friendly|tone|polite|blunt|direct|jargon", False),
        (
            "length",
            """short|brief|concise|terse|detailed|verbose|long|longer|shorter|length|crisp | to the point
            | in depth | one|two|three sentences?|paragraphs?|lines?""",
            False,
        ),
    )
)
"""Topic, its words, and whether they tell it by themselves; others need a word for replies beside them."""


def style(phrase: Phrase) -> str | None:
    """The topic of style that a phrase is about.

    >>> style(Phrase.of("short answers")), style(Phrase.of("in German")), style(Phrase.of("short flights"))
    ('length', 'language', None)
    """
    replies = _REPLIES.search(phrase) is not None
    return next((topic for topic, form, bare in _TOPICS if form.search(phrase) and (bare or replies)), None)
