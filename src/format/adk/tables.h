/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the ADKs' objects, and what kinds of values they hold. */
#ifndef ACI_FORMAT_ADK_TABLES_H
#define ACI_FORMAT_ADK_TABLES_H

#include "format/kit/object_table.h"
#include "model/model.h"

/* The format's name, as it stands in `from`. */
extern const char aci_adk_name[4];
static inline bool aci_adk_is_own(agentchat_str tag)
{
    return aci_tag_is(tag, ACI_TAG(aci_adk_name));
}

/* What a value must be so that adk-python accepts it; null is accepted too. */
typedef enum aci_adk_value_kind {
    ACI_ADK_ANY,
    ACI_ADK_STRING, /* also where there is a list of words: adk-python accepts others too */
    ACI_ADK_WORD,   /* one of those in `words` */
    ACI_ADK_BOOLEAN,
    ACI_ADK_INTEGER,
    ACI_ADK_COUNT, /* an integer that is not negative */
    ACI_ADK_NUMBER,
    ACI_ADK_BYTES,
    ACI_ADK_OBJECT, /* with any members */
    ACI_ADK_MODEL,  /* an object with the members of `of` */
    ACI_ADK_DATE,   /* the same, for which ADK-Rust has text */
    ACI_ADK_ROUTE,  /* a boolean, an integer or a string, or a list of such */
    ACI_ADK_AUTH_CONFIG,
    ACI_ADK_AUTH_SCHEME,
    ACI_ADK_SERVICE_ACCOUNT
} aci_adk_value_kind;

/* Indices into the tables; from …_KEPT on, names that are known but that a native event has no field for. */
enum {
    ACI_ADK_ID,
    ACI_ADK_TIMESTAMP,
    ACI_ADK_INVOCATION,
    ACI_ADK_AUTHOR,
    ACI_ADK_BRANCH,
    ACI_ADK_CONTENT,
    ACI_ADK_PARTIAL,
    ACI_ADK_LONG_RUNNING,
    ACI_ADK_ACTIONS,
    ACI_ADK_EVENT_KEPT,
    ACI_ADK_FINISH_REASON = ACI_ADK_EVENT_KEPT, /* three that ADK-Rust spells otherwise */
    ACI_ADK_USAGE,
    ACI_ADK_CITATIONS,
    ACI_ADK_TURN_COMPLETE,
    ACI_ADK_INTERRUPTED
};
enum {
    ACI_ADK_STATE_DELTA,
    ACI_ADK_ARTIFACT_DELTA,
    ACI_ADK_TRANSFER,
    ACI_ADK_ESCALATE,
    ACI_ADK_SKIP_SUMMARIZATION,
    ACI_ADK_COMPACTION,
    ACI_ADK_ACTIONS_KEPT,
    ACI_ADK_AUTH_CONFIGS = ACI_ADK_ACTIONS_KEPT, /* these two are written always */
    ACI_ADK_TOOL_CONFIRMATIONS
};
enum { ACI_ADK_ROLE, ACI_ADK_PARTS };
enum {
    ACI_ADK_TEXT,
    ACI_ADK_THINKING,
    ACI_ADK_INLINE_DATA,
    ACI_ADK_FILE_DATA,
    ACI_ADK_CALL,
    ACI_ADK_RESPONSE,
    ACI_ADK_FLAT_DATA, /* ADK-Rust puts what follows right into the part */
    ACI_ADK_FLAT_FILE_URI,
    ACI_ADK_FLAT_NAME,
    ACI_ADK_PART_OTHER, /* parts of other kinds: kept unchanged */
    ACI_ADK_PART_MAINS = ACI_ADK_PART_OTHER + 7,
    ACI_ADK_THOUGHT = ACI_ADK_PART_MAINS, /* what stands beside one of these */
    ACI_ADK_THOUGHT_SIGNATURE,
    ACI_ADK_SIGNATURE,
    ACI_ADK_FLAT_MIME_TYPE,
    ACI_ADK_FLAT_URI,
    ACI_ADK_FLAT_ARGS,
    ACI_ADK_FLAT_ID,
    ACI_ADK_PART_KEPT
};
enum { ACI_ADK_DATA_DATA, ACI_ADK_DATA_MIME_TYPE, ACI_ADK_DATA_KEPT };
enum { ACI_ADK_FILE_URI, ACI_ADK_FILE_MIME_TYPE, ACI_ADK_FILE_KEPT };
enum { ACI_ADK_CALL_ID, ACI_ADK_CALL_NAME, ACI_ADK_CALL_ARGS, ACI_ADK_CALL_KEPT };
enum {
    ACI_ADK_RESPONSE_ID,
    ACI_ADK_RESPONSE_NAME,
    ACI_ADK_RESPONSE_RESPONSE,
    ACI_ADK_RESPONSE_KEPT,
    ACI_ADK_RESPONSE_PARTS = ACI_ADK_RESPONSE_KEPT,
    ACI_ADK_RESPONSE_INLINE = ACI_ADK_RESPONSE_KEPT + 3, /* two of ADK-Rust's */
    ACI_ADK_RESPONSE_FILE
};
enum { ACI_ADK_USAGE_CACHED = 1, ACI_ADK_USAGE_THOUGHTS = 6, ACI_ADK_USAGE_RUST = 11, ACI_ADK_CITATIONS_RUST = 1 };
enum { ACI_ADK_START, ACI_ADK_END, ACI_ADK_COMPACTED };
enum { ACI_ADK_SESSION_ID, ACI_ADK_APP_NAME, ACI_ADK_USER_ID, ACI_ADK_STATE, ACI_ADK_EVENTS, ACI_ADK_LAST_UPDATE_TIME };

extern const aci_object_table aci_adk_event, aci_adk_actions, aci_adk_content, aci_adk_part, aci_adk_data, aci_adk_file,
    aci_adk_call, aci_adk_response, aci_adk_compaction, aci_adk_session;
/* Objects deeper down (tables_values.c, tables_auth.c). */
extern const aci_object_table aci_adk_executable_code, aci_adk_code_result, aci_adk_tool_call, aci_adk_tool_response,
    aci_adk_partial_arg, aci_adk_response_part, aci_adk_video, aci_adk_resolution, aci_adk_speech,
    aci_adk_transcription, aci_adk_grounding, aci_adk_usage, aci_adk_resumption, aci_adk_go_away,
    aci_adk_voice_activity, aci_adk_logprobs, aci_adk_cache, aci_adk_citation, aci_adk_citation_list, aci_adk_node_info,
    aci_adk_confirmation, aci_adk_widget, aci_adk_auth_config;

#define ACI_ADK_VALUE_OF(name, is, in, model)                                                                          \
    {                                                                                                                  \
        .camel = (name), .of = (model), .kind = (uint8_t)(is), .form = (uint8_t)(in), .is_google = true                \
    }
#define ACI_ADK_KIND(kind, name) ACI_ADK_VALUE_OF(name, ACI_ADK_##kind, ACI_TABLE_ONE, NULL)
/* One that is a field of an item. */
#define ACI_ADK_FIELD(is, name, id)                                                                                    \
    {                                                                                                                  \
        .camel = (name), .kind = ACI_ADK_##is, .is_google = true, .field = AGENTCHAT_FIELD_##id                        \
    }
/* One that is a field of an event, and holds anything of its kind. */
#define ACI_ADK_EVENT_FIELD(name, id)                                                                                  \
    {                                                                                                                  \
        .camel = (name), .is_google = true, .field = AGENTCHAT_EVENT_##id                                              \
    }
#define ACI_ADK_KINDS(kind, name) ACI_ADK_VALUE_OF(name, ACI_ADK_##kind, ACI_TABLE_LIST, NULL)
#define ACI_ADK_IS(name, of) ACI_ADK_VALUE_OF(name, ACI_ADK_MODEL, ACI_TABLE_ONE, of)
#define ACI_ADK_ARE(name, of) ACI_ADK_VALUE_OF(name, ACI_ADK_MODEL, ACI_TABLE_LIST, of)
#define ACI_ADK_TABLE(list) ACI_ADK_TABLE_OF(list, 0, 0, false)
#define ACI_ADK_TABLE_OF(list, required, together, is_open)                                                            \
    {                                                                                                                  \
        (list), (uint32_t)(sizeof(list) / sizeof(list)[0]), (required), (together), (is_open)                          \
    }

#endif
