/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The notation of the recorded cases: LangChain's messages as JSON, from which ours are made, and views of messages
 * that are compared. Nothing here decides what becomes of a list.
 */
#ifndef RUNNER_NOTATION_H
#define RUNNER_NOTATION_H

#include <agentchat/json.h>
#include <agentchat/list_edit.h>
#include <jansson.h>

/* What a message of the notation is. */
typedef enum notation_form {
    NOTATION_MESSAGE, /* one of ours was made */
    NOTATION_REMOVAL, /* RemoveMessage: no message here */
    NOTATION_ODD      /* what only Python's coercion knows, or refuses */
} notation_form;

/* removal: the id, where the form is one; NULL: not wanted. */
notation_form notation_message(const json_t *given, agentchat_message **out, agentchat_str *removal);

/* All of a list. NULL: one of them is no message; *form says which kind it is. */
agentchat_messages *notation_messages(const json_t *list, notation_form *form);

/* The fields of a message as the notation has them, whatever form it has: those of an object, or the dict itself. */
const json_t *notation_data(const json_t *given);
/* Its type: the name of a class, a role; NULL: it has none. */
const char *notation_type(const json_t *given);
/* The member of what notation_data() gives. */
json_t *notation_member(const json_t *given, const char *name);

/* What is compared of a message: role, id, name, content, calls, call_id, failed, metadata. */
json_t *notation_view(const agentchat_message *message);

/* A member that is a string, else NULL. */
const char *notation_word(const json_t *object, const char *name);
agentchat_str notation_text(const json_t *string);

#endif
