/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signed reasoning, as gateways put it into messages: `thinking_blocks`, whose elements are Anthropic's blocks, and
 * `reasoning_details`, whose elements say whose form they have. Beside them stands the same as a text, `reasoning` or
 * `reasoning_content`, which then is a matter of form.
 */
#include "format/openai_chat/openai_chat.h"

#include "format/kit/look.h"
#include "model/form_mark.h"

enum { TYPE, TEXT, SIGNATURE, DATA, FORMAT, INDEX };

static const aci_table_row block[] = {
    [TYPE] = ACI_ROW("type"),
    [TEXT] = ACI_ROW_TAKEN("thinking", "\""),
    [SIGNATURE] = ACI_ROW_TAKEN("signature", "\""),
    [DATA] = ACI_ROW_TAKEN("data", "\""),
};
static const aci_table_row detail[] = {
    [TYPE] = ACI_ROW("type"),
    [TEXT] = ACI_ROW_TAKEN("text", "\""),
    [SIGNATURE] = ACI_ROW_TAKEN("signature", "\""),
    [DATA] = ACI_ROW_TAKEN("data", "\""),
    [FORMAT] = ACI_ROW("format"),
    [INDEX] = ACI_ROW("index"),
};
static const aci_object_table block_table = ACI_ROWS(block);
static const aci_object_table detail_table = ACI_ROWS(detail);

static const struct list {
    uint32_t row;
    const char *name;
    const aci_object_table *table;
    const char *type, *redacted;
} lists[] = {
    {ACI_OC_THINKING_BLOCKS, "thinking_blocks", &block_table, "thinking", "redacted_thinking"},
    {ACI_OC_REASONING_DETAILS, "reasoning_details", &detail_table, "reasoning.text", "reasoning.encrypted"},
};

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static bool has_text(aci_raw_reader *a, agentchat_str element, const char *name)
{
    agentchat_str value = aci_raw_reader_member(a, element, name);

    return value.ptr != NULL && *value.ptr == '"';
}

/* Whether an element is of one of the two types, and has what that has and nothing of the other. */
static bool is_known(aci_raw_reader *a, const struct list *list, agentchat_str element)
{
    agentchat_str type = aci_raw_reader_member(a, element, "type");

    if (aci_look_is_word(type, list->redacted))
        return has_text(a, element, "data") && !has_text(a, element, "signature") &&
               !has_text(a, element, list->table->list[TEXT].camel);
    return aci_look_is_word(type, list->type) && has_text(a, element, "signature") && !has_text(a, element, "data");
}

/* Whether all elements are; else the list stays as it is. */
static bool are_known(aci_raw_reader *a, const struct list *list, agentchat_str raw)
{
    size_t count = 0;
    aci_walk walk;

    aci_raw_reader_walk(a, &walk, raw);
    for (; aci_walk_next(&walk); count++)
        if (*walk.value.ptr != '{' || !is_known(a, list, walk.value))
            return false;
    return count > 0;
}

/* Who signed: Anthropic, unless the element says otherwise. */
static bool set_issuer(aci_object *o)
{
    agentchat_str format = {NULL, 0};

    if (o->table == &detail_table && !aci_object_has(o, FORMAT, '"'))
        return true;
    if (o->table == &detail_table &&
        (!aci_object_note(o, "format", o->values[FORMAT].raw) || !aci_object_take_text(o, FORMAT, &format)))
        return false;
    if (format.ptr == NULL ||
        (format.len > 9 && agentchat_str_equal((agentchat_str){format.ptr, 9}, AGENTCHAT_STR("anthropic"))))
        format = AGENTCHAT_STR("anthropic");
    aci_object_set(o, AGENTCHAT_FIELD_ISSUER, ACI_FORM_TEXT, format);
    return true;
}

static bool read_element(aci_raw_reader *a, const struct list *list, const aci_location *path, agentchat_str raw,
                         aci_items *items)
{
    agentchat_str text = {NULL, 0}, signature = {NULL, 0};
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, list->table), is_redacted;

    is_redacted = ok && aci_object_says(&o, TYPE, list->redacted);
    ok = ok && (is_redacted || aci_object_take_text(&o, TEXT, &text)) &&
         aci_object_take_text(&o, is_redacted ? DATA : SIGNATURE, &signature) &&
         aci_object_note_word(&o, "in", list->name) && set_issuer(&o);
    if (ok && list->table == &detail_table && !aci_object_has(&o, INDEX, '\0'))
        ok = aci_object_note(&o, "index", aci_object_take(&o, INDEX));
    if (ok) {
        (void)aci_object_take(&o, TYPE);
        aci_object_set(&o, AGENTCHAT_FIELD_TEXT, ACI_FORM_TEXT, text);
        aci_object_set(&o, AGENTCHAT_FIELD_SIGNATURE, ACI_FORM_TEXT, signature);
        if (is_redacted)
            aci_object_set(&o, AGENTCHAT_FIELD_REDACTED, ACI_FORM_JSON, AGENTCHAT_STR("true"));
    }
    return aci_items_add(items, a, aci_object_item(&o, AGENTCHAT_ITEM_REASONING, ok));
}

static bool add_texts(aci_buf *all, agentchat_item *const *items, size_t count)
{
    bool ok = true;

    for (size_t i = 0; i < count && ok; i++) {
        agentchat_str text = agentchat_item_get(items[i], AGENTCHAT_FIELD_TEXT);

        ok = text.len == 0 || !aci_openai_chat_is_signed(items[i]) || aci_buf_add_str(all, text);
    }
    return ok;
}

/* Takes a member that says the same as the elements. */
static bool take_copy(aci_object *o, uint32_t row, const aci_items *items)
{
    agentchat_str text;
    bool is_same;
    aci_buf all;

    if (!aci_object_has(o, row, '"'))
        return true;
    if (!aci_raw_reader_decode(o->a, o->values[row].raw, &text))
        return false;
    aci_buf_init(&all, o->a->env, SIZE_MAX);
    if (!add_texts(&all, items->list, items->count)) {
        aci_buf_clear(&all);
        return aci_raw_reader_nomem(o->a);
    }
    is_same = agentchat_str_equal(text, aci_buf_str(&all));
    aci_buf_clear(&all);
    if (!is_same)
        return true;
    (void)aci_object_take(o, row);
    return aci_object_note_word(o, o->table->list[row].camel, "copy");
}

bool aci_openai_chat_read_signed(aci_object *o, aci_items *items)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const aci_location list = {o->path, agentchat_str_from(lists[i].name), 0};
        aci_location at = {&list, {NULL, 0}, 0};
        aci_walk walk;

        if (!aci_object_has(o, lists[i].row, '[') || !are_known(o->a, &lists[i], o->values[lists[i].row].raw))
            continue;
        aci_raw_reader_walk(o->a, &walk, aci_object_take(o, lists[i].row));
        for (; aci_walk_next(&walk); at.index++)
            if (!read_element(o->a, &lists[i], &at, walk.value, items))
                return false;
        return take_copy(o, ACI_OC_REASONING, items) && take_copy(o, ACI_OC_REASONING_TEXT, items);
    }
    return true;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static bool is_in(const agentchat_item *item, const struct list *list)
{
    return item->kind == AGENTCHAT_ITEM_REASONING &&
           aci_look_is_word(aci_form_mark_member(agentchat_item_get(item, AGENTCHAT_FIELD_FORM),
                                                 ACI_TAG(aci_openai_chat_name), "in"),
                            list->name);
}

bool aci_openai_chat_is_signed(const agentchat_item *item)
{
    return is_in(item, &lists[0]) || is_in(item, &lists[1]);
}

static void write_element(aci_out *out, const struct list *list, const aci_location *path, const agentchat_item *item)
{
    bool is_redacted = agentchat_str_equal(agentchat_item_get(item, AGENTCHAT_FIELD_REDACTED), AGENTCHAT_STR("true"));
    aci_object_out o;
    agentchat_str form;

    aci_object_out_item(&o, out, path, item, list->table);
    aci_object_out_word(&o, TYPE, is_redacted ? list->redacted : list->type);
    (void)aci_object_out_get(&o, AGENTCHAT_FIELD_REDACTED);
    (void)aci_object_out_get(&o, AGENTCHAT_FIELD_ISSUER);
    if (!is_redacted)
        aci_object_out_text(&o, TEXT, aci_object_out_get(&o, AGENTCHAT_FIELD_TEXT));
    aci_object_out_text(&o, is_redacted ? DATA : SIGNATURE, aci_object_out_get(&o, AGENTCHAT_FIELD_SIGNATURE));
    for (uint32_t row = FORMAT; list->table == &detail_table && row <= INDEX; row++) {
        form = aci_object_out_form(&o, list->table->list[row].camel);
        if (form.ptr != NULL) {
            aci_object_out_key(&o, row);
            aci_writer_raw(&out->w, form);
        }
    }
    aci_object_out_end(&o);
}

static void write_copy(aci_object_out *o, uint32_t row, const agentchat_message *message)
{
    aci_buf all;

    if (!aci_object_out_form_says(o, o->table->list[row].camel, "copy"))
        return;
    aci_buf_init(&all, o->out->env, SIZE_MAX);
    if (!add_texts(&all, message->items, message->item_count))
        aci_out_nomem(o->out);
    aci_object_out_text(o, row, aci_buf_str(&all));
    aci_buf_clear(&all);
}

void aci_openai_chat_write_signed(aci_object_out *o, const agentchat_message *message)
{
    const aci_location items = {o->path, AGENTCHAT_STR("items"), 0};

    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        bool has_begun = false;

        for (size_t i = 0; i < message->item_count; i++) {
            const aci_location at = {&items, {NULL, 0}, i};

            if (!is_in(message->items[i], &lists[l]))
                continue;
            if (!has_begun) {
                write_copy(o, ACI_OC_REASONING, message);
                write_copy(o, ACI_OC_REASONING_TEXT, message);
                aci_object_out_key(o, lists[l].row);
                aci_writer_array_begin(&o->out->w);
                has_begun = true;
            }
            write_element(o->out, &lists[l], &at, message->items[i]);
        }
        if (has_begun)
            aci_writer_array_end(&o->out->w);
    }
}
