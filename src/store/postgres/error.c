/* SPDX-License-Identifier: Apache-2.0 */
/* What a server says as errors, and why it could not be reached; options of a URL. */
#include "driver.h"

#include <errno.h>
#include <locale.h>
#include <netdb.h>
#include <stdarg.h>
#include <string.h>

/* ==== text from outside, made fit for the one line of an error =================================================== */

/* The system's text for one of its failures, in English whatever the host has set. false: there is none. */
static bool postgres_system_text(int number, char *out, size_t room)
{
    locale_t english = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const char *text = english != (locale_t)0 ? strerror_l(number, english) : NULL;
    bool is_there = text != NULL && strlen(text) < room;

    if (is_there)
        memcpy(out, text, strlen(text) + 1);
    if (english != (locale_t)0)
        freelocale(english);
    return is_there;
}

/* Length of the character at p; 0 when it is none of UTF-8. */
static size_t char_len(const unsigned char *p, size_t left, uint32_t *out)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t len = p[0] < 0x80 ? 1 : p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : p[0] >= 0xC0 ? 2 : 0;
    uint32_t code = len == 1 ? p[0] : len == 2 ? p[0] & 0x1Fu : len == 3 ? p[0] & 0x0Fu : p[0] & 0x07u;

    if (len == 0 || len > left || p[0] > 0xF4)
        return 0;
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xC0u) != 0x80u)
            return 0;
        code = code << 6 | (p[i] & 0x3Fu);
    }
    *out = code;
    return code >= smallest[len] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) ? len : 0;
}

/* Characters that change what stands around them: controls, and those that turn the direction of writing. */
static bool is_harmful(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

void aci_postgres_one_line(char *out, size_t room, const char *text, size_t len)
{
    size_t at = 0;

    while (len > 0 && at + 5 < room) {
        uint32_t code = 0;
        size_t taken = char_len((const unsigned char *)text, len, &code);

        if (taken != 0 && (code == ' ' || (code >= '\t' && code <= '\r'))) {
            if (at > 0 && out[at - 1] != ' ')
                out[at++] = ' ';
        } else if (taken == 0 || is_harmful(code)) {
            out[at++] = '?';
        } else {
            memcpy(out + at, text, taken);
            at += taken;
        }
        taken += taken == 0;
        text += taken;
        len -= taken;
    }
    while (at > 0 && out[at - 1] == ' ')
        at--;
    out[at] = '\0';
}

/* ==== what the server and libpq say, as errors and outcomes ====================================================== */

/* The one table from SQLSTATE to status is here.

   Only the primary message of the server's is handed on: details hold values. The text comes from outside, so it is
   made one line of harmless characters first. Nothing here ever sees a password: libpq does not repeat one, and
   strings that could make it do so are refused by error.c. */

/* ---- filling a record ----------------------------------------------------------------------------------------- */

/* Copies text into a field; of a long one the end is kept, from the start of a character on. */
static void store_tail(char *field, size_t room, const char *text)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    size_t len = strlen(text), head = 0;

    if (len >= room) {
        head = sizeof ellipsis - 1;
        text += len - (room - 1 - head);
        while (((unsigned char)*text & 0xC0u) == 0x80u)
            text++;
        len = strlen(text);
        memcpy(field, ellipsis, head);
    }
    memcpy(field + head, text, len + 1);
}

static agentchat_status fail(const aci_postgres_connection *c, agentchat_status status, const char *sqlstate,
                             const char *message, agentchat_error *err)
{
    agentchat_error_set(err, status, "%s", message);
    if (err != NULL) {
        store_tail(err->source, sizeof err->source, c->source);
        if (strlen(sqlstate) < sizeof err->sqlstate)
            memcpy(err->sqlstate, sqlstate, strlen(sqlstate) + 1);
    }
    return status;
}

agentchat_status aci_postgres_fail(const aci_postgres_connection *c, agentchat_status status, agentchat_error *err,
                                   const char *format, ...)
{
    char message[ACI_POSTGRES_MESSAGE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fail(c, status, "", message, err);
}

/* ---- SQLSTATE ------------------------------------------------------------------------------------------------- */

typedef struct meaning {
    const char *state; /* five characters, or two for a class */
    agentchat_status status;
    aci_sql_outcome outcome;
    const char *advice; /* put before the server's message, or NULL */
} meaning;

static const char by_session[] = "prepared statements do not last here (a connection pooler must work by session)";

static const meaning meanings[] = {
    {"08", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL},
    {"22021", AGENTCHAT_E_INVALID, ACI_SQL_FINAL, "a text is no UTF-8 or has a NUL in it"},
    {"22003", AGENTCHAT_E_CORRUPT, ACI_SQL_FINAL, "a stored number is not what it should be"},
    {"22P02", AGENTCHAT_E_CORRUPT, ACI_SQL_FINAL, "a stored text is not what it should be"},
    {"23505", AGENTCHAT_E_EXISTS, ACI_SQL_FINAL, NULL},
    {"28P01", AGENTCHAT_E_IO, ACI_SQL_FINAL, "the server rejects the password"},
    {"28000", AGENTCHAT_E_IO, ACI_SQL_FINAL,
     "the server does not let this user in from here (its roles and its pg_hba.conf decide)"},
    {"3D000", AGENTCHAT_E_IO, ACI_SQL_FINAL, "the server has no such database"},
    {"25006", AGENTCHAT_E_IO, ACI_SQL_FINAL,
     "the server accepts no writes (a standby, or default_transaction_read_only is on)"},
    {"25P03", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL}, /* idle_in_transaction_session_timeout */
    {"25P04", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL}, /* transaction_timeout */
    {"26000", AGENTCHAT_E_IO, ACI_SQL_FINAL, by_session},
    {"40001", AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT, NULL},
    {"40003", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL}, /* aci_postgres_leaves_open() */
    {"40P01", AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT, NULL},
    {"42P05", AGENTCHAT_E_IO, ACI_SQL_FINAL, by_session},
    {"42501", AGENTCHAT_E_IO, ACI_SQL_FINAL, NULL}, /* grants() says what to do */
    {"42", AGENTCHAT_E_CORRUPT, ACI_SQL_FINAL, "the tables are not what they should be"},
    {"53100", AGENTCHAT_E_IO, ACI_SQL_FINAL, "the server's disk is full"},
    {"53200", AGENTCHAT_E_NOMEM, ACI_SQL_FINAL, "the server is out of memory"},
    {"53300", AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT, "the server has no connection left"},
    {"54", AGENTCHAT_E_LIMIT, ACI_SQL_FINAL, NULL},
    {"55P03", AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT, "others held what is needed for too long"},
    {"57P01", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL},
    {"57P02", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL},
    {"57P03", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL},
    {"57P05", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT, NULL}, /* idle_session_timeout */
    {"XX001", AGENTCHAT_E_CORRUPT, ACI_SQL_FINAL, NULL},
    {"XX002", AGENTCHAT_E_CORRUPT, ACI_SQL_FINAL, NULL},
};

static const meaning *meaning_of(const char *sqlstate)
{
    static const meaning other = {"", AGENTCHAT_E_IO, ACI_SQL_FINAL, NULL};

    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        if (strncmp(sqlstate, meanings[i].state, strlen(meanings[i].state)) == 0)
            return &meanings[i];
    }
    return &other;
}

/* Whether what a server refuses with this SQLSTATE may succeed if it is tried again. */
static bool postgres_passes(const char *sqlstate)
{
    return meaning_of(sqlstate)->outcome == ACI_SQL_TRANSIENT;
}

bool aci_postgres_is_goodbye(const char *sqlstate)
{
    return strncmp(sqlstate, "57P0", 4) == 0;
}

/* What to do where a right is missing; the server's message says which. */
static const char *grants(const aci_postgres_connection *c)
{
    return c->is_making ? "grant the user CREATE on the database, or have another make the tables"
                        : "grant the user USAGE on schema agentchat and SELECT, INSERT, UPDATE, DELETE on its tables";
}

/* The failure that an SQLSTATE stands for, with the server's message. */
static agentchat_status postgres_fail_state(const aci_postgres_connection *c, const char *sqlstate, const char *message,
                                            aci_sql_outcome *outcome, agentchat_error *err)
{
    const meaning *meant = meaning_of(sqlstate);
    char text[ACI_POSTGRES_MESSAGE];

    if (strcmp(sqlstate, "42501") == 0)
        snprintf(text, sizeof text, "%s: %s", message, grants(c));
    else if (meant->advice != NULL)
        snprintf(text, sizeof text, "%s: %s", meant->advice, message);
    else
        snprintf(text, sizeof text, "%s", message[0] != '\0' ? message : "the server gave no reason");
    *outcome = meant->outcome;
    return fail(c, meant->status, sqlstate, text, err);
}

/* ---- failures of a connection --------------------------------------------------------------------------------- */

static const char *field(const PGresult *result, int which)
{
    const char *value = PQresultErrorField(result, which);

    return value != NULL ? value : "";
}

/* The failure is the last thing that is said on the connection. */
static bool is_last(const PGresult *result)
{
    const char *severity = field(result, PG_DIAG_SEVERITY_NONLOCALIZED);

    if (severity[0] == '\0') /* as poolers say it */
        severity = field(result, PG_DIAG_SEVERITY);
    return strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0;
}

bool aci_postgres_leaves_open(const PGresult *result)
{
    const char *sqlstate = field(result, PG_DIAG_SQLSTATE);
    bool is_foreign = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED) == NULL; /* no server leaves it out */
    bool is_broken = strncmp(sqlstate, "08", 2) == 0;

    return strcmp(sqlstate, "40003") == 0 || (is_last(result) ? is_foreign || is_broken : is_foreign && is_broken);
}

agentchat_status aci_postgres_fail_result(aci_postgres_connection *c, const PGresult *result, bool commits,
                                          aci_sql_outcome *outcome, agentchat_error *err)
{
    const char *sqlstate = field(result, PG_DIAG_SQLSTATE), *primary = field(result, PG_DIAG_MESSAGE_PRIMARY);
    char message[ACI_POSTGRES_MESSAGE];
    agentchat_status status;

    if (strlen(sqlstate) != 5) /* libpq made this result itself */
        return aci_postgres_fail_lost(c, commits, outcome, err);
    aci_postgres_one_line(message, sizeof message, primary, strlen(primary));
    status = postgres_fail_state(c, sqlstate, message, outcome, err);
    if (is_last(result) || aci_postgres_leaves_open(result)) {
        c->is_lost = true;
        *outcome = commits ? ACI_SQL_UNCERTAIN : meaning_of(sqlstate)->outcome;
    }
    if (strcmp(sqlstate, "26000") == 0 || strcmp(sqlstate, "42P05") == 0)
        c->is_lost = true; /* what is known of its prepared statements is wrong */
    return status;
}

agentchat_status aci_postgres_fail_unawaited(const aci_postgres_connection *c, agentchat_error *err)
{
    return aci_postgres_fail(
        c, AGENTCHAT_E_IO, err,
        "the server's wait for its standby was ended: what was written stands here, but may be lost "
        "with this server");
}

bool aci_postgres_lacks_memory(const aci_postgres_connection *c)
{
    const char *said = PQerrorMessage(c->conn);

    return strstr(said, "out of memory") != NULL || strstr(said, "cannot allocate memory") != NULL;
}

/* Why a connection is lost. Returns the status that goes with it. */
static agentchat_status reason_of_loss(const aci_postgres_connection *c, bool commits, char *message, size_t room)
{
    const char *said = PQerrorMessage(c->conn);

    if (c->is_silent) {
        snprintf(message, room, "it said nothing for %lld ms%s", (long long)c->silence_ms,
                 commits ? " (a standby that it waits for may be down)" : "");
    } else if (c->goodbye[0] != '\0') {
        snprintf(message, room, "it was shut down");
    } else if (aci_postgres_lacks_memory(c) || (PQstatus(c->conn) == CONNECTION_OK && !c->is_lost)) {
        /* Nothing but memory makes libpq fail on a connection that stands. */
        return AGENTCHAT_E_NOMEM;
    } else {
        aci_postgres_one_line(message, room, said, strcspn(said, "\n")); /* what follows are guesses of libpq's */
        if (message[0] == '\0' || PQstatus(c->conn) == CONNECTION_OK)
            snprintf(message, room, "the connection is not fit for use any more");
    }
    return AGENTCHAT_E_IO;
}

agentchat_status aci_postgres_fail_lost(aci_postgres_connection *c, bool commits, aci_sql_outcome *outcome,
                                        agentchat_error *err)
{
    char message[ACI_POSTGRES_MESSAGE];
    agentchat_status status = reason_of_loss(c, commits, message, sizeof message);

    c->is_lost = true;
    *outcome = commits ? ACI_SQL_UNCERTAIN : ACI_SQL_TRANSIENT;
    if (c->is_late && c->is_heard && !commits)
        return aci_postgres_fail(c, AGENTCHAT_E_BUSY, err, "others held what is needed for too long");
    if (status == AGENTCHAT_E_NOMEM) {
        if (!commits)
            *outcome = ACI_SQL_FINAL;
        return aci_postgres_fail(c, status, err, "out of memory");
    }
    aci_postgres_fail(c, status, err, "the server was lost%s: %s", commits ? " while committing" : "", message);
    if (err != NULL)
        memcpy(err->sqlstate, c->goodbye, sizeof c->goodbye);
    return status;
}

/* ==== connection strings ========================================================================================= */

/* libpq's own messages about a wrong one quote it, and a password with a '/', '@' or '?' that was not written %XX
   ends up in a host, a port or a parameter. So the messages here quote nothing, and such strings are refused before
   any part of them can show up as the name of a server. */

void aci_postgres_wipe(char *text, size_t size)
{
    volatile char *at = text;

    while (size-- > 0)
        *at++ = '\0';
}

void aci_postgres_free_options(PQconninfoOption *options)
{
    for (PQconninfoOption *option = options; option != NULL && option->keyword != NULL; option++) {
        if (option->val != NULL && strchr(option->dispchar, '*') != NULL)
            aci_postgres_wipe(option->val, strlen(option->val));
    }
    PQconninfoFree(options);
}

static bool url_begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Whether there is an '@' where none can be meant. As libpq reads it, the first one before the first '/' ends user and
   password; hosts and database follow up to a '?'. */
static bool has_stray_at(const char *url)
{
    const char *rest = strstr(url, "://") + 3;
    const char *end_of_user = memchr(rest, '@', strcspn(rest, "/"));

    if (end_of_user != NULL)
        rest = end_of_user + 1;
    return memchr(rest, '@', strcspn(rest, "?")) != NULL;
}

static bool is_port_list(const char *text)
{
    return text[strspn(text, "0123456789, ")] == '\0';
}

/* ---- an option that libpq does not know -------------------------------------------------------------------------- */

static bool is_known_option(const PQconninfoOption *options, const char *name, size_t len)
{
    for (const PQconninfoOption *option = options; option->keyword != NULL; option++) {
        if (strlen(option->keyword) == len && memcmp(option->keyword, name, len) == 0)
            return true;
    }
    return len == strlen("ssl") && memcmp(name, "ssl", len) == 0;
}

/* Which parameter of a URL, counted from 1, is the first that libpq does not know; 0: none. */
static unsigned unknown_option(const char *url)
{
    const char *at = strstr(url, "://") + 3, *end_of_user = memchr(at, '@', strcspn(at, "/"));
    PQconninfoOption *known = PQconndefaults();
    unsigned number = 0;
    bool is_found = false;

    at = strchr(end_of_user != NULL ? end_of_user : at, '?');
    while (known != NULL && at != NULL && *at != '\0' && !is_found) {
        at++;
        number++;
        is_found = !is_known_option(known, at, strcspn(at, "=&"));
        at += strcspn(at, "&");
    }
    aci_postgres_free_options(known);
    return is_found ? number : 0;
}

/* Its name is not shown: it may be a part of a password. */
static agentchat_status fail_url(const char *url, bool is_url, agentchat_error *err)
{
    unsigned number = is_url ? unknown_option(url) : 0;

    if (number != 0)
        return agentchat_error_set(
            err, AGENTCHAT_E_INVALID,
            "the connection string is not one that libpq accepts: of what follows the \"?\", option "
            "number %u is unknown",
            number);
    return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                               "the connection string is not one that libpq accepts (special characters in names and "
                               "passwords are written %%XX)");
}

agentchat_status aci_postgres_check_url(const char *url, agentchat_error *err)
{
    PQconninfoOption *options = NULL;
    bool is_url = url_begins_with(url, "postgresql://") || url_begins_with(url, "postgres://");
    bool is_right = true, has_memory;

    if (is_url)
        is_right = !has_stray_at(url);
    if (is_right) {
        char *message = NULL;

        options = PQconninfoParse(url, &message);
        is_right = options != NULL;
        has_memory = is_right || (message != NULL && !url_begins_with(message, "out of memory"));
        if (message != NULL)
            aci_postgres_wipe(message, strlen(message));
        PQfreemem(message);
        if (!has_memory)
            return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    }
    for (const PQconninfoOption *option = options; option != NULL && option->keyword != NULL; option++) {
        if (strcmp(option->keyword, "port") == 0 && option->val != NULL && !is_port_list(option->val))
            is_right = false;
    }
    aci_postgres_free_options(options);
    return is_right ? AGENTCHAT_OK : fail_url(url, is_url, err);
}

/* ==== why a connection could not be made ========================================================================= */

/* libpq has no results for that, only its text: English, as connect.c sees to it, a message for each host that was
   tried.

   A store that is being opened waits for a server that is there and not ready, not for one that is not there: the
   name may be wrong. A store that has been open waits for both. */

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

static bool refusal_begins_with(const char *text, const char *head)
{
    return strncmp(text, head, strlen(head)) == 0;
}

/* Where the message of the next host begins, or the end. */
static const char *next_host(const char *text)
{
    for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n')) {
        if (refusal_begins_with(at + 1, "connection to server ") ||
            refusal_begins_with(at + 1, "could not translate host name ") ||
            refusal_begins_with(at + 1, "could not parse network address "))
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
        if (postgres_system_text(list[i], words, sizeof words) && has(text, words))
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
typedef struct refusal_known {
    const char *text, *words;
    detail detail;
    hope hope;
} refusal_known;

static const char untrusted[] = "the server's certificate is not one that sslrootcert vouches for, or is out of date";
static const char refused_ours[] = "the server refuses the client certificate (sslcert), or wants one";
static const char no_agreement[] = "TLS could not be agreed upon";
static const char no_server[] = "what answers there is no PostgreSQL server";
static const char closed[] = "the server cannot be reached: it closed the connection";
static const char wrong_role[] = "no host is as target_session_attrs asks";

static const refusal_known reasons[] = {
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

static const refusal_known *known_reason(agentchat_str reason)
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
    const refusal_known *meant;

    if (find_refusal(reason, sqlstate).ptr != NULL)
        return postgres_passes(sqlstate) ? PASSES : LASTS;
    meant = known_reason(reason);
    if (meant != NULL)
        return meant->hope;
    if (FIND(reason, passing) != 0 || has(reason, gai_strerror(EAI_AGAIN)))
        return PASSES;
    if (FIND(reason, absent) != 0)
        return ABSENT;
    /* What is not known may pass. Where there was not even a beginning, it is the user's string or a host's name. */
    return was_begun && FIND(reason, lasting) == 0 && !refusal_begins_with(reason.ptr, "could not ") ? ABSENT : LASTS;
}

/* ---- saying it ------------------------------------------------------------------------------------------------- */

static agentchat_status fail_system(const aci_postgres_connection *c, int number, agentchat_error *err)
{
    const char *host = PQhost(c->conn);
    bool is_socket = host != NULL && host[0] == '/';
    char words[128];

    if (!postgres_system_text(number, words, sizeof words))
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

static agentchat_status fail_known(const aci_postgres_connection *c, const refusal_known *meant, agentchat_str reason,
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
    const refusal_known *meant = known_reason(reason);
    aci_sql_outcome unused;
    int number;

    if (refusal.ptr != NULL) {
        aci_postgres_one_line(message, sizeof message, refusal.ptr, refusal.len);
        return postgres_fail_state(c, sqlstate, message, &unused, err);
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
