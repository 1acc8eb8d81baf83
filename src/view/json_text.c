/* SPDX-License-Identifier: Apache-2.0 */
#include "view/json_text.h"

#include "base/invisible.h"
#include "base/utf8.h"
#include <agentchat/json_text.h>

enum { DEEPEST_INDENT = 24 }; /* so that deep nesting costs no more than its size */

/* ---- strings -------------------------------------------------------------------------------------------------- */

void aci_view_json_string(aci_html *h, agentchat_str json)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;

    if (agentchat_json_decode(h->env, json, &text, NULL) >= 0)
        aci_html_text(h, (agentchat_str){text.ptr, text.len});
    else
        aci_html_fail(h, AGENTCHAT_E_NOMEM, "out of memory");
    agentchat_bytes_clear(&text);
}

/* Whether an escape is shown as what it stands for: a letter that a writer had escaped. */
static bool is_letter(agentchat_str escape, uint32_t code_point)
{
    return escape.len >= 6 && code_point != '"' && code_point != '\\' && !aci_is_invisible(code_point);
}

/* A scalar or a part of one. */
static void put_scalar(aci_html *h, agentchat_str text)
{
    agentchat_str rest = text, part;
    const char *from = text.ptr;
    uint32_t code_point;

    while (agentchat_json_string_part(&rest, &part, &code_point)) {
        char bytes[4];

        if (code_point == UINT32_MAX || !is_letter(part, code_point))
            continue;
        aci_html_text(h, (agentchat_str){from, (size_t)(part.ptr - from)});
        aci_html_text(h, (agentchat_str){bytes, aci_utf8_encode(code_point, bytes)});
        from = rest.ptr;
    }
    aci_html_text(h, (agentchat_str){from, (size_t)(rest.ptr - from)});
}

/* ---- indented ------------------------------------------------------------------------------------------------- */

static void new_line(aci_html *h, size_t depth)
{
    ACI_HTML(h, "\n");
    for (size_t i = 0; i < depth && i < DEEPEST_INDENT; i++)
        ACI_HTML(h, "  ");
}

/* Whether a comma stands between two steps. */
static bool is_separated(agentchat_json_step before, agentchat_json_step step)
{
    return (before == AGENTCHAT_JSON_SCALAR || before == AGENTCHAT_JSON_CLOSE) && step != AGENTCHAT_JSON_CLOSE;
}

void aci_view_json(aci_html *h, agentchat_str json)
{
    agentchat_json_step step, before = AGENTCHAT_JSON_END;
    agentchat_json_walk walk;
    size_t depth = 0;

    agentchat_json_walk_begin(&walk, json);
    for (; h->status >= 0 && (step = agentchat_json_walk_step(&walk)) != AGENTCHAT_JSON_END; before = step) {
        depth -= step == AGENTCHAT_JSON_CLOSE && depth > 0;
        if (is_separated(before, step))
            ACI_HTML(h, ",");
        if (before != AGENTCHAT_JSON_END && (step != AGENTCHAT_JSON_CLOSE || before != AGENTCHAT_JSON_OPEN))
            new_line(h, depth);
        if (walk.key.ptr != NULL) {
            put_scalar(h, walk.key);
            ACI_HTML(h, ": ");
        }
        put_scalar(h, walk.value);
        depth += step == AGENTCHAT_JSON_OPEN;
    }
}

/* ---- in short ------------------------------------------------------------------------------------------------- */

/* The beginning of a scalar up to the end of the character or escape that reaches `most` bytes. */
static agentchat_str cut_scalar(agentchat_str text, size_t most)
{
    agentchat_str rest = text, part;
    uint32_t code_point;
    size_t len = 0;

    while (len < most && agentchat_json_string_part(&rest, &part, &code_point))
        len += code_point == UINT32_MAX && part.len > most - len ? most - len : part.len;
    while (len < text.len && ((unsigned char)text.ptr[len] & 0xC0) == 0x80)
        len++;
    return (agentchat_str){text.ptr, len};
}

/* A token, as much of it as fits. false: it was cut. */
static bool put_fitting(aci_html *h, agentchat_str token, size_t *most)
{
    agentchat_str shown = token.len > *most ? cut_scalar(token, *most) : token;

    put_scalar(h, shown);
    *most -= shown.len < *most ? shown.len : *most;
    return shown.len == token.len;
}

/* A comma or colon. */
static bool put_mark(aci_html *h, const char *mark, size_t *most)
{
    if (*most == 0)
        return false;
    aci_html_raw(h, mark, 1);
    ACI_HTML(h, " ");
    --*most;
    return true;
}

/* A name with its colon, without its quotes when it is bare. */
static bool put_key(aci_html *h, agentchat_str key, bool bare, size_t *most)
{
    if (bare)
        key = (agentchat_str){key.ptr + 1, key.len - 2};
    return *most > 0 && put_fitting(h, key, most) && put_mark(h, ":", most);
}

/* The rest of a walk, `most` bytes of it. bare: without the closing bracket and the quotes of the outermost names. */
static void put_short(aci_html *h, agentchat_json_walk *walk, size_t most, bool bare)
{
    agentchat_json_step step, before = AGENTCHAT_JSON_END;
    bool fits = true;
    size_t depth = 0;

    for (; h->status >= 0 && fits && (step = agentchat_json_walk_step(walk)) != AGENTCHAT_JSON_END; before = step) {
        if (step == AGENTCHAT_JSON_CLOSE && depth == 0)
            return;
        depth -= step == AGENTCHAT_JSON_CLOSE;
        fits = !is_separated(before, step) || put_mark(h, ",", &most);
        if (fits && walk->key.ptr != NULL)
            fits = put_key(h, walk->key, bare && depth == 0, &most);
        fits = fits && most > 0 && put_fitting(h, walk->value, &most);
        depth += step == AGENTCHAT_JSON_OPEN;
    }
    if (!fits)
        ACI_HTML(h, "\xE2\x80\xA6");
}

void aci_view_json_short(aci_html *h, agentchat_str json, size_t most)
{
    agentchat_json_walk walk;

    agentchat_json_walk_begin(&walk, json);
    put_short(h, &walk, most, false);
}

void aci_view_json_members_short(aci_html *h, agentchat_str json, size_t most)
{
    agentchat_json_walk walk;
    bool is_object;

    agentchat_json_walk_begin(&walk, json);
    is_object = agentchat_json_walk_step(&walk) == AGENTCHAT_JSON_OPEN && *walk.value.ptr == '{';
    if (!is_object)
        agentchat_json_walk_begin(&walk, json);
    put_short(h, &walk, most, is_object);
}
