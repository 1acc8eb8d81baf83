#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""OpenAI's and Anthropic's own libraries and our files, both ways: what we write are messages by their types, and what
they write of an answer is read by us and comes back as it was. Of random chats, broken as chats are, their types hold
what is written, and what the types do not say of calls and results is looked at here.

    check.py TOOL

Exit status: 0 passed, 1 failed."""

import asyncio
import json
import pathlib
import random
import re
import subprocess
import sys

import agents
import anthropic.types
import openai.types.chat
import openai.types.responses
import pydantic

CASES = pathlib.Path(__file__).resolve().parents[3] / "format"
# Documents that are no messages by their types anyway, or of parts that only other servers take.
ODD = {
    "openai-chat": {"wrong-kinds", "calls-kept-odd", "parts-of-other-kinds", "roles", "custom-call",
                    "custom-call-escaped-type", "media", "nulls", "results"},
    "openai-responses": {"wrong-kinds", "calls", "content-forms", "items-kept", "annotations", "media", "nulls", "reasoning",
                         "results", "turns", "body-text", "body-text-instructions", "both"},
    "anthropic": {"wrong-kinds", "blocks-of-other-kinds", "roles", "kept-blocks", "content-forms", "citations", "media",
                  "results", "calls", "thinking", "sources-odd"},
}
MESSAGES = {
    "openai-chat": pydantic.TypeAdapter(list[openai.types.chat.ChatCompletionMessageParam]),
    "openai-responses": pydantic.TypeAdapter(openai.types.responses.ResponseInputParam),
    "anthropic": pydantic.TypeAdapter(list[anthropic.types.MessageParam]),
}
ANSWERS = {"openai-chat": openai.types.chat.ChatCompletion, "openai-responses": openai.types.responses.Response,
           "anthropic": anthropic.types.Message}

OPENAI_ANSWER = openai.types.chat.ChatCompletion.model_validate({
    "id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": "m",
    "choices": [{"index": 0, "finish_reason": "tool_calls", "logprobs": None, "message": {
        "role": "assistant", "content": "See.", "refusal": None,
        "annotations": [{"type": "url_citation", "url_citation": {
            "start_index": 0, "end_index": 3, "url": "https://example.org", "title": "T"}}],
        "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1.50}"}}]}}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}})
RESPONSES_ANSWER = openai.types.responses.Response.model_validate({
    "id": "resp_1", "object": "response", "created_at": 1700000000, "model": "m", "status": "completed", "error": None,
    "incomplete_details": None, "instructions": None, "metadata": {}, "parallel_tool_calls": True, "temperature": 1.0,
    "tool_choice": "auto", "tools": [], "top_p": 1.0, "output": [
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Hm."},
                                                        {"type": "summary_text", "text": "So."}],
         "encrypted_content": "c2ln"},
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [
            {"type": "output_text", "text": "See.", "logprobs": [], "annotations": [{
                "type": "url_citation", "start_index": 0, "end_index": 3, "url": "https://example.org", "title": "T"}]}]},
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q"}},
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "f", "arguments": "{\"a\": 1.50}",
         "status": "completed"}]})
ANTHROPIC_ANSWER = anthropic.types.Message.model_validate({
    "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use", "stop_sequence": None,
    "content": [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
                {"type": "text", "text": "See.", "citations": [{
                    "type": "web_search_result_location", "url": "https://example.org", "title": "T", "cited_text": "c",
                    "encrypted_index": "e"}]},
                {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": 1.5}}],
    "usage": {"input_tokens": 1, "output_tokens": 2}})

CHAT = {
    "agentchat": {"format": 1, "reader": 1}, "participants": [], "channels": [], "history": [
        {"role": "system", "items": [{"type": "text", "text": "Be brief."}]},
        {"role": "user", "name": "ann", "items": [
            {"type": "text", "text": "What is this?"}, {"type": "image", "mimetype": "image/png", "data": "AAEC"},
            {"type": "binary", "mimetype": "application/pdf", "data": "AAEC"}]},
        {"role": "assistant", "name": "Poet", "items": [
            {"type": "text", "text": "Let me see."},
            {"type": "call", "id": "call_1", "function": "look", "arguments": {"a": 1.5}},
            {"type": "call", "id": "call_2", "plugin": "math", "function": "add", "arguments": {}}]},
        {"role": "tool", "items": [
            {"type": "result", "id": "call_1", "result": {"seen": True}, "failed": True},
            {"type": "result", "id": "call_2", "content": [{"type": "text", "text": "3"}]}]},
        {"role": "assistant", "items": [{"type": "text", "text": "Three."}]}]}

failures = []

SEEDS = 300  # random chats


def convert(tool, source, target, document, *options):
    done = subprocess.run([tool, "convert", *options, "--from", source, "--to", target, "-", "-"], input=document,
                          capture_output=True)
    if done.returncode != 0:
        failures.append(f"{source} to {target}: {done.stderr.decode()}")
        return None
    return json.loads(done.stdout)


def messages_of(document):
    return document if isinstance(document, list) else document.get("messages", document.get("input"))


def typed(item):
    """An item of Responses with what the types want and OpenAI does not."""
    for key in ("content", "output"):
        if isinstance(item.get(key), list):
            item = item | {key: [{"detail": "auto"} | part if part.get("type") == "input_image" else part
                                 for part in item[key]]}
    if isinstance(item.get("content"), list) and item.get("role") == "assistant":
        item = {"type": "message", "id": "msg_1", "status": "completed"} | item
    return {"id": "rs_1"} | item if item.get("type") == "reasoning" else item


def check(name, adapter, document):
    try:
        for message in adapter.validate_python([typed(message) for message in messages_of(document)]):
            for value in message.values():  # lists are read on demand
                if hasattr(value, "__iter__") and not isinstance(value, (str, dict)):
                    list(value)
    except (pydantic.ValidationError, KeyError) as error:
        failures.append(f"{name}: {error}")


# ---- random chats ----------------------------------------------------------------------------------------------------

IDS = ["a", "b", "call_1", "x y", "", None, "i" * 70]
ROLES = ["user", "assistant", "tool", "system", "developer"]
PNG, PDF = "image/png", "application/pdf"


def random_item(rng, role):
    kind = rng.choice(["text", "text", "result", "result", "result", "image", "binary", "audio", "file", "annotation"] +
                      ["call", "call", "call", "reasoning"] * (role == "assistant"))
    item = {"type": kind}
    if kind == "text":
        item["text"] = rng.choice(["", " ", "See.", "Two."])
    elif kind in ("call", "result"):
        identity = rng.choice(IDS)
        if identity is not None:
            item["id"] = identity
        if kind == "call":
            item["function"] = rng.choice(["f", "look up", "n" * 80, ""])
            if rng.random() < 0.8:
                item["arguments"] = rng.choice([{}, {"a": 1.5}, "no object", [1], None])
            if rng.random() < 0.2:
                item["plugin"] = "math"
        elif rng.random() < 0.3:
            item["content"] = [random_item(rng, role) for _ in range(rng.randrange(3))]
            item["content"] = [part for part in item["content"] if part["type"] in ("text", "image", "audio", "binary")]
        else:
            item["result"] = rng.choice(["3", "", {"seen": True}, 5])
    elif kind in ("image", "binary", "audio"):
        item["mimetype"] = rng.choice([PNG, PDF, "audio/wav", "image/tiff", "text/plain"])
        if rng.random() < 0.7:
            item["data"] = "AAEC"
        else:
            item["uri"] = "https://example.org/x"
    elif kind == "file":
        item["file"] = "file_1"
    elif kind == "reasoning":
        item["text"] = "Hm."
        if rng.random() < 0.5:
            item |= {"signature": "c2ln", "issuer": rng.choice(["anthropic", "openai-responses"])}
    else:
        item["title"] = "T"
    return item


def random_chat(rng):
    history = []
    for number in range(rng.randrange(9)):
        role = rng.choice(ROLES)
        message = {"role": role, "items": [random_item(rng, role) for _ in range(rng.choice([0, 1, 1, 2, 3]))]}
        if role == "assistant" and rng.random() < 0.3:  # an agent that calls by itself, and goes on
            own = {"id": f"own_{number}", "function": "f"}
            message["items"] += [{"type": "call", **own, "arguments": {}}, {"type": "result", **own, "result": f"R{number}"}]
            message["items"] += [random_item(rng, role) for _ in range(rng.randrange(3))]
            message["items"].append({"type": "text", "text": f"After {number}."})
        if rng.random() < 0.3:
            message["name"] = rng.choice(["ann", "User Agent", "a<b", "n" * 90])
        history.append(message)
    return {"agentchat": {"format": 1, "reader": 1}, "participants": [], "channels": [], "history": history}


def openai_refuses(messages):
    """What OpenAI says of a list of messages; None: nothing is known."""
    calls = []
    for number, message in enumerate(messages):
        parts = message.get("content") if isinstance(message.get("content"), list) else []
        if message["role"] == "tool":
            if message["tool_call_id"] not in calls:
                return f"message {number}: a result that answers no call"
            calls.remove(message["tool_call_id"])
        elif calls:
            return f"message {number}: a call without a result"
        if message["role"] != "user" and any(part["type"] not in ("text", "refusal") for part in parts):
            return f"message {number}: a picture of {message['role']}"
        if message.get("content") == [] or message.get("tool_calls") == []:
            return f"message {number}: an empty array"
        if message["role"] == "assistant" and message.get("content") is None and not message.get("tool_calls"):
            return f"message {number}: neither content nor calls"
        if message["role"] not in ("assistant", "tool") and message.get("content") is None:
            return f"message {number}: no content"
        if "name" in message and not re.fullmatch("[a-zA-Z0-9_-]{1,64}", message["name"]):
            return f"message {number}: name"
        for part in parts:
            file = part.get("file", {})
            if "file_data" in file and ("filename" not in file or not file["file_data"].startswith("data:")):
                return f"message {number}: file"
        for call in message.get("tool_calls", []):
            if not 0 < len(call["id"]) <= 40 or call["id"] in calls:
                return f"message {number}: id"
            if not re.fullmatch("[a-zA-Z0-9_-]{1,64}", call["function"]["name"]):
                return f"message {number}: function"
            calls.append(call["id"])
    return None


def responses_refuses(items):
    """The same of OpenAI of the items of Responses."""
    kinds = [item.get("type", "message") for item in items]
    for number, item in enumerate(items):
        kind = kinds[number]
        same = [other["type"] for other in items[:number] if "type" in other and
                other.get("call_id") == item.get("call_id")]  # a call, its output, a call, …
        parts = item.get("content" if kind == "message" else "output")
        if kind == "function_call":
            answered = any(other.get("type") == "function_call_output" and other["call_id"] == item["call_id"]
                           for other in items[number:])
            after = kinds[number:]
            goes_on = any(other.get("role", "assistant") != "assistant" for other in items[number:]) or (
                "function_call_output" in after and
                set(after[after.index("function_call_output"):]) - {"function_call_output"})
            if not answered and goes_on:
                return f"item {number}: a call without a result"
            if not 0 < len(item["call_id"]) <= 64 or same[-1:] == ["function_call"]:
                return f"item {number}: id"
            if not re.fullmatch("[a-zA-Z0-9_-]{1,128}", item["name"]):
                return f"item {number}: function"
        elif kind == "function_call_output":
            if same[-1:] != ["function_call"]:
                return f"item {number}: a result of no call, or a second one"
        elif kind == "reasoning":
            if not item.get("encrypted_content"):
                return f"item {number}: reasoning of somebody else"
        elif item["role"] not in ("user", "assistant", "system", "developer") or parts in (None, []):
            return f"item {number}: a message of {item['role']} with {parts}"
        for part in parts if isinstance(parts, list) else []:
            says = part["type"] in ("output_text", "refusal")
            if says != (item.get("role") == "assistant") or part["type"] == "input_audio":
                return f"item {number}: {part['type']} of {item.get('role')}"
            if part["type"] == "input_image" and re.match("data:(?!image/(png|jpeg|gif|webp);)", part["image_url"]):
                return f"item {number}: image"
            if "file_data" in part and not re.match("data:(application/pdf|text/(plain|csv));", part["file_data"]):
                return f"item {number}: file"
    return None


def anthropic_refuses(messages):
    """The same of Anthropic."""
    open_calls = []
    for number, message in enumerate(messages):
        blocks = message["content"]
        if message["role"] not in ("user", "assistant"):
            return f"message {number}: role"
        if blocks in ("", []) and (message["role"] != "assistant" or number + 1 < len(messages)):
            return f"message {number}: empty"
        if isinstance(blocks, str):
            blocks = [{"type": "text", "text": blocks}]
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if message["role"] == "user" or open_calls:
            waits = number + 1 == len(messages) and set(results) < set(open_calls)
            if sorted(results) != sorted(open_calls) and not waits:
                return f"message {number}: results {results} of calls {open_calls}"
            open_calls = []
        elif results:
            return f"message {number}: a result of the assistant"
        for block in blocks:
            kind = block["type"]
            source = block.get("source", {})
            if kind == "text" and not block["text"]:
                return f"message {number}: empty text"
            if kind in ("image", "document") and message["role"] != "user":
                return f"message {number}: {kind} of the assistant"
            if source.get("type") == "base64" and source["media_type"] not in (
                    ("image/png",) if kind == "image" else (PDF,)):
                return f"message {number}: {kind} of {source['media_type']}"
            if source.get("type") == "url" and "media_type" in source:
                return f"message {number}: media type of a link"
            if kind == "thinking" and not block.get("signature"):
                return f"message {number}: thinking without a signature"
            if kind == "tool_use":
                if not isinstance(block["input"], dict):
                    return f"message {number}: input"
                if not re.fullmatch("[a-zA-Z0-9_-]{1,64}", block["id"]) or block["id"] in open_calls:
                    return f"message {number}: id"
                if not re.fullmatch("[a-zA-Z0-9_-]{1,64}", block["name"]):
                    return f"message {number}: name"
                open_calls.append(block["id"])
    return None


REFUSES = {"openai-chat": openai_refuses, "openai-responses": responses_refuses, "anthropic": anthropic_refuses}


def check_random(tool, seed):
    chat = json.dumps(random_chat(random.Random(seed))).encode()
    for name, adapter in MESSAGES.items():
        written = convert(tool, "agentchat", name, chat)
        if written is None:
            continue
        try:
            why = REFUSES[name](messages_of(written))
        except (KeyError, TypeError) as error:
            why = repr(error)
        text = json.dumps(written)
        for number in range(9):
            if f"After {number}." in text and not 0 < text.find(f'"R{number}"') < text.find(f"After {number}."):
                why = why or f"what was said after R{number} does not come after it"
        if why is None:
            check(f"random chat {seed} as {name}", adapter, written)
        else:
            failures.append(f"random chat {seed} as {name}: {why}: {json.dumps(written)} of {chat.decode()}")


# ---- sessions of the Agents SDK --------------------------------------------------------------------------------------

class Model(agents.Model):
    """One that keeps what it was asked, and answers with a text."""

    async def get_response(self, system_instructions, input, *unused, **more):
        self.asked = input
        said = {"id": "msg_9", "type": "message", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": "Four.", "annotations": []}]}
        return agents.ModelResponse(output=[openai.types.responses.ResponseOutputMessage.model_validate(said)],
                                    usage=agents.Usage(), response_id=None)

    def stream_response(self, *unused, **more):
        raise NotImplementedError


agents.set_tracing_disabled(True)


async def run_session(items):
    session, model = agents.SQLiteSession("s"), Model()
    await session.add_items(items)
    kept = await session.get_items()
    await agents.Runner.run(agents.Agent(name="Desk", model=model), "And now?", session=session)
    return kept, model.asked, await session.get_items()


def check_session(tool):
    """A session holds what we write, a run hands it to the model as it is, and we read what it then holds."""
    items = convert(tool, "agentchat", "openai-responses", json.dumps(CHAT).encode())
    kept, asked, after = asyncio.run(run_session(items))
    if kept != items or asked[:len(items)] != items:
        failures.append(f"a session holds something else: {kept}, {asked}")
    back = convert(tool, "openai-responses", "openai-responses", json.dumps(after).encode(), "--strict")
    history = convert(tool, "openai-responses", "agentchat", json.dumps(after).encode())["history"]
    if back != after or [message["role"] for message in history[-2:]] != ["user", "assistant"]:
        failures.append(f"what a session holds is read otherwise: {after}")


def main():
    tool = sys.argv[1]
    checked = 0
    for name, adapter in MESSAGES.items():
        for file in sorted((CASES / name / "cases").glob("*.in")):
            document = json.loads(file.read_text(encoding="utf-8"))
            if file.stem in ODD[name] or file.stem.startswith("answer"):
                continue
            if convert(tool, name, name, file.read_bytes(), "--strict") != document:
                failures.append(f"{name}/{file.stem}: comes back otherwise")
            check(f"{name}/{file.stem}", adapter, convert(tool, name, name, file.read_bytes()))
            checked += 1
        check(f"a chat as {name}", adapter, convert(tool, "agentchat", name, json.dumps(CHAT).encode()))
    for name, answer in (("openai-chat", OPENAI_ANSWER), ("openai-responses", RESPONSES_ANSWER),
                         ("anthropic", ANTHROPIC_ANSWER)):
        for text in (answer.model_dump_json(), answer.model_dump_json(exclude_unset=True)):
            written = convert(tool, name, name, text.encode())
            theirs = ANSWERS[name].model_validate_json(text)
            if written != json.loads(text) or ANSWERS[name].model_validate(written) != theirs:
                failures.append(f"{name}: an answer of theirs comes back otherwise")
            checked += 1
    check_session(tool)
    for seed in range(SEEDS):
        check_random(tool, seed)
        checked += 1
    print(f"{checked} documents checked, {len(failures)} failures")
    for failure in failures:
        print(failure)
    return 1 if failures or checked < 25 + SEEDS else 0


if __name__ == "__main__":
    sys.exit(main())
