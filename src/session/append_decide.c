/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the first batch of an append has read decides whether the event may be stored: it may be there already, others
 * may have changed what is expected to be unchanged, a key may be missing, a sum may not fit.
 */
#include "session/append.h"

#include "base/error.h"
#include "format/native/event.h"
#include "session/stored_event.h"
#include <inttypes.h>

static agentchat_status conflict(aci_append *a, agentchat_error *err, const char *what, uint64_t expected,
                                 uint64_t found)
{
    a->conflict = true;
    return aci_fail(err, AGENTCHAT_E_CONFLICT, "%s is %" PRIu64 ", not %" PRIu64 " as expected", what, found, expected);
}

/* An event of the same id is there: the same event again, or another one? What the store had to fill in may differ. */
static agentchat_status compare_duplicate(aci_append *a, agentchat_error *err)
{
    const agentchat_event *stored = a->duplicates.list[0];
    agentchat_str none = {NULL, 0}, invocation = none, time = none;
    agentchat_event *same = NULL;
    aci_buf mine, theirs;
    aci_excerpt excerpt;
    agentchat_status status;

    if ((a->made & ACI_EVENT_MADE_INVOCATION) != 0)
        invocation = agentchat_event_get(stored, AGENTCHAT_EVENT_INVOCATION);
    if ((a->made & ACI_EVENT_MADE_TIME) != 0)
        time = agentchat_event_get(stored, AGENTCHAT_EVENT_TIME);
    aci_buf_init(&mine, a->session->env, SIZE_MAX);
    aci_buf_init(&theirs, a->session->env, SIZE_MAX);
    status = aci_stored_event_with(a->event, none, invocation, time, &same, err);
    if (status >= 0)
        status = aci_event_text(same, &mine, err);
    if (status >= 0)
        status = aci_event_text(stored, &theirs, err);
    if (status >= 0 && agentchat_str_equal(aci_buf_str(&mine), aci_buf_str(&theirs))) {
        a->sequence = agentchat_event_sequence(stored);
        a->duplicate = true;
    } else if (status >= 0) {
        a->conflict = true;
        status = aci_fail(err, AGENTCHAT_E_CONFLICT, "event id %s belongs to an event of other content",
                          aci_error_excerpt(agentchat_event_get(a->event, AGENTCHAT_EVENT_ID), &excerpt));
    }
    agentchat_event_unref(same);
    aci_buf_clear(&mine);
    aci_buf_clear(&theirs);
    return status;
}

static agentchat_status check_expectations(aci_append *a, agentchat_error *err)
{
    const agentchat_append_options *options = &a->options;
    aci_excerpt excerpt;
    char what[128];

    if (options->has_expect_sequence && (uint64_t)a->stage.now.row.seq != options->expect_sequence)
        return conflict(a, err, "the session's sequence", options->expect_sequence, (uint64_t)a->stage.now.row.seq);
    if (options->expect_key == NULL || (uint64_t)a->expected.revision == options->expect_revision)
        return AGENTCHAT_OK;
    (void)snprintf(what, sizeof what, "the revision of key %s",
                   aci_error_excerpt(agentchat_str_from(options->expect_key), &excerpt));
    return conflict(a, err, what, options->expect_revision, (uint64_t)a->expected.revision);
}

static agentchat_status check_presence(const aci_append *a, agentchat_error *err)
{
    aci_excerpt excerpt;

    for (size_t i = 0; i < a->count && a->must_be_there; i++) {
        if (a->changes[i].old.revision == 0)
            return aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is no key %s",
                            aci_error_excerpt(a->changes[i].key, &excerpt));
    }
    return AGENTCHAT_OK;
}

static agentchat_status add_up(aci_append *a, agentchat_error *err)
{
    for (size_t i = 0; i < a->count; i++) {
        aci_change_work *work = &a->changes[i];
        agentchat_status status;

        if (work->change.kind != AGENTCHAT_CHANGE_ADD)
            continue;
        status = aci_state_sum(work->key, work->old.value, work->change.amount, &work->sum, err);
        if (status < 0)
            return status;
        (void)aci_load_print_integer(work->sum, work->digits);
    }
    return AGENTCHAT_OK;
}

agentchat_status aci_append_decide(aci_append *a, agentchat_error *err)
{
    agentchat_status status;

    if (a->duplicates.count > 0)
        return compare_duplicate(a, err);
    status = check_expectations(a, err);
    if (status >= 0)
        status = check_presence(a, err);
    return status < 0 ? status : add_up(a, err);
}
