/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a Content of the ADKs as a message of ours (docs/formats/adk.md). */
#include "format/adk/read.h"

#include "format/kit/part.h"

static bool read_role(aci_object *o)
{
    const aci_location at = {o->path, o->values[ACI_ADK_ROLE].name, 0};
    agentchat_str role;

    if (!aci_table_has(&o->values[ACI_ADK_ROLE]))
        return true;
    if (!aci_raw_reader_string(o->a, &at, aci_object_take(o, ACI_ADK_ROLE), &role))
        return false;
    if (agentchat_str_equal(role, AGENTCHAT_STR("model")))
        role = AGENTCHAT_STR("assistant");
    else if (agentchat_str_equal(role, AGENTCHAT_STR("assistant")) &&
             !aci_raw_reader_note(o->a, AGENTCHAT_REPORT_NOTE, &at,
                                  "the role \"assistant\" is written back as \"model\""))
        return false;
    aci_object_set(o, AGENTCHAT_FIELD_ROLE, ACI_FORM_TEXT, role);
    return true;
}

static bool read_parts(aci_object *o, aci_items *items)
{
    const aci_location at = {o->path, o->values[ACI_ADK_PARTS].name, 0};

    return aci_raw_reader_kind(o->a, &at, o->values[ACI_ADK_PARTS].raw, ACI_JSON_ARRAY, "an array") &&
           aci_part_read_all(o, ACI_ADK_PARTS, items, aci_adk_part_read);
}

agentchat_message *aci_adk_content_read(aci_raw_reader *a, const aci_location *path, agentchat_str raw)
{
    aci_items items = {NULL, 0, 0};
    agentchat_message *message;
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_adk_content) && read_role(&o);
    bool has_parts = ok && aci_table_has(&o.values[ACI_ADK_PARTS]);

    message = aci_object_message(&o, &items, ok && (!has_parts || read_parts(&o, &items)));
    if (message != NULL && !has_parts)
        message->flags |= ACI_MESSAGE_ITEMS_ABSENT;
    return message;
}
