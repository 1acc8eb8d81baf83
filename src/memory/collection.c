/* SPDX-License-Identifier: Apache-2.0 */
/* Collections: decisions about many small documents, and whether a document says nearly what another one says. */
#include <agentchat/json_text.h>
#include <agentchat/memory_kinds.h>
#include <agentchat/state.h>

#include "base/env.h"
#include "base/error.h"
#include "base/ids.h"
#include "memory/memory_internal.h"
#include "json/value.h"
#include <string.h>

enum { PAGE = 200, MOST_NEAR = 500 };
#define NEAREST 0.95

struct agentchat_collection_outcomes {
    aci_result_page page;
};

/* A value that is to be put, and what it meets. */
typedef struct meeting {
    agentchat_str value;
    double least; /* the cosine from which two say the same */
    bool insists;
    /* ---- while others are looked at ---- */
    int64_t now;
    const agentchat_env *env;
    aci_buf canonical; /* of the value */
    struct {
        int64_t no;
        double score;
    } near[MOST_NEAR];
    size_t count;
    /* ---- the other one ---- */
    aci_document_list found;
    aci_document *met; /* NULL: none */
    double score;
} meeting;

/* ---- whether two say the same --------------------------------------------------------------------------------- */

/* The next digit at or after *at; '\0': there is none. */
static char next_digit(agentchat_str text, size_t *at)
{
    while (*at < text.len && (text.ptr[*at] < '0' || text.ptr[*at] > '9'))
        ++*at;
    return *at < text.len ? text.ptr[(*at)++] : '\0';
}

/* Two dates of one month are near each other. */
static bool has_same_digits(agentchat_str a, agentchat_str b)
{
    size_t i = 0, k = 0;
    char digit;

    do {
        digit = next_digit(a, &i);
        if (digit != next_digit(b, &k))
            return false;
    } while (digit != '\0');
    return true;
}

static agentchat_status load_near(void *user, const aci_near *near, agentchat_error *err)
{
    meeting *m = user;
    size_t at = m->count;

    (void)err;
    if (near->score < m->least || (at == MOST_NEAR && m->near[at - 1].score >= near->score))
        return AGENTCHAT_OK;
    m->count += at < MOST_NEAR;
    for (at = m->count - 1; at > 0 && m->near[at - 1].score < near->score; at--)
        m->near[at] = m->near[at - 1];
    m->near[at].no = near->no;
    m->near[at].score = near->score;
    return AGENTCHAT_OK;
}

static agentchat_status meet_near(meeting *m, const aci_putting *p, aci_tx *tx, agentchat_str end, agentchat_error *err)
{
    aci_nearest n = {.tx = tx,
                     .settings = &p->settings,
                     .ns = p->row.ns,
                     .end = end,
                     .limit = MOST_NEAR,
                     .each = load_near,
                     .user = m};
    int64_t own = p->before.count > 0 ? p->before.list[0].no : 0;
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < p->vectors->count && status >= 0; i++) {
        n.vector = p->vectors->of->made.numbers + (p->vectors->first + i) * p->vectors->of->made.dimensions;
        status = aci_vectors_nearest(&n, err);
    }
    for (size_t i = 0; i < m->count && status >= 0 && m->met == NULL; i++) {
        m->found.count = 0;
        ACI_MEMORY_ASK(tx, ACI_MEMORY_BY_NUMBER, aci_documents_load, &m->found, ACI_BYTES(p->row.ns),
                       ACI_INT(m->near[i].no));
        status = aci_transact_run(tx, false, err);
        if (status < 0 || m->found.count == 0 || m->near[i].no == own || !aci_document_lives(m->found.list, m->now) ||
            !has_same_digits(m->found.list[0].value, m->value))
            continue;
        m->met = &m->found.list[0];
        m->score = m->near[i].score;
    }
    return status;
}

static agentchat_status is_equal(meeting *m, const aci_document *row, bool *out, agentchat_error *err)
{
    aci_buf canonical;
    agentchat_status status;

    aci_buf_init(&canonical, m->env, SIZE_MAX);
    status = aci_json_canonical(row->value, &canonical, m->env, err);
    *out = status >= 0 && agentchat_str_equal(aci_buf_str(&canonical), aci_buf_str(&m->canonical));
    aci_buf_clear(&canonical);
    return status;
}

static agentchat_status meet_equal(meeting *m, const aci_putting *p, aci_tx *tx, agentchat_str end,
                                   agentchat_error *err)
{
    char after[AGENTCHAT_MAX_KEY_BYTES]; /* the key of the last one of the page before */
    agentchat_str key = {after, 0};
    size_t count = 0;
    agentchat_status status = aci_json_canonical(m->value, &m->canonical, m->env, err);

    do { /* a page at a time is kept */
        aci_document *list;

        aci_documents_end(&m->found);
        if (status >= 0 && !aci_documents_begin(&m->found, m->env))
            status = aci_fail_nomem(err);
        if (status < 0)
            break;
        ACI_MEMORY_ASK(tx, ACI_MEMORY_AFTER, aci_documents_load, &m->found, ACI_BYTES(p->row.ns), ACI_BYTES(end),
                       ACI_BYTES(p->row.ns), ACI_TEXT(key), ACI_INT(PAGE));
        status = aci_transact_run(tx, false, err);
        list = m->found.list;
        count = m->found.count;
        if (status < 0 || list == NULL || count == 0)
            break;
        for (size_t i = 0; i < count && status >= 0 && m->met == NULL; i++) {
            bool is = false;

            if (aci_document_lives(&list[i], m->now) && !agentchat_str_equal(list[i].key, p->row.key))
                status = is_equal(m, &list[i], &is, err);
            m->met = is ? &list[i] : NULL;
        }
        if (status >= 0)
            status = aci_documents_go_on(&m->found, p->row.ns, key, err);
        key.len = list[count - 1].key.len < sizeof after ? list[count - 1].key.len : sizeof after;
        memcpy(after, list[count - 1].key.ptr, key.len);
    } while (status >= 0 && m->met == NULL && count == PAGE);
    m->score = 1;
    return status;
}

/* Whether the others in the namespace, which is locked, let the value be put: E_EXISTS. */
static agentchat_status guard(const aci_putting *p, aci_tx *tx, void *user, agentchat_error *err)
{
    meeting *m = user;
    aci_excerpt excerpt;
    aci_arena *arena;
    agentchat_str end = {NULL, 0};
    bool has_cosine = p->vectors != NULL && p->vectors->count > 0 && p->settings.is_there &&
                      p->settings.metric == AGENTCHAT_MEMORY_METRIC_COSINE &&
                      (size_t)p->settings.dimensions == p->vectors->of->made.dimensions;
    agentchat_status status = AGENTCHAT_OK;

    m->met = NULL;
    m->count = 0;
    m->canonical.len = 0;
    if (m->insists || m->least > 1)
        return AGENTCHAT_OK;
    arena = aci_arena_new(m->env, 0);
    if (arena == NULL || !aci_space_end(p->row.ns, true, arena, &end))
        status = aci_fail_nomem(err);
    aci_memory_ask_now(tx, &m->now);
    if (status >= 0)
        status = has_cosine ? meet_near(m, p, tx, end, err) : meet_equal(m, p, tx, end, err);
    aci_arena_unref(arena);
    if (status < 0 || m->met == NULL)
        return status;
    return aci_fail(err, AGENTCHAT_E_EXISTS, "document %s says nearly the same: update it, or insist",
                    aci_error_excerpt(m->met->key, &excerpt));
}

/* ---- a decision ----------------------------------------------------------------------------------------------- */

typedef struct applying {
    agentchat_store *store;
    const char *ns;
    agentchat_collection_options options;
    agentchat_memory_put_options put;
    agentchat_collection_outcomes *out;
    agentchat_collection_counts *counts;
    bool is_broken; /* the validation has failed, and has not refused */
} applying;

static bool is_refusal(agentchat_status status)
{
    return status == AGENTCHAT_E_INVALID || status == AGENTCHAT_E_SYNTAX || status == AGENTCHAT_E_NOTFOUND ||
           status == AGENTCHAT_E_CONFLICT || status == AGENTCHAT_E_EXISTS;
}

/* ADD and UPDATE. */
static agentchat_status put_value(applying *a, const agentchat_collection_change *change, const char *key, meeting *m,
                                  uint64_t *revision, agentchat_error *err)
{
    agentchat_memory_put_options put = a->put;
    const agentchat_memory_op op = {.ns = a->ns, .key = key, .json = change->value, .put = &put};
    bool adds = change->decision == AGENTCHAT_COLLECTION_ADD;
    agentchat_memory_results *page = NULL;
    agentchat_status status = agentchat_json_check(m->env, change->value, &m->value, err);

    if (status >= 0 && a->options.validate != NULL) {
        status = a->options.validate(a->options.user, change->value, err);
        a->is_broken = status < 0 && status != AGENTCHAT_E_INVALID;
    }
    if (status >= 0 && !adds && change->expect == 0) { /* any, but it has to be there */
        status = agentchat_memory_get(a->store, a->ns, key, false, &page, err);
        put.expect = status >= 0 ? agentchat_memory_results_at(page, 0)->revision : 0;
        agentchat_memory_results_free(page);
    } else {
        put.expect = adds ? 0 : change->expect;
    }
    put.has_expect = true;
    put.keep_expiry = !put.has_ttl;
    put.revision = revision;
    return status < 0 ? status : aci_putting_put(a->store, &op, guard, m, err);
}

static agentchat_status decide(applying *a, const agentchat_collection_change *change, const char *key, meeting *m,
                               uint64_t *revision, agentchat_error *err)
{
    static const char *const names[] = {"", "ADD", "UPDATE", "", "DELETE", "", "", "", "NONE"};
    agentchat_memory_delete_options removing = AGENTCHAT_MEMORY_DELETE_OPTIONS_INIT;

    if (a->options.allowed != 0 && (a->options.allowed & (uint32_t)change->decision) == 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "%s is not allowed here", names[change->decision]);
    if (change->decision == AGENTCHAT_COLLECTION_NONE)
        return AGENTCHAT_OK;
    if (key == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "%s needs a key", names[change->decision]);
    if (change->decision != AGENTCHAT_COLLECTION_DELETE)
        return put_value(a, change, key, m, revision, err);
    removing.has_expect = change->expect != 0;
    removing.expect = change->expect;
    return agentchat_memory_delete(a->store, a->ns, key, &removing, err);
}

static agentchat_status add_outcome(applying *a, agentchat_status status, const char *key, uint64_t revision,
                                    const meeting *m, const agentchat_error *why, agentchat_error *err)
{
    agentchat_collection_outcome *outcome = aci_result_page_room(&a->out->page);
    aci_arena *arena = a->out->page.arena;
    bool ok = true;

    if (outcome == NULL)
        return aci_fail_nomem(err);
    memset(outcome, 0, sizeof *outcome);
    outcome->status = status < 0 ? status : AGENTCHAT_OK;
    if (key != NULL)
        outcome->key = aci_arena_cstr(arena, agentchat_str_from(key), &ok);
    outcome->revision = status >= 0 ? revision : 0;
    if (status < 0)
        outcome->why = aci_arena_cstr(arena, agentchat_str_from(why->message), &ok);
    if (status == AGENTCHAT_E_EXISTS && m->met != NULL) {
        outcome->near_key = aci_arena_cstr(arena, m->met->key, &ok);
        outcome->near_value = (agentchat_str){aci_arena_cstr(arena, m->met->value, &ok), m->met->value.len};
        outcome->score = m->score;
    }
    a->out->page.count += ok;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static void count_it(agentchat_collection_counts *counts, agentchat_collection_decision decision,
                     agentchat_status status)
{
    int which = decision == AGENTCHAT_COLLECTION_ADD      ? 0
                : decision == AGENTCHAT_COLLECTION_UPDATE ? 1
                : decision == AGENTCHAT_COLLECTION_DELETE ? 2
                                                          : 3;

    if (counts == NULL)
        return;
    counts->decided[which]++;
    counts->done[which] += status >= 0;
    counts->near += status == AGENTCHAT_E_EXISTS;
    counts->refused += status < 0 && status != AGENTCHAT_E_EXISTS;
}

static agentchat_status apply_one(applying *a, const agentchat_collection_change *change, agentchat_error *err)
{
    const agentchat_env *env = a->store->env;
    meeting m = {
        .least = a->options.nearest > 0 ? a->options.nearest : NEAREST, .insists = change->insists, .env = env};
    char made[ACI_ID_LEN + 1];
    const char *key = change->key;
    uint64_t revision = 0;
    agentchat_error why;
    agentchat_status status = aci_documents_begin(&m.found, env) ? AGENTCHAT_OK : aci_fail_nomem(err);

    aci_buf_init(&m.canonical, env, SIZE_MAX);
    agentchat_error_clear(&why);
    if (status >= 0 && key == NULL && change->decision == AGENTCHAT_COLLECTION_ADD) {
        status = aci_id_new_ordered(env, made, err);
        key = made;
    }
    if (status >= 0) {
        status = decide(a, change, key, &m, &revision, &why);
        if (status < 0 && (a->is_broken || !is_refusal(status))) {
            if (err != NULL)
                *err = why;
        } else {
            count_it(a->counts, change->decision, status);
            status = add_outcome(a, status, key, revision, &m, &why, err);
        }
    }
    aci_buf_clear(&m.canonical);
    aci_documents_end(&m.found);
    return status;
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

size_t agentchat_collection_outcomes_count(const agentchat_collection_outcomes *outcomes)
{
    return outcomes != NULL ? outcomes->page.count : 0;
}

const agentchat_collection_outcome *agentchat_collection_outcomes_at(const agentchat_collection_outcomes *outcomes,
                                                                     size_t index)
{
    const agentchat_collection_outcome *items = outcomes != NULL ? outcomes->page.items : NULL;

    return index < agentchat_collection_outcomes_count(outcomes) ? &items[index] : NULL;
}

void agentchat_collection_outcomes_free(agentchat_collection_outcomes *outcomes)
{
    if (outcomes != NULL)
        aci_result_page_free(&outcomes->page, sizeof *outcomes);
}

void agentchat_collection_options_init(agentchat_collection_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static agentchat_status check_calls(applying *a, const agentchat_collection_change *changes, size_t count,
                                    const agentchat_collection_options *options, agentchat_error *err)
{
    aci_space space;
    agentchat_status status;

    if (a->store == NULL || (changes == NULL && count > 0))
        return aci_fail_null(err, a->store == NULL ? "store" : "changes");
    for (size_t i = 0; i < count; i++)
        if (changes[i].decision != AGENTCHAT_COLLECTION_ADD && changes[i].decision != AGENTCHAT_COLLECTION_UPDATE &&
            changes[i].decision != AGENTCHAT_COLLECTION_DELETE && changes[i].decision != AGENTCHAT_COLLECTION_NONE)
            return aci_fail(err, AGENTCHAT_E_INVALID, "change %zu is ADD, UPDATE, DELETE or NONE", i);
    status = aci_space_read(a->ns, false, &space, err);
    if (status >= 0 && space.len == 0)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "a collection has a namespace, and \"/\" is none");
    if (status >= 0)
        status = aci_env_options_load(&a->options, sizeof a->options, options, err);
    return status < 0 ? status : aci_env_options_load(&a->put, sizeof a->put, a->options.put, err);
}

agentchat_status agentchat_collection_apply(agentchat_store *store, const char *ns,
                                            const agentchat_collection_change *changes, size_t count,
                                            const agentchat_collection_options *options,
                                            agentchat_collection_outcomes **out, agentchat_collection_counts *counts,
                                            agentchat_error *err)
{
    applying a = {.store = store, .ns = ns, .counts = counts};
    agentchat_status status;

    agentchat_error_clear(err);
    if (out != NULL)
        *out = NULL;
    status = check_calls(&a, changes, count, options, err);
    if (status < 0)
        return status;
    a.out = aci_result_page_new(store->env, sizeof *a.out, sizeof(agentchat_collection_outcome));
    status = a.out != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
    for (size_t i = 0; i < count && status >= 0; i++)
        status = apply_one(&a, &changes[i], err);
    if (status < 0 || out == NULL)
        agentchat_collection_outcomes_free(a.out);
    else
        *out = a.out;
    return status < 0 ? status : AGENTCHAT_OK;
}
