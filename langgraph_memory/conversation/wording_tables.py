"""The words that mark decisions, what is open, and answers that are none; data for `wording`."""

from __future__ import annotations

import re

_I_WILL = r"(?:we|i)(?:'ll|\swill|\sare\sgoing\sto|'re\sgoing\sto|\sam\sgoing\sto|'m\sgoing\sto)"
_IDLE = (
    r"(?:be|not|see|have\sto|need|check|ask|find|look|think|get|let|try|help|explain|show|tell|assist"
    r"|remember|note"
    r"|keep\sin\smind|walk|know|miss|say|wait|talk|come\sback|confirm)\b"
)
_DECIDES = (
    r"""\b(?:
        decided|decision\sis|decision:|(?:made|taken)\s(?:a|my|our|the)\sdecision|agreed|settled\son|concluded
      | (?:that|it)(?:'s|\sis)\s(?:settled|decided|final)|approved|(?:signed|signing)\soff\son|green-?lit
      | (?:let's|lets|let\sus)\s(?:go|use|do|take|keep|pick|choose|stick|ship|make|start|move|skip|drop|try)
      | (?:we|i)\s(?:chose|picked|opted|ruled\sout)|(?:have|has|'ve)\s(?:chosen|picked|selected|agreed
        |opted|settled|ruled\sout)|voted\s(?:for|to|against)
      | (?<!might\s)(?<!may\s)(?<!could\s)go\swith|going\s(?:with|for|ahead)|went\s(?:with|for)|opted\sfor
      | stick(?:ing)?\s(?:with|to)|sold\son|settle\sfor|(?:the|our|my)\splan\sis|made\sup\s(?:my|our)\sminds?
      | final\s(?:answer|decision|call|choice|word)|(?:my|our|the)\s(?:choice|pick)\sis
      | (?:i|we)(?:'d|\swould)?\s(?:recommend|suggest|propose|advise)
      | (?:my|our)\s(?:recommendation|suggestion|advice|pick)
      | you(?:'d|\shad)?\s(?:should|better)\s(?:go|use|pick|choose|take|rent|buy|get|book|start|keep|try)
      | i(?:'d|\swould)\s(?:go|opt|pick|choose|take|use|rent|buy|book|start|keep)(?!\sit\sif)
      | best\s(?:would\sbe|is|option\sis|thing\sis)\s(?:to|a|an|the)
      | is\s(?:the|your|our|my)\s(?:better|best|safer|cheaper|right|wiser)\s
        (?:choice|option|pick|fit|one|bet|way)
      | (?:has|have|had|is|are|was|were|been|be)\s(?:postponed|cancelled|canceled|dropped|scrapped|shelved
        |moved\sto|pushed\s(?:back\s)?to|brought\sforward)
      | (?:we|i)(?:'re|'m|\sare|\sam)\s(?:not\sdoing|(?:not\s)?(?:keeping|dropping|moving|switching|choosing
        |picking|buying|skipping|cancelling|canceling|renting|hiring|selling|quitting))
      | (?:we|i)\s(?:won't|will\snot)\s(?!be|know|see|have\sto)
      | (?:chose|selected|picked)\s(?:the|a|an|plan|option)|landed\son\s(?:a|an|the)|(?:vote
        |contract)\sgoes\sto
      | (?:the|my|our)\sanswer\sis\s(?:yes|no)|i\ssay\swe|put\s(?:me|us)\sdown\sfor|pass\son\sthe|shall\sbe
      | (?:the|your|our|my)\s(?:safest|best|cheapest|wisest)\s(?:bet|choice|option|pick)\sis
      | suits?\s(?:you|us|me)\sbest|consider\sit\sdone
      | from\snow\son|as\sof\s(?:now|today|monday|next)|effective\simmediately
    )\b""",
    rf"\b{_I_WILL}\s(?!{_IDLE})[a-z]{{2,}}\b",
    r"\b[\w-]+\sit\sis(?:\sthen)?\W*$",
    r"^\W*(?:(?:ok(?:ay)?|yes|no|fine|so|deal)\W+)*(?:scrap|ditch|forget|shelve|cancel|drop|skip)\s(?!about)",
    r"^\W*(?:yes|yeah|ok(?:ay)?|fine|sure)\W+(?:do|use|take|book|make|keep|go)\s",
    r"^\W*deal\b",
    r"\b(?:book|take|do|make)\sit[.!]*$",
    # German, French, Spanish, Portuguese, Italian, Dutch
    r"""\b(?:entschieden|beschlossen|beschließen|geeinigt|(?:ich|wir)\s(?:empfehle|empfehlen|nehmen
        |bleiben\sbei)
      | (?:nous\savons|j'ai|on\sa|avons)\s(?:décidé|choisi|retenu|convenu)|je\s(?:recommande|conseille
        |propose)
      | (?:hemos|he)\s(?:decidido|elegido|acordado)|decidimos|acordamos|elegimos|(?:te\s)?recomiendo|sugiero
      | escolhemos|decidi|recomendo|(?:abbiamo|ho)\s(?:deciso|scelto|concordato)|consiglio
      | (?:hebben|heb)\s.{0,40}?(?:besloten|gekozen|afgesproken)|ik\sraad
    )\b""",
    # Russian, Arabic, Hindi, Chinese, Japanese, Korean
    r"\b(?:решил[аи]?|решено|договорились|выбрал[аи]?|рекомендую|советую)\b",
    r"(?:قرر(?:نا|ت)|اتفقنا|اخترنا|اخترت|أوصي|أنصح)",
    r"(?:फैसला\sकिया|तय\sकिया|सुझाव\sहै)",
    r"(?:决定|決定|选择了|選擇了|选定|就用|推荐|推薦|建议|建議)",
    r"(?:決め(?:ました|た)|決まり|おすすめ|お勧め|にしましょう|にします)",
    r"(?:결정했|정했|하기로\s?했|추천)",
)
_LEAVES_OPEN = (
    r"""\b(?:
        (?:still|yet)\s(?:need|needs|have|has|unclear|open|undecided|unknown|unsure|waiting|pending|to\b|no\b
          |don't|do\snot|doesn't|haven't|hasn't|can't|cannot|isn't|aren't|not|looking)
      | not\s(?:yet\s)?(?:sure|decided|clear|settled|certain|final)|undecided|unresolved|unsettled|unclear
      | uncertain|unsure|(?:no|nobody|none)\s.{0,30}?\byet\b|(?:hasn't|haven't|isn't|aren't
        |not)\s.{0,40}?\byet\b
      | open\s(?:question|point|issue)s?|remains\s(?:to\sbe|open)|up\sin\sthe\sair|(?:am|'m|are
        |'re)\son\sthe\sfence
      | (?:haven't|hasn't|have\snot|has\snot|not|nobody\shas|no\sone\shas)\s
        (?:decided|settled|agreed|chosen|picked|figured|heard|made|signed|found|booked|resolved|answered)
      | (?:can't|cannot|couldn't|can\snot)\s(?:decide|agree|choose|settle)
      | to\sbe\s(?:decided|confirmed|clarified|determined|discussed|seen)|tb[acd]|todo|to-do
      | pending|awaiting|waiting\s(?:for|on|to)|follow(?:ing)?\sup
      | (?:have|has|need|needs)\sto\s(?:check|ask|decide|find\sout|confirm|clarify|figure\sout|determine
        |discuss|choose|pick|agree|settle|look\sinto|think\sabout)
      | (?:i|we)(?:'ll|\swill)\s(?:check|ask|find\sout|get\sback|look\sinto|think\sabout|confirm|see\swhether)
      | (?:don't|do\snot|doesn't)\sknow\s(?:yet|who|what|when|where|whether|if|how|which|why)
      | torn\sbetween|anyone's\sguess|think\s(?:it|this|that)\sover|(?:nobody|no\sone)\sknows
      | (?:hasn't|haven't|has\snot|have\snot)\s(?:replied|responded|come\sback)
      | sleep\son\sit|remind\sme|wonder(?:ing)?\s(?:if|whether|who|what|when|which|how)
    )\b""",
    r"""\b(?:noch\s(?:offen|unklar|nichts?|kein\w*)|offen\s(?:ist|bleibt)|unklar|muss\w*\snoch|klären
      | (?:falta|queda|hay\sque)\s(?:por\s)?(?:decidir|saber|confirmar|elegir)|por\sdecidir|pendiente|aún\sno
      | todavía\sno|no\ssabemos|reste\sà|pas\sencore|à\s(?:confirmer|décider)|on\sne\ssait\spas
      | (?:falta|ainda)\s(?:decidir|não)|a\sdecidir|non\s.{0,20}?ancora|da\sdecidere|ancora\sda
        |nog\s(?:niet|open)
    )\b""",
    r"\b(?:ещё|еще|пока)\sне\b|\bне\s(?:решено|решили|ясно|знаем)\b|\bоткрытый\sвопрос\b",
    r"(?:لم\s(?:نقرر|يتقرر|نحسم)|لا\sنعرف\sبعد|بعد\sغير\sواضح)",
    r"(?:还没|還沒|尚未|待定|未定|不确定|不確定|有待)",
    r"(?:まだ決|未定|決まっていな|検討中)",
    r"(?:아직\s|미정|정하지\s?못)",
)
_EVADES = (
    r"""\b(?:
        don't\sknow|do\snot\sknow|not\s(?:\w+\s)?(?:sure|certain)|unsure|no\s(?:idea|clue)|can't\s(?:tell|say)
      | cannot\s(?:tell|say)|(?:can't|cannot|couldn't|could\snot|unable\sto)\s(?:find|check|tell|see
        |access|answer)
      | (?:have|need)\sto\s(?:check|look|ask|find\sout)|look\s(?:that|this|it)\sup|look\sinto
      | let\sme\s(?:check|look|ask|see|find)|(?:i'll|i\swill|i'd|i\swould)\s(?:have\sto\s|need\sto\s)?
        (?:check|look|ask|find|get\sback|let\syou\sknow)
      | get\sback\sto\syou|find\sout|(?:have|there\sis|found)\sno\s(?:information|data|answer|record|details?)
      | don't\shave\s(?:that|any|access|the|an?|enough)|haven't\s(?:checked|heard|looked)
    )\b""",
    r"""\b(?:weiß\s(?:ich\s)?(?:\w+\s){0,2}nicht|keine\sahnung|nicht\ssicher|muss\s.{0,20}?(?:nachsehen
        |prüfen|fragen)
      | no\s(?:lo\s)?sé|ni\sidea|no\sestoy\ssegur[oa]|(?:je\s)?ne\ssais\spas|aucune\sidée|não\ssei
        |non\s(?:lo\s)?so
      | weet\s(?:ik|het)\s.{0,10}?niet|geen\sidee
    )\b""",
    r"\bне\s(?:знаю|уверен[аы]?)\b|\bпонятия\sне\b",
    r"(?:لا\s(?:أعرف|أعلم|أدري)|لست\sمتأكد)",
    r"(?:不知道|不清楚|不确定|不確定)",
    r"(?:わかりません|分かりません|知りません)",
    r"(?:모르겠|모릅니다)",
)


def _any(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE | re.VERBOSE)


DECIDES = _any(_DECIDES)
"""What decides or recommends, in English and in short forms of other languages."""

LEAVES_OPEN = _any(_LEAVES_OPEN)
"""What says that something is unsettled."""

EVADES = _any(_EVADES)
"""What an answer says that is none."""

ASKS = re.compile(
    r"[?？؟\u037e]\W*$|^\W*(?:can|could|would|will)\s(?:you|we|i|someone)\b"
    r"|^\W*(?:is|are|was|were|do|does|did|has|have|should|shall)\s(?:there|it|this|that|the|we|you|i"
    r"|they|he|she|my|our)\b",
    re.IGNORECASE,
)
"""What is asked, with a question mark or the order of words."""
