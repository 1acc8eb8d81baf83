/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions in a store over the faulty driver: the same ids and times in every run, and all of it as text. */
#include "fault_scene.h"

#include <agentchat/sqlite.h>
#include <stdio.h>

/* ---- how it shows ---------------------------------------------------------------------------------------------- */

void say(scene *s, const char *format, ...)
{
    va_list args;
    int len;

    if (s->cap - s->len < 20000) {
        s->cap += 40000;
        s->log = realloc(s->log, s->cap);
        assert_non_null(s->log);
    }
    va_start(args, format);
    len = vsnprintf(s->log + s->len, s->cap - s->len, format, args);
    va_end(args);
    assert_in_range(len, 0, 19999);
    s->len += (size_t)len;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Keys and values in one order, whether a change or a look at the store put them there. */
void say_state(scene *s, const agentchat_state *state)
{
    char *lines[32];
    size_t count = 0, at = 0;
    agentchat_str value;
    const char *key;

    while (agentchat_state_next(state, &at, &key, &value)) {
        assert_in_range(count, 0, 31);
        lines[count] = malloc(strlen(key) + value.len + 2);
        assert_non_null(lines[count]);
        sprintf(lines[count++], "%s=" AGENTCHAT_STR_FMT, key, AGENTCHAT_STR_ARG(value));
    }
    qsort(lines, count, sizeof *lines, compare_texts);
    for (size_t i = 0; i < count; i++) {
        say(s, " %s", lines[i]);
        free(lines[i]);
    }
}

void say_session(scene *s, const agentchat_session *session)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    if (session == NULL) {
        say(s, "no handle\n");
        return;
    }
    say(s, "%s sequence %llu state", agentchat_session_get_id(session)->id,
        (unsigned long long)agentchat_session_sequence(session));
    say_state(s, agentchat_session_state(session));
    say(s, " events");
    for (size_t i = 0; i < agentchat_session_event_count(session); i++) {
        text.len = 0;
        test_ok(agentchat_event_write(agentchat_session_event(session, i), "agentchat", &text, NULL, &err), &err);
        say(s, " %llu %s", (unsigned long long)agentchat_event_sequence(agentchat_session_event(session, i)), text.ptr);
    }
    say(s, " theme@%llu topic@%llu\n", (unsigned long long)agentchat_session_revision(session, "app:theme"),
        (unsigned long long)agentchat_session_revision(session, "topic"));
    agentchat_bytes_clear(&text);
}

/* ---- opening --------------------------------------------------------------------------------------------------- */

static int count_up(void *user, void *bytes, size_t size) /* "random" bytes that are the same in every run */
{
    scene *s = user;

    for (size_t i = 0; i < size; i++) {
        s->random = s->random * 6364136223846793005u + 1442695040888963407u;
        ((unsigned char *)bytes)[i] = (unsigned char)(s->random >> 56);
    }
    return 0;
}

static int64_t tell_time(void *user)
{
    return ((scene *)user)->clock;
}

static void make_event(scene *s)
{
    agentchat_event_builder *builder = test_event_builder(s->env, "user");
    agentchat_error err;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, AGENTCHAT_STR("e1"));
    agentchat_event_builder_set_state(builder, "app:theme", AGENTCHAT_STR("\"blue\""));
    agentchat_event_builder_set_state(builder, "user:seen", AGENTCHAT_STR("true"));
    agentchat_event_builder_set_state(builder, "topic", AGENTCHAT_STR("1.50"));
    agentchat_event_builder_add_state(builder, "count", 2);
    test_ok(agentchat_event_builder_finish(builder, &s->event, &err), &err);
}

void open_scene(scene *s, bool in_file, aci_sql_driver *faulty)
{
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_error err;
    char path[4096];

    memset(s, 0, sizeof *s);
    s->dir = in_file ? test_dir_make() : NULL;
    snprintf(path, sizeof path, "%s/sessions.db", in_file ? s->dir : "");
    s->clock = 1795292121000000;
    options.now_us = tell_time;
    options.random = count_up;
    options.user = s;
    s->env = test_env(&options);
    test_ok(agentchat_sqlite_open(s->env, in_file ? path : NULL, NULL, &s->store, &err), &err);
    plan.real = s->store->driver;
    *faulty = *plan.real;
    faulty->run = faulty_run;
    s->store->driver = faulty;
    make_event(s);
}

void close_scene(scene *s)
{
    s->store->driver = plan.real;
    agentchat_event_unref(s->event);
    agentchat_session_free(s->session);
    agentchat_session_free(s->other);
    agentchat_store_close(s->store);
    agentchat_env_free(s->env);
    free(s->log);
    if (s->dir != NULL)
        test_dir_remove(s->dir);
}
