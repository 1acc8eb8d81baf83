/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether ADK-Rust reads a raw part: its serde tries one kind after the other (adk-core 2.3.0, types.rs, enum Part),
 * passes over members that it does not know, and refuses the event when no kind fits.
 */
#include "format/adk/rust.h"

#include "json/value.h"
#include "json/walk.h"

typedef enum value_kind { ANY, TEXT, OPTIONAL_TEXT, BYTES, INLINE_PARTS, FILE_PARTS, RESPONSE, RESOURCE } value_kind;

enum { MOST_MEMBERS = 4 };
typedef struct member {
    const char *name;
    value_kind kind;
    bool is_required;
} member;
typedef struct shape {
    member members[MOST_MEMBERS];
} shape;

static const shape parts[] = {
    {{{"thinking", TEXT, true}, {"signature", OPTIONAL_TEXT, false}}},
    {{{"text", TEXT, true}}},
    {{{"mime_type", TEXT, true}, {"data", BYTES, true}, {"uri", OPTIONAL_TEXT, false}}},
    {{{"mime_type", TEXT, true}, {"file_uri", TEXT, true}}},
    {{{"name", TEXT, true},
      {"args", ANY, true},
      {"id", OPTIONAL_TEXT, false},
      {"thought_signature", OPTIONAL_TEXT, false}}},
    {{{"functionResponse", RESPONSE, true}, {"id", OPTIONAL_TEXT, false}}},
    {{{"server_tool_call", ANY, true}}},
    {{{"server_tool_response", ANY, true}}},
    {{{"resource", RESOURCE, true}}},
};
static const shape response = {{{"name", TEXT, true},
                                {"response", ANY, true},
                                {"inline_data", INLINE_PARTS, false},
                                {"file_data", FILE_PARTS, false}}};
static const shape resources[] = {
    {{{"uri", TEXT, true}, {"text", TEXT, true}, {"mime_type", OPTIONAL_TEXT, false}}},
    {{{"uri", TEXT, true}, {"data", BYTES, true}, {"mime_type", OPTIONAL_TEXT, false}}},
};
enum { INLINE_PART = 2, FILE_PART = 3 }; /* of the parts */

static bool are_bytes(agentchat_str json)
{
    int64_t number;
    aci_walk walk;

    if (*json.ptr != '[')
        return false;
    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk))
        if (aci_json_kind_of(walk.value) != ACI_JSON_NUMBER || !aci_json_integer(walk.value, &number) || number < 0 ||
            number > UINT8_MAX)
            return false;
    return true;
}

/* The shapes within shapes end after two: a part, its response or resource, the parts of that. */
static bool fits(value_kind kind, agentchat_str value);

static bool has_shape(const shape *wanted, agentchat_str json)
{
    uint32_t seen = 0;
    aci_walk walk;

    if (*json.ptr != '{')
        return false;
    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk))
        for (uint32_t i = 0; i < MOST_MEMBERS && wanted->members[i].name != NULL; i++)
            if (aci_adk_is_text(walk.key, wanted->members[i].name)) {
                if ((seen >> i & 1) != 0 || !fits(wanted->members[i].kind, walk.value))
                    return false;
                seen |= UINT32_C(1) << i;
            }
    for (uint32_t i = 0; i < MOST_MEMBERS && wanted->members[i].name != NULL; i++)
        if (wanted->members[i].is_required && (seen >> i & 1) == 0)
            return false;
    return true;
}

static bool are_shapes(const shape *wanted, agentchat_str json)
{
    aci_walk walk;

    if (*json.ptr != '[')
        return false;
    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk))
        if (!has_shape(wanted, walk.value))
            return false;
    return true;
}

static bool fits(value_kind kind, agentchat_str value)
{
    switch (kind) {
    case TEXT:
        return *value.ptr == '"';
    case OPTIONAL_TEXT:
        return *value.ptr == '"' || *value.ptr == 'n';
    case BYTES:
        return are_bytes(value);
    case INLINE_PARTS:
        return are_shapes(&parts[INLINE_PART], value);
    case FILE_PARTS:
        return are_shapes(&parts[FILE_PART], value);
    case RESPONSE:
        return has_shape(&response, value);
    case RESOURCE:
        return has_shape(&resources[0], value) || has_shape(&resources[1], value);
    case ANY:
        break;
    }
    return true;
}

bool aci_adk_rust_reads_part(agentchat_str json)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (has_shape(&parts[i], json))
            return true;
    return false;
}

bool aci_adk_rust_reads_list(bool of_files, agentchat_str json)
{
    return are_shapes(&parts[of_files ? FILE_PART : INLINE_PART], json);
}
