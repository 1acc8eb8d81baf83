#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attacks the command line tool by database files that somebody has sent, and by files beside them.

    attack_stores.py AGENTCHAT [TEST...]

Every command must end with a named reason, without having run what stands in a file, touched another one, or used
memory out of proportion. Exit status 0: all kept, 1: some broken.
"""
import os
import resource
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest

TOOL = ""
PAGE = 4096
MARK = bytes([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
LOOKS = [["session", "list", "F", "shop"], ["session", "show", "F", "shop", "alice", "s1"], ["store", "check", "F"]]
CHANGES = [["state", "set", "F", "shop", "alice", "s1", "k", "1"], ["session", "delete", "F", "shop", "alice", "s1"],
           ["session", "create", "F", "shop", "bob"], ["store", "init", "F"]]
MOST_MEMORY_KB = 700 * 1024  # a sanitizer's own included


def run(*arguments):
    return subprocess.run([TOOL, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=100, check=False)


class Stores(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="agentchat-attack-")
        self.addCleanup(shutil.rmtree, self.directory)
        self.file = os.path.join(self.directory, "gift.db")
        self.victim = os.path.join(self.directory, "victim")
        with open(self.victim, "w", encoding="ascii") as out:
            out.write("mine\n")
        made = run("session", "create", self.file, "shop", "alice", "--id", "s1", "--state", '{"a":1,"app:b":2}')
        self.assertEqual(made.returncode, 0, made.stderr)
        for n in range(3):
            made = subprocess.run([TOOL, "session", "append", self.file, "shop", "alice", "s1", "-"], check=False,
                                  input=b'{"id":"e%d","author":"user"}\n' % n, capture_output=True)
            self.assertEqual(made.returncode, 0, made.stderr)
        with open(self.file, "rb") as source:
            self.sound = source.read()

    def put(self, content=None, suffix=""):
        with open(self.file + suffix, "wb") as out:
            out.write(self.sound if content is None else content)

    def clear(self):
        for suffix in ("", "-wal", "-shm", "-journal"):
            if os.path.lexists(self.file + suffix):
                os.remove(self.file + suffix)

    def tool(self, command):
        done = run(*[self.file if argument == "F" else argument for argument in command])
        self.assertGreaterEqual(done.returncode, 0, (command, done))
        with open(self.victim, encoding="ascii") as source:
            self.assertEqual(source.read(), "mine\n", command)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, MOST_MEMORY_KB, command)
        return done

    def refused(self, command, reason):
        done = self.tool(command)
        self.assertEqual(done.returncode, 2, (command, done))
        self.assertIn(reason, done.stderr.decode(), command)

    # ---- files beside it ----

    def journal(self, name, pages=None, records=0):
        header = MARK + struct.pack(">IIIII", records, 0x1234, len(self.sound) // PAGE if pages is None else pages,
                                    512, PAGE)
        tail = b""
        if name is not None:
            total = sum(b if b < 128 else b - 256 for b in name) & 0xffffffff
            tail = (struct.pack(">I", 0x40000000 // PAGE + 1) + name + struct.pack(">I", len(name)) +
                    struct.pack(">I", total) + MARK)
        return header + bytes(512 - len(header)) + tail

    def test_a_journal_deletes_no_other_file(self):
        names = [self.victim.encode(), b"victim", b"./victim", self.file.encode(), b"/dev/null",
                 self.directory.encode()]
        for name in names:
            for content in (None, self.sound[:PAGE], b""):
                for command in LOOKS + CHANGES:
                    self.clear()
                    self.put(content)
                    self.put(self.journal(name), "-journal")
                    self.refused(command, "names a further file")

    def test_a_journal_makes_no_file_large(self):
        for command in LOOKS + CHANGES:
            self.clear()
            self.put()
            self.put(self.journal(None, pages=0x7fffffff), "-journal")
            self.refused(command, "larger than all that is there")
            self.assertEqual(os.path.getsize(self.file), len(self.sound))

    def test_a_journal_that_says_nothing_is_passed_over(self):
        for content in (b"", b"x", bytes(600), MARK, self.journal(None)):
            for command in LOOKS:
                self.clear()
                self.put()
                self.put(content, "-journal")
                self.assertEqual(self.tool(command).returncode, 0, (content[:20], command))

    def test_links_beside_it_are_not_followed(self):
        for suffix in ("-wal", "-shm", "-journal"):
            for command in LOOKS + CHANGES:
                self.clear()
                self.put()
                os.symlink(self.victim, self.file + suffix)
                self.refused(command, f'"gift.db{suffix}" is no regular file')
                os.remove(self.file + suffix)
                os.link(self.victim, self.file + suffix)
                self.refused(command, f'"gift.db{suffix}" is a file that has another name')
                os.remove(self.file + suffix)
                os.mkfifo(self.file + suffix)
                self.refused(command, "is no regular file")

    def test_a_log_of_anything_ends(self):
        frame = struct.pack(">IIII", 0x377f0682, 3007000, PAGE, 0) + bytes(16)
        for log in (b"x" * 5000, bytes(100000), frame, frame + bytes(24 + PAGE) * 4,
                    struct.pack(">IIII", 0x377f0683, 3007000, 65536, 0xffffffff) + b"\xff" * 20000):
            for command in LOOKS + CHANGES:
                self.clear()
                self.put()
                self.put(log, "-wal")
                self.put(b"\xff" * 32768, "-shm")
                self.tool(command)
                self.assertLess(os.path.getsize(self.file) if os.path.exists(self.file) else 0, 1 << 24)

    # ---- the file ----

    def edited(self, *statements):
        self.clear()
        self.put()
        db = sqlite3.connect(self.file, isolation_level=None)
        for statement in statements:
            db.execute(statement)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.close()
        with open(self.file, "rb") as source:
            return source.read()

    def test_code_in_a_schema_does_not_run(self):
        slow = "instr(zeroblob(50000000), zeroblob(20000000) || x''01'')"
        large = "replace(hex(zeroblob(240000000)), ''00'', ''\"a'')"
        like = "''" + "a" * 60 + "'' LIKE ''" + "%a" * 25 + "%b''"
        for table, old, new in (
                ("session", "updated_us INTEGER NOT NULL", "updated_us INTEGER AS (%s) VIRTUAL" % slow),
                ("session", "updated_us INTEGER NOT NULL", "updated_us INTEGER AS (%s) VIRTUAL" % like),
                ("event", "json TEXT NOT NULL", "json TEXT AS (%s) VIRTUAL" % large),
                ("event", "PRIMARY KEY", "CHECK(%s = 0), PRIMARY KEY" % slow),
                ("store", "format INTEGER NOT NULL", "format INTEGER AS (%s) VIRTUAL" % slow)):
            content = self.edited("PRAGMA writable_schema=ON", f"UPDATE sqlite_schema SET sql = replace(sql, '{old}',"
                                  f" '{new}') WHERE name = '{table}'")
            for command in LOOKS + CHANGES:
                self.clear()
                self.put(content)
                self.refused(command, f'the table "{table}" is not as a store has it')

    def retyped(self, table, *statements):
        """The file after statements that put values of other types into a table."""
        (sql,) = sqlite3.connect(self.file).execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
        loose = sql.replace("STRICT, ", "").replace(" STRICT", "")
        self.assertNotEqual(loose, sql)
        self.edited("PRAGMA writable_schema=ON", f"UPDATE sqlite_schema SET sql = '{loose}' WHERE name = '{table}'",
                    "PRAGMA writable_schema=RESET")
        db = sqlite3.connect(self.file, isolation_level=None)
        for statement in statements:
            db.execute(statement)
        db.execute("PRAGMA writable_schema=ON")
        db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, table))
        db.close()

    def test_keys_of_another_type_end_no_walk(self):
        for table, statement, found in (
                ("event", "UPDATE event SET seq = 'x' WHERE seq = 2", "session shop/alice/s1: a row after"),
                ("event", "UPDATE event SET seq = x'00' WHERE seq = 1", "session shop/alice/s1: a row after"),
                ("event", "UPDATE event SET seq = 0.5 WHERE seq = 1", "session shop/alice/s1: a row after"),
                ("state", "UPDATE state SET key = 7", "state of session shop/alice/s1: key 7 is damaged"),
                ("state", "UPDATE state SET key = x'00'", "state: a row after")):
            self.clear()
            self.put()
            self.retyped(table, statement, "UPDATE event SET json = '{}' WHERE seq = 3")
            done = self.tool(["store", "check", "F"])
            self.assertEqual(done.returncode, 1, statement)
            self.assertIn(found, done.stdout.decode(), statement)
            self.assertIn("event 3 is damaged", done.stdout.decode(), statement)  # after it, or before
            for command in LOOKS + CHANGES:
                self.tool(command)

    def test_leases_of_another_type_end(self):
        chat = os.path.join(self.directory, "chat.json")
        with open(chat, "w", encoding="ascii") as out:
            out.write('{"agentchat":{"format":1,"reader":1},"history":[],"participants":[],"channels":[]}')
        self.assertEqual(run("thread", "put", self.file, "t", chat).returncode, 0)
        with open(self.file, "rb") as source:
            self.sound = source.read()
        for number in ("'x'", "x'00'", "0.5"):
            self.clear()
            self.put()
            self.retyped("orphan", f"INSERT INTO orphan VALUES({number}, 0, 1)")
            for command in (["store", "check", "F"], ["thread", "delete", "F", "t"]):
                self.assertEqual(self.tool(command).returncode, 1 if "check" in command else 0, (number, command))

    def test_statistics_are_not_read(self):
        content = self.edited("ANALYZE", "PRAGMA writable_schema=ON",
                              "UPDATE sqlite_schema SET sql = 'CREATE TABLE sqlite_stat1(tbl, idx, stat AS"
                              " (instr(zeroblob(50000000), zeroblob(20000000) || x''01'')))'"
                              " WHERE name = 'sqlite_stat1'")
        for command in LOOKS + CHANGES:
            self.clear()
            self.put(content)
            self.refused(command, '"sqlite_stat1" belongs to no store')

    def test_names_of_a_schema_are_shown_safely(self):
        content = self.edited('CREATE TABLE "\x1b[31m\'""; DROP TABLE x\u202e"(x)')
        self.put(content)
        for command in LOOKS:
            done = self.tool(command)
            self.assertEqual(done.returncode, 2)
            self.assertNotIn(b"\x1b", done.stderr)
            self.assertNotIn("\u202e".encode(), done.stderr)

    def test_texts_of_another_encoding_are_refused(self):
        self.clear()
        db = sqlite3.connect(self.file, isolation_level=None)
        db.execute("PRAGMA encoding='UTF-16le'")
        db.execute("PRAGMA application_id=0x61677463")
        source = sqlite3.connect(":memory:")
        source.deserialize(bytes(self.sound[:18]) + b"\x01\x01" + bytes(self.sound[20:]))
        for (sql,) in source.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"):
            db.execute(sql)
        db.execute("INSERT INTO store VALUES(1, 1, 1)")
        db.close()
        for command in LOOKS + CHANGES:
            self.refused(command, "not in UTF-8")

    def test_trees_that_lead_in_circles_end(self):
        """A tree whose inner pages have one child many times: 10 to the 15 rows in a few pages."""
        for name in ("state", "sqlite_autoindex_event_1", "session_by_app", "event_id", "event", "store", "scope",
                     "session"):
            content = circular(self.sound, self.file, name)
            for command in LOOKS + CHANGES:
                self.clear()
                self.put(content)
                self.tool(command)

    def test_numbers_of_the_header_are_not_believed(self):
        for at, size in ((16, 2), (20, 1), (24, 4), (28, 4), (32, 4), (36, 4), (40, 4), (44, 4), (48, 4), (52, 4),
                         (56, 4), (60, 4), (64, 4), (92, 4)):
            for value in (b"\xff", b"\x7f", b"\x00", b"\x01"):
                for command in LOOKS + CHANGES[:1]:
                    self.clear()
                    self.put(self.sound[:at] + value * size + self.sound[at + size:])
                    self.tool(command)
                    self.assertLess(os.path.getsize(self.file), 1 << 24)


def circular(sound, path, name, depth=8):
    with open(path, "wb") as out:
        out.write(sound)
    db = sqlite3.connect(path)
    (root,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).fetchone()
    db.close()
    file = bytearray(sound)
    leaf = file[(root - 1) * PAGE:root * PAGE]
    if leaf[0] == 10:  # an index's entry stands in inner pages too, after its child
        at = struct.unpack(">H", leaf[8:10])[0]
        assert leaf[at] < 128
        cell = bytes(leaf[at:at + 1 + leaf[at]])
    else:
        cell = b"\x01"
    file += leaf
    child = len(file) // PAGE
    for level in range(depth):
        one = struct.pack(">I", child) + cell
        count = (PAGE - 12) // (len(one) + 2)
        page = bytearray(PAGE)
        page[0] = 2 if leaf[0] == 10 else 5
        page[3:5] = struct.pack(">H", count)
        page[5:7] = struct.pack(">H", PAGE - count * len(one))
        page[8:12] = struct.pack(">I", child)
        for i in range(count):
            at = PAGE - (i + 1) * len(one)
            page[at:at + len(one)] = one
            page[12 + 2 * i:14 + 2 * i] = struct.pack(">H", at)
        if level == depth - 1:
            file[(root - 1) * PAGE:root * PAGE] = page
        else:
            file += page
            child = len(file) // PAGE
    file[28:32] = struct.pack(">I", len(file) // PAGE)
    return bytes(file)


if __name__ == "__main__":
    TOOL = os.path.abspath(sys.argv.pop(1))
    unittest.main()
