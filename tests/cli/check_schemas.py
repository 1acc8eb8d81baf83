# SPDX-License-Identifier: Apache-2.0
"""Runs the tool's commands with --json and checks each line against the schema that the tool prints for it."""

import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("the Python package jsonschema is not installed")
    sys.exit(77)

TOOL, DATA = sys.argv[1:3]


def run(*args):
    return subprocess.run([TOOL, *args], capture_output=True, check=False)


def closed(part):
    """The schemas let a reader skip new members; for this test a member that they do not describe is an error."""
    if isinstance(part, dict):
        part = {key: closed(value) for key, value in part.items()}
        if "properties" in part and part.get("type") == "object":
            part.setdefault("additionalProperties", False)
    elif isinstance(part, list):
        part = [closed(value) for value in part]
    return part


def schema(name):
    result = run("check", "--schema", name)
    assert result.returncode == 0, result.stderr
    parsed = json.loads(result.stdout)
    jsonschema.Draft202012Validator.check_schema(parsed)
    return jsonschema.Draft202012Validator(closed(parsed))


def data(*names):
    return [os.path.join(DATA, name) for name in names]


def main():
    out = tempfile.mkdtemp()
    everything = sorted(name for name in os.listdir(DATA) if name.endswith(".json"))
    sound = [name for name in everything if run("check", *data(name)).returncode == 0]
    assert len(sound) >= 3, sound
    calls = [("check", ["--json", *data(*everything), "missing.json"], "stdout")]
    calls += [("digest", ["--json", *data(*sound)], "stdout"), ("digest", ["--json", "--all", *data(*sound)], "stdout")]
    for name in sound:
        calls += [("participants", ["--json", *data(name)], "stdout"), ("channels", ["--json", *data(name)], "stdout")]
        calls += [("diff", ["--json", *data(sound[0], name)], "stdout")]
        for to in ("agentchat", "agentchat-encoded", "semantic-kernel"):
            target = os.path.join(out, f"{to}-{name}")
            calls += [("convert", ["--json", "--to", to, *data(name), target], "stderr")]
            calls += [("convert", ["--json", "--fail-on-loss", "--to", to, *data(name), target], "stderr")]
    calls += [("convert", ["--json", "--to", "agentchat", "missing.json", os.path.join(out, "x")], "stderr")]
    checked = 0
    for command, args, stream in calls:
        validator = schema(f"cli-{command}")
        lines = getattr(run(command, *args), stream).decode("utf-8", "surrogatepass").splitlines()
        assert lines, (command, args)
        for line in lines:
            validator.validate(json.loads(line))
            checked += 1
    subprocess.run(["rm", "-rf", out], check=True)
    print(f"{checked} lines are as their schemas say")


main()
