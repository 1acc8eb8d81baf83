#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that hostile documents cost time and memory in proportion to their size.

    growth.py [--sizes N,N,...] [--operations NAME,...] [--jobs N] [--table FILE] [--valgrind PROGRAM] PROGRAM
              [FAMILY...]

PROGRAM is hostile_growth, which does everything the library does with documents of one family and several sizes and
prints memory and allocator calls. It runs under callgrind, which counts instructions: nothing is timed, so a busy machine
changes nothing. For each family and operation, from each size to the next twice as large,

    instructions grow by at most 2.3; where some step is higher, as where a buffer goes beyond a fixed size, the second
    doubling after the largest size must keep to it;
    memory beyond the document is at most 100 times the document and 256 KiB (for a page 1 MiB: what cmark may take for a
    short text), and where it is more than 8 times the document it grows by at most 2.3 a doubling from the first size
    to the last;
    calls of the allocator are at most 2 a byte.

Where what is made of a document repeats it (families marked `repeats`), the outcome may turn into E_LIMIT as it grows, as
docs/limits.md says. --table writes the measurements as Markdown. Without families or operations: all.

Exit status 0: proved; 1: some operation grows faster; 77: valgrind is missing.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

FACTOR = 2.3
MEMORY_FACTOR = 100
MEMORY_SLACK = 256 * 1024
VIEW_MEMORY_SLACK = 1280 * 1024
LITTLE_MEMORY = 8
CALLS = 2
REPEATING = 3  # sizes of families that repeat: each uses up its budget of output, which is more than a mebibyte
# The C library copies and fills large blocks with one instruction that counts as many; not so here.
TUNABLES = "glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.x86_rep_movsb_threshold=1000000000"


class Row:
    """One operation on one document."""

    def __init__(self, line, work):
        family, self.operation, size, peak, calls, output, self.status = line.split()
        self.size, self.peak, self.calls, self.output = int(size), int(peak), int(calls), int(output)
        self.work = work


def counts(directory):
    """The instruction counts of the calls of operate(), in order: one dump each, cg.1, cg.2, ..."""
    found = {}
    for name in os.listdir(directory):
        number = re.fullmatch(r"cg\.(\d+)", name)
        if number is None:
            continue
        with open(os.path.join(directory, name), encoding="utf-8", errors="replace") as dump:
            totals = [line for line in dump if line.startswith("totals: ")]
        found[int(number.group(1))] = int(totals[-1].split()[1])
    return [found[number] for number in sorted(found)]


def run(arguments, family, sizes):
    with tempfile.TemporaryDirectory(prefix="agentchat-growth-") as directory:
        command = [arguments.valgrind, "-q", "--tool=callgrind", "--toggle-collect=operate", "--dump-after=operate",
                   "--callgrind-out-file=" + os.path.join(directory, "cg"), arguments.program, family]
        done = subprocess.run(command + [str(size) for size in sizes], capture_output=True, text=True, check=False,
                              env=dict(os.environ, GLIBC_TUNABLES=TUNABLES))
        lines = done.stdout.splitlines()
        work = counts(directory)
    if done.returncode != 0 or len(work) != len(lines):
        sys.exit(f"{family}: exit status {done.returncode}, {len(lines)} lines, {len(work)} counts\n{done.stderr}")
    rows = {}
    for line, instructions in zip(lines, work):
        row = Row(line, instructions)
        rows.setdefault(row.operation, []).append(row)
    return rows


def growths(rows, sizes):
    return [b.work / max(a.work, 1) / (to / start) * 2 for a, b, start, to in zip(rows, rows[1:], sizes, sizes[1:])]


def check_memory(rows, sizes, repeats):
    first, last = rows[0], rows[-1]
    if repeats and last.operation == "read-default":
        return  # reads all of the budget of copies, not the document
    allowed = sizes[-1] / sizes[0] * (FACTOR / 2) ** (len(rows) - 1)
    # References fill their budget, which is part of the factor below, at the square of the size.
    if not repeats and last.peak > LITTLE_MEMORY * sizes[-1] + MEMORY_SLACK and last.peak / max(first.peak, 4096) > allowed:
        yield f"memory grows from {first.peak} to {last.peak} bytes"
    slack = VIEW_MEMORY_SLACK if last.operation == "view" else MEMORY_SLACK
    for row, size in zip(rows, sizes):
        if row.peak > MEMORY_FACTOR * size + slack:
            yield f"{row.peak} bytes of memory for {row.size}"
        if row.calls > CALLS * size + 100:
            yield f"{row.calls} allocator calls for {row.size} bytes"


def prove(arguments, family, repeats, sizes):
    """Measures a family. Its faults, and for each operation: the highest growth, memory and instructions a byte."""
    if repeats:
        sizes = sizes[:REPEATING]
    rows = run(arguments, family, sizes)
    if arguments.operations:
        rows = {operation: rows[operation] for operation in arguments.operations.split(",") if operation in rows}
    faults, shown = [], []
    highest = {operation: max(growths(of_one, [row.size for row in of_one]), default=0) for operation, of_one in rows.items()}
    steps = [operation for operation, growth in highest.items() if growth > FACTOR]
    if steps:
        larger = run(arguments, family, [sizes[-1], sizes[-1] * 2, sizes[-1] * 4])
        for operation in steps:
            if repeats and len(larger.get(operation, [])) < 3:
                continue  # refused in reading
            highest[operation] = growths(larger[operation], [row.size for row in larger[operation]])[-1]
            if highest[operation] > FACTOR:
                work = ", ".join(f"{row.work} at {row.size}" for row in rows[operation] + larger[operation])
                faults.append(f"{family} {operation}: the instructions grow too fast: {work}")
    for operation, of_one in rows.items():
        if not repeats and len({row.status for row in of_one}) > 1:
            faults.append(f"{family} {operation}: not the same outcome at all sizes")
        faults += [f"{family} {operation}: {fault}" for fault in check_memory(of_one, [row.size for row in of_one], repeats)]
        last, size = of_one[-1], of_one[-1].size
        shown.append((operation, highest[operation], last.peak / size, last.work / size, last.status))
    return faults, shown


def table(results):
    """Markdown: a line for each family, the operation that grows most and the one that takes most memory."""
    lines = ["| family | highest growth at twice the size | instructions a byte | memory a byte |",
             "|---|---|---|---|"]
    for family, operations in results:
        growth = max(operations, key=lambda o: o[1])
        work = max(operations, key=lambda o: o[3])
        memory = max(operations, key=lambda o: o[2])
        lines.append(f"| `{family}` | {growth[1]:.2f} ({growth[0]}) | {work[3]:,.0f} ({work[0]}) | "
                     f"{memory[2]:.1f} ({memory[0]}) |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="proves that hostile documents cost in proportion to their size")
    parser.add_argument("--sizes", default="32768,65536,131072,262144")
    parser.add_argument("--operations")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--table")
    parser.add_argument("--valgrind", default=shutil.which("valgrind"))
    parser.add_argument("program")
    parser.add_argument("families", nargs="*")
    arguments = parser.parse_args()
    if arguments.valgrind is None:
        print("valgrind is not installed")
        return 77
    sizes = [int(size) for size in arguments.sizes.split(",")]
    listed = subprocess.run([arguments.program], capture_output=True, text=True, check=True).stdout.split("\n")
    all_families = {line.split()[0]: line.endswith(" repeats") for line in listed if line}
    families = arguments.families or list(all_families)
    for family in families:
        if family not in all_families:
            sys.exit(f"there is no family {family}")
    faults, results = [], []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        proofs = pool.map(lambda family: prove(arguments, family, all_families[family], sizes), families)
        for family, (found, shown) in zip(families, proofs):
            faults += found
            results.append((family, shown))
            for operation, growth, memory, work, status in shown:
                print(f"{family:28} {operation:16} {status:10} growth {growth:5.2f}, {work:8,.0f} instructions and "
                      f"{memory:6.1f} bytes a byte", flush=True)
            for fault in found:
                print("FAULT " + fault, flush=True)
    if arguments.table:
        with open(arguments.table, "w", encoding="utf-8") as out:
            out.write(table(results))
    print(f"{len(families)} families, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
