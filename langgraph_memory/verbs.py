"""Verbs that no class of actions has ("sell", "irrigate"): kept as people say them, compared by their stems.

A constraint may rule out such a verb beside classes of actions or in their place. It covers the tools whose
names have the verb in whatever form, as `export_item` and `start_exportation` have "export".
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from functools import lru_cache

import snowballstemmer

from langgraph_memory.actions import ActionClass, action_classes, is_reading, verbs_in

_CLASSES = frozenset(ActionClass)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ENDING = re.compile(r"(?P<stem>[a-z]*[aeiouy][a-z]*[a-z])(?:ed|ing|s)")
_DOUBLED = re.compile(r"[a-z]*[aeiou]([bdgklmnprtv])\1")
_KEEPS_BOTH = ("all", "ill", "oll", "ull", "sell", "tell", "spell", "smell", "yell")
_MUTE = re.compile(
    r"[a-z]*(?:[aeiou](?:c|v|s|z|ng|dg|rs)|(?:at|ot|ut|ir|ur|yr|iz|is|yz|ys|rg|rc|ns|nc|u|bl|cl|dl|fl|gl|kl|pl"
    r"|tl|zl|[^o]ag|ib|[^e]am|as))"
    r"|[^aeiou]*[aeiou][bdgklmnprt]"
)
"""What a mute e has stood behind: "anonymis(e)", "irrigat(e)", "hir(e)"."""

_STRONG = {
    form: verb
    for verb, forms in (
        line.split(":")
        for line in """
        bleed:bled|breed:bred|bring:brought|buy:bought|catch:caught|choose:chose chosen|deal:dealt
        dig:dug|draw:drew drawn|drink:drank drunk|drive:drove driven|eat:ate eaten|feed:fed|fight:fought
        fly:flew flown|forgive:forgave forgiven|freeze:froze frozen|give:gave given|grind:ground
        grow:grew grown|hang:hung|hide:hid hidden|hold:held|keep:kept|lay:laid|lead:led|lend:lent
        light:lit|lose:lost|mow:mown|pay:paid|ride:rode ridden|sell:sold|seek:sought|sew:sewn
        shake:shook shaken|shear:shorn|shine:shone|shoot:shot|shoe:shod|show:shown|sing:sang sung
        sink:sank sunk|sow:sown|speak:spoke spoken|spin:spun|steal:stole stolen|stick:stuck|sting:stung
        strike:struck stricken|sweep:swept|swing:swung|take:took taken|teach:taught|tell:told
        wear:wore worn|weave:wove woven|win:won|withhold:withheld|resell:resold|undo:undone|redo:redone
        rebuild:rebuilt|build:built|bind:bound|unbind:unbound|send:sent|break:broke broken|use:used
        saw:sawn|foresee:foreseen|oversee:overseen|overfeed:overfed|tie:tied tying|lie:lying
        die:died dying|free:freed|agree:agreed|guarantee:guaranteed
        """.replace("\n", "|").split("|")
        if ":" in line
    )
    for form in (*forms.split(), verb)
}
_UNCHANGED = frozenset(["embed", "shed", "shred", "wed", "bring", "sing", "ring", "sling", "string", "swing"])


@lru_cache(maxsize=4096)
def base_form(word: str) -> str:
    """A verb without its ending, as well as its spelling tells.

    >>> [base_form(word) for word in ("sold", "anonymising", "expelled", "harvested", "carries", "vaccinate")]
    ['sell', 'anonymise', 'expel', 'harvest', 'carry', 'vaccinate']
    """
    plain = word.casefold()
    if plain in _STRONG or plain in _UNCHANGED:
        return _STRONG.get(plain, plain)
    match = _ENDING.fullmatch(plain)
    if match is None or plain.endswith(("ss", "us", "eed", "is")):
        return plain
    if plain.endswith(("ies", "ied")):
        return f"{plain[:-3]}y"
    if plain.endswith("s"):
        return plain[:-2] if plain.endswith(("shes", "ches", "xes", "sses")) else plain[:-1]
    stem = match["stem"]
    if _DOUBLED.fullmatch(stem) and not stem.endswith(_KEEPS_BOTH):
        return stem[:-1]
    return f"{stem}e" if _MUTE.fullmatch(stem) else stem


@lru_cache(maxsize=4096)
def stem_of(word: str) -> str:
    """What the forms of a verb, and the nouns made of it, have in common.

    >>> {stem_of(word) for word in ("irrigate", "irrigation", "Irrigating")}
    {'irrig'}
    """
    with _one_at_a_time:
        stem = str(_stemmer.stemWord(base_form(word)))
    return stem[:-1] if stem[-2:-1] == stem[-1:] else stem


_stemmer = snowballstemmer.stemmer("english")
_one_at_a_time = threading.Lock()


def free(forbids: Iterable[str]) -> frozenset[str]:
    """The verbs among what a constraint rules out: single words that are no class and have none."""
    return frozenset(each for each in forbids if each not in _CLASSES and _is_free(each))


@lru_cache(maxsize=1024)
def _is_free(name: str) -> bool:
    return name.isalpha() and not (action_classes(name) or verbs_in(name))


def are_among(forbids: Iterable[str], stems: frozenset[str]) -> bool:
    """Whether a verb that is ruled out is one of these, given by their stems.

    >>> are_among(("delete", "sell"), said_in("sell_animal")), are_among(("sell",), said_in("rename_animal"))
    (True, False)
    """
    return bool(stems) and any(stem_of(verb) in stems for verb in free(forbids))


@lru_cache(maxsize=4096)
def said_in(name: str) -> frozenset[str]:
    """The stems of the words in a tool's name, or in a short text, that no class of actions has.

    >>> sorted(said_in("bulkExport_items")), sorted(said_in("stop_instance"))
    (['bulk', 'export', 'item'], ['instanc'])
    """
    words = [word.casefold() for word in _WORD.findall(name)]
    return frozenset(stem_of(word) for word in words if not verbs_in(word) and not is_reading(word))
