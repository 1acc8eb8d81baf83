/* SPDX-License-Identifier: Apache-2.0 */
/* Chats out of rows. */
#include "thread/thread_internal.h"

#include "base/error.h"
#include "base/utf8.h"
#include "format/native/message_json.h"
#include "snapshot/copies.h"
#include "json/value.h"
#include <string.h>

/* ==== reading the bodies that are needed, each once ============================================================== */

bool aci_loading_begin(aci_loading *l, aci_tx *tx, const agentchat_env *env, int64_t num)
{
    *l = (aci_loading){.tx = tx, .env = env, .num = num, .arena = aci_arena_new(env, 0)};
    aci_list_init(&l->made, l->env);
    return l->arena != NULL && aci_large_data_begin(&l->large, l->env, l->arena);
}

void aci_loading_end(aci_loading *l)
{
    aci_numbers_clear(&l->set, l->env);
    aci_numbers_clear(&l->messages, l->env);
    aci_large_data_clear(&l->large);
    aci_list_clear(&l->made);
    aci_arena_unref(l->arena);
}

static agentchat_status loading_fail_missing(int64_t no, agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "body %lld of a thread is missing", (long long)no);
}

/* Counts bytes against the environment's limit. */
static agentchat_status count_bytes(aci_loading *l, size_t bytes, agentchat_error *err)
{
    l->bytes += bytes;
    if (l->bytes > l->env->limits.max_bytes)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the checkpoint has more than %llu bytes",
                        (unsigned long long)l->env->limits.max_bytes);
    return AGENTCHAT_OK;
}

static agentchat_status load_body(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_loading *l = user;
    aci_body_row row;
    int64_t no = 0;
    size_t at;
    bool ok = true;
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &no, err);

    if (status < 0)
        return status;
    at = aci_numbers_find(&l->set, no);
    if (at == l->set.count || l->bodies[at].bytes.ptr != NULL) /* a row between those that were asked for */
        return AGENTCHAT_OK;
    status = aci_body_row_verify(&row, l->num, columns, count, err);
    if (status >= 0)
        status = count_bytes(l, row.bytes.len, err);
    if (status < 0)
        return status;
    l->bodies[at].bytes = aci_arena_copy(l->arena, row.bytes, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_loading_find(const aci_loading *l, int64_t no, agentchat_str *out, agentchat_error *err)
{
    size_t at = aci_numbers_find(&l->set, no);

    if (at == l->set.count || l->bodies[at].bytes.ptr == NULL)
        return loading_fail_missing(no, err);
    *out = l->bodies[at].bytes;
    return AGENTCHAT_OK;
}

/* Takes what was read ahead; *missing: the numbers of the others. */
static agentchat_status take_ahead(aci_loading *l, aci_number_set *missing, agentchat_error *err)
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

agentchat_status aci_loading_bodies(aci_loading *l, agentchat_error *err)
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

/* ==== making messages of bodies ================================================================================== */

/* ---- messages ------------------------------------------------------------------------------------------------- */

/* All messages as one array, which is read in one piece. */
static agentchat_status join_messages(aci_loading *l, aci_buf *out, agentchat_error *err)
{
    agentchat_status status = aci_buf_add(out, "[", 1) ? AGENTCHAT_OK : aci_fail_nomem(err);

    for (size_t i = 0; i < l->messages.count && status >= 0; i++) {
        agentchat_str body = {NULL, 0};

        status = aci_loading_find(l, l->messages.list[i], &body, err);
        if (status >= 0)
            status = aci_large_data_split(&l->large, i, &body, err);
        if (status >= 0 && !((i == 0 || aci_buf_add(out, ",", 1)) && aci_buf_add_str(out, body)))
            status = aci_fail_nomem(err);
    }
    if (status >= 0 && !aci_buf_add(out, "]", 1))
        status = aci_fail_nomem(err);
    return status;
}

static agentchat_status parse_messages(aci_loading *l, agentchat_str text, agentchat_error *err)
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

/* Makes the messages of those that are messages. */
static agentchat_status loading_messages(aci_loading *l, agentchat_error *err)
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
static bool join_list(const aci_loading *l, const aci_held_list *held, const agentchat_message *const *array,
                      size_t count, agentchat_messages *out)
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

/* A list of messages: what is held, then those of these numbers; NULL: none. */
static agentchat_status loading_list(aci_loading *l, const aci_held_list *held, const int64_t *numbers, size_t count,
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
            return loading_fail_missing(numbers[i], err);
        array[i] = aci_list_cursor_at(&cursor, at);
    }
    ok = join_list(l, held, array, count, out);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* ---- lists of them by their numbers ----------------------------------------------------------------------------- */

static agentchat_status load_numbered(aci_loading *l, const int64_t *numbers, size_t count, agentchat_messages *out,
                                      agentchat_error *err)
{
    const aci_held_list none = {NULL, NULL, 0, 0};
    agentchat_status status =
        aci_numbers_add(&l->set, l->env, numbers, count) && aci_numbers_add(&l->messages, l->env, numbers, count)
            ? aci_loading_bodies(l, err)
            : aci_fail_nomem(err);

    if (status >= 0)
        status = loading_messages(l, err);
    return status < 0 || l->lacks ? status : loading_list(l, &none, numbers, count, out, err);
}

agentchat_status aci_load_ahead(const agentchat_env *env, const int64_t *numbers, size_t count,
                                const aci_body_ahead *ahead, size_t ahead_count, agentchat_messages *out,
                                bool *complete, agentchat_error *err)
{
    aci_loading l;
    agentchat_status status = aci_loading_begin(&l, NULL, env, 0) ? AGENTCHAT_OK : aci_fail_nomem(err);

    aci_list_init(out, env);
    l.ahead = ahead;
    l.ahead_count = ahead_count;
    if (status >= 0)
        status = load_numbered(&l, numbers, count, out, err);
    *complete = !l.lacks;
    aci_loading_end(&l);
    return status;
}

agentchat_status aci_load_messages(aci_tx *tx, int64_t num, aci_range range, agentchat_messages *out,
                                   agentchat_error *err)
{
    aci_list_want want = {range, NULL};
    aci_loading l;
    agentchat_status status = aci_loading_begin(&l, tx, tx->store->env, num)
                                  ? aci_lists_read(tx, num, &want, 1, l.arena, NULL, err)
                                  : aci_fail_nomem(err);

    aci_list_init(out, tx->store->env);
    if (status >= 0)
        status = load_numbered(&l, want.numbers, (size_t)aci_range_length(range), out, err);
    aci_loading_end(&l);
    return status;
}

static agentchat_status load_some(aci_tx *tx, int64_t num, const int64_t *numbers, size_t count, bool leaves_data,
                                  agentchat_messages *out, agentchat_error *err)
{
    const agentchat_env *env = tx->store->env;
    aci_loading l;
    agentchat_status status = aci_loading_begin(&l, tx, env, num) ? AGENTCHAT_OK : aci_fail_nomem(err);

    aci_list_init(out, env);
    l.leaves_data = leaves_data;
    if (status >= 0)
        status = load_numbered(&l, numbers, count, out, err);
    aci_loading_end(&l);
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

/* ==== making a snapshot of what the store has of a checkpoint ==================================================== */

/* What a position of a list counts as, of what the checkpoint's copies are measured by. */
enum { BYTES_OF_POSITION = 32 };

/* ---- what is needed ------------------------------------------------------------------------------------------- */

static bool need_list(aci_loading *l, aci_range range, const int64_t *numbers, bool messages)
{
    size_t count = numbers != NULL ? (size_t)aci_range_length(range) : 0;

    return aci_numbers_add(&l->set, l->env, numbers, count) &&
           (!messages || aci_numbers_add(&l->messages, l->env, numbers, count));
}

static bool need_chat(aci_loading *l, const aci_contents *contents)
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

agentchat_status aci_loading_fail_frame(agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "the contents of a checkpoint do not fit its frame");
}

/* Counts what is made of what was read: E_LIMIT when it is more than the environment's copies. */
static agentchat_status spend(aci_loading *l, size_t bytes, agentchat_error *err)
{
    aci_copies copies = {
        .most = l->env->limits.max_copies, .source = l->bytes + l->stored * BYTES_OF_POSITION, .used = l->copied};

    if (!aci_copies_left(&copies, 0))
        return aci_fail(
            err, AGENTCHAT_E_LIMIT,
            "the checkpoint repeats what it is made of more than %llu times its size: raise max_copies if it"
            " may",
            (unsigned long long)copies.most);
    l->copied += bytes;
    return AGENTCHAT_OK;
}

/* Bytes of images and the like, which are no part of a message's body. */
static size_t data_of(const agentchat_message *message)
{
    size_t bytes = 0;

    for (uint32_t i = 0; i < message->item_count; i++) {
        const agentchat_item *item = message->items[i];
        bool has_data = item->kind >= AGENTCHAT_ITEM_IMAGE && item->kind <= AGENTCHAT_ITEM_BINARY;
        bool has_message = item->kind == AGENTCHAT_ITEM_MESSAGE || item->kind == AGENTCHAT_ITEM_RESULT;

        if (has_data && item->u.data != NULL)
            bytes += item->u.data->bytes.ptr != NULL ? item->u.data->bytes.len : item->u.data->base64.len;
        else if (has_message && item->u.message != NULL)
            bytes += data_of(item->u.message);
    }
    return bytes;
}

/* Counts the messages of a list that a list has named before. */
static agentchat_status spend_list(aci_loading *l, aci_range range, const int64_t *numbers, agentchat_error *err)
{
    size_t count = numbers != NULL ? (size_t)aci_range_length(range) : 0;
    agentchat_status status = AGENTCHAT_OK;
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, &l->made);
    for (size_t i = 0; i < count && status >= 0; i++) {
        size_t at = aci_numbers_find(&l->set, numbers[i]), made = aci_numbers_find(&l->messages, numbers[i]);

        if (at == l->set.count || made == l->messages.count)
            return loading_fail_missing(numbers[i], err);
        if (l->bodies[at].is_named)
            status = spend(l, l->bodies[at].bytes.len + data_of(aci_list_cursor_at(&cursor, made)), err);
        l->bodies[at].is_named = true;
    }
    return status;
}

/* Of all lists but those that are a part of the history. */
static agentchat_status spend_lists(aci_loading *l, const aci_contents *contents, agentchat_error *err)
{
    aci_range history = contents->history;
    agentchat_status status = spend_list(l, history, contents->numbers, err);

    for (size_t i = 0; i < contents->channel_count && status >= 0; i++) {
        const aci_part *part = &contents->channels[i];

        if (part->kind == ACI_PART_CHAT)
            status = spend_lists(l, part->chat, err);
        else if (part->kind == ACI_PART_LIST &&
                 (part->list.seg != history.seg || part->list.from < history.from || part->list.to > history.to))
            status = spend_list(l, part->list, part->numbers, err);
    }
    return status;
}

bool aci_loading_part_fits(const aci_part *part, size_t history, size_t *pending)
{
    size_t after = 0;

    *pending = 0;
    for (size_t i = 0; i < part->pending_count; i++) {
        const aci_run *run = &part->pending[i];

        if (run->first < after || run->first > history || run->count > history - run->first)
            return false;
        after = run->first + run->count;
        *pending += run->count;
    }
    return part->synced == AGENTCHAT_SYNCED_UNKNOWN || part->synced <= history;
}

static agentchat_status fill_pending(aci_loading *l, agentchat_channel_state *channel, const aci_part *part,
                                     size_t history, aci_arena *arena, agentchat_error *err)
{
    size_t count;
    agentchat_status status;

    channel->pending = NULL; /* a frame of this library has none */
    channel->pending_count = 0;
    if (!aci_loading_part_fits(part, history, &count))
        return aci_loading_fail_frame(err);
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

static agentchat_status load_chat(aci_loading *l, const aci_contents *contents, agentchat_snapshot **out,
                                  agentchat_error *err);

/* held: its bytes where they are held; absent: they were read. */
static agentchat_status copy_body(aci_loading *l, int64_t no, agentchat_str held, aci_arena *arena, agentchat_str *out,
                                  agentchat_error *err)
{
    agentchat_str bytes = held;
    agentchat_status status = held.ptr != NULL ? AGENTCHAT_OK : aci_loading_find(l, no, &bytes, err);
    bool ok = true;

    if (status >= 0)
        status = spend(l, bytes.len, err);
    if (status >= 0)
        *out = aci_arena_copy(arena, bytes, &ok);
    return status < 0 || ok ? status : aci_fail_nomem(err);
}

static agentchat_status check_json(const agentchat_env *env, agentchat_str *text, uint32_t depth, const char *what,
                                   agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_json_check(env, *text, depth > 0 ? depth : 1, text, NULL, &why);
    if (status >= 0)
        return AGENTCHAT_OK;
    return aci_fail(err, status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT ? status : AGENTCHAT_E_CORRUPT,
                    "a stored %s is not JSON: %s", what, why.message);
}

agentchat_status aci_loading_check_text(const agentchat_env *env, agentchat_str state, bool is_json,
                                        agentchat_error *err)
{
    if (!aci_utf8_is_valid(state, true))
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored state of a channel is no text");
    return is_json ? check_json(env, &state, env->limits.max_depth, "state of a channel", err) : AGENTCHAT_OK;
}

agentchat_status aci_loading_check_value(const agentchat_env *env, agentchat_str *text, bool is_element,
                                         agentchat_error *err)
{
    return check_json(env, text, env->limits.max_depth - is_element, "value", err);
}

/* A state that is text or bytes; text was checked before it was put. */
static agentchat_status fill_data(aci_loading *l, const aci_part *part, aci_arena *arena,
                                  agentchat_channel_state *channel, agentchat_error *err)
{
    agentchat_status status;

    if (part->kind == ACI_PART_NONE)
        return AGENTCHAT_OK;
    if (part->kind != ACI_PART_BODY)
        return aci_loading_fail_frame(err);
    status = copy_body(l, part->body, part->held_bytes, arena, &channel->data, err);
    if (status < 0 || channel->kind == AGENTCHAT_CHANNEL_BYTES)
        return status;
    return aci_loading_check_text(l->env, channel->data, channel->spelling == ACI_SPELLED_RAW, err);
}

static agentchat_status fill_channel(aci_loading *l, const aci_part *part, agentchat_snapshot *snapshot,
                                     agentchat_channel_state *channel, agentchat_error *err)
{
    agentchat_status status = fill_pending(l, channel, part, snapshot->history.count, snapshot->arena, err);

    if (status < 0)
        return status;
    channel->synced = part->synced;
    switch (channel->kind) {
    case AGENTCHAT_CHANNEL_TEXT:
    case AGENTCHAT_CHANNEL_BYTES:
        return fill_data(l, part, snapshot->arena, channel, err);
    case AGENTCHAT_CHANNEL_MESSAGES:
        if (part->kind != ACI_PART_LIST)
            return aci_loading_fail_frame(err);
        aci_list_clear(&channel->messages);
        return loading_list(l, &part->held, part->numbers, (size_t)aci_range_length(part->list), &channel->messages,
                            err);
    case AGENTCHAT_CHANNEL_CHAT:
        if (part->kind != ACI_PART_CHAT)
            return aci_loading_fail_frame(err);
        agentchat_snapshot_unref(channel->chat);
        channel->chat = NULL;
        return load_chat(l, part->chat, &channel->chat, err);
    case AGENTCHAT_CHANNEL_MAX_:
        break;
    }
    return aci_loading_fail_frame(err);
}

/* The elements of a list, after those that are held. */
static agentchat_status make_values(aci_loading *l, const aci_part *part, aci_value_list **out, agentchat_error *err)
{
    size_t count = part->numbers != NULL ? (size_t)aci_range_length(part->list) : 0;
    agentchat_str *texts = aci_arena_alloc(l->arena, (count + 1) * sizeof *texts);
    agentchat_status status = texts != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);

    for (size_t i = 0; i < count && status >= 0; i++) {
        agentchat_str element = {NULL, 0};

        status = aci_loading_find(l, part->numbers[i], &element, err);
        texts[i] = element;
        if (status >= 0)
            status = spend(l, element.len + 1, err);
        if (status >= 0)
            status = aci_loading_check_value(l->env, &element, true, err);
    }
    if (status < 0)
        return status;
    *out = aci_value_list_make(l->env, part->held.values, part->held.first, part->held.count, texts, count);
    return *out != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* A value that is held: shares what it has an arena of its own for. */
static bool share_value(const aci_loading *l, const aci_value *held, aci_value *value)
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

static agentchat_status fill_value(aci_loading *l, const aci_part *part, aci_value *value, agentchat_error *err)
{
    aci_value read = {.list = NULL};
    agentchat_status status = AGENTCHAT_OK;

    value->value = (agentchat_str){NULL, 0};
    if (part->kind == ACI_PART_LIST && value->media_type.ptr == NULL && part->held_value == NULL)
        return make_values(l, part, &value->list, err);
    if (part->kind != ACI_PART_BODY && (part->held_value == NULL || value->media_type.ptr != NULL))
        return aci_loading_fail_frame(err);
    if (part->held_value != NULL)
        return share_value(l, part->held_value, value) ? AGENTCHAT_OK : aci_fail_nomem(err);
    status = aci_loading_find(l, part->body, &read.value, err);
    if (status >= 0)
        status = spend(l, read.value.len, err);
    if (status >= 0 && value->media_type.ptr == NULL)
        status = aci_loading_check_value(l->env, &read.value, false, err);
    if (status < 0)
        return status;
    return share_value(l, &read, value) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status fill_chat(aci_loading *l, const aci_contents *contents, agentchat_snapshot *snapshot,
                                  agentchat_error *err)
{
    agentchat_status status;

    if (snapshot->channel_count != contents->channel_count || snapshot->value_count != contents->value_count)
        return aci_loading_fail_frame(err);
    snapshot->format = NULL;
    snapshot->next_turn = contents->next_turn;
    snapshot->is_complete = contents->is_complete;
    snapshot->source_bytes = l->source_bytes + l->bytes;
    aci_list_clear(&snapshot->history);
    status = loading_list(l, &contents->held, contents->numbers, (size_t)aci_range_length(contents->history),
                          &snapshot->history, err);
    for (size_t i = 0; i < contents->channel_count && status >= 0; i++)
        status = fill_channel(l, &contents->channels[i], snapshot, &snapshot->channels[i], err);
    for (size_t i = 0; i < contents->value_count && status >= 0; i++)
        status = fill_value(l, &contents->values[i], &snapshot->values[i], err);
    return status;
}

static agentchat_status load_chat(aci_loading *l, const aci_contents *contents, agentchat_snapshot **out,
                                  agentchat_error *err)
{
    agentchat_str frame = {NULL, 0};
    agentchat_status status = aci_loading_find(l, contents->frame, &frame, err);

    if (status >= 0)
        status = spend(l, frame.len, err);
    if (status >= 0)
        status = aci_frame_read(l->env, frame, out, err);
    return status < 0 ? status : fill_chat(l, contents, *out, err);
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

static agentchat_status load_contents(aci_loading *l, agentchat_str text, const aci_checkpoint_row *held,
                                      const agentchat_snapshot *held_chat, agentchat_snapshot **out,
                                      agentchat_error *err)
{
    aci_contents *contents = NULL, *base = NULL;
    agentchat_status status = aci_contents_read(l->env, text, l->arena, &contents, err);

    if (status >= 0 && held != NULL)
        status = aci_contents_read(l->env, held->contents, l->arena, &base, err);
    if (status >= 0 && held != NULL) {
        aci_held_mark(contents, base, held_chat);
        l->source_bytes = held_chat->source_bytes;
    }
    if (status >= 0)
        status = aci_numbers_read_lists(l->tx, l->num, contents, l->arena, &l->stored, err);
    if (status >= 0 && !need_chat(l, contents))
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = aci_loading_bodies(l, err);
    if (status >= 0)
        status = loading_messages(l, err);
    if (status >= 0)
        status = spend_lists(l, contents, err);
    return status < 0 ? status : load_chat(l, contents, out, err);
}

agentchat_status aci_load_chat(aci_tx *tx, const aci_checkpoint_row *row, const aci_checkpoint_row *held,
                               const agentchat_snapshot *held_chat, agentchat_snapshot **out, agentchat_error *err)
{
    aci_loading l;
    agentchat_status status = aci_loading_begin(&l, tx, tx->store->env, row->num)
                                  ? load_contents(&l, row->contents, held, held_chat, out, err)
                                  : aci_fail_nomem(err);

    aci_loading_end(&l);
    if (status < 0) {
        agentchat_snapshot_unref(*out);
        *out = NULL;
    }
    return status;
}
