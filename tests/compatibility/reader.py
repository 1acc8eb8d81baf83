#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second reader of format 1, written from docs/formats/agentchat.md and docs/formats/digest.md alone.

usage: reader.py digest [--all] FILE...     the digest of each file, as `agentchat digest` prints it
       reader.py canonical [--all] FILE     the canonical text that the digest is made of
       reader.py check FILE...              whether each file is a sound document, and else where and why not

Exit status: 0 fine, 1 a file is refused, 2 wrong usage or an unreadable file."""

import pathlib
import sys

import canonical
import format1
from jsontext import Fault


def run(command, everything, name):
    """What the command prints for a file."""
    chat, format_name = format1.read(pathlib.Path(name).read_bytes())
    if command == "check":
        return f"{name}: {format_name}, ok"
    if command == "canonical":
        return canonical.text_of(chat, everything)
    return f"sha256:{canonical.digest(chat, everything)}  {name}"


def main(arguments):
    everything = "--all" in arguments[1:]
    names = [argument for argument in arguments[1:] if argument != "--all"]
    if not names or arguments[0] not in ("digest", "canonical", "check") or everything and arguments[0] == "check":
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for name in names:
        try:
            print(run(arguments[0], everything, name))
        except Fault as fault:
            print(f"{name}: {fault.pointer}: byte {fault.offset}: {fault.status}: {fault.sentence}")
            status = max(status, 1)
        except OSError as error:
            print(f"{name}: {error.strerror}", file=sys.stderr)
            status = 2
    return status


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
