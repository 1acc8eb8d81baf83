/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Items and documents: a bare array of items, a request's body, whose `instructions` become the first message, or an
 * answer. What else a body or an answer has becomes extras of the chat.
 */
#include "format/openai_responses/openai_responses.h"

#include "format/kit/call.h"
#include "format/kit/look.h"
#include "format/kit/marks.h"
#include <stdio.h>
#include <string.h>

/* ---- calls and results ------------------------------------------------------------------------------------------ */

static bool read_call(aci_raw_reader *a, const aci_location *path, agentchat_str raw, bool is_custom, aci_items *items)
{
    aci_object o;
    bool ok =
        aci_object_begin(&o, a, path, raw, is_custom ? &aci_openai_responses_custom : &aci_openai_responses_call) &&
        aci_call_read_arguments(&o, &o, ACI_OR_CALL_ARGUMENTS, is_custom);

    if (ok && !is_custom)
        (void)aci_object_take(&o, ACI_OR_TYPE);
    return aci_items_add(items, a, aci_object_item(&o, AGENTCHAT_ITEM_CALL, ok));
}

static bool read_result(aci_raw_reader *a, const aci_location *path, agentchat_str raw, bool is_custom,
                        aci_items *items)
{
    aci_items parts = {NULL, 0, 0};
    bool ok, has_parts = false;
    agentchat_item *item;
    aci_object o;

    ok = aci_object_begin(&o, a, path, raw, &aci_openai_responses_result);
    if (ok && aci_object_has(&o, ACI_OR_RESULT_OUTPUT, '"')) {
        aci_object_set(&o, AGENTCHAT_FIELD_RESULT, ACI_FORM_JSON, aci_object_take(&o, ACI_OR_RESULT_OUTPUT));
    } else if (ok && aci_object_has(&o, ACI_OR_RESULT_OUTPUT, '[')) {
        has_parts = true;
        ok = aci_part_read_all(&o, ACI_OR_RESULT_OUTPUT, &parts, aci_openai_responses_read_input);
    } else if (ok && aci_object_has(&o, ACI_OR_RESULT_OUTPUT, '\0')) {
        ok = aci_object_note_word(&o, "output", "absent");
    }
    if (ok && !is_custom)
        (void)aci_object_take(&o, ACI_OR_TYPE);
    item = aci_object_item(&o, AGENTCHAT_ITEM_RESULT, ok);
    return aci_items_add(items, a, has_parts ? aci_part_with_content(a, item, &parts) : item);
}

/* ---- reasoning -------------------------------------------------------------------------------------------------- */

/* Whether all elements are texts of a type, and nothing but that. */
static bool are_texts(aci_raw_reader *a, agentchat_str list, const char *type, size_t *count)
{
    aci_walk walk, member;

    *count = 0;
    aci_raw_reader_walk(a, &walk, list);
    for (; aci_walk_next(&walk); ++*count) {
        agentchat_str text = aci_raw_reader_member(a, walk.value, "text");
        size_t members = 0;

        if (text.ptr == NULL || *text.ptr != '"' ||
            !aci_look_is_word(aci_raw_reader_member(a, walk.value, "type"), type))
            return false;
        aci_raw_reader_walk(a, &member, walk.value);
        while (aci_walk_next(&member))
            members++;
        if (members != 2)
            return false;
    }
    return true;
}

/* Joins the texts of a list, with a line between them; `parts` of the form mark has their lengths. */
static bool join_texts(aci_object *o, agentchat_str list, size_t count)
{
    aci_buf text, lengths;
    agentchat_str one, all = {NULL, 0};
    bool ok = true;
    aci_walk walk;

    aci_buf_init(&text, o->a->env, SIZE_MAX);
    aci_buf_init(&lengths, o->a->env, SIZE_MAX);
    aci_raw_reader_walk(o->a, &walk, list);
    for (size_t i = 0; ok && aci_walk_next(&walk); i++) {
        if (!aci_raw_reader_decode(o->a, aci_raw_reader_member(o->a, walk.value, "text"), &one))
            break;
        ok = (i == 0 || aci_buf_add(&text, "\n\n", 2)) && aci_buf_add_str(&text, one) &&
             aci_buf_printf(&lengths, "%c%zu", i == 0 ? '[' : ',', one.len);
    }
    ok = ok && aci_buf_add(&lengths, "]", 1);
    if (ok)
        all = aci_arena_copy(o->a->arena, aci_buf_str(&text), &ok);
    aci_object_set(o, AGENTCHAT_FIELD_TEXT, ACI_FORM_TEXT, all);
    ok = ok ? o->a->status >= 0 && (count == 1 || aci_object_note(o, "parts", aci_buf_str(&lengths)))
            : aci_raw_reader_nomem(o->a);
    aci_buf_clear(&text);
    aci_buf_clear(&lengths);
    return ok;
}

/* What is said of the reasoning: its summary, or where there is none the reasoning itself. */
static bool take_texts(aci_object *o)
{
    agentchat_str summary = o->values[ACI_OR_SUMMARY].raw, content = o->values[ACI_OR_REASONING_TEXT].raw;
    size_t summaries = 0, contents = 0;

    if ((summary.ptr == NULL || *summary.ptr == 'n') && !aci_object_note_word(o, "summary", "absent"))
        return false;
    if (summary.ptr != NULL && *summary.ptr != 'n' &&
        (*summary.ptr != '[' || !are_texts(o->a, summary, "summary_text", &summaries)))
        return true;
    if (summaries > 0 || aci_object_has(o, ACI_OR_SUMMARY, '['))
        (void)aci_object_take(o, ACI_OR_SUMMARY);
    if (content.ptr != NULL && *content.ptr == '[' && are_texts(o->a, content, "reasoning_text", &contents) &&
        (contents == 0 || summaries == 0)) {
        (void)aci_object_take(o, ACI_OR_REASONING_TEXT);
        if (!aci_object_note_word(o, "content", contents == 0 ? "empty" : "text"))
            return false;
    } else {
        contents = 0;
    }
    return summaries + contents == 0 ||
           join_texts(o, summaries > 0 ? summary : content, summaries > 0 ? summaries : contents);
}

static bool read_reasoning(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_openai_responses_reasoning) && take_texts(&o);

    if (ok && aci_field_find(o.draft.fields, o.draft.field_count, AGENTCHAT_FIELD_SIGNATURE) != NULL) {
        aci_object_set(&o, AGENTCHAT_FIELD_ISSUER, ACI_FORM_TEXT, a->tag);
        if (aci_field_find(o.draft.fields, o.draft.field_count, AGENTCHAT_FIELD_TEXT) == NULL)
            aci_object_set(&o, AGENTCHAT_FIELD_REDACTED, ACI_FORM_JSON, AGENTCHAT_STR("true"));
    }
    (void)aci_object_take(&o, ACI_OR_TYPE);
    return aci_items_add(items, a, aci_object_item(&o, AGENTCHAT_ITEM_REASONING, ok));
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

/* The type of an item, as text; absent: it has none. */
static bool type_of(aci_raw_reader *a, agentchat_str raw, agentchat_str *type)
{
    *type = aci_raw_reader_member(a, raw, "type");
    if (type->ptr != NULL && *type->ptr == '"')
        return aci_raw_reader_decode(a, *type, type);
    *type = (agentchat_str){NULL, 0};
    return true;
}

static bool is(agentchat_str type, const char *word)
{
    return agentchat_str_equal(type, agentchat_str_from(word));
}

bool aci_openai_responses_read_item(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    const char *library;
    agentchat_str type;

    if (!type_of(a, raw, &type))
        return false;
    if (type.ptr == NULL || is(type, "message"))
        return aci_part_refuse(a, path, raw, NULL, "expected an item: it has neither a \"type\" nor a \"role\"");
    library = aci_marks_library_of(ACI_MARK_MESSAGE, AGENTCHAT_STR("type"), aci_raw_reader_member(a, raw, "type"));
    if (aci_raw_reader_member(a, raw, "callId").ptr != NULL)
        library = "OpenAI's Agents SDK for JavaScript";
    if (library != NULL && strcmp(library, aci_openai_responses_name) != 0)
        return aci_part_refuse(a, path, raw, library, "");
    if (is(type, "function_call") || is(type, "custom_tool_call"))
        return read_call(a, path, raw, is(type, "custom_tool_call"), items);
    if (is(type, "function_call_output") || is(type, "custom_tool_call_output"))
        return read_result(a, path, raw, is(type, "custom_tool_call_output"), items);
    if (is(type, "reasoning"))
        return read_reasoning(a, path, raw, items);
    return aci_part_keep(a, raw, items);
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

/* A message being read. */
typedef struct turn {
    aci_history_in *h;
    agentchat_str model, created; /* of the answer that it stands in; absent elsewhere */
    bool in_body;                 /* where a first message of the system could be the instructions */
    aci_responses_turn state;
    const char *role; /* NULL: nothing was read */
    aci_items items;
    bool has_object; /* an item says it: that is o, at `at` */
    aci_location at;
    aci_object o;
} turn;

/* Adds the message, if there is one. */
static bool end_turn(turn *t, bool ok)
{
    agentchat_message *message;
    aci_object *o = &t->o;

    if (t->role == NULL)
        return ok;
    if (!t->has_object) {
        *o = (aci_object){.a = &t->h->a, .table = &aci_openai_responses_message};
        aci_draft_begin(&o->draft);
        aci_buf_init(&o->form, t->h->a.env, SIZE_MAX);
        aci_object_set(o, AGENTCHAT_FIELD_ROLE, ACI_FORM_TEXT, agentchat_str_from(t->role));
    }
    aci_object_set(o, AGENTCHAT_FIELD_MODEL_ID, ACI_FORM_TEXT, t->model);
    aci_object_set(o, AGENTCHAT_FIELD_TIME, ACI_FORM_TEXT, t->created);
    message = aci_object_message(o, &t->items, ok);
    t->role = NULL;
    t->has_object = false;
    t->items = (aci_items){NULL, 0, 0};
    return ok && aci_history_add(t->h, message);
}

/* What the form mark says of a message. */
static bool note_message(const turn *t, aci_object *o, bool is_first)
{
    if (aci_object_has(o, ACI_OR_TYPE, '"')) {
        (void)aci_object_take(o, ACI_OR_TYPE);
        if (!aci_object_note_word(o, "type", "given"))
            return false;
    }
    if (aci_field_find(o->draft.fields, o->draft.field_count, AGENTCHAT_FIELD_ID) != NULL &&
        !aci_object_note_word(o, "id", "given"))
        return false;
    return !is_first || !t->in_body ||
           !is(aci_field_view(aci_field_find(o->draft.fields, o->draft.field_count, AGENTCHAT_FIELD_ROLE)), "system") ||
           aci_object_note_word(o, "in", "input");
}

/* Where among the items of a turn a message without any part stands. */
static bool note_position(aci_object *o, size_t position)
{
    char number[24];

    (void)snprintf(number, sizeof number, "%zu", position);
    return position == 0 || aci_object_note(o, "at", agentchat_str_from(number));
}

static bool read_message(turn *t, const aci_location *at, agentchat_str raw)
{
    bool is_first = t->h->count == 0 && t->role == NULL, is_answer = false;
    aci_raw_reader *a = &t->h->a;
    aci_items items = {NULL, 0, 0};
    aci_responses_kind kind;
    aci_object o;
    bool ok = aci_object_begin(&o, a, at, raw, &aci_openai_responses_message) &&
              aci_content_check_message(&o, raw, ACI_OR_CONTENT, false);

    if (ok) {
        is_answer =
            is(aci_field_view(aci_field_find(o.draft.fields, o.draft.field_count, AGENTCHAT_FIELD_ROLE)), "assistant");
        ok = aci_content_read(&o, ACI_OR_CONTENT, &items,
                              is_answer ? aci_openai_responses_read_output : aci_openai_responses_read_input) &&
             note_message(t, &o, is_first);
    }
    kind = is_answer ? ACI_RESPONSES_SAID : ACI_RESPONSES_ALONE;
    if (!ok || (!aci_openai_responses_goes_on(&t->state, kind) && !end_turn(t, true)) ||
        (items.count == 0 && !note_position(&o, t->items.count))) {
        (void)aci_object_message(&o, &items, false);
        return false;
    }
    t->o = o;
    t->at = *at;
    t->o.path = &t->at;
    t->has_object = true;
    t->role = "assistant";
    for (size_t i = 0; i < items.count; i++)
        if (!aci_items_add(&t->items, a, items.list[i]))
            return false;
    return kind != ACI_RESPONSES_ALONE || end_turn(t, true);
}

static bool read_one(turn *t, const aci_location *at, agentchat_str raw)
{
    aci_raw_reader *a = &t->h->a;
    aci_responses_kind kind;
    agentchat_str type;
    const char *role;

    if (!type_of(a, raw, &type))
        return false;
    if (is(type, "message") || (type.ptr == NULL && aci_raw_reader_member(a, raw, "role").ptr != NULL))
        return read_message(t, at, raw);
    role = aci_openai_responses_role(type, &kind);
    if (!aci_openai_responses_goes_on(&t->state, kind) && !end_turn(t, true))
        return false;
    t->role = role;
    return aci_openai_responses_read_item(a, at, raw, &t->items) && (kind != ACI_RESPONSES_ALONE || end_turn(t, true));
}

static bool read_items(turn *t, const aci_location *list, agentchat_str raw)
{
    aci_location at = {list, {NULL, 0}, 0};
    bool ok = true;
    aci_walk walk;

    aci_raw_reader_walk(&t->h->a, &walk, raw);
    for (; ok && aci_walk_next(&walk); at.index++)
        ok = read_one(t, &at, walk.value);
    return end_turn(t, ok);
}

/* ---- documents -------------------------------------------------------------------------------------------------- */

/* A message of one text. */
static bool add_text(turn *t, const char *role, agentchat_str raw)
{
    aci_raw_reader *a = &t->h->a;
    agentchat_str text;

    t->role = role;
    return end_turn(t,
                    aci_raw_reader_decode(a, raw, &text) &&
                        aci_items_add(&t->items, a, aci_items_text(a, AGENTCHAT_ITEM_TEXT, text, (agentchat_field)0)));
}

static bool read_body(turn *t, aci_object *o)
{
    static const aci_location input = {NULL, {"input", 5}, 0};
    bool is_text = aci_object_has(o, ACI_OR_INPUT, '"');

    t->in_body = true;
    if (aci_object_has(o, ACI_OR_INSTRUCTIONS, '"') && !add_text(t, "system", aci_object_take(o, ACI_OR_INSTRUCTIONS)))
        return false;
    return aci_object_note_word(o, "as", "body") && (!is_text || aci_object_note_word(o, "input", "text")) &&
           (is_text ? add_text(t, "user", aci_object_take(o, ACI_OR_INPUT))
                    : read_items(t, &input, aci_object_take(o, ACI_OR_INPUT)));
}

static bool read_answer(turn *t, aci_object *o)
{
    static const aci_location output = {NULL, {"output", 6}, 0};
    agentchat_str items = aci_object_take(o, ACI_OR_OUTPUT);
    aci_walk walk;

    aci_raw_reader_walk(o->a, &walk, items);
    if (aci_walk_next(&walk)) {
        if (!aci_object_take_text(o, ACI_OR_MODEL, &t->model) ||
            !aci_raw_time_seconds(o->a, o->values[ACI_OR_CREATED].raw, &t->created))
            return false;
        if (t->created.ptr != NULL)
            (void)aci_object_take(o, ACI_OR_CREATED);
    }
    return read_items(t, &output, items) && aci_object_note_word(o, "as", "answer");
}

static bool read_document(aci_history_in *h, agentchat_str raw)
{
    turn t = {.h = h};
    aci_object o;
    bool ok;

    if (*raw.ptr == '[')
        return read_items(&t, NULL, raw);
    ok = aci_object_begin(&o, &h->a, NULL, raw, &aci_openai_responses_document);
    if (ok && (aci_object_has(&o, ACI_OR_INPUT, '"') || aci_object_has(&o, ACI_OR_INPUT, '[')))
        ok = read_body(&t, &o);
    else if (ok && aci_object_has(&o, ACI_OR_OUTPUT, '['))
        ok = read_answer(&t, &o);
    else if (ok)
        ok = aci_part_refuse(&h->a, NULL, raw, NULL,
                             "expected an array of items, a request with \"input\" or an answer with \"output\"");
    return aci_object_leftovers(&o, &h->extras, &h->form, ok);
}

agentchat_status aci_openai_responses_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err)
{
    return aci_history_read(in, aci_openai_responses_name, read_document, out, err);
}
