/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the checkpoints of a thread can be read. */
#include "thread/check_parts.h"

#include "base/error.h"
#include "thread/frame.h"
#include "thread/lists.h"
#include "thread/loading.h"

/* A checkpoint whose lists have more than so many times as many elements as the thread has bodies is read in full, for
   the limits. */
enum { MOST_ALONG = 64 };

typedef enum body_kind { IS_MESSAGE, IS_ELEMENT, IS_VALUE, IS_TEXT, IS_JSON_TEXT, IS_BYTES, KIND_COUNT } body_kind;

typedef struct wanted_body {
    int64_t no;
    body_kind kind;
} wanted_body;

typedef struct checking {
    aci_readable *readable;
    aci_tx *tx;
    const agentchat_env *env;
    aci_arena *arena;
    int64_t num;
    aci_loading frames, bodies;
    aci_intervals fresh[2]; /* of messages, of values */
    aci_number_set messages;
    wanted_body *wanted; /* that are no messages */
    size_t wanted_count, wanted_cap;
    int64_t elements;
} checking;

void aci_check_contents_clear(aci_readable *readable, const agentchat_env *env)
{
    aci_intervals_clear(&readable->messages, env);
    aci_intervals_clear(&readable->values, env);
    aci_index_clear(&readable->bodies, env);
    aci_arena_unref(readable->arena);
    *readable = (aci_readable){.is_large = readable->is_large};
}

/* ---- what is wanted ---------------------------------------------------------------------------------------------- */

/* Wants a body that was not read as that kind yet. */
static bool want_body(checking *c, int64_t no, body_kind kind)
{
    int64_t key = no * KIND_COUNT + (int64_t)kind;
    agentchat_str text = {(const char *)&key, sizeof key};
    void *wanted = c->wanted;
    bool ok = true;

    if (aci_index_find(&c->readable->bodies, text) != ACI_INDEX_NONE)
        return true;
    text = aci_arena_copy(c->readable->arena, text, &ok);
    if (!ok || !aci_index_put(&c->readable->bodies, c->env, text, 0))
        return false;
    if (kind == IS_MESSAGE)
        return aci_numbers_add(&c->messages, c->env, &no, 1);
    if (!aci_grow(c->env, &wanted, &c->wanted_cap, c->wanted_count, sizeof *c->wanted))
        return false;
    c->wanted = wanted;
    c->wanted[c->wanted_count++] = (wanted_body){no, kind};
    return aci_numbers_add(&c->bodies.set, c->env, &no, 1);
}

static bool want_list(checking *c, aci_range range, bool is_of_messages)
{
    aci_readable *readable = c->readable;

    c->elements += aci_range_length(range);
    return aci_intervals_take(is_of_messages ? &readable->messages : &readable->values, c->env, range,
                              &c->fresh[!is_of_messages]);
}

static bool want_frames(checking *c, const aci_contents *contents)
{
    bool ok = aci_numbers_add(&c->frames.set, c->env, &contents->frame, 1);

    for (size_t i = 0; i < contents->channel_count && ok; i++)
        if (contents->channels[i].kind == ACI_PART_CHAT)
            ok = want_frames(c, contents->channels[i].chat);
    return ok;
}

static agentchat_status want_chat(checking *c, const aci_contents *contents, agentchat_error *err);

static agentchat_status want_channel(checking *c, const aci_part *part, const agentchat_channel_state *channel,
                                     size_t history, agentchat_error *err)
{
    bool is_data = channel->kind == AGENTCHAT_CHANNEL_TEXT || channel->kind == AGENTCHAT_CHANNEL_BYTES;
    body_kind kind = channel->kind == AGENTCHAT_CHANNEL_BYTES ? IS_BYTES
                     : channel->spelling == ACI_SPELLED_RAW   ? IS_JSON_TEXT
                                                              : IS_TEXT;
    size_t pending;

    if (!aci_loading_part_fits(part, history, &pending) ||
        (is_data && part->kind != ACI_PART_NONE && part->kind != ACI_PART_BODY) ||
        (channel->kind == AGENTCHAT_CHANNEL_MESSAGES && part->kind != ACI_PART_LIST) ||
        (channel->kind == AGENTCHAT_CHANNEL_CHAT && part->kind != ACI_PART_CHAT))
        return aci_loading_fail_frame(err);
    if (part->kind == ACI_PART_CHAT)
        return want_chat(c, part->chat, err);
    if (part->kind == ACI_PART_LIST ? want_list(c, part->list, true)
                                    : part->kind == ACI_PART_NONE || want_body(c, part->body, kind))
        return AGENTCHAT_OK;
    return aci_fail_nomem(err);
}

static agentchat_status want_value(checking *c, const aci_part *part, const aci_value *value, agentchat_error *err)
{
    bool ok;

    if (part->kind == ACI_PART_LIST && value->media_type.ptr == NULL)
        ok = want_list(c, part->list, false);
    else if (part->kind == ACI_PART_BODY)
        ok = want_body(c, part->body, value->media_type.ptr == NULL ? IS_VALUE : IS_BYTES);
    else
        return aci_loading_fail_frame(err);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* What its frame says that there is. */
static agentchat_status want_chat(checking *c, const aci_contents *contents, agentchat_error *err)
{
    size_t history = (size_t)aci_range_length(contents->history);
    agentchat_snapshot *frame = NULL;
    agentchat_str text = {NULL, 0};
    agentchat_status status = aci_loading_find(&c->frames, contents->frame, &text, err);

    if (status >= 0)
        status = aci_frame_read(c->env, text, &frame, err);
    if (status >= 0 && (frame->channel_count != contents->channel_count || frame->value_count != contents->value_count))
        status = aci_loading_fail_frame(err);
    if (status >= 0 && !want_list(c, contents->history, true))
        status = aci_fail_nomem(err);
    for (size_t i = 0; status >= 0 && i < contents->channel_count; i++)
        status = want_channel(c, &contents->channels[i], &frame->channels[i], history, err);
    for (size_t i = 0; status >= 0 && i < contents->value_count; i++)
        status = want_value(c, &contents->values[i], &frame->values[i], err);
    agentchat_snapshot_unref(frame);
    return status;
}

/* ---- reading it ----------------------------------------------------------------------------------------------------
 */

static agentchat_status read_list_numbers(checking *c, const aci_intervals *fresh, body_kind kind, agentchat_error *err)
{
    aci_list_want *wants = aci_arena_alloc(c->arena, (fresh->count + 1) * sizeof *wants);
    agentchat_status status;

    if (wants == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < fresh->count; i++)
        wants[i] = (aci_list_want){fresh->list[i], NULL};
    status = aci_lists_read(c->tx, c->num, wants, fresh->count, c->arena, NULL, err);
    for (size_t i = 0; i < fresh->count && status >= 0; i++) {
        size_t count = (size_t)aci_range_length(wants[i].range);

        for (size_t k = 0; k < count && status >= 0; k++)
            if (!want_body(c, wants[i].numbers[k], kind))
                status = aci_fail_nomem(err);
    }
    return status;
}

static agentchat_status check_body(const checking *c, const wanted_body *body, agentchat_error *err)
{
    agentchat_str text = {NULL, 0};
    agentchat_status status = aci_loading_find(&c->bodies, body->no, &text, err);

    if (status < 0 || body->kind == IS_BYTES)
        return status;
    if (body->kind == IS_TEXT || body->kind == IS_JSON_TEXT)
        return aci_loading_check_text(c->env, text, body->kind == IS_JSON_TEXT, err);
    return aci_loading_check_value(c->env, &text, body->kind == IS_ELEMENT, err);
}

static agentchat_status read_bodies(checking *c, agentchat_error *err)
{
    agentchat_messages messages;
    agentchat_status status = aci_loading_bodies(&c->bodies, err);

    for (size_t i = 0; i < c->wanted_count && status >= 0; i++)
        status = check_body(c, &c->wanted[i], err);
    if (status < 0 || c->messages.count == 0)
        return status;
    status = aci_load_numbered(c->tx, c->num, c->messages.list, c->messages.count, &messages, err);
    aci_list_clear(&messages);
    return status;
}

/* One whose lists name much again and again may be larger than the limits allow. */
static agentchat_status read_in_full(const checking *c, const aci_checkpoint_row *row, agentchat_error *err)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status = aci_load_chat(c->tx, row, NULL, NULL, &snapshot, err);

    agentchat_snapshot_unref(snapshot);
    return status;
}

static agentchat_status check(checking *c, const aci_checkpoint_row *row, agentchat_error *err)
{
    aci_contents *contents = NULL;
    agentchat_status status = aci_contents_read(c->env, row->contents, c->arena, &contents, err);

    if (status >= 0 && !want_frames(c, contents))
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = aci_loading_bodies(&c->frames, err);
    if (status >= 0)
        status = want_chat(c, contents, err);
    if (status >= 0)
        status = read_list_numbers(c, &c->fresh[0], IS_MESSAGE, err);
    if (status >= 0)
        status = read_list_numbers(c, &c->fresh[1], IS_ELEMENT, err);
    if (status >= 0)
        status = read_bodies(c, err);
    if (status >= 0 && (c->readable->is_large || (uint64_t)c->elements > c->env->limits.max_messages ||
                        (uint64_t)c->elements / MOST_ALONG > c->readable->bodies.count))
        status = read_in_full(c, row, err);
    return status;
}

agentchat_status aci_check_contents(aci_readable *readable, aci_tx *tx, const aci_checkpoint_row *row,
                                    agentchat_error *err)
{
    const agentchat_env *env = tx->store->env;
    checking c = {.readable = readable, .tx = tx, .env = env, .arena = aci_arena_new(env, 0), .num = row->num};
    bool begun = aci_loading_begin(&c.frames, tx, env, row->num),
         also = aci_loading_begin(&c.bodies, tx, env, row->num);
    agentchat_status status;

    if (readable->arena == NULL)
        readable->arena = aci_arena_new(env, 0);
    status = begun && also && c.arena != NULL && readable->arena != NULL ? check(&c, row, err) : aci_fail_nomem(err);
    if (status < 0)
        aci_check_contents_clear(readable, env);
    aci_loading_end(&c.frames);
    aci_loading_end(&c.bodies);
    aci_intervals_clear(&c.fresh[0], env);
    aci_intervals_clear(&c.fresh[1], env);
    aci_numbers_clear(&c.messages, env);
    aci_free(env, c.wanted, c.wanted_cap * sizeof *c.wanted);
    aci_arena_unref(c.arena);
    return status;
}
