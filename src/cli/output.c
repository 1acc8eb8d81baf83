/* SPDX-License-Identifier: Apache-2.0 */
/* A terminal gets the text when it is complete: only then is it known to be JSON. Layer: cli. */
#include "output.h"
#include "json_out.h"
#include <string.h>
#include <unistd.h>

agentchat_status cli_output_open(cli_output *output, const char *name, agentchat_error *err)
{
    *output = (cli_output){.shown = AGENTCHAT_BYTES_INIT};
    if (strcmp(name, "-") != 0)
        return agentchat_sink_path(NULL, name, &output->sink, err);
    if (isatty(STDOUT_FILENO))
        return agentchat_sink_memory(NULL, &output->shown, &output->sink, err);
    return agentchat_sink_fd(NULL, STDOUT_FILENO, &output->sink, err);
}

void cli_output_close(cli_output *output)
{
    agentchat_sink_free(output->sink); /* takes back what was not committed */
    cli_json_lines(stdout, (agentchat_str){output->shown.ptr, output->shown.len});
    agentchat_bytes_clear(&output->shown);
}
