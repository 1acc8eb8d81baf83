/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ADK-Rust returns from a function beside its result, bytes and files, as Google's ADKs have it: parts of the
 * response (docs/formats/adk.md).
 */
#include "format/adk/write.h"

#include "base/error.h"
#include "format/adk/media.h"
#include "json/walk.h"

/* One of ADK-Rust's, taken apart. */
typedef struct medium {
    aci_draft others; /* members that Google's ADKs have no field for */
    agentchat_str mime_type, uri;
    agentchat_str base64, bytes; /* one of them, or the URI */
} medium;

static bool take_text(aci_raw_reader *a, const aci_table_value *value, agentchat_str *out)
{
    return !aci_table_has(value) || *value->raw.ptr != '"' || aci_raw_reader_decode(a, value->raw, out);
}

/* false: it is something else, or a failure, which a->status shows. */
static bool take_medium(aci_raw_reader *a, agentchat_str raw, bool is_file, medium *m)
{
    aci_table_value values[ACI_TABLE_ROWS];
    const aci_table_value *what = &values[is_file ? (int)ACI_ADK_FILE_URI : (int)ACI_ADK_DATA_DATA];

    if (*raw.ptr != '{' ||
        !aci_object_table_members(a, NULL, raw, is_file ? &aci_adk_file : &aci_adk_data, values, &m->others) ||
        !take_text(a, &values[is_file ? (int)ACI_ADK_FILE_MIME_TYPE : (int)ACI_ADK_DATA_MIME_TYPE], &m->mime_type))
        return false;
    if (is_file)
        return take_text(a, what, &m->uri) && m->uri.ptr != NULL;
    return aci_table_has(what) && aci_adk_read_bytes(a, NULL, what->raw, &m->base64, &m->bytes) &&
           (m->base64.ptr != NULL || m->bytes.ptr != NULL);
}

static void put_medium(aci_adk_writer *wr, const aci_location *path, const medium *m)
{
    const aci_location mime_type = {path, AGENTCHAT_STR("mime_type"), 0}, uri = {path, AGENTCHAT_STR("file_uri"), 0};
    const aci_data data = {.base64 = m->base64, .bytes = m->bytes};

    aci_writer_object_begin(&wr->out.w);
    aci_writer_key(&wr->out.w, m->uri.ptr != NULL ? AGENTCHAT_STR("fileData") : AGENTCHAT_STR("inlineData"));
    aci_writer_object_begin(&wr->out.w);
    if (m->uri.ptr != NULL) {
        ACI_JW_KEY(&wr->out.w, "fileUri");
        aci_adk_write_text(wr, &uri, m->uri);
    } else {
        ACI_JW_KEY(&wr->out.w, "data");
        if (!aci_adk_write_bytes(wr, &data))
            aci_out_nomem(&wr->out);
    }
    if (m->mime_type.ptr != NULL) {
        ACI_JW_KEY(&wr->out.w, "mimeType");
        aci_adk_write_text(wr, &mime_type, m->mime_type);
    }
    aci_writer_object_end(&wr->out.w);
    aci_writer_object_end(&wr->out.w);
    for (size_t i = 0; i < m->others.extra_count; i++) {
        const aci_location at = {path, m->others.extras[i].name, 0};

        aci_out_lost(&wr->out, &at, "the property was left out: adk-python refuses it");
    }
}

static void put_one(aci_adk_writer *wr, const aci_location *path, agentchat_str raw, bool is_file)
{
    aci_raw_reader *a = aci_adk_writer_reader(wr);
    medium m = {.uri = {NULL, 0}};

    if (a == NULL)
        return;
    aci_draft_begin(&m.others);
    a->status = AGENTCHAT_OK; /* a medium that is something else is no failure */
    if (take_medium(a, raw, is_file, &m))
        put_medium(wr, path, &m);
    else if (a->status == AGENTCHAT_E_NOMEM)
        aci_out_nomem(&wr->out);
    else
        aci_out_lost(&wr->out, path, "the part was left out: adk-python refuses it");
    aci_draft_clear(&m.others, wr->out.env);
}

static void put_all(aci_adk_writer *wr, const aci_location *path, uint32_t index, agentchat_str raw)
{
    const aci_location list = {path, aci_table_camel(&aci_adk_response, index), 0};
    aci_walk walk;
    size_t i = 0;

    aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, &list, "the property was written as \"parts\"");
    aci_walk_begin(&walk, raw);
    for (; aci_walk_next(&walk) && wr->out.w.status >= 0; i++) {
        const aci_location at = {&list, {NULL, 0}, i};

        put_one(wr, &at, walk.value, index == ACI_ADK_RESPONSE_FILE);
    }
}

uint64_t aci_adk_write_response_media(aci_adk_writer *wr, const aci_location *path, const aci_adk_members *response)
{
    uint64_t written = 0;

    for (uint32_t i = ACI_ADK_RESPONSE_INLINE; i <= ACI_ADK_RESPONSE_FILE; i++)
        if (response->found[i].ptr != NULL && *response->found[i].ptr == '[')
            written |= ACI_ADK_ROW_BIT(i);
    if (written == 0 || response->found[ACI_ADK_RESPONSE_PARTS].ptr != NULL)
        return 0;
    ACI_JW_KEY(&wr->out.w, "parts");
    aci_writer_array_begin(&wr->out.w);
    for (uint32_t i = ACI_ADK_RESPONSE_INLINE; i <= ACI_ADK_RESPONSE_FILE; i++)
        if ((written & ACI_ADK_ROW_BIT(i)) != 0)
            put_all(wr, path, i, response->found[i]);
    aci_writer_array_end(&wr->out.w);
    return written;
}
