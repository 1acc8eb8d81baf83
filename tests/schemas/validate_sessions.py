#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks schemas/session-1.schema.json with an independent validator: every golden session file and every sample in the
native form must pass, each of their events alone too; and no file that breaks a rule the schema can state may pass.

Exit status: 0 passed, 1 failed, 77 skipped (the module jsonschema is missing)."""

import copy
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: the Python module jsonschema is missing")
    sys.exit(77)

TESTS = pathlib.Path(__file__).resolve().parent.parent
SCHEMAS = [json.loads((TESTS.parent / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
           for name in ("session-1", "agentchat-1")]

# What spoils a good file: where, and the value put there (None: the property is taken out).
EVENT = ("events", 1)
WRONG = (
    (("agentchatsession",), None), (("agentchatsession",), {}), (("agentchatsession",), {"format": 0}),
    (("agentchatsession",), {"format": 2, "reader": 2}), (("state",), None), (("state",), []), (("events",), {}),
    (("events",), None), (("app",), ""), (("user",), 1), (("id",), "x" * 513), (("time",), "now"), (("sequence",), -1),
    (("sequence",), 1.5), (("state", ""), 1), (("state", "app:"), 1), (("initial", "user:x"), 1), (("initial",), 1),
    (EVENT + ("author",), None), (EVENT + ("author",), 1), (EVENT + ("id",), ""), (EVENT + ("id",), "a\0b"),
    (EVENT + ("invocation",), {}), (EVENT + ("time",), "2026-11-21"), (EVENT + ("time",), 1),
    (EVENT + ("sequence",), 0), (EVENT + ("branch",), 5), (EVENT + ("partial",), "no"), (EVENT + ("content",), 1),
    (EVENT + ("content",), {"items": [{"text": "no type"}]}), (EVENT + ("longrunning",), [1]),
    (EVENT + ("extras",), [{"name": "x"}]), (EVENT + ("actions",), []), (EVENT + ("actions", "statedelta"), []),
    (EVENT + ("actions", "statedelta", "temp:"), 1), (EVENT + ("actions", "statedelete"), [""]),
    (EVENT + ("actions", "statedelete"), ["x", "x"]), (EVENT + ("actions", "stateadd", "n"), 1.5),
    (EVENT + ("actions", "stateadd", "n"), 2**63), (EVENT + ("actions", "artifacts"), []),
    (EVENT + ("actions", "transfer"), True), (EVENT + ("actions", "escalate"), 1),
    (EVENT + ("actions", "skipsummarization"), "x"), (EVENT + ("actions", "compaction"), "x"),
    (EVENT + ("actions", "extras"), {}),
)  # fmt: skip


def bundled():
    """The schema of sessions with the definitions of the other one among its own, since not every version of the module
    finds a schema by a URN."""
    ours, other = SCHEMAS

    def rewritten(node, base):
        if isinstance(node, list):
            return [rewritten(element, base) for element in node]
        if not isinstance(node, dict):
            return node
        node = {name: rewritten(value, base) for name, value in node.items()}
        if "$ref" in node:
            file, _, pointer = node["$ref"].partition("#")
            assert file in ("", other["$id"]) and pointer.startswith("/$defs/"), node["$ref"]
            owner = other if file or base is other else ours
            name = pointer.removeprefix("/$defs/")
            assert name in owner["$defs"], node["$ref"]
            node["$ref"] = "#/$defs/" + ("other-" if owner is other else "") + name
        return node

    schema = rewritten(ours, ours)
    schema["$defs"].update({"other-" + name: rewritten(value, other) for name, value in other["$defs"].items()})
    return schema


def spoiled(document, path, value):
    document = copy.deepcopy(document)
    parent = document
    for name in path[:-1]:
        parent = parent[name]
    if value is None:
        del parent[path[-1]]
    else:
        parent[path[-1]] = value
    return document


def main():
    schema = bundled()
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[0])
    whole = jsonschema.Draft202012Validator(schema)
    event = jsonschema.Draft202012Validator({"$defs": schema["$defs"], "$ref": "#/$defs/event"})
    files = sorted((TESTS / "data/golden/session-1").glob("*.json")) + sorted((TESTS / "format/adk/cases/sessions").glob("*.native"))
    failed = passed = refused = 0
    for file in files:
        document = json.loads(file.read_bytes().decode("utf-8", "surrogatepass"))
        found = list(whole.iter_errors(document))
        for one in document["events"]:
            found += event.iter_errors(one)
        passed += not found
        failed += bool(found)
        for error in found:
            print(f"{file.name}: /{'/'.join(map(str, error.path))}: {error.message[:300]}")
    good = json.loads((TESTS / "data/golden/session-1/every-property.json").read_bytes().decode("utf-8", "surrogatepass"))
    for path, value in WRONG:
        if whole.is_valid(spoiled(good, path, value)):
            print(f"/{'/'.join(map(str, path))}: the schema accepts {value!r}")
            failed += 1
        else:
            refused += 1
    print(f"{passed} files accepted, {refused} refused, {failed} wrong")
    return 1 if failed or not passed or not refused else 0


if __name__ == "__main__":
    sys.exit(main())
