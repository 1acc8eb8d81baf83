/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a document: a chat, or the bare array of messages that it was read from. */
#include "format/semantic_kernel/form.h"
#include "format/semantic_kernel/semantic_kernel.h"
#include "format/semantic_kernel/write_chat.h"
#include "format/semantic_kernel/write_message.h"
#include "format/semantic_kernel/written_depth.h"
#include "io/stream.h"

/* Whether a snapshot goes back as the bare array that it was read from: it has nothing but its history. */
static bool is_bare(const agentchat_snapshot *snapshot)
{
    return aci_sk_form_is(snapshot, ACI_SK_BARE_HISTORY) && snapshot->participant_count == 0 &&
           snapshot->channel_count == 0 && snapshot->value_count == 0 && snapshot->next_turn == 0 &&
           !snapshot->is_complete && (snapshot->extras == NULL || snapshot->extras->count == 0);
}

static bool has_null_messages(const agentchat_messages *messages)
{
    for (size_t i = 0; i < messages->count; i++)
        if ((agentchat_messages_at(messages, i)->flags & ACI_MESSAGE_IS_NULL) != 0)
            return true;
    return false;
}

static void write_bare(aci_sk_writer *wr, const agentchat_snapshot *snapshot)
{
    if (!wr->strict && aci_sk_depth_of_messages(wr, &snapshot->history) > ACI_SK_MAX_DEPTH)
        aci_sk_loss(wr, ACI_AT(NULL, "history"),
                    "nested deeper than the 64 levels that .NET reads; it will refuse the file");
    aci_writer_inline_begin(&wr->w);
    aci_writer_array_begin(&wr->w);
    aci_sk_write_messages(wr, ACI_AT(NULL, "history"), &snapshot->history);
    aci_writer_array_end(&wr->w);
    aci_writer_inline_end(&wr->w);
}

agentchat_status aci_sk_write(aci_write *out, const agentchat_snapshot *snapshot, agentchat_error *err)
{
    aci_sk_writer wr = {.report = out->report,
                        .err = err,
                        .strict = out->strict,
                        .sidecar = !out->strict,
                        .write_content = aci_sk_write_content};
    agentchat_status status;

    wr.env = aci_env(out->env);
    wr.copies = (aci_copies){.most = out->max_copies, .source = snapshot->source_bytes};
    wr.bare = is_bare(snapshot) && (out->strict || !has_null_messages(&snapshot->history));
    aci_buf_init(&wr.text, wr.env, SIZE_MAX);
    if (aci_writer_begin(&wr.w, wr.env, out->sink, ACI_JSON_DOTNET, 2, err) >= 0) {
        if (wr.bare)
            write_bare(&wr, snapshot);
        else
            aci_sk_write_chat(&wr, NULL, snapshot, 1);
    }
    status = aci_writer_end(&wr.w);
    if (status >= 0 && !out->strict) /* .NET ends no line */
        status = aci_sink_write(out->sink, "\n", 1, err);
    aci_buf_clear(&wr.text);
    return status;
}
