/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that check the sessions of a store share: the walk. */
#ifndef ACI_SESSION_CHECK_H
#define ACI_SESSION_CHECK_H

#include "session/session.h"
#include "store/core/check.h"

/* Rows of a page; unreadable rows in succession after which no more of them are read. */
enum { ACI_CHECK_PAGE = 500, ACI_CHECK_MOST_UNREADABLE = 1000 };

typedef struct aci_check_position {
    agentchat_str app, usr, id, key;
    int64_t seq;
} aci_check_position;

typedef struct aci_check {
    aci_store_check *all;
    const agentchat_env *env;
    /* ---- where the walk is; texts in `arena` ---- */
    aci_arena *arena;
    aci_check_position at;   /* where the page begins that is read, or read once more */
    aci_check_position last; /* its last row */
    aci_loaded_row session;  /* the session whose events are looked at, as of the moment of the page */
    int64_t num;             /* its number when the walk came to it */
    int64_t rewinds;         /* its rewinds then; after another one nothing is known of the order of its events */
    bool is_chained;         /* the checksum of the event before the page is known, which is: */
    int64_t chain;
    /* ---- the page ---- */
    int64_t limit;        /* its rows at most */
    int64_t skipped;      /* rows after `at` that cannot be read and are passed over */
    bool unreadable;      /* some row of it cannot be read; the others can */
    uint64_t rows;        /* those that were read */
    bool page_is_chained; /* the same of the last event that was read */
    int64_t page_chain;
} aci_check;

/* "state of session APP/USER/ID" and so on, cut where it gets too long, safe to show. Returns buffer. */
const char *aci_check_part(char buffer[400], const char *what, agentchat_str app, agentchat_str usr, agentchat_str id);

void aci_check_start_over(aci_check *c);
/* What a page begins with: nothing of an attempt that failed counts. */
void aci_check_begin_page(aci_check *c);
/* The last parameters of its statement: limit, and how many rows are passed over. */
void aci_check_limit_page(const aci_check *c, aci_tx *tx);
/* Copies a text of a row that is needed longer. */
agentchat_status aci_check_keep(aci_check *c, agentchat_str *where, agentchat_str text, agentchat_error *err);
/* Runs a page, then reports. What cannot be read is a finding about `part`; c->unreadable: one row is passed over from
   now on, or when the page is of more, they are to be read one by one. */
agentchat_status aci_check_run_page(aci_check *c, const char *part, aci_work work, void *user, agentchat_error *err);
/* Whether a position comes after another one. */
bool aci_check_is_after(const aci_check_position *a, const aci_check_position *b);
/* Notes that rows came out of order, so that nothing after them is read. */
agentchat_status aci_check_note_disorder(aci_check *c, const char *part, agentchat_error *err);
/* Whether there may be more after a page. */
bool aci_check_goes_on(const aci_check *c);
/* Runs pages until there is no more. */
agentchat_status aci_check_run_pages(aci_check *c, const char *part, aci_work work, agentchat_error *err);

/* Sessions and their events, or the scopes of users and applications; and whether their keys are all there. */
agentchat_status aci_check_sessions(aci_check *c, bool of_scopes, agentchat_error *err);
/* Whether the keys of a scope, whose names the walk is at, are those of their checksum. */
agentchat_status aci_check_keys(aci_check *c, const char *part, agentchat_scope scope, agentchat_error *err);
agentchat_status aci_check_state(aci_check *c, agentchat_error *err);

#endif
