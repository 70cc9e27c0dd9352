"""The parts of finding put together for one scope, without a store around them."""

import numpy as np

from langgraph_memory.store.embedding import Embedder
from langgraph_memory.store.fusion import centred, fuse
from langgraph_memory.store.tokens import query_tokens, tokenize
from langgraph_memory.store.words import WordIndex


class Finder:
    """A scope of texts."""

    def __init__(self, texts, embedder=None):
        self.embedder = embedder or Embedder.of(None)
        self.words = WordIndex()
        for row, text in enumerate(texts):
            self.words.add(row, tokenize(text))
        self.vectors = self.embedder.documents(texts)

    def best(self, query, limit=10):
        """The rows that fit a query best, best first."""
        tokens = query_tokens(query)
        vector = centred(self.embedder.query(query), self.vectors.mean(axis=0), len(self.vectors))
        cosines = (self.vectors @ vector).astype(np.float64)
        scores = fuse(query, tokens, self.words.scores(tokens), cosines, ceiling=self.words.ceiling(tokens))
        return np.argsort(-scores, kind="stable")[:limit].tolist()
