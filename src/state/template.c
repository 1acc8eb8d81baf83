/* SPDX-License-Identifier: Apache-2.0 */
/* Rendering: what a template names, what there is for it, and the result. */
#include "state/template.h"

#include "base/utf8.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A name in a template, however often it stands there. */
typedef struct named {
    agentchat_str json; /* the value of a key; absent: there is none */
    size_t node;        /* of the path into it; ACI_INDEX_NONE: there is no path */
    agentchat_str text; /* what stands for it in the result */
    aci_buf made;       /* the text, when it is not a view of the value */
    bool there, is_made, reported;
} named;

typedef struct rendering {
    const agentchat_env *env;
    const agentchat_state *state;
    agentchat_template_options options;
    agentchat_str text;
    named *names;
    size_t count, cap;
    aci_index index; /* of names, as they stand in the template */
    aci_template_paths paths;
    aci_buf out;
    aci_template_missing missing;
    agentchat_error *err;
} rendering;

/* ---- failing -------------------------------------------------------------------------------------------------- */

static agentchat_status fail_at(rendering *r, size_t offset, agentchat_status status, const char *message)
{
    uint32_t line = 1;
    size_t start = 0;

    (void)aci_fail(r->err, status, "%s", message);
    for (size_t i = 0; i < offset; i++) {
        if (r->text.ptr[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    if (offset - start < UINT32_MAX)
        aci_error_at(r->err, offset, line, (uint32_t)(offset - start) + 1);
    else
        aci_error_at(r->err, offset, 0, 0);
    return status;
}

static agentchat_status fail_nomem(rendering *r)
{
    return aci_fail_nomem(r->err);
}

/* Passes on what the function for artifacts reported. */
static agentchat_status fail_artifact(rendering *r, const aci_template_placeholder *placeholder,
                                      agentchat_status status, const agentchat_error *cause)
{
    char message[sizeof cause->message];

    if (cause->code != 0 && cause->message[0] != '\0') {
        if (r->err != NULL) {
            *r->err = *cause;
            r->err->code = 0; /* fail_at() sets it, and keeps the rest */
        }
        memcpy(message, cause->message, sizeof message);
    } else {
        (void)snprintf(message, sizeof message, "the artifact cannot be loaded: %s", agentchat_status_text(status));
    }
    return fail_at(r, placeholder->begin, status, message);
}

/* ---- finding out ---------------------------------------------------------------------------------------------- */

/* As it stands in the template: with the prefix of an artifact, by which it differs from a key of that name. */
static agentchat_str name_of(const aci_template_placeholder *placeholder)
{
    size_t prefix = placeholder->kind == ACI_PLACEHOLDER_ARTIFACT ? sizeof ACI_ARTIFACT_PREFIX - 1 : 0;

    return (agentchat_str){placeholder->name.ptr - prefix, placeholder->name.len + prefix};
}

/* The longest key that is there wins; what follows it is a path. */
static agentchat_status find_key(rendering *r, agentchat_str name, named *found)
{
    agentchat_str key = name, path;

    for (;;) {
        if (key.len <= AGENTCHAT_MAX_KEY_BYTES) {
            found->json = aci_state_find(r->state, key);
            if (found->json.ptr != NULL)
                break;
        }
        while (key.len > 0 && name.ptr[key.len - 1] != '.')
            key.len--;
        if (key.len == 0)
            return AGENTCHAT_OK;
        key.len--;
    }
    if (key.len == name.len)
        return AGENTCHAT_OK;
    path = (agentchat_str){name.ptr + key.len + 1, name.len - key.len - 1};
    if (!aci_template_paths_want(&r->paths, key, found->json, path, &found->node))
        return fail_nomem(r);
    found->json = (agentchat_str){NULL, 0}; /* known when the paths have been walked */
    return AGENTCHAT_OK;
}

/* Asks the caller's function for an artifact. */
static agentchat_status load(rendering *r, const aci_template_placeholder *placeholder, named *found)
{
    agentchat_bytes bytes = {NULL, 0, 0, r->env};
    agentchat_error cause;
    agentchat_status status;

    if (r->options.artifact == NULL)
        return AGENTCHAT_OK;
    agentchat_error_clear(&cause);
    status = r->options.artifact(r->options.user, placeholder->name, &bytes, &cause);
    if (status > 0) {
        agentchat_error_clear(&cause);
        status = aci_fail(&cause, AGENTCHAT_E_CALLBACK, "the function for artifacts broke its contract: it returned %d",
                          (int)status);
    }
    if (status == AGENTCHAT_OK && !aci_utf8_is_valid((agentchat_str){bytes.ptr, bytes.len}, false)) {
        agentchat_error_clear(&cause);
        status = aci_fail(&cause, AGENTCHAT_E_CALLBACK, "the text of the artifact is not UTF-8");
    }
    if (status == AGENTCHAT_OK) {
        found->made = (aci_buf){bytes.ptr, bytes.len, bytes.cap, SIZE_MAX, aci_env(bytes.env)};
        found->text = aci_buf_str(&found->made);
        found->there = found->is_made = true;
        return AGENTCHAT_OK;
    }
    agentchat_bytes_clear(&bytes);
    return status == AGENTCHAT_E_NOTFOUND ? AGENTCHAT_OK : fail_artifact(r, placeholder, status, &cause);
}

/* A name that stands in the template for the first time. */
static agentchat_status enter(rendering *r, const aci_template_placeholder *placeholder)
{
    void *names = r->names;
    agentchat_status status = AGENTCHAT_OK;
    named *found;

    if (!aci_grow(r->env, &names, &r->cap, r->count, sizeof *r->names))
        return fail_nomem(r);
    r->names = names;
    if (!aci_index_put(&r->index, r->env, name_of(placeholder), r->count))
        return fail_nomem(r);
    found = &r->names[r->count++];
    *found = (named){.node = ACI_INDEX_NONE};
    aci_buf_init(&found->made, r->env, SIZE_MAX);
    if (placeholder->kind == ACI_PLACEHOLDER_ARTIFACT)
        status = load(r, placeholder, found);
    else if (r->options.dialect == AGENTCHAT_TEMPLATE_AGENTCHAT)
        status = find_key(r, placeholder->name, found);
    else
        found->json = aci_state_find(r->state, placeholder->name);
    return status;
}

/* Why a placeholder is an error, whatever values there are; NULL when it is none. */
static const char *refusal(const rendering *r, const aci_template_placeholder *placeholder)
{
    if (placeholder->kind == ACI_PLACEHOLDER_ARTIFACT && placeholder->refused == NULL && r->options.artifact == NULL &&
        r->options.dialect != AGENTCHAT_TEMPLATE_AGENTCHAT)
        return "an artifact is named, but there is no function for artifacts";
    return placeholder->refused;
}

static agentchat_status find_out(rendering *r)
{
    agentchat_status status = AGENTCHAT_OK;
    aci_template_placeholder placeholder;
    size_t at = 0;

    while (status >= 0 && aci_template_placeholder_next(r->options.dialect, r->text, at, &placeholder)) {
        at = placeholder.end;
        if (placeholder.kind != ACI_PLACEHOLDER_TEXT && refusal(r, &placeholder) == NULL &&
            aci_index_find(&r->index, name_of(&placeholder)) == ACI_INDEX_NONE)
            status = enter(r, &placeholder);
    }
    if (status < 0)
        return status;
    if (!aci_template_paths_resolve(&r->paths))
        return fail_nomem(r);
    for (size_t i = 0; i < r->count; i++) {
        named *found = &r->names[i];

        if (found->node != ACI_INDEX_NONE)
            found->json = aci_template_paths_value(&r->paths, found->node);
        found->there = found->there || found->json.ptr != NULL;
    }
    return AGENTCHAT_OK;
}

/* ---- writing -------------------------------------------------------------------------------------------------- */

/* Adds to the result what begins at `offset` in the template. Once something is missing there will be none. */
static agentchat_status add(rendering *r, size_t offset, agentchat_str text)
{
    char message[ACI_MISSING_SIZE];

    if (r->missing.count > 0)
        return AGENTCHAT_OK;
    if (text.len > r->env->limits.max_bytes || r->out.len > r->env->limits.max_bytes - text.len) {
        (void)snprintf(message, sizeof message, "the result is longer than %" PRIu64 " bytes, the limit max_bytes",
                       r->env->limits.max_bytes);
        return fail_at(r, offset, AGENTCHAT_E_LIMIT, message);
    }
    return aci_buf_add_str(&r->out, text) ? AGENTCHAT_OK : fail_nomem(r);
}

static agentchat_status add_placeholder(rendering *r, const aci_template_placeholder *placeholder)
{
    agentchat_str itself = {r->text.ptr + placeholder->begin, placeholder->end - placeholder->begin};
    const char *refused = refusal(r, placeholder);
    named *found;

    if (placeholder->kind == ACI_PLACEHOLDER_TEXT)
        return add(r, placeholder->begin, placeholder->name);
    if (refused != NULL && r->options.keep_missing)
        return add(r, placeholder->begin, itself);
    if (refused != NULL)
        return r->missing.count > 0 ? AGENTCHAT_OK : fail_at(r, placeholder->begin, AGENTCHAT_E_INVALID, refused);
    found = &r->names[aci_index_find(&r->index, name_of(placeholder))];
    if (!found->there && !placeholder->optional && r->options.keep_missing)
        return add(r, placeholder->begin, itself);
    if (!found->there) {
        if (!placeholder->optional && !found->reported)
            aci_template_missing_add(&r->missing, name_of(placeholder), placeholder->begin);
        found->reported = found->reported || !placeholder->optional;
        return AGENTCHAT_OK;
    }
    if (!found->is_made && !aci_template_value(r->options.dialect, found->json, &found->made, &found->text))
        return fail_nomem(r);
    found->is_made = true;
    return add(r, placeholder->begin, found->text);
}

static agentchat_status write_result(rendering *r)
{
    agentchat_status status = AGENTCHAT_OK;
    char message[ACI_MISSING_SIZE];
    aci_template_placeholder placeholder;
    size_t at = 0;

    while (status >= 0 && aci_template_placeholder_next(r->options.dialect, r->text, at, &placeholder)) {
        status = add(r, at, (agentchat_str){r->text.ptr + at, placeholder.begin - at});
        if (status >= 0)
            status = add_placeholder(r, &placeholder);
        at = placeholder.end;
    }
    if (status >= 0)
        status = add(r, at, (agentchat_str){r->text.ptr + at, r->text.len - at});
    if (status < 0 || r->missing.count == 0)
        return status;
    aci_template_missing_message(&r->missing, message);
    return fail_at(r, r->missing.first, AGENTCHAT_E_NOTFOUND, message);
}

/* ---- the call ------------------------------------------------------------------------------------------------- */

static agentchat_status check(rendering *r, const agentchat_template_options *options)
{
    agentchat_status status = aci_env_options_load(&r->options, sizeof r->options, options, r->err);
    size_t valid;

    if (status < 0)
        return status;
    if (r->options.dialect < AGENTCHAT_TEMPLATE_AGENTCHAT || r->options.dialect > AGENTCHAT_TEMPLATE_ADK_PYTHON)
        return aci_fail(r->err, AGENTCHAT_E_INVALID, "%d is no dialect of templates", (int)r->options.dialect);
    valid = aci_utf8_valid_prefix(r->text.ptr, r->text.len, false);
    if (valid < r->text.len)
        return fail_at(r, valid, AGENTCHAT_E_INVALID, "the template is not UTF-8");
    return AGENTCHAT_OK;
}

static void clear(rendering *r)
{
    for (size_t i = 0; i < r->count; i++)
        aci_buf_clear(&r->names[i].made);
    aci_free(r->env, r->names, r->cap * sizeof *r->names);
    aci_index_clear(&r->index, r->env);
    aci_template_paths_clear(&r->paths);
    aci_buf_clear(&r->out);
}

void agentchat_template_options_init(agentchat_template_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_template_render(const agentchat_state *state, agentchat_str text,
                                           const agentchat_template_options *options, agentchat_bytes *out,
                                           agentchat_error *err)
{
    rendering r = {.env = aci_state_env(state), .state = state, .err = err};
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    r.text = text.ptr != NULL ? text : (agentchat_str){"", 0};
    aci_template_paths_begin(&r.paths, r.env);
    aci_buf_init(&r.out, r.env, SIZE_MAX);
    status = check(&r, options);
    if (status >= 0)
        status = find_out(&r);
    if (status >= 0)
        status = write_result(&r);
    if (status >= 0)
        status = aci_bytes_take(out, &r.out, err);
    clear(&r);
    return status;
}
