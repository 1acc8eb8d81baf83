#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every test that SECURITY.md names is there.

    check_promises.py

A promise names its tests as `path: name`, the path from tests/ on: a C function `test_...`, a method `test_...` of a
Python test, a family of tests/hostile/families.c, or a directory with a script (then without a name). Each row of the table
of promises must name one, and no test may be named that is not run: a C test must be in the list of its program,
directly or by a macro of that program's.
Exit status 0: all there; 1: something is missing.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REFERENCE = re.compile(r"`([\w./-]+)(?:: ([\w-]+))?`")


def problem_of(path, name):
    full = os.path.join(ROOT, "tests", path)
    if name is None:
        return None if os.path.isfile(os.path.join(full, "script")) else f"tests/{path} is no case with a script"
    if not os.path.isfile(full):
        return f"there is no tests/{path}"
    with open(full, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".py"):
        found = re.search(rf"^\s*def {name}\(", text, re.M)
    elif name.startswith("test_"):
        found = re.search(rf"\b{name}\(void \*\*", text) and re.search(
            rf"(cmocka_unit_test\w*|\b[A-Z_]+)\(\s*{name}\b", text)
    else:
        found = f'{{"{name}",' in text
    return None if found else f"tests/{path} has no {name} that is run"


def main():
    problems, rows, references = [], 0, 0
    with open(os.path.join(ROOT, "SECURITY.md"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    inside = False
    for number, line in enumerate(lines, 1):
        inside = line.startswith("|") and (inside or "test" in line.split("|")[-2])
        if not inside or set(line) <= set("|-") or line.split("|")[-2].strip() in ("tests", "test"):
            continue
        rows += 1
        named = [m for m in REFERENCE.finditer(line.split("|")[-2]) if "/" in m.group(1)]
        if not named:
            problems.append(f"SECURITY.md:{number}: this promise names no test")
        for match in named:
            references += 1
            problem = problem_of(match.group(1), match.group(2))
            if problem is not None:
                problems.append(f"SECURITY.md:{number}: {problem}")
    if rows == 0:
        problems.append("SECURITY.md: there is no table of promises")
    for problem in problems:
        print(problem)
    print(f"{rows} promises, {references} tests, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
