/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what a file is as its expectation. */
#ifndef CLI_VERIFY_UPDATE_H
#define CLI_VERIFY_UPDATE_H

#include <agentchat/agentchat.h>

/* false: err says why not. */
bool verify_update(const char *path, const char *sidecar, agentchat_error *err);

#endif
