/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions and threads over a hostile database: every call ends, with success or with a status that it may have, what
   it gives can be used, and nothing is leaked. */
#include "failing_memory.h"
#include "hostile_database.h"

#include <string.h>

enum { CALLS = 24, CALL_KINDS = 20, SESSION_CALLS = 13 };

typedef struct world {
    fuzz_input in;
    fuzz_memory memory;
    hostile_database database;
    agentchat_store *store;
    agentchat_session *session;
} world;

static bool may_be(agentchat_status status)
{
    return status >= 0 || status == AGENTCHAT_E_NOTFOUND || status == AGENTCHAT_E_EXISTS ||
           status == AGENTCHAT_E_CONFLICT || status == AGENTCHAT_E_CORRUPT || status == AGENTCHAT_E_IO ||
           status == AGENTCHAT_E_VERSION || status == AGENTCHAT_E_LIMIT || status == AGENTCHAT_E_INVALID ||
           status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_INTERNAL ||
           status == AGENTCHAT_E_BUSY; /* rows that come and go at every look */
}

static void look_at(const agentchat_session *session)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;

    for (size_t i = 0; i < agentchat_session_event_count(session); i++) {
        FUZZ_CHECK(agentchat_session_event(session, i) != NULL);
        (void)agentchat_event_change(agentchat_session_event(session, i), 0);
    }
    FUZZ_CHECK(agentchat_state_write(agentchat_session_state(session), &text, NULL) == AGENTCHAT_OK || session == NULL);
    agentchat_bytes_clear(&text);
}

static agentchat_status count_part(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    size_t *left = user;

    (void)err;
    FUZZ_CHECK(part.len > 0 && (problem.ptr == NULL || problem.len > 0));
    return --*left == 0 ? AGENTCHAT_DONE : AGENTCHAT_OK; /* a database may go on for ever */
}

static agentchat_status append(world *w, agentchat_error *err)
{
    agentchat_append_options options = AGENTCHAT_APPEND_OPTIONS_INIT;
    agentchat_event_builder *builder = NULL;
    agentchat_event *event = NULL;
    agentchat_status status = agentchat_event_builder_new(w->memory.env, AGENTCHAT_STR("user"), &builder, err);

    if (status < 0)
        return status;
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, AGENTCHAT_STR("e1"));
    agentchat_event_builder_set_state(builder, "topic", AGENTCHAT_STR("[1]"));
    agentchat_event_builder_add_state(builder, "user:count", 5);
    agentchat_event_builder_delete_state(builder, "app:x");
    status = agentchat_event_builder_finish(builder, &event, err);
    options.has_expect_sequence = fuzz_below(&w->in, 4) == 0;
    options.expect_sequence = 1;
    if (fuzz_below(&w->in, 4) == 0)
        options.expect_key = "topic";
    if (status >= 0)
        status = agentchat_session_append(w->session, event, &options, NULL, err);
    agentchat_event_unref(event);
    return status;
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

static agentchat_status answer_nothing(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                       agentchat_error *err)
{
    (void)user;
    (void)seen;
    (void)out;
    (void)err;
    return AGENTCHAT_OK;
}

/* What came out of the store is a chat like any other: it is written, read again, and restored. */
static void look_at_chat(const agentchat_snapshot *snapshot)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *back = NULL;
    agentchat_chat *chat = NULL;
    char digest[AGENTCHAT_DIGEST_LEN + 1], again[AGENTCHAT_DIGEST_LEN + 1];

    FUZZ_CHECK(agentchat_snapshot_write_memory(snapshot, NULL, &text, NULL, NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(agentchat_snapshot_read_memory(NULL, (agentchat_str){text.ptr, text.len}, NULL, &back, NULL, NULL) ==
               AGENTCHAT_OK);
    FUZZ_CHECK(agentchat_snapshot_digest(snapshot, true, digest, NULL) == AGENTCHAT_OK &&
               agentchat_snapshot_digest(back, true, again, NULL) == AGENTCHAT_OK && strcmp(digest, again) == 0);
    FUZZ_CHECK(agentchat_chat_new(NULL, &chat, NULL) == AGENTCHAT_OK &&
               agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("A"), answer_nothing, NULL, NULL) == AGENTCHAT_OK);
    if (agentchat_chat_restore(chat, snapshot, NULL, NULL, NULL) >= 0)
        FUZZ_CHECK(agentchat_chat_invoke(chat, AGENTCHAT_STR("A"), NULL) != AGENTCHAT_E_INTERNAL);
    agentchat_chat_free(chat);
    agentchat_snapshot_unref(back);
    agentchat_bytes_clear(&text);
}

/* A chat with a channel that is shown its history, a value that is a list, and a queue. */
static agentchat_status make_chat(world *w, agentchat_snapshot **out, agentchat_error *err)
{
    static const char *const texts[] = {"1", "2", "3"};
    const size_t pending = 0;
    agentchat_snapshot_builder *builder = NULL;
    agentchat_messages *history = NULL;
    const agentchat_message *messages[4] = {NULL};
    size_t count = fuzz_below(&w->in, 4);
    agentchat_status status = agentchat_snapshot_builder_new(w->memory.env, NULL, &builder, err);

    for (size_t i = 0; i < count && status >= 0; i++) {
        agentchat_message *message = NULL;

        status = agentchat_message_new_text(w->memory.env, "user", (agentchat_str){NULL, 0},
                                            agentchat_str_from(texts[fuzz_below(&w->in, 3)]), &message, err);
        messages[i] = message;
        if (message != NULL)
            agentchat_snapshot_builder_add_message(builder, message);
    }
    if (status >= 0)
        status = agentchat_messages_new(w->memory.env, messages, count, &history, err);
    agentchat_snapshot_builder_set_channel_messages(builder, AGENTCHAT_STR("l"), AGENTCHAT_STR("C"), history,
                                                    AGENTCHAT_SYNCED_UNKNOWN);
    if (count > 0)
        agentchat_snapshot_builder_set_pending(builder, AGENTCHAT_STR("l"), &pending, 1);
    agentchat_snapshot_builder_set_value(builder, AGENTCHAT_STR("v"), (agentchat_str){NULL, 0},
                                         AGENTCHAT_STR("[1, 2]"));
    if (builder != NULL) {
        agentchat_status made = agentchat_snapshot_builder_finish(builder, out, status >= 0 ? err : NULL);

        status = status >= 0 ? made : status;
    }
    for (size_t i = 0; i < count; i++)
        agentchat_message_unref(messages[i]);
    agentchat_messages_unref(history);
    return status;
}

static agentchat_status put(world *w, agentchat_error *err)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = NULL;
    char id[AGENTCHAT_ID_SIZE] = "before";
    uint8_t choice = fuzz_byte(&w->in);
    agentchat_status status;

    options.id = (choice & 1) != 0 ? "c1" : NULL;
    options.parent = (choice & 2) != 0 ? "c1" : NULL;
    options.branch = (choice & 4) != 0;
    options.replace = (choice & 8) != 0;
    options.expect = (choice & 16) != 0 ? "c1" : NULL;
    options.no_parent = (choice & 34) == 32;
    status = make_chat(w, &chat, err);
    if (status >= 0) {
        status = agentchat_checkpoint_put(w->store, "t1", chat, &options, id, err);
        FUZZ_CHECK((status < 0) == (id[0] == '\0'));
    }
    agentchat_snapshot_unref(chat);
    return status;
}

static agentchat_status get(world *w, agentchat_error *err)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;
    agentchat_status status;

    options.id = fuzz_below(&w->in, 2) == 0 ? NULL : "c1";
    status = agentchat_checkpoint_get(w->store, "t1", &options, &checkpoint, err);
    FUZZ_CHECK((status < 0) == (checkpoint == NULL));
    fuzz_memory_calm(&w->memory);
    if (status >= 0)
        look_at_chat(agentchat_checkpoint_snapshot(checkpoint));
    agentchat_checkpoint_free(checkpoint);
    return status;
}

/* A live chat that remembers what it was restored from, and goes on. */
static agentchat_status live(world *w, agentchat_error *err)
{
    agentchat_chat *chat = NULL;
    agentchat_status status = agentchat_chat_new(w->memory.env, &chat, err);

    if (status >= 0)
        status = agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("A"), answer_nothing, NULL, err);
    if (status >= 0)
        status = agentchat_thread_restore(w->store, "t1", chat, NULL, NULL, err);
    if (status >= 0) {
        FUZZ_CHECK(strlen(agentchat_thread_remembered(chat)) < AGENTCHAT_ID_SIZE);
        status = agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("1"), err);
    }
    if (status >= 0)
        status = agentchat_thread_save(w->store, "t1", chat, NULL, NULL, err);
    if (status >= 0)
        status = agentchat_thread_catch_up(w->store, chat, NULL, NULL, err);
    agentchat_chat_free(chat);
    return status;
}

static agentchat_status tail(world *w, agentchat_error *err)
{
    size_t count = fuzz_below(&w->in, 4);
    agentchat_messages *messages = NULL;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_status status = agentchat_thread_tail(w->store, "t1", count, NULL, &messages, err);

    fuzz_memory_calm(&w->memory);
    FUZZ_CHECK((status < 0) == (messages == NULL));
    if (status >= 0)
        FUZZ_CHECK(agentchat_messages_count(messages) <= count &&
                   agentchat_messages_write(messages, &text, NULL) == AGENTCHAT_OK);
    agentchat_messages_unref(messages);
    agentchat_bytes_clear(&text);
    return status;
}

static agentchat_status list_checkpoints(world *w, agentchat_error *err)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL;
    uint8_t choice = fuzz_byte(&w->in);
    agentchat_status status;

    options.limit = 2;
    options.before = (choice & 1) != 0 ? "c1" : NULL;
    options.run = (choice & 2) != 0 ? "c2" : NULL;
    options.filter = (choice & 4) != 0 ? AGENTCHAT_STR("{\"a\":1}") : (agentchat_str){NULL, 0};
    options.all_namespaces = (choice & 8) != 0;
    status = agentchat_checkpoint_list_read(w->store, "t1", &options, &list, err);
    FUZZ_CHECK((status < 0) == (list == NULL) && agentchat_checkpoint_list_count(list) <= 2);
    for (size_t i = 0; i < agentchat_checkpoint_list_count(list); i++)
        FUZZ_CHECK(strlen(agentchat_checkpoint_list_at(list, i)->id) < AGENTCHAT_ID_SIZE);
    agentchat_checkpoint_list_free(list);
    return status;
}

static agentchat_status list_threads(world *w, agentchat_error *err)
{
    agentchat_thread_list_options options = AGENTCHAT_THREAD_LIST_OPTIONS_INIT;
    agentchat_thread_list *list = NULL;
    agentchat_status status;

    options.limit = 2;
    status = agentchat_thread_list_read(w->store, &options, &list, err);
    FUZZ_CHECK((status < 0) == (list == NULL) && agentchat_thread_list_count(list) <= 2);
    for (size_t i = 0; i < agentchat_thread_list_count(list); i++)
        FUZZ_CHECK(agentchat_thread_list_at(list, i)->id != NULL);
    agentchat_thread_list_free(list);
    return status;
}

static agentchat_status search(world *w, agentchat_error *err)
{
    agentchat_thread_search_options options = AGENTCHAT_THREAD_SEARCH_OPTIONS_INIT;
    uint32_t choice = fuzz_below(&w->in, 4);
    agentchat_thread_hits *hits = NULL;
    agentchat_status status;

    options.limit = 2;
    options.ns = (choice & 1) != 0 ? "" : NULL;
    status =
        agentchat_thread_search(w->store, (choice & 2) != 0 ? "t1" : NULL, AGENTCHAT_STR("1"), &options, &hits, err);
    FUZZ_CHECK((status < 0) == (hits == NULL) && agentchat_thread_hits_count(hits) <= 2);
    for (size_t i = 0; i < agentchat_thread_hits_count(hits); i++)
        FUZZ_CHECK(agentchat_thread_hits_at(hits, i)->message != NULL &&
                   agentchat_thread_hits_at(hits, i)->match_end <= agentchat_thread_hits_at(hits, i)->excerpt.len);
    agentchat_thread_hits_free(hits);
    return status;
}

static agentchat_status pending_writes(world *w, agentchat_error *err)
{
    static const agentchat_pending_write write = {
        "", "task", "channel", 0, {NULL, 0}, {"[1]", 3}, NULL,
    };
    agentchat_checkpoint_options which = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_pending_list *list = NULL;
    agentchat_status status;

    which.id = "c1";
    if (fuzz_below(&w->in, 2) == 0)
        return agentchat_checkpoint_put_writes(w->store, "t1", &which, &write, 1, err);
    status = agentchat_checkpoint_pending(w->store, "t1", NULL, &list, err);
    FUZZ_CHECK((status < 0) == (list == NULL));
    for (size_t i = 0; i < agentchat_pending_list_count(list); i++)
        FUZZ_CHECK(strlen(agentchat_pending_list_at(list, i)->task) < AGENTCHAT_ID_SIZE);
    agentchat_pending_list_free(list);
    return status;
}

static agentchat_status take_away(world *w, agentchat_error *err)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    uint64_t removed = UINT64_MAX;
    agentchat_status status;

    switch (fuzz_below(&w->in, 4)) {
    case 0:
        return agentchat_thread_delete(w->store, "t1", err);
    case 1:
        return agentchat_thread_copy(w->store, "t1", "t2", err);
    case 2:
        status = agentchat_thread_delete_run(w->store, "t1", "c2", &removed, err);
        break;
    default:
        options.keep = fuzz_below(&w->in, 3);
        options.before_us = 10;
        options.branches = fuzz_below(&w->in, 2) != 0;
        status = agentchat_thread_prune(w->store, "t1", &options, &removed, err);
        break;
    }
    FUZZ_CHECK(removed != UINT64_MAX); /* what was removed before a failure counts */
    return status;
}

static agentchat_status call_thread(world *w, uint32_t which, agentchat_error *err)
{
    switch (which) {
    case 0:
        return put(w, err);
    case 1:
        return fuzz_below(&w->in, 4) == 3 ? live(w, err) : get(w, err);
    case 2:
        return tail(w, err);
    case 3:
        return list_checkpoints(w, err);
    case 4:
        return fuzz_below(&w->in, 2) == 0 ? list_threads(w, err) : search(w, err);
    case 5:
        return take_away(w, err);
    default:
        return pending_writes(w, err);
    }
}

/* ---- sessions --------------------------------------------------------------------------------------------------- */

static agentchat_status call_session(world *w, uint32_t which, agentchat_error *err)
{
    agentchat_session *made = NULL;
    agentchat_session_list *list = NULL;
    agentchat_state *state = NULL;
    size_t parts = 200;
    agentchat_status status = AGENTCHAT_OK;

    switch (which) {
    case 0:
        status = agentchat_session_create(w->store, &(agentchat_session_id){"a", "u", "s1"}, NULL, &made, err);
        break;
    case 1:
    case 2:
        status = agentchat_session_get(w->store, &(agentchat_session_id){"a", "u", "s1"}, NULL, &made, err);
        break;
    case 3:
        status = append(w, err);
        break;
    case 4:
        status = agentchat_session_set(w->session, "topic", AGENTCHAT_STR("2"), err);
        break;
    case 5:
        status = agentchat_session_add(w->session, "count", 1, NULL, err);
        break;
    case 6:
        status = agentchat_session_refresh(w->session, err);
        break;
    case 7:
        status = agentchat_session_rewind(w->session, fuzz_below(&w->in, 2) == 0 ? "e1" : NULL, NULL, err);
        break;
    case 8:
        status = agentchat_session_list_read(
            w->store, "a",
            &(agentchat_session_list_options){.struct_size = sizeof(agentchat_session_list_options), .limit = 2}, &list,
            err);
        FUZZ_CHECK(agentchat_session_list_count(list) <= 2);
        break;
    case 9:
        status = agentchat_store_check(w->store, count_part, &parts, err);
        break;
    case 10:
        status = agentchat_scope_state(w->store, "a", "u", &state, err);
        break;
    case 11:
        status = agentchat_session_copy(w->store, &(agentchat_session_id){"a", "u", "s1"}, "s2", NULL, err);
        break;
    default:
        status = agentchat_user_delete(w->store, "a", "u", NULL, err);
        break;
    }
    agentchat_session_list_free(list);
    agentchat_state_free(state);
    if (made != NULL) {
        agentchat_session_free(w->session);
        w->session = made;
    }
    return status;
}

static agentchat_status call(world *w, agentchat_error *err)
{
    uint32_t which = fuzz_below(&w->in, CALL_KINDS);

    return which < SESSION_CALLS ? call_session(w, which, err) : call_thread(w, which - SESSION_CALLS, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    world w;

    memset(&w, 0, sizeof w);
    w.in = (fuzz_input){data, size};
    fuzz_memory_begin(&w.memory, 0);
    w.database.in = &w.in;
    FUZZ_CHECK(hostile_database_store(&w.database, w.memory.env, &w.store, NULL) == AGENTCHAT_OK);
    for (int i = 0; i < CALLS && w.in.size > 0; i++) {
        agentchat_error err;
        agentchat_status status;

        if (fuzz_byte(&w.in) >= 192)
            fuzz_memory_fail(&w.memory, fuzz_byte(&w.in), fuzz_below(&w.in, 2) == 0);
        agentchat_error_clear(&err);
        status = call(&w, &err);
        fuzz_memory_calm(&w.memory);
        FUZZ_CHECK(may_be(status) && (status < 0) == (err.code < 0));
        look_at(w.session);
    }
    agentchat_session_free(w.session);
    agentchat_store_close(w.store);
    FUZZ_CHECK(w.database.open == 0);
    fuzz_memory_end(&w.memory);
    return 0;
}
