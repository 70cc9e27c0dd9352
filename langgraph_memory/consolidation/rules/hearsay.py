"""Words by which a speaker passes on what others say: it carries nobody's authority, and is asked about."""

from __future__ import annotations

from langgraph_memory.consolidation.rules.wording import holds

_OWN = """
    (?! [the|our|my|a|this|that|company|house|standard|team]
    plan|plans|schedule|policy|policies|procedure|process|protocol|law|contract|agreement|rules?|runbook|playbook
    |regulations?|instructions?|calendar|usual|default|convention|requirements?|request|call|chat|discussion
    |se )
    (?! me|us|day|week|month|hour|user|customer|request|run )
"""
"""What isn't somebody else's word: the plan, our agreement; nor "per day"."""

_SAID = "says|said|say|claims|claimed|insists|insisted|writes|wrote|reports|reported|believes|puts|put"
_WAS = """( am|are|was|were|got | have [just|also|only|already] been )
    [just|also|only|already|explicitly|clearly]"""
_TOLD = "told|informed|advised|instructed|asked|warned|requested|ordered|notified"

LEAD = f"""
    ( according to | [as] per ) {_OWN} _6 | in _3 's words|opinion|view|eyes|book
    | [from|by|as|judging|going] [to|by] what _3 tells|told|says|said|writes|wrote [me|us]
    | as|like (?! i|we|it|you|agreed ) _2 {_SAID} [it|so]
"""
"""Wording that names who said it, before or apart from what they said."""

HEARD = f"""
    ( {LEAD} ) (?= ,|— ) ,|—
    | i|we {_WAS} {_TOLD} ( by _3 )?
      ( that|: | to (?= not|keep|leave|hold|never ) | (?= not to ) | (?! you|to ) )
    | i|we [have] [just|also|only] hear|heard|read|learned|learnt|understand|gather|know
      from|by|through|via _3 that
    | it is|was [being|widely] said|claimed|reported|rumou?red|alleged|believed|understood [that]
    | [the] word|rumou?r|gossip|talk is|was|has [it] [that]
    | reportedly|allegedly
"""
"""Wording that leads what was heard from others."""

WISHED = """
    (?! i|you|we|whoever|anyone|anybody|nobody|it|they|he|she|who|which|that|this ) [the|our|my|her|his] _2?
    [has|have] [just|also|already|always]
    wants|wanted|requires|required|demands|demanded|expects|expected|prefers
    (?= _5 ( to | kept|left|running|untouched|unchanged|alone ) )
"""
"""Wording that leads what others want of a thing."""

ATTRIBUTED = holds(f"""
    according to {_OWN} | , {_SAID} (?! i|we|so|that|it|to ) _3 $ | [,] or so _2 {_SAID} $
""")
"""Signs of hearsay anywhere in a statement."""
