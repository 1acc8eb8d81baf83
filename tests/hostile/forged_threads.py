#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stores with threads that somebody has made by hand, every checksum right: what they cost.

    forged_threads.py AGENTCHAT
"""
import hashlib
import json
import os
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest

TOOL = ""
NUM = 77
FRAME = '{"agentchat":{"format":1,"reader":1},"history":[],"participants":[],"channels":[]}'
# What a row's checksum covers, in order; "?step" is whether there is one.
COVERED = {
    "thread": "id num seq segments bodies replaced indexed messages bytes created_us updated_us hour",
    "body": "num no digest",
    "segment": "seg spans",
    "item": "seg pos count bodies",
    "checkpoint": "ns seq id parent parent_seq branch line written ?step step source run time_us messages meta contents",
}
OPTIONAL = {"parent", "source", "run", "step"}


def checksum(table, row):
    sha = hashlib.sha256()
    for name in COVERED[table].split():
        value = int(row["step"] is not None) if name == "?step" else row[name]
        value = 0 if name == "step" and value is None else value
        if value is None:
            sha.update(struct.pack("<q", -1))
        elif isinstance(value, int):
            sha.update(struct.pack("<q", value))
        else:
            value = value.encode() if isinstance(value, str) else value
            sha.update(struct.pack("<q", len(value)) + value)
    return struct.unpack("<q", sha.digest()[:8])[0]


def varint(value):
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


class Forgery:
    """A store in a new file, with one thread "t" and one checkpoint "c"."""

    def __init__(self, path, **thread):
        subprocess.run([TOOL, "store", "init", path], check=True, stdout=subprocess.DEVNULL)
        self.db = sqlite3.connect(path)
        row = {"id": "t", "num": NUM, "seq": 1, "segments": 10, "bodies": 1000, "replaced": 0, "indexed": 0,
               "messages": 0, "bytes": 0, "created_us": 1, "updated_us": 1, "hour": 0}
        self.put("thread", {**row, **thread})
        self.body(1, FRAME)

    def put(self, table, row):
        row = {**row, "sum": checksum(table, row)}
        self.db.execute(f"INSERT INTO {table}({','.join(row)}) VALUES({','.join('?' * len(row))})", list(row.values()))

    def body(self, number, text):
        data = text.encode()
        self.put("body", {"num": NUM, "no": number, "digest": hashlib.sha256(data).digest(), "bytes": data})

    def message(self, number, text):
        self.body(number, json.dumps({"role": "user", "items": [{"type": "text", "text": text}]}))

    def repeated(self, segment, number, count):
        """`count` positions of a segment that all name one body: a byte each."""
        for pos in range(0, count, 4096):
            some = min(4096, count - pos)
            self.put("item", {"num": NUM, "seg": segment, "pos": pos, "count": some,
                              "bodies": varint(2 * number) + bytes(some - 1)})

    def end(self, contents, messages=0):
        row = dict.fromkeys(OPTIONAL)
        self.put("checkpoint", {**row, "num": NUM, "ns": "", "seq": 1, "id": "c", "parent_seq": 0, "branch": 0, "line": 1,
                                "written": 1, "time_us": 0, "messages": messages, "meta": "{}", "contents": contents})
        self.db.commit()
        self.db.close()


def run(*arguments):
    return subprocess.run([TOOL, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=100, check=False)


class Forged(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="agentchat-forged-")
        self.addCleanup(directory.cleanup)
        self.file = os.path.join(directory.name, "gift.db")

    def expect_refused(self):
        for command in (["export"], ["export", "--to", "openai-chat"], ["view"], ["show"]):
            done = run("thread", *command, self.file, "t")
            self.assertEqual(done.returncode, 2, command)
            self.assertIn(b"raise max_copies", done.stderr)
            self.assertLess(len(done.stdout), 1000)
        self.assertIn(b"cannot be read", run("store", "check", self.file).stdout)

    def test_spans_that_repeat_a_message(self):
        forged = Forgery(self.file)
        forged.message(2, "x" * 100000)
        forged.repeated(1, 2, 4096)
        spans = b"".join(varint(n) for i in range(64) for n in (4096 * i, 4096, 1, 0))
        forged.put("segment", {"num": NUM, "seg": 2, "spans": spans})
        forged.end('{"f":1,"h":[2,0,262144]}', 262144)
        self.expect_refused()

    def test_positions_that_repeat_a_message(self):
        forged = Forgery(self.file)
        forged.message(2, "x" * 100000)
        forged.repeated(1, 2, 100000)
        forged.end('{"f":1,"h":[1,0,100000]}', 100000)
        self.expect_refused()

    def test_channels_that_repeat_a_list(self):
        channels = [{"channelkey": f"k{i}", "channeltype": "T", "statekind": "messages", "channelstate": []}
                    for i in range(3000)]
        forged = Forgery(self.file)
        forged.body(2, json.dumps({**json.loads(FRAME), "channels": channels}))
        forged.message(3, "x" * 50000)
        forged.repeated(1, 3, 64)
        forged.end('{"f":2,"h":[],"k":[%s]}' % ",".join(['{"l":[1,0,64]}'] * 3000))
        self.expect_refused()

    def test_what_was_said_again_and_again_is_read(self):
        forged = Forgery(self.file)
        forged.message(2, "hello")
        forged.repeated(1, 2, 100000)
        forged.end('{"f":1,"h":[1,0,100000]}', 100000)
        self.assertEqual(len(json.loads(run("thread", "export", self.file, "t").stdout)["history"]), 100000)

    def test_a_sequence_number_near_the_highest(self):
        forged = Forgery(self.file, seq=(1 << 62) - 1)
        forged.end('{"f":1}')
        done = run("thread", "search", self.file, "t", "nothing")
        self.assertNotIn(b"runtime error", done.stderr)
        self.assertIn(done.returncode, (0, 1))
        self.assertEqual(run("thread", "export", self.file, "t").returncode, 0)


if __name__ == "__main__":
    TOOL = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
