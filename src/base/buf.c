/* SPDX-License-Identifier: Apache-2.0 */
/* Growable bytes, growable arrays, and the bytes handed to callers. Capacities double. */
#include "base/buf.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/utf8.h"
#include <stdarg.h>
#include <string.h>

#define FIRST_BYTES 128
#define FIRST_ELEMENTS 8

/* A capacity of at least `needed`: doubled from `cap`, but at most `max`. needed <= max. */
static size_t next_capacity(size_t cap, size_t first, size_t needed, size_t max)
{
    size_t next = cap != 0 ? cap : first;

    while (next < needed) {
        if (next > max / 2)
            return max;
        next *= 2;
    }
    return next < max ? next : max;
}

void aci_buf_init(aci_buf *buf, const agentchat_env *env, size_t max)
{
    *buf = (aci_buf){.max = max, .env = aci_env(env)};
}

void aci_buf_clear(aci_buf *buf)
{
    aci_free(buf->env, buf->ptr, buf->cap);
    buf->ptr = NULL;
    buf->len = 0;
    buf->cap = 0;
}

bool aci_buf_reserve(aci_buf *buf, size_t more)
{
    size_t needed, cap;
    char *moved;

    if (more <= buf->cap - buf->len)
        return true;
    if (!aci_add(buf->len, more, &needed) || needed > buf->max)
        return false;
    cap = next_capacity(buf->cap, FIRST_BYTES, needed, buf->max);
    moved = aci_realloc(buf->env, buf->ptr, buf->cap, cap);
    if (moved == NULL)
        return false;
    buf->ptr = moved;
    buf->cap = cap;
    return true;
}

bool aci_buf_add(aci_buf *buf, const void *bytes, size_t len)
{
    if (len == 0)
        return true;
    if (!aci_buf_reserve(buf, len))
        return false;
    memcpy(buf->ptr + buf->len, bytes, len);
    buf->len += len;
    return true;
}

bool aci_buf_add_str(aci_buf *buf, agentchat_str text)
{
    return aci_buf_add(buf, text.ptr, text.len);
}

bool aci_buf_add_without_surrogates(aci_buf *out, agentchat_str text)
{
    const unsigned char *p = (const unsigned char *)text.ptr, *end = p + text.len;

    while (p < end) {
        size_t plain = aci_utf8_valid_prefix((const char *)p, (size_t)(end - p), false);

        if (!aci_buf_add(out, p, plain))
            return false;
        p += plain;
        if (p < end) { /* three bytes of WTF-8 */
            if (!aci_buf_add(out, "\xEF\xBF\xBD", 3))
                return false;
            p += (size_t)(end - p) < 3 ? (size_t)(end - p) : 3;
        }
    }
    return true;
}

bool aci_buf_printf(aci_buf *buf, const char *format, ...)
{
    char small[128];
    va_list arguments, again;
    bool ok = false;
    int len;

    va_start(arguments, format);
    va_copy(again, arguments);
    len = vsnprintf(small, sizeof small, format, arguments);
    if (len >= 0 && (size_t)len < sizeof small) {
        ok = aci_buf_add(buf, small, (size_t)len);
    } else if (len >= 0) {
        /* vsnprintf wants room for a NUL, which is not counted into len. */
        char *formatted = aci_alloc(buf->env, (size_t)len + 1);

        if (formatted != NULL) {
            vsnprintf(formatted, (size_t)len + 1, format, again);
            ok = aci_buf_add(buf, formatted, (size_t)len);
            aci_free(buf->env, formatted, (size_t)len + 1);
        }
    }
    va_end(again);
    va_end(arguments);
    return ok;
}

bool aci_grow(const agentchat_env *env, void **array, size_t *cap, size_t count, size_t elem)
{
    size_t next, bytes;
    void *moved;

    if (count < *cap)
        return true;
    if (!aci_mul(*cap, 2, &next))
        return false;
    if (next < FIRST_ELEMENTS)
        next = FIRST_ELEMENTS;
    if (!aci_mul(next, elem, &bytes))
        return false;
    moved = aci_realloc(env, *array, *cap * elem, bytes);
    if (moved == NULL)
        return false;
    *array = moved;
    *cap = next;
    return true;
}

agentchat_status aci_buf_append_bytes(agentchat_bytes *bytes, const agentchat_env *env, agentchat_str text,
                                      agentchat_error *err)
{
    /* The text may be part of the very bytes that it is appended to, which may move. */
    size_t inside = (size_t)((uintptr_t)text.ptr - (uintptr_t)bytes->ptr), needed;
    bool is_inside = bytes->ptr != NULL && text.ptr != NULL && inside <= bytes->len;

    env = aci_env(env);
    if (bytes->ptr != NULL && aci_env(bytes->env) != env)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the bytes to append to belong to another environment");
    if (!aci_add(bytes->len, text.len, &needed) || !aci_add(needed, 1, &needed))
        return aci_fail_nomem(err);
    if (needed > bytes->cap) {
        size_t cap = next_capacity(bytes->cap, FIRST_BYTES, needed, SIZE_MAX);
        char *moved = aci_realloc(env, bytes->ptr, bytes->cap, cap);

        if (moved == NULL)
            return aci_fail_nomem(err);
        bytes->ptr = moved;
        bytes->cap = cap;
        bytes->env = env;
    }
    if (text.len != 0)
        memcpy(bytes->ptr + bytes->len, is_inside ? bytes->ptr + inside : text.ptr, text.len);
    bytes->len = needed - 1;
    bytes->ptr[bytes->len] = '\0';
    return AGENTCHAT_OK;
}

void agentchat_bytes_clear(agentchat_bytes *bytes)
{
    if (bytes != NULL) {
        aci_free(aci_env(bytes->env), bytes->ptr, bytes->cap);
        *bytes = (agentchat_bytes)AGENTCHAT_BYTES_INIT;
    }
}

agentchat_str agentchat_bytes_str(const agentchat_bytes *bytes)
{
    return bytes != NULL && bytes->ptr != NULL ? (agentchat_str){bytes->ptr, bytes->len} : AGENTCHAT_STR("");
}

agentchat_status agentchat_bytes_append(agentchat_bytes *bytes, agentchat_str text, agentchat_error *err)
{
    agentchat_error_clear(err);
    if (bytes == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "there are no bytes to append to");
    return aci_buf_append_bytes(bytes, bytes->env, text, err);
}
