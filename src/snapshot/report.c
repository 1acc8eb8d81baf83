/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports: entries in the order in which they came, with a bound per kind, so that a hostile document cannot make a
 * report larger than itself.
 */
#include "snapshot/report.h"

#include "base/arena.h"
#include "base/error.h"
#include <stdarg.h>

enum { KIND_COUNT = AGENTCHAT_REPORT_CHANNEL_UNEDITED + 1 };

typedef struct kind_count {
    size_t kept;    /* entries of the kind in the list, the one that counts the rest included */
    size_t dropped; /* counted by that one */
    char text[64];  /* its text */
    size_t rest;    /* its index in the list, valid when dropped > 0 */
} kind_count;

struct agentchat_report {
    const agentchat_env *env;
    aci_arena *arena; /* the entries' text */
    agentchat_report_entry *entries;
    size_t count, cap;
    kind_count kinds[KIND_COUNT];
};

static const char *const kind_names[KIND_COUNT] = {
    [AGENTCHAT_REPORT_NOTE] = "note",
    [AGENTCHAT_REPORT_REPAIR] = "repair",
    [AGENTCHAT_REPORT_LOSS] = "loss",
    [AGENTCHAT_REPORT_PARTICIPANT_MATCHED] = "participant matched",
    [AGENTCHAT_REPORT_PARTICIPANT_MISSING] = "participant missing",
    [AGENTCHAT_REPORT_CHANNEL_RESTORED] = "channel restored",
    [AGENTCHAT_REPORT_CHANNEL_EXTRA] = "channel extra",
    [AGENTCHAT_REPORT_CHANNEL_KEPT] = "channel kept",
    [AGENTCHAT_REPORT_CHANNEL_UNEDITED] = "channel unedited",
};

static const char *const match_names[] = {
    [AGENTCHAT_MATCH_NONE] = "none", [AGENTCHAT_MATCH_ID] = "id",   [AGENTCHAT_MATCH_NAME_AND_TYPE] = "name and type",
    [AGENTCHAT_MATCH_NAME] = "name", [AGENTCHAT_MATCH_KEY] = "key", [AGENTCHAT_MATCH_RESOLVER] = "resolver",
    [AGENTCHAT_MATCH_TYPE] = "type",
};

agentchat_report *aci_report_new(const agentchat_env *env)
{
    agentchat_report *report = aci_alloc_zero(env, sizeof *report);

    if (report != NULL)
        report->env = env;
    return report;
}

void aci_report_hand_over(agentchat_report *report, agentchat_report **out)
{
    if (out != NULL)
        *out = report;
    else
        agentchat_report_free(report);
}

/* Room for one more entry; the text's arena is made with the first, since most reports stay empty. */
static bool make_room(agentchat_report *report)
{
    void *array = report->entries;

    if (report->arena == NULL)
        report->arena = aci_arena_new(report->env, 0);
    if (report->arena == NULL)
        return false;
    if (!aci_grow(report->env, &array, &report->cap, report->count, sizeof *report->entries))
        return false;
    report->entries = array;
    return true;
}

/* Counts one entry beyond the bound, in one entry that stands for all of them. */
static bool add_to_rest(agentchat_report *report, agentchat_report_kind kind)
{
    kind_count *counts = &report->kinds[kind];

    if (counts->dropped == 0) {
        if (!make_room(report))
            return false;
        counts->rest = report->count++;
        counts->kept++;
    }
    counts->dropped++;
    snprintf(counts->text, sizeof counts->text, "%zu more of this kind are not listed", counts->dropped);
    report->entries[counts->rest] =
        (agentchat_report_entry){kind, AGENTCHAT_MATCH_NONE, {NULL, 0}, agentchat_str_from(counts->text), {NULL, 0}};
    return true;
}

AGENTCHAT_PRINTF(2, 0)
static agentchat_str format_text(aci_arena *arena, const char *format, va_list arguments, bool *ok)
{
    char text[256]; /* a sentence; longer ones are cut */
    int len = vsnprintf(text, sizeof text, format, arguments);

    if (len < 0)
        return AGENTCHAT_STR("");
    return aci_arena_copy(arena, agentchat_str_from(text), ok);
}

bool aci_report_add(agentchat_report *report, agentchat_report_kind kind, agentchat_match match, agentchat_str path,
                    agentchat_str key, const char *format, ...)
{
    agentchat_report_entry entry = {kind, match, {NULL, 0}, {NULL, 0}, {NULL, 0}};
    va_list arguments;
    bool ok = true;

    if (report == NULL)
        return true;
    if (report->kinds[kind].kept >= ACI_REPORT_MAX)
        return add_to_rest(report, kind);
    if (!make_room(report))
        return false;
    entry.path = aci_arena_copy(report->arena, path, &ok);
    entry.key = aci_arena_copy(report->arena, key, &ok);
    va_start(arguments, format);
    entry.text = format_text(report->arena, format, arguments, &ok);
    va_end(arguments);
    if (!ok)
        return false;
    report->entries[report->count++] = entry;
    report->kinds[kind].kept++;
    return true;
}

size_t agentchat_report_count(const agentchat_report *report)
{
    return report != NULL ? report->count : 0;
}

size_t agentchat_report_count_of(const agentchat_report *report, agentchat_report_kind kind)
{
    return report != NULL && (size_t)kind < KIND_COUNT ? report->kinds[kind].kept : 0;
}

const agentchat_report_entry *agentchat_report_at(const agentchat_report *report, size_t index)
{
    return index < agentchat_report_count(report) ? &report->entries[index] : NULL;
}

const char *agentchat_report_kind_name(agentchat_report_kind kind)
{
    return (size_t)kind < KIND_COUNT && kind_names[kind] != NULL ? kind_names[kind] : "unknown";
}

const char *agentchat_match_name(agentchat_match match)
{
    return (size_t)match < sizeof match_names / sizeof *match_names ? match_names[match] : "unknown";
}

void agentchat_report_free(agentchat_report *report)
{
    if (report == NULL)
        return;
    aci_free(report->env, report->entries, report->cap * sizeof *report->entries);
    aci_arena_unref(report->arena);
    aci_free(report->env, report, sizeof *report);
}

agentchat_status aci_report_fail_on_loss(const agentchat_report *report, agentchat_error *err)
{
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);

        if (entry->kind != AGENTCHAT_REPORT_LOSS)
            continue;
        aci_fail(err, AGENTCHAT_E_LOSS, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(entry->text));
        if (err != NULL)
            aci_error_path(err, entry->path);
        return AGENTCHAT_E_LOSS;
    }
    return AGENTCHAT_OK;
}
