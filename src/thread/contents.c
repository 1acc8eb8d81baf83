/* SPDX-License-Identifier: Apache-2.0 */
/* What a checkpoint's row says of its chat, as text and back. */
#include "thread/contents.h"

#include "base/error.h"
#include "snapshot/snapshot.h"
#include "thread/rows.h"
#include "json/value.h"
#include <inttypes.h>
#include <string.h>

/* ---- writing -------------------------------------------------------------------------------------------------- */

static bool write_range(aci_range range, aci_buf *out)
{
    if (range.seg == 0)
        return aci_buf_add(out, "[]", 2);
    return aci_buf_printf(out, "[%" PRId64 ",%" PRId64 ",%" PRId64 "]", range.seg, range.from, range.to);
}

static bool write_state(const aci_part *part, aci_buf *out)
{
    switch (part->kind) {
    case ACI_PART_NONE:
        return true;
    case ACI_PART_LIST:
        return aci_buf_add(out, ",\"l\":", 5) && write_range(part->list, out);
    case ACI_PART_BODY:
        return aci_buf_printf(out, ",\"b\":%" PRId64, part->body);
    case ACI_PART_CHAT:
        return aci_buf_add(out, ",\"c\":", 5) && aci_contents_write(part->chat, out);
    }
    return true;
}

static bool write_part(const aci_part *part, aci_buf *out)
{
    size_t begin = out->len;
    bool ok = write_state(part, out);

    if (ok && part->synced != AGENTCHAT_SYNCED_UNKNOWN)
        ok = aci_buf_printf(out, ",\"s\":%zu", part->synced);
    for (size_t i = 0; ok && i < part->pending_count; i++)
        ok = aci_buf_printf(out, "%s[%zu,%zu]%s", i == 0 ? ",\"p\":[" : ",", part->pending[i].first,
                            part->pending[i].count, i + 1 == part->pending_count ? "]" : "");
    if (!ok)
        return false;
    if (out->len == begin) /* it says nothing */
        return aci_buf_add(out, "{}", 2);
    out->ptr[begin] = '{'; /* instead of the comma before its first member */
    return aci_buf_add(out, "}", 1);
}

static bool write_parts(const char *name, const aci_part *parts, size_t count, aci_buf *out)
{
    bool ok = count == 0 || aci_buf_printf(out, ",\"%s\":[", name);

    for (size_t i = 0; ok && i < count; i++)
        ok = (i == 0 || aci_buf_add(out, ",", 1)) && write_part(&parts[i], out);
    return ok && (count == 0 || aci_buf_add(out, "]", 1));
}

bool aci_contents_write(const aci_contents *contents, aci_buf *out)
{
    bool ok = aci_buf_printf(out, "{\"f\":%" PRId64, contents->frame);

    if (ok && contents->history.seg != 0)
        ok = aci_buf_add(out, ",\"h\":", 5) && write_range(contents->history, out);
    if (ok && contents->next_turn != 0)
        ok = aci_buf_printf(out, ",\"t\":%" PRIu64, contents->next_turn);
    if (ok && contents->is_complete)
        ok = aci_buf_add(out, ",\"c\":true", 9);
    return ok && write_parts("k", contents->channels, contents->channel_count, out) &&
           write_parts("v", contents->values, contents->value_count, out) && aci_buf_add(out, "}", 1);
}

/* ---- numbers of bodies ------------------------------------------------------------------------------------------ */

static void renumber_parts(aci_part *parts, size_t count, aci_contents_number_fn other, const void *user)
{
    for (size_t i = 0; i < count; i++) {
        if (parts[i].kind == ACI_PART_BODY)
            parts[i].body = other(user, parts[i].body);
        else if (parts[i].kind == ACI_PART_CHAT)
            aci_contents_renumber(parts[i].chat, other, user);
    }
}

void aci_contents_renumber(aci_contents *contents, aci_contents_number_fn other, const void *user)
{
    contents->frame = other(user, contents->frame);
    renumber_parts(contents->channels, contents->channel_count, other, user);
    renumber_parts(contents->values, contents->value_count, other, user);
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

typedef struct reading {
    aci_json_index index;
    aci_arena *arena;
    uint32_t depth_left; /* of chats in chats */
    agentchat_error *err;
    agentchat_status status;
} reading;

static bool damaged(reading *r)
{
    r->status =
        aci_fail(r->err, AGENTCHAT_E_CORRUPT, "the stored contents of a checkpoint are not what they should be");
    return false;
}

static bool no_memory(reading *r)
{
    r->status = aci_fail_nomem(r->err);
    return false;
}

/* An integer from 0 on. */
static bool read_number(reading *r, uint32_t node, int64_t *out)
{
    if (aci_json_index_kind(&r->index, node) != ACI_JSON_NUMBER ||
        !aci_json_integer(aci_json_index_raw(&r->index, node), out) || *out < 0 || *out > ACI_THREAD_HIGHEST)
        return damaged(r);
    return true;
}

static bool read_size(reading *r, uint32_t node, size_t *out)
{
    int64_t number;

    if (!read_number(r, node, &number))
        return false;
    if ((uint64_t)number >= AGENTCHAT_SYNCED_UNKNOWN)
        return damaged(r);
    *out = (size_t)number;
    return true;
}

/* An array of `count` integers, or an empty one: then *is_empty. */
static bool read_numbers(reading *r, uint32_t node, int64_t *out, size_t count, bool *is_empty)
{
    uint32_t at;
    size_t seen = 0;

    if (aci_json_index_kind(&r->index, node) != ACI_JSON_ARRAY)
        return damaged(r);
    for (at = aci_json_index_first(&r->index, node); at != 0; at = aci_json_index_next(&r->index, node, at), seen++)
        if (seen == count || !read_number(r, at, &out[seen]))
            return damaged(r);
    *is_empty = seen == 0;
    return seen == count || seen == 0 || damaged(r);
}

static bool read_range(reading *r, uint32_t node, aci_range *out)
{
    int64_t numbers[3] = {0, 0, 0};
    bool is_empty;

    if (!read_numbers(r, node, numbers, 3, &is_empty))
        return false;
    *out = (aci_range){numbers[0], numbers[1], numbers[2]};
    return is_empty || (out->seg > 0 && out->from < out->to) || damaged(r);
}

static size_t count_elements(const reading *r, uint32_t node)
{
    size_t count = 0;

    for (uint32_t at = aci_json_index_first(&r->index, node); at != 0; at = aci_json_index_next(&r->index, node, at))
        count++;
    return count;
}

static bool read_pending(reading *r, uint32_t node, aci_part *part)
{
    size_t count, i = 0;

    if (aci_json_index_kind(&r->index, node) != ACI_JSON_ARRAY)
        return damaged(r);
    count = count_elements(r, node);
    if (count == 0)
        return true;
    part->pending = aci_arena_alloc(r->arena, count * sizeof *part->pending);
    if (part->pending == NULL)
        return no_memory(r);
    for (uint32_t at = aci_json_index_first(&r->index, node); at != 0; at = aci_json_index_next(&r->index, node, at)) {
        int64_t pair[2];
        bool is_empty;

        if (!read_numbers(r, at, pair, 2, &is_empty) || is_empty || (uint64_t)pair[0] > SIZE_MAX / 2 ||
            (uint64_t)pair[1] > SIZE_MAX / 2)
            return damaged(r);
        part->pending[i++] = (aci_run){(size_t)pair[0], (size_t)pair[1]};
    }
    part->pending_count = count;
    return true;
}

static bool read_chat(reading *r, uint32_t node, aci_contents **out);

static bool read_member(reading *r, uint32_t key, aci_part *part)
{
    agentchat_str name = aci_json_index_raw(&r->index, key);
    char letter = name.len == 3 ? name.ptr[1] : '\0'; /* with its quotes */

    if (letter == 's')
        return read_size(r, key + 1, &part->synced);
    if (letter == 'p')
        return read_pending(r, key + 1, part);
    if (part->kind != ACI_PART_NONE)
        return damaged(r);
    if (letter == 'l') {
        part->kind = ACI_PART_LIST;
        return read_range(r, key + 1, &part->list);
    }
    if (letter == 'b') {
        part->kind = ACI_PART_BODY;
        return read_number(r, key + 1, &part->body);
    }
    part->kind = ACI_PART_CHAT;
    return letter == 'c' ? read_chat(r, key + 1, &part->chat) : damaged(r);
}

static bool read_parts(reading *r, uint32_t node, aci_part **parts, size_t *count)
{
    size_t i = 0;

    if (aci_json_index_kind(&r->index, node) != ACI_JSON_ARRAY)
        return damaged(r);
    *count = count_elements(r, node);
    if (*count == 0)
        return true;
    *parts = aci_arena_alloc(r->arena, *count * sizeof **parts);
    if (*parts == NULL)
        return no_memory(r);
    for (uint32_t at = aci_json_index_first(&r->index, node); at != 0; at = aci_json_index_next(&r->index, node, at)) {
        aci_part *part = &(*parts)[i++];

        *part = (aci_part){.synced = AGENTCHAT_SYNCED_UNKNOWN};
        if (aci_json_index_kind(&r->index, at) != ACI_JSON_OBJECT)
            return damaged(r);
        for (uint32_t key = aci_json_index_first(&r->index, at); key != 0;
             key = aci_json_index_next(&r->index, at, key))
            if (!read_member(r, key, part))
                return false;
    }
    return true;
}

static bool read_chat_member(reading *r, uint32_t key, aci_contents *chat)
{
    agentchat_str name = aci_json_index_raw(&r->index, key);
    int64_t number;

    switch (name.len == 3 ? name.ptr[1] : '\0') {
    case 'f':
        return read_number(r, key + 1, &chat->frame);
    case 'h':
        return read_range(r, key + 1, &chat->history);
    case 't':
        if (!read_number(r, key + 1, &number))
            return false;
        chat->next_turn = (uint64_t)number;
        return chat->next_turn <= ACI_HIGHEST_INTEGER || damaged(r);
    case 'c':
        chat->is_complete = true;
        return aci_json_index_kind(&r->index, key + 1) == ACI_JSON_TRUE || damaged(r);
    case 'k':
        return read_parts(r, key + 1, &chat->channels, &chat->channel_count);
    case 'v':
        if (!read_parts(r, key + 1, &chat->values, &chat->value_count))
            return false;
        for (size_t i = 0; i < chat->value_count; i++)
            if (chat->values[i].kind != ACI_PART_LIST && chat->values[i].kind != ACI_PART_BODY)
                return damaged(r);
        return true;
    default:
        return damaged(r);
    }
}

static bool read_chat(reading *r, uint32_t node, aci_contents **out)
{
    aci_contents *chat = aci_arena_alloc(r->arena, sizeof *chat);

    if (chat == NULL)
        return no_memory(r);
    memset(chat, 0, sizeof *chat);
    *out = chat;
    if (aci_json_index_kind(&r->index, node) != ACI_JSON_OBJECT)
        return damaged(r);
    if (r->depth_left-- == 0) {
        r->status = aci_fail(r->err, AGENTCHAT_E_LIMIT, "the chats of a checkpoint are nested too deep");
        return false;
    }
    for (uint32_t key = aci_json_index_first(&r->index, node); key != 0;
         key = aci_json_index_next(&r->index, node, key))
        if (!read_chat_member(r, key, chat))
            return false;
    r->depth_left++;
    return chat->frame > 0 || damaged(r);
}

agentchat_status aci_contents_read(const agentchat_env *env, agentchat_str text, aci_arena *arena, aci_contents **out,
                                   agentchat_error *err)
{
    reading r = {.arena = arena, .depth_left = env->limits.max_depth, .err = err};
    /* A chat in a chat is three levels deeper: the list of channels, the channel, the chat. */
    uint32_t depth = env->limits.max_depth > UINT32_MAX / 4 ? UINT32_MAX : 4 * env->limits.max_depth + 4;
    agentchat_error why;

    agentchat_error_clear(&why);
    aci_json_index_init(&r.index, env);
    r.status = aci_json_index_text(&r.index, text, depth, 0, &why);
    if (r.status == AGENTCHAT_E_NOMEM)
        (void)aci_fail_nomem(err);
    else if (r.status < 0)
        (void)damaged(&r);
    else
        (void)read_chat(&r, 0, out);
    aci_json_index_clear(&r.index);
    return r.status;
}
