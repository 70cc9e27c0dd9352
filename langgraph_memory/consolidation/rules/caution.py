"""What can't be read in full but speaks against acting before something has happened: it is held until then.

"It stays on the old version until the index is rebuilt" fits no form of a rule, yet it names a thing, an end,
and a state that is to last. Holding is the lesser mistake: it is seen at once and lifted with a word.
"""

from __future__ import annotations

from langgraph_memory.actions import ActionClass, verbs_in
from langgraph_memory.consolidation.rules.ends import Ended
from langgraph_memory.consolidation.rules.rule import ANYTHING, Rule
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase

_LASTS = starts("[at|not|only] [least] until|unless|pending|before|while|whilst")
_AGAINST = holds("""
    not|no|nobody|nothing|never|none|stays?|remains?|keeps?|kept|keep|hold|holds|held|wait|waits|skip|skips
    | skipping|depend|depends|needs?|reserved|postponed|suspended|delayed|deferred|paused|halted|parked
    | shelved|protected|embargoed|exempt|excluded|locked|frozen
""")
_TOLD = holds(r"""
    was|were|had|did|could|would|might|may|can|will|looks?|seems?|answer|happened|worked|failed|crashed|broke
    | used to | has|have|is|are not ( been | \w+ed ) | yet|still not
""")
_PUT_OFF = holds("postponed|suspended|delayed|deferred|paused|halted|shelved|parked|reserved|frozen|locked")
_ABLE = starts("i|we|he|she|they|you|someone|somebody ( do | am|are )? not|never|no")
_DOES_NOT = holds("_ do|does not")
_KEPT_IN_STATE = holds("stays?|remains?|keeps?|kept|keep|reserved")


def cautious(end: Ended) -> Rule | None:
    """A hold on what a clause names until what it names as an end, if it speaks against acting before."""
    main = end.main
    if end.when is None or not _LASTS.match(Phrase.of(end.connector)) or not _AGAINST.search(main):
        return None
    if (_TOLD.search(main) and not _PUT_OFF.search(main)) or _ABLE.match(main):
        return None
    named = verbs_in(main.plain) - {ActionClass.EXECUTE, ActionClass.CREATE}
    if not named and _DOES_NOT.search(main):
        return None
    return Rule(
        ANYTHING if _KEPT_IN_STATE.search(main) else named or ANYTHING, (main,), until=end.when, cautious=True
    )
