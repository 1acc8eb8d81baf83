/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a connection could not be made. libpq has no results for that, only its text: English, as connect.c sees to it, a
 * message for each host that was tried.
 *
 * A store that is being opened waits for a server that is there and not ready, not for one that is not there: the name
 * may be wrong. A store that has been open waits for both.
 */
#include "driver.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>

/* How much hope a refusal leaves. */
typedef enum hope {
    LASTS,  /* the same again would fail again */
    ABSENT, /* nobody is there: who has known a server there may wait for it to come back */
    PASSES  /* somebody is there and may let us in soon */
} hope;

/* Failures of the system that pass, with somebody there. */
static const int passing[] = {ECONNRESET, ECONNABORTED, EPIPE, EAGAIN, ETIMEDOUT};
static const int absent[] = {ECONNREFUSED, ENOENT, EHOSTUNREACH, ENETUNREACH, ENETDOWN};
/* And such as do not pass: a name that is no socket, one that is not ours. */
static const int lasting[] = {EACCES, EPERM, ENOTDIR, ENOTSOCK, EPROTOTYPE};

/* ---- what libpq says ------------------------------------------------------------------------------------------- */

/* One of the messages that libpq has put together, a host each: its first line, without the words that say again what
   was connected to. What follows are hints, some of them to give up what keeps the connection safe. */
static agentchat_str reason_of(const char *from, const char *to)
{
    static const char failed[] = " failed: ";
    size_t len = strcspn(from, "\n");
    const char *reason = strstr(from, failed);

    if (len > (size_t)(to - from))
        len = (size_t)(to - from);
    if (reason == NULL || reason >= from + len)
        return (agentchat_str){from, len};
    reason += sizeof failed - 1;
    return (agentchat_str){reason, len - (size_t)(reason - from)};
}

static bool begins_with(const char *text, const char *head)
{
    return strncmp(text, head, strlen(head)) == 0;
}

/* Where the message of the next host begins, or the end. */
static const char *next_host(const char *text)
{
    for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n')) {
        if (begins_with(at + 1, "connection to server ") || begins_with(at + 1, "could not translate host name ") ||
            begins_with(at + 1, "could not parse network address "))
            return at + 1;
    }
    return text + strlen(text);
}

static bool has(agentchat_str text, const char *part)
{
    size_t len = strlen(part);

    for (size_t i = 0; len > 0 && i + len <= text.len; i++) {
        if (memcmp(text.ptr + i, part, len) == 0)
            return true;
    }
    return false;
}

/* libpq names a failure of the system by its text. 0: none of the list. */
static int system_error_in(agentchat_str text, const int *list, size_t count)
{
    char words[128];

    for (size_t i = 0; i < count; i++) {
        if (aci_postgres_system_text(list[i], words, sizeof words) && has(text, words))
            return list[i];
    }
    return 0;
}

#define FIND(text, list) system_error_in(text, list, sizeof(list) / sizeof((list)[0]))

/* Finds "SEVERITY:  XXXXX: message", which is how libpq, asked to be verbose, reports a server's refusal. Returns the
   message and fills sqlstate, or one that is absent. */
static agentchat_str find_refusal(agentchat_str text, char sqlstate[6])
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    for (size_t i = 0; i + 10 < text.len; i++) {
        const char *at = text.ptr + i;

        if (memcmp(at, ":  ", 3) == 0 && strspn(at + 3, digits) == 5 && at[8] == ':' && at[9] == ' ') {
            memcpy(sqlstate, at + 3, 5);
            sqlstate[5] = '\0';
            return (agentchat_str){at + 10, text.len - i - 10};
        }
    }
    return (agentchat_str){NULL, 0};
}

/* ---- what it comes to ------------------------------------------------------------------------------------------ */

/* What an error says after the library's own words. */
typedef enum detail {
    NOTHING,
    REST, /* the reason from its first quotation mark on: there are the names */
    ROOT, /* the value of the option sslrootcert */
    CERT  /* that of sslcert */
} detail;

/* Reasons that are no failures of the system, by what libpq and OpenSSL say; the first that fits counts. */
typedef struct known {
    const char *text, *words;
    detail detail;
    hope hope;
} known;

static const char untrusted[] = "the server's certificate is not one that sslrootcert vouches for, or is out of date";
static const char refused_ours[] = "the server refuses the client certificate (sslcert), or wants one";
static const char no_agreement[] = "TLS could not be agreed upon";
static const char no_server[] = "what answers there is no PostgreSQL server";
static const char closed[] = "the server cannot be reached: it closed the connection";
static const char wrong_role[] = "no host is as target_session_attrs asks";

static const known reasons[] = {
    {"root certificate", "the file of the trusted certificates (sslrootcert) cannot be used", REST, LASTS},
    {"root certs", "the file of the trusted certificates (sslrootcert) cannot be used", REST, LASTS},
    {"private key", "the file of the client's private key (sslkey) cannot be used", REST, LASTS},
    {"certificate file", "the file of the client certificate (sslcert) cannot be used", REST, LASTS},
    {"server certificate for", "the server's certificate is made out to another host", REST, LASTS},
    {"from server certificate", "the server's certificate names no host", NOTHING, LASTS},
    {"host name must be specified", "a host name is needed to check the server's certificate against", NOTHING, LASTS},
    {"certificate verify failed", untrusted, ROOT, LASTS},
    {"no password supplied", "the server asks for a password, and there is none", NOTHING, LASTS},
    {"does not support SSL", "the server offers no TLS, which sslmode asks for", NOTHING, LASTS},
    {"does not support GSSAPI", "the server offers no GSSAPI, which gssencmode asks for", NOTHING, LASTS},
    {"unexpected eof", closed, NOTHING, PASSES},
    {"EOF detected", closed, NOTHING, PASSES},
    {"closed unexpectedly", closed, NOTHING, PASSES},
    {"closed the connection", closed, NOTHING, PASSES},
    {"certificate required", refused_ours, CERT, LASTS},
    {"alert unknown ca", refused_ours, CERT, LASTS},
    {"alert bad certificate", refused_ours, CERT, LASTS},
    {"alert certificate", refused_ours, CERT, LASTS},
    {"alert unsupported certificate", refused_ours, CERT, LASTS},
    {"valid client certificate", refused_ours, CERT, LASTS},
    {"wrong version number", no_agreement, REST, LASTS},
    {"SSL error", no_agreement, REST, LASTS},
    {"SSL negotiation", no_server, NOTHING, LASTS},
    {"expected authentication request", no_server, NOTHING, LASTS},
    {"hot standby", wrong_role, REST, ABSENT},
    {"session is read-only", wrong_role, REST, ABSENT},
    {"session is not read-only", wrong_role, REST, ABSENT},
    {"authentication method", "the server asks for a way to log in that cannot be taken", REST, LASTS},
    {"channel binding", "the server asks for a way to log in that cannot be taken", REST, LASTS},
    {"SASL", "the server asks for a way to log in that cannot be taken", REST, LASTS},
    {"SCRAM", "the server asks for a way to log in that cannot be taken", REST, LASTS},
    {"GSSAPI", "the server asks for a way to log in that cannot be taken", REST, LASTS},
};

static const known *known_reason(agentchat_str reason)
{
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (has(reason, reasons[i].text))
            return &reasons[i];
    }
    return NULL;
}

static hope hope_of(agentchat_str reason, bool was_begun)
{
    char sqlstate[6];
    const known *meant;

    if (find_refusal(reason, sqlstate).ptr != NULL)
        return aci_postgres_passes(sqlstate) ? PASSES : LASTS;
    meant = known_reason(reason);
    if (meant != NULL)
        return meant->hope;
    if (FIND(reason, passing) != 0 || has(reason, gai_strerror(EAI_AGAIN)))
        return PASSES;
    if (FIND(reason, absent) != 0)
        return ABSENT;
    /* What is not known may pass. Where there was not even a beginning, it is the user's string or a host's name. */
    return was_begun && FIND(reason, lasting) == 0 && !begins_with(reason.ptr, "could not ") ? ABSENT : LASTS;
}

/* ---- saying it ------------------------------------------------------------------------------------------------- */

static agentchat_status fail_system(const aci_postgres_connection *c, int number, agentchat_error *err)
{
    const char *host = PQhost(c->conn);
    bool is_socket = host != NULL && host[0] == '/';
    char words[128];

    if (!aci_postgres_system_text(number, words, sizeof words))
        words[0] = '\0';
    aci_postgres_fail(c, AGENTCHAT_E_IO, err, "the server cannot be reached: %s%s", words,
                      number == ECONNREFUSED          ? " (nobody listens there)"
                      : number == ENOENT && is_socket ? " (no server has its socket there)"
                                                      : "");
    if (err != NULL)
        err->native = number;
    return AGENTCHAT_E_IO;
}

/* The value of an option of the connection, "" where there is none. */
static void copy_option(PGconn *conn, const char *keyword, char *out, size_t room)
{
    PQconninfoOption *options = PQconninfo(conn);

    out[0] = '\0';
    for (const PQconninfoOption *option = options; option != NULL && option->keyword != NULL; option++) {
        if (strcmp(option->keyword, keyword) == 0 && option->val != NULL)
            aci_postgres_one_line(out, room, option->val, strlen(option->val));
    }
    aci_postgres_free_options(options);
}

static agentchat_status fail_known(const aci_postgres_connection *c, const known *meant, agentchat_str reason,
                                   agentchat_error *err)
{
    const char *quote = memchr(reason.ptr, '"', reason.len);
    const char *from = quote != NULL ? quote : reason.ptr;
    char said[ACI_POSTGRES_MESSAGE] = "";

    if (meant->detail == REST)
        aci_postgres_one_line(said, sizeof said, from, reason.len - (size_t)(from - reason.ptr));
    else if (meant->detail != NOTHING)
        copy_option(c->conn, meant->detail == ROOT ? "sslrootcert" : "sslcert", said, sizeof said);
    return aci_postgres_fail(c, AGENTCHAT_E_IO, err, "%s%s%s", meant->words, said[0] != '\0' ? ": " : "", said);
}

static agentchat_status fail_reason(const aci_postgres_connection *c, agentchat_str reason, agentchat_error *err)
{
    char message[ACI_POSTGRES_MESSAGE], sqlstate[6];
    agentchat_str refusal = find_refusal(reason, sqlstate);
    const known *meant = known_reason(reason);
    aci_sql_outcome unused;
    int number;

    if (refusal.ptr != NULL) {
        aci_postgres_one_line(message, sizeof message, refusal.ptr, refusal.len);
        return aci_postgres_fail_state(c, sqlstate, message, &unused, err);
    }
    if (meant != NULL)
        return fail_known(c, meant, reason, err);
    number = FIND(reason, passing);
    if (number == 0)
        number = FIND(reason, absent);
    if (number == 0)
        number = FIND(reason, lasting);
    if (number != 0)
        return fail_system(c, number, err);
    aci_postgres_one_line(message, sizeof message, reason.ptr, reason.len);
    return aci_postgres_fail(c, AGENTCHAT_E_IO, err, "the server cannot be reached: %s", message);
}

/* Of several hosts the last is reported, and one that may come back makes the failure worth trying again. */
agentchat_status aci_postgres_fail_connect(aci_postgres_connection *c, bool was_begun, aci_sql_outcome *outcome,
                                           agentchat_error *err)
{
    const char *all = PQerrorMessage(c->conn);
    agentchat_str text = {all, strlen(all)}, reason;
    bool has_wrong_role = false;
    hope best = LASTS;
    size_t hosts = 0;

    c->is_lost = true;
    *outcome = ACI_SQL_FINAL;
    if (aci_postgres_lacks_memory(c) || system_error_in(text, (const int[]){ENOMEM}, 1) != 0 ||
        has(text, gai_strerror(EAI_MEMORY)))
        return aci_postgres_fail(c, AGENTCHAT_E_NOMEM, err, "out of memory");
    do {
        const char *end = next_host(all);
        hope found;

        reason = reason_of(all, end);
        found = hope_of(reason, was_begun);
        best = found > best ? found : best;
        has_wrong_role = has_wrong_role || (known_reason(reason) != NULL && known_reason(reason)->words == wrong_role);
        hosts++;
        all = end;
    } while (*all != '\0');
    if (hosts > 1 && has_wrong_role) /* it is there, and may be about to take the place of another */
        best = PASSES;
    if (best == PASSES || (best == ABSENT && atomic_load(&c->server->was_reached)))
        *outcome = ACI_SQL_TRANSIENT;
    return fail_reason(c, reason, err);
}
