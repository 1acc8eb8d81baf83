/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One message as JSON of format 1: the reader and the writer of documents, with the message as the whole document.
 * Layer 4.
 */
#include "codec/message_json.h"

#include "base/checked.h"
#include "base/error.h"
#include "codec/agentchat.h"
#include "json/value.h"
#include <string.h>

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static agentchat_status add_to_buf(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    return aci_buf_add(self, bytes, len) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_message_json_write(const agentchat_env *env, const agentchat_message *message, aci_buf *out,
                                        agentchat_error *err)
{
    static const agentchat_sink_ops ops = {sizeof(ops), add_to_buf, NULL, NULL};
    aci_write target = {.env = aci_env(env)};
    aci_f1_writer f = {.out = &target};
    size_t before = out->len;
    agentchat_status status = agentchat_sink_new(env, &ops, out, &target.sink, err);

    if (status < 0)
        return status;
    status = aci_jw_begin(&f.w, env, target.sink, ACI_JSON_UTF8, 0, err);
    if (status >= 0) {
        aci_f1_write_message(&f, message);
        status = aci_jw_end(&f.w);
    }
    agentchat_sink_free(target.sink);
    if (status < 0)
        out->len = before;
    return status;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* The text in the home, with the zero bytes behind it that the reader wants, so that strings stay where they are. */
static char *copy_text(aci_home *home, agentchat_str text)
{
    size_t size;
    char *copy;

    if (!aci_add(text.len, ACI_READ_PADDING, &size))
        return NULL;
    copy = aci_home_text(home, size);
    if (copy == NULL)
        return NULL;
    if (text.len > 0)
        memcpy(copy, text.ptr, text.len);
    memset(copy + text.len, 0, ACI_READ_PADDING);
    return copy;
}

static agentchat_message *read_copy(aci_read *in, agentchat_error *err)
{
    aci_json_options options = {.env = in->env, .home = in->home, .flags = ACI_JSON_IN_PLACE};
    aci_f1_reader f = {.in = in, .err = err, .messages_left = in->limits.max_messages};
    agentchat_message *message;
    aci_json_reader r;

    aci_json_begin(&r, &options, in->data, in->len, err);
    message = aci_f1_read_message(&f, &r);
    if (message != NULL && !aci_json_end(&r))
        message = NULL;
    (void)aci_json_close(&r);
    aci_free(in->env, f.items, f.item_cap * sizeof(*f.items));
    return message;
}

agentchat_status aci_message_json_read(const agentchat_env *env, agentchat_str text, agentchat_report *report,
                                       agentchat_message **out, agentchat_error *err)
{
    aci_read in = {.env = aci_env(env), .len = text.len, .report = report};
    size_t first_block = text.len < SIZE_MAX / 2 ? text.len + text.len / 2 + 512 : text.len;
    agentchat_error detail;

    *out = NULL;
    in.limits = in.env->limits;
    if (text.len > in.limits.max_bytes)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the message has more than %llu bytes",
                        (unsigned long long)in.limits.max_bytes);
    in.home = aci_home_new(in.env, first_block);
    in.data = in.home != NULL ? copy_text(in.home, text) : NULL;
    if (in.data == NULL) {
        aci_home_unref(in.home);
        return aci_fail_nomem(err);
    }
    agentchat_error_clear(&detail);
    *out = read_copy(&in, &detail);
    if (*out != NULL)
        return AGENTCHAT_OK; /* the reference on the home is the message's */
    aci_home_unref(in.home);
    if (err != NULL && err->code == 0)
        *err = detail;
    return (agentchat_status)detail.code;
}

/* ---- depth ------------------------------------------------------------------------------------------------------ */

static bool value_fits(agentchat_str json, uint32_t levels)
{
    return json.len / 2 <= levels || aci_json_depth_of(json) <= levels; /* a level takes two bytes at least */
}

/* Of an object that may itself use `levels` of them, which is at least 1. */
static bool properties_fit(const aci_field *fields, size_t count, const aci_extras *extras, uint32_t levels)
{
    for (size_t i = 0; i < count; i++)
        if (fields[i].form == ACI_FORM_JSON && !value_fits(aci_field_text(&fields[i]), levels - 1))
            return false;
    for (size_t i = 0; extras != NULL && i < extras->count; i++)
        if (levels < 3 || !value_fits(extras->list[i].value, levels - 3)) /* the object, the array, the entry */
            return false;
    return true;
}

static bool item_fits(const agentchat_item *item, uint32_t levels)
{
    if (levels == 0 || !properties_fit(item->fields, item->field_count, item->extras, levels))
        return false;
    return item->kind != AGENTCHAT_ITEM_MESSAGE || item->u.message == NULL ||
           aci_message_json_fits(item->u.message, levels - 1);
}

bool aci_message_json_fits(const agentchat_message *message, uint32_t levels)
{
    if (message == NULL || (message->flags & ACI_MESSAGE_IS_NULL) != 0)
        return true;
    if (levels == 0 || !properties_fit(message->fields, message->field_count, message->extras, levels))
        return false;
    if ((message->flags & (ACI_MESSAGE_ITEMS_ABSENT | ACI_MESSAGE_ITEMS_NULL)) == 0 && levels < 2)
        return false;
    for (size_t i = 0; i < message->item_count; i++)
        if (!message->items[i]->is_null && !item_fits(message->items[i], levels - 2))
            return false;
    return true;
}
