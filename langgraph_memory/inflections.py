"""English verbs and their forms, as well as spelling tells."""

from __future__ import annotations

import re
from functools import lru_cache

LONGEST_WORD = 64
"""Letters of a word that may be a verb; what is longer, such as a pasted key, is taken as it stands."""

_IRREGULAR = dict(
    entry.split(":")
    for entry in """
    agree:agreed|bind:bound|bleed:bled|blow:blew blown|break:broke broken|breed:bred|bring:brought
    build:built|buy:bought|catch:caught|choose:chose chosen|deal:dealt|die:died dying|dig:dug
    draw:drew drawn|drink:drank drunk|drive:drove driven|eat:ate eaten|feed:fed|fight:fought
    fly:flew flown|foresee:foreseen|forgive:forgave forgiven|free:freed|freeze:froze frozen|get:got
    give:gave given|go:went gone goes|grind:ground|grow:grew grown|guarantee:guaranteed|hand:handed
    hang:hung|hide:hid hidden|hold:held|keep:kept|lay:laid|lead:led|lend:lent|lie:lying|light:lit
    lose:lost|mow:mown|overfeed:overfed|oversee:overseen|overwrite:overwrote overwritten|pay:paid
    put:put putting|rebuild:rebuilt|redo:redone|resell:resold|reset:reset resetting
    rewrite:rewrote rewritten|ride:rode ridden|saw:sawn|seek:sought|sell:sold|send:sent
    set:set setting|sew:sewn|shake:shook shaken|shear:shorn|shine:shone|shoe:shod|shoot:shot
    show:shown|shrink:shrank shrunk|shut:shut shutting|sing:sang sung|sink:sank sunk|sow:sown
    speak:spoke spoken|spin:spun|steal:stole stolen|stick:stuck|sting:stung|strike:struck stricken
    sweep:swept|swing:swung|take:took taken|teach:taught|tear:tore torn|tell:told|throw:threw thrown
    tie:tied tying|unbind:unbound|undo:undone|use:used|wake:woke woken|wear:wore worn|weave:wove woven
    win:won|wind:wound|withdraw:withdrew withdrawn|withhold:withheld|write:wrote written
    """.replace("\n", "|")
    .replace("    ", "")
    .split("|")
    if entry
)
"""Verbs with forms that their spelling doesn't tell, these apart by spaces."""

_BASES = {form: verb for verb, forms in _IRREGULAR.items() for form in (verb, *forms.split())}

_FINAL_STRESS = frozenset(["commit", "reset", "submit", "rerun", "transfer", "debit"])
_ONE_SYLLABLE = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")


_ENDING = re.compile(r"(?P<stem>[a-z]*[aeiouy][a-z]*[a-z])(?:ed|ing|s)")
_DOUBLED = re.compile(r"[a-z]*[aeiou]([bdgklmnprtv])\1")
_KEEPS_BOTH = ("all", "ill", "oll", "ull", "sell", "tell", "spell", "smell", "yell")
_MUTE = re.compile(
    r"[a-z]*(?:[aeiou](?:c|v|s|z|ng|dg|rs)|(?:at|ot|ut|ir|ur|yr|iz|is|yz|ys|rg|rc|ns|nc|u|bl|cl|dl|fl|gl|kl|pl"
    r"|tl|zl|[^o]ag|ib|[^e]am|as))"
    r"|[^aeiou]*[aeiou][bdgklmnprt]"
)
"""What a mute e has stood behind: "anonymis(e)", "irrigat(e)", "hir(e)"."""

_UNCHANGED = frozenset(["embed", "shed", "shred", "wed", "bring", "sing", "ring", "sling", "string", "swing"])


def inflections(verb: str) -> frozenset[str]:
    """The forms of an English verb: base, -s, -ed, -ing, and the irregular ones it has.

    >>> sorted(inflections("stop"))
    ['stop', 'stopped', 'stopping', 'stops']
    """
    forms = {verb, *_IRREGULAR.get(verb, "").split()}
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return frozenset(forms | {verb[:-1] + "ies", verb[:-1] + "ied", verb + "ing"})
    forms.add(verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z")) else "s"))
    return frozenset(forms | {stem + ending for stem in _stems(verb) for ending in ("ed", "ing")})


def _stems(verb: str) -> set[str]:
    if _ONE_SYLLABLE.fullmatch(verb) or verb in _FINAL_STRESS:
        return {verb + verb[-1]}
    if verb.endswith("el"):
        return {verb, verb + "l"}
    return {verb.removesuffix("e")}


@lru_cache(maxsize=4096)
def base_form(word: str) -> str:
    """A verb without its ending, as well as its spelling tells.

    >>> [base_form(word) for word in ("sold", "anonymising", "expelled", "harvested", "carries", "vaccinate")]
    ['sell', 'anonymise', 'expel', 'harvest', 'carry', 'vaccinate']
    """
    plain = word.casefold()
    if plain in _BASES or plain in _UNCHANGED:
        return _BASES.get(plain, plain)
    match = _ENDING.fullmatch(plain) if len(plain) <= LONGEST_WORD else None
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
