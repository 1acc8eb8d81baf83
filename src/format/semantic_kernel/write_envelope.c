/* SPDX-License-Identifier: Apache-2.0 */
/* What of the envelope holds no message: its texts and the participants. */
#include "format/semantic_kernel/repair.h"
#include "format/semantic_kernel/write_chat.h"
#include "format/semantic_kernel/write_message.h"

bool aci_sk_write_string(aci_sk_writer *wr, const aci_location *path, agentchat_str text)
{
    aci_sk_repair fix = {ACI_SK_KEEP, {NULL, 0}, NULL};

    if (!wr->strict)
        fix = aci_sk_repair_text(wr, text);
    if (fix.what == ACI_SK_REPLACE)
        aci_sk_repaired(wr, path, "%s", fix.why);
    aci_writer_string(&wr->w, fix.what == ACI_SK_REPLACE ? fix.text : text);
    return fix.what == ACI_SK_REPLACE;
}

bool aci_sk_write_text(aci_sk_writer *wr, const aci_location *path, const aci_sk_prop *prop, const char *name,
                       agentchat_str text, bool nulls)
{
    bool nothing = text.ptr == NULL || agentchat_str_is_null(text);
    aci_location location = {path, agentchat_str_from(name), 0};

    if (nothing && !nulls && (wr->strict || text.ptr == NULL))
        return false;
    ACI_SK_PROP_KEY(wr, prop);
    if (nothing)
        aci_writer_null(&wr->w);
    else
        (void)aci_sk_write_string(wr, &location, text);
    return true;
}

void aci_sk_sidecar_repaired_text(aci_sk_sidecar_out *sidecar, const char *name, agentchat_str text)
{
    if (aci_sk_repair_text(sidecar->wr, text).what == ACI_SK_REPLACE)
        aci_sk_sidecar_text(sidecar, name, text);
}

static void write_participant(aci_sk_writer *wr, const aci_location *path, const agentchat_participant *participant,
                              bool nested)
{
    static const char *const names[] = {"id", "name", "type"};
    const agentchat_str texts[] = {participant->id, participant->name, participant->type};
    aci_sk_object object = {.envelope = true};
    aci_sk_sidecar_out sidecar = {.wr = wr};

    aci_writer_object_begin(&wr->w);
    for (size_t i = 0; i < 3; i++)
        object.written |= (uint32_t)aci_sk_write_text(wr, path, &aci_sk_participant.props[i], names[i], texts[i],
                                                      nested && wr->strict && i != ACI_SK_NAME)
                          << i;
    aci_sk_write_extras(wr, path, &aci_sk_participant, participant->extras, &object);
    if (wr->sidecar) {
        for (size_t i = 0; i < 3; i++)
            aci_sk_sidecar_repaired_text(&sidecar, names[i], texts[i]);
        aci_sk_sidecar_extras(&sidecar, path, &aci_sk_participant, participant->extras, false);
        aci_sk_sidecar_end(&sidecar);
    }
    aci_writer_object_end(&wr->w);
}

void aci_sk_write_participants(aci_sk_writer *wr, const aci_location *path, const agentchat_snapshot *chat, bool nested)
{
    aci_location list = {path, AGENTCHAT_STR("participants"), 0}, location = {&list, {NULL, 0}, 0};

    ACI_SK_PROP_KEY(wr, &aci_sk_root.props[ACI_SK_PARTICIPANTS]);
    aci_writer_array_begin(&wr->w);
    for (; location.index < chat->participant_count; location.index++)
        write_participant(wr, &location, &chat->participants[location.index], nested);
    aci_writer_array_end(&wr->w);
}
