#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the second reader of format 1 with the command line tool, and both with what is recorded.

usage: compare.py TOOL recorded            golden files, vectors of the digest, accepted and refused cases
       compare.py TOOL generated [COUNT]   random documents, other spellings of them, changed and damaged ones

COUNT (300) is the number of random documents, unless AGENTCHAT_TEST_DOCUMENTS says another; AGENTCHAT_TEST_SEED is
their seed (1). Documents that the two disagree about stay in the directory that is named.

Exit status: 0 passed, 1 failed."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import canonical
import format1
import generate
import rewrite
import tables
from jsontext import Fault, Parser, Source

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
FORMATS = DATA.parent / "format"
BATCH = 400
ANOTHER_FORMAT = ("another format", "", None)
KEPT = 20  # documents that are shown and kept
TAIL = 150  # an error of the tool keeps the end of a long pointer


class Verdict:
    """What a reader says of a document: two digests, or status, pointer and offset of the fault."""

    def __init__(self, digests=None, fault=None):
        self.digests, self.fault = digests, fault

    def __str__(self):
        return f"digests {self.digests}" if self.fault is None else f"refused {self.fault}"


def ours(data):
    try:
        chat, _ = format1.read(data)
    except Fault as fault:
        return Verdict(fault=(fault.status, fault.pointer, fault.offset))
    return Verdict((canonical.digest(chat), canonical.digest(chat, True)))


class Tool:
    """The command line tool, for many files at once."""

    def __init__(self, program):
        self.program = program

    def lines(self, *arguments):
        """What the tool prints for each file, by its name."""
        run = subprocess.run([self.program, *map(str, arguments)], capture_output=True, check=False)
        if run.returncode not in (0, 1):
            raise SystemExit(f"{self.program} {arguments[0]} ended with {run.returncode}: {run.stderr[:500]!r}")
        records = (json.loads(line) for line in run.stdout.decode("utf-8", "surrogatepass").splitlines())
        return {record["file"]: record for record in records}

    def verdicts(self, paths):
        """A verdict for each of the files. A file that the tool takes for one of another framework is refused."""
        checked = self.lines("check", "--json", *paths)
        sound = [path for path in paths if checked[str(path)].get("format", "").startswith("agentchat")]
        history = self.lines("digest", "--json", *sound) if sound else {}
        everything = self.lines("digest", "--json", "--all", *sound) if sound else {}
        found = {}
        for path in paths:
            record = checked[str(path)]
            if path in sound:
                found[path] = Verdict((history[str(path)]["sha256"], everything[str(path)]["sha256"]))
            elif record["ok"]:
                found[path] = Verdict(fault=ANOTHER_FORMAT)
            else:
                found[path] = Verdict(fault=(record["status"], record.get("path", ""), record.get("offset")))
        return found

    def convert(self, form, path, output):
        """The bytes of the converted document; none when the tool refuses."""
        output.unlink(missing_ok=True)
        subprocess.run([self.program, "convert", "--to", form, path, output], check=False, stderr=subprocess.DEVNULL)
        return output.read_bytes() if output.exists() else b""


class Result:
    """Counts, and what went wrong."""

    def __init__(self):
        self.done, self.failed, self.counts = 0, 0, {}

    def check(self, good, name, *why):
        self.done += 1
        if not good:
            self.failed += 1
            if self.failed <= KEPT:
                print(f"{name}: " + "; ".join(map(str, why)))
        return good

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1


def same_verdict(one, other):
    """Both readers give the same digests, or refuse."""
    return one.digests == other.digests and (one.fault is None) == (other.fault is None)


def same_location(one, other):
    """Both give the same status and pointer. The tool keeps the end of a long pointer, and has no U+0000 in it."""
    pointer = one[1].replace("\0", "?")
    return one[0] == other[0] and (pointer == other[1] or len(pointer) > TAIL and pointer.endswith(other[1][-TAIL:]))


# What is recorded.


def cases(folder):
    """Files of the cases of format 1 and its encoded variant in a folder."""
    return [path for name in ("agentchat", "agentchat-encoded") for path in (FORMATS / name / "cases" / folder).glob("*.*")]

def recorded_documents(tool, result):
    golden = sorted((DATA / "golden" / "format-1").glob("*.json"))
    accepted = sorted(path for path in cases("") if path.suffix in (".in", ".native"))
    verdicts = tool.verdicts(golden + accepted)
    result.check(golden and accepted, DATA, "the documents are missing")
    for path in golden + accepted:
        own = ours(path.read_bytes())
        result.check(own.digests and same_verdict(own, verdicts[path]), path, f"we: {own}", f"tool: {verdicts[path]}")
        if path in golden:
            noted = path.with_suffix(".digest")
            lines = noted.read_text(encoding="ascii").split() if noted.exists() else []
            result.check(own.digests and lines == list(own.digests), noted, f"recorded: {lines}", f"we: {own}")
        elif path.suffix == ".native":
            before = verdicts[path.with_suffix(".in")]
            result.check(same_verdict(own, before), path, f"we: {own}", f"before writing: {before}")


def recorded_refusals(tool, result):
    refused = sorted(path for path in cases("refused") if path.suffix == ".in")
    verdicts = tool.verdicts(refused)
    result.check(refused, DATA, "the refused documents are missing")
    for path in refused:
        status, pointer, offset = path.with_suffix(".error").read_text(encoding="utf-8").split("\n")[:3]
        own, other = ours(path.read_bytes()).fault, verdicts[path].fault
        recorded = (status, pointer, int(offset))
        result.check(own == recorded, path, f"we: {own}", f"recorded: {recorded}")
        undetected = other == ANOTHER_FORMAT or other and own and own[1].startswith("/agentchat") and not other[1]
        agreed = own and other and (undetected or same_location(own, other))
        result.check(agreed, path, f"we: {own}", f"tool: {other}")


def recorded_vectors(result):
    source = Source((DATA / "digest" / "vectors.json").read_bytes())
    vectors = Parser(source).document().value
    result.check(vectors, "vectors.json", "there are none")
    for vector in vectors:
        found = {name: node for name, _, node in vector.value}
        reader = format1.Reader(source, tables.Limits(), {})
        if "messages" in found:
            chat = {"history": reader.read_messages(found["messages"], ("messages",))}
        else:
            chat = reader.read_chat(found["snapshot"], ("snapshot",))
        everything = "snapshot" in found
        texts = canonical.text_of(chat, everything), canonical.digest(chat, everything)
        good = texts == (found["canonical"].value, found["sha256"].value)
        result.check(good, found["name"].value, f"we: {texts}")


# What is made.


class Group:
    """Documents that are written to files, and what is expected of them, until there are enough for the tool."""

    def __init__(self, tool, result, directory):
        self.tool, self.result, self.directory, self.waiting, self.number = tool, result, directory, [], 0

    def add(self, data, expect, what):
        """`expect` is called with our verdict and says what is wrong, or None."""
        path = self.directory / f"{self.number:06d}-{what}.json"
        self.number += 1
        path.write_bytes(data)
        self.waiting.append((path, ours(data), expect, what))
        if len(self.waiting) >= BATCH:
            self.flush()

    def edited(self, data, what):
        """A document with one edit. Where both refuse it, they mostly give the same location: an edit can make several
        faults, and which of them is found first is free."""
        self.add(data, self.note_location, what)

    def note_location(self, own, other):
        if own.fault is not None and other.fault is not None:
            same = same_location(own.fault, other.fault)
            self.result.count("edits refused at " + ("the same location" if same else "other locations"))

    def flush(self):
        verdicts = self.tool.verdicts([path for path, *_ in self.waiting]) if self.waiting else {}
        for path, own, expect, what in self.waiting:
            other = verdicts[path]
            self.result.count(what + (" accepted" if own.fault is None else " refused"))
            good = self.result.check(same_verdict(own, other), path, f"we: {own}", f"tool: {other}")
            wrong = expect(own, other)
            good = self.result.check(wrong is None, path, wrong, f"we: {own}", f"tool: {other}") and good
            if good or self.result.failed > KEPT:
                path.unlink()
        self.waiting = []


def accepted_as(digests=None):
    def expect(own, _):
        if own.digests is None:
            return "a sound document is refused"
        if digests is not None and own.digests != digests:
            return f"what means the same has another digest than {digests}"
        return None

    return expect


def differs_from(digests, which):
    """For a change of the history (0), which shows in both digests, or of the rest (1), which shows in that of all."""

    def expect(own, _):
        if own.digests is None:
            return "a sound document is refused"
        if [one == other for one, other in zip(own.digests, digests)] != [bool(which), False]:
            return f"a change of meaning gives the wrong one of {digests} another value"
        return None

    return expect


def generated(tool, result, directory, count):
    seed = int(os.environ.get("AGENTCHAT_TEST_SEED", "1"))
    documents = int(os.environ.get("AGENTCHAT_TEST_DOCUMENTS", count))
    print(f"seed {seed}, {documents} documents, files in {directory}")
    group = Group(tool, result, directory)
    for number in range(documents):
        dice = random.Random(f"{seed} {number}")
        chat = generate.Maker(dice).chat()
        spell = rewrite.Speller(dice)
        plain = generate.document(chat)
        digests = ours(plain).digests
        group.add(plain, accepted_as(), "plain")
        group.add(generate.document(chat, spell), accepted_as(digests), "spelled")
        group.add(generate.document(chat, spell, True), accepted_as(digests), "encoded")
        if digests is None:
            continue
        group.add(generate.document(rewrite.changed_history(chat, dice)), differs_from(digests, 0), "changed-history")
        group.add(generate.document(rewrite.changed_rest(chat, dice)), differs_from(digests, 1), "changed-rest")
        encoded = dice.random() < 0.3
        document = generate.with_header(generate.encode(chat, generate.write) if encoded else chat, encoded)
        inside = generate.with_header(rewrite.edited_inside(chat, dice), True)
        group.edited(generate.write(rewrite.edited(document, dice)).encode("utf-8"), "edited")
        group.edited(generate.write(inside).encode("utf-8"), "edited-inside")
        group.edited(rewrite.damaged(generate.write(document).encode("utf-8"), dice), "damaged")
        if number % 15 == 0:
            before, after = directory / "before.json", directory / "after.json"
            before.write_bytes(plain)
            for form in ("agentchat", "agentchat-encoded"):
                group.add(tool.convert(form, before, after), accepted_as(digests), "converted")
    group.flush()
    where = ("the same location", "other locations")
    same, other = (result.counts.get("edits refused at " + each, 0) for each in where)
    result.check(other * 10 <= same + other, "edits", f"{other} of {same + other} are refused at other locations")


def main(arguments):
    if len(arguments) not in (2, 3) or arguments[1] not in ("recorded", "generated"):
        print(__doc__, file=sys.stderr)
        return 1
    tool, result = Tool(arguments[0]), Result()
    if arguments[1] == "recorded":
        recorded_documents(tool, result)
        recorded_refusals(tool, result)
        recorded_vectors(result)
    else:
        directory = pathlib.Path(tempfile.mkdtemp(prefix="agentchat-compatibility-"))
        generated(tool, result, directory, *arguments[2:] or ["300"])
        if not result.failed:
            shutil.rmtree(directory)
    for what, count in sorted(result.counts.items()):
        print(f"{count:8} {what}")
    print(f"{result.done} comparisons, {result.failed} failed")
    return 1 if result.failed or not result.done else 0


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
