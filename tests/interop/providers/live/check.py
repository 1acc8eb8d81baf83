#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""OpenAI's and Anthropic's own libraries and our files, both ways: what we write are messages by their types, and what
they write of an answer is read by us and comes back as it was.

    check.py TOOL

Exit status: 0 passed, 1 failed."""

import json
import pathlib
import subprocess
import sys

import anthropic.types
import openai.types.chat
import pydantic

CASES = pathlib.Path(__file__).resolve().parents[3] / "format"
# Documents that are no messages by their types anyway, or of parts that only other servers take.
ODD = {
    "openai-chat": {"wrong-kinds", "calls-kept-odd", "parts-of-other-kinds", "roles", "custom-call",
                    "custom-call-escaped-type", "media", "nulls", "results"},
    "anthropic": {"wrong-kinds", "blocks-of-other-kinds", "roles", "kept-blocks", "content-forms", "citations", "media",
                  "results", "calls", "thinking", "sources-odd"},
}
MESSAGES = {
    "openai-chat": pydantic.TypeAdapter(list[openai.types.chat.ChatCompletionMessageParam]),
    "anthropic": pydantic.TypeAdapter(list[anthropic.types.MessageParam]),
}
ANSWERS = {"openai-chat": openai.types.chat.ChatCompletion, "anthropic": anthropic.types.Message}

OPENAI_ANSWER = openai.types.chat.ChatCompletion.model_validate({
    "id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": "m",
    "choices": [{"index": 0, "finish_reason": "tool_calls", "logprobs": None, "message": {
        "role": "assistant", "content": "See.", "refusal": None,
        "annotations": [{"type": "url_citation", "url_citation": {
            "start_index": 0, "end_index": 3, "url": "https://example.org", "title": "T"}}],
        "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": 1.50}"}}]}}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}})
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


def convert(tool, source, target, document):
    done = subprocess.run([tool, "convert", "--from", source, "--to", target, "-", "-"], input=document,
                          capture_output=True)
    if done.returncode != 0:
        failures.append(f"{source} to {target}: {done.stderr.decode()}")
        return None
    return json.loads(done.stdout)


def messages_of(document):
    return document if isinstance(document, list) else document["messages"]


def check(name, adapter, document):
    try:
        for message in adapter.validate_python(messages_of(document)):
            for value in message.values():  # lists are read on demand
                if hasattr(value, "__iter__") and not isinstance(value, (str, dict)):
                    list(value)
    except (pydantic.ValidationError, KeyError) as error:
        failures.append(f"{name}: {error}")


def main():
    tool = sys.argv[1]
    checked = 0
    for name, adapter in MESSAGES.items():
        for file in sorted((CASES / name / "cases").glob("*.in")):
            document = json.loads(file.read_text(encoding="utf-8"))
            if file.stem in ODD[name] or file.stem.startswith("answer"):
                continue
            written = convert(tool, name, name, file.read_bytes())
            if written is None or written != document:
                failures.append(f"{name}/{file.stem}: comes back otherwise")
            check(f"{name}/{file.stem}", adapter, written)
            checked += 1
        check(f"a chat as {name}", adapter, convert(tool, "agentchat", name, json.dumps(CHAT).encode()))
    for name, answer in (("openai-chat", OPENAI_ANSWER), ("anthropic", ANTHROPIC_ANSWER)):
        for text in (answer.model_dump_json(), answer.model_dump_json(exclude_unset=True)):
            written = convert(tool, name, name, text.encode())
            if written != json.loads(text) or ANSWERS[name].model_validate(written) != answer:
                failures.append(f"{name}: an answer of theirs comes back otherwise")
            checked += 1
    print(f"{checked} documents checked, {len(failures)} failures")
    for failure in failures:
        print(failure)
    return 1 if failures or checked < 25 else 0


if __name__ == "__main__":
    sys.exit(main())
