/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ADK-Rust returns from a function beside its result, bytes and files, as Google's ADKs have it: parts of the
 * response (docs/formats/adk.md). Layer 5.
 */
#include "event/adk.h"

#include "base/error.h"

/* One of ADK-Rust's, taken apart. */
typedef struct medium {
    aci_home *home;
    aci_draft others; /* members that have no place there */
    agentchat_str mime_type, uri;
    agentchat_str base64, bytes; /* one of them, or the URI */
} medium;

static bool take_text(aci_adk_reader *a, const aci_adk_value *value, agentchat_str *out)
{
    return !aci_adk_has(value) || *value->raw.ptr != '"' || aci_adk_decode(a, value->raw, out);
}

/* false: it is something else, or a failure, which a->status tells. */
static bool take_medium(aci_adk_reader *a, agentchat_str raw, bool is_file, medium *m)
{
    aci_adk_value values[ACI_ADK_NAMES];
    const aci_adk_value *what = &values[is_file ? (int)ACI_ADK_FILE_URI : (int)ACI_ADK_DATA_DATA];

    if (*raw.ptr != '{' ||
        !aci_adk_members(a, NULL, raw, is_file ? &aci_adk_file : &aci_adk_data, values, &m->others) ||
        !take_text(a, &values[is_file ? (int)ACI_ADK_FILE_MIME_TYPE : (int)ACI_ADK_DATA_MIME_TYPE], &m->mime_type))
        return false;
    if (is_file)
        return take_text(a, what, &m->uri) && m->uri.ptr != NULL;
    return aci_adk_has(what) && aci_adk_bytes(a, NULL, what->raw, &m->base64, &m->bytes) &&
           (m->base64.ptr != NULL || m->bytes.ptr != NULL);
}

static void put_medium(aci_adk_writer *wr, const aci_adk_path *path, const medium *m)
{
    const aci_adk_path mime_type = {path, AGENTCHAT_STR("mime_type"), 0}, uri = {path, AGENTCHAT_STR("file_uri"), 0};
    const aci_data data = {.base64 = m->base64, .bytes = m->bytes};

    aci_jw_object_begin(&wr->w);
    aci_jw_key(&wr->w, m->uri.ptr != NULL ? AGENTCHAT_STR("fileData") : AGENTCHAT_STR("inlineData"));
    aci_jw_object_begin(&wr->w);
    if (m->uri.ptr != NULL) {
        ACI_JW_KEY(&wr->w, "fileUri");
        aci_adk_put_text(wr, &uri, m->uri);
    } else {
        ACI_JW_KEY(&wr->w, "data");
        if (!aci_adk_put_bytes(wr, &data))
            aci_adk_failed(wr, AGENTCHAT_E_NOMEM);
    }
    if (m->mime_type.ptr != NULL) {
        ACI_JW_KEY(&wr->w, "mimeType");
        aci_adk_put_text(wr, &mime_type, m->mime_type);
    }
    aci_jw_object_end(&wr->w);
    aci_jw_object_end(&wr->w);
    for (size_t i = 0; i < m->others.extra_count; i++) {
        const aci_adk_path at = {path, m->others.extras[i].name, 0};

        aci_adk_told(wr, AGENTCHAT_REPORT_LOSS, &at, "the property was left out: adk-python refuses it");
    }
}

static void put_one(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str raw, bool is_file)
{
    medium m = {.home = aci_home_new(wr->env, 0)};
    aci_adk_reader a = {.env = wr->env, .home = m.home};

    aci_draft_begin(&m.others);
    if (m.home != NULL && take_medium(&a, raw, is_file, &m))
        put_medium(wr, path, &m);
    else if (m.home == NULL || a.status == AGENTCHAT_E_NOMEM)
        aci_adk_failed(wr, AGENTCHAT_E_NOMEM);
    else
        aci_adk_told(wr, AGENTCHAT_REPORT_LOSS, path, "the part was left out: adk-python refuses it");
    aci_draft_clear(&m.others, wr->env);
    aci_home_unref(m.home);
}

static void put_all(aci_adk_writer *wr, const aci_adk_path *path, uint32_t index, agentchat_str raw)
{
    const aci_adk_path list = {path, aci_adk_camel(&aci_adk_response, index), 0};
    aci_walk walk;
    size_t i = 0;

    if (raw.ptr == NULL)
        return;
    aci_adk_told(wr, AGENTCHAT_REPORT_REPAIR, &list, "the property was written as \"parts\"");
    aci_walk_begin(&walk, raw);
    for (; aci_walk_next(&walk) && wr->w.status >= 0; i++) {
        const aci_adk_path at = {&list, {NULL, 0}, i};

        put_one(wr, &at, walk.value, index == ACI_ADK_RESPONSE_FILE);
    }
}

/* The bit of a list of ADK-Rust's that is there; 0: it is not, or is something else. */
static uint64_t bit_of(const agentchat_str *taken, uint32_t index)
{
    return taken[index].ptr != NULL && *taken[index].ptr == '[' ? UINT64_C(1) << index : 0;
}

uint64_t aci_adk_put_response_media(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str response)
{
    agentchat_str taken[ACI_ADK_NAMES];
    uint64_t written;

    if (!aci_adk_taken(wr, &aci_adk_response, response, taken) || taken[ACI_ADK_RESPONSE_PARTS].ptr != NULL)
        return 0;
    written = bit_of(taken, ACI_ADK_RESPONSE_INLINE) | bit_of(taken, ACI_ADK_RESPONSE_FILE);
    if (written == 0)
        return 0;
    ACI_JW_KEY(&wr->w, "parts");
    aci_jw_array_begin(&wr->w);
    for (uint32_t i = ACI_ADK_RESPONSE_INLINE; i <= ACI_ADK_RESPONSE_FILE; i++)
        if ((written >> i & 1) != 0)
            put_all(wr, path, i, taken[i]);
    aci_jw_array_end(&wr->w);
    return written;
}
