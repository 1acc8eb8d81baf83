# SPDX-License-Identifier: Apache-2.0
"""Random documents of format 1. A chat is made as a tree once and can be written in many spellings, plain and encoded,
which all mean the same; and it can be changed so that it means something else, or edited so that it may be wrong."""

import base64
import json

from jsontext import Node
from tables import CHANNEL, CHAT, COMMON, FORMATS, ITEMS, MESSAGE, PARTICIPANT

TEXTS = (
    "", "a", "user", "assistant", "x y", "\0", "a\0b", "\ud800", "\udfffa", "\udc00\ud800", "\U0001f600",
    "\u00e9", "e\u0301", "\ufb33", "\u2028\u2029", "\x7f\x80", '"\\/', "\b\t\n\f\r\x0b\x1f", "AA==", "[1]", "{}",
    "null", "\ufeff", "\ufffd", "~/~1", "long " * 60,
)  # fmt: skip
NUMBERS = (
    "0", "-0", "0.0", "-0.000e-5", "0e99", "1", "-1", "1.0", "1.50", "10", "100", "1e2", "1E+2", "1e-2", "0.01",
    "-12.5e+003", "1e999999999", "1e-999999999", "123456789012345678901234567890", "12345678901234567890.10",
    "10e99999999999999999999",
    "0.000000000000000000000000000001", "9007199254740993", "1e0000000000000000000000000000", "4" * 60 + "." + "0" * 60,
)  # fmt: skip
NAMES = (
    "a", "b", "A", "", "aa", "text ", "later", "\ufb33", "\U0001f600", "\u00f6", "\r", "1", "\0", "\ud800", "\udc00x",
    "$type",
)  # fmt: skip
TYPES = tuple(ITEMS)
UNKNOWN_TYPES = ("hologram", "", "Text", "\ud800", "text\0", "smell")
ORIGINS = FORMATS + ("mars", "a-2")


class OpenNumber(Node):
    """A number whose spelling is free."""

    __slots__ = ()


def word(name):
    return Node(name, 0)


def text_node(text):
    return Node("string", 0, text)


def integer(value):
    return Node("number", 0, str(value))


def array(elements):
    return Node("array", 0, list(elements))


def object_of(pairs):
    return Node("object", 0, [(name, 0, node) for name, node in pairs])


class Maker:
    """Makes chats; everything depends on the random numbers that it is given."""

    def __init__(self, random):
        self.random = random

    def chance(self, part):
        return self.random.random() < part

    def string(self):
        return self.random.choice(TEXTS) if self.chance(0.7) else f"t{self.random.randrange(1000)}"

    def text(self):
        return word("null") if self.chance(0.1) else text_node(self.string())

    def any(self, depth=0):
        """Any JSON."""
        kind = self.random.randrange(6 if depth > 3 else 9)
        if kind < 2:
            return text_node(self.string())
        if kind < 4:
            return OpenNumber("number", 0, self.number())
        if kind < 6:
            return word(self.random.choice(("null", "true", "false")))
        count = self.random.randrange(4)
        if kind == 6:
            return array(self.any(depth + 1) for _ in range(count))
        return object_of((self.random.choice(NAMES), self.any(depth + 1)) for _ in range(count))

    def number(self):
        if self.chance(0.5):
            return self.random.choice(NUMBERS)
        return f"{self.random.randrange(-10**6, 10**6)}.{self.random.randrange(10**4)}e{self.random.randrange(-30, 30)}"

    def data(self):
        return text_node(base64.b64encode(self.random.randbytes(self.random.randrange(9))).decode("ascii"))

    def extras(self):
        entries = []
        for _ in range(self.random.randrange(4)):
            pairs = [("name", text_node(self.random.choice(NAMES + ("role", "text", "data")))), ("value", self.any())]
            if self.chance(0.7):
                pairs.append(("from", text_node(self.random.choice(ORIGINS))))
            if self.chance(0.1):
                pairs.append(("note", self.any()))
            self.random.shuffle(pairs)
            entries.append(object_of(pairs))
        return array(entries)

    def finish(self, pairs, known):
        """An object of those properties, with extras and unknown properties at times, in any order."""
        taken = set()
        if self.chance(0.2):
            extras = self.extras()
            pairs.append(("extras", extras))
            for entry in extras.value:
                found = {name: node.value for name, _, node in entry.value}
                if found.get("from") == "agentchat":
                    taken.add(found["name"])
        while self.chance(0.2):
            name = self.random.choice(NAMES + ("uri", "data", "message", "synced"))
            if name not in known and name not in taken:
                taken.add(name)
                pairs.append((name, self.any()))
        if self.chance(0.3):
            self.random.shuffle(pairs)
        return object_of(pairs)

    def property(self, kind, depth):
        if kind == "text":
            return self.text()
        if kind == "any":
            return self.any()
        if kind == "base64":
            return self.data()
        if kind in ("string", "tag"):
            return text_node(self.random.choice(FORMATS + ("mars",)))
        if kind == "flag":
            return word(self.random.choice(("true", "true", "false", "null")))
        if kind == "form":
            return self.form()
        return self.message(depth + 1) if kind == "message" else self.items(depth + 1)

    def form(self):
        """How a format spelled something."""
        if self.chance(0.1):
            return word("null")
        pairs = [("from", text_node(self.random.choice(FORMATS + ("mars-2",)))), ("value", self.any())]
        self.random.shuffle(pairs)
        return object_of(pairs)

    def some(self, known, depth, part=0.5):
        """Some of the properties that an object may have."""
        return [(name, self.property(kind, depth)) for name, kind in known.items()
                if name not in ("extras", "type") and self.chance(part)]  # fmt: skip

    def item(self, depth):
        if self.chance(0.05):
            return word("null")
        if self.chance(0.08):
            raw = [(name, node) for name, _, node in self.any_object().value]
            raw.insert(self.random.randrange(len(raw) + 1), ("type", text_node(self.random.choice(UNKNOWN_TYPES))))
            return object_of(raw)
        kind = self.random.choice(TYPES if depth < 3 else TYPES[:5])
        known = dict(COMMON, **ITEMS[kind])
        pairs = [("type", text_node(kind))] + self.some(ITEMS[kind], depth, 0.6) + self.some(COMMON, depth, 0.15)
        if kind == "message" and all(name != "message" for name, _ in pairs):
            pairs.append(("message", self.message(depth + 1)))
        return self.finish(pairs, known)

    def any_object(self):
        return object_of((self.random.choice(NAMES), self.any()) for _ in range(self.random.randrange(5)))

    def items(self, depth):
        return word("null") if self.chance(0.05) else array(self.item(depth) for _ in range(self.random.randrange(4)))

    def message(self, depth=0):
        if self.chance(0.06):
            return word("null")
        return self.finish(self.some(MESSAGE, depth), MESSAGE)

    def participant(self):
        return self.finish(self.some(PARTICIPANT, 0, 0.7), PARTICIPANT)

    def channel(self, messages, depth):
        kind = self.random.choice(("text", "bytes", "messages", "messages", "chat" if depth < 2 else "text"))
        pairs = [("statekind", text_node(kind))]
        pairs += [(name, self.text()) for name in ("channelkey", "channeltype") if self.chance(0.8)]
        if kind == "messages":
            pairs.append(("channelstate", self.state(messages)))
        elif kind == "chat":
            pairs.append(("channelstate", self.chat(depth + 1)))
        elif self.chance(0.8):
            state = self.text() if kind == "text" else word("null") if self.chance(0.1) else self.data()
            pairs.append(("channelstate", state))
        if kind == "text" and self.chance(0.3):
            pairs.append(("raw", word(self.random.choice(("true", "false")))))
        if self.chance(0.5):
            pairs.append(("synced", integer(self.random.randrange(messages + 1))))
        if self.chance(0.3):
            chosen = sorted(self.random.sample(range(messages), self.random.randrange(messages + 1)))
            pairs.append(("pending", array(integer(position) for position in chosen)))
        return self.finish(pairs, CHANNEL)

    def state(self, messages):
        """A state of messages and of runs that ascend in the history."""
        elements, end = [], 0
        while self.chance(0.7):
            if end < messages and self.chance(0.6):
                first = self.random.randrange(end, messages)
                count = self.random.randrange(1, messages - first + 1)
                elements.append(array((integer(first), integer(count))))
                end = first + count
            else:
                elements.append(self.message(2))
        return array(elements)

    def value(self):
        pairs = [("name", text_node(self.string()))]
        if self.chance(0.5):
            pairs.append(("value", self.any()))
        else:
            pairs += [("mediatype", text_node(self.string())), ("base64", self.data())]
        if self.chance(0.1):
            pairs.append(("note", self.any()))
        self.random.shuffle(pairs)
        return object_of(pairs)

    def chat(self, depth=0):
        messages = self.random.randrange(6 if depth == 0 else 3)
        pairs = [
            ("history", array(self.message() for _ in range(messages))),
            ("participants", array(self.participant() for _ in range(self.random.randrange(4)))),
            ("channels", array(self.channel(messages, depth) for _ in range(self.random.randrange(4)))),
        ]
        if self.chance(0.3):
            pairs.append(("values", array(self.value() for _ in range(self.random.randrange(3)))))
        if self.chance(0.3):
            pairs.append(("turn", integer(self.random.choice((0, 1, 7, 2**53 - 1)))))
        if self.chance(0.3):
            pairs.append(("complete", word(self.random.choice(("true", "false")))))
        if self.chance(0.2):
            pairs.append(("form", self.form()))
        return self.finish(pairs, CHAT)


def member(node, name):
    """The value of an object's property, or None."""
    return next((value for other, _, value in node.value if other == name), None)


def with_header(chat, encoded=False, newest=1):
    header = [("format", integer(newest)), ("reader", integer(1))]
    if encoded:
        header.append(("encoding", text_node("base64")))
    return Node("object", 0, [("agentchat", 0, object_of(header))] + chat.value)


def write(node):
    """The text without whitespace, with every number as it is."""
    if node.kind == "array":
        return "[" + ",".join(write(element) for element in node.value) + "]"
    if node.kind == "object":
        return "{" + ",".join(json.dumps(name) + ":" + write(value) for name, _, value in node.value) + "}"
    if node.kind == "string":
        return json.dumps(node.value)
    return node.value if node.kind == "number" else node.kind


def encode(chat, spell):
    """The chat as it stands in agentchat-encoded; `spell` writes a value."""

    def packed(node):
        return text_node(base64.b64encode(spell(node).encode("utf-8")).decode("ascii"))

    def channel(node):
        key = [each for each in node.value if each[0] == "channelkey"]
        rest = Node("object", 0, [each for each in node.value if each[0] != "channelkey"])
        return Node("object", 0, key + [("channelstate", 0, packed(rest))])

    pairs = []
    for name, at, node in chat.value:
        if name == "history":
            node = packed(node)
        elif name in ("participants", "values"):
            node = array(packed(each) for each in node.value)
        elif name == "channels":
            node = array(channel(each) for each in node.value)
        pairs.append((name, at, node))
    return Node("object", 0, pairs)


def document(chat, spell=write, encoded=False):
    """The bytes of a document of this chat."""
    node = with_header(encode(chat, spell) if encoded else chat, encoded)
    return spell(node).encode("utf-8")
