/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/data_uri.h"

#include "base/b64.h"
#include <string.h>

static const char scheme[] = "data:", mark[] = ";base64,";

bool aci_data_uri_split(agentchat_str uri, agentchat_str *mime_type, agentchat_str *base64)
{
    size_t begin = sizeof scheme - 1, len = sizeof mark - 1, at = begin, bad;
    agentchat_str data;

    if (uri.len < begin || memcmp(uri.ptr, scheme, begin) != 0)
        return false;
    while (at < uri.len && uri.ptr[at] != ';' && uri.ptr[at] != ',')
        at++;
    if (at == begin || uri.len - at < len || memcmp(uri.ptr + at, mark, len) != 0)
        return false;
    data = (agentchat_str){uri.ptr + at + len, uri.len - at - len};
    if (!aci_b64_check(data, &bad))
        return false;
    *mime_type = (agentchat_str){uri.ptr + begin, at - begin};
    *base64 = data;
    return true;
}

/* Appends such a URI. false: out of memory. */
static bool make(agentchat_str mime_type, const aci_data *data, aci_buf *out)
{
    size_t size = aci_b64_encoded_size(data->bytes.len);

    if (!aci_buf_add(out, scheme, sizeof scheme - 1) || !aci_buf_add_str(out, mime_type) ||
        !aci_buf_add(out, mark, sizeof mark - 1))
        return false;
    if (data->base64.ptr != NULL)
        return aci_buf_add_str(out, data->base64);
    if (size == SIZE_MAX || !aci_buf_reserve(out, size + 1))
        return false;
    aci_b64_encode(data->bytes.ptr, data->bytes.len, out->ptr + out->len);
    out->len += size;
    return true;
}

bool aci_data_uri_read(aci_object *o, aci_object *inner, uint32_t row, agentchat_str *base64)
{
    agentchat_str uri, mime_type;

    if (!aci_object_take_text(inner, row, &uri))
        return false;
    if (aci_data_uri_split(uri, &mime_type, base64))
        aci_object_set(o, AGENTCHAT_FIELD_MIME_TYPE, ACI_FORM_TEXT, mime_type);
    else
        aci_object_set(o, AGENTCHAT_FIELD_URI, ACI_FORM_TEXT, uri);
    return true;
}

void aci_data_uri_write(aci_object_out *o, uint32_t row, const agentchat_item *item)
{
    const aci_data *data = aci_data_of(item);
    agentchat_str uri, mime_type, base64;
    bool is_data;
    aci_buf url;

    aci_buf_init(&url, o->out->env, SIZE_MAX);
    if (data == NULL) {
        uri = aci_object_out_get(o, AGENTCHAT_FIELD_URI);
        is_data = aci_data_uri_split(uri, &mime_type, &base64);
        if (is_data)
            aci_out_changed(o->out, o->path, "the URI is read back as the data that it holds");
    } else {
        agentchat_str given = aci_object_out_get(o, AGENTCHAT_FIELD_MIME_TYPE);

        if (!make(given.ptr != NULL ? given : AGENTCHAT_STR("application/octet-stream"), data, &url))
            aci_out_nomem(o->out);
        uri = aci_buf_str(&url);
        if (!aci_data_uri_split(uri, &mime_type, &base64) || !agentchat_str_equal(mime_type, given))
            aci_out_changed(o->out, o->path, "the data needs a media type: it is read back with another one");
    }
    aci_object_out_text(o, row, uri);
    aci_buf_clear(&url);
}

const char aci_data_uri_filename[9] = "file.pdf";

void aci_data_uri_write_filename(aci_object_out *o, aci_object_out *inner, uint32_t row)
{
    agentchat_str name;

    if (aci_object_out_rest_has(inner, row) || aci_object_out_extra(inner, row).ptr != NULL ||
        aci_object_out_form_says(o, "filename", "absent"))
        return;
    name = aci_object_out_take_filename(o);
    if (name.ptr == NULL) {
        aci_object_out_word(inner, row, aci_data_uri_filename);
        return;
    }
    aci_out_changed(o->out, o->path, "the title was written as the file's name");
    aci_object_out_key(inner, row);
    aci_writer_raw(&o->out->w, name);
}
