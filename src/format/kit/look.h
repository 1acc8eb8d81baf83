/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looking at the beginning of a document that nobody has checked: for probes. Every call stops at the end of what there
 * is and at what is no JSON; what is malformed is found by the reader that gets the document.
 */
#ifndef ACI_FORMAT_KIT_LOOK_H
#define ACI_FORMAT_KIT_LOOK_H

#include <agentchat/str.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct aci_look {
    const char *p, *end;
} aci_look;

/* The beginning of a document, of which at most so many bytes may be looked at; a byte-order mark is skipped. */
aci_look aci_look_begin(const char *data, size_t len);
/* The first byte of the value that comes next; NUL at the end. */
char aci_look_kind(aci_look *look);
/* Takes a byte; whitespace before it is skipped. */
bool aci_look_take(aci_look *look, char wanted);
/* Takes a string, as it is spelled. */
bool aci_look_string(aci_look *look, agentchat_str *out);
/* Skips a value. */
bool aci_look_skip(aci_look *look);
/* The next member of an object whose bracket or last value was taken: its name as spelled. The value comes next. */
bool aci_look_member(aci_look *look, agentchat_str *name);
/* Whether an array whose bracket or last element was taken goes on: the element comes next. */
bool aci_look_element(aci_look *look);
/* Whether a string means a word of ASCII letters, digits, "_", "." and "-". */
bool aci_look_means(agentchat_str spelled, const char *word);
/* The same of a value, which need be no string. */
static inline bool aci_look_is_word(agentchat_str value, const char *word)
{
    return value.ptr != NULL && *value.ptr == '"' &&
           aci_look_means((agentchat_str){value.ptr + 1, value.len - 2}, word);
}

#endif
