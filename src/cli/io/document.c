/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/document.h"
#include "cli/command/arguments.h"
#include "cli/io/input.h"
#include <string.h>
#include <unistd.h>

agentchat_status cli_document_source(const char *name, agentchat_source **out, agentchat_error *err)
{
    return strcmp(name, "-") == 0 ? agentchat_source_fd(cli_input_env(), STDIN_FILENO, out, err)
                                  : agentchat_source_path(cli_input_env(), name, out, err);
}

bool cli_document_read(cli_document *file, const char *name)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_source *source = NULL;

    options.format = cli_arguments_from();
    *file = (cli_document){.name = name};
    file->status = cli_document_source(name, &source, &file->err);
    if (file->status >= 0)
        file->status =
            agentchat_document_read(cli_input_env(), source, &options, &file->document, &file->report, &file->err);
    agentchat_source_free(source);
    return file->status >= 0;
}

void cli_document_close(cli_document *file)
{
    agentchat_document_free(file->document);
    agentchat_report_free(file->report);
    file->document = NULL;
    file->report = NULL;
}

bool cli_document_is_bad(agentchat_status status)
{
    return status == AGENTCHAT_E_SYNTAX || status == AGENTCHAT_E_SCHEMA || status == AGENTCHAT_E_VERSION ||
           status == AGENTCHAT_E_LIMIT || status == AGENTCHAT_E_LOSS || status == AGENTCHAT_E_CORRUPT;
}
