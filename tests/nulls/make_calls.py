#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_calls.py BACKEND…: writes the C source of tests/nulls/calls.c from the public headers.

For each public function a call in which one parameter may be NULL and the others have a value of nulls_world. A type that
the table VALUES does not know stops the build: give it a value there.
"""

import glob
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Parameter name, or type and name -> expression. Looked up before the type alone.
NAMED = {
    "const char * path": "w->path",
    "const char * url": '"memory:"',
    "const char * role": '"user"',
    "const char * app": '"app"',
    "const char * user": '"user"',
    "const char * id": '"s1"',
    "const char * new_id": '"s2"',
    "const char * cursor": "NULL",
    "const char * event_id": '"e1"',
    "const char * key": '"key"',
    "const char * name": '"A"',
    "const char * thread": '"t1"',
    "const char * kind": '"extract"',
    "const char * new_thread": '"t3"',
    "const char * format": '"text"',
    "agentchat_str name_or_id": 'AGENTCHAT_STR("A")',
    "agentchat_str object": 'AGENTCHAT_STR("{}")',
    "agentchat_str value": 'AGENTCHAT_STR("1")',
    "agentchat_str arguments": 'AGENTCHAT_STR("{}")',
    "agentchat_str result": 'AGENTCHAT_STR("{}")',
    "agentchat_str key": 'AGENTCHAT_STR("key")',
    "agentchat_str media_type": "(agentchat_str){NULL, 0}",
    "const agentchat_agent * agent": "w->agent",
    "agentchat_chat * chat": "w->chat",
    "const agentchat_snapshot * from": "w->snapshot",
}
# Function -> parameter -> expression, where the name says too little.
SPECIAL = {
    "agentchat_memory_put": {"ns": '"b"', "key": '"k"', "json": 'AGENTCHAT_STR("{}")'},
    "agentchat_messages_format": {"format": '"anthropic"', "members": 'AGENTCHAT_STR("{}")'},
    "agentchat_replies_add_document": {"format": "NULL", "document": 'AGENTCHAT_STR(ANSWER)'},
    "agentchat_turn_add_document": {"format": "NULL", "document": 'AGENTCHAT_STR(ANSWER)'},
    "agentchat_memory_import": {"source": "w->no_lines"},
    "agentchat_work_retry": {"kind": '"waiting"'},
    "agentchat_collection_apply": {"ns": '"a"'},
    "agentchat_memory_tools_define": {"format": '"anthropic"'},
    "agentchat_memory_tools_answer": {"ns": '"a"', "call": "agentchat_message_item(w->call, 0)"},
    "agentchat_episode_put": {"ns": '"a"', "key": '"episode"'},
    "agentchat_episodes_recall": {"ns": '"a"'},
    "agentchat_instructions_get": {"ns": '"i"', "key": '"bot"'},
    "agentchat_instructions_feedback": {"ns": '"i"', "key": '"bot"'},
    "agentchat_instructions_revise": {"ns": '"i"', "key": '"bot"'},
    "agentchat_profile_update": {"ns": '"a"', "key": '"profile"'},
    "agentchat_memory_log": {"ns": '"l"', "key": '"k"'},
    "agentchat_memory_log_keep": {"ns": '"l"'},
    "agentchat_memory_undo": {"ns": '"l"', "key": '"k"'},
    "agentchat_memory_get": {"ns": '"a"', "key": '"k"'},
    "agentchat_memory_delete": {"ns": '"a"', "key": '"k"'},
    "agentchat_chat_add_agent": {"agent": "w->free_agent"},
    "agentchat_agent_set_id": {"agent": "w->free_agent"},
    "agentchat_agent_free": {"agent": "w->free_agent"},
    "agentchat_chat_restore": {"chat": "w->empty_chat"},
    "agentchat_thread_prune": {"options": "&(agentchat_thread_prune_options){.struct_size = "
                                          "sizeof(agentchat_thread_prune_options), .keep = 1}"},
    "agentchat_checkpoint_put_writes": {"options": "&(agentchat_checkpoint_options){.struct_size = "
                                                   "sizeof(agentchat_checkpoint_options), .id = \"c\"}"},
    "agentchat_thread_save": {"thread": '"t2"'},
    "agentchat_thread_restore": {"chat": "w->empty_chat"},
    "agentchat_thread_catch_up": {"chat": "w->saved_chat"},
    "agentchat_thread_attach": {"chat": "w->empty_chat"},
    "agentchat_session_import": {"source": "w->session_source"},
    "agentchat_session_file_read": {"source": "w->session_source"},
    "agentchat_snapshot_edit": {"edit": "w->history_edit"},
    "agentchat_chat_edit": {"edit": "w->history_edit"},
    "agentchat_list_edit_remove": {"index": "0"},
    "agentchat_list_edit_replace": {"index": "0"},
    "agentchat_count_approximately": {"user": "NULL"},
    "agentchat_messages_count_tokens": {"user": "NULL"},
    "agentchat_verify": {"expectation": 'AGENTCHAT_STR("{}")'},
    "agentchat_session_create": {"who": '&(agentchat_session_id){"app", "user", "new"}'},
    "agentchat_snapshot_read_memory": {"bytes": "(agentchat_str){w->written.ptr, w->written.len}"},
    "agentchat_event_read": {"format": "NULL", "text": 'AGENTCHAT_STR("{\\"id\\":\\"e\\",\\"time\\":\\"2026-01-01T00:00:00Z\\",'
                                     '\\"author\\":\\"user\\"}")'},
    "agentchat_error_set": {"status": "AGENTCHAT_E_IO"},
    "agentchat_error_set_text": {"status": "AGENTCHAT_E_IO"},
    "agentchat_error_format": {"buffer": "(char[2]){0}"},
    "agentchat_sqlite_open": {"path": "NULL"},
    "agentchat_turn_begin": {"agent": 'AGENTCHAT_STR("A")'},
    "agentchat_state_split": {"scope": "AGENTCHAT_SCOPE_SESSION"},
    "agentchat_chat_set_value": {"media_type": 'AGENTCHAT_STR("text/plain")'},
    "agentchat_event_write": {"format": '"agentchat"'},
    "agentchat_json_load": {"text": 'AGENTCHAT_STR("1")'},
    "agentchat_json_check": {"text": 'AGENTCHAT_STR("1")'},
    "agentchat_json_patch": {"document": 'AGENTCHAT_STR("{}")', "patch": 'AGENTCHAT_STR("[]")'},
    "agentchat_json_merge_patch": {"document": 'AGENTCHAT_STR("{}")', "patch": 'AGENTCHAT_STR("{}")'},
    "agentchat_json_decode": {"string": 'AGENTCHAT_STR("\\"text\\"")'},
    "agentchat_message_read": {"json": 'AGENTCHAT_STR("{\\"role\\":\\"user\\"}")'},
    "agentchat_messages_read": {"json": 'AGENTCHAT_STR("[]")'},
    "agentchat_json_list_reduce": {"existing": 'AGENTCHAT_STR("[1]")', "update": 'AGENTCHAT_STR("[2]")'},
    "agentchat_chat_update": {"name": 'AGENTCHAT_STR("list")', "update": 'AGENTCHAT_STR("[2]")'},
    "agentchat_replies_update": {"name": 'AGENTCHAT_STR("list")', "update": 'AGENTCHAT_STR("[2]")'},
    "agentchat_turn_update": {"name": 'AGENTCHAT_STR("list")', "update": 'AGENTCHAT_STR("[2]")'},
    "agentchat_messages_summarize": {"state": 'AGENTCHAT_STR("{\\"summary\\":\\"\\"}")'},
}
VALUES = {
    "agentchat_env *": "w->own_env",
    "const agentchat_env *": "w->env",
    "const agentchat_chat *": "w->chat",
    "agentchat_agent *": "w->free_agent",
    "const agentchat_snapshot *": "w->snapshot",
    "const agentchat_channel_state *": "w->channel",
    "const agentchat_participant *": "w->participant",
    "const agentchat_message *": "w->message",
    "const agentchat_bytes *": "&w->written",
    "const agentchat_message *const *": "w->list",
    "const agentchat_item *": "w->item",
    "const agentchat_messages *": "w->messages",
    "agentchat_messages *": "w->messages",
    "agentchat_message_builder *": "w->builder",
    "agentchat_snapshot_builder *": "w->snapshot_builder",
    "const agentchat_event *": "w->event",
    "agentchat_event_builder *": "w->event_builder",
    "agentchat_state *": "w->state",
    "const agentchat_state *": "w->state",
    "agentchat_store *": "w->store",
    "const agentchat_store *": "w->store",
    "agentchat_session *": "w->session",
    "const agentchat_session *": "w->session",
    "agentchat_session_file *": "w->session_file",
    "const agentchat_session_file *": "w->session_file",
    "agentchat_document *": "w->document",
    "const agentchat_document *": "w->document",
    "agentchat_document_kind": "AGENTCHAT_DOCUMENT_CHAT",
    "agentchat_profile_make_fn": "nulls_profile",
    "agentchat_instructions_make_fn": "nulls_instructions",
    "const agentchat_memory_results *const *": "(const agentchat_memory_results *const *)&w->documents",
    "agentchat_memory_steps *": "w->steps",
    "const agentchat_memory_steps *": "w->steps",
    "agentchat_collection_outcomes *": "w->outcomes",
    "const agentchat_collection_outcomes *": "w->outcomes",
    "const agentchat_collection_change *": "&(agentchat_collection_change){AGENTCHAT_COLLECTION_NONE, NULL, {NULL, 0}, 0, "
                                           "false}",
    "agentchat_collection_counts *": "&(agentchat_collection_counts){{0}, {0}, 0, 0}",
    "agentchat_verify_fn": "nulls_failed",
    "const agentchat_session_id *": '&(agentchat_session_id){"app", "user", "s1"}',
    "agentchat_session_list *": "w->sessions",
    "const agentchat_session_list *": "w->sessions",
    "agentchat_checkpoint *": "w->checkpoint",
    "const agentchat_checkpoint *": "w->checkpoint",
    "agentchat_checkpoint_list *": "w->checkpoints",
    "const agentchat_checkpoint_list *": "w->checkpoints",
    "agentchat_pending_list *": "w->pending",
    "const agentchat_pending_list *": "w->pending",
    "const agentchat_pending_write *": "&nulls_pending_write",
    "const agentchat_html_thread *": "&nulls_html_thread",
    "agentchat_thread_list *": "w->threads",
    "const agentchat_thread_list *": "w->threads",
    "agentchat_thread_hits *": "w->hits",
    "const agentchat_thread_hits *": "w->hits",
    "agentchat_memory_counts *": "&(agentchat_memory_counts){0, 0, 0, 0, 0}",
    "agentchat_memory_vectors *": "w->vectors",
    "agentchat_memory_op *": "&(agentchat_memory_op){sizeof(agentchat_memory_op), AGENTCHAT_MEMORY_OP_DELETE, \"a\", "
                             "\"none\", {NULL, 0}, NULL, NULL, NULL, NULL, NULL, NULL, false}",
    "const agentchat_memory_embedder *": "&nulls_embedder",
    "const float *": "&(const float){1}",
    "const agentchat_memory_query *": "&(agentchat_memory_query)AGENTCHAT_MEMORY_QUERY_INIT",
    "agentchat_memory_results *": "w->documents",
    "const agentchat_memory_results *": "w->documents",
    "agentchat_memory_namespaces *": "w->spaces",
    "const agentchat_memory_namespaces *": "w->spaces",
    "agentchat_work_item_list *": "w->work",
    "const agentchat_work_item_list *": "w->work",
    "const agentchat_work_item *": "agentchat_work_item_list_at(w->work, 0)",
    "const agentchat_work_request *": '&(agentchat_work_request){"extract", 0, {NULL, 0}}',
    "agentchat_calls *": "w->calls",
    "const agentchat_calls *": "w->calls",
    "agentchat_list_edit *": "w->edit",
    "const agentchat_list_edit *": "w->edit",
    "agentchat_edit_step *": "&(agentchat_edit_step){(agentchat_edit_kind)0, 0, 0, NULL, 0}",
    "const agentchat_message_update *": "&(agentchat_message_update){w->message, {NULL, 0}}",
    "const agentchat_repair_profile *": 'agentchat_repair_profile_find("anthropic")',
    "const agentchat_trim_options *": "&(agentchat_trim_options)AGENTCHAT_TRIM_OPTIONS_INIT",
    "const agentchat_filter_options *": "&(agentchat_filter_options)AGENTCHAT_FILTER_OPTIONS_INIT",
    "const int64_t *": "&(int64_t){0}",
    "agentchat_message_test_fn": "nulls_test",
    "agentchat_json_reducer_fn": "nulls_reduce",
    "agentchat_summarizer_fn": "nulls_summarize",
    "agentchat_token_counter_fn": "agentchat_count_messages",
    "agentchat_report *": "w->report",
    "const agentchat_report *": "w->report",
    "agentchat_source *": "w->source",
    "agentchat_sink *": "w->sink",
    "const agentchat_channel_load *": "w->channel_load",
    "agentchat_channel_save *": "w->channel_save",
    "const agentchat_channel_edit *": "w->channel_edit",
    "agentchat_replies *": "w->replies",
    "const agentchat_replies *": "w->replies",
    "agentchat_turn *": "w->turn",
    "const agentchat_turn *": "w->turn",
    "const agentchat_chat_reducer *": "&(agentchat_chat_reducer)AGENTCHAT_CHAT_REDUCER_INIT",
    "const agentchat_chat_observer *": "&(agentchat_chat_observer)AGENTCHAT_CHAT_OBSERVER_INIT",
    "agentchat_bytes *": "&w->bytes",
    "agentchat_json_walk *": "&(agentchat_json_walk){{NULL, 0}, {NULL, 0}, NULL, NULL}",
    "agentchat_error *": "&w->error",
    "const agentchat_error *": "&w->error",
    "const json_t *": "w->json",
    "FILE *": "w->file",
    "void *": "w",
    "const char *": '"text"',
    "agentchat_str": 'AGENTCHAT_STR("text")',
    "const agentchat_str *": '&(agentchat_str){"text", 4}',
    "const size_t *": "&(size_t){0}",
    "size_t *": "&(size_t){0}",
    "uint32_t *": "&(uint32_t){0}",
    "uint64_t *": "&(uint64_t){0}",
    "int64_t *": "&(int64_t){0}",
    "bool *": "&(bool){false}",
    "agentchat_str *": "&(agentchat_str){NULL, 0}",
    "uint32_t": "1",
    "size_t": "1",
    "int64_t": "1",
    "uint64_t": "0",
    "int": "0",
    "bool": "false",
    "agentchat_extra": '(agentchat_extra){AGENTCHAT_STR("x"), AGENTCHAT_STR("1"), {NULL, 0}}',
    "agentchat_answer_fn": "nulls_answer",
    "agentchat_store_check_fn": "nulls_check",
    "agentchat_diff_fn": "nulls_each",
    "const agentchat_source_ops *": "&nulls_source_ops",
    "const agentchat_sink_ops *": "&nulls_sink_ops",
    "const agentchat_agent_options *": "&nulls_agent",
    "const agentchat_history_agent_options *": "&nulls_history_agent",
    "const agentchat_remote_agent_options *": "&nulls_remote_agent",
    "const agentchat_aggregator_options *": "&nulls_aggregator",
    "agentchat_field": "AGENTCHAT_FIELD_METADATA",
    "agentchat_event_field": "AGENTCHAT_EVENT_AUTHOR",
    "agentchat_item_kind": "AGENTCHAT_ITEM_TEXT",
    "agentchat_channel_kind": "AGENTCHAT_CHANNEL_TEXT",
}
POINTER_LIKE = ("_fn",)


def declarations(text):
    """(doc, return type, name, [(type, name)…]) of each AGENTCHAT_API of a header."""
    pattern = r"(/\*\*(?:(?!\*/).)*\*/)\s*AGENTCHAT_API\s+((?:(?!;).)*);"
    for doc, declaration in re.findall(pattern, text, re.S):
        declaration = " ".join(re.sub(r"AGENTCHAT_(NODISCARD|PRINTF\([^)]*\))", "", declaration).split())
        returns, name, parameters = re.match(r"(.*?)\b(agentchat_\w+)\((.*)\)$", declaration).groups()
        yield doc, returns.strip(), name, [parameter(p.strip()) for p in parameters.split(",")
                                           if p.strip() not in ("void", "...")]


def parameter(text):
    array = re.match(r"char (\w+)\[(.*)\]$", text)
    if array:
        return f"char[{array.group(2)}]", array.group(1)
    kind, name = re.match(r"(.*?)(\w+)$", text).groups()
    return kind.strip(), name


def is_pointer(kind):
    return kind.endswith("*") or kind.startswith("char[") or kind.endswith(POINTER_LIKE)


def value(function, kind, name):
    if function == f"{kind[:-2]}_init":
        return f"&({kind[:-2]}){{0}}"
    if function.endswith("_init") and name == "size":
        return f"sizeof({function[:-5]})"
    special = SPECIAL.get(function, {}).get(name) or NAMED.get(f"{kind} {name}") or VALUES.get(kind)
    if special:
        return special
    if kind.startswith("char["):
        return f"(char {kind[4:]}){{0}}"
    if kind.endswith("**"):
        return f"&({kind[:-1]}){{NULL}}"
    options = re.fullmatch(r"const (agentchat_\w+_options) \*", kind)
    if options:
        return f"&({options.group(1)}){options.group(1).upper()}_INIT"
    if not is_pointer(kind) and kind.startswith("agentchat_"):
        return f"({kind})0"
    sys.exit(f"make_calls.py: {function}: give the type {kind!r} a value in VALUES")


def may_be_null(doc, kind, name):
    """Whether the parameter's comment says so. Errors and what is handed to callbacks may be NULL everywhere."""
    said = re.search(rf"@param\[[^]]*\]\s+{name}\b(.*?)(?=@param|@ret|\*/)", doc, re.S)
    allowed = r"\bor NULL\b|NULL(:|\s+is\s|\s+gives|\s+for)"
    return kind in ("agentchat_error *", "void *") or (said is not None and bool(re.search(allowed, said.group(1))))


def write_call(doc, returns, name, parameters):
    kinds = "".join("-" if not is_pointer(k) else "n" if may_be_null(doc, k, n) else "m" for k, n in parameters)
    arguments = [f"null == {i} ? NULL : {value(name, kind, n)}" if is_pointer(kind) else value(name, kind, n)
                 for i, (kind, n) in enumerate(parameters)]
    call = f"{name}({', '.join(arguments)})"
    has_status = returns == "agentchat_status"
    print(f"static agentchat_status call_{name}(nulls_world *w, int null)\n{{\n    (void)w;\n    (void)null;")
    print(f"    return {call};\n}}" if has_status else f"    (void){call};\n    return AGENTCHAT_OK;\n}}")
    names = ", ".join(f'"{n}"' for _, n in parameters) or "NULL"
    print(f"static const char *const names_{name}[] = {{{names}}};\n")
    return f'    {{"{name}", {len(parameters)}, "{kinds}", names_{name}, {str(has_status).lower()}, call_{name}}},'


def main():
    skipped = set() if "postgres" in sys.argv[1:] else {"postgres.h"}
    rows = []
    print('#include "nulls.h"\n')
    for path in sorted(glob.glob(os.path.join(TOP, "include/agentchat/*.h"))):
        if os.path.basename(path) in skipped:
            continue
        with open(path, encoding="utf-8") as file:
            for found in declarations(file.read()):
                rows.append(write_call(*found))
    print("const nulls_call nulls_calls[] = {", *rows, "};", sep="\n")
    print("const size_t nulls_call_count = sizeof nulls_calls / sizeof *nulls_calls;")


if __name__ == "__main__":
    main()
