/* SPDX-License-Identifier: Apache-2.0 */
/* Writing messages and documents: an array, or the body or answer that was read. */
#include "format/openai_chat/openai_chat.h"

#include "format/kit/call.h"
#include "format/kit/look.h"
#include "model/form_mark.h"
#include "json/walk.h"

/* ---- items ------------------------------------------------------------------------------------------------------ */

static bool is_refusal(const agentchat_item *item)
{
    return item->kind == AGENTCHAT_ITEM_TEXT &&
           agentchat_str_equal(agentchat_item_get(item, AGENTCHAT_FIELD_REFUSAL), AGENTCHAT_STR("true"));
}

/* Whether an item stands in the content: all but what is a member of its own in the message. */
static bool is_part(const agentchat_item *item)
{
    return item->kind != AGENTCHAT_ITEM_CALL && item->kind != AGENTCHAT_ITEM_RESULT &&
           item->kind != AGENTCHAT_ITEM_ANNOTATION && item->kind != AGENTCHAT_ITEM_REASONING;
}

static bool is_part_but_no_refusal(const agentchat_item *item)
{
    return is_part(item) && !is_refusal(item);
}

static bool is_reasoning(const agentchat_item *item)
{
    return item->kind == AGENTCHAT_ITEM_REASONING && !aci_openai_chat_is_signed(item);
}

static bool is_annotation(const agentchat_item *item)
{
    return item->kind == AGENTCHAT_ITEM_ANNOTATION;
}

/* The older form of a call, which is a member of the message. */
static bool is_function_call(const agentchat_item *item)
{
    agentchat_str mark = agentchat_item_get(item, AGENTCHAT_FIELD_FORM);

    return item->kind == AGENTCHAT_ITEM_CALL &&
           aci_look_is_word(aci_form_mark_member(mark, ACI_TAG(aci_openai_chat_name), "in"), "function_call");
}

static bool is_call(const agentchat_item *item)
{
    return item->kind == AGENTCHAT_ITEM_CALL && !is_function_call(item);
}

/* Where an item stands among those of its message, as it is read back. */
static int rank_of(const agentchat_item *item, bool refusal_is_member)
{
    return item->kind == AGENTCHAT_ITEM_REASONING  ? 0
           : refusal_is_member && is_refusal(item) ? 2
           : is_part(item)                         ? 1
           : is_annotation(item)                   ? 3
           : item->kind == AGENTCHAT_ITEM_CALL     ? 4 + is_function_call(item)
                                                   : 0;
}

/* What stands after something that is written later is read back before it. */
static void report_order(aci_object_out *o, const agentchat_message *message, bool refusal_is_member)
{
    const aci_location items = {o->path, AGENTCHAT_STR("items"), 0};
    int highest = 0;

    for (size_t i = 0; i < message->item_count; i++) {
        int rank = rank_of(message->items[i], refusal_is_member);

        if (message->items[i]->kind != AGENTCHAT_ITEM_RESULT && rank < highest) {
            aci_out_changed(o->out, &items,
                            "a message has its reasoning, then its content, then its calls: item %zu was "
                            "written before what it stood after",
                            i);
            return;
        }
        highest = rank > highest ? rank : highest;
    }
}

/* The items of a kind as an array under the name of a row; an empty one where the form mark says so. */
static void write_list(aci_object_out *o, uint32_t row, const agentchat_message *message, aci_part_test *is,
                       aci_part_writer *write)
{
    const aci_location items = {o->path, AGENTCHAT_STR("items"), 0};
    size_t count = 0;

    for (size_t i = 0; i < message->item_count; i++)
        count += is(message->items[i]);
    if (count == 0 && !aci_object_out_form_says(o, o->table->list[row].camel, "empty"))
        return;
    aci_object_out_key(o, row);
    aci_part_write_all(o->out, &items, message, is, write);
}

/* The text of the one item of a kind as a member; any other is lost. */
static void write_member(aci_object_out *o, uint32_t row, const agentchat_message *message, aci_part_test *is,
                         agentchat_field flag)
{
    const aci_location items = {o->path, AGENTCHAT_STR("items"), 0};

    for (size_t i = 0; i < message->item_count; i++) {
        const aci_location at = {&items, {NULL, 0}, i};
        aci_object_out beside;

        if (!is(message->items[i]))
            continue;
        if ((o->rows >> row & 1) != 0 || !aci_object_out_form_says(o, o->table->list[row].camel, "member")) {
            aci_part_lost(o->out, &items, i);
            continue;
        }
        aci_object_out_item_beside(&beside, o->out, &at, message->items[i]);
        aci_object_out_text(o, row, aci_object_out_get(&beside, AGENTCHAT_FIELD_TEXT));
        (void)aci_object_out_get(&beside, flag);
        aci_object_out_beside_end(&beside);
    }
}

static void write_function_call(aci_object_out *o, const agentchat_message *message)
{
    const aci_location items = {o->path, AGENTCHAT_STR("items"), 0};

    for (size_t i = 0; i < message->item_count; i++) {
        const aci_location at = {&items, {NULL, 0}, i};

        if (!is_function_call(message->items[i]))
            continue;
        if ((o->rows >> ACI_OC_FUNCTION_CALL & 1) != 0) {
            aci_out_lost(o->out, &at, "the call was left out: a message has one function_call");
            continue;
        }
        aci_object_out_key(o, ACI_OC_FUNCTION_CALL);
        aci_openai_chat_write_function(o->out, &items, message, i);
    }
}

/* ---- results ---------------------------------------------------------------------------------------------------- */

/* A result's value: text, or JSON as text. has_id: the id of the call is written too, so it need not be there. */
static void write_value(aci_object_out *o, aci_object_out *beside, bool has_id)
{
    agentchat_str value = aci_object_out_get(beside, AGENTCHAT_FIELD_RESULT);
    const aci_location at = {beside->path, AGENTCHAT_STR("result"), 0};

    if (value.ptr == NULL && has_id && aci_object_out_form_says(o, "content", "absent"))
        return;
    aci_object_out_key(o, ACI_OC_CONTENT);
    if (value.ptr == NULL) {
        aci_writer_null(&o->out->w);
    } else if (*value.ptr == '"') {
        aci_writer_raw(&o->out->w, value);
    } else {
        aci_out_changed(o->out, &at, "the value was written as text");
        aci_writer_string(&o->out->w, value);
    }
}

/* The members of a message that a result has. */
static void write_result_members(aci_object_out *o, const aci_location *path, const agentchat_item *item)
{
    aci_object_out beside;

    aci_object_out_item_beside(&beside, o->out, path, item);
    beside.into = o;
    if (item->u.message != NULL) {
        if (aci_object_out_get(&beside, AGENTCHAT_FIELD_RESULT).ptr != NULL)
            aci_out_lost(o->out, path, "a result has a value or a content: the value was left out");
        aci_object_out_key(o, ACI_OC_CONTENT);
        aci_part_write_content(o->out, path, item->u.message, aci_openai_chat_write_part);
    } else {
        agentchat_str id = agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID);

        write_value(o, &beside, id.ptr != NULL && !agentchat_str_is_null(id));
    }
    aci_object_out_text(o, ACI_OC_TOOL_CALL_ID, aci_object_out_get(&beside, AGENTCHAT_FIELD_CALL_ID));
    aci_call_write_name(&beside, o, ACI_OC_NAME);
    aci_object_out_beside_end(&beside);
}

/* A result as a message of its own. */
static void write_result(aci_out *out, const aci_location *path, const agentchat_item *item)
{
    aci_object_out o;

    aci_object_out_plain(&o, out, NULL, (agentchat_str){NULL, 0}, &aci_openai_chat_message);
    aci_object_out_word(&o, ACI_OC_ROLE, "tool");
    write_result_members(&o, path, item);
    aci_object_out_end(&o);
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

static bool is_result_s(const agentchat_message *message)
{
    agentchat_str role = agentchat_message_role(message);

    return agentchat_str_equal(role, AGENTCHAT_STR("tool")) || agentchat_str_equal(role, AGENTCHAT_STR("function"));
}

/* What an answer says of its message. */
static void carry_answer(aci_object_out *o, const agentchat_message *message)
{
    char number[ACI_TIME_SIZE];

    (void)aci_object_out_get(o, AGENTCHAT_FIELD_MODEL_ID);
    if (aci_out_seconds(agentchat_message_get(message, AGENTCHAT_FIELD_TIME), number))
        (void)aci_object_out_get(o, AGENTCHAT_FIELD_TIME);
}

static void write_message(aci_out *out, const aci_location *path, const agentchat_message *message, bool in_answer)
{
    const aci_location items = {path, AGENTCHAT_STR("items"), 0};
    aci_object_out o;
    bool refusal_is_member;

    aci_object_out_message(&o, out, path, message, &aci_openai_chat_message);
    refusal_is_member = aci_object_out_form_says(&o, "refusal", "member");
    if (in_answer)
        carry_answer(&o, message);
    (void)aci_object_out_field(&o, ACI_OC_ROLE, AGENTCHAT_FIELD_ROLE);
    if (!is_result_s(message)) /* whose `name` is the function's */
        (void)aci_object_out_field(&o, ACI_OC_NAME, AGENTCHAT_FIELD_NAME);
    if (is_result_s(message) && message->item_count == 1 && message->items[0]->kind == AGENTCHAT_ITEM_RESULT) {
        const aci_location at = {&items, {NULL, 0}, 0};

        write_result_members(&o, &at, message->items[0]);
        aci_object_out_end(&o);
        return;
    }
    report_order(&o, message, refusal_is_member);
    aci_openai_chat_write_signed(&o, message);
    write_member(&o, ACI_OC_REASONING, message, is_reasoning, AGENTCHAT_FIELD_TEXT);
    if (!aci_content_write(&o, ACI_OC_CONTENT, message, refusal_is_member ? is_part_but_no_refusal : is_part,
                           aci_openai_chat_write_part)) {
        aci_object_out_key(&o, ACI_OC_CONTENT);
        aci_writer_null(&out->w);
    }
    if (refusal_is_member)
        write_member(&o, ACI_OC_REFUSAL, message, is_refusal, AGENTCHAT_FIELD_REFUSAL);
    write_list(&o, ACI_OC_ANNOTATIONS, message, is_annotation, aci_openai_chat_write_annotation);
    write_list(&o, ACI_OC_TOOL_CALLS, message, is_call, aci_openai_chat_write_call);
    write_function_call(&o, message);
    aci_object_out_end(&o);
}

/* Results that do not stand alone in a message of role tool become such messages, before what else the message has. */
static void write_apart(aci_out *out, const aci_location *path, size_t index, const agentchat_message *message)
{
    static const aci_location history = {NULL, {"history", 7}, 0};
    const aci_location items = {path, AGENTCHAT_STR("items"), 0};
    size_t results = 0;

    for (size_t i = 0; i < message->item_count; i++) {
        const aci_location at = {&items, {NULL, 0}, i};

        if (message->items[i]->kind == AGENTCHAT_ITEM_RESULT) {
            write_result(out, &at, message->items[i]);
            results++;
        }
    }
    aci_out_changed(out, &history, "message %zu was written as %zu: a result is a message of its own, of role tool",
                    index, results + (results < message->item_count));
    if (results < message->item_count)
        write_message(out, path, message, false);
}

static bool stands_alone(const agentchat_message *message)
{
    size_t results = 0;

    for (size_t i = 0; i < message->item_count; i++)
        results += message->items[i]->kind == AGENTCHAT_ITEM_RESULT;
    return results == 0 || (results == 1 && message->item_count == 1 && is_result_s(message));
}

static void write_one(aci_out *out, size_t index, const agentchat_message *message)
{
    static const aci_location history = {NULL, {"history", 7}, 0};
    const aci_location at = {&history, {NULL, 0}, index};

    if ((message->flags & ACI_MESSAGE_IS_NULL) != 0)
        aci_out_lost(out, &history, "message %zu was left out: it is null", index);
    else if (!stands_alone(message))
        write_apart(out, &at, index, message);
    else
        write_message(out, &at, message, false);
    if (is_result_s(message) && (message->item_count != 1 || message->items[0]->kind != AGENTCHAT_ITEM_RESULT))
        aci_out_changed(out, &at, "a message of role tool is read back as one result");
}

static void write_messages(aci_out *out, const agentchat_messages *messages)
{
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, messages);
    aci_writer_array_begin(&out->w);
    for (size_t i = 0; i < messages->count && out->w.status >= 0; i++)
        write_one(out, i, aci_list_cursor_at(&cursor, i));
    aci_writer_array_end(&out->w);
}

/* ---- documents -------------------------------------------------------------------------------------------------- */

/* What an answer has besides its first message: the first choice's other members, and the other choices. */
static void write_choices(aci_object_out *o, const agentchat_message *message)
{
    static const aci_location history = {NULL, {"history", 7}, 0}, first = {&history, {NULL, 0}, 0};
    agentchat_str kept = aci_object_out_extra(o, ACI_OC_CHOICES);
    aci_object_out choice;
    aci_walk walk = {NULL, NULL, {NULL, 0}, {NULL, 0}, NULL, 0, 0};

    aci_walk_begin(&walk, kept.ptr != NULL && *kept.ptr == '[' ? kept : (agentchat_str){NULL, 0});
    (void)aci_walk_next(&walk);
    aci_object_out_key(o, ACI_OC_CHOICES);
    o->merged |= UINT64_C(1) << ACI_OC_CHOICES;
    aci_writer_array_begin(&o->out->w);
    aci_object_out_with(&choice, o->out, walk.value, &aci_openai_chat_choice);
    aci_object_out_key(&choice, ACI_OC_CHOICE_MESSAGE);
    write_message(o->out, &first, message, true);
    aci_object_out_end(&choice);
    while (aci_walk_next(&walk))
        aci_writer_raw(&o->out->w, walk.value);
    aci_writer_array_end(&o->out->w);
}

static void write_answer(aci_object_out *o, const agentchat_message *message)
{
    agentchat_str model = agentchat_message_get(message, AGENTCHAT_FIELD_MODEL_ID);
    char number[ACI_TIME_SIZE];

    if (model.ptr != NULL && !agentchat_str_is_null(model))
        aci_object_out_text(o, ACI_OC_MODEL, model);
    if (aci_out_seconds(agentchat_message_get(message, AGENTCHAT_FIELD_TIME), number)) {
        aci_object_out_key(o, ACI_OC_CREATED);
        aci_writer_raw(&o->out->w, agentchat_str_from(number));
    }
    write_choices(o, message);
}

static bool has_own_extras(const agentchat_snapshot *snapshot, agentchat_str tag)
{
    for (size_t i = 0; snapshot->extras != NULL && i < snapshot->extras->count; i++)
        if (aci_tag_is(snapshot->extras->list[i].from, tag))
            return true;
    return false;
}

/* Whether what was an answer still is one. */
static bool is_answer(const aci_object_out *o, const agentchat_snapshot *snapshot)
{
    const agentchat_message *only = agentchat_messages_at(&snapshot->history, 0);

    return aci_object_out_form_says(o, "as", "answer") && snapshot->history.count == 1 &&
           (only->flags & ACI_MESSAGE_IS_NULL) == 0 && stands_alone(only);
}

static void write_object(aci_out *out, const agentchat_snapshot *snapshot)
{
    aci_object_out o;

    aci_object_out_plain(&o, out, snapshot->extras, snapshot->form, &aci_openai_chat_document);
    if (is_answer(&o, snapshot)) {
        write_answer(&o, agentchat_messages_at(&snapshot->history, 0));
    } else {
        aci_object_out_key(&o, ACI_OC_MESSAGES);
        write_messages(out, &snapshot->history);
    }
    aci_object_out_end(&o);
}

agentchat_status aci_openai_chat_write(aci_write *document, const agentchat_snapshot *snapshot, agentchat_error *err)
{
    const agentchat_str tag = ACI_TAG(aci_openai_chat_name);
    aci_out out;

    if (aci_out_begin(&out, document, aci_openai_chat_name, 2, err) >= 0) {
        agentchat_str as = aci_form_mark_member(snapshot->form, tag, "as");
        bool is_object = has_own_extras(snapshot, tag) || (as.ptr != NULL && !aci_look_is_word(as, "array"));

        if (is_object)
            write_object(&out, snapshot);
        else
            write_messages(&out, &snapshot->history);
        aci_history_only(&out, snapshot, !is_object);
    }
    return aci_out_end_document(&out);
}
