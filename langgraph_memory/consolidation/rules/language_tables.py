"""The words of the languages other than English that `languages` reads; each language is a row of data."""

from __future__ import annotations

import re
from dataclasses import dataclass

from langgraph_memory.actions import ActionClass

A = ActionClass


@dataclass(frozen=True)
class Language:
    """The words of one language; each field is a regular expression over lower-case text.

    Attributes:
        signs: frequent small words by which the language is recognised.
        negation: what makes a sentence a prohibition.
        keep: verbs of keeping, and obligation to stay.
        running: what is to be kept up; `untouched`: what is to be left alone.
        until: what leads an end condition; the group `end` is the condition.
        deeds: action classes by their verbs.
        likes: how a lasting preference begins; the group `what` is its topic.
        remember: how something is laid down or to be remembered.
        again: how a rule is said to have ended.
        doubt: words of doubt, past tense and reports.
    """

    signs: re.Pattern[str]
    negation: re.Pattern[str]
    keep: re.Pattern[str]
    running: re.Pattern[str]
    untouched: re.Pattern[str]
    until: re.Pattern[str]
    deeds: tuple[tuple[ActionClass, re.Pattern[str]], ...]
    likes: re.Pattern[str]
    remember: re.Pattern[str]
    again: re.Pattern[str]
    doubt: re.Pattern[str]

    def signs_in(self, text: str) -> int:
        """How many small words of the language a text has."""
        return len(self.signs.findall(text))

    def says(self, text: str) -> bool:
        """Whether the text has one of the forms that are read."""
        forms = (self.likes, self.remember, self.until, self.again, *(form for _, form in self.deeds))
        return any(form.search(text) for form in forms)


_LINES = re.compile(r"\s*\n\s*")
_BAR = re.compile(r"\s*\|\s*")


def _joined(alternatives: str) -> str:
    """A pattern over several lines as one, without the line breaks and the spaces around bars."""
    return _BAR.sub("|", _LINES.sub("", alternatives.strip()))


def _words(alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_joined(alternatives)})(?!\w)")


def _parts(alternatives: str) -> re.Pattern[str]:
    return re.compile(_joined(alternatives))


GERMAN = Language(
    signs=_words("""
        der|die|das|den|dem|ist|nicht|und|bis|ich|wir|bitte|auf|mit|von|ein|eine|keine?n?|muss|darf|zu|wird|dir
        | wieder|fertig|mag|lass
    """),
    negation=_words("nicht|niemals|nie|keinesfalls|niemand|kein|keine|keinen|keinerlei"),
    keep=_words("""
        lass|lasst|lassen|lasse|halte|haltet|halten|behalte|behalten|muss|müssen|soll|sollen|bleibt|bleiben
    """),
    running=_words("""
        laufen|weiterlaufen|läuft|weiter|an|online|eingeschaltet|aktiv|erreichbar|verfügbar|hochgefahren|oben
        | erhalten
    """),
    untouched=_words("in ruhe|unverändert|unangetastet|so wie (?:es|sie|er) ist|unberührt"),
    until=_parts(r"""
        [, ]\s*bis (?:zum |zur |zu |ende )*
        (?P<time>(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|morgen|nächste\w* \w+|\d[\w.:]*|monatsende
        | wochenende)(?= \w)
        | [, ]\s*(?:so lange, )?(?:bis(?: dass)?|bevor|ehe|solange|während|außer wenn|es sei denn,?)
        \s+(?P<end>.+)$
    """),
    deeds=(
        (
            A.STOP,
            _words(r"""
                stopp\w*|gestoppt|abschalt\w*|abgeschaltet|abzuschalten|ausschalten|ausgeschaltet|beend\w*
                | anhalten|herunterfahren|schalt\w* .{1,60}?(?:ab|aus)
                | heruntergefahren|fahr\w* .{1,60}?herunter
                | abstellen
            """),
        ),
        (A.DELETE, _words(r"lösch\w*|gelöscht|entfern\w*|vernicht\w*")),
        (A.RESTART, _words(r"neu ?starten|neu ?gestartet|start\w* .{1,60}?neu|reboot\w*")),
        (A.DEPLOY, _words(r"ausrollen|ausgerollt|deploy\w*|veröffentlich\w*|releas\w*")),
        (A.MERGE, _words(r"merge\w*|gemergt|zusammenführen")),
        (
            A.PAY,
            _words(r"""
                auszahl\w*|ausgezahlt|bezahl\w*|zahl\w*|erstatt\w*|rückerstatt\w*|überweis\w*|überwiesen
                | abbuch\w*
            """),
        ),
        (A.ANY, _words(r"anfass\w*|angefasst|fass\w* .{1,60}?an|berühr\w*|anrühr\w*|rühr\w* .{1,60}?an")),
        (A.MODIFY, _words(r"änder\w*|geändert|veränder\w*|bearbeit\w*")),
        (A.SEND, _words(r"send\w*|schick\w*|verschick\w*|teil\w*|weitergeben|weitergegeben")),
        (A.CANCEL, _words(r"stornier\w*|kündig\w*|absag\w*")),
        (A.BOOK, _words(r"buch\w*|bestell\w*|gebucht")),
    ),
    likes=_words(r"""
        (?:ich|wir) (?:bevorzuge\w*|mag|mögen|liebe\w*|hasse\w*|esse|trinke|vertrage|verabscheue)\s
        (?:(?:lieber|keine?n?|sehr|am liebsten|gern|gerne|nicht) )*(?P<what>[\w-]+)
        | ich bin allergisch gegen (?P<allergy>[\w-]+)|am liebsten (?P<best>[\w-]+)
    """),
    remember=_words("""
        merk(?:e|t)? (?:dir|euch)|denk(?:e|t)? daran|vergiss nicht|ab (?:jetzt|sofort|heute)|von nun an
        | künftig|in zukunft
    """),
    again=_words(r"""
        (?:darf|dürfen|kann|können|kannst|könnt)(?: .{1,60}?)? (?:wieder|jetzt|nun)|aufgehoben|freigegeben
        | nicht mehr (?:nötig|gebraucht|benötigt|gesperrt|reserviert)|braucht .{1,60}?nicht mehr
    """),
    doubt=_words("""
        vielleicht|wahrscheinlich|vermutlich|glaube|denke|könnte|könnten|eventuell|scheint|scheinbar|anscheinend
        | möglicherweise|hätte|hätten|wurde|wurden|hat|haben|war|waren|warum|wieso
    """),
)
FRENCH = Language(
    signs=_words("""
        le|la|les|des|du|est|ne|pas|et|jusqu'à|jusqu'au|je|nous|vous|que|une?|sur|avec|pour|dans|jamais|ce|il|elle
        | en|de|peut|doit
    """),
    negation=_words(r"""
        ne .{0,60}?(?:pas|jamais|rien|personne)|n'\w+ .{0,40}?(?:pas|jamais|rien)|jamais|personne ne|aucune?
        | interdit de|pas de
    """),
    keep=_words("gardez?|laissez?|maintenez|maintiens|conservez?|doit|doivent|reste|restent|rester"),
    running=_words("""
        en marche|allumée?s?|en ligne|active?s?|tourner|en service|fonctionner|disponibles?|en route
    """),
    untouched=_words("tranquilles?|telle? quelle?|intacte?s?|inchangée?s?|en l'état"),
    until=_parts(r"""
        [, ]\s*(?:jusqu'à ce qu(?:e|')|jusqu'(?:à|au|en)|jusque|avant(?: que| de| le| la)?|tant que
        | pendant(?: que)?|sauf si)\s+(?P<end>.+)$
    """),
    deeds=(
        (A.STOP, _words(r"arrêt\w*|n'arrêt\w*|étein\w*|n'étein\w*|éteign\w*|n'éteign\w*|stopp\w*|coup\w+")),
        (A.DELETE, _words(r"supprim\w*|efface\w*|n'efface\w*|détrui\w*|retir\w+")),
        (A.RESTART, _words(r"redémarr\w*|relanc\w*")),
        (A.DEPLOY, _words(r"déploy\w*|déploi\w*|publi\w*|mise en production|livr\w+")),
        (A.MERGE, _words(r"fusionn\w*|merge\w*")),
        (A.PAY, _words(r"rembours\w*|pay\w*|paie\w*|vers\w+|factur\w*|prélev\w*")),
        (A.ANY, _words(r"touch\w*")),
        (A.MODIFY, _words(r"modifi\w*|chang\w*")),
        (A.SEND, _words(r"envoy\w*|n'envoy\w*|envoi\w*|partag\w*|divulgu\w*")),
        (A.CANCEL, _words(r"annul\w*|n'annul\w*|résili\w*")),
        (A.BOOK, _words(r"réserv\w*|command\w*|achet\w*")),
    ),
    likes=_words(r"""
        (?:je|j'|nous) ?(?:ne )?(?:préfère|préférons|aime|adore|déteste|n'aime|mange|bois|supporte)\s
        (?:(?:pas|beaucoup|plus|mieux|les|le|la|des|du|de) )*(?:l')?(?P<what>[\w-]+)
        | je suis allergique (?:aux?|à la|à l'|à) ?(?P<allergy>[\w-]+)
    """),
    remember=_words("""
        souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez|notez?|n'oubliez? pas|désormais
        | dorénavant|à partir de maintenant|à l'avenir
    """),
    again=_words(r"""
        (?:peut|peuvent|pouvez|peux) (?:de nouveau|à nouveau|maintenant|désormais)(?: .{1,60})?|est levée?
        | (?:peut|pouvez|peux) .{1,60}?(?:de nouveau|à nouveau|maintenant)|n'a plus besoin
        | n'est plus (?:nécessaire|requis|réservée?|bloquée?)
    """),
    doubt=_words("""
        peut-être|probablement|sans doute|je crois|je pense|il semble|on dirait|pourrait|pourrions|a été|avons
        | avait|pourquoi|était
    """),
)
SPANISH = Language(
    signs=_words("""
        el|la|los|las|es|no|y|hasta|que|por|favor|con|para|una?|ya|puedes|soy|del|de|en|nunca|se|está|yo|puede|debe
        | lo|mi
    """),
    negation=_words("no|nunca|jamás|nadie|ningún|ninguna|prohibido"),
    keep=_words("""
        mantén|mantenga|mantengan|mantener|deja|deje|dejen|dejar|conserva|conserve|debe|deben|tiene que
        | tienen que|queda|permanece|seguir|permanecer
    """),
    running=_words("""
        en marcha|encendid[oa]s?|en línea|activ[oa]s?|funcionando|corriendo|disponibles?|en servicio
    """),
    untouched=_words("en paz|tal cual|intact[oa]s?|como está|sin cambios|quiet[oa]"),
    until=_parts(r"""
        [, ]\s*(?:hasta que|hasta(?: el| la| los| las)?|antes de(?: que)?|mientras|salvo que|a menos que)
        \s+(?P<end>.+)$
    """),
    deeds=(
        (A.STOP, _words(r"apag\w*|deten\w*|detien\w*|par(?:es|e|en|ar)|cierr\w*|termin\w+")),
        (A.DELETE, _words(r"borr\w*|elimin\w*|destru\w*|quit\w+")),
        (A.RESTART, _words(r"reinici\w*")),
        (A.DEPLOY, _words(r"despleg\w*|desplieg\w*|publi\w*|lanz\w+|lanc\w+")),
        (A.MERGE, _words(r"fusion\w*|merge\w*")),
        (A.PAY, _words(r"reembols\w*|pag\w+|cobr\w*|transfer\w*|transfier\w*|abon\w+")),
        (A.ANY, _words(r"toqu\w*|toc(?:ar|ad\w*)")),
        (A.MODIFY, _words(r"modifi\w*|cambi\w*")),
        (A.SEND, _words(r"enví\w*|envi\w*|compart\w*|mand\w+")),
        (A.CANCEL, _words(r"cancel\w*|anul\w*")),
        (A.BOOK, _words(r"reserv\w*|compr\w+|pid\w+")),
    ),
    likes=_words(r"""
        (?:yo )?(?:no )?(?:prefiero|odio|detesto|adoro|como|bebo|soporto|me gustan?|me encantan?)\s
        (?:(?:mucho|más|el|la|los|las) )*(?P<what>[\w-]+)
        | soy alérgic[oa] (?:a los|a las|a la|al?) (?P<allergy>[\w-]+)
    """),
    remember=_words("""
        recuerda|recuerde|recuerden|acuérdate|no olvides|no olvide|ten en cuenta|anota|anote|a partir de ahora
        | de ahora en adelante|en adelante|en el futuro
    """),
    again=_words(r"""
        (?:ya|ahora) (?:se )?(?:puedes?|pueden|podéis) .{1,60}|levantad[oa]
        | (?:puedes?|pueden|podéis)(?: .{1,60}?)? (?:de nuevo|otra vez|ahora|ya)
        | ya no (?:es necesario|hace falta|se necesita|está reservad[oa])
    """),
    doubt=_words("""
        quizás?|tal vez|probablemente|creo|pienso|parece|podría|podríamos|a lo mejor|fue|fueron|había|estaba
        | por qué|ha sido
    """),
)
CHINESE = Language(
    signs=_parts("[\u4e00-\u9fff]"),
    negation=_parts("不要|别(?!忘)|禁止|不得|不能|不许|不准|切勿|请勿|勿"),
    keep=_parts("保持|继续|让|留着|保留|不要停"),
    running=_parts("运行|在线|开着|开机|可用|开启"),
    untouched=_parts("不变|原样|原状|别动"),
    until=_parts("""
        (?:直到|等到?)(?P<end>.+?)(?:为止|之前|再说)?[。.!,]?$
        | (?:在|(?:^|[,。])(?!.*在))(?P<end2>[^,。在]{1,40}?)(?:之前|以前)
    """),
    deeds=(
        (A.STOP, _parts("停止|关闭|关机|关掉|停掉|停用|终止|下线|停机|停")),
        (A.DELETE, _parts("删除|删掉|移除|清除|销毁|清空")),
        (A.RESTART, _parts("重启|重新启动")),
        (A.DEPLOY, _parts("部署|发布|上线")),
        (A.MERGE, _parts("合并")),
        (A.PAY, _parts("退款|付款|支付|转账|扣款")),
        (A.ANY, _parts("碰|触碰|动(?!作|态)")),
        (A.MODIFY, _parts("修改|更改|改动|变更")),
        (A.SEND, _parts("发送|分享|透露|泄露|发给|转发")),
        (A.CANCEL, _parts("取消")),
        (A.BOOK, _parts("预订|预定|购买|下单")),
    ),
    likes=_parts(r"""
        我(?:们)?(?:更|很|最|非常|特别)?(?:喜欢|偏好|讨厌|不喜欢|不吃|不喝|爱吃|爱喝|偏爱)(?P<what>[\u4e00-\u9fff\w]{1,8})
        | 我对(?P<allergy>[\u4e00-\u9fff\w]{1,8})过敏
    """),
    remember=_parts("记住|请记得|记得|别忘了|从现在起|从现在开始|以后都?|今后"),
    again=_parts("(?:现在)?可以[^,。]{0,20}了|可以再次|不再需要|已?解除|不用再"),
    doubt=_parts("也许|可能|大概|好像|似乎|应该可以|估计|吗|为什么"),
)
ENGLISH = _words("""
    the|is|are|not|and|until|i|we|please|on|with|of|an?|must|may|to|will|it|that|this|for|be|in|do|don't|you|my
""")
"""Small words by which English is told from the others."""
