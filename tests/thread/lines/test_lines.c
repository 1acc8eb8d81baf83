/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live chats on the lines of one thread, at random, against a naive model of the rules in docs/threads.md: chats that
 * are attached to the main line and to branches, with and without append; puts by others; prunes, runs that are
 * deleted, checkpoints that are replaced, the thread deleted; answers to commits that get lost. Each message has a text
 * of its own: none is doubled, none that was acknowledged leaves the line that it was said on. THREAD_LINES says how
 * many runs.
 */
#include "thread/contract/live.h"
#include "thread/steps/between.h"

enum { CHATS = 4, STEPS = 600, MOST = STEPS + 1, NONE = -1 };

typedef struct texts_list {
    int list[STEPS];
    int count;
} texts_list;

typedef struct checkpoint {
    char id[AGENTCHAT_ID_SIZE];
    int seq, written, line, parent; /* the index of the one that it names, or NONE */
    int run;
    bool present;
    texts_list texts;
} checkpoint;

typedef struct actor {
    agentchat_chat *chat;
    texts_list texts;
    bool branch, append, no_catch_up, at_end;
    bool has_base;
    int base, base_written, base_thread; /* which checkpoint, as of which writing, in which of the threads */
    texts_list base_texts;
    bool has_lost, lost_branch;
    int lost; /* the checkpoint, or NONE: it was not carried out */
    texts_list lost_texts;
} actor;

typedef struct world {
    scene *s;
    checkpoint *list;
    int count;
    int counter; /* of the thread */
    int thread;  /* 0: there is none; else how many there were */
    int threads;
    uint64_t besides; /* checkpoints of another namespace */
    int said;
    actor actors[CHATS];
} world;

/* ---- the model --------------------------------------------------------------------------------------------------- */

static int newest_of(const world *w, int line) /* 0: of the namespace */
{
    for (int i = w->count - 1; i >= 0; i--)
        if (w->list[i].present && (line == 0 || w->list[i].line == line))
            return i;
    return NONE;
}

static int next_of(const world *w, int line, int seq)
{
    for (int i = 0; i < w->count; i++)
        if (w->list[i].present && (line == 0 || w->list[i].line == line) && w->list[i].seq > seq)
            return i;
    return NONE;
}

static int line_of(const world *w, const actor *a)
{
    return w->list[a->base].line;
}

static void make_thread(world *w)
{
    if (w->thread != 0)
        return;
    w->thread = ++w->threads;
    w->counter = 0;
}

/* Adds one; parent NONE: it has none. */
static int add(world *w, int parent, bool begins, const texts_list *texts, int run)
{
    checkpoint *c = &w->list[w->count];

    make_thread(w);
    c->seq = c->written = ++w->counter;
    c->line = begins ? c->seq : w->list[parent].line;
    c->parent = parent;
    c->run = run;
    c->present = true;
    c->texts = *texts;
    return w->count++;
}

static void stand_on(const world *w, actor *a, int index, int written)
{
    a->has_base = true;
    a->base = index;
    a->base_written = written;
    a->base_thread = w->thread;
    a->base_texts = w->list[index].texts;
}

static bool is_gone(const world *w, const actor *a)
{
    return a->has_base && a->base_thread != w->thread;
}

static agentchat_status find_lost(const world *w, actor *a, bool locked, bool branch)
{
    int next;

    if (!a->has_lost)
        return AGENTCHAT_OK;
    if (a->lost != NONE && w->list[a->lost].present) {
        stand_on(w, a, a->lost, w->list[a->lost].seq);
        a->base_texts = a->lost_texts; /* it may have been replaced */
        a->branch = a->branch && !a->lost_branch;
        a->has_lost = false;
        return AGENTCHAT_OK;
    }
    next = a->has_base ? next_of(w, line_of(w, a), w->list[a->base].seq) : next_of(w, 0, 0);
    if (a->lost_branch || next == NONE) {
        a->has_lost = !locked;
        return AGENTCHAT_OK;
    }
    if (w->list[next].parent == (a->has_base ? a->base : NONE) || (branch && locked)) {
        a->has_lost = false;
        return AGENTCHAT_OK;
    }
    return branch ? AGENTCHAT_OK : AGENTCHAT_E_CONFLICT;
}

static agentchat_status look(const world *w, actor *a, int *newest)
{
    agentchat_status status;

    if (is_gone(w, a))
        return AGENTCHAT_E_NOTFOUND;
    status = find_lost(w, a, false, a->branch);
    if (status < 0)
        return status;
    *newest = newest_of(w, a->has_base ? line_of(w, a) : 0);
    if (a->branch || a->has_lost || (!a->has_base && *newest == NONE))
        return AGENTCHAT_DONE;
    if (a->has_base && *newest == a->base && w->list[*newest].written == a->base_written)
        return AGENTCHAT_DONE;
    return *newest != NONE ? AGENTCHAT_OK : AGENTCHAT_E_CONFLICT;
}

static agentchat_status catch_up(const world *w, actor *a, bool append)
{
    int newest = NONE, first = a->has_base ? a->base_texts.count : 0;
    agentchat_status status = look(w, a, &newest);
    texts_list texts;

    if (status != AGENTCHAT_OK)
        return status;
    first = a->has_base ? a->base_texts.count : 0;
    if (a->texts.count > first && !append)
        return AGENTCHAT_E_CONFLICT;
    texts = w->list[newest].texts;
    for (int i = first; i < a->texts.count; i++)
        texts.list[texts.count++] = a->texts.list[i];
    a->texts = texts;
    stand_on(w, a, newest, w->list[newest].written);
    return AGENTCHAT_OK;
}

static void expect_no_loss(const texts_list *old, const texts_list *new)
{
    for (int i = 0; i < old->count; i++) {
        bool found = false;

        for (int j = 0; j < new->count && !found; j++)
            found = new->list[j] == old->list[i];
        assert_true(found);
    }
}

/* *made: what it has put, NONE: nothing. strikes: its answer gets lost; 2: and it is not carried out. */
static agentchat_status save(world *w, actor *a, bool wants_branch, bool by_hand, int strikes, int run, int *made)
{
    bool branch = a->branch || wants_branch, was_branch = a->lost_branch && a->has_lost, begins;
    int parent = NONE;
    agentchat_status status;

    *made = NONE;
    if (is_gone(w, a)) {
        if (w->thread != 0 || !by_hand || branch)
            return AGENTCHAT_E_NOTFOUND;
        a->has_lost = false;
        parent = a->base;
        begins = true;
    } else {
        bool had_lost = a->has_lost;

        status = find_lost(w, a, true, branch);
        if (status < 0)
            return status;
        if (had_lost && a->has_base && a->base == a->lost && was_branch)
            branch = false;
        parent = a->has_base ? a->base : branch ? newest_of(w, 0) : NONE;
        begins = branch || !a->has_base;
        if (!branch && a->has_base) {
            int newest = newest_of(w, line_of(w, a));

            if (newest == NONE || newest != a->base || w->list[newest].written != a->base_written)
                return AGENTCHAT_E_CONFLICT;
            expect_no_loss(&w->list[newest].texts, &a->texts);
        }
        if (!branch && !a->has_base && newest_of(w, 0) != NONE)
            return AGENTCHAT_E_CONFLICT;
    }
    if (strikes != 2)
        *made = add(w, parent, begins, &a->texts, run);
    if (strikes != 0) {
        a->has_lost = true;
        a->lost = *made;
        a->lost_branch = branch;
        a->lost_texts = a->texts;
        return AGENTCHAT_E_IO;
    }
    a->has_lost = a->branch = false;
    stand_on(w, a, *made, w->list[*made].written);
    return AGENTCHAT_OK;
}

/* ---- the real thing, compared ---------------------------------------------------------------------------------------
 */

static void expect_texts(const agentchat_messages *list, const texts_list *texts)
{
    assert_int_equal(agentchat_messages_count(list), texts->count);
    for (int i = 0; i < texts->count; i++) {
        char text[16];

        snprintf(text, sizeof text, "%d", texts->list[i]);
        assert_str(agentchat_message_text(agentchat_messages_at(list, (size_t)i)), text);
    }
}

static void expect_actor(const actor *a)
{
    const char *id = agentchat_thread_remembered(a->chat);

    expect_texts(agentchat_chat_history(a->chat), &a->texts);
    for (int i = 0; i < a->texts.count; i++)
        for (int j = 0; j < i; j++)
            assert_int_not_equal(a->texts.list[i], a->texts.list[j]);
    assert_int_equal(id != NULL, a->has_base);
}

/* Every checkpoint, where it stands and what it follows; one of them in full. */
static void expect_thread(const world *w)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL;
    scene *s = w->s;
    size_t at = 0;
    int picked = w->count > 0 ? (int)test_pick((size_t)w->count) : 0;

    options.limit = MOST;
    test_ok(agentchat_checkpoint_list_read(s->store, s->app, &options, &list, &s->err), &s->err);
    for (int i = w->count - 1; i >= 0; i--) {
        const checkpoint *c = &w->list[i];
        const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(list, at);

        if (!c->present)
            continue;
        at++;
        assert_non_null(info);
        assert_string_equal(info->id, c->id);
        assert_int_equal(info->sequence, c->seq);
        assert_int_equal(info->line, c->line);
        assert_int_equal(info->messages, c->texts.count);
        if (c->parent != NONE)
            assert_string_equal(info->parent, w->list[c->parent].id);
        else
            assert_null(info->parent);
    }
    assert_int_equal(agentchat_checkpoint_list_count(list), at);
    agentchat_checkpoint_list_free(list);
    if (w->count > 0 && w->list[picked].present) {
        agentchat_checkpoint *found = get_checkpoint(s, w->list[picked].id);

        expect_texts(agentchat_snapshot_history(agentchat_checkpoint_snapshot(found)), &w->list[picked].texts);
        agentchat_checkpoint_free(found);
    }
}

/* The id of what was put last. */
static void take_id(const world *w, int made)
{
    agentchat_checkpoint *newest;

    if (made == NONE)
        return;
    newest = get_checkpoint(w->s, NULL);
    snprintf(w->list[made].id, sizeof w->list[made].id, "%s", agentchat_checkpoint_get_info(newest)->id);
    agentchat_checkpoint_free(newest);
}

static void expect_status(const world *w, agentchat_status status, agentchat_status expected)
{
    if (status != expected)
        print_error("got %s, expected %s: %s\n", agentchat_status_name(status), agentchat_status_name(expected),
                    status < 0 ? w->s->err.message : "");
    assert_int_equal(status, expected);
}

/* The answer to the next commit gets lost, for good: nobody waits for it. */
static void lose_answer(const world *w, int strikes)
{
    between.struck = strikes == 0;
    between.at = between.batches;
    between.what = strikes == 2 ? LOST_UNDONE : LOST_AND_DONE;
    w->s->store->wait_ms = strikes != 0 ? 0 : 30000;
}

static int any_strike(void)
{
    return test_pick(12) == 0 ? 1 + (int)test_pick(2) : 0;
}

/* ---- what chats do --------------------------------------------------------------------------------------------------
 */

static const char *const runs[] = {"r0", "r1", "r2", NULL};

static void say_one(world *w, actor *a)
{
    int strikes = any_strike(), made = NONE;
    agentchat_status expected = a->no_catch_up ? AGENTCHAT_OK : catch_up(w, a, a->append), status;
    char text[16];

    snprintf(text, sizeof text, "%d", ++w->said);
    if (expected >= 0) {
        a->texts.list[a->texts.count++] = w->said;
        expected = save(w, a, false, false, strikes, (int)(a - w->actors) % 4, &made);
    }
    lose_answer(w, strikes);
    status = agentchat_chat_add_text(a->chat, "user", agentchat_str_from(text), &w->s->err);
    lose_answer(w, 0);
    expect_status(w, status, expected);
    take_id(w, made);
}

static void save_by_hand(world *w, actor *a)
{
    agentchat_thread_save_options options = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    int strikes = any_strike(), made = NONE;
    agentchat_status expected, status;

    options.branch = test_pick(3) == 0;
    expected = save(w, a, options.branch, true, strikes, 3, &made);
    lose_answer(w, strikes);
    status = agentchat_thread_save(w->s->store, w->s->app, a->chat, &options, NULL, &w->s->err);
    lose_answer(w, 0);
    expect_status(w, status, expected);
    take_id(w, made);
}

static void catch_up_by_hand(world *w, actor *a)
{
    agentchat_thread_catch_up_options options = AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT;
    agentchat_status expected;

    options.append = test_pick(2) == 0;
    expected = catch_up(w, a, options.append);
    expect_status(w, agentchat_thread_catch_up(w->s->store, a->chat, &options, NULL, &w->s->err), expected);
}

static void take_options(actor *a, const agentchat_thread_attach_options *options)
{
    a->append = options->append;
    a->no_catch_up = options->no_catch_up;
}

static agentchat_thread_attach_options any_options(const actor *a, const world *w)
{
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;

    options.run = runs[(a - w->actors) % 4];
    options.append = test_pick(2) == 0;
    options.no_catch_up = test_pick(4) == 0;
    options.branch = test_pick(4) == 0;
    return options;
}

static void attach_again(world *w, actor *a)
{
    agentchat_thread_attach_options options = any_options(a, w);
    agentchat_status expected = AGENTCHAT_OK;
    actor before = *a;
    int newest = NONE;

    if (!a->has_base)
        return;
    a->branch = a->branch || options.branch;
    expected = look(w, a, &newest);
    if (expected == AGENTCHAT_OK)
        expected = AGENTCHAT_E_CONFLICT;
    if (expected == AGENTCHAT_DONE)
        expected = AGENTCHAT_OK;
    if (expected >= 0)
        take_options(a, &options);
    else
        *a = before;
    expect_status(w, agentchat_thread_attach(w->s->store, w->s->app, a->chat, &options, NULL, &w->s->err), expected);
}

/* Another process: a new chat, from the newest checkpoint, or that of a line, or any. */
static void attach_new(world *w, actor *a)
{
    agentchat_thread_attach_options options = any_options(a, w);
    int from = newest_of(w, 0);
    agentchat_status expected = AGENTCHAT_OK;

    agentchat_chat_free(a->chat);
    *a = (actor){.chat = fresh(false)};
    if (w->count > 0 && test_pick(3) > 0) {
        const checkpoint *c = &w->list[test_pick((size_t)w->count)];
        bool by_line = test_pick(2) == 0;
        int newest = w->thread != 0 ? newest_of(w, c->line) : NONE;

        from = by_line ? newest : c->present ? (int)(c - w->list) : NONE;
        options.line = by_line ? (uint64_t)c->line : 0;
        options.checkpoint = by_line ? NULL : c->id;
        if (from == NONE)
            expected = AGENTCHAT_E_NOTFOUND;
        else if (!by_line && newest != from && !options.branch)
            expected = AGENTCHAT_E_CONFLICT;
    }
    expect_status(w, agentchat_thread_attach(w->s->store, w->s->app, a->chat, &options, NULL, &w->s->err), expected);
    if (expected < 0) { /* so that every actor is attached */
        options.checkpoint = NULL;
        options.line = 0;
        from = newest_of(w, 0);
        test_ok(agentchat_thread_attach(w->s->store, w->s->app, a->chat, &options, NULL, &w->s->err), &w->s->err);
    }
    take_options(a, &options);
    a->branch = options.branch;
    if (from == NONE)
        return;
    stand_on(w, a, from, w->list[from].written);
    a->texts = w->list[from].texts;
}

/* ---- what others do
 * --------------------------------------------------------------------------------------------------- */

static agentchat_snapshot *chat_of_texts(const texts_list *texts)
{
    static char text[STEPS * 8];
    size_t len = 0;

    text[0] = '\0';
    for (int i = 0; i < texts->count; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%d", i > 0 ? "|" : "", texts->list[i]);
    return chat_of(text, NULL, NULL);
}

static void put(world *w)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    int parent = newest_of(w, 0), made = NONE, run = (int)test_pick(4);
    bool begins = parent == NONE, named = w->count > 0 && test_pick(2) == 0;
    agentchat_status expected = AGENTCHAT_OK, status;
    texts_list texts = {.count = 0};
    agentchat_snapshot *snapshot;

    options.branch = test_pick(3) == 0;
    options.run = runs[run];
    if (named) {
        parent = (int)test_pick((size_t)w->count);
        options.parent = w->list[parent].id;
        begins = !w->list[parent].present;
        if (!options.branch && (begins ? newest_of(w, 0) != NONE : newest_of(w, w->list[parent].line) != parent))
            expected = AGENTCHAT_E_CONFLICT;
    } else if (test_pick(12) == 0) {
        options.no_parent = true;
        parent = NONE;
        begins = true;
    }
    if (parent != NONE)
        texts = w->list[parent].texts;
    texts.list[texts.count++] = ++w->said;
    snapshot = chat_of_texts(&texts);
    if (expected >= 0)
        made = add(w, parent, begins || options.branch, &texts, run);
    status = agentchat_checkpoint_put(w->s->store, w->s->app, snapshot, &options, NULL, &w->s->err);
    expect_status(w, status, expected);
    take_id(w, made);
    agentchat_snapshot_unref(snapshot);
}

static void replace(world *w)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    checkpoint *c = w->count > 0 ? &w->list[test_pick((size_t)w->count)] : NULL;
    agentchat_snapshot *snapshot;

    if (c == NULL || !c->present || c->texts.count == 0)
        return;
    c->texts.list[c->texts.count - 1] = ++w->said;
    c->written = ++w->counter;
    c->run = 3;
    options.id = c->id;
    options.replace = true;
    snapshot = chat_of_texts(&c->texts);
    (void)put_chat(w->s, snapshot, &options);
    agentchat_snapshot_unref(snapshot);
}

static void prune(world *w)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    bool goes[MOST] = {false};
    uint64_t removed = 0, expected = 0;

    if (w->thread == 0)
        return;
    options.keep = 1 + test_pick(6);
    options.branches = test_pick(3) == 0;
    for (int i = 0, newer; i < w->count; i++) {
        newer = 0;
        for (int j = i + 1; j < w->count; j++)
            newer += w->list[j].present;
        goes[i] = w->list[i].present && newer > 0 && newer >= (int)options.keep &&
                  (options.branches || newest_of(w, w->list[i].line) != i);
        expected += goes[i];
    }
    for (int i = 0; i < w->count; i++)
        w->list[i].present = w->list[i].present && !goes[i];
    test_ok(agentchat_thread_prune(w->s->store, w->s->app, &options, &removed, &w->s->err), &w->s->err);
    if (w->besides > options.keep) {
        expected += w->besides - options.keep;
        w->besides = options.keep;
    }
    assert_int_equal(removed, expected);
}

static void delete_run(world *w)
{
    int run = (int)test_pick(3);

    if (w->thread == 0)
        return;
    for (int i = 0; i < w->count; i++)
        w->list[i].present = w->list[i].present && w->list[i].run != run;
    test_ok(agentchat_thread_delete_run(w->s->store, w->s->app, runs[run], NULL, &w->s->err), &w->s->err);
}

static void delete_thread(world *w)
{
    if (w->thread == 0)
        return;
    for (int i = 0; i < w->count; i++)
        w->list[i].present = false;
    w->thread = 0;
    w->besides = 0;
    test_ok(agentchat_thread_delete(w->s->store, w->s->app, &w->s->err), &w->s->err);
}

/* It takes a number of the thread's. */
static void put_elsewhere(world *w)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *snapshot = chat_of("elsewhere", NULL, NULL);

    options.ns = "side";
    make_thread(w);
    w->counter++;
    w->besides++;
    (void)put_chat(w->s, snapshot, &options);
    agentchat_snapshot_unref(snapshot);
}

/* ---- all of it
 * -------------------------------------------------------------------------------------------------------- */

static void step(world *w)
{
    actor *a = &w->actors[test_pick(CHATS)];
    size_t what = test_pick(100);

    if (what < 55)
        say_one(w, a);
    else if (what < 61)
        save_by_hand(w, a);
    else if (what < 67)
        catch_up_by_hand(w, a);
    else if (what < 71)
        attach_again(w, a);
    else if (what < 75)
        attach_new(w, a);
    else if (what < 85)
        put(w);
    else if (what < 89)
        prune(w);
    else if (what < 92)
        delete_run(w);
    else if (what < 96)
        replace(w);
    else if (what < 98)
        put_elsewhere(w);
    else if (test_pick(5) == 0)
        delete_thread(w);
    expect_actor(a);
    expect_thread(w);
}

static void test_lines__random(void **state)
{
    scene *s = *state;
    size_t number = (size_t)test_number("THREAD_LINES", s->kind == STORE_MEMORY ? 20 : s->kind == STORE_SQLITE ? 4 : 1);

    between_begin(s->store, 0);
    for (size_t run = 0; run < number; run++) {
        world w = {.s = s, .list = calloc(MOST, sizeof *w.list)};

        test_seed((uint32_t)(run + 1));
        assert_non_null(w.list);
        for (int i = 0; i < CHATS; i++)
            attach_new(&w, &w.actors[i]);
        for (int i = 0; i < STEPS; i++)
            step(&w);
        for (int i = 0; i < CHATS; i++)
            agentchat_chat_free(w.actors[i].chat);
        delete_thread(&w);
        free(w.list);
    }
    between_end(s->store);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_lines__random),
    };

    if (!scene_program("lines", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("lines", tests, NULL, NULL);
}
