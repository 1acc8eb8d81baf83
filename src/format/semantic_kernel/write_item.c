/* SPDX-License-Identifier: Apache-2.0 */
/* Writing items; one that holds a message is written in write_message.c. */
#include "format/semantic_kernel/data_uri.h"
#include "format/semantic_kernel/repair.h"
#include "format/semantic_kernel/result_content.h"
#include "format/semantic_kernel/trial_read.h"
#include "format/semantic_kernel/write_message.h"
#include "format/semantic_kernel/write_sidecar.h"

#include "base/utf8.h"

static bool holds_data(const agentchat_item *item)
{
    return item->kind == AGENTCHAT_ITEM_IMAGE || item->kind == AGENTCHAT_ITEM_AUDIO ||
           item->kind == AGENTCHAT_ITEM_BINARY;
}

static void write_data(aci_sk_writer *wr, const aci_sk_prop *prop, const aci_data *data)
{
    if (data == NULL)
        return;
    ACI_SK_PROP_KEY(wr, prop);
    if (data->base64.ptr != NULL)
        aci_writer_base64_text(&wr->w, data->base64);
    else
        aci_writer_base64_bytes(&wr->w, data->bytes);
}

/* ---- unknown kinds ----------------------------------------------------------------------------------------------- */

static void sidecar_opaque(aci_sk_sidecar_out *sidecar, const agentchat_item *item)
{
    aci_json_writer *w = &sidecar->wr->w;
    const aci_field *type = aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_TYPE);
    agentchat_str raw = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RAW));
    agentchat_str from = aci_tag_of_item(item);

    aci_sk_sidecar_key(sidecar, "opaque");
    aci_writer_object_begin(w);
    if (from.ptr != NULL) {
        ACI_JW_KEY(w, "from");
        aci_writer_string(w, from);
    }
    if (type != NULL) {
        ACI_JW_KEY(w, "kind");
        if (type->form == ACI_FORM_NULL)
            aci_writer_null(w);
        else
            aci_writer_string(w, aci_field_view(type));
    }
    aci_sk_sidecar_value(sidecar->wr, "raw", raw.len > 0 ? raw : AGENTCHAT_STR("null"));
    aci_writer_object_end(w);
}

void aci_sk_lose_beside(aci_sk_writer *wr, const aci_location *path, const agentchat_item *item, const char *what)
{
    size_t extras = item->extras != NULL ? item->extras->count : 0;
    aci_location list = {path, AGENTCHAT_STR("extras"), 0}, location = {&list, {NULL, 0}, 0};

    for (size_t i = 0; i < item->field_count; i++) {
        agentchat_field id = (agentchat_field)item->fields[i].id;
        aci_location field = {path, agentchat_str_from(aci_field_name(id)), 0};

        if (id != AGENTCHAT_FIELD_TYPE && id != AGENTCHAT_FIELD_RAW && id != AGENTCHAT_FIELD_FROM &&
            aci_field_is_covered(&item->fields[i]))
            aci_sk_loss(wr, &field, ".NET's format cannot hold this property beside %s", what);
    }
    for (; location.index < extras; location.index++)
        aci_sk_loss(wr, &location, ".NET's format cannot hold this property beside %s", what);
}

static void write_opaque(aci_sk_writer *wr, const aci_location *path, const agentchat_item *item)
{
    const aci_sk_table *table = aci_sk_item_table(AGENTCHAT_ITEM_TEXT);
    static const aci_sk_object object = {.kind = AGENTCHAT_ITEM_TEXT, .in_item = true};
    aci_sk_sidecar_out sidecar = {.wr = wr};

    if (wr->strict) {
        agentchat_str raw = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RAW));

        aci_writer_raw(&wr->w, raw.len > 0 ? raw : AGENTCHAT_STR("null"));
        if (!aci_sk_reads_as_opaque(wr, item))
            aci_sk_loss(wr, path, "what the item of unknown kind holds is read as another item");
        aci_sk_lose_beside(wr, path, item, "an item of unknown kind");
        return;
    }
    aci_sk_repaired(wr, path, "an item of a kind that .NET does not know was written as text");
    aci_writer_object_begin(&wr->w);
    ACI_JW_KEY(&wr->w, "$type");
    aci_writer_string(&wr->w, agentchat_str_from(aci_sk_type_name(AGENTCHAT_ITEM_TEXT)));
    ACI_JW_KEY(&wr->w, "Text");
    aci_writer_string(&wr->w, aci_sk_opaque_text(wr, item->fields, item->field_count));
    aci_sk_write_extras(wr, path, table, item->extras, &object);
    if (wr->sidecar) {
        sidecar_opaque(&sidecar, item);
        aci_sk_sidecar_other_fields(&sidecar, aci_sk_item_table(AGENTCHAT_ITEM_OPAQUE), item->fields,
                                    item->field_count);
        aci_sk_sidecar_extras(&sidecar, path, table, item->extras, true);
        aci_sk_sidecar_end(&sidecar);
    }
    aci_writer_object_end(&wr->w);
}

/* ---- contents of results ----------------------------------------------------------------------------------------- */

static bool has_result(const agentchat_item *item)
{
    const aci_field *result = aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RESULT);

    return result != NULL && aci_field_is_covered(result);
}

/* Whether the content of a result is all in the string that is written as its value: default mode repairs one with lone
   surrogates. */
static bool is_written_as_result(const aci_sk_writer *wr, const agentchat_item *item)
{
    agentchat_str text = has_result(item) ? (agentchat_str){NULL, 0} : aci_item_content_plain(item);

    return text.ptr != NULL && (wr->strict || !aci_utf8_has_surrogates(text));
}

/* ---- known kinds ------------------------------------------------------------------------------------------------- */

typedef struct item_view { /* what is written of an item: its own fields, or those that a data URI stands for */
    const agentchat_item *item;
    const aci_field *fields;
    size_t count;
    const aci_data *data;
    uint32_t changed;
    bool no_data; /* the item itself has no data */
} item_view;

static void sidecar_content(aci_sk_sidecar_out *sidecar, const aci_location *path, const agentchat_item *item)
{
    aci_sk_sidecar_key(sidecar, "content");
    sidecar->wr->write_content(sidecar->wr, ACI_AT(path, "content"), item->u.message);
}

static void write_view(aci_sk_writer *wr, const aci_location *path, item_view *view)
{
    const agentchat_item *item = view->item;
    agentchat_item_kind kind = (agentchat_item_kind)item->kind;
    const aci_sk_table *table = aci_sk_item_table(kind);
    uint64_t present = aci_fields_present(view->fields, view->count);
    aci_sk_sidecar_out sidecar = {.wr = wr};
    aci_sk_object object = {.kind = kind, .in_item = true};
    bool more = agentchat_item_has_content(item) && !is_written_as_result(wr, item);

    aci_writer_object_begin(&wr->w);
    ACI_JW_STRING_MEMBER(&wr->w, "$type", agentchat_str_from(aci_sk_type_name(kind)));
    for (size_t i = 0; i < table->count; i++) {
        const aci_sk_prop *prop = &table->props[i];

        if (prop->legacy || aci_sk_stays_out(wr, prop, present))
            continue;
        if (prop->how == ACI_SK_DATA) {
            write_data(wr, prop, view->data);
            object.written |= (uint32_t)(view->data != NULL) << i;
        } else {
            const aci_field *field = aci_field_find(view->fields, view->count, (agentchat_field)prop->field);

            object.written |=
                (uint32_t)aci_sk_write_field(wr, path, kind, table, prop, field, item->extras, &view->changed) << i;
        }
    }
    if (wr->strict)
        aci_sk_lose_fields(wr, path, table, item->fields, item->field_count, "an item's");
    if (wr->strict && more)
        aci_sk_loss(wr, ACI_AT(path, "content"), ".NET's format has no field for the content of a result");
    aci_sk_write_extras(wr, path, table, item->extras, &object);
    if (wr->sidecar) {
        aci_sk_sidecar_other_fields(&sidecar, table, item->fields, item->field_count);
        if (more)
            sidecar_content(&sidecar, path, item);
        aci_sk_sidecar_fields(&sidecar, table, item->fields, item->field_count, view->changed, false, view->no_data);
        aci_sk_sidecar_extras(&sidecar, path, table, item->extras, true);
        aci_sk_sidecar_end(&sidecar);
    }
    aci_writer_object_end(&wr->w);
}

/* The item's fields, to be changed. */
static void draft_of(const agentchat_item *item, aci_draft *draft)
{
    aci_draft_begin(draft);
    memcpy(draft->fields, item->fields, item->field_count * sizeof *item->fields);
    draft->field_count = item->field_count;
}

static void write_draft(aci_sk_writer *wr, const aci_location *path, item_view *view, const aci_draft *draft)
{
    view->fields = draft->fields;
    view->count = draft->field_count;
    write_view(wr, path, view);
}

/* Bits of the properties whose field differs between two lists. */
static uint32_t differing(const agentchat_item *item, const aci_draft *draft)
{
    const aci_sk_table *table = aci_sk_item_table((agentchat_item_kind)item->kind);
    uint32_t changed = 0;

    for (size_t i = 0; i < table->count; i++) {
        agentchat_field id = (agentchat_field)table->props[i].field;
        agentchat_str before, after;

        if (id == 0)
            continue;
        before = aci_field_view(aci_field_find(item->fields, item->field_count, id));
        after = aci_field_view(aci_field_find(draft->fields, draft->field_count, id));
        if (!agentchat_str_equal(before, after))
            changed |= UINT32_C(1) << i;
    }
    return changed;
}

/* An item whose Uri is a data URI, which .NET refuses there: its data is written instead, where it has none of its own;
   otherwise the Uri is taken out. */
static void write_data_uri(aci_sk_writer *wr, const aci_location *path, const agentchat_item *item, agentchat_str uri)
{
    aci_arena *arena = aci_arena_new(wr->env, 0);
    aci_sk_data_uri parts;
    aci_draft draft;
    item_view view = {item, NULL, 0, item->u.data, 0, false};

    draft_of(item, &draft);
    aci_draft_unset(&draft, AGENTCHAT_FIELD_URI);
    if (arena == NULL) {
        aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
        return;
    }
    if (item->u.data == NULL && aci_sk_data_uri_parse(uri, &parts)) {
        view.data = aci_sk_data_uri_apply(&parts, &draft, wr->env, arena);
        view.no_data = true;
        if (view.data == NULL)
            aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
        aci_sk_repaired(wr, ACI_AT(path, "uri"), "a data URI was written as data");
    } else {
        aci_sk_repaired(wr, ACI_AT(path, "uri"), "a data URI was taken out");
    }
    view.changed = differing(item, &draft);
    write_draft(wr, path, &view, &draft);
    aci_draft_clear(&draft, wr->env);
    aci_arena_unref(arena);
}

/* A result that has a content and no value: its texts are written as the value. */
static void write_content_result(aci_sk_writer *wr, const aci_location *path, const agentchat_item *item)
{
    item_view view = {item, NULL, 0, NULL, 0, false};
    aci_draft draft;
    aci_buf text;

    draft_of(item, &draft);
    aci_buf_init(&text, wr->env, SIZE_MAX);
    if (!aci_sk_content_text(item->u.message, &text))
        aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
    if (text.len > 0)
        aci_draft_set(&draft, AGENTCHAT_FIELD_RESULT, ACI_FORM_JSON, aci_buf_str(&text));
    if (text.len > 0 && !is_written_as_result(wr, item)) {
        aci_sk_repaired(wr, ACI_AT(path, "content"), "the texts of a result's content were written as its value");
        view.changed = differing(item, &draft);
    }
    write_draft(wr, path, &view, &draft);
    aci_buf_clear(&text);
}

/* Strict: the Uri stays as it is, which .NET refuses and our reader takes for data. */
static void lose_data_uri(aci_sk_writer *wr, const aci_location *path, const agentchat_item *item, agentchat_str uri)
{
    aci_sk_data_uri parts;

    if (item->u.data == NULL && uri.len > 0 && aci_sk_data_uri_parse(uri, &parts))
        aci_sk_loss(wr, ACI_AT(path, "uri"), "a data URI in Uri is read as data");
}

void aci_sk_write_item(aci_sk_writer *wr, const aci_location *path, const agentchat_item *item)
{
    item_view view = {item, item->fields, item->field_count, NULL, 0, false};
    agentchat_str uri;

    if (item->kind == AGENTCHAT_ITEM_OPAQUE) {
        write_opaque(wr, path, item);
        return;
    }
    if (agentchat_item_has_content(item) && !has_result(item) && (!wr->strict || is_written_as_result(wr, item))) {
        write_content_result(wr, path, item);
        return;
    }
    if (holds_data(item)) {
        uri = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_URI));
        view.data = item->u.data;
        if (!wr->strict && uri.len > 0 && aci_sk_is_data_uri(uri)) {
            write_data_uri(wr, path, item, uri);
            return;
        }
        lose_data_uri(wr, path, item, uri);
    }
    write_view(wr, path, &view);
}
