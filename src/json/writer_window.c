/* SPDX-License-Identifier: Apache-2.0 */
/* The writer's way to the sink: a fixed window, and the parts that are wrapped into a string on the way. */
#include "json/writer_internal.h"

#include "base/b64.h"
#include "base/error.h"
#include "io/stream.h"

enum {
    WINDOW = 64 * 1024,
    SPELL_AT_ONCE = 2 * ACI_JSON_SPELL_ROOM /* room in the window worth spelling into */
};

/* ---- window --------------------------------------------------------------------------------------------------- */

agentchat_status aci_writer_begin(aci_json_writer *w, const agentchat_env *env, agentchat_sink *sink,
                                  aci_json_profile profile, uint32_t indent, agentchat_error *err)
{
    *w = (aci_json_writer){0};
    w->env = aci_env(env);
    w->sink = sink;
    w->profile = profile;
    w->indent = indent;
    w->err = err;
    w->mode = ACI_JW_PLAIN;
    w->window = aci_alloc(w->env, WINDOW);
    if (w->window == NULL)
        return w->status = aci_fail_nomem(err);
    w->cap = WINDOW;
    aci_writer_set_straight(w);
    return AGENTCHAT_OK;
}

static void to_sink(aci_json_writer *w, const char *bytes, size_t len)
{
    if (w->status < 0 || len == 0)
        return;
    w->status = aci_sink_write(w->sink, bytes, len, w->err);
    if (w->status >= 0)
        w->written += len;
}

static void flush(aci_json_writer *w)
{
    to_sink(w, w->window, w->used);
    w->used = 0;
}

void aci_writer_window_slow(aci_json_writer *w, const char *bytes, size_t len)
{
    if (len < ACI_JW_DIRECT && w->window != NULL) {
        size_t fits = w->cap - w->used;

        memcpy(w->window + w->used, bytes, fits);
        w->used = w->cap;
        bytes += fits;
        len -= fits;
        flush(w);
        memcpy(w->window, bytes, len);
        w->used = len;
    } else if (w->window != NULL) {
        flush(w);
        to_sink(w, bytes, len);
    }
}

agentchat_status aci_writer_end(aci_json_writer *w)
{
    if (w->window != NULL) {
        flush(w);
        aci_free(w->env, w->window, WINDOW);
        w->window = NULL;
        w->used = w->cap = 0;
    }
    if (w->status >= 0 && (w->depth != 0 || w->mode != ACI_JW_PLAIN))
        w->status = aci_fail(w->err, AGENTCHAT_E_INTERNAL, "a container was left open by its writer");
    return w->status;
}

/* ---- wrapped parts -------------------------------------------------------------------------------------------- */

/* Base64 of complete groups, made right in the window. */
static void put_groups(aci_json_writer *w, const char *bytes, size_t len)
{
    while (len > 0 && w->status >= 0) {
        size_t groups = (w->cap - w->used) / 4, wanted = len / 3;

        if (groups == 0) {
            flush(w);
            continue;
        }
        if (groups > wanted)
            groups = wanted;
        aci_b64_encode(bytes, groups * 3, w->window + w->used);
        w->used += groups * 4;
        bytes += groups * 3;
        len -= groups * 3;
    }
}

static void put_encoded(aci_json_writer *w, const char *bytes, size_t len)
{
    size_t complete;

    if (w->carry_len > 0) {
        while (w->carry_len < 3 && len > 0) {
            w->carry[w->carry_len++] = (unsigned char)*bytes++;
            len--;
        }
        if (w->carry_len < 3)
            return;
        put_groups(w, (const char *)w->carry, 3);
        w->carry_len = 0;
    }
    complete = len - len % 3;
    put_groups(w, bytes, complete);
    memcpy(w->carry, bytes + complete, len - complete);
    w->carry_len = (uint32_t)(len - complete);
}

void aci_writer_window_spell(aci_json_writer *w, const char *text, size_t len)
{
    const char *p = text, *end = text + len;

    if (len >= ACI_JW_DIRECT &&
        aci_json_plain_prefix(p, ACI_JW_DIRECT, w->profile) == ACI_JW_DIRECT) { /* long and plain, by the look of it */
        size_t n = aci_json_plain_prefix(p, len, w->profile);

        aci_writer_put_window(w, p, n);
        p += n;
    }
    while (p < end && w->status >= 0) {
        size_t n;

        if (w->cap - w->used < SPELL_AT_ONCE)
            flush(w);
        n = aci_json_spell(&p, end, w->profile, w->window + w->used, w->cap - w->used);
        w->used += n;
        if (n == 0)
            w->status = aci_fail(w->err, AGENTCHAT_E_INVALID, "text to be written is not UTF-8");
    }
}

void aci_writer_window_spell_wrapped(aci_json_writer *w, const char *text, size_t len)
{
    const char *p = text, *end = text + len;
    char spelled[4096];

    while (p < end && w->status >= 0) {
        size_t n = aci_json_spell(&p, end, w->profile, spelled, sizeof(spelled));

        aci_writer_window_put_wrapped(w, spelled, n);
        if (n == 0)
            w->status = aci_fail(w->err, AGENTCHAT_E_INVALID, "text to be written is not UTF-8");
    }
}

void aci_writer_window_put_wrapped(aci_json_writer *w, const char *bytes, size_t len)
{
    if (w->status < 0)
        return;
    if (w->mode == ACI_JW_ENCODED)
        put_encoded(w, bytes, len);
    else
        aci_writer_window_spell(w, bytes, len);
}
