# SPDX-License-Identifier: Apache-2.0
"""What docs/formats/agentchat.md fixes once: properties of each object, limits, and base64 as the format wants it."""

import base64
import re

FORMATS = ("agentchat", "agentchat-encoded", "semantic-kernel", "adk")
TAG = re.compile("[a-z][a-z0-9-]{0,63}", re.ASCII)  # the name of a format, known or not
HIGHEST = 2**53 - 1
PLAIN_DIGITS = re.compile(r"0|[1-9][0-9]*")
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

# Properties by object: name to kind of value.
MESSAGE = {
    "role": "text", "name": "text", "items": "items", "model": "text", "mimetype": "text", "metadata": "any",
    "id": "text", "time": "text", "form": "form", "extras": "extras",
}  # fmt: skip
COMMON = {
    "type": "string", "model": "text", "mimetype": "text", "metadata": "any", "signature": "text", "issuer": "text",
    "form": "form", "extras": "extras",
}  # fmt: skip
BINARY = {"uri": "text", "data": "base64"}
ITEMS = {
    "text": {"text": "text", "refusal": "flag"},
    "action": {"text": "text"},
    "image": BINARY,
    "audio": BINARY,
    "binary": BINARY,
    "call": {"id": "text", "plugin": "text", "function": "text", "arguments": "any", "exception": "any"},
    "result": {
        "id": "text", "plugin": "text", "function": "text", "result": "any", "content": "items", "failed": "flag",
    },
    "annotation": {
        "kind": "text", "label": "text", "reference": "text", "title": "text", "start": "any", "end": "any",
    },
    "file": {"file": "text", "tools": "any"},
    "reasoning": {"text": "text", "redacted": "flag"},
    "message": {"message": "message"},
    "opaque": {"from": "tag", "kind": "text", "raw": "any"},
}  # fmt: skip
PARTICIPANT = {"id": "text", "name": "text", "type": "text", "extras": "extras"}
CHANNEL = {
    "channelkey": "text", "channeltype": "text", "statekind": "string", "raw": "boolean", "channelstate": "state",
    "synced": "position", "pending": "positions", "extras": "extras",
}  # fmt: skip
CHAT = {
    "history": "messages", "participants": "participants", "channels": "channels", "values": "values",
    "turn": "integer", "complete": "boolean", "form": "form", "extras": "extras",
}  # fmt: skip
VALUE = {"name": "string", "value": "any", "mediatype": "string", "base64": "base64"}
EXTRA = {"from": "tag", "name": "string", "value": "any"}
HEADER = {"format": "integer", "reader": "integer", "encoding": "string"}
ENCODED_CHANNEL = {"channelkey": "text", "channelstate": "string"}


class Limits:
    """What a reader refuses beyond: section 14."""

    def __init__(self, size=1 << 30, depth=128, messages=10_000_000, named=10_000_000, unknown=256):
        self.size, self.depth, self.messages, self.named, self.unknown = size, depth, messages, named, unknown


def decode_base64(text):
    """(bytes, None), or (None, position of the first wrong character)."""
    try:
        data = base64.b64decode(text, validate=True)
        if base64.b64encode(data).decode("ascii") == text:
            return data, None
    except ValueError:
        pass
    return None, wrong_in_base64(text)


def wrong_in_base64(text):
    """The first character that cannot stand where it does, or the end of a text that is too short."""
    padded = False
    for position, character in enumerate(text):
        column = position % 4
        if character == "=" and column >= 2 and padded == (column == 3 and text[position - 1] == "="):
            if not padded and ALPHABET.index(text[position - 1]) & (15 if column == 2 else 3):
                return position - 1
            padded = True
        elif padded or character not in ALPHABET:
            return position
    return len(text)
