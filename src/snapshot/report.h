/* SPDX-License-Identifier: Apache-2.0 */
/* Filling a report. All functions accept a NULL report and then do nothing but what they return. */
#ifndef ACI_SNAPSHOT_REPORT_H
#define ACI_SNAPSHOT_REPORT_H

#include "base/buf.h"
#include <agentchat/report.h>

agentchat_report *aci_report_new(const agentchat_env *env); /* NULL: out of memory */
/* Gives a report to the caller of a public function, or frees it when *out is not wanted (out: NULL). */
void aci_report_hand_over(agentchat_report *report, agentchat_report **out);
/* Adds an entry; everything is copied. At most ACI_REPORT_MAX entries of one kind are kept, then one that counts the
   rest. false: out of memory. */
enum { ACI_REPORT_MAX = 1000 };
bool aci_report_add(agentchat_report *report, agentchat_report_kind kind, agentchat_match match, agentchat_str path,
                    agentchat_str key, const char *format, ...) AGENTCHAT_PRINTF(6, 7);

/* E_LOSS with the location and the text of the first loss, when there is one. */
agentchat_status aci_report_fail_on_loss(const agentchat_report *report, agentchat_error *err);

#endif
