/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making a snapshot of what the store has of a checkpoint. Each body is read once, and its digest is checked; a message
 * that stands in several lists is one message.
 */
#include "thread/load.h"

#include "base/error.h"
#include "base/utf8.h"
#include "format/native/message_json.h"
#include "snapshot/copies.h"
#include "thread/bodies.h"
#include "thread/elements.h"
#include "thread/frame.h"
#include "thread/held.h"
#include "thread/large_data.h"
#include "thread/lists.h"
#include "thread/numbers.h"
#include "json/value.h"
#include <string.h>

typedef struct loaded_body {
    agentchat_str bytes; /* absent: it is not there */
} loaded_body;

typedef struct loading {
    aci_tx *tx; /* NULL: only what was read ahead can be had */
    const agentchat_env *env;
    int64_t num;
    aci_arena *arena;
    aci_number_set set;  /* of the bodies that are needed */
    loaded_body *bodies; /* by their positions in the set */
    const aci_body_ahead *ahead;
    size_t ahead_count;
    bool lacks;               /* something that was not read ahead */
    aci_number_set messages;  /* of those that are messages */
    agentchat_messages made;  /* the messages, in that order */
    aci_large_data_set large; /* bodies that these refer to by digest; */
    bool leaves_data;         /* they stay where they are */
    uint64_t source_bytes;    /* that what is held was read from */
    uint64_t bytes;
    uint64_t copied; /* of them, into the snapshot: a small file could stand for much */
} loading;

static agentchat_status fail_missing(int64_t num, agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "body %lld of a thread is missing", (long long)num);
}

/* ---- bodies --------------------------------------------------------------------------------------------------- */

/* Counts bytes against the environment's limit. */
static agentchat_status count_bytes(loading *l, size_t bytes, agentchat_error *err)
{
    l->bytes += bytes;
    if (l->bytes > l->env->limits.max_bytes)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the checkpoint has more than %llu bytes",
                        (unsigned long long)l->env->limits.max_bytes);
    return AGENTCHAT_OK;
}

static agentchat_status load_body(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    loading *l = user;
    agentchat_str digest = {NULL, 0}, bytes = {NULL, 0};
    int64_t no = 0;
    size_t at;
    bool ok = true;
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &no, err);

    if (status >= 0)
        status = aci_transact_column_bytes(columns, count, 1, &digest, err);
    if (status >= 0)
        status = aci_transact_column_bytes(columns, count, 2, &bytes, err);
    if (status < 0)
        return status;
    at = aci_numbers_find(&l->set, no);
    if (at == l->set.count || l->bodies[at].bytes.ptr != NULL) /* a row between those that were asked for */
        return AGENTCHAT_OK;
    status = aci_rows_check_body(l->num, no, digest, columns, count, 3, err);
    if (status >= 0)
        status = aci_large_data_check(digest, bytes, no, err);
    if (status >= 0)
        status = count_bytes(l, bytes.len, err);
    if (status < 0)
        return status;
    l->bodies[at].bytes = aci_arena_copy(l->arena, bytes, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status find_body(const loading *l, int64_t no, agentchat_str *out, agentchat_error *err)
{
    size_t at = aci_numbers_find(&l->set, no);

    if (at == l->set.count || l->bodies[at].bytes.ptr == NULL)
        return fail_missing(no, err);
    *out = l->bodies[at].bytes;
    return AGENTCHAT_OK;
}

/* Takes what was read ahead; *missing: the numbers of the others. */
static agentchat_status take_ahead(loading *l, aci_number_set *missing, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    size_t left = l->ahead_count;

    for (size_t i = 0; i < l->set.count && status >= 0; i++) {
        int64_t no = l->set.list[i];

        while (left > 0 && l->ahead[left - 1].no < no)
            left--;
        if (left > 0 && l->ahead[left - 1].no == no) {
            l->bodies[i].bytes = l->ahead[left - 1].bytes;
            status = count_bytes(l, l->bodies[i].bytes.len, err);
        } else if (!aci_numbers_add(missing, l->env, &no, 1)) {
            status = aci_fail_nomem(err);
        }
    }
    return status;
}

static agentchat_status read_bodies(loading *l, agentchat_error *err)
{
    aci_number_set missing = {NULL, 0, 0};
    agentchat_status status;

    aci_numbers_sort(&l->set);
    aci_numbers_sort(&l->messages);
    if (l->set.count == 0)
        return AGENTCHAT_OK;
    l->bodies = aci_arena_alloc(l->arena, l->set.count * sizeof *l->bodies);
    if (l->bodies == NULL)
        return aci_fail_nomem(err);
    memset(l->bodies, 0, l->set.count * sizeof *l->bodies);
    status = take_ahead(l, &missing, err);
    l->lacks = l->tx == NULL && missing.count > 0;
    if (status >= 0 && missing.count > 0 && !l->lacks) {
        aci_numbers_ask(&missing, l->tx, l->num, ACI_BODY_ROWS, load_body, l);
        status = aci_transact_run(l->tx, false, err);
    }
    aci_numbers_clear(&missing, l->env);
    return status;
}

/* ---- messages ------------------------------------------------------------------------------------------------- */

/* All messages as one array, which is read in one piece. */
static agentchat_status join_messages(loading *l, aci_buf *out, agentchat_error *err)
{
    agentchat_status status = aci_buf_add(out, "[", 1) ? AGENTCHAT_OK : aci_fail_nomem(err);

    for (size_t i = 0; i < l->messages.count && status >= 0; i++) {
        agentchat_str body = {NULL, 0};

        status = find_body(l, l->messages.list[i], &body, err);
        if (status >= 0)
            status = aci_large_data_split(&l->large, i, &body, err);
        if (status >= 0 && !((i == 0 || aci_buf_add(out, ",", 1)) && aci_buf_add_str(out, body)))
            status = aci_fail_nomem(err);
    }
    if (status >= 0 && !aci_buf_add(out, "]", 1))
        status = aci_fail_nomem(err);
    return status;
}

static agentchat_status parse_messages(loading *l, agentchat_str text, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_message_json_read_list(l->env, text, NULL, &l->made, &why);
    if (status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT)
        return aci_fail(err, status, "%s", why.message);
    if (status < 0)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored message cannot be read: %s", why.message);
    if (l->made.count == l->messages.count)
        return AGENTCHAT_OK;
    aci_list_clear(&l->made);
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "stored messages cannot be told apart");
}

static agentchat_status read_messages(loading *l, agentchat_error *err)
{
    agentchat_status status;
    aci_buf text;

    if (l->messages.count == 0 || l->lacks)
        return AGENTCHAT_OK;
    aci_buf_init(&text, l->env, SIZE_MAX);
    status = join_messages(l, &text, err);
    l->lacks = l->tx == NULL && l->large.count > 0;
    if (status >= 0 && !l->lacks && !l->leaves_data)
        status = aci_large_data_read(&l->large, l->tx, l->num, &l->bytes, err);
    if (status >= 0 && !l->lacks)
        status = parse_messages(l, aci_buf_str(&text), err);
    if (status >= 0 && !l->lacks && !l->leaves_data)
        status = aci_large_data_fill(&l->large, &l->made, err);
    aci_buf_clear(&text);
    return status;
}

/* What is held already, and then these. */
static bool join_list(const loading *l, const aci_held_list *held, const agentchat_message *const *array, size_t count,
                      agentchat_messages *out)
{
    if (held->count == 0)
        return aci_list_from_array(out, l->env, array, count);
    if (!aci_list_slice(out, held->messages, held->first, held->count))
        return false;
    out->env = l->env; /* what is appended is not the other's */
    for (size_t i = 0; i < count; i++)
        if (!aci_list_append(out, array[i]))
            return false;
    return true;
}

static agentchat_status make_list(loading *l, const aci_held_list *held, const int64_t *numbers, size_t count,
                                  agentchat_messages *out, agentchat_error *err)
{
    const agentchat_message **array = NULL;
    aci_list_cursor cursor;
    bool ok;

    if (numbers == NULL)
        count = 0;
    if (count == 0)
        return held->count == 0 || join_list(l, held, array, 0, out) ? AGENTCHAT_OK : aci_fail_nomem(err);
    array = aci_arena_alloc(l->arena, count * sizeof *array);
    if (array == NULL)
        return aci_fail_nomem(err);
    aci_list_cursor_begin(&cursor, &l->made);
    for (size_t i = 0; i < count; i++) {
        size_t at = aci_numbers_find(&l->messages, numbers[i]);

        if (at == l->messages.count)
            return fail_missing(numbers[i], err);
        array[i] = aci_list_cursor_at(&cursor, at);
    }
    ok = join_list(l, held, array, count, out);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* ---- what is needed ------------------------------------------------------------------------------------------- */

static bool need_list(loading *l, aci_range range, const int64_t *numbers, bool messages)
{
    size_t count = numbers != NULL ? (size_t)aci_range_length(range) : 0;

    return aci_numbers_add(&l->set, l->env, numbers, count) &&
           (!messages || aci_numbers_add(&l->messages, l->env, numbers, count));
}

static bool need_chat(loading *l, const aci_contents *contents)
{
    bool ok = aci_numbers_add(&l->set, l->env, &contents->frame, 1) &&
              need_list(l, contents->history, contents->numbers, true);

    for (size_t i = 0; ok && i < contents->channel_count; i++) {
        const aci_part *part = &contents->channels[i];

        if (part->kind == ACI_PART_LIST)
            ok = need_list(l, part->list, part->numbers, true);
        else if (part->kind == ACI_PART_BODY)
            ok = part->held_bytes.ptr != NULL || aci_numbers_add(&l->set, l->env, &part->body, 1);
        else if (part->kind == ACI_PART_CHAT)
            ok = need_chat(l, part->chat);
    }
    for (size_t i = 0; ok && i < contents->value_count; i++) {
        const aci_part *part = &contents->values[i];

        if (part->kind == ACI_PART_LIST)
            ok = need_list(l, part->list, part->numbers, false);
        else
            ok = part->held_value != NULL || aci_numbers_add(&l->set, l->env, &part->body, 1);
    }
    return ok;
}

/* ---- chats ---------------------------------------------------------------------------------------------------- */

static agentchat_status fail_frame(agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "the contents of a checkpoint do not fit its frame");
}

/* Counts what is made of what was read: E_LIMIT when it is more than the environment's copies. */
static agentchat_status spend(loading *l, size_t bytes, agentchat_error *err)
{
    aci_copies copies = {.most = l->env->limits.max_copies, .source = l->bytes, .used = l->copied};

    if (!aci_copies_left(&copies, 0))
        return aci_copies_fail(&copies, err);
    l->copied += bytes;
    return AGENTCHAT_OK;
}

static agentchat_status fill_pending(loading *l, agentchat_channel_state *channel, const aci_part *part, size_t history,
                                     aci_arena *arena, agentchat_error *err)
{
    size_t count = 0, after = 0;
    agentchat_status status;

    channel->pending = NULL; /* a frame of this library has none */
    channel->pending_count = 0;
    for (size_t i = 0; i < part->pending_count; i++) {
        const aci_run *run = &part->pending[i];

        if (run->first < after || run->first > history || run->count > history - run->first)
            return fail_frame(err);
        after = run->first + run->count;
        count += run->count;
    }
    if (count == 0)
        return AGENTCHAT_OK;
    status = spend(l, count * sizeof *channel->pending, err); /* count is at most that of the history */
    if (status < 0)
        return status;
    channel->pending = aci_arena_alloc(arena, count * sizeof *channel->pending);
    if (channel->pending == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < part->pending_count; i++)
        for (size_t k = 0; k < part->pending[i].count; k++)
            channel->pending[channel->pending_count++] = part->pending[i].first + k;
    return AGENTCHAT_OK;
}

static agentchat_status load_chat(loading *l, const aci_contents *contents, agentchat_snapshot **out,
                                  agentchat_error *err);

/* held: its bytes where they are held; absent: they were read. */
static agentchat_status copy_body(loading *l, int64_t no, agentchat_str held, aci_arena *arena, agentchat_str *out,
                                  agentchat_error *err)
{
    agentchat_str bytes = held;
    agentchat_status status = held.ptr != NULL ? AGENTCHAT_OK : find_body(l, no, &bytes, err);
    bool ok = true;

    if (status >= 0)
        status = spend(l, bytes.len, err);
    if (status >= 0)
        *out = aci_arena_copy(arena, bytes, &ok);
    return status < 0 || ok ? status : aci_fail_nomem(err);
}

/* A state that is text or bytes; text was checked before it was put. */
static agentchat_status fill_data(loading *l, const aci_part *part, aci_arena *arena, agentchat_channel_state *channel,
                                  agentchat_error *err)
{
    agentchat_str span;
    agentchat_error why;
    agentchat_status status;

    if (part->kind == ACI_PART_NONE)
        return AGENTCHAT_OK;
    if (part->kind != ACI_PART_BODY)
        return fail_frame(err);
    status = copy_body(l, part->body, part->held_bytes, arena, &channel->data, err);
    if (status < 0 || channel->kind == AGENTCHAT_CHANNEL_BYTES)
        return status;
    if (!aci_utf8_is_valid(channel->data, true))
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored state of a channel is no text");
    if (channel->spelling != ACI_SPELLED_RAW)
        return AGENTCHAT_OK;
    agentchat_error_clear(&why);
    status = aci_json_check(l->env, channel->data, l->env->limits.max_depth, &span, NULL, &why);
    if (status >= 0)
        return AGENTCHAT_OK;
    return aci_fail(err, status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT ? status : AGENTCHAT_E_CORRUPT,
                    "a stored state of a channel is not JSON: %s", why.message);
}

static agentchat_status fill_channel(loading *l, const aci_part *part, agentchat_snapshot *snapshot,
                                     agentchat_channel_state *channel, agentchat_error *err)
{
    agentchat_status status = fill_pending(l, channel, part, snapshot->history.count, snapshot->arena, err);

    if (status < 0)
        return status;
    if (part->synced != AGENTCHAT_SYNCED_UNKNOWN && part->synced > snapshot->history.count)
        return fail_frame(err);
    channel->synced = part->synced;
    switch (channel->kind) {
    case AGENTCHAT_CHANNEL_TEXT:
    case AGENTCHAT_CHANNEL_BYTES:
        return fill_data(l, part, snapshot->arena, channel, err);
    case AGENTCHAT_CHANNEL_MESSAGES:
        if (part->kind != ACI_PART_LIST)
            return fail_frame(err);
        aci_list_clear(&channel->messages);
        return make_list(l, &part->held, part->numbers, (size_t)aci_range_length(part->list), &channel->messages, err);
    case AGENTCHAT_CHANNEL_CHAT:
        if (part->kind != ACI_PART_CHAT)
            return fail_frame(err);
        agentchat_snapshot_unref(channel->chat);
        channel->chat = NULL;
        return load_chat(l, part->chat, &channel->chat, err);
    case AGENTCHAT_CHANNEL_MAX_:
        break;
    }
    return fail_frame(err);
}

static agentchat_status check_value(const loading *l, agentchat_str *text, uint32_t depth, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_json_check(l->env, *text, depth > 0 ? depth : 1, text, NULL, &why);
    if (status >= 0)
        return AGENTCHAT_OK;
    return aci_fail(err, status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT ? status : AGENTCHAT_E_CORRUPT,
                    "a stored value is not JSON: %s", why.message);
}

/* The elements of a list, after those that are held. */
static agentchat_status make_values(loading *l, const aci_part *part, aci_value_list **out, agentchat_error *err)
{
    size_t count = part->numbers != NULL ? (size_t)aci_range_length(part->list) : 0;
    agentchat_str *texts = aci_arena_alloc(l->arena, (count + 1) * sizeof *texts);
    agentchat_status status = texts != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);

    for (size_t i = 0; i < count && status >= 0; i++) {
        agentchat_str element = {NULL, 0};

        status = find_body(l, part->numbers[i], &element, err);
        texts[i] = element;
        if (status >= 0)
            status = spend(l, element.len + 1, err);
        if (status >= 0)
            status = check_value(l, &element, l->env->limits.max_depth - 1, err);
    }
    if (status < 0)
        return status;
    *out = aci_value_list_make(l->env, part->held.values, part->held.first, part->held.count, texts, count);
    return *out != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* A value that is held: shares what it has an arena of its own for. */
static bool share_value(const loading *l, const aci_value *held, aci_value *value)
{
    bool ok = true;

    if (held->arena != NULL && agentchat_str_equal(held->name, value->name)) {
        value->arena = aci_arena_ref(held->arena);
        value->name = held->name;
        value->media_type = held->media_type;
        value->value = held->value;
        return true;
    }
    value->arena = aci_arena_new(l->env, 256);
    if (value->arena == NULL)
        return false;
    value->name = aci_arena_copy(value->arena, value->name, &ok);
    value->media_type = aci_arena_copy(value->arena, value->media_type, &ok);
    value->value = aci_arena_copy(value->arena, held->value, &ok);
    return ok;
}

static agentchat_status fill_value(loading *l, const aci_part *part, aci_value *value, agentchat_error *err)
{
    aci_value read = {.list = NULL};
    agentchat_status status = AGENTCHAT_OK;

    value->value = (agentchat_str){NULL, 0};
    if (part->kind == ACI_PART_LIST && value->media_type.ptr == NULL && part->held_value == NULL)
        return make_values(l, part, &value->list, err);
    if (part->kind != ACI_PART_BODY && (part->held_value == NULL || value->media_type.ptr != NULL))
        return fail_frame(err);
    if (part->held_value != NULL)
        return share_value(l, part->held_value, value) ? AGENTCHAT_OK : aci_fail_nomem(err);
    status = find_body(l, part->body, &read.value, err);
    if (status >= 0)
        status = spend(l, read.value.len, err);
    if (status >= 0 && value->media_type.ptr == NULL)
        status = check_value(l, &read.value, l->env->limits.max_depth, err);
    if (status < 0)
        return status;
    return share_value(l, &read, value) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status fill_chat(loading *l, const aci_contents *contents, agentchat_snapshot *snapshot,
                                  agentchat_error *err)
{
    agentchat_status status;

    if (snapshot->channel_count != contents->channel_count || snapshot->value_count != contents->value_count)
        return fail_frame(err);
    snapshot->format = NULL;
    snapshot->next_turn = contents->next_turn;
    snapshot->is_complete = contents->is_complete;
    snapshot->source_bytes = l->source_bytes + l->bytes;
    aci_list_clear(&snapshot->history);
    status = make_list(l, &contents->held, contents->numbers, (size_t)aci_range_length(contents->history),
                       &snapshot->history, err);
    for (size_t i = 0; i < contents->channel_count && status >= 0; i++)
        status = fill_channel(l, &contents->channels[i], snapshot, &snapshot->channels[i], err);
    for (size_t i = 0; i < contents->value_count && status >= 0; i++)
        status = fill_value(l, &contents->values[i], &snapshot->values[i], err);
    return status;
}

static agentchat_status load_chat(loading *l, const aci_contents *contents, agentchat_snapshot **out,
                                  agentchat_error *err)
{
    agentchat_str frame = {NULL, 0};
    agentchat_status status = find_body(l, contents->frame, &frame, err);

    if (status >= 0)
        status = spend(l, frame.len, err);
    if (status >= 0)
        status = aci_frame_read(l->env, frame, out, err);
    return status < 0 ? status : fill_chat(l, contents, *out, err);
}

/* ---- the two calls -------------------------------------------------------------------------------------------- */

static bool begin(loading *l, aci_tx *tx, const agentchat_env *env, int64_t num)
{
    *l = (loading){.tx = tx, .env = env, .num = num, .arena = aci_arena_new(env, 0)};
    aci_list_init(&l->made, l->env);
    return l->arena != NULL && aci_large_data_begin(&l->large, l->env, l->arena);
}

static void end(loading *l)
{
    aci_numbers_clear(&l->set, l->env);
    aci_numbers_clear(&l->messages, l->env);
    aci_large_data_clear(&l->large);
    aci_list_clear(&l->made);
    aci_arena_unref(l->arena);
}

static agentchat_status load_contents(loading *l, agentchat_str text, const aci_memory *memory,
                                      agentchat_snapshot **out, agentchat_error *err)
{
    aci_contents *contents = NULL, *base = NULL;
    agentchat_status status = aci_contents_read(l->env, text, l->arena, &contents, err);

    if (status >= 0 && memory != NULL)
        status = aci_contents_read(l->env, memory->contents, l->arena, &base, err);
    if (status >= 0 && memory != NULL) {
        aci_held_mark(contents, base, memory->snapshot);
        l->source_bytes = memory->snapshot->source_bytes;
    }
    if (status >= 0)
        status = aci_numbers_read_lists(l->tx, l->num, contents, l->arena, err);
    if (status >= 0 && !need_chat(l, contents))
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = read_bodies(l, err);
    if (status >= 0)
        status = read_messages(l, err);
    return status < 0 ? status : load_chat(l, contents, out, err);
}

agentchat_status aci_load_chat(aci_tx *tx, const aci_checkpoint_row *row, const aci_memory *memory,
                               agentchat_snapshot **out, agentchat_error *err)
{
    loading l;
    agentchat_status status = begin(&l, tx, tx->store->env, row->num)
                                  ? load_contents(&l, row->contents, memory, out, err)
                                  : aci_fail_nomem(err);

    end(&l);
    if (status < 0) {
        agentchat_snapshot_unref(*out);
        *out = NULL;
    }
    return status;
}

static agentchat_status load_numbered(loading *l, const int64_t *numbers, size_t count, agentchat_messages *out,
                                      agentchat_error *err)
{
    const aci_held_list none = {NULL, NULL, 0, 0};
    agentchat_status status =
        aci_numbers_add(&l->set, l->env, numbers, count) && aci_numbers_add(&l->messages, l->env, numbers, count)
            ? read_bodies(l, err)
            : aci_fail_nomem(err);

    if (status >= 0)
        status = read_messages(l, err);
    return status < 0 || l->lacks ? status : make_list(l, &none, numbers, count, out, err);
}

agentchat_status aci_load_ahead(const agentchat_env *env, const int64_t *numbers, size_t count,
                                const aci_body_ahead *ahead, size_t ahead_count, agentchat_messages *out,
                                bool *complete, agentchat_error *err)
{
    loading l;
    agentchat_status status = begin(&l, NULL, env, 0) ? AGENTCHAT_OK : aci_fail_nomem(err);

    aci_list_init(out, env);
    l.ahead = ahead;
    l.ahead_count = ahead_count;
    if (status >= 0)
        status = load_numbered(&l, numbers, count, out, err);
    *complete = !l.lacks;
    end(&l);
    return status;
}

agentchat_status aci_load_messages(aci_tx *tx, int64_t num, aci_range range, agentchat_messages *out,
                                   agentchat_error *err)
{
    aci_list_want want = {range, NULL};
    loading l;
    agentchat_status status =
        begin(&l, tx, tx->store->env, num) ? aci_lists_read(tx, num, &want, 1, l.arena, err) : aci_fail_nomem(err);

    aci_list_init(out, tx->store->env);
    if (status >= 0)
        status = load_numbered(&l, want.numbers, (size_t)aci_range_length(range), out, err);
    end(&l);
    return status;
}

static agentchat_status load_some(aci_tx *tx, int64_t num, const int64_t *numbers, size_t count, bool leaves_data,
                                  agentchat_messages *out, agentchat_error *err)
{
    const agentchat_env *env = tx->store->env;
    loading l;
    agentchat_status status = begin(&l, tx, env, num) ? AGENTCHAT_OK : aci_fail_nomem(err);

    aci_list_init(out, env);
    l.leaves_data = leaves_data;
    if (status >= 0)
        status = load_numbered(&l, numbers, count, out, err);
    end(&l);
    return status;
}

agentchat_status aci_load_numbered(aci_tx *tx, int64_t num, const int64_t *numbers, size_t count,
                                   agentchat_messages *out, agentchat_error *err)
{
    return load_some(tx, num, numbers, count, false, out, err);
}

agentchat_status aci_load_without_data(aci_tx *tx, int64_t num, const int64_t *numbers, size_t count,
                                       agentchat_messages *out, agentchat_error *err)
{
    return load_some(tx, num, numbers, count, true, out, err);
}
