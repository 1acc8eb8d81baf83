/* SPDX-License-Identifier: Apache-2.0 */
/* The service and the model side by side. */
#include "session/model/compare.h"

#include <inttypes.h>
#include <stdio.h>

static struct {
    uint64_t seed;
    char log[32768];
    size_t len;
    unsigned long outcomes[MODEL_BUSY + 1], handles, events;
} run;

/* ---- notes ------------------------------------------------------------------------------------------------------ */

void compare_begin(uint64_t seed)
{
    run.seed = seed;
    run.len = 0;
    run.log[0] = '\0';
}

void compare_note(const char *format, ...)
{
    va_list arguments;
    int len;

    va_start(arguments, format);
    len = vsnprintf(run.log + run.len, sizeof run.log - run.len, format, arguments);
    va_end(arguments);
    assert_true(len >= 0 && run.len + (size_t)len + 2 < sizeof run.log);
    run.len += (size_t)len;
    run.log[run.len++] = '\n';
    run.log[run.len] = '\0';
}

void compare_note_event(const model_event *event)
{
    static const char *const signs[] = {"=", " deleted", "+="};

    compare_note("  event %s invocation \"%s\" time \"%s\" author %s text \"%s\"%s",
                 event->id[0] != '\0' ? event->id : "(made)", event->invocation, event->time, event->author,
                 event->text, event->partial ? " partial" : "");
    for (size_t i = 0; i < event->change_count; i++) {
        const model_change *change = &event->changes[i];

        if (change->kind == MODEL_ADD)
            compare_note("    %s+=%" PRId64, change->key, change->amount);
        else
            compare_note("    %s%s%s", change->key, signs[change->kind], change->value);
    }
}

static void differ(const char *what)
{
    fprintf(stderr, "%sseed %" PRIu64 ": %s\n", run.log, run.seed, what); /* cmocka cuts what is long */
    fail();
}

static void differ_text(const char *what, agentchat_str found, const char *wanted)
{
    char text[512];

    snprintf(text, sizeof text, "%s is " AGENTCHAT_STR_FMT ", the model says %s", what,
             AGENTCHAT_STR_ARG(found.ptr != NULL ? found : AGENTCHAT_STR("(missing)")), wanted);
    differ(text);
}

void compare_number(const char *what, uint64_t found, uint64_t wanted)
{
    char text[160];

    if (found == wanted)
        return;
    snprintf(text, sizeof text, "%s is %" PRIu64 ", the model says %" PRIu64, what, found, wanted);
    differ(text);
}

static void compare_text(const char *what, agentchat_str found, const char *wanted)
{
    if (!agentchat_str_equal(found, agentchat_str_from(wanted)))
        differ_text(what, found, wanted != NULL ? wanted : "(missing)");
}

/* ---- making ----------------------------------------------------------------------------------------------------- */

agentchat_state *compare_state_of(scene *s, const model_map *map)
{
    agentchat_state *state = scene_state(s, "{}");

    for (size_t i = 0; i < map->count; i++)
        test_ok(agentchat_state_set(state, map->entries[i].key, agentchat_str_from(map->entries[i].value), &s->err),
                &s->err);
    return state;
}

static agentchat_str text_or_absent(const char *text)
{
    return agentchat_str_from(text[0] != '\0' ? text : NULL);
}

agentchat_event *compare_event_of(scene *s, const model_event *event)
{
    agentchat_event_builder *builder = test_event_builder(s->env, event->author);
    agentchat_event *real = NULL;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, text_or_absent(event->id));
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_INVOCATION, text_or_absent(event->invocation));
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_TIME, text_or_absent(event->time));
    if (event->partial)
        agentchat_event_builder_set(builder, AGENTCHAT_EVENT_PARTIAL, AGENTCHAT_STR("true"));
    if (event->text[0] != '\0') {
        agentchat_message *message = NULL;

        test_ok(agentchat_message_new_text(s->env, "user", (agentchat_str){NULL, 0}, agentchat_str_from(event->text),
                                           &message, &s->err),
                &s->err);
        agentchat_event_builder_set_content(builder, message);
        agentchat_message_unref(message);
    }
    for (size_t i = 0; i < event->change_count; i++) {
        const model_change *change = &event->changes[i];

        switch (change->kind) {
        case MODEL_SET:
            agentchat_event_builder_set_state(builder, change->key, agentchat_str_from(change->value));
            break;
        case MODEL_DELETE:
            agentchat_event_builder_delete_state(builder, change->key);
            break;
        case MODEL_ADD:
            agentchat_event_builder_add_state(builder, change->key, change->amount);
            break;
        }
    }
    test_ok(agentchat_event_builder_finish(builder, &real, &s->err), &s->err);
    return real;
}

/* ---- comparing -------------------------------------------------------------------------------------------------- */

void compare_outcome(agentchat_status status, const agentchat_error *err, model_outcome wanted)
{
    static const agentchat_status statuses[] = {
        [MODEL_OK] = AGENTCHAT_OK,
        [MODEL_DONE] = AGENTCHAT_DONE,
        [MODEL_INVALID] = AGENTCHAT_E_INVALID,
        [MODEL_NOTFOUND] = AGENTCHAT_E_NOTFOUND,
        [MODEL_EXISTS] = AGENTCHAT_E_EXISTS,
        [MODEL_LIMIT] = AGENTCHAT_E_LIMIT,
        [MODEL_CONFLICT] = AGENTCHAT_E_CONFLICT,
        [MODEL_BUSY] = AGENTCHAT_E_BUSY,
    };
    char text[320 + sizeof err->message];

    run.outcomes[wanted]++;
    if (status == statuses[wanted] && (status >= 0) == (err->code == 0) &&
        (status >= 0 || err->code == (int32_t)status))
        return;
    snprintf(text, sizeof text, "outcome %s (%s), the model says %s", agentchat_status_name(status), err->message,
             agentchat_status_name(statuses[wanted]));
    differ(text);
}

void compare_map(const agentchat_state *state, const model_map *map)
{
    for (size_t i = 0; i < map->count; i++)
        compare_text(map->entries[i].key, agentchat_state_get(state, map->entries[i].key), map->entries[i].value);
    compare_number("the number of keys", agentchat_state_count(state), map->count);
}

static void compare_changes(const agentchat_event *event, const model_event *wanted)
{
    compare_number("the number of changes", agentchat_event_change_count(event), wanted->change_count);
    for (size_t i = 0; i < wanted->change_count; i++) {
        const model_change *mine = &wanted->changes[i];
        const agentchat_change *change = NULL;

        for (size_t j = 0; j < agentchat_event_change_count(event) && change == NULL; j++) {
            if (strcmp(agentchat_event_change(event, j)->key, mine->key) == 0)
                change = agentchat_event_change(event, j);
        }
        compare_number("the kind of a change", change != NULL ? change->kind : 0, (uint64_t)mine->kind + 1);
        if (change == NULL)
            continue;
        if (mine->kind != MODEL_DELETE)
            compare_text("the value of a change", change->value, mine->value);
        if (mine->kind == MODEL_ADD)
            compare_number("an amount", (uint64_t)change->amount, (uint64_t)mine->amount);
    }
}

static void learn(char known[MODEL_NAME], agentchat_str made)
{
    if (known[0] == '\0' && made.len == 36)
        snprintf(known, MODEL_NAME, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(made));
}

static void compare_event(const agentchat_event *event, model_event *wanted)
{
    agentchat_str text = {NULL, 0};

    run.events++;
    learn(wanted->id, agentchat_event_get(event, AGENTCHAT_EVENT_ID));
    learn(wanted->invocation, agentchat_event_get(event, AGENTCHAT_EVENT_INVOCATION));
    compare_text("the event's id", agentchat_event_get(event, AGENTCHAT_EVENT_ID), wanted->id);
    compare_text("the event's invocation", agentchat_event_get(event, AGENTCHAT_EVENT_INVOCATION), wanted->invocation);
    compare_text("the event's time", agentchat_event_get(event, AGENTCHAT_EVENT_TIME), wanted->time);
    compare_text("the event's author", agentchat_event_get(event, AGENTCHAT_EVENT_AUTHOR), wanted->author);
    if (agentchat_event_content(event) != NULL)
        text = agentchat_message_text(agentchat_event_content(event));
    compare_text("the event's text", text, wanted->text[0] != '\0' ? wanted->text : NULL);
    compare_number("the event's sequence number", agentchat_event_sequence(event), wanted->sequence);
    compare_number("the event's time as a number", (uint64_t)agentchat_event_time_ns(event), (uint64_t)wanted->ns);
    compare_number("the application's revision", agentchat_event_revision(event, AGENTCHAT_SCOPE_APP),
                   wanted->app_revision);
    compare_number("the user's revision", agentchat_event_revision(event, AGENTCHAT_SCOPE_USER), wanted->user_revision);
    compare_changes(event, wanted);
}

/* What a handle does not show has no revision there, whether it is stored for another owner or not shown yet. */
static void compare_absent(const agentchat_session *session, const model_view *view, const model_map *map)
{
    for (size_t i = 0; i < map->count; i++) {
        if (model_find(&view->map, map->entries[i].key) == NULL)
            compare_number("the revision of a key that is not shown",
                           agentchat_session_revision(session, map->entries[i].key), 0);
    }
}

void compare_handle(const agentchat_session *session, model_world *world, const model_view *view)
{
    const char *invocation = agentchat_invocation_id(session);

    run.handles++;
    compare_number("the sequence", agentchat_session_sequence(session), view->sequence);
    compare_number("the time of the last write", (uint64_t)agentchat_session_updated_us(session),
                   (uint64_t)view->updated_us);
    compare_map(agentchat_session_state(session), &view->map);
    for (size_t i = 0; i < view->map.count; i++)
        compare_number(view->map.entries[i].key, agentchat_session_revision(session, view->map.entries[i].key),
                       view->map.entries[i].revision);
    for (size_t i = 0; i < world->session_count; i++)
        compare_absent(session, view, &world->sessions[i].own);
    for (size_t i = 0; i < world->user_count; i++)
        compare_absent(session, view, &world->users[i].map);
    compare_absent(session, view, &world->map);
    compare_text("the invocation", agentchat_str_from(invocation), view->invoking ? view->invocation : NULL);
    compare_number("the number of events", agentchat_session_event_count(session), view->event_count);
    for (size_t i = 0; i < view->event_count; i++) {
        const agentchat_event *event = agentchat_session_event(session, i);
        model_event *wanted = model_event_by_sequence(world, view->session, view->sequences[i]);

        compare_number("a sequence number", agentchat_event_sequence(event), view->sequences[i]);
        if (wanted != NULL) /* else it was rewound, and the handle does not know yet */
            compare_event(event, wanted);
    }
}

void compare_page(const agentchat_session_list *page, const model_world *world, const model_row *rows, size_t count,
                  bool more)
{
    compare_number("the number of rows", agentchat_session_list_count(page), count);
    compare_number("whether there is a cursor", agentchat_session_list_cursor(page) != NULL, more);
    for (size_t i = 0; i < count; i++) {
        const model_session *session = &world->sessions[rows[i].session];
        const agentchat_session_info *info = agentchat_session_list_at(page, i);

        compare_text("the user of a row", agentchat_str_from(info->user), session->user);
        compare_text("the id of a row", agentchat_str_from(info->id), session->id);
        compare_number("the sequence of a row", info->sequence, session->sequence);
        compare_number("when a row was made", (uint64_t)info->created_us, (uint64_t)session->created_us);
        compare_number("when a row was written to", (uint64_t)info->updated_us, (uint64_t)session->updated_us);
    }
}

void compare_report(unsigned long sequences)
{
    print_message("%lu sequences: %lu successes, %lu partial events, %lu invalid, %lu not found, %lu there already, "
                  "%lu beyond limits, %lu conflicts, %lu busy; %lu looks at handles, %lu at events\n",
                  sequences, run.outcomes[MODEL_OK], run.outcomes[MODEL_DONE], run.outcomes[MODEL_INVALID],
                  run.outcomes[MODEL_NOTFOUND], run.outcomes[MODEL_EXISTS], run.outcomes[MODEL_LIMIT],
                  run.outcomes[MODEL_CONFLICT], run.outcomes[MODEL_BUSY], run.handles, run.events);
    for (size_t i = 0; i <= MODEL_BUSY && sequences >= 40; i++)
        assert_true(run.outcomes[i] > 0);
}
