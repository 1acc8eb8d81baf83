/* SPDX-License-Identifier: Apache-2.0 */
/* What a checkpoint contains: its lists, its frame, large data. */
#include "thread/thread.h"

#include "base/error.h"
#include "snapshot/snapshot.h"
#include "thread/thread_internal.h"
#include "json/index.h"
#include "json/value.h"
#include "json/walk.h"
#include <inttypes.h>
#include <string.h>

/* ==== what a checkpoint's row says of its chat, as text and back ================================================= */

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

/* ==== lists whose elements are stored one by one ================================================================= */

bool aci_elements_is_list(const aci_value *value)
{
    agentchat_str text = value->value;
    aci_walk walk;

    if (value->list != NULL || value->media_type.ptr != NULL || text.len < 2 || text.ptr[0] != '[')
        return value->list != NULL;
    aci_walk_begin(&walk, text);
    return text.len == 2 || aci_walk_next(&walk); /* an empty one with whitespace in it would lose that */
}

void aci_elements_of_messages(aci_elements *elements, const agentchat_messages *messages)
{
    *elements = (aci_elements){.count = messages->count};
    aci_list_cursor_begin(&elements->cursor, messages);
}

void aci_elements_of_numbers(aci_elements *elements, const int64_t *numbers, size_t count)
{
    *elements = (aci_elements){.numbers = numbers, .count = count};
}

void aci_elements_of_values(aci_elements *elements, const aci_value_list *list)
{
    *elements = (aci_elements){.count = aci_value_list_count(list)};
    aci_value_list_cursor_begin(&elements->values, list);
}

bool aci_elements_of_array(aci_elements *elements, agentchat_str array, aci_arena *arena)
{
    agentchat_str *texts = NULL;
    size_t count = 0;
    bool ok = aci_value_list_split(array, arena, &texts, &count);

    *elements = (aci_elements){.texts = texts, .count = count};
    return ok;
}

static bool is_messages(const aci_elements *elements)
{
    return elements->texts == NULL && elements->numbers == NULL && elements->values.list == NULL;
}

static agentchat_str text_at(aci_elements *elements, size_t index)
{
    return elements->texts != NULL ? elements->texts[index] : aci_value_list_cursor_at(&elements->values, index);
}

agentchat_status aci_elements_body(aci_elements *elements, size_t index, aci_bodies *bodies, size_t *body,
                                   agentchat_error *err)
{
    if (!is_messages(elements))
        return aci_bodies_add(bodies, text_at(elements, index), body, err);
    return aci_bodies_add_message(bodies, aci_list_cursor_at(&elements->cursor, index), body, err);
}

/* The number of an element's body; 0: not known. What has only numbers is compared with what is in the bodies. */
static int64_t number_of(aci_elements *elements, size_t index, aci_bodies *bodies)
{
    size_t body;

    if (elements->numbers != NULL)
        return elements->numbers[index];
    return aci_elements_body(elements, index, bodies, &body, NULL) >= 0 ? bodies->list[body].no : 0;
}

bool aci_elements_same(aci_elements *a, size_t i, aci_elements *b, size_t k, aci_bodies *bodies)
{
    if (a->numbers != NULL || b->numbers != NULL) {
        int64_t number = number_of(a, i, bodies);

        return number != 0 && number == number_of(b, k, bodies);
    }
    if (is_messages(a) != is_messages(b))
        return false;
    if (!is_messages(a))
        return agentchat_str_equal(text_at(a, i), text_at(b, k));
    return aci_list_cursor_at(&a->cursor, i) == aci_list_cursor_at(&b->cursor, k);
}

void aci_elements_shared(const aci_elements *a, const aci_elements *b, size_t *skipped, size_t *run)
{
    *skipped = *run = 0;
    if (a->values.list != NULL && b->values.list != NULL)
        aci_value_list_shared(a->values.list, b->values.list, skipped, run);
    else if (a->count > 0 && is_messages(a) && is_messages(b) && aci_list_is_prefix(a->cursor.list, b->cursor.list))
        *run = a->count;
}

size_t aci_elements_run(aci_elements *a, size_t i, aci_elements *b, size_t k, aci_bodies *bodies)
{
    size_t run = 0;

    while (i + run < a->count && k + run < b->count && aci_elements_same(a, i + run, b, k + run, bodies))
        run++;
    return run;
}

/* ==== the frame of a chat in the store =========================================================================== */

/* A chat without anything, for a channel that holds one. */
static agentchat_snapshot *nothing(const agentchat_env *env, aci_arena *arena)
{
    agentchat_snapshot *chat = aci_arena_alloc(arena, sizeof *chat);

    if (chat != NULL) {
        *chat = (agentchat_snapshot){.env = env, .arena = arena};
        aci_list_init(&chat->history, env);
    }
    return chat;
}

static bool bare_channels(agentchat_snapshot *bare, aci_arena *arena)
{
    agentchat_channel_state *list;

    if (bare->channel_count == 0)
        return true;
    list = aci_arena_alloc(arena, bare->channel_count * sizeof *list);
    if (list == NULL)
        return false;
    for (size_t i = 0; i < bare->channel_count; i++) {
        agentchat_channel_state *channel = &list[i];

        *channel = bare->channels[i];
        aci_list_init(&channel->messages, bare->env);
        channel->synced = AGENTCHAT_SYNCED_UNKNOWN;
        channel->pending_count = 0;
        if (channel->data.len > 0)
            channel->data = channel->spelling == ACI_SPELLED_RAW ? AGENTCHAT_STR("0") : AGENTCHAT_STR("");
        if (channel->kind == AGENTCHAT_CHANNEL_CHAT) {
            channel->chat = nothing(bare->env, arena);
            if (channel->chat == NULL)
                return false;
        }
    }
    bare->channels = list;
    return true;
}

static bool bare_values(agentchat_snapshot *bare, aci_arena *arena)
{
    aci_value *list;

    if (bare->value_count == 0)
        return true;
    list = aci_arena_alloc(arena, bare->value_count * sizeof *list);
    if (list == NULL)
        return false;
    for (size_t i = 0; i < bare->value_count; i++) {
        list[i] = bare->values[i];
        list[i].list = NULL;
        list[i].value = list[i].media_type.ptr == NULL ? AGENTCHAT_STR("0") : AGENTCHAT_STR("");
    }
    bare->values = list;
    return true;
}

agentchat_status aci_frame_write(const agentchat_snapshot *snapshot, aci_arena *arena, agentchat_str *out,
                                 agentchat_error *err)
{
    agentchat_snapshot bare = *snapshot;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_status status;
    bool ok = true;

    aci_list_init(&bare.history, snapshot->env);
    bare.next_turn = 0;
    bare.is_complete = false;
    if (!bare_channels(&bare, arena) || !bare_values(&bare, arena))
        return aci_fail_nomem(err);
    status = agentchat_snapshot_write_memory(&bare, NULL, &bytes, NULL, err);
    if (status >= 0)
        *out = aci_arena_copy(arena, (agentchat_str){bytes.ptr, bytes.len}, &ok);
    agentchat_bytes_clear(&bytes);
    return status < 0 || ok ? status : aci_fail_nomem(err);
}

agentchat_status aci_frame_read(const agentchat_env *env, agentchat_str frame, agentchat_snapshot **out,
                                agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_status status;
    agentchat_error why;

    agentchat_error_clear(&why);
    options.format = "agentchat";
    status = agentchat_snapshot_read_memory(env, frame, &options, out, NULL, &why);
    if (status >= 0 || status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT)
        return status < 0 ? aci_fail(err, status, "%s", why.message) : status;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored frame of a chat cannot be read: %s", why.message);
}

/* ==== large data of messages on their way back into the messages ================================================= */

bool aci_large_data_begin(aci_large_data_set *set, const agentchat_env *env, aci_arena *arena)
{
    *set = (aci_large_data_set){.env = env, .arena = arena};
    return true;
}

void aci_large_data_clear(aci_large_data_set *set)
{
    if (set->env == NULL)
        return;
    aci_free(set->env, set->uses, set->use_cap * sizeof *set->uses);
    aci_free(set->env, set->list, set->cap * sizeof *set->list);
    aci_index_clear(&set->by_digest, set->env);
}

/* ---- references ------------------------------------------------------------------------------------------------- */

static agentchat_status fail_reference(agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored message does not say where its data is");
}

static int hex_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The digest that a JSON string has as digits. */
static bool read_digest(agentchat_str string, unsigned char out[ACI_DIGEST_SIZE])
{
    if (string.len != 2 * ACI_DIGEST_SIZE + 2)
        return false;
    for (size_t i = 0; i < ACI_DIGEST_SIZE; i++) {
        int high = hex_value(string.ptr[1 + 2 * i]), low = hex_value(string.ptr[2 + 2 * i]);

        if (high < 0 || low < 0)
            return false;
        out[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

/* The position of the data with a digest. */
static agentchat_status find_data(aci_large_data_set *set, const unsigned char *digest, size_t *out,
                                  agentchat_error *err)
{
    agentchat_str key = {(const char *)digest, ACI_DIGEST_SIZE};
    void *list = set->list;
    bool ok = true;

    *out = aci_index_find(&set->by_digest, key);
    if (*out != ACI_INDEX_NONE)
        return AGENTCHAT_OK;
    key = aci_arena_copy(set->arena, key, &ok);
    if (!ok || !aci_grow(set->env, &list, &set->cap, set->count, sizeof *set->list))
        return aci_fail_nomem(err);
    set->list = list;
    *out = set->count;
    set->list[set->count] = (aci_large_bytes){.digest = key};
    return aci_index_put(&set->by_digest, set->env, key, set->count++) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status add_use(aci_large_data_set *set, const aci_json_index *index, uint32_t pair, size_t message,
                                agentchat_error *err)
{
    uint32_t number = aci_json_index_kind(index, pair) == ACI_JSON_ARRAY ? aci_json_index_first(index, pair) : 0;
    uint32_t text = number != 0 ? aci_json_index_next(index, pair, number) : 0;
    unsigned char digest[ACI_DIGEST_SIZE];
    aci_large_use use = {.message = message};
    void *uses = set->uses;
    int64_t value;
    agentchat_status status;

    if (text == 0 || aci_json_index_kind(index, number) != ACI_JSON_NUMBER ||
        aci_json_index_kind(index, text) != ACI_JSON_STRING ||
        !aci_json_integer(aci_json_index_raw(index, number), &value) || value < 0 || (uint64_t)value > SIZE_MAX ||
        !read_digest(aci_json_index_raw(index, text), digest))
        return fail_reference(err);
    use.number = (size_t)value;
    status = find_data(set, digest, &use.data, err);
    if (status < 0)
        return status;
    if (!aci_grow(set->env, &uses, &set->use_cap, set->use_count, sizeof *set->uses))
        return aci_fail_nomem(err);
    set->uses = uses;
    set->uses[set->use_count++] = use;
    return AGENTCHAT_OK;
}

static agentchat_status split(aci_large_data_set *set, const aci_json_index *index, size_t message, agentchat_str *body,
                              agentchat_error *err)
{
    uint32_t first = aci_json_index_first(index, 0);
    uint32_t list = first != 0 ? aci_json_index_next(index, 0, first) : 0;
    agentchat_status status = AGENTCHAT_OK;

    if (list == 0 || aci_json_index_kind(index, list) != ACI_JSON_ARRAY)
        return fail_reference(err);
    *body = aci_json_index_raw(index, first);
    for (uint32_t at = aci_json_index_first(index, list); at != 0 && status >= 0;
         at = aci_json_index_next(index, list, at))
        status = add_use(set, index, at, message, err);
    return status;
}

agentchat_status aci_large_data_split(aci_large_data_set *set, size_t message, agentchat_str *body,
                                      agentchat_error *err)
{
    aci_json_index index;
    agentchat_status status;
    agentchat_error why;

    if (body->len == 0 || body->ptr[0] != '[')
        return AGENTCHAT_OK;
    agentchat_error_clear(&why);
    aci_json_index_init(&index, set->env);
    status = aci_json_index_text(&index, *body, 0, 0, &why);
    if (status >= 0)
        status = split(set, &index, message, body, err);
    else if (status != AGENTCHAT_E_NOMEM && status != AGENTCHAT_E_LIMIT)
        status = fail_reference(err);
    else
        (void)aci_fail(err, status, "%s", why.message);
    aci_json_index_clear(&index);
    return status;
}

/* ---- data ------------------------------------------------------------------------------------------------------- */

static agentchat_status load_data(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_large_data_set *set = user;
    aci_body_row row;
    size_t at;
    bool ok = true;
    agentchat_status status = aci_body_row_verify(&row, set->num, columns, count, err);

    if (status < 0)
        return status;
    *set->total += row.bytes.len;
    if (*set->total > set->env->limits.max_bytes)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the checkpoint has more than %llu bytes",
                        (unsigned long long)set->env->limits.max_bytes);
    at = aci_index_find(&set->by_digest, row.digest);
    if (at != ACI_INDEX_NONE)
        set->list[at].bytes = aci_arena_copy(set->arena, row.bytes, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_large_data_read(aci_large_data_set *set, aci_tx *tx, int64_t num, uint64_t *total,
                                     agentchat_error *err)
{
    agentchat_status status;

    if (set->count == 0)
        return AGENTCHAT_OK;
    set->total = total;
    set->num = num;
    for (size_t i = 0; i < set->count; i++)
        ACI_THREAD_ASK(tx, ACI_BODY_BY_DIGEST, load_data, set, ACI_INT(num), ACI_BYTES(set->list[i].digest));
    status = aci_transact_run(tx, false, err);
    for (size_t i = 0; i < set->count && status >= 0; i++)
        if (set->list[i].bytes.ptr == NULL)
            status = aci_fail(err, AGENTCHAT_E_CORRUPT, "data of a stored message is missing");
    return status;
}

typedef struct filling {
    aci_large_data_set *set;
    size_t next;    /* of the uses, which stand in the order of the messages and of the data in each */
    size_t message; /* the one that is filled */
    size_t seen;    /* data of it */
    agentchat_error *err;
} filling;

/* A copy that the messages share, which all live in one arena. */
static agentchat_status put_data(filling *f, agentchat_item *item)
{
    aci_large_bytes *large = &f->set->list[f->set->uses[f->next].data];
    aci_data *data;
    bool ok = true;

    if (large->kept.ptr == NULL)
        large->kept = aci_arena_copy(item->arena, large->bytes, &ok);
    data = ok ? aci_data_new(item->arena, (agentchat_str){NULL, 0}, large->kept) : NULL;
    if (data == NULL)
        return aci_fail_nomem(f->err);
    item->u.data = data;
    f->next++;
    return AGENTCHAT_OK;
}

static bool is_next(const filling *f)
{
    const aci_large_use *use = f->next < f->set->use_count ? &f->set->uses[f->next] : NULL;

    return use != NULL && use->message == f->message && use->number == f->seen;
}

static agentchat_status fill_message(filling *f, const agentchat_message *message)
{
    agentchat_status status = AGENTCHAT_OK;

    for (uint32_t i = 0; i < message->item_count && status >= 0; i++) {
        agentchat_item *item = message->items[i];
        const agentchat_message *nested = aci_item_nested(item);

        if (nested != NULL)
            status = fill_message(f, nested);
        if (aci_data_of(item) == NULL)
            continue;
        if (is_next(f))
            status = put_data(f, item);
        f->seen++;
    }
    return status;
}

agentchat_status aci_large_data_fill(aci_large_data_set *set, const agentchat_messages *messages, agentchat_error *err)
{
    filling f = {.set = set, .err = err};
    agentchat_status status = AGENTCHAT_OK;
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, messages);
    while (f.next < set->use_count && status >= 0) {
        size_t before = f.next;

        f.message = set->uses[f.next].message;
        f.seen = 0;
        status = fill_message(&f, aci_list_cursor_at(&cursor, f.message));
        if (status >= 0 && (f.next == before || (f.next < set->use_count && set->uses[f.next].message == f.message)))
            status = fail_reference(err);
    }
    return status;
}
