/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Anthropic's tool `memory`: files below /memories. A file is a document {"text": …}, whose key is its name; a
 * directory is a namespace, and is there as long as a file is below it.
 */
#include "memory/memory_internal.h"

#include "base/error.h"
#include "json/value.h"
#include <agentchat/json_text.h>
#include <stdlib.h>
#include <string.h>

/* ==== paths ====================================================================================================== */

typedef struct path {
    agentchat_str text;    /* as it was given */
    aci_space space;       /* all of it, as a namespace */
    const char *ns, *name; /* of the file: its directory and its name; NULL: it is /memories itself */
    const char *below;     /* of the directory */
    size_t parent;         /* bytes of `space` without the last segment */
} path;

typedef enum path_kind { IS_NOTHING, IS_FILE, IS_DIRECTORY, IS_UNKNOWN } path_kind; /* UNKNOWN: the call is over */

static void fail_path(aci_tool_call *call, agentchat_str text, const char *why)
{
    aci_excerpt excerpt;

    aci_tool_fail(call, "Error: the path %s %s. A path is /memories, or /memories/ and names with a / between them.",
                  aci_error_excerpt(text, &excerpt), why);
}

/* Adds a segment to the namespace. */
static bool add_segment(path *p, agentchat_str segment)
{
    if (p->space.len + segment.len + 1 > ACI_MOST_SPACE)
        return false;
    p->parent = p->space.len;
    memcpy(p->space.bytes + p->space.len, segment.ptr, segment.len);
    p->space.len += segment.len;
    p->space.bytes[p->space.len++] = '\0';
    return true;
}

static const char *what_is_wrong(agentchat_str segment)
{
    if (segment.len == 0)
        return "has an empty name";
    if (agentchat_str_equal(segment, AGENTCHAT_STR(".")) || agentchat_str_equal(segment, AGENTCHAT_STR("..")))
        return "has a . or .. in it";
    if (memchr(segment.ptr, '\\', segment.len) != NULL)
        return "has a backslash in it";
    return memchr(segment.ptr, '\0', segment.len) != NULL ? "has a NUL in it" : NULL;
}

static const agentchat_str root = {"/memories", 9};

/* Takes a path apart. false: it is none, and the call has failed. */
static bool take_path(aci_tool_call *call, agentchat_str text, path *p)
{
    agentchat_str rest, name = {NULL, 0};
    bool ok = true;

    memset(p, 0, sizeof *p);
    p->text = text;
    (void)aci_space_read(call->ns, false, &p->space, NULL); /* it has been read before */
    if (p->text.len < root.len || memcmp(p->text.ptr, root.ptr, root.len) != 0 ||
        (p->text.len > root.len && p->text.ptr[root.len] != '/')) {
        fail_path(call, p->text, "is not below /memories");
        return false;
    }
    ok = add_segment(p, AGENTCHAT_STR("memories"));
    rest = (agentchat_str){p->text.ptr + root.len, p->text.len - root.len};
    while (ok && rest.len > 0) {
        const char *end = memchr(rest.ptr + 1, '/', rest.len - 1), *why;

        name = (agentchat_str){rest.ptr + 1, end != NULL ? (size_t)(end - rest.ptr) - 1 : rest.len - 1};
        why = what_is_wrong(name);
        if (why != NULL) {
            fail_path(call, p->text, why);
            return false;
        }
        ok = add_segment(p, name);
        rest = (agentchat_str){rest.ptr + 1 + name.len, rest.len - 1 - name.len};
    }
    if (!ok) {
        fail_path(call, p->text, "is too long");
        return false;
    }
    p->below = aci_space_print(aci_space_bytes(&p->space), call->arena);
    p->ns = aci_space_print((agentchat_str){p->space.bytes, p->parent}, call->arena);
    p->name = aci_arena_cstr(call->arena, name, &ok);
    if (!ok || p->below == NULL || p->ns == NULL)
        call->status = aci_fail_nomem(call->err);
    return call->status >= 0;
}

/* The path that an argument says. */
static bool read_path(aci_tool_call *call, const char *argument, path *p)
{
    agentchat_str text;

    return aci_tool_text(call, argument, true, &text) && take_path(call, text, p);
}

/* Reads a file. *page: NULL, there is none. false: the call is over. */
static bool read_file(aci_tool_call *call, const path *p, agentchat_memory_results **page)
{
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    *page = NULL;
    if (p->name == NULL)
        return true;
    status = agentchat_memory_get(call->store, p->ns, p->name, false, page, &why);
    return status == AGENTCHAT_E_NOTFOUND || aci_tool_did(call, status, &why);
}

static path_kind kind_of(aci_tool_call *call, const path *p)
{
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_results *page = NULL;
    path_kind kind = IS_FILE;
    agentchat_error why;

    agentchat_error_clear(&why);
    if (!read_file(call, p, &page))
        return IS_UNKNOWN;
    if (page == NULL) {
        query.limit = 1;
        if (!aci_tool_did(call, agentchat_memory_search(call->store, p->below, &query, &page, &why), &why))
            return IS_UNKNOWN;
        kind = agentchat_memory_results_count(page) > 0 || p->name == NULL ? IS_DIRECTORY : IS_NOTHING;
    }
    agentchat_memory_results_free(page);
    return kind;
}

static void fail_missing(aci_tool_call *call, const path *p)
{
    aci_excerpt excerpt;

    aci_tool_fail(call, "Error: the path %s does not exist. View /memories to see what does.",
                  aci_error_excerpt(p->text, &excerpt));
}

/* Whether something can be put at a path: nothing is there, and nothing above it is a file. */
static bool is_free(aci_tool_call *call, const path *p)
{
    path_kind kind = kind_of(call, p);
    aci_excerpt excerpt;
    const char *text = aci_error_excerpt(p->text, &excerpt);

    if (kind == IS_FILE || kind == IS_DIRECTORY)
        aci_tool_fail(call, "Error: %s exists already. Choose another path, or change or delete what is there.", text);
    if (kind != IS_NOTHING)
        return false;
    for (size_t i = root.len + 1; i < p->text.len; i++) { /* the directories that it lies in */
        agentchat_memory_results *page = NULL;
        path above;

        if (p->text.ptr[i] != '/')
            continue;
        if (!take_path(call, (agentchat_str){p->text.ptr, i}, &above) || !read_file(call, &above, &page))
            return false;
        agentchat_memory_results_free(page);
        if (page != NULL) {
            aci_tool_fail(call, "Error: %s lies below a file. Choose another path.", text);
            return false;
        }
    }
    return true;
}

/* ==== view ======================================================================================================= */

/* The text of a file; a document without one is shown as it is. */
static bool text_of(aci_tool_call *call, agentchat_str document, aci_buf *out)
{
    agentchat_str text = agentchat_json_find(document, AGENTCHAT_STR("text"));
    bool ok = agentchat_json_kind_of(text) == AGENTCHAT_JSON_STRING ? aci_json_unquote(text, out)
                                                                    : aci_buf_add_str(out, document);

    if (!ok)
        call->status = aci_fail_nomem(call->err);
    return ok;
}

/* The line that begins at *at, without its end. */
static bool next_line(agentchat_str text, size_t *at, agentchat_str *line)
{
    const char *end;

    if (*at >= text.len)
        return false;
    end = memchr(text.ptr + *at, '\n', text.len - *at);
    *line = (agentchat_str){text.ptr + *at, end != NULL ? (size_t)(end - text.ptr) - *at : text.len - *at};
    *at += line->len + 1;
    return true;
}

static size_t count_lines(agentchat_str text)
{
    agentchat_str line;
    size_t count = 0;

    for (size_t at = 0; next_line(text, &at, &line);)
        count++;
    return count;
}

/* The lines from first to last that are asked for. false: the call has failed. */
static bool read_range(aci_tool_call *call, size_t lines, int64_t range[2])
{
    uint32_t node = aci_json_index_find(&call->arguments, 0, AGENTCHAT_STR("view_range"));
    uint32_t one = 0;
    size_t count = 0;
    bool ok = true;

    range[0] = 1;
    range[1] = (int64_t)lines;
    if (aci_tool_value(call, "view_range").ptr == NULL)
        return true;
    ok = aci_json_index_kind(&call->arguments, node) == ACI_JSON_ARRAY;
    for (one = ok ? aci_json_index_first(&call->arguments, node) : 0; one != 0 && ok;
         one = aci_json_index_next(&call->arguments, node, one), count++)
        ok = count < 2 && aci_json_index_kind(&call->arguments, one) == ACI_JSON_NUMBER &&
             aci_json_integer(aci_json_index_raw(&call->arguments, one), &range[count]);
    if (range[1] == -1)
        range[1] = (int64_t)lines;
    ok = ok && count == 2 && range[0] >= 1 && range[0] <= range[1] && range[1] <= (int64_t)lines;
    if (!ok)
        aci_tool_fail(
            call, "Error: Invalid `view_range`: it is [first, last] with lines from 1 to %zu; -1 is the last.", lines);
    return ok;
}

static void view_file(aci_tool_call *call, const path *p, agentchat_str document)
{
    aci_buf text;
    agentchat_str line;
    int64_t range[2], number = 1;

    aci_buf_init(&text, call->env, SIZE_MAX);
    if (text_of(call, document, &text) && read_range(call, count_lines(aci_buf_str(&text)), range)) {
        aci_tool_say(call,
                     "Here's the content of " AGENTCHAT_STR_FMT " with line numbers:", AGENTCHAT_STR_ARG(p->text));
        for (size_t at = 0; call->status >= 0 && next_line(aci_buf_str(&text), &at, &line); number++)
            if (number >= range[0] && number <= range[1]) {
                aci_tool_say(call, "\n%6lld\t", (long long)number);
                aci_tool_say_text(call, line);
            }
    }
    aci_buf_clear(&text);
}

/* By directories, so that what is in one stands together, then by names. */
static int by_name(const void *a, const void *b)
{
    const agentchat_memory_item *const *x = a, *const *y = b;
    const char *p = (*x)->ns, *q = (*y)->ns;

    while (*p == *q && *p != '\0') {
        p++;
        q++;
    }
    if (*p == *q)
        return strcmp((*x)->key, (*y)->key);
    if (*p == '\0' || *q == '\0' || *p == '/' || *q == '/')
        return *p == '\0' || (*p == '/' && *q != '\0') ? -1 : 1;
    return (unsigned char)*p < (unsigned char)*q ? -1 : 1;
}

/* Adds the entries of the first two levels that a file is or lies in, but for those that the one before it lies in. */
static void list_file(aci_tool_call *call, const path *p, const agentchat_memory_item *item, aci_space *before)
{
    aci_space space;
    agentchat_str label, segments[2] = {{NULL, 0}, {NULL, 0}};
    size_t at = p->space.len, level = 0;
    bool is_new = false;

    if (aci_space_read(item->ns, false, &space, NULL) < 0)
        return;
    while (level < 2 && aci_space_label(aci_space_bytes(&space), &at, &label)) {
        segments[level++] = label;
        if (is_new || before->len < at || memcmp(before->bytes, space.bytes, at) != 0) {
            is_new = true;
            aci_tool_say(call, "\n" AGENTCHAT_STR_FMT "/" AGENTCHAT_STR_FMT "%s" AGENTCHAT_STR_FMT "/",
                         AGENTCHAT_STR_ARG(p->text), AGENTCHAT_STR_ARG(segments[0]), level > 1 ? "/" : "",
                         AGENTCHAT_STR_ARG(level > 1 ? segments[1] : AGENTCHAT_STR("")));
        }
    }
    if (level < 2)
        aci_tool_say(call, "\n" AGENTCHAT_STR_FMT "%s" AGENTCHAT_STR_FMT "/%s", AGENTCHAT_STR_ARG(p->text),
                     level > 0 ? "/" : "", AGENTCHAT_STR_ARG(level > 0 ? segments[0] : AGENTCHAT_STR("")), item->key);
    *before = space;
}

static void view_directory(aci_tool_call *call, const path *p)
{
    aci_all all = {.env = NULL};
    aci_space before = {.len = 0};
    agentchat_error why;

    agentchat_error_clear(&why);
    if (aci_tool_did(call, aci_all_read(&all, call->store, p->below, false, &why), &why)) {
        if (all.count > 0)
            qsort((void *)all.items, all.count, sizeof *all.items, by_name);
        aci_tool_say(call, "Here're the files and directories up to 2 levels deep in " AGENTCHAT_STR_FMT ":",
                     AGENTCHAT_STR_ARG(p->text));
        for (size_t i = 0; i < all.count && call->status >= 0; i++)
            list_file(call, p, all.items[i], &before);
        if (all.count == 0)
            aci_tool_say(call, "\n(empty)");
    }
    aci_all_drop(&all);
}

static void view(aci_tool_call *call)
{
    agentchat_memory_results *page = NULL;
    path_kind kind;
    path p;

    if (!read_path(call, "path", &p) || !read_file(call, &p, &page))
        return;
    if (page != NULL) {
        view_file(call, &p, agentchat_memory_results_at(page, 0)->value);
    } else {
        kind = kind_of(call, &p);
        if (kind == IS_DIRECTORY)
            view_directory(call, &p);
        else if (kind != IS_UNKNOWN)
            fail_missing(call, &p);
    }
    agentchat_memory_results_free(page);
}

/* ==== create, str_replace, insert ================================================================================ */

static agentchat_status put_text(aci_tool_call *call, const path *p, agentchat_str text, uint64_t expect,
                                 agentchat_error *why)
{
    aci_buf json;
    agentchat_status status;

    aci_buf_init(&json, call->env, SIZE_MAX);
    status = aci_json_quote(text, &json, why);
    if (status >= 0)
        status = aci_tool_put(call, p->ns, p->name, "text", aci_buf_str(&json), expect, why);
    aci_buf_clear(&json);
    return status;
}

static void create(aci_tool_call *call)
{
    agentchat_str text;
    agentchat_error why;
    path p;

    agentchat_error_clear(&why);
    if (!read_path(call, "path", &p) || !aci_tool_text(call, "file_text", true, &text) || !is_free(call, &p))
        return;
    if (aci_tool_did(call, put_text(call, &p, text, 0, &why), &why))
        aci_tool_say(call, "File created successfully at: " AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(p.text));
}

/* Makes the new text of a file. false: the call has failed. */
typedef bool (*edit_fn)(aci_tool_call *call, const path *p, agentchat_str text, aci_buf *out);

static void edit(aci_tool_call *call, edit_fn change)
{
    agentchat_status status = AGENTCHAT_E_CONFLICT;
    agentchat_error why;
    path p;

    agentchat_error_clear(&why);
    if (!read_path(call, "path", &p))
        return;
    for (int i = 0; i < ACI_TOOL_ATTEMPTS && status == AGENTCHAT_E_CONFLICT; i++) {
        agentchat_memory_results *page = NULL;
        aci_buf text, made;

        if (!read_file(call, &p, &page))
            return;
        if (page == NULL) {
            fail_missing(call, &p);
            return;
        }
        aci_buf_init(&text, call->env, SIZE_MAX);
        aci_buf_init(&made, call->env, SIZE_MAX);
        if (text_of(call, agentchat_memory_results_at(page, 0)->value, &text) &&
            change(call, &p, aci_buf_str(&text), &made))
            status = put_text(call, &p, aci_buf_str(&made), agentchat_memory_results_at(page, 0)->revision, &why);
        aci_buf_clear(&made);
        aci_buf_clear(&text);
        agentchat_memory_results_free(page);
        if (call->failed || call->status < 0)
            return;
    }
    if (aci_tool_did(call, status, &why))
        aci_tool_say(call, "The memory file has been edited: " AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(p.text));
}

/* A text that is looked for, and where to go on when a byte of it does not match: a search costs what the texts have,
   whatever is in them. */
typedef struct needle {
    agentchat_str text;
    size_t *back; /* by matched bytes: how many still match */
} needle;

static bool begin_needle(aci_tool_call *call, agentchat_str text, needle *out)
{
    size_t matched = 0;

    *out = (needle){text, aci_arena_alloc(call->arena, (text.len + 1) * sizeof *out->back)};
    if (out->back == NULL) {
        call->status = aci_fail_nomem(call->err);
        return false;
    }
    out->back[0] = out->back[1] = 0;
    for (size_t i = 1; i < text.len; i++) {
        while (matched > 0 && text.ptr[i] != text.ptr[matched])
            matched = out->back[matched];
        matched += text.ptr[i] == text.ptr[matched];
        out->back[i + 1] = matched;
    }
    return true;
}

/* Goes on from a byte, of which and of those before it `*matched` match; NULL: there is no more. */
static const char *find(const needle *n, agentchat_str in, size_t *at, size_t *matched)
{
    for (; *at < in.len; ++*at) {
        while (*matched > 0 && in.ptr[*at] != n->text.ptr[*matched])
            *matched = n->back[*matched];
        *matched += in.ptr[*at] == n->text.ptr[*matched];
        if (*matched < n->text.len)
            continue;
        *matched = n->back[*matched];
        ++*at;
        return in.ptr + *at - n->text.len;
    }
    return NULL;
}

/* Names the lines in which a text begins. */
static void fail_several(aci_tool_call *call, const path *p, agentchat_str text, const needle *old)
{
    size_t line = 1, last = 0, at = 0, matched = 0;
    const char *from = text.ptr, *found;

    aci_tool_fail(call,
                  "No replacement was performed. The text stands several times in " AGENTCHAT_STR_FMT ", in lines",
                  AGENTCHAT_STR_ARG(p->text));
    while ((found = find(old, text, &at, &matched)) != NULL) {
        for (; from < found; from++)
            line += *from == '\n';
        if (line != last)
            aci_tool_say(call, "%s %zu", last > 0 ? "," : "", line);
        last = line;
    }
    aci_tool_say(call, ". Give more of what stands around it.");
}

static bool replace(aci_tool_call *call, const path *p, agentchat_str text, aci_buf *out)
{
    agentchat_str old, new;
    const char *found = NULL;
    size_t before, at = 0, matched = 0;
    needle n;

    if (!aci_tool_text(call, "old_str", true, &old) || !aci_tool_text(call, "new_str", false, &new))
        return false;
    if (old.len > 0 && !begin_needle(call, old, &n))
        return false;
    if (old.len > 0)
        found = find(&n, text, &at, &matched);
    if (found == NULL) {
        aci_tool_fail(call,
                      "No replacement was performed. `old_str` does not stand in " AGENTCHAT_STR_FMT
                      " as it is given. View the file, and give it exactly.",
                      AGENTCHAT_STR_ARG(p->text));
        return false;
    }
    before = (size_t)(found - text.ptr);
    if (find(&n, text, &at, &matched) != NULL) {
        fail_several(call, p, text, &n);
        return false;
    }
    if (!aci_buf_add(out, text.ptr, before) || (new.len > 0 && !aci_buf_add(out, new.ptr, new.len)) ||
        !aci_buf_add(out, found + old.len, text.len - before - old.len))
        call->status = aci_fail_nomem(call->err);
    return call->status >= 0;
}

static bool insert(aci_tool_call *call, const path *p, agentchat_str text, aci_buf *out)
{
    agentchat_str new, line;
    int64_t after = 0;
    size_t at = 0, lines = count_lines(text);
    bool ok;

    (void)p;
    if (!aci_tool_number(call, "insert_line", true, &after) || !aci_tool_text(call, "insert_text", true, &new))
        return false;
    if (after < 0 || (uint64_t)after > lines) {
        aci_tool_fail(call, "Error: Invalid `insert_line`: %lld. It is from 0 to %zu, the lines of the file.",
                      (long long)after, lines);
        return false;
    }
    for (int64_t i = 0; i < after; i++)
        (void)next_line(text, &at, &line);
    ok = at <= text.len
             ? aci_buf_add(out, text.ptr, at)
             : aci_buf_add(out, text.ptr, text.len) && aci_buf_add(out, "\n", 1); /* the last line has no end */
    at = at < text.len ? at : text.len;
    ok = ok && aci_buf_add(out, new.ptr, new.len);
    if (ok && new.len > 0 && new.ptr[new.len - 1] != '\n' && at < text.len)
        ok = aci_buf_add(out, "\n", 1);
    if (!ok || !aci_buf_add(out, text.ptr + at, text.len - at))
        call->status = aci_fail_nomem(call->err);
    return call->status >= 0;
}

/* ==== delete and rename ========================================================================================== */

/* What is at a path that an argument says, which is not /memories. IS_NOTHING, IS_UNKNOWN: the call is over. */
static path_kind find_path(aci_tool_call *call, const char *argument, path *p)
{
    path_kind kind;

    if (!read_path(call, argument, p))
        return IS_UNKNOWN;
    if (p->name == NULL) {
        aci_tool_fail(call, "Error: /memories itself cannot be deleted or renamed. Name what is in it.");
        return IS_UNKNOWN;
    }
    kind = kind_of(call, p);
    if (kind == IS_NOTHING)
        fail_missing(call, p);
    return kind;
}

static agentchat_status delete_file(aci_tool_call *call, const path *p, agentchat_error *why)
{
    agentchat_memory_results *page = NULL;
    uint64_t revision;
    agentchat_status status = agentchat_memory_get(call->store, p->ns, p->name, false, &page, why);

    if (status < 0)
        return status;
    revision = agentchat_memory_results_at(page, 0)->revision;
    agentchat_memory_results_free(page);
    return aci_tool_delete(call, p->ns, p->name, revision, why);
}

static void delete (aci_tool_call *call)
{
    agentchat_status status = AGENTCHAT_E_CONFLICT;
    agentchat_error why;
    path p;
    path_kind kind = find_path(call, "path", &p);

    agentchat_error_clear(&why);
    if (kind != IS_FILE && kind != IS_DIRECTORY)
        return;
    if (kind == IS_DIRECTORY)
        status = agentchat_memory_delete_below(call->store, p.below, NULL, NULL, &why);
    for (int i = 0; i < ACI_TOOL_ATTEMPTS && status == AGENTCHAT_E_CONFLICT; i++)
        status = delete_file(call, &p, &why);
    if (aci_tool_did(call, status, &why))
        aci_tool_say(call, "Successfully deleted " AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(p.text));
}

/* The namespace of a file that lies below a path, once the path is another one. NULL: the call has failed, or why says
   what is wrong, or there is no memory. */
static const char *moved(aci_tool_call *call, const path *from, const path *to, const agentchat_memory_item *item,
                         agentchat_error *why)
{
    aci_space old, new = to->space;

    if (aci_space_read(item->ns, false, &old, why) < 0)
        return NULL;
    if (old.len < from->space.len || memcmp(old.bytes, from->space.bytes, from->space.len) != 0) {
        (void)aci_fail(why, AGENTCHAT_E_CORRUPT, "a document of another namespace was found");
        return NULL;
    }
    if (to->space.len + old.len - from->space.len > ACI_MOST_SPACE) {
        aci_tool_fail(call, "Error: the new path is too long for what is in the directory.");
        return NULL;
    }
    memcpy(new.bytes + new.len, old.bytes + from->space.len, old.len - from->space.len);
    new.len += old.len - from->space.len;
    return aci_space_print(aci_space_bytes(&new), call->arena);
}

static agentchat_status read_now(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_memory_ask_now(tx, user);
    return aci_transact_run(tx, true, err);
}

/* One of the documents that are moved, and how. */
typedef struct moving {
    agentchat_memory_put_options put;
    agentchat_memory_delete_options removing;
} moving;

/* Puts what is below a path, or the file at it, at another one and deletes it here: the operations of a batch. */
static agentchat_status plan(aci_tool_call *call, const path *from, const path *to, const aci_all *all, bool is_file,
                             moving *how, agentchat_memory_op *ops, agentchat_error *why)
{
    int64_t now = 0; /* of the store */
    agentchat_status status;

    agentchat_error_clear(why);
    status = aci_transact(call->store, false, read_now, &now, why);
    for (size_t i = 0; i < all->count && status >= 0 && !call->failed; i++, ops += 2) {
        const agentchat_memory_item *item = all->items[i];
        moving *one = &how[i];

        one->put = call->put;
        one->put.embedder = NULL; /* the batch's */
        one->put.revision = NULL;
        one->put.has_expect = one->put.has_ttl = true;
        one->put.expect = 0;
        one->put.ttl_us = item->expires_us != AGENTCHAT_MEMORY_NEVER ? item->expires_us - now : AGENTCHAT_MEMORY_NEVER;
        agentchat_memory_delete_options_init(&one->removing, sizeof one->removing);
        one->removing.has_expect = true;
        one->removing.expect = item->revision;
        agentchat_memory_op_init(&ops[0], sizeof *ops);
        ops[0].kind = AGENTCHAT_MEMORY_OP_PUT;
        ops[0].ns = is_file ? to->ns : moved(call, from, to, item, why);
        ops[0].key = is_file ? to->name : item->key;
        ops[0].json = item->value;
        ops[0].put = &one->put;
        agentchat_memory_op_init(&ops[1], sizeof *ops);
        ops[1].kind = AGENTCHAT_MEMORY_OP_DELETE;
        ops[1].ns = item->ns;
        ops[1].key = item->key;
        ops[1].removing = &one->removing;
        if (ops[0].ns == NULL && !call->failed)
            status = why != NULL && why->code < 0 ? (agentchat_status)why->code : aci_fail_nomem(why);
    }
    return status;
}

static agentchat_status move(aci_tool_call *call, const path *from, const path *to, const aci_all *all, bool is_file,
                             agentchat_error *why)
{
    const size_t count = 2 * all->count;
    agentchat_memory_op *ops = aci_alloc_zero(call->env, count * sizeof *ops);
    moving *how = aci_alloc_zero(call->env, all->count * sizeof *how);
    agentchat_status status =
        ops != NULL && how != NULL ? plan(call, from, to, all, is_file, how, ops, why) : aci_fail_nomem(why);

    if (status >= 0 && !call->failed)
        status = agentchat_memory_batch(call->store, ops, count, call->put.embedder, why);
    aci_free(call->env, how, all->count * sizeof *how);
    aci_free(call->env, ops, count * sizeof *ops);
    return status;
}

static agentchat_status rename_once(aci_tool_call *call, const path *from, const path *to, path_kind kind,
                                    agentchat_error *why)
{
    aci_all all = {.env = NULL};
    agentchat_memory_results *page = NULL;
    const agentchat_memory_item *item;
    agentchat_status status;

    if (kind == IS_DIRECTORY) {
        status = aci_all_read(&all, call->store, from->below, false, why);
    } else {
        status = agentchat_memory_get(call->store, from->ns, from->name, false, &page, why);
        item = agentchat_memory_results_at(page, 0);
        all.items = &item;
        all.count = 1;
    }
    if (status >= 0 && all.count > 0)
        status = move(call, from, to, &all, kind == IS_FILE, why);
    if (kind == IS_DIRECTORY)
        aci_all_drop(&all);
    agentchat_memory_results_free(page);
    return status;
}

static void rename_path(aci_tool_call *call)
{
    agentchat_status status = AGENTCHAT_E_CONFLICT;
    agentchat_error why;
    path from, to;
    path_kind kind = find_path(call, "old_path", &from);

    agentchat_error_clear(&why);
    if ((kind != IS_FILE && kind != IS_DIRECTORY) || !read_path(call, "new_path", &to))
        return;
    if (to.space.len > from.space.len && memcmp(to.space.bytes, from.space.bytes, from.space.len) == 0) {
        fail_path(call, to.text, "lies in what is to be renamed");
        return;
    }
    for (int i = 0; i < ACI_TOOL_ATTEMPTS && status == AGENTCHAT_E_CONFLICT; i++) {
        if (!is_free(call, &to))
            return;
        status = rename_once(call, &from, &to, kind, &why);
        if (call->failed)
            return;
    }
    if (aci_tool_did(call, status, &why))
        aci_tool_say(call, "Successfully renamed " AGENTCHAT_STR_FMT " to " AGENTCHAT_STR_FMT,
                     AGENTCHAT_STR_ARG(from.text), AGENTCHAT_STR_ARG(to.text));
}

/* ==== commands =================================================================================================== */

static void do_replace(aci_tool_call *call)
{
    edit(call, replace);
}

static void do_insert(aci_tool_call *call)
{
    edit(call, insert);
}

void aci_tool_files(aci_tool_call *call)
{
    static const struct {
        const char *name;
        void (*run)(aci_tool_call *call);
    } commands[] = {{"view", view},        {"create", create}, {"str_replace", do_replace},
                    {"insert", do_insert}, {"delete", delete}, {"rename", rename_path}};
    agentchat_str command;

    if (!aci_tool_text(call, "command", true, &command))
        return;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!agentchat_str_equal(command, agentchat_str_from(commands[i].name)))
            continue;
        commands[i].run(call);
        return;
    }
    aci_tool_fail(call, "Error: the command is view, create, str_replace, insert, delete or rename.");
}
