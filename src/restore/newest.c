/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the newest message of a stored list stands in the history. Layer 5. A document may have thousands of lists, so
 * the history is indexed once, when the first of them asks: by the messages' digests, and by the messages themselves,
 * so that one which many lists name is digested once.
 */
#include "restore/restore.h"

#include "base/checked.h"
#include "base/error.h"
#include "snapshot/canon.h"

static agentchat_str view_of(const void *bytes, size_t len)
{
    return (agentchat_str){bytes, len};
}

void aci_newest_begin(aci_newest *x, const agentchat_env *env, const agentchat_messages *history)
{
    *x = (aci_newest){.env = env, .history = history};
}

void aci_newest_end(aci_newest *x)
{
    aci_index_clear(&x->by_digest, x->env);
    aci_index_clear(&x->by_message, x->env);
    aci_free(x->env, x->entries, x->size);
    *x = (aci_newest){.env = x->env, .history = x->history};
}

static agentchat_status make_index(aci_newest *x, agentchat_error *err)
{
    size_t count = x->history->count;
    agentchat_status status = AGENTCHAT_OK;
    aci_cursor cursor;

    if (!aci_mul(count, sizeof *x->entries, &x->size))
        return aci_fail_nomem(err);
    x->entries = aci_alloc(x->env, x->size);
    if (x->entries == NULL)
        return aci_fail_nomem(err);
    aci_cursor_begin(&cursor, x->history);
    for (size_t i = 0; status >= 0 && i < count; i++) {
        aci_newest_entry *entry = &x->entries[i];

        entry->message = aci_cursor_at(&cursor, i);
        status = aci_message_digest(x->env, entry->message, entry->digest, err);
        /* the last of equal ones is the one that counts */
        if (status >= 0 && (!aci_index_put(&x->by_digest, x->env, view_of(entry->digest, sizeof entry->digest), i) ||
                            !aci_index_put(&x->by_message, x->env, view_of(&entry->message, sizeof entry->message), i)))
            status = aci_fail_nomem(err);
    }
    return status;
}

agentchat_status aci_newest_find(aci_newest *x, const agentchat_message *message, size_t *position,
                                 agentchat_error *err)
{
    unsigned char digest[32];
    agentchat_status status = AGENTCHAT_OK;
    size_t same;

    *position = SIZE_MAX;
    if (x->history->count == 0)
        return AGENTCHAT_OK;
    if (x->entries == NULL)
        status = make_index(x, err);
    if (status < 0)
        return status;
    same = aci_index_find(&x->by_message, view_of(&message, sizeof message));
    if (same == ACI_INDEX_NONE)
        status = aci_message_digest(x->env, message, digest, err);
    if (status >= 0)
        *position = aci_index_find(&x->by_digest,
                                   view_of(same != ACI_INDEX_NONE ? x->entries[same].digest : digest, sizeof digest));
    return status;
}
