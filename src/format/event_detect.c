/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of an event, from its properties. They are examined in document order, including those inside content and
 * actions; the first name that only one of the formats has decides.
 */
#include "format/event_io.h"

#include "base/error.h"
#include "format/adk/adk.h"
#include "format/adk/tables.h"
#include "format/native/event.h"
#include "format/native/native.h"
#include "json/reader.h"

typedef enum scope { IN_EVENT, IN_CONTENT, IN_ACTIONS } scope;

/* Names of the native format that no ADK has, also inside content and actions. */
static bool is_ours(scope where, agentchat_str name)
{
    if (where == IN_CONTENT)
        return agentchat_str_equal(name, AGENTCHAT_STR("items"));
    return where == IN_EVENT ? aci_native_find(&aci_native_event, 0, name) < aci_native_event.count
                             : aci_native_find(&aci_native_actions, 0, name) < aci_native_actions.count;
}

static bool is_theirs(scope where, agentchat_str name)
{
    const aci_object_table *table = where == IN_EVENT     ? &aci_adk_event
                                    : where == IN_CONTENT ? &aci_adk_content
                                                          : &aci_adk_actions;

    return aci_object_table_find(table, name, NULL) < table->count;
}

/* Looks at the members of the object that comes next. Whether one has decided. */
static bool look(aci_json_reader *r, scope where, const aci_format **out)
{
    agentchat_str name, skipped;

    if (!aci_json_object(r))
        return false;
    while (aci_json_member(r, &name)) {
        bool ours = is_ours(where, name), theirs = is_theirs(where, name);
        /* "role" is a member of content in both formats, but not in the table of our events. */
        bool is_role = where == IN_CONTENT && agentchat_str_equal(name, AGENTCHAT_STR("role"));

        if (ours != theirs && !is_role) {
            *out = ours ? &aci_native_format : &aci_adk_format;
            return true;
        }
        if (where == IN_EVENT && aci_json_peek(r) == ACI_JSON_OBJECT &&
            (agentchat_str_equal(name, AGENTCHAT_STR("content")) ||
             agentchat_str_equal(name, AGENTCHAT_STR("actions")))) {
            if (look(r, name.ptr[0] == 'c' ? IN_CONTENT : IN_ACTIONS, out))
                return true;
        } else {
            (void)aci_json_raw(r, &skipped);
        }
    }
    return false;
}

agentchat_status aci_event_detect(const agentchat_env *env, agentchat_str text, const aci_format **out,
                                  agentchat_error *err)
{
    aci_arena *arena = aci_arena_new(env, 256); /* for names with escapes */
    aci_json_options options = {
        .env = env, .arena = arena, .max_depth = aci_env(env)->limits.max_depth + ACI_ADK_MORE_LEVELS};
    agentchat_status status;
    aci_json_reader r;

    *out = &aci_native_format;
    if (arena == NULL)
        return aci_fail_nomem(err);
    /* Without ACI_JSON_IN_PLACE nothing is changed. */
    aci_json_begin(&r, &options, (char *)(uintptr_t)text.ptr, text.len, NULL);
    (void)look(&r, IN_EVENT, out);
    status = aci_json_close(&r);
    aci_arena_unref(arena);
    return status == AGENTCHAT_E_NOMEM ? aci_fail_nomem(err) : AGENTCHAT_OK;
}
