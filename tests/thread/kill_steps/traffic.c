/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints that follow from their numbers. */
#include "thread/kill_steps/traffic.h"

enum { WINDOW = 6, TEXT = 300, TRAFFIC_MOST = 5000 };
/* After so many what was said comes again: just when it may have become garbage, and is about to be deleted. */
enum { AGAIN = TRAFFIC_KEEP + WINDOW + 2 };

static void name_of(unsigned writer, unsigned number, char ns[16], char id[32])
{
    snprintf(ns, 16, "w%u", writer);
    snprintf(id, 32, "w%u-%u", writer, number);
}

/* The last messages, each long enough that a step does not do with all of them. */
static agentchat_snapshot *chat_at(unsigned writer, unsigned number)
{
    unsigned first = number >= WINDOW ? number - WINDOW + 1 : 0;
    char history[(TEXT + 40) * WINDOW] = "", values[64];
    size_t len = 0;

    for (unsigned i = first; i <= number; i++)
        len += (size_t)snprintf(history + len, sizeof history - len, "%s%u says %u %0*u", i > first ? "|" : "", writer,
                                i % AGAIN, TEXT, i % AGAIN);
    snprintf(values, sizeof values, "n=%u l=[%u,%u,1.50]", number, number, first);
    return chat_of(history, number % 4 == 0 ? "shown|to all" : NULL, values);
}

static bool has_write(unsigned number)
{
    return number % 3 == 1;
}

traffic_numbers traffic_now(const traffic *t)
{
    traffic_numbers now;

    for (unsigned i = 0; i < TRAFFIC_WRITERS; i++)
        now.puts[i] = atomic_load(&t->puts[i]);
    return now;
}

/* ---- doing ------------------------------------------------------------------------------------------------------ */

agentchat_status traffic_put(agentchat_store *store, const char *thread, traffic *t, unsigned writer,
                             agentchat_error *err)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_checkpoint_options which = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_pending_write write = {"", "task", "messages", 0, {NULL, 0}, AGENTCHAT_STR("{\"a\":1.50}"), NULL};
    unsigned number = atomic_load(&t->puts[writer]);
    agentchat_snapshot *chat = chat_at(writer, number);
    char ns[16], id[32], parent[32];
    agentchat_status status;

    if (number > 0) {
        name_of(writer, number - 1, ns, parent);
        options.parent = parent;
    }
    name_of(writer, number, ns, id);
    options.ns = which.ns = ns;
    options.id = which.id = id;
    status = agentchat_checkpoint_put(store, thread, chat, &options, NULL, err);
    if (status >= 0 && has_write(number))
        status = agentchat_checkpoint_put_writes(store, thread, &which, &write, 1, err);
    if (status >= 0)
        (void)atomic_fetch_add(&t->puts[writer], 1);
    agentchat_snapshot_unref(chat);
    return status;
}

agentchat_status traffic_prune(agentchat_store *store, const char *thread, agentchat_error *err)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;

    options.keep = TRAFFIC_KEEP;
    options.branches = true;
    return agentchat_thread_prune(store, thread, &options, NULL, err);
}

/* ---- looking ---------------------------------------------------------------------------------------------------- */

typedef struct look {
    agentchat_store *store;
    const char *thread;
    const traffic *pruned;
    unsigned writer;
    agentchat_error *err;
} look;

static agentchat_status fail_at(const look *l, unsigned number, const char *what)
{
    return agentchat_error_set(l->err, AGENTCHAT_E_CORRUPT, "thread %s, w%u-%u: %s", l->thread, l->writer, number,
                               what);
}

/* The newest one may have no write yet: that is a put of its own. */
static agentchat_status look_at_pending(const look *l, unsigned number, bool is_newest)
{
    agentchat_pending_options options = AGENTCHAT_PENDING_OPTIONS_INIT;
    agentchat_pending_list *list = NULL;
    agentchat_status status;
    char ns[16], id[32];
    size_t count;

    name_of(l->writer, number, ns, id);
    options.ns = ns;
    options.id = id;
    options.all = true;
    status = agentchat_checkpoint_pending(l->store, l->thread, &options, &list, l->err);
    count = agentchat_pending_list_count(list);
    agentchat_pending_list_free(list);
    if (status < 0)
        return status;
    return count == (has_write(number) ? 1 : 0) || is_newest
               ? AGENTCHAT_OK
               : agentchat_error_set(l->err, AGENTCHAT_E_NOTFOUND, "thread %s, %s has not its pending write", l->thread,
                                     id);
}

static agentchat_status look_at_chat(const look *l, unsigned number)
{
    agentchat_checkpoint_options which = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_snapshot *expected = chat_at(l->writer, number);
    agentchat_checkpoint *checkpoint = NULL;
    agentchat_status status;
    bool equal = false;
    char ns[16], id[32];

    name_of(l->writer, number, ns, id);
    which.ns = ns;
    which.id = id;
    status = agentchat_checkpoint_get(l->store, l->thread, &which, &checkpoint, l->err);
    if (status >= 0)
        status =
            agentchat_snapshot_diff(agentchat_checkpoint_snapshot(checkpoint), expected, NULL, NULL, &equal, l->err);
    agentchat_checkpoint_free(checkpoint);
    agentchat_snapshot_unref(expected);
    return status < 0 || equal ? status : fail_at(l, number, "is not what was put");
}

static bool may_be_gone(const look *l, unsigned number)
{
    return l->pruned != NULL && number + TRAFFIC_KEEP < atomic_load(&l->pruned->puts[l->writer]) + 1;
}

static agentchat_status look_at(const look *l, unsigned number, bool is_newest)
{
    agentchat_status status = look_at_chat(l, number);

    if (status >= 0)
        status = look_at_pending(l, number, is_newest);
    return status == AGENTCHAT_E_NOTFOUND && may_be_gone(l, number) ? AGENTCHAT_OK : status;
}

/* Those of one writer in a list, newest first. */
typedef struct own {
    size_t count;
    unsigned newest;
    const char *ids[TRAFFIC_MOST];
} own;

static agentchat_status find_own(const look *l, const agentchat_checkpoint_list *list, own *out)
{
    char ns[16], id[32];

    name_of(l->writer, 0, ns, id);
    for (size_t i = 0; i < agentchat_checkpoint_list_count(list); i++) {
        const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(list, i);

        if (strcmp(info->ns, ns) != 0)
            continue;
        if (out->count == TRAFFIC_MOST)
            return agentchat_error_set(l->err, AGENTCHAT_E_LIMIT, "thread %s: too many checkpoints", l->thread);
        out->ids[out->count++] = info->id;
    }
    out->newest = out->count > 0 ? (unsigned)strtoul(out->ids[0] + 3, NULL, 10) : 0;
    return AGENTCHAT_OK;
}

static agentchat_status look_at_own(const look *l, const own *found, unsigned before, size_t every)
{
    agentchat_status status = AGENTCHAT_OK;
    char ns[16], id[32];

    if (before > 0 && (found->count == 0 || found->newest + 1 < before))
        return fail_at(l, before - 1, "is not there");
    if (found->count > 0 && found->count < TRAFFIC_KEEP && found->count < found->newest + 1)
        return fail_at(l, found->newest - (unsigned)found->count, "was to be kept and is not there");
    for (size_t i = 0; i < found->count && status >= 0; i++) {
        unsigned number = found->newest - (unsigned)i;

        name_of(l->writer, number, ns, id);
        if (strcmp(found->ids[i], id) != 0)
            status = fail_at(l, number, "is missing among those that are there");
        else if (every == 1 || test_pick(every) == 0)
            status = look_at(l, number, i == 0);
    }
    return status;
}

agentchat_status traffic_look(agentchat_store *store, const char *thread, const traffic_numbers *before,
                              const traffic *pruned, size_t every, agentchat_error *err)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL;
    agentchat_status status;

    options.all_namespaces = true;
    options.limit = 1000000;
    status = agentchat_checkpoint_list_read(store, thread, &options, &list, err);
    if (status >= 0 && agentchat_checkpoint_list_count(list) == 0)
        status = agentchat_error_set(err, AGENTCHAT_E_NOTFOUND, "there is no thread %s", thread);
    for (unsigned i = 0; i < TRAFFIC_WRITERS && status >= 0; i++) {
        look l = {store, thread, pruned, i, err};
        own found = {.count = 0};

        status = find_own(&l, list, &found);
        if (status >= 0)
            status = look_at_own(&l, &found, before->puts[i], every);
    }
    agentchat_checkpoint_list_free(list);
    return status;
}
