/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A conversation as Markdown (CommonMark, and what GitHub adds to it). Markup comes from here alone: what a chat says
 * stands in paragraphs in which nothing is markup, in code spans, or in fences that no line of it can end.
 */
#include "view/page.h"

#include "base/error.h"
#include "base/invisible.h"
#include "base/utf8.h"
#include "io/stream.h"
#include "view/message_text.h"
#include <agentchat/json_text.h>
#include <agentchat/view.h>
#include <stdio.h>
#include <string.h>

typedef struct writing {
    aci_html out; /* which writes bytes as they are */
    bool data;    /* images stand in the text */
    size_t depth; /* of quotations around */
} writing;

#define PUT(w, literal) aci_html_raw(&(w)->out, "" literal, sizeof(literal) - 1)
enum { DEEPEST = 8 };

/* ---- characters ------------------------------------------------------------------------------------------------- */

static bool is_word(int c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' || c == '-' || c >= 0x80;
}

/* Begins a line within what stands around it. */
static void begin_line(writing *w)
{
    for (size_t i = 0; i < w->depth; i++)
        PUT(w, "> ");
}

/* One character that is no ASCII punctuation, or any inside code. What would not be seen is shown as its number.
   Returns the bytes that it took. */
static size_t put_character(writing *w, agentchat_str text, size_t at)
{
    const unsigned char *begin = (const unsigned char *)text.ptr, *p = begin + at, *end = begin + text.len;
    uint32_t c = 0;
    size_t n = aci_utf8_decode(p, end, true, &c);
    char number[16];

    if (n == 0) {
        PUT(w, "\xEF\xBF\xBD");
        return 1;
    }
    if (c != '\t' && aci_is_invisible(c) && !aci_invisible_is_joined(begin, p, end))
        aci_html_raw(&w->out, number, (size_t)snprintf(number, sizeof number, "(U+%04X)", (unsigned)c));
    else
        aci_html_raw(&w->out, (const char *)p, n);
    return n;
}

static size_t longest_run(agentchat_str text)
{
    size_t longest = 0, run = 0;

    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void put_ticks(writing *w, size_t count)
{
    while (count-- > 0)
        PUT(w, "`");
}

/* A text of one line as code. */
static void put_code(writing *w, agentchat_str text)
{
    size_t ticks = longest_run(text) + 1;
    bool is_bare = text.len > 0 && strchr("` \r\n", text.ptr[0]) == NULL &&
                   strchr("` \r\n", text.ptr[text.len - 1]) == NULL; /* else a space on each side goes */

    put_ticks(w, ticks);
    if (!is_bare)
        PUT(w, " ");
    for (size_t i = 0; i < text.len;) {
        if (text.ptr[i] == '\n' || text.ptr[i] == '\r') {
            PUT(w, " ");
            i++;
        } else {
            i += put_character(w, text, i);
        }
    }
    if (!is_bare)
        PUT(w, " ");
    put_ticks(w, ticks);
}

/* ---- text that stays text --------------------------------------------------------------------------------------- */

static int byte_at(agentchat_str line, size_t at)
{
    return at < line.len ? (unsigned char)line.ptr[at] : -1;
}

/* Whether a sign at this byte makes a mention, a reference or an emoji of what follows, wherever text is shown. */
static bool has_meaning(agentchat_str line, size_t at)
{
    int next = byte_at(line, at + 1);
    size_t end = at + 1, digits = 0;

    if (line.ptr[at] == '#')
        return next >= '0' && next <= '9';
    if (line.ptr[at] == '@')
        return is_word(next) || (at > 0 && is_word(byte_at(line, at - 1)));
    for (; end < line.len && (is_word((unsigned char)line.ptr[end]) || line.ptr[end] == '+') && end - at < 64; end++)
        digits += line.ptr[end] >= '0' && line.ptr[end] <= '9';
    return byte_at(line, end) == ':' && (digits < end - at - 1 || digits > 2); /* no time of day */
}

static bool is_sign(int c)
{
    return c == '@' || c == '#' || c == ':';
}

/* The length of a word that becomes a link where an issue or a commit has that name: GH-26, 1a2b3c4; 0: it is none. */
static size_t reference_at(agentchat_str line, size_t at)
{
    enum { SHORTEST = 7, LONGEST = 40 };
    size_t len = 0, hex = 0, digits = 0, number = 3;

    if (at > 0 && is_word(byte_at(line, at - 1)))
        return 0;
    for (int c; len <= LONGEST && is_word(c = byte_at(line, at + len)); len++) {
        digits += c >= '0' && c <= '9';
        hex += (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }
    if (hex == len && len >= SHORTEST && len <= LONGEST && digits > 0 && (digits < len || len == LONGEST))
        return len;
    if (len <= number || !aci_utf8_equal_ignore_case((agentchat_str){line.ptr + at, number}, AGENTCHAT_STR("gh-")))
        return 0;
    while (byte_at(line, at + number) >= '0' && byte_at(line, at + number) <= '9')
        number++;
    return number == len ? len : 0;
}

/* Signs and references: as code where one has a meaning, since nothing else stops those who look for it in the text
   that is shown. Returns the bytes that it took; 0: neither stands there. */
static size_t put_marked(writing *w, agentchat_str line, size_t at)
{
    size_t end = at, signs, reference;

    do { /* two codes must not touch */
        bool means = false;

        for (signs = end; is_sign(byte_at(line, signs)); signs++)
            means = has_meaning(line, signs) || means;
        end = means ? signs : end;
        reference = reference_at(line, end);
        end += reference;
    } while (reference > 0);
    if (end > at) {
        put_code(w, (agentchat_str){line.ptr + at, end - at});
        return end - at;
    }
    for (size_t i = at; i < signs; i++) {
        if (line.ptr[i] == '#' || byte_at(line, i + 1) == '/')
            PUT(w, "\\");
        aci_html_raw(&w->out, line.ptr + i, 1);
    }
    return signs - at;
}

/* Whether a byte of ASCII could be markup: anywhere, or as the first one of a line. */
static bool is_markup(agentchat_str line, size_t at, size_t first)
{
    char c = line.ptr[at];
    size_t digits = first;

    if (strchr("\\`*_[]<>&|~$", c) != NULL)
        return true;
    if (at == first && strchr("-+=", c) != NULL)
        return true;
    if (c != '.' && c != ')')
        return false;
    while (digits < at && digits - first < 10 && line.ptr[digits] >= '0' && line.ptr[digits] <= '9')
        digits++;
    return (digits == at && at > first) ||
           (c == '.' && at >= 3 &&
            aci_utf8_equal_ignore_case((agentchat_str){line.ptr + at - 3, 3}, AGENTCHAT_STR("www")));
}

/* A line that is not empty. Spaces at its beginning, which Markdown would drop or take for code, cannot be broken. */
static void put_line(writing *w, agentchat_str line)
{
    size_t first = 0;

    while (line.len > 0 && (line.ptr[line.len - 1] == ' ' || line.ptr[line.len - 1] == '\t'))
        line.len--;
    for (; byte_at(line, first) == ' ' || byte_at(line, first) == '\t'; first++) {
        if (line.ptr[first] == ' ')
            PUT(w, "&nbsp;");
        else
            PUT(w, "&nbsp;&nbsp;&nbsp;&nbsp;");
    }
    for (size_t i = first; i < line.len;) {
        size_t marked = put_marked(w, line, i);

        if (marked > 0) {
            i += marked;
            continue;
        }
        if ((unsigned char)line.ptr[i] < 0x80 && line.ptr[i] != '\0' && is_markup(line, i, first))
            PUT(w, "\\");
        i += put_character(w, line, i);
    }
}

/* The next line of a text, without its end; false: there is none. */
static bool next_line(agentchat_str *rest, agentchat_str *line)
{
    size_t len = 0;

    if (rest->ptr == NULL)
        return false;
    while (len < rest->len && rest->ptr[len] != '\n' && rest->ptr[len] != '\r')
        len++;
    *line = (agentchat_str){rest->ptr, len};
    if (len == rest->len) {
        rest->ptr = NULL;
        return true;
    }
    len += rest->ptr[len] == '\r' && len + 1 < rest->len && rest->ptr[len + 1] == '\n' ? 2 : 1;
    *rest = (agentchat_str){rest->ptr + len, rest->len - len};
    return true;
}

static bool is_whitespace(agentchat_str line)
{
    size_t i = 0;

    while (i < line.len && (line.ptr[i] == ' ' || line.ptr[i] == '\t'))
        i++;
    return i == line.len;
}

static void end_block(writing *w)
{
    PUT(w, "\n");
    begin_line(w);
    PUT(w, "\n");
}

/* A text as paragraphs, whose lines stay lines. */
static void put_text(writing *w, agentchat_str text)
{
    bool in_paragraph = false;
    agentchat_str line;

    while (next_line(&text, &line)) {
        if (is_whitespace(line)) {
            if (in_paragraph)
                end_block(w);
            in_paragraph = false;
            continue;
        }
        if (in_paragraph)
            PUT(w, "\\\n");
        begin_line(w);
        put_line(w, line);
        in_paragraph = true;
    }
    if (in_paragraph)
        end_block(w);
}

/* A text on the line that was begun. */
static void put_words(writing *w, agentchat_str text)
{
    agentchat_str line;
    bool is_first = true;

    while (next_line(&text, &line)) {
        if (is_whitespace(line))
            continue;
        if (!is_first)
            PUT(w, " ");
        put_line(w, line);
        is_first = false;
    }
}

/* ---- blocks of code --------------------------------------------------------------------------------------------- */

static void put_fence(writing *w, agentchat_str text, const char *language)
{
    size_t ticks = longest_run(text) + 1;
    agentchat_str line;

    ticks = ticks < 3 ? 3 : ticks;
    begin_line(w);
    put_ticks(w, ticks);
    aci_html_raw(&w->out, language, strlen(language));
    PUT(w, "\n");
    while (next_line(&text, &line)) {
        begin_line(w);
        for (size_t i = 0; i < line.len;)
            i += put_character(w, line, i);
        PUT(w, "\n");
    }
    begin_line(w);
    put_ticks(w, ticks);
    end_block(w);
}

/* A string as its text, any other value as JSON. */
static void put_json(writing *w, agentchat_str json)
{
    agentchat_bytes text = {NULL, 0, 0, w->out.env};

    if (w->out.status >= 0)
        w->out.status = *json.ptr == '"' ? agentchat_json_decode(w->out.env, json, &text, w->out.err)
                                         : aci_message_text_of_json(json, w->out.env, &text, w->out.err);
    if (w->out.status >= 0)
        put_fence(w, aci_text_of(&text), *json.ptr == '"' ? "" : "json");
    agentchat_bytes_clear(&text);
}

/* ---- links ------------------------------------------------------------------------------------------------------ */

static bool is_link(agentchat_str uri)
{
    static const agentchat_str schemes[] = {{"https://", 8}, {"http://", 7}};

    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (uri.len > schemes[i].len &&
            aci_utf8_equal_ignore_case((agentchat_str){uri.ptr, schemes[i].len}, schemes[i]))
            return true;
    return false;
}

/* The target of a link, in which nothing ends it or is an entity. */
static void put_target(writing *w, agentchat_str uri)
{
    char escaped[4];

    PUT(w, "(<");
    for (size_t i = 0; i < uri.len; i++) {
        unsigned char c = (unsigned char)uri.ptr[i];

        if (c <= ' ' || c >= 0x7F || c == '<' || c == '>' || c == '\\')
            aci_html_raw(&w->out, escaped, (size_t)snprintf(escaped, sizeof escaped, "%%%02X", c));
        else if (c == '&')
            PUT(w, "&amp;");
        else
            aci_html_raw(&w->out, uri.ptr + i, 1);
    }
    PUT(w, ">)");
}

/* Words that lead to an address; any that is no link stands beside them. */
static void put_link(writing *w, agentchat_str words, agentchat_str uri)
{
    bool leads = aci_page_has(uri) && is_link(uri);

    if (leads)
        PUT(w, "[");
    put_words(w, words);
    if (leads) {
        PUT(w, "]");
        put_target(w, uri);
    } else if (aci_page_has(uri)) {
        PUT(w, " ");
        put_code(w, uri);
    }
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

static agentchat_str field(const agentchat_item *item, agentchat_field id)
{
    return agentchat_item_get(item, id);
}

/* What an item is, at the beginning of its paragraph. */
static void put_label(writing *w, const char *label)
{
    begin_line(w);
    PUT(w, "**");
    aci_html_raw(&w->out, label, strlen(label));
    PUT(w, "**");
}

static void put_call(writing *w, const agentchat_item *item)
{
    agentchat_str plugin = field(item, AGENTCHAT_FIELD_PLUGIN), function = field(item, AGENTCHAT_FIELD_FUNCTION),
                  id = field(item, AGENTCHAT_FIELD_CALL_ID), arguments = field(item, AGENTCHAT_FIELD_ARGUMENTS);

    put_label(w, "Call");
    PUT(w, " ");
    if (aci_page_has(plugin) && plugin.len > 0) {
        put_words(w, plugin);
        PUT(w, ".");
    }
    put_words(w, aci_page_has(function) ? function : AGENTCHAT_STR("(no name)"));
    if (aci_page_has(id)) {
        PUT(w, " ");
        put_code(w, id);
    }
    end_block(w);
    if (aci_page_has(arguments))
        put_json(w, arguments);
}

static void put_items(writing *w, const agentchat_message *message);

static void put_result(writing *w, const agentchat_item *item)
{
    agentchat_str id = field(item, AGENTCHAT_FIELD_CALL_ID), value = field(item, AGENTCHAT_FIELD_RESULT),
                  failed = field(item, AGENTCHAT_FIELD_FAILED);

    put_label(w, aci_page_has(failed) && *failed.ptr == 't' ? "Result (failed)" : "Result");
    if (aci_page_has(id)) {
        PUT(w, " ");
        put_code(w, id);
    }
    end_block(w);
    if (aci_page_has(value))
        put_json(w, value);
    if (item->u.message != NULL)
        put_items(w, item->u.message);
}

static void put_media(writing *w, const agentchat_item *item, const char *kind)
{
    agentchat_str mime_type = field(item, AGENTCHAT_FIELD_MIME_TYPE), uri = field(item, AGENTCHAT_FIELD_URI);
    const char *shown = item->kind == AGENTCHAT_ITEM_IMAGE ? aci_page_image_type(mime_type) : NULL;
    const aci_data *data = item->kind == AGENTCHAT_ITEM_FILE ? NULL : aci_data_of(item);
    char words[40];

    if (item->kind == AGENTCHAT_ITEM_FILE)
        uri = field(item, AGENTCHAT_FIELD_FILE_ID);
    begin_line(w);
    if (data != NULL && shown != NULL && w->data) {
        PUT(w, "![image](data:");
        aci_html_raw(&w->out, shown, strlen(shown));
        PUT(w, ";base64,");
        aci_page_base64(&w->out, data);
        PUT(w, ")");
        end_block(w);
        return;
    }
    put_link(w, agentchat_str_from(kind), uri);
    if (aci_page_has(mime_type)) {
        PUT(w, ", ");
        put_words(w, mime_type);
    }
    if (data != NULL)
        aci_html_raw(&w->out, words,
                     (size_t)snprintf(words, sizeof words, ", %zu bytes", agentchat_item_data_size(item)));
    end_block(w);
}

static void put_annotation(writing *w, const agentchat_item *item)
{
    agentchat_str title = field(item, AGENTCHAT_FIELD_TITLE), label = field(item, AGENTCHAT_FIELD_LABEL);

    put_label(w, "Source");
    PUT(w, " ");
    put_link(w,
             aci_page_has(title)   ? title
             : aci_page_has(label) ? label
                                   : AGENTCHAT_STR("reference"),
             field(item, AGENTCHAT_FIELD_REFERENCE_ID));
    end_block(w);
}

static void put_opaque(writing *w, const agentchat_item *item)
{
    agentchat_str from = field(item, AGENTCHAT_FIELD_FROM), type = field(item, AGENTCHAT_FIELD_TYPE),
                  raw = field(item, AGENTCHAT_FIELD_RAW);

    put_label(w, "Other");
    PUT(w, " ");
    put_words(w, aci_page_has(type) ? type : AGENTCHAT_STR("item"));
    if (aci_page_has(from)) {
        PUT(w, " ");
        put_code(w, from);
    }
    end_block(w);
    if (aci_page_has(raw))
        put_json(w, raw);
}

/* Quoted: reasoning, and a message in a message. */
static void put_quoted(writing *w, const char *label, agentchat_str text, const agentchat_message *message)
{
    bool deeper = w->depth < DEEPEST;

    w->depth += deeper;
    put_label(w, label);
    end_block(w);
    if (aci_page_has(text))
        put_text(w, text);
    if (message != NULL)
        put_items(w, message);
    w->depth -= deeper;
    PUT(w, "\n");
}

static void put_item(writing *w, const agentchat_item *item)
{
    agentchat_str none = {NULL, 0};

    switch ((agentchat_item_kind)item->kind) {
    case AGENTCHAT_ITEM_TEXT:
    case AGENTCHAT_ITEM_ACTION:
        put_text(w, field(item, AGENTCHAT_FIELD_TEXT));
        break;
    case AGENTCHAT_ITEM_REASONING:
        put_quoted(w, "Reasoning", field(item, AGENTCHAT_FIELD_TEXT), NULL);
        break;
    case AGENTCHAT_ITEM_CALL:
        put_call(w, item);
        break;
    case AGENTCHAT_ITEM_RESULT:
        put_result(w, item);
        break;
    case AGENTCHAT_ITEM_IMAGE:
        put_media(w, item, "image");
        break;
    case AGENTCHAT_ITEM_AUDIO:
        put_media(w, item, "sound");
        break;
    case AGENTCHAT_ITEM_BINARY:
    case AGENTCHAT_ITEM_FILE:
        put_media(w, item, "file");
        break;
    case AGENTCHAT_ITEM_ANNOTATION:
        put_annotation(w, item);
        break;
    case AGENTCHAT_ITEM_MESSAGE:
        put_quoted(w, "Message", none, item->u.message);
        break;
    case AGENTCHAT_ITEM_OPAQUE:
        put_opaque(w, item);
        break;
    case AGENTCHAT_ITEM_MAX_:
        break;
    }
}

static void put_items(writing *w, const agentchat_message *message)
{
    for (size_t i = 0; i < message->item_count && w->out.status >= 0; i++)
        put_item(w, message->items[i]);
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

static void put_message(writing *w, const agentchat_message *message)
{
    agentchat_str role = agentchat_message_role(message), name = agentchat_message_get(message, AGENTCHAT_FIELD_NAME),
                  time = agentchat_message_get(message, AGENTCHAT_FIELD_TIME),
                  model = agentchat_message_get(message, AGENTCHAT_FIELD_MODEL_ID);

    PUT(w, "## ");
    put_words(w, aci_page_has(role) && role.len > 0 ? role : AGENTCHAT_STR("message"));
    if (aci_page_has(name) && name.len > 0) {
        PUT(w, " ");
        put_words(w, name);
    }
    PUT(w, "\n\n");
    if (aci_page_has(time) || aci_page_has(model)) {
        if (aci_page_has(time))
            put_code(w, time);
        if (aci_page_has(time) && aci_page_has(model))
            PUT(w, " ");
        if (aci_page_has(model))
            put_code(w, model);
        PUT(w, "\n\n");
    }
    put_items(w, message);
}

void agentchat_markdown_options_init(agentchat_markdown_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_snapshot_write_markdown(const agentchat_snapshot *snapshot, agentchat_sink *sink,
                                                   const agentchat_markdown_options *options, agentchat_error *err)
{
    agentchat_markdown_options given;
    agentchat_status status;
    writing w;

    agentchat_error_clear(err);
    if (snapshot == NULL || sink == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "snapshot and sink are required");
    status = aci_env_options_load(&given, sizeof given, options, err);
    if (status >= 0 && !aci_utf8_is_valid(given.title, false))
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the title is not UTF-8");
    w = (writing){.data = given.data};
    if (status < 0 || (status = aci_html_begin(&w.out, snapshot->env, sink, err)) < 0)
        return status;
    PUT(&w, "# ");
    put_words(&w, aci_page_title(given.title, "Chat"));
    PUT(&w, "\n\n");
    for (size_t i = 0; i < snapshot->history.count && w.out.status >= 0; i++) {
        const agentchat_message *message = agentchat_messages_at(&snapshot->history, i);

        if ((message->flags & ACI_MESSAGE_IS_NULL) == 0)
            put_message(&w, message);
    }
    status = aci_html_end(&w.out);
    return status >= 0 ? aci_sink_commit(sink, err) : status;
}
