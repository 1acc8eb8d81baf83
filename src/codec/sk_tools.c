/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small tools of the semantic-kernel format: places for reports, walking over validated raw values, what a channel
 * keeps. Layer 4.
 */
#include "codec/sk.h"

#include "base/error.h"
#include <stdarg.h>
#include <stdio.h>

/* Longest pointer that a report shows; a deeper place is cut at a token. */
enum { MAX_POINTER = 4096, MAX_TOKENS = 256, MAX_TEXT = 400 };

static bool add_tokens(aci_buf *buf, const aci_sk_path *path)
{
    const aci_sk_path *tokens[MAX_TOKENS];
    size_t count = 0;

    for (; path != NULL && count < MAX_TOKENS; path = path->up)
        tokens[count++] = path;
    while (count > 0) {
        const aci_sk_path *token = tokens[--count];

        if (!(token->name != NULL ? aci_json_pointer_add(buf, agentchat_str_from(token->name))
                                  : aci_json_pointer_add_index(buf, token->index)))
            return false;
    }
    return true;
}

bool aci_sk_report(agentchat_report *report, const agentchat_env *env, agentchat_report_kind kind,
                   const aci_sk_path *path, const char *format, ...)
{
    char text[MAX_TEXT];
    aci_buf pointer;
    va_list arguments;
    bool ok;

    if (report == NULL)
        return true;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    aci_buf_init(&pointer, env, (size_t)MAX_POINTER * MAX_TOKENS);
    ok = add_tokens(&pointer, path) && aci_report_add(report, kind, AGENTCHAT_MATCH_NONE, aci_buf_str(&pointer),
                                                      (agentchat_str){NULL, 0}, "%s", text);
    aci_buf_clear(&pointer);
    return ok;
}

void aci_sk_error_at(const agentchat_env *env, const aci_sk_path *path, agentchat_error *err)
{
    aci_buf pointer;

    aci_buf_init(&pointer, env, (size_t)MAX_POINTER * MAX_TOKENS);
    if (add_tokens(&pointer, path))
        aci_error_path(err, aci_buf_str(&pointer));
    aci_buf_clear(&pointer);
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
        p++;
    return p;
}

/* Behind the string that begins at p. */
static const char *skip_string(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        if (*p == '\\')
            p++;
    return p < end ? p + 1 : end;
}

/* Behind the value that begins at p; the text is known to be valid. */
static const char *skip_value(const char *p, const char *end)
{
    size_t depth = 0;

    while (p < end) {
        if (*p == '"') {
            p = skip_string(p, end);
        } else if (*p == '{' || *p == '[') {
            depth++;
            p++;
        } else if (*p == '}' || *p == ']') {
            if (depth == 0)
                return p; /* the end of the container around a number or word */
            depth--;
            p++;
        } else if (depth == 0 && (*p == ',' || *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) {
            return p;
        } else {
            p++;
            continue;
        }
        if (depth == 0)
            return p;
    }
    return end;
}

void aci_sk_walk_begin(aci_sk_walk *walk, agentchat_str raw)
{
    walk->end = raw.ptr + raw.len;
    walk->at = skip_blanks(raw.ptr, walk->end) + 1; /* behind the bracket */
    walk->key = walk->value = (agentchat_str){NULL, 0};
    if (walk->at <= walk->end && walk->at[-1] == '{')
        walk->key = AGENTCHAT_STR("");
}

bool aci_sk_walk_next(aci_sk_walk *walk)
{
    const char *p = skip_blanks(walk->at, walk->end);

    if (p < walk->end && *p == ',')
        p = skip_blanks(p + 1, walk->end);
    if (p >= walk->end || *p == '}' || *p == ']')
        return false;
    if (walk->key.ptr != NULL) {
        const char *key_end = skip_string(p, walk->end);

        walk->key = (agentchat_str){p, (size_t)(key_end - p)};
        p = skip_blanks(key_end, walk->end);
        p = skip_blanks(p + 1, walk->end); /* the colon */
    }
    walk->at = skip_value(p, walk->end);
    walk->value = (agentchat_str){p, (size_t)(walk->at - p)};
    return true;
}

bool aci_sk_is_int32(agentchat_str raw)
{
    uint64_t value = 0;
    size_t i = 0;
    bool negative = raw.len > 0 && raw.ptr[0] == '-';

    if (negative)
        i++;
    if (i == raw.len || raw.len - i > 10)
        return false;
    for (; i < raw.len; i++) {
        if (raw.ptr[i] < '0' || raw.ptr[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(raw.ptr[i] - '0');
    }
    return value <= (negative ? UINT64_C(2147483648) : UINT64_C(2147483647));
}

bool aci_sk_channel_keeps(const agentchat_message *message)
{
    bool text_seen = false;

    for (size_t i = 0; i < message->item_count; i++) {
        const agentchat_item *item = message->items[i];

        if (item->kind == AGENTCHAT_ITEM_CALL || item->kind == AGENTCHAT_ITEM_RESULT ||
            item->kind == AGENTCHAT_ITEM_IMAGE)
            return true;
        if (item->kind != AGENTCHAT_ITEM_TEXT || text_seen)
            continue;
        text_seen = true; /* only the first text is what .NET calls the message's content */
        if (aci_field_view(aci_find(item->fields, item->field_count, AGENTCHAT_FIELD_TEXT)).len > 0)
            return true;
    }
    return false;
}

aci_sk_state aci_sk_state_of(agentchat_str key, agentchat_str type)
{
    if (aci_sk_view_is(type, AGENTCHAT_TYPE_AGGREGATOR_CHANNEL))
        return ACI_SK_STATE_CHAT;
    if (aci_sk_view_is(type, AGENTCHAT_TYPE_HISTORY_CHANNEL) || aci_sk_view_is(key, ACI_SK_HISTORY_KEY))
        return ACI_SK_STATE_HISTORY;
    return ACI_SK_STATE_OTHER;
}
