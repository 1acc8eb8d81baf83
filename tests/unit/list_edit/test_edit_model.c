/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of random lists against naive models, which are plain arrays: adding by id, filtering, keeping a range, and
   changes that memory fails for. */
#include "support/test_support.h"

#include <agentchat/list_edit.h>
#include <string.h>

enum { MOST = 24, IDS = 5 };

/* A message: its text is a letter, its id a digit. */
typedef struct model {
    char text[2 * MOST], id[2 * MOST]; /* id NUL: it has none */
    size_t count;
} model;

static void append(model *m, char text, char id)
{
    m->text[m->count] = text;
    m->id[m->count++] = id;
}

static agentchat_message *message(const char *role, char text, char id)
{
    agentchat_message_builder *b = test_message_builder(NULL, role, NULL);
    agentchat_message *made;
    agentchat_error err;

    agentchat_message_builder_add_text(b, (agentchat_str){&text, 1});
    if (id != '\0')
        agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, (agentchat_str){&id, 1});
    test_ok(agentchat_message_builder_finish(b, &made, &err), &err);
    return made;
}

static agentchat_messages *list_of(const model *m)
{
    static const char *const roles[] = {"user", "assistant", "system"};
    agentchat_message *made[2 * MOST];
    agentchat_messages *list;
    agentchat_error err;

    for (size_t i = 0; i < m->count; i++)
        made[i] = message(roles[m->text[i] % 3], m->text[i], m->id[i]);
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)made, m->count, &list, &err), &err);
    for (size_t i = 0; i < m->count; i++)
        agentchat_message_unref(made[i]);
    return list;
}

/* Texts, and ids where the model has some: those that were made are longer. */
static void assert_list(const agentchat_messages *list, const model *m)
{
    assert_int_equal(agentchat_messages_count(list), m->count);
    for (size_t i = 0; i < m->count; i++) {
        agentchat_str id = agentchat_message_get(agentchat_messages_at(list, i), AGENTCHAT_FIELD_ID);

        assert_int_equal(*agentchat_message_text(agentchat_messages_at(list, i)).ptr, m->text[i]);
        assert_true(m->id[i] != '\0' ? id.len == 1 && *id.ptr == m->id[i] : id.len != 1);
    }
}

/* What an edit list comes to; it goes, and the list is as it was. */
static void assert_edited(agentchat_list_edit *edit, const agentchat_messages *list, const model *before,
                          const model *after)
{
    agentchat_messages *result;
    agentchat_error err;

    test_ok(agentchat_list_edit_apply(edit, list, &result, &err), &err);
    assert_list(result, after);
    assert_list(list, before);
    agentchat_messages_unref(result);
    agentchat_list_edit_free(edit);
}

static void random_list(model *m)
{
    m->count = 0;
    for (size_t i = test_pick(10); i > 0; i--)
        append(m, (char)('a' + test_pick(26)), test_pick(4) == 0 ? '\0' : (char)('0' + test_pick(IDS)));
}

/* ---- adding by id ------------------------------------------------------------------------------------------------ */

enum { REMOVAL = '-', ALL = '*' };

static size_t last_of_id(const model *m, char id)
{
    size_t at = m->count;

    while (id != '\0' && at > 0 && m->id[at - 1] != id)
        at--;
    return id != '\0' && at > 0 ? at - 1 : SIZE_MAX;
}

/* false: a removal names an id that is not there. updates: a removal has the text '-', that of all the id '*'. */
static bool add(model *m, const model *updates)
{
    bool gone[2 * MOST] = {false};
    size_t first = updates->count, kept = 0;

    while (first > 0 && (updates->text[first - 1] != REMOVAL || updates->id[first - 1] != ALL))
        first--;
    m->count = first > 0 ? 0 : m->count;
    for (size_t i = first; i < updates->count; i++) {
        size_t at = last_of_id(m, updates->id[i]);

        if (updates->text[i] == REMOVAL && at == SIZE_MAX)
            return false;
        for (size_t k = 0; k < m->count && at != SIZE_MAX; k++)
            if (m->id[k] == updates->id[i])
                gone[k] = updates->text[i] == REMOVAL;
        if (updates->text[i] == REMOVAL)
            continue;
        if (at == SIZE_MAX)
            append(m, updates->text[i], updates->id[i]);
        else
            m->text[at] = updates->text[i];
    }
    for (size_t i = 0; i < m->count; i++)
        if (!gone[i]) {
            m->text[kept] = m->text[i];
            m->id[kept++] = m->id[i];
        }
    m->count = kept;
    return true;
}

static void random_updates(model *updates)
{
    random_list(updates);
    for (size_t i = 0; i < updates->count; i++)
        if (test_pick(3) == 0) {
            updates->text[i] = REMOVAL;
            updates->id[i] = test_pick(8) == 0 ? ALL : (char)('0' + test_pick(IDS));
        }
}

static void test_add__does_what_the_model_does(void **state)
{
    size_t refused = 0;

    (void)state;
    test_seed(21);
    for (int round = 0; round < 20000; round++) {
        agentchat_message_update list[MOST];
        model before, updates, after;
        agentchat_messages *messages;
        agentchat_list_edit *edit;
        agentchat_error err;
        bool good;

        random_list(&before);
        random_updates(&updates);
        after = before;
        good = add(&after, &updates);
        messages = list_of(&before);
        for (size_t i = 0; i < updates.count; i++) {
            list[i] = (agentchat_message_update){NULL, {&updates.id[i], 1}};
            if (updates.text[i] == REMOVAL && updates.id[i] == ALL)
                list[i].remove = AGENTCHAT_REMOVE_ALL;
            else if (updates.text[i] != REMOVAL)
                list[i] = (agentchat_message_update){message("user", updates.text[i], updates.id[i]), {NULL, 0}};
        }
        if (good) {
            test_ok(agentchat_messages_add(NULL, messages, list, updates.count, &edit, &err), &err);
            assert_edited(edit, messages, &before, &after);
        } else {
            test_fails(agentchat_messages_add(NULL, messages, list, updates.count, &edit, &err), &err,
                       AGENTCHAT_E_NOTFOUND, NULL, "no message with the id");
            assert_null(edit);
            refused++;
        }
        for (size_t i = 0; i < updates.count; i++)
            agentchat_message_unref(list[i].message);
        agentchat_messages_unref(messages);
    }
    assert_true(refused > 1000 && refused < 19000);
}

/* ---- filtering --------------------------------------------------------------------------------------------------- */

/* Random ids, of which none may be one; ids: room for them. */
static const char *const *random_ids(const char *list[IDS + 1])
{
    static const char *const ids[IDS] = {"0", "1", "2", "3", "4"};
    size_t count = 0;

    if (test_pick(3) == 0)
        return NULL;
    for (size_t i = 0; i < IDS; i++)
        if (test_pick(3) == 0)
            list[count++] = ids[i];
    list[count] = NULL;
    return list;
}

static bool has_id(const char *const *list, char id)
{
    for (; list != NULL && *list != NULL; list++)
        if (id != '\0' && **list == id)
            return true;
    return false;
}

static void test_filter__does_what_the_model_does(void **state)
{
    (void)state;
    test_seed(22);
    for (int round = 0; round < 5000; round++) {
        agentchat_filter_options options = AGENTCHAT_FILTER_OPTIONS_INIT;
        const char *excluded[IDS + 1], *included[IDS + 1], *roles[] = {"human", NULL};
        bool any;
        model before, after = {.count = 0};
        agentchat_messages *messages;
        agentchat_list_edit *edit;
        agentchat_error err;

        random_list(&before);
        options.exclude_ids = random_ids(excluded);
        options.include_ids = random_ids(included);
        options.include_roles = test_pick(2) == 0 ? NULL : roles;
        any = options.include_roles != NULL || (options.include_ids != NULL && *options.include_ids != NULL);
        for (size_t i = 0; i < before.count; i++)
            if (!has_id(options.exclude_ids, before.id[i]) &&
                (!any || has_id(options.include_ids, before.id[i]) ||
                 (options.include_roles != NULL && before.text[i] % 3 == 0)))
                append(&after, before.text[i], before.id[i]);
        messages = list_of(&before);
        test_ok(agentchat_messages_filter(NULL, messages, &options, &edit, &err), &err);
        assert_edited(edit, messages, &before, &after);
        agentchat_messages_unref(messages);
    }
}

/* ---- keeping a range --------------------------------------------------------------------------------------------- */

/* Where a slice of Python's begins or ends. */
static size_t bound(const int64_t *given, size_t otherwise, size_t count)
{
    int64_t length = (int64_t)count;

    if (given == NULL)
        return otherwise;
    if (*given < 0)
        return *given < -length ? 0 : (size_t)(length + *given);
    return *given > length ? count : (size_t)*given;
}

static const int64_t *random_bound(int64_t *number)
{
    static const int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 1};

    *number = test_pick(4) == 0 ? extremes[test_pick(4)] : (int64_t)test_pick(25) - 12;
    return test_pick(5) == 0 ? NULL : number;
}

static void spell_bound(char *out, size_t size, const int64_t *given)
{
    (void)snprintf(out, size, given != NULL ? "%lld" : "null", given != NULL ? (long long)*given : 0);
}

static void test_keep__does_what_the_model_does(void **state)
{
    (void)state;
    test_seed(23);
    for (int round = 0; round < 20000; round++) {
        model before, after = {.count = 0};
        agentchat_messages *messages;
        agentchat_list_edit *edit;
        int64_t numbers[2];
        const int64_t *from = random_bound(&numbers[0]), *to = random_bound(&numbers[1]);
        char existing[4 * MOST] = "[", expected[4 * MOST] = "[", update[128], bounds[2][32];
        agentchat_bytes list = AGENTCHAT_BYTES_INIT;
        agentchat_error err;

        random_list(&before);
        for (size_t i = 0; i < before.count; i++) {
            char element[8];

            (void)snprintf(element, sizeof element, "\"%c\"", before.text[i]);
            strcat(strcat(existing, i > 0 ? "," : ""), element);
            if (i < bound(from, 0, before.count) || i >= bound(to, before.count, before.count))
                continue;
            strcat(strcat(expected, after.count > 0 ? "," : ""), element);
            append(&after, before.text[i], before.id[i]);
        }
        messages = list_of(&before);
        test_ok(agentchat_list_edit_new(NULL, before.count, &edit, &err), &err);
        test_ok(agentchat_list_edit_keep(edit, from, to, &err), &err);
        assert_edited(edit, messages, &before, &after);
        agentchat_messages_unref(messages);
        spell_bound(bounds[0], sizeof bounds[0], from);
        spell_bound(bounds[1], sizeof bounds[1], to);
        (void)snprintf(update, sizeof update, "{\"type\":\"keep\",\"from\":%s,\"to\":%s}", bounds[0], bounds[1]);
        test_ok(agentchat_json_list_reduce(NULL, agentchat_str_from(strcat(existing, "]")), agentchat_str_from(update),
                                           NULL, NULL, &list, &err),
                &err);
        assert_string_equal(list.ptr, strcat(expected, "]"));
        agentchat_bytes_clear(&list);
    }
}

/* ---- changes that memory fails for ------------------------------------------------------------------------------- */

/* Removes, keeps a range or replaces by x, at random; what fails has changed nothing. The number of those that failed.
 */
static size_t change(agentchat_list_edit *edit, const agentchat_message *x, model *m, size_t length)
{
    enum { KEEP, REMOVE, REPLACE };
    static const int64_t last = -1;
    size_t failed = 0;
    agentchat_error err;

    for (int i = 0; i < 200; i++) {
        size_t index = test_pick(length), count = 1 + test_pick(length - index), what = test_pick(REPLACE + 1);
        int64_t from = (int64_t)index;
        agentchat_status status = what == KEEP     ? agentchat_list_edit_keep(edit, &from, &last, &err)
                                  : what == REMOVE ? agentchat_list_edit_remove(edit, index, count, &err)
                                                   : agentchat_list_edit_replace(edit, index, x, &err);

        if (status < 0) {
            assert_int_equal(status, AGENTCHAT_E_NOMEM);
            failed++;
        } else if (what == REPLACE) {
            m->text[index] = 'x';
            m->id[index] = '\0';
        } else if (what == REMOVE) {
            memset(m->text + index, 0, count);
        } else {
            memset(m->text, 0, index);
            m->text[length - 1] = '\0';
        }
    }
    return failed;
}

static void test_changes__fail_as_a_whole(void **state)
{
    agentchat_message *x = message("user", 'x', '\0');
    size_t failed = 0;

    (void)state;
    for (uint64_t fail_at = 1; fail_at < 12; fail_at++)
        for (uint32_t seed = 1; seed < 40; seed++) {
            test_oom oom = {.fail_at = fail_at, .all_after = seed % 2 == 0};
            agentchat_env *env;
            model before, changed, after = {.count = 0};
            agentchat_messages *messages;
            agentchat_list_edit *edit = NULL;
            agentchat_error err;

            test_seed(seed);
            do
                random_list(&before);
            while (before.count == 0);
            oom.held = true;
            env = test_oom_env(&oom);
            test_ok(agentchat_list_edit_new(env, before.count, &edit, &err), &err);
            oom.held = false;
            changed = before;
            failed += change(edit, x, &changed, before.count);
            oom.held = true;
            for (size_t i = 0; i < before.count; i++)
                if (changed.text[i] != '\0')
                    append(&after, changed.text[i], changed.id[i]);
            messages = list_of(&before);
            assert_edited(edit, messages, &before, &after);
            agentchat_messages_unref(messages);
            agentchat_env_free(env);
        }
    assert_true(failed > 100);
    agentchat_message_unref(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add__does_what_the_model_does),
        cmocka_unit_test(test_filter__does_what_the_model_does),
        cmocka_unit_test(test_keep__does_what_the_model_does),
        cmocka_unit_test(test_changes__fail_as_a_whole),
    };

    return cmocka_run_group_tests_name("edit_model", tests, NULL, NULL);
}
