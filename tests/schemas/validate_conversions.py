#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what was written against the schemas, by an independent validator: files that .NET wrote against the schema of
Semantic Kernel's state, and what the command line tool makes of them in every format.

    validate_conversions.py AGENTCHAT

Exit status: 0 passed, 1 failed, 77 skipped (the module jsonschema is missing)."""

import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: the Python module jsonschema is missing")
    sys.exit(77)

TESTS = pathlib.Path(__file__).resolve().parent.parent
RECORDED = TESTS / "interop" / "semantic-kernel" / "recorded"


def validator(name):
    schema = json.loads((TESTS.parent / "schemas" / name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def main():
    tool = sys.argv[1]
    theirs = validator("semantic-kernel.schema.json")
    ours = validator("agentchat-1.schema.json")
    providers = {name: validator(name + ".schema.json") for name in ("openai-chat", "openai-responses", "anthropic")}
    # The camel-case file has another envelope by the wish of whoever wrote it; a sixth of the random ones is enough here.
    files = [f for f in sorted(RECORDED.glob("named/*.json")) if not f.name.endswith("-camel.json")]
    files += sorted(RECORDED.glob("random/*.json"))[::6]
    checked = failed = 0
    for file in files:
        documents = [("as .NET wrote it", theirs, file.read_bytes())]
        for arguments, schema in ((["agentchat"], ours), (["agentchat-encoded"], ours), (["semantic-kernel"], theirs),
                                  (["semantic-kernel", "--strict"], theirs),
                                  *(([name], schema) for name, schema in providers.items())):
            written = subprocess.run([tool, "convert", "--to", *arguments, str(file), "-"], capture_output=True)
            if written.returncode != 0:
                print(f"{file.name}: cannot be converted to {' '.join(arguments)}: {written.stderr.decode()}")
                failed += 1
                continue
            documents.append(("as " + " ".join(arguments), schema, written.stdout))
        for what, schema, document in documents:
            checked += 1
            error = next(schema.iter_errors(json.loads(document)), None)
            if error is not None:
                print(f"{file.name}, {what}: /{'/'.join(map(str, error.path))}: {error.message[:300]}")
                failed += 1
    for name, schema in providers.items():
        text = "input_text" if name == "openai-responses" else "text"
        for wrong in ("5", '{"messages":5,"input":5}', '[{"role":"user","content":5}]', '[{"role":5}]',
                      '[{"role":"user","content":[{"type":"%s","text":5}]}]' % text):
            if schema.is_valid(json.loads(wrong)):
                print(f"the schema of {name} accepts {wrong}")
                failed += 1
    for wrong in ('{"History":{}}', '{"Participants":[],"History":[{"Role":5}],"Channels":[]}', "[]5", "7"):
        try:
            accepted = theirs.is_valid(json.loads(wrong))
        except json.JSONDecodeError:
            continue
        if accepted:
            print(f"the schema of Semantic Kernel accepts {wrong}")
            failed += 1
    print(f"{checked} documents checked, {failed} wrong")
    return 1 if failed or checked < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
