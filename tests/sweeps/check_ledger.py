#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the rows of the allocation sweeps against the public headers.

    check_ledger.py [HEADERS [SWEEPS]]

HEADERS is the directory of the public headers, SWEEPS that of the sweeps; by default those of this tree. Each function
that a header declares with AGENTCHAT_API has exactly one row in a sweep_*.c, each row is for such a function, and the
row's scenario calls it between sweep_begin() and sweep_end(): itself, or through functions and tables of the same file
that it names.
"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {"SWEEP_NEVER", "SWEEP_ALLOCATES", "SWEEP_MAY_SWALLOW", "SWEEP_DEFAULT_MEMORY"}

DECLARATION = re.compile(r"\bAGENTCHAT_API\b[^;]*?\b(agentchat_\w+)\s*\(")
TABLE = re.compile(r"\bsweep_row\s+rows\[\]\s*=\s*\{(.*?)^\};", re.MULTILINE | re.DOTALL)
ROW = re.compile(r'\{\s*"([^"]*)"\s*,\s*(\w+)\s*,\s*([^,{}]*)[,}]')
FUNCTION = re.compile(r"^\w[\w \t*]*?[ \t*](\w+)\([^;{}]*\)\s*\n\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
VARIABLE = re.compile(r"^static [^;(){}]*?\b(\w+)(?:\[[^\]]*\])?\s*=\s*(\{.*?\});$", re.MULTILINE | re.DOTALL)
WINDOW = re.compile(r"\bsweep_begin\(\);(.*?)\bsweep_end\(\);", re.DOTALL)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def files(folder, pattern):
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if re.fullmatch(pattern, name)]


def without_comments(text):
    """Comments become whitespace; strings stay, and what looks like a comment in them."""
    token = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.DOTALL)
    return token.sub(lambda m: m.group() if m.group()[0] in "\"'" else re.sub(r"[^\n]", " ", m.group()), text)


def declared(folder):
    """Public function -> header."""
    functions = {}
    system = os.path.join(folder, "sys")
    for path in files(folder, r".*\.h") + (files(system, r".*\.h") if os.path.isdir(system) else []):
        text = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", "", without_comments(read(path)), flags=re.MULTILINE)
        for match in DECLARATION.finditer(text):
            functions[match.group(1)] = os.path.basename(path)
    return functions


def named(text, parts):
    """The parts of a file that a text names, and those that they name in turn."""
    found, waiting = set(), [text]
    while waiting:
        new = set(re.findall(r"\b\w+\b", waiting.pop())) & set(parts) - found
        found |= new
        waiting += [parts[name] for name in new]
    return found


def is_swept(scenario, parts, function):
    """Whether the function is called while allocations fail, in whatever part of the file that is."""
    call = re.compile(rf"\b{re.escape(function)}\s*\(")
    for name in {scenario} | named(parts[scenario], parts):
        for window in WINDOW.findall(parts[name]):
            if call.search(window) or any(call.search(parts[other]) for other in named(window, parts)):
                return True
    return False


def check_file(path, public, rows, problems):
    name = os.path.basename(path)
    text = without_comments(read(path))
    table = TABLE.search(text)
    if table is None:
        problems.append(f"{name}: there is no table `static const sweep_row rows[]`")
        return
    bare = STRING.sub('""', text)
    parts = {match.group(1): match.group(2) for match in FUNCTION.finditer(bare)}
    parts.update({match.group(1): match.group(2) for match in VARIABLE.finditer(bare) if match.group(1) != "rows"})
    found = ROW.findall(table.group(1))
    if len(found) != table.group(1).count("{"):
        problems.append(f"{name}: the table has {table.group(1).count('{')} rows, of which {len(found)} were understood")
    for function, scenario, kind in found:
        if function in rows:
            problems.append(f"{name}: {function} has a row already, in {rows[function]}")
        rows[function] = name
        if function not in public:
            problems.append(f"{name}: {function} has a row, but no public header declares it")
        if not set(re.split(r"\s*\|\s*", kind.strip())) <= KINDS:
            problems.append(f"{name}: the row of {function} is of the unknown kind {kind.strip()}")
        if scenario not in parts:
            problems.append(f"{name}: the scenario {scenario} of {function} is no function of this file")
        elif not is_swept(scenario, parts, function):
            problems.append(f"{name}: the scenario {scenario} never calls {function}, whose row it is, between "
                            "sweep_begin() and sweep_end()")


def main():
    headers = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "..", "include", "agentchat")
    sweeps = sys.argv[2] if len(sys.argv) > 2 else HERE
    public = declared(headers)
    rows, problems = {}, []
    for path in files(sweeps, r"sweep_\w+\.c"):
        check_file(path, public, rows, problems)
    for function in sorted(set(public) - set(rows)):
        problems.append(f"{public[function]}: {function} is in no sweep; add a row to a file of tests/sweeps")
    if not public or not rows:
        problems.append(f"{len(public)} public functions and {len(rows)} rows were found: these are not the directories")
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(1)
    print(f"{len(public)} public functions, each in one sweep")


main()
