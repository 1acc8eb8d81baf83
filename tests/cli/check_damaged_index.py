# SPDX-License-Identifier: Apache-2.0
"""A file with a flipped bit in a page of the index of threads: searches find what they did, or say which thread is damaged,
or find less, and then `agentchat store check` finds damage.

    check_damaged_index.py AGENTCHAT

Bits of the columns of rows of a word and beside them, one at a time; then any bits of these pages.

AGENTCHAT_TEST_COLUMN_FLIPS: how many bits of each word, and of pages (12). Exit status 77 where Python has no SQLite.
"""

import contextlib
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

if not os.environ.get("TMPDIR") and os.access("/dev/shm", os.W_OK):
    os.environ["TMPDIR"] = "/dev/shm"  # nothing here depends on a disk

try:
    import sqlite3
except ImportError:
    print("this Python has no SQLite")
    sys.exit(77)

TOOL = sys.argv[1]
FLIPS = int(os.environ.get("AGENTCHAT_TEST_COLUMN_FLIPS") or 12)
WORDS = ["w000", "w011", "w037", "w150", "nowhere"]
INTERIOR, LEAF = 2, 10  # kinds of pages


def run(*arguments):
    result = subprocess.run([TOOL, *arguments], capture_output=True, check=False, timeout=60)
    assert result.returncode >= 0, f"ended by signal {-result.returncode}"
    return result


def fill(directory, path):
    """Three threads of the same chats, so that the rows of t1 stand between others; several pages of terms."""
    chat = os.path.join(directory, "chat.json")
    history = []
    for i in range(8):
        text = " ".join(f"w{(i * 37 + k * 11) % 400:03d}" for k in range(60))
        history.append({"role": "user", "items": [{"type": "text", "text": text}]})
        with open(chat, "w", encoding="utf-8") as file:
            json.dump({"agentchat": {"format": 1, "reader": 1}, "history": history, "participants": [], "channels": []}, file)
        for thread in ["t0", "t1", "t2"]:
            assert run("thread", "put", "--id", f"c{i}", f"sqlite:{path}?synchronous=normal", thread, chat).returncode == 0
    assert run("store", "index", path, "threads", "on").returncode == 0
    assert run("store", "check", path).returncode == 0


class Pages:
    """The pages of the index."""

    def __init__(self, path):
        with contextlib.closing(sqlite3.connect(path)) as db:
            roots = dict(db.execute("SELECT name, rootpage FROM sqlite_schema WHERE name IN ('term', 'term_checkpoint')"))
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.size = struct.unpack_from(">H", self.bytes, 16)[0]
        self.terms = list(self.below(roots["term"]))
        self.all = self.terms + list(self.below(roots["term_checkpoint"]))

    def cells(self, page):
        """Where each of its cells begins in the file, the page of smaller keys not counted."""
        begin = (page - 1) * self.size
        kind, count = self.bytes[begin], struct.unpack_from(">H", self.bytes, begin + 3)[0]
        assert kind in (INTERIOR, LEAF), "this is no page of an index"
        head, left = (12, 4) if kind == INTERIOR else (8, 0)
        return [begin + left + struct.unpack_from(">H", self.bytes, begin + head + 2 * i)[0] for i in range(count)]

    def below(self, page):
        begin = (page - 1) * self.size
        yield page
        if self.bytes[begin] == INTERIOR:
            for cell in self.cells(page):
                yield from self.below(struct.unpack_from(">I", self.bytes, cell - 4)[0])
            yield from self.below(struct.unpack_from(">I", self.bytes, begin + 8)[0])

    def columns_beside(self, word):
        """Where bytes of columns are, of rows of a word and those beside them."""
        found = []
        for page in self.terms:
            cells = self.cells(page)
            of_word = [i for i, cell in enumerate(cells) if word.encode() in self.bytes[cell : cell + 1 + self.bytes[cell]]]
            for i in {k for i in of_word for k in (i - 1, i, i + 1) if 0 <= k < len(cells)}:
                cell = cells[i]  # how long the record is, how long its head is, its head, its columns
                found += range(cell + 1 + self.bytes[cell + 1], cell + 1 + self.bytes[cell])
        return found

    def write_damaged(self, path, at):
        changed = bytearray(self.bytes)
        changed[at] ^= 1 << random.randrange(8)
        for end in ["-wal", "-shm"]:
            with contextlib.suppress(FileNotFoundError):
                os.remove(path + end)
        with open(path, "wb") as file:
            file.write(changed)


def search(path, word):
    """What is found in t1; None: it says that this thread, or the file, is damaged."""
    result = run("thread", "search", "--json", path, "t1", word)
    if result.returncode == 0:
        return json.loads(result.stdout)["items"]
    said = result.stderr.decode()
    assert result.returncode == 2 and "thread t1: " in said, f"exit status {result.returncode}: {said}"
    return None


def try_columns(pages, path, sound):
    failed = 0
    for word in WORDS[:-1]:
        offsets = pages.columns_beside(word)
        done = 0
        # Chance may choose bits only that make no difference: the last word goes on until a search has said so.
        while done < FLIPS or (word == WORDS[-2] and failed == 0 and done < 100 * FLIPS):
            done += 1
            at = random.choice(offsets)
            pages.write_damaged(path, at)
            found = search(path, word)
            failed += found is None
            if found != sound[word]:
                assert run("store", "check", path).returncode == 1, f"byte {at}: the check finds nothing"
    return failed


def try_pages(pages, path, sound):
    less = 0
    for _ in range(FLIPS):
        at = (random.choice(pages.all) - 1) * pages.size + random.randrange(pages.size)
        pages.write_damaged(path, at)
        all_found = [search(path, word) for word in WORDS]
        is_same = all(found == sound[word] for word, found in zip(WORDS, all_found))
        less += any(found is not None and found != sound[word] for word, found in zip(WORDS, all_found))
        assert is_same or run("store", "check", path).returncode == 1, f"byte {at}: the check finds nothing"
    return less


def main():
    random.seed(12)
    with tempfile.TemporaryDirectory() as directory:
        path, damaged = os.path.join(directory, "sound.db"), os.path.join(directory, "damaged.db")
        fill(directory, path)
        sound = {word: search(path, word) for word in WORDS}
        assert all(sound[word] for word in WORDS[:-1]) and sound["nowhere"] == []
        pages = Pages(path)
        assert len(pages.terms) > 10
        failed = try_columns(pages, damaged, sound)
        less = try_pages(pages, damaged, sound)
    print(f"{FLIPS * (len(WORDS) - 1)} bits of columns: {failed} searches said so; {FLIPS} of pages: {less} found less")
    assert failed > 0


main()
