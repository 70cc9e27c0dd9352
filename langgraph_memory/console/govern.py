"""`langgraph-memory forget`, `export`, `import` and `audit`: what is held about something, and its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from langgraph_memory.console.failures import failures_told
from langgraph_memory.console.options import DEFAULT_PATH, PathOption, ScopeOption, opened, require
from langgraph_memory.console.plain import plain

if TYPE_CHECKING:
    from langgraph_memory.answers import ForgetReceipt
    from langgraph_memory.memory import Memory
    from langgraph_memory.scope import Scope

OPERATOR = "operator"
"""Who acts: someone at the machine that holds the folder, who could remove it as a whole."""

_SOMETHING_LEFT = 1
_UNKNOWN = 1


def forget(
    scope: ScopeOption,
    path: PathOption = DEFAULT_PATH,
    entity: Annotated[str | None, typer.Option(metavar="ID", help="Only what concerns this entity.")] = None,
    fact: Annotated[str | None, typer.Option(metavar="ID", help="Only this fact and its evidence.")] = None,
    episode: Annotated[
        str | None, typer.Option(metavar="ID", help="Only this episode and its events.")
    ] = None,
    source: Annotated[
        str | None, typer.Option(metavar="REF", help="Only what came from this event or evidence reference.")
    ] = None,
    actor: Annotated[str | None, typer.Option(metavar="ID", help="Only what came from this actor.")] = None,
) -> None:
    """Delete for good what a scope and those below it hold, or one thing in it, with all derived from it.

    What is forgotten doesn't come back by a rebuild, a replay or an older export. Exit code 1 means that
    something of it was found again.

    Example: `langgraph-memory forget --scope org=acme,workspace=staging-cloud --entity i-09a8f`
    """
    with failures_told():
        from langgraph_memory.scope import Principal, Scope  # noqa: PLC0415 - slow to import

        place = Scope.parse(scope)
        asking = Principal(OPERATOR, roles=frozenset({OPERATOR}), grants=(place,))
        with _governed(path, place, OPERATOR) as memory:
            receipt = memory.forget(
                place,
                entity=entity,
                fact_id=fact,
                episode_id=episode,
                source=source,
                actor_id=actor,
                principal=asking,
            )
        _tell(receipt)
        if not receipt.proven:
            raise typer.Exit(_SOMETHING_LEFT)


def export(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Where to write; one that is there is replaced.")
    ],
    scope: ScopeOption,
    path: PathOption = DEFAULT_PATH,
) -> None:
    """Write what a scope and those below it hold as JSON lines, with full provenance.

    Example: `langgraph-memory export acme.jsonl --scope org=acme`
    """
    with failures_told():
        from langgraph_memory.scope import Scope  # noqa: PLC0415 - slow to import

        place = Scope.parse(scope)
        with opened(path) as memory:
            done = memory.export(place, file)
        typer.echo(
            f"Wrote {done.events} events, {done.episodes} episodes, {done.facts} facts and "
            f"{done.procedures} procedures of {place} to {file}."
        )


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What export has written, or events alone.")],
    path: PathOption = DEFAULT_PATH,
    scope: Annotated[
        str | None, typer.Option("--scope", metavar="LEVEL=VALUE,…", help="Where the roles have authority.")
    ] = None,
    role: Annotated[
        list[str] | None,
        typer.Option(metavar="ROLE", help="A role whose word counts in that scope; may be repeated."),
    ] = None,
) -> None:
    """Take what an export holds; a second import changes nothing.

    In shared scopes nobody's word counts unless `--role` and `--scope` say so: facts come in unverified.

    Example: `langgraph-memory import acme.jsonl --role infra_lead --scope org=acme`
    """
    with failures_told():
        from langgraph_memory.errors import ConfigurationError  # noqa: PLC0415 - slow to import
        from langgraph_memory.scope import Scope  # noqa: PLC0415

        if bool(role) != bool(scope):
            raise ConfigurationError("--role and --scope belong together: name both, or neither")
        if not file.is_file():
            raise ConfigurationError(f"there is no file {str(file)!r}: name what export has written")
        place = Scope.parse(scope) if scope else None
        with _governed(path, place, *(role or ()), new=True) as memory:
            done = memory.import_(file)
        typer.echo(
            f"Took {done.events} events, {done.episodes} episodes, {done.facts} facts "
            f"({done.unverified} unverified) and {done.procedures} procedures; {done.known} were known."
        )
        for left in done.left_out:
            typer.echo(f"left out {plain(left.id)}: {plain(left.reason)}", err=True)


def audit(
    record: Annotated[
        str, typer.Argument(metavar="ID", help="Of a fact, an episode, an event or a receipt.")
    ],
    path: PathOption = DEFAULT_PATH,
) -> None:
    """List the decisions about a record, oldest first. Exit code 1 means that there is no such record.

    Example: `langgraph-memory audit fact_0123`
    """
    with failures_told():
        with opened(path) as memory:
            entries = memory.audit(record)
            known = bool(entries) or _is_here(memory, record)
        for entry in entries:
            typer.echo(
                f"{entry.at:%Y-%m-%d %H:%M}  {entry.decision:<12}{plain(entry.actor)}  {plain(entry.reason)}"
            )
        if not known:
            typer.echo(f"Nothing was decided about {plain(record)}: there is no such record.")
            raise typer.Exit(_UNKNOWN)
        if not entries:
            typer.echo(f"Nothing was decided about {plain(record)}.")


def _is_here(memory: Memory, record: str) -> bool:
    """Whether an id is that of a record, an event or a receipt."""
    ledger = memory.repository.ledger
    return bool(ledger.entries([record]) or memory.log.events([record]) or ledger.explanations.get(record))


@contextmanager
def _governed(path: str, scope: Scope | None, *roles: str, new: bool = False) -> Iterator[Memory]:
    """A memory in which these roles have authority in a scope."""
    from langgraph_memory.memory import Memory  # noqa: PLC0415 - slow to import
    from langgraph_memory.policy import AuthorityRule, Policy  # noqa: PLC0415

    if not new:
        require(path)
    rules = [AuthorityRule(roles=frozenset(roles), scope=scope)] if scope is not None and roles else []
    with Memory.open(path, policy=Policy(authority=tuple(rules))) as memory:
        yield memory


def _tell(receipt: ForgetReceipt) -> None:
    rows = {
        "events": len(receipt.events),
        "changed": len(receipt.changed),
        "facts": len(receipt.facts),
        "episodes": len(receipt.episodes),
        "procedures": len(receipt.procedures),
        "rebuilt": len(receipt.rebuilt),
        "names": receipt.names,
        "receipts": receipt.receipts,
        "notes": receipt.notes,
    }
    if not any((*rows.values(), receipt.threads, receipt.pending, receipt.left)):
        typer.echo(f"Nothing was found to forget in {receipt.scope} (noted as {receipt.receipt_id}).")
        return
    typer.echo(f"Forgotten in {receipt.scope}, as {receipt.receipt_id}:")
    for name, count in rows.items():
        typer.echo(f"  {name:<12}{count:>8}")
    for thread in receipt.threads:
        typer.echo(f"checkpoints of thread {plain(thread)} may still hold it")
    for reason in receipt.pending:
        typer.echo(f"pending: {plain(reason)}")
    for record_id in receipt.left:
        typer.echo(f"still there: {plain(record_id)}", err=True)
