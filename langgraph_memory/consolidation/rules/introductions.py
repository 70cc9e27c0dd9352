"""How people introduce themselves in other languages than English: their name, and where they live.

A form is short and its words are telling, so that no sentence has to be recognised as of a language first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.words import Phrase
from langgraph_memory.records import FactKind

_PARTICLE = r"(?:de|del|der|den|di|da|dos|du|van|von|zu|bin|ibn|al|el|la|le|y|и)"
_WORD = r"[^\W\d_][\w’'.-]*"
_LATIN = rf"(?P<what>{_WORD}(?:\s+(?:{_PARTICLE}\s+)*{_WORD}){{0,3}})"
_PLACE = rf"(?P<what>{_WORD}(?:\s+{_WORD}){{0,2}})"
_HAN = r"(?P<what>[\w·・]{1,12})"

_CASED = {
    "name": (
        r"(?:ich heiße|ich heisse|mein (?:vor)?name ist|man nennt mich|nenn(?:t|en sie)? mich)",
        r"(?:je m['’]appelle|mon (?:pré)?nom est|appelle[sz]?[- ]moi)",
        r"(?:me llamo|mi nombre es|ll[aá]mame|puedes llamarme)",
        r"(?:(?:eu )?me chamo|chamo-me|(?:o )?meu nome é|pode me chamar de)",
        r"(?:mi chiamo|il mio nome è|chiamami)",
        r"(?:ik heet|mijn naam is|noem me)",
        r"(?:jag heter|mitt namn är|jeg heter|jeg hedder|mitt navn er|mit navn er|nimeni on|minun nimeni on)",
        r"(?:nazywam się|mam na imię|jmenuji se|jmenuju se|volám sa|a nevem)",
        r"(?:mă numesc|mă cheamă|numele meu este)",
        r"(?:benim adım|adım|ismim)",
        r"(?:tên tôi là|tôi tên là|nama saya|nama aku|ang pangalan ko ay)",
        r"(?:меня зовут|мо[её] имя|мене звати|мене звуть|казвам се|με λένε|ονομάζομαι)",
    ),
    "location": (
        r"(?:ich )?wohne (?:jetzt |nun |derzeit |seit \S+ )*in",
        r"(?:ich )?lebe (?:jetzt |nun |derzeit )*in",
        r"j['’]habite (?:maintenant )?(?:à|en|au|aux)",
        r"(?:vivo|moro|abito|resido) (?:ahora |agora |ora |adesso )?(?:en|em|no|na|a|in)",
        r"ik woon (?:nu )?in|jag bor (?:nu )?i|jeg bor (?:nå |nu )?i|mieszkam (?:teraz )?we?|bydlím v",
        r"(?:я )?(?:теперь |сейчас )?живу (?:теперь |сейчас )?во?|(?:я )?(?:тепер |зараз )?живу (?:у|в)",
    ),
}
_UNCASED = {
    "name": (
        rf"(?:我叫(?:做|作)?|我的名字(?:是|叫)|我姓名是){_HAN}",
        r"(?:私|僕|俺)の名前は(?P<what>[\w·・]{1,12}?)(?:です|だ|と申します|といいます|と言います)",
        r"(?P<what>[\w·・]{1,12})(?:と申します|と言います|といいます)",
        r"(?:제|내) 이름은 (?P<what>[\w]{1,10}?)(?:입니다|이에요|예요|이야|야)",
        r"(?:اسمي|إسمي|انا اسمي|أنا اسمي) (?P<what>[\w]+(?: [\w]+)?)",
        r"(?:मेरा नाम) (?P<what>[^\s।]+(?: [^\s।]+)?) ह",
        r"(?:ฉันชื่อ|ผมชื่อ|ดิฉันชื่อ) ?(?P<what>[^\s]{1,24})",
        r"(?:קוראים לי|שמי|השם שלי הוא|השם שלי) (?P<what>[\w]+(?: [\w]+)?)",
        r"(?:نام من|اسم من) (?P<what>[\w]+(?: [\w]+)?) است",
    ),
    "location": (
        rf"我(?:现在|目前|现|現在)?(?:住在|居住在|生活在){_HAN}",
        r"(?P<what>[\w]{1,12})に住んで(?:い?ます|いる)",
        r"(?:أعيش|أسكن|اسكن|أقيم) (?:الآن )?في (?P<what>[\w]+(?: [\w]+)?)",
        r"(?:저는 |나는 )?(?P<what>[\w]{1,10})에 (?:살아요|삽니다|살고 있습니다|살아)",
    ),
}
_NEGATED = re.compile(
    r"(?:\bnicht\b|\bno\b|\bpas\b|\bnão\b|\bnon\b|\bniet\b|\bне\b|不|لا|ない)\W*$", re.IGNORECASE
)
_SOURCES: tuple[tuple[str, bool, str], ...] = (
    *(
        (slot, True, rf"(?<!\w)(?i:{lead})[\s:]+(?i:är |er |есть )?{_LATIN if slot == 'name' else _PLACE}")
        for slot, leads in _CASED.items()
        for lead in leads
    ),
    *((slot, False, form) for slot, forms in _UNCASED.items() for form in forms),
)
_FORMS = tuple((slot, cased, re.compile(form)) for slot, cased, form in _SOURCES)
_TELLING = re.compile("|".join(form.replace("(?P<what>", "(?:") for _, _, form in _SOURCES))
"""Whether any form occurs: most sentences are none."""


def introductions(sentence: Phrase) -> Iterator[Reading]:
    """The speaker's name and home, each in the words that tell it."""
    text = sentence.text
    if text.rstrip().endswith(("?", "？", "؟")) or not _TELLING.search(text):
        return
    told: set[str] = set()
    for slot, cased, form in _FORMS:
        match = form.search(text)
        if match is None or slot in told or _NEGATED.search(text[: match.start()]):
            continue
        what = _capitalised(match["what"]) if cased else match["what"]
        if not what:
            continue
        told.add(slot)
        end = match.start("what") + len(what) if cased else match.end()
        value = text[match.start() : end]
        yield Reading(slot, value.strip(), kind=FactKind.IDENTITY, personal=True)


def _capitalised(words: str) -> str:
    """The words as far as they are written as a name; nothing where the first is not."""
    kept = 0
    for word in re.finditer(r"\S+", words):
        if word.group()[:1].isupper():
            kept = word.end()
        elif not kept or re.fullmatch(_PARTICLE, word.group()) is None:
            break
    return words[:kept].rstrip(".")
