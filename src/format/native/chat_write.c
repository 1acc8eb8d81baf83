/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing documents of format 1 and of its encoded variant (docs/formats/agentchat.md). One pass, in the order
 * of the specification; the same snapshot always gives the same bytes. Nothing is lost, so reports hold notes only.
 */
#include "format/native/chat.h"

#include "base/error.h"
#include "format/kit/buffer_sink.h"
#include "snapshot/copies.h"

/* ---- parts in base64 -------------------------------------------------------------------------------------------- */

/* The writer counts levels anew inside a string; readers go on counting. */
static void encode_begin(aci_native_writer *f)
{
    if (f->w.deepest > f->deepest)
        f->deepest = f->w.deepest;
    f->outside = f->w.depth;
    f->w.deepest = 0;
    aci_writer_encoded_begin(&f->w);
}

static void encode_end(aci_native_writer *f)
{
    aci_writer_encoded_end(&f->w);
    if (f->w.deepest + f->outside > f->deepest)
        f->deepest = f->w.deepest + f->outside;
    f->w.deepest = 0;
    f->outside = 0;
}

/* ---- channels --------------------------------------------------------------------------------------------------- */

static void write_run(aci_native_writer *f, size_t first, size_t count)
{
    aci_writer_array_begin(&f->w);
    aci_writer_u64(&f->w, first);
    aci_writer_u64(&f->w, count);
    aci_writer_array_end(&f->w);
    f->in_runs += count;
}

/* Messages that are the history's own are written as [first,count]. */
static void write_messages(aci_native_writer *f, const agentchat_messages *messages, aci_native_runs *runs)
{
    size_t count = agentchat_messages_count(messages), from = 0, i = 0;
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, messages);
    aci_writer_array_begin(&f->w);
    if (count > 0 && aci_list_is_prefix(messages, runs->cursor.list)) { /* at no cost where it shares the history */
        write_run(f, 0, count);
        i = count;
    }
    while (i < count && f->w.status >= 0) {
        const agentchat_message *message = aci_list_cursor_at(&cursor, i);
        size_t first, n = 1;

        if (!aci_native_runs_find(runs, message, from, &first)) {
            aci_native_write_failed(f, AGENTCHAT_E_NOMEM);
            break;
        }
        if (first == SIZE_MAX) {
            aci_native_write_message(f, message);
            i++;
            continue;
        }
        while (i + n < count && first + n < runs->count &&
               aci_list_cursor_at(&cursor, i + n) == aci_list_cursor_at(&runs->cursor, first + n))
            n++;
        write_run(f, first, n);
        f->references += n;
        from = first + n;
        i += n;
    }
    aci_writer_array_end(&f->w);
}

static void write_state(aci_native_writer *f, const aci_native_property *property,
                        const agentchat_channel_state *channel, aci_native_runs *runs)
{
    switch (channel->kind) {
    case AGENTCHAT_CHANNEL_MESSAGES:
        aci_native_write_key(f, property);
        write_messages(f, &channel->messages, runs);
        break;
    case AGENTCHAT_CHANNEL_CHAT:
        aci_native_write_key(f, property);
        aci_native_write_chat(f, channel->chat);
        break;
    case AGENTCHAT_CHANNEL_BYTES:
        if (channel->data.ptr != NULL && !agentchat_str_is_null(channel->data)) {
            aci_native_write_key(f, property);
            aci_writer_base64_bytes(&f->w, channel->data);
            break;
        }
        aci_native_write_text(f, property, channel->data);
        break;
    case AGENTCHAT_CHANNEL_TEXT:
    case AGENTCHAT_CHANNEL_MAX_:
        aci_native_write_text(f, property, channel->data);
        break;
    }
}

static void write_pending(aci_native_writer *f, const aci_native_property *property,
                          const agentchat_channel_state *channel)
{
    if (channel->pending_count == 0)
        return;
    aci_native_write_key(f, property);
    aci_writer_array_begin(&f->w);
    for (size_t i = 0; i < channel->pending_count; i++)
        aci_writer_u64(&f->w, channel->pending[i]);
    aci_writer_array_end(&f->w);
}

void aci_native_write_channel_rest(aci_native_writer *f, const agentchat_channel_state *channel, aci_native_runs *runs)
{
    for (uint32_t i = 0; i < aci_native_channel.count; i++) {
        const aci_native_property *property = &aci_native_channel.list[i];

        switch (property->what) {
        case ACI_NATIVE_TYPE:
            aci_native_write_text(f, property, channel->type);
            break;
        case ACI_NATIVE_STATE_KIND:
            aci_native_write_text(f, property, agentchat_str_from(aci_native_state_kind_name(channel->kind)));
            break;
        case ACI_NATIVE_RAW:
            if (channel->kind == AGENTCHAT_CHANNEL_TEXT && channel->spelling != ACI_SPELLED_ANY) {
                aci_native_write_key(f, property);
                aci_writer_bool(&f->w, channel->spelling == ACI_SPELLED_RAW);
            }
            break;
        case ACI_NATIVE_STATE:
            write_state(f, property, channel, runs);
            break;
        case ACI_NATIVE_SYNCED:
            if (channel->synced != AGENTCHAT_SYNCED_UNKNOWN) {
                aci_native_write_key(f, property);
                aci_writer_u64(&f->w, channel->synced);
            }
            break;
        case ACI_NATIVE_PENDING:
            write_pending(f, property, channel);
            break;
        default: /* the key stands outside, extras come last */
            break;
        }
    }
    aci_native_write_extras(f, channel->extras, &aci_native_channel, false);
}

static void write_channel(aci_native_writer *f, const agentchat_channel_state *channel, aci_native_runs *runs)
{
    aci_writer_object_begin(&f->w);
    aci_native_write_text(f, &aci_native_channel.list[0], channel->key);
    if (f->encoded) {
        ACI_JW_KEY(&f->w, "channelstate");
        encode_begin(f);
        aci_writer_object_begin(&f->w);
        aci_native_write_channel_rest(f, channel, runs);
        aci_writer_object_end(&f->w);
        encode_end(f);
    } else {
        aci_native_write_channel_rest(f, channel, runs);
    }
    aci_writer_object_end(&f->w);
}

/* ---- participants and values ------------------------------------------------------------------------------------ */

static void write_participant(aci_native_writer *f, const void *element)
{
    const agentchat_participant *participant = element;

    aci_writer_object_begin(&f->w);
    aci_native_write_text(f, &aci_native_participant.list[0], participant->id);
    aci_native_write_text(f, &aci_native_participant.list[1], participant->name);
    aci_native_write_text(f, &aci_native_participant.list[2], participant->type);
    aci_native_write_extras(f, participant->extras, &aci_native_participant, false);
    aci_writer_object_end(&f->w);
}

static void write_value(aci_native_writer *f, const void *element)
{
    const aci_value *value = element;
    agentchat_str text = {NULL, 0};

    if (!aci_snapshot_value_text(value, &text)) {
        aci_native_write_failed(f, AGENTCHAT_E_NOMEM);
        return;
    }
    aci_writer_object_begin(&f->w);
    ACI_JW_KEY(&f->w, "name");
    aci_writer_string(&f->w, value->name);
    if (value->media_type.ptr == NULL) {
        ACI_JW_KEY(&f->w, "value");
        aci_native_write_raw(f, text);
    } else {
        ACI_JW_KEY(&f->w, "mediatype");
        aci_writer_string(&f->w, value->media_type);
        ACI_JW_KEY(&f->w, "base64");
        aci_writer_base64_bytes(&f->w, text);
    }
    aci_writer_object_end(&f->w);
}

/* ---- a chat ----------------------------------------------------------------------------------------------------- */

static void line(aci_native_writer *f, bool lines)
{
    if (lines)
        aci_writer_newline(&f->w);
}

/* An array of a document, each element of which is encoded by itself. */
static void write_array(aci_native_writer *f, const void *list, size_t count, size_t size,
                        void (*write)(aci_native_writer *f, const void *element), bool lines)
{
    aci_writer_array_begin(&f->w);
    for (size_t i = 0; i < count && f->w.status >= 0; i++) {
        line(f, lines);
        if (f->encoded)
            encode_begin(f);
        write(f, (const char *)list + i * size);
        if (f->encoded)
            encode_end(f);
    }
    line(f, lines && count > 0);
    aci_writer_array_end(&f->w);
}

static void write_history(aci_native_writer *f, const agentchat_messages *history, bool lines)
{
    size_t count = agentchat_messages_count(history);
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, history);
    ACI_JW_KEY(&f->w, "history");
    if (f->encoded)
        encode_begin(f);
    aci_writer_array_begin(&f->w);
    for (size_t i = 0; i < count && f->w.status >= 0; i++) {
        line(f, lines && !f->encoded);
        aci_native_write_message(f, aci_list_cursor_at(&cursor, i));
    }
    line(f, lines && !f->encoded && count > 0);
    aci_writer_array_end(&f->w);
    if (f->encoded)
        encode_end(f);
}

static void write_channels(aci_native_writer *f, const agentchat_snapshot *snapshot, bool lines)
{
    aci_native_runs runs;

    aci_native_runs_init(&runs, f->out->env, &snapshot->history);
    ACI_JW_KEY(&f->w, "channels");
    aci_writer_array_begin(&f->w);
    for (size_t i = 0; i < snapshot->channel_count && f->w.status >= 0; i++) {
        line(f, lines);
        write_channel(f, &snapshot->channels[i], &runs);
    }
    line(f, lines && snapshot->channel_count > 0);
    aci_writer_array_end(&f->w);
    aci_native_runs_clear(&runs);
}

/* The members of a chat. lines: each part, and each element of a part, begins a line. */
static void write_members(aci_native_writer *f, const agentchat_snapshot *snapshot, bool lines)
{
    line(f, lines);
    write_history(f, &snapshot->history, lines);
    line(f, lines);
    ACI_JW_KEY(&f->w, "participants");
    write_array(f, snapshot->participants, snapshot->participant_count, sizeof *snapshot->participants,
                write_participant, lines);
    line(f, lines);
    write_channels(f, snapshot, lines);
    if (snapshot->value_count > 0) {
        line(f, lines);
        ACI_JW_KEY(&f->w, "values");
        write_array(f, snapshot->values, snapshot->value_count, sizeof *snapshot->values, write_value, lines);
    }
    if (snapshot->next_turn > 0) {
        line(f, lines);
        ACI_JW_KEY(&f->w, "turn");
        aci_writer_u64(&f->w, snapshot->next_turn);
    }
    if (snapshot->is_complete) {
        line(f, lines);
        ACI_JW_KEY(&f->w, "complete");
        aci_writer_bool(&f->w, true);
    }
    if (snapshot->form.ptr != NULL) {
        line(f, lines);
        ACI_JW_KEY(&f->w, "form");
        aci_native_write_raw(f, snapshot->form);
    }
    aci_native_write_extras(f, snapshot->extras, &aci_native_document, lines);
}

void aci_native_write_chat(aci_native_writer *f, const agentchat_snapshot *snapshot)
{
    bool encoded = f->encoded;

    f->encoded = false; /* the state that holds this chat is encoded as a whole */
    aci_writer_object_begin(&f->w);
    write_members(f, snapshot, false);
    aci_writer_object_end(&f->w);
    f->encoded = encoded;
}

/* ---- the document ----------------------------------------------------------------------------------------------- */

static void write_header(aci_native_writer *f)
{
    ACI_JW_KEY(&f->w, "agentchat");
    aci_writer_object_begin(&f->w);
    ACI_JW_KEY(&f->w, "format");
    aci_writer_u64(&f->w, ACI_NATIVE_VERSION);
    ACI_JW_KEY(&f->w, "reader");
    aci_writer_u64(&f->w, ACI_NATIVE_VERSION);
    if (f->encoded) {
        ACI_JW_KEY(&f->w, "encoding");
        aci_writer_string(&f->w, AGENTCHAT_STR("base64"));
    }
    aci_writer_object_end(&f->w);
}

/* A save is not refused for its size, but says when readers with default limits will refuse it. */
static bool note_limits(aci_native_writer *f, uint64_t bytes)
{
    static const agentchat_str none = {NULL, 0};
    agentchat_report *report = f->out->report;
    uint32_t deepest = f->deepest > f->w.deepest ? f->deepest : f->w.deepest;

    if (bytes > ACI_DEFAULT_MAX_BYTES &&
        !aci_report_add(report, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE, AGENTCHAT_STR(""), none,
                        "the document has %llu bytes, more than readers accept by default", (unsigned long long)bytes))
        return false;
    if ((f->messages > ACI_DEFAULT_MAX_MESSAGES || f->in_runs > ACI_DEFAULT_MAX_MESSAGES) &&
        !aci_report_add(report, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE, AGENTCHAT_STR(""), none,
                        "the document has more messages than readers accept by default"))
        return false;
    if (f->references > aci_copies_bytes(bytes, ACI_DEFAULT_MAX_COPIES) / sizeof(agentchat_message *) &&
        !aci_report_add(report, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE, AGENTCHAT_STR(""), none,
                        "the channels name the history's messages more often than readers accept by default"))
        return false;
    return deepest <= ACI_DEFAULT_MAX_DEPTH ||
           aci_report_add(report, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE, AGENTCHAT_STR(""), none,
                          "the document is nested %u levels deep, more than readers accept by default", deepest);
}

agentchat_status aci_native_write(aci_write *out, const agentchat_snapshot *snapshot, bool encoded,
                                  agentchat_error *err)
{
    aci_native_writer f = {.out = out, .encoded = encoded};
    agentchat_status status = aci_writer_begin(&f.w, out->env, out->sink, ACI_JSON_UTF8, 0, err);

    if (status < 0)
        return status;
    aci_writer_object_begin(&f.w);
    write_header(&f);
    write_members(&f, snapshot, true);
    aci_writer_object_end(&f.w);
    status = aci_writer_end(&f.w);
    if (status >= 0)
        status = aci_sink_write(out->sink, "\n", 1, err);
    if (status >= 0 && !note_limits(&f, f.w.written + 1))
        status = aci_fail_nomem(err);
    return status;
}

agentchat_status aci_native_write_text_of(const agentchat_env *env,
                                          void (*write)(aci_native_writer *, const void *what), const void *what,
                                          aci_buf *out, agentchat_error *err)
{
    aci_write target = {.env = aci_env(env)};
    aci_native_writer f = {.out = &target};
    size_t before = out->len;
    agentchat_status status = aci_buffer_sink_new(env, out, &target.sink, err);

    if (status < 0)
        return status;
    status = aci_writer_begin(&f.w, env, target.sink, ACI_JSON_UTF8, 0, err);
    if (status >= 0) {
        write(&f, what);
        status = aci_writer_end(&f.w);
    }
    agentchat_sink_free(target.sink);
    if (status < 0)
        out->len = before;
    return status;
}
