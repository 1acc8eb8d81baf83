/* SPDX-License-Identifier: Apache-2.0 */
/* What a put has to write. */
#include "thread/thread_internal.h"

#include "base/error.h"
#include "base/index.h"
#include <string.h>

/* ==== what of a snapshot a thread has already, and what is to be stored ========================================== */

/* ---- lists ---------------------------------------------------------------------------------------------------- */

/* A list that a new one may continue. */
typedef struct base_list {
    aci_elements elements;
    aci_range range;
} base_list;

/* What two lists have in common: `run` elements from `skipped` of the old one are the first of the new one, and
   `tail` elements the last of both. */
typedef struct match {
    size_t skipped, run, tail;
} match;

/* A history that was planned, for the channels of its chat. */
typedef struct planned_history {
    aci_elements elements;
    const aci_planned_list *planned;
    match match;
    aci_range base; /* what it was in the base */
    /* ---- once many channels were looked for in it ---- */
    size_t searches;
    const agentchat_message **messages;
    aci_index offsets; /* the first one of each message */
} planned_history;

enum { SEARCHES_WITHOUT_INDEX = 8 };

static match match_lists(aci_thread_plan *plan, base_list *base, aci_elements *list)
{
    match m = {0, 0, 0};

    if (base->elements.count == 0 || list->count == 0)
        return m;
    aci_elements_shared(&base->elements, list, &m.skipped, &m.run);
    if (m.run > 0)
        m.run += aci_elements_run(&base->elements, m.skipped + m.run, list, m.run, plan->bodies);
    while (m.run == 0 && m.skipped < base->elements.count) {
        m.run = aci_elements_run(&base->elements, m.skipped, list, 0, plan->bodies);
        m.skipped += m.run == 0;
    }
    if (m.run == 0)
        m.skipped = 0;
    if (m.skipped + m.run == base->elements.count)
        return m;
    while (m.tail < list->count - m.run && m.tail < base->elements.count - m.skipped - m.run &&
           aci_elements_same(&base->elements, base->elements.count - 1 - m.tail, list, list->count - 1 - m.tail,
                             plan->bodies))
        m.tail++;
    return m;
}

static aci_planned_list *new_list(aci_thread_plan *plan, size_t count, aci_range *target)
{
    aci_planned_list *list = aci_arena_alloc(plan->arena, sizeof *list);

    if (list == NULL)
        return NULL;
    *list = (aci_planned_list){.count = (int64_t)count, .target = target};
    *plan->last_list = list;
    plan->last_list = &list->next;
    return list;
}

/* The elements [first, first + count) become new items. */
static agentchat_status add_middle(aci_thread_plan *plan, aci_planned_list *planned, aci_elements *list, size_t first,
                                   size_t count, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    if (count == 0)
        return AGENTCHAT_OK;
    planned->middle = aci_arena_alloc(plan->arena, count * sizeof *planned->middle);
    if (planned->middle == NULL)
        return aci_fail_nomem(err);
    planned->middle_count = count;
    for (size_t i = 0; i < count && status >= 0; i++)
        status = aci_elements_body(list, first + i, plan->bodies, &planned->middle[i], err);
    return status;
}

static agentchat_status plan_matched(aci_thread_plan *plan, const match *m, const base_list *base, aci_elements *list,
                                     bool may_append, aci_range *target, const aci_planned_list **out,
                                     agentchat_error *err)
{
    aci_planned_list *planned = new_list(plan, list->count, target);
    int64_t from = base->range.from + (int64_t)m->skipped;

    if (planned == NULL)
        return aci_fail_nomem(err);
    planned->may_append = may_append;
    if (m->run > 0)
        planned->prefix = (aci_range){base->range.seg, from, from + (int64_t)m->run};
    if (m->tail > 0)
        planned->suffix = (aci_range){base->range.seg, base->range.to - (int64_t)m->tail, base->range.to};
    *out = planned;
    return add_middle(plan, planned, list, m->run, list->count - m->run - m->tail, err);
}

/* ---- channels that are a run of the history -------------------------------------------------------------------- */

/* Whether a list stands in the history from `offset` on. known: of its elements that much is known already. */
static bool stands_at(aci_thread_plan *plan, planned_history *history, aci_elements *list, size_t offset, size_t known)
{
    if (offset > history->elements.count || list->count > history->elements.count - offset)
        return false;
    return known >= list->count ||
           aci_elements_run(list, known, &history->elements, offset + known, plan->bodies) == list->count - known;
}

/* Where the list was a run of the base's history, and still is one. */
static bool continues_run(aci_thread_plan *plan, planned_history *history, const base_list *base, const match *m,
                          aci_elements *list, size_t *offset)
{
    int64_t in_base = base->range.from + (int64_t)m->skipped - history->base.from;
    size_t known;

    if (m->run == 0 || base->range.seg != history->base.seg || in_base < (int64_t)history->match.skipped ||
        in_base >= (int64_t)(history->match.skipped + history->match.run))
        return false;
    *offset = (size_t)in_base - history->match.skipped;
    known = history->match.run - *offset;
    return stands_at(plan, history, list, *offset, known < m->run ? known : m->run);
}

static bool index_history(aci_thread_plan *plan, planned_history *history)
{
    size_t count = history->elements.count;
    bool ok = true;

    history->messages = aci_arena_alloc(plan->arena, (count + 1) * sizeof *history->messages);
    if (history->messages == NULL)
        return false;
    for (size_t i = 0; i < count && ok; i++) {
        agentchat_str key = {(const char *)&history->messages[i], sizeof history->messages[i]};

        history->messages[i] = aci_list_cursor_at(&history->elements.cursor, i);
        ok = aci_index_add(&history->offsets, plan->env, key, i);
    }
    return ok;
}

/* Where the history has a message first; ACI_INDEX_NONE: nowhere, or out of memory, and it stands for itself. */
static size_t first_in(aci_thread_plan *plan, planned_history *history, const agentchat_message *message)
{
    if (history->searches++ < SEARCHES_WITHOUT_INDEX) {
        for (size_t i = 0; i < history->elements.count; i++)
            if (aci_list_cursor_at(&history->elements.cursor, i) == message)
                return i;
        return ACI_INDEX_NONE;
    }
    if (history->messages == NULL && !index_history(plan, history))
        return ACI_INDEX_NONE;
    return aci_index_find(&history->offsets, (agentchat_str){(const char *)&message, sizeof message});
}

static bool finds_run(aci_thread_plan *plan, planned_history *history, aci_elements *list, size_t *offset)
{
    if (list->count > history->elements.count)
        return false;
    *offset = history->elements.count - list->count;
    if (stands_at(plan, history, list, *offset, 0))
        return true;
    *offset = first_in(plan, history, aci_list_cursor_at(&list->cursor, 0));
    return *offset != ACI_INDEX_NONE && stands_at(plan, history, list, *offset, 0);
}

static agentchat_status plan_channel_list(aci_thread_plan *plan, planned_history *history, base_list *base,
                                          const agentchat_messages *messages, aci_range *target, agentchat_error *err)
{
    const aci_planned_list *planned;
    aci_elements list;
    size_t offset;
    match m;

    aci_elements_of_messages(&list, messages);
    m = match_lists(plan, base, &list);
    if (list.count > 0 && (continues_run(plan, history, base, &m, &list, &offset) ||
                           (m.run + m.tail == 0 && finds_run(plan, history, &list, &offset)))) {
        aci_planned_list *along = new_list(plan, list.count, target);

        if (along == NULL)
            return aci_fail_nomem(err);
        along->along = history->planned;
        along->offset = (int64_t)offset;
        return AGENTCHAT_OK;
    }
    return plan_matched(plan, &m, base, &list, base->range.seg != history->base.seg, target, &planned, err);
}

/* ---- states and values ----------------------------------------------------------------------------------------- */

static agentchat_status plan_body(aci_thread_plan *plan, agentchat_str bytes, int64_t *target, agentchat_error *err)
{
    aci_body_use *use = aci_arena_alloc(plan->arena, sizeof *use);

    if (use == NULL)
        return aci_fail_nomem(err);
    *use = (aci_body_use){.target = target, .next = plan->uses};
    plan->uses = use;
    return aci_bodies_add(plan->bodies, bytes, &use->body, err);
}

/* What a part was in the base; NULL: nothing of that kind. */
static const aci_part *part_at(const aci_part *parts, size_t count, size_t index, aci_part_kind kind)
{
    return index < count && parts[index].kind == kind ? &parts[index] : NULL;
}

/* A list of the base: its messages where they are held, else its numbers. */
static void base_of(base_list *out, const aci_range *range, const int64_t *numbers, const agentchat_messages *held)
{
    *out = (base_list){.range = *range};
    if (held != NULL)
        aci_elements_of_messages(&out->elements, held);
    else if (numbers != NULL)
        aci_elements_of_numbers(&out->elements, numbers, (size_t)aci_range_length(*range));
}

/* Whether a text is another one with nothing but more elements. */
static bool continues_text(agentchat_str held, agentchat_str text)
{
    return held.ptr != NULL && text.len > held.len && memcmp(text.ptr, held.ptr, held.len - 1) == 0 &&
           text.ptr[held.len - 1] == ',';
}

static bool elements_of(aci_thread_plan *plan, const aci_value *value, aci_elements *out)
{
    if (value->list == NULL)
        return aci_elements_of_array(out, value->value, plan->arena);
    aci_elements_of_values(out, value->list);
    return true;
}

/* A text that got more elements: the others are not looked at again. */
static agentchat_status plan_grown_text(aci_thread_plan *plan, const aci_part *base, agentchat_str held,
                                        agentchat_str text, aci_range *target, agentchat_error *err)
{
    agentchat_str rest = {text.ptr + held.len - 1, text.len - held.len + 1};
    aci_planned_list *grown;
    aci_elements list;

    if (!aci_elements_of_array(&list, rest, plan->arena))
        return aci_fail_nomem(err);
    grown = new_list(plan, (size_t)aci_range_length(base->list) + list.count, target);
    if (grown == NULL)
        return aci_fail_nomem(err);
    grown->may_append = true;
    grown->prefix = base->list;
    return add_middle(plan, grown, &list, 0, list.count, err);
}

/* base: what the value was in the base; NULL: no list. held: that as a value; NULL: not known. */
static agentchat_status plan_array(aci_thread_plan *plan, const aci_part *base, const aci_value *held,
                                   const aci_value *value, aci_range *target, agentchat_error *err)
{
    const aci_planned_list *planned;
    aci_elements list;
    base_list old = {.range = {0, 0, 0}};
    match m = {0, 0, 0};
    bool ok;

    if (base != NULL && base->list.seg != 0 && held != NULL && value->list == NULL &&
        continues_text(held->value, value->value))
        return plan_grown_text(plan, base, held->value, value->value, target, err);
    ok = elements_of(plan, value, &list);
    if (ok && base != NULL) {
        base_of(&old, &base->list, base->numbers, NULL);
        if (held != NULL)
            ok = elements_of(plan, held, &old.elements);
    }
    if (!ok)
        return aci_fail_nomem(err);
    if (old.elements.count == (size_t)aci_range_length(old.range))
        m = match_lists(plan, &old, &list);
    return plan_matched(plan, &m, &old, &list, true, target, &planned, err);
}

static agentchat_status plan_values(aci_thread_plan *plan, const agentchat_snapshot *snapshot, const aci_contents *base,
                                    const agentchat_snapshot *held, aci_contents *out, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < snapshot->value_count && status >= 0; i++) {
        const aci_value *value = &snapshot->values[i], *was = NULL;
        aci_part *part = &out->values[i];
        const aci_part *old = base != NULL ? part_at(base->values, base->value_count, i, ACI_PART_LIST) : NULL;

        *part = (aci_part){.synced = AGENTCHAT_SYNCED_UNKNOWN};
        if (!aci_elements_is_list(value)) {
            part->kind = ACI_PART_BODY;
            status = plan_body(plan, value->value, &part->body, err);
            continue;
        }
        part->kind = ACI_PART_LIST;
        if (old != NULL && held != NULL && i < held->value_count && aci_elements_is_list(&held->values[i]))
            was = &held->values[i];
        status = plan_array(plan, old, was, value, &part->list, err);
    }
    return status;
}

/* ---- chats ---------------------------------------------------------------------------------------------------- */

static bool plan_pending(aci_thread_plan *plan, const agentchat_channel_state *channel, aci_part *part)
{
    if (channel->pending_count == 0)
        return true;
    part->pending = aci_arena_alloc(plan->arena, channel->pending_count * sizeof *part->pending);
    if (part->pending == NULL)
        return false;
    for (size_t i = 0; i < channel->pending_count; i++) {
        aci_run *last = part->pending_count > 0 ? &part->pending[part->pending_count - 1] : NULL;

        if (last != NULL && last->first + last->count == channel->pending[i])
            last->count++;
        else
            part->pending[part->pending_count++] = (aci_run){channel->pending[i], 1};
    }
    return true;
}

static agentchat_status plan_chat(aci_thread_plan *plan, const agentchat_snapshot *snapshot, const aci_contents *base,
                                  const agentchat_snapshot *held, aci_contents *out, agentchat_error *err);

static agentchat_status plan_state(aci_thread_plan *plan, planned_history *history,
                                   const agentchat_channel_state *channel, const aci_part *old,
                                   const agentchat_channel_state *held, aci_part *part, agentchat_error *err)
{
    base_list base = {.range = {0, 0, 0}};

    switch (channel->kind) {
    case AGENTCHAT_CHANNEL_TEXT:
    case AGENTCHAT_CHANNEL_BYTES:
        if (channel->data.len == 0)
            return AGENTCHAT_OK;
        part->kind = ACI_PART_BODY;
        return plan_body(plan, channel->data, &part->body, err);
    case AGENTCHAT_CHANNEL_MESSAGES:
        part->kind = ACI_PART_LIST;
        if (old != NULL && old->kind == ACI_PART_LIST)
            base_of(&base, &old->list, old->numbers,
                    held != NULL && held->kind == AGENTCHAT_CHANNEL_MESSAGES ? &held->messages : NULL);
        return plan_channel_list(plan, history, &base, &channel->messages, &part->list, err);
    case AGENTCHAT_CHANNEL_CHAT:
        part->kind = ACI_PART_CHAT;
        part->chat = aci_arena_alloc(plan->arena, sizeof *part->chat);
        if (part->chat == NULL)
            return aci_fail_nomem(err);
        return plan_chat(plan, channel->chat, old != NULL && old->kind == ACI_PART_CHAT ? old->chat : NULL,
                         held != NULL && held->kind == AGENTCHAT_CHANNEL_CHAT ? held->chat : NULL, part->chat, err);
    case AGENTCHAT_CHANNEL_MAX_:
        break;
    }
    return AGENTCHAT_OK;
}

static agentchat_status plan_channels(aci_thread_plan *plan, planned_history *history,
                                      const agentchat_snapshot *snapshot, const aci_contents *base,
                                      const agentchat_snapshot *held, aci_contents *out, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < snapshot->channel_count && status >= 0; i++) {
        const agentchat_channel_state *channel = &snapshot->channels[i];
        const agentchat_channel_state *was = held != NULL && i < held->channel_count ? &held->channels[i] : NULL;
        const aci_part *old = base != NULL && i < base->channel_count ? &base->channels[i] : NULL;
        aci_part *part = &out->channels[i];

        *part = (aci_part){.synced = channel->synced};
        if (held != NULL && was == NULL)
            old = NULL;
        if (!plan_pending(plan, channel, part))
            return aci_fail_nomem(err);
        status = plan_state(plan, history, channel, old, was, part, err);
    }
    return status;
}

static bool allocate(aci_thread_plan *plan, const agentchat_snapshot *snapshot, aci_contents *out)
{
    *out = (aci_contents){.next_turn = snapshot->next_turn,
                          .is_complete = snapshot->is_complete,
                          .channel_count = snapshot->channel_count,
                          .value_count = snapshot->value_count};
    if (out->channel_count > 0)
        out->channels = aci_arena_alloc(plan->arena, out->channel_count * sizeof *out->channels);
    if (out->value_count > 0)
        out->values = aci_arena_alloc(plan->arena, out->value_count * sizeof *out->values);
    return (out->channel_count == 0 || out->channels != NULL) && (out->value_count == 0 || out->values != NULL);
}

static agentchat_status plan_frame(aci_thread_plan *plan, const agentchat_snapshot *snapshot, aci_contents *out,
                                   agentchat_error *err)
{
    agentchat_str frame;
    agentchat_status status = aci_frame_write(snapshot, plan->arena, &frame, err);

    return status < 0 ? status : plan_body(plan, frame, &out->frame, err);
}

static agentchat_status plan_chat(aci_thread_plan *plan, const agentchat_snapshot *snapshot, const aci_contents *base,
                                  const agentchat_snapshot *held, aci_contents *out, agentchat_error *err)
{
    planned_history history = {.base = {0, 0, 0}};
    base_list old = {.range = {0, 0, 0}};
    agentchat_status status;

    if (!allocate(plan, snapshot, out))
        return aci_fail_nomem(err);
    status = plan_frame(plan, snapshot, out, err);
    if (status < 0)
        return status;
    if (base != NULL)
        base_of(&old, &base->history, base->numbers, held != NULL ? &held->history : NULL);
    aci_elements_of_messages(&history.elements, &snapshot->history);
    history.base = old.range;
    history.match = match_lists(plan, &old, &history.elements);
    status = plan_matched(plan, &history.match, &old, &history.elements, true, &out->history, &history.planned, err);
    if (status >= 0)
        status = plan_channels(plan, &history, snapshot, base, held, out, err);
    aci_index_clear(&history.offsets, plan->env);
    return status < 0 ? status : plan_values(plan, snapshot, base, held, out, err);
}

agentchat_status aci_thread_plan_make(aci_thread_plan *plan, const agentchat_snapshot *snapshot,
                                      const aci_contents *base, const agentchat_snapshot *held, agentchat_error *err)
{
    plan->lists = NULL;
    plan->last_list = &plan->lists;
    plan->uses = NULL;
    plan->contents = aci_arena_alloc(plan->arena, sizeof *plan->contents);
    if (plan->contents == NULL)
        return aci_fail_nomem(err);
    return plan_chat(plan, snapshot, base, held, plan->contents, err);
}

/* ---- everything, for who knows nothing of what is there ---------------------------------------------------------- */

static agentchat_status add_all(aci_thread_plan *plan, aci_elements *list, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    size_t body;

    for (size_t i = 0; i < list->count && status >= 0; i++)
        status = aci_elements_body(list, i, plan->bodies, &body, err);
    return status;
}

static agentchat_status add_messages(aci_thread_plan *plan, const agentchat_messages *messages, agentchat_error *err)
{
    aci_elements list;

    aci_elements_of_messages(&list, messages);
    return add_all(plan, &list, err);
}

agentchat_status aci_thread_plan_elements(aci_thread_plan *plan, const agentchat_snapshot *snapshot,
                                          agentchat_error *err)
{
    agentchat_status status = add_messages(plan, &snapshot->history, err);

    for (size_t i = 0; i < snapshot->channel_count && status >= 0; i++) {
        const agentchat_channel_state *channel = &snapshot->channels[i];

        if (channel->kind == AGENTCHAT_CHANNEL_MESSAGES)
            status = add_messages(plan, &channel->messages, err);
        else if (channel->kind == AGENTCHAT_CHANNEL_CHAT)
            status = aci_thread_plan_elements(plan, channel->chat, err);
    }
    for (size_t i = 0; i < snapshot->value_count && status >= 0; i++) {
        aci_elements list;

        if (!aci_elements_is_list(&snapshot->values[i]))
            continue;
        if (!elements_of(plan, &snapshot->values[i], &list))
            return aci_fail_nomem(err);
        status = add_all(plan, &list, err);
    }
    return status;
}

/* ==== what of a checkpoint need not be read ====================================================================== */

/* Lists are compared by their positions: those of a segment stand for the same bodies as long as a checkpoint is
   there that has them. */

/* How much of a range's beginning stands in another one; *first: from where on. */
static size_t begins_with(const aci_range *range, const aci_range *base, size_t *first)
{
    int64_t to = range->to < base->to ? range->to : base->to;

    if (range->seg == 0 || range->seg != base->seg || range->from < base->from || range->from >= to)
        return 0;
    *first = (size_t)(range->from - base->from);
    return (size_t)(to - range->from);
}

static void take_off(aci_range *range, size_t count)
{
    range->from += (int64_t)count;
    if (range->from >= range->to)
        *range = (aci_range){0, 0, 0};
}

/* Chooses a list of messages if it has more of the range than what was chosen. */
static void offer(const aci_range *range, const aci_range *base, const agentchat_messages *messages,
                  aci_held_list *held)
{
    size_t first = 0, count = begins_with(range, base, &first);

    if (count > held->count && messages->count == (size_t)aci_range_length(*base))
        *held = (aci_held_list){.messages = messages, .first = first, .count = count};
}

static void mark_channel(aci_part *part, const aci_part *base, const agentchat_channel_state *channel,
                         const aci_contents *chat, const agentchat_snapshot *snapshot)
{
    switch (part->kind) {
    case ACI_PART_NONE:
        break;
    case ACI_PART_LIST:
        if (base != NULL && base->kind == ACI_PART_LIST && channel->kind == AGENTCHAT_CHANNEL_MESSAGES)
            offer(&part->list, &base->list, &channel->messages, &part->held);
        offer(&part->list, &chat->history, &snapshot->history, &part->held);
        take_off(&part->list, part->held.count);
        break;
    case ACI_PART_BODY:
        if (base != NULL && base->kind == ACI_PART_BODY && base->body == part->body &&
            (channel->kind == AGENTCHAT_CHANNEL_TEXT || channel->kind == AGENTCHAT_CHANNEL_BYTES))
            part->held_bytes = channel->data;
        break;
    case ACI_PART_CHAT:
        if (base != NULL && base->kind == ACI_PART_CHAT && channel->kind == AGENTCHAT_CHANNEL_CHAT)
            aci_held_mark(part->chat, base->chat, channel->chat);
        break;
    }
}

/* A text that is an array is held in pieces in the store alone: it serves where nothing of it changed. */
static void mark_value(aci_part *part, const aci_part *base, const aci_value *value)
{
    size_t first = 0, count;

    if (part->kind != base->kind)
        return;
    if (part->kind == ACI_PART_BODY) {
        if (part->body == base->body && value->list == NULL)
            part->held_value = value;
        return;
    }
    count = begins_with(&part->list, &base->list, &first);
    if (value->list != NULL && aci_value_list_count(value->list) == (size_t)aci_range_length(base->list)) {
        part->held = (aci_held_list){.values = value->list, .first = first, .count = count};
        take_off(&part->list, count);
    } else if (value->list == NULL && part->list.seg == base->list.seg && part->list.from == base->list.from &&
               part->list.to == base->list.to) {
        part->held_value = value;
        part->list = (aci_range){0, 0, 0};
    }
}

void aci_held_mark(aci_contents *contents, const aci_contents *base, const agentchat_snapshot *snapshot)
{
    if (snapshot->channel_count != base->channel_count || snapshot->value_count != base->value_count)
        return; /* it is not that of the contents */
    offer(&contents->history, &base->history, &snapshot->history, &contents->held);
    take_off(&contents->history, contents->held.count);
    for (size_t i = 0; i < contents->channel_count; i++) {
        bool is_there = i < base->channel_count;

        mark_channel(&contents->channels[i], is_there ? &base->channels[i] : NULL,
                     is_there ? &snapshot->channels[i] : NULL, base, snapshot);
    }
    for (size_t i = 0; i < contents->value_count && i < base->value_count; i++)
        mark_value(&contents->values[i], &base->values[i], &snapshot->values[i]);
}
