/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of the session service on one kind of store: test_session_contract memory|sqlite|postgres [FILTER]. */
#include "session/contract/contract.h"

int main(int argc, char **argv)
{
    static int (*const groups[])(void) = {
        contract_scopes,     contract_adk_rust, contract_adk_python,   contract_adk_go,     contract_create,
        contract_get,        contract_append,   contract_expectations, contract_duplicates, contract_change,
        contract_invocation, contract_handles,  contract_rewind,       contract_copy,       contract_delete,
        contract_list,       contract_names,    contract_values,       contract_clock,      contract_bridge,
        contract_exchange,   contract_check,    contract_store,
    };
    int failed = 0;

    scene_files_in_memory();
    if (!scene_program("session.contract", argc, argv))
        return 2;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        failed += groups[i]();
    return failed != 0;
}
