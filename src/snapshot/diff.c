/* SPDX-License-Identifier: Apache-2.0 */
/* Where a comparison stands, what it may still cost, and how a difference is reported. */
#include "snapshot/diff.h"

#include "base/error.h"
#include "json/value.h"
#include <string.h>

void aci_diff_begin(aci_diff *d, const agentchat_env *env, agentchat_diff_fn each, void *user, agentchat_error *err)
{
    memset(d, 0, sizeof *d);
    d->env = env;
    d->each = each;
    d->user = user;
    d->err = err;
    aci_buf_init(&d->path, env, SIZE_MAX);
    aci_canonical_begin(&d->left, env, NULL, err);
    aci_canonical_begin(&d->right, env, NULL, err);
}

agentchat_status aci_diff_end(aci_diff *d)
{
    aci_canonical_clear(&d->left);
    aci_canonical_clear(&d->right);
    aci_buf_clear(&d->path);
    return d->status;
}

void aci_diff_nomem(aci_diff *d)
{
    d->stopped = true;
    d->status = aci_fail_nomem(d->err);
}

bool aci_diff_charge(aci_diff *d, uint64_t bytes)
{
    if (!d->named || d->stopped)
        return !d->stopped;
    if (!aci_copies_left(&d->copies, 0)) {
        d->stopped = true;
        d->status = aci_copies_fail(&d->copies, d->err);
        return false;
    }
    d->copies.used += bytes;
    return true;
}

/* JSON text of one side, in the buffer of c; absent for nothing. */
static agentchat_str text_of(aci_canonical *c, aci_diff_write_fn write, const void *thing)
{
    if (thing == NULL)
        return (agentchat_str){NULL, 0};
    c->buf.len = 0;
    c->as_spelled = true;
    write(c, thing);
    c->as_spelled = false;
    return aci_buf_str(&c->buf);
}

void aci_diff_report(aci_diff *d, aci_diff_write_fn write, const void *left, const void *right)
{
    agentchat_str left_text, right_text;
    agentchat_status answer;

    if (d->stopped)
        return;
    d->found = true;
    if (d->each == NULL) {
        d->stopped = true;
        return;
    }
    left_text = text_of(&d->left, write, left);
    right_text = text_of(&d->right, write, right);
    if (d->left.status < 0 || d->right.status < 0) {
        d->stopped = true;
        d->status = d->left.status < 0 ? d->left.status : d->right.status;
        return;
    }
    if (!aci_diff_charge(d, left_text.len + right_text.len))
        return;
    answer = d->each(d->user, aci_buf_str(&d->path), left_text, right_text, d->err);
    if (answer == AGENTCHAT_OK)
        return;
    d->stopped = true;
    if (answer < 0)
        d->status = aci_fail(d->err, answer, "the caller's function for differences failed");
}

size_t aci_diff_enter(aci_diff *d, const char *member)
{
    size_t length = d->path.len;

    if (!aci_json_pointer_add(&d->path, agentchat_str_from(member)))
        aci_diff_nomem(d);
    return length;
}

size_t aci_diff_enter_index(aci_diff *d, size_t index)
{
    size_t length = d->path.len;

    if (!aci_json_pointer_add_index(&d->path, index))
        aci_diff_nomem(d);
    return length;
}

void aci_diff_leave(aci_diff *d, size_t length)
{
    d->path.len = length;
}
