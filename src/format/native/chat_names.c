/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of format 1 and of events: one table for each object, in the order in which its properties are written.
 * Adding a property means adding a line here; the reader keeps one bit for each, so a table has at most 32.
 */
#include "format/native/chat.h"

#include "format/native/event.h"
#include <string.h>

const char aci_native_name[] = "agentchat", aci_native_encoded_name[] = "agentchat-encoded";

#define P(name, what)                                                                                                  \
    {                                                                                                                  \
        "\"" name "\":", (uint8_t)(sizeof("\"" name "\":") - 1), (uint8_t)(what)                                       \
    }
#define OBJECT(table)                                                                                                  \
    {                                                                                                                  \
        (table), (uint32_t)(sizeof(table) / sizeof(table)[0])                                                          \
    }
#define ITEM_HEAD P("type", ACI_NATIVE_TYPE)
#define ITEM_COMMON                                                                                                    \
    P("model", AGENTCHAT_FIELD_MODEL_ID), P("mimetype", AGENTCHAT_FIELD_MIME_TYPE),                                    \
        P("metadata", AGENTCHAT_FIELD_METADATA)
#define FORM P("form", AGENTCHAT_FIELD_FORM)
#define EXTRAS P("extras", ACI_NATIVE_EXTRAS)
#define ITEM_TAIL P("signature", AGENTCHAT_FIELD_SIGNATURE), P("issuer", AGENTCHAT_FIELD_ISSUER), FORM, EXTRAS

static const aci_native_property header[] = {
    P("format", ACI_NATIVE_FORMAT),
    P("reader", ACI_NATIVE_READER),
    P("encoding", ACI_NATIVE_ENCODING),
};

static const aci_native_property document[] = {
    P("agentchat", ACI_NATIVE_HEADER),  P("history", ACI_NATIVE_HISTORY), P("participants", ACI_NATIVE_PARTICIPANTS),
    P("channels", ACI_NATIVE_CHANNELS), P("values", ACI_NATIVE_VALUES),   P("turn", ACI_NATIVE_TURN),
    P("complete", ACI_NATIVE_COMPLETE), P("form", ACI_NATIVE_FORM),       EXTRAS,
};

static const aci_native_property message[] = {
    P("role", AGENTCHAT_FIELD_ROLE),
    P("name", AGENTCHAT_FIELD_NAME),
    P("items", ACI_NATIVE_ITEMS),
    ITEM_COMMON,
    P("id", AGENTCHAT_FIELD_ID),
    P("time", AGENTCHAT_FIELD_TIME),
    FORM,
    EXTRAS,
};

static const aci_native_property participant[] = {
    P("id", ACI_NATIVE_ID),
    P("name", ACI_NATIVE_NAME),
    P("type", ACI_NATIVE_TYPE),
    EXTRAS,
};

static const aci_native_property channel[] = {
    P("channelkey", ACI_NATIVE_KEY),       P("channeltype", ACI_NATIVE_TYPE),
    P("statekind", ACI_NATIVE_STATE_KIND), P("raw", ACI_NATIVE_RAW),
    P("channelstate", ACI_NATIVE_STATE),   P("synced", ACI_NATIVE_SYNCED),
    P("pending", ACI_NATIVE_PENDING),      EXTRAS,
};

static const aci_native_property value[] = {
    P("name", ACI_NATIVE_NAME),
    P("mediatype", ACI_NATIVE_MEDIA_TYPE),
    P("value", ACI_NATIVE_VALUE),
    P("base64", ACI_NATIVE_BASE64),
};

static const aci_native_property extra[] = {
    P("from", ACI_NATIVE_FROM),
    P("name", ACI_NATIVE_NAME),
    P("value", ACI_NATIVE_VALUE),
};

static const aci_native_property text[] = {
    ITEM_HEAD, P("text", AGENTCHAT_FIELD_TEXT), P("refusal", AGENTCHAT_FIELD_REFUSAL), ITEM_COMMON, ITEM_TAIL,
};

static const aci_native_property action[] = {
    ITEM_HEAD,
    P("text", AGENTCHAT_FIELD_TEXT),
    ITEM_COMMON,
    ITEM_TAIL,
};

static const aci_native_property data[] = {
    ITEM_HEAD, P("uri", AGENTCHAT_FIELD_URI), ITEM_COMMON, P("data", ACI_NATIVE_DATA), ITEM_TAIL,
};

static const aci_native_property call[] = {
    ITEM_HEAD,
    P("id", AGENTCHAT_FIELD_CALL_ID),
    P("plugin", AGENTCHAT_FIELD_PLUGIN),
    P("function", AGENTCHAT_FIELD_FUNCTION),
    P("arguments", AGENTCHAT_FIELD_ARGUMENTS),
    P("exception", AGENTCHAT_FIELD_EXCEPTION),
    ITEM_COMMON,
    ITEM_TAIL,
};

static const aci_native_property result[] = {
    ITEM_HEAD,
    P("id", AGENTCHAT_FIELD_CALL_ID),
    P("plugin", AGENTCHAT_FIELD_PLUGIN),
    P("function", AGENTCHAT_FIELD_FUNCTION),
    P("result", AGENTCHAT_FIELD_RESULT),
    P("content", ACI_NATIVE_CONTENT),
    P("failed", AGENTCHAT_FIELD_FAILED),
    ITEM_COMMON,
    ITEM_TAIL,
};

static const aci_native_property annotation[] = {
    ITEM_HEAD,
    P("kind", AGENTCHAT_FIELD_KIND),
    P("label", AGENTCHAT_FIELD_LABEL),
    P("reference", AGENTCHAT_FIELD_REFERENCE_ID),
    P("title", AGENTCHAT_FIELD_TITLE),
    P("start", AGENTCHAT_FIELD_START_INDEX),
    P("end", AGENTCHAT_FIELD_END_INDEX),
    ITEM_COMMON,
    ITEM_TAIL,
};

static const aci_native_property file[] = {
    ITEM_HEAD, P("file", AGENTCHAT_FIELD_FILE_ID), P("tools", AGENTCHAT_FIELD_TOOLS), ITEM_COMMON, ITEM_TAIL,
};

static const aci_native_property reasoning[] = {
    ITEM_HEAD,
    P("text", AGENTCHAT_FIELD_TEXT),
    P("signature", AGENTCHAT_FIELD_SIGNATURE),
    P("redacted", AGENTCHAT_FIELD_REDACTED),
    ITEM_COMMON,
    P("issuer", AGENTCHAT_FIELD_ISSUER),
    FORM,
    EXTRAS,
};

static const aci_native_property nested[] = {
    ITEM_HEAD,
    P("message", ACI_NATIVE_MESSAGE),
    ITEM_COMMON,
    ITEM_TAIL,
};

static const aci_native_property opaque[] = {
    ITEM_HEAD, P("from", ACI_NATIVE_FROM), P("kind", AGENTCHAT_FIELD_TYPE), P("raw", AGENTCHAT_FIELD_RAW), ITEM_COMMON,
    ITEM_TAIL,
};

static const aci_native_property event[] = {
    P("sequence", ACI_NATIVE_SEQUENCE),
    P("id", AGENTCHAT_EVENT_ID),
    P("invocation", AGENTCHAT_EVENT_INVOCATION),
    P("author", AGENTCHAT_EVENT_AUTHOR),
    P("time", AGENTCHAT_EVENT_TIME),
    P("branch", AGENTCHAT_EVENT_BRANCH),
    P("partial", AGENTCHAT_EVENT_PARTIAL),
    P("content", ACI_NATIVE_CONTENT),
    P("actions", ACI_NATIVE_ACTIONS),
    P("longrunning", AGENTCHAT_EVENT_LONG_RUNNING),
    EXTRAS,
};

static const aci_native_property actions[] = {
    P("statedelta", ACI_NATIVE_SETS),
    P("statedelete", ACI_NATIVE_DELETES),
    P("stateadd", ACI_NATIVE_ADDS),
    P("artifacts", AGENTCHAT_EVENT_ARTIFACTS),
    P("transfer", AGENTCHAT_EVENT_TRANSFER),
    P("escalate", AGENTCHAT_EVENT_ESCALATE),
    P("skipsummarization", AGENTCHAT_EVENT_SKIP_SUMMARIZATION),
    P("compaction", AGENTCHAT_EVENT_COMPACTION),
    EXTRAS,
};

const aci_native_object aci_native_header = OBJECT(header);
const aci_native_object aci_native_document = OBJECT(document);
const aci_native_object aci_native_message = OBJECT(message);
const aci_native_object aci_native_participant = OBJECT(participant);
const aci_native_object aci_native_channel = OBJECT(channel);
const aci_native_object aci_native_value = OBJECT(value);
const aci_native_object aci_native_extra = OBJECT(extra);
const aci_native_object aci_native_event = OBJECT(event);
const aci_native_object aci_native_actions = OBJECT(actions);

#define KIND(name, table)                                                                                              \
    {                                                                                                                  \
        (name), sizeof(name) - 1, OBJECT(table), "\"type\":\"" name "\""                                               \
    }

/* By kind; index 0 is no kind. */
static const struct {
    const char *name;
    size_t len;
    aci_native_object object;
    const char *type; /* the property that says so, as it is written */
} kinds[] = {
    {"", 0, {NULL, 0}, ""}, KIND("text", text),           KIND("image", data),    KIND("audio", data),
    KIND("binary", data),   KIND("call", call),           KIND("result", result), KIND("annotation", annotation),
    KIND("file", file),     KIND("reasoning", reasoning), KIND("action", action), KIND("message", nested),
    KIND("opaque", opaque),
};
enum { KIND_COUNT = (int)(sizeof kinds / sizeof kinds[0]) };

static const char *const state_kinds[] = {"", "text", "bytes", "messages", "chat"};

static bool is(agentchat_str name, const char *other)
{
    size_t len = strlen(other);

    return name.len == len && memcmp(name.ptr, other, len) == 0;
}

const aci_native_object *aci_native_item(agentchat_item_kind kind)
{
    return &kinds[kind].object;
}

uint32_t aci_native_find_from(const aci_native_object *object, uint32_t predicted, agentchat_str name)
{
    uint32_t i = predicted < object->count ? predicted : 0;

    for (uint32_t tried = 0; tried < object->count; tried++) {
        const aci_native_property *p = &object->list[i];

        if (name.len == p->quoted_len - 3u && memcmp(name.ptr, p->quoted + 1, name.len) == 0)
            return i;
        i = i + 1 < object->count ? i + 1 : 0;
    }
    return object->count;
}

agentchat_item_kind aci_native_kind(agentchat_str name)
{
    for (int kind = 1; kind < KIND_COUNT; kind++)
        if (name.len == kinds[kind].len && memcmp(name.ptr, kinds[kind].name, name.len) == 0)
            return (agentchat_item_kind)kind;
    return (agentchat_item_kind)0;
}

agentchat_item_kind aci_native_item_kind(agentchat_str type, agentchat_str from)
{
    agentchat_item_kind kind = aci_native_kind(type);

    return kind == AGENTCHAT_ITEM_OPAQUE && aci_native_is_own(from) ? (agentchat_item_kind)0 : kind;
}

agentchat_str aci_native_kind_property(agentchat_item_kind kind)
{
    return (agentchat_str){kinds[kind].type, kinds[kind].len + sizeof("\"type\":\"\"") - 1};
}

agentchat_channel_kind aci_native_state_kind(agentchat_str name)
{
    for (int kind = AGENTCHAT_CHANNEL_TEXT; kind <= AGENTCHAT_CHANNEL_CHAT; kind++)
        if (is(name, state_kinds[kind]))
            return (agentchat_channel_kind)kind;
    return (agentchat_channel_kind)0;
}

const char *aci_native_state_kind_name(agentchat_channel_kind kind)
{
    return state_kinds[kind];
}
