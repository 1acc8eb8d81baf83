/* SPDX-License-Identifier: Apache-2.0 */
/* What the checkpoints of a thread reach. */
#include "thread/reach.h"

#include "base/error.h"
#include "thread/scan.h"
#include <string.h>

bool aci_reach_begin(aci_reach *reach, const agentchat_env *env)
{
    memset(reach, 0, sizeof *reach);
    reach->env = env;
    reach->arena = aci_arena_new(env, 0);
    return reach->arena != NULL && aci_large_data_begin(&reach->data, env, reach->arena);
}

void aci_reach_clear(aci_reach *reach)
{
    aci_intervals_clear(&reach->lists, reach->env);
    aci_intervals_clear(&reach->messages, reach->env);
    aci_numbers_clear(&reach->bodies, reach->env);
    aci_numbers_clear(&reach->message_bodies, reach->env);
    aci_large_data_clear(&reach->data);
    aci_arena_unref(reach->arena);
}

/* ---- what checkpoints name ------------------------------------------------------------------------------------- */

static bool add_list(aci_reach *reach, aci_range range, bool is_messages)
{
    return aci_intervals_add(&reach->lists, reach->env, range) &&
           (!is_messages || aci_intervals_add(&reach->messages, reach->env, range));
}

static bool add_chat(aci_reach *reach, const aci_contents *contents)
{
    bool ok =
        aci_numbers_add(&reach->bodies, reach->env, &contents->frame, 1) && add_list(reach, contents->history, true);

    for (size_t i = 0; ok && i < contents->channel_count; i++) {
        const aci_part *part = &contents->channels[i];

        if (part->kind == ACI_PART_LIST)
            ok = add_list(reach, part->list, true);
        else if (part->kind == ACI_PART_BODY)
            ok = aci_numbers_add(&reach->bodies, reach->env, &part->body, 1);
        else if (part->kind == ACI_PART_CHAT)
            ok = add_chat(reach, part->chat);
    }
    for (size_t i = 0; ok && i < contents->value_count; i++) {
        const aci_part *part = &contents->values[i];

        ok = part->kind == ACI_PART_LIST ? add_list(reach, part->list, false)
                                         : aci_numbers_add(&reach->bodies, reach->env, &part->body, 1);
    }
    return ok;
}

agentchat_status aci_reach_add(aci_reach *reach, const aci_checkpoint_row *row, aci_arena *arena, agentchat_error *err)
{
    aci_contents *contents = NULL;
    agentchat_status status = aci_contents_read(reach->env, row->contents, arena, &contents, err);

    return status < 0 || add_chat(reach, contents) ? status : aci_fail_nomem(err);
}

/* ---- through spans --------------------------------------------------------------------------------------------- */

typedef struct following {
    aci_reach *reach;
    aci_intervals lists, messages; /* where the spans lead */
} following;

static bool follow_span(const aci_intervals *named, int64_t seg, const aci_span *span, aci_intervals *found,
                        const agentchat_env *env)
{
    aci_range covered = {seg, span->pos, span->pos + span->count}, common;
    int64_t shift = span->from - span->pos;
    bool ok = true;

    for (size_t at = aci_intervals_first(named, covered); ok && aci_intervals_common(named, at, covered, &common); at++)
        ok = aci_intervals_add(found, env, (aci_range){span->seg, common.from + shift, common.to + shift});
    return ok;
}

static void note_segment(aci_reach *reach, int64_t seg)
{
    if (seg > reach->segments)
        reach->segments = seg;
}

static agentchat_status follow_segment(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    following *f = user;
    const aci_segment_row *segment = row;
    const agentchat_env *env = f->reach->env;

    (void)arena;
    note_segment(f->reach, segment->seg);
    for (size_t i = 0; i < segment->span_count; i++)
        if (!follow_span(&f->reach->lists, segment->seg, &segment->spans[i], &f->lists, env) ||
            !follow_span(&f->reach->messages, segment->seg, &segment->spans[i], &f->messages, env))
            return aci_fail_nomem(err);
    return AGENTCHAT_OK;
}

static bool merge(aci_intervals *set, const aci_intervals *other, const agentchat_env *env)
{
    bool ok = true;

    for (size_t i = 0; ok && i < other->count; i++)
        ok = aci_intervals_add(set, env, other->list[i]);
    aci_intervals_sort(set);
    return ok;
}

/* What a span stands for is never a span itself: once over all segments is enough. */
static agentchat_status follow_spans(aci_reach *reach, aci_tx *tx, int64_t num, agentchat_error *err)
{
    following f = {.reach = reach};
    agentchat_status status;

    aci_intervals_sort(&reach->lists);
    aci_intervals_sort(&reach->messages);
    status = aci_scan(tx, num, ACI_SCAN_OF_SEGMENTS, follow_segment, &f, err);
    if (status >= 0 &&
        !(merge(&reach->lists, &f.lists, reach->env) && merge(&reach->messages, &f.messages, reach->env)))
        status = aci_fail_nomem(err);
    aci_intervals_clear(&f.lists, reach->env);
    aci_intervals_clear(&f.messages, reach->env);
    return status;
}

/* ---- through items and messages ------------------------------------------------------------------------------- */

static bool add_bodies(const aci_intervals *set, const aci_item_row *item, const int64_t *numbers, aci_number_set *out,
                       const agentchat_env *env)
{
    aci_range covered = {item->seg, item->pos, item->pos + item->count}, common;
    bool ok = true;

    for (size_t at = aci_intervals_first(set, covered); ok && aci_intervals_common(set, at, covered, &common); at++)
        ok = aci_numbers_add(out, env, numbers + (common.from - item->pos), (size_t)(common.to - common.from));
    return ok;
}

static agentchat_status follow_item(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    aci_reach *reach = user;
    int64_t *numbers = NULL;
    agentchat_status status = aci_lists_item_numbers(row, arena, &numbers, err);

    note_segment(reach, ((const aci_item_row *)row)->seg);
    if (status >= 0 && !(add_bodies(&reach->lists, row, numbers, &reach->bodies, reach->env) &&
                         add_bodies(&reach->messages, row, numbers, &reach->message_bodies, reach->env)))
        status = aci_fail_nomem(err);
    return status;
}

static agentchat_status follow_reference(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    aci_reach *reach = user;
    const aci_body_row *body = row;
    agentchat_str text = body->bytes;

    (void)arena;
    if (aci_numbers_find(&reach->message_bodies, body->no) == reach->message_bodies.count)
        return AGENTCHAT_OK;
    return aci_large_data_split(&reach->data, 0, &text, err);
}

agentchat_status aci_reach_follow(aci_reach *reach, aci_tx *tx, int64_t num, agentchat_error *err)
{
    agentchat_status status = follow_spans(reach, tx, num, err);

    if (status >= 0)
        status = aci_scan(tx, num, ACI_SCAN_OF_ITEMS, follow_item, reach, err);
    aci_numbers_sort(&reach->bodies);
    aci_numbers_sort(&reach->message_bodies);
    if (status >= 0)
        status = aci_scan(tx, num, ACI_SCAN_OF_REFERENCES, follow_reference, reach, err);
    return status;
}

bool aci_reach_has_body(const aci_reach *reach, int64_t no, agentchat_str digest)
{
    return aci_numbers_find(&reach->bodies, no) < reach->bodies.count ||
           aci_index_find(&reach->data.by_digest, digest) != ACI_INDEX_NONE;
}
