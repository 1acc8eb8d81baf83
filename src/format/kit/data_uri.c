/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/data_uri.h"
#include "base/b64.h"
#include <string.h>
bool aci_data_uri_split(agentchat_str url, agentchat_str *mime_type, agentchat_str *base64)
{
    static const char scheme[] = "data:", mark[] = ";base64,";
    size_t begin = sizeof scheme - 1, len = sizeof mark - 1, at = begin, bad;

    if (url.len < begin || memcmp(url.ptr, scheme, begin) != 0)
        return false;
    while (at < url.len && url.ptr[at] != ';' && url.ptr[at] != ',')
        at++;
    if (at == begin || url.len - at < len || memcmp(url.ptr + at, mark, len) != 0)
        return false;
    *mime_type = (agentchat_str){url.ptr + begin, at - begin};
    *base64 = (agentchat_str){url.ptr + at + len, url.len - at - len};
    return aci_b64_check(*base64, &bad);
}

bool aci_data_uri_make(agentchat_str mime_type, const aci_data *data, aci_buf *out)
{
    size_t size = aci_b64_encoded_size(data->bytes.len);

    if (!aci_buf_add_str(out, AGENTCHAT_STR("data:")) || !aci_buf_add_str(out, mime_type) ||
        !aci_buf_add_str(out, AGENTCHAT_STR(";base64,")))
        return false;
    if (data->base64.ptr != NULL)
        return aci_buf_add_str(out, data->base64);
    if (size == SIZE_MAX || !aci_buf_reserve(out, size + 1))
        return false;
    aci_b64_encode(data->bytes.ptr, data->bytes.len, out->ptr + out->len);
    out->len += size;
    return true;
}
