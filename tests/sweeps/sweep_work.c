/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/work.h. */
#include "sweep_fixture.h"

#include <agentchat/work.h>

/* Work of three threads: "claimed" has been claimed, "due" is due, and "lost" was claimed too often. */
typedef struct scene {
    fixture p;
    agentchat_work_item_list *claimed;
    const agentchat_work_item *item;
} scene;

static void queue(const scene *s, const char *thread)
{
    const agentchat_work_request request = {"extract", 0, AGENTCHAT_STR("the body")};
    agentchat_error err;

    test_ok(agentchat_work_queue(s->p.store, thread, &request, &err), &err);
}

static void scene_begin(scene *s, const agentchat_env *env, unsigned variant)
{
    agentchat_work_claim_options options = AGENTCHAT_WORK_CLAIM_OPTIONS_INIT;
    agentchat_work_item_list *list = NULL;
    agentchat_error err;

    fixture_begin(&s->p, env, 0, false);
    options.lease_us = 1;
    queue(s, "lost");
    for (int i = 0; i < AGENTCHAT_WORK_ATTEMPTS; i++) {
        test_ok(agentchat_work_claim(s->p.store, &options, &list, &err), &err);
        agentchat_work_item_list_free(list);
    }
    options.kind = "other";
    test_ok(agentchat_work_queue(s->p.store, "claimed", &(agentchat_work_request){"other", 0, {NULL, 0}}, &err), &err);
    options.lease_us = 0;
    test_ok(agentchat_work_claim(s->p.store, &options, &s->claimed, &err), &err);
    s->item = agentchat_work_item_list_at(s->claimed, 0);
    queue(s, "due");
    if (variant % 2 == 1)
        sweep_may_swallow();
    sqlite_memory_count(variant % 2 == 1);
}

static void scene_end(scene *s)
{
    sqlite_memory_count(false);
    agentchat_work_item_list_free(s->claimed);
    fixture_end(&s->p);
}

/* How much work stands so. */
static size_t count(const scene *s, agentchat_work_state state)
{
    agentchat_work_list_options options = AGENTCHAT_WORK_LIST_OPTIONS_INIT;
    agentchat_work_item_list *list = NULL;
    agentchat_error err;
    size_t found;

    sqlite_memory_count(false);
    options.state = state;
    test_ok(agentchat_work_list(s->p.store, &options, &list, &err), &err);
    found = agentchat_work_item_list_count(list);
    agentchat_work_item_list_free(list);
    return found;
}

static agentchat_status work_queue(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_work_request request = {"new", 5, AGENTCHAT_STR("b")};
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_work_queue(s.p.store, "due", &request, err);
    sweep_end();
    assert_int_equal(count(&s, (agentchat_work_state)0), status >= 0 ? 4 : 3);
    scene_end(&s);
    return status;
}

static agentchat_status work_claim(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_work_claim_options options = AGENTCHAT_WORK_CLAIM_OPTIONS_INIT;
    agentchat_work_item_list *list = (agentchat_work_item_list *)(uintptr_t)1;
    agentchat_status status;
    scene s;

    options.limit = 5;
    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_work_claim(s.p.store, &options, &list, err);
    sweep_end();
    assert_true((list != NULL) == (status >= 0));
    assert_int_equal(agentchat_work_item_list_count(list), status >= 0 ? 1 : 0);
    assert_int_equal(count(&s, AGENTCHAT_WORK_FAILED), status >= 0 ? 1 : 0);
    agentchat_work_item_list_free(list);
    scene_end(&s);
    return status;
}

static agentchat_status work_extend(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_work_extend(s.p.store, s.item, 10, err);
    sweep_end();
    scene_end(&s);
    return status;
}

static agentchat_status work_done(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_work_done(s.p.store, s.item, "mark", err);
    sweep_end();
    assert_int_equal(count(&s, AGENTCHAT_WORK_DONE), status >= 0 ? 1 : 0);
    scene_end(&s);
    return status;
}

static agentchat_status work_fail(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_work_fail(s.p.store, s.item, "why", -1, err);
    sweep_end();
    assert_int_equal(count(&s, AGENTCHAT_WORK_FAILED), status >= 0 ? 1 : 0);
    scene_end(&s);
    return status;
}

static agentchat_status work_retry(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_work_retry(s.p.store, "lost", "extract", err);
    sweep_end();
    scene_end(&s);
    return status;
}

static agentchat_status work_list(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_work_list_options options = AGENTCHAT_WORK_LIST_OPTIONS_INIT;
    agentchat_work_item_list *list = (agentchat_work_item_list *)(uintptr_t)1;
    agentchat_status status;
    scene s;

    options.limit = 2;
    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_work_list(s.p.store, &options, &list, err);
    sweep_end();
    assert_true((list != NULL) == (status >= 0));
    assert_true((agentchat_work_item_list_cursor(list) != NULL) == (status >= 0));
    agentchat_work_item_list_free(list);
    scene_end(&s);
    return status;
}

static agentchat_status look_at_lists(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    scene s;

    (void)err;
    scene_begin(&s, env, variant);
    sweep_begin();
    assert_int_equal(agentchat_work_item_list_count(s.claimed), 1);
    assert_ptr_equal(agentchat_work_item_list_at(s.claimed, 0), s.item);
    assert_null(agentchat_work_item_list_cursor(s.claimed));
    agentchat_work_item_list_free(s.claimed);
    sweep_end();
    s.claimed = NULL;
    scene_end(&s);
    return AGENTCHAT_OK;
}

static agentchat_status inits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_work_claim_options claiming;
    agentchat_work_list_options listing;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_work_claim_options_init(&claiming, sizeof claiming);
    agentchat_work_list_options_init(&listing, sizeof listing);
    sweep_end();
    assert_true(claiming.struct_size == sizeof claiming && claiming.kind == NULL);
    assert_true(listing.struct_size == sizeof listing && listing.state == 0);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_work_claim_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_work_list_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_work_queue", work_queue, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_work_claim", work_claim, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_work_extend", work_extend, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_work_done", work_done, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_work_fail", work_fail, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_work_retry", work_retry, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_work_list", work_list, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_work_item_list_count", look_at_lists, SWEEP_NEVER, 0},
    {"agentchat_work_item_list_at", look_at_lists, SWEEP_NEVER, 0},
    {"agentchat_work_item_list_cursor", look_at_lists, SWEEP_NEVER, 0},
    {"agentchat_work_item_list_free", look_at_lists, SWEEP_NEVER, 0},
};

int main(void)
{
    sqlite_memory_begin();
    return sweep_main("sweep.work", rows, sizeof rows / sizeof *rows);
}
