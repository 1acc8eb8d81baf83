/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands on threads share: names, pages, checkpoints. */
#include "cli/io/io.h"

#include "cli/json/json.h"
#include "cli/show/show.h"
#include "cli/text/text.h"
#include "cli/thread/thread.h"
#include <stdlib.h>
#include <string.h>

/* ==== ends, not beginnings: an id that is made begins with the time ============================================== */

/* Sorted from their ends, those that have most in common are neighbours. */

enum {
    SHORTEST = 4,
    LONGEST_GUESS = 12, /* random digits at the end of an id that is made */
};

size_t cli_thread_names_shortest(uint64_t checkpoints)
{
    size_t digits = SHORTEST;
    uint64_t ends = 1 << 4 * SHORTEST;

    /* So many ends of hexadecimal digits that two of the checkpoints rarely share one. */
    for (; digits < LONGEST_GUESS && ends / (checkpoints > 0 ? checkpoints : 1) < checkpoints; digits++)
        ends *= 16;
    return digits;
}

typedef struct names_name {
    const char *id;
    size_t len, index;
} names_name;

static size_t common(const names_name *a, const names_name *b)
{
    size_t len = 0;

    while (len < a->len && len < b->len && a->id[a->len - 1 - len] == b->id[b->len - 1 - len])
        len++;
    return len;
}

static int compare(const void *left, const void *right)
{
    const names_name *a = left, *b = right;
    size_t len = common(a, b);

    if (len == a->len || len == b->len)
        return (a->len > b->len) - (a->len < b->len);
    return (unsigned char)a->id[a->len - 1 - len] < (unsigned char)b->id[b->len - 1 - len] ? -1 : 1;
}

size_t *cli_thread_names(const agentchat_checkpoint_list *list)
{
    size_t count = agentchat_checkpoint_list_count(list);
    size_t *bytes = calloc(count + 1, sizeof *bytes);
    names_name *names = calloc(count + 1, sizeof *names);

    for (size_t i = 0; bytes != NULL && names != NULL && i < count; i++) {
        const char *id = agentchat_checkpoint_list_at(list, i)->id;

        names[i] = (names_name){id, strlen(id), i};
    }
    if (bytes == NULL || names == NULL) {
        free(bytes);
        free(names);
        return NULL;
    }
    qsort(names, count, sizeof *names, compare);
    for (size_t i = 0; i < count; i++) {
        size_t shortest = cli_thread_names_shortest(agentchat_checkpoint_list_at(list, 0)->sequence);
        size_t before = i > 0 ? common(&names[i - 1], &names[i]) + 1 : 0;
        size_t after = i + 1 < count ? common(&names[i], &names[i + 1]) + 1 : 0;
        size_t needed = before > after ? before : after;

        bytes[names[i].index] = needed > shortest ? needed : shortest;
    }
    free(names);
    return bytes;
}

void cli_thread_names_put(FILE *out, const char *id, size_t bytes)
{
    size_t len = strlen(id), start = len > bytes ? len - bytes : 0;

    while (start > 0 && ((unsigned char)id[start] & 0xc0) == 0x80) /* not within a character */
        start--;
    (void)fprintf(out, "%s%s", start > 1 ? "…" : "", start > 1 ? id + start : id);
}

/* ==== page ======================================================================================================= */

bool cli_thread_page_replaces(const cli_web_page *page, const cli_store *store)
{
    agentchat_error err;

    if (strcmp(page->output, "-") == 0 || !cli_store_lies_in(store, page->output))
        return false;
    agentchat_error_clear(&err);
    cli_error_print(stderr, page->output,
                    agentchat_error_set(&err, AGENTCHAT_E_INVALID,
                                        "this is the store that is shown, and would be "
                                        "replaced"),
                    &err);
    return true;
}

/* To be closed. */
static cli_input input_of(const agentchat_checkpoint *checkpoint)
{
    return (cli_input){.name = agentchat_checkpoint_get_info(checkpoint)->id,
                       .snapshot = agentchat_snapshot_ref(agentchat_checkpoint_snapshot(checkpoint))};
}

bool cli_thread_page_write(const cli_web_page *page, const agentchat_checkpoint *before,
                           const agentchat_checkpoint *after)
{
    cli_input left = input_of(before), right = input_of(after);
    bool written = cli_web_page_write(page, &left, &right);

    cli_input_close(&right);
    cli_input_close(&left);
    return written;
}

/* ==== last message =============================================================================================== */
/*
 * A list of checkpoints holds no contents, so the last message of each is read besides, which costs no more than that
 * message. Another program may remove a checkpoint between the two.
 */

agentchat_status cli_thread_last_message_put(cli_thread *t, FILE *out, const agentchat_checkpoint_info *info)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_messages *messages = NULL;

    if (info->messages == 0) {
        (void)fputs("(no messages)", out);
        return AGENTCHAT_OK;
    }
    options.ns = info->ns;
    options.id = info->id;
    agentchat_status status = agentchat_thread_tail(t->store.store, t->id, 1, &options, &messages, &t->store.err);
    if (status == AGENTCHAT_E_NOTFOUND)
        return AGENTCHAT_OK;
    if (status < 0)
        return status;
    (void)fprintf(out, "#%llu ", (unsigned long long)info->messages - 1);
    show_brief(out, agentchat_messages_at(messages, 0));
    agentchat_messages_unref(messages);
    return AGENTCHAT_OK;
}

/* ==== checkpoint ================================================================================================= */

static void put_or_null(cli_json *json, const char *name, const char *text)
{
    cli_json_text(json, name, text != NULL ? agentchat_str_from(text) : agentchat_str_null());
}

void cli_thread_checkpoint_json(cli_json *json, const agentchat_checkpoint_info *info)
{
    char step[24], time[CLI_TIME_LEN];

    (void)snprintf(step, sizeof step, "%lld", (long long)info->step);
    cli_json_cstr(json, "namespace", info->ns);
    cli_json_cstr(json, "id", info->id);
    put_or_null(json, "parent", info->parent);
    cli_json_count(json, "sequence", info->sequence);
    cli_json_count(json, "line", info->line);
    cli_json_raw(json, "step", agentchat_str_from(info->has_step ? step : "null"));
    put_or_null(json, "source", info->source);
    put_or_null(json, "run", info->run);
    cli_json_cstr(json, "time", cli_time_text(info->time_us, time));
    cli_json_count(json, "messages", info->messages);
    cli_json_raw(json, "metadata", info->metadata);
}

/* What stands in a JSON object, without its braces; NULL: it is none, and the library says so. */
static const char *members_of(const char *object, size_t *len)
{
    static const char whitespace[] = " \t\r\n";
    const char *first = object + strspn(object, whitespace), *end = first + strlen(first);

    while (end > first && strchr(whitespace, end[-1]) != NULL)
        end--;
    if (*first != '{' || end - first < 2 || end[-1] != '}')
        return NULL;
    first++;
    first += strspn(first, whitespace);
    *len = (size_t)(end - 1 - first);
    return first;
}

char *cli_thread_filter(const char *source, const char *step, const char *run, const char *filter)
{
    const char *members = NULL;
    size_t len = 0;
    cli_memory memory;

    if (filter != NULL)
        members = members_of(filter, &len);
    if (members == NULL && filter != NULL)
        return strdup(filter);
    if (cli_memory_begin(&memory)) {
        cli_json json = {.out = memory.out};

        cli_json_begin(&json, NULL, '{');
        if (source != NULL)
            cli_json_cstr(&json, "source", source);
        if (step != NULL)
            cli_json_raw(&json, "step", agentchat_str_from(step));
        if (run != NULL)
            cli_json_cstr(&json, "run", run);
        if (len > 0)
            (void)fprintf(memory.out, "%s%.*s", source != NULL || step != NULL || run != NULL ? ", " : "", (int)len,
                          members);
        cli_json_end(&json, '}');
    }
    return cli_memory_end(&memory) ? memory.text : NULL;
}

/* ==== removed ==================================================================================================== */

void cli_thread_removed_print(uint64_t checkpoints, bool as_json)
{
    cli_json json = {.out = stdout};

    if (!as_json) {
        (void)printf("%llu checkpoint%s deleted\n", (unsigned long long)checkpoints, checkpoints == 1 ? "" : "s");
        return;
    }
    cli_json_begin(&json, NULL, '{');
    cli_json_count(&json, "checkpoints", checkpoints);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}
