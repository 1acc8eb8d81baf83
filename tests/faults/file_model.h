/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory as a disk may show it after a crash.
 *
 * The model keeps, of a sequence of file operations, what was synced, and lists every state that a file system may come
 * up with after the rest was lost, kept or mixed:
 *
 *   - A file's bytes and mode are certain once the file was synced. What was written since may be there not at all, up
 *     to any byte, or with its full length and zeros or garbage instead of some of it.
 *   - Entries of the directory (a new name, both halves of a rename, a removal) are certain once the directory was
 *     synced. Of those since, any subset may be there, in their order: less than any file system with a journal allows,
 *     so that what passes here passes on those, too.
 */
#ifndef FAULTS_FILE_MODEL_H
#define FAULTS_FILE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef enum operation_kind {
    OPERATION_BEGIN,    /* a save begins: number */
    OPERATION_SUCCESS,  /* it has returned success */
    OPERATION_CREATE,   /* name, file, mode */
    OPERATION_WRITE,    /* file, bytes */
    OPERATION_TRUNCATE, /* file, to nothing */
    OPERATION_MODE,     /* file, mode */
    OPERATION_SYNC,     /* file */
    OPERATION_RENAME,   /* name to new_name */
    OPERATION_REMOVE,   /* name */
    OPERATION_SYNC_DIRECTORY
} operation_kind;

typedef struct operation {
    operation_kind kind;
    size_t number; /* of the save or of the file */
    char name[80], new_name[80];
    mode_t mode;
    const char *bytes;
    size_t len;
} operation;

typedef struct operations {
    operation *at;
    size_t count, room;
} operations;

void operations_add(operations *list, operation added);
void operations_remove(operations *list, size_t index);
void operations_insert(operations *list, size_t index, operation added);
void operations_clear(operations *list); /* not the bytes, which are shared with copies */
operations operations_copy(const operations *list);

#define MODEL_FILES 40
#define MODEL_ENTRIES 12
#define MODEL_PENDING 12

typedef struct model_file {
    char *bytes, *synced_bytes;
    size_t len, synced_len;
    mode_t mode, synced_mode;
} model_file;

typedef struct model_entry {
    char name[80];
    size_t file;
    bool removed; /* of a pending change: the name goes away */
} model_entry;

typedef struct file_model {
    model_file files[MODEL_FILES];
    size_t file_count;
    model_entry entries[MODEL_ENTRIES]; /* certain */
    size_t entry_count;
    model_entry pending[MODEL_PENDING]; /* in their order */
    size_t pending_count;
} file_model;

/* A file that has been there, synced, for long. Returns its number; with a NULL name it has none. */
size_t model_add(file_model *model, const char *name, const void *bytes, size_t len, mode_t mode);
void model_apply(file_model *model, const operation *op);
void model_clear(file_model *model);

/* How a state differs from the certain one: which pending entries are there (bit n: pending[n]), and which of the
   possible contents each unsynced file has. */
typedef struct crash_state {
    unsigned long entries;
    size_t content;
} crash_state;
/* Numbers of both that lead through all states. */
unsigned long model_subsets(const file_model *model);
#define MODEL_CONTENTS 14
/* Entries of a state; returns their number. */
size_t model_entries(const file_model *model, crash_state state, model_entry out[MODEL_ENTRIES + MODEL_PENDING]);
/* The bytes that a file has in a state, to be freed with free(). */
char *model_bytes(const file_model *model, size_t file, crash_state state, size_t *out_len, mode_t *out_mode);

#endif
