/* SPDX-License-Identifier: Apache-2.0 */
/* What a value is follows from its path alone: properties of a message may have any name and content. */
#include "cli/diff/summary.h"
#include "cli/json/inspect.h"
#include "cli/json/print.h"
#include "cli/text/put.h"
#include <string.h>

/* The last part of a type name: "ChatHistoryChannel" of "Microsoft.SemanticKernel.Agents.ChatHistoryChannel". */
static agentchat_str short_type(agentchat_str type)
{
    /* A generic or assembly-qualified name keeps its dots inside brackets and after the comma. */
    size_t end = 0, start = 0;

    while (end < type.len && type.ptr[end] != '[' && type.ptr[end] != ',' && type.ptr[end] != '`')
        end++;
    for (size_t i = 0; i < end; i++) {
        if (type.ptr[i] == '.')
            start = i + 1;
    }
    if (start >= end)
        return type;
    return (agentchat_str){type.ptr + start, end - start};
}

enum { KEY_COLUMNS = 13, NAME_COLUMNS = 60 };

/* ---- what stands at a path -------------------------------------------------------------------------------------- */

typedef enum node_kind {
    NODE_CHAT,
    NODE_MESSAGES,
    NODE_MESSAGE,
    NODE_ITEMS,
    NODE_ITEM,
    NODE_PARTICIPANTS,
    NODE_PARTICIPANT,
    NODE_CHANNELS,
    NODE_CHANNEL,
    NODE_STATE, /* a list of messages, a chat, or anything else */
    NODE_VALUE, /* anything */
} node_kind;

static bool is_index(agentchat_str step)
{
    return step.len > 0 && step.ptr[0] >= '0' && step.ptr[0] <= '9';
}

static node_kind below(node_kind at, agentchat_str step)
{
    static const struct {
        node_kind at;
        const char *step; /* NULL: an index */
        node_kind below;
    } steps[] = {
        {NODE_CHAT, "history", NODE_MESSAGES},  {NODE_CHAT, "participants", NODE_PARTICIPANTS},
        {NODE_CHAT, "channels", NODE_CHANNELS}, {NODE_MESSAGES, NULL, NODE_MESSAGE},
        {NODE_MESSAGE, "items", NODE_ITEMS},    {NODE_ITEMS, NULL, NODE_ITEM},
        {NODE_ITEM, "message", NODE_MESSAGE},   {NODE_PARTICIPANTS, NULL, NODE_PARTICIPANT},
        {NODE_CHANNELS, NULL, NODE_CHANNEL},    {NODE_CHANNEL, "channelstate", NODE_STATE},
        {NODE_STATE, NULL, NODE_MESSAGE},
    };

    if (at == NODE_STATE && !is_index(step))
        at = NODE_CHAT;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (steps[i].at != at)
            continue;
        if (steps[i].step == NULL ? is_index(step) : agentchat_str_equal(step, agentchat_str_from(steps[i].step)))
            return steps[i].below;
    }
    return NODE_VALUE;
}

static node_kind kind_at(agentchat_str path)
{
    node_kind at = NODE_CHAT;

    for (size_t i = 0; i < path.len;) { /* path.ptr[i] is a slash */
        size_t start = ++i;

        while (i < path.len && path.ptr[i] != '/')
            i++;
        at = below(at, (agentchat_str){path.ptr + start, i - start});
    }
    return at;
}

/* ---- in a few words --------------------------------------------------------------------------------------------- */

static agentchat_str text_of(agentchat_str object, const char *name)
{
    return cli_json_string(agentchat_json_find(object, agentchat_str_from(name)));
}

/* `Vdx37EnWT9BS… (ChatHistoryChannel, 12 messages)` */
static void put_channel(FILE *out, agentchat_str value)
{
    agentchat_str type = text_of(value, "channeltype");

    (void)cli_put_cut(out, text_of(value, "channelkey"), KEY_COLUMNS);
    (void)fputs(" (", out);
    (void)cli_put_cut(out, short_type(type), NAME_COLUMNS);
    if (agentchat_str_equal(text_of(value, "statekind"), AGENTCHAT_STR("messages"))) {
        (void)fputs(type.len > 0 ? ", " : "", out);
        cli_put_count(out, cli_json_length(agentchat_json_find(value, AGENTCHAT_STR("channelstate"))), "message",
                      "messages");
    }
    (void)fputc(')', out);
}

/* `Desk (ChatCompletionAgent, 303dadbb-e07…)` */
static void put_participant(FILE *out, agentchat_str value)
{
    agentchat_str name = text_of(value, "name"), type = text_of(value, "type"), id = text_of(value, "id");

    (void)cli_put_cut(out, name.len > 0 ? name : AGENTCHAT_STR("(no name)"), NAME_COLUMNS);
    (void)fputs(" (", out);
    (void)cli_put_cut(out, short_type(type), NAME_COLUMNS);
    (void)fputs(type.len > 0 && id.len > 0 ? ", " : "", out);
    (void)cli_put_cut(out, id, KEY_COLUMNS);
    (void)fputc(')', out);
}

/* `call Orders.lookup` */
static void put_item_name(FILE *out, agentchat_str item)
{
    agentchat_str plugin = text_of(item, "plugin"), function = text_of(item, "function");

    (void)cli_put_cut(out, text_of(item, "type"), NAME_COLUMNS);
    (void)fputs(plugin.len + function.len > 0 ? " " : "", out);
    (void)cli_put(out, plugin);
    (void)fputs(plugin.len > 0 ? "." : "", out);
    (void)cli_put(out, function);
}

/* `assistant Desk, 3 items: "It was shipped"` */
static void put_message(FILE *out, agentchat_str value)
{
    agentchat_str role = text_of(value, "role"), name = text_of(value, "name");
    agentchat_str items = agentchat_json_find(value, AGENTCHAT_STR("items"));
    size_t count = cli_json_length(items);
    agentchat_json_walk walk;

    (void)agentchat_json_walk_into(&walk, items);
    (void)agentchat_json_walk_next(&walk);
    agentchat_str first = walk.value, text = agentchat_json_find(first, AGENTCHAT_STR("text"));
    (void)cli_put(out, role.len > 0 ? role : AGENTCHAT_STR("(no role)"));
    (void)fputs(name.len > 0 ? " " : "", out);
    (void)cli_put(out, name);
    if (count != 1 || text.ptr == NULL) {
        (void)fputs(", ", out);
        cli_put_count(out, count, "item", "items");
    }
    (void)fputs(text.ptr != NULL || text_of(first, "type").ptr != NULL ? ": " : "", out);
    if (text.ptr != NULL)
        cli_json_one_line(out, text);
    else
        put_item_name(out, first);
}

/* `text: "It was shipped"`, `call Orders.lookup: {"id":1234}` */
static void put_item(FILE *out, agentchat_str value)
{
    static const char *const contents[] = {"text", "arguments", "result", "uri", "label", "file", "mimetype", "raw"};
    agentchat_str nested = agentchat_json_find(value, AGENTCHAT_STR("message")), content = {NULL, 0};

    for (size_t i = 0; i < sizeof contents / sizeof contents[0] && content.ptr == NULL; i++)
        content = agentchat_json_find(value, agentchat_str_from(contents[i]));
    put_item_name(out, value);
    (void)fputs(nested.len + content.len > 0 ? ": " : "", out);
    if (nested.len > 0)
        put_message(out, nested);
    else
        cli_json_one_line(out, content);
}

void diff_summary_put(FILE *out, agentchat_str path, agentchat_str value)
{
    if (value.len == 0 || value.ptr[0] != '{') {
        cli_json_one_line(out, value);
        return;
    }
    switch (kind_at(path)) {
    case NODE_MESSAGE:
        put_message(out, value);
        return;
    case NODE_ITEM:
        put_item(out, value);
        return;
    case NODE_PARTICIPANT:
        put_participant(out, value);
        return;
    case NODE_CHANNEL:
        put_channel(out, value);
        return;
    case NODE_CHAT:
    case NODE_MESSAGES:
    case NODE_ITEMS:
    case NODE_PARTICIPANTS:
    case NODE_CHANNELS:
    case NODE_STATE:
    case NODE_VALUE:
        break;
    }
    cli_json_one_line(out, value);
}
