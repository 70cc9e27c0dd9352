"""`langgraph-memory recall`, `facts` and `episodes`: what an agent would get, and what there is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from langgraph_memory.console.failures import failures_told
from langgraph_memory.console.options import DEFAULT_PATH, PathOption, ScopeOption, opened
from langgraph_memory.console.plain import plain

if TYPE_CHECKING:
    from langgraph_memory.answers import Recall
    from langgraph_memory.records import Episode, Fact

OPERATOR = "operator"
"""Who asks when nobody is named: someone at the machine that holds the folder."""


def recall(
    query: Annotated[str, typer.Argument(help="What the agent is about to work on.")],
    scope: ScopeOption,
    path: PathOption = DEFAULT_PATH,
    entity: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="An entity that it has come upon; may be repeated.")
    ] = None,
    budget: Annotated[int, typer.Option(min=0, help="The size of the text, in tokens.")] = 800,
    user: Annotated[str, typer.Option(metavar="ID", help="Who asks; has a grant for the scope.")] = OPERATOR,
    role: Annotated[
        list[str] | None, typer.Option(metavar="ROLE", help="A role of theirs; may be repeated.")
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help="Also show scores, reasons and what stayed out.")
    ] = False,
) -> None:
    """Show the memories that an agent would get for its next step.

    Example: `langgraph-memory recall "cleanup" --entity i-09a8f --scope org=acme,workspace=staging-cloud`
    """
    with failures_told():
        from langgraph_memory.scope import Principal, Scope  # noqa: PLC0415 - slow to import

        place = Scope.parse(scope)
        asking = Principal(user, roles=frozenset(role or ()), grants=(place,))
        with opened(path) as memory:
            found = memory.recall(
                query, principal=asking, scope=place, entities=entity or (), token_budget=budget
            )
        typer.echo(found.render() or "Nothing is remembered that belongs here.")
        if why:
            _explain(found)


def facts(
    scope: ScopeOption,
    path: PathOption = DEFAULT_PATH,
    entity: Annotated[str | None, typer.Option(metavar="ID", help="Only about this entity.")] = None,
    status: Annotated[
        list[str] | None,
        typer.Option(help="Only of this status; may be repeated. Current ones by default, or: all."),
    ] = None,
) -> None:
    """List the facts of a scope, newest first.

    Example: `langgraph-memory facts --scope org=acme,workspace=staging-cloud --status all`
    """
    with failures_told():
        from langgraph_memory.scope import Scope  # noqa: PLC0415 - slow to import

        place, wanted = Scope.parse(scope), _statuses(status or ["current"])
        with opened(path) as memory:
            found = memory.facts(place, entity=entity, status=wanted)
        _list((_fact(fact) for fact in found), f"There are no such facts in {place}.")


def episodes(
    scope: ScopeOption,
    path: PathOption = DEFAULT_PATH,
    entity: Annotated[str | None, typer.Option(metavar="ID", help="Only about this entity.")] = None,
) -> None:
    """List the episodes of a scope, newest first.

    Example: `langgraph-memory episodes --scope org=acme,workspace=staging-cloud --entity i-09a8f`
    """
    with failures_told():
        from langgraph_memory.scope import Scope  # noqa: PLC0415 - slow to import

        place = Scope.parse(scope)
        with opened(path) as memory:
            found = memory.episodes(place, entity=entity)
        _list((_episode(episode) for episode in found), f"There are no such episodes in {place}.")


def _statuses(named: Iterable[str]) -> list[str]:
    """The statuses of that name.

    Raises:
        ConfigurationError: there is none.
    """
    from langgraph_memory.errors import ConfigurationError  # noqa: PLC0415 - slow to import
    from langgraph_memory.records import FactStatus  # noqa: PLC0415

    known = [status.value for status in FactStatus]
    unknown = [name for name in named if name not in (*known, "all")]
    if unknown:
        raise ConfigurationError(f"{unknown[0]!r} is no status: give one of {', '.join(known)}, or all")
    return known if "all" in named else list(named)


def _list(entries: Iterable[str], nothing: str) -> None:
    typer.echo("\n\n".join(entries) or nothing)


def _fact(fact: Fact) -> str:
    by = f" by {plain(fact.asserted_by)}" if fact.asserted_by else ""
    role = f" ({plain(fact.authority_role)})" if fact.authority_role else ""
    details = [
        f"set {fact.asserted_at:%Y-%m-%d}{by}{role}",
        f"confirmed {fact.confirmed_at:%Y-%m-%d}",
        *([f"ends when {plain(fact.ends_when)}"] if fact.ends_when else []),
        *([f"rules out {', '.join(map(plain, fact.forbids))}"] if fact.forbids else []),
        f"sources {', '.join(map(plain, fact.sources))}",
    ]
    about = f"{plain(fact.entity)}, {plain(fact.attribute)}:"
    head = f"{fact.fact_id}  {fact.status.value} {fact.kind.value}  {about}"
    return f"{head}\n  {plain(fact.value)}\n  {'; '.join(details)}"


def _episode(episode: Episode) -> str:
    head = f"{plain(episode.episode_id)}  {episode.status.value}  {episode.ended_at:%Y-%m-%d %H:%M}"
    about = ", ".join(plain(entity) for entity in episode.entities) or "no entity"
    return f"{head}\n  {plain(episode.summary)}\n  about {about}; from {len(episode.sources)} events"


def _explain(found: Recall) -> None:
    typer.echo(f"{found.tokens} tokens")
    for item in found.items:
        typer.echo(f"  {item.score:.2f}  {item.kind:<10}{', '.join(item.reasons):<16}{plain(item.id)}")
    for left_out in found.omitted:
        typer.echo(f"  left out: {plain(left_out.id)} ({left_out.reason})")
    for notice in found.degraded:
        typer.echo(f"  degraded: {plain(notice)}")
