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


def thread_calls(out, store):
    name = [store, "t1"]
    desk, everything, session = data("desk.json", "everything.json", "sessions/camel.session.json")
    put = ["--json", "--id"]
    return [
        ("thread put", [*put, "first", "--step", "-1", "--source", "input", "--run", "r", *name, desk], "stdout"),
        ("thread put", [*put, "second", "--metadata", '{"k": 1.50}', *name, everything], "stdout"),
        ("thread put", [*put, "third", "--branch", "--parent", "first", *name, session], "stdout"),
        ("thread list", ["--json", store], "stdout"),
        ("thread list", ["--json", "--limit", "1", store], "stdout"),
        ("thread log", ["--json", *name], "stdout"),
        ("thread log", ["--json", "--limit", "1", *name], "stdout"),
        ("thread show", ["--json", *name], "stdout"),
        ("thread show", ["--json", "--at", "second", "--last", "2", *name], "stdout"),
        ("thread show", ["--json", "--last", "1", *name], "stdout"),
        ("thread search", ["--json", store, "is"], "stdout"),
        ("thread search", ["--json", "--limit", "1", *name, "order"], "stdout"),
        ("store index", ["--json", store, "threads"], "stdout"),
        ("store index", ["--json", store, "threads", "on"], "stdout"),
        ("thread diff", ["--json", *name, "first", "second"], "stdout"),
        ("thread diff", ["--json", *name, "first", "first"], "stdout"),
        ("thread export", ["--json", "--output", os.path.join(out, "thread.json"), *name], "stderr"),
        ("thread export", ["--json", "--to", "openai-chat", "--at", "second", "--fail-on-loss", "--output",
                           os.path.join(out, "thread.json"), *name], "stderr"),
        ("thread export", ["--json", "--output", os.path.join(out, "missing", "x"), *name], "stderr"),
        ("thread copy", ["--json", *name, "t2"], "stdout"),
        ("thread prune", ["--json", "--keep", "1", store, "t2"], "stdout"),
        ("thread delete", ["--json", "--run", "r", *name], "stdout"),
        ("thread delete", ["--json", *name], "stdout"),
    ]


def memory_calls(store):
    ana = [store, "users/ana"]
    run("work", "queue", "--body", "user ana", store, "t1", "extract")
    run("memory", "log", store, "/", "--on", "3")
    with open(store + ".jsonl", "w", encoding="utf-8") as file:
        time = "2026-11-21T10:02:00.000000Z"
        json.dump({"namespace": ["c"], "key": "k", "value": {}, "revision": 7, "created": time, "updated": time}, file)
    return [
        ("memory put", ["--json", "--ttl", "1h", *ana, "a", '{"n": 1.50}'], "stdout"),
        ("memory put", ["--json", "--text", "tea", store, "a~1b/~2", "k"], "stdout"),
        ("memory get", ["--json", *ana, "a"], "stdout"),
        ("memory search", ["--json", "--limit", "1", store, "/"], "stdout"),
        ("memory search", ["--json", "--query", "tea", store, "/"], "stdout"),
        ("memory namespaces", ["--json", "--limit", "1", store], "stdout"),
        ("memory namespaces", ["--json", "--depth", "1", store], "stdout"),
        ("memory stats", ["--json", store], "stdout"),
        ("memory import", ["--json", store, store + ".jsonl"], "stdout"),
        ("memory put", ["--json", "--text", "tea", *ana, "a"], "stdout"),
        ("memory log", ["--json", store, "/"], "stdout"),
        ("memory undo", ["--json", *ana, "a"], "stdout"),
        ("memory delete", ["--json", *ana, "a"], "stdout"),
        ("memory delete", ["--json", "--below", store, "/"], "stdout"),
        ("memory sweep", ["--json", store], "stdout"),
        ("memory put", ["--json", "--text", "tea", "--embedder", "sed 's/.*/[1,2]/'", store, "a", "k"], "stdout"),
        ("memory search", ["--json", "--query", "tea", "--embedder", "sed 's/.*/[1,2]/'", store, "/"], "stdout"),
        ("memory reindex", ["--json", store], "stdout"),
        ("work list", ["--json", store], "stdout"),
    ]


def store_calls(out):
    """Every command that works on a store, in an order in which each finds what it needs."""
    store, damaged, exported = (os.path.join(out, name) for name in ("s.db", "damaged.db", "s.json"))
    name = [store, "shop", "alice", "s1"]
    events = os.path.join(DATA, "shop-events.jsonl")
    hostile = os.path.join(DATA, "hostile-events.jsonl")
    missing = os.path.join(out, "missing")
    with open(damaged, "wb") as file:
        file.write(b"SQLite format 3\0" + bytes(100))
    return [
        ("session create", ["--json", "--id", "s1", "--state", '{"k": 1.50, "user:n": null}', *name[:3]], "stdout"),
        ("session create", ["--json", *name[:3]], "stdout"),
        ("session append", ["--json", *name, events], "stdout"),
        ("session append", ["--json", *name, hostile], "stdout"),
        ("session append", ["--json", *name, os.path.join(DATA, "adk-events.jsonl")], "stdout"),
        ("session show", ["--json", *name], "stdout"),
        ("session show", ["--json", "--last", "0", *name], "stdout"),
        ("session list", ["--json", *name[:2]], "stdout"),
        ("session list", ["--json", "--limit", "1", *name[:3]], "stdout"),
        ("session export", ["--json", "--output", exported, *name], "stderr"),
        ("session export", ["--json", "--to", "adk", "--output", os.path.join(out, "adk.json"), *name], "stderr"),
        ("session export", ["--json", "--to", "adk", "--fail-on-loss", "--output", missing, *name], "stderr"),
        ("session export", ["--json", "--output", os.path.join(missing, "x"), *name], "stderr"),
        ("session import", ["--json", "--user", "bob", store, exported, exported, missing, events], "stdout"),
        ("session import", ["--json", "--user", "carol", store, os.path.join(out, "adk.json")], "stdout"),
        ("session copy", ["--json", *name], "stdout"),
        ("participants", ["--json", "--store", store, "shop/alice/s1"], "stdout"),
        ("channels", ["--json", exported], "stdout"),
        ("digest", ["--json", "--store", store, "shop/alice/s1", "shop/bob/s1"], "stdout"),
        ("diff", ["--json", "--store", store, "shop/alice/s1", "shop/bob/s1"], "stdout"),
        ("convert", ["--json", "--to", "agentchat", exported, os.path.join(out, "chat.json")], "stderr"),
        ("convert", ["--json", "--to", "agentchat", "--store", store, "shop/alice/s1", store], "stderr"),
        ("session rewind", ["--json", *name, "e3"], "stdout"),
        ("state set", ["--json", *name, "k", '{"a": [1, null]}'], "stdout"),
        ("state get", ["--json", *name, "k"], "stdout"),
        ("state add", ["--json", *name, "app:n", "-3"], "stdout"),
        ("state all", ["--json", *name], "stdout"),
        ("state delete", ["--json", *name, "k"], "stdout"),
        ("template", ["--json", *name, "<{app:n}>"], "stdout"),
        ("store check", ["--json", store], "stdout"),
        ("store check", ["--json", "--all", store], "stdout"),
        ("store check", ["--json", damaged], "stdout"),
        *thread_calls(out, store),
        *memory_calls(store),
        ("session delete", ["--json", *name], "stdout"),
        ("session delete-user", ["--json", *name[:3]], "stdout"),
    ]


def expected_files(out):
    """A file that is as expected, one that is not, and one of which that is known."""
    files = []
    for name, expectation in (("ok", {}), ("fails", {"kind": "session"}),
                              ("known", {"kind": "session", "known_failure": "a reason"})):
        files.append(os.path.join(out, name + ".json"))
        with open(data("desk.json")[0], "rb") as source, open(files[-1], "wb") as copy:
            copy.write(source.read())
        with open(files[-1] + ".expect.json", "w", encoding="utf-8") as sidecar:
            json.dump(expectation, sidecar)
    return files


def main():
    out = tempfile.mkdtemp()
    everything = sorted(name for name in os.listdir(DATA) if name.endswith(".json"))
    valid = [name for name in everything if run("check", *data(name)).returncode == 0]
    assert len(valid) >= 3, valid
    calls = [("check", ["--json", *data(*everything), "missing.json"], "stdout")]
    calls += [("digest", ["--json", *data(*valid)], "stdout"), ("digest", ["--json", "--all", *data(*valid)], "stdout")]
    calls += [("formats", ["--json"], "stdout"), ("verify", ["--json", *data(*everything)], "stdout")]
    calls += [("verify", ["--json", *expected_files(out)], "stdout"), ("verify", ["--json", out], "stdout")]
    for name in valid:
        calls += [("participants", ["--json", *data(name)], "stdout"), ("channels", ["--json", *data(name)], "stdout")]
        calls += [("diff", ["--json", *data(valid[0], name)], "stdout")]
        calls += [("tokens", ["--json", *data(name), "missing.json"], "stdout")]
        calls += [("check", ["--json", "--for", "anthropic", *data(name)], "stdout")]
        calls += [("repair", ["--json", "--for", "anthropic", *data(name), os.path.join(out, "r")], "stderr")]
        for more in ([], ["--partial", "--split-calls"], ["--strategy", "first"]):
            calls += [("trim", ["--json", "--max-tokens", "20", *more, *data(name), os.path.join(out, "t")], "stderr")]
        for to in ("agentchat", "agentchat-encoded", "semantic-kernel"):
            target = os.path.join(out, f"{to}-{name}")
            calls += [("convert", ["--json", "--to", to, *data(name), target], "stderr")]
            calls += [("convert", ["--json", "--fail-on-loss", "--to", to, *data(name), target], "stderr")]
    calls += [("trim", ["--json", "--max-tokens", "20", "missing.json", os.path.join(out, "x")], "stderr")]
    calls += [("convert", ["--json", "--to", "agentchat", "missing.json", os.path.join(out, "x")], "stderr")]
    if b"without SQLite" not in run("store", "init", os.path.join(out, "probe.db")).stderr:
        calls += store_calls(out)
    checked = 0
    for command, args, stream in calls:
        validator = schema("cli-" + command.replace(" ", "-"))
        lines = getattr(run(*command.split(), *args), stream).decode("utf-8", "surrogatepass").splitlines()
        assert lines, (command, args)
        for line in lines:
            validator.validate(json.loads(line))
            checked += 1
    subprocess.run(["rm", "-rf", out], check=True)
    print(f"{checked} lines are as their schemas say")


main()
