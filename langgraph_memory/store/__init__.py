"""The store: truth in SQL, vectors in Chroma, words by BM25."""

from langgraph_memory.store.hybrid import HybridStore, open_database
from langgraph_memory.store.namespaces import RESERVED_ROOT
from langgraph_memory.store.operations import Ranked, RankOp
from langgraph_memory.store.view import StoreView

__all__ = ["RESERVED_ROOT", "HybridStore", "RankOp", "Ranked", "StoreView", "open_database"]
