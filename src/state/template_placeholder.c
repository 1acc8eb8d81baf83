/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a template has placeholders, in each of the dialects. docs/templates.md has the rules.
 *
 * No byte is looked at more often than a fixed number of times: what is inside a placeholder has no brace, so a search
 * that fails ends before the next one can begin.
 */
#include "state/template.h"

#include "base/error.h"
#include "base/utf8.h"
#include <string.h>

enum { ARTIFACT_PREFIX_LEN = sizeof ACI_ARTIFACT_PREFIX - 1 };

static agentchat_str part(agentchat_str text, size_t begin, size_t end)
{
    return (agentchat_str){text.ptr + begin, end - begin};
}

/* The next opening brace, or the length of the text. */
static size_t next_brace(agentchat_str text, size_t from)
{
    const char *found = from < text.len ? memchr(text.ptr + from, '{', text.len - from) : NULL;

    return found != NULL ? (size_t)(found - text.ptr) : text.len;
}

static bool is_at(agentchat_str text, size_t at, char byte)
{
    return at < text.len && text.ptr[at] == byte;
}

/* Takes the mark of an optional placeholder off. */
static bool take_mark(agentchat_str *name)
{
    if (name->len == 0 || name->ptr[name->len - 1] != '?')
        return false;
    name->len--;
    return true;
}

static bool take_artifact(agentchat_str *name)
{
    if (name->len < ARTIFACT_PREFIX_LEN || memcmp(name->ptr, ACI_ARTIFACT_PREFIX, ARTIFACT_PREFIX_LEN) != 0)
        return false;
    *name = part(*name, ARTIFACT_PREFIX_LEN, name->len);
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- ours ----------------------------------------------------------------------------------------------------- */

/* What stands in examples of code and text, and in no key that a template names. */
static const char no_part_of_names[] = ",!<>=;";

/* Whether a character, or one at either end alone, is whitespace of any kind. text is UTF-8. */
static bool has_space(agentchat_str text, bool inside)
{
    const unsigned char *p = (const unsigned char *)text.ptr, *begin = p, *end = p + text.len;

    while (p < end) {
        size_t len = aci_utf8_char(p, end, false);

        if ((inside || p == begin || p + len == end) && aci_utf8_is_whitespace((agentchat_str){(const char *)p, len}))
            return true;
        p += len;
    }
    return false;
}

/* Whether a placeholder may be about this: a key, whatever its length, or a key and a path. */
static bool is_name(agentchat_str name)
{
    agentchat_str rest, artifact = name;

    (void)aci_key_scope(name, &rest);
    if (take_artifact(&artifact))
        return !has_space(name, false);
    if (rest.len == 0 || is_digit(*rest.ptr) || has_space(name, true))
        return false;
    for (size_t i = 0; i < rest.len; i++)
        if (memchr(no_part_of_names, rest.ptr[i], sizeof no_part_of_names - 1) != NULL ||
            (rest.ptr[i] == ':' && i + 1 < rest.len && is_digit(rest.ptr[i + 1])))
            return false;
    return true;
}

/* The end of the inside of a placeholder that begins at `from`, where its closing brace stands; 0 when it is none. */
static size_t inside_end(agentchat_str text, size_t from, aci_template_placeholder *placeholder)
{
    size_t at = from;

    while (at < text.len && (unsigned char)text.ptr[at] >= 0x20 && text.ptr[at] != 0x7F &&
           strchr("{}\"'", text.ptr[at]) == NULL)
        at++;
    if (!is_at(text, at, '}'))
        return 0;
    placeholder->name = part(text, from, at);
    placeholder->optional = take_mark(&placeholder->name);
    return is_name(placeholder->name) ? at : 0;
}

/* The placeholder that begins with the brace at `at`. */
static bool native_placeholder(agentchat_str text, size_t at, aci_template_placeholder *placeholder)
{
    bool is_double = is_at(text, at + 1, '{');
    size_t end = inside_end(text, at + (is_double ? 2 : 1), placeholder);

    if (end == 0 || (is_double && !is_at(text, end + 1, '}')))
        return false;
    placeholder->begin = at;
    if (is_double) {
        placeholder->kind = ACI_PLACEHOLDER_TEXT;
        placeholder->name = part(text, at + 1, end + 1);
        placeholder->end = end + 2;
    } else {
        agentchat_str name = placeholder->name;

        placeholder->kind = take_artifact(&name) && name.len > 0 ? ACI_PLACEHOLDER_ARTIFACT : ACI_PLACEHOLDER_KEY;
        if (placeholder->kind == ACI_PLACEHOLDER_ARTIFACT)
            placeholder->name = name;
        placeholder->end = end + 1;
    }
    return true;
}

static bool next_native(agentchat_str text, size_t from, aci_template_placeholder *placeholder)
{
    for (size_t at = next_brace(text, from); at < text.len; at = next_brace(text, at + 1))
        if (native_placeholder(text, at, placeholder))
            return true;
    return false;
}

/* ---- adk-rust ------------------------------------------------------------------------------------------------- */

static bool is_ascii_identifier(agentchat_str text)
{
    if (text.len == 0 || !is_letter(text.ptr[0]))
        return false;
    for (size_t i = 1; i < text.len; i++)
        if (!is_letter(text.ptr[i]) && !is_digit(text.ptr[i]))
            return false;
    return true;
}

static const char *refused_by_rust(agentchat_str artifact)
{
    if (artifact.len == 0)
        return "an artifact's placeholder must include a file name";
    for (size_t i = 1; i < artifact.len; i++)
        if (artifact.ptr[i - 1] == '.' && artifact.ptr[i] == '.')
            return "an artifact's name must not have \"..\" in it";
    return NULL;
}

/* A name that was found between braces: whether it is that of a placeholder. */
static bool rust_name(aci_template_placeholder *placeholder)
{
    agentchat_str rest;

    placeholder->optional = take_mark(&placeholder->name);
    if (take_artifact(&placeholder->name)) {
        placeholder->kind = ACI_PLACEHOLDER_ARTIFACT;
        placeholder->refused = refused_by_rust(placeholder->name);
        return true;
    }
    placeholder->kind = ACI_PLACEHOLDER_KEY;
    (void)aci_key_scope(placeholder->name, &rest);
    return is_ascii_identifier(rest);
}

static bool next_rust(agentchat_str text, size_t from, aci_template_placeholder *placeholder)
{
    size_t at, end;

    for (at = next_brace(text, from); at < text.len; at = next_brace(text, at + 1)) {
        end = at + 1;
        if (end == text.len || !is_letter(text.ptr[end]))
            continue;
        while (end < text.len &&
               (is_letter(text.ptr[end]) || is_digit(text.ptr[end]) || is_at(text, end, ':') || is_at(text, end, '.')))
            end++;
        if (is_at(text, end, '?'))
            end++;
        if (!is_at(text, end, '}'))
            continue;
        placeholder->begin = at;
        placeholder->end = end + 1;
        placeholder->name = part(text, at + 1, end);
        if (rust_name(placeholder))
            return true;
    }
    return false;
}

/* ---- adk-python ----------------------------------------------------------------------------------------------- */

static bool is_python_whitespace(agentchat_str character)
{
    return aci_utf8_is_whitespace(character) || (character.ptr[0] >= 0x1C && character.ptr[0] <= 0x1F);
}

static agentchat_str strip(agentchat_str text)
{
    size_t begin = 0, end = text.len;

    while (begin < end) {
        const unsigned char *p = (const unsigned char *)text.ptr;
        size_t len = aci_utf8_char(p + begin, p + end, false);

        if (!is_python_whitespace(part(text, begin, begin + len)))
            break;
        begin += len;
    }
    while (end > begin) {
        size_t last = end - 1;

        while (last > begin && ((unsigned char)text.ptr[last] & 0xC0u) == 0x80u)
            last--;
        if (!is_python_whitespace(part(text, last, end)))
            break;
        end = last;
    }
    return part(text, begin, end);
}

/* What stands between braces: whether it is a placeholder. */
static bool python_name(aci_template_placeholder *placeholder)
{
    agentchat_str rest;

    placeholder->name = strip(placeholder->name);
    placeholder->optional = take_mark(&placeholder->name);
    if (take_artifact(&placeholder->name)) {
        placeholder->kind = ACI_PLACEHOLDER_ARTIFACT;
        return true;
    }
    placeholder->kind = ACI_PLACEHOLDER_KEY;
    (void)aci_key_scope(placeholder->name, &rest);
    return aci_template_python_is_identifier(rest);
}

static bool is_escaped(agentchat_str text, size_t at)
{
    return at > 0 && (text.ptr[at - 1] == '$' || text.ptr[at - 1] == '\\');
}

/* Any number of braces, what is no brace, any number of braces. A dollar sign or a backslash before them makes them
   text, itself included. */
static bool next_python(agentchat_str text, size_t from, aci_template_placeholder *placeholder)
{
    size_t at = next_brace(text, from);

    while (at < text.len) {
        size_t begin = at, inside, end;

        while (is_at(text, at, '{'))
            at++;
        inside = at;
        while (at < text.len && text.ptr[at] != '{' && text.ptr[at] != '}')
            at++;
        end = at;
        while (is_at(text, at, '}'))
            at++;
        if (at > end && !is_escaped(text, begin)) {
            placeholder->begin = begin;
            placeholder->end = at;
            placeholder->name = part(text, inside, end);
            if (python_name(placeholder))
                return true;
        }
        at = next_brace(text, at);
    }
    return false;
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

bool aci_template_placeholder_next(agentchat_template_dialect dialect, agentchat_str text, size_t from,
                                   aci_template_placeholder *placeholder)
{
    placeholder->refused = NULL;
    switch (dialect) {
    case AGENTCHAT_TEMPLATE_ADK_RUST:
        return next_rust(text, from, placeholder);
    case AGENTCHAT_TEMPLATE_ADK_PYTHON:
        return next_python(text, from, placeholder);
    case AGENTCHAT_TEMPLATE_AGENTCHAT:
    case AGENTCHAT_TEMPLATE_MAX_:
        break;
    }
    return next_native(text, from, placeholder);
}
