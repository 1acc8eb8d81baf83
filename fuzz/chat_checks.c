/* SPDX-License-Identifier: Apache-2.0 */
/* What holds of a chat between operations, and of every snapshot of one. */
#include "chat_model.h"

#include <string.h>

/* ---- live chats ----------------------------------------------------------------------------------------------- */

static node *node_of(const world *w, const agentchat_chat *chat)
{
    for (node *n = w->nodes; n != NULL; n = n->next)
        if (n->chat == chat)
            return n;
    return NULL;
}

/* An operation gives the chat back, whatever became of it. */
static void check_free(agentchat_chat *chat)
{
    agentchat_str none = {NULL, 0};

    FUZZ_CHECK(agentchat_chat_set_value(chat, AGENTCHAT_STR("no such value"), none, none, NULL) == AGENTCHAT_OK);
}

static void check_node(world *w, const node *n, bool caught_up)
{
    numbers history = numbers_of(agentchat_chat_history(n->chat));
    size_t count = agentchat_chat_message_count(n->chat);

    check_free(n->chat);
    FUZZ_CHECK(count == history.count && agentchat_chat_newest(n->chat, count) == NULL);
    if (count > 0)
        FUZZ_CHECK(agentchat_chat_newest(n->chat, 0) ==
                   agentchat_messages_at(agentchat_chat_history(n->chat), count - 1));
    for (const instance *i = w->instances; i != NULL; i = i->next) {
        if (i->owner != n)
            continue;
        FUZZ_CHECK(numbers_begin_with(&history, &i->seen));
        FUZZ_CHECK(!caught_up || numbers_equal(&history, &i->seen));
        for (const instance *k = i->next; k != NULL; k = k->next) /* one channel for each key */
            FUZZ_CHECK(k->owner != n || strcmp(k->info->key, i->info->key) != 0);
    }
    for (size_t i = 0; i < agentchat_chat_agent_count(n->chat); i++) {
        agentchat_chat *chat = agentchat_chat_inner(n->chat, agentchat_chat_agent(n->chat, i));
        const node *inner = chat != NULL ? node_of(w, chat) : NULL;
        numbers known, shared;

        FUZZ_CHECK((chat != NULL) == (inner != NULL));
        if (chat == NULL)
            continue;
        /* The inner chat has said things that the outer one did not get, but has all it was given, in order. */
        known = numbers_of(agentchat_chat_history(chat));
        shared = numbers_within(&known, &history);
        FUZZ_CHECK(numbers_begin_with(&history, &shared));
        FUZZ_CHECK(!caught_up || numbers_equal(&history, &shared));
        check_node(w, inner, caught_up);
    }
}

static void check_values(const world *w)
{
    static const char *const names[VALUES] = {"first", "second", "third"};

    for (size_t i = 0; i < VALUES; i++) {
        agentchat_str media_type, text = agentchat_chat_value(w->top->chat, agentchat_str_from(names[i]), &media_type);
        char content[8];

        (void)snprintf(content, sizeof content, "%u", (unsigned)w->values[i].content);
        FUZZ_CHECK((text.ptr != NULL) == w->values[i].is_set);
        FUZZ_CHECK((media_type.ptr != NULL) == (w->values[i].is_set && w->values[i].is_bytes));
        if (w->values[i].is_set)
            FUZZ_CHECK(agentchat_str_equal(text, agentchat_str_from(content)));
    }
}

void check_world(world *w)
{
    numbers history = numbers_of(agentchat_chat_history(w->top->chat));

    FUZZ_CHECK(numbers_equal(&history, &w->history));
    FUZZ_CHECK(agentchat_chat_is_complete(w->top->chat) == w->complete);
    check_values(w);
    check_node(w, w->top, false);
}

/* ---- snapshots ------------------------------------------------------------------------------------------------ */

static numbers numbers_in_text(const world *w, agentchat_str text)
{
    numbers out = {.count = 0};
    unsigned number = 0;

    if (text.len > 0 && text.ptr[0] == 't') {
        for (size_t i = 1; i < text.len; i++)
            number = number * 10 + (unsigned)(text.ptr[i] - '0');
        FUZZ_CHECK(number < w->thread_count);
        return w->threads[number];
    }
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == ',')
            numbers_add(&out, (uint16_t)number);
        number = text.ptr[i] == ',' ? 0 : number * 10 + (unsigned)(text.ptr[i] - '0');
    }
    return out;
}

/* What the channel knows, as its state says it. */
static numbers known_by(world *w, const agentchat_channel_state *channel, const numbers *history)
{
    numbers known = {.count = 0};

    switch (agentchat_channel_state_kind(channel)) {
    case AGENTCHAT_CHANNEL_MESSAGES:
        return numbers_of(agentchat_channel_state_messages(channel));
    case AGENTCHAT_CHANNEL_CHAT:
        known = numbers_of(agentchat_snapshot_history(agentchat_channel_state_chat(channel)));
        check_snapshot(w, agentchat_channel_state_chat(channel), &known);
        return numbers_within(&known, history);
    case AGENTCHAT_CHANNEL_TEXT:
    case AGENTCHAT_CHANNEL_BYTES:
    case AGENTCHAT_CHANNEL_MAX_:
        break;
    }
    return numbers_in_text(w, agentchat_channel_state_data(channel));
}

/* What it knows, what is queued for it and what came later are the history, each message once and in order. */
static void check_channel(world *w, const agentchat_channel_state *channel, const numbers *history)
{
    size_t synced = agentchat_channel_state_synced(channel);
    numbers known = known_by(w, channel, history), all = *history;

    FUZZ_CHECK(synced <= history->count);
    for (size_t i = 0; i < agentchat_channel_state_pending_count(channel); i++) {
        size_t position = agentchat_channel_state_pending(channel, i);

        FUZZ_CHECK(position < synced);
        numbers_add(&known, history->list[position]);
    }
    for (size_t i = synced; i < history->count; i++)
        numbers_add(&known, history->list[i]);
    if (agentchat_str_equal(agentchat_channel_state_type(channel), AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_CHANNEL))) {
        known = numbers_heard(&known);
        all = numbers_heard(&all);
    }
    FUZZ_CHECK(numbers_equal(&known, &all));
}

void check_snapshot(world *w, const agentchat_snapshot *snapshot, const numbers *history)
{
    numbers found = numbers_of(agentchat_snapshot_history(snapshot));

    FUZZ_CHECK(numbers_equal(&found, history));
    for (size_t i = 0; i < agentchat_snapshot_channel_count(snapshot); i++)
        check_channel(w, agentchat_snapshot_channel(snapshot, i), history);
}

/* ---- all checks ----------------------------------------------------------------------------------------------- */

agentchat_bytes picture(world *w, agentchat_chat *chat)
{
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot = NULL;
    size_t until = w->memory.until_fails;
    bool calm = w->calm;

    w->calm = true;
    w->memory.until_fails = SIZE_MAX;
    options.no_delivery = true;
    FUZZ_CHECK(agentchat_chat_capture(chat, &options, &snapshot, NULL, NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(agentchat_snapshot_write_memory(snapshot, NULL, &bytes, NULL, NULL) == AGENTCHAT_OK);
    agentchat_snapshot_unref(snapshot);
    w->memory.until_fails = until;
    w->calm = calm;
    return bytes;
}

bool pictures_equal(const agentchat_bytes *a, const agentchat_bytes *b)
{
    return a->len == b->len && memcmp(a->ptr, b->ptr, a->len) == 0;
}

static size_t agents_of_key(agentchat_chat *chat, agentchat_str key)
{
    size_t count = 0;

    for (size_t i = 0; i < agentchat_chat_agent_count(chat); i++)
        count += agentchat_str_equal(agentchat_agent_channel_key(agentchat_chat_agent(chat, i)), key);
    return count;
}

static void check_views(agentchat_chat *chat, const numbers *history)
{
    for (size_t i = 0; i < agentchat_chat_agent_count(chat); i++) {
        const agentchat_messages *view = NULL;
        agentchat_status status = agentchat_chat_channel_history(chat, agentchat_chat_agent(chat, i), &view, NULL);
        numbers seen = numbers_of(view), heard = numbers_heard(history);

        FUZZ_CHECK(status == AGENTCHAT_OK || (status == AGENTCHAT_E_UNSUPPORTED && view == NULL));
        if (seen.count == 0) /* it has no channel yet, or shows nothing */
            continue;
        seen = numbers_within(&seen, history); /* an inner chat has more */
        seen = numbers_heard(&seen);
        FUZZ_CHECK(numbers_equal(&seen, &heard));
    }
}

void check_caught_up(world *w)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_chat *chat = w->top->chat;

    calm_down(w);
    FUZZ_CHECK(agentchat_chat_capture(chat, NULL, &snapshot, NULL, NULL) == AGENTCHAT_OK);
    check_snapshot(w, snapshot, &w->history);
    for (size_t i = 0; i < agentchat_snapshot_channel_count(snapshot); i++) {
        const agentchat_channel_state *channel = agentchat_snapshot_channel(snapshot, i);
        bool kept = i + agentchat_chat_kept_count(chat) >= agentchat_snapshot_channel_count(snapshot);

        if (kept)
            continue;
        FUZZ_CHECK(agents_of_key(chat, agentchat_channel_state_key(channel)) > 0);
        FUZZ_CHECK(agentchat_channel_state_pending_count(channel) == 0);
        FUZZ_CHECK(agentchat_channel_state_synced(channel) == w->history.count);
    }
    agentchat_snapshot_unref(snapshot);
    check_node(w, w->top, true);
    check_views(chat, &w->history);
}
