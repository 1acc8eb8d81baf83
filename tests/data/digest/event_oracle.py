#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The digests of events and sessions of docs/formats/digest.md, written from that page: a second implementation.

event_oracle.py --check FILE   recomputes every vector of FILE; exit status 1 and a line for each one that differs
event_oracle.py --write FILE   fills in `canonical` and `sha256` of every vector of FILE

A vector has an `event`, a list of `events`, or a `session`, in the native form of docs/formats/session.md.
"""
import base64
import calendar
import hashlib
import json
import math
import re
import sys
import urllib.parse
from fractions import Fraction

from oracle import Members, encoded, finish, message, number, parse, string, units, value

MILLISECONDS = 10**11  # from here on a number is taken for milliseconds
TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|[+-]00:00)")
EVENT = ("id", "invocation", "author", "time", "branch", "partial", "content", "actions", "longrunning", "extras",
         "sequence")
ACTIONS = ("statedelta", "statedelete", "stateadd", "artifacts", "transfer", "escalate", "skipsummarization",
           "compaction", "extras")


def seconds(text):
    """The number that a time is covered as, or None where it is covered as it is spelled."""
    found = TIME.fullmatch(text)
    if not found or int(found.group(6)) == 60 or len((found.group(7) or "").rstrip("0")) > 9:
        return None
    year, *rest = (int(part) for part in found.groups()[:6])
    whole = calendar.timegm((year + 400, *rest, 0, 0, 0)) - 146097 * 86400  # Python has no year 0
    return whole + Fraction("0." + (found.group(7) or "0"))


def decimal(fraction):
    """A fraction with at most nine digits after its point, as JSON spells it."""
    nanoseconds = int(fraction * 10**9)
    sign, digits = ("-" if nanoseconds < 0 else ""), "%010d" % abs(nanoseconds)
    return sign + digits[:-9] + "." + digits[-9:]


def time_text(text):
    covered = seconds(text)
    return string(text) if covered is None or abs(covered) >= MILLISECONDS else number(decimal(covered))


def text_of(source, name):
    found = source.get(name)
    return found if isinstance(found, str) else None


def extras_of(source, known):
    pairs = []
    for name, what in source:
        if name == "extras":
            pairs += [(entry.get("name"), entry.get("value")) for entry in what]
        elif name not in known:
            pairs.append((name, what))
    pairs = sorted((pair for pair in pairs if pair[1] is not None), key=lambda pair: units(pair[0]))
    return "[" + ",".join("[" + string(name) + "," + value(what) + "]" for name, what in pairs) + "]" if pairs else None


def without_nulls(source):
    """An object of format 1 whose unknown properties and extras that are null are left out."""
    out = Members()
    for name, what in source:
        if name == "extras":
            what = [entry for entry in what if entry.get("value") is not None]
        if what is not None:
            out.append((name, what))
    return out


def is_base64(text):
    body = text.rstrip("=").replace("-", "+").replace("_", "/")
    padding = "=" * (-len(body) % 4)
    if not re.fullmatch("[A-Za-z0-9+/]*", body) or len(body) % 4 == 1 or text[len(body):] not in ("", padding):
        return False
    return base64.b64encode(base64.b64decode(body + padding)).decode() == body + padding


def split_data_uri(uri):
    """(bytes, media type) of a data URI, or None."""
    found = re.fullmatch(r"(?is)data:([^,]*),(.*)", uri)
    if not found:
        return None
    head, payload = found.groups()
    data = urllib.parse.unquote_to_bytes(payload)
    if head.lower().endswith(";base64"):
        head = head[:-7]
        if not is_base64(data.decode("latin-1")):
            return None
        body = data.decode("latin-1").rstrip("=").replace("-", "+").replace("_", "/")
        data = base64.b64decode(body + "=" * (-len(body) % 4))
    return data, head.split(";")[0] or "text/plain"


def replaced(source, name, what):
    """An object whose member has another value, at the end."""
    return Members([pair for pair in source if pair[0] != name] + [(name, what)])


def normal_result(item, calls):
    content = item.get("content")
    if item.get("result") is None and content is not None and '"result"' in message(Members([("items", [item])])):
        item = replaced(Members([pair for pair in item if pair[0] != "content"]), "result", content[0].get("text"))
    if item.get("function") is None and item.get("id") in calls:
        item = replaced(item, "function", calls[item.get("id")])
    return item


def normal_item(item, calls):
    if item is None:
        return item
    item = without_nulls(item)
    kind = item.get("type")
    if kind == "result":
        item = normal_result(item, calls)
    for name, member in {"call": [("arguments", "args")], "result": [("result", "result")]}.get(kind, []):
        if item.get(name) is not None and not isinstance(item.get(name), Members):
            item = replaced(item, name, Members([(member, item.get(name))]))
    signature = item.get("signature")
    if kind == "reasoning" and signature is not None and not is_base64(signature):
        item = replaced(item, "signature", base64.b64encode(signature.encode("utf-8", "surrogatepass")).decode())
    if kind in ("image", "audio", "binary"):
        opened = split_data_uri(item.get("uri")) if item.get("data") is None and item.get("uri") else None
        if opened:
            item = replaced(Members([pair for pair in item if pair[0] != "uri"]), "data",
                            base64.b64encode(opened[0]).decode())
            if item.get("mimetype") is None:
                item = replaced(item, "mimetype", opened[1])
        mime = item.get("mimetype") or ""
        kind = "image" if mime.startswith("image/") else "audio" if mime.startswith("audio/") else "binary"
        item = replaced(item, "type", kind)
    return item


def normal_message(source, event, calls):
    source = without_nulls(source)
    if source.get("role") == "model":
        source = replaced(source, "role", "assistant")
    for name, same in (("name", "author"), ("id", "id"), ("time", "time")):
        if event is not None and source.get(name) is not None and source.get(name) == event.get(same):
            source = Members([pair for pair in source if pair[0] != name])
    return replaced(source, "items", [normal_item(item, calls) for item in source.get("items") or []])


def note_calls(source, calls):
    for item in (source or Members()).get("items") or []:
        if item is not None and item.get("type") == "call" and item.get("id") is not None:
            calls.setdefault(item.get("id"), item.get("function"))


def put_actions(actions, members, calls):
    for name in ("escalate", "skipsummarization"):
        if actions.get(name) is not None:
            members[name] = value(actions.get(name))
    if actions.get("transfer"):
        members["transfer"] = string(actions.get("transfer"))
    if actions.get("artifacts"):
        members["artifacts"] = value(actions.get("artifacts"))
    sets = list(actions.get("statedelta") or []) + [(key, None) for key in actions.get("statedelete") or []]
    if sets:
        members["statedelta"] = value(Members(sets))
    if actions.get("stateadd"):
        members["stateadd"] = value(actions.get("stateadd"))
    compaction = actions.get("compaction")
    if compaction is not None:
        members["compaction"] = value(compaction)
        if {name for name, _ in compaction} == {"start", "end", "content"}:
            content = message(normal_message(compaction.get("content"), None, calls))
            members["compaction"] = finish({"content": content, "start": time_text(compaction.get("start")),
                                            "end": time_text(compaction.get("end"))})
    extras = extras_of(actions, ACTIONS)
    if extras:
        members["actionextras"] = extras


def event(source, calls=None, raised=None):
    """raised: what the time is raised to, in a session."""
    calls = {} if calls is None else calls
    members = {"author": string(source.get("author"))}
    note_calls(source.get("content"), calls)
    for name in ("branch", "id", "invocation"):
        if source.get(name):
            members[name] = string(source.get(name))
    for name in ("longrunning", "partial"):
        if source.get(name) is not None:
            members[name] = value(source.get(name))
    if source.get("time") is not None:
        members["time"] = raised or time_text(source.get("time"))
    if source.get("content") is not None:
        members["content"] = message(normal_message(source.get("content"), source, calls))
    put_actions(source.get("actions") or Members(), members, calls)
    extras = extras_of(source, EVENT)
    if extras:
        members["extras"] = extras
    return finish(members)


def events(sources):
    return "[" + ",".join(event(source) for source in sources) + "]"


def without_temporary(state):
    return Members([pair for pair in state or [] if not pair[0].startswith("temp:")])


def session(source):
    calls, written, latest, changed = {}, [], None, set()
    for one in source.get("events"):
        raised, at = None, seconds(one.get("time")) if one.get("time") is not None else None
        if at is not None and latest is not None and float(at) <= latest:
            latest = math.nextafter(latest, math.inf)
            raised = number(repr(latest))
        elif at is not None:
            latest = float(at)
        written.append(event(one, calls, raised))
        actions = one.get("actions") or Members()
        changed.update(key for name in ("statedelta", "stateadd") for key, _ in actions.get(name) or [])
        changed.update(actions.get("statedelete") or [])
    state = without_temporary(source.get("state"))
    initial = Members([(key, what) for key, what in source.get("initial") or []
                       if key in changed or state.get(key) != what])
    labels = {name: string(source.get(name) or "") for name in ("app", "user", "id")}
    return finish({**labels, "events": "[" + ",".join(written) + "]", "initial": value(initial),
                   "state": value(state)})


def canonical_of(vector):
    for name, function in (("event", event), ("events", events), ("session", session)):
        if vector.get(name) is not None:
            return function(vector.get(name))
    raise ValueError("a vector without event, events or session")


def main(arguments):
    text = open(arguments[-1], encoding="utf-8").read()
    wrong = 0
    for vector, entry in zip(parse(text), json.loads(text)):
        canonical = canonical_of(vector)
        digest = hashlib.sha256(encoded(canonical)).hexdigest()
        if (entry.get("canonical"), entry.get("sha256")) == (canonical, digest):
            continue
        wrong += 1
        before, after = ('"canonical": %s, "sha256": %s, "name": %s' % tuple(json.dumps(part) for part in parts)
                         for parts in ((entry["canonical"], entry["sha256"], entry["name"]),
                                       (canonical, digest, entry["name"])))
        if arguments[0] == "--check":
            print("%s: canonical text is %s, sha256 %s" % (entry["name"], canonical, digest))
        text = text.replace(before, after)
    if arguments[0] == "--write":
        open(arguments[-1], "w", encoding="utf-8").write(text)
        return 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
