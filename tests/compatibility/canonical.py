# SPDX-License-Identifier: Apache-2.0
"""The canonical text of a chat and its digest, as docs/formats/digest.md defines them."""

import base64
import hashlib
import re

from jsontext import Node
from tables import ITEMS

FLAGS = ("failed", "redacted", "refusal")
SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
ESCAPED = re.compile(r'["\\\x00-\x1f\ud800-\udfff]')
PARTS = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")


def string(text):
    return '"' + ESCAPED.sub(lambda match: SHORT.get(match.group()) or f"\\u{ord(match.group()):04x}", text) + '"'


def number(spelling):
    sign, integer, fraction, exponent = PARTS.fullmatch(spelling).groups()
    fraction = fraction or ""
    digits = (integer + fraction).lstrip("0")
    if not digits:
        return "0"
    shorter = digits.rstrip("0")
    power = int(exponent or "0") - len(fraction) + len(digits) - len(shorter)
    return sign + shorter + (f"e{power}" if power else "")


def code_units(name):
    """A key to sort by: the UTF-16 code units of a name."""
    return name.encode("utf-16-be", "surrogatepass")


def members(pairs):
    """An object of (name, canonical text), sorted; pairs of one name keep their order."""
    pairs = sorted(pairs, key=lambda pair: code_units(pair[0]))
    return "{" + ",".join(string(name) + ":" + text for name, text in pairs) + "}"


def array(texts):
    return "[" + ",".join(texts) + "]"


def value(node):
    if node.kind == "string":
        return string(node.value)
    if node.kind == "number":
        return number(node.value)
    if node.kind == "array":
        return array(value(element) for element in node.value)
    if node.kind == "object":
        return members([(name, value(member)) for name, _, member in node.value])
    return node.kind


def covered(properties, names):
    """Pairs of those properties that are neither absent nor null."""
    pairs = []
    for name in names:
        what = properties.get(name)
        if isinstance(what, Node):
            if what.kind != "null":
                pairs.append((name, value(what)))
        elif isinstance(what, bytes):
            pairs.append((name, string(base64.b64encode(what).decode("ascii"))))
        elif what is not None:
            pairs.append((name, string(what)))
    return pairs


def extras(properties):
    pairs = sorted(properties["extras"], key=lambda pair: code_units(pair[0]))
    return [("extras", array(array((string(name), value(node))) for name, node in pairs))] if pairs else []


def message(properties):
    if properties is None:
        return "null"
    pairs = covered(properties, ("role", "name", "model", "mimetype", "id", "time", "metadata"))
    pairs.append(("items", array(item(each) for each in properties.get("items") or [])))
    return members(pairs + extras(properties))


def item(properties):
    if properties is None:
        return "null"
    own = [name for name in ITEMS[properties["type"]] if name not in ("message", "from", "content", *FLAGS)]
    pairs = covered(properties, ["type", "model", "mimetype", "metadata", "signature", "issuer"] + own)
    pairs += [(name, "true") for name in FLAGS if properties.get(name)]
    if properties.get("content") is not None:
        pairs.append(content(properties, properties["content"]))
    if properties["type"] == "message":
        pairs.append(("message", message(properties["message"])))
    return members(pairs + extras(properties))


def content(properties, items):
    """The content of a result: as `result` where it is nothing but one text and there is no other result."""
    result = properties.get("result")
    if len(items) == 1 and items[0] is not None and is_nothing(result):
        given = {name for name, what in items[0].items() if not is_nothing(what)}
        if items[0]["type"] == "text" and given == {"type", "text"}:
            return ("result", string(items[0]["text"]))
    return ("content", array(item(each) for each in items))


def is_nothing(what):
    return what is None or what == [] or isinstance(what, Node) and what.kind == "null"


def history(messages):
    return array(message(each) for each in messages)


def sorted_by(key, objects):
    return sorted(objects, key=lambda each: b"" if each.get(key) is None else b"x" + code_units(each[key]))


def channel(properties):
    pairs = covered(properties, ("channelkey", "channeltype", "statekind"))
    state = properties.get("channelstate")
    if isinstance(state, list):
        pairs.append(("channelstate", history(state)))
    elif isinstance(state, dict):
        pairs.append(("channelstate", chat(state)))
    else:
        pairs += covered(properties, ("channelstate",))
    return members(pairs)


def chat(document):
    participants = sorted_by("id", document["participants"])
    pairs = [
        ("history", history(document["history"])),
        ("participants", array(members(covered(each, ("id", "name", "type"))) for each in participants)),
        ("channels", array(channel(each) for each in sorted_by("channelkey", document["channels"]))),
    ]
    return members(pairs)


def text_of(document, everything=False):
    return chat(document) if everything else history(document["history"])


def digest(document, everything=False):
    return hashlib.sha256(text_of(document, everything).encode("utf-8")).hexdigest()
