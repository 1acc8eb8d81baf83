/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The power fails while threads are put, branched, pruned, copied and deleted, and sessions appended to, in one file.
 * After each step of SQLite's, files are made as a disk may hold them (sqlite_power.h) and read through the library:
 * its own check finds nothing, every checkpoint is one that was put, and all calls together read what they read after
 * one of the calls, or within one that takes several transactions; with full durability after the last acknowledged one
 * at least. And a put flushes once.
 *
 *     test_thread_power sqlite
 *
 * THREAD_STATES=all: after each step, all choices of a few writes and each write torn at each sector.
 */
#include "thread/contract/contract.h"

#include "unit/store/sqlite/sqlite_power.h"
#include "unit/store/sqlite/sqlite_vfs.h"

#include <stdio.h>

typedef struct disk {
    char *dir, *path, url[4200];
    agentchat_store *store;
    agentchat_error err;
} disk;

static void open_disk(disk *d)
{
    test_ok(agentchat_store_open(NULL, d->url, NULL, &d->store, &d->err), &d->err);
}

static int disk_begin(void **state)
{
    disk *d = calloc(1, sizeof *d);

    assert_non_null(d);
    test_vfs_install();
    test_vfs_state = (test_vfs){.fail_at = UINT64_MAX, .without_flushes = true};
    d->dir = test_dir_make();
    d->path = test_path(d->dir, "store.db");
    snprintf(d->url, sizeof d->url, "sqlite:%s", d->path);
    *state = d;
    return 0;
}

static int disk_end(void **state)
{
    disk *d = *state;

    test_power_end();
    test_power_forget();
    test_dir_remove(d->dir);
    free(d->path);
    free(d);
    return 0;
}

/* ---- reading everything -------------------------------------------------------------------------------------------
 */

/* Every checkpoint as it was put: no other may ever be read. */
static struct {
    uint64_t sums[256];
    size_t count;
    bool is_learning;
} known;

typedef struct sum {
    uint64_t value;
    agentchat_store *store;
    agentchat_error err;
} sum;

static void add_bytes(sum *all, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < len; i++)
        all->value = (all->value ^ at[i]) * UINT64_C(1099511628211);
    all->value = (all->value ^ len) * UINT64_C(1099511628211);
}

static void add_text(sum *all, const char *text)
{
    add_bytes(all, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
}

static agentchat_status add_pending(sum *all, const char *thread, const agentchat_checkpoint_info *info)
{
    agentchat_pending_options options = AGENTCHAT_PENDING_OPTIONS_INIT;
    agentchat_pending_list *list = NULL;
    agentchat_status status;

    options.ns = info->ns;
    options.id = info->id;
    options.all = true;
    status = agentchat_checkpoint_pending(all->store, thread, &options, &list, &all->err);
    for (size_t i = 0; i < agentchat_pending_list_count(list); i++) {
        const agentchat_pending_write *write = agentchat_pending_list_at(list, i);

        add_text(all, write->task);
        add_text(all, write->consumed_by);
        add_bytes(all, write->value.ptr, write->value.len);
    }
    agentchat_pending_list_free(list);
    return status;
}

static agentchat_status expect_known(uint64_t value, agentchat_error *err)
{
    for (size_t i = 0; i < known.count; i++) {
        if (known.sums[i] == value)
            return AGENTCHAT_OK;
    }
    if (!known.is_learning)
        return agentchat_error_set(err, AGENTCHAT_E_CORRUPT, "a checkpoint that was never put");
    assert_true(known.count < sizeof known.sums / sizeof known.sums[0]);
    known.sums[known.count++] = value;
    return AGENTCHAT_OK;
}

static agentchat_status add_checkpoint(sum *all, const char *thread, const agentchat_checkpoint_info *info)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_checkpoint *checkpoint = NULL;
    sum one = {.value = 0};
    agentchat_status status;

    options.ns = info->ns;
    options.id = info->id;
    status = agentchat_checkpoint_get(all->store, thread, &options, &checkpoint, &all->err);
    if (status >= 0)
        status =
            agentchat_snapshot_write_memory(agentchat_checkpoint_snapshot(checkpoint), NULL, &text, NULL, &all->err);
    add_text(&one, info->id);
    add_text(&one, info->parent);
    add_bytes(&one, &info->sequence, sizeof info->sequence);
    add_bytes(&one, text.ptr, text.len);
    add_bytes(all, &one.value, sizeof one.value);
    agentchat_bytes_clear(&text);
    agentchat_checkpoint_free(checkpoint);
    if (status >= 0)
        status = expect_known(one.value, &all->err);
    return status < 0 ? status : add_pending(all, thread, info);
}

static agentchat_status add_thread(sum *all, const agentchat_thread_info *thread)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL;
    agentchat_status status;

    add_text(all, thread->id);
    add_bytes(all, &thread->bytes, sizeof thread->bytes);
    options.all_namespaces = true;
    options.limit = 1000;
    status = agentchat_checkpoint_list_read(all->store, thread->id, &options, &list, &all->err);
    for (size_t i = 0; i < agentchat_checkpoint_list_count(list) && status >= 0; i++)
        status = add_checkpoint(all, thread->id, agentchat_checkpoint_list_at(list, i));
    agentchat_checkpoint_list_free(list);
    return status;
}

static agentchat_status add_session(sum *all)
{
    agentchat_session *session = NULL;
    agentchat_status status =
        agentchat_session_get(all->store, &(agentchat_session_id){"app", "user", "s"}, NULL, &session, &all->err);

    if (status == AGENTCHAT_E_NOTFOUND)
        return AGENTCHAT_OK;
    for (size_t i = 0; i < agentchat_session_event_count(session); i++) {
        agentchat_str id = agentchat_event_get(agentchat_session_event(session, i), AGENTCHAT_EVENT_ID);

        add_bytes(all, id.ptr, id.len);
    }
    agentchat_session_free(session);
    return status;
}

static agentchat_status add_all(sum *all)
{
    agentchat_thread_list *list = NULL;
    agentchat_status status = agentchat_thread_list_read(all->store, NULL, &list, &all->err);

    for (size_t i = 0; i < agentchat_thread_list_count(list) && status >= 0; i++)
        status = add_thread(all, agentchat_thread_list_at(list, i));
    agentchat_thread_list_free(list);
    return status < 0 ? status : add_session(all);
}

static agentchat_status take_finding(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    (void)part;
    (void)err;
    *(bool *)user |= problem.ptr != NULL;
    return AGENTCHAT_OK;
}

/* A number for all that the store holds; 0 for nothing. */
static uint64_t state_of(agentchat_store *store)
{
    sum all = {.store = store};
    bool is_damaged = false;

    if (add_all(&all) < 0 || agentchat_store_check(store, take_finding, &is_damaged, &all.err) < 0 || is_damaged)
        return TEST_POWER_DAMAGED;
    return all.value;
}

static uint64_t read_disk(void *user)
{
    disk *d = user;
    agentchat_store *store = NULL;
    agentchat_error err;
    uint64_t state = TEST_POWER_DAMAGED;

    if (agentchat_store_open(NULL, d->url, NULL, &store, &err) >= 0)
        state = state_of(store);
    agentchat_store_close(store);
    return state;
}

/* ---- what is recorded ---------------------------------------------------------------------------------------------
 */

static uint64_t learn(disk *d)
{
    uint64_t state;

    known.is_learning = true;
    state = state_of(d->store);
    known.is_learning = false;
    assert_true(state != TEST_POWER_DAMAGED);
    return state;
}

static void done(disk *d)
{
    test_power_end(); /* reading is none of it */
    test_power_acknowledge(learn(d));
    test_power_begin();
}

/* A call of several transactions. */
static void done_in_parts(disk *d)
{
    test_power_end();
    test_power_acknowledge_parts(learn(d));
    test_power_begin();
}

static void put(disk *d, const char *id, const char *parent, agentchat_snapshot *chat)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;

    options.id = id;
    options.parent = parent;
    options.branch = true;
    options.replace = true;
    options.run = id[0] == 'r' ? "run" : NULL;
    test_ok(agentchat_checkpoint_put(d->store, "thread", chat, &options, NULL, &d->err), &d->err);
    agentchat_snapshot_unref(chat);
    done(d);
}

static void put_write(disk *d, const char *id)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_pending_write write = {"", "task", "channel", 0, {NULL, 0}, AGENTCHAT_STR("[1,2,3]"), NULL};

    options.id = id;
    test_ok(agentchat_checkpoint_put_writes(d->store, "thread", &options, &write, 1, &d->err), &d->err);
    done(d);
}

static void prune(disk *d, uint64_t keep)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;

    options.keep = keep;
    options.branches = true;
    test_ok(agentchat_thread_prune(d->store, "thread", &options, NULL, &d->err), &d->err);
    done_in_parts(d);
}

static void append(disk *d, const char *id)
{
    agentchat_event_builder *builder = test_event_builder(NULL, "user");
    agentchat_session *session = NULL;
    agentchat_event *event = NULL;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, agentchat_str_from(id));
    test_ok(agentchat_event_builder_finish(builder, &event, &d->err), &d->err);
    test_ok(agentchat_session_get(d->store, &(agentchat_session_id){"app", "user", "s"}, NULL, &session, &d->err),
            &d->err);
    test_ok(agentchat_session_append(session, event, NULL, NULL, &d->err), &d->err);
    agentchat_event_unref(event);
    agentchat_session_free(session);
    done(d);
}

static void reopen(disk *d)
{
    agentchat_store_close(d->store);
    open_disk(d);
}

static void work(disk *d)
{
    agentchat_session *session = NULL;

    put(d, "c1", NULL, chat_of("one|two|three", "two|three", "l=[1,2]"));
    put(d, "c2", NULL, chat_of("one|two|three|four", "two|three|four", "l=[1,2,3]"));
    put_write(d, "c2");
    put(d, "r3", NULL, chat_of("one|two|three|four|five", NULL, "l=[1,2,3,4]"));
    put(d, "b3", "c2", chat_of("one|two|three|four|branch", "four", "l=[1,2,3]"));
    reopen(d); /* what the log holds is moved into the file */
    put(d, "c4", "r3", picture_chat("a picture", 20000, "image/png"));
    put(d, "r5", "c4", chat_of("two|three", NULL, "l=[3,4] v={\"a\":1}"));
    put(d, "b3", "c2", chat_of("another|branch", "branch", NULL));
    test_ok(agentchat_session_create(d->store, &(agentchat_session_id){"app", "user", "s"}, NULL, &session, &d->err),
            &d->err);
    agentchat_session_free(session);
    done(d);
    append(d, "e1");
    prune(d, 4);
    test_ok(agentchat_thread_copy(d->store, "thread", "copy", &d->err), &d->err);
    done(d);
    reopen(d);
    test_ok(agentchat_thread_delete_run(d->store, "thread", "run", NULL, &d->err), &d->err);
    done_in_parts(d);
    put_write(d, "later");
    append(d, "e2");
    prune(d, 1);
    put(d, "c6", NULL, chat_of("two|three|four|six", "six", "l=[]"));
    test_ok(agentchat_thread_delete(d->store, "copy", &d->err), &d->err);
    done_in_parts(d);
}

static test_power_tally lose_power(disk *d, const char *durability, bool flushes)
{
    bool all = getenv("THREAD_STATES") != NULL;
    const test_power_amount amount = {
        .step_every = all ? 1 : 5, .random = all ? 6 : 1, .all = all ? 7 : 0, .each = all};

    snprintf(d->url, sizeof d->url, "sqlite:%s?synchronous=%s", d->path, durability);
    test_power_begin();
    open_disk(d);
    done(d); /* there are tables now */
    work(d);
    agentchat_store_close(d->store);
    test_power_end();
    if (!flushes)
        test_power_forget_flushes();
    return test_power_crash(d->path, &amount, read_disk, d);
}

static void test_thread_power__full_durability_loses_nothing_acknowledged(void **state)
{
    test_power_tally t = lose_power(*state, "full", true);

    assert_int_equal(t.damaged, 0);
    assert_int_equal(t.outdated, 0);
}

static void test_thread_power__normal_durability_leaves_a_prefix(void **state)
{
    test_power_tally t = lose_power(*state, "normal", true);

    assert_int_equal(t.damaged, 0);
    assert_true(t.outdated > 0);
}

/* The same look at the same work finds out when a flush is missing. */
static void test_thread_power__a_missing_flush_is_seen(void **state)
{
    test_power_tally t = lose_power(*state, "full", false);

    assert_true(t.outdated > 0);
}

/* ---- flushes -------------------------------------------------------------------------------------------------------
 */

static size_t flushes_of_puts(disk *d, size_t puts)
{
    agentchat_snapshot *chat = chat_of("one|two", "two", "l=[1]");

    for (size_t i = 0; i < 1 + puts; i++) {
        agentchat_snapshot *longer = chat_with(chat, "more");

        if (i == 1) /* the first one begins the log, whose head is flushed, too */
            test_power_begin();
        test_ok(agentchat_checkpoint_put(d->store, "thread", longer, NULL, NULL, &d->err), &d->err);
        agentchat_snapshot_unref(chat);
        chat = longer;
    }
    test_power_end();
    agentchat_snapshot_unref(chat);
    return test_power_flushes();
}

static void test_thread_power__a_put_flushes_once(void **state)
{
    disk *d = *state;

    snprintf(d->url, sizeof d->url, "sqlite:%s?synchronous=full", d->path);
    open_disk(d);
    assert_int_equal(flushes_of_puts(d, 20), 20);
    test_power_forget();
    agentchat_store_close(d->store);
    snprintf(d->url, sizeof d->url, "sqlite:%s?synchronous=normal", d->path);
    open_disk(d);
    assert_int_equal(flushes_of_puts(d, 20), 0);
    agentchat_store_close(d->store);
}

#define ON_DISK(test) cmocka_unit_test_setup_teardown(test, disk_begin, disk_end)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        ON_DISK(test_thread_power__full_durability_loses_nothing_acknowledged),
        ON_DISK(test_thread_power__normal_durability_leaves_a_prefix),
        ON_DISK(test_thread_power__a_missing_flush_is_seen),
        ON_DISK(test_thread_power__a_put_flushes_once),
    };

    scene_files_in_memory();
    if (!scene_program("thread.power", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
