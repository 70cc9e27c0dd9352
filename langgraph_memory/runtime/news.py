"""What is known of a thread that passes a saver, and what of it is news."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from langchain_core.messages import AnyMessage

from langgraph_memory.runtime.standing import Key, Standing, openings, stood_in, tells, words_in


class News(NamedTuple):
    """Messages of a channel that are no events yet: those at these positions."""

    messages: Sequence[AnyMessage]
    keys: Sequence[Key]
    positions: Sequence[int]


@dataclass
class Thread:
    """What is known of a thread.

    Attributes:
        seen: the messages that are events, or will be in a moment.
        said: what people said in the input of the run.
        opens: the first of it.
        stood: what stood in the place of what they said anew.
        begun: the namespaces of which it is known what stood there before.
        missed: whether something that passed was not told.
        noted: whether the note stands that a run is being captured.
        unheard: whether its input is not saved, so that nothing tells what a person said in it.
    """

    seen: set[Key] = field(default_factory=set)
    said: dict[Key, str] = field(default_factory=dict)
    opens: set[Key] = field(default_factory=set)
    stood: dict[Key, str] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    missed: bool = False
    noted: bool = False
    unheard: bool = False

    def news(self, standing: Standing, *, all_of_it: bool) -> list[News]:
        """What is no event yet, and from here on counts as one."""
        found: list[News] = []
        for spoken in standing.channels.values():
            first = 0 if all_of_it else spoken.new
            positions = [n for n in range(first, len(spoken.keys)) if spoken.keys[n] not in self.seen]
            self.seen.update(spoken.keys[n] for n in positions)
            if any(tells(spoken.messages[n]) for n in positions):
                found.append(News(list(spoken.messages), spoken.keys, positions))
        return found

    def unsee(self, news: Sequence[News]) -> None:
        """It did not become events: the next checkpoint is looked through from its beginning."""
        self.seen.difference_update(each.keys[n] for each in news for n in each.positions)
        self.missed = True

    def hear(self, before: Standing, standing: Standing) -> None:
        """Note which new human messages the run's input brought: those a person said."""
        if not self.missed:
            self.said.clear()
            self.opens.clear()
            self.stood.clear()
        said = words_in(before, standing)
        self.seen.difference_update(said)  # what is said anew is told anew
        self.stood.update(stood_in(before, said))
        self.said.update(said)
        self.opens.update(openings(said, standing))
