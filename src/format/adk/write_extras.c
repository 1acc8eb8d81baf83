/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the extras of an event and of what stands in it, as far as google-adk accepts them. */
#include "format/adk/write.h"

#include "base/error.h"
#include "base/utf8.h"

static void lost_extra(aci_adk_writer *wr, const aci_location *path, const agentchat_extra *extra, bool is_known,
                       const char *why)
{
    const aci_location at = {path, extra->name, 0};

    aci_out_lost(&wr->out, &at, "the %sproperty was left out: %s", is_known ? "" : "unknown ", why);
}

/* Whether google-adk carries an unknown property of an event out, as if the event were being made. */
static bool is_executed(agentchat_str name)
{
    static const char *const names[] = {"message", "node_path", "route", "state"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (agentchat_str_equal(name, agentchat_str_from(names[i])))
            return true;
    return false;
}

/* Why an extra cannot be written; NULL when it can. index: of its name in the table. */
static const char *why_not(aci_adk_writer *wr, const agentchat_extra *extra, const aci_object_table *table,
                           uint32_t index, uint32_t from)
{
    if (!aci_adk_is_own(extra->from))
        return "it comes from no ADK";
    if (index < from)
        return "the name stands for something else there";
    if (index < table->count ? !table->list[index].is_google || !aci_adk_accepts(wr, &table->list[index], extra->value)
                             : !table->is_open)
        return "adk-python refuses it";
    if (aci_utf8_has_surrogates(extra->name))
        return "its name has a lone surrogate";
    if (index == table->count && is_executed(extra->name))
        return "adk-python would carry it out";
    return NULL;
}

static void put_extra(aci_adk_writer *wr, const aci_location *path, const agentchat_extra *extra,
                      const aci_object_table *table, uint32_t index)
{
    if (table == &aci_adk_event && aci_adk_write_translated(wr, path, index, extra->value))
        return;
    aci_writer_key(&wr->out.w, path->name);
    if (index < table->count)
        aci_adk_write_value(wr, path, &table->list[index], extra->value);
    else
        aci_adk_write_json(wr, path, extra->value);
}

void aci_adk_write_extras(aci_adk_writer *wr, const aci_location *path, const aci_extras *extras,
                          const aci_object_table *table, uint32_t from)
{
    aci_index written = {NULL, 0, 0};

    for (size_t i = 0; extras != NULL && i < extras->count && wr->out.w.status >= 0; i++) {
        const agentchat_extra *extra = &extras->list[i];
        uint32_t index = aci_object_table_find(table, extra->name, NULL);
        const aci_location at = {path, index < table->count ? aci_table_camel(table, index) : extra->name, 0};
        const char *why;

        if (*extra->value.ptr == 'n')
            continue;
        why = why_not(wr, extra, table, index, from);
        if (why == NULL && aci_index_find(&written, at.name) != ACI_INDEX_NONE)
            why = "there is another of its name";
        if (why != NULL)
            lost_extra(wr, path, extra, index < table->count && aci_adk_is_own(extra->from), why);
        else if (!aci_index_put(&written, wr->out.env, at.name, 0))
            aci_out_nomem(&wr->out);
        else
            put_extra(wr, &at, extra, table, index);
    }
    aci_index_clear(&written, wr->out.env);
}
