/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Google's ADKs spell otherwise than ADK-Rust, as that has it: the reason why a turn ended, usage and citations
 * (docs/formats/adk.md, section 8). write_rust.c is the other way.
 */
#include "format/adk/rust.h"

#include "base/utf8.h"
#include "json/value.h"
#include "json/walk.h"
#include <stdio.h>

/* ---- names ------------------------------------------------------------------------------------------------------ */

bool aci_adk_rust_is_named(agentchat_str name, const char *snake)
{
    const char *p = name.ptr, *end = p + name.len;

    for (; *snake != '\0' && p < end; snake++, p++) {
        bool is_capital = snake[0] == '_' && snake[1] != '\0' && *p == (char)(snake[1] - 'a' + 'A');

        if (*p != *snake && !is_capital)
            return false;
        snake += is_capital;
    }
    return *snake == '\0' && p == end;
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

typedef enum value_kind { COUNT, NUMBER, FLAG, TEXT, ANY, DATE, CITATIONS } value_kind;

/* A member of an object of ADK-Rust's. */
typedef struct row {
    const char *name;   /* in snake_case */
    const char *google; /* the same in Google's ADKs, where its name is another one */
    const char *written;
    value_kind kind;
    bool is_required; /* a count that Google's ADKs leave out is 0 */
} row;

typedef struct rows {
    const row *list;
    size_t count;
} rows;

static const row usage_rows[] = {
    {"prompt_token_count", NULL, "prompt_token_count", COUNT, true},
    {"candidates_token_count", NULL, "candidates_token_count", COUNT, true},
    {"total_token_count", NULL, "total_token_count", COUNT, true},
    {"cache_read_input_token_count", "cached_content_token_count", "cache_read_input_token_count", COUNT, false},
    {"cache_creation_input_token_count", NULL, "cache_creation_input_token_count", COUNT, false},
    {"thinking_token_count", "thoughts_token_count", "thinking_token_count", COUNT, false},
    {"audio_input_token_count", NULL, "audio_input_token_count", COUNT, false},
    {"audio_output_token_count", NULL, "audio_output_token_count", COUNT, false},
    {"cost", NULL, "cost", NUMBER, false},
    {"is_byok", NULL, "is_byok", FLAG, false},
    {"provider_usage", NULL, "provider_usage", ANY, false},
};
static const row citation_list_rows[] = {{"citation_sources", "citations", "citationSources", CITATIONS, false}};
static const row citation_rows[] = {
    {"uri", NULL, "uri", TEXT, false},
    {"title", NULL, "title", TEXT, false},
    {"start_index", NULL, "startIndex", COUNT, false},
    {"end_index", NULL, "endIndex", COUNT, false},
    {"license", NULL, "license", TEXT, false},
    {"publication_date", NULL, "publicationDate", DATE, false},
};
static const rows usage = {usage_rows, sizeof usage_rows / sizeof *usage_rows},
                  citation_list = {citation_list_rows, sizeof citation_list_rows / sizeof *citation_list_rows},
                  citation = {citation_rows, sizeof citation_rows / sizeof *citation_rows};

/* An integer of 32 bits. */
static bool is_count(agentchat_str raw, int64_t *number)
{
    return aci_json_kind_of(raw) == ACI_JSON_NUMBER && aci_json_integer(raw, number) && *number >= INT32_MIN &&
           *number <= INT32_MAX;
}

/* A year and what follows of a date, zeros for what is not there. false: it is none that can be written as text. */
static bool take_date(agentchat_str raw, int64_t parts[3])
{
    static const char *const names[] = {"year", "month", "day"};
    const aci_raw_reader a = {.index = NULL};

    for (size_t i = 0; i < 3; i++) {
        agentchat_str value = aci_raw_reader_member(&a, raw, names[i]);

        parts[i] = 0;
        if (value.ptr != NULL && *value.ptr != 'n' && !is_count(value, &parts[i]))
            return false;
    }
    return parts[0] >= 1 && parts[0] <= 9999 && parts[1] >= 0 && parts[1] <= 12 && parts[2] >= 0 && parts[2] <= 31 &&
           (parts[1] > 0 || parts[2] == 0);
}

static bool are_objects(agentchat_str list)
{
    aci_walk walk;

    if (*list.ptr != '[')
        return false;
    aci_walk_begin(&walk, list);
    while (aci_walk_next(&walk))
        if (*walk.value.ptr != '{')
            return false;
    return true;
}

static bool fits(const row *r, agentchat_str raw)
{
    int64_t number, date[3];

    if (*raw.ptr == 'n')
        return !r->is_required && r->kind != CITATIONS;
    switch (r->kind) {
    case COUNT:
        return is_count(raw, &number);
    case NUMBER:
        return aci_json_kind_of(raw) == ACI_JSON_NUMBER;
    case FLAG:
        return *raw.ptr == 't' || *raw.ptr == 'f';
    case TEXT:
        return *raw.ptr == '"';
    case DATE:
        return *raw.ptr == '"' || (*raw.ptr == '{' && take_date(raw, date));
    case CITATIONS:
        return are_objects(raw);
    case ANY:
        break;
    }
    return true;
}

static void put_object(aci_out *out, const aci_location *path, const rows *known, agentchat_str json);

static void put_date(aci_out *out, const aci_location *path, agentchat_str raw)
{
    int64_t date[3] = {0, 0, 0};
    char text[sizeof "2026-01-02"];
    int len;

    (void)take_date(raw, date);
    len = snprintf(text, sizeof text, "%04d", (int)date[0]);
    for (int i = 1; i < 3 && date[i] > 0; i++)
        len += snprintf(text + len, sizeof text - (size_t)len, "-%02d", (int)date[i]);
    aci_out_report(out, AGENTCHAT_REPORT_REPAIR, path, "the date was written as text");
    aci_writer_string(&out->w, (agentchat_str){text, (size_t)len});
}

static void put_citations(aci_out *out, const aci_location *path, agentchat_str list)
{
    size_t index = 0;
    aci_walk walk;

    aci_writer_array_begin(&out->w);
    aci_walk_begin(&walk, list);
    for (; aci_walk_next(&walk); index++) {
        const aci_location at = {path, {NULL, 0}, index};

        put_object(out, &at, &citation, walk.value);
    }
    aci_writer_array_end(&out->w);
}

static void put_value(aci_out *out, const aci_location *path, const row *r, agentchat_str raw)
{
    if (r->kind == CITATIONS)
        put_citations(out, path, raw);
    else if (r->kind == DATE && *raw.ptr == '{')
        put_date(out, path, raw);
    else
        aci_adk_rust_json(out, path, raw);
}

/* ---- objects ---------------------------------------------------------------------------------------------------- */

static const row *find(const rows *known, agentchat_str name)
{
    for (size_t i = 0; i < known->count; i++)
        if (aci_adk_rust_is_named(name, known->list[i].name) ||
            (known->list[i].google != NULL && aci_adk_rust_is_named(name, known->list[i].google)))
            return &known->list[i];
    return NULL;
}

/* written: bits of the members that are there already. */
static void put_known(aci_out *out, const aci_location *at, const row *r, uint32_t bit, agentchat_str raw,
                      uint32_t *written)
{
    if (r->is_required && *raw.ptr == 'n')
        return;
    if ((*written & bit) != 0) {
        aci_out_lost(out, at, "the property was left out: there is a \"%s\" already", r->written);
        return;
    }
    if (!fits(r, raw)) {
        aci_out_lost(out, at, "the property was left out: ADK-Rust refuses it");
        return;
    }
    *written |= bit;
    if (!aci_adk_rust_is_named(at->name, r->name))
        aci_out_report(out, AGENTCHAT_REPORT_REPAIR, at, "the property was written as \"%s\"", r->written);
    aci_writer_key(&out->w, agentchat_str_from(r->written));
    put_value(out, at, r, raw);
}

static void put_member(aci_out *out, const aci_location *at, const rows *known, agentchat_str raw, uint32_t *written)
{
    const row *r = find(known, at->name);

    if (r != NULL) {
        put_known(out, at, r, UINT32_C(1) << (r - known->list), raw, written);
    } else if (aci_utf8_has_surrogates(at->name)) {
        aci_out_lost(out, at, "the property was left out: ADK-Rust refuses it");
    } else {
        aci_writer_key(&out->w, at->name);
        aci_adk_rust_json(out, at, raw);
    }
}

/* What ADK-Rust does not know stands there as it was: it passes over it. */
static void put_object(aci_out *out, const aci_location *path, const rows *known, agentchat_str json)
{
    uint32_t written = 0;
    aci_walk walk;
    aci_buf name;

    aci_buf_init(&name, out->env, SIZE_MAX);
    aci_writer_object_begin(&out->w);
    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk) && out->w.status >= 0) {
        aci_location at = {path, {NULL, 0}, 0};

        name.len = 0;
        if (!aci_json_unquote(walk.key, &name)) {
            aci_out_nomem(out);
            break;
        }
        at.name = aci_buf_str(&name);
        put_member(out, &at, known, walk.value, &written);
    }
    for (size_t i = 0; i < known->count; i++)
        if (known->list[i].is_required && (written >> i & 1) == 0) {
            const aci_location at = {path, agentchat_str_from(known->list[i].written), 0};

            aci_out_report(out, AGENTCHAT_REPORT_REPAIR, &at, "the count, which was not there, was written as 0");
            aci_writer_key(&out->w, at.name);
            aci_writer_u64(&out->w, 0);
        }
    aci_writer_object_end(&out->w);
    aci_buf_clear(&name);
}

/* ---- members of an event ---------------------------------------------------------------------------------------- */

static void put_reason(aci_out *out, const aci_location *path, agentchat_str raw)
{
    const aci_adk_reason *reason = aci_adk_reason_of(raw);

    if (reason == NULL) {
        aci_out_lost(out, path, "the reason was written as \"Other\": ADK-Rust has no other word for it");
        aci_writer_string(&out->w, AGENTCHAT_STR("Other"));
        return;
    }
    if (!aci_adk_is_text(raw, reason->rust))
        aci_out_report(out, AGENTCHAT_REPORT_REPAIR, path, "\"%s\" was written as \"%s\"", reason->google,
                       reason->rust);
    aci_writer_string(&out->w, agentchat_str_from(reason->rust));
}

/* Whether the members of an object that ADK-Rust needs are counts where they are there. */
static bool has_counts(agentchat_str json)
{
    aci_walk walk;

    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk)) {
        const row *r = find(&usage, (agentchat_str){walk.key.ptr + 1, walk.key.len - 2});

        if (r != NULL && r->is_required && *walk.value.ptr != 'n' && !fits(r, walk.value))
            return false;
    }
    return true;
}

static bool has_citations(agentchat_str json)
{
    aci_walk walk;

    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk)) {
        const row *r = find(&citation_list, (agentchat_str){walk.key.ptr + 1, walk.key.len - 2});

        if (r != NULL && fits(r, walk.value))
            return true;
    }
    return false;
}

/* Whether the values of an object or array are strings. */
static bool are_strings(agentchat_str json)
{
    aci_walk walk;

    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk))
        if (*walk.value.ptr != '"')
            return false;
    return true;
}

static bool is_confirmation(agentchat_str json)
{
    const aci_raw_reader a = {.index = NULL};
    agentchat_str tool = aci_raw_reader_member(&a, json, "toolName");
    agentchat_str id = aci_raw_reader_member(&a, json, "functionCallId");

    return tool.ptr != NULL && *tool.ptr == '"' && (id.ptr == NULL || *id.ptr == '"' || *id.ptr == 'n') &&
           aci_raw_reader_member(&a, json, "args").ptr != NULL;
}

bool aci_adk_rust_takes(const char *name, agentchat_str raw)
{
    if (strcmp(name, "usage_metadata") == 0)
        return has_counts(raw);
    if (strcmp(name, "citation_metadata") == 0)
        return has_citations(raw);
    if (strcmp(name, "event_metadata") == 0 || strcmp(name, "route") == 0)
        return are_strings(raw);
    if (strcmp(name, "tool_confirmation") == 0)
        return is_confirmation(raw);
    if (strcmp(name, "tool_confirmation_decision") == 0)
        return aci_adk_is_text(raw, "approve") || aci_adk_is_text(raw, "deny");
    return true;
}

void aci_adk_rust_value(aci_out *out, const aci_location *path, const char *name, agentchat_str raw)
{
    if (strcmp(name, "finish_reason") == 0)
        put_reason(out, path, raw);
    else if (strcmp(name, "usage_metadata") == 0)
        put_object(out, path, &usage, raw);
    else if (strcmp(name, "citation_metadata") == 0)
        put_object(out, path, &citation_list, raw);
    else
        aci_adk_rust_json(out, path, raw);
}
