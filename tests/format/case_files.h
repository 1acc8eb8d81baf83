/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a case: what they hold, and holding against them, or writing anew, what the library makes. */
#ifndef FORMAT_CASE_FILES_H
#define FORMAT_CASE_FILES_H

#include "format/kinds.h"

typedef struct case_run {
    const char *format;
    bool update;        /* write what differs instead of failing */
    size_t cases;       /* how many there were */
    size_t failures;    /* how many of them failed, each of which has been printed */
    const char *failed; /* the last one that did */
    void *user;
} case_run;

/* Names of the files of one case, without their endings. */
typedef struct case_files {
    case_run *run;
    char *base; /* path without an ending */
    const document_kind *kind;
} case_files;

/* A file's bytes; ptr NULL: there is no such file. To be freed with free(). */
agentchat_str case_file(const case_files *files, const char *ending);
/* Prints that the case failed, and why. */
void case_fail(const case_files *files, const char *what, const char *expected, agentchat_str found);
/* Wants the file to hold `found`; a line end at its end does not count. `otherwise`: what is right where there is no
   such file; absent: there must be one. */
void case_expect(const case_files *files, const char *ending, agentchat_str found, agentchat_str otherwise);
/* Wants that there is no such file. */
void case_expect_none(const case_files *files, const char *ending);

/* Calls each with every case below a directory, as the path of the file by which it is found: .in, or .native alone. */
void case_each(const char *dir, case_run *run, void (*each)(const case_files *files));

#endif
