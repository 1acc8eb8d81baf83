/* SPDX-License-Identifier: Apache-2.0 */
/* Locations in a snapshot, for reports and errors. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_LOCATION_H
#define ACI_FORMAT_SEMANTIC_KERNEL_LOCATION_H

#include "snapshot/report.h"

/* A location in a snapshot, for reports: a list that ends at the document. */
typedef struct aci_sk_path {
    const struct aci_sk_path *up;
    const char *name; /* NULL: index counts */
    size_t index;
} aci_sk_path;

/* Adds an entry at a location (terms of format 1). report may be NULL. false: out of memory. */
bool aci_sk_report(agentchat_report *report, const agentchat_env *env, agentchat_report_kind kind,
                   const aci_sk_path *path, const char *format, ...) AGENTCHAT_PRINTF(5, 6);

/* Gives an error its location; if memory runs out it has none. */
void aci_sk_locate_error(const agentchat_env *env, const aci_sk_path *path, agentchat_error *err);

#endif
