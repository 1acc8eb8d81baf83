/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/session.h: making, getting, looking at and changing a session. What is done by name, lists, and
   exchange are in sweep_session_names.c. */
#include "sweep_fixture.h"

#include <agentchat/session_json.h>
#include <jansson.h>

/* ---- making and getting ----------------------------------------------------------------------------------------- */

static agentchat_status session_create(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_session *made = (agentchat_session *)(uintptr_t)1;
    agentchat_state *initial = NULL;
    agentchat_error again;
    agentchat_status status;
    char text[1024];
    fixture p;

    fixture_begin(&p, env, variant % 2, false);
    test_ok(agentchat_state_read(env, AGENTCHAT_STR("{\"app:a\":5,\"user:new\":6,\"own\":7,\"temp:t\":8}"), &initial,
                                 &again),
            &again);
    sweep_begin();
    status = agentchat_session_create(p.store, &(agentchat_session_id){"a", "u", variant < 2 ? "made" : NULL}, initial,
                                      &made, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_null(made);
        fixture_expect_unchanged(&p);
        test_ok(agentchat_session_create(p.store, &(agentchat_session_id){"a", "u", "made"}, initial, &made, &again),
                &again);
    }
    fixture_stored(&p, agentchat_session_get_id(made)->id, text);
    assert_string_equal(text, "0 app:a=5 app:n=2 own=7 user:b=[2] user:new=6");
    agentchat_state_free(initial);
    agentchat_session_free(made);
    fixture_end(&p);
    return status;
}

static agentchat_status session_get(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_session_get_options options = AGENTCHAT_SESSION_GET_OPTIONS_INIT;
    agentchat_session *found = (agentchat_session *)(uintptr_t)1;
    agentchat_error again;
    agentchat_status status;
    char text[1024];
    fixture p;

    fixture_begin(&p, env, variant % 2, false);
    if (variant >= 2) {
        options.last = 2;
        options.has_since = true;
    }
    sweep_begin();
    status = agentchat_session_get(p.store, &(agentchat_session_id){"a", "u", "s"}, &options, &found, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_null(found);
        test_ok(agentchat_session_get(p.store, &(agentchat_session_id){"a", "u", "s"}, &options, &found, &again),
                &again);
    }
    fixture_text(found, text);
    assert_string_equal(text, p.stored);
    agentchat_session_free(found);
    fixture_end(&p);
    return status;
}

static agentchat_status session_refresh(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    fixture p;

    fixture_begin(&p, env, variant % 2, variant < 2);
    sweep_begin();
    status = agentchat_session_refresh(p.session, err);
    sweep_end();
    if (status < 0) {
        fixture_expect_unchanged(&p);
        test_ok(agentchat_session_refresh(p.session, &again), &again);
    }
    fixture_expect(&p, p.stored);
    fixture_end(&p);
    return status;
}

static agentchat_status look_at_session(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_session_id *who;
    const agentchat_event *event, *beyond;
    const char *invocation;
    const agentchat_state *state;
    uint64_t sequence, revision, none;
    int64_t updated;
    size_t count;
    fixture p;

    (void)variant;
    (void)err;
    fixture_begin(&p, env, 0, false);
    sqlite_memory_count(true);
    sweep_begin();
    who = agentchat_session_get_id(p.session);
    invocation = agentchat_invocation_id(p.session);
    sequence = agentchat_session_sequence(p.session);
    updated = agentchat_session_updated_us(p.session);
    count = agentchat_session_event_count(p.session);
    event = agentchat_session_event(p.session, 1);
    beyond = agentchat_session_event(p.session, count);
    state = agentchat_session_state(p.session);
    revision = agentchat_session_revision(p.session, "app:n");
    none = agentchat_session_revision(p.session, "none");
    sweep_end();
    assert_string_equal(who->app, "a");
    assert_string_equal(who->user, "u");
    assert_string_equal(who->id, "s");
    assert_null(invocation);
    assert_int_equal(sequence, 2);
    assert_true(updated > 0);
    assert_int_equal(count, 2);
    assert_str(agentchat_event_get(event, AGENTCHAT_EVENT_ID), "e2");
    assert_null(beyond);
    assert_int_equal(agentchat_state_count(state), 4);
    assert_int_equal(revision, 3);
    assert_int_equal(none, 0);
    sweep_begin();
    agentchat_session_free(NULL);
    agentchat_session_free(p.session);
    sweep_end();
    p.session = NULL;
    fixture_end(&p);
    return AGENTCHAT_OK;
}

/* ---- changing --------------------------------------------------------------------------------------------------- */

static agentchat_event *temporary_event(const agentchat_env *env)
{
    agentchat_event_builder *builder = test_event_builder(env, "agent");
    agentchat_event *event = NULL;
    agentchat_error err;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, AGENTCHAT_STR("mine"));
    agentchat_event_builder_set_state(builder, "k", AGENTCHAT_STR("[4]"));
    agentchat_event_builder_set_state(builder, "temp:new", AGENTCHAT_STR("3"));
    agentchat_event_builder_add_state(builder, "temp:n", 40);
    agentchat_event_builder_delete_state(builder, "temp:gone");
    test_ok(agentchat_event_builder_finish(builder, &event, &err), &err);
    return event;
}

/* What was appended was committed; where there was no memory to show it, the handle shows what it did before, and the
   next call brings it up to date. */
static void catch_up(fixture *p)
{
    agentchat_error again;
    char text[1024];

    if (agentchat_session_sequence(p->session) != 2)
        return;
    assert_true(test_oom_running()->failures > 0);
    fixture_text(p->session, text);
    assert_string_equal(text, p->shown);
    test_ok(agentchat_session_refresh(p->session, &again), &again);
}

/* During an invocation: the event changes its keys as well, whether others have written before (variants 2 and 3) and
   whether there is memory to show that. */
static agentchat_status append_temporary(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event *event = temporary_event(env);
    agentchat_error again;
    agentchat_status status;
    fixture p;

    fixture_begin(&p, env, variant % 2, variant >= 2);
    sweep_may_swallow();
    test_ok(agentchat_invocation_begin(p.session, "i", &again), &again);
    test_ok(agentchat_session_set(p.session, "temp:n", AGENTCHAT_STR("2"), &again), &again);
    test_ok(agentchat_session_set(p.session, "temp:gone", AGENTCHAT_STR("1"), &again), &again);
    fixture_text(p.session, p.shown);
    sweep_begin();
    status = agentchat_session_append(p.session, event, NULL, NULL, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        fixture_expect_unchanged(&p);
        test_ok(agentchat_session_append(p.session, event, NULL, NULL, &again), &again);
    }
    assert_str(agentchat_state_get(agentchat_session_state(p.session), "temp:n"), "42");
    if (agentchat_session_sequence(p.session) == 2)
        test_ok(agentchat_session_refresh(p.session, &again), &again);
    fixture_expect(&p, variant >= 2 ? "4 app:a=1 app:n=3 k=[4] temp:n=42 temp:new=3 user:b=[2] e1 e2 theirs mine"
                                    : "3 app:a=1 app:n=2 k=[4] temp:n=42 temp:new=3 user:b=[2] e1 e2 mine");
    agentchat_event_unref(event);
    fixture_end(&p);
    return status;
}

/* Variants 2 and 3: others have done something before. 4 and 5: the event is there already. 6 and 7: something else is
   expected, which is E_CONFLICT and shows what others did. 8 to 11: append_temporary(). */
static agentchat_status session_append(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_append_options options = AGENTCHAT_APPEND_OPTIONS_INIT;
    bool outdated = variant / 2 == 1 || variant / 2 == 3, duplicate = variant / 2 == 2, conflict = variant / 2 == 3;
    agentchat_status status, wanted = conflict ? AGENTCHAT_E_CONFLICT : AGENTCHAT_OK;
    agentchat_event *event;
    agentchat_error again;
    uint64_t sequence = 7;
    fixture p;

    if (variant >= 8)
        return append_temporary(env, variant - 8, err);
    fixture_begin(&p, env, variant % 2, outdated);
    if (!duplicate && !conflict)
        sweep_may_swallow();
    event = duplicate ? fixture_event(env, "e1", "k", "1") : fixture_event(env, "mine", "k", "[4]");
    options.has_expect_sequence = conflict;
    options.expect_sequence = 2;
    sweep_begin();
    status = agentchat_session_append(p.session, event, &options, &sequence, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status == AGENTCHAT_E_NOMEM) {
        assert_int_equal(sequence, 0);
        fixture_expect_unchanged(&p);
        assert_int_equal(agentchat_session_append(p.session, event, &options, &sequence, &again), wanted);
    } else {
        assert_int_equal(status, wanted);
        agentchat_error_clear(err);
        status = AGENTCHAT_OK;
        if (!duplicate && !conflict)
            catch_up(&p);
    }
    if (duplicate) {
        assert_int_equal(sequence, 1);
        fixture_expect(&p, p.stored);
    } else if (conflict) {
        assert_int_equal(sequence, 0);
        fixture_expect(&p, p.stored);
    } else {
        assert_int_equal(sequence, outdated ? 4 : 3);
        fixture_expect(&p, outdated ? "4 app:a=1 app:n=4 k=[4] user:b=[2] e1 e2 theirs mine"
                                    : "3 app:a=1 app:n=3 k=[4] user:b=[2] e1 e2 mine");
    }
    agentchat_event_unref(event);
    fixture_end(&p);
    return status;
}

static agentchat_status session_set(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    fixture p;

    fixture_begin(&p, env, variant, false);
    sweep_may_swallow();
    sweep_begin();
    status = agentchat_session_set(p.session, "user:b", AGENTCHAT_STR("\"new\""), err);
    sweep_end();
    if (status < 0) {
        fixture_expect_unchanged(&p);
        test_ok(agentchat_session_set(p.session, "user:b", AGENTCHAT_STR("\"new\""), &again), &again);
    }
    catch_up(&p);
    fixture_expect(&p, "3 app:a=1 app:n=2 k=\"two\" user:b=\"new\" e1 e2 *");
    fixture_end(&p);
    return status;
}

static agentchat_status session_set_text(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    fixture p;

    fixture_begin(&p, env, variant, false);
    sweep_may_swallow();
    sweep_begin();
    status = agentchat_session_set_text(p.session, "user:b", AGENTCHAT_STR("new"), err);
    sweep_end();
    if (status < 0) {
        fixture_expect_unchanged(&p);
        test_ok(agentchat_session_set_text(p.session, "user:b", AGENTCHAT_STR("new"), &again), &again);
    }
    catch_up(&p);
    fixture_expect(&p, "3 app:a=1 app:n=2 k=\"two\" user:b=\"new\" e1 e2 *");
    fixture_end(&p);
    return status;
}

static agentchat_status session_set_json(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    json_t *value = json_pack("{s:[i]}", "x", 7);
    agentchat_error again;
    agentchat_status status;
    fixture p;

    fixture_begin(&p, env, variant, false);
    sweep_may_swallow();
    sweep_begin();
    status = agentchat_session_set_json(p.session, "k", value, err);
    sweep_end();
    if (status < 0) {
        fixture_expect_unchanged(&p);
        test_ok(agentchat_session_set_json(p.session, "k", value, &again), &again);
    }
    catch_up(&p);
    fixture_expect(&p, "3 app:a=1 app:n=2 k={\"x\":[7]} user:b=[2] e1 e2 *");
    json_decref(value);
    fixture_end(&p);
    return status;
}

static agentchat_status session_add(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    int64_t sum = 7;
    fixture p;

    fixture_begin(&p, env, variant, false);
    sweep_may_swallow();
    sweep_begin();
    status = agentchat_session_add(p.session, "app:n", 40, &sum, err);
    sweep_end();
    if (status < 0) {
        assert_int_equal(sum, 0);
        fixture_expect_unchanged(&p);
        test_ok(agentchat_session_add(p.session, "app:n", 40, &sum, &again), &again);
    }
    assert_int_equal(sum, 42);
    catch_up(&p);
    fixture_expect(&p, "3 app:a=1 app:n=42 k=\"two\" user:b=[2] e1 e2 *");
    fixture_end(&p);
    return status;
}

static agentchat_status session_delete_key(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    fixture p;

    fixture_begin(&p, env, variant, false);
    sweep_may_swallow();
    sweep_begin();
    status = agentchat_session_delete_key(p.session, "k", err);
    sweep_end();
    if (status < 0) {
        fixture_expect_unchanged(&p);
        test_ok(agentchat_session_delete_key(p.session, "k", &again), &again);
    }
    catch_up(&p);
    fixture_expect(&p, "3 app:a=1 app:n=2 user:b=[2] e1 e2 *");
    fixture_end(&p);
    return status;
}

/* It looks first, so that after a failure the handle may show more than before. */
static agentchat_status session_apply_state(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_state *wanted = NULL;
    agentchat_error again;
    agentchat_status status;
    uint64_t sequence = 7;
    char text[1024];
    fixture p;

    fixture_begin(&p, env, variant, true);
    test_ok(agentchat_state_read(env, AGENTCHAT_STR("{\"new\":1,\"app:a\":9}"), &wanted, &again), &again);
    sweep_may_swallow();
    sweep_begin();
    status = agentchat_session_apply_state(p.session, wanted, &sequence, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_int_equal(sequence, 0);
        fixture_stored(&p, "s", text);
        assert_string_equal(text, p.stored);
        test_ok(agentchat_session_apply_state(p.session, wanted, &sequence, &again), &again);
    }
    assert_int_equal(sequence, 4);
    if (agentchat_session_sequence(p.session) != 4) /* it has looked, but what it wrote is not shown */
        test_ok(agentchat_session_refresh(p.session, &again), &again);
    fixture_expect(&p, "4 app:a=1 app:n=3 new=1 user:b=[2] e1 e2 theirs *");
    agentchat_state_free(wanted);
    fixture_end(&p);
    return status;
}

static agentchat_status session_rewind(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    uint64_t removed = 7;
    fixture p;

    fixture_begin(&p, env, variant % 2, variant >= 2);
    sweep_begin();
    status = agentchat_session_rewind(p.session, "e1", &removed, err);
    sweep_end();
    if (status < 0) {
        assert_int_equal(removed, 0);
        fixture_expect_unchanged(&p);
        test_ok(agentchat_session_rewind(p.session, "e1", &removed, &again), &again);
    }
    assert_int_equal(removed, variant >= 2 ? 2 : 1);
    fixture_expect(&p, variant >= 2 ? "4 app:a=1 app:n=3 k=1 user:b=[2] e1" : "3 app:a=1 app:n=2 k=1 user:b=[2] e1");
    fixture_end(&p);
    return status;
}

/* ---- invocations ------------------------------------------------------------------------------------------------ */

static agentchat_status invocation_begin(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const char *id = variant == 0 ? NULL : "an id that is given";
    agentchat_error again;
    agentchat_status status;
    fixture p;

    fixture_begin(&p, env, 0, false);
    sweep_begin();
    status = agentchat_invocation_begin(p.session, id, err);
    sweep_end();
    if (status < 0) {
        assert_null(agentchat_invocation_id(p.session));
        test_ok(agentchat_invocation_begin(p.session, id, &again), &again);
    }
    assert_non_null(agentchat_invocation_id(p.session));
    fixture_end(&p);
    return status;
}

static agentchat_status invocation_end(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    fixture p;

    (void)variant;
    (void)err;
    fixture_begin(&p, env, 0, false);
    test_ok(agentchat_invocation_begin(p.session, NULL, &again), &again);
    test_ok(agentchat_session_set(p.session, "temp:t", AGENTCHAT_STR("1"), &again), &again);
    sweep_begin();
    agentchat_invocation_end(p.session);
    agentchat_invocation_end(p.session);
    agentchat_invocation_end(NULL);
    sweep_end();
    fixture_expect(&p, p.stored);
    fixture_end(&p);
    return AGENTCHAT_OK;
}

static agentchat_status inits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_session_get_options getting, getting_default = AGENTCHAT_SESSION_GET_OPTIONS_INIT;
    agentchat_append_options appending, appending_default = AGENTCHAT_APPEND_OPTIONS_INIT;
    agentchat_session_list_options listing, listing_default = AGENTCHAT_SESSION_LIST_OPTIONS_INIT;
    agentchat_session_file_options file, file_default = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_session_get_options_init(&getting, sizeof getting);
    agentchat_append_options_init(&appending, sizeof appending);
    agentchat_session_list_options_init(&listing, sizeof listing);
    agentchat_session_file_options_init(&file, sizeof file);
    sweep_end();
    assert_true(getting.struct_size == getting_default.struct_size && getting.last == 0 &&
                getting.after_sequence == 0 && !getting.has_since && !getting.no_events);
    assert_true(appending.struct_size == appending_default.struct_size && !appending.has_expect_sequence &&
                appending.expect_key == NULL);
    assert_true(listing.struct_size == listing_default.struct_size && listing.user == NULL && listing.cursor == NULL &&
                listing.limit == 0);
    assert_true(file.struct_size == file_default.struct_size && file.format == NULL && !file.fail_on_loss &&
                !file.keep_times && file.as.app == NULL && file.as.user == NULL && file.as.id == NULL);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_session_create", session_create, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_session_get", session_get, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_session_refresh", session_refresh, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_session_free", look_at_session, SWEEP_NEVER, 0},
    {"agentchat_session_get_id", look_at_session, SWEEP_NEVER, 0},
    {"agentchat_session_get_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_append_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_session_list_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_session_file_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_session_sequence", look_at_session, SWEEP_NEVER, 0},
    {"agentchat_session_updated_us", look_at_session, SWEEP_NEVER, 0},
    {"agentchat_session_event_count", look_at_session, SWEEP_NEVER, 0},
    {"agentchat_session_event", look_at_session, SWEEP_NEVER, 0},
    {"agentchat_session_state", look_at_session, SWEEP_NEVER, 0},
    {"agentchat_session_revision", look_at_session, SWEEP_NEVER, 0},
    {"agentchat_session_append", session_append, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 6 * FIXTURE_VARIANTS},
    {"agentchat_session_set", session_set, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_session_set_text", session_set_text, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_session_set_json", session_set_json, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_session_add", session_add, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_session_delete_key", session_delete_key, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_session_apply_state", session_apply_state, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_session_rewind", session_rewind, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_invocation_begin", invocation_begin, SWEEP_ALLOCATES, 2},
    {"agentchat_invocation_end", invocation_end, SWEEP_NEVER, 0},
    {"agentchat_invocation_id", look_at_session, SWEEP_NEVER, 0},
};

int main(void)
{
    sqlite_memory_begin();
    return sweep_main("sweep.session", rows, sizeof rows / sizeof *rows);
}
