"""Store or recompute: what memory costs a turn, and from which share of turns on it is worth it.

The arithmetic of the third article: a stored memory is paid for on every turn, in the tokens that it
occupies; deriving the same from the evidence is paid for only on turns that need it, but costs more each
time. Where the two meet is the crossover.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from langgraph_memory.errors import ConfigurationError
from langgraph_memory.records import Record

_MILLION = 1_000_000
_THOUSAND = 1_000
_HIGHEST = 1e9
"""No price is higher: what is, was meant for something else."""

_Price = Annotated[float, Field(ge=0, le=_HIGHEST, allow_inf_nan=False)]
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Prices(Record):
    """What the user pays, per million tokens; a price that is not given is 0.

    Attributes:
        currency: how amounts are labelled.
        input: tokens that the agent's model reads.
        output: tokens that the model of consolidation writes.
        maintenance_input: tokens that the model of consolidation reads; as `input` by default.
        embedding: tokens that are embedded; the bundled model costs nothing.
        storage: a gigabyte, for a month.
    """

    currency: str = "USD"
    input: _Price = 0.0
    output: _Price = 0.0
    maintenance_input: _Price | None = None
    embedding: _Price = 0.0
    storage: _Price = 0.0

    @classmethod
    def read(cls, path: Path) -> Prices:
        """The price table in a TOML or JSON file.

        Raises:
            ConfigurationError: not such a file, or a name that is not among the prices.
        """
        try:
            text = path.read_text(encoding="utf-8")
            fields = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
            return cls.model_validate(fields)
        except (OSError, ValueError) as error:  # pydantic's and the parsers' errors are ValueErrors
            names = ", ".join(cls.model_fields)
            raise ConfigurationError(
                f"{str(path)!r} is no price table: {_told(error)}; give TOML or JSON with "
                f"any of {names}, per million tokens"
            ) from error

    @property
    def any(self) -> bool:
        """Whether anything has a price."""
        return any(value for name, value in self.model_dump().items() if name != "currency")


class Load(Record):
    """What a turn takes, measured or assumed; all in tokens a turn but the last three.

    Attributes:
        injected: tokens that memory adds to the prompt.
        recomputed: tokens of the evidence from which the same would be derived, on a turn that needs it.
        read: tokens that a model reads to maintain the memory.
        written: tokens that it writes.
        embedded: tokens that are embedded, of queries and of what is written.
        needed: the share of turns that need memory, from 0 to 1.
        gigabytes: on disk.
        turns_per_month: to spread storage over turns; 0 leaves storage out.
    """

    injected: _Amount
    recomputed: _Amount
    read: _Amount = 0.0
    written: _Amount = 0.0
    embedded: _Amount = 0.0
    needed: float = Field(default=1.0, ge=0, le=1)
    gigabytes: _Amount = 0.0
    turns_per_month: _Amount = 0.0


class Verdict(Record):
    """What both ways cost for 1,000 turns, and where they meet.

    Attributes:
        stored: money for 1,000 turns with memory.
        recomputed: money for 1,000 turns that derive what they need.
        crossover: the share of turns that need memory at which both cost the same; None where recomputing
            costs nothing, above 1 where it is always cheaper.
        tokens_stored: tokens read by the agent's model in 1,000 turns with memory.
        tokens_recomputed: the same when they derive what they need.
    """

    stored: float
    recomputed: float
    crossover: float | None
    tokens_stored: float
    tokens_recomputed: float

    @property
    def storing_wins(self) -> bool:
        """Whether the present memory is the cheaper way."""
        return self.stored <= self.recomputed


def compare(load: Load, prices: Prices) -> Verdict:
    """Both ways for 1,000 turns. Without any price tokens are compared as if each cost the same.

    The example of the third article: 800 tokens on each turn, against 4,000 on those that need it.

    >>> verdict = compare(Load(injected=800, recomputed=4_000, needed=0.1), Prices(input=2.5))
    >>> verdict.crossover, verdict.stored, verdict.recomputed, verdict.storing_wins
    (0.2, 2.0, 1.0, False)
    """
    each = prices if prices.any else Prices(input=_MILLION, output=_MILLION)
    stored = _stored(load, each)
    derived = load.recomputed * each.input / _MILLION
    return Verdict(
        stored=_THOUSAND * stored,
        recomputed=_THOUSAND * load.needed * derived,
        crossover=stored / derived if derived else None,
        tokens_stored=_THOUSAND * load.injected,
        tokens_recomputed=_THOUSAND * load.needed * load.recomputed,
    )


def _stored(load: Load, prices: Prices) -> float:
    """Money for one turn with memory."""
    reading = prices.input if prices.maintenance_input is None else prices.maintenance_input
    tokens = (
        load.injected * prices.input
        + load.read * reading
        + load.written * prices.output
        + load.embedded * prices.embedding
    )
    disk = load.gigabytes * prices.storage / load.turns_per_month if load.turns_per_month else 0.0
    return tokens / _MILLION + disk


def _told(error: Exception) -> str:
    """An error on one line; of a table's errors the first, by the name of its price."""
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']} (got {first['input']!r:.120})"
    return " ".join(str(error).split())
