/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of threads on one kind of store: test_thread_contract memory|sqlite|postgres [FILTER]. */
#include "thread/contract/contract.h"

int main(int argc, char **argv)
{
    static int (*const groups[])(void) = {
        contract_put,         contract_features,      contract_branches,  contract_list,         contract_copy,
        contract_pending,     contract_prune,         contract_random,    contract_together,     contract_writers,
        contract_others,      contract_cost,          contract_live,      contract_search,       contract_search_random,
        contract_live_values, contract_live_together, contract_live_cost, contract_live_answers, contract_index};
    int failed = 0;

    scene_files_in_memory();
    if (!scene_program("thread.contract", argc, argv))
        return 2;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        failed += groups[i]();
    return failed != 0;
}
