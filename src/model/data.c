/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data of items: kept in the form in which it arrived; the other form is made once, when somebody asks.
 *
 * Any number of threads may ask at the same time: each that finds nothing makes the other form, one of them publishes
 * its own by compare-exchange and attaches it to the arena, the others free theirs and use the published one.
 */
#include "model/model.h"

#include "base/b64.h"
#include "base/checked.h"
#include "base/error.h"
#include <string.h>

aci_data *aci_data_new(aci_arena *arena, agentchat_str base64, agentchat_str bytes)
{
    aci_data *data = aci_arena_alloc(arena, sizeof *data);

    if (data == NULL)
        return NULL;
    data->base64 = base64;
    data->bytes = bytes;
    atomic_init(&data->made, NULL);
    return data;
}

const aci_data *aci_data_of(const agentchat_item *item)
{
    if (item == NULL || item->kind < AGENTCHAT_ITEM_IMAGE || item->kind > AGENTCHAT_ITEM_BINARY)
        return NULL;
    return item->u.data;
}

bool agentchat_item_has_data(const agentchat_item *item)
{
    return aci_data_of(item) != NULL;
}

size_t agentchat_item_data_size(const agentchat_item *item)
{
    const aci_data *data = aci_data_of(item);

    if (data == NULL)
        return 0;
    return data->bytes.ptr != NULL ? data->bytes.len : aci_b64_decoded_size(data->base64);
}

/* A block for `len` bytes of text. The decoder writes one byte more than it gives, hence the spare one. */
static aci_data_made *made_alloc(const agentchat_env *env, size_t len)
{
    aci_data_made *made;
    size_t size;

    if (!aci_add(len, sizeof *made + 1, &size))
        return NULL;
    made = aci_alloc(env, size);
    if (made == NULL)
        return NULL;
    made->attached.next = NULL;
    made->attached.size = size;
    made->attached.destroy = NULL;
    made->len = len;
    return made;
}

/* The form of `data` that is not there, made now or earlier. NULL: out of memory. */
static const aci_data_made *other_form(aci_data *data, aci_arena *arena)
{
    const agentchat_env *env = aci_arena_env(arena);
    aci_data_made *made = atomic_load_explicit(&data->made, memory_order_acquire);
    aci_data_made *expected = NULL;

    if (made != NULL)
        return made;
    if (data->bytes.ptr == NULL) {
        made = made_alloc(env, aci_b64_decoded_size(data->base64));
        if (made != NULL)
            aci_b64_decode(data->base64, made->text);
    } else {
        made = made_alloc(env, aci_b64_encoded_size(data->bytes.len));
        if (made != NULL)
            aci_b64_encode(data->bytes.ptr, data->bytes.len, made->text);
    }
    if (made == NULL)
        return NULL;
    if (!atomic_compare_exchange_strong_explicit(&data->made, &expected, made, memory_order_acq_rel,
                                                 memory_order_acquire)) {
        aci_free(env, made, made->attached.size);
        return expected;
    }
    aci_arena_attach(arena, &made->attached);
    return made;
}

/* `here` is the wanted form if the data arrived in it. */
static agentchat_status give(aci_data *data, aci_arena *arena, agentchat_str here, agentchat_str *out,
                             agentchat_error *err)
{
    const aci_data_made *made;

    *out = here;
    if (here.ptr != NULL)
        return AGENTCHAT_OK;
    made = other_form(data, arena);
    if (made == NULL)
        return aci_fail_nomem(err);
    *out = (agentchat_str){made->text, made->len};
    return AGENTCHAT_OK;
}

agentchat_status agentchat_item_bytes(const agentchat_item *item, agentchat_str *out, agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = (agentchat_str){NULL, 0};
    if (aci_data_of(item) == NULL)
        return AGENTCHAT_OK;
    return give(item->u.data, item->arena, item->u.data->bytes, out, err);
}

agentchat_status agentchat_item_base64(const agentchat_item *item, agentchat_str *out, agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = (agentchat_str){NULL, 0};
    if (aci_data_of(item) == NULL)
        return AGENTCHAT_OK;
    return give(item->u.data, item->arena, item->u.data->base64, out, err);
}

/* ---- equality ----------------------------------------------------------------------------------------------- */

/* A multiple of three, so that pieces encode without padding between them. */
enum { PIECE = 1536 };

/* Whether base64 text is what bytes encode to, piece by piece: an image needs no memory of its size. */
static bool encodes_to(agentchat_str bytes, agentchat_str base64)
{
    char piece[PIECE / 3 * 4];
    size_t at = 0;

    if (aci_b64_encoded_size(bytes.len) != base64.len)
        return false;
    for (size_t done = 0; done < bytes.len; done += PIECE) {
        size_t len = bytes.len - done < PIECE ? bytes.len - done : PIECE;
        size_t encoded = aci_b64_encoded_size(len);

        aci_b64_encode(bytes.ptr + done, len, piece);
        if (memcmp(piece, base64.ptr + at, encoded) != 0)
            return false;
        at += encoded;
    }
    return true;
}

bool aci_data_equal(const aci_data *a, const aci_data *b)
{
    if (a == b)
        return true;
    if (a == NULL || b == NULL)
        return false;
    if (a->bytes.ptr != NULL && b->bytes.ptr != NULL)
        return agentchat_str_equal(a->bytes, b->bytes);
    if (a->base64.ptr != NULL && b->base64.ptr != NULL)
        return agentchat_str_equal(a->base64, b->base64); /* canonical: one spelling for each value */
    return a->bytes.ptr != NULL ? encodes_to(a->bytes, b->base64) : encodes_to(b->bytes, a->base64);
}
