/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of an event, from its properties. They are examined in document order, including those inside content and
 * actions; the first name that only one of the formats has decides.
 */
#include "format/event_io.h"

#include "base/error.h"
#include "format/registry.h"
#include "json/reader.h"

/* The format that alone has a name; NULL when none has it, or several have. */
static const aci_format *only_with(aci_event_part in, agentchat_str name)
{
    const aci_format *only = NULL;
    size_t count;
    const aci_format *const *formats = aci_registry_all(&count);

    for (size_t i = 0; i < count; i++) {
        if (formats[i]->has_event_name == NULL || !formats[i]->has_event_name(in, name))
            continue;
        if (only != NULL)
            return NULL;
        only = formats[i];
    }
    return only;
}

/* What the members of the object that comes next show; NULL: nothing. */
static const aci_format *look(aci_json_reader *r, aci_event_part in)
{
    const aci_format *found = NULL;
    agentchat_str name, skipped;

    if (!aci_json_object(r))
        return NULL;
    while (found == NULL && aci_json_member(r, &name)) {
        bool is_content = agentchat_str_equal(name, AGENTCHAT_STR("content"));

        found = only_with(in, name);
        if (found != NULL)
            break;
        if (in == ACI_IN_EVENT && (is_content || agentchat_str_equal(name, AGENTCHAT_STR("actions"))) &&
            aci_json_peek(r) == ACI_JSON_OBJECT)
            found = look(r, is_content ? ACI_IN_CONTENT : ACI_IN_ACTIONS);
        else
            (void)aci_json_raw(r, &skipped);
    }
    return found;
}

/* The format in which what nothing shows is read: the first that reads events. */
static const aci_format *usual_format(void)
{
    size_t count, i = 0;
    const aci_format *const *formats = aci_registry_all(&count);

    while (formats[i]->read_event == NULL)
        i++;
    return formats[i];
}

agentchat_status aci_event_detect(const agentchat_env *env, agentchat_str text, const aci_format **out,
                                  agentchat_error *err)
{
    aci_arena *arena = aci_arena_new(env, 256); /* for names with escapes */
    aci_json_options options = {.env = env,
                                .arena = arena,
                                .flags = ACI_JSON_FILE,
                                .max_depth = aci_env(env)->limits.max_depth + aci_registry_more_levels()};
    agentchat_status status;
    aci_json_reader r;

    *out = NULL;
    if (arena == NULL)
        return aci_fail_nomem(err);
    /* Without ACI_JSON_IN_PLACE nothing is changed. */
    aci_json_begin(&r, &options, (char *)(uintptr_t)text.ptr, text.len, NULL);
    *out = look(&r, ACI_IN_EVENT);
    if (*out == NULL)
        *out = usual_format();
    status = aci_json_close(&r);
    aci_arena_unref(arena);
    return status == AGENTCHAT_E_NOMEM ? aci_fail_nomem(err) : AGENTCHAT_OK;
}
