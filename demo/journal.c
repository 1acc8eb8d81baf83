/* SPDX-License-Identifier: Apache-2.0 */
#include "journal.h"
#include "path.h"
#include <stdio.h>

static FILE *open_journal(const char *dir, const char *mode)
{
    return fopen(path_join(dir, "completed.txt").text, mode);
}

bool journal_add(const char *dir, size_t step, size_t messages)
{
    FILE *file = open_journal(dir, "a");

    if (file == NULL)
        return false;
    bool ok = fprintf(file, "%zu %zu\n", step, messages) > 0;
    return fclose(file) == 0 && ok;
}

bool journal_is_complete(const char *dir, size_t steps)
{
    FILE *file = open_journal(dir, "r");
    size_t step, messages, expected = 0;
    bool ok = file != NULL;

    while (ok && fscanf(file, "%zu %zu", &step, &messages) == 2) {
        expected++;
        ok = step == expected && messages == 2 * expected;
    }
    if (file != NULL)
        (void)fclose(file);
    return ok && expected == steps;
}
