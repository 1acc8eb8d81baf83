/* SPDX-License-Identifier: Apache-2.0 */
/* Names, numbers and times of sessions. */
#include "session/session.h"

#include "base/error.h"
#include "base/ids.h"

static agentchat_status check_labels(const aci_session_name *name, agentchat_error *err)
{
    agentchat_status status = aci_label_check(name->app, "application", err);

    if (status >= 0)
        status = aci_label_check(name->user, "user", err);
    if (status >= 0 && name->id.ptr != NULL)
        status = aci_label_check(name->id, "session id", err);
    return status;
}

static aci_session_name name_from(const char *app, const char *user, const char *id)
{
    return (aci_session_name){agentchat_str_from(app), agentchat_str_from(user), agentchat_str_from(id)};
}

agentchat_status aci_session_name_check(agentchat_store *store, const char *app, const char *user, const char *id,
                                        bool needs_id, aci_session_name *out, agentchat_error *err)
{
    *out = name_from(app, user, id);
    if (store == NULL || app == NULL || user == NULL || (needs_id && id == NULL))
        return aci_fail(err, AGENTCHAT_E_INVALID, "store, application, user%s must be given",
                        needs_id ? " and session id" : "");
    return check_labels(out, err);
}

agentchat_status agentchat_session_name_check(const char *app, const char *user, const char *id, agentchat_error *err)
{
    aci_session_name name = name_from(app, user, id);

    agentchat_error_clear(err);
    if (app == NULL || user == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "application and user must be given");
    return check_labels(&name, err);
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

int64_t aci_name_write_time(const agentchat_env *env, int64_t last)
{
    int64_t now = aci_now_us(env);

    return now > last ? now : last;
}

aci_session_name aci_name_of(const agentchat_session *session)
{
    return (aci_session_name){session->app, session->user, session->id};
}
