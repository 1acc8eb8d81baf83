/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ADK-Rust spells otherwise than Google's ADKs, as these have it: the reason why a turn ended, usage and citations
 * (docs/formats/adk.md). Values that are not ADK-Rust's are left to the caller.
 */
#include "format/adk/rust.h"
#include "format/adk/write.h"

#include "json/walk.h"

bool aci_adk_is_text(agentchat_str raw, const char *text)
{
    size_t len = strlen(text);

    return raw.len == len + 2 && *raw.ptr == '"' && memcmp(raw.ptr + 1, text, len) == 0;
}

const aci_adk_reason *aci_adk_reason_of(agentchat_str raw)
{
    static const aci_adk_reason reasons[] = {{"Stop", "STOP"},
                                             {"MaxTokens", "MAX_TOKENS"},
                                             {"Safety", "SAFETY"},
                                             {"Recitation", "RECITATION"},
                                             {"Other", "OTHER"}};

    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (aci_adk_is_text(raw, reasons[i].rust) || aci_adk_is_text(raw, reasons[i].google))
            return &reasons[i];
    return NULL;
}

static bool put_finish_reason(aci_adk_writer *wr, const aci_location *path, agentchat_str json)
{
    const aci_adk_reason *reason = aci_adk_reason_of(json);

    if (reason == NULL || aci_adk_is_text(json, reason->google))
        return false;
    aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, path, "\"%s\" was written as \"%s\"", reason->rust,
                   reason->google);
    ACI_JW_KEY(&wr->out.w, "finishReason");
    aci_writer_string(&wr->out.w, agentchat_str_from(reason->google));
    return true;
}

/* The name of the value that counts for a row, as it is spelled. */
static agentchat_str name_of(const aci_adk_members *m, uint32_t row)
{
    aci_walk walk;

    aci_walk_begin(&walk, m->json);
    while (aci_walk_next(&walk) && walk.value.ptr != m->found[row].ptr)
        ;
    return (agentchat_str){walk.key.ptr + 1, walk.key.len - 2};
}

/* A member under Google's name, which has the row `to`. */
static void put_renamed(aci_adk_writer *wr, const aci_location *path, const aci_adk_members *m, uint32_t from,
                        uint32_t to)
{
    const aci_table_row *name = &m->table->list[to];
    const aci_location at = {path, name_of(m, from), 0};

    if (m->found[to].ptr != NULL) {
        aci_out_lost(&wr->out, &at, "the property was left out: there is a \"%s\" already", name->camel);
    } else if (!aci_adk_accepts(wr, name, m->found[from])) {
        aci_out_lost(&wr->out, &at, "the property was left out: adk-python refuses it");
    } else {
        aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, &at, "the property was written as \"%s\"", name->camel);
        aci_writer_key(&wr->out.w, agentchat_str_from(name->camel));
        aci_adk_write_value(wr, &at, name, m->found[from]);
    }
}

/* An object of whose members `count`, from the index `from` on, are ADK-Rust's: to: the indices of Google's for the
   same. false: it is none. */
static bool put_object(aci_adk_writer *wr, const aci_location *path, const aci_object_table *table, agentchat_str json,
                       uint32_t from, const uint32_t *to, uint32_t count)
{
    uint64_t renamed = 0;
    aci_adk_members m;

    if (*json.ptr != '{')
        return false;
    aci_adk_members_of(wr, &m, table, json, NULL);
    for (uint32_t i = 0; i < count; i++)
        renamed |= (uint64_t)(m.found[from + i].ptr != NULL) << (from + i);
    aci_writer_key(&wr->out.w, path->name);
    aci_writer_object_begin(&wr->out.w);
    aci_adk_write_members(wr, path, &m, 0, renamed);
    for (uint32_t i = 0; i < count; i++)
        if ((renamed >> (from + i) & 1) != 0)
            put_renamed(wr, path, &m, from + i, to[i]);
    aci_writer_object_end(&wr->out.w);
    return true;
}

bool aci_adk_write_translated(aci_adk_writer *wr, const aci_location *path, uint32_t index, agentchat_str json)
{
    static const uint32_t usage[] = {ACI_ADK_USAGE_CACHED, ACI_ADK_USAGE_THOUGHTS}, citations[] = {0};

    switch (index) {
    case ACI_ADK_FINISH_REASON:
        return put_finish_reason(wr, path, json);
    case ACI_ADK_USAGE:
        return put_object(wr, path, &aci_adk_usage, json, ACI_ADK_USAGE_RUST, usage, 2);
    case ACI_ADK_CITATIONS:
        return put_object(wr, path, &aci_adk_citation_list, json, ACI_ADK_CITATIONS_RUST, citations, 1);
    default:
        return false;
    }
}
