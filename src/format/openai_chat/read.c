/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages and documents: a bare array of messages, a request's body with `messages`, or an answer with `choices`, of
 * which the first one is read. What else a body or an answer has becomes extras of the chat.
 */
#include "format/openai_chat/openai_chat.h"

/* ---- messages --------------------------------------------------------------------------------------------------- */

static bool add_text(aci_object *o, uint32_t row, aci_items *items, agentchat_item_kind kind, agentchat_field flag)
{
    agentchat_str text;

    return aci_object_take_text(o, row, &text) &&
           (text.ptr == NULL || aci_items_add(items, o->a, aci_items_text(o->a, kind, text, flag)));
}

/* An array of calls or annotations; an empty one is a matter of form. */
static bool add_list(aci_object *o, uint32_t row, aci_items *items, aci_part_reader *read)
{
    size_t before = items->count;

    if (!aci_object_has(o, row, '['))
        return true;
    return aci_part_read_all(o, row, items, read) &&
           (items->count > before || aci_object_note_word(o, o->table->list[row].camel, "empty"));
}

static bool add_items(aci_object *o, aci_items *items)
{
    const aci_location at = {o->path, AGENTCHAT_STR("function_call"), 0};

    if (!aci_openai_chat_read_signed(o, items))
        return false;
    if (aci_object_has(o, ACI_OC_REASONING, '"') && !aci_object_note_word(o, "reasoning_content", "member"))
        return false;
    if (aci_object_has(o, ACI_OC_REFUSAL, '"') && !aci_object_note_word(o, "refusal", "member"))
        return false;
    return add_text(o, ACI_OC_REASONING, items, AGENTCHAT_ITEM_REASONING, (agentchat_field)0) &&
           aci_content_read(o, ACI_OC_CONTENT, items, aci_openai_chat_read_part) &&
           add_text(o, ACI_OC_REFUSAL, items, AGENTCHAT_ITEM_TEXT, AGENTCHAT_FIELD_REFUSAL) &&
           add_list(o, ACI_OC_ANNOTATIONS, items, aci_openai_chat_read_annotation) &&
           add_list(o, ACI_OC_TOOL_CALLS, items, aci_openai_chat_read_call) &&
           (!aci_object_has(o, ACI_OC_FUNCTION_CALL, '{') ||
            aci_openai_chat_read_function_call(o->a, &at, aci_object_take(o, ACI_OC_FUNCTION_CALL), items));
}

/* A message that is one result: its content, the call's id, the function's name. */
static bool add_result(aci_object *o, aci_items *items)
{
    agentchat_str id,
        name = aci_field_view(aci_field_find(o->draft.fields, o->draft.field_count, AGENTCHAT_FIELD_NAME));
    bool has_parts = aci_object_has(o, ACI_OC_CONTENT, '[');
    agentchat_item *item;
    aci_items parts = {NULL, 0, 0};
    aci_draft draft;

    aci_draft_begin(&draft);
    if (!aci_object_take_text(o, ACI_OC_TOOL_CALL_ID, &id))
        return false;
    aci_draft_set(&draft, AGENTCHAT_FIELD_CALL_ID, ACI_FORM_TEXT, id);
    aci_draft_set(&draft, AGENTCHAT_FIELD_FUNCTION, ACI_FORM_TEXT, name);
    aci_draft_unset(&o->draft, AGENTCHAT_FIELD_NAME);
    if (aci_object_has(o, ACI_OC_CONTENT, '"'))
        aci_draft_set(&draft, AGENTCHAT_FIELD_RESULT, ACI_FORM_JSON, aci_object_take(o, ACI_OC_CONTENT));
    else if (has_parts && !aci_part_read_all(o, ACI_OC_CONTENT, &parts, aci_openai_chat_read_part))
        return false;
    else if (aci_object_has(o, ACI_OC_CONTENT, '\0') && !has_parts && !aci_object_note_word(o, "content", "absent"))
        return false;
    item = aci_draft_item(&draft, o->a->arena, AGENTCHAT_ITEM_RESULT);
    if (item == NULL)
        return aci_raw_reader_nomem(o->a);
    return aci_items_add(items, o->a, has_parts ? aci_part_with_content(o->a, item, &parts) : item);
}

static bool is_result(const aci_object *o)
{
    agentchat_str role = aci_field_view(aci_field_find(o->draft.fields, o->draft.field_count, AGENTCHAT_FIELD_ROLE));

    return agentchat_str_equal(role, AGENTCHAT_STR("tool")) || agentchat_str_equal(role, AGENTCHAT_STR("function"));
}

/* What a message may be instead of a content: calls, a result, a refusal, audio. */
static bool is_more_than_content(const aci_object *o)
{
    return aci_object_has(o, ACI_OC_TOOL_CALLS, '[') || aci_object_has(o, ACI_OC_FUNCTION_CALL, '{') ||
           aci_object_has(o, ACI_OC_TOOL_CALL_ID, '"') || aci_object_has(o, ACI_OC_REFUSAL, '"') ||
           aci_object_has(o, ACI_OC_REASONING, '"') || aci_object_has(o, ACI_OC_ANNOTATIONS, '[');
}

/* model and created: of the answer that the message stands in; absent elsewhere. */
static agentchat_message *read_in_answer(aci_raw_reader *a, const aci_location *path, agentchat_str raw,
                                         agentchat_str model, agentchat_str created)
{
    aci_items items = {NULL, 0, 0};
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_openai_chat_message) &&
              aci_content_check_message(&o, raw, ACI_OC_CONTENT, is_more_than_content(&o));

    aci_object_set(&o, AGENTCHAT_FIELD_MODEL_ID, ACI_FORM_TEXT, model);
    aci_object_set(&o, AGENTCHAT_FIELD_TIME, ACI_FORM_TEXT, created);
    ok = ok && (is_result(&o) ? add_result(&o, &items) : add_items(&o, &items));
    return aci_object_message(&o, &items, ok);
}

static agentchat_message *read_message(aci_raw_reader *a, const aci_location *path, agentchat_str raw)
{
    const agentchat_str none = {NULL, 0};

    return read_in_answer(a, path, raw, none, none);
}

/* ---- documents -------------------------------------------------------------------------------------------------- */

/* Adds `choices` as an extra: what is left of the first one, and the others as they stand. */
static bool keep_choices(aci_object *o, agentchat_str rest, agentchat_str first, agentchat_str all)
{
    agentchat_extra extra = {AGENTCHAT_STR("choices"), {NULL, 0}, o->a->tag};
    const char *others = first.ptr + first.len;
    bool ok;
    aci_buf text;

    aci_buf_init(&text, o->a->env, SIZE_MAX);
    ok = aci_buf_add(&text, "[", 1) && aci_buf_add_str(&text, rest.ptr != NULL ? rest : AGENTCHAT_STR("{}")) &&
         aci_buf_add(&text, others, (size_t)(all.ptr + all.len - others));
    if (ok)
        extra.value = aci_arena_copy(o->a->arena, aci_buf_str(&text), &ok);
    aci_buf_clear(&text);
    return (ok && aci_draft_add_extra(&o->draft, o->a->env, extra)) || aci_raw_reader_nomem(o->a);
}

/* The message of a choice, with the answer's model and time. */
static bool read_choice(aci_history_in *h, aci_object *o, aci_object *choice)
{
    static const aci_location list = {NULL, {"choices", 7}, 0}, first = {&list, {NULL, 0}, 0};
    static const aci_location at = {&first, {"message", 7}, 0};
    agentchat_str model, created;

    if (!aci_object_take_text(o, ACI_OC_MODEL, &model))
        return false;
    if (!aci_raw_time_seconds(&h->a, o->values[ACI_OC_CREATED].raw, &created))
        return false;
    if (created.ptr != NULL)
        (void)aci_object_take(o, ACI_OC_CREATED);
    return aci_history_add(h,
                           read_in_answer(&h->a, &at, aci_object_take(choice, ACI_OC_CHOICE_MESSAGE), model, created));
}

/* An answer; anything that has no first choice with a message stays what it is. */
static bool read_answer(aci_history_in *h, aci_object *o)
{
    static const aci_location list = {NULL, {"choices", 7}, 0}, first = {&list, {NULL, 0}, 0};
    agentchat_str all = o->values[ACI_OC_CHOICES].raw, rest;
    aci_object choice;
    aci_walk walk;
    bool ok;

    aci_raw_reader_walk(&h->a, &walk, all);
    if (!aci_walk_next(&walk) || *walk.value.ptr != '{')
        return aci_raw_reader_fail(&h->a, &list, all, AGENTCHAT_E_SCHEMA, "expected an object as the first choice");
    ok = aci_object_begin(&choice, &h->a, &first, walk.value, &aci_openai_chat_choice);
    if (ok && !aci_object_has(&choice, ACI_OC_CHOICE_MESSAGE, '{'))
        ok = aci_raw_reader_fail(&h->a, &first, walk.value, AGENTCHAT_E_SCHEMA, "expected a \"message\"");
    ok = ok && read_choice(h, o, &choice);
    (void)aci_object_take(o, ACI_OC_CHOICES);
    return aci_object_rest(&choice, &rest, ok) && keep_choices(o, rest, walk.value, all) &&
           aci_object_note_word(o, "as", "answer");
}

static bool read_body(aci_history_in *h, aci_object *o)
{
    static const aci_location messages = {NULL, {"messages", 8}, 0};

    if (aci_object_has(o, ACI_OC_CHOICES, '['))
        return read_answer(h, o);
    if (!aci_object_has(o, ACI_OC_MESSAGES, '['))
        return aci_raw_reader_fail(&h->a, NULL, h->a.document, AGENTCHAT_E_SCHEMA,
                                   "expected an array of messages, a request with \"messages\" or an answer with "
                                   "\"choices\"");
    return aci_history_add_all(h, &messages, aci_object_take(o, ACI_OC_MESSAGES), read_message) &&
           aci_object_note_word(o, "as", "body");
}

static bool read_document(aci_history_in *h, agentchat_str raw)
{
    aci_object o;
    bool ok;

    if (*raw.ptr == '[')
        return aci_history_add_all(h, NULL, raw, read_message);
    ok = aci_object_begin(&o, &h->a, NULL, raw, &aci_openai_chat_document) && read_body(h, &o);
    return aci_object_leftovers(&o, &h->extras, &h->form, ok);
}

agentchat_status aci_openai_chat_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err)
{
    return aci_history_read(in, aci_openai_chat_name, read_document, out, err);
}
