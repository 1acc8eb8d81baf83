/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources in general: making, releasing, reading to the end.
 *
 * A caller's functions are not trusted to keep their contract: every answer is checked before it is used.
 */
#include "io/stream_impl.h"

#include "base/error.h"
#include <inttypes.h>
#include <string.h>

#define FIRST_READ ((size_t)64 << 10)

agentchat_status aci_source_make(const agentchat_env *env, const agentchat_source_ops *ops, void *self,
                                 const char *name, agentchat_source **out, agentchat_error *err)
{
    agentchat_source *source;

    env = aci_env(env);
    *out = NULL;
    source = aci_alloc_zero(env, sizeof *source);
    if (source == NULL)
        goto failed;
    if (name != NULL) {
        source->name = aci_strdup(env, agentchat_str_from(name));
        if (source->name == NULL)
            goto failed;
    }
    source->env = env;
    source->ops = *ops;
    source->self = self;
    *out = source;
    return AGENTCHAT_OK;

failed:
    aci_free(env, source, sizeof *source);
    if (ops->free != NULL)
        ops->free(self);
    aci_error_source(err, name);
    return aci_fail_nomem(err);
}

agentchat_status agentchat_source_new(const agentchat_env *env, const agentchat_source_ops *ops, void *self,
                                      agentchat_source **out, agentchat_error *err)
{
    agentchat_source_ops loaded = {0};
    agentchat_status status = AGENTCHAT_OK;

    agentchat_error_clear(err);
    if (out != NULL)
        *out = NULL;
    if (ops == NULL)
        return aci_fail_null(err, "ops");
    if (out == NULL)
        status = aci_fail_null(err, "out");
    if (status == AGENTCHAT_OK)
        status = aci_env_options_load(&loaded, sizeof loaded, ops, err);
    if (status == AGENTCHAT_OK && loaded.read == NULL)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "a source needs a read function");
    if (status < 0) {
        /* The first version of the struct had this member, so it is there even where struct_size was forgotten. */
        if (ops->free != NULL)
            ops->free(self);
        return status;
    }
    return aci_source_make(env, &loaded, self, NULL, out, err);
}

void agentchat_source_ops_init(agentchat_source_ops *ops, size_t size)
{
    aci_env_options_init(ops, size);
}

void agentchat_source_free(agentchat_source *source)
{
    if (source == NULL)
        return;
    if (source->ops.free != NULL)
        source->ops.free(source->self);
    if (source->name != NULL)
        aci_free(source->env, source->name, strlen(source->name) + 1);
    aci_free(source->env, source, sizeof *source);
}

const char *aci_source_name(const agentchat_source *source)
{
    return source->name;
}

/* One call of the source's read function: OK with bytes, DONE, or an error that is complete. */
static agentchat_status read_some(agentchat_source *source, char *buffer, size_t cap, size_t *out_len,
                                  agentchat_error *err)
{
    agentchat_error local;
    agentchat_status status;

    /* Its own record, so that neither a stray message beside a success nor a wrong code gets out. */
    agentchat_error_clear(&local);
    *out_len = 0;
    status = source->ops.read(source->self, buffer, cap, out_len, &local);
    if (status < 0) {
        if (local.code == 0)
            aci_fail(&local, status, "the source failed to read: %s", agentchat_status_text(status));
        local.code = status;
        if (err != NULL && err->code == 0)
            *err = local;
        return status;
    }
    if (status == AGENTCHAT_OK && *out_len > 0 && *out_len <= cap)
        return AGENTCHAT_OK;
    if (status == AGENTCHAT_DONE && *out_len == 0)
        return AGENTCHAT_DONE;
    if (status == AGENTCHAT_OK && *out_len == 0)
        return aci_fail(err, AGENTCHAT_E_CALLBACK, "the source's read function gave no bytes and did not say DONE");
    if (*out_len > cap)
        return aci_fail(err, AGENTCHAT_E_CALLBACK,
                        "the source's read function claims more bytes than it was asked for");
    return aci_fail(err, AGENTCHAT_E_CALLBACK,
                    "the source's read function broke its contract: it returned %d with bytes", (int)status);
}

static agentchat_status too_long(uint64_t max_bytes, agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_LIMIT, "the input is longer than %" PRIu64 " bytes, the limit max_bytes",
                    max_bytes);
}

/* Reads until the end or until `room` bytes are there. DONE at the end. */
static agentchat_status fill(agentchat_source *source, char *data, size_t room, size_t *len, agentchat_error *err)
{
    while (*len < room) {
        size_t got = 0;
        agentchat_status status = read_some(source, data + *len, room - *len, &got, err);

        if (status != AGENTCHAT_OK)
            return status;
        *len += got;
    }
    return AGENTCHAT_OK;
}

agentchat_status aci_source_read_all(agentchat_source *source, const agentchat_env *env, uint64_t max_bytes,
                                     char **out_data, size_t *out_len, size_t *out_cap, agentchat_error *err)
{
    /* One byte more than the limit is enough to see that it is exceeded, and one byte more than the expected size to
       see the end without growing. */
    size_t highest = max_bytes < SIZE_MAX / 2 ? (size_t)max_bytes + 1 : SIZE_MAX / 2;
    uint64_t expected = source->bytes_left != NULL ? source->bytes_left(source->self) : 0;
    size_t room, len = 0, cap = 0;
    char *data = NULL;
    agentchat_status status;

    *out_data = NULL;
    *out_len = 0;
    *out_cap = 0;
    env = aci_env(env);
    if (expected > max_bytes) {
        status = too_long(max_bytes, err);
        goto cleanup;
    }
    room = expected == 0 ? FIRST_READ : expected < highest ? (size_t)expected + 1 : highest;
    if (room > highest)
        room = highest;
    for (;;) {
        char *moved = aci_realloc(env, data, cap, room + ACI_READ_PADDING);

        if (moved == NULL) {
            status = aci_fail_nomem(err);
            goto cleanup;
        }
        data = moved;
        cap = room + ACI_READ_PADDING;
        status = fill(source, data, room, &len, err);
        if (status != AGENTCHAT_OK)
            break;
        if (room == highest) {
            status = too_long(max_bytes, err);
            goto cleanup;
        }
        room = room > highest / 2 ? highest : room * 2;
    }
    if (status < 0)
        goto cleanup;
    memset(data + len, 0, ACI_READ_PADDING);
    *out_data = data;
    *out_len = len;
    *out_cap = cap;
    return AGENTCHAT_OK;

cleanup:
    aci_free(env, data, cap);
    aci_error_source(err, source->name);
    return status;
}
