/* SPDX-License-Identifier: Apache-2.0 */
/* What a crash may leave of a sequence of file operations: file_model.h has the rules. */
#include "file_model.h"

#include "support/test_support.h"

/* ---- sequences --------------------------------------------------------------------------------------------------- */

void operations_insert(operations *list, size_t index, operation added)
{
    if (list->count == list->room) {
        list->room = list->room == 0 ? 64 : list->room * 2;
        list->at = realloc(list->at, list->room * sizeof *list->at);
        assert_non_null(list->at);
    }
    memmove(list->at + index + 1, list->at + index, (list->count - index) * sizeof *list->at);
    list->at[index] = added;
    list->count++;
}

void operations_add(operations *list, operation added)
{
    operations_insert(list, list->count, added);
}

void operations_remove(operations *list, size_t index)
{
    list->count--;
    memmove(list->at + index, list->at + index + 1, (list->count - index) * sizeof *list->at);
}

void operations_clear(operations *list)
{
    free(list->at);
    *list = (operations){0};
}

operations operations_copy(const operations *list)
{
    operations copy = {0};

    for (size_t i = 0; i < list->count; i++)
        operations_add(&copy, list->at[i]);
    return copy;
}

/* ---- applying ---------------------------------------------------------------------------------------------------- */

static char *duplicate(const char *bytes, size_t len)
{
    char *copy = malloc(len + 1);

    assert_non_null(copy);
    if (len > 0)
        memcpy(copy, bytes, len);
    return copy;
}

static void sync_file(model_file *file)
{
    free(file->synced_bytes);
    file->synced_bytes = duplicate(file->bytes, file->len);
    file->synced_len = file->len;
    file->synced_mode = file->mode;
}

/* A file without a name, nothing of which is certain. */
static size_t add_file(file_model *model, const void *bytes, size_t len, mode_t mode)
{
    assert_true(model->file_count < MODEL_FILES);
    model->files[model->file_count] =
        (model_file){.bytes = duplicate(bytes, len), .len = len, .mode = mode, .synced_mode = mode};
    model->files[model->file_count].synced_bytes = duplicate(NULL, 0);
    return model->file_count++;
}

size_t model_add(file_model *model, const char *name, const void *bytes, size_t len, mode_t mode)
{
    size_t number = add_file(model, bytes, len, mode);
    model_entry entry = {.file = number};

    sync_file(&model->files[number]);
    if (name != NULL) {
        assert_true(model->entry_count < MODEL_ENTRIES);
        snprintf(entry.name, sizeof entry.name, "%s", name);
        model->entries[model->entry_count++] = entry;
    }
    return number;
}

static void change(model_entry *entries, size_t *count, size_t room, const model_entry *changed)
{
    size_t i = 0;

    while (i < *count && strcmp(entries[i].name, changed->name) != 0)
        i++;
    if (changed->removed) {
        if (i < *count) {
            (*count)--;
            memmove(entries + i, entries + i + 1, (*count - i) * sizeof *entries);
        }
        return;
    }
    if (i == *count) {
        assert_true(*count < room);
        (*count)++;
    }
    entries[i] = *changed;
}

static void expect_later(file_model *model, const char *name, size_t file, bool removed)
{
    model_entry entry = {.file = file, .removed = removed};

    assert_true(model->pending_count < MODEL_PENDING);
    snprintf(entry.name, sizeof entry.name, "%s", name);
    model->pending[model->pending_count++] = entry;
}

/* What a running program sees under a name. */
static size_t file_of(const file_model *model, const char *name)
{
    model_entry now[MODEL_ENTRIES + MODEL_PENDING];
    size_t count = model_entries(model, (crash_state){model_subsets(model) - 1, 0}, now);

    for (size_t i = 0; i < count; i++)
        if (strcmp(now[i].name, name) == 0)
            return now[i].file;
    fail_msg("no such name: %s", name);
    return 0;
}

static void append(model_file *file, const char *bytes, size_t len)
{
    file->bytes = realloc(file->bytes, file->len + len + 1);
    assert_non_null(file->bytes);
    memcpy(file->bytes + file->len, bytes, len);
    file->len += len;
}

void model_apply(file_model *model, const operation *op)
{
    size_t file;

    switch (op->kind) {
    case OPERATION_BEGIN:
    case OPERATION_SUCCESS:
        break;
    case OPERATION_CREATE:
        file = add_file(model, NULL, 0, op->mode);
        assert_int_equal(file, op->number); /* files have their numbers in the order of their making */
        expect_later(model, op->name, file, false);
        break;
    case OPERATION_WRITE:
        append(&model->files[op->number], op->bytes, op->len);
        break;
    case OPERATION_TRUNCATE:
        model->files[op->number].len = 0;
        break;
    case OPERATION_MODE:
        model->files[op->number].mode = op->mode;
        break;
    case OPERATION_SYNC:
        sync_file(&model->files[op->number]);
        break;
    case OPERATION_RENAME:
        file = file_of(model, op->name);
        expect_later(model, op->new_name, file, false);
        expect_later(model, op->name, file, true);
        break;
    case OPERATION_REMOVE:
        expect_later(model, op->name, 0, true);
        break;
    case OPERATION_SYNC_DIRECTORY:
        for (size_t i = 0; i < model->pending_count; i++)
            change(model->entries, &model->entry_count, MODEL_ENTRIES, &model->pending[i]);
        model->pending_count = 0;
        break;
    }
}

void model_clear(file_model *model)
{
    for (size_t i = 0; i < model->file_count; i++) {
        free(model->files[i].bytes);
        free(model->files[i].synced_bytes);
    }
    *model = (file_model){0};
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

unsigned long model_subsets(const file_model *model)
{
    return 1ul << model->pending_count;
}

size_t model_entries(const file_model *model, crash_state state, model_entry out[MODEL_ENTRIES + MODEL_PENDING])
{
    size_t count = model->entry_count;

    memcpy(out, model->entries, count * sizeof *out);
    for (size_t i = 0; i < model->pending_count; i++)
        if ((state.entries >> i & 1u) != 0)
            change(out, &count, MODEL_ENTRIES + MODEL_PENDING, &model->pending[i]);
    return count;
}

/* A beginning of the new bytes, or all of them. */
static char *beginning(const model_file *file, size_t len, size_t *out_len)
{
    *out_len = len < file->len ? len : file->len;
    return duplicate(file->bytes, *out_len);
}

/* The new length, with something else from `from` to `to`: blocks that did not reach the disk. */
static char *spoilt(const model_file *file, size_t from, size_t to, int with, size_t *out_len)
{
    char *bytes = duplicate(file->bytes, file->len);

    *out_len = file->len;
    if (to > file->len)
        to = file->len;
    if (from < to)
        memset(bytes + from, with, to - from);
    return bytes;
}

char *model_bytes(const file_model *model, size_t file, crash_state state, size_t *out_len, mode_t *out_mode)
{
    const model_file *f = &model->files[file];
    bool is_certain = f->synced_len == f->len && memcmp(f->synced_bytes, f->bytes, f->len) == 0;

    /* The mode goes its own way: the old one with half of the contents. */
    *out_mode = state.content % 2 == 0 ? f->synced_mode : f->mode;
    if (is_certain || state.content <= 1) {
        *out_len = state.content == 0 ? f->synced_len : f->len;
        return duplicate(state.content == 0 ? f->synced_bytes : f->bytes, *out_len);
    }
    switch (state.content) {
    case 2:
        return beginning(f, 0, out_len);
    case 3:
        return beginning(f, 1, out_len);
    case 4:
        return beginning(f, f->len / 2, out_len);
    case 5:
        return beginning(f, f->len / 4096 * 4096, out_len);
    case 6:
        return beginning(f, f->len > 0 ? f->len - 1 : 0, out_len);
    case 7:
        return beginning(f, 512, out_len);
    case 8:
        return spoilt(f, 0, f->len, 0, out_len);
    case 9:
        return spoilt(f, f->len / 2, f->len, 0, out_len);
    case 10:
        return spoilt(f, 0, 512, 0, out_len);
    case 11:
        return spoilt(f, f->len / 2, f->len / 2 + 512, 0, out_len);
    case 12:
        return spoilt(f, f->len > 0 ? (f->len - 1) / 512 * 512 : 0, f->len, 0, out_len);
    default: /* what another file had in these blocks before */
        return spoilt(f, f->len / 3, f->len / 3 * 2, 'x', out_len);
    }
}
