"""Where notes are kept: texts in the store, and in SQL which text counts under which path.

A `BaseStore` has no compare-and-set. Every change therefore reads, decides and writes inside one SQL
transaction that excludes other writers, of this process and of others, so that no edit is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from langgraph.store.base import BaseStore
from sqlalchemy import select, text

from langgraph_memory.files.tree import Tree, files
from langgraph_memory.log.ledger import Ledger
from langgraph_memory.log.tables import in_subtree, subtree
from langgraph_memory.scope import Scope


class Shelf:
    """The trees of files of all scopes, over any `BaseStore`.

    Args:
        store: holds the texts; of a `HybridStore`, its private view.
        ledger: whose database says which text counts, and keeps the audit.
        clock: the time of changes.
    """

    def __init__(self, store: BaseStore, ledger: Ledger, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._ledger = ledger
        self._clock = clock
        ledger.database.create(files)

    @contextmanager
    def reading(self, scope: Scope) -> Iterator[Tree]:
        """The tree of a scope, to look at."""
        with self._ledger.database.read() as connection:
            yield Tree(self._store, self._ledger, connection, scope, self._clock)

    @contextmanager
    def changing(self, scope: Scope) -> Iterator[Tree]:
        """The tree of a scope in a transaction in which nobody else changes it."""
        database = self._ledger.database
        with database.write() as connection:
            if not database.is_sqlite:
                lock = text("SELECT pg_advisory_xact_lock(hashtext(:key))")
                connection.execute(lock, {"key": f"files/{scope.key}"})
            yield Tree(self._store, self._ledger, connection, scope, self._clock)

    def remove_below(
        self,
        top: Scope,
        *,
        author: str,
        only: Callable[[str], bool] = lambda _: True,
        of: str | None = None,
    ) -> int:
        """Delete the notes of a scope and of those below it; how many that were.

        Args:
            top: where.
            author: who deletes them.
            only: of these paths and texts.
            of: only those of this user's agent.
        """
        query = select(files.c.scope).where(in_subtree(files.c.scope)).distinct()
        with self._ledger.database.read() as connection:
            scopes = [Scope.from_key(key) for key in connection.scalars(query, subtree(top))]
        removed = 0
        for scope in (each for each in scopes if of in (None, each.user)):
            with self.changing(scope) as tree:
                found = [each for each in tree.entries() if only(f"{each.path}\n{tree.text(each)}")]
                tree.remove(found, author=author)
                removed += len(found)
        return removed
