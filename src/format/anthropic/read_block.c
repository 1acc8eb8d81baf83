/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of a content. What is no text, image, document, call, result or thinking is kept as it stands. */
#include "format/anthropic/anthropic.h"

#include "base/b64.h"
#include "format/kit/look.h"

static bool add(aci_object *o, agentchat_item_kind kind, bool ok, aci_items *items)
{
    (void)aci_object_take(o, ACI_AN_TYPE);
    return aci_items_add(items, o->a, aci_object_item(o, kind, ok));
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

/* The table of a citation; NULL: it is of a type that is not known. */
static const aci_object_table *table_of(aci_raw_reader *a, agentchat_str raw)
{
    agentchat_str type = aci_raw_reader_member(a, raw, "type");

    if (type.ptr == NULL || *type.ptr != '"')
        return NULL;
    return aci_anthropic_citation((agentchat_str){type.ptr + 1, type.len - 2});
}

/* Whether all citations of a text are known; else they stay an extra of it. */
static bool are_known(aci_raw_reader *a, agentchat_str raw)
{
    aci_walk walk;

    aci_raw_reader_walk(a, &walk, raw);
    while (aci_walk_next(&walk))
        if (table_of(a, walk.value) == NULL)
            return false;
    return true;
}

static bool add_citations(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    const aci_location list = {path, AGENTCHAT_STR("citations"), 0};
    aci_location at = {&list, {NULL, 0}, 0};
    aci_walk walk;

    aci_raw_reader_walk(a, &walk, raw);
    for (; aci_walk_next(&walk); at.index++) {
        aci_object o;
        bool ok = aci_object_begin(&o, a, &at, walk.value, table_of(a, walk.value));

        if (!aci_items_add(items, a, aci_object_item(&o, AGENTCHAT_ITEM_ANNOTATION, ok)))
            return false;
    }
    return true;
}

static bool is_empty(agentchat_str array)
{
    aci_walk walk;

    aci_walk_begin(&walk, array);
    return !aci_walk_next(&walk);
}

static bool read_text(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    agentchat_str citations = {NULL, 0};
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_anthropic_text);

    if (ok && aci_object_has(&o, ACI_AN_CITATIONS, '[') && are_known(a, o.values[ACI_AN_CITATIONS].raw)) {
        citations = aci_object_take(&o, ACI_AN_CITATIONS);
        ok = !is_empty(citations) || aci_object_note_word(&o, "citations", "empty");
    }
    return add(&o, AGENTCHAT_ITEM_TEXT, ok, items) &&
           (citations.ptr == NULL || add_citations(a, path, citations, items));
}

/* ---- images and documents --------------------------------------------------------------------------------------- */

/* Where data comes from, by the type of the source. */
typedef enum origin { UNKNOWN, BASE64, PLAIN, LINK, STORED } origin;

/* Whether a source has a member that is its type's own just when it is of that type. */
static bool has_just(aci_raw_reader *a, agentchat_str source, const char *name, bool is_due)
{
    return (aci_raw_reader_member(a, source, name).ptr != NULL) == is_due;
}

static origin origin_of(aci_raw_reader *a, agentchat_str raw)
{
    agentchat_str source = aci_raw_reader_member(a, raw, "source"), type, data;
    bool is_image = aci_look_is_word(aci_raw_reader_member(a, raw, "type"), "image");
    origin from = UNKNOWN;
    size_t bad;

    if (source.ptr == NULL || *source.ptr != '{')
        return UNKNOWN;
    type = aci_raw_reader_member(a, source, "type");
    data = aci_raw_reader_member(a, source, "data");
    if (data.ptr != NULL && *data.ptr != '"')
        return UNKNOWN;
    if (aci_look_is_word(type, "base64") && data.ptr != NULL &&
        aci_b64_check((agentchat_str){data.ptr + 1, data.len - 2}, &bad))
        from = BASE64;
    else if (aci_look_is_word(type, "url") && data.ptr == NULL)
        from = LINK;
    else if (is_image)
        from = UNKNOWN; /* an image that is stored would come back as a document */
    else if (aci_look_is_word(type, "text") && data.ptr != NULL)
        from = PLAIN;
    else if (aci_look_is_word(type, "file") && data.ptr == NULL)
        from = STORED;
    return has_just(a, source, "url", from == LINK) && has_just(a, source, "file_id", from == STORED) ? from : UNKNOWN;
}

static bool read_media(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    origin from = origin_of(a, raw);
    bool is_image = aci_look_is_word(aci_raw_reader_member(a, raw, "type"), "image"), ok;
    agentchat_str data = {NULL, 0};
    agentchat_item *item;
    aci_object o, source;

    if (from == UNKNOWN)
        return aci_part_keep(a, raw, items);
    ok = aci_object_begin(&o, a, path, raw, &aci_anthropic_media);
    if (ok) {
        ok = aci_object_begin_inner(&source, &o, ACI_AN_SOURCE, &aci_anthropic_source) &&
             aci_object_take_text(&source, ACI_AN_SOURCE_DATA, &data);
        (void)aci_object_take(&source, ACI_AN_SOURCE_TYPE);
        ok = aci_object_end_inner(&source, &o, ACI_AN_SOURCE, ok);
    }
    ok = ok && (from != PLAIN || aci_object_note_word(&o, "source", "text")) &&
         (from == BASE64 || from == PLAIN ||
          aci_field_find(o.draft.fields, o.draft.field_count, AGENTCHAT_FIELD_MIME_TYPE) == NULL ||
          aci_object_note_word(&o, "media_type", "given"));
    (void)aci_object_take(&o, ACI_AN_TYPE);
    item = aci_object_item(&o,
                           from == STORED ? AGENTCHAT_ITEM_FILE
                           : is_image     ? AGENTCHAT_ITEM_IMAGE
                                          : AGENTCHAT_ITEM_BINARY,
                           ok);
    if (data.ptr != NULL)
        item = aci_part_with_data(a, item, from == BASE64 ? data : (agentchat_str){NULL, 0},
                                  from == BASE64 ? (agentchat_str){NULL, 0} : data);
    return aci_items_add(items, a, item);
}

/* ---- calls, results, thinking ----------------------------------------------------------------------------------- */

static bool read_use(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_anthropic_use);

    if (ok && aci_field_find(o.draft.fields, o.draft.field_count, AGENTCHAT_FIELD_ARGUMENTS) == NULL &&
        aci_object_has(&o, ACI_AN_USE_INPUT, '\0'))
        ok = aci_object_note_word(&o, "input", "absent");
    return add(&o, AGENTCHAT_ITEM_CALL, ok, items);
}

/* Blocks of a result, in which results are no results, so that they do not stand in each other without end. */
bool aci_anthropic_read_block_of_result(aci_raw_reader *a, const aci_location *path, agentchat_str raw,
                                        aci_items *items)
{
    return aci_look_is_word(aci_raw_reader_member(a, raw, "type"), "tool_result")
               ? aci_part_keep(a, raw, items)
               : aci_anthropic_read_block(a, path, raw, items);
}

static bool read_result(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_anthropic_result), has_blocks = false;
    agentchat_item *item;
    aci_items blocks = {NULL, 0, 0};

    if (ok && aci_object_has(&o, ACI_AN_RESULT_CONTENT, '"')) {
        aci_object_set(&o, AGENTCHAT_FIELD_RESULT, ACI_FORM_JSON, aci_object_take(&o, ACI_AN_RESULT_CONTENT));
    } else if (ok && aci_object_has(&o, ACI_AN_RESULT_CONTENT, '[')) {
        has_blocks = true;
        ok = aci_part_read_all(&o, ACI_AN_RESULT_CONTENT, &blocks, aci_anthropic_read_block_of_result);
    }
    (void)aci_object_take(&o, ACI_AN_TYPE);
    item = aci_object_item(&o, AGENTCHAT_ITEM_RESULT, ok);
    return aci_items_add(items, a, has_blocks ? aci_part_with_content(a, item, &blocks) : item);
}

static bool read_thinking(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    bool is_redacted = aci_look_is_word(aci_raw_reader_member(a, raw, "type"), "redacted_thinking");
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, is_redacted ? &aci_anthropic_redacted : &aci_anthropic_thinking);

    if (ok && is_redacted)
        aci_object_set(&o, AGENTCHAT_FIELD_REDACTED, ACI_FORM_JSON, AGENTCHAT_STR("true"));
    if (ok && aci_field_find(o.draft.fields, o.draft.field_count, AGENTCHAT_FIELD_SIGNATURE) != NULL)
        aci_object_set(&o, AGENTCHAT_FIELD_ISSUER, ACI_FORM_TEXT, a->tag);
    return add(&o, AGENTCHAT_ITEM_REASONING, ok, items);
}

static bool read_upload(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_anthropic_upload) &&
              aci_object_note_word(&o, "type", "container_upload");

    return add(&o, AGENTCHAT_ITEM_FILE, ok, items);
}

bool aci_anthropic_read_block(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    static const struct {
        const char *type;
        aci_part_reader *read;
    } blocks[] = {
        {"text", read_text},
        {"image", read_media},
        {"document", read_media},
        {"tool_use", read_use},
        {"tool_result", read_result},
        {"thinking", read_thinking},
        {"redacted_thinking", read_thinking},
        {"container_upload", read_upload},
    };
    agentchat_str type;

    if (!aci_part_type(a, path, raw, &type))
        return false;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (aci_look_is_word(type, blocks[i].type))
            return blocks[i].read(a, path, raw, items);
    return aci_part_keep(a, raw, items);
}
