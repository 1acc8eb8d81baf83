/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of templates share: rendering with a state that is given as JSON, and artifacts out of a table. */
#ifndef TEMPLATE_TEST_H
#define TEMPLATE_TEST_H

#include "support/test_support.h"

#include <agentchat/template.h>

/* Artifacts: "a" is "text of a"; "file.txt", "a/b" and "my-file.txt" are their names in brackets; "empty" is empty;
   "broken" fails with E_IO and a message, "silent" with E_BUSY and without one, "mixed" with E_BUSY and the record of
   another failure; "positive" gives DONE, "bytes" what is not UTF-8; no others are there. The number of calls is
   counted in *user when it is not NULL. */
static inline agentchat_status template_artifact(void *user, agentchat_str name, agentchat_bytes *out,
                                                 agentchat_error *err)
{
    static const char *const named[] = {"file.txt", "a/b", "my-file.txt", "x:y", ".", "a..b"};
    agentchat_status status = AGENTCHAT_E_NOTFOUND;

    if (user != NULL)
        ++*(size_t *)user;
    if (agentchat_str_equal(name, AGENTCHAT_STR("a")))
        return agentchat_bytes_append(out, AGENTCHAT_STR("text of a"), err);
    if (agentchat_str_equal(name, AGENTCHAT_STR("braces")))
        return agentchat_bytes_append(out, AGENTCHAT_STR("{name}{{x}}"), err);
    if (agentchat_str_equal(name, AGENTCHAT_STR("empty")))
        return AGENTCHAT_OK;
    if (agentchat_str_equal(name, AGENTCHAT_STR("broken"))) {
        (void)agentchat_bytes_append(out, AGENTCHAT_STR("half"), NULL);
        return agentchat_error_set(err, AGENTCHAT_E_IO, "the disk is gone");
    }
    if (agentchat_str_equal(name, AGENTCHAT_STR("silent")))
        return AGENTCHAT_E_BUSY;
    if (agentchat_str_equal(name, AGENTCHAT_STR("mixed"))) {
        (void)agentchat_error_set(err, AGENTCHAT_E_IO, "no answer");
        return AGENTCHAT_E_BUSY;
    }
    if (agentchat_str_equal(name, AGENTCHAT_STR("positive")))
        return AGENTCHAT_DONE;
    if (agentchat_str_equal(name, AGENTCHAT_STR("bytes")))
        return agentchat_bytes_append(out, AGENTCHAT_STR("\xFF"), err);
    for (size_t i = 0; i < sizeof named / sizeof *named && status != AGENTCHAT_OK; i++) {
        if (!agentchat_str_equal(name, agentchat_str_from(named[i])))
            continue;
        status = agentchat_bytes_append(out, AGENTCHAT_STR("["), err);
        if (status == AGENTCHAT_OK)
            status = agentchat_bytes_append(out, name, err);
        if (status == AGENTCHAT_OK)
            status = agentchat_bytes_append(out, AGENTCHAT_STR("]"), err);
    }
    return status;
}

static inline agentchat_state *template_state(const char *json)
{
    agentchat_state *map;
    agentchat_error err;

    test_ok(agentchat_state_read(NULL, agentchat_str_from(json), &map, &err), &err);
    return map;
}

static inline agentchat_template_options template_options(agentchat_template_dialect dialect)
{
    agentchat_template_options options = AGENTCHAT_TEMPLATE_OPTIONS_INIT;

    options.dialect = dialect;
    options.artifact = template_artifact;
    return options;
}

/* Asserts what a template becomes. */
static inline void check_render_as(agentchat_template_dialect dialect, const agentchat_state *map, const char *text,
                                   const char *expected)
{
    agentchat_template_options options = template_options(dialect);
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    test_ok(agentchat_template_render(map, agentchat_str_from(text), &options, &out, &err), &err);
    assert_string_equal(out.ptr, expected);
    assert_int_equal(out.len, strlen(expected));
    assert_int_equal(err.code, 0);
    agentchat_bytes_clear(&out);
}

/* Asserts that rendering fails at an offset, with this exact message, and leaves what was there. */
static inline void check_fails_as(agentchat_template_dialect dialect, const agentchat_state *map, const char *text,
                                  agentchat_status status, uint64_t offset, const char *message)
{
    agentchat_template_options options = template_options(dialect);
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    test_ok(agentchat_bytes_append(&out, AGENTCHAT_STR("before"), &err), &err);
    test_fails(agentchat_template_render(map, agentchat_str_from(text), &options, &out, &err), &err, status, "",
               message);
    assert_string_equal(err.message, message);
    assert_int_equal(err.offset, offset);
    assert_string_equal(out.ptr, "before");
    assert_int_equal(agentchat_template_render(map, agentchat_str_from(text), &options, &out, NULL), status);
    agentchat_bytes_clear(&out);
}

#endif
