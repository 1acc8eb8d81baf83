/* SPDX-License-Identifier: Apache-2.0 */
/* Large blocks on large pages. */
#ifndef ACI_BASE_HUGE_PAGES_H
#define ACI_BASE_HUGE_PAGES_H

#include <stddef.h>

/* Blocks of this size and more are worth the call: smaller ones hold too few large pages. */
#define ACI_HUGE_FROM ((size_t)4 << 20)

/* Asks the system to put a block of malloc() or realloc() on large pages, before it is written to. Best effort: the
   block stays an ordinary one for free() and realloc(), whether or not the system agrees. */
void aci_huge_pages_advise(void *block, size_t size);

#endif
