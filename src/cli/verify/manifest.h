/* SPDX-License-Identifier: Apache-2.0 */
/* Expectations of many files in one: JSON, or the lines of `agentchat digest`. */
#ifndef CLI_VERIFY_MANIFEST_H
#define CLI_VERIFY_MANIFEST_H

#include "cli/verify/files.h"
#include <agentchat/agentchat.h>
#include <stdio.h>

typedef struct verify_entry {
    char *path; /* from where the tool runs: names are relative to the manifest's directory */
    char *expectation;
    bool used;
} verify_entry;

typedef struct verify_manifest {
    verify_entry *list; /* by path */
    size_t count, cap;
    bool has_shown_names; /* lines of agentchat digest, which shows names with visible escapes */
} verify_manifest;

/* A file as text, to be freed; NULL: err says why not. Takes the file over, which may be NULL: errno says why. */
char *verify_manifest_read_text(FILE *file, const char *path, agentchat_error *err);
bool verify_manifest_read(verify_manifest *manifest, const char *path, agentchat_error *err);
/* The entry of a file, or NULL. */
verify_entry *verify_manifest_find(verify_manifest *manifest, const char *path);
void verify_manifest_clear(verify_manifest *manifest);

#endif
