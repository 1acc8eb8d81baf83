/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening a store by its URL: hands it to the backend that it names. The library agentchat-store, which is above the
 * backends and links those that were built (AGENTCHAT_WITH_SQLITE, AGENTCHAT_WITH_POSTGRES).
 */
#include "store/open/url.h"

#include "store/core/driver.h"
#include <agentchat/postgres.h>
#include <agentchat/sqlite.h>
#include <string.h>

/* An options struct is never this large; trusting a larger number would read past the end of the caller's. */
#define HIGHEST_STRUCT_SIZE 4096

/* A copy that may be changed, with all that the caller's struct has: the backend checks it. */
typedef union options_copy {
    agentchat_store_options options;
    unsigned char bytes[HIGHEST_STRUCT_SIZE];
} options_copy;

static agentchat_status copy_options(const agentchat_store_options *given, options_copy *out, agentchat_error *err)
{
    size_t size = 0;

    memset(out, 0, sizeof *out);
    out->options.struct_size = sizeof out->options;
    if (given == NULL)
        return AGENTCHAT_OK;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size || size > HIGHEST_STRUCT_SIZE)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "struct_size of the options is not set; start them with their INIT macro");
    memcpy(out->bytes, given, size);
    if (size < sizeof out->options)
        out->options.struct_size = sizeof out->options; /* a shorter struct counts as zero after its end */
    return AGENTCHAT_OK;
}

#if defined(AGENTCHAT_WITH_SQLITE)
static agentchat_status open_sqlite(const agentchat_env *env, const aci_store_url *parsed,
                                    const agentchat_store_options *options, agentchat_store **out, agentchat_error *err)
{
    agentchat_status status;
    char *path;

    if (parsed->backend == ACI_STORE_MEMORY)
        return agentchat_sqlite_open(env, NULL, options, out, err);
    path = aci_driver_alloc(env, parsed->file.len + 1);
    if (path == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    memcpy(path, parsed->file.ptr, parsed->file.len);
    status = agentchat_sqlite_open(env, path, options, out, err);
    aci_driver_free(env, path, parsed->file.len + 1);
    return status;
}
#else
static agentchat_status open_sqlite(const agentchat_env *env, const aci_store_url *parsed,
                                    const agentchat_store_options *options, agentchat_store **out, agentchat_error *err)
{
    (void)env;
    (void)parsed;
    (void)options;
    (void)out;
    return agentchat_error_set(err, AGENTCHAT_E_UNSUPPORTED, "this library was built without SQLite");
}
#endif

#if defined(AGENTCHAT_WITH_POSTGRES)
static void wipe(char *text, size_t size)
{
    volatile char *at = text;

    while (size-- > 0)
        *at++ = '\0';
}

/* Opens the store, or with out NULL makes its tables. The library's own option is not passed to libpq. */
static agentchat_status open_postgres(const agentchat_env *env, const char *url, const aci_store_url *parsed,
                                      const agentchat_store_options *options, agentchat_store **out,
                                      agentchat_error *err)
{
    size_t size = strlen(url) + 1, after = parsed->wait_at + parsed->wait_len;
    char *own = aci_driver_alloc(env, size);
    agentchat_status status;

    if (own == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    memcpy(own, url, parsed->wait_at);
    memcpy(own + parsed->wait_at, url + after, size - after);
    status = out != NULL ? agentchat_postgres_open(env, own, options, out, err)
                         : agentchat_postgres_init(env, own, options, err);
    wipe(own, size); /* it may hold a password */
    aci_driver_free(env, own, size);
    return status;
}
#else
static agentchat_status open_postgres(const agentchat_env *env, const char *url, const aci_store_url *parsed,
                                      const agentchat_store_options *options, agentchat_store **out,
                                      agentchat_error *err)
{
    (void)env;
    (void)url;
    (void)parsed;
    (void)options;
    (void)out;
    return agentchat_error_set(err, AGENTCHAT_E_UNSUPPORTED, "this library was built without PostgreSQL");
}
#endif

/* What both calls begin with: the URL, and the options with what the URL says of them. */
static agentchat_status prepare(const char *url, const agentchat_store_options *options, aci_store_url *parsed,
                                options_copy *copy, agentchat_error *err)
{
    agentchat_status status = aci_url_parse(url, parsed, err);

    if (status >= 0)
        status = copy_options(options, copy, err);
    if (status >= 0 && parsed->has_durability)
        copy->options.durability = parsed->durability;
    if (status >= 0 && parsed->has_wait)
        copy->options.wait_ms = parsed->wait_ms;
    return status;
}

agentchat_status agentchat_store_open(const agentchat_env *env, const char *url, const agentchat_store_options *options,
                                      agentchat_store **out, agentchat_error *err)
{
    agentchat_status status;
    aci_store_url parsed;
    options_copy copy;

    agentchat_error_clear(err);
    if (out == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "out must not be NULL");
    *out = NULL;
    status = prepare(url, options, &parsed, &copy, err);
    if (status < 0)
        return status;
    return parsed.backend == ACI_STORE_POSTGRES ? open_postgres(env, url, &parsed, &copy.options, out, err)
                                                : open_sqlite(env, &parsed, &copy.options, out, err);
}

agentchat_status agentchat_store_init(const agentchat_env *env, const char *url, const agentchat_store_options *options,
                                      agentchat_error *err)
{
    agentchat_store *store = NULL;
    agentchat_status status;
    aci_store_url parsed;
    options_copy copy;

    agentchat_error_clear(err);
    status = prepare(url, options, &parsed, &copy, err);
    if (status < 0)
        return status;
    if (copy.options.read_only)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "a store that is to be made cannot be read only");
    if (parsed.backend == ACI_STORE_POSTGRES)
        return open_postgres(env, url, &parsed, &copy.options, NULL, err);
    status = open_sqlite(env, &parsed, &copy.options, &store, err);
    agentchat_store_close(store);
    return status;
}
