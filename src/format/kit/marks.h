/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The marks by which a provider's chat is told from another's: names and words in a request's body, its messages and
 * what they hold, in a table of the format. The walk over the document is the same for all of them.
 */
#ifndef ACI_FORMAT_KIT_MARKS_H
#define ACI_FORMAT_KIT_MARKS_H

#include "format/kit/probe.h"

typedef enum aci_mark_in {
    ACI_MARK_BODY,    /* a member of the document */
    ACI_MARK_TOOL,    /* of an element of its "tools" */
    ACI_MARK_FIRST,   /* of the first message, … */
    ACI_MARK_MESSAGE, /* … of any message: an element of "messages", or of the document when that is an array */
    ACI_MARK_PART     /* of an element of a message's "content" */
} aci_mark_in;

typedef enum aci_mark_says {
    ACI_MARK_OWN,     /* this format alone has it: certain */
    ACI_MARK_FOREIGN, /* this format never has it */
    ACI_MARK_NEEDED   /* a body with messages that lacks it is not of this format; BODY only */
} aci_mark_says;

typedef struct aci_mark {
    aci_mark_in in;
    aci_mark_says says;
    const char *name; /* of the member */
    char kind;        /* first byte of its value; 0: any */
    const char *word; /* what it means, for a string; NULL: any */
} aci_mark;

/* What a document is by a table, whose NEEDED rows are among the first 32. Without a mark, messages with roles are
   likely and all else is not. The first mark decides. */
aci_likeness aci_marks_probe(const aci_mark *marks, size_t count, const char *data, size_t len);

#endif
