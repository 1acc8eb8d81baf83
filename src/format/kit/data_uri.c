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

bool aci_data_uri_make(agentchat_str mime_type, const aci_data *data, aci_buf *out)
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
