# SPDX-License-Identifier: Apache-2.0
"""A conversation that LangGraph keeps with one of its own savers, for scripts/bench --peers.

    langgraph_saver.py SAVER WHERE TEXTS TURNS SECONDS

SAVER is sqlite; delta-N, which is sqlite with a delta channel that stores a snapshot every N updates; or postgres.
WHERE is a directory, or the URL of a server. TEXTS has what is said, a message a line: question and answer in turn.
A turn is one invocation of a compiled graph of one node, which answers; the rest is as LangGraph has it by default.
Stops after TURNS turns, after SECONDS, or when the disk has less than 5 GB left.

Prints JSON: turns; us and saver_us, what each turn took in all and in the saver's methods; sizes, [turn, bytes of the
store] now and then and after it was closed; written, bytes that were written; stopped, why; versions.
"""
import contextlib
import importlib.metadata
import json
import os
import shutil
import sqlite3
import sys
import threading
import time
from typing import Annotated, TypedDict

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import _messages_delta_reducer, add_messages

SAMPLE, LEAST_FREE = 50, 5e9
METHODS = ["put", "put_writes", "get_tuple", "get_delta_channel_history"]


def build(channel, saver, answers):
    class State(TypedDict):
        messages: channel

    graph = StateGraph(State)
    graph.add_node("desk", lambda state: {"messages": [AIMessage(next(answers))]})
    graph.add_edge(START, "desk")
    graph.add_edge("desk", END)
    return graph.compile(checkpointer=saver)


class Clock:
    """The time while at least one of some methods of an object runs, on whatever thread."""

    def __init__(self, target, names):
        self.spent, self.running, self.entered = 0.0, 0, 0.0
        self.lock = threading.Lock()
        for name in names:
            setattr(target, name, self.timed(getattr(target, name)))

    def count(self, change):
        with self.lock:
            now = time.perf_counter()
            if self.running == 0:
                self.entered = now
            self.running += change
            if self.running == 0:
                self.spent += now - self.entered

    def timed(self, method):
        def call(*arguments, **options):
            self.count(1)
            try:
                return method(*arguments, **options)
            finally:
                self.count(-1)
        return call


def bytes_of_this_process():
    with open("/proc/self/io", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("wchar:"))


@contextlib.contextmanager
def sqlite_saver(directory):
    """(saver, bytes stored, bytes written, sizes after it is closed)"""
    path, after = os.path.join(directory, "checkpoints.db"), []
    connection = sqlite3.connect(path, check_same_thread=False)
    saver = SqliteSaver(connection)
    saver.setup()
    connection.execute("PRAGMA synchronous=NORMAL")
    yield saver, lambda: os.path.getsize(path), bytes_of_this_process, after
    connection.close()
    after.append(os.path.getsize(path))


@contextlib.contextmanager
def postgres_saver(url):
    import psycopg
    from langgraph.checkpoint.postgres import PostgresSaver
    name, after = "bench_peer", []
    with psycopg.connect(url, autocommit=True) as server:
        def ask(statement):
            return int(server.execute(statement).fetchone()[0])

        def size():
            return ask(f"SELECT pg_database_size('{name}')")

        server.execute(f"CREATE DATABASE {name}")
        try:
            with PostgresSaver.from_conn_string(f"{url}&dbname={name}") as saver:
                saver.setup()
                empty = size()
                yield (saver, lambda: size() - empty,
                       lambda: ask("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"), after)
            after.append(size() - empty)
        finally:
            server.execute(f"DROP DATABASE {name}")


def talk(graph, clock, questions, turns, seconds, stored, directory):
    """(us, saver_us, sizes, why it stopped)"""
    config = {"configurable": {"thread_id": "thread"}}
    us, saver_us, sizes = [], [], []
    started = time.perf_counter()
    for turn in range(turns):
        if time.perf_counter() - started > seconds:
            return us, saver_us, sizes, f"after {seconds:g} s"
        if turn % SAMPLE == 0:
            sizes.append([turn, stored()])
            if shutil.disk_usage(directory).free < LEAST_FREE:
                return us, saver_us, sizes, "for want of space on the disk"
        clock.spent = 0.0
        before = time.perf_counter()
        graph.invoke({"messages": [HumanMessage(questions[turn])]}, config)
        us.append((time.perf_counter() - before) * 1e6)
        saver_us.append(clock.spent * 1e6)
    return us, saver_us, sizes, None


def main():
    kind, where, texts, turns, seconds = sys.argv[1:]
    with open(texts, encoding="utf-8") as file:
        said = file.read().splitlines()
    if kind.startswith("delta-"):
        channel = Annotated[list, DeltaChannel(_messages_delta_reducer, snapshot_frequency=int(kind[6:]))]
    else:
        channel = Annotated[list, add_messages]
    is_server = kind == "postgres"
    with (postgres_saver if is_server else sqlite_saver)(where) as (saver, stored, written, after):
        clock = Clock(saver, METHODS)
        graph = build(channel, saver, iter(said[1::2]))
        before = written()
        us, saver_us, sizes, stopped = talk(graph, clock, said[::2], int(turns), float(seconds), stored,
                                            "/" if is_server else where)
        bytes_written = written() - before
    packages = ["langgraph", "langgraph-checkpoint-" + ("postgres" if is_server else "sqlite")]
    json.dump({"turns": len(us), "us": us, "saver_us": saver_us, "sizes": [*sizes, [len(us), after[0]]],
               "written": bytes_written, "stopped": stopped,
               "versions": {name: importlib.metadata.version(name) for name in packages}}, sys.stdout)


main()
