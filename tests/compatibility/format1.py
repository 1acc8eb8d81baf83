# SPDX-License-Identifier: Apache-2.0
"""Reads documents of format 1, plain and encoded, and refuses what docs/formats/agentchat.md does not allow.

A chat is a dictionary of history (a list of messages), participants and channels; both are dictionaries like messages,
but for the state of a channel: text, bytes, a list of messages, or a chat."""

from jsontext import Fault, Node, Parser, Source
from messages import MessageReader
from tables import CHANNEL, CHAT, ENCODED_CHANNEL, HEADER, PARTICIPANT, PLAIN_DIGITS, VALUE, Limits


class Reader(MessageReader):
    """Reads one document, or a part of it that stood in base64."""

    history, kind = (), None  # of the channel that is being read

    # Participants, channels, values.

    def read_history(self, node, path):
        return self.read_messages(node, path)

    def read_participants(self, node, path):
        elements = self.expect(node, "array", path)
        return [self.read_participant(element, path + (position,)) for position, element in enumerate(elements)]

    def read_participant(self, node, path):
        return self.object(node, PARTICIPANT, path)

    def read_channels(self, node, path, history):
        elements = self.expect(node, "array", path)
        return [self.read_channel(element, path + (position,), history) for position, element in enumerate(elements)]

    def read_channel(self, node, path, history, inside=False):
        self.history = history
        nodes = dict(self.members(node, CHANNEL, path))
        if inside and "channelkey" in nodes:
            self.fail(path, node.at, "the key stands inside")
        if "statekind" not in nodes:
            self.fail(path, node.at, "a channel needs a statekind")
        kind = self.read_string(nodes["statekind"], path + ("statekind",))
        if kind not in ("text", "bytes", "messages", "chat"):
            self.fail(path + ("statekind",), nodes["statekind"].at, "the kind of state is not known")
        self.kind = kind
        channel = self.object(node, CHANNEL, path)
        if "raw" in channel and kind != "text":
            self.fail(path, node.at, "raw is for states of kind text")
        if "channelstate" not in channel and kind in ("messages", "chat"):
            self.fail(path, node.at, "a channelstate is needed")
        return channel

    def read_state(self, node, path):
        history, kind = self.history, self.kind
        if kind == "text":
            state = self.read_text(node, path)
        elif kind == "bytes":
            state = None if node.kind == "null" else self.read_base64(node, path)
            self.count("size", len(state or b""), path, node.at)
        elif kind == "messages":
            state = self.read_shared(node, path, history)
        else:
            state = self.read_chat(node, path)
        self.history, self.kind = history, kind
        return state

    def read_shared(self, node, path, history):
        """The messages of a state: its own ones, and those of the history that its runs name."""
        messages = []
        end = 0
        for position, element in enumerate(self.expect(node, "array", path)):
            here = path + (position,)
            if element.kind != "array":
                messages.append(self.read_message(element, here))
                continue
            numbers = element.value
            for index, number in enumerate(numbers[:3]):
                if index == 2:
                    self.fail(here + (2,), number.at, "a run has two numbers")
                if number.kind != "number" or not PLAIN_DIGITS.fullmatch(number.value) or int(number.value) >= 2**64:
                    self.fail(here + (index,), number.at, "not an integer")
            if len(numbers) != 2:
                self.fail(here, element.at, "a run has two numbers")
            first, count = (int(number.value) for number in numbers)
            if count == 0 or first + count > len(history) or first < end:
                self.fail(here, element.at, "the run has no messages, leaves the history or goes back")
            self.count("named", count, here, element.at)
            messages += history[first : first + count]
            end = first + count
        return messages

    def read_position(self, node, path):
        value = self.read_integer(node, path)
        if value > len(self.history):
            self.fail(path, node.at, "past the end of the history")
        return value

    def read_positions(self, node, path):
        positions = []
        for index, element in enumerate(self.expect(node, "array", path)):
            value = self.read_integer(element, path + (index,))
            if value >= len(self.history) or positions and value <= positions[-1]:
                self.fail(path + (index,), element.at, "past the end of the history, or not ascending")
            positions.append(value)
        return positions

    def read_values(self, node, path):
        elements = self.expect(node, "array", path)
        return [self.read_value(element, path + (position,)) for position, element in enumerate(elements)]

    def read_value(self, node, path):
        found = {name: self.property(VALUE[name], value, path + (name,))
                 for name, value in self.members(node, VALUE, path)}  # fmt: skip
        if "name" not in found or {"value"} != found.keys() - {"name"} != {"mediatype", "base64"}:
            self.fail(path, node.at, "a named value needs a name and a value, or mediatype and base64")
        self.count("size", len(found.get("base64", b"")), path, node.at)
        return found

    # Chats.

    def read_chat(self, node, path, encoded=False):
        """A chat: a document when `path` is empty, else one that stands in a channel."""
        known = dict(CHAT, agentchat="header")
        unknown = []
        nodes = dict(self.members(node, known, path, unknown))
        if path and "agentchat" in nodes:
            at = next(at for name, at, _ in node.value if name == "agentchat")
            self.fail(path + ("agentchat",), at, "a nested chat has no header")
        chat = {}
        for name in ("history", "participants", "channels"):
            if name not in nodes:
                self.fail(path, node.at, f"{name} is missing")
        for name in ("history", "participants", "channels", "values"):
            if name not in nodes:
                continue
            arguments = (chat["history"],) if name == "channels" else ()
            method = getattr(self, ("encoded_" if encoded else "read_") + name)
            chat[name] = method(nodes[name], path + (name,), *arguments)
        if "turn" in nodes:
            self.read_integer(nodes["turn"], path + ("turn",))
        if "complete" in nodes:
            self.read_boolean(nodes["complete"], path + ("complete",))
        if "form" in nodes:
            self.read_form(nodes["form"], path + ("form",))
        rest = [member for member in node.value if member[0] == "extras" or member[0] not in known]
        rest = Node("object", node.at, rest)
        self.object(rest, {"extras": "extras"}, path)
        return chat

    # The parts of agentchat-encoded.

    def inside(self, node, path, depth):
        """A reader for the text that stands in a base64 string, and its value."""
        data = self.read_base64(node, path)
        self.count("size", len(data), path, node.at)
        at = self.source.fault("", (), node.at, "").offset
        source = Source(data, path, at, depth, self.limits.depth)
        return Reader(source, self.limits, self.used), Parser(source).document()

    def encoded_history(self, node, path):
        reader, value = self.inside(node, path, 1)
        return reader.read_messages(value, ())

    def encoded_participants(self, node, path):
        participants = []
        for position, element in enumerate(self.expect(node, "array", path)):
            reader, value = self.inside(element, path + (position,), 2)
            participants.append(reader.read_participant(value, ()))
        return participants

    def encoded_values(self, node, path):
        values = []
        for position, element in enumerate(self.expect(node, "array", path)):
            reader, value = self.inside(element, path + (position,), 2)
            values.append(reader.read_value(value, ()))
        return values

    def encoded_channels(self, node, path, history):
        channels = []
        for position, element in enumerate(self.expect(node, "array", path)):
            here = path + (position,)
            others = []
            nodes = dict(self.members(element, ENCODED_CHANNEL, here, others))
            if others:
                self.fail(here + (others[0][0],), others[0][1], "not a property of an encoded channel")
            if "channelkey" in nodes:
                self.read_text(nodes["channelkey"], here + ("channelkey",))
            if "channelstate" not in nodes:
                self.fail(here, element.at, "an encoded channel needs a channelstate")
            reader, value = self.inside(nodes["channelstate"], here + ("channelstate",), 3)
            channel = reader.read_channel(value, (), history, True)
            if "channelkey" in nodes:
                channel["channelkey"] = self.read_text(nodes["channelkey"], here + ("channelkey",))
            channels.append(channel)
        return channels


def read(data, limits=None):
    """The chat in a document of format 1: (chat, name of the format). Raises Fault."""
    limits = limits or Limits()
    source = Source(data, depth=0, limit=limits.depth)
    reader = Reader(source, limits, {})
    header = {}

    def begin(node):
        (name, at, value), path = node.value[0], ("agentchat",)
        if name != "agentchat":
            reader.fail((name,), at, "the first property has to be agentchat")
        for key, member in reader.members(value, HEADER, path):
            header[key] = reader.property(HEADER[key], member, path + (key,))
        newest, oldest = header.get("format", 0), header.get("reader", 0)
        if not newest or not oldest or oldest > newest or header.get("encoding", "base64") != "base64":
            reader.fail(path, value.at, "the header is wrong")
        if oldest > 1:
            reader.fail(path, value.at, f"version {oldest} is needed", "E_VERSION")

    if len(data) > limits.size:
        raise Fault("E_LIMIT", "", limits.size, "too many bytes")
    reader.used["size"] = len(data)
    node = Parser(source, begin).document()
    reader.expect(node, "object", ())
    encoded = "encoding" in header
    if not header:
        reader.fail((), node.at, "there is no header")
    return reader.read_chat(node, (), encoded), "agentchat-encoded" if encoded else "agentchat"
