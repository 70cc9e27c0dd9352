"""From puts to rows: values are encoded, texts cut into words and embedded, outside of any transaction."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from langgraph.store.base import PutOp

from langgraph_memory.store import namespaces, values
from langgraph_memory.store.embedding import Embedder
from langgraph_memory.store.findables import NO_WORDS, Source, by_digest
from langgraph_memory.store.items import DIGEST_BYTES, Indexed, Write
from langgraph_memory.store.texts import Fields, Texts
from langgraph_memory.store.tokens import tokenize

_MINUTE = 60_000_000

Known = Mapping[bytes, bytes]
"""Vectors that are there already, by the digests of their texts."""


class Drafts:
    """Makes rows of puts.

    Args:
        fields: what is searched where a put doesn't say.
        embedder: makes the vectors; None where there are none.
        secret: the key of the digests.
        redact: applied to every string of a value before anything else.
    """

    def __init__(
        self,
        fields: Sequence[str],
        embedder: Embedder | None,
        secret: str,
        redact: Callable[[str], str] | None,
    ) -> None:
        self._fields, self._embedder, self._redact = Fields(fields), embedder, redact
        self._secret = secret.encode()

    def writes(
        self, puts: Iterable[PutOp], model: int, known: Callable[[dict[str, list[str]]], Known]
    ) -> list[Write]:
        """The writes that these puts come to, the last one of each item.

        Args:
            puts: in their order.
            model: the number of the embedder's model.
            known: gives vectors that items of these keys, by namespace, have already.
        """
        last = {(namespaces.encode(put.namespace), put.key): put for put in puts}
        plain = {name: self._plain(put) for name, put in last.items()}
        encoded = {name: None if value is None else values.dumps(value) for name, value in plain.items()}
        texts = {name: self._texts(put, plain[name]) for name, put in last.items()}
        meant = [text for each in texts.values() if each for text in each.meant]
        vectors = self._vectors(
            meant, known(_keys(name for name, each in texts.items() if each)) if meant else {}
        )
        return [
            Write(*name, encoded[name], _microseconds(put.ttl), self._index(put, texts[name], model, vectors))
            for name, put in last.items()
        ]

    def made_anew(self, sources: Sequence[Source], model: int) -> tuple[list[tuple[int, Indexed]], int]:
        """New indexes of these items, and how many texts had to be embedded for them.

        Without an embedder they keep the vectors that they have.
        """
        texts = {source.version: self._source_texts(source) for source in sources}
        if self._embedder is None:
            return [(s.version, self._kept(s, texts[s.version])) for s in sources], 0
        known: dict[bytes, bytes] = {}
        for source in sources:
            if source.model == model:
                known |= by_digest(source.digests, source.vectors, self._embedder.dims)
        meant = [text for each in texts.values() for text in each.meant]
        vectors = self._vectors(meant, known)
        made = [(s.version, self._indexed(s.paths, texts[s.version], model, vectors)) for s in sources]
        return made, sum(self._digest(text) not in known for text in vectors)

    def _plain(self, put: PutOp) -> dict[str, Any] | None:
        return None if put.value is None else values.plain(put.value, self._redact)

    def _texts(self, put: PutOp, value: dict[str, Any] | None) -> Texts | None:
        if value is None or put.index is False:
            return None
        fields = self._fields if put.index is None else Fields(put.index)
        return fields.texts(value)

    def _source_texts(self, source: Source) -> Texts:
        fields = self._fields if source.paths is None else Fields(json.loads(source.paths))
        return fields.texts(values.decode(source.value))

    def _vectors(self, texts: Iterable[str], known: Known) -> dict[str, bytes]:
        """The vector of each text; those that are known are not asked for again."""
        if self._embedder is None:
            return {}
        found = {text: known.get(self._digest(text)) for text in dict.fromkeys(texts)}
        new = [text for text, vector in found.items() if vector is None]
        made = self._made(self._embedder, new) if new else {}
        return {text: vector or made[text] for text, vector in found.items()}

    def _made(self, embedder: Embedder, texts: list[str]) -> dict[str, bytes]:
        rows = embedder.documents(texts).astype("<f4")
        return {text: row.tobytes() for text, row in zip(texts, rows, strict=True)}

    def _index(
        self, put: PutOp, texts: Texts | None, model: int, vectors: Mapping[str, bytes]
    ) -> Indexed | None:
        if texts is None:
            return None
        paths = json.dumps(list(put.index)) if put.index else None
        return self._indexed(paths, texts, model, vectors)

    def _kept(self, source: Source, texts: Texts) -> Indexed:
        return Indexed(source.model, source.paths, source.digests, _tokens(texts), source.vectors)

    def _indexed(self, paths: str | None, texts: Texts, model: int, vectors: Mapping[str, bytes]) -> Indexed:
        embedded = [text for text in texts.meant if text in vectors]
        return Indexed(
            model if embedded else 0,
            paths,
            b"".join(map(self._digest, embedded)),
            _tokens(texts),
            b"".join(vectors[text] for text in embedded),
        )

    def _digest(self, text: str) -> bytes:
        name = self._embedder.name if self._embedder else ""
        message = f"{name}\x00{text}".encode(errors="surrogatepass")
        return hashlib.blake2b(message, key=self._secret, digest_size=DIGEST_BYTES).digest()


def _tokens(texts: Texts) -> str:
    tokens = [token for text in texts.said for token in tokenize(text)]
    return values.dumps(tokens) if tokens else NO_WORDS


def _keys(names: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    keys: dict[str, list[str]] = defaultdict(list)
    for namespace, key in names:
        keys[namespace].append(key)
    return keys


def _microseconds(minutes: float | None) -> int | None:
    return None if minutes is None else round(minutes * _MINUTE)
