/* SPDX-License-Identifier: Apache-2.0 */
/* JSON lines: text is put around them and commas between, and the format's own reader does the rest. */
#include "format/lines.h"

#include "base/error.h"
#include "format/detect.h"
#include "format/detect_kind.h"
#include "format/event_io.h"
#include "format/kit/buffer_sink.h"
#include "format/kit/layout.h"
#include "format/kit/look.h"
#include "format/registry.h"
#include "io/stream.h"
#include "json/value.h"
#include "json/walk.h"
#include <string.h>

enum { LARGEST_ALONE = 1 << 20 }; /* bytes of a message that is read by itself: others are looked at once */

/* ---- what they are ---------------------------------------------------------------------------------------------- */

/* The second line is looked at first: of other documents it hardly begins with an object, so that nothing is read
   twice. */
bool aci_lines_are(const char *data, size_t len)
{
    aci_look look = aci_look_begin(data, len), next;
    const char *end;

    if (aci_look_kind(&look) != '{' || (end = memchr(look.p, '\n', (size_t)(look.end - look.p))) == NULL)
        return false;
    next = (aci_look){end, look.end};
    look.end = end;
    return aci_look_kind(&next) == '{' && aci_look_skip(&look) && aci_look_kind(&look) == '\0' && look.p == end;
}

/* The first object of lines or of an array. */
static agentchat_str first_object(aci_look look)
{
    agentchat_str object = {look.p, 0};

    if (aci_look_kind(&look) == '{') {
        object.ptr = look.p;
        object.len = aci_look_skip(&look) ? (size_t)(look.p - object.ptr) : 0;
    }
    return object;
}

static bool has_member(agentchat_str object, const char *wanted, char kind, aci_look *value)
{
    aci_look look = {object.ptr, object.ptr + object.len};
    agentchat_str name;

    if (!aci_look_take(&look, '{'))
        return false;
    while (aci_look_member(&look, &name)) {
        *value = look;
        if (aci_look_means(name, wanted))
            return aci_look_kind(value) == kind;
        if (!aci_look_skip(&look))
            break;
    }
    return false;
}

/* A message as the native format has it: with a role that is a text, and items that have a type. */
static bool is_native(agentchat_str object)
{
    aci_look value, item;
    agentchat_str first;

    if (!has_member(object, "role", '"', &value) || !has_member(object, "items", '[', &value))
        return false;
    (void)aci_look_take(&value, '[');
    first = first_object(value);
    return first.len == 0 ? aci_look_kind(&value) == ']' : has_member(first, "type", '"', &item);
}

/* Whether an object is an event, and of which format. */
static agentchat_status find_event(const aci_read *in, agentchat_str object, const aci_format **format,
                                   agentchat_error *err)
{
    agentchat_str span;

    *format = NULL;
    if (object.len == 0 || aci_json_check(in->env, object, UINT32_MAX / 2, &span, NULL, NULL) < 0 ||
        aci_detect_kind(span) != ACI_DETECTED_EVENT)
        return AGENTCHAT_OK;
    return aci_event_detect(in->env, span, format, err);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static agentchat_status fail_at(const aci_read *in, const char *where, agentchat_error *err)
{
    if (err != NULL)
        aci_error_at_offset(err, (agentchat_str){in->data, in->len}, (uint64_t)(where - in->data));
    return AGENTCHAT_E_SYNTAX;
}

/* Puts commas where a line ends and another one follows. */
static agentchat_status join(const aci_read *in, char *text, agentchat_error *err)
{
    aci_look look = aci_look_begin(in->data, in->len);
    const char *line_end = in->data;

    (void)aci_look_kind(&look);
    for (size_t complete = 0; look.p < look.end; complete++) {
        const char *begin = look.p;

        if (line_end == NULL || *begin != '{') {
            aci_fail(err, AGENTCHAT_E_SYNTAX,
                     line_end == NULL ? "expected the end of the line after its value"
                                      : "expected an object on each line");
            return fail_at(in, begin, err);
        }
        if (!aci_look_skip(&look)) {
            aci_fail(err, AGENTCHAT_E_SYNTAX, "the last line is cut off; the %zu before it %s complete", complete,
                     complete == 1 ? "is" : "are");
            return fail_at(in, begin, err);
        }
        begin = look.p;
        (void)aci_look_kind(&look);
        line_end = memchr(begin, '\n', (size_t)(look.p - begin));
        if (look.p < look.end && line_end != NULL)
            text[line_end - in->data] = ',';
    }
    return AGENTCHAT_OK;
}

/* The document with text around it, in the arena. */
static agentchat_status wrap(aci_read *in, const char *before, const char *after, bool is_lines, aci_lines *out,
                             agentchat_error *err)
{
    size_t head = strlen(before), tail = strlen(after), mark = 0;
    aci_look look = aci_look_begin(in->data, in->len);
    agentchat_status status;
    char *text;

    mark = (size_t)(look.p - in->data);
    text = aci_arena_alloc(in->arena, head + in->len + tail + ACI_READ_PADDING);
    if (text == NULL)
        return aci_fail_nomem(err);
    memcpy(text + head, in->data, in->len);
    status = is_lines ? join(in, text + head, err) : AGENTCHAT_OK;
    if (status < 0)
        return status;
    memset(text + head, ' ', mark);
    memcpy(text, before, head);
    memcpy(text + head + in->len, after, tail);
    memset(text + head + in->len + tail, 0, ACI_READ_PADDING);
    out->given = (agentchat_str){in->data, in->len};
    out->before = head;
    in->data = text;
    in->len += head + tail;
    return AGENTCHAT_OK;
}

/* Whether some format knows a document as it is. */
static bool is_known(const aci_read *in)
{
    aci_candidates candidates;
    size_t count;
    const aci_format *const *formats = aci_registry_all(&count);

    aci_detect(formats, count, in->data, in->len, &candidates);
    return candidates.count > 0;
}

/* Whether an object, after which another one stands, is a message or an item, or at least no document. */
static bool can_be_line(const aci_read *in, agentchat_str object)
{
    aci_look value;

    return has_member(object, "role", '"', &value) || has_member(object, "type", '"', &value) ||
           (!has_member(object, "events", '[', &value) && !is_known(in)); /* nor the file of a session */
}

/* Whether the first name in an object is a message's, and so hardly a document's, of which no more is looked at. */
static bool may_be_message(aci_look look)
{
    static const char *const names[] = {"role", "content", "name", "items", "tool_calls", "tool_call_id"};
    agentchat_str name;
    bool may = false;

    if (!aci_look_take(&look, '{') || !aci_look_member(&look, &name))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        may = may || aci_look_means(name, names[i]);
    return may;
}

/* Whether a document is one message. */
static bool is_message(const aci_read *in, agentchat_str object, const char *format)
{
    aci_look value;

    if (object.len == 0 || in->len - (size_t)(object.ptr + object.len - in->data) > 8 ||
        !has_member(object, "role", '"', &value))
        return false;
    if (is_native(object) && (format == NULL || strcmp(format, "agentchat") == 0))
        return true;
    return format == NULL &&
           (has_member(object, "content", '"', &value) || has_member(object, "content", '[', &value) ||
            has_member(object, "tool_calls", '[', &value)) &&
           !is_known(in);
}

agentchat_status aci_lines_open(aci_read *in, const char *format, aci_lines *out, agentchat_error *err)
{
    aci_look look = aci_look_begin(in->data, in->len);
    bool is_lines = aci_lines_are(in->data, in->len), is_array = aci_look_take(&look, '[');
    agentchat_str first = {look.p, 0};
    const aci_format *events = NULL;
    agentchat_status status = AGENTCHAT_OK;

    *out = (aci_lines){.list = ""};
    if (is_lines || (is_array && format == NULL && in->sessions) ||
        (!is_array && in->len <= LARGEST_ALONE && may_be_message(look)))
        first = first_object(look);
    if (!is_lines && !is_array && !is_message(in, first, format))
        return AGENTCHAT_OK;
    if (format == NULL && in->sessions)
        status = find_event(in, first, &events, err);
    if (status < 0)
        return status;
    if (events != NULL) {
        out->list = "/events";
        return wrap(in,
                    strcmp(events->about.name, "agentchat") == 0
                        ? (is_array ? "{\"agentchatsession\":{\"format\":1},\"state\":{},\"events\":"
                                    : "{\"agentchatsession\":{\"format\":1},\"state\":{},\"events\":[")
                    : is_array ? "{\"appName\":\"\",\"userId\":\"\",\"id\":\"\",\"events\":"
                               : "{\"appName\":\"\",\"userId\":\"\",\"id\":\"\",\"events\":[",
                    is_array ? "}" : "]}", !is_array, out, err);
    }
    if (is_array)
        return AGENTCHAT_OK;
    if (is_lines && !can_be_line(in, first))
        return AGENTCHAT_OK;
    if (is_native(first) && (format == NULL || strcmp(format, "agentchat") == 0)) {
        out->list = "/history";
        return wrap(in, "{\"agentchat\":{\"format\":1,\"reader\":1},\"participants\":[],\"channels\":[],\"history\":[",
                    "]}", true, out, err);
    }
    return wrap(in, "[", "]", true, out, err);
}

void aci_lines_locate(const aci_lines *lines, agentchat_error *err)
{
    size_t len = strlen(lines->list);

    if (err == NULL || lines->given.ptr == NULL || err->offset == AGENTCHAT_NO_OFFSET)
        return;
    aci_error_at_offset(err, lines->given,
                        err->offset < lines->before                      ? 0
                        : err->offset - lines->before > lines->given.len ? lines->given.len
                                                                         : err->offset - lines->before);
    if (len > 0 && strncmp(err->path, lines->list, len) == 0)
        memmove(err->path, err->path + len, strlen(err->path + len) + 1);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* What lines have none of. */
static bool report_lost(const aci_write *out, const agentchat_snapshot *snapshot)
{
    const struct {
        const char *path;
        size_t count;
    } parts[] = {
        {"/participants", snapshot->participant_count},
        {"/channels", snapshot->channel_count},
        {"/values", snapshot->value_count},
        {"/turn", snapshot->next_turn > 0},
        {"/complete", snapshot->is_complete},
        {"/extras", snapshot->extras != NULL ? snapshot->extras->count : 0},
    };
    bool ok = true;

    for (size_t i = 0; ok && i < sizeof parts / sizeof *parts; i++)
        ok = parts[i].count == 0 ||
             aci_report_add(out->report, AGENTCHAT_REPORT_LOSS, AGENTCHAT_MATCH_NONE, agentchat_str_from(parts[i].path),
                            (agentchat_str){NULL, 0}, "lines hold messages alone: %zu %s left out", parts[i].count,
                            parts[i].count == 1 ? "entry was" : "entries were");
    return ok;
}

/* The list of messages in a document. */
static agentchat_str list_of(agentchat_str document, const aci_format *format)
{
    aci_walk walk;

    if (*document.ptr == '[')
        return document;
    aci_walk_begin(&walk, document);
    while (format->messages_in != NULL && aci_walk_next(&walk))
        if (aci_look_is_word(walk.key, format->messages_in) && *walk.value.ptr == '[')
            return walk.value;
    return (agentchat_str){NULL, 0};
}

static agentchat_status write_lines(aci_write *out, const aci_format *format, agentchat_str document,
                                    agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_str list = list_of(document, format);
    aci_walk walk;
    aci_buf line;

    if (list.ptr == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "%s has no lines: there is no message by itself", format->about.name);
    aci_buf_init(&line, out->env, SIZE_MAX);
    aci_walk_begin(&walk, list);
    while (status >= 0 && aci_walk_next(&walk)) {
        line.len = 0;
        status = aci_buf_add_str(&line, walk.value) && aci_layout_one_line(&line, 0) && aci_buf_add(&line, "\n", 1)
                     ? aci_sink_write(out->sink, line.ptr, line.len, err)
                     : aci_fail_nomem(err);
    }
    aci_buf_clear(&line);
    return status;
}

agentchat_status aci_lines_write(aci_write *out, const aci_format *format, const agentchat_snapshot *snapshot,
                                 agentchat_error *err)
{
    agentchat_snapshot alone = {.env = snapshot->env,
                                .arena = snapshot->arena,
                                .format = snapshot->format,
                                .history = snapshot->history,
                                .source_bytes = snapshot->source_bytes};
    aci_write inner = *out;
    agentchat_status status;
    char form[100];
    aci_buf text;

    (void)snprintf(form, sizeof form, "{\"from\":\"%s\",\"value\":{\"as\":\"array\"}}", format->about.name);
    if (format->profile != NULL)
        alone.form = agentchat_str_from(form);
    aci_buf_init(&text, out->env, SIZE_MAX);
    status = aci_buffer_sink_new(out->env, &text, &inner.sink, err);
    if (status >= 0) {
        status = format->write_chat(&inner, &alone, err);
        if (status >= 0)
            status = aci_sink_commit(inner.sink, err);
        agentchat_sink_free(inner.sink);
    }
    if (status >= 0 && !report_lost(out, snapshot))
        status = aci_fail_nomem(err);
    if (status >= 0) {
        agentchat_str document = {NULL, 0};

        status = aci_json_check(out->env, aci_buf_str(&text), UINT32_MAX / 2, &document, NULL, err);
        if (status >= 0)
            status = write_lines(out, format, document, err);
    }
    aci_buf_clear(&text);
    return status;
}
