/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of the semantic-kernel format: one table for each object, in the order in which .NET writes its properties;
 * what only older files or our writer have follows.
 */
#include "format/semantic_kernel/properties.h"

#include "base/utf8.h"

const char aci_sk_name[] = "semantic-kernel";

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define TABLE(array)                                                                                                   \
    {                                                                                                                  \
        (array), COUNT(array)                                                                                          \
    }
#define P(name, how, field, always)                                                                                    \
    {                                                                                                                  \
        name, "\"" name "\":", NULL, sizeof(name) - 1, ACI_SK_##how, field, always, false                              \
    }
#define OLD(name, how, field)                                                                                          \
    {                                                                                                                  \
        name, "\"" name "\":", NULL, sizeof(name) - 1, ACI_SK_##how, field, false, true                                \
    }
#define SIDECAR OLD("agentchat", SIDECAR, 0)
#define COMMON                                                                                                         \
    P("MimeType", TEXT, AGENTCHAT_FIELD_MIME_TYPE, false), P("ModelId", TEXT, AGENTCHAT_FIELD_MODEL_ID, false),        \
        P("Metadata", JSON, AGENTCHAT_FIELD_METADATA, false)

static const aci_sk_prop root[] = {P("Participants", LIST, 0, true), P("History", HISTORY, 0, true),
                                   P("Channels", LIST, 0, true), SIDECAR};
static const aci_sk_prop participant[] = {P("Id", TEXT, 0, false), P("Name", TEXT, 0, false), P("Type", TEXT, 0, false),
                                          SIDECAR};
static const aci_sk_prop channel[] = {P("ChannelKey", TEXT, 0, false), P("ChannelType", TEXT, 0, false),
                                      P("ChannelState", STATE, 0, false), SIDECAR};

#define AUTHOR(always)                                                                                                 \
    {                                                                                                                  \
        "AuthorName", "\"AuthorName\":", "name", 10, ACI_SK_TEXT, AGENTCHAT_FIELD_NAME, always, false                  \
    }
static const aci_sk_prop message[] = {
    AUTHOR(true),
    P("Role", LABEL, AGENTCHAT_FIELD_ROLE, true),
    P("Items", ITEMS, 0, true),
    P("ModelId", TEXT, AGENTCHAT_FIELD_MODEL_ID, false),
    P("MimeType", TEXT, AGENTCHAT_FIELD_MIME_TYPE, false),
    P("Metadata", JSON, AGENTCHAT_FIELD_METADATA, false),
    OLD("Content", CONTENT, 0),
    SIDECAR,
};
static const aci_sk_prop nested_message[] = {
    AUTHOR(false),
    P("Role", LABEL, AGENTCHAT_FIELD_ROLE, true),
    P("Items", ITEMS, 0, true),
    COMMON,
    OLD("Content", CONTENT, 0),
    SIDECAR,
};

static const aci_sk_prop text[] = {P("Text", TEXT, AGENTCHAT_FIELD_TEXT, true), COMMON, SIDECAR};
static const aci_sk_prop binary[] = {
    P("Uri", TEXT, AGENTCHAT_FIELD_URI, false),
    COMMON,
    P("Data", DATA, 0, false),
    OLD("DataUri", DATA_URI, 0),
    OLD("Content", DATA, 0),
    SIDECAR,
};
static const aci_sk_prop call[] = {
    P("Id", TEXT, AGENTCHAT_FIELD_CALL_ID, false),
    P("PluginName", TEXT, AGENTCHAT_FIELD_PLUGIN, false),
    P("FunctionName", TEXT, AGENTCHAT_FIELD_FUNCTION, true),
    P("Arguments", JSON, AGENTCHAT_FIELD_ARGUMENTS, false),
    P("Exception", JSON, AGENTCHAT_FIELD_EXCEPTION, false),
    COMMON,
    SIDECAR,
};
static const aci_sk_prop result[] = {
    P("CallId", TEXT, AGENTCHAT_FIELD_CALL_ID, false),
    P("PluginName", TEXT, AGENTCHAT_FIELD_PLUGIN, false),
    P("FunctionName", TEXT, AGENTCHAT_FIELD_FUNCTION, false),
    P("Result", JSON, AGENTCHAT_FIELD_RESULT, false),
    COMMON,
    OLD("Id", TEXT, AGENTCHAT_FIELD_CALL_ID),
    SIDECAR,
};
static const aci_sk_prop annotation[] = {
    P("Kind", LABEL, AGENTCHAT_FIELD_KIND, true),
    P("Label", TEXT, AGENTCHAT_FIELD_LABEL, true),
    P("ReferenceId", TEXT, AGENTCHAT_FIELD_REFERENCE_ID, true),
    P("Title", TEXT, AGENTCHAT_FIELD_TITLE, false),
    P("StartIndex", JSON, AGENTCHAT_FIELD_START_INDEX, false),
    P("EndIndex", JSON, AGENTCHAT_FIELD_END_INDEX, false),
    COMMON,
    OLD("Quote", TEXT, AGENTCHAT_FIELD_LABEL),
    OLD("FileId", TEXT, AGENTCHAT_FIELD_REFERENCE_ID),
    SIDECAR,
};
static const aci_sk_prop file[] = {P("FileId", TEXT, AGENTCHAT_FIELD_FILE_ID, true),
                                   P("Tools", JSON, AGENTCHAT_FIELD_TOOLS, false), COMMON, SIDECAR};
static const aci_sk_prop opaque[] = {SIDECAR};

const aci_sk_table aci_sk_root = TABLE(root);
const aci_sk_table aci_sk_participant = TABLE(participant);
const aci_sk_table aci_sk_channel = TABLE(channel);
const aci_sk_table aci_sk_message = TABLE(message);
const aci_sk_table aci_sk_nested_message = TABLE(nested_message);

static const struct kind_info {
    const char *type;
    aci_sk_table table;
} kinds[] = {
    [AGENTCHAT_ITEM_TEXT] = {"TextContent", TABLE(text)},
    [AGENTCHAT_ITEM_IMAGE] = {"ImageContent", TABLE(binary)},
    [AGENTCHAT_ITEM_AUDIO] = {"AudioContent", TABLE(binary)},
    [AGENTCHAT_ITEM_BINARY] = {"BinaryContent", TABLE(binary)},
    [AGENTCHAT_ITEM_CALL] = {"FunctionCallContent", TABLE(call)},
    [AGENTCHAT_ITEM_RESULT] = {"FunctionResultContent", TABLE(result)},
    [AGENTCHAT_ITEM_ANNOTATION] = {"AnnotationContent", TABLE(annotation)},
    [AGENTCHAT_ITEM_FILE] = {"FileReferenceContent", TABLE(file)},
    [AGENTCHAT_ITEM_REASONING] = {"ReasoningContent", TABLE(text)},
    [AGENTCHAT_ITEM_ACTION] = {"ActionContent", TABLE(text)},
    [AGENTCHAT_ITEM_MESSAGE] = {"ChatMessageContent", TABLE(nested_message)},
    [AGENTCHAT_ITEM_OPAQUE] = {NULL, TABLE(opaque)},
};

const aci_sk_table *aci_sk_item_table(agentchat_item_kind kind)
{
    size_t index = (size_t)kind;

    return index > 0 && index < COUNT(kinds) ? &kinds[index].table : &kinds[AGENTCHAT_ITEM_OPAQUE].table;
}

const char *aci_sk_type_name(agentchat_item_kind kind)
{
    size_t index = (size_t)kind;

    return index > 0 && index < COUNT(kinds) ? kinds[index].type : NULL;
}

agentchat_item_kind aci_sk_item_kind_of(agentchat_str type_name)
{
    for (size_t i = 1; i < COUNT(kinds); i++)
        if (kinds[i].type != NULL && aci_sk_view_is(type_name, kinds[i].type))
            return (agentchat_item_kind)i;
    return (agentchat_item_kind)0;
}

const aci_sk_prop *aci_sk_field_property(const aci_sk_table *table, agentchat_field field)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->props[i].field == field && !table->props[i].legacy)
            return &table->props[i];
    return NULL;
}

static bool has_name(const aci_sk_prop *prop, agentchat_str name)
{
    return name.len == prop->len && memcmp(name.ptr, prop->name, prop->len) == 0;
}

/* The property whose name differs from `name` by letter case only, or whose other name it is. */
static int lookup_other(const aci_sk_table *table, agentchat_str name)
{
    for (size_t i = 0; i < table->count; i++) {
        const aci_sk_prop *prop = &table->props[i];

        if (prop->how == ACI_SK_SIDECAR) /* our writer spells it one way */
            continue;
        if (aci_utf8_equal_ignore_case(name, (agentchat_str){prop->name, prop->len}) ||
            (prop->alias != NULL && aci_utf8_equal_ignore_case(name, agentchat_str_from(prop->alias))))
            return (int)i;
    }
    return -1;
}

int aci_sk_find_property(const aci_sk_table *table, size_t expected, agentchat_str name, bool *exact)
{
    *exact = true;
    for (size_t i = expected; i < table->count; i++)
        if (has_name(&table->props[i], name))
            return (int)i;
    for (size_t i = 0; i < expected && i < table->count; i++)
        if (has_name(&table->props[i], name))
            return (int)i;
    *exact = false;
    return lookup_other(table, name);
}

bool aci_sk_property_fits(const aci_sk_prop *prop, aci_json_kind kind)
{
    bool is_string = kind == ACI_JSON_STRING || kind == ACI_JSON_NULL;

    if (prop->how == ACI_SK_TEXT || prop->how == ACI_SK_DATA)
        return is_string;
    if (prop->how == ACI_SK_LABEL)
        return is_string || kind == ACI_JSON_OBJECT;
    return prop->how != ACI_SK_ITEMS || kind == ACI_JSON_ARRAY || kind == ACI_JSON_NULL;
}
