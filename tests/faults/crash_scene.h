/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saves that are recorded, and the directories that a crash may make of them (file_model.h), made in earnest and read
 * through the library.
 */
#ifndef FAULTS_CRASH_SCENE_H
#define FAULTS_CRASH_SCENE_H

#include "fault_support.h"

#include "file_model.h"

#define FILE_NAME "real.json"
#define HIGHEST_SAVES 16

typedef struct scene {
    char *dir, *sub, *path;       /* where it is saved: the file lies in sub, path may be a link to it */
    char *crash_sub, *crash_path; /* where the directory after a crash is made, in the same shape */
    const char *format;
    bool exists;
    mode_t mode;
    size_t saves;
    agentchat_bytes document[HIGHEST_SAVES + 1]; /* 0: before the first save */
    operations recorded;
    size_t file_count;
    size_t file_of_fd[64]; /* number + 1 of the file that is open for writing there */
    unsigned long states, distinct, violations;
    uint64_t *seen; /* hashes of what was tried: directories with their expectation, and names alone */
    size_t seen_count, seen_room;
} scene;

/* Some saves to a file, which is there before or not, directly or through a link. AGENTCHAT_TEST_CRASH_SAVES says how
   many (3). */
scene scene_make(const char *format, bool exists, bool through_link);
void scene_clear(scene *s);
/* A crash after each operation of a sequence. Returns the number of wrong states: the file must be the last
   acknowledged state or the one that was being saved, complete, with its mode. */
unsigned long crash_everywhere(scene *s, const operations *sequence);

#endif
