/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/text/memory.h"
#include <stdlib.h>

bool cli_memory_begin(cli_memory *memory)
{
    *memory = (cli_memory){.text = NULL};
    memory->out = open_memstream(&memory->text, &memory->len);
    return memory->out != NULL;
}

bool cli_memory_end(cli_memory *memory)
{
    bool ok = memory->out != NULL && ferror(memory->out) == 0;

    if (memory->out != NULL && fclose(memory->out) != 0)
        ok = false;
    memory->out = NULL;
    if (ok && memory->text != NULL) /* which some give up when they cannot cut the buffer to its size */
        return true;
    free(memory->text);
    memory->text = NULL;
    return false;
}
