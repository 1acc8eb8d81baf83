/* SPDX-License-Identifier: Apache-2.0 */
/* Earlier values of documents: what is kept, what undo does, the same on every store. */
#include "session/scene.h"
#include "session/server.h"

#include <agentchat/memory.h>
#include <stdlib.h>

#define HOUR_US INT64_C(3600000000)

/* Namespaces begin with the scene's application, which no other test has. */
static const char *in(const scene *s, const char *rest)
{
    static char names[4][100];
    static unsigned next;
    char *name = names[next++ % 4];

    (void)snprintf(name, sizeof names[0], "%s%s%s", s->app, *rest != '\0' ? "/" : "", rest);
    return name;
}

static void keep(scene *s, const char *ns, uint32_t steps)
{
    test_ok(agentchat_memory_log_keep(s->store, in(s, ns), steps, &s->err), &s->err);
}

static uint64_t put(scene *s, const char *ns, const char *key, const char *json)
{
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    uint64_t revision = 0;

    options.revision = &revision;
    test_ok(agentchat_memory_put(s->store, in(s, ns), key, agentchat_str_from(json), &options, &s->err), &s->err);
    return revision;
}

static void delete (scene *s, const char *ns, const char *key)
{
    test_ok(agentchat_memory_delete(s->store, in(s, ns), key, NULL, &s->err), &s->err);
}

static uint64_t undo(scene *s, const char *ns, const char *key)
{
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    uint64_t revision = 77;

    options.revision = &revision;
    test_ok(agentchat_memory_undo(s->store, in(s, ns), key, &options, &s->err), &s->err);
    return revision;
}

static void expect_nothing_to_undo(scene *s, const char *ns, const char *key, const char *why)
{
    expect_fails(s, agentchat_memory_undo(s->store, in(s, ns), key, NULL, &s->err), AGENTCHAT_E_NOTFOUND, why);
}

/* json NULL: there is none. Returns its expiry. */
static int64_t expect_document(scene *s, const char *ns, const char *key, const char *json)
{
    agentchat_memory_results *page = NULL;
    int64_t expires = 0;
    agentchat_status status = agentchat_memory_get(s->store, in(s, ns), key, false, &page, &s->err);

    if (json == NULL) {
        assert_int_equal(status, AGENTCHAT_E_NOTFOUND);
    } else {
        test_ok(status, &s->err);
        assert_string_equal(agentchat_memory_results_at(page, 0)->value.ptr, json);
        expires = agentchat_memory_results_at(page, 0)->expires_us;
    }
    agentchat_memory_results_free(page);
    return expires;
}

/* What the log says, as "KEY:WHAT BEFORE ...", the newest step first; WHAT is P, D or U. */
static void expect_log(scene *s, const char *ns, const char *key, const char *expected)
{
    agentchat_memory_steps *steps = NULL;
    char text[4000] = "";
    size_t len = 0;
    uint64_t last = UINT64_MAX;

    test_ok(agentchat_memory_log(s->store, in(s, ns), key, 0, &steps, &s->err), &s->err);
    for (size_t i = 0; i < agentchat_memory_steps_count(steps); i++) {
        const agentchat_memory_step *step = agentchat_memory_steps_at(steps, i);

        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s:%c %s", i > 0 ? " " : "", step->key,
                                step->is_undo         ? 'U'
                                : step->revision == 0 ? 'D'
                                                      : 'P',
                                step->before.ptr != NULL ? step->before.ptr : "-");
        assert_true((step->before_revision != 0) == (step->before.ptr != NULL));
        assert_true(step->revision == 0 || step->revision < last);
        last = step->revision != 0 ? step->revision : last;
        assert_true(step->at_us > 0);
        assert_memory_equal(step->ns, s->app, strlen(s->app));
    }
    assert_null(agentchat_memory_steps_at(steps, agentchat_memory_steps_count(steps)));
    agentchat_memory_steps_free(steps);
    assert_string_equal(text, expected);
}

/* ---- what is kept ----------------------------------------------------------------------------------------------- */

static void test_nothing_is_kept_unless_it_was_said(void **state)
{
    scene *s = *state;

    put(s, "a", "k", "{\"n\":1}");
    put(s, "a", "k", "{\"n\":2}");
    expect_log(s, "", NULL, "");
    expect_nothing_to_undo(s, "a", "k", "the log has no step of this document");
    keep(s, "a", 20);
    put(s, "a", "k", "{\"n\":3}");
    put(s, "ab", "k", "{\"n\":1}"); /* another namespace that begins the same */
    put(s, "a/b", "l", "{\"n\":1}");
    delete (s, "a/b", "l");
    expect_log(s, "", NULL, "l:D {\"n\":1} l:P - k:P {\"n\":2}");
    expect_log(s, "a", "k", "k:P {\"n\":2}");
    expect_log(s, "a", "l", "");
    keep(s, "a", 0);
    put(s, "a", "k", "{\"n\":4}");
    expect_log(s, "a", NULL, "l:D {\"n\":1} l:P - k:P {\"n\":2}");
    expect_nothing_to_undo(s, "a", "k", "the last step is not in the log");
    expect_document(s, "a", "k", "{\"n\":4}");
}

static void test_the_innermost_switch_counts(void **state)
{
    scene *s = *state;
    char json[32], expected[200] = "";

    keep(s, "a", 1);
    keep(s, "a/b", 3);
    for (int i = 0; i < 6; i++) {
        (void)snprintf(json, sizeof json, "{\"n\":%d}", i);
        put(s, "a/c", "one", json);
        put(s, "a/b/c", "three", json);
    }
    expect_log(s, "a/c", NULL, "one:P {\"n\":4}");
    expect_log(s, "a/b/c", NULL, "three:P {\"n\":4} three:P {\"n\":3} three:P {\"n\":2}");
    keep(s, "a/b", 2);
    put(s, "a/b/c", "three", "{}");
    expect_log(s, "a/b", NULL, "three:P {\"n\":5} three:P {\"n\":4}");
    keep(s, "a/b", 0);
    put(s, "a/b/c", "three", "{}");
    (void)snprintf(expected, sizeof expected, "three:P {}");
    expect_log(s, "a/b", NULL, expected);
    expect_sound(s->store);
}

static void test_labels_of_any_kind_have_a_log(void **state)
{
    scene *s = *state;

    keep(s, "x~1y", 5);
    put(s, "x", "k", "{}");
    put(s, "x/y", "k", "{}");
    put(s, "x~1y/~2", "l", "{\"n\":1}");
    undo(s, "x~1y/~2", "l");
    expect_document(s, "x~1y/~2", "l", NULL);
    expect_log(s, "", NULL, "l:U {\"n\":1} l:P -");
    expect_fails(s, agentchat_memory_log_keep(s->store, "a//b", 1, &s->err), AGENTCHAT_E_INVALID, "empty label");
}

/* ---- undo ------------------------------------------------------------------------------------------------------- */

static void test_undo_brings_back_the_last_value(void **state)
{
    scene *s = *state;
    uint64_t third;

    keep(s, "a", AGENTCHAT_MEMORY_LOG_USUAL);
    put(s, "a", "k", "{\"n\": 1.50}");
    put(s, "a", "k", "{\"n\": 2}");
    third = put(s, "a", "k", "{\"n\": 3}");
    assert_true(undo(s, "a", "k") > third); /* a new revision */
    expect_document(s, "a", "k", "{\"n\": 2}");
    expect_nothing_to_undo(s, "a", "k", "the last step was an undo");
    expect_document(s, "a", "k", "{\"n\": 2}");
    put(s, "a", "k", "{\"n\": 4}");
    undo(s, "a", "k");
    expect_document(s, "a", "k", "{\"n\": 2}");
    expect_log(s, "a", "k", "k:U {\"n\": 4} k:P {\"n\": 2} k:U {\"n\": 3} k:P {\"n\": 2} k:P {\"n\": 1.50} k:P -");
    expect_sound(s->store);
}

static void test_undo_of_a_first_put_and_of_a_delete(void **state)
{
    scene *s = *state;
    agentchat_memory_results *page = NULL;
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;

    keep(s, "a", 3);
    put(s, "a", "k", "{\"text\":\"green tea\"}");
    assert_true(undo(s, "a", "k") == 0);
    expect_document(s, "a", "k", NULL);
    expect_nothing_to_undo(s, "a", "k", "the last step was an undo");
    put(s, "a", "k", "{\"text\":\"black tea\"}");
    delete (s, "a", "k");
    expect_document(s, "a", "k", NULL);
    assert_true(undo(s, "a", "k") > 0);
    expect_document(s, "a", "k", "{\"text\":\"black tea\"}");
    expect_nothing_to_undo(s, "a", "k", "the last step was an undo");
    query.text = AGENTCHAT_STR("black"); /* it is found again */
    test_ok(agentchat_memory_search(s->store, in(s, "a"), &query, &page, &s->err), &s->err);
    assert_int_equal(agentchat_memory_results_count(page), 1);
    agentchat_memory_results_free(page);
    expect_sound(s->store);
}

static void test_what_all_below_loses_comes_back(void **state)
{
    scene *s = *state;
    uint64_t count = 0;

    keep(s, "a", 2);
    put(s, "a", "k", "{\"n\":1}");
    put(s, "a/b", "l", "{\"n\":2}");
    put(s, "c", "m", "{\"n\":3}");
    test_ok(agentchat_memory_delete_below(s->store, in(s, ""), NULL, &count, &s->err), &s->err);
    assert_true(count == 3);
    undo(s, "a", "k");
    undo(s, "a/b", "l");
    expect_document(s, "a", "k", "{\"n\":1}");
    expect_document(s, "a/b", "l", "{\"n\":2}");
    expect_nothing_to_undo(s, "c", "m", "the log has no step");
    expect_sound(s->store);
}

static void test_a_batch_is_logged(void **state)
{
    scene *s = *state;
    agentchat_memory_op ops[2] = {AGENTCHAT_MEMORY_OP_INIT, AGENTCHAT_MEMORY_OP_INIT};

    keep(s, "a", 5);
    put(s, "a", "k", "{\"n\":1}");
    ops[0].kind = AGENTCHAT_MEMORY_OP_PUT;
    ops[0].ns = in(s, "a");
    ops[0].key = "k";
    ops[0].json = AGENTCHAT_STR("{\"n\":2}");
    ops[1].kind = AGENTCHAT_MEMORY_OP_DELETE;
    ops[1].ns = in(s, "a");
    ops[1].key = "l";
    put(s, "a", "l", "{\"n\":3}");
    test_ok(agentchat_memory_batch(s->store, ops, 2, NULL, &s->err), &s->err);
    expect_log(s, "a", "k", "k:P {\"n\":1} k:P -");
    expect_log(s, "a", "l", "l:D {\"n\":3} l:P -");
    undo(s, "a", "l");
    expect_document(s, "a", "l", "{\"n\":3}");
}

static void test_what_a_document_is_found_by_comes_back(void **state)
{
    static const char *const title[] = {"title"};
    scene *s = *state;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_results *page = NULL;

    keep(s, "a", 5);
    options.fields = title;
    options.field_count = 1;
    test_ok(agentchat_memory_put(s->store, in(s, "a"), "k", AGENTCHAT_STR("{\"title\":\"alpha\",\"text\":\"beta\"}"),
                                 &options, &s->err),
            &s->err);
    put(s, "a", "k", "{\"title\":\"alpha\",\"text\":\"beta\"}");
    undo(s, "a", "k");
    query.text = AGENTCHAT_STR("beta");
    test_ok(agentchat_memory_search(s->store, in(s, "a"), &query, &page, &s->err), &s->err);
    assert_int_equal(agentchat_memory_results_count(page), 0);
    agentchat_memory_results_free(page);
    expect_sound(s->store);
}

/* ---- expiry and purge ------------------------------------------------------------------------------------------- */

static void test_an_undo_keeps_the_expiry(void **state)
{
    scene *s = *state;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    int64_t expires;

    keep(s, "a", 5);
    options.has_ttl = true;
    options.ttl_us = HOUR_US;
    test_ok(agentchat_memory_put(s->store, in(s, "a"), "k", AGENTCHAT_STR("{\"n\":1}"), &options, &s->err), &s->err);
    expires = expect_document(s, "a", "k", "{\"n\":1}");
    options.keep_expiry = true;
    s->now_us += HOUR_US / 4;
    test_ok(agentchat_memory_put(s->store, in(s, "a"), "k", AGENTCHAT_STR("{\"n\":2}"), &options, &s->err), &s->err);
    undo(s, "a", "k");
    assert_true(expect_document(s, "a", "k", "{\"n\":1}") == expires);
    delete (s, "a", "k");
    undo(s, "a", "k");
    assert_true(expect_document(s, "a", "k", "{\"n\":1}") == expires);
}

static void test_what_has_expired_is_not_in_the_log(void **state)
{
    scene *s = *state;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    uint64_t count = 0;

    keep(s, "a", 5);
    options.has_ttl = true;
    options.ttl_us = 0; /* at once */
    test_ok(agentchat_memory_put(s->store, in(s, "a"), "k", AGENTCHAT_STR("{\"n\":1}"), &options, &s->err), &s->err);
    expect_log(s, "a", "k", "k:P -");
    expect_nothing_to_undo(s, "a", "k", "the last step is not in the log");
    put(s, "a", "k", "{\"n\":2}"); /* nothing was there */
    expect_log(s, "a", "k", "k:P - k:P -");
    if (s->kind == STORE_POSTGRES) /* whose clock is its own */
        return;
    options.ttl_us = HOUR_US;
    test_ok(agentchat_memory_put(s->store, in(s, "a"), "l", AGENTCHAT_STR("{\"n\":3}"), &options, &s->err), &s->err);
    delete (s, "a", "l");
    expect_log(s, "a", "l", "l:D {\"n\":3} l:P -");
    s->now_us += HOUR_US + 1000000;
    expect_log(s, "a", "l", "l:P -");
    expect_nothing_to_undo(s, "a", "l", "the last step is not in the log");
    test_ok(agentchat_memory_sweep(s->store, &count, &s->err), &s->err);
    expect_log(s, "a", "l", "l:P -");
    expect_sound(s->store);
}

static void test_a_purge_clears_the_log(void **state)
{
    scene *s = *state;
    agentchat_memory_delete_options purging = AGENTCHAT_MEMORY_DELETE_OPTIONS_INIT;
    uint64_t count = 0;

    purging.purge = true;
    keep(s, "a", 5);
    put(s, "a", "k", "{\"n\":1}");
    put(s, "a", "k", "{\"n\":2}");
    put(s, "a", "gone", "{\"n\":3}");
    delete (s, "a", "gone");
    put(s, "a", "l", "{\"n\":4}");
    put(s, "a", "m", "{\"n\":5}");
    put(s, "a/b", "m", "{\"n\":5}");
    test_ok(agentchat_memory_delete(s->store, in(s, "a"), "k", &purging, &s->err), &s->err);
    expect_log(s, "a", "k", "");
    expect_nothing_to_undo(s, "a", "k", "the log has no step");
    assert_int_equal(agentchat_memory_delete(s->store, in(s, "a"), "gone", &purging, &s->err), AGENTCHAT_DONE);
    expect_log(s, "a", "gone", "");
    purging.filter = AGENTCHAT_STR("{\"n\":5}");
    test_ok(agentchat_memory_delete_below(s->store, in(s, "a"), &purging, &count, &s->err), &s->err);
    assert_true(count == 2);
    expect_log(s, "a", NULL, "l:P -");
    purging.filter = (agentchat_str){NULL, 0};
    delete (s, "a", "l");
    test_ok(agentchat_memory_delete_below(s->store, in(s, ""), &purging, &count, &s->err), &s->err);
    assert_true(count == 0);
    expect_log(s, "", NULL, "");
    expect_sound(s->store);
}

static void test_the_log_is_limited_by_what_is_asked_for(void **state)
{
    scene *s = *state;
    agentchat_memory_steps *steps = NULL;
    char key[16];

    keep(s, "a", 2);
    for (int i = 0; i < 120; i++) {
        (void)snprintf(key, sizeof key, "k%d", i);
        put(s, "a", key, "{}");
    }
    test_ok(agentchat_memory_log(s->store, in(s, "a"), NULL, 0, &steps, &s->err), &s->err);
    assert_int_equal(agentchat_memory_steps_count(steps), 100);
    assert_string_equal(agentchat_memory_steps_at(steps, 0)->key, "k119");
    agentchat_memory_steps_free(steps);
    test_ok(agentchat_memory_log(s->store, in(s, "a"), NULL, 7, &steps, &s->err), &s->err);
    assert_int_equal(agentchat_memory_steps_count(steps), 7);
    agentchat_memory_steps_free(steps);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        SCENE_TEST(test_nothing_is_kept_unless_it_was_said),
        SCENE_TEST(test_the_innermost_switch_counts),
        SCENE_TEST(test_labels_of_any_kind_have_a_log),
        SCENE_TEST(test_undo_brings_back_the_last_value),
        SCENE_TEST(test_undo_of_a_first_put_and_of_a_delete),
        SCENE_TEST(test_what_all_below_loses_comes_back),
        SCENE_TEST(test_a_batch_is_logged),
        SCENE_TEST(test_what_a_document_is_found_by_comes_back),
        SCENE_TEST(test_an_undo_keeps_the_expiry),
        SCENE_TEST(test_what_has_expired_is_not_in_the_log),
        SCENE_TEST(test_a_purge_clears_the_log),
        SCENE_TEST(test_the_log_is_limited_by_what_is_asked_for),
    };

    scene_files_in_memory();
    if (!scene_program("memory.log", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("memory_log", tests, NULL, NULL);
}
