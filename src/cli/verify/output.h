/* SPDX-License-Identifier: Apache-2.0 */
/* What verify prints, file by file, for people and for machines. */
#ifndef CLI_VERIFY_OUTPUT_H
#define CLI_VERIFY_OUTPUT_H

#include "cli/command/command.h"
#include "cli/json/writer.h"

typedef enum verify_style { VERIFY_PLAIN, VERIFY_JSON, VERIFY_TAP, VERIFY_JUNIT } verify_style;
typedef enum verify_result { VERIFY_OK, VERIFY_FAILED, VERIFY_KNOWN } verify_result;

typedef struct verify_output {
    verify_style style;
    size_t files, failed, known;
    cli_json json;
} verify_output;

void verify_output_begin(verify_output *out, verify_style style);
/* messages: what failed, one line each, as text that is safe to show; for a known failure its reason. */
void verify_output_file(verify_output *out, const char *path, verify_result result, agentchat_str messages);
void verify_output_end(verify_output *out);

#endif
