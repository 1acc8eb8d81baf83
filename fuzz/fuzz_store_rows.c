/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions over a hostile database: every call ends, with success or with a status that it may have, and nothing is
   leaked. */
#include "failing_memory.h"
#include "hostile_database.h"

#include <agentchat/session.h>
#include <string.h>

enum { CALLS = 24 };

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

static agentchat_status call(world *w, agentchat_error *err)
{
    agentchat_session *made = NULL;
    agentchat_session_list *list = NULL;
    agentchat_state *state = NULL;
    size_t parts = 200;
    agentchat_status status = AGENTCHAT_OK;

    switch (fuzz_below(&w->in, 13)) {
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
