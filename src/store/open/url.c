/* SPDX-License-Identifier: Apache-2.0 */
/*
 * URLs of stores. The library agentchat-store.
 *
 *   memory:
 *   sqlite:FILE[?OPTION&…]             FILE as it stands, up to the first "?"; nothing is escaped in it
 *   FILE                               the same without options, for a name without ":", "@" and "="
 *   postgresql://… or postgres://…     as libpq reads it
 *
 * Options: synchronous=full|normal (SQLite), and wait_ms=NUMBER, which stands among libpq's parameters and is ours.
 */
#include "store/open/url.h"

#include <string.h>

#define SHOWN 40

/* Foreign text for a message: printable ASCII as it stands, all else as "?"; cut when it is long. */
static const char *shown(agentchat_str text, char buffer[SHOWN + 4])
{
    size_t len = text.len < SHOWN ? text.len : SHOWN;

    for (size_t i = 0; i < len; i++)
        buffer[i] = (text.ptr[i] >= ' ' && text.ptr[i] <= '~') ? text.ptr[i] : '?';
    memcpy(buffer + len, text.len > SHOWN ? "..." : "", text.len > SHOWN ? 4 : 1);
    return buffer;
}

static bool begins_with(const char *text, const char *head)
{
    return strncmp(text, head, strlen(head)) == 0;
}

static bool is(agentchat_str text, const char *literal)
{
    return text.len == strlen(literal) && memcmp(text.ptr, literal, text.len) == 0;
}

/* ---- options of SQLite ----------------------------------------------------------------------------------------- */

/* The value is not shown: it may be a part of a password that was not written %XX. */
static agentchat_status set_wait(agentchat_str value, aci_store_url *out, agentchat_error *err)
{
    uint64_t wait_ms = 0;

    if (out->has_wait)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the option \"wait_ms\" stands twice in the store's URL");
    for (size_t i = 0; i < value.len && wait_ms <= UINT32_MAX; i++)
        wait_ms =
            value.ptr[i] >= '0' && value.ptr[i] <= '9' ? wait_ms * 10 + (uint64_t)(value.ptr[i] - '0') : UINT64_MAX;
    if (value.len == 0 || wait_ms > UINT32_MAX)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "the option \"wait_ms\" of the store's URL is no number of milliseconds (0 to %lu)",
                                   (unsigned long)UINT32_MAX);
    out->has_wait = true;
    out->wait_ms = wait_ms > 0 ? (uint32_t)wait_ms : 1; /* 0 would be the default to those who get it */
    return AGENTCHAT_OK;
}

static agentchat_status set_option(agentchat_str name, agentchat_str value, aci_store_url *out, agentchat_error *err)
{
    char buffer[SHOWN + 4];

    if (is(name, "wait_ms"))
        return set_wait(value, out, err);
    if (!is(name, "synchronous"))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "the option \"%s\" of the store's URL is unknown (there are: synchronous, wait_ms)",
                                   shown(name, buffer));
    if (out->has_durability)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "the option \"synchronous\" stands twice in the store's URL");
    if (!is(value, "full") && !is(value, "normal"))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "the option \"synchronous\" of the store's URL is \"%s\", not full or normal",
                                   shown(value, buffer));
    out->has_durability = true;
    out->durability = is(value, "full") ? AGENTCHAT_DURABILITY_FULL : AGENTCHAT_DURABILITY_NORMAL;
    return AGENTCHAT_OK;
}

/* The option that begins at text: its length up to "&" or the end. */
static size_t take_option(const char *text, agentchat_str *name, agentchat_str *value)
{
    size_t len = strcspn(text, "&");
    const char *sign = memchr(text, '=', len);
    size_t name_len = sign != NULL ? (size_t)(sign - text) : len;

    *name = (agentchat_str){text, name_len};
    *value = sign != NULL ? (agentchat_str){sign + 1, len - name_len - 1} : (agentchat_str){text + len, 0};
    return len;
}

static agentchat_status parse_options(const char *text, aci_store_url *out, agentchat_error *err)
{
    for (;;) {
        agentchat_str name, value;
        size_t len = take_option(text, &name, &value);
        agentchat_status status = set_option(name, value, out, err);

        if (status < 0 || text[len] == '\0')
            return status;
        text += len + 1;
    }
}

static agentchat_status parse_sqlite(const char *text, aci_store_url *out, agentchat_error *err)
{
    const char *file = text + strspn(text, "/");
    char buffer[SHOWN + 4];

    out->backend = ACI_STORE_SQLITE;
    out->file = (agentchat_str){text, strcspn(text, "?")};
    if (out->file.len == 0)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the store's URL names no file after \"sqlite:\"");
    if (begins_with(text, "//"))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "no slashes stand between \"sqlite:\" and the file in a store's URL: sqlite:%s, or "
                                   "sqlite:/... for a path from the root",
                                   shown((agentchat_str){file, strcspn(file, "?")}, buffer));
    if (is(out->file, ":memory:"))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the URL of a store in memory is \"memory:\"");
    return text[out->file.len] == '\0' ? AGENTCHAT_OK : parse_options(text + out->file.len + 1, out, err);
}

/* ---- PostgreSQL ------------------------------------------------------------------------------------------------ */

/* Where libpq begins to read parameters: a "?" before an "@" that ends user and password is a part of those. */
static const char *parameters_of(const char *url)
{
    const char *rest = strstr(url, "://") + 3;
    const char *end_of_user = memchr(rest, '@', strcspn(rest, "/"));

    return strchr(end_of_user != NULL ? end_of_user : rest, '?');
}

/* Everything but the library's own option is left to libpq. */
static agentchat_status parse_postgres(const char *url, aci_store_url *out, agentchat_error *err)
{
    const char *mark = parameters_of(url);
    agentchat_status status = AGENTCHAT_OK;

    out->backend = ACI_STORE_POSTGRES;
    for (const char *text = mark != NULL ? mark + 1 : ""; *text != '\0' && status >= 0;) {
        agentchat_str name, value;
        size_t len = take_option(text, &name, &value);
        bool is_last = text[len] == '\0';

        if (is(name, "wait_ms")) {
            status = set_wait(value, out, err);
            /* With the "&" after it, or, where it is the last, with the separator before it. */
            out->wait_at = (size_t)(text - url) - is_last;
            out->wait_len = len + 1;
        }
        text += len + !is_last;
    }
    return status;
}

/* ---- the complete URL ------------------------------------------------------------------------------------------ */

/* Length of the scheme that a URL begins with; 0: it has none. What has another character before its first colon is no
   URL, but may be something with a password in it, such as "password=... host=::1". */
static size_t scheme_len(const char *url)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static const char others[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.";
    size_t len = url[0] != '\0' && strchr(letters, url[0]) != NULL ? strspn(url, others) : 0;

    return url[len] == ':' ? len : 0;
}

/* Whether it is the plain name of a file, and cannot be something with a password in it that libpq would understand. */
static bool is_plain_name(const char *url)
{
    return url[strcspn(url, ":@=")] == '\0' && strcmp(url, "memory") != 0;
}

/* Nothing after the scheme is shown: it may hold a password. */
static agentchat_status fail_unknown(const char *url, agentchat_error *err)
{
    char buffer[SHOWN + 4];
    agentchat_str scheme = {url, scheme_len(url)};

    if (scheme.len == 0)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "the store's URL has no scheme (memory:, sqlite:FILE, postgresql://...); a file's "
                                   "name with \":\", \"@\" or \"=\" needs sqlite: before it");
    return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                               "the scheme \"%s:\" of the store's URL is unknown (memory:, sqlite:FILE, "
                               "postgresql://...)",
                               shown(scheme, buffer));
}

agentchat_status aci_url_parse(const char *url, aci_store_url *out, agentchat_error *err)
{
    memset(out, 0, sizeof *out);
    if (url == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the store's URL must not be NULL");
    if (url[0] == '\0')
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the store's name is empty");
    if (begins_with(url, "sqlite:"))
        return parse_sqlite(url + strlen("sqlite:"), out, err);
    if (begins_with(url, "postgresql://") || begins_with(url, "postgres://"))
        return parse_postgres(url, out, err);
    if (strcmp(url, "memory:") == 0) {
        out->backend = ACI_STORE_MEMORY;
        return AGENTCHAT_OK;
    }
    if (begins_with(url, "memory:"))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "nothing may follow \"memory:\" in a store's URL");
    if (begins_with(url, "postgresql:") || begins_with(url, "postgres:"))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "the store's URL needs two slashes after its scheme: postgresql://...");
    if (!is_plain_name(url))
        return fail_unknown(url, err);
    out->backend = ACI_STORE_SQLITE;
    out->file = agentchat_str_from(url);
    return AGENTCHAT_OK;
}
