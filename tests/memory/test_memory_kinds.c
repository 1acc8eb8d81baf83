/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles and collections: what each call does, the same on every store. */
#include "session/scene.h"
#include "session/server.h"

#include <agentchat/json_text.h>
#include <agentchat/memory_kinds.h>
#include <pthread.h>
#include <stdlib.h>

#define HOUR_US INT64_C(3600000000)

/* Namespaces begin with the scene's application, which no other test has. */
static const char *in(const scene *s, const char *rest)
{
    static char names[4][100];
    static unsigned next;
    char *name = names[next++ % 4];

    (void)snprintf(name, sizeof names[0], "%s/%s", s->app, rest);
    return name;
}

static uint64_t expect_document(scene *s, const char *ns, const char *key, const char *json)
{
    agentchat_memory_results *page = NULL;
    uint64_t revision;

    test_ok(agentchat_memory_get(s->store, in(s, ns), key, false, &page, &s->err), &s->err);
    assert_string_equal(agentchat_memory_results_at(page, 0)->value.ptr, json);
    revision = agentchat_memory_results_at(page, 0)->revision;
    agentchat_memory_results_free(page);
    return revision;
}

/* ---- profiles --------------------------------------------------------------------------------------------------- */

/* What a maker makes at each attempt, and what it was told. */
typedef struct script {
    struct {
        agentchat_profile_change change;
        const char *text;
    } drafts[4];
    scene *disturbs; /* before this attempt ends, somebody else writes */
    int disturbed;
    char told[4][200], current[200];
    uint32_t attempts;
} script;

static agentchat_status play(void *user, agentchat_profile_draft *draft, agentchat_error *err)
{
    script *p = user;

    assert_int_equal(draft->attempt, p->attempts + 1);
    snprintf(p->told[p->attempts], sizeof p->told[0], "%s", draft->refusal != NULL ? draft->refusal : "(nothing)");
    snprintf(p->current, sizeof p->current, "%s", draft->current.ptr != NULL ? draft->current.ptr : "(none)");
    draft->change = p->drafts[p->attempts].change;
    if (p->attempts < (uint32_t)p->disturbed)
        test_ok(agentchat_memory_put(p->disturbs->store, in(p->disturbs, "u"), "profile",
                                     AGENTCHAT_STR("{\"other\":1}"), NULL, &p->disturbs->err),
                &p->disturbs->err);
    return agentchat_bytes_append(&draft->text, agentchat_str_from(p->drafts[p->attempts++].text), err);
}

static agentchat_status update(scene *s, script *p, const agentchat_profile_options *options)
{
    return agentchat_profile_update(s->store, in(s, "u"), "profile", play, p, options, &s->err);
}

static void change(scene *s, agentchat_profile_change how, const char *text)
{
    script p = {.drafts = {{how, text}}};

    test_ok(update(s, &p, NULL), &s->err);
    assert_int_equal(p.attempts, 1);
    assert_string_equal(p.told[0], "(nothing)");
}

static void test_L5_profile__is_made_and_changed(void **state)
{
    scene *s = *state;
    uint64_t revision;

    change(s, AGENTCHAT_PROFILE_MERGE_PATCH, "{\"name\": \"Ana\", \"gone\": null}");
    expect_document(s, "u", "profile", "{\"name\": \"Ana\"}");
    change(s, AGENTCHAT_PROFILE_REPLACE, " {\"name\": \"Ana\", \"height\": 1.70} ");
    expect_document(s, "u", "profile", "{\"name\": \"Ana\", \"height\": 1.70}");
    change(s, AGENTCHAT_PROFILE_PATCH,
           "[{\"op\": \"test\", \"path\": \"/name\", \"value\": \"Ana\"},"
           " {\"op\": \"add\", \"path\": \"/likes\", \"value\": [\"tea\"]}]");
    revision = expect_document(s, "u", "profile", "{\"name\": \"Ana\", \"height\": 1.70, \"likes\": [\"tea\"]}");
    change(s, AGENTCHAT_PROFILE_KEEP, "whatever");
    assert_int_equal(expect_document(s, "u", "profile", "{\"name\": \"Ana\", \"height\": 1.70, \"likes\": [\"tea\"]}"),
                     revision);
}

static agentchat_status has_name(void *user, agentchat_str document, agentchat_error *err)
{
    ++*(int *)user;
    if (agentchat_json_kind_of(agentchat_json_find(document, AGENTCHAT_STR("name"))) == AGENTCHAT_JSON_STRING)
        return AGENTCHAT_OK;
    return agentchat_error_set(err, AGENTCHAT_E_INVALID, "a profile has a name");
}

static void test_profile__what_is_refused_is_made_again(void **state)
{
    scene *s = *state;
    agentchat_profile_options options = AGENTCHAT_PROFILE_OPTIONS_INIT;
    int looks = 0;
    script p = {.drafts = {{AGENTCHAT_PROFILE_REPLACE, "{\"name\":"},
                           {AGENTCHAT_PROFILE_REPLACE, "{\"n\": 1}"},
                           {AGENTCHAT_PROFILE_REPLACE, "{\"name\": \"Ana\"}"}}};
    script bad = {.drafts = {{AGENTCHAT_PROFILE_PATCH, "[{\"op\": \"remove\", \"path\": \"/none\"}]"},
                             {AGENTCHAT_PROFILE_REPLACE, "[]"},
                             {AGENTCHAT_PROFILE_MERGE_PATCH, "{\"name\": 7}"}}};

    options.validate = has_name;
    options.user = &looks;
    test_ok(update(s, &p, &options), &s->err);
    assert_int_equal(p.attempts, 3);
    assert_non_null(strstr(p.told[1], "unexpected end"));
    assert_string_equal(p.told[2], "a profile has a name");
    assert_int_equal(looks, 2);
    expect_fails(s, update(s, &bad, &options), AGENTCHAT_E_INVALID, "a profile has a name");
    assert_int_equal(bad.attempts, 3);
    assert_string_equal(bad.told[1], "operation 1 (remove /none): there is no such value");
    assert_string_equal(bad.told[2], "a profile is a JSON object");
    expect_document(s, "u", "profile", "{\"name\": \"Ana\"}");
}

static agentchat_status give_up(void *user, agentchat_profile_draft *draft, agentchat_error *err)
{
    (void)user;
    (void)draft;
    return agentchat_error_set(err, AGENTCHAT_E_IO, "the model is away");
}

static agentchat_status is_away(void *user, agentchat_str document, agentchat_error *err)
{
    (void)user;
    (void)document;
    return agentchat_error_set(err, AGENTCHAT_E_CONFLICT, "the schema is away");
}

static void test_profile__who_was_faster_is_seen(void **state)
{
    scene *s = *state;
    script p = {.drafts = {{AGENTCHAT_PROFILE_MERGE_PATCH, "{\"a\":1}"}, {AGENTCHAT_PROFILE_MERGE_PATCH, "{\"a\":1}"}},
                .disturbs = s,
                .disturbed = 1};
    script late = {.drafts = {{AGENTCHAT_PROFILE_MERGE_PATCH, "{\"a\":2}"},
                              {AGENTCHAT_PROFILE_MERGE_PATCH, "{\"a\":2}"},
                              {AGENTCHAT_PROFILE_MERGE_PATCH, "{\"a\":2}"}},
                   .disturbs = s,
                   .disturbed = 3};
    script once = {.drafts = {{AGENTCHAT_PROFILE_MERGE_PATCH, "{\"a\":2}"}}};
    agentchat_profile_options options = AGENTCHAT_PROFILE_OPTIONS_INIT;

    test_ok(update(s, &p, NULL), &s->err);
    assert_int_equal(p.attempts, 2);
    assert_non_null(strstr(p.told[1], "no document was expected"));
    assert_string_equal(p.current, "{\"other\":1}");
    expect_document(s, "u", "profile", "{\"other\":1,\"a\":1}");
    expect_fails(s, update(s, &late, NULL), AGENTCHAT_E_CONFLICT, "was expected");
    expect_document(s, "u", "profile", "{\"other\":1}");
    expect_fails(s, agentchat_profile_update(s->store, in(s, "u"), "profile", give_up, NULL, NULL, &s->err),
                 AGENTCHAT_E_IO, "the model is away");
    options.validate = is_away; /* no refusal: it is not asked again */
    expect_fails(s, update(s, &once, &options), AGENTCHAT_E_CONFLICT, "the schema is away");
    assert_int_equal(once.attempts, 1);
}

static void test_profile__keeps_its_expiry(void **state)
{
    scene *s = *state;
    agentchat_memory_put_options put = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_profile_options options = AGENTCHAT_PROFILE_OPTIONS_INIT;
    agentchat_memory_results *page = NULL;
    script forever = {.drafts = {{AGENTCHAT_PROFILE_MERGE_PATCH, "{\"c\":3}"}}};
    int64_t expires;

    put.has_ttl = true;
    put.ttl_us = HOUR_US;
    test_ok(agentchat_memory_put(s->store, in(s, "u"), "profile", AGENTCHAT_STR("{\"a\":1}"), &put, &s->err), &s->err);
    test_ok(agentchat_memory_get(s->store, in(s, "u"), "profile", false, &page, &s->err), &s->err);
    expires = agentchat_memory_results_at(page, 0)->expires_us;
    agentchat_memory_results_free(page);
    s->now_us += HOUR_US / 2;
    change(s, AGENTCHAT_PROFILE_MERGE_PATCH, "{\"b\":2}");
    test_ok(agentchat_memory_get(s->store, in(s, "u"), "profile", false, &page, &s->err), &s->err);
    assert_true(agentchat_memory_results_at(page, 0)->expires_us == expires);
    agentchat_memory_results_free(page);
    put.ttl_us = AGENTCHAT_MEMORY_NEVER;
    options.put = &put;
    test_ok(update(s, &forever, &options), &s->err);
    test_ok(agentchat_memory_get(s->store, in(s, "u"), "profile", false, &page, &s->err), &s->err);
    assert_true(agentchat_memory_results_at(page, 0)->expires_us == AGENTCHAT_MEMORY_NEVER);
    agentchat_memory_results_free(page);
}

static void test_profile__members_that_get_lost_are_named(void **state)
{
    scene *s = *state;
    agentchat_profile_options options = AGENTCHAT_PROFILE_OPTIONS_INIT;
    agentchat_bytes lost = AGENTCHAT_BYTES_INIT;
    script p = {.drafts = {{AGENTCHAT_PROFILE_REPLACE, "{\"b\": 2}"}}};
    script kept = {.drafts = {{AGENTCHAT_PROFILE_REPLACE, "{}"}}};
    script removed = {.drafts = {{AGENTCHAT_PROFILE_MERGE_PATCH, "{\"n\": null}"}}};

    change(s, AGENTCHAT_PROFILE_REPLACE, "{\"a\": 1.0, \"b\": 1, \"\\u00e9\": null}");
    options.lost = &lost;
    test_ok(update(s, &p, &options), &s->err);
    assert_string_equal(lost.ptr, "[\"a\", \"\\u00e9\"]");
    expect_document(s, "u", "profile", "{\"b\": 2}");
    change(s, AGENTCHAT_PROFILE_REPLACE, "{\"m\": [1, 2.50], \"n\": null}");
    options.keep_members = true;
    test_ok(update(s, &kept, &options), &s->err);
    assert_string_equal(lost.ptr, "[\"m\", \"n\"]");
    expect_document(s, "u", "profile", "{\"m\": [1, 2.50], \"n\": null}");
    test_ok(update(s, &removed, &options), &s->err); /* a patch says what it means */
    assert_int_equal(lost.len, 0);
    expect_document(s, "u", "profile", "{\"m\": [1, 2.50]}");
    agentchat_bytes_clear(&lost);
}

typedef struct counter {
    scene *s;
    char ns[100];
    int times;
} counter;

static agentchat_status add_one(void *user, agentchat_profile_draft *draft, agentchat_error *err)
{
    agentchat_str n = agentchat_json_find(draft->current, AGENTCHAT_STR("n"));
    char text[40];

    (void)user;
    snprintf(text, sizeof text, "{\"n\":%ld}", (n.ptr != NULL ? strtol(n.ptr, NULL, 10) : 0) + 1);
    draft->change = AGENTCHAT_PROFILE_MERGE_PATCH;
    return agentchat_bytes_append(&draft->text, agentchat_str_from(text), err);
}

static void *count(void *user)
{
    counter *c = user;
    agentchat_profile_options options = AGENTCHAT_PROFILE_OPTIONS_INIT;
    agentchat_error err;

    options.attempts = 100000;
    for (int i = 0; i < c->times; i++)
        test_ok(agentchat_profile_update(c->s->store, c->ns, "n", add_one, NULL, &options, &err), &err);
    return NULL;
}

/* PROFILE_UPDATES: how many by each of two writers (150). */
static void test_profile__two_writers_lose_nothing(void **state)
{
    scene *s = *state;
    counter c = {.s = s, .times = (int)test_number("PROFILE_UPDATES", 150)};
    pthread_t threads[2];
    char expected[40];

    snprintf(c.ns, sizeof c.ns, "%s", in(s, "u"));
    s->step_us = 0; /* a clock that both may read */
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count, &c), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    snprintf(expected, sizeof expected, "{\"n\": %d}", 2 * c.times);
    expect_document(s, "u", "n", expected);
}

/* ---- collections ------------------------------------------------------------------------------------------------ */

/* What becomes of one decision: the status; the key that it met, or "". */
static agentchat_status decide(scene *s, agentchat_collection_change change,
                               const agentchat_collection_options *options, agentchat_collection_counts *counts,
                               const char *why, const char *met)
{
    agentchat_collection_outcomes *out = NULL;
    const agentchat_collection_outcome *outcome;
    agentchat_status status;

    test_ok(agentchat_collection_apply(s->store, in(s, "c"), &change, 1, options, &out, counts, &s->err), &s->err);
    assert_int_equal(agentchat_collection_outcomes_count(out), 1);
    assert_null(agentchat_collection_outcomes_at(out, 1));
    outcome = agentchat_collection_outcomes_at(out, 0);
    status = outcome->status;
    assert_int_equal(outcome->revision > 0, status >= 0 && change.value.ptr != NULL);
    assert_int_equal(outcome->why != NULL, status < 0);
    assert_non_null(strstr(outcome->why != NULL ? outcome->why : "", why));
    assert_string_equal(outcome->near_key != NULL ? outcome->near_key : "", met);
    agentchat_collection_outcomes_free(out);
    return status;
}

static agentchat_collection_change change_of(agentchat_collection_decision decision, const char *key, const char *json)
{
    return (agentchat_collection_change){.decision = decision, .key = key, .value = agentchat_str_from(json)};
}

static void test_L6_collection__decisions_are_done_and_counted(void **state)
{
    scene *s = *state;
    agentchat_collection_options options = AGENTCHAT_COLLECTION_OPTIONS_INIT;
    agentchat_collection_counts n = {{0}, {0}, 0, 0};
    agentchat_collection_change change = change_of(AGENTCHAT_COLLECTION_ADD, "a", "{\"fact\":\"likes tea\"}");
    agentchat_collection_change update = change_of(AGENTCHAT_COLLECTION_UPDATE, "a", "{\"fact\":\"likes green tea\"}");
    agentchat_collection_change other =
        change_of(AGENTCHAT_COLLECTION_ADD, "b", "{ \"fact\": \"likes gr\\u0065en tea\" }");

    assert_int_equal(decide(s, change, NULL, &n, "", ""), AGENTCHAT_OK);
    assert_int_equal(decide(s, change, NULL, &n, "no document was expected", ""), AGENTCHAT_E_CONFLICT);
    assert_int_equal(decide(s, update, NULL, &n, "", ""), AGENTCHAT_OK);
    expect_document(s, "c", "a", "{\"fact\":\"likes green tea\"}");
    update.expect = 1;
    assert_int_equal(decide(s, update, NULL, &n, "was expected", ""), AGENTCHAT_E_CONFLICT);
    update = change_of(AGENTCHAT_COLLECTION_UPDATE, "none", "{}");
    assert_int_equal(decide(s, update, NULL, &n, "no such document", ""), AGENTCHAT_E_NOTFOUND);
    assert_int_equal(decide(s, other, NULL, &n, "document a says nearly the same", "a"), AGENTCHAT_E_EXISTS);
    other.insists = true;
    assert_int_equal(decide(s, other, NULL, &n, "", ""), AGENTCHAT_OK);
    assert_int_equal(decide(s, change_of(AGENTCHAT_COLLECTION_NONE, NULL, NULL), NULL, &n, "", ""), AGENTCHAT_OK);
    options.allowed = AGENTCHAT_COLLECTION_ADD | AGENTCHAT_COLLECTION_NONE;
    assert_int_equal(
        decide(s, change_of(AGENTCHAT_COLLECTION_DELETE, "a", NULL), &options, &n, "DELETE is not allowed", ""),
        AGENTCHAT_E_INVALID);
    assert_int_equal(decide(s, change_of(AGENTCHAT_COLLECTION_DELETE, "a", NULL), NULL, &n, "", ""), AGENTCHAT_OK);
    assert_int_equal(decide(s, change_of(AGENTCHAT_COLLECTION_DELETE, "a", NULL), NULL, &n, "no such document", ""),
                     AGENTCHAT_E_NOTFOUND);
    assert_int_equal(decide(s, change_of(AGENTCHAT_COLLECTION_UPDATE, NULL, "{}"), NULL, &n, "needs a key", ""),
                     AGENTCHAT_E_INVALID);
    assert_int_equal(decide(s, change_of(AGENTCHAT_COLLECTION_ADD, NULL, "{\"x\":"), NULL, &n, "unexpected end", ""),
                     AGENTCHAT_E_SYNTAX);
    assert_int_equal(n.decided[0], 5); /* ADD */
    assert_int_equal(n.done[0], 2);
    assert_int_equal(n.decided[1], 4); /* UPDATE */
    assert_int_equal(n.done[1], 1);
    assert_int_equal(n.decided[2], 3); /* DELETE */
    assert_int_equal(n.done[2], 1);
    assert_int_equal(n.done[3], 1);
    assert_int_equal(n.near, 1);
    assert_int_equal(n.refused, 7);
    expect_sound(s->store);
}

static void test_collection__values_are_validated(void **state)
{
    scene *s = *state;
    agentchat_collection_options options = AGENTCHAT_COLLECTION_OPTIONS_INIT;
    agentchat_collection_change bad = {.decision = (agentchat_collection_decision)3};
    int looks = 0;

    options.validate = has_name;
    options.user = &looks;
    assert_int_equal(
        decide(s, change_of(AGENTCHAT_COLLECTION_ADD, NULL, "{\"n\":1}"), &options, NULL, "has a name", ""),
        AGENTCHAT_E_INVALID);
    assert_int_equal(decide(s, change_of(AGENTCHAT_COLLECTION_ADD, NULL, "{\"name\":\"x\"}"), &options, NULL, "", ""),
                     AGENTCHAT_OK);
    assert_int_equal(looks, 2);
    expect_fails(s, agentchat_collection_apply(s->store, in(s, "c"), &bad, 1, NULL, NULL, NULL, &s->err),
                 AGENTCHAT_E_INVALID, "change 0 is ADD");
    bad = change_of(AGENTCHAT_COLLECTION_ADD, NULL, "{}");
    options.validate = is_away;
    expect_fails(s, agentchat_collection_apply(s->store, in(s, "c"), &bad, 1, &options, NULL, NULL, &s->err),
                 AGENTCHAT_E_CONFLICT, "the schema is away");
    bad.decision = AGENTCHAT_COLLECTION_NONE;
    expect_fails(s, agentchat_collection_apply(s->store, "/", &bad, 1, NULL, NULL, NULL, &s->err), AGENTCHAT_E_INVALID,
                 "has a namespace");
}

/* How often each letter is in a text. */
static agentchat_status count_letters(void *user, const agentchat_str *texts, size_t count,
                                      agentchat_memory_vectors *out, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    (void)user;
    for (size_t i = 0; i < count && status >= 0; i++) {
        float letters[26] = {0};

        for (size_t k = 0; k < texts[i].len; k++)
            if (texts[i].ptr[k] >= 'a' && texts[i].ptr[k] <= 'z')
                letters[texts[i].ptr[k] - 'a']++;
        status = agentchat_memory_vectors_add(out, letters, 26, err);
    }
    return status;
}

static void test_collection__near_ones_are_refused(void **state)
{
    scene *s = *state;
    agentchat_memory_embedder embedder = AGENTCHAT_MEMORY_EMBEDDER_INIT;
    agentchat_memory_put_options put = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_collection_options options = AGENTCHAT_COLLECTION_OPTIONS_INIT;
    agentchat_collection_change same;

    if (s->kind == STORE_POSTGRES && !server_has_extension("vector"))
        skip();
    embedder.embed = count_letters;
    put.embedder = &embedder;
    options.put = &put;
    assert_int_equal(decide(s,
                            change_of(AGENTCHAT_COLLECTION_ADD, "k1", "{\"fact\":\"drinks espresso in the morning\"}"),
                            &options, NULL, "", ""),
                     AGENTCHAT_OK);
    same = change_of(AGENTCHAT_COLLECTION_ADD, "k2", "{\"fact\":\"in the mornings drinks espresso\"}");
    assert_int_equal(decide(s, same, &options, NULL, "document k1 says nearly the same", "k1"), AGENTCHAT_E_EXISTS);
    options.nearest = 0.9999;
    assert_int_equal(decide(s, same, &options, NULL, "", ""), AGENTCHAT_OK);
    options.nearest = 0;
    /* its own old value is no other document */
    assert_int_equal(decide(s, change_of(AGENTCHAT_COLLECTION_UPDATE, "k1", "{\"fact\":\"owns a bike, zzz\"}"),
                            &options, NULL, "", ""),
                     AGENTCHAT_OK);
    assert_int_equal(decide(s, change_of(AGENTCHAT_COLLECTION_UPDATE, "k1", "{\"fact\":\"owns a bike, zzzz\"}"),
                            &options, NULL, "", ""),
                     AGENTCHAT_OK);
    /* dates differ, and the letters do not */
    assert_int_equal(decide(s, change_of(AGENTCHAT_COLLECTION_ADD, "d1", "{\"fact\":\"flew on 2026-05-04\"}"), &options,
                            NULL, "", ""),
                     AGENTCHAT_OK);
    assert_int_equal(decide(s, change_of(AGENTCHAT_COLLECTION_ADD, "d2", "{\"fact\":\"flew on 2026-05-14\"}"), &options,
                            NULL, "", ""),
                     AGENTCHAT_OK);
    assert_int_equal(decide(s, change_of(AGENTCHAT_COLLECTION_UPDATE, "d2", "{\"fact\":\"flew on 2026-05-04.\"}"),
                            &options, NULL, "d1 says", "d1"),
                     AGENTCHAT_E_EXISTS);
    expect_document(s, "c", "d2", "{\"fact\":\"flew on 2026-05-14\"}");
    for (int i = 100; i < 160; i++) { /* as near as the one that is the same */
        char json[60];

        snprintf(json, sizeof json, "{\"fact\":\"flew on %d\"}", i);
        assert_int_equal(decide(s, change_of(AGENTCHAT_COLLECTION_ADD, NULL, json), &options, NULL, "", ""),
                         AGENTCHAT_OK);
    }
    assert_int_equal(decide(s, change_of(AGENTCHAT_COLLECTION_ADD, NULL, "{\"fact\":\"flew on 2026-05-04!\"}"),
                            &options, NULL, "d1 says", "d1"),
                     AGENTCHAT_E_EXISTS);
    expect_sound(s->store);
}

typedef struct adder {
    scene *s;
    char ns[100];
    agentchat_collection_counts counts;
} adder;

static void *add_facts(void *user)
{
    adder *a = user;

    for (int i = 0; i < 30; i++) {
        char json[60];
        agentchat_collection_change change;
        agentchat_error err;

        snprintf(json, sizeof json, "{\"fact\":\"number %d\"}", i);
        change = change_of(AGENTCHAT_COLLECTION_ADD, NULL, json);
        test_ok(agentchat_collection_apply(a->s->store, a->ns, &change, 1, NULL, NULL, &a->counts, &err), &err);
    }
    return NULL;
}

static void test_collection__two_writers_store_nothing_twice(void **state)
{
    scene *s = *state;
    adder adders[2];
    pthread_t threads[2];

    s->step_us = 0; /* a clock that both may read */
    for (int i = 0; i < 2; i++) {
        adders[i] = (adder){.s = s};
        snprintf(adders[i].ns, sizeof adders[i].ns, "%s", in(s, "both"));
        assert_int_equal(pthread_create(&threads[i], NULL, add_facts, &adders[i]), 0);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(adders[0].counts.done[0] + adders[1].counts.done[0], 30);
    assert_int_equal(adders[0].counts.near + adders[1].counts.near, 30);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_L5_profile__is_made_and_changed),
        SCENE_TEST(test_profile__what_is_refused_is_made_again),
        SCENE_TEST(test_profile__who_was_faster_is_seen),
        SCENE_TEST(test_profile__keeps_its_expiry),
        SCENE_TEST(test_profile__members_that_get_lost_are_named),
        SCENE_TEST(test_profile__two_writers_lose_nothing),
        SCENE_TEST(test_L6_collection__decisions_are_done_and_counted),
        SCENE_TEST(test_collection__values_are_validated),
        SCENE_TEST(test_collection__near_ones_are_refused),
        SCENE_TEST(test_collection__two_writers_store_nothing_twice),
    };

    scene_files_in_memory();
    if (!scene_program("memory.kinds", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("memory_kinds", tests, NULL, NULL);
}
