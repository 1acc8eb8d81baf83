/* SPDX-License-Identifier: Apache-2.0 */
/* Saving a chat, taking it through a format, and bringing it back into another one. */
#include "chat_model.h"

#include "documents.h"
#include <string.h>

/* ---- saving --------------------------------------------------------------------------------------------------- */

static void drop_saved(world *w)
{
    agentchat_snapshot_unref(w->saved.snapshot);
    w->saved.snapshot = NULL;
}

static agentchat_snapshot *through_format(world *w, const agentchat_snapshot *snapshot, const char *format)
{
    size_t losses;
    agentchat_bytes bytes = fuzz_write(snapshot, format, false, &losses);
    agentchat_error err;
    agentchat_snapshot *back = fuzz_read(fuzz_view(&bytes), NULL, &err);

    FUZZ_CHECK(back != NULL && strcmp(agentchat_snapshot_format(back), format) == 0);
    FUZZ_CHECK(losses == 0 || strcmp(format, "semantic-kernel") == 0);
    if (losses == 0)
        FUZZ_CHECK(fuzz_same_digest(snapshot, back, true));
    FUZZ_CHECK(fuzz_same_digest(snapshot, back, false));
    check_snapshot(w, back, &w->history); /* positions too */
    agentchat_bytes_clear(&bytes);
    return back;
}

/* .NET's own format keeps the history, if nothing else. */
static void through_strict(const agentchat_snapshot *snapshot)
{
    size_t losses;
    agentchat_bytes bytes = fuzz_write(snapshot, "semantic-kernel", true, &losses);
    agentchat_error err;
    agentchat_snapshot *back = fuzz_read(fuzz_view(&bytes), "semantic-kernel", &err);

    FUZZ_CHECK(back != NULL);
    FUZZ_CHECK(fuzz_same_digest(snapshot, back, false));
    if (losses == 0)
        FUZZ_CHECK(fuzz_same_digest(snapshot, back, true));
    agentchat_snapshot_unref(back);
    agentchat_bytes_clear(&bytes);
}

static void check_participants(const world *w, const agentchat_snapshot *snapshot)
{
    size_t agents = agentchat_chat_agent_count(w->top->chat);

    FUZZ_CHECK(agentchat_snapshot_participant_count(snapshot) >= agents);
    for (size_t i = 0; i < agents; i++) {
        const agentchat_participant *participant = agentchat_snapshot_participant(snapshot, i);
        const agentchat_agent *agent = agentchat_chat_agent(w->top->chat, i);

        FUZZ_CHECK(agentchat_str_equal(agentchat_participant_id(participant), agentchat_agent_id(agent)));
        FUZZ_CHECK(agentchat_str_equal(agentchat_participant_name(participant), agentchat_agent_name(agent)));
        FUZZ_CHECK(agentchat_str_equal(agentchat_participant_type(participant), agentchat_agent_type(agent)));
    }
}

/* A participant that is no agent of the chat stays on its list. */
static void check_missing_stay(const agentchat_snapshot *before, const agentchat_snapshot *after)
{
    for (size_t i = 0; i < agentchat_snapshot_participant_count(before); i++) {
        const agentchat_participant *missing = agentchat_snapshot_participant(before, i);
        bool found = false;

        for (size_t k = 0; k < agentchat_snapshot_participant_count(after); k++)
            found = found || agentchat_str_equal(agentchat_participant_name(missing),
                                                 agentchat_participant_name(agentchat_snapshot_participant(after, k)));
        FUZZ_CHECK(found);
    }
}

static void keep(world *w, agentchat_snapshot *snapshot)
{
    size_t agents = agentchat_chat_agent_count(w->top->chat);

    drop_saved(w);
    w->saved.snapshot = snapshot;
    w->saved.history = w->history;
    memcpy(w->saved.threads, w->threads, sizeof w->threads);
    memcpy(w->saved.values, w->values, sizeof w->values);
    w->saved.turn = w->turn < agents ? w->turn : 0;
    w->saved.complete = w->complete;
    FUZZ_CHECK(agentchat_snapshot_next_turn(snapshot) == w->saved.turn);
    FUZZ_CHECK(agentchat_snapshot_is_complete(snapshot) == w->complete);
}

void save(world *w)
{
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_snapshot *snapshot = NULL, *back;
    uint32_t choice = fuzz_below(&w->in, 32);
    agentchat_status status;
    agentchat_error err;

    options.no_delivery = (choice & 1) != 0;
    options.all_channels = (choice & 2) != 0;
    status = agentchat_chat_capture(w->top->chat, &options, &snapshot, &report, &err);
    FUZZ_CHECK((snapshot != NULL) == (status == AGENTCHAT_OK) && (report != NULL || status < 0));
    FUZZ_CHECK(err.code == (int32_t)status);
    agentchat_report_free(report);
    if (status < 0) {
        FUZZ_CHECK(disturbed(w) && (status == AGENTCHAT_E_CALLBACK || status == AGENTCHAT_E_NOMEM));
        return;
    }
    fuzz_memory_calm(&w->memory);
    check_participants(w, snapshot);
    check_snapshot(w, snapshot, &w->history);
    switch (choice >> 2) {
    case 0:
    case 1:
        back = through_format(w, snapshot, "agentchat");
        break;
    case 2:
        back = through_format(w, snapshot, "agentchat-encoded");
        break;
    case 3:
        back = through_format(w, snapshot, "semantic-kernel");
        break;
    case 4:
        through_strict(snapshot);
        back = agentchat_snapshot_ref(snapshot);
        break;
    default:
        back = agentchat_snapshot_ref(snapshot);
        break;
    }
    agentchat_snapshot_unref(snapshot);
    keep(w, back);
}

/* ---- what a restore must do ----------------------------------------------------------------------------------- */

static bool is_thread(agentchat_str type)
{
    return agentchat_str_equal(type, AGENTCHAT_STR("fuzz.Thread"));
}

/* The type of an agent's channel, which follows from that of the agent. */
static agentchat_str channel_type_of(const agentchat_agent *agent)
{
    agentchat_str type = agentchat_agent_type(agent);

    if (agentchat_str_equal(type, AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_AGENT)))
        return AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_CHANNEL);
    if (agentchat_str_equal(type, AGENTCHAT_STR(AGENTCHAT_TYPE_AGGREGATOR)))
        return AGENTCHAT_STR(AGENTCHAT_TYPE_AGGREGATOR_CHANNEL);
    return agentchat_str_equal(type, AGENTCHAT_STR("fuzz.ThreadAgent")) ? AGENTCHAT_STR("fuzz.Thread") : type;
}

/* The agent that gets stored channel `index` by key; SIZE_MAX: none. */
static size_t agent_by_key(agentchat_chat *chat, const agentchat_snapshot *snapshot, size_t index)
{
    agentchat_str key = agentchat_channel_state_key(agentchat_snapshot_channel(snapshot, index));

    for (size_t i = 0; i < agentchat_chat_agent_count(chat); i++)
        if (agentchat_str_equal(agentchat_agent_channel_key(agentchat_chat_agent(chat, i)), key))
            return i;
    return SIZE_MAX;
}

static bool has_stored_key(const agentchat_snapshot *snapshot, const agentchat_agent *agent)
{
    for (size_t i = 0; i < agentchat_snapshot_channel_count(snapshot); i++)
        if (agentchat_str_equal(agentchat_channel_state_key(agentchat_snapshot_channel(snapshot, i)),
                                agentchat_agent_channel_key(agent)))
            return true;
    return false;
}

/* Keys of agents of a channel type that no stored channel has. */
static size_t keys_left(agentchat_chat *chat, const agentchat_snapshot *snapshot, agentchat_str type)
{
    size_t left = 0;

    for (size_t i = 0; i < agentchat_chat_agent_count(chat); i++) {
        const agentchat_agent *agent = agentchat_chat_agent(chat, i);
        bool first = true;

        for (size_t k = 0; k < i; k++)
            if (agentchat_str_equal(agentchat_agent_channel_key(agentchat_chat_agent(chat, k)),
                                    agentchat_agent_channel_key(agent)))
                first = false;
        left += first && !has_stored_key(snapshot, agent) && agentchat_str_equal(channel_type_of(agent), type);
    }
    return left;
}

static size_t channels_left(agentchat_chat *chat, const agentchat_snapshot *snapshot, agentchat_str type)
{
    size_t left = 0;

    for (size_t i = 0; i < agentchat_snapshot_channel_count(snapshot); i++)
        left += agent_by_key(chat, snapshot, i) == SIZE_MAX &&
                agentchat_str_equal(agentchat_channel_state_type(agentchat_snapshot_channel(snapshot, i)), type);
    return left;
}

static void check_report(world *w, agentchat_chat *chat, const agentchat_report *report, bool by_type)
{
    const agentchat_snapshot *snapshot = w->saved.snapshot;
    size_t restored = 0, kept = 0;

    for (size_t i = 0; i < agentchat_snapshot_channel_count(snapshot); i++) {
        agentchat_str type = agentchat_channel_state_type(agentchat_snapshot_channel(snapshot, i));
        bool matched = agent_by_key(chat, snapshot, i) != SIZE_MAX ||
                       (by_type && keys_left(chat, snapshot, type) == 1 && channels_left(chat, snapshot, type) == 1);

        kept += !matched;
        restored += matched && !(is_thread(type) && w->recreates && !w->calm);
    }
    FUZZ_CHECK(agentchat_chat_kept_count(chat) == kept);
    FUZZ_CHECK(agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_KEPT) >= kept); /* inner ones too */
    FUZZ_CHECK(agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_RESTORED) >= restored);
    for (size_t i = 0; i < kept; i++)
        FUZZ_CHECK(agentchat_chat_kept(chat, i) != NULL);
    FUZZ_CHECK(agentchat_chat_kept(chat, kept) == NULL);
}

/* The agent whose turn it is: the same one if it is here, else the one at the same position. */
static size_t turn_after(agentchat_chat *chat, const saved *s)
{
    const agentchat_participant *next = agentchat_snapshot_participant(s->snapshot, s->turn);
    size_t agents = agentchat_chat_agent_count(chat);

    for (int rule = 0; rule < 2 && next != NULL; rule++)
        for (size_t i = 0; i < agents; i++) {
            const agentchat_agent *agent = agentchat_chat_agent(chat, i);

            if (rule == 0 ? agentchat_str_equal(agentchat_agent_id(agent), agentchat_participant_id(next))
                          : agentchat_str_equal(agentchat_agent_name(agent), agentchat_participant_name(next)))
                return i;
        }
    return s->turn < agents ? s->turn : 0;
}

/* Two agents are named A: which participant is which depends on more than this model knows. */
static bool has_both_named_a(agentchat_chat *chat, const agentchat_snapshot *snapshot)
{
    for (size_t i = 0; i < agentchat_chat_agent_count(chat); i++)
        if (agentchat_str_equal(agentchat_agent_id(agentchat_chat_agent(chat, i)), AGENTCHAT_STR("id-a-2")))
            return true;
    for (size_t i = 0; i < agentchat_snapshot_participant_count(snapshot); i++)
        if (agentchat_str_equal(agentchat_participant_id(agentchat_snapshot_participant(snapshot, i)),
                                AGENTCHAT_STR("id-a-2")))
            return true;
    return false;
}

/* The model of a chat that a snapshot has come into. */
static void take_over(world *w, agentchat_chat *chat)
{
    const saved *s = &w->saved;
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    agentchat_snapshot *after = NULL;

    w->history = s->history;
    w->complete = s->complete;
    for (size_t i = 0; i < VALUES; i++) /* those that the snapshot lacks stay */
        if (s->values[i].is_set)
            w->values[i] = s->values[i];
    calm_down(w);
    w->calm = true;
    options.no_delivery = true;
    FUZZ_CHECK(agentchat_chat_capture(chat, &options, &after, NULL, NULL) == AGENTCHAT_OK);
    w->calm = false;
    w->turn = agentchat_snapshot_next_turn(after);
    if (!has_both_named_a(chat, s->snapshot))
        FUZZ_CHECK(w->turn == turn_after(chat, s));
    check_snapshot(w, after, &w->history);
    check_missing_stay(s->snapshot, after);
    agentchat_snapshot_unref(after);
}

static agentchat_status restore(world *w, agentchat_chat *chat)
{
    agentchat_restore_options options = AGENTCHAT_RESTORE_OPTIONS_INIT;
    agentchat_bytes before = picture(w, chat), after;
    agentchat_report *report = NULL;
    agentchat_status status;
    agentchat_error err;
    numbers now[THREADS];

    memcpy(now, w->threads, sizeof now);
    memcpy(w->threads, w->saved.threads, sizeof w->threads); /* the service is where it was, too */
    options.no_type_match = fuzz_below(&w->in, 4) == 0;
    status = agentchat_chat_restore(chat, w->saved.snapshot, &options, &report, &err);
    FUZZ_CHECK(err.code == (int32_t)status && (report != NULL || status < 0));
    if (status < 0) {
        memcpy(w->threads, now, sizeof w->threads);
        after = picture(w, chat);
        FUZZ_CHECK(pictures_equal(&before, &after));
        agentchat_bytes_clear(&after);
    } else {
        check_report(w, chat, report, !options.no_type_match);
    }
    agentchat_bytes_clear(&before);
    agentchat_report_free(report);
    return status;
}

/* ---- restoring ------------------------------------------------------------------------------------------------ */

static void join_some(world *w, node *n)
{
    uint32_t which = fuzz_below(&w->in, 1 << 16);

    for (size_t i = 0; i < SEATS; i++)
        if ((which >> i & 1) != 0)
            FUZZ_CHECK(agent_join(n, &outer_seats[i], NULL) == AGENTCHAT_OK);
}

static bool is_refusal(const world *w, agentchat_status status, agentchat_status expected)
{
    return status == expected || (status == AGENTCHAT_E_NOMEM && out_of_memory(w));
}

void restore_fresh(world *w)
{
    size_t until = w->memory.until_fails;
    agentchat_status status;
    node *fresh;

    if (w->saved.snapshot == NULL)
        return;
    w->memory.until_fails = SIZE_MAX;
    fresh = node_new(w, NULL, NULL);
    join_some(w, fresh);
    w->memory.until_fails = until;
    status = restore(w, fresh->chat);
    if (agentchat_chat_agent_count(fresh->chat) == 0) {
        FUZZ_CHECK(is_refusal(w, status, AGENTCHAT_E_NO_AGENTS));
        node_free(fresh);
        return;
    }
    if (status < 0) { /* and again, with nothing in the way */
        FUZZ_CHECK(disturbed(w) && (status == AGENTCHAT_E_CALLBACK || status == AGENTCHAT_E_NOMEM));
        calm_down(w);
        FUZZ_CHECK(restore(w, fresh->chat) == AGENTCHAT_OK);
    }
    memset(w->values, 0, sizeof w->values);
    take_over(w, fresh->chat);
    node_free(w->top);
    w->top = fresh;
}

/* Into the chat as it stands: refused unless it is as good as new. */
void restore_here(world *w)
{
    agentchat_chat *chat = w->top->chat;
    bool used = w->history.count > 0 || agentchat_chat_kept_count(chat) > 0;
    agentchat_status status;

    if (w->saved.snapshot == NULL)
        return;
    status = restore(w, chat);
    if (agentchat_chat_agent_count(chat) == 0)
        FUZZ_CHECK(is_refusal(w, status, AGENTCHAT_E_NO_AGENTS));
    else if (used)
        FUZZ_CHECK(is_refusal(w, status, AGENTCHAT_E_IN_USE));
    else if (status < 0)
        FUZZ_CHECK(status == AGENTCHAT_E_IN_USE || disturbed(w));
    if (status >= 0)
        take_over(w, chat);
}
