/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing the envelope of the semantic-kernel format: an indented shell around long lines, as .NET does it; what is
 * nested is compact. Layer 4.
 */
#include "codec/sk_write.h"

#include "base/error.h"
#include <stdarg.h>
#include <stdio.h>

void aci_sk_fail(aci_sk_writer *wr, agentchat_status status)
{
    if (wr->w.status >= 0)
        wr->w.status = status == AGENTCHAT_E_NOMEM ? aci_fail_nomem(wr->err) : status;
}

static void report(aci_sk_writer *wr, agentchat_report_kind kind, const aci_sk_path *path, const char *text)
{
    if (wr->w.status >= 0 && !aci_sk_report(wr->report, wr->env, kind, path, "%s", text))
        aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
}

void aci_sk_loss(aci_sk_writer *wr, const aci_sk_path *path, const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    report(wr, AGENTCHAT_REPORT_LOSS, path, text);
}

void aci_sk_repaired(aci_sk_writer *wr, const aci_sk_path *path, const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    report(wr, AGENTCHAT_REPORT_REPAIR, path, text);
}

void aci_sk_copies_fail(aci_sk_writer *wr, const aci_sk_path *path)
{
    if (wr->w.status < 0)
        return;
    wr->w.status = aci_copies_fail(&wr->copies, wr->err);
    aci_sk_error_at(wr->env, path, wr->err);
}

/* ---- participants --------------------------------------------------------------------------------------------- */

/* Writes a text of the envelope. nulls: null and absent are written as null, as .NET does inside a nested state. */
static bool write_text(aci_sk_writer *wr, const aci_sk_path *path, const aci_sk_prop *prop, const char *own_name,
                       agentchat_str text, bool nulls, aci_sk_own_out *own, bool as_own)
{
    bool nothing = text.ptr == NULL || agentchat_str_is_null(text);
    aci_sk_fix fix = wr->strict ? (aci_sk_fix){ACI_SK_KEEP, {NULL, 0}, NULL} : aci_sk_fix_text(wr, text);

    if (as_own) { /* second pass: what was changed */
        if (fix.what == ACI_SK_REPLACE)
            aci_sk_own_text(own, own_name, text);
        return false;
    }
    if (nothing && !nulls && (wr->strict || text.ptr == NULL))
        return false;
    ACI_SK_PROP_KEY(wr, prop);
    if (nothing) {
        aci_jw_null(&wr->w);
    } else if (fix.what == ACI_SK_REPLACE) {
        aci_sk_path place = {path, own_name, 0};

        aci_sk_repaired(wr, &place, "%s", fix.why);
        aci_jw_string(&wr->w, fix.text);
    } else {
        aci_jw_string(&wr->w, text);
    }
    return true;
}

static void write_participant(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_participant *participant,
                              bool nested)
{
    static const char *const names[] = {"id", "name", "type"};
    const agentchat_str texts[] = {participant->id, participant->name, participant->type};
    aci_sk_object object = {.envelope = true};
    aci_sk_own_out own = {wr, false};

    aci_jw_object_begin(&wr->w);
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < 3; i++)
            if (pass == 0 || wr->own)
                object.written |= (uint32_t)write_text(wr, path, &aci_sk_participant.props[i], names[i], texts[i],
                                                       nested && wr->strict && i != ACI_SK_NAME, &own, pass == 1)
                                  << i;
        if (pass == 0)
            aci_sk_write_extras(wr, path, &aci_sk_participant, participant->extras, &object);
    }
    if (wr->own) {
        aci_sk_own_extras(&own, path, &aci_sk_participant, participant->extras, false);
        aci_sk_own_end(&own);
    }
    aci_jw_object_end(&wr->w);
}

static void write_participants(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_snapshot *chat, bool nested)
{
    aci_sk_path list = {path, "participants", 0}, place = {&list, NULL, 0};

    ACI_SK_PROP_KEY(wr, &aci_sk_root.props[ACI_SK_PARTICIPANTS]);
    aci_jw_array_begin(&wr->w);
    for (; place.index < chat->participant_count; place.index++)
        write_participant(wr, &place, &chat->participants[place.index], nested);
    aci_jw_array_end(&wr->w);
}

/* ---- history -------------------------------------------------------------------------------------------------- */

/* Whether a part of `depth` levels under `level` containers has to go into a string; reports when even that does not
   help. */
static bool must_quote(aci_sk_writer *wr, const aci_sk_path *path, uint32_t level, uint32_t depth)
{
    if (wr->strict || level + depth <= ACI_SK_MAX_DEPTH)
        return false;
    if (wr->quoted || depth > ACI_SK_MAX_DEPTH) {
        aci_sk_loss(wr, path, "nested deeper than the 64 levels that .NET reads; it will refuse the file");
        return false;
    }
    aci_sk_repaired(wr, path, "nested deeper than .NET reads at this place, so it was written as a string");
    return true;
}

/* Returns whether it was put into a string although the source did not have it in one. */
static bool write_history(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_snapshot *chat, uint32_t level)
{
    aci_sk_path place = {path, "history", 0};
    bool spelled = chat->history_spelling == ACI_SPELLED_STRING && !wr->quoted;
    uint64_t start = aci_sk_made(wr);
    bool quote =
        spelled || must_quote(wr, &place, level, wr->strict ? 0 : aci_sk_depth_of_messages(wr, &chat->history));

    ACI_SK_PROP_KEY(wr, &aci_sk_root.props[ACI_SK_HISTORY_AT]);
    if (quote) {
        aci_jw_quoted_begin(&wr->w);
        wr->quoted = true;
    }
    aci_jw_inline_begin(&wr->w);
    aci_jw_array_begin(&wr->w);
    aci_sk_write_messages(wr, &place, &chat->history);
    aci_jw_array_end(&wr->w);
    aci_jw_inline_end(&wr->w);
    if (quote) {
        aci_jw_quoted_end(&wr->w);
        wr->quoted = false;
    }
    wr->held += aci_sk_made(wr) - start;
    return quote && !spelled;
}

/* ---- what only we know ---------------------------------------------------------------------------------------- */

static void own_values(aci_sk_own_out *own, const agentchat_snapshot *chat)
{
    aci_sk_writer *wr = own->wr;

    aci_sk_own_key(own, "values");
    aci_jw_array_begin(&wr->w);
    for (size_t i = 0; i < chat->value_count; i++) {
        const aci_value *value = &chat->values[i];

        aci_jw_object_begin(&wr->w);
        ACI_JW_KEY(&wr->w, "name");
        aci_jw_string(&wr->w, value->name);
        if (value->media_type.ptr != NULL) {
            ACI_JW_KEY(&wr->w, "mediatype");
            aci_jw_string(&wr->w, value->media_type);
            ACI_JW_KEY(&wr->w, "base64");
            aci_jw_base64_bytes(&wr->w, value->value);
        } else {
            aci_sk_own_value(wr, "value", value->value);
        }
        aci_jw_object_end(&wr->w);
    }
    aci_jw_array_end(&wr->w);
}

static void own_left_out(aci_sk_own_out *own, const aci_sk_path *path, const agentchat_snapshot *chat,
                         const aci_index *keys, uint32_t level)
{
    aci_sk_path list = {path, "channels", 0}, place = {&list, NULL, 0};
    aci_sk_writer *wr = own->wr;
    bool any = false;

    for (; place.index < chat->channel_count; place.index++) {
        if (!aci_sk_leaves_out(wr, chat, keys, place.index))
            continue;
        if (!any) {
            aci_sk_own_key(own, "channels");
            aci_jw_array_begin(&wr->w);
            any = true;
        }
        aci_jw_object_begin(&wr->w);
        ACI_JW_KEY(&wr->w, "at");
        aci_jw_u64(&wr->w, place.index);
        ACI_JW_KEY(&wr->w, "channel");
        aci_sk_write_channel(wr, &place, chat, &chat->channels[place.index], level + 3);
        aci_jw_object_end(&wr->w);
    }
    if (any)
        aci_jw_array_end(&wr->w);
}

static void write_own(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_snapshot *chat, const aci_index *keys,
                      bool quoted, uint32_t level)
{
    aci_sk_own_out own = {wr, false};

    if (chat->next_turn > 0) {
        aci_sk_own_key(&own, "turn");
        aci_jw_u64(&wr->w, chat->next_turn);
    }
    if (chat->is_complete) {
        aci_sk_own_key(&own, "complete");
        aci_jw_bool(&wr->w, true);
    }
    if (quoted) {
        aci_sk_own_key(&own, "quoted");
        aci_jw_bool(&wr->w, true);
    }
    aci_sk_own_null_messages(&own, &chat->history);
    if (chat->value_count > 0)
        own_values(&own, chat);
    own_left_out(&own, path, chat, keys, level);
    aci_sk_own_extras(&own, path, &aci_sk_root, chat->extras, false);
    aci_sk_own_end(&own);
}

static void lose_own(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_snapshot *chat)
{
    aci_sk_path turn = {path, "turn", 0}, complete = {path, "complete", 0}, values = {path, "values", 0};
    aci_sk_path value = {&values, NULL, 0};

    if (chat->next_turn > 0)
        aci_sk_loss(wr, &turn, "the position of the round robin has no place in what .NET writes");
    if (chat->is_complete)
        aci_sk_loss(wr, &complete, "completion has no place in what .NET writes");
    for (; value.index < chat->value_count; value.index++)
        aci_sk_loss(wr, &value, "a named value has no place in what .NET writes");
}

/* ---- chat ----------------------------------------------------------------------------------------------------- */

void aci_sk_write_chat(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_snapshot *chat, uint32_t level)
{
    static const aci_sk_object object = {
        .envelope = true, .written = 1u << ACI_SK_PARTICIPANTS | 1u << ACI_SK_HISTORY_AT | 1u << ACI_SK_CHANNELS};
    aci_sk_path list = {path, "channels", 0}, place = {&list, NULL, 0};
    aci_index keys = {0};
    bool quoted;

    aci_sk_index_channels(wr, chat, &keys);
    aci_jw_object_begin(&wr->w);
    write_participants(wr, path, chat, level > 1 || wr->quoted);
    quoted = write_history(wr, path, chat, level);
    ACI_SK_PROP_KEY(wr, &aci_sk_root.props[ACI_SK_CHANNELS]);
    aci_jw_array_begin(&wr->w);
    for (; place.index < chat->channel_count && wr->w.status >= 0; place.index++) {
        if (!aci_sk_leaves_out(wr, chat, &keys, place.index))
            aci_sk_write_channel(wr, &place, chat, &chat->channels[place.index], level);
        else
            aci_sk_repaired(wr, &place, "a channel without a key of its own was moved into the agentchat property");
    }
    if (!wr->strict)
        aci_sk_write_missing(wr, path, chat, &keys, level);
    aci_jw_array_end(&wr->w);
    aci_sk_write_extras(wr, path, &aci_sk_root, chat->extras, &object);
    if (wr->strict)
        lose_own(wr, path, chat);
    else if (wr->own)
        write_own(wr, path, chat, &keys, quoted, level);
    aci_jw_object_end(&wr->w);
    aci_index_clear(&keys, wr->env);
}

/* Whether a snapshot goes back as the bare array that it was read from: it has nothing but its history. */
static bool is_bare(const agentchat_snapshot *snapshot)
{
    return snapshot->bare_history && snapshot->participant_count == 0 && snapshot->channel_count == 0 &&
           snapshot->value_count == 0 && snapshot->next_turn == 0 && !snapshot->is_complete &&
           (snapshot->extras == NULL || snapshot->extras->count == 0);
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
    static const aci_sk_path history = {NULL, "history", 0};

    if (!wr->strict && aci_sk_depth_of_messages(wr, &snapshot->history) > ACI_SK_MAX_DEPTH)
        aci_sk_loss(wr, &history, "nested deeper than the 64 levels that .NET reads; it will refuse the file");
    aci_jw_inline_begin(&wr->w);
    aci_jw_array_begin(&wr->w);
    aci_sk_write_messages(wr, &history, &snapshot->history);
    aci_jw_array_end(&wr->w);
    aci_jw_inline_end(&wr->w);
}

agentchat_status aci_sk_write(aci_write *out, const agentchat_snapshot *snapshot, agentchat_error *err)
{
    aci_sk_writer wr = {.report = out->report, .err = err, .strict = out->strict, .own = !out->strict};
    agentchat_status status;

    wr.env = aci_env(out->env);
    wr.copies = (aci_copies){.most = out->max_copies, .source = snapshot->source_bytes};
    wr.bare = is_bare(snapshot) && (out->strict || !has_null_messages(&snapshot->history));
    aci_buf_init(&wr.text, wr.env, SIZE_MAX);
    if (aci_jw_begin(&wr.w, wr.env, out->sink, ACI_JSON_DOTNET, 2, err) >= 0) {
        if (wr.bare)
            write_bare(&wr, snapshot);
        else
            aci_sk_write_chat(&wr, NULL, snapshot, 1);
    }
    status = aci_jw_end(&wr.w);
    aci_buf_clear(&wr.text);
    return status;
}
