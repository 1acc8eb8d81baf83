#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds what google-adk makes of our exports against what it makes of the originals.

    check.py PEER RECORDED COUNT

Every session recorded from google-adk and from ADK-Rust, and COUNT random ones, go through a store of ours. Then:
google-adk reads every export; where it reads the original too, what it holds then differs only where our report says
so; and we read whatever it reads, but for what the list below names. Exit status 1: something is not so.
"""

import json
import logging
import pathlib
import subprocess
import sys
import warnings

import generate
from google.adk.sessions.session import Session

# What google-adk reads and we do not: what is no JSON, and what is deeper than the default limit.
REFUSED_BY_US = {
    "probes/event-time-nan.json": "E_SYNTAX",
    "probes/nan-in-state.json": "E_SYNTAX",
    "probes/deep-190.json": "E_LIMIT",
}
# Our names of what differs, without `_` and in small letters, and Google's.
OUR_NAMES = {
    "items": "parts", "time": "timestamp", "start": "starttimestamp", "end": "endtimestamp", "content": "content",
    "longrunning": "longrunningtoolids", "invocation": "invocationid", "transfer": "transfertoagent",
    "artifacts": "artifactdelta", "statedelete": "statedelta", "stateadd": "statedelta",
}
# What google-adk carries out where it stands on an event.
EXECUTED = {
    "state": ["actions", "statedelta"], "route": ["actions", "route"], "node_path": ["nodeinfo", "path"],
    "message": ["content"],
}


class Peer:
    """The program of ours, asked one session after the other."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, text):
        """Status, entries of the report as (kind, path, text), export."""
        data = text.encode("utf-8", "surrogatepass")
        self.process.stdin.write(b"%d\n%s" % (len(data), data))
        self.process.stdin.flush()
        status, reported, length = self.process.stdout.readline().decode().split()
        report = self.process.stdout.read(int(reported)).decode("utf-8", "replace")
        export = self.process.stdout.read(int(length))
        entries = [tuple(line.split("\t", 2)) for line in report.split("\n") if line.count("\t") >= 2]
        return status, entries, export.decode("utf-8", "replace"), report


def google(text):
    """What google-adk holds, or why it refuses."""
    try:
        return Session.model_validate_json(text).model_dump(), None
    except Exception as error:  # it raises errors of its own besides pydantic's  pylint: disable=broad-except
        return None, " ".join(str(error).split())[:300]


def shown(value):
    return json.dumps(value, default=repr)[:80]


def differences(before, after, path=()):
    """Yields the paths at which two values differ."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            if key not in before or key not in after:
                yield path + (str(key),), before.get(key), after.get(key)
            else:
                yield from differences(before[key], after[key], path + (str(key),))
    elif isinstance(before, list) and isinstance(after, list):
        if len(before) != len(after):
            yield path, f"{len(before)} entries", f"{len(after)} entries"
        else:
            for index, pair in enumerate(zip(before, after)):
                yield from differences(*pair, path + (str(index),))
    elif type(before) is not type(after) or (before != after and not (before != before and after != after)):
        yield path, before, after


def plain(segment):
    name = segment.replace("_", "").lower()
    return OUR_NAMES.get(name, name)


def is_reported(path, entries):
    """Whether an entry is about the location of a difference: about what it stands in, or about what stands in it.
    Inside of a part our names are others."""
    wanted = [plain(segment) for segment in path]
    if "parts" in wanted:
        wanted = wanted[: wanted.index("parts") + 2]
    for _, pointer, text in entries:
        names = [s.replace("~1", "/").replace("~0", "~") for s in pointer.split("/")[1:]]
        reported = [plain(name) for name in names]
        if len(names) == 3 and names[2] in EXECUTED and "carry it out" in text:
            reported = reported[:2] + EXECUTED[names[2]]
        if len(reported) > 0 and all(a == b for a, b in zip(wanted, reported)):
            return True
    return False


def aligned(before, after, entries):
    """The events of the original without those that we left out, which is in the report."""
    out = {p for _, p, t in entries if t.startswith("the event was left out")}
    events = [e for i, e in enumerate(before["events"]) if f"/events/{i}" not in out]
    # Entries of the import count all events of the file.
    positions = [i for i in range(len(before["events"])) if f"/events/{i}" not in out]
    moved = []
    for kind, path, text in entries:
        parts = path.split("/")
        if kind.startswith("import") and len(parts) > 2 and parts[1] == "events":
            if int(parts[2]) not in positions:
                continue
            parts[2] = str(positions.index(int(parts[2])))
        moved.append((kind, "/".join(parts), text))
    return {**before, "events": events, "last_update_time": 0}, {**after, "last_update_time": 0}, moved


class Check:
    def __init__(self, peer):
        self.peer = peer
        self.failures = 0
        self.counts = {}

    def fail(self, name, text):
        self.failures += 1
        if self.failures <= 60:
            print(f"FAILED {name}: {text}")

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def session(self, name, text):
        before, refused = google(text)
        status, entries, export, report = self.peer.ask(text)
        if status != "AGENTCHAT_OK" and status != "OK":
            wanted = REFUSED_BY_US.get(name)
            self.count("refused by us")
            if before is not None and (wanted is None or not status.endswith(wanted)):
                self.fail(name, f"google-adk reads it, we do not: {report[-200:]}")
            return
        after, reason = google(export)
        if after is None:
            self.fail(name, f"google-adk refuses our export: {reason}")
            return
        if before is None:
            self.count("read by us only")
            return
        before, after, entries = aligned(before, after, entries)
        differ = list(differences(before, after))
        self.count("differ, reported" if differ else "the same")
        for path, old, new in differ:
            if not is_reported(path, entries):
                self.fail(name, f"/{'/'.join(path)} was {shown(old)}, is {shown(new)}, which no report says")


def recorded(path):
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        record = json.loads(line)
        yield record["name"], record["text"]


def rust_sessions(path):
    """Each file of ADK-Rust's events, and each of its answers, as a session."""
    for name, text in recorded(path):
        if name.startswith("rest/"):
            yield name, text
        elif name.startswith("events/"):
            events = ",".join(line for line in text.split("\n") if line)
            yield name, '{"id":"s","appName":"a","userId":"u","state":{},"events":[%s]}' % events


def main(program, directory, count):
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    directory = pathlib.Path(directory)
    runs = (
        ("recorded from google-adk", recorded(directory / "python.jsonl")),
        ("recorded from ADK-Rust", rust_sessions(directory / "rust.jsonl")),
        ("random", generate.sessions(int(count))),
        ("random, in the native format", generate.native_sessions(int(count))),
    )
    failures = 0
    for title, sessions in runs:
        check = Check(Peer(program))
        for name, text in sessions:
            check.session(name, text)
        print(f"{title}: {check.counts}, {check.failures} failures")
        failures += check.failures
    return failures > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
