"""`langgraph-memory review`: what waits for a person's word, and giving it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from langgraph_memory.console import procedures
from langgraph_memory.console.failures import failures_told
from langgraph_memory.console.options import DEFAULT_PATH, PathOption, ScopeOption, require
from langgraph_memory.console.plain import plain
from langgraph_memory.console.read import OPERATOR

if TYPE_CHECKING:
    from langgraph_memory.answers import Question, Reconciled
    from langgraph_memory.memory import Memory
    from langgraph_memory.scope import Principal

_ANSWERS = "confirm, reject, correct, skip or quit"


def review(
    scope: ScopeOption,
    path: PathOption = DEFAULT_PATH,
    entity: Annotated[list[str] | None, typer.Option(metavar="ID", help="Only about this entity.")] = None,
    confirm: Annotated[list[str] | None, typer.Option(metavar="FACT", help="Confirm this fact.")] = None,
    reject: Annotated[list[str] | None, typer.Option(metavar="FACT", help="Reject this fact.")] = None,
    correct: Annotated[
        list[str] | None, typer.Option(metavar="FACT=VALUE", help="Say what holds in place of this fact.")
    ] = None,
    restore: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Take a merged fact or a digest apart again.")
    ] = None,
    approve: Annotated[
        list[str] | None, typer.Option(metavar="PROCEDURE", help="Make the latest draft of it current.")
    ] = None,
    reason: Annotated[str, typer.Option(help="Why, for the audit trail.")] = "decided in review",
    user: Annotated[str, typer.Option(metavar="ID", help="Who decides, for the audit trail.")] = OPERATOR,
    ask: Annotated[bool, typer.Option("--ask", help="Go through the questions one by one.")] = False,
) -> None:
    """List what waits for a person's word: guesses, statements without authority, drafts of procedures.

    Whoever works on the machine that holds the folder may decide.

    Example: `langgraph-memory review --scope org=acme,workspace=staging-cloud --confirm fact_12ab`
    """
    with failures_told():
        corrections = [_correction(text) for text in correct or ()]
        decided = [
            *((fact_id, "confirm", "") for fact_id in confirm or ()),
            *((fact_id, "reject", reason) for fact_id in reject or ()),
            *((fact_id, "correct", value) for fact_id, value in corrections),
        ]

        def work(memory: Memory, principal: Principal) -> None:
            for name in approve or ():
                done = memory.procedures.approve(name, scope=principal.grants[0], principal=principal)
                typer.echo(procedures.line(memory, done))
            for record_id in restore or ():
                count = memory.restore(record_id, principal=principal)
                typer.echo(f"restored: {count} from {plain(record_id)}")
            if (approve or restore) and not decided:
                return
            _review(memory, principal, scope, entity or (), decided, reason, ask=ask)

        _with_memory(path, scope, user, work)


def _review(
    memory: Memory,
    principal: Principal,
    scope: str,
    entities: Sequence[str],
    decided: Sequence[tuple[str, str, str]],
    reason: str,
    *,
    ask: bool,
) -> None:
    from langgraph_memory.scope import Scope  # noqa: PLC0415 - slow to import

    for fact_id, decision, value in decided:
        _tell(_decide(memory, principal, fact_id, decision, value))
    if decided:
        return
    questions = memory.questions(Scope.parse(scope), principal=principal, entities=entities)
    drafts = memory.procedures.versions(Scope.parse(scope), status=["draft"])
    if not questions and not drafts:
        typer.echo("Nothing waits for a decision.")
    for draft in drafts:
        typer.echo(procedures.line(memory, draft))
    for question in questions:
        typer.echo(_shown(question))
        if ask and not _answered(memory, principal, question, reason):
            return


def _answered(memory: Memory, principal: Principal, question: Question, reason: str) -> bool:
    """Ask about one fact and do what is answered; whether to go on."""
    answer = typer.prompt(f"  {_ANSWERS}?", default="skip", show_default=False).strip().lower()
    if answer.startswith("q"):
        return False
    decisions = {"c": "confirm", "r": "reject", "co": "correct"}
    decision = decisions.get("co" if answer.startswith("cor") else answer[:1])
    if decision is not None:
        value = typer.prompt("  What holds instead") if decision == "correct" else reason
        _tell(_decide(memory, principal, question.fact.fact_id, decision, value))
    return True


def _decide(memory: Memory, principal: Principal, fact_id: str, decision: str, value: str) -> Reconciled:
    if decision == "confirm":
        return memory.confirm(fact_id, principal=principal)
    if decision == "reject":
        return memory.reject(fact_id, principal=principal, reason=value)
    return memory.correct(fact_id, value=value, principal=principal)


def _tell(done: Reconciled) -> None:
    if done.fact is not None:
        typer.echo(f"{done.outcome.value}: {done.fact.fact_id}  {plain(done.fact.value)}")


def _shown(question: Question) -> str:
    return f"{question.fact.fact_id}  {plain(question.why)}\n  {plain(question.text)}"


def _correction(text: str) -> tuple[str, str]:
    """The fact and the value in `FACT=VALUE`.

    Raises:
        ConfigurationError: it has another form.
    """
    from langgraph_memory.errors import ConfigurationError  # noqa: PLC0415 - slow to import

    fact_id, equals, value = text.partition("=")
    if not equals or not fact_id.strip() or not value.strip():
        raise ConfigurationError(f"{text!r} is not FACT=VALUE: write it like fact_12ab=Keep it until Friday")
    return fact_id.strip(), value.strip()


def _with_memory(path: str, scope: str, user: str, work: Callable[[Memory, Principal], None]) -> None:
    """Work on the memory of a path as one who may decide in the scope and below it."""
    from langgraph_memory.memory import Memory  # noqa: PLC0415 - slow to import
    from langgraph_memory.policy import AuthorityRule, Policy  # noqa: PLC0415
    from langgraph_memory.scope import Principal, Scope  # noqa: PLC0415

    require(path)
    place, roles = Scope.parse(scope), frozenset({OPERATOR})
    policy = Policy(authority=(AuthorityRule(roles=roles, scope=place),))
    with Memory.open(path, policy=policy) as memory:
        work(memory, Principal(user, roles=roles, grants=(place,)))
