/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for cmark from an environment.
 *
 * cmark takes for granted that there is memory, and its functions for it are given no context. So they serve the job of
 * the thread that calls them; when memory runs out, they jump back to where the job began. All that cmark took is given
 * back at once, in either case.
 */
#ifndef ACI_VIEW_CMARK_MEMORY_H
#define ACI_VIEW_CMARK_MEMORY_H

#include "base/env.h"

#include <cmark.h>

typedef enum aci_cmark_end { ACI_CMARK_DONE, ACI_CMARK_NOMEM, ACI_CMARK_TOO_MUCH } aci_cmark_end;

/* What cmark may do: work(mem, user) is called, with memory that lives until it returns, and at most so many bytes of
   it at any time. When there is no more, work() ends where it is: NOMEM when the environment has none, TOO_MUCH when it
   would be more than `most`. */
typedef void (*aci_cmark_work_fn)(cmark_mem *mem, void *user);
aci_cmark_end aci_cmark_memory_run(const agentchat_env *env, size_t most, aci_cmark_work_fn work, void *user);

#endif
