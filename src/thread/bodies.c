/* SPDX-License-Identifier: Apache-2.0 */
/* What a put needs stored, by digest. */
#include "thread/bodies.h"

#include "base/b64.h"
#include "base/error.h"
#include "base/sha256.h"
#include "format/native/message_json.h"
#include <string.h>

bool aci_bodies_begin(aci_bodies *bodies, const agentchat_env *env)
{
    memset(bodies, 0, sizeof *bodies);
    bodies->env = env;
    aci_buf_init(&bodies->text, env, SIZE_MAX);
    bodies->arena = aci_arena_new(env, 0);
    return bodies->arena != NULL;
}

void aci_bodies_clear(aci_bodies *bodies)
{
    if (bodies->env == NULL)
        return;
    aci_free(bodies->env, bodies->list, bodies->cap * sizeof *bodies->list);
    aci_index_clear(&bodies->by_digest, bodies->env);
    aci_index_clear(&bodies->by_message, bodies->env);
    aci_buf_clear(&bodies->text);
    aci_arena_unref(bodies->arena);
    memset(bodies, 0, sizeof *bodies);
}

static bool append(aci_bodies *bodies, const unsigned char *digest, agentchat_str bytes)
{
    void *list = bodies->list;
    bool ok = true;
    agentchat_str key = aci_arena_copy(bodies->arena, (agentchat_str){(const char *)digest, ACI_DIGEST_SIZE}, &ok);

    if (!ok || !aci_grow(bodies->env, &list, &bodies->cap, bodies->count, sizeof *bodies->list))
        return false;
    bodies->list = list;
    if (!aci_index_put(&bodies->by_digest, bodies->env, key, bodies->count))
        return false;
    bodies->list[bodies->count++] = (aci_body){(const unsigned char *)key.ptr, bytes, 0, false};
    return true;
}

agentchat_status aci_bodies_add(aci_bodies *bodies, agentchat_str bytes, size_t *index, agentchat_error *err)
{
    unsigned char digest[ACI_DIGEST_SIZE];

    if (!aci_sha256_of(bytes.ptr, bytes.len, digest))
        return aci_fail_nomem(err);
    *index = aci_index_find(&bodies->by_digest, (agentchat_str){(const char *)digest, ACI_DIGEST_SIZE});
    if (*index != ACI_INDEX_NONE)
        return AGENTCHAT_OK;
    *index = bodies->count;
    return append(bodies, digest, bytes) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* ---- messages ------------------------------------------------------------------------------------------------- */

typedef struct large_data { /* of the message that is being encoded */
    aci_bodies *bodies;
    aci_buf list; /* [N,DIGEST],… */
    size_t seen;
    agentchat_status status;
    agentchat_error *err;
} large_data;

static agentchat_str decoded(aci_bodies *bodies, const aci_data *data)
{
    size_t size;
    char *room;

    if (data->bytes.ptr != NULL)
        return data->bytes;
    size = aci_b64_decoded_size(data->base64);
    room = aci_arena_text(bodies->arena, size + 1); /* the decoder writes one byte more */
    if (room != NULL)
        aci_b64_decode(data->base64, room);
    return (agentchat_str){room, room != NULL ? size : 0};
}

static bool add_reference(large_data *large, size_t number, const unsigned char *digest)
{
    static const char digits[] = "0123456789abcdef";
    char hex[2 * ACI_DIGEST_SIZE + 1] = {0};

    for (size_t i = 0; i < ACI_DIGEST_SIZE; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15u];
    }
    return aci_buf_printf(&large->list, "%s[%zu,\"%s\"]", large->list.len > 0 ? "," : "", number, hex);
}

static bool is_apart(void *user, const aci_data *data)
{
    large_data *large = user;
    size_t number = large->seen++, index = 0;
    size_t size = data->bytes.ptr != NULL ? data->bytes.len : aci_b64_decoded_size(data->base64);
    agentchat_str bytes;

    if (size < ACI_BODY_APART || large->status < 0)
        return false;
    bytes = decoded(large->bodies, data);
    large->status =
        bytes.ptr != NULL ? aci_bodies_add(large->bodies, bytes, &index, large->err) : aci_fail_nomem(large->err);
    if (large->status >= 0 && !add_reference(large, number, large->bodies->list[index].digest))
        large->status = aci_fail_nomem(large->err);
    return true;
}

/* The message's body in bodies->text. */
static agentchat_status encode(aci_bodies *bodies, const agentchat_message *message, agentchat_error *err)
{
    large_data large = {.bodies = bodies, .err = err};
    aci_message_apart apart = {is_apart, &large};
    aci_buf *text = &bodies->text;
    agentchat_status status;

    aci_buf_init(&large.list, bodies->env, SIZE_MAX);
    text->len = 0;
    status = aci_buf_add(text, "[", 1) ? aci_message_json_write_apart(bodies->env, message, &apart, text, err)
                                       : aci_fail_nomem(err);
    if (status >= 0)
        status = large.status;
    if (status >= 0 && large.list.len > 0 &&
        !(aci_buf_add(text, ",[", 2) && aci_buf_add_str(text, aci_buf_str(&large.list)) && aci_buf_add(text, "]]", 2)))
        status = aci_fail_nomem(err);
    if (status >= 0 && large.list.len == 0) { /* the message alone */
        text->len--;
        memmove(text->ptr, text->ptr + 1, text->len);
    }
    aci_buf_clear(&large.list);
    return status;
}

/* A key for the index that lives as long as the bodies: the message's address. */
static agentchat_str address_key(aci_arena *arena, const agentchat_message *message)
{
    uintptr_t address = (uintptr_t)message;
    bool ok = true;

    return aci_arena_copy(arena, (agentchat_str){(const char *)&address, sizeof address}, &ok);
}

agentchat_status aci_bodies_add_message(aci_bodies *bodies, const agentchat_message *message, size_t *index,
                                        agentchat_error *err)
{
    uintptr_t address = (uintptr_t)message;
    agentchat_str key = {(const char *)&address, sizeof address};
    agentchat_status status;
    bool ok = true;

    *index = aci_index_find(&bodies->by_message, key);
    if (*index != ACI_INDEX_NONE)
        return AGENTCHAT_OK;
    status = encode(bodies, message, err);
    if (status >= 0) {
        size_t before = bodies->count;

        status = aci_bodies_add(bodies, aci_buf_str(&bodies->text), index, err);
        if (status >= 0 && bodies->count > before) /* the text is the next message's soon */
            bodies->list[*index].bytes = aci_arena_copy(bodies->arena, aci_buf_str(&bodies->text), &ok);
    }
    if (status < 0)
        return status;
    key = address_key(bodies->arena, message);
    return ok && key.ptr != NULL && aci_index_put(&bodies->by_message, bodies->env, key, *index) ? AGENTCHAT_OK
                                                                                                 : aci_fail_nomem(err);
}
