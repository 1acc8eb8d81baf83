/* SPDX-License-Identifier: Apache-2.0 */
/* An id that is given completely is found at once; for a part of one all ids of the namespace are looked at. */
#include "cli/io/thread.h"
#include "cli/text/put.h"
#include <stdlib.h>
#include <string.h>

enum {
    PAGE = 100,      /* checkpoints that are looked at in one go */
    MOST_NAMED = 10, /* ids of which one has to be chosen */
};

/* What `thread log` prints in front of the end of an id, which may come back with it. */
static const char ellipsis[] = "…";

void cli_thread_take(cli_thread *t, char **argv)
{
    t->store.name = argv[1];
    t->id = argv[2];
}

/* ---- parts of ids --------------------------------------------------------------------------------------------- */

typedef struct part {
    const char *text;
    size_t len;
    bool is_end; /* it was given as the end of an id */
    size_t count;
    char id[MOST_NAMED][AGENTCHAT_ID_SIZE]; /* those that have it */
} part;

static bool matches(const part *p, const char *id)
{
    size_t len = strlen(id);

    if (len < p->len)
        return false;
    return memcmp(id + len - p->len, p->text, p->len) == 0 || (!p->is_end && memcmp(id, p->text, p->len) == 0);
}

static void take_page(part *p, const agentchat_checkpoint_list *list)
{
    for (size_t i = 0; i < agentchat_checkpoint_list_count(list); i++) {
        const char *id = agentchat_checkpoint_list_at(list, i)->id;

        if (!matches(p, id))
            continue;
        if (p->count < MOST_NAMED)
            (void)snprintf(p->id[p->count], AGENTCHAT_ID_SIZE, "%s", id);
        p->count++;
    }
}

static agentchat_status find_part(cli_thread *t, part *p)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL, *before = NULL;
    agentchat_status status;

    options.ns = t->ns;
    options.limit = PAGE;
    do {
        status = agentchat_checkpoint_list_read(t->store.store, t->id, &options, &list, &t->store.err);
        agentchat_checkpoint_list_free(before); /* with its cursor */
        if (status < 0)
            return status;
        take_page(p, list);
        options.cursor = agentchat_checkpoint_list_cursor(list);
        before = list;
    } while (options.cursor != NULL);
    agentchat_checkpoint_list_free(before);
    return AGENTCHAT_OK;
}

static void say_ambiguous(const cli_thread *t, const part *p)
{
    (void)fprintf(stderr, "agentchat %s: %zu checkpoints have ids that %s with \"", t->store.self->name, p->count,
                  p->is_end ? "end" : "begin or end");
    (void)cli_put(stderr, (agentchat_str){p->text, p->len});
    (void)fputs("\"; give more of it\n", stderr);
    for (size_t i = 0; i < p->count && i < MOST_NAMED; i++) {
        (void)fputs("  ", stderr);
        (void)cli_put(stderr, agentchat_str_from(p->id[i]));
        (void)fputc('\n', stderr);
    }
    if (p->count > MOST_NAMED)
        (void)fprintf(stderr, "  and %zu more\n", p->count - MOST_NAMED);
}

/* ---- checkpoints ---------------------------------------------------------------------------------------------- */

/* Whether there is a checkpoint of that id: what NOTFOUND says otherwise. */
static agentchat_status look_up(cli_thread *t, const char *id)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_messages *none = NULL;

    options.ns = t->ns;
    options.id = id;
    agentchat_status status = agentchat_thread_tail(t->store.store, t->id, 0, &options, &none, &t->store.err);
    agentchat_messages_unref(none);
    return status;
}

/* Looks for those whose ids have the part. OK: there is exactly one; NOTFOUND: none; DONE: there are several, which has
   been reported. */
static agentchat_status search(cli_thread *t, part *p, char id[AGENTCHAT_ID_SIZE])
{
    agentchat_error missing = t->store.err; /* which says that there is none */
    agentchat_status status = find_part(t, p);

    if (status < 0)
        return status;
    if (p->count == 1) {
        (void)snprintf(id, AGENTCHAT_ID_SIZE, "%s", p->id[0]);
        return AGENTCHAT_OK;
    }
    if (p->count > 1) {
        say_ambiguous(t, p);
        return AGENTCHAT_DONE;
    }
    t->store.err = missing;
    return AGENTCHAT_E_NOTFOUND;
}

static agentchat_status find(cli_thread *t, const char *name, char id[AGENTCHAT_ID_SIZE])
{
    bool is_end = strncmp(name, ellipsis, sizeof ellipsis - 1) == 0;
    const char *text = is_end ? name + sizeof ellipsis - 1 : name;
    agentchat_status status = look_up(t, name);

    if (status >= 0)
        (void)snprintf(id, AGENTCHAT_ID_SIZE, "%s", name);
    if (status != AGENTCHAT_E_NOTFOUND || *text == '\0')
        return status;
    part *p = calloc(1, sizeof *p);
    if (p == NULL)
        return agentchat_error_set(&t->store.err, AGENTCHAT_E_NOMEM, "out of memory");
    p->text = text;
    p->len = strlen(text);
    p->is_end = is_end;
    status = search(t, p, id);
    free(p);
    return status;
}

bool cli_thread_find(cli_thread *t, const char *name, char id[AGENTCHAT_ID_SIZE], bool *missing)
{
    agentchat_status status = find(t, name, id);
    bool is_missing = status == AGENTCHAT_E_NOTFOUND;

    if (missing != NULL)
        *missing = is_missing;
    if (status < 0 && (missing == NULL || !is_missing))
        (void)cli_store_fail(&t->store, status);
    return status == AGENTCHAT_OK;
}

agentchat_checkpoint *cli_thread_get(cli_thread *t, const char *name)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;
    char id[AGENTCHAT_ID_SIZE];

    options.ns = t->ns;
    if (name != NULL && !cli_thread_find(t, name, id, NULL))
        return NULL;
    options.id = name != NULL ? id : NULL;
    agentchat_status status = agentchat_checkpoint_get(t->store.store, t->id, &options, &checkpoint, &t->store.err);
    if (status < 0)
        (void)cli_store_fail(&t->store, status);
    return checkpoint;
}

agentchat_checkpoint *cli_thread_open(cli_thread *t, const char *name)
{
    agentchat_checkpoint *checkpoint;

    if (!cli_store_open(&t->store, CLI_READ))
        return NULL;
    checkpoint = cli_thread_get(t, name);
    if (checkpoint == NULL)
        cli_store_close(&t->store);
    return checkpoint;
}
