/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages and documents: a request's body, whose `system` becomes the first message, an answer, or a bare array of
 * messages. What else a body or an answer has becomes extras of the chat.
 */
#include "format/anthropic/anthropic.h"

#include "base/error.h"
#include "format/kit/look.h"

/* word: what the form mark says of where the message stands; NULL: nothing. */
static agentchat_message *read_placed(aci_raw_reader *a, const aci_location *path, agentchat_str raw, const char *word)
{
    aci_items items = {NULL, 0, 0};
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_anthropic_message) &&
              aci_content_check_message(&o, raw, ACI_AN_CONTENT, false) &&
              aci_content_read(&o, ACI_AN_CONTENT, &items, aci_anthropic_read_block) &&
              (word == NULL || aci_object_note_word(&o, "in", word));

    return aci_object_message(&o, &items, ok);
}

static agentchat_message *read_message(aci_raw_reader *a, const aci_location *path, agentchat_str raw)
{
    return read_placed(a, path, raw, NULL);
}

/* A message from the values of a document: its fields, and items. */
static bool add_message(aci_history_in *h, aci_object *o, const aci_items *items)
{
    aci_draft draft = o->draft;
    agentchat_message *message;

    draft.extra_count = 0;
    o->draft.field_count = 0;
    message = aci_draft_message(&draft, h->a.arena, items->list, items->count, 0);
    return message != NULL ? aci_history_add(h, message) : aci_raw_reader_nomem(&h->a);
}

static bool read_answer(aci_history_in *h, agentchat_str raw)
{
    aci_items items = {NULL, 0, 0};
    aci_object o;
    bool ok = aci_object_begin(&o, &h->a, NULL, raw, &aci_anthropic_answer) &&
              aci_content_check_message(&o, raw, ACI_AN_ANSWER_CONTENT, false) &&
              aci_content_read(&o, ACI_AN_ANSWER_CONTENT, &items, aci_anthropic_read_block) &&
              add_message(h, &o, &items) && aci_object_note_word(&o, "as", "answer");

    if (ok && aci_object_says(&o, ACI_AN_ANSWER_TYPE, "message"))
        (void)aci_object_take(&o, ACI_AN_ANSWER_TYPE);
    return aci_object_leftovers(&o, &h->extras, &h->form, ok);
}

static bool read_system(aci_history_in *h, aci_object *o)
{
    aci_items items = {NULL, 0, 0};

    if (!aci_object_has(o, ACI_AN_SYSTEM, '"') && !aci_object_has(o, ACI_AN_SYSTEM, '['))
        return true;
    aci_object_set(o, AGENTCHAT_FIELD_ROLE, ACI_FORM_TEXT, AGENTCHAT_STR("system"));
    return aci_content_read(o, ACI_AN_SYSTEM, &items, aci_anthropic_read_block) && add_message(h, o, &items);
}

/* A first message of role system stands among the messages, where it would be written as `system`. */
static bool read_messages(aci_history_in *h, agentchat_str raw)
{
    static const aci_location list = {NULL, {"messages", 8}, 0};
    aci_location at = {&list, {NULL, 0}, 0};
    aci_walk walk;

    aci_raw_reader_walk(&h->a, &walk, raw);
    for (; aci_walk_next(&walk); at.index++) {
        bool is_system = h->count == 0 && aci_look_is_word(aci_raw_reader_member(&h->a, walk.value, "role"), "system");

        if (!aci_history_add(h, read_placed(&h->a, &at, walk.value, is_system ? "messages" : NULL)))
            return false;
    }
    return true;
}

static bool read_body(aci_history_in *h, agentchat_str raw)
{
    aci_object o;
    bool ok = aci_object_begin(&o, &h->a, NULL, raw, &aci_anthropic_body);

    if (ok && !aci_object_has(&o, ACI_AN_MESSAGES, '['))
        ok = aci_raw_reader_fail(&h->a, NULL, raw, AGENTCHAT_E_SCHEMA,
                                 "expected an array of messages, a request with \"messages\" or an answer with "
                                 "\"content\"");
    ok = ok && read_system(h, &o) && read_messages(h, aci_object_take(&o, ACI_AN_MESSAGES));
    return aci_object_leftovers(&o, &h->extras, &h->form, ok);
}

static bool read_document(aci_history_in *h, agentchat_str raw)
{
    agentchat_str messages;

    if (*raw.ptr == '[') {
        h->form = AGENTCHAT_STR("{\"from\":\"anthropic\",\"value\":{\"as\":\"array\"}}");
        return aci_history_add_all(h, NULL, raw, read_message);
    }
    messages = aci_raw_reader_member(&h->a, raw, "messages");
    if ((messages.ptr == NULL || *messages.ptr != '[') && aci_raw_reader_member(&h->a, raw, "content").ptr != NULL)
        return read_answer(h, raw);
    return read_body(h, raw);
}

agentchat_status aci_anthropic_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err)
{
    return aci_history_read(in, aci_anthropic_name, read_document, out, err);
}
