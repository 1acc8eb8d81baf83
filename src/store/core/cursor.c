/* SPDX-License-Identifier: Apache-2.0 */
/* Cursors of lists that are read by pages. */
#include "store/core/cursor.h"

#include "base/b64.h"
#include "base/buf.h"
#include "base/error.h"
#include <string.h>

const char *aci_sql_cursor_make(aci_arena *arena, const agentchat_str *parts, size_t count)
{
    char *encoded = NULL;
    aci_buf text;
    bool ok;

    aci_buf_init(&text, aci_arena_env(arena), SIZE_MAX);
    ok = aci_buf_add(&text, "1", 1);
    for (size_t i = 0; ok && i < count; i++)
        ok = aci_buf_add(&text, "", 1) && aci_buf_add_str(&text, parts[i]);
    if (ok) {
        size_t size = aci_b64_encoded_size(text.len);

        encoded = aci_arena_text(arena, size + 1);
        if (encoded != NULL) {
            aci_b64_encode(text.ptr, text.len, encoded);
            encoded[size] = '\0';
        }
    }
    aci_buf_clear(&text);
    return encoded;
}

/* Cuts decoded text at its NULs. false: other than so many parts. */
static bool cut(agentchat_str text, agentchat_str *parts, size_t count)
{
    const char *end = text.ptr + text.len;

    for (size_t i = 0; i < count; i++) {
        const char *stop = memchr(text.ptr, '\0', (size_t)(end - text.ptr));
        bool last = i == count - 1;

        if ((stop == NULL) != last)
            return false;
        parts[i] = (agentchat_str){text.ptr, (size_t)((last ? end : stop) - text.ptr)};
        if (!last)
            text.ptr = stop + 1;
    }
    return true;
}

agentchat_status aci_sql_cursor_read(aci_arena *arena, const char *cursor, agentchat_str *parts, size_t count,
                                     const char *of, agentchat_error *err)
{
    agentchat_str encoded = agentchat_str_from(cursor), text = {NULL, 0};
    size_t bad;
    char *room;

    if (!aci_b64_check(encoded, &bad))
        return aci_fail(err, AGENTCHAT_E_INVALID, "this is no cursor of a list of %s", of);
    text.len = aci_b64_decoded_size(encoded);
    room = aci_arena_text(arena, text.len + 2); /* the decoder writes one byte more */
    if (room == NULL)
        return aci_fail_nomem(err);
    aci_b64_decode(encoded, room);
    room[text.len] = '\0';
    if (text.len < 2 || room[0] != '1' || room[1] != '\0')
        return aci_fail(err, AGENTCHAT_E_INVALID, "this is no cursor of a list of %s", of);
    text = (agentchat_str){room + 2, text.len - 2};
    return cut(text, parts, count) ? AGENTCHAT_OK
                                   : aci_fail(err, AGENTCHAT_E_INVALID, "this is no cursor of a list of %s", of);
}
