/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the two halves of the writer share: writer.c makes tokens and layout, writer_window.c brings bytes to the sink.
 * Nothing outside src/json includes it.
 *
 * Invariants: used <= cap; after a failure (status < 0) nothing reaches the sink any more; in a wrapped part everything
 * goes through aci_writer_window_put_wrapped(), its own quotes only straight to the window.
 */
#ifndef ACI_JSON_WRITER_INTERNAL_H
#define ACI_JSON_WRITER_INTERNAL_H

#include "json/escape.h"
#include <string.h>

/* From here on, a copy costs more than a call of the sink. */
enum { ACI_JW_DIRECT = 16 * 1024 };

/* Bytes that do not fit into what is left of the window. */
void aci_writer_window_slow(aci_json_writer *w, const char *bytes, size_t len);
/* Bytes of a document inside a string. */
void aci_writer_window_put_wrapped(aci_json_writer *w, const char *bytes, size_t len);
/* Spells text for the inside of a string of the document itself, in the window. */
void aci_writer_window_spell(aci_json_writer *w, const char *text, size_t len);
/* The same for a string inside a wrapped document: spelled, then wrapped. */
void aci_writer_window_spell_wrapped(aci_json_writer *w, const char *text, size_t len);

/* To be called when the mode or the indentation changes. */
static inline void aci_writer_set_straight(aci_json_writer *w)
{
    w->straight = w->mode == ACI_JW_PLAIN && (w->indent == 0 || w->inline_ > 0);
}

/* Bytes of the document itself: into the window, or past it. */
static inline void aci_writer_put_window(aci_json_writer *w, const char *bytes, size_t len)
{
    if (len <= w->cap - w->used) {
        memcpy(w->window + w->used, bytes, len);
        w->used += len;
    } else {
        aci_writer_window_slow(w, bytes, len);
    }
}

/* Bytes of the text being written: the document, or what a quoted or encoded part holds. */
static inline void aci_writer_put(aci_json_writer *w, const char *bytes, size_t len)
{
    if (w->mode == ACI_JW_PLAIN)
        aci_writer_put_window(w, bytes, len);
    else
        aci_writer_window_put_wrapped(w, bytes, len);
}

/* Text inside the quotes of a string of the text being written. */
static inline void aci_writer_put_text(aci_json_writer *w, agentchat_str text)
{
    if (w->mode == ACI_JW_PLAIN)
        aci_writer_window_spell(w, text.ptr, text.len);
    else
        aci_writer_window_spell_wrapped(w, text.ptr, text.len);
}

#endif
