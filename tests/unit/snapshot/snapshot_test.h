/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of snapshots share: finishing one that must be right. */
#ifndef SNAPSHOT_TEST_H
#define SNAPSHOT_TEST_H

#include "support/test_support.h"

static inline agentchat_snapshot *finished(agentchat_snapshot_builder *b)
{
    agentchat_snapshot *made;
    agentchat_error err;

    test_ok(agentchat_snapshot_builder_finish(b, &made, &err), &err);
    return made;
}

#endif
