/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What editing a list costs as it grows. Each case is run with a size and with eight times that size; where the cost
 * grew by its square, it would be 64 times as much. The first argument is the greater size: 16,000 without one.
 */
#include "support/growth.h"

#include <agentchat/list_edit.h>
#include <agentchat/repair.h>

/* ---- lists ------------------------------------------------------------------------------------------------------ */

static agentchat_message *message(const char *role, const char *id, size_t parts)
{
    agentchat_message_builder *b = test_message_builder(NULL, role, NULL);
    agentchat_message *made;
    agentchat_error err;

    for (size_t i = 0; i < parts; i++)
        agentchat_message_builder_add_text(b, AGENTCHAT_STR("text"));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, agentchat_str_from(id));
    test_ok(agentchat_message_builder_finish(b, &made, &err), &err);
    return made;
}

/* id: room for one. */
static const char *id_of(size_t i, char id[24])
{
    (void)snprintf(id, 24, "m%zu", i);
    return id;
}

static agentchat_messages *messages_of(size_t n, const char *role)
{
    agentchat_message **array = calloc(n, sizeof *array);
    agentchat_messages *list;
    agentchat_error err;
    char id[24];

    assert_non_null(array);
    for (size_t i = 0; i < n; i++)
        array[i] = message(role != NULL ? role : i % 2 == 0 ? "user" : "assistant", id_of(i, id), 1);
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)array, n, &list, &err), &err);
    for (size_t i = 0; i < n; i++)
        agentchat_message_unref(array[i]);
    free(array);
    return list;
}

/* ---- edit lists ------------------------------------------------------------------------------------------------- */

typedef size_t order(size_t i, size_t n);

static size_t falling(size_t i, size_t n)
{
    return n - 1 - i;
}

/* Each element once, far from the one before: 7919 is a prime number that divides no size. */
static size_t mixed(size_t i, size_t n)
{
    return (size_t)((uint64_t)i * 7919 % n);
}

static double edit_in(size_t n, order *at)
{
    agentchat_messages *list = messages_of(n, NULL), *result;
    agentchat_list_edit *edit;
    agentchat_error err;
    double start = test_seconds(), took;

    test_ok(agentchat_list_edit_new(NULL, n, &edit, &err), &err);
    for (size_t i = 0; i < n; i++)
        test_ok(i % 3 == 0   ? agentchat_list_edit_remove(edit, at(i, n), 1, &err)
                : i % 3 == 1 ? agentchat_list_edit_replace(edit, at(i, n), agentchat_messages_at(list, 0), &err)
                             : agentchat_list_edit_insert(edit, at(i, n), agentchat_messages_at(list, 0), &err),
                &err);
    test_ok(agentchat_list_edit_apply(edit, list, &result, &err), &err);
    took = test_seconds() - start;
    assert_int_equal(agentchat_messages_count(result), n - (n + 2) / 3 + n / 3);
    agentchat_messages_unref(result);
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(list);
    return took;
}

static double edit_falling(size_t n)
{
    return edit_in(n, falling);
}

static double edit_mixed(size_t n)
{
    return edit_in(n, mixed);
}

/* ---- functions of lists ----------------------------------------------------------------------------------------- */

/* Takes the edit list of a call that began at a time. */
static double took(double start, agentchat_status status, agentchat_list_edit *edit, const agentchat_error *err)
{
    double end = test_seconds();

    test_ok(status, err);
    agentchat_list_edit_free(edit);
    return end - start;
}

static double filter(size_t n)
{
    agentchat_filter_options options = AGENTCHAT_FILTER_OPTIONS_INIT;
    agentchat_messages *list = messages_of(n, NULL);
    char(*ids)[24] = calloc(n, sizeof *ids);
    const char **names = calloc(n + 1, sizeof *names);
    agentchat_list_edit *edit = NULL;
    agentchat_error err;
    double start, seconds;

    assert_true(ids != NULL && names != NULL);
    for (size_t i = 0; i < n; i++)
        names[n - 1 - i] = id_of(i, ids[i]);
    options.exclude_ids = options.exclude_names = options.exclude_call_ids = names;
    start = test_seconds();
    seconds = took(start, agentchat_messages_filter(NULL, list, &options, &edit, &err), edit, &err);
    free(names);
    free(ids);
    agentchat_messages_unref(list);
    return seconds;
}

static double merge(size_t n)
{
    agentchat_messages *list = messages_of(n, "user");
    agentchat_list_edit *edit = NULL;
    agentchat_error err;
    double start = test_seconds();
    double seconds = took(start, agentchat_messages_merge_runs(NULL, list, NULL, &edit, &err), edit, &err);

    agentchat_messages_unref(list);
    return seconds;
}

static double add(size_t n)
{
    agentchat_messages *list = messages_of(n, NULL);
    agentchat_message_update *updates = calloc(n, sizeof *updates);
    agentchat_list_edit *edit = NULL;
    agentchat_error err;
    double start, seconds;

    assert_non_null(updates);
    for (size_t i = 0; i < n; i++) {
        const agentchat_message *one = agentchat_messages_at(list, mixed(i, n));

        if (i % 2 == 0)
            updates[i].message = one;
        else
            updates[i].remove = agentchat_message_get(one, AGENTCHAT_FIELD_ID);
    }
    start = test_seconds();
    seconds = took(start, agentchat_messages_add(NULL, list, updates, n, &edit, &err), edit, &err);
    free(updates);
    agentchat_messages_unref(list);
    return seconds;
}

static double trim_of(const agentchat_messages *list, uint64_t most, agentchat_trim_strategy strategy)
{
    agentchat_trim_options options = AGENTCHAT_TRIM_OPTIONS_INIT;
    agentchat_list_edit *edit = NULL;
    agentchat_error err;
    double start = test_seconds();

    options.max_tokens = most;
    options.strategy = strategy;
    options.allow_partial = true;
    return took(start, agentchat_messages_trim(NULL, list, &options, &edit, &err), edit, &err);
}

static double trim(size_t n)
{
    agentchat_messages *list = messages_of(n, NULL);
    double seconds = trim_of(list, n, AGENTCHAT_TRIM_LAST) + trim_of(list, n, AGENTCHAT_TRIM_FIRST);

    agentchat_messages_unref(list);
    return seconds;
}

/* A message of so many parts, of which few stay. */
static double cut(size_t n)
{
    agentchat_message *one = message("user", "1", n);
    agentchat_messages *list;
    agentchat_error err;
    double seconds;

    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const[]){one}, 1, &list, &err), &err);
    seconds = trim_of(list, 10, AGENTCHAT_TRIM_LAST) + trim_of(list, 10, AGENTCHAT_TRIM_FIRST);
    agentchat_messages_unref(list);
    agentchat_message_unref(one);
    return seconds;
}

/* A message of so many calls, each with its result and what was said then, which becomes three messages each. */
static double repair(size_t n)
{
    agentchat_message_builder *b = test_message_builder(NULL, "assistant", NULL);
    const agentchat_str none = {NULL, 0};
    agentchat_messages *list;
    agentchat_message *one;
    agentchat_list_edit *edit = NULL;
    agentchat_error err;
    double start, seconds;
    char id[24];

    for (size_t i = 0; i < n / 3; i++) {
        agentchat_str call = agentchat_str_from(id_of(i, id));

        agentchat_message_builder_add_call(b, call, none, AGENTCHAT_STR("f"), AGENTCHAT_STR("{}"));
        agentchat_message_builder_add_result_text(b, call, none, none, AGENTCHAT_STR("r"));
        agentchat_message_builder_add_text(b, AGENTCHAT_STR("text"));
    }
    test_ok(agentchat_message_builder_finish(b, &one, &err), &err);
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const[]){one}, 1, &list, &err), &err);
    start = test_seconds();
    seconds =
        took(start,
             agentchat_repair(NULL, list, agentchat_repair_profile_find("openai-chat"), NULL, NULL, &edit, NULL, &err),
             edit, &err);
    agentchat_messages_unref(list);
    agentchat_message_unref(one);
    return seconds;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void test_cost__grows_with_the_list(void **state)
{
    (void)state;
    growth_check("edit from the end", edit_falling);
    growth_check("edit in mixed order", edit_mixed);
    growth_check("filter by long lists", filter);
    growth_check("merge one run", merge);
    growth_check("add by ids", add);
    growth_check("trim", trim);
    growth_check("cut a message of many parts", cut);
    growth_check("repair a message of many calls", repair);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cost__grows_with_the_list)};

    growth_begin(argc, argv);
    return cmocka_run_group_tests_name("list_edit_growth", tests, NULL, NULL);
}
