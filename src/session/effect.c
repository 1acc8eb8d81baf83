/* SPDX-License-Identifier: Apache-2.0 */
/* What appending an event did, as it is stored beside it (event/event.h), and undoing it. */
#include "session/session.h"

#include "base/error.h"
#include "json/reader.h"
#include "json/value.h"
#include <inttypes.h>
#include <string.h>

bool aci_effect_undo_add(aci_buf *out, bool first, agentchat_str key, int64_t revision, agentchat_str value)
{
    char digits[24];
    size_t len = aci_load_print_integer(revision, digits);

    return (first || aci_buf_add(out, ",", 1)) && aci_buf_add(out, "[", 1) && aci_json_canonical_string(key, out) &&
           aci_buf_add(out, ",", 1) && aci_buf_add(out, digits, len) &&
           (value.ptr == NULL || (aci_buf_add(out, ",", 1) && aci_buf_add_str(out, value))) && aci_buf_add(out, "]", 1);
}

bool aci_effect_sum_add(aci_buf *out, agentchat_str key, agentchat_str sum)
{
    return (out->len == 0 || aci_buf_add(out, ",", 1)) && aci_json_canonical_string(key, out) &&
           aci_buf_add(out, ":", 1) && aci_buf_add_str(out, sum);
}

static bool add_name(aci_buf *out, const char *name)
{
    return (out->len <= 1 || aci_buf_add(out, ",", 1)) && aci_buf_add(out, "\"", 1) &&
           aci_buf_add(out, name, strlen(name)) && aci_buf_add(out, "\":", 2);
}

static bool add_revision(aci_buf *out, const char *name, int64_t revision)
{
    char digits[24];
    size_t len = aci_load_print_integer(revision, digits);

    return revision == 0 || (add_name(out, name) && aci_buf_add(out, digits, len));
}

static bool add_list(aci_buf *out, const char *name, char open, agentchat_str list, char close)
{
    return list.len == 0 || (add_name(out, name) && aci_buf_add(out, &open, 1) && aci_buf_add_str(out, list) &&
                             aci_buf_add(out, &close, 1));
}

bool aci_effect_write(aci_buf *out, int64_t app, int64_t user, agentchat_str sums, agentchat_str undo)
{
    out->len = 0;
    return aci_buf_add(out, "{", 1) && add_revision(out, "app", app) && add_revision(out, "user", user) &&
           add_list(out, "sums", '{', sums, '}') && add_list(out, "undo", '[', undo, ']') && aci_buf_add(out, "}", 1);
}

/* Puts back what one entry, [key, revision] or [key, revision, value], says. */
static bool put_back(aci_json_reader *r, agentchat_state *state, agentchat_state *touched)
{
    agentchat_str key, revision, value = {NULL, 0};
    bool stored = true;

    if (!aci_json_array(r) || !aci_json_element(r) || !aci_json_string(r, &key) || !aci_json_element(r) ||
        !aci_json_raw(r, &revision))
        return false;
    if (aci_json_element(r) && (!aci_json_raw(r, &value) || aci_json_element(r)))
        return false;
    if (aci_json_failed(r))
        return false;
    if (value.ptr == NULL)
        (void)aci_state_remove(state, key);
    else
        stored = aci_state_put(state, key, value);
    if (stored && (touched == NULL || aci_state_put(touched, key, AGENTCHAT_STR("0"))))
        return true;
    (void)aci_json_fail(r, AGENTCHAT_E_NOMEM, "out of memory");
    return false;
}

agentchat_status aci_effect_undo(const agentchat_event *event, agentchat_state *state, agentchat_state *touched,
                                 agentchat_error *err)
{
    const agentchat_env *env = aci_state_env(state);
    aci_json_options options = {0};
    agentchat_status status;
    agentchat_error why;
    aci_json_reader r;
    aci_arena *arena;
    char *text;

    if (event->undo.ptr == NULL)
        return AGENTCHAT_OK;
    arena = aci_arena_new(env, event->undo.len + 64);
    text = arena != NULL ? aci_arena_text(arena, event->undo.len + 1) : NULL;
    if (text == NULL) {
        aci_arena_unref(arena);
        return aci_fail_nomem(err);
    }
    memcpy(text, event->undo.ptr, event->undo.len);
    agentchat_error_clear(&why);
    options.env = env;
    options.arena = arena;
    options.max_depth = env->limits.max_depth + 2; /* a value may be as deep as is allowed, inside two arrays */
    aci_json_begin(&r, &options, text, event->undo.len, &why);
    if (aci_json_array(&r)) {
        while (aci_json_element(&r) && put_back(&r, state, touched))
            ;
    }
    (void)aci_json_end(&r);
    status = aci_json_close(&r);
    aci_arena_unref(arena);
    if (status >= 0)
        return AGENTCHAT_OK;
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "what event %" PRIu64 " replaced cannot be read: %s", event->sequence,
                    why.message);
}
