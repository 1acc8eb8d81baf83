/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a comparison: equal messages are found first; what is between them is paired by its author. */
#include "view/compare_rows.h"

#include "base/buf.h"
#include "base/checked.h"
#include "base/error.h"
#include "snapshot/history_index.h"
#include "view/authors.h"

enum { MOST_TRIES = 16 }; /* positions at which a moved message is looked for */

typedef struct making {
    const agentchat_env *env;
    const agentchat_messages *left, *right;
    size_t left_count, right_count;
    size_t *match;      /* of each message on the left: its equal on the right, in order */
    size_t *moved_to;   /* of each one on the left: where it stands on the right, out of order */
    size_t *moved_from; /* of each one on the right: its equal on the left; SIZE_MAX: it has none */
    aci_history_index index;
    aci_compare_rows *rows;
    agentchat_error *err;
} making;

static size_t *new_positions(const agentchat_env *env, size_t count)
{
    size_t size = 0;
    size_t *array = aci_mul(count + 1, sizeof *array, &size) ? aci_alloc(env, size) : NULL;

    for (size_t i = 0; array != NULL && i < count; i++)
        array[i] = SIZE_MAX;
    return array;
}

/* Looks for the messages of the left that have no equal in order among those of the right that have none either. */
static agentchat_status find_moved(making *m)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < m->left_count; i++)
        if (m->match[i] != ACI_NOT_IN_HISTORY)
            m->moved_from[m->match[i]] = i;
    for (size_t i = 0; status >= 0 && i < m->left_count; i++) {
        aci_candidates found = {NULL, 0};

        if (m->match[i] != ACI_NOT_IN_HISTORY)
            continue;
        status = aci_history_index_find(&m->index, agentchat_messages_at(m->left, i), &found, m->err);
        for (size_t k = 0; k < found.count && k < MOST_TRIES; k++) {
            if (m->moved_from[found.positions[k]] != SIZE_MAX)
                continue;
            m->moved_from[found.positions[k]] = i;
            m->moved_to[i] = found.positions[k];
            break;
        }
    }
    return status;
}

static bool add(making *m, aci_row_kind kind, size_t left, size_t right)
{
    aci_compare_rows *rows = m->rows;

    if (!aci_grow(m->env, (void **)&rows->list, &rows->cap, rows->count, sizeof *rows->list))
        return false;
    rows->list[rows->count++] = (aci_row){kind, left, right};
    return true;
}

static bool add_left(making *m, size_t i)
{
    bool moved = m->moved_to[i] != SIZE_MAX;

    return add(m, moved ? ACI_ROW_MOVED_AWAY : ACI_ROW_REMOVED, i, m->moved_to[i]);
}

static bool add_right(making *m, size_t j)
{
    bool moved = m->moved_from[j] != SIZE_MAX;

    return add(m, moved ? ACI_ROW_MOVED_HERE : ACI_ROW_ADDED, m->moved_from[j], j);
}

static bool same_author(const making *m, size_t i, size_t j)
{
    return agentchat_str_equal(aci_author_of(agentchat_messages_at(m->left, i)),
                               aci_author_of(agentchat_messages_at(m->right, j)));
}

/* What stands between two pairs of equal messages. */
static bool add_gap(making *m, size_t i, size_t i_end, size_t j, size_t j_end)
{
    bool ok = true;

    while (ok && (i < i_end || j < j_end)) {
        size_t left = i_end - i, right = j_end - j;

        if (left > 0 && (right == 0 || m->moved_to[i] != SIZE_MAX))
            ok = add_left(m, i++);
        else if (left == 0 || m->moved_from[j] != SIZE_MAX)
            ok = add_right(m, j++);
        else if (same_author(m, i, j))
            ok = add(m, ACI_ROW_CHANGED, i++, j++);
        else if (left >= right)
            ok = add_left(m, i++);
        else
            ok = add_right(m, j++);
    }
    return ok;
}

static bool add_all(making *m)
{
    size_t i = 0, j = 0;
    bool ok = true;

    for (size_t at = 0; ok && at < m->left_count; at++) {
        if (m->match[at] == ACI_NOT_IN_HISTORY)
            continue;
        ok = add_gap(m, i, at, j, m->match[at]) && add(m, ACI_ROW_SAME, at, m->match[at]);
        i = at + 1;
        j = m->match[at] + 1;
    }
    return ok && add_gap(m, i, m->left_count, j, m->right_count);
}

agentchat_status aci_compare_rows_make(aci_compare_rows *rows, const agentchat_env *env, const agentchat_messages *left,
                                       const agentchat_messages *right, agentchat_error *err)
{
    making m = {.env = env, .left = left, .right = right, .rows = rows, .err = err};
    agentchat_status status = aci_history_index_make(&m.index, env, right, err);

    *rows = (aci_compare_rows){.env = env};
    if (status < 0)
        return status;
    m.left_count = agentchat_messages_count(left);
    m.right_count = agentchat_messages_count(right);
    m.match = new_positions(env, m.left_count);
    m.moved_to = new_positions(env, m.left_count);
    m.moved_from = new_positions(env, m.right_count);
    if (m.match == NULL || m.moved_to == NULL || m.moved_from == NULL)
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = aci_history_index_match(&m.index, left, m.match, err);
    if (status >= 0)
        status = find_moved(&m);
    if (status >= 0 && !add_all(&m))
        status = aci_fail_nomem(err);
    aci_free(env, m.match, (m.left_count + 1) * sizeof *m.match);
    aci_free(env, m.moved_to, (m.left_count + 1) * sizeof *m.moved_to);
    aci_free(env, m.moved_from, (m.right_count + 1) * sizeof *m.moved_from);
    aci_history_index_clear(&m.index);
    if (status < 0)
        aci_compare_rows_clear(rows);
    return status;
}

void aci_compare_rows_clear(aci_compare_rows *rows)
{
    aci_free(rows->env, rows->list, rows->cap * sizeof *rows->list);
    *rows = (aci_compare_rows){.env = rows->env};
}

size_t aci_compare_rows_count(const aci_compare_rows *rows, aci_row_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < rows->count; i++)
        count += rows->list[i].kind == kind;
    return count;
}
