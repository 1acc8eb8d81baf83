/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/json/print.h"
#include "base/invisible.h"
#include "base/utf8.h"
#include "cli/text/put.h"
#include <agentchat/json_text.h>

/* A scalar or bracket. Some writers, .NET's among them, escape every letter beyond ASCII and much within; a person
   reads letters. What needs its escape keeps it. */
static void put_token(FILE *out, agentchat_str text)
{
    uint32_t code_point;
    agentchat_str part;

    while (agentchat_json_string_part(&text, &part, &code_point)) {
        bool by_number = code_point != UINT32_MAX && part.len >= 6;
        char bytes[4];
        size_t len;

        if (by_number && (code_point == '"' || code_point == '\\')) {
            (void)fprintf(out, "\\%c", (int)code_point);
        } else if (by_number && !aci_is_invisible(code_point)) {
            len = aci_utf8_encode(code_point, bytes);
            (void)fwrite(bytes, 1, len, out);
        } else {
            (void)fwrite(part.ptr, 1, part.len, out);
        }
    }
}

/* A comma or colon, and a space where whitespace stands in the text up to the next token. */
static void put_mark(FILE *out, char mark, const char *from, const char *to)
{
    bool spaced = false;

    for (; from < to; from++)
        spaced = spaced || (*from != ',' && *from != ':');
    (void)fputc(mark, out);
    if (spaced)
        (void)fputc(' ', out);
}

static bool is_separated(agentchat_json_step before, agentchat_json_step step)
{
    return (before == AGENTCHAT_JSON_SCALAR || before == AGENTCHAT_JSON_CLOSE) && step != AGENTCHAT_JSON_CLOSE;
}

void cli_json_one_line(FILE *out, agentchat_str json)
{
    agentchat_json_step step, before = AGENTCHAT_JSON_END;
    agentchat_json_walk walk;
    const char *after = json.ptr;

    agentchat_json_walk_begin(&walk, json);
    for (; (step = agentchat_json_walk_step(&walk)) != AGENTCHAT_JSON_END; before = step) {
        if (is_separated(before, step))
            put_mark(out, ',', after, walk.key.ptr != NULL ? walk.key.ptr : walk.value.ptr);
        if (walk.key.ptr != NULL) {
            put_token(out, walk.key);
            put_mark(out, ':', walk.key.ptr + walk.key.len, walk.value.ptr);
        }
        put_token(out, walk.value);
        after = walk.value.ptr + walk.value.len;
    }
}

enum { DEEPEST_INDENT = 20 }; /* deeper, lines stand below each other: not each of them is longer than all the text */

static void new_line(FILE *out, size_t depth)
{
    (void)fputc('\n', out);
    cli_put_spaces(out, 2 * (depth < DEEPEST_INDENT ? depth : DEEPEST_INDENT));
}

void cli_json_indented(FILE *out, agentchat_str json)
{
    agentchat_json_step step, before = AGENTCHAT_JSON_END;
    agentchat_json_walk walk;
    size_t depth = 0;

    agentchat_json_walk_begin(&walk, json);
    for (; (step = agentchat_json_walk_step(&walk)) != AGENTCHAT_JSON_END; before = step) {
        depth -= step == AGENTCHAT_JSON_CLOSE && depth > 0;
        if (is_separated(before, step))
            (void)fputc(',', out);
        if (before != AGENTCHAT_JSON_END && (step != AGENTCHAT_JSON_CLOSE || before != AGENTCHAT_JSON_OPEN))
            new_line(out, depth);
        if (walk.key.ptr != NULL) {
            put_token(out, walk.key);
            (void)fputs(": ", out);
        }
        put_token(out, walk.value);
        depth += step == AGENTCHAT_JSON_OPEN;
    }
}
