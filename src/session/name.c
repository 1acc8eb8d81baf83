/* SPDX-License-Identifier: Apache-2.0 */
/* Names, numbers and times of sessions. */
#include "session/session.h"

#include "base/error.h"
#include "base/ids.h"

agentchat_status aci_session_name_load(const agentchat_session_id *who, bool needs_id, aci_session_name *out,
                                       agentchat_error *err)
{
    agentchat_status status;

    if (who == NULL)
        return aci_fail_null(err, "who");
    *out = (aci_session_name){agentchat_str_from(who->app), agentchat_str_from(who->user), agentchat_str_from(who->id)};
    status = aci_label_check(out->app, "application", err);
    if (status >= 0)
        status = aci_label_check(out->user, "user", err);
    if (status >= 0 && (needs_id || who->id != NULL))
        status = aci_label_check(out->id, "session id", err);
    return status;
}

agentchat_status agentchat_session_id_check(const agentchat_session_id *who, agentchat_error *err)
{
    aci_session_name name;

    agentchat_error_clear(err);
    return aci_session_name_load(who, false, &name, err);
}

agentchat_status aci_session_number(const agentchat_env *env, int64_t *out, agentchat_error *err)
{
    uint64_t bits = 0;

    if (env->random(env->user, &bits, sizeof bits) != 0)
        return aci_fail(err, AGENTCHAT_E_INTERNAL, "there are no random bytes for a session's number");
    *out = (int64_t)(bits >> 1);
    return AGENTCHAT_OK;
}

agentchat_status aci_name_fail_no_session(const aci_session_name *name, agentchat_error *err)
{
    aci_excerpt app, user, id;

    return aci_fail(err, AGENTCHAT_E_NOTFOUND, "application %s, user %s: there is no session %s",
                    aci_error_excerpt(name->app, &app), aci_error_excerpt(name->user, &user),
                    aci_error_excerpt(name->id, &id));
}

agentchat_status aci_name_damage(agentchat_status status, const aci_session_name *name, agentchat_error *err)
{
    aci_excerpt app, user, id;

    if (status == AGENTCHAT_E_CORRUPT)
        aci_error_prefix(err, "session %s/%s/%s", aci_error_excerpt(name->app, &app),
                         aci_error_excerpt(name->user, &user), aci_error_excerpt(name->id, &id));
    return status;
}

int64_t aci_name_write_time(const agentchat_env *env, int64_t last)
{
    int64_t now = aci_now_us(env);

    return now > last ? now : last;
}
