/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/status.h and agentchat/version.h: names, error records, the version. */
#include "sweep.h"

#include <stdio.h>

static agentchat_status names(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const char *name, *text, *unknown, *version;
    bool retryable;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    name = agentchat_status_name(AGENTCHAT_E_NOMEM);
    unknown = agentchat_status_name((agentchat_status)-12345);
    text = agentchat_status_text(AGENTCHAT_E_NOMEM);
    retryable = agentchat_status_is_retryable(AGENTCHAT_E_BUSY);
    version = agentchat_version();
    sweep_end();
    assert_string_equal(name, "E_NOMEM");
    assert_string_equal(unknown, "E_UNKNOWN");
    assert_non_null(text);
    assert_true(retryable);
    assert_string_equal(version, AGENTCHAT_VERSION_STRING);
    return AGENTCHAT_OK;
}

static agentchat_status records(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    FILE *stream = tmpfile();
    agentchat_error record;
    char line[1024];

    (void)env;
    (void)variant;
    (void)err;
    assert_non_null(stream);
    sweep_begin();
    agentchat_error_clear(NULL);
    agentchat_error_clear(&record);
    agentchat_error_set(NULL, AGENTCHAT_E_CALLBACK, "nobody sees %d", 1);
    agentchat_error_set(&record, AGENTCHAT_E_CALLBACK, "%s", sweep_long().ptr);
    agentchat_error_print(&record, stream);
    agentchat_error_set_text(&record, AGENTCHAT_E_IO, sweep_long());
    agentchat_error_format(&record, line, sizeof line);
    sweep_end();
    assert_int_equal(record.code, AGENTCHAT_E_IO);
    assert_string_equal(line, record.message);
    assert_true(ftell(stream) > 0);
    fclose(stream);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_status_name", names, SWEEP_NEVER, 0},      {"agentchat_status_text", names, SWEEP_NEVER, 0},
    {"agentchat_error_clear", records, SWEEP_NEVER, 0},    {"agentchat_status_is_retryable", names, SWEEP_NEVER, 0},
    {"agentchat_error_set", records, SWEEP_NEVER, 0},      {"agentchat_error_print", records, SWEEP_NEVER, 0},
    {"agentchat_error_set_text", records, SWEEP_NEVER, 0}, {"agentchat_error_format", records, SWEEP_NEVER, 0},
    {"agentchat_version", names, SWEEP_NEVER, 0},
};

int main(void)
{
    return sweep_main("sweep.status", rows, sizeof rows / sizeof *rows);
}
