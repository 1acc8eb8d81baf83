/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input as calls of the snapshot builder beside a model of them, one builder after the other, each from nothing or
 * from a snapshot made before: finish says what the model says, positions follow their messages, and the snapshot comes
 * back from the formats. An allocation may fail on the way.
 */
#include "documents.h"
#include "failing_memory.h"
#include "snapshot_model.h"

#include <string.h>

enum { POOL = 12, SNAPSHOTS = 4, CALLS = 80, BATCH = 8, MAX_DEPTH = 9 };

typedef struct world {
    fuzz_input in;
    fuzz_memory memory;
    agentchat_message *pool[POOL];
    agentchat_snapshot *made[SNAPSHOTS];
    model_snapshot models[SNAPSHOTS];
    size_t count;
} world;

static const agentchat_str keys[] = {
    {"a", 1}, {"b", 1}, {"c", 1}, {"", 0}, {"Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4=", 44}};
static const agentchat_str types[] = {{AGENTCHAT_TYPE_HISTORY_CHANNEL, sizeof AGENTCHAT_TYPE_HISTORY_CHANNEL - 1},
                                      {AGENTCHAT_TYPE_AGGREGATOR_CHANNEL, sizeof AGENTCHAT_TYPE_AGGREGATOR_CHANNEL - 1},
                                      {AGENTCHAT_TYPE_HISTORY_AGENT, sizeof AGENTCHAT_TYPE_HISTORY_AGENT - 1},
                                      {AGENTCHAT_TYPE_AGGREGATOR, sizeof AGENTCHAT_TYPE_AGGREGATOR - 1},
                                      {"Type", 4},
                                      {NULL, 0}};
static const agentchat_str texts[] = {{"text", 4},
                                      {"", 0},
                                      {NULL, 0},
                                      {"{\"a\": [1, 2]}", 13},
                                      {"[]", 2},
                                      {" 1 ", 3},
                                      {"null", 4},
                                      {"{", 1},
                                      {"[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]", 40},
                                      {"\xED\xA0\x80", 3},
                                      {"\xFF", 1},
                                      {"a\0b", 3}};

static agentchat_str any_of(fuzz_input *in, const agentchat_str *list, size_t count)
{
    uint8_t choice = fuzz_byte(in);

    if (choice == 255)
        return agentchat_str_null();
    return choice < 200 ? list[choice % count] : fuzz_text(in);
}

#define ANY(in, list) any_of(in, list, sizeof(list) / sizeof *(list))

/* Near the history, after it, not known, and where sums overflow. */
static size_t any_position(fuzz_input *in)
{
    uint8_t choice = fuzz_byte(in);

    if (choice < 80)
        return choice;
    return choice < 128 ? SIZE_MAX - (choice - 80u) : AGENTCHAT_SYNCED_UNKNOWN;
}

static size_t any_batch(world *w, const agentchat_message **batch)
{
    size_t count = fuzz_below(&w->in, BATCH + 1), first = fuzz_below(&w->in, POOL);

    for (size_t i = 0; i < count; i++) /* often neighbours in the history, too, so that states become runs */
        batch[i] = w->pool[(first + i) % POOL];
    return count;
}

static agentchat_messages *new_list(world *w, const agentchat_message *const *batch, size_t count)
{
    agentchat_messages *list = NULL;
    size_t until = w->memory.until_fails;

    w->memory.until_fails = SIZE_MAX;
    FUZZ_CHECK(agentchat_messages_new(w->memory.env, batch, count, &list, NULL) == AGENTCHAT_OK);
    w->memory.until_fails = until;
    return list;
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

static void replace(world *w, agentchat_snapshot_builder *builder, model_snapshot *m)
{
    const agentchat_message *batch[BATCH];
    size_t first = fuzz_below(&w->in, 80), count = fuzz_below(&w->in, 12), with = any_batch(w, batch);
    agentchat_messages *list;

    if (m->count + with > MODEL_HISTORY)
        return;
    list = with > 0 ? new_list(w, batch, with) : NULL;
    agentchat_snapshot_builder_replace(builder, first, count, list);
    model_snapshot_replace(m, first, count, batch, with);
    agentchat_messages_unref(list);
}

static void add_participant(world *w, agentchat_snapshot_builder *builder, model_snapshot *m)
{
    model_participant participant = {.extras = {.count = 0}};

    participant.id = ANY(&w->in, keys); /* one after the other: an initializer leaves the order open */
    participant.name = ANY(&w->in, texts);
    participant.type = ANY(&w->in, types);
    if (m->participant_count == MODEL_PARTICIPANTS)
        return;
    agentchat_snapshot_builder_add_participant(builder, participant.id, participant.name, participant.type);
    model_snapshot_add_participant(m, participant);
}

static void set_data(world *w, agentchat_snapshot_builder *builder, model_snapshot *m)
{
    agentchat_str key = ANY(&w->in, keys), type = ANY(&w->in, types), data = ANY(&w->in, texts), lent = data;
    agentchat_channel_kind kind = (agentchat_channel_kind)(1 + fuzz_below(&w->in, 9) / 4);
    size_t synced = any_position(&w->in);
    char *block = naive_lend(&lent);

    agentchat_snapshot_builder_set_channel(builder, key, type, kind, lent, synced);
    if (kind > AGENTCHAT_CHANNEL_BYTES)
        model_snapshot_fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
    (void)model_snapshot_set_channel(m, key, type, kind, data, synced);
    free(block);
}

static void set_messages(world *w, agentchat_snapshot_builder *builder, model_snapshot *m)
{
    agentchat_str key = ANY(&w->in, keys), type = ANY(&w->in, types), none = {NULL, 0};
    const agentchat_message *batch[BATCH];
    size_t synced = any_position(&w->in), count = any_batch(w, batch);
    agentchat_messages *list = new_list(w, batch, count);
    model_channel *channel;

    agentchat_snapshot_builder_set_channel_messages(builder, key, type, list, synced);
    channel = model_snapshot_set_channel(m, key, type, AGENTCHAT_CHANNEL_MESSAGES, none, synced);
    if (channel != NULL) {
        memcpy(channel->messages, batch, count * sizeof *batch);
        channel->message_count = count;
    }
    agentchat_messages_unref(list);
}

static void set_chat(world *w, agentchat_snapshot_builder *builder, model_snapshot *m)
{
    agentchat_str key = ANY(&w->in, keys), type = ANY(&w->in, types), none = {NULL, 0};
    size_t which = fuzz_below(&w->in, SNAPSHOTS), synced = any_position(&w->in);
    model_channel *channel;

    if (which >= w->count)
        return;
    agentchat_snapshot_builder_set_channel_chat(builder, key, type, w->made[which], synced);
    model_snapshot_nest(m, &w->models[which]);
    channel = model_snapshot_set_channel(m, key, type, AGENTCHAT_CHANNEL_CHAT, none, synced);
    if (channel != NULL) {
        channel->chat = w->made[which];
        channel->chat_levels = w->models[which].levels;
    }
}

static void set_pending(world *w, agentchat_snapshot_builder *builder, model_snapshot *m)
{
    agentchat_str key = ANY(&w->in, keys);
    size_t positions[6], count = fuzz_below(&w->in, 7), at = 0;

    for (size_t i = 0; i < count; i++) {
        at += fuzz_below(&w->in, 16);
        positions[i] = at == 90 ? SIZE_MAX - i : at;
    }
    agentchat_snapshot_builder_set_pending(builder, key, positions, count);
    model_snapshot_set_pending(m, key, positions, count);
}

static void set_value(world *w, agentchat_snapshot_builder *builder, model_snapshot *m)
{
    model_value value;
    agentchat_str lent;
    char *block;

    value.name = ANY(&w->in, keys);
    value.media_type = ANY(&w->in, types);
    value.value = ANY(&w->in, texts);
    lent = value.value;
    if (fuzz_below(&w->in, 3) > 0)
        value.media_type = (agentchat_str){NULL, 0};
    if (m->value_count == MODEL_VALUES)
        return;
    block = naive_lend(&lent);
    agentchat_snapshot_builder_set_value(builder, value.name, value.media_type, lent);
    model_snapshot_set_value(m, value);
    free(block);
}

/* Of the snapshot (to 0), a participant or a channel. */
static void change_extras(world *w, agentchat_snapshot_builder *builder, model_snapshot *m, uint32_t to)
{
    static const agentchat_str names[] = {{"x", 1},       {"", 0},         {"id", 2},      {"ChannelKey", 10},
                                          {"history", 7}, {"extras", 6},   {"Type", 4},    {NULL, 0},
                                          {"\xFF", 1},    {"channels", 8}, {"History", 7}, {"turn", 4},
                                          {"$type", 5},   {"y\"", 2},      {"values", 6}};
    static const agentchat_str origins[] = {{NULL, 0}, {"agentchat", 9}, {"semantic-kernel", 15}, {"later-format", 12}};
    agentchat_str owner = ANY(&w->in, keys), name = ANY(&w->in, names), value = ANY(&w->in, texts), lent = value;
    agentchat_str from = ANY(&w->in, origins);
    bool takes_away = fuzz_below(&w->in, 4) == 0;
    model_extras *extras = to == 0   ? model_snapshot_extras(m)
                           : to == 1 ? model_snapshot_participant_extras(m, owner)
                                     : model_snapshot_channel_extras(m, owner);
    char *block;

    if (extras != NULL && extras->count == MODEL_UNKNOWN)
        takes_away = true;
    if (takes_away && to == 0)
        agentchat_snapshot_builder_remove_extra(builder, name);
    else if (takes_away && to == 1)
        agentchat_snapshot_builder_remove_participant_extra(builder, owner, name);
    else if (takes_away)
        agentchat_snapshot_builder_remove_channel_extra(builder, owner, name);
    if (takes_away && extras != NULL)
        model_snapshot_remove_extra(m, extras, name);
    if (takes_away)
        return;
    block = naive_lend(&lent);
    if (to == 0)
        agentchat_snapshot_builder_add_extra(builder, name, lent, from);
    else if (to == 1)
        agentchat_snapshot_builder_add_participant_extra(builder, owner, name, lent, from);
    else
        agentchat_snapshot_builder_add_channel_extra(builder, owner, name, lent, from);
    free(block);
    if (extras != NULL)
        model_snapshot_add_extra(m, extras, (agentchat_extra){name, value, from});
}

/* One call on the builder; false: the snapshot is to be finished. */
static bool call(world *w, agentchat_snapshot_builder *builder, model_snapshot *m)
{
    agentchat_str key;
    const agentchat_message *message;
    uint8_t choice;

    if (w->in.size == 0 || m->channel_count == MODEL_CHANNELS)
        return false;
    choice = fuzz_byte(&w->in);
    if (choice >= 238) {
        change_extras(w, builder, m, choice % 3);
        return true;
    }
    switch (choice % 14) {
    case 0:
        return false;
    case 1:
    case 2:
    case 3:
        message = fuzz_below(&w->in, 32) == 31 ? NULL : w->pool[fuzz_below(&w->in, POOL)];
        if (m->count == MODEL_HISTORY)
            break;
        agentchat_snapshot_builder_add_message(builder, message);
        model_snapshot_add_message(m, message);
        break;
    case 4:
    case 5:
        replace(w, builder, m);
        break;
    case 6:
        add_participant(w, builder, m);
        break;
    case 7:
        set_data(w, builder, m);
        break;
    case 8:
        set_messages(w, builder, m);
        break;
    case 9:
        set_chat(w, builder, m);
        break;
    case 10:
        set_pending(w, builder, m);
        break;
    case 11:
        key = ANY(&w->in, keys);
        agentchat_snapshot_builder_remove_channel(builder, key);
        model_snapshot_remove_channel(m, key);
        break;
    case 12:
        set_value(w, builder, m);
        break;
    default:
        m->turn = fuzz_below(&w->in, 8);
        m->complete = fuzz_below(&w->in, 2) == 1;
        agentchat_snapshot_builder_set_progress(builder, m->turn, m->complete);
        break;
    }
    return true;
}

/* ---- snapshots ------------------------------------------------------------------------------------------------ */

static void through_formats(const agentchat_snapshot *snapshot, const model_snapshot *m)
{
    static const char *const formats[] = {"agentchat", "agentchat-encoded"};
    agentchat_bytes written;
    agentchat_snapshot *back;
    agentchat_error err;
    size_t losses;

    for (size_t i = 0; i < 2; i++) {
        written = fuzz_write(snapshot, formats[i], false, NULL);
        back = fuzz_read(fuzz_view(&written), formats[i], &err);
        FUZZ_CHECK(back != NULL);
        model_snapshot_check(m, back, false);
        agentchat_snapshot_unref(back);
        agentchat_bytes_clear(&written);
        fuzz_round_trip(snapshot, formats[i]);
    }
    for (int strict = 0; strict < 2; strict++) {
        written = fuzz_write(snapshot, "semantic-kernel", strict != 0, &losses);
        back = fuzz_read(fuzz_view(&written), "semantic-kernel", &err);
        FUZZ_CHECK(back != NULL);
        FUZZ_CHECK(fuzz_same_digest(snapshot, back, false));
        if (strict == 0 && losses == 0)
            FUZZ_CHECK(fuzz_same_digest(snapshot, back, true));
        agentchat_snapshot_unref(back);
        agentchat_bytes_clear(&written);
    }
}

static void build(world *w)
{
    model_snapshot *m = &w->models[w->count];
    size_t from = fuzz_below(&w->in, SNAPSHOTS), failures = w->memory.failures;
    agentchat_snapshot_builder *builder;
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status;
    agentchat_error err;

    if (from < w->count)
        *m = w->models[from];
    else
        memset(m, 0, sizeof *m);
    m->max_depth = MAX_DEPTH;
    status = agentchat_snapshot_builder_new(w->memory.env, from < w->count ? w->made[from] : NULL, &builder, &err);
    for (int i = 0; i < CALLS && call(w, builder, m); i++) /* one that could not be made takes what it is given too */
        ;
    model_snapshot_finish(m);
    if (status >= 0)
        status = agentchat_snapshot_builder_finish(builder, &snapshot, &err);
    FUZZ_CHECK((snapshot != NULL) == (status == AGENTCHAT_OK) && err.code == (int32_t)status);
    if (status == AGENTCHAT_E_NOMEM) {
        FUZZ_CHECK(w->memory.failures > failures);
        return;
    }
    FUZZ_CHECK(status == m->status || status == m->or_status);
    if (status == AGENTCHAT_OK)
        w->made[w->count++] = snapshot;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    world *w = calloc(1, sizeof *w);
    uint8_t fails;

    FUZZ_CHECK(w != NULL);
    w->in = (fuzz_input){data, size};
    fuzz_memory_begin(&w->memory, MAX_DEPTH);
    for (size_t i = 0; i < POOL; i++) {
        char text[8];

        (void)snprintf(text, sizeof text, "%zu", i);
        FUZZ_CHECK(agentchat_message_new_text(w->memory.env, "user", (agentchat_str){NULL, 0}, agentchat_str_from(text),
                                              &w->pool[i], NULL) == AGENTCHAT_OK);
    }
    fails = fuzz_byte(&w->in);
    if (fails >= 128)
        fuzz_memory_fail(&w->memory, fails - 128u, fuzz_below(&w->in, 2) == 1);
    for (size_t i = 0; i < SNAPSHOTS && w->count < SNAPSHOTS && w->in.size > 0; i++)
        build(w);
    fuzz_memory_calm(&w->memory);
    for (size_t i = 0; i < w->count; i++)
        model_snapshot_check(&w->models[i], w->made[i], true);
    for (size_t i = 0; i < w->count; i++)
        through_formats(w->made[i], &w->models[i]);
    for (size_t i = 0; i < w->count; i++)
        agentchat_snapshot_unref(w->made[i]);
    for (size_t i = 0; i < POOL; i++)
        agentchat_message_unref(w->pool[i]);
    fuzz_memory_end(&w->memory);
    free(w);
    return 0;
}
