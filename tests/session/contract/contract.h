/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of the session service, in groups. Each runs on the kind of store that scene_program() was given, and
   returns the number of tests that failed. */
#ifndef SESSION_CONTRACT_H
#define SESSION_CONTRACT_H

#include "session/scene.h"

int contract_scopes(void);
int contract_adk_rust(void);
int contract_adk_python(void);
int contract_adk_go(void);
int contract_create(void);
int contract_get(void);
int contract_append(void);
int contract_expectations(void);
int contract_duplicates(void);
int contract_change(void);
int contract_invocation(void);
int contract_handles(void);
int contract_rewind(void);
int contract_copy(void);
int contract_delete(void);
int contract_list(void);
int contract_names(void);
int contract_values(void);
int contract_clock(void);
int contract_bridge(void);
int contract_exchange(void);
int contract_check(void);
int contract_store(void);

#define CONTRACT_GROUP(name, tests) cmocka_run_group_tests_name("contract." name, tests, NULL, NULL)

#endif
