"""The embedding model of a store, and whether the vectors that the store holds are its own."""

from __future__ import annotations

from sqlalchemy import Connection

from langgraph_memory.database import Database
from langgraph_memory.errors import IndexMismatchError
from langgraph_memory.store import state
from langgraph_memory.store.embedding import Embedder
from langgraph_memory.store.partition import Vectors

NO_MODEL = 0
"""The number of no model: vectors of none."""


class Model:
    """An embedder together with the number that the store knows it by.

    Attributes:
        number: the number; `NO_MODEL` without an embedder, and until `learn`.
    """

    def __init__(self, database: Database, embedder: Embedder | None) -> None:
        self.number = NO_MODEL
        self._database, self._embedder = database, embedder

    @property
    def dims(self) -> int:
        """The length of its vectors; 0 without an embedder."""
        return self._embedder.dims if self._embedder else 0

    @property
    def quick(self) -> bool:
        """Whether to embed a text again is quicker than to look up its vector."""
        return self._embedder is not None and self._embedder.quick

    @property
    def described(self) -> tuple[str, int] | None:
        """Name and dimensions; None without an embedder."""
        return (self._embedder.name, self._embedder.dims) if self._embedder else None

    def mismatch(self) -> str | None:
        """Why the store's vectors can't be searched with this model, as far as that is known."""
        if self._embedder is None:
            return None
        with self._database.read() as connection:
            now = state.read(connection)
            if now.model == NO_MODEL:
                return None
            name, dims = state.model_of(connection, now.model)
        same = name == self._embedder.name and self._embedder.known_dims in (None, dims)
        return None if same else self._explained(state.described(name, dims), self._embedder)

    def learn(self) -> None:
        """Learn the number, once.

        Raises:
            IndexMismatchError: the store holds vectors of another model.
        """
        if self.number == NO_MODEL and self._embedder is not None:
            with self._database.write() as connection:
                number = self._registered(connection, self._embedder)
                self._refuse_other(connection, state.model(connection), number)
            self.number = number

    def queries(self, texts: list[str]) -> dict[str, Vectors]:
        """The vectors of queries; none without an embedder."""
        if self._embedder is None:
            return {}
        self.learn()
        return {text: self._embedder.query(text) for text in texts}

    def check(self, connection: Connection, held: int) -> None:
        """Refuse to go on if another process has given the store another model meanwhile."""
        if self.number != NO_MODEL:
            self._refuse_other(connection, held, self.number)

    def adopt(self, connection: Connection) -> None:
        """Make it the model of a store that has none yet; refuse if it has another."""
        held = state.model(connection)
        self.check(connection, held)
        if held == NO_MODEL:
            state.put(connection, "model", self.number)

    def replace(self, connection: Connection) -> None:
        """Make it the model of the store in place of any other."""
        if self._embedder is not None:
            self.number = self._registered(connection, self._embedder)
            state.put(connection, "model", self.number)

    def _registered(self, connection: Connection, embedder: Embedder) -> int:
        return state.model_number(connection, embedder.name, embedder.dims)

    def _refuse_other(self, connection: Connection, held: int, number: int) -> None:
        if self._embedder is not None and held not in (NO_MODEL, number):
            found = state.described(*state.model_of(connection, held))
            raise IndexMismatchError(self._explained(found, self._embedder))

    def _explained(self, found: str, embedder: Embedder) -> str:
        opened = state.described(embedder.name, embedder.known_dims)
        return (
            f"the store holds vectors of {found}, but was opened with {opened}: open it with that model, or "
            "call rebuild() to embed all texts with this one"
        )
