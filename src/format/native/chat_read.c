/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading documents of format 1 (docs/formats/agentchat.md): the header, the parts of a chat, participants and values.
 * Properties may stand in any order, but for the header, which is first; channels are read last, because they
 * refer to the history.
 */
#include "format/native/chat.h"

#include "base/b64.h"
#include "base/checked.h"
#include "base/error.h"
#include "snapshot/copies.h"
#include <string.h>

/* ---- parts of a chat -------------------------------------------------------------------------------------------- */

bool aci_native_read_messages(aci_native_reader *f, aci_json_reader *r)
{
    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r)) {
        agentchat_message *message = aci_native_read_message(f, r);

        if (message == NULL || !aci_native_push_message(f, r, message))
            return false;
    }
    return !aci_json_failed(r);
}

bool aci_native_read_history(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat)
{
    if (!aci_native_read_messages(f, r))
        return false;
    chat->history_count = f->message_count - chat->history_base;
    return aci_list_from_arena(&chat->snapshot->history, f->in->env, f->in->arena,
                               f->messages != NULL ? &f->messages[chat->history_base] : NULL, chat->history_count) ||
           aci_native_nomem(r);
}

static bool read_participant_members(aci_native_reader *f, aci_json_reader *r, agentchat_participant *participant,
                                     aci_draft *draft)
{
    aci_native_members members = {.known = &aci_native_participant, .draft = draft};
    uint8_t what;

    if (!aci_json_object(r))
        return false;
    while (aci_native_next(f, r, &members, &what))
        if (!aci_native_read_text(r, what == ACI_NATIVE_ID     ? &participant->id
                                     : what == ACI_NATIVE_NAME ? &participant->name
                                                               : &participant->type))
            return false;
    return !aci_json_failed(r);
}

bool aci_native_read_participant(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat)
{
    agentchat_participant participant = {{NULL, 0}, {NULL, 0}, {NULL, 0}, NULL};
    void *array = chat->participants;
    aci_draft draft;
    bool done;

    aci_draft_begin(&draft);
    done = read_participant_members(f, r, &participant, &draft) &&
           aci_native_take_extras(f, r, &draft, &participant.extras);
    aci_draft_clear(&draft, f->in->env);
    if (!done)
        return false;
    if (!aci_grow(f->in->env, &array, &chat->participant_cap, chat->participant_count, sizeof(participant)))
        return aci_native_nomem(r);
    chat->participants = array;
    chat->participants[chat->participant_count++] = participant;
    return true;
}

/* A named value has no room for properties that this version does not know. */
static bool read_value_members(aci_native_reader *f, aci_json_reader *r, aci_value *value, agentchat_str *base64)
{
    aci_native_members members = {.known = &aci_native_value, .left_out_kind = AGENTCHAT_REPORT_LOSS};
    bool done = aci_json_object(r);
    uint8_t what;

    while (done && aci_native_next(f, r, &members, &what))
        done = what == ACI_NATIVE_VALUE ? aci_json_raw(r, &value->value)
               : what == ACI_NATIVE_BASE64
                   ? aci_json_base64(r, base64)
                   : aci_json_string(r, what == ACI_NATIVE_NAME ? &value->name : &value->media_type);
    aci_index_clear(&members.left_out, f->in->env);
    return !aci_json_failed(r);
}

bool aci_native_read_value(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat)
{
    aci_value value = {.list = NULL};
    size_t start = aci_json_offset(r);
    agentchat_str base64 = {NULL, 0};
    void *array = chat->values;

    if (!read_value_members(f, r, &value, &base64))
        return false;
    if (value.name.ptr == NULL || (value.value.ptr != NULL) == (base64.ptr != NULL) ||
        (value.media_type.ptr != NULL) != (base64.ptr != NULL))
        return aci_json_fail_at(
            r, start, AGENTCHAT_E_SCHEMA,
            "a named value needs a \"name\", and either \"value\" or both \"mediatype\" and \"base64\"");
    if (base64.ptr != NULL && !aci_native_decode(f, r, base64, &value.value))
        return false;
    if (!aci_grow(f->in->env, &array, &chat->value_cap, chat->value_count, sizeof(value)))
        return aci_native_nomem(r);
    chat->values = array;
    chat->values[chat->value_count++] = value;
    return true;
}

static bool read_array(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat, aci_native_part *element)
{
    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r))
        if (!element(f, r, chat))
            return false;
    return !aci_json_failed(r);
}

static const aci_native_parts plain_parts = {aci_native_read_history, aci_native_read_participant,
                                             aci_native_read_channel, aci_native_read_value, false};

/* ---- a chat ----------------------------------------------------------------------------------------------------- */

static bool chat_begin(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat)
{
    memset(chat, 0, sizeof(*chat));
    aci_draft_begin(&chat->draft);
    chat->history_base = f->message_count;
    chat->snapshot = aci_snapshot_new(f->in->env, aci_arena_ref(f->in->arena));
    if (chat->snapshot == NULL)
        return aci_native_nomem(r);
    return true;
}

/* Moves an array into the arena. *out is NULL when it is empty. */
static bool move_arena(aci_native_reader *f, aci_json_reader *r, const void *array, size_t count, size_t elem,
                       void **out)
{
    size_t size;

    *out = NULL;
    if (count == 0)
        return true;
    if (aci_mul(count, elem, &size))
        *out = aci_arena_alloc(f->in->arena, size);
    if (*out == NULL)
        return aci_native_nomem(r);
    memcpy(*out, array, size);
    return true;
}

/* Gives the snapshot what was read. */
static bool chat_move(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat)
{
    agentchat_snapshot *snapshot = chat->snapshot;
    void *participants, *channels, *values;

    if (!move_arena(f, r, chat->participants, chat->participant_count, sizeof(*chat->participants), &participants) ||
        !move_arena(f, r, chat->values, chat->value_count, sizeof(*chat->values), &values) ||
        !aci_native_take_extras(f, r, &chat->draft, &snapshot->extras) ||
        !move_arena(f, r, chat->channels, chat->channel_count, sizeof(*chat->channels), &channels))
        return false;
    snapshot->participants = participants;
    snapshot->participant_count = chat->participant_count;
    snapshot->channels = channels;
    snapshot->channel_count = chat->channel_count;
    snapshot->format = aci_native_name;
    chat->channel_count = 0; /* what the channels hold belongs to the snapshot now */
    return aci_snapshot_set_values(snapshot, values, chat->value_count) || aci_native_nomem(r);
}

/* Releases everything but a snapshot that was taken away. */
static void chat_end(aci_native_reader *f, aci_native_chat *chat)
{
    const agentchat_env *env = f->in->env;

    for (size_t i = 0; i < chat->channel_count; i++) {
        aci_list_clear(&chat->channels[i].messages);
        agentchat_snapshot_unref(chat->channels[i].chat);
    }
    aci_free(env, chat->channels, chat->channel_cap * sizeof(*chat->channels));
    aci_free(env, chat->participants, chat->participant_cap * sizeof(*chat->participants));
    aci_free(env, chat->values, chat->value_cap * sizeof(*chat->values));
    aci_draft_clear(&chat->draft, env);
    agentchat_snapshot_unref(chat->snapshot);
    f->message_count = chat->history_base;
}

static bool read_integer(aci_json_reader *r, uint64_t *out)
{
    if (!aci_json_u64(r, out))
        return false;
    if (*out <= ACI_HIGHEST_INTEGER)
        return true;
    return aci_json_fail(r, AGENTCHAT_E_SCHEMA, "the integer is above 9007199254740991");
}

/* A form mark; null is none. */
static bool read_form(aci_json_reader *r, agentchat_str *out)
{
    if (!aci_native_read_json(r, AGENTCHAT_FIELD_FORM, out))
        return false;
    if (*out->ptr == 'n')
        *out = (agentchat_str){NULL, 0};
    return true;
}

/* What is known of an open chat object. */
typedef struct chat_read {
    const aci_native_parts *parts;
    bool has_history, has_participants, has_channels;
    aci_native_deferred *channels; /* that stood before the history */
} chat_read;

static bool read_part(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat, chat_read *c, uint8_t what)
{
    switch (what) {
    case ACI_NATIVE_HISTORY:
        c->has_history = true;
        return c->parts->history(f, r, chat);
    case ACI_NATIVE_PARTICIPANTS:
        c->has_participants = true;
        return read_array(f, r, chat, c->parts->participant);
    case ACI_NATIVE_CHANNELS:
        c->has_channels = true;
        if (c->has_history)
            return read_array(f, r, chat, c->parts->channel);
        c->channels = aci_native_skip(f, r);
        return c->channels != NULL;
    case ACI_NATIVE_VALUES:
        return read_array(f, r, chat, c->parts->value);
    case ACI_NATIVE_TURN:
        return read_integer(r, &chat->snapshot->next_turn);
    case ACI_NATIVE_COMPLETE:
        return aci_json_bool(r, &chat->snapshot->is_complete);
    case ACI_NATIVE_FORM:
        return read_form(r, &chat->snapshot->form);
    default:
        return aci_json_fail(r, AGENTCHAT_E_SCHEMA, "only the first property of a document may be the header");
    }
}

/* The members of an open chat object that are left. */
static bool read_chat_members(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat, chat_read *c)
{
    aci_native_members members = {.known = &aci_native_document, .draft = &chat->draft, .next = 1};
    uint8_t what;

    while (aci_native_next(f, r, &members, &what))
        if (!read_part(f, r, chat, c, what))
            return false;
    return !aci_json_failed(r);
}

/* The rest of an open chat object whose first byte is at `start`. */
static bool read_chat_rest(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat,
                           const aci_native_parts *parts, size_t start)
{
    chat_read c = {.parts = parts};
    bool done = read_chat_members(f, r, chat, &c);

    if (done && (!c.has_history || !c.has_participants || !c.has_channels)) {
        aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "a chat needs \"%s\"",
                         !c.has_history        ? "history"
                         : !c.has_participants ? "participants"
                                               : "channels");
        done = false;
    }
    if (done && c.channels != NULL) {
        (void)read_array(f, aci_native_deferred_begin(f, c.channels, true), chat, parts->channel);
        done = aci_native_deferred_end(f, c.channels, r);
    }
    aci_native_deferred_free(f, c.channels);
    return done && chat_move(f, r, chat);
}

static agentchat_snapshot *read_chat(aci_native_reader *f, aci_json_reader *r)
{
    size_t start = aci_json_offset(r);
    agentchat_snapshot *snapshot = NULL;
    aci_native_chat chat;

    if (chat_begin(f, r, &chat) && aci_json_object(r) && read_chat_rest(f, r, &chat, &plain_parts, start)) {
        snapshot = chat.snapshot;
        snapshot->source_bytes = aci_json_offset(r) - start;
        chat.snapshot = NULL;
    }
    chat_end(f, &chat);
    return snapshot;
}

/* ---- the document ----------------------------------------------------------------------------------------------- */

/* Fails for a version that this reader must not read. */
static bool check_version(aci_native_reader *f, aci_json_reader *r, size_t start, uint64_t format, uint64_t reader)
{
    if (format == 0 || reader == 0 || reader > format)
        return aci_json_fail_at(
            r, start, AGENTCHAT_E_SCHEMA,
            "the header needs a \"format\" above 0, and a \"reader\" above 0 and not above \"format\"");
    if (reader <= ACI_NATIVE_VERSION)
        return true;
    aci_json_fail_at(r, start, AGENTCHAT_E_VERSION,
                     "the document needs a reader of format %llu, this one reads format %u: use a newer version",
                     (unsigned long long)reader, ACI_NATIVE_VERSION);
    if (f->err != NULL)
        f->err->native = reader > INT32_MAX ? INT32_MAX : (int32_t)reader;
    return false;
}

/* The value of the header. */
static bool read_header(aci_native_reader *f, aci_json_reader *r, bool encoded)
{
    size_t start = aci_json_offset(r);
    uint64_t format = 0, reader = 0;
    agentchat_str encoding = {NULL, 0};
    aci_native_members members = {.known = &aci_native_header, .left_out_kind = AGENTCHAT_REPORT_NOTE};
    bool done = aci_json_object(r);
    uint8_t what;

    while (done && aci_native_next(f, r, &members, &what))
        done = what == ACI_NATIVE_ENCODING ? aci_json_string(r, &encoding)
                                           : read_integer(r, what == ACI_NATIVE_FORMAT ? &format : &reader);
    aci_index_clear(&members.left_out, f->in->env);
    if (aci_json_failed(r) || !check_version(f, r, start, format, reader))
        return false;
    if (encoding.ptr != NULL && !agentchat_str_equal(encoding, AGENTCHAT_STR("base64")))
        aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "the only \"encoding\" is \"base64\"");
    else if (encoding.ptr != NULL && !encoded)
        aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "the document is in format agentchat-encoded, not agentchat");
    else if (encoding.ptr == NULL && encoded)
        aci_json_fail_at(r, start, AGENTCHAT_E_SCHEMA, "the document is in format agentchat, not agentchat-encoded");
    return !aci_json_failed(r);
}

static bool read_document(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat,
                          const aci_native_parts *parts)
{
    size_t start = aci_json_offset(r);
    agentchat_str key = {NULL, 0};

    if (!aci_json_object(r))
        return false;
    if (!aci_json_member(r, &key) || !agentchat_str_equal(key, AGENTCHAT_STR("agentchat")))
        return aci_json_fail(r, AGENTCHAT_E_SCHEMA,
                             "the first property of a document must be its header, \"agentchat\"");
    return read_header(f, r, parts->encoded) && read_chat_rest(f, r, chat, parts, start) && aci_json_end(r);
}

agentchat_status aci_native_read(aci_read *in, const aci_native_parts *parts, agentchat_snapshot **out,
                                 agentchat_error *err)
{
    aci_json_options options = {
        .env = in->env,
        .arena = in->arena,
        .max_depth = in->limits.max_depth,
        .flags = ACI_JSON_IN_PLACE | ACI_JSON_FILE,
        .source = in->source,
    };
    aci_native_reader f = {
        .in = in,
        .err = err,
        .messages_left = in->limits.max_messages,
        .runs_left = in->limits.max_messages,
        .references_left = aci_copies_bytes(in->len, in->limits.max_copies) / sizeof(agentchat_message *),
        .read_chat = read_chat,
        .bytes_left = in->limits.max_bytes > in->len ? in->limits.max_bytes - in->len : 0,
    };
    agentchat_status status;
    aci_json_reader r;
    aci_native_chat chat;

    *out = NULL;
    aci_json_begin(&r, &options, in->data, in->len, err);
    if (chat_begin(&f, &r, &chat) && read_document(&f, &r, &chat, parts)) {
        *out = chat.snapshot;
        chat.snapshot = NULL;
    }
    chat_end(&f, &chat);
    aci_free(in->env, f.messages, f.message_cap * sizeof(*f.messages));
    aci_free(in->env, f.items, f.item_cap * sizeof(*f.items));
    status = aci_json_close(&r);
    if (*out != NULL && parts->encoded)
        (*out)->format = aci_native_encoded_name;
    return status;
}

agentchat_status aci_native_chat_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err)
{
    return aci_native_read(in, &plain_parts, out, err);
}
