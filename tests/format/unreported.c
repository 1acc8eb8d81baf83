/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include "format/unreported.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct comparison {
    const agentchat_report *report;
    char *unreported;
    char list[1024]; /* in which elements are compared with others than their own; "": none */
} comparison;

/* The part of a pointer up to its last token, and that token. */
static agentchat_str parent(agentchat_str path, agentchat_str *last)
{
    size_t at = path.len;

    while (at > 0 && path.ptr[at - 1] != '/')
        at--;
    *last = (agentchat_str){path.ptr + at, path.len - at};
    return (agentchat_str){path.ptr, at > 0 ? at - 1 : 0};
}

static bool is_at_or_above(agentchat_str above, agentchat_str path)
{
    return above.len <= path.len && memcmp(above.ptr, path.ptr, above.len) == 0 &&
           (above.len == path.len || path.ptr[above.len] == '/');
}

/* Whether both are in one list, the entry about an element before the location: what is left out there, or written as
   several, moves it. */
static bool is_earlier_element(agentchat_str entry, agentchat_str path)
{
    agentchat_str last, list = parent(entry, &last);
    size_t first = 0, second = 0, at = list.len + 1;

    if (last.len == 0 || last.len > 9 || path.len <= at || !is_at_or_above(list, path))
        return false;
    for (size_t i = 0; i < last.len; i++) {
        if (last.ptr[i] < '0' || last.ptr[i] > '9')
            return false;
        first = first * 10 + (size_t)(last.ptr[i] - '0');
    }
    for (; at < path.len && path.ptr[at] >= '0' && path.ptr[at] <= '9'; at++)
        second = second * 10 + (size_t)(path.ptr[at] - '0');
    return (at == path.len || path.ptr[at] == '/') && first <= second;
}

/* Whether a name is that of one of the extras in a list, as its last token in a pointer. (A surrogate in it is not
   looked for.) */
static bool is_one_of(agentchat_str name, agentchat_str extras)
{
    char wanted[128] = "\"name\":\"";
    size_t len = strlen(wanted);

    for (size_t i = 0; i < name.len && len < sizeof wanted - 2; i++) {
        bool escape = name.ptr[i] == '~' && i + 1 < name.len;

        if ((unsigned char)name.ptr[i] == 0xED)
            return true;
        wanted[len++] = !escape ? name.ptr[i] : name.ptr[i + 1] == '1' ? '/' : '~';
        i += escape;
    }
    wanted[len] = '"';
    wanted[len + 1] = '\0';
    return extras.ptr != NULL && memmem(extras.ptr, extras.len, wanted, len + 1) != NULL;
}

/* Whether the entry is about one of the extras at a location that names all of them; about the state of a channel at
   one that says what the state is; about a data URI, which may be read as data, at what it is read as. */
static bool is_part(agentchat_str entry, agentchat_str path, agentchat_str left)
{
    agentchat_str last, owner = parent(path, &last), name, of = parent(entry, &name);

    if (agentchat_str_equal(last, AGENTCHAT_STR("extras")) && is_at_or_above(path, entry))
        return true;
    if (!agentchat_str_equal(owner, of))
        return false;
    if (agentchat_str_equal(last, AGENTCHAT_STR("extras")) && is_one_of(name, left))
        return true;
    if (agentchat_str_equal(name, AGENTCHAT_STR("channelstate")))
        return agentchat_str_equal(last, AGENTCHAT_STR("statekind"));
    return agentchat_str_equal(name, AGENTCHAT_STR("uri")) &&
           (agentchat_str_equal(last, AGENTCHAT_STR("mimetype")) || agentchat_str_equal(last, AGENTCHAT_STR("data")) ||
            agentchat_str_equal(last, AGENTCHAT_STR("metadata")) || agentchat_str_equal(last, AGENTCHAT_STR("extras")));
}

static bool is_reported(const agentchat_report *report, agentchat_str path, agentchat_str left)
{
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        agentchat_str entry = agentchat_report_at(report, i)->path;

        if (agentchat_report_at(report, i)->kind == AGENTCHAT_REPORT_NOTE)
            continue;
        if (is_at_or_above(entry, path) || is_earlier_element(entry, path) || is_part(entry, path, left))
            return true;
    }
    return false;
}

/* Something is there on one side only. A message or item that was changed much counts as another one: then what is
   reported below it says so, and the elements of its list are compared with others than their own. */
static bool is_exchanged(comparison *c, agentchat_str path)
{
    agentchat_str last, list = parent(path, &last);

    for (size_t i = 0; i < agentchat_report_count(c->report); i++)
        if (agentchat_report_at(c->report, i)->kind != AGENTCHAT_REPORT_NOTE &&
            is_at_or_above(path, agentchat_report_at(c->report, i)->path) && list.len < sizeof c->list) {
            memcpy(c->list, list.ptr, list.len);
            c->list[list.len] = '\0';
            return true;
        }
    return false;
}

static char *describe(agentchat_str path, agentchat_str left, agentchat_str right)
{
    size_t size = path.len + left.len + right.len + 32;
    char *text = malloc(size);

    if (text != NULL)
        (void)snprintf(text, size, "%.*s: %.*s became %.*s", (int)path.len, path.len > 0 ? path.ptr : "", (int)left.len,
                       left.ptr != NULL ? left.ptr : "", (int)right.len, right.ptr != NULL ? right.ptr : "nothing");
    return text;
}

static agentchat_status each_difference(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                        agentchat_error *err)
{
    comparison *c = user;

    (void)err;
    if (is_reported(c->report, path, left) ||
        (c->list[0] != '\0' && is_at_or_above(agentchat_str_from(c->list), path)) ||
        ((left.ptr == NULL || right.ptr == NULL) && is_exchanged(c, path)))
        return AGENTCHAT_OK;
    c->unreported = describe(path, left, right);
    return c->unreported != NULL ? AGENTCHAT_DONE : AGENTCHAT_E_NOMEM;
}

char *unreported_difference(const agentchat_snapshot *chat, const agentchat_snapshot *back,
                            const agentchat_report *report)
{
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];
    comparison c = {.report = report};
    bool equal;

    if (agentchat_snapshot_diff(chat, back, each_difference, &c, &equal, NULL) < 0 ||
        agentchat_snapshot_digest(chat, true, left, NULL) < 0 || agentchat_snapshot_digest(back, true, right, NULL) < 0)
        return strdup("they cannot be compared");
    if (c.unreported == NULL && equal != (strcmp(left, right) == 0))
        return strdup("the digests and the differences contradict each other");
    return c.unreported;
}
