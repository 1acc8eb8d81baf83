/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runner [--cases | --rules] FILE…: compares what Python answered with what the library answers, and prints a line a
 * file. --cases: a line a case too. --rules: how often each rule was used. Exit 1 when a case fails or a file is not
 * understood. scripts/recorded finds the files.
 */
#include "integers.h"
#include "kinds.h"

#include "support/test_support.h"
#include <agentchat/json_text.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 4, MOST_RULES = 64 };

typedef struct tally {
    size_t count[KINDS];
    size_t foreign; /* of another kind than this program runs */
    bool is_bad;    /* something is no case */
} tally;

typedef struct options {
    bool cases, rules;
} options;

/* How often each rule was used, in all files. */
typedef struct used {
    const char *file, *rule;
    verdict_kind kind;
    size_t count;
} used;

static used rules_used[MOST_RULES];

static const struct {
    const char *file, *function;
    verdict (*run)(const kind_case *c);
} kinds[] = {
    {"add-messages.jsonl", "add_messages", kind_add},
    {"trim.jsonl", "trim_messages", kind_trim},
    {"filter.jsonl", "filter_messages", kind_filter},
    {"merge.jsonl", "merge_message_runs", kind_merge},
    {"tokens.jsonl", "count_tokens_approximately", kind_tokens},
    {"keep-range.jsonl", "manage_list", kind_keep},
    {"keep-range.jsonl", "StateGraph with Annotated[list, manage_list]", kind_keep},
    {"summarize.jsonl", "summarize_conversation in StateGraph(MessagesState + summary)", kind_summarize},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Half a surrogate pair is no text here, and jansson reads none: it becomes a character for private use, which has as
   many bytes, and is printed as long. */
static void replace_surrogates(char *line)
{
    for (char *at = line; (at = strstr(at, "\\u")) != NULL; at += 2) {
        size_t before = 0;
        unsigned unit, low;

        while (at > line + before && at[-1 - (long)before] == '\\')
            before++;
        if (before % 2 != 0 || sscanf(at + 2, "%4x", &unit) != 1 || unit < 0xD800 || unit > 0xDFFF)
            continue;
        if (unit < 0xDC00 && sscanf(at + 6, "\\u%4x", &low) == 1 && low >= 0xDC00 && low <= 0xDFFF) {
            at += 6;
            continue;
        }
        at[2] = 'e'; /* U+E000 and on */
        at[3] = at[3] == '8' || at[3] == 'c' || at[3] == 'C' ? '0' : at[3];
    }
}

static char *next_line(char **rest)
{
    char *line = *rest, *end;

    if (line == NULL || *line == '\0')
        return NULL;
    end = strchr(line, '\n');
    *rest = end != NULL ? end + 1 : NULL;
    if (end != NULL)
        *end = '\0';
    return line;
}

/* The lists that cases name, which stand in a file beside theirs. */
static json_t *lists_beside(const char *path)
{
    const char *slash = strrchr(path, '/');
    char beside[1024], *text = NULL, *rest, *line;
    json_t *lists = json_object();
    size_t len;
    FILE *file;

    (void)snprintf(beside, sizeof beside, "%.*strim-lists.jsonl", (int)(slash != NULL ? slash - path + 1 : 0), path);
    file = fopen(beside, "rb");
    if (file == NULL)
        return lists;
    (void)fclose(file);
    rest = text = test_file_read(beside, &len);
    while ((line = next_line(&rest)) != NULL) {
        json_t *one = integers_load(agentchat_str_from(line));

        json_object_set(lists, notation_word(one, "name") != NULL ? notation_word(one, "name") : "",
                        json_object_get(one, "messages"));
        json_decref(one);
    }
    free(text);
    return lists;
}

/* ---- one case ---------------------------------------------------------------------------------------------------- */

static void count_rule(const char *file, verdict found)
{
    for (size_t i = 0; i < MOST_RULES; i++) {
        used *u = &rules_used[i];

        if (u->rule == NULL)
            *u = (used){file, found.rule, found.kind, 0};
        if (u->file == file && strcmp(u->rule, found.rule) == 0 && u->kind == found.kind) {
            u->count++;
            return;
        }
    }
}

static void take_verdict(const options *o, const char *file, agentchat_str id, verdict found, tally *t)
{
    static const char *const names[KINDS] = {"equal", "different", "skipped", "FAILING"};

    t->count[found.kind]++;
    if (found.rule != NULL)
        count_rule(file, found);
    if (o->cases || found.kind == VERDICT_FAILING)
        printf("  %s " AGENTCHAT_STR_FMT "%s%s\n", names[found.kind], AGENTCHAT_STR_ARG(id),
               found.rule != NULL ? ": " : "", found.rule != NULL ? found.rule : "");
}

static void run_line(const options *o, size_t file, char *text, const json_t *lists, tally *t)
{
    kind_case c = {.lists = lists};
    agentchat_str function;
    agentchat_error err;

    replace_surrogates(text);
    if (agentchat_json_check(NULL, agentchat_str_from(text), &c.line, &err) < 0 ||
        (function = agentchat_json_find(c.line, AGENTCHAT_STR("fn"))).ptr == NULL) {
        t->is_bad = true;
        return;
    }
    for (size_t i = file; i < KIND_COUNT && strcmp(kinds[i].file, kinds[file].file) == 0; i++) {
        json_t *one;

        if (!agentchat_json_equal(function, agentchat_str_from(kinds[i].function)))
            continue;
        c.one = one = integers_load(c.line);
        if (one != NULL)
            take_verdict(o, kinds[i].file, agentchat_json_find(c.line, AGENTCHAT_STR("id")), kinds[i].run(&c), t);
        else
            t->is_bad = true;
        json_decref(one);
        return;
    }
    t->foreign++;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void print_tally(const char *name, const tally *t)
{
    size_t all = t->count[0] + t->count[1] + t->count[2] + t->count[3];

    printf("%s: %zu cases: %zu equal (%.1f %%), %zu different by rule, %zu skipped by rule, %zu failing", name, all,
           t->count[VERDICT_EQUAL], all > 0 ? 100.0 * (double)t->count[VERDICT_EQUAL] / (double)all : 0.0,
           t->count[VERDICT_DIFFERENT], t->count[VERDICT_SKIPPED], t->count[VERDICT_FAILING]);
    if (t->foreign > 0)
        printf(", %zu not for us", t->foreign);
    printf("%s\n", t->is_bad ? ", NOT UNDERSTOOD" : "");
}

static bool run_file(const options *o, const char *path, tally *sum)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    size_t file = 0, len;
    char *text, *rest, *line;
    json_t *lists;
    tally t = {{0}, 0, false};

    while (file < KIND_COUNT && strcmp(kinds[file].file, name) != 0)
        file++;
    if (file == KIND_COUNT) {
        printf("%s: not for us\n", path);
        return true;
    }
    lists = lists_beside(path);
    rest = text = test_file_read(path, &len);
    while ((line = next_line(&rest)) != NULL)
        run_line(o, file, line, lists, &t);
    free(text);
    json_decref(lists);
    if (t.count[0] + t.count[1] + t.count[2] + t.count[3] + t.foreign == 0)
        t.is_bad = true;
    print_tally(path, &t);
    for (size_t i = 0; i < KINDS; i++)
        sum->count[i] += t.count[i];
    sum->foreign += t.foreign;
    sum->is_bad = sum->is_bad || t.is_bad;
    return !t.is_bad && t.count[VERDICT_FAILING] == 0;
}

static void print_rules(void)
{
    for (size_t i = 0; i < MOST_RULES && rules_used[i].rule != NULL; i++)
        printf("  %s: %zu %s: %s\n", rules_used[i].file, rules_used[i].count,
               rules_used[i].kind == VERDICT_DIFFERENT ? "different" : "skipped", rules_used[i].rule);
}

int main(int argc, char **argv)
{
    options o = {false, false};
    tally sum = {{0}, 0, false};
    bool good = true;
    int first = 1;

    for (; first < argc && strncmp(argv[first], "--", 2) == 0; first++) {
        o.cases = o.cases || strcmp(argv[first], "--cases") == 0;
        o.rules = o.rules || strcmp(argv[first], "--rules") == 0;
    }
    for (int i = first; i < argc; i++)
        good = run_file(&o, argv[i], &sum) && good;
    if (o.rules)
        print_rules();
    print_tally("all", &sum);
    return good && first < argc ? 0 : 1;
}
