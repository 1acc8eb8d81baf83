/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The marks by which a provider's chat is told from another's: names and words in a request's body, its messages and
 * what they hold, in one table. The walk over the document is the same for all of them.
 */
#ifndef ACI_FORMAT_KIT_MARKS_H
#define ACI_FORMAT_KIT_MARKS_H

#include "format/kit/probe.h"
#include <agentchat/str.h>
#include <stdint.h>

typedef enum aci_mark_in {
    ACI_MARK_BODY,    /* a member of the document */
    ACI_MARK_TOOL,    /* of an element of its "tools" */
    ACI_MARK_FIRST,   /* of the first message, … */
    ACI_MARK_MESSAGE, /* … of any message: an element of "messages", or of the document when that is an array */
    ACI_MARK_PART     /* of an element of a message's "content" or "items" */
} aci_mark_in;

typedef enum aci_mark_says {
    ACI_MARK_NOTHING,
    ACI_MARK_OWN,     /* this format alone has it: certain */
    ACI_MARK_FOREIGN, /* this format never has it */
    ACI_MARK_NEEDED   /* a body with messages that lacks it is not of this format; BODY only */
} aci_mark_says;

/* The formats that are told by the table. */
typedef enum aci_marked {
    ACI_MARKED_OPENAI_CHAT,
    ACI_MARKED_ANTHROPIC,
    ACI_MARKED_OPENAI_RESPONSES,
    ACI_MARKED_FORMATS
} aci_marked;

typedef struct aci_mark {
    uint8_t in;                       /* aci_mark_in */
    const char *name;                 /* of the member */
    char kind;                        /* first byte of its value; 0: any */
    const char *word;                 /* what it means, for a string; "texts": of an array, that it begins with a
                                         string; NULL: any */
    uint8_t says[ACI_MARKED_FORMATS]; /* aci_mark_says, to each of the formats */
    const char *owner;                /* whose mark it is: one that no format here reads, or the name of a format
                                         whose marks the others refuse; NULL: none */
} aci_mark;

/* provider_marks.c. NEEDED rows are among the first 32. */
extern const aci_mark aci_provider_marks[];
extern const size_t aci_provider_mark_count;

/* Whether a document is of a format, by the table. Without a mark, messages with roles are likely and all else is not.
   The first mark decides. */
aci_likeness aci_marks_probe(aci_marked format, const char *data, size_t len);

/* What is said of an owner after "this looks like". */
const char *aci_marks_advice(const char *owner);
/* The library that a document looks like, and that no format here reads; NULL: none. */
const char *aci_marks_library(const char *data, size_t len);
/* The same of a member, by its name as text and its raw value. */
const char *aci_marks_library_of(aci_mark_in in, agentchat_str name, agentchat_str value);

#endif
