/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ADK-Rust spells otherwise than Google's ADKs, as these have it: the reason why a turn ended, usage and citations
 * (docs/formats/adk.md). Layer 5. Values that are not ADK-Rust's are left to the caller.
 */
#include "event/adk.h"

static bool is_string(agentchat_str raw, const char *text)
{
    size_t len = strlen(text);

    return raw.len == len + 2 && *raw.ptr == '"' && memcmp(raw.ptr + 1, text, len) == 0;
}

static bool put_finish_reason(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str json)
{
    static const char *const reasons[][2] = {{"Stop", "STOP"},
                                             {"MaxTokens", "MAX_TOKENS"},
                                             {"Safety", "SAFETY"},
                                             {"Recitation", "RECITATION"},
                                             {"Other", "OTHER"}};

    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (is_string(json, reasons[i][0])) {
            aci_adk_told(wr, AGENTCHAT_REPORT_REPAIR, path, "\"%s\" was written as \"%s\"", reasons[i][0],
                         reasons[i][1]);
            ACI_JW_KEY(&wr->w, "finishReason");
            aci_jw_string(&wr->w, agentchat_str_from(reasons[i][1]));
            return true;
        }
    return false;
}

/* Members of usage that ADK-Rust alone has, and Google's name for the same in both spellings, or NULL. */
static const char *const usage_names[][3] = {
    {"cache_read_input_token_count", "cachedContentTokenCount", "cached_content_token_count"},
    {"thinking_token_count", "thoughtsTokenCount", "thoughts_token_count"},
    {"cache_creation_input_token_count", NULL, NULL},
    {"audio_input_token_count", NULL, NULL},
    {"audio_output_token_count", NULL, NULL},
    {"cost", NULL, NULL},
    {"is_byok", NULL, NULL},
    {"provider_usage", NULL, NULL},
};
enum { USAGE_NAMES = sizeof usage_names / sizeof *usage_names };

static size_t usage_name(agentchat_str key)
{
    size_t i = 0;

    while (i < USAGE_NAMES && !is_string(key, usage_names[i][0]))
        i++;
    return i;
}

/* Bits of the names of which Google's stands there. *is_rust: whether any of ADK-Rust's does. */
static unsigned google_usage(agentchat_str json, bool *is_rust)
{
    unsigned there = 0;
    aci_walk walk;

    *is_rust = false;
    aci_walk_begin(&walk, json);
    while (*json.ptr == '{' && aci_walk_next(&walk)) {
        *is_rust = *is_rust || usage_name(walk.key) < USAGE_NAMES;
        for (unsigned i = 0; i < USAGE_NAMES && *walk.value.ptr != 'n'; i++)
            if (usage_names[i][1] != NULL &&
                (is_string(walk.key, usage_names[i][1]) || is_string(walk.key, usage_names[i][2])))
                there |= 1u << i;
    }
    return there;
}

/* A member under Google's name. *there: bits of the names that stand there or have been written. */
static void put_renamed(aci_adk_writer *wr, const aci_adk_path *path, size_t i, agentchat_str value, unsigned *there)
{
    const char *name = usage_names[i][1];

    if (name == NULL) {
        aci_adk_told(wr, AGENTCHAT_REPORT_LOSS, path, "the property was left out: adk-python refuses it");
    } else if ((*there >> i & 1) != 0) {
        aci_adk_told(wr, AGENTCHAT_REPORT_LOSS, path, "the property was left out: there is a \"%s\" already", name);
    } else {
        *there |= 1u << i;
        aci_adk_told(wr, AGENTCHAT_REPORT_REPAIR, path, "the property was written as \"%s\"", name);
        aci_jw_key(&wr->w, agentchat_str_from(name));
        aci_adk_put_json(wr, path, value);
    }
}

static bool put_usage(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str json)
{
    bool is_rust;
    unsigned there = google_usage(json, &is_rust);
    aci_walk walk;

    if (!is_rust)
        return false;
    ACI_JW_KEY(&wr->w, "usageMetadata");
    aci_jw_object_begin(&wr->w);
    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk)) {
        size_t i = usage_name(walk.key);
        const aci_adk_path at = {path, {walk.key.ptr + 1, walk.key.len - 2}, 0};

        if (*walk.value.ptr == 'n')
            continue;
        if (i < USAGE_NAMES) {
            put_renamed(wr, &at, i, walk.value, &there);
            continue;
        }
        aci_adk_put_key(wr, walk.key);
        aci_adk_put_json(wr, &at, walk.value);
    }
    aci_jw_object_end(&wr->w);
    return true;
}

/* A citation without its nulls. */
static void put_citation(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str json)
{
    aci_walk walk;

    if (*json.ptr != '{') {
        aci_adk_put_json(wr, path, json);
        return;
    }
    aci_jw_object_begin(&wr->w);
    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk)) {
        const aci_adk_path at = {path, {walk.key.ptr + 1, walk.key.len - 2}, 0};

        if (*walk.value.ptr == 'n')
            continue;
        aci_adk_put_key(wr, walk.key);
        aci_adk_put_json(wr, &at, walk.value);
    }
    aci_jw_object_end(&wr->w);
}

static bool is_sources(agentchat_str key)
{
    return is_string(key, "citationSources") || is_string(key, "citation_sources");
}

/* The list under Google's name; null: none. */
static void put_sources(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str json)
{
    size_t index = 0;
    aci_walk walk;

    if (*json.ptr != '[') {
        aci_adk_told(wr, AGENTCHAT_REPORT_REPAIR, path, "\"citationSources\" was left out: it is null");
        return;
    }
    aci_adk_told(wr, AGENTCHAT_REPORT_REPAIR, path, "\"citationSources\" was written as \"citations\"");
    ACI_JW_KEY(&wr->w, "citations");
    aci_jw_array_begin(&wr->w);
    aci_walk_begin(&walk, json);
    for (; aci_walk_next(&walk); index++) {
        const aci_adk_path at = {path, {NULL, 0}, index};

        put_citation(wr, &at, walk.value);
    }
    aci_jw_array_end(&wr->w);
}

/* {"citationSources":[…]}: the list has another name with Google's. Whatever else is there is not ADK-Rust's. */
static bool put_citations(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str json)
{
    aci_walk walk;

    aci_walk_begin(&walk, json);
    if (*json.ptr != '{' || !aci_walk_next(&walk) || !is_sources(walk.key) ||
        (*walk.value.ptr != '[' && *walk.value.ptr != 'n'))
        return false;
    json = walk.value;
    if (aci_walk_next(&walk))
        return false;
    ACI_JW_KEY(&wr->w, "citationMetadata");
    aci_jw_object_begin(&wr->w);
    put_sources(wr, path, json);
    aci_jw_object_end(&wr->w);
    return true;
}

bool aci_adk_put_translated(aci_adk_writer *wr, const aci_adk_path *path, uint32_t index, agentchat_str json)
{
    switch (index) {
    case ACI_ADK_FINISH_REASON:
        return put_finish_reason(wr, path, json);
    case ACI_ADK_USAGE:
        return put_usage(wr, path, json);
    case ACI_ADK_CITATIONS:
        return put_citations(wr, path, json);
    default:
        return false;
    }
}
