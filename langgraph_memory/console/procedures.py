"""`langgraph-memory procedures`: the playbooks of a scope, and deciding on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from langgraph_memory.console.failures import failures_told
from langgraph_memory.console.options import DEFAULT_PATH, PathOption, ScopeOption, require
from langgraph_memory.console.plain import plain
from langgraph_memory.display.markup import printable

if TYPE_CHECKING:
    from langgraph_memory.memory import Memory
    from langgraph_memory.records import Procedure
    from langgraph_memory.scope import Principal, Scope

app = typer.Typer(
    name="procedures",
    help="The playbooks of a scope: list, compare, approve, roll back, and keep files in step.",
    no_args_is_help=True,
)

_ROLE = "operator"

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The id of the procedure.")]
VersionOption = Annotated[int | None, typer.Option("--version", min=1, help="Which version.")]
ByOption = Annotated[
    str, typer.Option("--by", metavar="ID", help="Who decides; stands in the audit and beside the procedure.")
]


@app.command("list")
def list_(
    scope: ScopeOption,
    path: PathOption = DEFAULT_PATH,
    status: Annotated[
        list[str] | None, typer.Option(help="Only of this status; may be repeated. All by default.")
    ] = None,
) -> None:
    """List the procedures of a scope with version, status, origin and approver.

    Example: `langgraph-memory procedures list --scope org=acme,workspace=staging-cloud --status draft`
    """
    with _opened(path, scope) as (memory, place, _):
        found = memory.procedures.versions(place, status=_statuses(status))
        lines = [line(memory, each) for each in found]
    typer.echo("\n".join(lines) or f"There are no such procedures in {place}.")


@app.command()
def show(
    name: NameArgument, scope: ScopeOption, path: PathOption = DEFAULT_PATH, version: VersionOption = None
) -> None:
    """Show one version, the current one by default, with its evidence and its audit trail.

    Example: `langgraph-memory procedures show cleanup --scope org=acme,workspace=staging-cloud`
    """
    with _opened(path, scope) as (memory, place, _):
        from langgraph_memory.answers import record_id  # noqa: PLC0415 - slow to import
        from langgraph_memory.playbooks.documents import to_markdown  # noqa: PLC0415

        found = memory.procedures.get(name, version, scope=place)
        typer.echo(line(memory, found))
        typer.echo(printable(to_markdown(found)))
        for title, cited in (("evidence", found.evidence), ("counterexamples", found.counterexamples)):
            if cited:
                typer.echo(f"{title}: {', '.join(map(plain, cited))}")
        for entry in memory.audit(record_id(found)):
            when, who = f"{entry.at:%Y-%m-%d %H:%M}", plain(entry.actor)
            typer.echo(f"{when}  {entry.decision} by {who}: {plain(entry.reason)}")


@app.command()
def diff(
    name: NameArgument,
    old: Annotated[int, typer.Argument(min=1, help="The earlier version.")],
    new: Annotated[int, typer.Argument(min=1, help="The later version.")],
    scope: ScopeOption,
    path: PathOption = DEFAULT_PATH,
) -> None:
    """Show what changed from one version to another.

    Example: `langgraph-memory procedures diff cleanup 1 2 --scope org=acme,workspace=staging-cloud`
    """
    with _opened(path, scope) as (memory, place, _):
        changed = memory.procedures.diff(name, old, new, scope=place)
    typer.echo(printable(changed) or "Nothing changed.")


@app.command()
def approve(
    name: NameArgument,
    scope: ScopeOption,
    by: ByOption,
    path: PathOption = DEFAULT_PATH,
    version: VersionOption = None,
) -> None:
    """Make a version current, by default the latest draft; the one before it is deprecated.

    Example: `langgraph-memory procedures approve cleanup --by ana --scope org=acme,workspace=staging-cloud`
    """
    with _opened(path, scope, by) as (memory, place, principal):
        done = memory.procedures.approve(name, version, scope=place, principal=principal)
        typer.echo(line(memory, done))


@app.command()
def reject(
    name: NameArgument,
    scope: ScopeOption,
    by: ByOption,
    reason: Annotated[str, typer.Option(help="Why; stands in the audit.")],
    path: PathOption = DEFAULT_PATH,
    version: VersionOption = None,
) -> None:
    """Put a draft aside, by default the latest, or take a current version out of use.

    Example: `langgraph-memory procedures reject cleanup --by ana --reason "too slow" --scope org=acme`
    """
    with _opened(path, scope, by) as (memory, place, principal):
        done = memory.procedures.reject(name, version, scope=place, principal=principal, reason=reason)
        typer.echo(line(memory, done))


@app.command()
def rollback(
    name: NameArgument,
    scope: ScopeOption,
    by: ByOption,
    path: PathOption = DEFAULT_PATH,
    to: Annotated[int | None, typer.Option(min=1, help="Which version; the one before by default.")] = None,
) -> None:
    """Make an earlier version current again.

    Example: `langgraph-memory procedures rollback cleanup --by ana --scope org=acme,workspace=staging-cloud`
    """
    with _opened(path, scope, by) as (memory, place, principal):
        done = memory.procedures.rollback(name, scope=place, principal=principal, to=to)
        typer.echo(line(memory, done))


@app.command()
def sync(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="YAML or Markdown files, or one of them.")],
    scope: ScopeOption,
    by: ByOption,
    path: PathOption = DEFAULT_PATH,
) -> None:
    """Bring procedures from files under version control into a scope, and make them current.

    Example: `langgraph-memory procedures sync ./playbooks --by ana --scope org=acme,workspace=staging-cloud`
    """
    with _opened(path, scope, by) as (memory, place, principal):
        report = memory.procedures.sync(folder, scope=place, principal=principal)
    for state, names in report.model_dump().items():
        if names:
            typer.echo(f"{state}: {', '.join(map(plain, names))}")
    if not report.changed:
        typer.echo("Nothing changed.")


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the Markdown files go.")],
    scope: ScopeOption,
    path: PathOption = DEFAULT_PATH,
) -> None:
    """Write the current procedures of a scope as Markdown files, to put under version control.

    Example: `langgraph-memory procedures export ./playbooks --scope org=acme,workspace=staging-cloud`
    """
    with _opened(path, scope) as (memory, place, _):
        written = memory.procedures.export(folder, scope=place)
    typer.echo("\n".join(map(str, written)) or f"There are no current procedures in {place}.")


@contextmanager
def _opened(path: str, scope: str, by: str = _ROLE) -> Iterator[tuple[Memory, Scope, Principal]]:
    """The memory, the scope, and who decides: whoever works on the machine that holds the folder may."""
    with failures_told():
        from langgraph_memory.memory import Memory  # noqa: PLC0415 - slow to import
        from langgraph_memory.policy import AuthorityRule, Policy  # noqa: PLC0415
        from langgraph_memory.scope import Principal, Scope  # noqa: PLC0415

        require(path)
        place = Scope.parse(scope)
        policy = Policy(authority=(AuthorityRule(roles=frozenset({_ROLE}), scope=place),))
        with Memory.open(path, policy=policy) as memory:
            yield memory, place, Principal(by, roles=frozenset({_ROLE}), grants=(place,))


def _statuses(named: list[str] | None) -> list[str] | None:
    """The statuses of these names.

    Raises:
        ConfigurationError: there is none of a name.
    """
    from langgraph_memory.errors import ConfigurationError  # noqa: PLC0415 - slow to import
    from langgraph_memory.records import ProcedureStatus  # noqa: PLC0415

    known = [status.value for status in ProcedureStatus]
    unknown = [name for name in named or () if name not in known]
    if unknown:
        raise ConfigurationError(f"{unknown[0]!r} is no status: give one of {', '.join(known)}")
    return named or None


def line(memory: Memory, procedure: Procedure) -> str:
    """A version on one line: status, origin, approver, counts, task; and why it is stale."""
    by = f"approved by {plain(procedure.approved_by)}" if procedure.approved_by else "approved by nobody"
    counts = f"{procedure.successes} went well, {procedure.failures} did not"
    name = f"{plain(procedure.procedure_id)} v{procedure.version}"
    head = f"{name}  {procedure.status.value}  {procedure.origin}, {by}, {counts}"
    told = f"{head}: {plain(procedure.trigger_intent)}"
    stale = memory.procedures.stale(procedure)
    return f"{told}\n  stale: {plain(stale)}" if stale else told
