/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a connection could not be made. libpq has no results for that, only its text, which comes in the language of the
 * host: what is to be known is found without knowing the language.
 */
#include "driver.h"

#include <errno.h>
#include <locale.h>
#include <netdb.h>
#include <string.h>

/* Failures of the system that pass, as a server comes back. */
static const int passing[] = {ECONNREFUSED, ENOENT,    ECONNRESET,   ECONNABORTED, EPIPE,
                              EAGAIN,       ETIMEDOUT, EHOSTUNREACH, ENETUNREACH,  ENETDOWN};
/* And such as do not: a name that is no socket, one that is not ours. */
static const int lasting[] = {EACCES, EPERM, ENOTDIR, ENOTSOCK, EPROTOTYPE};

/* libpq names a failure by the system's own text for it, in whatever language that is set to: so the number is found by
   its text. 0: none of the list. */
static int system_error_in(const char *message, const int *list, size_t count)
{
    char text[128];

    for (size_t i = 0; i < count; i++) {
        if (strerror_r(list[i], text, sizeof text) == 0 && strstr(message, text) != NULL)
            return list[i];
    }
    return 0;
}

/* Finds "SEVERITY:  XXXXX: message", which is how libpq, asked to be verbose, tells of a server's refusal. Returns the
   message and fills sqlstate, or NULL. */
static const char *find_refusal(const char *text, char sqlstate[6])
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    for (const char *at = strstr(text, ":  "); at != NULL; at = strstr(at + 1, ":  ")) {
        if (strspn(at + 3, digits) == 5 && at[8] == ':' && at[9] == ' ') {
            memcpy(sqlstate, at + 3, 5);
            sqlstate[5] = '\0';
            return at + 10;
        }
    }
    return NULL;
}

/* The last line that does not belong to one before it, which is what the last of the hosts came to, without the words
   that say again what was connected to. */
static const char *last_reason(const char *text)
{
    static const char failed[] = " failed: ";
    const char *last = text, *reason;

    for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n')) {
        if (at[1] != '\0' && at[1] != '\t' && at[1] != ' ')
            last = at + 1;
    }
    reason = strstr(last, failed);
    return reason != NULL ? reason + sizeof failed - 1 : last;
}

/* The host may have set a locale; messages are English all the same. */
static agentchat_status fail_system(const aci_postgres_connection *c, int number, agentchat_error *err)
{
    locale_t english = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const char *reason = english != (locale_t)0 ? strerror_l(number, english) : "";

    aci_postgres_fail(c, AGENTCHAT_E_IO, err, "the server cannot be reached: %s", reason);
    if (err != NULL)
        err->native = number;
    if (english != (locale_t)0)
        freelocale(english);
    return AGENTCHAT_E_IO;
}

/* A failure without an SQLSTATE: libpq did not get as far as the server's answer. */
static agentchat_status fail_unanswered(aci_postgres_connection *c, bool was_begun, agentchat_sql_outcome *outcome,
                                        agentchat_error *err)
{
    const char *all = PQerrorMessage(c->conn), *reason = last_reason(all);
    int number = system_error_in(all, lasting, sizeof lasting / sizeof lasting[0]);
    char message[ACI_POSTGRES_MESSAGE];

    *outcome = AGENTCHAT_SQL_FINAL;
    if (aci_postgres_lacks_memory(c) || system_error_in(all, (const int[]){ENOMEM}, 1) != 0 ||
        strstr(all, gai_strerror(EAI_MEMORY)) != NULL)
        return aci_postgres_fail(c, AGENTCHAT_E_NOMEM, err, "out of memory");
    if (PQconnectionNeedsPassword(c->conn))
        return aci_postgres_fail(c, AGENTCHAT_E_IO, err, "the server asks for a password, and there is none");
    if (number != 0)
        return fail_system(c, number, err);
    aci_postgres_one_line(message, sizeof message, reason, strcspn(reason, "\n"));
    /* What is not known may pass: a server that is stopped in the middle of an answer looks like that. Where there was
       not even a beginning, it is the user's string or the name of the host. */
    if (was_begun || strstr(all, gai_strerror(EAI_AGAIN)) != NULL)
        *outcome = AGENTCHAT_SQL_TRANSIENT;
    return aci_postgres_fail(c, AGENTCHAT_E_IO, err, "the server cannot be reached: %s", message);
}

agentchat_status aci_postgres_fail_connect(aci_postgres_connection *c, bool was_begun, agentchat_sql_outcome *outcome,
                                           agentchat_error *err)
{
    const char *all = PQerrorMessage(c->conn);
    int number = system_error_in(all, passing, sizeof passing / sizeof passing[0]);
    char message[ACI_POSTGRES_MESSAGE], sqlstate[6];
    const char *refusal = find_refusal(all, sqlstate);
    agentchat_status status;

    c->is_lost = true;
    if (refusal != NULL) {
        aci_postgres_one_line(message, sizeof message, refusal, strcspn(refusal, "\n"));
        status = aci_postgres_fail_state(c, sqlstate, message, outcome, err);
    } else if (number != 0) {
        status = fail_system(c, number, err);
    } else {
        status = fail_unanswered(c, was_begun, outcome, err);
    }
    if (number != 0) /* of several hosts one may come back */
        *outcome = AGENTCHAT_SQL_TRANSIENT;
    return status;
}
