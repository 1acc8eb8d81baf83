/* SPDX-License-Identifier: Apache-2.0 */
/* A conversion can repair the same thing in ten thousand messages, so entries that say the same are one line. */
#include "cli/show/report.h"
#include "cli/text/put.h"
#include <stdlib.h>
#include <string.h>

typedef struct row {
    const agentchat_report_entry *entry;
    size_t order;
    size_t count; /* of a group, in its first row */
} row;

static int rank_of(agentchat_report_kind kind)
{
    return kind == AGENTCHAT_REPORT_LOSS ? 0 : kind == AGENTCHAT_REPORT_REPAIR ? 1 : 2;
}

static int by_sentence(const void *left, const void *right)
{
    const row *a = left, *b = right;
    int rank = rank_of(a->entry->kind) - rank_of(b->entry->kind);

    if (rank != 0)
        return rank;
    size_t shorter = a->entry->text.len < b->entry->text.len ? a->entry->text.len : b->entry->text.len;
    int text = shorter > 0 ? memcmp(a->entry->text.ptr, b->entry->text.ptr, shorter) : 0;
    if (text != 0)
        return text;
    if (a->entry->text.len != b->entry->text.len)
        return a->entry->text.len < b->entry->text.len ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static int by_order(const void *left, const void *right)
{
    const row *a = left, *b = right;
    int rank = rank_of(a->entry->kind) - rank_of(b->entry->kind);

    if (rank != 0)
        return rank;
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool same_sentence(const row *a, const row *b)
{
    return a->entry->kind == b->entry->kind && agentchat_str_equal(a->entry->text, b->entry->text);
}

static size_t collect(row *rows, size_t count, const agentchat_report *report)
{
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        rows[count] = (row){.entry = agentchat_report_at(report, i), .order = count, .count = 1};
        count++;
    }
    return count;
}

static void print_row(FILE *out, unsigned indent, const row *r)
{
    const char *many = r->entry->kind == AGENTCHAT_REPORT_LOSS               ? "losses"
                       : r->entry->kind == AGENTCHAT_REPORT_REPAIR           ? "repairs"
                       : r->entry->kind == AGENTCHAT_REPORT_CHANNEL_UNEDITED ? "channels unedited"
                                                                             : "notes";

    cli_put_spaces(out, indent);
    (void)fprintf(out, "%zu %s: ", r->count, r->count == 1 ? agentchat_report_kind_name(r->entry->kind) : many);
    (void)cli_put_cut(out, r->entry->path, 100);
    if (r->count > 1)
        (void)fprintf(out, " and %zu more", r->count - 1);
    if (r->entry->path.len > 0 || r->count > 1)
        (void)fputs("  ", out);
    (void)cli_put(out, r->entry->text);
    (void)fputc('\n', out);
}

bool cli_report_print(FILE *out, unsigned indent, const agentchat_report *first, const agentchat_report *second)
{
    size_t count = agentchat_report_count(first) + agentchat_report_count(second), groups = 0;

    if (count == 0)
        return true;
    row *rows = calloc(count, sizeof *rows);
    if (rows == NULL)
        return false;
    (void)collect(rows, collect(rows, 0, first), second);
    qsort(rows, count, sizeof *rows, by_sentence);
    for (size_t i = 0; i < count; i++) {
        if (groups > 0 && same_sentence(&rows[groups - 1], &rows[i]))
            rows[groups - 1].count++;
        else
            rows[groups++] = rows[i];
    }
    qsort(rows, groups, sizeof *rows, by_order);
    for (size_t i = 0; i < groups; i++)
        print_row(out, indent, &rows[i]);
    free(rows);
    return true;
}
