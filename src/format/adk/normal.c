/* SPDX-License-Identifier: Apache-2.0 */
#include "format/adk/normal.h"

#include "base/b64.h"
#include "base/error.h"
#include "event/time.h"
#include "format/adk/media.h"

static agentchat_str text_of(const aci_draft *d, agentchat_field id)
{
    agentchat_str text = aci_field_view(aci_field_find(d->fields, d->field_count, id));

    return agentchat_str_is_null(text) ? (agentchat_str){NULL, 0} : text;
}

const aci_extras *aci_adk_normal_extras(aci_raw_reader *a, const aci_extras *extras)
{
    aci_extras *out;

    if (extras == NULL)
        return NULL;
    out = aci_extras_new(a->arena, extras->list, extras->count);
    if (out == NULL) {
        (void)aci_raw_reader_nomem(a);
        return NULL;
    }
    out->count = 0;
    for (size_t i = 0; i < extras->count; i++)
        if (*extras->list[i].value.ptr != 'n')
            out->list[out->count++] = extras->list[i];
    return out;
}

/* A value that is no object, as the one member of an object. */
static bool wrap(aci_raw_reader *a, aci_draft *d, agentchat_field field, const char *member)
{
    agentchat_str json = text_of(d, field);
    bool ok = true;
    aci_buf text;

    if (json.ptr == NULL || *json.ptr == '{')
        return true;
    aci_buf_init(&text, a->env, SIZE_MAX);
    ok = aci_buf_printf(&text, "{\"%s\":", member) && aci_buf_add_str(&text, json) && aci_buf_add(&text, "}", 1);
    if (ok)
        json = aci_arena_copy(a->arena, aci_buf_str(&text), &ok);
    aci_buf_clear(&text);
    if (!ok)
        return aci_raw_reader_nomem(a);
    aci_draft_set(d, field, ACI_FORM_JSON, json);
    return true;
}

/* A signature that is no base64, as the base64 of its text. */
static bool encode_signature(aci_raw_reader *a, aci_draft *d)
{
    agentchat_str text = text_of(d, AGENTCHAT_FIELD_SIGNATURE);
    char *encoded;

    if (text.ptr == NULL || aci_adk_is_base64(text))
        return true;
    encoded = aci_arena_text(a->arena, aci_b64_encoded_size(text.len));
    if (encoded == NULL)
        return aci_raw_reader_nomem(a);
    aci_b64_encode(text.ptr, text.len, encoded);
    aci_draft_set(d, AGENTCHAT_FIELD_SIGNATURE, ACI_FORM_TEXT,
                  (agentchat_str){encoded, aci_b64_encoded_size(text.len)});
    return true;
}

/* A data URI, as the data in it. */
static bool open_data_uri(aci_raw_reader *a, aci_draft *d, aci_data **data)
{
    aci_data read = {.base64 = {NULL, 0}, .bytes = {NULL, 0}};
    agentchat_str uri = text_of(d, AGENTCHAT_FIELD_URI), own_type;

    if (*data != NULL || uri.ptr == NULL || !aci_adk_read_data_uri(a, uri, &read, &own_type))
        return a->status >= 0;
    *data = aci_data_new(a->arena, read.base64, read.bytes);
    if (*data == NULL)
        return aci_raw_reader_nomem(a);
    aci_draft_unset(d, AGENTCHAT_FIELD_URI);
    if (text_of(d, AGENTCHAT_FIELD_MIME_TYPE).ptr == NULL)
        aci_draft_set(d, AGENTCHAT_FIELD_MIME_TYPE, ACI_FORM_TEXT, own_type);
    return true;
}

static bool name_function(aci_draft *d, const aci_adk_context *context)
{
    agentchat_str function = aci_adk_context_function(context, text_of(d, AGENTCHAT_FIELD_CALL_ID));

    if (text_of(d, AGENTCHAT_FIELD_FUNCTION).ptr == NULL && function.ptr != NULL)
        aci_draft_set(d, AGENTCHAT_FIELD_FUNCTION, ACI_FORM_TEXT, function);
    return true;
}

static bool normalize_fields(aci_raw_reader *a, aci_draft *d, agentchat_item_kind *kind, aci_data **data,
                             const aci_adk_context *context)
{
    switch (*kind) {
    case AGENTCHAT_ITEM_CALL:
        return wrap(a, d, AGENTCHAT_FIELD_ARGUMENTS, "args");
    case AGENTCHAT_ITEM_RESULT:
        return wrap(a, d, AGENTCHAT_FIELD_RESULT, "result") && name_function(d, context);
    case AGENTCHAT_ITEM_IMAGE:
    case AGENTCHAT_ITEM_AUDIO:
    case AGENTCHAT_ITEM_BINARY:
        if (!open_data_uri(a, d, data))
            return false;
        *kind = aci_adk_part_kind(text_of(d, AGENTCHAT_FIELD_MIME_TYPE));
        return true;
    case AGENTCHAT_ITEM_TEXT:
    case AGENTCHAT_ITEM_REASONING:
    case AGENTCHAT_ITEM_ANNOTATION:
    case AGENTCHAT_ITEM_FILE:
    case AGENTCHAT_ITEM_ACTION:
    case AGENTCHAT_ITEM_MESSAGE:
    case AGENTCHAT_ITEM_OPAQUE:
    case AGENTCHAT_ITEM_MAX_:
        break;
    }
    return true;
}

/* Whether the content of a result stands for its value: there is no other, and it is one text. */
static bool is_content_alone(const agentchat_item *item)
{
    const aci_field *result = aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RESULT);

    return (result == NULL || !aci_field_is_covered(result)) && aci_item_content_plain(item).ptr != NULL;
}

static bool text_as_result(aci_raw_reader *a, const agentchat_item *item, aci_draft *d)
{
    bool ok;
    aci_buf text;

    aci_buf_init(&text, a->env, SIZE_MAX);
    ok = aci_json_canonical_string(aci_item_content_plain(item), &text);
    if (ok)
        aci_draft_set(d, AGENTCHAT_FIELD_RESULT, ACI_FORM_JSON, aci_arena_copy(a->arena, aci_buf_str(&text), &ok));
    aci_buf_clear(&text);
    return ok || aci_raw_reader_nomem(a);
}

static agentchat_item *normal_item(aci_raw_reader *a, const agentchat_item *item, const aci_adk_context *context)
{
    agentchat_item_kind kind = (agentchat_item_kind)item->kind;
    aci_data *data = (aci_data *)(uintptr_t)aci_data_of(item);
    const aci_extras *extras = aci_adk_normal_extras(a, item->extras);
    agentchat_item *out = NULL;
    aci_draft d;

    aci_draft_begin(&d);
    for (size_t i = 0; i < item->field_count; i++)
        aci_draft_set(&d, (agentchat_field)item->fields[i].id, (aci_form)item->fields[i].form,
                      aci_field_text(&item->fields[i]));
    if (kind == AGENTCHAT_ITEM_RESULT && is_content_alone(item) && !text_as_result(a, item, &d))
        return NULL;
    if (a->status >= 0 && encode_signature(a, &d) && normalize_fields(a, &d, &kind, &data, context))
        out = aci_draft_item(&d, a->arena, kind);
    if (out == NULL)
        return NULL;
    out->is_null = item->is_null;
    out->extras = (aci_extras *)(uintptr_t)extras;
    out->u = item->u;
    if (data != NULL)
        out->u.data = data;
    else if (kind == AGENTCHAT_ITEM_RESULT && is_content_alone(item))
        out->u.message = NULL; /* its text is the value */
    return out;
}

const agentchat_message *aci_adk_normal_content(aci_raw_reader *a, const agentchat_message *message,
                                                const agentchat_event *event, const aci_adk_context *context)
{
    agentchat_item **items = aci_arena_alloc(a->arena, (message->item_count + 1) * sizeof(agentchat_item *));
    const aci_extras *extras = aci_adk_normal_extras(a, message->extras);
    agentchat_message *out = NULL;
    bool ok = items != NULL && a->status >= 0;
    aci_draft d;

    aci_draft_begin(&d);
    for (size_t i = 0; i < message->field_count; i++)
        if (!aci_adk_is_event_s(event, &message->fields[i]))
            aci_draft_set(&d, (agentchat_field)message->fields[i].id, (aci_form)message->fields[i].form,
                          aci_field_text(&message->fields[i]));
    if (agentchat_str_equal(text_of(&d, AGENTCHAT_FIELD_ROLE), AGENTCHAT_STR("model")))
        aci_draft_set(&d, AGENTCHAT_FIELD_ROLE, ACI_FORM_TEXT, AGENTCHAT_STR("assistant"));
    for (size_t i = 0; ok && i < message->item_count; i++)
        ok = (items[i] = normal_item(a, message->items[i], context)) != NULL;
    if (ok)
        out = aci_draft_message(&d, a->arena, items, message->item_count, message->flags);
    if (out == NULL)
        (void)aci_raw_reader_nomem(a);
    else
        out->extras = (aci_extras *)(uintptr_t)extras;
    return out;
}

bool aci_adk_normal_time(agentchat_str text, char number[ACI_ADK_TIME_SIZE])
{
    aci_time time;
    bool cut;

    *number = '\0';
    if (!aci_time_parse(text, &time)) /* which no event has */
        return false;
    if (time.seconds < ACI_TIME_FIRST_SECOND)
        time = (aci_time){ACI_TIME_FIRST_SECOND, {"", 0}, false, false};
    (void)aci_time_print_seconds(&time, number, &cut);
    return !cut && time.is_utc && !time.is_leap && time.seconds < ACI_TIME_HIGHEST_SECONDS &&
           time.seconds > -ACI_TIME_HIGHEST_SECONDS;
}
