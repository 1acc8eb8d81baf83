/* SPDX-License-Identifier: Apache-2.0 */
/* Tools that a model calls: what they are, and the answers of manage_memory and search_memory. */
#include <agentchat/memory_tools.h>

#include "base/env.h"
#include "base/error.h"
#include "base/ids.h"
#include "memory/memory_internal.h"
#include "json/value.h"
#include <agentchat/json_text.h>
#include <string.h>

/* ==== what they are ============================================================================================== */

static void manage(aci_tool_call *call);
static void search(aci_tool_call *call);

#define TEXT(name, about) "\"" name "\":{\"type\":\"string\",\"description\":\"" about "\"}"
#define NUMBER(name, about) "\"" name "\":{\"type\":\"integer\",\"description\":\"" about "\"}"
#define CHOICE(name, choices, about)                                                                                   \
    "\"" name "\":{\"type\":\"string\",\"enum\":[" choices "],\"description\":\"" about "\"}"
#define OBJECT(members, required) "{\"type\":\"object\",\"properties\":{" members "},\"required\":[" required "]}"

static const char manage_parameters[] =
    OBJECT(TEXT("content", "What is to be remembered; for create and update.") "," CHOICE(
               "action", "\"create\",\"update\",\"delete\"",
               "create if it is not given.") "," TEXT("id", "Which memory, as search_memory gives it; for update and"
                                                            " delete only."),
           "");
static const char search_parameters[] = OBJECT(
    TEXT("query", "What is searched for.") "," NUMBER("limit", "At most so many; 10 if it is not given.") "," NUMBER(
        "offset", "So many are passed over.") ","
                                              "\"filter\":{\"type\":\"object\",\"description\":\"Members that a memory "
                                              "must have.\"}",
    "\"query\"");
static const char file_parameters[] = OBJECT(
    CHOICE("command", "\"view\",\"create\",\"str_replace\",\"insert\",\"delete\",\"rename\"", "What is done.") "," TEXT(
        "path",
        "The file or directory; for all but rename.") ","
                                                      "\"view_range\":{\"type\":\"array\",\"items\":{"
                                                      "\"type\":\"integer\"},\"description\":\"view: "
                                                      "the first"
                                                      " and the last line; -1 is the last "
                                                      "one.\"}," TEXT(
                                                          "file_text",
                                                          "create: what is in "
                                                          "the file.") "," TEXT("old_str",
                                                                                "str_replace: a text that is in the "
                                                                                "file once.") "," TEXT("new_str",
                                                                                                       "str_replace: "
                                                                                                       "what stands "
                                                                                                       "there "
                                                                                                       "instead.") "," NUMBER("insert_"
                                                                                                                              "line",
                                                                                                                              "insert: "
                                                                                                                              "the line "
                                                                                                                              "after "
                                                                                                                              "which the "
                                                                                                                              "text is "
                                                                                                                              "inserted; "
                                                                                                                              "0: before "
                                                                                                                              "the "
                                                                                                                              "first.") "," TEXT("insert_text",
                                                                                                                                                 "insert: the text.") "," TEXT("old_path",
                                                                                                                                                                               "rename: the file or directory.") "," TEXT("new_path",
                                                                                                                                                                                                                          "rename: its new path."),
    "\"command\"");

static const struct tool {
    const char *name, *about, *parameters;
    const char *native; /* the definition of a tool that Anthropic's service knows; NULL: it knows none */
    void (*answer)(aci_tool_call *call);
} tools[] = {
    {"manage_memory",
     "Create, update or delete a memory that outlives this conversation. Create one when the user says what will matter"
     " later, update or delete one when it turns out to be wrong or out of date.",
     manage_parameters, NULL, manage},
    {"search_memory", "Search the memories for what may matter in this conversation.", search_parameters, NULL, search},
    {"memory", "View and edit files that outlive this conversation. They lie below /memories: view that first.",
     file_parameters, "{\"type\":\"memory_20250818\",\"name\":\"memory\"}", aci_tool_files},
};

enum { TOOLS = sizeof tools / sizeof *tools };

static agentchat_status check_tools(uint32_t *bits, agentchat_error *err)
{
    if (*bits >= 1U << TOOLS)
        return aci_fail(err, AGENTCHAT_E_INVALID, "there are no tools with the bits %#x", (unsigned)*bits);
    *bits = *bits != 0 ? *bits : (1U << TOOLS) - 1;
    return AGENTCHAT_OK;
}

agentchat_status agentchat_memory_tools_define(uint32_t bits, const char *format, agentchat_bytes *out,
                                               agentchat_error *err)
{
    bool ok, is_anthropic = format != NULL && strcmp(format, "anthropic") == 0, first = true;
    aci_buf text;
    agentchat_status status;

    agentchat_error_clear(err);
    status = check_tools(&bits, err);
    if (status < 0)
        return status;
    if (format == NULL || out == NULL)
        return aci_fail_null(err, format == NULL ? "format" : "out");
    if (!is_anthropic && strcmp(format, "openai-chat") != 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "tools are defined for openai-chat and anthropic");
    aci_buf_init(&text, aci_env(out->env), SIZE_MAX);
    ok = aci_buf_add(&text, "[", 1);
    for (size_t i = 0; i < TOOLS && ok; i++) {
        const struct tool *tool = &tools[i];

        if ((bits & 1U << i) == 0)
            continue;
        ok = first || aci_buf_add(&text, ",", 1);
        first = false;
        if (ok && is_anthropic && tool->native != NULL)
            ok = aci_buf_add_str(&text, agentchat_str_from(tool->native));
        else if (ok && is_anthropic)
            ok = aci_buf_printf(&text, "{\"name\":\"%s\",\"description\":\"%s\",\"input_schema\":%s}", tool->name,
                                tool->about, tool->parameters);
        else if (ok)
            ok = aci_buf_printf(&text,
                                "{\"type\":\"function\",\"function\":{\"name\":\"%s\",\"description\":\"%s\","
                                "\"parameters\":%s}}",
                                tool->name, tool->about, tool->parameters);
    }
    ok = ok && aci_buf_add(&text, "]", 1);
    status = ok ? aci_buf_append_bytes(out, text.env, aci_buf_str(&text), err) : aci_fail_nomem(err);
    aci_buf_clear(&text);
    return status;
}

/* ==== manage_memory ============================================================================================== */

static void create(aci_tool_call *call, agentchat_str content)
{
    char id[ACI_ID_LEN + 1];
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_id_new_ordered(call->env, id, &why);
    if (status >= 0)
        status = aci_tool_put(call, call->ns, id, "content", content, 0, &why);
    if (aci_tool_did(call, status, &why))
        aci_tool_say(call, "created memory %s", id);
}

/* Changes the one with the id: content absent deletes it. */
static agentchat_status change_once(aci_tool_call *call, const char *id, agentchat_str content, agentchat_error *why)
{
    agentchat_memory_results *page = NULL;
    uint64_t revision;
    agentchat_status status = agentchat_memory_get(call->store, call->ns, id, false, &page, why);

    if (status < 0)
        return status;
    revision = agentchat_memory_results_at(page, 0)->revision;
    agentchat_memory_results_free(page);
    return content.ptr != NULL ? aci_tool_put(call, call->ns, id, "content", content, revision, why)
                               : aci_tool_delete(call, call->ns, id, revision, why);
}

static void change(aci_tool_call *call, const char *id, agentchat_str content)
{
    agentchat_error why;
    agentchat_status status = AGENTCHAT_E_CONFLICT;
    aci_excerpt excerpt;

    agentchat_error_clear(&why);
    for (int i = 0; i < ACI_TOOL_ATTEMPTS && status == AGENTCHAT_E_CONFLICT; i++)
        status = change_once(call, id, content, &why);
    if (status == AGENTCHAT_E_NOTFOUND)
        aci_tool_fail(call, "Error: there is no memory with the id %s; search_memory gives the ids.",
                      aci_error_excerpt(agentchat_str_from(id), &excerpt));
    else if (aci_tool_did(call, status, &why))
        aci_tool_say(call, "%s memory %s", content.ptr != NULL ? "updated" : "deleted", id);
}

static void manage(aci_tool_call *call)
{
    agentchat_str action, id, content = aci_tool_value(call, "content");
    const char *key = NULL;
    bool ok = true, deletes;

    if (!aci_tool_text(call, "action", false, &action) || !aci_tool_text(call, "id", false, &id))
        return;
    deletes = agentchat_str_equal(action, AGENTCHAT_STR("delete"));
    if (id.ptr != NULL)
        key = aci_arena_cstr(call->arena, id, &ok);
    if (!ok)
        call->status = aci_fail_nomem(call->err);
    else if (id.ptr != NULL && memchr(id.ptr, '\0', id.len) != NULL)
        aci_tool_fail(call, "Error: no memory has an id with a NUL in it; search_memory gives the ids.");
    else if (!deletes && content.ptr == NULL)
        aci_tool_fail(call, "Error: the argument `content` is missing.");
    else if (action.ptr == NULL || agentchat_str_equal(action, AGENTCHAT_STR("create")))
        id.ptr == NULL ? create(call, content)
                       : aci_tool_fail(call, "Error: a new memory gets its id here; use the action update, or no id.");
    else if (!deletes && !agentchat_str_equal(action, AGENTCHAT_STR("update")))
        aci_tool_fail(call, "Error: the action is create, update or delete.");
    else if (id.ptr == NULL)
        aci_tool_fail(call, "Error: the argument `id` is missing; search_memory gives the ids.");
    else
        change(call, key, deletes ? (agentchat_str){NULL, 0} : content);
}

/* ==== search_memory ============================================================================================== */

static void print_found(aci_tool_call *call, const agentchat_memory_results *page)
{
    bool ok = aci_buf_add(&call->said, "[", 1);

    for (size_t i = 0; i < agentchat_memory_results_count(page) && ok; i++) {
        const agentchat_memory_item *item = agentchat_memory_results_at(page, i);
        agentchat_str content = agentchat_json_find(item->value, AGENTCHAT_STR("content"));

        ok = aci_buf_printf(&call->said, "%s{\"id\":", i > 0 ? "," : "") &&
             aci_json_quote(agentchat_str_from(item->key), &call->said, NULL) >= 0 &&
             aci_buf_printf(&call->said, ",\"content\":") &&
             aci_buf_add_str(&call->said, content.ptr != NULL ? content : item->value) &&
             (!item->has_score || aci_buf_printf(&call->said, ",\"score\":%.4f", item->score)) &&
             aci_buf_add(&call->said, "}", 1);
    }
    call->is_json = true;
    if (!ok || !aci_buf_add(&call->said, "]", 1))
        call->status = aci_fail_nomem(call->err);
}

static void search(aci_tool_call *call)
{
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_results *page = NULL;
    int64_t limit = 10, offset = 0;
    agentchat_error why;

    agentchat_error_clear(&why);
    if (!aci_tool_text(call, "query", true, &query.text) || !aci_tool_number(call, "limit", false, &limit) ||
        !aci_tool_number(call, "offset", false, &offset))
        return;
    if (limit < 1 || offset < 0) {
        aci_tool_fail(call, limit < 1 ? "Error: `limit` is 1 or more." : "Error: `offset` is 0 or more.");
        return;
    }
    query.filter = aci_tool_value(call, "filter");
    query.limit = (size_t)limit;
    query.offset = (size_t)offset;
    query.embedder = call->put.embedder;
    query.exact = true; /* ids are of this namespace */
    if (aci_tool_did(call, agentchat_memory_search(call->store, call->ns, &query, &page, &why), &why))
        print_found(call, page);
    agentchat_memory_results_free(page);
}

/* ==== answering ================================================================================================== */

void agentchat_memory_tools_options_init(agentchat_memory_tools_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static void answer(aci_tool_call *call, const struct tool *tool, agentchat_str arguments)
{
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    if (arguments.ptr == NULL)
        arguments = AGENTCHAT_STR("{}");
    status = aci_json_index_text(&call->arguments, arguments, 0, 0, &why);
    if (status >= 0 && aci_json_index_kind(&call->arguments, 0) != ACI_JSON_OBJECT)
        status = aci_fail(&why, AGENTCHAT_E_INVALID, "they are another value");
    if (status < 0 && status != AGENTCHAT_E_NOMEM)
        aci_tool_fail(call, "Error: the arguments are a JSON object: %s", why.message);
    else if (aci_tool_did(call, status, &why))
        tool->answer(call);
}

static void add_result(const aci_tool_call *call, const agentchat_item *item, agentchat_message_builder *message)
{
    void (*add)(agentchat_message_builder *, agentchat_str, agentchat_str, agentchat_str, agentchat_str) =
        call->is_json ? agentchat_message_builder_add_result : agentchat_message_builder_add_result_text;

    add(message, agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID), agentchat_item_get(item, AGENTCHAT_FIELD_PLUGIN),
        agentchat_item_get(item, AGENTCHAT_FIELD_FUNCTION), aci_buf_str(&call->said));
    if (call->failed)
        agentchat_message_builder_set_item(message, AGENTCHAT_FIELD_FAILED, AGENTCHAT_STR("true"));
}

agentchat_status agentchat_memory_tools_answer(agentchat_store *store, const char *ns, const agentchat_item *item,
                                               agentchat_message_builder *message,
                                               const agentchat_memory_tools_options *options, agentchat_error *err)
{
    agentchat_memory_tools_options o;
    aci_tool_call call = {.store = store, .ns = ns, .err = err};
    const struct tool *tool = NULL;
    aci_space space;
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL || item == NULL || message == NULL)
        return aci_fail_null(err, store == NULL ? "store" : item == NULL ? "call" : "message");
    status = aci_env_options_load(&o, sizeof o, options, err);
    if (status >= 0)
        status = aci_env_options_load(&call.put, sizeof call.put, o.put, err);
    if (status >= 0)
        status = check_tools(&o.tools, err);
    if (status >= 0)
        status = aci_space_read(ns, false, &space, err);
    if (status >= 0 && space.len == 0)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "tools have a namespace, and \"/\" is none");
    if (status >= 0 && agentchat_item_get_kind(item) != AGENTCHAT_ITEM_CALL)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the item is no call");
    if (status < 0)
        return status;
    for (size_t i = 0; i < TOOLS; i++)
        if ((o.tools & 1U << i) != 0 &&
            agentchat_str_equal(agentchat_item_get(item, AGENTCHAT_FIELD_FUNCTION), agentchat_str_from(tools[i].name)))
            tool = &tools[i];
    if (tool == NULL)
        return AGENTCHAT_DONE;
    call.env = store->env;
    call.arena = aci_arena_new(call.env, 0);
    if (call.arena == NULL)
        return aci_fail_nomem(err);
    aci_json_index_init(&call.arguments, call.env);
    aci_buf_init(&call.said, call.env, SIZE_MAX);
    answer(&call, tool, agentchat_item_get(item, AGENTCHAT_FIELD_ARGUMENTS));
    if (call.status >= 0)
        add_result(&call, item, message);
    aci_buf_clear(&call.said);
    aci_json_index_clear(&call.arguments);
    aci_arena_unref(call.arena);
    return call.status;
}
