#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The digest of docs/formats/digest.md, written from that page alone: a second implementation for the tests.

oracle.py --check FILE   recomputes every vector of FILE; exit status 1 and a line for each one that differs
oracle.py --write FILE   fills in `canonical` and `sha256` of every vector of FILE
oracle.py --digest [--all] FILE   prints the digest of a document of format 1 that names no runs of its history
"""
import base64
import hashlib
import json
import re
import sys

STRING_FIELDS = {
    "message": ["role", "name", "model", "mimetype", "id", "time"],
    "text": ["text"], "image": ["uri"], "audio": ["uri"], "binary": ["uri"],
    "call": ["id", "plugin", "function"], "result": ["id", "plugin", "function"],
    "annotation": ["kind", "label", "reference", "title"], "file": ["file"],
    "reasoning": ["text"], "action": ["text"], "message item": [], "opaque": ["kind"],
}
JSON_FIELDS = {
    "call": ["arguments", "exception"], "result": ["result"], "annotation": ["start", "end"], "file": ["tools"],
    "opaque": ["raw"],
}
FLAGS = {"text": ["refusal"], "reasoning": ["redacted"], "result": ["failed"]}
WITH_DATA = ("image", "audio", "binary")


class Number(str):
    """A number as it was spelled."""


class Members(list):
    """An object: its members in order, repeated names included."""

    def get(self, name):
        for key, value in self:
            if key == name:
                return value
        return None


def parse(text):
    return json.loads(text, parse_int=Number, parse_float=Number, object_pairs_hook=Members)


def units(text):
    return text.encode("utf-16-be", "surrogatepass")


def string(text):
    out = ['"']
    short = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
    for c in text:
        if c in short:
            out.append(short[c])
        elif ord(c) < 0x20 or 0xD800 <= ord(c) <= 0xDFFF:
            out.append("\\u%04x" % ord(c))
        else:
            out.append(c)
    return "".join(out) + '"'


def number(text):
    sign, whole, fraction, exponent = re.fullmatch(r"(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?", text).groups()
    fraction = fraction or ""
    digits = whole + fraction
    power = int(exponent or "0") - len(fraction)
    stripped = digits.rstrip("0")
    power += len(digits) - len(stripped)
    stripped = stripped.lstrip("0")
    if not stripped:
        return "0"
    return sign + stripped + ("e%d" % power if power else "")


def value(v):
    if isinstance(v, Members):
        members = sorted(v, key=lambda m: units(m[0]))
        return "{" + ",".join(string(k) + ":" + value(x) for k, x in members) + "}"
    if isinstance(v, list):
        return "[" + ",".join(value(x) for x in v) + "]"
    if isinstance(v, Number):
        return number(v)
    if isinstance(v, str):
        return string(v)
    return {True: "true", False: "false", None: "null"}[v]


def finish(members):
    return "{" + ",".join(string(k) + ":" + members[k] for k in sorted(members)) + "}"


def common(source, known, members, kind):
    for name in STRING_FIELDS[kind]:
        if source.get(name) is not None:
            members[name] = string(source.get(name))
    for name in JSON_FIELDS.get(kind, []) + ["metadata"]:
        if source.get(name) is not None:
            members[name] = value(source.get(name))
    extras = []
    for k, v in source:
        if k == "extras":
            extras += [(e.get("name"), e.get("value")) for e in v or []]
        elif k not in known:
            extras.append((k, v))
    if extras:
        extras.sort(key=lambda e: units(e[0]))
        members["extras"] = "[" + ",".join("[" + string(k) + "," + value(v) + "]" for k, v in extras) + "]"


def item(source):
    if source is None:
        return "null"
    kind = source.get("type")
    if kind != "message" and kind not in STRING_FIELDS:
        return finish({"type": string("opaque"), "kind": string(kind), "raw": value(source)})
    members = {"type": string(kind)}
    known = STRING_FIELDS[kind if kind != "message" else "message item"] + JSON_FIELDS.get(kind, [])
    known = known + ["type", "model", "mimetype", "metadata", "signature", "issuer", "form", "extras"]
    known = known + FLAGS.get(kind, []) + (["data"] if kind in WITH_DATA else [])
    known = known + {"message": ["message"], "opaque": ["from"], "result": ["content"]}.get(kind, [])
    common(source, known, members, kind if kind != "message" else "message item")
    for name in ("model", "mimetype", "signature", "issuer"):
        if source.get(name) is not None:
            members[name] = string(source.get(name))
    if kind in WITH_DATA and source.get("data") is not None:
        data = base64.b64decode(source.get("data"), validate=True)
        members["data"] = string(base64.b64encode(data).decode())
    for name in FLAGS.get(kind, []):
        if source.get(name) is True:
            members[name] = "true"
    if kind == "result" and source.get("content") is not None:
        content(source.get("content"), members)
    if kind == "message" and source.get("message") is not None:
        members["message"] = message(source.get("message"))
    return finish(members)


def content(items, members):
    """The content of a result, which is a string as its value when it is one text and nothing else."""
    written = "[" + ",".join(item(i) for i in items) + "]"
    text = items[0].get("text") if len(items) == 1 and items[0] is not None else None
    if "result" not in members and text is not None and written == "[" + finish(
            {"type": string("text"), "text": string(text)}) + "]":
        members["result"] = string(text)
    else:
        members["content"] = written


def message(source):
    if source is None:
        return "null"
    members = {"items": "[" + ",".join(item(i) for i in source.get("items") or []) + "]"}
    common(source, STRING_FIELDS["message"] + ["items", "metadata", "form", "extras"], members, "message")
    return finish(members)


def messages(sources):
    return "[" + ",".join(message(m) for m in sources) + "]"


def texts(source, names):
    return {n: string(source.get(n)) for n in names if source.get(n) is not None}


def by_key(sources, name):
    def key(source):
        return (source.get(name) is not None, units(source.get(name) or ""))
    return sorted(sources or [], key=key)


def channel(source):
    members = texts(source, ["channelkey", "channeltype", "statekind"])
    state = source.get("channelstate")
    if source.get("statekind") == "messages":
        members["channelstate"] = messages(state)
    elif source.get("statekind") == "chat":
        members["channelstate"] = chat(state)
    elif state is not None:
        members["channelstate"] = string(state)
    return finish(members)


def chat(source):
    return finish({
        "history": messages(source.get("history") or []),
        "participants": "[" + ",".join(finish(texts(p, ["id", "name", "type"]))
                                       for p in by_key(source.get("participants"), "id")) + "]",
        "channels": "[" + ",".join(channel(c) for c in by_key(source.get("channels"), "channelkey")) + "]",
    })


def encoded(text):
    return text.encode("utf-8")


def main(arguments):
    text = open(arguments[-1], encoding="utf-8").read()
    if arguments[0] == "--digest":
        document = parse(text)
        canonical = chat(document) if "--all" in arguments else messages(document.get("history") or [])
        print(hashlib.sha256(encoded(canonical)).hexdigest())
        return 0
    exact, plain = parse(text), json.loads(text)
    wrong = 0
    for vector, entry in zip(exact, plain):
        if vector.get("snapshot") is not None:
            canonical = chat(vector.get("snapshot"))
        else:
            canonical = messages(vector.get("messages"))
        digest = hashlib.sha256(encoded(canonical)).hexdigest()
        if (entry.get("canonical"), entry.get("sha256")) != (canonical, digest):
            wrong += 1
            if arguments[0] == "--check":
                print("%s: canonical text is %s, sha256 %s" % (entry["name"], canonical, digest))
            else:
                text = text.replace('"canonical": %s, "sha256": %s, "name": %s' % (
                    json.dumps(entry.get("canonical")), json.dumps(entry.get("sha256")), json.dumps(entry["name"])),
                    '"canonical": %s, "sha256": %s, "name": %s' % (
                    json.dumps(canonical), json.dumps(digest), json.dumps(entry["name"])))
    if arguments[0] == "--write":
        open(arguments[-1], "w", encoding="utf-8").write(text)
        return 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
