/* SPDX-License-Identifier: Apache-2.0 */
/* The mark of our own format is its header, the first property of a document. A header with an encoding is that of the
   encoded variant. */
#include "format/native/native.h"

#include "format/kit/look.h"
#include "format/native/session.h"

/* How much a document is one of our own, in the encoded variant or not. */
static aci_likeness probe(const char *data, size_t len, bool wants_encoded)
{
    aci_look l = aci_look_begin(data, len);
    bool has_format = false, encoded = false, more = true;
    agentchat_str name;

    if (!aci_look_take(&l, '{') || !aci_look_member(&l, &name) || !aci_look_means(name, "agentchat") ||
        !aci_look_take(&l, '{'))
        return ACI_UNLIKE;
    while (more && aci_look_member(&l, &name)) {
        has_format = has_format || aci_look_means(name, "format");
        encoded = encoded || aci_look_means(name, "encoding");
        more = aci_look_skip(&l);
    }
    if (encoded != wants_encoded)
        return ACI_UNLIKE;
    if (aci_look_take(&l, '}'))
        return has_format ? ACI_CERTAIN : ACI_UNLIKE; /* without a format it is somebody else's property */
    return ACI_LIKELY;                                /* it never ends: ours, cut off or broken */
}

aci_likeness aci_native_probe(const char *data, size_t len)
{
    return probe(data, len, false);
}

aci_likeness aci_native_encoded_probe(const char *data, size_t len)
{
    return probe(data, len, true);
}

aci_likeness aci_native_session_probe(const char *data, size_t len)
{
    aci_look l = aci_look_begin(data, len);
    agentchat_str name;

    return aci_look_take(&l, '{') && aci_look_string(&l, &name) && aci_look_means(name, ACI_SESSION_HEADER)
               ? ACI_CERTAIN
               : ACI_UNLIKE;
}
