# SPDX-License-Identifier: Apache-2.0
"""JSON as the format agentchat needs it: nothing is lost on the way in.

A value is a Node. Numbers are kept as they are spelled, objects as lists of members in their order with repeated names,
strings with U+0000 and lone surrogates. Every node knows where it stood, so that a fault has a JSON Pointer and a byte
offset."""

import re
import sys

if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)  # an exponent may have any number of digits

WHITESPACE = re.compile(r"[ \t\n\r]*")
INTEGER = re.compile(r"0|[1-9][0-9]*")
DIGITS = re.compile(r"[0-9]+")
PLAIN = re.compile(r'[^"\\\x00-\x1f\ud800-\udfff]*')
HEX = re.compile(r"[0-9A-Fa-f]{4}")
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Fault(Exception):
    """Why a document is refused: status, location and a sentence."""

    def __init__(self, status, pointer, offset, sentence):
        super().__init__(f"{pointer}: {sentence}" if pointer else sentence)
        self.status, self.pointer, self.offset, self.sentence = status, pointer, offset, sentence


class Node:
    """A JSON value. `value` by kind: number: its spelling; string: str; array: nodes; object: (name, offset, node)."""

    __slots__ = ("kind", "at", "value")

    def __init__(self, kind, at, value=None):
        self.kind, self.at, self.value = kind, at, value


def pointer_of(path):
    """A JSON Pointer (RFC 6901) from its parts."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


class Source:
    """The text of a document, or of a part of one that stood in base64: then a fault is at the string around it."""

    def __init__(self, data, prefix=(), offset=None, depth=0, limit=128):
        self.text = data.decode("utf-8", "surrogateescape")  # a byte that is no UTF-8 becomes U+DC80 to U+DCFF
        self.prefix, self.offset, self.depth, self.limit = tuple(prefix), offset, depth, limit

    def fault(self, status, path, at, sentence):
        offset = self.offset
        if offset is None:
            offset = len(self.text[:at].encode("utf-8", "surrogateescape"))
        return Fault(status, pointer_of(self.prefix + tuple(path)), offset, sentence)


class Parser:
    """Reads one JSON text. `first` is called with the name and the value of the document's first member."""

    def __init__(self, source, first=None):
        self.source, self.text, self.at, self.path, self.first = source, source.text, 0, [], first

    def fail(self, sentence, at=None, status="E_SYNTAX"):
        raise self.source.fault(status, self.path, self.at if at is None else at, sentence)

    def document(self):
        if self.text.startswith("\ufeff") and self.source.offset is None:  # that of a file
            self.at = 1
        self.whitespace()
        node = self.value(self.source.depth)
        self.whitespace()
        if self.at < len(self.text):
            self.fail("something follows the document")
        return node

    def whitespace(self):
        self.at = WHITESPACE.match(self.text, self.at).end()

    def peek(self):
        return self.text[self.at : self.at + 1]

    def value(self, depth):
        begin = self.peek()
        if begin == '"':
            at = self.at
            return Node("string", at, self.string())
        if begin in ("[", "{"):
            if depth >= self.source.limit:
                self.fail("nested too deeply", status="E_LIMIT")
            return self.array(depth + 1) if begin == "[" else self.object(depth + 1)
        if begin == "-" or "0" <= begin <= "9":
            return self.number()
        for word in ("true", "false", "null"):
            if self.text.startswith(word, self.at):
                at, self.at = self.at, self.at + len(word)
                return Node(word, at)
        return self.fail("a value is expected")

    def number(self):
        at = self.at
        self.skip("-")
        self.digits(INTEGER)
        if self.skip("."):
            self.digits(DIGITS)
        if self.skip("eE"):
            self.skip("+-")
            self.digits(DIGITS)
        return Node("number", at, self.text[at : self.at])

    def skip(self, characters):
        """Whether one of the characters stood here."""
        found = self.peek() != "" and self.peek() in characters
        self.at += found
        return found

    def digits(self, pattern):
        match = pattern.match(self.text, self.at)
        if match is None:
            self.fail("a digit is expected")
        self.at = match.end()

    def string(self):
        self.at += 1
        parts = []
        while True:
            match = PLAIN.match(self.text, self.at)
            parts.append(match.group())
            self.at = match.end()
            char = self.peek()
            if char == '"':
                self.at += 1
                return "".join(parts)
            if char != "\\":
                why = "a control character" if char < " " else "not UTF-8"
                self.fail(why if char else "the string does not end")
            parts.append(self.escape())

    def escape(self):
        char = self.text[self.at + 1 : self.at + 2]
        if char in ESCAPES and char:
            self.at += 2
            return ESCAPES[char]
        unit = self.unit(self.at)
        if unit is None:
            self.fail("not an escape")
        self.at += 6
        if 0xD800 <= unit < 0xDC00:
            second = self.unit(self.at)
            if second is not None and 0xDC00 <= second < 0xE000:
                self.at += 6
                return chr(0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00))
        return chr(unit)

    def unit(self, at):
        """The UTF-16 code unit of an escape with four digits, or None."""
        match = HEX.match(self.text, at + 2) if self.text.startswith("\\u", at) else None
        return int(match.group(), 16) if match else None

    def array(self, depth):
        node = Node("array", self.at, [])
        self.at += 1
        self.whitespace()
        if self.peek() == "]":
            self.at += 1
            return node
        if not self.peek():
            self.fail("the array does not end")
        while True:
            self.path.append(len(node.value))
            node.value.append(self.value(depth))
            self.path.pop()
            if not self.another("]"):
                return node

    def object(self, depth):
        node = Node("object", self.at, [])
        self.at += 1
        self.whitespace()
        if self.peek() == "}":
            self.at += 1
            return node
        while True:
            if self.peek() != '"':
                self.fail("a name is expected")
            at = self.at
            name = self.string()
            self.path.append(name)
            self.whitespace()
            if self.peek() != ":":
                self.fail("':' is expected")
            self.at += 1
            self.whitespace()
            value = self.value(depth)
            self.path.pop()
            node.value.append((name, at, value))
            if self.first and depth == self.source.depth + 1:
                first, self.first = self.first, None
                first(node)
            if not self.another("}"):
                return node

    def another(self, end):
        """Whether another element follows, after its comma; else the end has been read."""
        self.whitespace()
        char = self.peek()
        if char not in (",", end) or not char:
            self.fail(f"',' or '{end}' is expected")
        self.at += 1
        if char == end:
            return False
        self.whitespace()
        return True
