/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON lines: one message, item or event on each. They are read as the document that they are the elements of, whose
 * text stands around them and in which commas take the place of line ends; so is an array of events, as the answers of
 * ADKs are.
 */
#ifndef ACI_FORMAT_LINES_H
#define ACI_FORMAT_LINES_H

#include "format/kit/format.h"

/* What was put around a document; nothing: it is read as it is. */
typedef struct aci_lines {
    agentchat_str given; /* the document */
    size_t before;       /* bytes put before it */
    const char *list;    /* JSON Pointer of the list that was made of it */
} aci_lines;

/* Whether a document has an object, and after the end of that line another one. */
bool aci_lines_are(const char *data, size_t len);

/* Makes a document of lines, which then is in->data. format: NULL, if it is to be detected. E_SYNTAX: a line is cut
   off, with how many lines are complete. */
agentchat_status aci_lines_open(aci_read *in, const char *format, aci_lines *out, agentchat_error *err);
/* Gives an error the location in the lines. */
void aci_lines_locate(const aci_lines *lines, agentchat_error *err);

/* Writes the history alone, each message or item on a line. E_INVALID: the format has no list of messages. */
agentchat_status aci_lines_write(aci_write *out, const aci_format *format, const agentchat_snapshot *snapshot,
                                 agentchat_error *err);

#endif
