/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/history.h"

#include "base/error.h"

/* ---- documents -------------------------------------------------------------------------------------------------- */

bool aci_history_add(aci_history_in *h, agentchat_message *message)
{
    void *messages = h->messages;

    if (message == NULL)
        return false;
    if (h->count >= h->most) {
        h->a.status =
            aci_fail(h->a.err, AGENTCHAT_E_LIMIT, "the input has more than %llu messages", (unsigned long long)h->most);
        return false;
    }
    if (!aci_grow(h->a.env, &messages, &h->cap, h->count, sizeof(agentchat_message *)))
        return aci_raw_reader_nomem(&h->a);
    h->messages = messages;
    h->messages[h->count++] = message;
    return true;
}

bool aci_history_add_all(aci_history_in *h, const aci_location *path, agentchat_str raw, aci_message_reader *read)
{
    aci_location at = {path, {NULL, 0}, 0};
    aci_walk walk;

    aci_raw_reader_walk(&h->a, &walk, raw);
    for (; aci_walk_next(&walk); at.index++)
        if (!aci_history_add(h, read(&h->a, &at, walk.value)))
            return false;
    return true;
}

static agentchat_snapshot *make(const aci_history_in *h, const char *name)
{
    agentchat_snapshot *snapshot = aci_snapshot_new(h->a.env, aci_arena_ref(h->a.arena));

    if (snapshot == NULL)
        return NULL;
    snapshot->format = name;
    snapshot->extras = h->extras;
    snapshot->form = h->form;
    if (aci_list_from_arena(&snapshot->history, h->a.env, h->a.arena, h->messages, h->count))
        return snapshot;
    agentchat_snapshot_unref(snapshot);
    return NULL;
}

agentchat_status aci_history_read(const aci_read *in, const char *name, aci_history_reader *read,
                                  agentchat_snapshot **out, agentchat_error *err)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t skipped = in->len >= 3 && memcmp(in->data, mark, 3) == 0 ? 3 : 0;
    aci_json_options options = {.env = aci_env(in->env), .max_depth = in->limits.max_depth, .source = in->source};
    aci_history_in h = {.most = in->limits.max_messages};
    aci_json_index index;
    aci_json_reader r;
    agentchat_status status;

    *out = NULL;
    aci_json_index_init(&index, options.env);
    aci_json_begin(&r, &options, in->data, in->len, err);
    r.cursor += skipped;
    h.a = (aci_raw_reader){.env = options.env,
                           .arena = in->arena,
                           .document = {in->data, in->len},
                           .index = &index,
                           .tag = agentchat_str_from(name),
                           .report = in->report,
                           .err = err};
    if (aci_json_index_read(&index, &r) && aci_json_end(&r)) {
        if (read(&h, aci_json_index_raw(&index, 0)))
            *out = make(&h, name);
        r.status = h.a.status < 0 ? h.a.status : *out == NULL ? aci_fail_nomem(err) : AGENTCHAT_OK;
    }
    status = aci_json_close(&r);
    aci_json_index_clear(&index);
    aci_free(h.a.env, h.messages, h.cap * sizeof(agentchat_message *));
    return status;
}

/* ---- contents --------------------------------------------------------------------------------------------------- */

agentchat_item *aci_part_opaque(aci_raw_reader *a, agentchat_str type, agentchat_str raw)
{
    agentchat_item *item;
    aci_draft draft;

    aci_draft_begin(&draft);
    aci_draft_set(&draft, AGENTCHAT_FIELD_TYPE, ACI_FORM_TEXT, type);
    aci_draft_set(&draft, AGENTCHAT_FIELD_RAW, ACI_FORM_JSON, raw);
    aci_draft_set(&draft, AGENTCHAT_FIELD_FROM, ACI_FORM_TEXT, a->tag);
    item = aci_draft_item(&draft, a->arena, AGENTCHAT_ITEM_OPAQUE);
    if (item == NULL)
        (void)aci_raw_reader_nomem(a);
    return item;
}

agentchat_item *aci_part_with_data(aci_raw_reader *a, agentchat_item *item, agentchat_str base64)
{
    if (item == NULL)
        return NULL;
    item->u.data = aci_data_new(a->arena, base64, (agentchat_str){NULL, 0});
    if (item->u.data != NULL)
        return item;
    (void)aci_raw_reader_nomem(a);
    return NULL;
}

/* Whether an item is nothing but a text. */
static bool is_plain(const agentchat_item *item)
{
    const aci_field *text = aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_TEXT);

    for (size_t i = 0; i < item->field_count; i++)
        if (&item->fields[i] != text &&
            (item->fields[i].id == AGENTCHAT_FIELD_FORM || aci_field_is_covered(&item->fields[i])))
            return false;
    return item->kind == AGENTCHAT_ITEM_TEXT && text != NULL && text->form == ACI_FORM_TEXT &&
           (item->extras == NULL || item->extras->count == 0);
}

bool aci_parts_read(aci_object *o, uint32_t row, aci_items *items, aci_part_reader *read)
{
    const aci_location list = {o->path, o->values[row].name, 0};
    aci_location at = {&list, {NULL, 0}, 0};
    aci_walk walk;

    aci_raw_reader_walk(o->a, &walk, aci_object_take(o, row));
    for (; aci_walk_next(&walk); at.index++)
        if (!aci_items_add(items, o->a, read(o->a, &at, walk.value)))
            return false;
    return true;
}

bool aci_content_read(aci_object *o, uint32_t row, aci_items *items, aci_part_reader *read)
{
    size_t before = items->count, count;
    agentchat_str text;

    if (aci_object_has(o, row, '\0'))
        return aci_object_note_word(o, "content", "absent");
    if (aci_object_has(o, row, '"'))
        return aci_object_take_text(o, row, &text) &&
               aci_items_add(items, o->a, aci_items_text(o->a, AGENTCHAT_ITEM_TEXT, text, (agentchat_field)0));
    if (!aci_object_has(o, row, '['))
        return true;
    if (!aci_parts_read(o, row, items, read))
        return false;
    count = items->count - before;
    return count > 1 || (count == 1 && !is_plain(items->list[before])) || aci_object_note_word(o, "content", "parts");
}

bool aci_part_write_opaque(aci_out *out, const agentchat_item *item)
{
    agentchat_str raw = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RAW));

    if (item->kind != AGENTCHAT_ITEM_OPAQUE || raw.ptr == NULL || !aci_tag_is(aci_tag_of_item(item), out->tag))
        return false;
    aci_writer_raw(&out->w, raw);
    return true;
}

/* The only item that stands in a content; NULL when there is none, or more. *count: how many there are. */
static const agentchat_item *only_part(const agentchat_message *message, aci_part_test *is_part, size_t *count)
{
    const agentchat_item *found = NULL;

    *count = 0;
    for (size_t i = 0; i < message->item_count; i++)
        if (is_part(message->items[i])) {
            found = message->items[i];
            ++*count;
        }
    return *count == 1 ? found : NULL;
}

bool aci_content_is_plain(const agentchat_message *message, aci_part_test *is_part)
{
    size_t count;
    const agentchat_item *only = only_part(message, is_part, &count);

    return only != NULL && is_plain(only);
}

void aci_parts_write(aci_out *out, const aci_location *list, const agentchat_message *message, aci_part_test *is_part,
                     aci_part_writer *write)
{
    aci_writer_array_begin(&out->w);
    for (size_t i = 0; i < message->item_count; i++) {
        const aci_location at = {list, {NULL, 0}, i};

        if (is_part == NULL || is_part(message->items[i]))
            write(out, &at, message->items[i]);
    }
    aci_writer_array_end(&out->w);
}

bool aci_content_write(aci_object_out *o, uint32_t row, const agentchat_message *message, aci_part_test *is_part,
                       aci_part_writer *write)
{
    const aci_location items = {o->path, AGENTCHAT_STR("items"), 0};
    bool in_parts = aci_object_out_form_says(o, "content", "parts");
    size_t count;
    const agentchat_item *only = only_part(message, is_part, &count);

    if (count == 0 && !in_parts)
        return aci_object_out_extra(o, row).ptr != NULL || aci_object_out_form_says(o, "content", "absent");
    aci_object_out_key(o, row);
    if (only != NULL && is_plain(only) && !in_parts) {
        aci_writer_string(&o->out->w,
                          aci_field_view(aci_field_find(only->fields, only->field_count, AGENTCHAT_FIELD_TEXT)));
        return true;
    }
    aci_parts_write(o->out, &items, message, is_part, write);
    return true;
}
