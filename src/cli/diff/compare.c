/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/diff/compare.h"
#include "cli/diff/lines.h"
#include "cli/json/writer.h"
#include "cli/terminal/pager.h"
#include <stdlib.h>

static agentchat_status put_json(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                 agentchat_error *err)
{
    cli_json *json = user;

    (void)err;
    cli_json_begin(json, NULL, '{');
    cli_json_text(json, "path", path);
    cli_json_raw(json, "left", left);
    cli_json_raw(json, "right", right);
    cli_json_end(json, '}');
    return AGENTCHAT_OK;
}

static agentchat_status put_line(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                 agentchat_error *err)
{
    if (diff_lines_add(user, path, left, right))
        return AGENTCHAT_OK;
    return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
}

agentchat_status diff_compare_json(diff_side left, diff_side right, bool *equal, agentchat_error *err)
{
    cli_json json = {.out = stdout};
    agentchat_status status;

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "left", left.name);
    cli_json_cstr(&json, "right", right.name);
    cli_json_begin(&json, "differences", '[');
    status = agentchat_snapshot_diff(left.snapshot, right.snapshot, put_json, &json, equal, err);
    cli_json_end(&json, ']');
    if (status >= 0)
        cli_json_bool(&json, "equal", *equal);
    cli_json_end(&json, '}');
    cli_json_line(&json);
    return status;
}

agentchat_status diff_compare_lines(diff_side left, diff_side right, bool full, bool with_pager, bool *equal,
                                    bool *shown, agentchat_error *err)
{
    diff_lines *lines = malloc(sizeof *lines);
    agentchat_status status = AGENTCHAT_OK;
    cli_pager pager;

    if (lines == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    cli_pager_open(&pager, with_pager);
    diff_lines_begin(lines, &pager, full);
    status = agentchat_snapshot_diff(left.snapshot, right.snapshot, put_line, lines, equal, err);
    if (!diff_lines_end(lines) && status >= 0)
        status = agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    *shown = cli_pager_close(&pager);
    free(lines);
    return status;
}
