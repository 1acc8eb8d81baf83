/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building an event from an untrusted caller's values. Texts are checked and copied into a scratch arena as they come;
 * finish copies the event into an arena of fitting size. The first failure sticks, with its location as a JSON Pointer
 * into the native format (docs/formats/session.md), and every later call does nothing.
 */
#include "event/draft.h"

#include "base/error.h"
#include "event/values.h"
#include "model/check.h"
#include "state/state.h"
#include <agentchat/snapshot.h>

struct agentchat_event_builder {
    const agentchat_env *env;
    aci_event_draft draft;
    agentchat_status status; /* OK or the first failure, whose details error has */
    agentchat_error error;
};

static bool is_broken(const agentchat_event_builder *builder)
{
    return builder == NULL || builder->status < 0;
}

static void out_of_memory(agentchat_event_builder *builder)
{
    builder->status = aci_fail_nomem(&builder->error);
}

/* Records a failure inside a value. error's path is relative to the value; pointer leads to the value in the event.
   token: a last reference token to append to pointer, untrusted text; absent for none. */
static void fail_at(agentchat_event_builder *builder, const char *pointer, agentchat_str token,
                    const agentchat_error *error)
{
    aci_buf path;
    bool done;

    builder->error = *error;
    builder->status = (agentchat_status)error->code;
    aci_buf_init(&path, builder->env, SIZE_MAX);
    done = aci_buf_add_str(&path, agentchat_str_from(pointer)) &&
           (token.ptr == NULL || aci_json_pointer_add(&path, token));
    if (done)
        aci_error_path_prepend(&builder->error, aci_buf_str(&path));
    aci_buf_clear(&path); /* without memory for the path, the message must suffice */
}

static void refuse(agentchat_event_builder *builder, const char *pointer, const char *message)
{
    agentchat_error error;

    agentchat_error_clear(&error);
    aci_fail(&error, AGENTCHAT_E_INVALID, "%s", message);
    fail_at(builder, pointer, (agentchat_str){NULL, 0}, &error);
}

static agentchat_str copy(agentchat_event_builder *builder, agentchat_str text)
{
    bool ok = true;

    text = aci_arena_copy(builder->draft.arena, text, &ok);
    if (!ok)
        out_of_memory(builder);
    return text;
}

static agentchat_event_builder *start(const agentchat_env *env)
{
    agentchat_event_builder *builder;
    aci_arena *scratch;

    env = aci_env(env);
    builder = aci_alloc_zero(env, sizeof *builder);
    scratch = builder != NULL ? aci_arena_new(env, 0) : NULL;
    if (scratch == NULL) {
        aci_free(env, builder, sizeof *builder);
        return NULL;
    }
    builder->env = env;
    agentchat_error_clear(&builder->error);
    aci_event_draft_begin(&builder->draft, env, scratch);
    return builder;
}

agentchat_status agentchat_event_builder_new(const agentchat_env *env, agentchat_str author,
                                             agentchat_event_builder **out, agentchat_error *err)
{
    agentchat_event_builder *builder;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    builder = start(env);
    if (builder == NULL)
        return aci_fail_nomem(err);
    if (author.ptr == NULL || agentchat_str_is_null(author))
        refuse(builder, "/author", "an event needs an author, be it an empty one");
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_AUTHOR, author);
    status = builder->status;
    if (status >= 0) {
        *out = builder;
        return AGENTCHAT_OK;
    }
    if (err != NULL)
        *err = builder->error;
    agentchat_event_builder_free(builder);
    return status;
}

/* JSON Pointer of a field in the native format. */
static const char *pointer_of(agentchat_event_field field, char out[40])
{
    bool action = field >= AGENTCHAT_EVENT_TRANSFER && field <= AGENTCHAT_EVENT_COMPACTION;

    (void)snprintf(out, 40, "%s/%s", action ? "/actions" : "", aci_event_field_name(field));
    return out;
}

void agentchat_event_builder_set(agentchat_event_builder *builder, agentchat_event_field field, agentchat_str value)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_error error;
    char pointer[40];

    if (is_broken(builder))
        return;
    if (field < AGENTCHAT_EVENT_ID || field > AGENTCHAT_EVENT_COMPACTION) {
        refuse(builder, "", "an event has no such field");
        return;
    }
    if (agentchat_str_is_null(value))
        value = (agentchat_str){NULL, 0};
    agentchat_error_clear(&error);
    if (value.ptr != NULL)
        status = aci_event_field_is_json(field) ? aci_event_check_json(builder->env, field, &value, &error)
                                                : aci_event_check_text(field, value, &error);
    if (status < 0)
        fail_at(builder, pointer_of(field, pointer), (agentchat_str){NULL, 0}, &error);
    else
        builder->draft.fields[field] = copy(builder, value);
}

void agentchat_event_builder_set_content(agentchat_event_builder *builder, const agentchat_message *message)
{
    if (is_broken(builder))
        return;
    agentchat_message_ref(message);
    agentchat_message_unref(builder->draft.content);
    builder->draft.content = message;
}

/* Adds a change of a key that has yet to be checked; its value is in the draft's arena. */
static void add_change(agentchat_event_builder *builder, const char *pointer, const char *key, agentchat_change change)
{
    agentchat_str name = agentchat_str_from(key);
    agentchat_error error;

    agentchat_error_clear(&error);
    if (aci_key_check(name, &error) < 0)
        fail_at(builder, pointer, name, &error);
    else if (!aci_event_draft_change(&builder->draft, name, change))
        out_of_memory(builder);
}

void agentchat_event_builder_set_state(agentchat_event_builder *builder, const char *key, agentchat_str value)
{
    agentchat_error error;

    if (is_broken(builder))
        return;
    agentchat_error_clear(&error);
    if (agentchat_str_is_null(value))
        value = AGENTCHAT_STR("null");
    if (aci_check_json(builder->env, &value, &error) < 0) {
        fail_at(builder, "/actions/statedelta", agentchat_str_from(key), &error);
        return;
    }
    value = copy(builder, value);
    if (!is_broken(builder))
        add_change(builder, "/actions/statedelta", key, (agentchat_change){AGENTCHAT_CHANGE_SET, NULL, value, 0});
}

void agentchat_event_builder_delete_state(agentchat_event_builder *builder, const char *key)
{
    if (!is_broken(builder))
        add_change(builder, "/actions/statedelete", key,
                   (agentchat_change){AGENTCHAT_CHANGE_DELETE, NULL, {NULL, 0}, 0});
}

void agentchat_event_builder_add_state(agentchat_event_builder *builder, const char *key, int64_t amount)
{
    if (!is_broken(builder))
        add_change(builder, "/actions/stateadd", key,
                   (agentchat_change){AGENTCHAT_CHANGE_ADD, NULL, {NULL, 0}, amount});
}

/* Adds an unknown property to `extras`, which the native format has at `list`. */
static void add_extra(agentchat_event_builder *builder, aci_draft *extras, const char *list, agentchat_extra extra)
{
    agentchat_error error;
    char pointer[48];

    (void)snprintf(pointer, sizeof pointer, "%s/%zu", list, extras->extra_count);
    agentchat_error_clear(&error);
    if (agentchat_str_is_null(extra.value))
        extra.value = AGENTCHAT_STR("null");
    if (extra.name.ptr == NULL || agentchat_str_is_null(extra.name) || extra.value.ptr == NULL) {
        refuse(builder, pointer, extra.value.ptr == NULL ? "an extra needs a value" : "an extra needs a name");
    } else if (!aci_tag_check(&extra.from)) {
        refuse(builder, pointer, aci_tag_rule);
    } else if (aci_check_text(extra.name, &error) < 0) {
        fail_at(builder, pointer, AGENTCHAT_STR("name"), &error);
    } else if (aci_check_json(builder->env, &extra.value, &error) < 0) {
        fail_at(builder, pointer, AGENTCHAT_STR("value"), &error);
    } else {
        extra.name = copy(builder, extra.name);
        extra.value = copy(builder, extra.value);
        extra.from = copy(builder, extra.from);
        if (!is_broken(builder) && !aci_draft_add_extra(extras, builder->env, extra))
            out_of_memory(builder);
    }
}

void agentchat_event_builder_add_extra(agentchat_event_builder *builder, agentchat_str name, agentchat_str value,
                                       agentchat_str from)
{
    if (!is_broken(builder))
        add_extra(builder, &builder->draft.extras, "/extras", (agentchat_extra){name, value, from});
}

void agentchat_event_builder_add_action_extra(agentchat_event_builder *builder, agentchat_str name, agentchat_str value,
                                              agentchat_str from)
{
    if (!is_broken(builder))
        add_extra(builder, &builder->draft.action_extras, "/actions/extras", (agentchat_extra){name, value, from});
}

agentchat_status agentchat_event_builder_finish(agentchat_event_builder *builder, agentchat_event **out,
                                                agentchat_error *err)
{
    agentchat_event *event = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL) {
        agentchat_event_builder_free(builder);
        return aci_fail_null(err, "out");
    }
    *out = NULL;
    if (builder == NULL)
        return aci_fail_null(err, "builder");
    if (!is_broken(builder))
        builder->status = aci_event_draft_finish(&builder->draft, &event, &builder->error);
    if (!is_broken(builder)) {
        *out = aci_event_copy(builder->env, event);
        if (*out == NULL)
            out_of_memory(builder);
    }
    agentchat_event_unref(event);
    status = builder->status;
    if (status < 0 && err != NULL)
        *err = builder->error;
    agentchat_event_builder_free(builder);
    return status;
}

void agentchat_event_builder_free(agentchat_event_builder *builder)
{
    if (builder == NULL)
        return;
    aci_event_draft_clear(&builder->draft);
    aci_free(builder->env, builder, sizeof *builder);
}
