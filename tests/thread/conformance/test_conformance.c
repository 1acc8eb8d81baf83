/* SPDX-License-Identifier: Apache-2.0 */
/* The clauses of LangGraph's conformance suite on one kind of store: test_thread_conformance memory|sqlite|postgres
   [FILTER]. */
#include "thread/conformance/conformance.h"

int main(int argc, char **argv)
{
    static int (*const groups[])(void) = {conformance_put,  conformance_put_writes, conformance_get_tuple,
                                          conformance_list, conformance_delete,     conformance_copy_and_prune};
    int failed = 0;

    scene_files_in_memory();
    if (!scene_program("thread.conformance", argc, argv))
        return 2;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        failed += groups[i]();
    return failed != 0;
}
