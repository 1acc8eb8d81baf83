/* SPDX-License-Identifier: Apache-2.0 */
/* Walking through the rows of a store page by page. */
#include "session/check.h"

#include "base/error.h"
#include <string.h>

const char *aci_check_part(char buffer[400], const char *what, agentchat_str app, agentchat_str usr, agentchat_str id)
{
    aci_excerpt a, u, i;

    (void)snprintf(buffer, 400, "%s %s%s%s%s%s", what, aci_error_excerpt(app, &a), usr.len > 0 ? "/" : "",
                   usr.len > 0 ? aci_error_excerpt(usr, &u) : "", id.len > 0 ? "/" : "",
                   id.len > 0 ? aci_error_excerpt(id, &i) : "");
    return buffer;
}

/* ---- walking -------------------------------------------------------------------------------------------------- */

agentchat_status aci_check_keep(aci_check *c, agentchat_str *where, agentchat_str text, agentchat_error *err)
{
    bool ok = true;

    *where = aci_arena_copy(c->arena, text, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status note_unreadable(aci_check *c, const char *part, const agentchat_error *why,
                                        agentchat_error *err)
{
    char where[400] = "the beginning";

    if (!c->unreadable)
        return aci_check_problem(c->all, part, err, "%s", why->message);
    if (c->at.app.len > 0)
        (void)aci_check_part(where, "what was found of", c->at.app, c->at.usr, c->at.id);
    if (++c->skipped == ACI_CHECK_MOST_UNREADABLE)
        return aci_check_problem(c->all, part, err, "%d rows after %s cannot be read; the rest is not looked at",
                                 ACI_CHECK_MOST_UNREADABLE, where);
    return aci_check_problem(c->all, part, err, "a row after %s cannot be read: %s", where, why->message);
}

static int compare_texts(agentchat_str a, agentchat_str b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter > 0 ? memcmp(a.ptr, b.ptr, shorter) : 0;

    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* Damaged pages may give rows that they gave before, again and again. */
bool aci_check_is_after(const aci_check_position *a, const aci_check_position *b)
{
    int order = compare_texts(a->app, b->app);

    if (order == 0)
        order = compare_texts(a->usr, b->usr);
    if (order == 0)
        order = compare_texts(a->id, b->id);
    if (order == 0)
        order = compare_texts(a->key, b->key);
    return order != 0 ? order > 0 : a->seq > b->seq;
}

agentchat_status aci_check_note_disorder(aci_check *c, const char *part, agentchat_error *err)
{
    c->skipped = ACI_CHECK_MOST_UNREADABLE;
    return aci_check_problem(c->all, part, err, "rows are not in the order of their keys; the rest is not looked at");
}

static agentchat_status advance(aci_check *c, const char *part, agentchat_error *err)
{
    bool is_full = c->rows >= (uint64_t)c->limit; /* only then another page is read */

    if (is_full && !aci_check_is_after(&c->last, &c->at))
        return aci_check_note_disorder(c, part, err);
    c->at = c->last;
    c->skipped = 0;
    return AGENTCHAT_OK;
}

agentchat_status aci_check_run_page(aci_check *c, const char *part, aci_work work, void *user, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_transact_in(c->all->store, &c->all->call, false, work, user, &why);
    c->unreadable = status == AGENTCHAT_E_CORRUPT && why.native == 0; /* else it is no row, but the database itself */
    if (status == AGENTCHAT_E_CORRUPT) {
        c->rows = 0;
        aci_check_drop(c->all);
        status = c->unreadable && c->limit > 1 ? AGENTCHAT_OK : note_unreadable(c, part, &why, err);
    } else if (status < 0) {
        if (err != NULL)
            *err = why;
    } else if (c->rows > 0) {
        status = advance(c, part, err);
    }
    return status < 0 ? status : aci_check_report(c->all, err);
}

bool aci_check_goes_on(const aci_check *c)
{
    if (c->all->stopped || c->skipped >= ACI_CHECK_MOST_UNREADABLE)
        return false;
    return c->unreadable || c->rows >= (uint64_t)c->limit;
}

agentchat_status aci_check_run_pages(aci_check *c, const char *part, aci_work work, agentchat_error *err)
{
    int one_by_one = 0; /* so many rows more */
    agentchat_status status;

    c->skipped = 0;
    do {
        c->limit = one_by_one > 0 ? 1 : ACI_CHECK_PAGE;
        status = aci_check_run_page(c, part, work, c, err);
        if (c->unreadable)
            one_by_one = ACI_CHECK_PAGE;
        else if (one_by_one > 0)
            one_by_one--;
    } while (status >= 0 && aci_check_goes_on(c));
    return status;
}

void aci_check_start_over(aci_check *c)
{
    agentchat_str first = AGENTCHAT_STR("");

    c->at = c->last = (aci_check_position){first, first, first, first, INT64_MIN};
    c->limit = 1;
    c->skipped = 0;
}

void aci_check_begin_page(aci_check *c)
{
    aci_check_drop(c->all);
    c->rows = 0;
    c->last = c->at;
}

void aci_check_limit_page(const aci_check *c, aci_tx *tx)
{
    aci_transact_integer(tx, c->limit);
    aci_transact_integer(tx, c->skipped);
}
