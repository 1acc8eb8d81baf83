# SPDX-License-Identifier: Apache-2.0
"""Random sessions after google-adk's own models: right values and wrong ones, in both spellings, with unknown names."""

import datetime
import enum
import json
import random
import types
import typing

import pydantic
from google.adk.auth.auth_tool import AuthConfig
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.genai.types import Part

WRONG = [None, True, False, 0, 1, -1, 2, 1.0, 0.5, -0.0, 1e3, 1e20, 1e300, 2**70, "", "x", "7", "-7", "1.5", "true", "YES",
         "STOP", "stop", "nan", "AA==", "AA", "A", "-_", "+/", "a b", "\ud800", "\u0000", "2026", "2026-02", "2026-02-30",
         "2026-13-01", [], [None], ["a"], [1], [[]], {}, {"a": None}, {"x": 1}, {"a": {"b": [1.5, "z"]}}]
EXECUTED = ["state", "route", "node_path", "message", "nodePath"]
UNKNOWN = ["surprise", "name", "data", "id", "signature", "uri", "args", "citationSources", "thinking", "x_y"]


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.wrong = self.random.choice([0, 0, 100, 30, 12])

    def chance(self, one_in):
        return self.random.randrange(one_in) == 0

    def scalar(self, kind):
        pick = self.random.choice
        if kind in (bool, int, float) and not self.wrong:
            return kind(self.random.randrange(2))
        if kind is bool:
            return pick([True, False, True, False, 0, 1, "no", "T"])
        if kind is int:
            return pick([0, 1, 7, -3, 123456789012345678901234567890, 2.0, "12"])
        if kind is float:
            return pick([0.5, 1, -2.25, 1e-7, "0.25", 1767323045.678901])
        if kind is bytes:
            return pick(["", "AA==", "AA-_", "YQ"])
        if kind is str:
            return pick(["", "a", "Grüße 😀", "two words", "line\nline", "gs://b/c"])
        return pick(WRONG)

    def value(self, annotation, depth):
        if self.wrong and self.chance(self.wrong):
            return self.random.choice(WRONG)
        origin, args = typing.get_origin(annotation), typing.get_args(annotation)
        if origin in (typing.Union, types.UnionType):
            kinds = [a for a in args if a is not type(None)]
            return None if self.chance(10) else self.value(self.random.choice(kinds), depth)
        if origin is typing.Annotated:
            return self.value(args[0], depth)
        if origin is typing.Literal:
            return self.random.choice(args)
        if origin in (list, set):
            return [self.value(args[0], depth) for _ in range(self.random.randrange(3))]
        if origin is dict or annotation is dict:
            kind = args[1] if args else typing.Any
            return {self.random.choice("abcde"): self.value(kind, depth) for _ in range(self.random.randrange(3))}
        if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
            return self.random.choice([*[e.value for e in annotation], "NEW_ONE"])
        if isinstance(annotation, type) and issubclass(annotation, pydantic.BaseModel):
            return self.model(annotation, depth + 1)
        if annotation is datetime.datetime:
            return "2026-01-02T03:04:05Z"
        return self.scalar(annotation)

    def model(self, model, depth=0):
        fields = list(model.model_fields.items())
        wanted = self.random.choice([0.1, 0.3, 0.6]) if depth else 0.25
        out = {}
        for name, field in fields:
            if not field.is_required() and self.random.random() > wanted:
                continue
            key = name if self.chance(4) or field.alias is None else field.alias
            out[key] = self.value(field.annotation, depth)
            if name == "requested_auth_configs" and isinstance(out[key], dict):
                out[key] = {k: self.model(AuthConfig, depth + 1) for k in out[key]}
            if self.wrong and self.chance(self.wrong * 4):
                other = camel(name) if key == name else name
                out[other] = self.value(field.annotation, depth)
        if self.wrong and self.chance(self.wrong):
            out[self.random.choice(UNKNOWN)] = self.random.choice(WRONG)
        if "cache_name" in model.model_fields and not self.wrong:
            out.update(cache_name="c", expire_time=1.5, invocations_used=0)
        return out

    def event(self, index):
        event = self.model(Event)
        event.setdefault("id", f"e{index}" if not self.chance(10) else "e0")
        event.setdefault("timestamp", 1767323045.5 + index - self.random.choice([0, 0, 0, 1, 2]))
        event.setdefault("author", "agent")
        if not self.wrong:
            event.pop("partial", None)
        if self.wrong and self.chance(10):
            event[self.random.choice(EXECUTED)] = self.random.choice(WRONG)
        return event

    def session(self):
        state = {k: self.scalar(None) for k in self.random.sample(["a", "b", "user:c", "app:d", "temp:e", "app:", ""], 2)}
        events = [self.event(i) for i in range(self.random.randrange(1, 4))]
        session = {"id": "s", "appName": "a", "userId": "u", "state": state, "events": events, "lastUpdateTime": 1.5}
        return json.dumps(session)


class NativeGenerator(Generator):
    """Sessions in the native format, with whatever may stand in one."""

    ITEMS = {
        "text": ["text"], "reasoning": ["text", "signature"], "call": ["id", "function", "plugin"],
        "result": ["id", "function"], "image": ["uri", "mimetype", "data"], "audio": ["uri", "mimetype", "data"],
        "binary": ["uri", "mimetype", "data"], "file": ["id"], "annotation": ["text"],
    }
    TEXTS = ["", "a", "c1", "image/png", "AA==", "data:,x%20y", "data:image/png;base64,AA-_", "gs://b/c", "\u0000", "é\n"]

    def pick(self, *values):
        return self.random.choice(values)

    def extras(self, model):
        names = [*(f.alias or n for n, f in model.model_fields.items()), *model.model_fields, *EXECUTED, *UNKNOWN]
        return [{"from": self.pick("adk", "adk", "adk", "semantic-kernel"), "name": self.random.choice(names),
                 "value": self.random.choice(WRONG)} for _ in range(self.random.randrange(3))]

    def item(self):
        kind = self.random.choice([*self.ITEMS, "opaque"])
        item = {"type": kind}
        if kind == "opaque":
            item.update({"from": "adk", "raw": self.pick(self.model(Part, 1), self.random.choice(WRONG))})
        for name in self.ITEMS.get(kind, ()):
            if self.chance(2):
                item[name] = "AA==" if name == "data" else self.random.choice(self.TEXTS)
        if kind == "call" and self.chance(2):
            item["arguments"] = self.random.choice(WRONG)
        if kind == "result" and self.chance(2):
            item["result"] = self.random.choice(WRONG)
        item["extras"] = self.extras(Part)
        return item

    def event(self, index):
        delta = {k: self.random.choice(WRONG) for k in self.random.sample(["a", "user:b", "app:c", "temp:d"], 2)}
        actions = {"statedelta": delta, "statedelete": ["z"][: self.random.randrange(2)], "extras": self.extras(EventActions)}
        if self.chance(3):
            actions["artifacts"] = {k: self.random.choice(WRONG) for k in "ab"}
        if self.chance(3):
            actions["compaction"] = self.pick({"start": "2026-01-02T03:04:05Z", "end": "2026-01-02T03:04:05.5Z",
                                               "content": {"role": "user", "items": [self.item()]}}, {"start": 1}, {})
        event = {"author": "a", "content": {"role": "assistant", "items": [self.item() for _ in range(3)]},
                 "actions": actions, "extras": self.extras(Event)}
        if self.chance(2):
            event["time"] = self.pick("2026-01-02T03:04:05Z", "1970-01-01T00:00:00.1Z", "2026-01-02T04:04:05+01:00")
        return event

    def session(self):
        events = [self.event(i) for i in range(self.random.randrange(1, 4))]
        return json.dumps({"agentchatsession": {"format": 1}, "app": "a", "user": "u", "id": "s", "state": {"k": "\ud800"},
                           "events": events})


def native_sessions(count, seed=7):
    for i in range(count):
        yield f"native {seed + i}", NativeGenerator(seed + i).session()


def sessions(count, seed=7):
    for i in range(count):
        yield f"random {seed + i}", Generator(seed + i).session()
