/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a Content of the ADKs as a message of ours (docs/formats/adk.md). */
#include "format/adk/read.h"

static bool read_role(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_draft *draft)
{
    agentchat_str role;

    if (!aci_raw_reader_string(a, path, raw, &role))
        return false;
    if (agentchat_str_equal(role, AGENTCHAT_STR("model"))) {
        role = AGENTCHAT_STR("assistant");
    } else if (agentchat_str_equal(role, AGENTCHAT_STR("assistant")) &&
               !aci_raw_reader_note(a, AGENTCHAT_REPORT_NOTE, path,
                                    "the role \"assistant\" is written back as \"model\"")) {
        return false;
    }
    aci_draft_set(draft, AGENTCHAT_FIELD_ROLE, ACI_FORM_TEXT, role);
    return true;
}

/* The items, in an array of the arena. */
static bool read_parts(aci_raw_reader *a, const aci_location *path, agentchat_str raw, agentchat_item ***out,
                       size_t *out_count)
{
    void *array = NULL;
    size_t cap = 0, count = 0;
    bool ok = aci_raw_reader_kind(a, path, raw, ACI_JSON_ARRAY, "an array");
    aci_walk walk;

    aci_raw_reader_walk(a, &walk, raw);
    while (ok && aci_walk_next(&walk)) {
        const aci_location at = {path, {NULL, 0}, count};
        agentchat_item *item = aci_adk_part_read(a, &at, walk.value);

        ok = item != NULL;
        if (ok && !aci_grow(a->env, &array, &cap, count, sizeof item))
            ok = aci_raw_reader_nomem(a);
        if (ok)
            ((agentchat_item **)array)[count++] = item;
    }
    if (ok && count > 0) {
        *out = aci_arena_alloc(a->arena, count * sizeof **out);
        ok = *out != NULL || aci_raw_reader_nomem(a);
        if (ok)
            memcpy(*out, array, count * sizeof **out);
    }
    *out_count = count;
    aci_free(a->env, array, cap * sizeof(agentchat_item *));
    return ok;
}

agentchat_message *aci_adk_content_read(aci_raw_reader *a, const aci_location *path, agentchat_str raw)
{
    aci_table_value values[ACI_TABLE_ROWS];
    agentchat_message *message = NULL;
    agentchat_item **items = NULL;
    size_t count = 0;
    aci_draft draft;
    bool ok, has_parts;

    aci_draft_begin(&draft);
    ok = aci_object_table_members(a, path, raw, &aci_adk_content, values, &draft);
    has_parts = ok && aci_table_has(&values[ACI_ADK_PARTS]);
    if (ok && aci_table_has(&values[ACI_ADK_ROLE])) {
        const aci_location at = {path, values[ACI_ADK_ROLE].name, 0};

        ok = read_role(a, &at, values[ACI_ADK_ROLE].raw, &draft);
    }
    if (ok && has_parts) {
        const aci_location at = {path, values[ACI_ADK_PARTS].name, 0};

        ok = read_parts(a, &at, values[ACI_ADK_PARTS].raw, &items, &count);
    }
    if (ok) {
        message = aci_draft_message(&draft, a->arena, items, count, has_parts ? 0 : ACI_MESSAGE_ITEMS_ABSENT);
        if (message == NULL)
            (void)aci_raw_reader_nomem(a);
    }
    aci_draft_clear(&draft, a->env);
    return message;
}
