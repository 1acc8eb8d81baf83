/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/brief.h"
#include "cli/show/call.h"

static void put(FILE *out, agentchat_str text)
{
    if (text.len > 0)
        (void)fwrite(text.ptr, 1, text.len, out);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The first line that has anything on it, and that there is more. */
static void put_first_line(FILE *out, agentchat_str text)
{
    size_t start = 0, end;

    while (start < text.len && is_space(text.ptr[start]))
        start++;
    for (end = start; end < text.len && text.ptr[end] != '\n' && text.ptr[end] != '\r';)
        end++;
    if (end > start)
        put(out, (agentchat_str){text.ptr + start, end - start});
    while (end < text.len && is_space(text.ptr[end]))
        end++;
    if (end < text.len)
        (void)fputs(" …", out);
}

static const char *name_of(agentchat_item_kind kind)
{
    switch (kind) {
    case AGENTCHAT_ITEM_IMAGE:
        return "[image]";
    case AGENTCHAT_ITEM_AUDIO:
        return "[audio]";
    case AGENTCHAT_ITEM_BINARY:
        return "[binary]";
    case AGENTCHAT_ITEM_ANNOTATION:
        return "[annotation]";
    case AGENTCHAT_ITEM_FILE:
        return "[file]";
    case AGENTCHAT_ITEM_REASONING:
        return "[reasoning]";
    case AGENTCHAT_ITEM_ACTION:
        return "[action]";
    case AGENTCHAT_ITEM_MESSAGE:
        return "[message]";
    case AGENTCHAT_ITEM_TEXT:
    case AGENTCHAT_ITEM_CALL:
    case AGENTCHAT_ITEM_RESULT:
    case AGENTCHAT_ITEM_OPAQUE:
    case AGENTCHAT_ITEM_MAX_:
        break;
    }
    return "[unknown item]";
}

static void put_item(FILE *out, const agentchat_item *item)
{
    agentchat_item_kind kind = agentchat_item_get_kind(item);

    if (kind == AGENTCHAT_ITEM_TEXT)
        put_first_line(out, agentchat_item_get(item, AGENTCHAT_FIELD_TEXT));
    else if (kind == AGENTCHAT_ITEM_CALL)
        show_call_put(out, item);
    else if (kind == AGENTCHAT_ITEM_RESULT)
        show_result_put(out, item);
    else
        (void)fputs(name_of(kind), out);
}

/* The first text that is not empty, or else the first item that is no text; NULL: there is nothing to show. */
static const agentchat_item *item_of(const agentchat_message *message)
{
    const agentchat_item *other = NULL;

    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);

        if (agentchat_item_get_kind(item) != AGENTCHAT_ITEM_TEXT)
            other = other != NULL ? other : item;
        else if (agentchat_item_get(item, AGENTCHAT_FIELD_TEXT).len > 0)
            return item;
    }
    return other;
}

void show_brief(FILE *out, const agentchat_message *message)
{
    agentchat_str role = agentchat_message_role(message), name = agentchat_message_name(message);
    const agentchat_item *item = item_of(message);

    put(out, has(role) ? role : AGENTCHAT_STR("(no role)"));
    if (has(name)) {
        (void)fputc(' ', out);
        put(out, name);
    }
    if (item != NULL) {
        (void)fputs(": ", out);
        put_item(out, item);
    }
}
