/* SPDX-License-Identifier: Apache-2.0 */
/* Alignment of two sequences of digests: which element of one stands for which of the other. */
#ifndef ACI_SNAPSHOT_ALIGN_H
#define ACI_SNAPSHOT_ALIGN_H

#include "base/env.h"
#include "base/shared.h"

typedef struct aci_hash {
    unsigned char bytes[32];
} aci_hash;

#define ACI_UNMATCHED SIZE_MAX

/* Fills match[i], for each of the a_count elements of a, with the index of its equal in b, or ACI_UNMATCHED. The
   indices ascend. A longest common subsequence (E. W. Myers, An O(ND) Difference Algorithm, 1986) while the two differ
   in at most a fixed number of elements; beyond that, or beyond a bound on the work that grows linearly with the input,
   elements are matched with equal ones at the same index. false: out of memory. */
ACI_SHARED bool aci_align(const agentchat_env *env, const aci_hash *a, size_t a_count, const aci_hash *b,
                          size_t b_count, size_t *match);

#endif
