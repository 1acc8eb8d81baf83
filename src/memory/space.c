/* SPDX-License-Identifier: Apache-2.0 */
/* Names of namespaces: as they are written, and as they are stored. */
#include "memory/memory_internal.h"

#include "base/error.h"
#include "state/state.h"
#include <string.h>

static const char any_label[] = "\xff";

static agentchat_status fail_name(const char *text, const char *why, agentchat_error *err)
{
    aci_excerpt excerpt;

    return aci_fail(err, AGENTCHAT_E_INVALID, "the namespace \"%s\" %s",
                    aci_error_excerpt(agentchat_str_from(text), &excerpt), why);
}

/* Writes one label with its end. */
static agentchat_status read_label(const char *text, agentchat_str label, bool stars, aci_space *out,
                                   agentchat_error *err)
{
    size_t begin = out->len;

    if (label.len == 0)
        return fail_name(text, "has an empty label: a \"/\" stands between two labels only", err);
    if (stars && label.len == 1 && *label.ptr == '*')
        label = agentchat_str_from(any_label);
    for (size_t i = 0; i < label.len; i++) {
        char c = label.ptr[i];

        if (c == '~') {
            const char *which = i + 1 < label.len ? strchr("012", label.ptr[i + 1]) : NULL;

            if (which == NULL || *which == '\0')
                return fail_name(text, "has a \"~\" that is none of ~0 (\"~\"), ~1 (\"/\") and ~2 (\"*\")", err);
            c = "~/*"[*which - '0'];
            i++;
        }
        if (out->len >= ACI_MOST_SPACE)
            return fail_name(text, "is too long: it has at most 1024 bytes, one added for each label", err);
        out->bytes[out->len++] = c;
    }
    if (out->len >= ACI_MOST_SPACE)
        return fail_name(text, "is too long: it has at most 1024 bytes, one added for each label", err);
    out->bytes[out->len++] = '\0';
    if (label.ptr == any_label)
        return AGENTCHAT_OK;
    return aci_label_check((agentchat_str){out->bytes + begin, out->len - begin - 1}, "label of the namespace", err);
}

agentchat_status aci_space_read(const char *text, bool stars, aci_space *out, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    const char *at = text;

    out->len = 0;
    if (text == NULL || strcmp(text, "/") == 0)
        return AGENTCHAT_OK;
    if (*text == '\0')
        return aci_fail(err, AGENTCHAT_E_INVALID, "the namespace has no name; all of them is \"/\"");
    while (status >= 0) {
        size_t len = strcspn(at, "/");

        status = read_label(text, (agentchat_str){at, len}, stars, out, err);
        if (at[len] == '\0')
            break;
        at += len + 1;
    }
    return status;
}

agentchat_str aci_space_bytes(const aci_space *space)
{
    return (agentchat_str){space->bytes, space->len};
}

bool aci_space_label(agentchat_str space, size_t *at, agentchat_str *label)
{
    const char *end = *at < space.len ? memchr(space.ptr + *at, '\0', space.len - *at) : NULL;

    if (end == NULL)
        return false;
    *label = (agentchat_str){space.ptr + *at, (size_t)(end - space.ptr) - *at};
    *at += label->len + 1;
    return true;
}

const char *aci_space_print(agentchat_str space, aci_arena *arena)
{
    char *text = aci_arena_text(arena, space.len * 2 + 2), *out = text;
    agentchat_str label;

    if (text == NULL)
        return NULL;
    for (size_t at = 0; aci_space_label(space, &at, &label);) {
        if (out != text)
            *out++ = '/';
        for (size_t i = 0; i < label.len; i++) {
            static const char escaped[] = "~/*";
            const char *which = strchr(escaped, label.ptr[i]);

            if (which != NULL)
                *out++ = '~';
            *out++ = which != NULL ? (char)('0' + (which - escaped)) : label.ptr[i];
        }
    }
    if (out == text)
        *out++ = '/';
    *out = '\0';
    return text;
}

bool aci_space_end(agentchat_str space, bool exact, aci_arena *arena, agentchat_str *out)
{
    char *bytes = aci_arena_text(arena, space.len + 1);

    if (bytes == NULL)
        return false;
    if (space.len > 0)
        memcpy(bytes, space.ptr, space.len);
    bytes[space.len] = exact ? '\0' : any_label[0]; /* after each label stands a byte above 0 and below 0xFF */
    *out = (agentchat_str){bytes, space.len + 1};
    return true;
}
