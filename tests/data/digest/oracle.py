#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The digest of docs/formats/digest.md, written from that page alone: a second implementation for the tests.

oracle.py --check FILE   recomputes every vector of FILE; exit status 1 and a line for each one that differs
oracle.py --write FILE   fills in `canonical` and `sha256` of every vector of FILE
oracle.py --digest [--all] FILE   prints the digest of a document of format 1 that names no runs of its history
"""
import base64
import datetime
import fractions
import hashlib
import json
import math
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


# ---- events ----------------------------------------------------------------------------------------------------------

EVENT_STRINGS = {"author", "branch", "id", "invocation"}
EVENT_JSON = {"longrunning", "partial"}
ACTION_STRINGS = {"transfer"}
ACTION_JSON = {"escalate", "skipsummarization"}
EVENT_NAMES = EVENT_STRINGS | EVENT_JSON | {"sequence", "time", "content", "actions", "extras"}
ACTION_NAMES = ACTION_STRINGS | ACTION_JSON | {"statedelta", "statedelete", "stateadd", "artifacts", "compaction",
                                               "extras"}
TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([-+])(\d\d):(\d\d))")
YEAR_0 = -62167219200
HIGHEST_SECONDS = 10 ** 11


def days(year, month, day):
    """Since 1970. Python's own calendar begins with the year 1; it repeats after 400 years, of 146097 days."""
    return datetime.date(2000 + year % 400, month, day).toordinal() - 719163 + (year // 400 - 5) * 146097


class Moment:
    """A time in RFC 3339: `nanoseconds` since 1970, cut, and whether that is all that it says."""

    def __init__(self, text):
        year, month, day, hour, minute, second, fraction, sign, hours, minutes = TIME.fullmatch(text).groups()
        offset = int((sign or "+") + "1") * (int(hours or 0) * 3600 + int(minutes or 0) * 60)
        seconds = days(int(year), int(month), int(day)) * 86400 + int(hour) * 3600 + int(minute) * 60 + int(second)
        seconds -= offset
        fraction = fraction or ""
        if seconds < YEAR_0:
            seconds, fraction = YEAR_0, ""
        self.nanoseconds = seconds * 10 ** 9 + int(fraction[:9].ljust(9, "0"))
        self.is_exact = (offset == 0 and int(second) < 60 and seconds < HIGHEST_SECONDS
                         and not fraction[9:].strip("0"))


def decimal(nanoseconds):
    sign, n = ("-", -nanoseconds) if nanoseconds < 0 else ("", nanoseconds)
    return "%s%d.%09d" % (sign, n // 10 ** 9, n % 10 ** 9)


def next_time(before):
    """The time that one is raised to that is not after the one before, a double."""
    if abs(before) >= 2 ** 24:
        after = math.nextafter(before, math.inf)
        return next(text for text in ("%.*g" % (digits, after) for digits in (15, 16, 17)) if float(text) == after)
    nanoseconds = math.floor(fractions.Fraction(before) * 10 ** 9)
    while float(decimal(nanoseconds)) <= before:
        nanoseconds += 1
    return decimal(nanoseconds)


class Session:
    """What an event has from those before it."""

    def __init__(self, raises):
        self.functions = {}
        self.raises = raises  # times that do not ascend
        self.time = None

    def raised(self, number_of_seconds):
        if self.time is not None and float(number_of_seconds) <= self.time:
            number_of_seconds = next_time(self.time)
        self.time = float(number_of_seconds)
        return number_of_seconds


def event_time(text, session=None):
    moment = Moment(text)
    spelled = decimal(moment.nanoseconds)
    if session is not None:
        spelled = session.raised(spelled)
    return number(spelled) if moment.is_exact else string(text)


def is_base64(text):
    match = re.fullmatch(r"([A-Za-z0-9+/]*|[A-Za-z0-9_-]*)(={0,2})", text)
    if match is None or len(match[1]) % 4 == 1 or (match[2] and len(text) % 4 != 0):
        return False
    data = standard_base64(text)
    return base64.b64encode(base64.b64decode(data)).decode() == data


def standard_base64(text):
    digits = text.rstrip("=").replace("-", "+").replace("_", "/")
    return digits + "=" * (-len(digits) % 4)


def data_uri(uri):
    """The data in a data URI, as base64, and its media type; None: it is none, or malformed."""
    match = re.fullmatch(r"(?i:data):([^,]*?)((?i:;base64))?,(.*)", uri, re.DOTALL)
    if match is None or re.search(r"%(?![0-9A-Fa-f]{2})", match[3]):
        return None
    head, is_encoded, payload = match.groups()
    data = re.sub(rb"%(..)", lambda m: bytes([int(m[1], 16)]), payload.encode("utf-8", "surrogatepass"), flags=re.DOTALL)
    if is_encoded:
        text = data.decode("latin-1")
        data = standard_base64(text) if is_base64(text) else None
    else:
        data = base64.b64encode(data).decode()
    return None if data is None else (data, head if head and head[0] != ";" else "text/plain")


def with_member(source, name, v):
    """An object in which a member has a value and stands once; None: it is not there."""
    members = [(k, x) for k, x in source if k != name]
    return Members(members + ([(name, v)] if v is not None else []))


def without_null_extras(source):
    members = Members((k, v) for k, v in source if v is not None or k == "type")
    extras = members.get("extras")
    if extras is None:
        return members
    return Members((k, v if k != "extras" else [e for e in v if e.get("value") is not None]) for k, v in members)


def wrapped(source, name, member):
    v = source.get(name)
    return source if v is None or isinstance(v, Members) else with_member(source, name, Members([(member, v)]))


def with_signature(source):
    """A signature that is no base64, as the base64 of its text."""
    if source.get("signature") is None or is_base64(source.get("signature")):
        return source
    text = source.get("signature").encode("utf-8", "surrogatepass")
    return with_member(source, "signature", base64.b64encode(text).decode())


def event_item(source, session):
    if source is None or (source.get("type") != "message" and source.get("type") not in STRING_FIELDS):
        return source
    source = with_signature(without_null_extras(source))
    kind = source.get("type")
    if kind == "call":
        return wrapped(source, "arguments", "args")
    if kind == "result":
        alone = {}
        if source.get("content") is not None and source.get("result") is None:
            content(source.get("content"), alone)
        if "result" in alone:
            source = with_member(with_member(source, "content", None), "result", json.loads(alone["result"]))
        if source.get("function") is None:
            source = with_member(source, "function", session.functions.get(source.get("id")))
        return wrapped(source, "result", "result")
    if kind in WITH_DATA:
        opened = data_uri(source.get("uri") or "") if source.get("data") is None else None
        if opened is not None:
            source = with_member(with_member(source, "uri", None), "data", opened[0])
            if source.get("mimetype") is None:
                source = with_member(source, "mimetype", opened[1])
        media = source.get("mimetype") or ""
        return with_member(source, "type", media[:5] if media[:6] in ("image/", "audio/") else "binary")
    return source


def event_content(source, event, session):
    """The message as an ADK holds it too. event: None for that of a compaction."""
    out = without_null_extras(source)
    for name, same in (("name", "author"), ("id", "id"), ("time", "time")):
        if event is not None and out.get(name) is not None and out.get(name) == event.get(same):
            out = with_member(out, name, None)
    if out.get("role") == "model":
        out = with_member(out, "role", "assistant")
    return message(with_member(out, "items", [event_item(i, session) for i in source.get("items") or []]))


def is_message(source):
    return (isinstance(source, Members) and isinstance(source.get("items"), (list, type(None)))
            and all(source.get(n) is None or type(source.get(n)) is str for n in STRING_FIELDS["message"]))


def compaction(source, session):
    names = sorted(k for k, _ in source)
    if names != ["content", "end", "start"] or not is_message(source.get("content")):
        return value(source)
    if not all(isinstance(source.get(n), str) and TIME.fullmatch(source.get(n)) for n in ("start", "end")):
        return value(source)
    return finish({"content": event_content(source.get("content"), None, session),
                   "start": event_time(source.get("start")), "end": event_time(source.get("end"))})


def put_event_extras(members, name, source, known):
    extras = {}
    common(without_null_extras(source), known, extras, "message item")
    if "extras" in extras:
        members[name] = extras["extras"]


def keys(pairs):
    return "{" + ",".join(string(k) + ":" + v for k, v in sorted(pairs, key=lambda p: units(p[0]))) + "}"


def put_members(members, source, strings, values):
    for k, v in source:
        if k in strings and (v != "" or k == "author"):
            members[k] = string(v)
        elif k in values:
            members[k] = value(v)


def event_text(source, session):
    members = {}
    actions = source.get("actions") or Members()
    content_of_event = source.get("content")
    for i in (content_of_event or Members()).get("items") or []:
        if i is not None and i.get("type") == "call" and i.get("id") is not None and i.get("function") is not None:
            session.functions[i.get("id")] = i.get("function")
    put_members(members, source, EVENT_STRINGS, EVENT_JSON)
    put_members(members, actions, ACTION_STRINGS, ACTION_JSON)
    if actions.get("artifacts"):
        members["artifacts"] = value(actions.get("artifacts"))
    if source.get("time") is not None:
        members["time"] = event_time(source.get("time"), session if session.raises else None)
    changes = [(k, value(v)) for k, v in actions.get("statedelta") or []]
    changes += [(k, "null") for k in actions.get("statedelete") or []]
    if changes:
        members["statedelta"] = keys(changes)
    if actions.get("stateadd"):
        members["stateadd"] = keys((k, value(v)) for k, v in actions.get("stateadd"))
    if actions.get("compaction") is not None:
        members["compaction"] = compaction(actions.get("compaction"), session)
    if content_of_event is not None:
        members["content"] = event_content(content_of_event, source, session)
    put_event_extras(members, "extras", source, EVENT_NAMES)
    put_event_extras(members, "actionextras", actions, ACTION_NAMES)
    return finish(members)


def event(source):
    return event_text(source, Session(raises=False))


def events(sources):
    return "[" + ",".join(event(e) for e in sources) + "]"


def session_text(source):
    session = Session(raises=True)
    state = Members((k, v) for k, v in source.get("state") if not k.startswith("temp:"))
    changed = set()
    for e in source.get("events"):
        actions = e.get("actions") or Members()
        changed.update(k for name in ("statedelta", "stateadd") for k, _ in actions.get(name) or [])
        changed.update(actions.get("statedelete") or [])
    initial = [(k, value(v)) for k, v in source.get("initial") or []
               if k in changed or k not in dict(state) or not same_spelling(v, dict(state)[k])]
    return finish({
        "app": string(source.get("app") or ""), "id": string(source.get("id") or ""),
        "user": string(source.get("user") or ""),
        "events": "[" + ",".join(event_text(e, session) for e in source.get("events")) + "]",
        "initial": keys(initial), "state": keys((k, value(v)) for k, v in state),
    })


def same_spelling(a, b):
    return type(a) is type(b) and a == b


# ---- the program -----------------------------------------------------------------------------------------------------

def canonical_text(vector):
    for name, of in (("snapshot", chat), ("event", event), ("events", events), ("session", session_text)):
        if vector.get(name) is not None:
            return of(vector.get(name))
    return messages(vector.get("messages"))


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
        canonical = canonical_text(vector)
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
