/* SPDX-License-Identifier: Apache-2.0 */
/* Reading base64 as .NET does: over whitespace, and over the bits that the last character has too many. */
#include "format/semantic_kernel/read_item.h"

#include "base/b64.h"

/* Clears the bits that the last character of base64 has too many; .NET reads over them. */
static bool clear_spare_bits(char *text, size_t len)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t padding = len >= 1 && text[len - 1] == '=' ? (len >= 2 && text[len - 2] == '=' ? 2 : 1) : 0;
    const char *digit;

    if (padding == 0 || len < 4)
        return false;
    digit = memchr(alphabet, text[len - 1 - padding], 64);
    if (digit == NULL)
        return false;
    text[len - 1 - padding] = alphabet[(size_t)(digit - alphabet) & (padding == 2 ? 0x30u : 0x3cu)];
    return true;
}

/* Whitespace inside base64 is ignored, as in .NET. */
static bool settle_base64(aci_sk_props *p, agentchat_str text, agentchat_str *out)
{
    char *copy = text.len > 0 ? aci_arena_text(p->s->arena, text.len) : NULL;
    size_t len = 0, bad = 0;

    if (copy == NULL)
        return aci_sk_nomem(p->r);
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != ' ' && text.ptr[i] != '\n' && text.ptr[i] != '\r' && text.ptr[i] != '\t')
            copy[len++] = text.ptr[i];
    aci_arena_text_shrink(p->s->arena, copy, text.len, len);
    *out = (agentchat_str){copy, len};
    if (aci_b64_check(*out, &bad) || (clear_spare_bits(copy, len) && aci_b64_check(*out, &bad)))
        return aci_sk_note(p->s, p->r, p->path, "base64 was written in another way than RFC 4648 asks for");
    (void)aci_b64_check(text, &bad);
    (void)aci_json_fail(p->r, AGENTCHAT_E_SCHEMA, "base64 has an invalid character at byte %zu of the value", bad);
    return false;
}

bool aci_sk_read_base64(aci_sk_props *p, agentchat_str *out)
{
    aci_json_kind kind = aci_json_peek(p->r);
    agentchat_str text;

    *out = (agentchat_str){NULL, 0};
    if (kind == ACI_JSON_NULL)
        return aci_json_null(p->r);
    if (kind != ACI_JSON_STRING)
        return kind != ACI_JSON_ERROR && aci_sk_props_mismatch(p, "a string of base64");
    if (aci_json_plain_base64(p->r, out))
        return true;
    return !aci_json_failed(p->r) && aci_json_string(p->r, &text) && settle_base64(p, text, out);
}
