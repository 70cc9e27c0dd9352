"""What other processes do in the tests: serve commands, write as fast as they can, rebuild."""

import random
import zlib
from contextlib import contextmanager

import chromadb
from chromadb.config import Settings
from langgraph.store.base import PutOp

from langgraph_memory.store import HybridStore

NS = ("docs",)
DIMS = 16
LIMIT = 60
KEYS = 150


def embed(texts):
    vectors = []
    for text in texts:
        vector = [0.01] * DIMS
        for word in text.split():
            vector[zlib.crc32(word.encode()) % DIMS] += 1
        vectors.append(vector)
    return vectors


INDEX = {"dims": DIMS, "embed": embed, "fields": ["text"]}


@contextmanager
def opened(location, chroma_port=None, **options):
    client = None
    if chroma_port is not None:
        client = chromadb.HttpClient("127.0.0.1", chroma_port, settings=Settings(anonymized_telemetry=False))
        options["chroma"] = client
    with HybridStore(location, index=INDEX, **{"exact_limit": LIMIT} | options) as store:
        yield store
    if client is not None:
        for part in (client, client._admin_client):  # Chroma's own close leaves their connections open
            part._server._session.close()
        client.close()


def serve(connection, location, chroma_port):
    """Do what the test says: a method of the store with its arguments, one after another, until None."""
    with opened(location, chroma_port) as store:
        connection.send("open")
        while (command := connection.recv()) is not None:
            method, args, options = command
            connection.send(getattr(store, method)(*args, **options))


def write_many(connection, location, chroma_port, name, count):
    """Put `count` items, each twice, and one that all share, with searches between."""
    with opened(location, chroma_port) as store:
        connection.send("open")
        connection.recv()
        for n in range(count):
            store.put((*NS, name), str(n), {"text": f"draft {name} {n}"})
            store.put((*NS, name), str(n), {"text": f"final {name} {n}"})
            store.put(NS, "shared", {"text": f"shared {name} {n}"})
            if n % 10 == 0:
                assert store.search(NS, query=f"final {name} {n}", limit=1)[0].key == str(n)
        connection.send("done")
        connection.recv()


def open_at_once(connection, location, chroma_port, name):
    """Open a store at the same time as others, and put something."""
    connection.send("ready")
    connection.recv()
    with opened(location, chroma_port) as store:
        store.put(NS, name, {"text": name})
    connection.send("done")


def write_until_killed(connection, location, seed):
    """Put and delete at random, saying what is about to be done and what is done."""
    rng = random.Random(seed)
    with opened(location) as store:
        number = 0
        while True:
            number += 1
            keys = {str(rng.randrange(KEYS)) for _ in range(rng.choice((1, 1, 1, 5)))}
            changes = {
                key: None if rng.random() < 0.3 else f"{seed}x{number}k{key} common" for key in sorted(keys)
            }
            connection.send(("begin", changes))
            store.batch([put(key, text) for key, text in changes.items()])
            connection.send(("done", changes))


def put(key, text):
    return PutOp(NS, key, None if text is None else {"text": text})


def rebuild_until_killed(connection, location):
    """Rebuild again and again."""
    with opened(location, background=False) as store:
        while True:
            connection.send("begin")
            store.rebuild()
