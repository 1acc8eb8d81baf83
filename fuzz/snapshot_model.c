/* SPDX-License-Identifier: Apache-2.0 */
/* Building on the model: the rules of include/agentchat/snapshot.h, one after the other. */
#include "snapshot_model.h"

#include "documents.h"
#include <string.h>

static bool given(agentchat_str text)
{
    return text.ptr != NULL && !agentchat_str_is_null(text);
}

void model_snapshot_fail(model_snapshot *m, agentchat_status status, agentchat_status or_status)
{
    if (m->status < 0)
        return;
    m->status = status;
    m->or_status = or_status;
}

static void refuse(model_snapshot *m)
{
    model_snapshot_fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
}

/* ---- history -------------------------------------------------------------------------------------------------- */

void model_snapshot_add_message(model_snapshot *m, const agentchat_message *message)
{
    if (m->status < 0)
        return;
    if (message == NULL)
        refuse(m);
    else
        m->history[m->count++] = message;
}

/* Moves the flags after a range, and marks those of what replaces it. */
static void move_flags(bool *flags, size_t first, size_t count, size_t with, bool mark)
{
    bool moved[MODEL_FLAGS] = {false};

    for (size_t i = 0; i < MODEL_FLAGS; i++) {
        if (i < first)
            moved[i] = flags[i];
        else if (i >= first + count && i - count + with < MODEL_FLAGS)
            moved[i - count + with] = flags[i];
    }
    for (size_t i = first; i < first + with; i++)
        moved[i] = mark;
    memcpy(flags, moved, sizeof moved);
}

void model_snapshot_replace(model_snapshot *m, size_t first, size_t count, const agentchat_message *const *with,
                            size_t with_count)
{
    const agentchat_message *tail[MODEL_HISTORY];
    size_t rest;

    if (m->status < 0)
        return;
    if (first > m->count || count > m->count - first) {
        refuse(m);
        return;
    }
    rest = m->count - first - count;
    memcpy(tail, m->history + first + count, rest * sizeof *tail);
    for (size_t i = 0; i < with_count; i++)
        m->history[first + i] = with[i];
    memcpy(m->history + first + with_count, tail, rest * sizeof *tail);
    m->count = first + with_count + rest;
    for (size_t i = 0; i < m->channel_count; i++) {
        model_channel *channel = &m->channels[i];
        /* It knows what replaces a range that it knew completely; what replaces an empty range, if it knew what
           follows. */
        bool knew = channel->given[count > 0 ? first + count - 1 : first];

        move_flags(channel->given, first, count, with_count, knew);
        move_flags(channel->queued, first, count, with_count, false);
    }
}

/* ---- participants and values ---------------------------------------------------------------------------------- */

void model_snapshot_add_participant(model_snapshot *m, model_participant participant)
{
    if (m->status < 0)
        return;
    if (!given(participant.id) || participant.id.len == 0) {
        refuse(m);
        return;
    }
    for (size_t i = 0; i < m->participant_count; i++)
        if (agentchat_str_equal(m->participants[i].id, participant.id)) {
            model_snapshot_fail(m, AGENTCHAT_E_EXISTS, AGENTCHAT_E_EXISTS);
            return;
        }
    if (!naive_is_text(participant.id) || !naive_is_text(participant.name) || !naive_is_text(participant.type))
        refuse(m);
    else
        m->participants[m->participant_count++] = participant;
}

static bool accept_json(model_snapshot *m, agentchat_str *value)
{
    switch (naive_json_check(*value, m->max_depth, value)) {
    case NAIVE_JSON_GOOD:
        return true;
    case NAIVE_JSON_BAD:
        refuse(m);
        break;
    case NAIVE_JSON_DEEP:
        model_snapshot_fail(m, AGENTCHAT_E_LIMIT, AGENTCHAT_E_LIMIT);
        break;
    case NAIVE_JSON_BAD_AND_DEEP:
        model_snapshot_fail(m, AGENTCHAT_E_LIMIT, AGENTCHAT_E_INVALID);
        break;
    }
    return false;
}

void model_snapshot_set_value(model_snapshot *m, model_value value)
{
    size_t at = 0;

    if (m->status < 0)
        return;
    if (!given(value.name) || value.name.len == 0) {
        refuse(m);
        return;
    }
    while (at < m->value_count && !agentchat_str_equal(m->values[at].name, value.name))
        at++;
    if (value.value.ptr == NULL) {
        if (at < m->value_count)
            memmove(&m->values[at], &m->values[at + 1], (--m->value_count - at) * sizeof *m->values);
        return;
    }
    if (agentchat_str_is_null(value.media_type))
        value.media_type = (agentchat_str){NULL, 0};
    if (agentchat_str_is_null(value.value))
        value.value = value.media_type.ptr == NULL ? AGENTCHAT_STR("null") : AGENTCHAT_STR("");
    if (!naive_is_text(value.name) || !naive_is_text(value.media_type)) {
        refuse(m);
        return;
    }
    if (value.media_type.ptr == NULL && !accept_json(m, &value.value))
        return;
    m->values[at] = value;
    m->value_count += at == m->value_count;
}

/* ---- channels ------------------------------------------------------------------------------------------------- */

static size_t find_channel(const model_snapshot *m, agentchat_str key)
{
    size_t at = 0;

    while (at < m->channel_count && !agentchat_str_equal(m->channels[at].key, key))
        at++;
    return at;
}

model_channel *model_snapshot_set_channel(model_snapshot *m, agentchat_str key, agentchat_str type,
                                          agentchat_channel_kind kind, agentchat_str data, size_t synced)
{
    size_t at = find_channel(m, key);
    model_channel *channel = &m->channels[at];

    if (m->status >= 0 && (!given(key) || !naive_is_text(key) || !naive_is_text(type) ||
                           (kind == AGENTCHAT_CHANNEL_TEXT && !naive_is_text(data))))
        refuse(m);
    if (m->status < 0)
        return NULL;
    m->channel_count += at == m->channel_count;
    memset(channel, 0, sizeof *channel);
    channel->key = key;
    channel->type = type;
    channel->kind = kind;
    channel->data = data;
    channel->is_unknown = synced == AGENTCHAT_SYNCED_UNKNOWN;
    channel->is_far = !channel->is_unknown && synced > MODEL_FLAGS / 2;
    for (size_t i = 0; i < MODEL_FLAGS / 2 && !channel->is_unknown; i++)
        channel->given[i] = i < synced;
    return channel;
}

void model_snapshot_set_pending(model_snapshot *m, agentchat_str key, const size_t *positions, size_t count)
{
    size_t at = find_channel(m, key);

    if (m->status >= 0 && at == m->channel_count)
        refuse(m);
    for (size_t i = 1; i < count; i++)
        if (positions[i - 1] >= positions[i])
            refuse(m);
    if (m->status < 0)
        return;
    memset(m->channels[at].queued, 0, sizeof m->channels[at].queued);
    m->channels[at].waits_far = false;
    for (size_t i = 0; i < count; i++) {
        if (positions[i] < MODEL_FLAGS / 2)
            m->channels[at].queued[positions[i]] = true;
        else
            m->channels[at].waits_far = true;
    }
}

void model_snapshot_remove_channel(model_snapshot *m, agentchat_str key)
{
    size_t at = find_channel(m, key);

    if (m->status >= 0 && at < m->channel_count)
        memmove(&m->channels[at], &m->channels[at + 1], (--m->channel_count - at) * sizeof *m->channels);
}

/* ---- extras --------------------------------------------------------------------------------------------------- */

model_extras *model_snapshot_extras(model_snapshot *m)
{
    return &m->extras;
}

model_extras *model_snapshot_participant_extras(model_snapshot *m, agentchat_str id)
{
    for (size_t i = 0; i < m->participant_count; i++)
        if (agentchat_str_equal(m->participants[i].id, id))
            return &m->participants[i].extras;
    refuse(m);
    return NULL;
}

model_extras *model_snapshot_channel_extras(model_snapshot *m, agentchat_str key)
{
    size_t at = find_channel(m, key);

    if (at < m->channel_count)
        return &m->channels[at].extras;
    refuse(m);
    return NULL;
}

/* Absent, or the name of a format: 1 to 64 of a-z, 0-9 and "-", of which the first is a letter. */
static bool is_origin(agentchat_str from)
{
    static const char characters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

    if (from.ptr == NULL)
        return true;
    for (size_t i = 0; i < from.len; i++)
        if (memchr(characters, from.ptr[i], i == 0 ? 26 : 37) == NULL)
            return false;
    return from.len > 0 && from.len <= 64;
}

void model_snapshot_add_extra(model_snapshot *m, model_extras *extras, agentchat_extra extra)
{
    if (m->status < 0)
        return;
    if (agentchat_str_is_null(extra.value))
        extra.value = AGENTCHAT_STR("null");
    if (agentchat_str_is_null(extra.from)) /* the origin is never null */
        extra.from = (agentchat_str){NULL, 0};
    if (!given(extra.name) || !naive_is_text(extra.name) || extra.value.ptr == NULL)
        refuse(m);
    else if (accept_json(m, &extra.value) && !is_origin(extra.from))
        refuse(m);
    else if (m->status >= 0)
        extras->list[extras->count++] = extra;
}

void model_snapshot_remove_extra(const model_snapshot *m, model_extras *extras, agentchat_str name)
{
    size_t kept = 0;

    if (m->status < 0)
        return;
    for (size_t i = 0; i < extras->count; i++)
        if (!agentchat_str_equal(extras->list[i].name, name))
            extras->list[kept++] = extras->list[i];
    extras->count = kept;
}

typedef const agentchat_extra *extra_at(const void *owner, size_t index);

static const agentchat_extra *of_snapshot(const void *owner, size_t index)
{
    return agentchat_snapshot_extra(owner, index);
}

static const agentchat_extra *of_participant(const void *owner, size_t index)
{
    return agentchat_participant_extra(owner, index);
}

static const agentchat_extra *of_channel(const void *owner, size_t index)
{
    return agentchat_channel_state_extra(owner, index);
}

/* In the order in which they were added; a document has those that can be properties after the others. */
static void check_extras(const model_extras *extras, const void *owner, extra_at *at, bool in_order)
{
    bool taken[MODEL_UNKNOWN] = {false};

    for (size_t i = 0; i < extras->count; i++) {
        const agentchat_extra *wanted = &extras->list[i], *made = NULL;
        size_t k = in_order ? i : 0;

        for (; k < extras->count; k++) {
            made = at(owner, k);
            FUZZ_CHECK(made != NULL);
            if (in_order ||
                (!taken[k] && agentchat_str_equal(made->name, wanted->name) &&
                 agentchat_str_equal(made->from, wanted->from) && agentchat_str_equal(made->value, wanted->value)))
                break;
        }
        FUZZ_CHECK(k < extras->count && agentchat_str_equal(made->name, wanted->name) &&
                   agentchat_str_equal(made->from, wanted->from) && agentchat_str_equal(made->value, wanted->value));
        taken[k] = true;
    }
    FUZZ_CHECK(at(owner, extras->count) == NULL);
}

/* Format 1 has three containers more for a chat: the list of channels, the channel, the chat. */
void model_snapshot_nest(model_snapshot *m, const model_snapshot *chat)
{
    if (chat->levels + 3 + 1 > m->max_depth)
        model_snapshot_fail(m, AGENTCHAT_E_LIMIT, AGENTCHAT_E_LIMIT);
}

/* ---- the end -------------------------------------------------------------------------------------------------- */

static size_t highest(const bool *flags)
{
    size_t count = MODEL_FLAGS;

    while (count > 0 && !flags[count - 1])
        count--;
    return count;
}

void model_snapshot_finish(model_snapshot *m)
{
    m->levels = 0;
    for (size_t i = 0; i < m->channel_count; i++) {
        const model_channel *channel = &m->channels[i];

        if (channel->is_far || channel->waits_far || highest(channel->given) > m->count ||
            highest(channel->queued) > m->count)
            refuse(m);
        if (channel->chat != NULL && channel->chat_levels + 3 > m->levels)
            m->levels = channel->chat_levels + 3;
    }
}

static void check_message(const agentchat_message *left, const agentchat_message *right, bool same)
{
    FUZZ_CHECK(same ? left == right : agentchat_str_equal(agentchat_message_text(left), agentchat_message_text(right)));
}

static void check_channel(const model_snapshot *m, const model_channel *channel, const agentchat_channel_state *made,
                          bool same)
{
    size_t pending = 0;

    FUZZ_CHECK(agentchat_str_equal(agentchat_channel_state_key(made), channel->key));
    FUZZ_CHECK(agentchat_str_equal(agentchat_channel_state_type(made), channel->type));
    FUZZ_CHECK(agentchat_channel_state_kind(made) == channel->kind);
    FUZZ_CHECK(agentchat_str_equal(agentchat_channel_state_data(made), channel->data));
    FUZZ_CHECK((agentchat_channel_state_messages(made) != NULL) == (channel->kind == AGENTCHAT_CHANNEL_MESSAGES));
    FUZZ_CHECK(agentchat_messages_count(agentchat_channel_state_messages(made)) == channel->message_count);
    for (size_t i = 0; i < channel->message_count; i++)
        check_message(channel->messages[i], agentchat_messages_at(agentchat_channel_state_messages(made), i), same);
    FUZZ_CHECK((agentchat_channel_state_chat(made) != NULL) == (channel->chat != NULL));
    if (channel->chat != NULL)
        FUZZ_CHECK(same ? agentchat_channel_state_chat(made) == channel->chat
                        : fuzz_same_digest(agentchat_channel_state_chat(made), channel->chat, true));
    FUZZ_CHECK(agentchat_channel_state_synced(made) ==
               (channel->is_unknown ? AGENTCHAT_SYNCED_UNKNOWN : highest(channel->given)));
    for (size_t i = 0; i < m->count; i++) {
        if (!channel->queued[i])
            continue;
        FUZZ_CHECK(pending < agentchat_channel_state_pending_count(made));
        FUZZ_CHECK(agentchat_channel_state_pending(made, pending++) == i);
    }
    FUZZ_CHECK(agentchat_channel_state_pending_count(made) == pending);
    FUZZ_CHECK(agentchat_channel_state_extra_count(made) == channel->extras.count);
    check_extras(&channel->extras, made, of_channel, same);
}

static void check_values(const model_snapshot *m, const agentchat_snapshot *snapshot)
{
    FUZZ_CHECK(agentchat_snapshot_value_count(snapshot) == m->value_count);
    for (size_t i = 0; i < m->value_count; i++) {
        const model_value *value = &m->values[i];
        agentchat_str media_type, found = agentchat_snapshot_value(snapshot, value->name, &media_type);

        FUZZ_CHECK(agentchat_str_equal(agentchat_snapshot_value_name(snapshot, i), value->name));
        FUZZ_CHECK(agentchat_str_equal(found, value->value) && agentchat_str_equal(media_type, value->media_type));
    }
}

void model_snapshot_check(const model_snapshot *m, const agentchat_snapshot *snapshot, bool same)
{
    FUZZ_CHECK(agentchat_messages_count(agentchat_snapshot_history(snapshot)) == m->count);
    for (size_t i = 0; i < m->count; i++)
        check_message(m->history[i], agentchat_messages_at(agentchat_snapshot_history(snapshot), i), same);
    FUZZ_CHECK(agentchat_snapshot_participant_count(snapshot) == m->participant_count);
    for (size_t i = 0; i < m->participant_count; i++) {
        const agentchat_participant *made = agentchat_snapshot_participant(snapshot, i);

        FUZZ_CHECK(agentchat_str_equal(agentchat_participant_id(made), m->participants[i].id));
        FUZZ_CHECK(agentchat_str_equal(agentchat_participant_name(made), m->participants[i].name));
        FUZZ_CHECK(agentchat_str_equal(agentchat_participant_type(made), m->participants[i].type));
        FUZZ_CHECK(agentchat_participant_extra_count(made) == m->participants[i].extras.count);
        check_extras(&m->participants[i].extras, made, of_participant, same);
    }
    FUZZ_CHECK(agentchat_snapshot_channel_count(snapshot) == m->channel_count);
    for (size_t i = 0; i < m->channel_count; i++)
        check_channel(m, &m->channels[i], agentchat_snapshot_channel(snapshot, i), same);
    check_values(m, snapshot);
    FUZZ_CHECK(agentchat_snapshot_extra_count(snapshot) == m->extras.count);
    check_extras(&m->extras, snapshot, of_snapshot, same);
    FUZZ_CHECK(agentchat_snapshot_next_turn(snapshot) == m->turn);
    FUZZ_CHECK(agentchat_snapshot_is_complete(snapshot) == m->complete);
}
