/* SPDX-License-Identifier: Apache-2.0 */
/* Writing messages and documents: a body, whose first message of role system is its `system`, or the answer or array
   that was read. */
#include "format/anthropic/anthropic.h"

#include "format/kit/look.h"
#include "model/form_mark.h"

static bool is_part(const agentchat_item *item)
{
    (void)item;
    return true;
}

/* The role, of which there are three; a tool's results are the user's, a developer is the system. *told: that the
   former has been reported, once for all messages. */
static void write_role(aci_object_out *o, uint32_t row, bool *told)
{
    static const aci_location history = {NULL, {"history", 7}, 0};
    agentchat_str role = aci_object_out_get(o, AGENTCHAT_FIELD_ROLE);
    const aci_location at = {o->path, AGENTCHAT_STR("role"), 0};
    bool is_tool =
             agentchat_str_equal(role, AGENTCHAT_STR("tool")) || agentchat_str_equal(role, AGENTCHAT_STR("function")),
         is_developer = agentchat_str_equal(role, AGENTCHAT_STR("developer"));

    if (is_tool && !*told)
        aci_out_changed(o->out, &history, "messages of role tool were written as the user's");
    else if (is_developer)
        aci_out_changed(o->out, &at, "the role was written as \"system\"");
    *told = *told || is_tool;
    aci_object_out_text(o, row, is_tool ? AGENTCHAT_STR("user") : is_developer ? AGENTCHAT_STR("system") : role);
}

static void write_message(aci_out *out, const aci_location *path, const agentchat_message *message, bool *told)
{
    aci_object_out o;

    aci_object_out_message(&o, out, path, message, &aci_anthropic_message);
    write_role(&o, ACI_AN_ROLE, told);
    if (!aci_content_write(&o, ACI_AN_CONTENT, message, is_part, aci_anthropic_write_block) &&
        aci_object_out_form(&o, "null").ptr == NULL) {
        aci_object_out_key(&o, ACI_AN_CONTENT);
        aci_writer_raw(&out->w, AGENTCHAT_STR("[]"));
    }
    aci_object_out_end(&o);
}

static void write_messages(aci_out *out, const agentchat_messages *messages, size_t first)
{
    static const aci_location history = {NULL, {"history", 7}, 0};
    aci_list_cursor cursor;
    bool told = false;

    aci_list_cursor_begin(&cursor, messages);
    aci_writer_array_begin(&out->w);
    for (size_t i = first; i < messages->count && out->w.status >= 0; i++) {
        const agentchat_message *message = aci_list_cursor_at(&cursor, i);
        const aci_location at = {&history, {NULL, 0}, i};

        if ((message->flags & ACI_MESSAGE_IS_NULL) != 0)
            aci_out_lost(out, &history, "message %zu was left out: it is null", i);
        else
            write_message(out, &at, message, &told);
    }
    aci_writer_array_end(&out->w);
}

/* ---- documents -------------------------------------------------------------------------------------------------- */

/* Writes what a document says of one of its messages: the content, and what `carried` writes of the fields. */
static void write_content(aci_object_out *o, uint32_t row, const agentchat_message *message)
{
    static const aci_location history = {NULL, {"history", 7}, 0}, first = {&history, {NULL, 0}, 0};

    o->path = &first;
    if (!aci_content_write(o, row, message, is_part, aci_anthropic_write_block)) {
        aci_object_out_key(o, row);
        aci_writer_raw(&o->out->w, AGENTCHAT_STR("[]"));
    }
    o->path = NULL;
}

static void write_answer(aci_out *out, const agentchat_snapshot *snapshot)
{
    static const aci_location history = {NULL, {"history", 7}, 0}, first = {&history, {NULL, 0}, 0};
    const agentchat_message *message = agentchat_messages_at(&snapshot->history, 0);
    aci_object_out o, beside;

    aci_object_out_plain(&o, out, snapshot->extras, snapshot->form, &aci_anthropic_answer);
    aci_object_out_message_beside(&beside, out, &first, message);
    aci_object_out_text(&o, ACI_AN_ANSWER_ID, aci_object_out_get(&beside, AGENTCHAT_FIELD_ID));
    if (aci_object_out_extra(&o, ACI_AN_ANSWER_TYPE).ptr == NULL)
        aci_object_out_word(&o, ACI_AN_ANSWER_TYPE, "message");
    aci_object_out_text(&o, ACI_AN_ANSWER_ROLE, aci_object_out_get(&beside, AGENTCHAT_FIELD_ROLE));
    aci_object_out_text(&o, ACI_AN_ANSWER_MODEL, aci_object_out_get(&beside, AGENTCHAT_FIELD_MODEL_ID));
    write_content(&o, ACI_AN_ANSWER_CONTENT, message);
    aci_object_out_beside_end(&beside);
    aci_object_out_end(&o);
}

/* Whether the first message is written as `system`. */
static bool has_system(const agentchat_snapshot *snapshot, agentchat_str tag)
{
    const agentchat_message *first = agentchat_messages_at(&snapshot->history, 0);
    agentchat_str role = agentchat_message_role(first);

    return first != NULL &&
           (agentchat_str_equal(role, AGENTCHAT_STR("system")) ||
            agentchat_str_equal(role, AGENTCHAT_STR("developer"))) &&
           aci_form_mark_member(agentchat_message_get(first, AGENTCHAT_FIELD_FORM), tag, "in").ptr == NULL;
}

static void write_body(aci_out *out, const agentchat_snapshot *snapshot)
{
    static const aci_location history = {NULL, {"history", 7}, 0}, first = {&history, {NULL, 0}, 0};
    static const aci_location role = {&first, {"role", 4}, 0};
    const agentchat_message *system = agentchat_messages_at(&snapshot->history, 0);
    bool is_system = has_system(snapshot, out->tag);
    aci_object_out o, beside;

    aci_object_out_plain(&o, out, snapshot->extras, snapshot->form, &aci_anthropic_body);
    if (is_system) {
        aci_object_out_message_beside(&beside, out, &first, system);
        if (!agentchat_str_equal(aci_object_out_get(&beside, AGENTCHAT_FIELD_ROLE), AGENTCHAT_STR("system")))
            aci_out_changed(out, &role, "the role was written as \"system\"");
        write_content(&o, ACI_AN_SYSTEM, system);
        aci_object_out_beside_end(&beside);
    }
    aci_object_out_key(&o, ACI_AN_MESSAGES);
    write_messages(out, &snapshot->history, is_system);
    aci_object_out_end(&o);
}

/* Whether what was an answer still is one. */
static bool is_answer(const agentchat_snapshot *snapshot, agentchat_str tag)
{
    return aci_look_is_word(aci_form_mark_member(snapshot->form, tag, "as"), "answer") &&
           snapshot->history.count == 1 &&
           (agentchat_messages_at(&snapshot->history, 0)->flags & ACI_MESSAGE_IS_NULL) == 0;
}

static bool is_array(const agentchat_snapshot *snapshot, agentchat_str tag)
{
    return aci_look_is_word(aci_form_mark_member(snapshot->form, tag, "as"), "array");
}

agentchat_status aci_anthropic_write(aci_write *document, const agentchat_snapshot *snapshot, agentchat_error *err)
{
    const agentchat_str tag = ACI_TAG(aci_anthropic_name);
    aci_out out;

    if (aci_out_begin(&out, document, aci_anthropic_name, 2, err) >= 0) {
        bool in_array = is_array(snapshot, tag);

        if (in_array)
            write_messages(&out, &snapshot->history, 0);
        else if (is_answer(snapshot, tag))
            write_answer(&out, snapshot);
        else
            write_body(&out, snapshot);
        aci_history_only(&out, snapshot, in_array);
    }
    return aci_out_end_document(&out);
}
