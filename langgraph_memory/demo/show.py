"""Shows a story in a terminal: what was recalled in each step and why, what was decided, how it ended."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from langgraph_memory.answers import GuardDecision, RecallItem
from langgraph_memory.demo.judgement import Judgement
from langgraph_memory.demo.steps import Step
from langgraph_memory.demo.story import Played, Story
from langgraph_memory.evaluation.amounts import what_happened
from langgraph_memory.records import Episode, Event, Fact, FactKind, Procedure
from langgraph_memory.retrieval.rank import moment
from langgraph_memory.retrieval.render import escaped

_STYLES = {"allow": "green", "block": "red", "defer": "yellow"}


def show_story(console: Console, story: Story) -> None:
    """All sessions of a story that something happened in, step by step."""
    console.rule(f"[bold]{story.arm.value}[/bold]")
    for played in story.sessions:
        if _eventful(played):
            _show_session(console, played)


def show_cleanups(console: Console, story: Story) -> None:
    """Only the sessions whose decisions count, step by step."""
    console.rule(f"[bold]{story.arm.value}[/bold]")
    for played in story.sessions:
        if played.session.counted:
            _show_session(console, played)


def show_table(console: Console, stories: Sequence[Story]) -> None:
    """The decisions of all stories, counted."""
    table = Table(
        title="Decisions by configuration",
        caption=_caption(stories),
        caption_justify="left",
        padding=(0, 0, 0, 1),
    )
    table.add_column("memory", no_wrap=True)
    for title in (
        "wrong stops",
        "wrong holds",
        "tries",
        "stale",
        "right",
        "ms",
        "s",
    ):
        table.add_column(title, justify="right")
    for story in stories:
        table.add_row(*_row(story))
    console.print(table)


def counted(story: Story) -> list[Judgement]:
    """The judgements that count: those of decisions that could have been better informed."""
    return [j for played in story.sessions if played.session.counted for j in played.judgements]


def _row(story: Story) -> list[str]:
    judgements = counted(story)
    outcomes = [judgement.outcome for judgement in judgements]
    waits = [step.offer.milliseconds for played in story.sessions for step in played.steps]
    return [
        story.arm.value,
        str(outcomes.count("wrong stop")),
        str(outcomes.count("wrong hold")),
        str(sum(judgement.prohibited for judgement in judgements)),
        str(sum(judgement.misled for judgement in judgements)),
        str(sum(outcome.startswith("right") for outcome in outcomes)),
        f"{statistics.median(waits):.1f}",
        f"{story.seconds:.1f}",
    ]


def _caption(stories: Sequence[Story]) -> str:
    early = [
        f"{story.arm.value} {sum(j.outcome.startswith('wrong') for j in _uncounted(story))}"
        for story in stories
    ]
    return (
        "Counted from Monday's message on. What the agent did wrong before, when nobody had told it better: "
        f"{', '.join(early)}.\n"
        "Wrong stop: a job still needed the machine. Wrong hold: left running, idle and needed by nobody.\n"
        "Tries: a stop was asked for against an instruction in force, whether or not it ran.\n"
        "ms: of a recall, the median. s: of the whole story.\n"
        "Stale: the decision rests on words that were superseded, retired or never authorised."
    )


def _uncounted(story: Story) -> Iterable[Judgement]:
    return (j for played in story.sessions if not played.session.counted for j in played.judgements)


def _eventful(played: Played) -> bool:
    return bool(played.judgements or played.incidents or not played.session.cleanup)


def _show_session(console: Console, played: Played) -> None:
    for job in played.incidents:
        failed = f"\n{job.starts_at:%a %d %b %H:%M}  {job.team}'s {job.name} failed: its machine was stopped."
        console.print(Text(failed, style="red"))
    who = played.session.principal
    roles = f" ({', '.join(sorted(who.roles))})" if who.roles else ""
    console.print(Text(f"\n{_day(played)}, {who.user_id}{roles}", style="bold cyan"))
    console.print(Text(f"  “{' … '.join(played.session.says)}”", style="italic"))
    before: Sequence[RecallItem] = ()
    for number, step in enumerate(played.steps, 1):
        _show_step(console, number, step, before)
        before = step.offer.recall.items
    for decision in played.tried:
        _show_decision(console, decision, "had the agent asked for it, the guard would say: ")
    if played.judgements:
        console.print(Text(f"  → {_told(played.judgements)}", style="bold"))
    report = played.report
    if report.activities:
        outcomes = ", ".join(f"{count} {name}" for name, count in report.outcomes.items()) or "none"
        told = f"  consolidated: episodes {report.episodes}, statements {outcomes}"
        console.print(Text(told, style="dim"))


def _show_step(console: Console, number: int, step: Step, before: Sequence[RecallItem]) -> None:
    items, omitted = step.offer.recall.items, step.offer.recall.omitted
    same = bool(items) and _ids(items) == _ids(before)
    recalled = "the same" if same else f"{len(items)} memories" if items else "nothing"
    head = f"  step {number}: recalled {recalled} in {step.offer.milliseconds:.1f} ms"
    console.print(Text(head, style="dim"))
    for item in () if same else items:
        _show_recalled(console, item)
    if omitted and not same:
        left_out = ", ".join(f"{escaped(each.id, 60)} ({each.reason})" for each in omitted)
        console.print(Text(f"    left out: {left_out}", style="dim"))
    console.print(Text(f"    agent: {_doing(step)}"))
    _show_decisions(console, step.decisions)


def _show_recalled(console: Console, item: RecallItem) -> None:
    record = item.record
    rule = isinstance(record, Fact) and record.kind is FactKind.CONSTRAINT
    kind = record.kind.value if isinstance(record, Fact) else item.kind
    label = f"    {item.score:.2f}  {moment(record):%d %b}  {', '.join(item.reasons):<12}  {kind:<10}  "
    words = Text(escaped(_words(record)), style="yellow" if rule else "")
    console.print(Text.assemble((label, "dim"), words), no_wrap=True, overflow="ellipsis")


def _ids(items: Iterable[RecallItem]) -> list[str]:
    return [item.id for item in items]


def _words(record: Fact | Episode | Procedure | Event) -> str:
    match record:
        case Fact():
            return record.value
        case Episode():
            return record.summary
        case Procedure():
            return record.trigger_intent
        case Event():
            return f"{record.actor.id}: {what_happened(record)}"


def _doing(step: Step) -> str:
    calls = step.message.tool_calls
    named = [f"{call['name']}({', '.join(map(str, call['args'].values()))})" for call in calls]
    return ", ".join(named) or escaped(step.message.text)


def _show_decisions(console: Console, decisions: Sequence[GuardDecision]) -> None:
    allowed = Counter(decision.action for decision in decisions if decision.outcome == "allow")
    if allowed:
        told = ", ".join(f"{count} × {action}" for action, count in allowed.items())
        console.print(Text(f"    guard: allow {told}", style="dim"))
    for decision in decisions:
        if decision.outcome != "allow":
            _show_decision(console, decision, "guard: ")


def _show_decision(console: Console, decision: GuardDecision, before: str) -> None:
    told = f"    {before}{decision.outcome}. {decision.message}"
    console.print(Text(told, style=_STYLES[decision.outcome]))


def _day(played: Played) -> str:
    return f"{played.session.at:%a %d %b %H:%M}  {played.session.title}"


def _told(judgements: Iterable[Judgement]) -> str:
    return ", ".join(f"{judgement.machine.name}: {judgement.outcome}" for judgement in judgements)
