/* SPDX-License-Identifier: Apache-2.0 */
/* Repairing histories for providers: finding a profile, and the report. */
#include <agentchat/repair.h>

#include "base/error.h"
#include "format/registry.h"
#include "list_edit/list_edit.h"
#include "snapshot/report.h"
#include <stdio.h>
#include <string.h>

const agentchat_repair_profile *agentchat_repair_profile_find(const char *name)
{
    size_t count;
    const aci_format *const *all = aci_registry_all(&count);

    for (size_t i = 0; name != NULL && i < count; i++)
        if (all[i]->profile != NULL && strcmp(all[i]->profile->name, name) == 0)
            return all[i]->profile;
    return NULL;
}

void agentchat_repair_options_init(agentchat_repair_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static agentchat_status add_entry(void *user, const aci_finding *found, agentchat_error *err)
{
    agentchat_report_kind kind = found->row->is_advice ? AGENTCHAT_REPORT_NOTE
                                 : found->is_loss      ? AGENTCHAT_REPORT_LOSS
                                                       : AGENTCHAT_REPORT_REPAIR;
    char path[80];
    int len = snprintf(path, sizeof path, "/history/%zu", found->message);

    if (found->item != SIZE_MAX)
        (void)snprintf(path + len, sizeof path - (size_t)len, "/items/%zu", found->item);
    return aci_report_add(user, kind, AGENTCHAT_MATCH_NONE, agentchat_str_from(path), (agentchat_str){NULL, 0},
                          "%s (%s)", found->what, found->row->why)
               ? AGENTCHAT_OK
               : aci_fail_nomem(err);
}

static agentchat_status run(const agentchat_env *env, const agentchat_messages *messages,
                            const agentchat_repair_profile *profile, const agentchat_repair_options *options,
                            agentchat_list_edit **edit, agentchat_report **report, agentchat_error *err)
{
    agentchat_status status;

    *edit = NULL;
    *report = NULL;
    if (profile == NULL)
        return aci_fail_null(err, "profile");
    *report = aci_report_new(aci_env(env));
    if (*report == NULL)
        return aci_fail_nomem(err);
    status = aci_repair(env, messages, profile, options, add_entry, *report, edit, err);
    if (status < 0) {
        agentchat_report_free(*report);
        *report = NULL;
    }
    return status;
}

agentchat_status agentchat_repair(const agentchat_env *env, const agentchat_messages *messages,
                                  const agentchat_repair_profile *profile, const agentchat_repair_options *options,
                                  agentchat_messages **out, agentchat_list_edit **edit, agentchat_report **report,
                                  agentchat_error *err)
{
    agentchat_messages *made = NULL;
    agentchat_list_edit *changes = NULL;
    agentchat_report *entries = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out != NULL)
        *out = NULL;
    if (edit != NULL)
        *edit = NULL;
    if (report != NULL)
        *report = NULL;
    status = run(env, messages, profile, options, &changes, &entries, err);
    if (status >= 0 && out != NULL && messages == NULL)
        status = agentchat_messages_new(env, NULL, 0, &made, err);
    else if (status >= 0 && out != NULL)
        status = agentchat_list_edit_is_empty(changes) ? agentchat_messages_ref(messages, &made, err)
                                                       : agentchat_list_edit_apply(changes, messages, &made, err);
    if (status >= 0 && out != NULL)
        *out = made;
    if (status >= 0 && edit != NULL) {
        *edit = changes;
        changes = NULL;
    }
    if (status >= 0)
        aci_report_hand_over(entries, report);
    else
        agentchat_report_free(entries);
    agentchat_list_edit_free(changes);
    return status;
}

agentchat_status agentchat_check_for(const agentchat_env *env, const agentchat_messages *messages,
                                     const agentchat_repair_profile *profile, const agentchat_repair_options *options,
                                     agentchat_report **report, agentchat_error *err)
{
    agentchat_list_edit *changes = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report == NULL)
        return aci_fail_null(err, "report");
    status = run(env, messages, profile, options, &changes, report, err);
    agentchat_list_edit_free(changes);
    return status;
}
