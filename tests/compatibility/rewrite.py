# SPDX-License-Identifier: Apache-2.0
"""Other spellings of the same document, documents that mean something else, and documents with one random edit."""

import json
import re

from generate import Maker, OpenNumber, array, encode, integer, member, object_of, text_node, word, write
from jsontext import Node

SURROGATE = re.compile(r"[\ud800-\udfff]")
WHITESPACE = ("", "", "", " ", "\n", "\t ", "\r\n")


class Speller:
    """Writes a value with other whitespace, escapes, spellings of numbers and orders of members; it means the same."""

    def __init__(self, random):
        self.random = random

    def __call__(self, node):
        return self.whitespace() + self.value(node) + self.whitespace()

    def whitespace(self):
        return self.random.choice(WHITESPACE)

    def value(self, node):
        if node.kind == "string":
            return self.string(node.value)
        if node.kind == "number":
            return self.number(node.value) if isinstance(node, OpenNumber) else node.value
        if node.kind == "array":
            return "[" + self.whitespace() + ",".join(self(element) for element in node.value) + "]"
        if node.kind == "object":
            pairs = [self.whitespace() + self.string(name) + self.whitespace() + ":" + self(value)
                     for name, value in self.members(node)]  # fmt: skip
            return "{" + ",".join(pairs) + self.whitespace() + "}"
        return node.kind

    def members(self, node):
        """Members in another order: those of one name keep theirs, the header stays first, and extras and unknown
        properties of one name, which are pairs of one list, keep theirs as well."""
        pairs = [(name, value) for name, _, value in node.value]
        extras = member(node, "extras")
        if extras is not None and extras.kind == "array":
            names = {value.value for entry in extras.value if entry.kind == "object"
                     for name, _, value in entry.value if name == "name" and value.kind == "string"}  # fmt: skip
            if any(name in names for name, _ in pairs):
                return pairs
        first = pairs[:1] if pairs and pairs[0][0] == "agentchat" else []
        rest = pairs[len(first) :]
        order = [name for name, _ in rest]
        self.random.shuffle(order)
        queues = {}
        for name, value in rest:
            queues.setdefault(name, []).append(value)
        return first + [(name, queues[name].pop(0)) for name in order]

    def string(self, text):
        style = self.random.randrange(3)
        if style == 0:
            return json.dumps(text)  # ASCII
        if style == 1 or len(text) > 50:
            plain = json.dumps(text, ensure_ascii=False).replace("/", "\\/")
            return SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04X}", plain)
        return '"' + "".join(self.character(character) for character in text) + '"'

    def character(self, character):
        point = ord(character)
        if point > 0xFFFF:
            return self.random.choice((character, json.dumps(character)[1:-1]))
        escaped = f"\\u{point:04x}"
        if 0xD800 <= point < 0xE000 or point < 0x20 or character in '"\\':
            return escaped
        return self.random.choice((character, escaped))

    def number(self, spelling):
        """The same value, spelled in another way."""
        mantissa, _, exponent = spelling.lower().partition("e")
        power = int(exponent or "0")
        integral, _, fraction = mantissa.partition(".")
        choice = self.random.randrange(4)
        if choice == 0:
            return spelling
        if choice == 1:
            return f"{mantissa}E{'+' if power >= 0 else '-'}{abs(power):03d}"
        if choice == 2:
            zeros = "0" * self.random.randrange(4)
            return f"{integral}.{fraction}0{zeros}e{power}"
        sign = "-" if integral.startswith("-") else ""
        digits = (integral.lstrip("-") + fraction).lstrip("0")
        if not digits:
            return sign + "0.0"
        return f"{sign}{digits}000e{power - len(fraction) - 3}"


def copy_of(node):
    if node.kind == "array":
        return Node("array", 0, [copy_of(each) for each in node.value])
    if node.kind == "object":
        return Node("object", 0, [(name, 0, copy_of(value)) for name, _, value in node.value])
    return node


def replace(node, name, value):
    """The object with that property set."""
    for position, each in enumerate(node.value):
        if each[0] == name:
            node.value[position] = (name, 0, value)
            return
    node.value.append((name, 0, value))


def changed_history(chat, random):
    """A chat whose history means something else."""
    chat = copy_of(chat)
    messages = [each for each in member(chat, "history").value if each.kind == "object"]
    choice = random.randrange(5)
    if choice == 0 or not messages:
        member(chat, "history").value.append(random.choice((word("null"), object_of(()))))
        return chat
    message = random.choice(messages)
    items = member(message, "items")
    if choice == 1:
        name = random.choice(("role", "name", "model", "mimetype", "id", "time"))
        before = member(message, name)
        before = before.value if before is not None and before.kind == "string" else ""
        replace(message, name, text_node(before + "changed"))
    elif choice == 2:
        replace(message, "metadata", object_of((("changed", array((member(message, "metadata") or word("null"),))),)))
    elif choice == 3 and items is not None and items.kind == "array":
        items.value.append(word("null"))
    else:
        replace(message, "items", array((object_of((("type", text_node("smell")), ("changed", word("null")))),)))
    return chat


def changed_rest(chat, random):
    """A chat whose history means the same, and the rest something else."""
    chat = copy_of(chat)
    channels, participants = member(chat, "channels").value, member(chat, "participants").value
    choice = random.randrange(3)
    if choice == 0 and channels:
        replace(random.choice(channels), "channeltype", text_node("changed"))
    elif choice == 1 and participants:
        replace(random.choice(participants), "name", text_node("changed"))
    elif choice == 2:
        channels.append(object_of((("statekind", text_node("bytes")),)))
    else:
        participants.append(object_of(()))
    return chat


def locations(node, found):
    """Every (container, position) in a tree."""
    if node.kind in ("array", "object"):
        for position, each in enumerate(node.value):
            found.append((node, position))
            locations(each if node.kind == "array" else each[2], found)
    return found


def edited(tree, random):
    """A copy of the tree with one edit: a value replaced, a member left out, repeated, moved or renamed."""
    tree = copy_of(tree)
    node, position = random.choice(locations(tree, []))
    element = node.value[position]
    choice = random.randrange(6)
    if choice == 0:
        del node.value[position]
    elif choice == 1:
        node.value.insert(random.randrange(len(node.value) + 1), element)
    elif choice == 2:
        node.value.insert(random.randrange(len(node.value)), node.value.pop(position))
    else:
        maker = Maker(random)
        names = ("type", "text", "from", "extras", "data", "raw", "channelkey", "agentchat", "name", "message", "role")
        few = (integer(random.randrange(4)), array(()), array((integer(0), integer(1))), word("null"), object_of(()))
        makers = (maker.any, maker.data, maker.extras, maker.message, lambda: random.choice(few))
        value = random.choice(makers)()
        if node.kind == "array":
            node.value[position] = value
        elif choice == 3:
            node.value[position] = (random.choice(names), 0, element[2])
        else:
            node.value[position] = (element[0], 0, value)
    return tree


def edited_inside(chat, random):
    """An encoded chat with one edit in one of the parts that stand in base64."""
    parts = []
    encode(chat, lambda node: parts.append(node) or "")
    chosen = random.choice(parts)

    def spell(node):
        return write(edited(node, random) if node is chosen and locations(node, []) else node)

    return encode(chat, spell)


def damaged(data, random):
    """The bytes with one edit."""
    at = random.randrange(len(data))
    choice = random.randrange(4)
    one = bytes((random.choice(b'{}[]",:0123456789-+.eE\\utn \t\n/A=\x00\x1f\x80\xc3\xff\xed\xa0'),))
    if choice == 0:
        return data[:at] + data[at + 1 :]
    if choice == 1:
        return data[:at] + one + data[at:]
    if choice == 2:
        return data[:at] + one + data[at + 1 :]
    return data[:at]
