/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kind an item is, where its $type does not stand first: stores that reorder properties put it elsewhere, and the
 * oldest files have none.
 */
#include "format/semantic_kernel/read_item.h"

#include "base/utf8.h"
#include "json/walk.h"

ACI_NOINLINE bool aci_sk_find_type(aci_sk_reader *s, aci_json_reader *r, agentchat_str span, agentchat_str *type)
{
    agentchat_str key;
    aci_walk walk;

    *type = (agentchat_str){NULL, 0};
    aci_walk_begin(&walk, span);
    for (bool is_first = true; aci_walk_next(&walk); is_first = false) {
        if (!aci_sk_decode(s, r, walk.key, &key))
            return false;
        if (!aci_sk_view_is(key, "$type"))
            continue;
        *type = agentchat_str_null();
        if (*walk.value.ptr == '"' && !aci_sk_decode(s, r, walk.value, type))
            return false;
        if (is_first)
            break;
    }
    return true;
}

static bool key_is(agentchat_str raw_key, const char *name)
{
    return raw_key.len >= 2 &&
           aci_utf8_equal_ignore_case((agentchat_str){raw_key.ptr + 1, raw_key.len - 2}, agentchat_str_from(name));
}

static bool begins_with(agentchat_str raw, const char *text)
{
    size_t len = strlen(text);

    return raw.len > len && raw.ptr[0] == '"' &&
           aci_utf8_equal_ignore_case((agentchat_str){raw.ptr + 1, len}, agentchat_str_from(text));
}

agentchat_item_kind aci_sk_guess_kind(agentchat_str raw_item)
{
    aci_walk walk;
    agentchat_str mime_type = {NULL, 0};
    bool text = false, uri = false, data = false;

    aci_walk_begin(&walk, raw_item);
    while (aci_walk_next(&walk)) {
        text = text || key_is(walk.key, "Text");
        uri = uri || key_is(walk.key, "Uri");
        data = data || key_is(walk.key, "Data") || key_is(walk.key, "DataUri");
        if (key_is(walk.key, "MimeType"))
            mime_type = walk.value;
    }
    if (text)
        return AGENTCHAT_ITEM_TEXT;
    if (!uri && !data)
        return (agentchat_item_kind)0;
    if (begins_with(mime_type, "audio/"))
        return AGENTCHAT_ITEM_AUDIO;
    if (begins_with(mime_type, "image/") || (uri && mime_type.ptr == NULL))
        return AGENTCHAT_ITEM_IMAGE; /* when items had no $type, an image was the only kind with a Uri */
    return AGENTCHAT_ITEM_BINARY;
}
