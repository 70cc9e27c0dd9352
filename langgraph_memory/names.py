"""The one spelling in which names, values and attributes are compared."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = (
    *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0),
    *range(0x180B, 0x1810),
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    *range(0xFE00, 0xFE10),
    *range(0xFFF9, 0xFFFC),
    *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B),
    *range(0xE0000, 0xE0200),
)
_DASHES = (*range(0x2010, 0x2016), 0x2043, 0x2212, 0x058A, 0x05BE, 0x1806, 0x2E3A, 0x2E3B)
_SPELLING = dict.fromkeys(_INVISIBLE, "") | dict.fromkeys(_DASHES, "-")
_BETWEEN = re.compile(r"[\s_-]+")


def normalise(text: str) -> str:
    r"""A text in the one spelling in which names are compared.

    Compatible characters become one (NFKC), case is folded, dashes become `-`, invisible characters go.

    >>> normalise("GPU\u2011Bench\u200b\u2011\uff10\uff11")
    'gpu-bench-01'
    """
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text.translate(_SPELLING)).casefold()
    return unicodedata.normalize("NFKC", folded).translate(_SPELLING)


def canonical(text: str) -> str:
    """A value for comparison: case, spacing, compatibility forms and closing marks don't make a difference.

    >>> canonical("Keep it  RUNNING.") == canonical("keep it running")
    True
    """
    return " ".join(normalise(text).split()).strip(" .!;,")


def bare(entity: str) -> str:
    """The id of an entity without its type.

    >>> bare("vm:i-09a8f"), bare("i-09a8f")
    ('i-09a8f', 'i-09a8f')
    """
    return entity.rpartition(":")[2]


def attribute_name(attribute: str) -> str:
    """An attribute in the one spelling in which it is kept and compared.

    >>> attribute_name("Owner name"), attribute_name("owner-name")
    ('owner_name', 'owner_name')
    """
    return _BETWEEN.sub("_", normalise(attribute).strip())
