# SPDX-License-Identifier: Apache-2.0
"""The lower half of the reader of format 1: objects, values of each kind, messages and their items.

A message and an item are None or a dictionary of their properties: str, Node (any JSON), bytes, None; an absent
property has no entry. `extras` is a list of (name, Node), unknown properties included."""

from tables import COMMON, EXTRA, HIGHEST, ITEMS, MESSAGE, PLAIN_DIGITS, TAG, decode_base64


class MessageReader:
    """Reads one document, or a part of it that stood in base64."""

    def __init__(self, source, limits, used):
        self.source, self.limits, self.used = source, limits, used

    def fail(self, path, at, sentence, status="E_SCHEMA"):
        raise self.source.fault(status, path, at, sentence)

    def count(self, what, number, path, at):
        self.used[what] = self.used.get(what, 0) + number
        if self.used[what] > getattr(self.limits, what):
            self.fail(path, at, f"too much: {what}", "E_LIMIT")

    # Objects.

    def expect(self, node, kind, path):
        if node.kind != kind:
            self.fail(path, node.at, f"expected {kind}, found {node.kind}")
        return node.value

    def members(self, node, known, path, unknown=None):
        """Pairs of (name, node) of the known properties in their order; others go to `unknown` when it is a list."""
        seen = set()
        found = []
        for name, at, value in self.expect(node, "object", path):
            if name in seen:
                self.fail(path + (name,), at, "the property occurs twice")
            seen.add(name)
            if name in known:
                found.append((name, value))
            elif unknown is not None:
                unknown.append((name, at, value))
                if len(unknown) > self.limits.unknown:
                    self.fail(path + (name,), at, "too many unknown properties", "E_LIMIT")
        return found

    def object(self, node, known, path):
        """The properties of an object that keeps what it does not know, and its extras."""
        unknown = []
        properties = {}
        for name, value in self.members(node, known, path, unknown):
            properties[name] = self.property(known[name], value, path + (name,))
        entries = properties.pop("extras", [])
        names = [name for name, _, _ in node.value]
        before = names.index("extras") if "extras" in names else 0
        self.check_names(unknown, entries, {name: names.index(name) > before for name, _, _ in unknown}, path)
        pairs = [(names.index(name), name, value) for name, _, value in unknown]
        pairs += [(before, name, value) for _, name, value, _, _ in entries]
        properties["extras"] = [(name, value) for _, name, value in sorted(pairs, key=lambda pair: pair[0])]
        return properties

    def check_names(self, unknown, entries, follows_extras, path):
        """Fails at the later one of an unknown property and an extra of the format that have one name."""
        for origin, name, _, position, at in entries:
            if origin == "agentchat" and follows_extras.get(name) is False:
                self.fail(path + ("extras", position), at, "the extra is a property as well")
        taken = {name for origin, name, *_ in entries if origin == "agentchat"}
        for name, at, _ in unknown:
            if name in taken:
                self.fail(path + (name,), at, "the property is an extra of the format as well")

    def property(self, kind, node, path):
        return getattr(self, "read_" + kind)(node, path)

    # Values by kind.

    def read_any(self, node, path):
        return node

    def read_text(self, node, path):
        return None if node.kind == "null" else self.expect(node, "string", path)

    def read_string(self, node, path):
        return self.expect(node, "string", path)

    def read_tag(self, node, path):
        """The name of a format, known or not."""
        name = self.expect(node, "string", path)
        if not TAG.fullmatch(name):
            self.fail(path, node.at, "no name of a format")
        return name

    def read_boolean(self, node, path):
        if node.kind not in ("true", "false"):
            self.fail(path, node.at, f"expected a boolean, found {node.kind}")
        return node.kind == "true"

    def read_flag(self, node, path):
        if node.kind not in ("true", "false", "null"):
            self.fail(path, node.at, f"expected a boolean or null, found {node.kind}")
        return True if node.kind == "true" else None

    def read_form(self, node, path):
        """How a format spelled what means the same: nothing that a chat is made of."""
        if node.kind == "null":
            return
        members = sorted(node.value, key=lambda member: member[0]) if node.kind == "object" else []
        if [name for name, _, _ in members] != ["from", "value"] or members[0][2].kind != "string":
            self.fail(path, node.at, "a form needs from and value")
        if not TAG.fullmatch(members[0][2].value):
            self.fail(path, node.at, "from is no name of a format")

    def read_integer(self, node, path):
        spelling = self.expect(node, "number", path)
        if not PLAIN_DIGITS.fullmatch(spelling) or len(spelling) > 16 or int(spelling) > HIGHEST:
            self.fail(path, node.at, "not an integer from 0 to 9007199254740991")
        return int(spelling)

    def read_base64(self, node, path):
        data, wrong = decode_base64(self.expect(node, "string", path))
        if data is None:
            self.fail(path, self.character(node, wrong), "not base64")
        return data

    def character(self, node, position):
        """Where the character of a string stands in the source, or the string when it is spelled with escapes."""
        spelled = self.source.text.startswith(node.value + '"', node.at + 1)
        return node.at + 1 + position if spelled else node.at

    def read_extras(self, node, path):
        entries = []
        for position, entry in enumerate(self.expect(node, "array", path)):
            here = path + (position,)
            found = {name: self.property(EXTRA[name], value, here + (name,))
                     for name, value in self.members(entry, EXTRA, here)}  # fmt: skip
            if "name" not in found or "value" not in found:
                self.fail(here, entry.at, "an extra needs a name and a value")
            entries.append((found.get("from"), found["name"], found["value"], position, entry.at))
        return entries

    # Messages and items.

    def read_messages(self, node, path):
        elements = self.expect(node, "array", path)
        return [self.read_message(element, path + (position,)) for position, element in enumerate(elements)]

    def read_message(self, node, path):
        self.count("messages", 1, path, node.at)
        return None if node.kind == "null" else self.object(node, MESSAGE, path)

    def read_items(self, node, path):
        if node.kind == "null":
            return None
        elements = self.expect(node, "array", path)
        return [self.read_item(element, path + (position,)) for position, element in enumerate(elements)]

    def read_item(self, node, path):
        if node.kind == "null":
            return None
        types = [(at, value) for name, at, value in self.expect(node, "object", path) if name == "type"]
        if not types:
            self.fail(path, node.at, "an item needs a type")
        kind = self.expect(types[0][1], "string", path + ("type",))
        if len(types) > 1:
            self.fail(path + ("type",), types[1][0], "the property occurs twice")
        if kind not in ITEMS or kind == "opaque" and self.is_foreign(node, path):
            return {"type": "opaque", "kind": kind, "raw": node, "extras": []}
        known = dict(COMMON, **ITEMS[kind])
        item = self.object(node, known, path)
        if kind == "message" and "message" not in item:
            self.fail(path, node.at, "an item of type message needs a message")
        return item

    def is_foreign(self, node, path):
        """Whether an opaque item is kept as raw text: it claims to be one of ours, or has a name twice."""
        origins = [(at, value) for name, at, value in node.value if name == "from"]
        if len(origins) > 1:
            self.fail(path + ("from",), origins[1][0], "the property occurs twice")
        names = [name for name, _, _ in node.value]
        return bool(origins) and (self.read_tag(origins[0][1], path + ("from",)) == "agentchat"
                                  or len(set(names)) < len(names))
