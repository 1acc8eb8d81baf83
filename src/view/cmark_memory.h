/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for cmark from an environment. Layer 5.
 *
 * cmark takes for granted that there is memory, and its functions for it are given no context. So they serve the job of
 * the thread that calls them; when memory runs out, they jump back to where the job began. All that cmark took is given
 * back at once, in either case.
 */
#ifndef ACI_VIEW_CMARK_MEMORY_H
#define ACI_VIEW_CMARK_MEMORY_H

#include "base/env.h"

#include <cmark.h>

/* What cmark may do: work(mem, user) is called, with memory that lives until it returns. false: out of memory. */
typedef void (*aci_cmark_work_fn)(cmark_mem *mem, void *user);
bool aci_with_cmark_memory(const agentchat_env *env, aci_cmark_work_fn work, void *user);

#endif
