#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ADK-Rust's own library and the events that we write as `adk-rust`: it reads each of them, and what it writes of it
says nothing else.

    check.py PEER ADK-RUST CHATS

Exit status: 0 passed, 1 failed."""

import datetime
import json
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[3]
TIMES = {"timestamp", "start_timestamp", "end_timestamp"}


def events():
    """Every event that the tests have, in whatever format."""
    for file in sorted(TESTS.glob("format/*/cases/events/*")):
        if file.suffix in (".in", ".native"):
            yield file.read_bytes()
    for file in sorted(TESTS.glob("interop/google-adk/recorded/*.jsonl")):
        yield from file.read_bytes().splitlines()
    for line in (TESTS / "interop/google-adk/kinds.jsonl").read_text(encoding="utf-8").splitlines():
        for event in json.loads(json.loads(line)["events"]):
            yield json.dumps(event).encode()
    for depth in (60, 120, 125, 126):
        for around in ('"extra":%s', '"actions":{"stateDelta":{"k":%s}}'):
            yield b'{"author":"a","id":"e","timestamp":1,' + (around % ("[" * depth + "]" * depth)).encode() + b"}"
    for number in ("1e308", "-1.7976931348623157e308", "1.7976931348623159e308", "1e309", "-1e400", "0e999", "9" * 308,
                   "9" * 309, "1" + "0" * 500, "1e99999999999999999999", "1e-99999999999999999999", "1.5E+400", "0.1e309"):
        yield (b'{"author":"a","id":"e","timestamp":1,"x":[true,false,"1e999\\"",' + number.encode() + b'],'
               b'"actions":{"stateDelta":{"k":' + number.encode() + b"}}}")


def is_same_time(ours, theirs):
    def parse(text):
        whole, _, rest = text.upper().replace("Z", "+00:00").partition(".")
        digits = rest[:len(rest) - 6] if rest else ""
        return whole[:19].replace(":60", ":59"), (whole + rest)[-6:], digits[:9].rstrip("0")
    a, b = parse(ours), parse(theirs)
    if a == b or a[0].startswith("0000"):
        return True
    at = [datetime.datetime.fromisoformat(t[0] + t[1]) for t in (a, b)]
    return at[0] == at[1] and a[2] == b[2]


def difference(ours, theirs, path=""):
    """Where what ADK-Rust says is not what we wrote; what it does not know it leaves out."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for name, value in theirs.items():
            if name in TIMES and isinstance(value, str):
                found = None if is_same_time(ours[name], value) else f"{path}/{name}"
            else:
                found = difference(ours.get(name), value, f"{path}/{name}")
            if found is not None:
                return found
        return None
    if isinstance(theirs, list) and isinstance(ours, list):
        if len(ours) != len(theirs):
            return path
        return next((found for found in (difference(a, b, f"{path}/{i}") for i, (a, b) in enumerate(zip(ours, theirs)))
                     if found is not None), None)
    if type(ours) in (int, float) and type(theirs) in (int, float):
        return None if abs(float(ours) - float(theirs)) <= 1e-15 * abs(float(ours)) else path
    return None if ours == theirs and type(ours) is type(theirs) else path


def main():
    peer, adk_rust, chats = sys.argv[1:]
    given = b"".join(event.replace(b"\n", b" ") + b"\n" for event in events())
    written = subprocess.run([peer, chats], input=given, capture_output=True, check=True).stdout
    answers = subprocess.run([adk_rust], input=written, capture_output=True, check=True).stdout
    lines, answers = written.split(b"\n")[:-1], answers.split(b"\n")[:-1]
    failures = []
    if len(lines) != len(answers):
        failures.append(f"{len(lines)} events and {len(answers)} answers")
    for line, answer in zip(lines, answers):
        found = answer.decode() if answer.startswith(b"error") else difference(json.loads(line), json.loads(answer))
        if found is not None:
            failures.append(f"{found}: {line.decode()[:2000]}")
    print(f"{len(lines)} events read by ADK-Rust, {len(failures)} failures")
    for failure in failures[:20]:
        print(failure)
    return 1 if failures or len(lines) < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
