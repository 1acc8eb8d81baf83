/* SPDX-License-Identifier: Apache-2.0 */
/* Which checkpoints the index names: the rows of each word, and of the empty one, side by side, newest first. */
#include "thread/search_terms.h"

#include "base/error.h"
#include "thread/terms.h"

enum { PAGE = 64, MOST_PAGES = 256, WORK_OF_ROW = 16, MOST_STREAMS = ACI_QUERY_WORDS + 1 };

typedef struct stream { /* of a term */
    aci_term_row before;
    int64_t seqs[PAGE];
    size_t count, at;
    bool is_over; /* the store has no more */
} stream;

typedef struct merge {
    const aci_search *search;
    stream streams[MOST_STREAMS]; /* the first one is that of the marks */
    size_t count, pages;
} merge;

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static agentchat_status load_term(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    stream *s = user;
    aci_term_row row;
    agentchat_status status = aci_terms_read(&row, columns, count, err);

    if (status < 0)
        return status;
    if (row.num != s->before.num || row.seq >= s->before.seq || !agentchat_str_equal(row.ns, s->before.ns) ||
        !agentchat_str_equal(row.term, s->before.term) || s->count == PAGE ||
        (s->count > 0 && row.seq >= s->seqs[s->count - 1]))
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored terms of a thread are not in their order");
    s->seqs[s->count++] = row.seq;
    return AGENTCHAT_OK;
}

/* The newest one that a stream has; 0: none. */
static int64_t head(const stream *s)
{
    return s->at < s->count ? s->seqs[s->at] : 0;
}

/* Reads on in the streams that are at the end of what they have. */
static agentchat_status read_pages(merge *m, stream *const *streams, size_t count, agentchat_error *err)
{
    aci_tx *tx = m->search->tx;
    agentchat_status status;

    for (size_t i = 0; i < count; i++)
        aci_terms_ask(tx, &streams[i]->before, PAGE, load_term, streams[i]);
    status = aci_transact_run(tx, false, err);
    for (size_t i = 0; i < count && status >= 0; i++) {
        stream *s = streams[i];

        s->is_over = s->count < PAGE;
        aci_terms_ask_beside(tx, &s->before, s->count > 0 ? s->seqs[s->count - 1] : s->before.seq);
    }
    m->pages += count;
    return status < 0 || tx->count == 0 ? status : aci_transact_run(tx, false, err);
}

/* Brings all streams to their newest rows up to a sequence number. */
static agentchat_status seek(merge *m, int64_t last, agentchat_error *err)
{
    stream *at_end[MOST_STREAMS];
    size_t count = 0;

    for (size_t i = 0; i < m->count; i++) {
        stream *s = &m->streams[i];

        while (head(s) > last)
            s->at++;
        if (s->at < s->count || s->is_over)
            continue;
        s->count = s->at = 0;
        s->before.seq = last + 1;
        at_end[count++] = s;
    }
    return count > 0 ? read_pages(m, at_end, count, err) : AGENTCHAT_OK;
}

/* ---- all words -------------------------------------------------------------------------------------------------- */

/* The oldest of the words' heads, before which none can have all of them; 0: a word is over. */
static int64_t common(const merge *m, bool *all)
{
    int64_t low = INT64_MAX, high = 0;

    for (size_t i = 1; i < m->count; i++) {
        int64_t one = head(&m->streams[i]);

        low = one < low ? one : low;
        high = one > high ? one : high;
    }
    *all = low == high;
    return low;
}

static agentchat_status merge_all(merge *m, int64_t below, aci_term_candidates *out, agentchat_error *err)
{
    int64_t last = below - 1;
    agentchat_status status = seek(m, last, err);

    while (status >= 0) {
        bool all = false;
        int64_t low = common(m, &all), marked = head(&m->streams[0]);

        if (low == 0 && marked == 0) {
            out->reached = 0;
            break;
        }
        if (marked >= low || all) {
            out->seqs[out->count++] = marked >= low ? marked : low;
            last = out->seqs[out->count - 1] - 1;
        } else {
            last = low;
        }
        out->reached = last + 1;
        if (out->count == ACI_SEARCH_TOGETHER || m->pages >= MOST_PAGES)
            break;
        status = seek(m, last, err);
    }
    out->work = m->pages * PAGE * WORK_OF_ROW;
    return status;
}

agentchat_status aci_search_terms(const aci_search *search, int64_t below, aci_term_candidates *out,
                                  agentchat_error *err)
{
    const aci_query *query = &search->query;
    size_t words = query->count < ACI_QUERY_WORDS ? query->count : ACI_QUERY_WORDS;
    merge *m = aci_alloc_zero(search->env, sizeof *m);
    agentchat_status status;

    out->count = out->work = 0;
    out->reached = 0;
    if (m == NULL)
        return aci_fail_nomem(err);
    m->search = search;
    m->count = words + 1;
    for (size_t i = 0; i < m->count; i++)
        m->streams[i].before =
            (aci_term_row){search->num, 0, search->at.ns, i > 0 ? query->first[i - 1] : AGENTCHAT_STR("")};
    status = merge_all(m, below, out, err);
    aci_free(search->env, m, sizeof *m);
    return status;
}
