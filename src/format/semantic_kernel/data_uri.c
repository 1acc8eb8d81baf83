/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data URIs as .NET's BinaryContent parses them: data:[type/subtype][;name=value]*[;format],payload. The parameters go
 * into the metadata as "data-uri-NAME"; a payload whose format is not base64 is taken as it stands, with no
 * percent-decoding.
 */
#include "format/semantic_kernel/data_uri.h"
#include "format/semantic_kernel/properties.h"

#include "base/b64.h"
#include "base/utf8.h"
#include "json/value.h"
#include "json/walk.h"
#include <string.h>

static const char prefix[] = "data-uri-";

bool aci_sk_is_data_uri(agentchat_str text)
{
    return text.len >= 5 && aci_utf8_equal_ignore_case((agentchat_str){text.ptr, 5}, AGENTCHAT_STR("data:"));
}

/* Cuts the part before the next `separator` off *rest. false: there is none left. */
static bool cut(agentchat_str *rest, char separator, agentchat_str *part)
{
    const char *at;

    if (rest->ptr == NULL)
        return false;
    at = rest->len > 0 ? memchr(rest->ptr, separator, rest->len) : NULL;
    part->ptr = rest->ptr;
    if (at == NULL) {
        part->len = rest->len;
        *rest = (agentchat_str){NULL, 0};
    } else {
        part->len = (size_t)(at - rest->ptr);
        rest->len -= part->len + 1;
        rest->ptr = at + 1;
    }
    return true;
}

/* Parses what follows the type: parameters, and at most a format at the end. */
static bool parse_parts(agentchat_str rest, aci_sk_data_uri *out)
{
    agentchat_str part;

    out->parameters = rest;
    while (cut(&rest, ';', &part)) {
        const char *equals = part.len > 0 ? memchr(part.ptr, '=', part.len) : NULL;

        if (equals == NULL) {
            if (rest.ptr != NULL)
                return false; /* a format that is not the last part */
            out->is_base64 = aci_utf8_equal_ignore_case(part, AGENTCHAT_STR("base64"));
            out->parameters.len = (size_t)(part.ptr - out->parameters.ptr);
        } else if (equals == part.ptr || memchr(equals + 1, '=', part.len - (size_t)(equals + 1 - part.ptr)) != NULL) {
            return false;
        }
    }
    return true;
}

bool aci_sk_data_uri_parse(agentchat_str text, aci_sk_data_uri *out)
{
    agentchat_str head, type;
    size_t bad;

    memset(out, 0, sizeof *out);
    if (!aci_sk_is_data_uri(text))
        return false;
    text.ptr += 5;
    text.len -= 5;
    if (!cut(&text, ',', &head) || text.ptr == NULL)
        return false;
    out->payload = text;
    (void)cut(&head, ';', &type);
    if (type.len == 0)
        out->mime_type = AGENTCHAT_STR("text/plain");
    else if (memchr(type.ptr, '/', type.len) != NULL)
        out->mime_type = type;
    else
        return false;
    if (head.ptr != NULL && !parse_parts(head, out))
        return false;
    return !out->is_base64 || (out->payload.len > 0 && aci_b64_check(out->payload, &bad));
}

/* Cuts the next NAME=VALUE off *rest. false: there is none left. */
static bool next_parameter(agentchat_str *rest, agentchat_str *name, agentchat_str *value)
{
    agentchat_str part;

    while (rest->len > 0 && cut(rest, ';', &part))
        if (cut(&part, '=', name) && part.ptr != NULL) {
            *value = part;
            return true;
        }
    return false;
}

/* Appends text as the inside of a JSON string. */
static bool add_escaped(aci_buf *buf, agentchat_str text)
{
    const unsigned char *p = (const unsigned char *)text.ptr, *end = p + text.len;

    while (p < end) {
        uint32_t c = 0;
        size_t len = aci_utf8_decode(p, end, true, &c);
        bool plain = c >= 0x20 && c != '"' && c != '\\' && (c < 0xd800 || c > 0xdfff);

        if (len == 0 || !(plain ? aci_buf_add(buf, p, len) : aci_buf_printf(buf, "\\u%04x", (unsigned)c)))
            return false;
        p += len;
    }
    return true;
}

/* Whether a raw key of the old metadata is replaced by one of the parameters. */
static bool is_replaced(const aci_sk_data_uri *uri, agentchat_str raw_key)
{
    agentchat_str rest = uri->parameters, name, value;

    if (raw_key.len < sizeof prefix + 1 || memcmp(raw_key.ptr + 1, prefix, sizeof prefix - 1) != 0)
        return false;
    raw_key.ptr += sizeof prefix;
    raw_key.len -= sizeof prefix + 1;
    while (next_parameter(&rest, &name, &value))
        if (agentchat_str_equal(name, raw_key))
            return true;
    return false;
}

static bool add_old(aci_buf *buf, const aci_sk_data_uri *uri, agentchat_str metadata)
{
    aci_walk walk;

    aci_walk_begin(&walk, metadata);
    while (aci_walk_next(&walk)) {
        if (is_replaced(uri, walk.key))
            continue;
        if ((buf->len > 1 && !aci_buf_add(buf, ",", 1)) || !aci_buf_add_str(buf, walk.key) ||
            !aci_buf_add(buf, ":", 1) || !aci_buf_add_str(buf, walk.value))
            return false;
    }
    return true;
}

static bool add_parameters(aci_buf *buf, const aci_sk_data_uri *uri)
{
    agentchat_str rest = uri->parameters, name, value;

    while (next_parameter(&rest, &name, &value))
        if ((buf->len > 1 && !aci_buf_add(buf, ",", 1)) || !aci_buf_add(buf, "\"", 1) ||
            !aci_buf_add(buf, prefix, sizeof prefix - 1) || !add_escaped(buf, name) || !aci_buf_add(buf, "\":\"", 3) ||
            !add_escaped(buf, value) || !aci_buf_add(buf, "\"", 1))
            return false;
    return true;
}

/* The metadata with the parameters in it. false: out of memory. */
static bool merge_metadata(const aci_sk_data_uri *uri, aci_draft *draft, const agentchat_env *env, aci_arena *arena)
{
    agentchat_str old = aci_field_view(aci_field_find(draft->fields, draft->field_count, AGENTCHAT_FIELD_METADATA));
    aci_buf buf;
    bool ok = true;

    if (old.len > 0 && old.ptr[0] != '{') { /* nothing that could be added to */
        agentchat_extra extra = {AGENTCHAT_STR("Metadata"), old, ACI_TAG(aci_sk_name)};

        if (!aci_draft_add_extra(draft, env, extra))
            return false;
        old = (agentchat_str){NULL, 0};
    }
    aci_buf_init(&buf, env, SIZE_MAX);
    ok = aci_buf_add(&buf, "{", 1) && add_old(&buf, uri, old) && add_parameters(&buf, uri) && aci_buf_add(&buf, "}", 1);
    if (ok) {
        agentchat_str merged = aci_arena_copy(arena, aci_buf_str(&buf), &ok);

        if (ok)
            aci_draft_set(draft, AGENTCHAT_FIELD_METADATA, ACI_FORM_JSON, merged);
    }
    aci_buf_clear(&buf);
    return ok;
}

aci_data *aci_sk_data_uri_apply(const aci_sk_data_uri *uri, aci_draft *draft, const agentchat_env *env,
                                aci_arena *arena)
{
    const agentchat_str none = {NULL, 0};

    aci_draft_set(draft, AGENTCHAT_FIELD_MIME_TYPE, ACI_FORM_TEXT, uri->mime_type);
    if (uri->parameters.len > 0 && !merge_metadata(uri, draft, env, arena))
        return NULL;
    return uri->is_base64 ? aci_data_new(arena, uri->payload, none) : aci_data_new(arena, none, uri->payload);
}
