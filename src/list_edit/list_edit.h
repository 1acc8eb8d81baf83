/* SPDX-License-Identifier: Apache-2.0 */
/*

 */
#ifndef ACI_LIST_EDIT_LIST_EDIT_H
#define ACI_LIST_EDIT_LIST_EDIT_H

#include "model/model.h"
#include <agentchat/list_edit.h>
#include <agentchat/repair.h>

typedef struct aci_edit_entry {
    size_t index;
    agentchat_edit_kind kind;         /* any but KEEP */
    uint32_t order;                   /* among those that wait */
    const agentchat_message *message; /* one reference; NULL for REMOVE */
} aci_edit_entry;

struct agentchat_list_edit {
    const agentchat_env *env;
    size_t length;
    aci_edit_entry *entries;
    size_t count, cap;        /* room for those that wait once more, for sorting */
    size_t settled;           /* entries that are in the order of the list; the others wait */
    size_t removed, inserted; /* elements, by what is settled */
};

/* Sorts the entries that wait into the others; whoever looks at entries does this first. It cannot fail. */
void aci_list_edit_settle(const agentchat_list_edit *edit);

/* Removes the elements whose flag is false. E_NOMEM. */
agentchat_status aci_list_edit_keep_flagged(agentchat_list_edit *edit, const bool *keep, agentchat_error *err);
/* A bound of a slice as a position in a list; given NULL: an open one. */
size_t aci_list_edit_bound(const int64_t *given, size_t otherwise, size_t length);

/* ---- updates of lists of JSON values (add.c) -------------------------------------------------------------------- */

/* What becomes of a list: elements [from, to) stay, and what is given comes after them. */
typedef struct aci_list_edit_update {
    size_t from, to;
    agentchat_str values; /* an array whose elements are appended; absent: none */
    agentchat_str value;  /* one value that is appended; absent: none */
} aci_list_edit_update;
/* Reads an update, one validated JSON value, of a list of that length. E_INVALID: it is none. */
agentchat_status aci_list_edit_update_read(agentchat_str update, size_t length, aci_list_edit_update *out,
                                           agentchat_error *err);

/* ---- repair (repair.c) ------------------------------------------------------------------------------------------ */

/* Something that is changed, or a piece of advice. */
typedef struct aci_finding {
    const agentchat_repair_row *row; /* why */
    size_t message, item;            /* item SIZE_MAX: the message as a whole */
    bool is_loss;
    const char *what;
} aci_finding;
typedef agentchat_status (*aci_repair_fn)(void *user, const aci_finding *finding, agentchat_error *err);

/* Makes the edit list. each: NULL, nobody is told. */
agentchat_status aci_repair(const agentchat_env *env, const agentchat_messages *messages,
                            const agentchat_repair_profile *profile, const agentchat_repair_options *options,
                            aci_repair_fn each, void *user, agentchat_list_edit **out, agentchat_error *err);

#endif
