# SPDX-License-Identifier: Apache-2.0
"""What the objects of a build say of its sources: which symbols a file defines and which it uses."""

import os
import subprocess
import sys

from project_files import TOP


def _source_of(build, path):
    """src/io/sink.c of BUILD/src/io/CMakeFiles/TARGET.dir/sink.c.o; None when the project has no such file."""
    folder, _, rest = os.path.relpath(path, build).partition("CMakeFiles/")
    source = os.path.normpath(os.path.join(folder, rest.partition(".dir/")[2][:-len(".o")]))
    return source if os.path.isfile(os.path.join(TOP, source)) else None


def _objects(build):
    """Source -> its newest object: a file may be compiled for several targets."""
    found = {}
    for folder, _, names in os.walk(build):
        for name in names:
            path = os.path.join(folder, name)
            source = _source_of(build, path) if name.endswith(".c.o") else None
            if source is not None and (source not in found or
                                       os.path.getmtime(path) > os.path.getmtime(found[source])):
                found[source] = path
    return found


def symbols(build):
    """Source -> (the symbols that it defines, those that it uses and does not define)."""
    result = {}
    for source, path in _objects(os.path.abspath(build)).items():
        listed = subprocess.run(["nm", "--format=posix", path], capture_output=True, text=True, check=False)
        if listed.returncode != 0:
            sys.exit(f"nm cannot read {path}: {listed.stderr.strip()}")
        kinds = [line.split()[:2] for line in listed.stdout.splitlines() if line]
        result[source] = ({name for name, kind in kinds if kind in "TDRBCVW"},
                          {name for name, kind in kinds if kind == "U"})
    return result


def calls_within_folders(table):
    """Source -> {another source of its folder: the symbols of it that the first one uses}."""
    owner = {(os.path.dirname(source), name): source for source, (defined, _) in table.items() for name in defined}
    calls = {}
    for source, (_, used) in table.items():
        to = calls.setdefault(source, {})
        for name in sorted(used):
            other = owner.get((os.path.dirname(source), name))
            if other is not None and other != source:
                to.setdefault(other, []).append(name)
    return calls


def _reached(calls, start):
    seen, ahead = set(), [start]
    while ahead:
        for other in calls[ahead.pop()]:
            if other not in seen:
                seen.add(other)
                ahead.append(other)
    return seen


def rings(calls):
    """The sets of files that call each other, directly or through others of them."""
    reached = {source: _reached(calls, source) for source in calls}
    found = {frozenset(other for other in reached[source] if source in reached[other])
             for source in calls if source in reached[source]}
    return sorted(sorted(ring) for ring in found)
