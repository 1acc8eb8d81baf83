/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the sidecar says about channels that were made or completed for .NET: they are taken back only where they are
 * what our writer makes from the history that the file has, message by message. So no claim can remove a channel's
 * content.
 */
#include "format/semantic_kernel/channel_kind.h"
#include "format/semantic_kernel/read_chat.h"
#include "format/semantic_kernel/write_message.h"

#include "base/sha256.h"

typedef struct settler {
    aci_sk_reader *s;
    aci_json_reader *r;
    const aci_sk_list *history; /* without the null messages, … */
    const size_t *nulls;        /* … whose positions these are */
    size_t null_count;
    size_t *kept; /* positions in `history` of what a history channel keeps, made when they are first needed */
    size_t kept_count;
    unsigned char (*digests)[32]; /* of what .NET is shown of the messages in `history`; likewise */
    bool *known;                  /* which of them have been made */
    aci_sk_writer wr;
} settler;

/* ---- what .NET is shown of a message -------------------------------------------------------------------------- */

static agentchat_status add_to_digest(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    (void)err;
    return aci_sha256_add(self, bytes, len) ? AGENTCHAT_OK : AGENTCHAT_E_NOMEM;
}

static bool digest_of(settler *x, const agentchat_message *message, unsigned char out[32])
{
    static const agentchat_sink_ops ops = {sizeof ops, add_to_digest, NULL, NULL};
    agentchat_sink *sink = NULL;
    aci_sha256 sha;
    bool ok = aci_sha256_begin(&sha);

    if (!ok || agentchat_sink_new(x->s->env, &ops, &sha, &sink, NULL) < 0 ||
        aci_writer_begin(&x->wr.w, x->s->env, sink, ACI_JSON_DOTNET, 0, NULL) < 0)
        x->wr.w.status = AGENTCHAT_E_NOMEM;
    else
        aci_sk_write_message(&x->wr, NULL, message, &aci_sk_message, NULL);
    if (sink != NULL && aci_writer_end(&x->wr.w) < 0)
        ok = false;
    agentchat_sink_free(sink);
    ok = aci_sha256_end(&sha, ok && sink != NULL ? out : NULL) && ok && sink != NULL;
    return ok || aci_sk_nomem(x->r);
}

static bool need_digests(settler *x)
{
    size_t count = x->history->count;

    if (x->digests != NULL || count == 0)
        return true;
    x->digests = aci_alloc(x->s->env, count * sizeof *x->digests);
    x->known = aci_alloc_zero(x->s->env, count * sizeof *x->known);
    return (x->digests != NULL && x->known != NULL) || aci_sk_nomem(x->r);
}

/* Whether a message stands there as our writer writes that of the history. */
static bool shows(settler *x, size_t at, const agentchat_message *message, bool *same)
{
    unsigned char digest[32];

    *same = x->history->messages[at] == message;
    if (*same)
        return true;
    if (!need_digests(x) || (!x->known[at] && !digest_of(x, x->history->messages[at], x->digests[at])))
        return false;
    x->known[at] = true;
    if (!digest_of(x, message, digest))
        return false;
    *same = memcmp(digest, x->digests[at], sizeof digest) == 0;
    return true;
}

/* ---- lists of messages ---------------------------------------------------------------------------------------- */

static bool need_kept(settler *x)
{
    size_t count = x->history->count;

    if (x->kept != NULL || count == 0)
        return true;
    x->kept = aci_alloc(x->s->env, count * sizeof *x->kept);
    if (x->kept == NULL)
        return aci_sk_nomem(x->r);
    for (size_t i = 0; i < count; i++)
        if (aci_sk_channel_keeps(x->history->messages[i]))
            x->kept[x->kept_count++] = i;
    return true;
}

/* Index of the first element that is not below `value`. */
static size_t lower_bound(const size_t *list, size_t count, size_t value)
{
    size_t low = 0;

    while (low < count) {
        size_t middle = low + (count - low) / 2;

        if (list[middle] < value)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* Whether a list is the history from `first` on, or (kept) what a history channel keeps of it. */
static bool is_history(settler *x, const agentchat_messages *list, bool kept, bool *is)
{
    bool ok = !kept || need_kept(x);

    *is = ok && list->count == (kept ? x->kept_count : x->history->count);
    for (size_t i = 0; ok && *is && i < list->count; i++)
        ok = shows(x, kept ? x->kept[i] : i, agentchat_messages_at(list, i), is);
    return ok;
}

/* Whether the last messages of a list are what was appended: those pending, and all from `synced` on. */
static bool is_appended(settler *x, const agentchat_messages *list, const aci_sk_sidecar *sidecar, bool *is)
{
    size_t total = x->history->count + x->null_count, first, rest, at = list->count - sidecar->appended;
    bool ok = need_kept(x);

    *is = ok && sidecar->appended <= list->count;
    for (size_t i = 0; ok && *is && i < sidecar->pending_count; i++) {
        size_t nulls = lower_bound(x->nulls, x->null_count, sidecar->pending[i]), index = sidecar->pending[i] - nulls;

        if (sidecar->pending[i] >= total || (nulls < x->null_count && x->nulls[nulls] == sidecar->pending[i]) ||
            !aci_sk_channel_keeps(x->history->messages[index]))
            continue;
        *is = at < list->count;
        if (*is)
            ok = shows(x, index, agentchat_messages_at(list, at++), is);
    }
    if (!ok || !*is)
        return ok;
    first = x->kept_count;
    if (sidecar->synced != AGENTCHAT_SYNCED_UNKNOWN)
        first = lower_bound(x->kept, x->kept_count,
                            sidecar->synced - lower_bound(x->nulls, x->null_count, sidecar->synced));
    rest = x->kept_count - first;
    *is = list->count - at == rest;
    for (size_t i = 0; ok && *is && i < rest; i++)
        ok = shows(x, x->kept[first + i], agentchat_messages_at(list, at + i), is);
    return ok;
}

/* Whether a state is the one that our writer makes of the history (write_missing_channels.c). */
static bool is_made(settler *x, const agentchat_channel_state *channel, aci_sk_state kind, bool *is)
{
    const agentchat_snapshot *chat = channel->chat;

    *is = false;
    if (kind == ACI_SK_STATE_HISTORY)
        return channel->kind != AGENTCHAT_CHANNEL_MESSAGES || is_history(x, &channel->messages, true, is);
    if (kind != ACI_SK_STATE_CHAT || channel->kind != AGENTCHAT_CHANNEL_CHAT)
        return true;
    if (chat->participant_count > 0 || chat->channel_count != 1 || chat->extras != NULL || chat->value_count > 0 ||
        chat->next_turn > 0 || chat->is_complete || !aci_sk_view_is(chat->channels[0].key, ACI_SK_HISTORY_KEY) ||
        !aci_sk_view_is(chat->channels[0].type, AGENTCHAT_TYPE_HISTORY_CHANNEL) || chat->channels[0].extras != NULL)
        return true;
    return is_history(x, &chat->history, false, is) &&
           (!*is || is_made(x, &chat->channels[0], ACI_SK_STATE_HISTORY, is));
}

/* ---- taking back ---------------------------------------------------------------------------------------------- */

/* Null messages that have a position in the list that they are put into. */
static size_t count_nulls(size_t messages, const size_t *nulls, size_t count)
{
    size_t i = 0;

    while (i < count && nulls[i] <= messages + i)
        i++;
    return i;
}

/* Rebuilds a list of messages as it was before our writer brought it up to date and took its nulls out. */
static bool undo_messages(settler *x, agentchat_channel_state *channel, const aci_sk_sidecar *sidecar)
{
    const agentchat_env *env = x->s->env;
    const agentchat_message **all;
    agentchat_messages done;
    size_t count = channel->messages.count - sidecar->appended;
    size_t null_count = count_nulls(count, sidecar->nulls, sidecar->null_count);
    size_t size = (channel->messages.count + null_count) * sizeof(*all);
    bool ok = true;

    if (sidecar->appended == 0 && null_count == 0)
        return true;
    all = aci_alloc(env, size);
    if (all == NULL)
        return aci_sk_nomem(x->r);
    aci_list_flatten(&channel->messages, all);
    for (size_t i = 0; ok && i < null_count; i++) {
        all[count + i] = aci_sk_null_message(x->s, x->r);
        ok = all[count + i] != NULL;
    }
    ok = ok && ((aci_sk_interleave(env, all, sizeof(*all), count, sidecar->nulls, null_count) &&
                 aci_list_from_array(&done, env, all, count + null_count)) ||
                aci_sk_nomem(x->r));
    aci_free(env, all, size);
    if (!ok)
        return false;
    aci_list_clear(&channel->messages);
    channel->messages = done;
    return true;
}

/* Applies what a claim says about a channel that stays. */
static bool settle(settler *x, const aci_location *path, aci_sk_sidecar *sidecar, agentchat_channel_state *channel)
{
    aci_sk_state kind = aci_sk_state_of(channel->key, channel->type);
    bool is;

    if (sidecar->has_state) {
        if (!is_made(x, channel, kind, &is))
            return false;
        return is ? aci_sk_apply_state(x->s, x->r, channel, sidecar)
                  : aci_sk_note(x->s, x->r, path, "agentchat says another state than ChannelState, which counts here");
    }
    if (channel->kind != AGENTCHAT_CHANNEL_MESSAGES)
        return true;
    if (sidecar->appended > 0) {
        if (!is_appended(x, &channel->messages, sidecar, &is))
            return false;
        if (!is) { /* then what it says about the channel's position is wrong too */
            sidecar->appended = 0;
            channel->synced = AGENTCHAT_SYNCED_UNKNOWN;
            channel->pending = NULL;
            channel->pending_count = 0;
            if (!aci_sk_note(x->s, x->r, path, "agentchat says that messages were appended, which are others"))
                return false;
        }
    }
    if (count_nulls(channel->messages.count - sidecar->appended, sidecar->nulls, sidecar->null_count) <
            sidecar->null_count &&
        !aci_sk_note(x->s, x->r, path, "agentchat says that messages were null beyond the end; they are left out"))
        return false;
    return undo_messages(x, channel, sidecar);
}

/* *drop: the channel was only added for .NET. */
static bool settle_claim(settler *x, const aci_location *path, aci_sk_claim *claim, agentchat_channel_state *channel,
                         bool *drop)
{
    aci_sk_state kind = aci_sk_state_of(channel->key, channel->type);

    *drop = false;
    if (!claim->sidecar.added)
        return settle(x, path, &claim->sidecar, channel);
    if (!is_made(x, channel, kind, drop))
        return false;
    return *drop || (aci_sk_note(x->s, x->r, path, "agentchat says that the channel was added, which is another") &&
                     settle(x, path, &claim->sidecar, channel));
}

bool aci_sk_settle_claims(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, aci_sk_claims *claims,
                          const aci_sk_list *history, const size_t *nulls, size_t null_count,
                          agentchat_channel_state *channels, size_t *channel_count)
{
    aci_location list = {path, AGENTCHAT_STR("channels"), 0}, location = {&list, {NULL, 0}, 0};
    settler x = {.s = s, .r = r, .history = history, .nulls = nulls, .wr = {.env = s->env}};
    size_t dropped = 0, next = 0;
    bool ok = true, drop;

    if (claims->count == 0)
        return true;
    x.null_count = count_nulls(history->count, nulls, null_count);
    aci_buf_init(&x.wr.text, s->env, SIZE_MAX);
    for (size_t i = 0; i < *channel_count; i++) {
        drop = false;
        location.index = i;
        if (ok && next < claims->count && claims->list[next].channel == i)
            ok = settle_claim(&x, &location, &claims->list[next++], &channels[i], &drop);
        if (ok && drop) {
            aci_sk_channel_clear(&channels[i]);
            dropped++;
        } else {
            channels[i - dropped] = channels[i];
        }
    }
    *channel_count -= dropped;
    claims->count = 0;
    aci_buf_clear(&x.wr.text);
    aci_free(s->env, x.kept, history->count * sizeof *x.kept);
    aci_free(s->env, x.digests, history->count * sizeof *x.digests);
    aci_free(s->env, x.known, history->count * sizeof *x.known);
    return ok;
}
