/* SPDX-License-Identifier: Apache-2.0 */
/* Writing items and documents: an array, or the body or answer that was read. */
#include "format/openai_responses/openai_responses.h"

#include "format/kit/call.h"
#include "format/kit/look.h"
#include "model/form_mark.h"
#include "json/value.h"
#include <string.h>

static const aci_location history = {NULL, {"history", 7}, 0};

/* ---- what is read back ------------------------------------------------------------------------------------------ */

/* The items written so far, as a reader sees them. */
typedef struct writing {
    aci_out *out;
    aci_responses_turn turn;
    const agentchat_message *first; /* of an answer, which says its model and time; NULL elsewhere */
    size_t owner;                   /* index of the message that began the turn */
    size_t index;                   /* of the message that is written */
    bool has_begun;                 /* something of it was written */
    bool is_told;                   /* that it is read back otherwise */
} writing;

static const char *role_of(const agentchat_message *message)
{
    agentchat_str role = agentchat_message_role(message);

    return agentchat_str_equal(role, AGENTCHAT_STR("assistant"))   ? "assistant"
           : agentchat_str_equal(role, AGENTCHAT_STR("tool"))      ? "tool"
           : agentchat_str_equal(role, AGENTCHAT_STR("developer")) ? "developer"
                                                                   : "";
}

/* Counts an item of a kind; role: of the message that it is read back as; NULL: that is written. */
static void wrote(writing *w, const agentchat_message *message, aci_responses_kind kind, const char *role)
{
    bool goes_on = aci_openai_responses_goes_on(&w->turn, kind);
    bool is_joined = goes_on && w->owner != w->index, is_split = !goes_on && w->has_begun,
         is_other = role != NULL && !is_joined && strcmp(role, role_of(message)) != 0;

    if (!goes_on)
        w->owner = w->index;
    w->has_begun = true;
    if (w->is_told || !(is_joined || is_split || is_other))
        return;
    w->is_told = true;
    if (is_joined)
        aci_out_changed(w->out, &history, "message %zu is read back as one with message %zu", w->index, w->owner);
    else if (is_split)
        aci_out_changed(w->out, &history,
                        "message %zu is read back as several: what the assistant says and each "
                        "result are items of their own",
                        w->index);
    else
        aci_out_changed(w->out, &history, "message %zu is read back with the role %s", w->index, role);
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

/* Whether an item was of the type of a tool of the caller's own, which is an extra then. */
static bool is_custom(const agentchat_item *item, const char *type)
{
    for (size_t i = 0; item->extras != NULL && i < item->extras->count; i++)
        if (aci_tag_is(item->extras->list[i].from, ACI_TAG(aci_openai_responses_name)) &&
            agentchat_str_equal(item->extras->list[i].name, AGENTCHAT_STR("type")))
            return aci_look_is_word(item->extras->list[i].value, type);
    return false;
}

static void write_call(aci_out *out, const aci_location *path, const agentchat_item *item)
{
    bool custom = is_custom(item, "custom_tool_call");
    aci_object_out o;

    aci_object_out_item(&o, out, path, item, custom ? &aci_openai_responses_custom : &aci_openai_responses_call);
    if (!custom)
        aci_object_out_word(&o, ACI_OR_TYPE, "function_call");
    (void)aci_object_out_field(&o, ACI_OR_CALL_ID, AGENTCHAT_FIELD_CALL_ID);
    aci_call_write_name(&o, &o, ACI_OR_CALL_NAME);
    aci_call_write_arguments(&o, &o, ACI_OR_CALL_ARGUMENTS, custom);
    aci_object_out_end(&o);
}

static void write_result(aci_out *out, const aci_location *path, const agentchat_item *item)
{
    const aci_location at = {path, AGENTCHAT_STR("result"), 0};
    agentchat_str value;
    aci_object_out o;

    aci_object_out_item(&o, out, path, item, &aci_openai_responses_result);
    if (!is_custom(item, "custom_tool_call_output"))
        aci_object_out_word(&o, ACI_OR_TYPE, "function_call_output");
    (void)aci_object_out_field(&o, ACI_OR_RESULT_ID, AGENTCHAT_FIELD_CALL_ID);
    aci_call_write_name(&o, &o, ACI_OR_RESULT_NAME);
    value = aci_object_out_get(&o, AGENTCHAT_FIELD_RESULT);
    if (item->u.message == NULL && value.ptr == NULL &&
        (aci_object_out_form_says(&o, "output", "absent") || aci_object_out_form(&o, "null").ptr != NULL ||
         aci_object_out_extra(&o, ACI_OR_RESULT_OUTPUT).ptr != NULL)) {
        aci_object_out_end(&o);
        return;
    }
    aci_object_out_key(&o, ACI_OR_RESULT_OUTPUT);
    if (item->u.message != NULL) {
        if (value.ptr != NULL)
            aci_out_lost(out, path, "a result has a value or a content: the value was left out");
        aci_part_write_content(out, path, item->u.message, aci_openai_responses_write_input);
    } else if (value.ptr == NULL) {
        aci_out_changed(out, &at, "a result must have an output: an empty one was written");
        aci_writer_string(&out->w, AGENTCHAT_STR(""));
    } else if (*value.ptr == '"') {
        aci_writer_raw(&out->w, value);
    } else {
        aci_out_changed(out, &at, "the value was written as text");
        aci_writer_string(&out->w, value);
    }
    aci_object_out_end(&o);
}

/* The length of the next text that was joined; all that is left when the form mark does not say, or not so. */
static size_t next_length(aci_walk *lengths, agentchat_str text)
{
    int64_t length;

    if (!aci_walk_next(lengths) || !aci_json_integer(lengths->value, &length) || length < 0 ||
        (uint64_t)length > text.len || text.len - (size_t)length < 2 || text.ptr[length] != '\n' ||
        text.ptr[length + 1] != '\n')
        return text.len;
    return (size_t)length;
}

/* The texts as they were before they were joined. */
static void write_texts(aci_object_out *o, uint32_t row, const char *type, agentchat_str text)
{
    agentchat_str parts = aci_object_out_form(o, "parts");
    bool is_left = text.ptr != NULL;
    aci_walk lengths;

    aci_walk_begin(&lengths, parts.ptr != NULL && *parts.ptr == '[' ? parts : AGENTCHAT_STR("[]"));
    aci_object_out_key(o, row);
    aci_writer_array_begin(&o->out->w);
    while (is_left) {
        size_t length = next_length(&lengths, text);

        aci_writer_object_begin(&o->out->w);
        aci_writer_key(&o->out->w, AGENTCHAT_STR("type"));
        aci_writer_string(&o->out->w, agentchat_str_from(type));
        aci_writer_key(&o->out->w, AGENTCHAT_STR("text"));
        aci_writer_string(&o->out->w, (agentchat_str){text.ptr, length});
        aci_writer_object_end(&o->out->w);
        is_left = length < text.len;
        if (is_left)
            text = (agentchat_str){text.ptr + length + 2, text.len - length - 2};
    }
    aci_writer_array_end(&o->out->w);
}

static void write_reasoning(aci_out *out, const aci_location *path, const agentchat_item *item)
{
    const agentchat_str none = {NULL, 0};
    agentchat_str text, issuer = agentchat_item_get(item, AGENTCHAT_FIELD_ISSUER),
                        signature = agentchat_item_get(item, AGENTCHAT_FIELD_SIGNATURE);
    bool in_content,
        has_signature = signature.ptr != NULL && !agentchat_str_is_null(signature),
        is_own = has_signature && (issuer.ptr == NULL || agentchat_str_is_null(issuer) || aci_tag_is(issuer, out->tag));
    aci_object_out o;

    aci_object_out_item(&o, out, path, item, &aci_openai_responses_reasoning);
    aci_object_out_word(&o, ACI_OR_TYPE, "reasoning");
    in_content = aci_object_out_form_says(&o, "content", "text");
    text = aci_object_out_get(&o, AGENTCHAT_FIELD_TEXT);
    if (is_own && text.ptr == NULL)
        (void)aci_object_out_get(&o, AGENTCHAT_FIELD_REDACTED);
    if (aci_object_out_extra(&o, ACI_OR_SUMMARY).ptr == NULL &&
        (!aci_object_out_form_says(&o, "summary", "absent") || (text.ptr != NULL && !in_content)))
        write_texts(&o, ACI_OR_SUMMARY, "summary_text", in_content ? none : text);
    if (in_content || aci_object_out_form_says(&o, "content", "empty"))
        write_texts(&o, ACI_OR_REASONING_TEXT, "reasoning_text", in_content ? text : none);
    if (is_own) {
        if (aci_object_out_get(&o, AGENTCHAT_FIELD_ISSUER).ptr == NULL)
            aci_out_changed(out, path, "the signature names no issuer: it is read back as %s's", out->name);
        (void)aci_object_out_field(&o, ACI_OR_ENCRYPTED, AGENTCHAT_FIELD_SIGNATURE);
    }
    aci_object_out_end(&o);
}

static void write_item(writing *w, const aci_location *list, const agentchat_message *message, size_t index)
{
    const agentchat_item *item = message->items[index];
    const aci_location at = {list, {NULL, 0}, index};
    aci_responses_kind kind;
    const char *role;

    if (item->kind == AGENTCHAT_ITEM_CALL) {
        write_call(w->out, &at, item);
        wrote(w, message, ACI_RESPONSES_DONE, "assistant");
    } else if (item->kind == AGENTCHAT_ITEM_RESULT) {
        write_result(w->out, &at, item);
        wrote(w, message, ACI_RESPONSES_ALONE, "tool");
    } else if (item->kind == AGENTCHAT_ITEM_REASONING) {
        write_reasoning(w->out, &at, item);
        wrote(w, message, ACI_RESPONSES_THOUGHT, "assistant");
    } else if (aci_part_write_opaque(w->out, &at, item, aci_openai_responses_read_item)) {
        role = aci_openai_responses_role(agentchat_item_get(item, AGENTCHAT_FIELD_TYPE), &kind);
        wrote(w, message, kind, role);
    } else {
        aci_part_lost(w->out, list, index);
    }
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

static agentchat_str mark_of(const agentchat_message *message, const char *name)
{
    return aci_form_mark_member(agentchat_message_get(message, AGENTCHAT_FIELD_FORM),
                                ACI_TAG(aci_openai_responses_name), name);
}

/* What an answer says of its messages. */
static void carry_answer(const writing *w, aci_object_out *o, const agentchat_message *message)
{
    static const agentchat_field fields[] = {AGENTCHAT_FIELD_MODEL_ID, AGENTCHAT_FIELD_TIME};
    char number[ACI_TIME_SIZE];

    for (size_t i = 0; w->first != NULL && i < sizeof fields / sizeof *fields; i++)
        if (agentchat_str_equal(agentchat_message_get(message, fields[i]),
                                agentchat_message_get(w->first, fields[i])) &&
            (fields[i] == AGENTCHAT_FIELD_MODEL_ID ||
             aci_out_seconds(agentchat_message_get(message, fields[i]), number)))
            (void)aci_object_out_get(o, fields[i]);
}

/* What a message says, as one item. */
static void write_said(writing *w, const aci_location *path, const agentchat_message *message)
{
    bool is_answer = agentchat_str_equal(agentchat_message_role(message), AGENTCHAT_STR("assistant"));
    aci_object_out o;

    aci_object_out_message(&o, w->out, path, message, &aci_openai_responses_message);
    carry_answer(w, &o, message);
    if (aci_object_out_form_says(&o, "type", "given"))
        aci_object_out_word(&o, ACI_OR_TYPE, "message");
    if (aci_object_out_form_says(&o, "id", "given")) /* another provider's id is none here */
        (void)aci_object_out_field(&o, ACI_OR_ID, AGENTCHAT_FIELD_ID);
    (void)aci_object_out_field(&o, ACI_OR_ROLE, AGENTCHAT_FIELD_ROLE);
    if (!aci_content_write(&o, ACI_OR_CONTENT, message, aci_openai_responses_is_part,
                           is_answer ? aci_openai_responses_write_output : aci_openai_responses_write_input) &&
        aci_object_out_form(&o, "null").ptr == NULL) {
        aci_object_out_key(&o, ACI_OR_CONTENT);
        aci_writer_raw(&w->out->w, AGENTCHAT_STR("[]"));
    }
    aci_object_out_end(&o);
    wrote(w, message, is_answer ? ACI_RESPONSES_SAID : ACI_RESPONSES_ALONE, NULL);
}

/* What stands after something that is written later is read back before it. */
static void report_order(writing *w, const aci_location *items, const agentchat_message *message)
{
    bool has_said = false, has_more = false;

    for (size_t i = 0; i < message->item_count; i++) {
        bool is_part = aci_openai_responses_is_part(message->items[i]);

        if (is_part && has_more) {
            aci_out_changed(w->out, items,
                            "what a message says is one item: item %zu was written before what it stood "
                            "after",
                            i);
            return;
        }
        has_said = has_said || is_part;
        has_more = has_said && !is_part;
    }
}

/* Where the item that says what a message says stands: with its first part, or as it stood; past the items: there is
   none. */
static size_t position_of(const agentchat_message *message)
{
    size_t first = 0;
    int64_t at;

    while (first < message->item_count && (!aci_openai_responses_is_part(message->items[first]) ||
                                           message->items[first]->kind == AGENTCHAT_ITEM_ANNOTATION))
        first++;
    if (first < message->item_count)
        return first;
    if (message->item_count > 0 && mark_of(message, "content").ptr == NULL && mark_of(message, "null").ptr == NULL)
        return SIZE_MAX;
    return aci_json_integer(mark_of(message, "at"), &at) && at > 0 && (uint64_t)at <= message->item_count ? (size_t)at
                                                                                                          : 0;
}

static void write_message(writing *w, const aci_location *path, const agentchat_message *message)
{
    const aci_location items = {path, AGENTCHAT_STR("items"), 0};
    size_t position = position_of(message);
    aci_object_out beside;

    if (position == SIZE_MAX) {
        aci_object_out_message_beside(&beside, w->out, path, message);
        (void)aci_object_out_get(&beside, AGENTCHAT_FIELD_ROLE);
        carry_answer(w, &beside, message);
        aci_object_out_beside_end(&beside);
    }
    report_order(w, &items, message);
    for (size_t i = 0; i <= message->item_count; i++) {
        if (i == position)
            write_said(w, path, message);
        if (i < message->item_count && (position == SIZE_MAX || !aci_openai_responses_is_part(message->items[i])))
            write_item(w, &items, message, i);
    }
    if (!w->has_begun)
        aci_out_lost(w->out, &history, "message %zu was left out: nothing of it can be written", w->index);
}

static void write_items(aci_out *out, const agentchat_messages *messages, size_t from, bool in_answer)
{
    writing w = {.out = out, .first = in_answer ? agentchat_messages_at(messages, 0) : NULL};
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, messages);
    aci_writer_array_begin(&out->w);
    for (size_t i = from; i < messages->count && out->w.status >= 0; i++) {
        const agentchat_message *message = aci_list_cursor_at(&cursor, i);
        const aci_location at = {&history, {NULL, 0}, i};

        w.index = i;
        w.has_begun = w.is_told = false;
        if ((message->flags & ACI_MESSAGE_IS_NULL) != 0)
            aci_out_lost(out, &history, "message %zu was left out: it is null", i);
        else
            write_message(&w, &at, message);
    }
    aci_writer_array_end(&out->w);
}

/* ---- documents -------------------------------------------------------------------------------------------------- */

static bool has_own_extras(const aci_extras *extras)
{
    for (size_t i = 0; extras != NULL && i < extras->count; i++)
        if (aci_tag_is(extras->list[i].from, ACI_TAG(aci_openai_responses_name)))
            return true;
    return false;
}

/* The text of a message that is nothing but that; absent: it is something else. */
static agentchat_str text_of(const agentchat_messages *messages, size_t index, const char *role)
{
    const agentchat_message *message = index < messages->count ? agentchat_messages_at(messages, index) : NULL;

    if (message == NULL || (message->flags & ACI_MESSAGE_IS_NULL) != 0 || message->item_count != 1 ||
        !agentchat_str_equal(agentchat_message_role(message), agentchat_str_from(role)) ||
        !aci_content_is_plain(message, aci_openai_responses_is_part) || has_own_extras(message->extras) ||
        agentchat_message_get(message, AGENTCHAT_FIELD_FORM).ptr != NULL)
        return (agentchat_str){NULL, 0};
    return agentchat_item_get(message->items[0], AGENTCHAT_FIELD_TEXT);
}

/* Writes the text of a message that is a member of the document. */
static void write_text(aci_object_out *o, uint32_t row, const agentchat_messages *messages, size_t index,
                       agentchat_str text)
{
    const aci_location at = {&history, {NULL, 0}, index};
    aci_object_out beside;

    aci_object_out_message_beside(&beside, o->out, &at, agentchat_messages_at(messages, index));
    (void)aci_object_out_get(&beside, AGENTCHAT_FIELD_ROLE);
    aci_object_out_beside_end(&beside);
    aci_object_out_text(o, row, text);
}

static void write_body(aci_object_out *o, const agentchat_messages *messages)
{
    agentchat_str instructions = {NULL, 0}, input = {NULL, 0};
    size_t from;

    if (aci_object_out_extra(o, ACI_OR_INSTRUCTIONS).ptr == NULL)
        instructions = text_of(messages, 0, "system");
    from = instructions.ptr != NULL;
    if (instructions.ptr != NULL)
        write_text(o, ACI_OR_INSTRUCTIONS, messages, 0, instructions);
    if (aci_object_out_form_says(o, "input", "text") && messages->count == from + 1)
        input = text_of(messages, from, "user");
    if (input.ptr != NULL) {
        write_text(o, ACI_OR_INPUT, messages, from, input);
        return;
    }
    aci_object_out_key(o, ACI_OR_INPUT);
    write_items(o->out, messages, from, false);
}

/* Whether what was an answer still is one. */
static bool is_answer(const aci_object_out *o, const agentchat_messages *messages)
{
    bool is = aci_object_out_form_says(o, "as", "answer");
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, messages);
    for (size_t i = 0; is && i < messages->count; i++) {
        const agentchat_message *message = aci_list_cursor_at(&cursor, i);

        is = (message->flags & ACI_MESSAGE_IS_NULL) == 0 && *role_of(message) != '\0';
    }
    return is;
}

static void write_answer(aci_object_out *o, const agentchat_messages *messages)
{
    const agentchat_message *first = messages->count > 0 ? agentchat_messages_at(messages, 0) : NULL;
    agentchat_str model = agentchat_message_get(first, AGENTCHAT_FIELD_MODEL_ID);
    char number[ACI_TIME_SIZE];

    if (!agentchat_str_is_null(model))
        aci_object_out_text(o, ACI_OR_MODEL, model);
    if (first != NULL && aci_out_seconds(agentchat_message_get(first, AGENTCHAT_FIELD_TIME), number)) {
        aci_object_out_key(o, ACI_OR_CREATED);
        aci_writer_raw(&o->out->w, agentchat_str_from(number));
    }
    aci_object_out_key(o, ACI_OR_OUTPUT);
    write_items(o->out, messages, 0, true);
}

agentchat_status aci_openai_responses_write(aci_write *document, const agentchat_snapshot *snapshot,
                                            agentchat_error *err)
{
    const agentchat_str tag = ACI_TAG(aci_openai_responses_name);
    aci_out out;

    if (aci_out_begin(&out, document, aci_openai_responses_name, 2, err) >= 0) {
        agentchat_str as = aci_form_mark_member(snapshot->form, tag, "as");
        bool is_object = has_own_extras(snapshot->extras) || (as.ptr != NULL && !aci_look_is_word(as, "array"));
        aci_object_out o;

        if (is_object) {
            aci_object_out_plain(&o, &out, snapshot->extras, snapshot->form, &aci_openai_responses_document);
            if (is_answer(&o, &snapshot->history))
                write_answer(&o, &snapshot->history);
            else
                write_body(&o, &snapshot->history);
            aci_object_out_end(&o);
        } else {
            write_items(&out, &snapshot->history, 0, false);
        }
        aci_history_only(&out, snapshot, !is_object);
    }
    return aci_out_end_document(&out);
}
