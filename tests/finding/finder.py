"""A scope of texts in a store, to be asked for the numbers of what it finds."""

from langgraph.store.base import PutOp

from langgraph_memory.store import HybridStore

_SCOPE = ("scope",)


class Finder:
    """Texts that a store in memory finds; it ends with its object."""

    def __init__(self, texts):
        self._store = HybridStore(":memory:", index={"fields": ["text"]}, background=False)
        self._store.batch([PutOp(_SCOPE, str(n), {"text": text}) for n, text in enumerate(texts)])

    def best(self, query, limit=10):
        """The numbers of the texts that fit a query best, best first."""
        return [int(item.key) for item in self._store.search(_SCOPE, query=query, limit=limit)]
