/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat verify. */
#ifndef CLI_VERIFY_VERIFY_H
#define CLI_VERIFY_VERIFY_H

#include "cli/command/command.h"
#include "cli/json/json.h"
#include <agentchat/agentchat.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ==== verify ===================================================================================================== */

extern const cli_command cli_verify;

/* ==== the files below the paths that were given, by name ========================================================= */

typedef struct verify_file {
    char *path;
    bool is_regular; /* else a link, a device or the like, which is not opened */
} verify_file;

typedef struct verify_files {
    verify_file *list; /* by the bytes of their paths, each once */
    size_t count, cap;
} verify_files;

/* Adds a file, or all files below a directory; links in it are not followed. false: *failed names what errno is
   about. */
bool verify_files_add(verify_files *files, const char *path, char **failed);
void verify_files_sort(verify_files *files);
/* Whether a path is among them, once they are sorted. */
bool verify_files_have(const verify_files *files, const char *path);
void verify_files_clear(verify_files *files);
/* Opens a regular file for reading, or makes one with "wb". No link is followed, and no pipe waited for: NULL, as after
   any failure, of which errno says why. */
FILE *verify_files_open(const char *path, const char *mode);
/* A copy of two texts in a row, to be freed; NULL: out of memory. */
char *verify_files_join(const char *a, const char *b);

/* ==== expectations of many files in one: JSON, or the lines of `agentchat digest` ================================ */

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

/* ==== what verify prints, file by file, for people and for machines ============================================== */

typedef enum verify_style { VERIFY_PLAIN, VERIFY_JSON, VERIFY_TAP, VERIFY_JUNIT } verify_style;
typedef enum verify_result { VERIFY_OK, VERIFY_FAILED, VERIFY_KNOWN } verify_result;

typedef struct verify_output {
    verify_style style;
    size_t files, failed, known;
    cli_json json;
} verify_output;

/* ==== writes what a file is as its expectation =================================================================== */

/* false: err says why not. */
bool verify_update(const char *path, const char *sidecar, agentchat_error *err);

#endif
