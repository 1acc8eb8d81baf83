/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/chat/list.h"
#include "cli/command/arguments.h"
#include "cli/io/input.h"

int cli_list(const cli_command *self, int argc, char **argv, size_t columns, cli_list_table_fn *fill,
             cli_list_json_fn *print_json)
{
    bool as_json = false, ok = true;
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(self, argc, argv, "FILE", switches, 1);
    cli_input file;

    if (status != CLI_GO_ON)
        return status;
    if (!cli_input_open(&file, argv[1]))
        return CLI_ERROR;
    if (as_json) {
        cli_json json = {.out = stdout};

        cli_json_begin(&json, NULL, '{');
        cli_json_cstr(&json, "file", file.name);
        print_json(&json, file.snapshot);
        cli_json_end(&json, '}');
        cli_json_line(&json);
    } else {
        cli_table table = {.columns = columns};

        fill(&table, file.snapshot);
        ok = cli_table_print(stdout, &table);
        if (!ok)
            (void)fputs("agentchat: out of memory\n", stderr);
    }
    cli_input_close(&file);
    return ok ? CLI_SUCCESS : CLI_ERROR;
}
