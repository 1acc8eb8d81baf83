/* SPDX-License-Identifier: Apache-2.0 */
/* Memories as a model is shown them, episodes and instructions: what each call does, the same on every store. */
#include "session/scene.h"
#include "session/server.h"

#include <agentchat/agentchat.h>
#include <stdlib.h>

/* Namespaces begin with the scene's application, which no other test has. */
static const char *in(const scene *s, const char *rest)
{
    static char names[4][100];
    static unsigned next;
    char *name = names[next++ % 4];

    (void)snprintf(name, sizeof names[0], "%s/%s", s->app, rest);
    return name;
}

static void put(scene *s, const char *ns, const char *key, const char *json)
{
    test_ok(agentchat_memory_put(s->store, in(s, ns), key, agentchat_str_from(json), NULL, &s->err), &s->err);
}

/* The documents of a namespace, the last one first. */
static agentchat_memory_results *all(scene *s, const char *ns)
{
    agentchat_memory_results *page = NULL;

    test_ok(agentchat_memory_search(s->store, in(s, ns), NULL, &page, &s->err), &s->err);
    return page;
}

static agentchat_messages *list(const char *json)
{
    agentchat_messages *messages = NULL;
    agentchat_error err;

    test_ok(agentchat_messages_read(NULL, agentchat_str_from(json), &messages, NULL, &err), &err);
    return messages;
}

/* Role and text of each message, each on a line; takes the list. */
static void expect_messages(agentchat_messages *messages, const char *expected)
{
    char text[2000] = "";
    size_t len = 0;

    for (size_t i = 0; i < agentchat_messages_count(messages); i++) {
        const agentchat_message *m = agentchat_messages_at(messages, i);

        len += (size_t)snprintf(text + len, sizeof text - len, AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT "\n",
                                AGENTCHAT_STR_ARG(agentchat_message_role(m)),
                                AGENTCHAT_STR_ARG(agentchat_message_text(m)));
    }
    agentchat_messages_unref(messages);
    assert_string_equal(text, expected);
}

static void expect_bytes(agentchat_bytes *bytes, const char *expected)
{
    assert_string_equal(bytes->ptr != NULL ? bytes->ptr : "", expected);
    agentchat_bytes_clear(bytes);
}

#define TEXT(role, text) "{\"role\":\"" role "\",\"items\":[{\"type\":\"text\",\"text\":\"" text "\"}]}"

/* ---- rendering -------------------------------------------------------------------------------------------------- */

static void test_render__facts_profiles_and_episodes(void **state)
{
    scene *s = *state;
    agentchat_memory_render_options options = AGENTCHAT_MEMORY_RENDER_OPTIONS_INIT;
    agentchat_memory_results *pages[4] = {NULL};
    agentchat_bytes text = AGENTCHAT_BYTES_INIT, keys = AGENTCHAT_BYTES_INIT;
    agentchat_messages *messages = NULL;

    put(s, "facts", "odd", "{\"messages\": [{\"items\": 7}]}"); /* no episode */
    put(s, "facts", "tea", "{\"text\": \"drinks t\\u0065a,\\nno coffee\"}");
    put(s, "facts", "n", "{\"kind\": \"number\",\n \"n\": 1.50}");
    put(s, "profile", "ana\"1", "{\"content\": \"Ana\"}");
    put(s, "episodes", "said",
        "{\"situation\": \"x\", \"messages\": [" TEXT("user", "Open?") ", " TEXT("assistant", "Until\\nsix.") "]}");
    put(s, "episodes", "pair", "{\"input\": \"2 + 2\", \"output\": {\"sum\": 4}}");
    pages[0] = all(s, "profile");
    pages[2] = all(s, "facts"); /* a page that is NULL has none */
    pages[3] = all(s, "episodes");
    options.keys = &keys;
    test_ok(agentchat_memory_render_text((const agentchat_memory_results *const *)pages, 4, &options, &text, &s->err),
            &s->err);
    expect_bytes(&text, "- Ana\n"
                        "- {\"kind\":\"number\",\"n\":1.50}\n"
                        "- drinks tea,\n  no coffee\n"
                        "- {\"messages\":[{\"items\":7}]}\n"
                        "- user: 2 + 2\n  assistant: {\"sum\":4}\n"
                        "- user: Open?\n  assistant: Until\n  six.\n");
    assert_int_equal(s->err.code, 0);
    expect_bytes(&keys, "[\"ana\\\"1\", \"n\", \"tea\", \"odd\", \"pair\", \"said\"]");
    test_ok(agentchat_memory_render_messages((const agentchat_memory_results *const *)pages, 4, &options, &messages,
                                             &s->err),
            &s->err);
    expect_messages(messages, "system: Ana\n"
                              "system: {\"kind\":\"number\",\"n\":1.50}\n"
                              "system: drinks tea,\nno coffee\n"
                              "system: {\"messages\":[{\"items\":7}]}\n"
                              "user: 2 + 2\nassistant: {\"sum\":4}\n"
                              "user: Open?\nassistant: Until\nsix.\n");
    expect_bytes(&keys, "[\"ana\\\"1\", \"n\", \"tea\", \"odd\", \"pair\", \"said\"]");
    for (size_t i = 0; i < 4; i++)
        agentchat_memory_results_free(pages[i]);
    test_ok(agentchat_memory_render_text(NULL, 0, NULL, &text, &s->err), &s->err);
    expect_bytes(&text, "");
}

/* Counts bytes of texts, and how often it was asked. */
typedef struct counting {
    unsigned calls, fails_at;
    uint64_t most;
} counting;

static agentchat_status count_bytes(void *user, const agentchat_message *const *messages, size_t count,
                                    uint64_t *tokens, agentchat_error *err)
{
    counting *c = user;

    *tokens = 0;
    if (++c->calls == c->fails_at)
        return agentchat_error_set(err, AGENTCHAT_E_IO, "the tokenizer is away");
    for (size_t i = 0; i < count; i++)
        *tokens += agentchat_message_text(messages[i]).len;
    c->most = *tokens > c->most ? *tokens : c->most;
    return AGENTCHAT_OK;
}

static void test_render__is_never_over_the_budget(void **state)
{
    scene *s = *state;
    agentchat_memory_render_options options = AGENTCHAT_MEMORY_RENDER_OPTIONS_INIT;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT, keys = AGENTCHAT_BYTES_INIT;
    agentchat_messages *messages = NULL;
    agentchat_memory_results *page;
    counting c = {0};

    put(s, "f", "d", "{\"text\": \"4444\"}");
    put(s, "f", "c", "{\"text\": \"a text that is much longer than the others\"}");
    put(s, "f", "b", "{\"input\": \"22\", \"output\": \"33\"}");
    put(s, "f", "a", "{\"text\": \"1\"}");
    page = all(s, "f");
    options.counter = count_bytes;
    options.counter_user = &c;
    options.keys = &keys;
    for (uint64_t budget = 1; budget < 80; budget++) {
        options.max_tokens = budget;
        test_ok(
            agentchat_memory_render_text((const agentchat_memory_results *const *)&page, 1, &options, &text, &s->err),
            &s->err);
        assert_true(text.len <= budget);
        if (budget == 34) /* "- 1\n", "- user: 22\n  assistant: 33\n" and no more */
            assert_string_equal(keys.ptr, "[\"a\", \"b\"]");
        if (budget == 40)
            assert_string_equal(keys.ptr, "[\"a\", \"b\", \"d\"]");
        agentchat_bytes_clear(&keys);
        agentchat_bytes_clear(&text);
    }
    options.max_tokens = 9;
    test_ok(agentchat_memory_render_messages((const agentchat_memory_results *const *)&page, 1, &options, &messages,
                                             &s->err),
            &s->err);
    expect_messages(messages, "system: 1\nuser: 22\nassistant: 33\nsystem: 4444\n");
    expect_bytes(&keys, "[\"a\", \"b\", \"d\"]");
    options.max_tokens = 4; /* an episode is whole or not there */
    test_ok(agentchat_memory_render_messages((const agentchat_memory_results *const *)&page, 1, &options, &messages,
                                             &s->err),
            &s->err);
    expect_messages(messages, "system: 1\n");
    expect_bytes(&keys, "[\"a\"]");
    c.fails_at = c.calls + 2;
    expect_fails(
        s, agentchat_memory_render_text((const agentchat_memory_results *const *)&page, 1, &options, &text, &s->err),
        AGENTCHAT_E_IO, "the tokenizer is away");
    assert_int_equal(text.len, 0);
    options.counter = NULL; /* the approximate one */
    options.counter_user = NULL;
    options.max_tokens = 1;
    test_ok(agentchat_memory_render_text((const agentchat_memory_results *const *)&page, 1, &options, &text, &s->err),
            &s->err);
    expect_bytes(&text, "");
    expect_bytes(&keys, "[]");
    agentchat_memory_results_free(page);
}

/* ---- episodes --------------------------------------------------------------------------------------------------- */

static void test_L7_episodic_memory__examples_are_chosen_for_relevance(void **state)
{
    scene *s = *state;
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_render_options options = AGENTCHAT_MEMORY_RENDER_OPTIONS_INIT;
    agentchat_bytes keys = AGENTCHAT_BYTES_INIT;
    agentchat_messages *refund =
        list("[" TEXT("user", "My parcel broke.") "," TEXT("assistant", "We send a new one.") "]");
    agentchat_messages *hours = list("[" TEXT("user", "Parcel shop open?") "," TEXT("assistant", "Until six.") "]");
    agentchat_messages *found = NULL;
    agentchat_memory_results *page;

    test_ok(
        agentchat_episode_put(s->store, in(s, "e"), "refund", AGENTCHAT_STR("a broken parcel"), refund, NULL, &s->err),
        &s->err);
    test_ok(agentchat_episode_put(s->store, in(s, "e"), NULL, AGENTCHAT_STR("opening hours"), hours, NULL, &s->err),
            &s->err);
    put(s, "e", "no-episode", "{\"text\": \"a broken parcel\"}");
    put(s, "e", "no-messages", "{\"situation\": \"a broken parcel\", \"messages\": 7}");
    put(s, "e", "nor-these", "{\"situation\": \"a broken parcel\", \"messages\": [{\"items\": 7}, {\"n\": 1}]}");
    put(s, "e", "openai",
        "{\"situation\": \"broken glass\", \"messages\": [{\"role\": \"user\", \"content\": \"Glass broke.\"},"
        " {\"role\": \"assistant\", \"content\": \"Take gloves.\"}]}");
    query.text = AGENTCHAT_STR("broken parcel"); /* only the situation counts */
    options.keys = &keys;
    test_ok(agentchat_episodes_recall(s->store, in(s, "e"), &query, &options, &found, &s->err), &s->err);
    expect_messages(found, "user: My parcel broke.\nassistant: We send a new one.\n"
                           "user: Glass broke.\nassistant: Take gloves.\n");
    expect_bytes(&keys, "[\"refund\", \"openai\"]");
    query.text = AGENTCHAT_STR("hours");
    query.limit = 1;
    test_ok(agentchat_episodes_recall(s->store, in(s, "e"), &query, NULL, &found, &s->err), &s->err);
    expect_messages(found, "user: Parcel shop open?\nassistant: Until six.\n");
    query.text = AGENTCHAT_STR("six");
    test_ok(agentchat_episodes_recall(s->store, in(s, "e"), &query, NULL, &found, &s->err), &s->err);
    expect_messages(found, "");
    page = all(s, "e");
    assert_int_equal(agentchat_memory_results_count(page), 6);
    agentchat_memory_results_free(page);
    agentchat_messages_unref(refund);
    agentchat_messages_unref(hours);
}

/* ---- instructions ----------------------------------------------------------------------------------------------- */

/* What a maker was given, and what it makes. */
typedef struct revision {
    const char *makes;
    char current[200], feedback[2000];
    uint32_t attempts;
    bool keeps;
    scene *disturbs; /* before each of the first attempts ends, somebody else writes */
    uint32_t disturbed;
} revision;

static agentchat_status revise(void *user, agentchat_instructions_draft *draft, agentchat_error *err)
{
    revision *r = user;
    size_t len = 0;

    assert_int_equal(draft->attempt, ++r->attempts);
    (void)snprintf(r->current, sizeof r->current, "%s", draft->current.ptr != NULL ? draft->current.ptr : "(none)");
    for (size_t i = 0; i < draft->feedback_count; i++) {
        agentchat_str text = agentchat_json_find(draft->feedback[i]->value, AGENTCHAT_STR("feedback"));

        len +=
            (size_t)snprintf(r->feedback + len, sizeof r->feedback - len, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(text));
    }
    draft->keep = r->keeps;
    if (r->attempts <= r->disturbed)
        put(r->disturbs, "i", "bot/1", "{\"text\": \"other\", \"n\": 1.50}");
    return r->makes != NULL ? agentchat_bytes_append(&draft->text, agentchat_str_from(r->makes), err)
                            : agentchat_error_set(err, AGENTCHAT_E_IO, "the model is away");
}

static agentchat_status revise_bot(scene *s, revision *r)
{
    return agentchat_instructions_revise(s->store, in(s, "i"), "bot/1", revise, r, &s->err);
}

static void say(scene *s, const char *text)
{
    agentchat_messages *messages = list("[" TEXT("user", "Hi") "]");

    test_ok(agentchat_instructions_feedback(s->store, in(s, "i"), "bot/1", messages, agentchat_str_from(text), &s->err),
            &s->err);
    agentchat_messages_unref(messages);
}

static void expect_instructions(scene *s, const char *expected)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;

    test_ok(agentchat_instructions_get(s->store, in(s, "i"), "bot/1", &text, &s->err), &s->err);
    expect_bytes(&text, expected);
}

static void test_L8_procedural_memory__instructions_are_revised_by_feedback(void **state)
{
    scene *s = *state;
    revision first = {.makes = "Be \"kind\"."}, second = {.makes = "Be short."}, idle = {.makes = "never"};
    agentchat_memory_steps *steps = NULL;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;

    expect_fails(s, agentchat_instructions_get(s->store, in(s, "i"), "bot/1", &text, &s->err), AGENTCHAT_E_NOTFOUND,
                 "no such document");
    assert_int_equal(revise_bot(s, &idle), AGENTCHAT_DONE);
    say(s, "too rude");
    say(s, "too long");
    test_ok(revise_bot(s, &first), &s->err);
    assert_string_equal(first.current, "(none)");
    assert_string_equal(first.feedback, "\"too rude\"\"too long\""); /* the oldest first */
    expect_instructions(s, "Be \"kind\".");
    assert_int_equal(revise_bot(s, &idle), AGENTCHAT_DONE); /* that feedback was used */
    assert_int_equal(idle.attempts, 0);
    say(s, "still too long");
    test_ok(revise_bot(s, &second), &s->err);
    assert_string_equal(second.current, "Be \"kind\".");
    assert_string_equal(second.feedback, "\"still too long\"");
    expect_instructions(s, "Be short.");
    test_ok(agentchat_memory_log(s->store, in(s, "i"), "bot/1", 0, &steps, &s->err), &s->err); /* without a switch */
    assert_int_equal(agentchat_memory_steps_count(steps), 2);
    assert_string_equal(agentchat_memory_steps_at(steps, 0)->before.ptr, "{\"text\": \"Be \\\"kind\\\".\"}");
    agentchat_memory_steps_free(steps);
    test_ok(agentchat_memory_undo(s->store, in(s, "i"), "bot/1", NULL, &s->err), &s->err);
    expect_instructions(s, "Be \"kind\".");
    expect_fails(s, agentchat_memory_undo(s->store, in(s, "i"), "bot/1", NULL, &s->err), AGENTCHAT_E_NOTFOUND,
                 "was an undo");
    put(s, "i", "plain", "{\"n\": 1}");
    expect_fails(s, agentchat_instructions_get(s->store, in(s, "i"), "plain", &text, &s->err), AGENTCHAT_E_NOTFOUND,
                 "no member \"text\"");
}

static void test_instructions__what_others_write_is_seen(void **state)
{
    scene *s = *state;
    revision once = {.makes = "Be kind.", .disturbs = s, .disturbed = 1};
    revision late = {.makes = "Be kind.", .disturbs = s, .disturbed = 3};
    revision away = {.makes = NULL}, keeps = {.makes = "x", .keeps = true};

    say(s, "rude");
    test_ok(revise_bot(s, &once), &s->err);
    assert_int_equal(once.attempts, 2);
    assert_string_equal(once.current, "other");
    expect_instructions(s, "Be kind.");
    say(s, "long");
    expect_fails(s, revise_bot(s, &late), AGENTCHAT_E_CONFLICT, "was expected");
    assert_int_equal(late.attempts, 3);
    expect_fails(s, revise_bot(s, &away), AGENTCHAT_E_IO, "the model is away");
    test_ok(revise_bot(s, &keeps), &s->err);
    expect_instructions(s, "other");
    assert_string_equal(keeps.feedback, "\"long\""); /* it is still there */
    expect_sound(s->store);
}

static void test_instructions__all_feedback_is_given(void **state)
{
    scene *s = *state;
    revision r = {.makes = "x"};
    agentchat_memory_counts counts;
    char text[16];

    for (int i = 0; i < 450; i++) {
        (void)snprintf(text, sizeof text, "%c", i == 0 ? 'a' : i == 449 ? 'z' : '.');
        test_ok(agentchat_instructions_feedback(s->store, in(s, "i"), "bot/1", NULL, agentchat_str_from(text), &s->err),
                &s->err);
    }
    test_ok(revise_bot(s, &r), &s->err);
    assert_memory_equal(r.feedback, "\"a\"\".\"", 6);
    test_ok(agentchat_memory_stats(s->store, in(s, "i"), &counts, &s->err), &s->err);
    assert_true(counts.documents == 1);
}

/* ---- what LangGraph's page promises ------------------------------------------------------------------------------ */

static agentchat_status say_yes(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                agentchat_error *err)
{
    (void)user;
    (void)seen;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("Yes."), err);
}

/* A chat in a thread of its own. */
static agentchat_chat *talk(scene *s, const char *thread)
{
    agentchat_chat *chat = NULL;

    test_ok(agentchat_chat_new(s->env, &chat, &s->err), &s->err);
    test_ok(agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Desk"), say_yes, NULL, &s->err), &s->err);
    test_ok(agentchat_thread_attach(s->store, in(s, thread), chat, NULL, NULL, &s->err), &s->err);
    test_ok(agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("Hi"), &s->err), &s->err);
    test_ok(agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &s->err), &s->err);
    return chat;
}

static void test_L1_long_term_memory__is_shared_by_threads(void **state)
{
    scene *s = *state;
    agentchat_chat *first = talk(s, "t1"), *second;
    agentchat_memory_results *page;

    put(s, "users/ana", "tea", "{\"text\": \"green\"}"); /* while the one lives */
    agentchat_chat_free(first);
    test_ok(agentchat_thread_delete(s->store, in(s, "t1"), &s->err), &s->err);
    second = talk(s, "t2");
    page = all(s, "users/ana"); /* from another one, and after the first is gone */
    assert_int_equal(agentchat_memory_results_count(page), 1);
    agentchat_memory_results_free(page);
    page = all(s, "users/bob"); /* a namespace of one's own choice, not a thread, says whose it is */
    assert_int_equal(agentchat_memory_results_count(page), 0);
    agentchat_memory_results_free(page);
    agentchat_chat_free(second);
}

/* A vector says how often a text has "t" and "c". */
static agentchat_status embed(void *user, const agentchat_str *texts, size_t count, agentchat_memory_vectors *out,
                              agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    (void)user;
    for (size_t i = 0; i < count && status >= 0; i++) {
        float numbers[2] = {0.1F, 0.1F};

        for (size_t k = 0; k < texts[i].len; k++) {
            numbers[0] += (float)(texts[i].ptr[k] == 't');
            numbers[1] += (float)(texts[i].ptr[k] == 'c');
        }
        status = agentchat_memory_vectors_add(out, numbers, 2, err);
    }
    return status;
}

static void test_L3_search__filters_and_ranks_by_similarity(void **state)
{
    static const char *const documents[] = {"{\"rules\": \"ttt\", \"my-key\": \"my-value\"}",
                                            "{\"rules\": \"ccc\", \"my-key\": \"my-value\"}",
                                            "{\"rules\": \"tttt\", \"my-key\": \"other\"}"};
    scene *s = *state;
    agentchat_memory_embedder embedder = AGENTCHAT_MEMORY_EMBEDDER_INIT;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_results *page = NULL;
    agentchat_status status = AGENTCHAT_OK;

    if (s->kind == STORE_POSTGRES && !server_has_extension("vector")) {
        print_message("skipped: the server has no vectors\n");
        return;
    }
    embedder.embed = embed;
    options.embedder = &embedder;
    for (int i = 0; i < 3 && status >= 0; i++) {
        char key[2] = {(char)('a' + i), '\0'};

        status = agentchat_memory_put(s->store, in(s, "my-user/chitchat"), key, agentchat_str_from(documents[i]),
                                      &options, &s->err);
    }
    test_ok(status, &s->err);
    query.filter = AGENTCHAT_STR("{\"my-key\": \"my-value\"}");
    query.text = AGENTCHAT_STR("t");
    query.embedder = &embedder;
    test_ok(agentchat_memory_search(s->store, in(s, "my-user/chitchat"), &query, &page, &s->err), &s->err);
    assert_int_equal(agentchat_memory_results_count(page), 2);
    assert_string_equal(agentchat_memory_results_at(page, 0)->key, "a");
    assert_string_equal(agentchat_memory_results_at(page, 1)->key, "b");
    assert_true(agentchat_memory_results_at(page, 0)->score > agentchat_memory_results_at(page, 1)->score);
    agentchat_memory_results_free(page);
}

/* Each kind is written in its own way, and all are shown together. */
static void test_L4_two_questions__each_kind_is_at_hand(void **state)
{
    scene *s = *state;
    const agentchat_collection_change fact = {AGENTCHAT_COLLECTION_ADD, "f", {"{\"text\": \"no meat\"}", 19}, 0, false};
    agentchat_memory_results *pages[3] = {NULL};
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;

    put(s, "profile", "ana", "{\"name\": \"Ana\"}");
    test_ok(agentchat_collection_apply(s->store, in(s, "facts"), &fact, 1, NULL, NULL, NULL, &s->err), &s->err);
    put(s, "episodes", "e", "{\"input\": \"Hi\", \"output\": \"Hello\"}");
    pages[0] = all(s, "profile");
    pages[1] = all(s, "facts");
    pages[2] = all(s, "episodes");
    test_ok(agentchat_memory_render_text((const agentchat_memory_results *const *)pages, 3, NULL, &text, &s->err),
            &s->err);
    expect_bytes(&text, "- Ana\n- no meat\n- user: Hi\n  assistant: Hello\n");
    for (size_t i = 0; i < 3; i++)
        agentchat_memory_results_free(pages[i]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_render__facts_profiles_and_episodes),
        SCENE_TEST(test_render__is_never_over_the_budget),
        SCENE_TEST(test_L7_episodic_memory__examples_are_chosen_for_relevance),
        SCENE_TEST(test_L8_procedural_memory__instructions_are_revised_by_feedback),
        SCENE_TEST(test_instructions__what_others_write_is_seen),
        SCENE_TEST(test_instructions__all_feedback_is_given),
        SCENE_TEST(test_L1_long_term_memory__is_shared_by_threads),
        SCENE_TEST(test_L3_search__filters_and_ranks_by_similarity),
        SCENE_TEST(test_L4_two_questions__each_kind_is_at_hand),
    };

    scene_files_in_memory();
    if (!scene_program("memory.recall", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("memory_recall", tests, NULL, NULL);
}
