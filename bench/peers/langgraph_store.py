# SPDX-License-Identifier: Apache-2.0
"""What LangGraph's own stores cost, for scripts/bench --peers: the work of bench/bench_memory.c.

    langgraph_store.py memory|sqlite DIRECTORY NUMBER

Prints JSON: rows, [what was done, number of documents, microseconds]; versions. The embedder only looks its vector up. The
SQLite store is at synchronous=NORMAL.
"""
import importlib.metadata
import json
import os
import random
import sqlite3
import statistics
import sys
import time

from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import SqliteStore

DIMENSIONS, WORDS, NAMESPACES, SEARCHES, GETS = 384, 60, 1000, 15, 1001
VOCABULARY = ("river stone light market letter garden winter table bridge paper music summer street window number "
              "travel").split()


def document(number):
    words = ["needle" if number % 20 == 7 else "hay"]
    words += [VOCABULARY[(number * 7 + i * (number % 13 + 1)) % 16] for i in range(1, WORDS)]
    return {"kind": str(number % 10), "text": " ".join(words)}


def timed(call):
    began = time.perf_counter()
    result = call()
    return (time.perf_counter() - began) * 1e6, result


def searches(store, namespace, finds, **query):
    times = []
    for i in range(SEARCHES):
        if query.get("query") is not None:
            query["query"] = f"query {i}"
        us, found = timed(lambda: store.search(namespace, limit=10, **query))
        assert bool(found) == finds
        times.append(us)
    return statistics.median(times)


def work(store, count):
    def put_all(below, namespaces, **options):
        return statistics.fmean(timed(lambda: store.put((below, str(i % namespaces)), str(i), documents[i], **options))[0]
                                for i in range(count))

    documents = [document(i) for i in range(count)]
    yield "put, no index", put_all("plain", NAMESPACES, index=False)
    yield "put with a vector", put_all("vectors", count // 100)
    keys = [i * 7919 % count for i in range(GETS)]
    yield "get", statistics.median(timed(lambda: store.get(("plain", str(i % NAMESPACES)), str(i)))[0] for i in keys)
    yield "search with a filter, 1 of 10", searches(store, ("plain",), True, filter={"kind": "3"})
    yield "search by vector", searches(store, (), True, query="")
    yield "search by vector, in a namespace of 100", searches(store, ("vectors", "0"), True, query="")
    yield "search by vector, filter 1 of 10", searches(store, ("vectors",), True, query="", filter={"kind": "3"})
    yield "search by vector, filter of none", searches(store, ("vectors",), False, query="", filter={"kind": "none"})


def main():
    kind, directory, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rng = random.Random(1)
    pool = [[rng.uniform(-1, 1) for _ in range(DIMENSIONS)] for _ in range(1009)]
    index = {"dims": DIMENSIONS, "fields": ["text"],
             "embed": lambda texts: [pool[hash(text) % len(pool)] for text in texts]}
    if kind == "memory":
        store, packages = InMemoryStore(index=index), ["langgraph-checkpoint", "numpy"]
    else:
        connection = sqlite3.connect(os.path.join(directory, "store.db"), check_same_thread=False, isolation_level=None)
        store, packages = SqliteStore(connection, index=index), ["langgraph-checkpoint-sqlite", "sqlite-vec"]
        store.setup()
        connection.execute("PRAGMA synchronous=NORMAL")
    rows = [[what, count, us] for what, us in work(store, count)]
    json.dump({"rows": rows, "versions": {name: importlib.metadata.version(name) for name in packages}}, sys.stdout)


main()
