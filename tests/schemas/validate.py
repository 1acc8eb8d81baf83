#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks schemas/agentchat-1.schema.json with an independent validator: every golden file of format 1 and every accepted
case must pass, what stands in base64 too; and no case that breaks a rule the schema can state may pass.

Exit status: 0 passed, 1 failed, 77 skipped (the module jsonschema is missing)."""

import base64
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: the Python module jsonschema is missing")
    sys.exit(77)

TESTS = pathlib.Path(__file__).resolve().parent.parent
SCHEMA = json.loads((TESTS.parent / "schemas" / "agentchat-1.schema.json").read_text(encoding="utf-8"))

# Refused cases whose rule no schema can state: repeated properties, order, positions in the history, depth, bytes.
BEYOND_SCHEMAS = (
    "twice", "run-beyond", "run-first-beyond", "run-overlaps", "run-descends", "run-repeats", "synced-beyond",
    "pending-beyond", "pending-descends", "too-deep", "extra-and-plain", "reader-above-format", "format-fraction",
    "chat-inner", "channel-inner",
)


def definition(name):
    """A validator of one definition, with the whole schema to resolve references in."""
    return jsonschema.Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": "#/$defs/" + name})


WHOLE = jsonschema.Draft202012Validator(SCHEMA)


def problems(document):
    """Everything that is wrong with a document, encoded parts included."""
    found = [error.message for error in WHOLE.iter_errors(document)]
    if found or "encoding" not in document["agentchat"]:
        return found
    parts = [("history", document["history"])]
    parts += [("participant", text) for text in document["participants"]]
    parts += [("channel", channel["channelstate"]) for channel in document["channels"]]
    parts += [("value", text) for text in document.get("values", [])]
    for name, text in parts:
        try:
            value = json.loads(base64.b64decode(text, validate=True).decode("utf-8"))
        except ValueError as error:
            found.append(f"{name}: {error}")
            continue
        found += [f"{name}: {error.message}" for error in definition(name).iter_errors(value)]
        if name == "channel" and "channelkey" in value:
            found.append("channel: the key stands inside")
    return found


def main():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    failed = passed = refused = 0
    good = sorted((TESTS / "data/golden/format-1").glob("*.json"))
    good += sorted((TESTS / "format").glob("agentchat*/cases/*.in"))
    for path in good:
        found = problems(json.loads(path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogatepass")))
        passed += not found
        failed += bool(found)
        for problem in found:
            print(f"{path.name}: {problem}")
    for path in sorted((TESTS / "format").glob("agentchat*/cases/refused/*.in")):
        expected = path.with_suffix(".error").read_text(encoding="utf-8").split("\n")[0]
        if expected == "E_SYNTAX" or any(part in path.name for part in BEYOND_SCHEMAS):
            continue
        if problems(json.loads(path.read_text(encoding="utf-8"))):
            refused += 1
        else:
            failed += 1
            print(f"{path.name}: the schema accepts what must be refused")
    print(f"{passed} documents accepted, {refused} refused, {failed} wrong")
    return 1 if failed or not passed or not refused else 0


if __name__ == "__main__":
    sys.exit(main())
