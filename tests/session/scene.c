/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes of the tests of sessions. */
#include "session/scene.h"

#include "session/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static store_kind kind_asked_for;

/* ---- programs --------------------------------------------------------------------------------------------------- */

bool scene_program(const char *name, int argc, char **argv)
{
    static const char *const names[] = {"memory", "sqlite", "postgres"};
    char full[128];
    size_t i = 0;

    while (i < 3 && (argc < 2 || strcmp(argv[1], names[i]) != 0))
        i++;
    if (i == 3) {
        fprintf(stderr, "usage: %s memory|sqlite|postgres [FILTER]\n", argv[0]);
        return false;
    }
    kind_asked_for = (store_kind)i;
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    snprintf(full, sizeof full, "%s.%s", name, names[i]);
    if (kind_asked_for == STORE_POSTGRES)
        server_begin(full);
    return true;
}

void scene_files_in_memory(void)
{
    if (access("/dev/shm", R_OK | W_OK | X_OK) == 0)
        (void)setenv("TMPDIR", "/dev/shm", 0);
}

store_kind scene_kind(void)
{
    return kind_asked_for;
}

/* ---- scenes ----------------------------------------------------------------------------------------------------- */

static int64_t scene_clock(void *user)
{
    scene *s = user;
    int64_t now = s->now_us;

    if (s->step_us != 0) /* a clock that stands still may be read by many threads */
        s->now_us += s->step_us;
    return now;
}

/* One file for all tests of a program, held open: a file that is closed by the last one is flushed to the disk, which
   takes longer than most tests. */
static struct {
    char *dir, *url;
    agentchat_store *held;
} files;

static void remove_files(void)
{
    agentchat_store_close(files.held);
    test_dir_remove(files.dir);
    free(files.url);
}

static const char *file_url(void)
{
    agentchat_error err;
    size_t size;

    if (files.url != NULL)
        return files.url;
    files.dir = test_dir_make();
    size = strlen(files.dir) + 64;
    files.url = malloc(size);
    assert_non_null(files.url);
    snprintf(files.url, size, "sqlite:%s/sessions.db?synchronous=normal", files.dir);
    (void)atexit(remove_files);
    test_ok(agentchat_store_open(NULL, files.url, NULL, &files.held, &err), &err);
    return files.url;
}

int scene_begin(void **state)
{
    static unsigned number;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    scene *s = calloc(1, sizeof *s);

    assert_non_null(s);
    s->kind = kind_asked_for;
    s->now_us = INT64_C(1800000000000000); /* 2027-01-15T08:00:00Z */
    s->step_us = 1;
    options.now_us = scene_clock;
    options.user = s;
    s->env = test_env(&options);
    snprintf(s->app, sizeof s->app, "app-%ld-%u", (long)getpid(), number++);
    s->url = s->kind == STORE_POSTGRES ? server_url() : s->kind == STORE_SQLITE ? file_url() : "memory:";
    s->store = scene_open(s, NULL);
    *state = s;
    return 0;
}

int scene_end(void **state)
{
    scene *s = *state;

    agentchat_store_close(s->store);
    agentchat_env_free(s->env);
    free(s);
    return 0;
}

bool scene_is_shared(const scene *s)
{
    return s->kind != STORE_MEMORY;
}

agentchat_store *scene_open(scene *s, const agentchat_store_options *options)
{
    agentchat_store *store = NULL;

    test_ok(agentchat_store_open(s->env, s->url, options, &store, &s->err), &s->err);
    return store;
}

void scene_reopen(scene *s)
{
    agentchat_store_close(s->store);
    s->store = scene_open(s, NULL);
}

/* ---- doing ------------------------------------------------------------------------------------------------------ */

agentchat_state *scene_state(scene *s, const char *object)
{
    agentchat_state *state = NULL;

    test_ok(agentchat_state_read(s->env, agentchat_str_from(object), &state, &s->err), &s->err);
    return state;
}

agentchat_session *scene_create(scene *s, const char *user, const char *id, const char *initial)
{
    agentchat_state *state = initial != NULL ? scene_state(s, initial) : NULL;
    agentchat_session *session = NULL;

    test_ok(agentchat_session_create(s->store, &(agentchat_session_id){s->app, user, id}, state, &session, &s->err),
            &s->err);
    agentchat_state_free(state);
    return session;
}

agentchat_session *scene_get(scene *s, const char *user, const char *id)
{
    agentchat_session *session = NULL;

    test_ok(agentchat_session_get(s->store, &(agentchat_session_id){s->app, user, id}, NULL, &session, &s->err),
            &s->err);
    return session;
}

agentchat_session *scene_get_with(scene *s, const char *user, const char *id, agentchat_session_get_options options)
{
    agentchat_session *session = NULL;

    options.struct_size = sizeof options;
    test_ok(agentchat_session_get(s->store, &(agentchat_session_id){s->app, user, id}, &options, &session, &s->err),
            &s->err);
    return session;
}

static void add_change(agentchat_event_builder *builder, const char *word, size_t len)
{
    char text[2048], *sign;

    assert_true(len < sizeof text);
    memcpy(text, word, len);
    text[len] = '\0';
    if (text[0] == '-') {
        agentchat_event_builder_delete_state(builder, text + 1);
        return;
    }
    sign = strchr(text, '=');
    assert_true(sign != NULL && sign != text);
    *sign = '\0';
    if (sign[-1] != '+') {
        agentchat_event_builder_set_state(builder, text, agentchat_str_from(sign + 1));
        return;
    }
    sign[-1] = '\0';
    agentchat_event_builder_add_state(builder, text, strtoll(sign + 1, NULL, 10));
}

agentchat_event *scene_event(scene *s, const char *id, const char *changes, const char *time)
{
    agentchat_event_builder *builder = test_event_builder(s->env, "agent");
    agentchat_event *event = NULL;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, agentchat_str_from(id));
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_TIME, agentchat_str_from(time));
    while (changes != NULL && *changes != '\0') {
        size_t len = strcspn(changes, " ");

        if (len > 0)
            add_change(builder, changes, len);
        changes += len + (changes[len] == ' ');
    }
    test_ok(agentchat_event_builder_finish(builder, &event, &s->err), &s->err);
    return event;
}

agentchat_event *scene_read_event(scene *s, const char *json)
{
    agentchat_event *event = NULL;

    test_ok(agentchat_event_read(s->env, agentchat_str_from(json), "agentchat", &event, NULL, &s->err), &s->err);
    return event;
}

uint64_t scene_append_at(scene *s, agentchat_session *session, const char *id, const char *changes, const char *time)
{
    agentchat_event *event = scene_event(s, id, changes, time);
    uint64_t sequence = 0;

    test_ok(agentchat_session_append(session, event, NULL, &sequence, &s->err), &s->err);
    assert_true(sequence > 0);
    agentchat_event_unref(event);
    return sequence;
}

uint64_t scene_append(scene *s, agentchat_session *session, const char *id, const char *changes)
{
    return scene_append_at(s, session, id, changes, NULL);
}

size_t scene_count(scene *s, const char *app, const char *user, const char *id)
{
    agentchat_session_list *list = NULL;
    size_t found = 0;

    test_ok(agentchat_session_list_read(
                s->store, app,
                &(agentchat_session_list_options){.struct_size = sizeof(agentchat_session_list_options), .user = user},
                &list, &s->err),
            &s->err);
    for (size_t i = 0; i < agentchat_session_list_count(list); i++) {
        found += id == NULL || strcmp(agentchat_session_list_at(list, i)->id, id) == 0;
    }
    agentchat_session_list_free(list);
    return found;
}

/* ---- expecting -------------------------------------------------------------------------------------------------- */

static void print_state(const char *what, const agentchat_state *state)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;

    if (agentchat_state_write(state, &text, NULL) >= 0)
        print_error("  %s: %s\n", what, text.ptr);
    agentchat_bytes_clear(&text);
}

static bool same_state(const agentchat_state *a, const agentchat_state *b)
{
    agentchat_str value;
    const char *key;

    if (agentchat_state_count(a) != agentchat_state_count(b))
        return false;
    for (size_t at = 0; agentchat_state_next(a, &at, &key, &value);) {
        if (!agentchat_str_equal(agentchat_state_get(b, key), value))
            return false;
    }
    return true;
}

void expect_state_at(const agentchat_state *state, const char *expected, const char *file, int line)
{
    agentchat_state *wanted = NULL;
    agentchat_error err;
    bool same;

    test_ok(agentchat_state_read(NULL, agentchat_str_from(expected), &wanted, &err), &err);
    same = same_state(state, wanted);
    if (!same) {
        print_state("found", state);
        print_state("expected", wanted);
    }
    agentchat_state_free(wanted);
    if (!same)
        _fail(file, line);
}

void expect_key_at(const agentchat_session *session, const char *key, const char *expected, const char *file, int line)
{
    agentchat_str found = agentchat_state_get(agentchat_session_state(session), key);

    if (agentchat_str_equal(found, agentchat_str_from(expected)))
        return;
    print_error("key %s is " AGENTCHAT_STR_FMT ", expected %s\n", key,
                AGENTCHAT_STR_ARG(found.ptr != NULL ? found : AGENTCHAT_STR("(missing)")),
                expected != NULL ? expected : "(missing)");
    _fail(file, line);
}

void expect_events_at(const agentchat_session *session, const char *expected, const char *file, int line)
{
    size_t count = agentchat_session_event_count(session), i = 0;
    const char *at = expected;
    uint64_t before = 0;
    bool good = true;

    for (; good && i < count; i++) {
        const agentchat_event *event = agentchat_session_event(session, i);
        agentchat_str id = agentchat_event_get(event, AGENTCHAT_EVENT_ID);

        good = strncmp(at, id.ptr, id.len) == 0 && (at[id.len] == ' ' || at[id.len] == '\0') &&
               agentchat_event_sequence(event) > before;
        if (good)
            at += id.len + (at[id.len] == ' ');
        before = agentchat_event_sequence(event);
    }
    if (good && *at == '\0')
        return;
    print_error("expected the events \"%s\", found", expected);
    for (i = 0; i < count; i++) {
        const agentchat_event *event = agentchat_session_event(session, i);

        print_error(" %" PRIu64 ":" AGENTCHAT_STR_FMT, agentchat_event_sequence(event),
                    AGENTCHAT_STR_ARG(agentchat_event_get(event, AGENTCHAT_EVENT_ID)));
    }
    print_error("\n");
    _fail(file, line);
}

void expect_stored_at(scene *s, const char *user, const char *id, const char *state, const char *events,
                      const char *file, int line)
{
    agentchat_session *session = scene_get(s, user, id);

    expect_state_at(agentchat_session_state(session), state, file, line);
    expect_events_at(session, events, file, line);
    agentchat_session_free(session);
}

void expect_missing_at(scene *s, const char *user, const char *id, const char *file, int line)
{
    agentchat_session *session = (agentchat_session *)s;
    agentchat_status status =
        agentchat_session_get(s->store, &(agentchat_session_id){s->app, user, id}, NULL, &session, &s->err);

    test_fails_at(status, &s->err, AGENTCHAT_E_NOTFOUND, NULL, "there is no session", file, line);
    if (session != NULL)
        _fail(file, line);
}

static agentchat_status note_problem(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    size_t *problems = user;

    (void)err;
    if (problem.ptr != NULL) {
        print_error("  " AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT "\n", AGENTCHAT_STR_ARG(part),
                    AGENTCHAT_STR_ARG(problem));
        ++*problems;
    }
    return AGENTCHAT_OK;
}

void expect_sound_at(agentchat_store *store, const char *file, int line)
{
    size_t problems = 0;
    agentchat_error err;

    test_ok_at(agentchat_store_check(store, note_problem, &problems, &err), &err, file, line);
    if (problems > 0)
        _fail(file, line);
}
