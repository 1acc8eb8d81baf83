/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large blocks on large pages. Besides the clock and random bytes the only use of the operating system here.
 *
 * A document is read into one block that is as long as its file. Fresh memory comes in pages of 4 KiB, and the first
 * write to each is a trap into the kernel: filling a block of 100 MB costs 25,000 of them, more time than the copy
 * itself. Linux gives pages of 2 MiB to whoever asks for a range, which makes the same copy more than twice as fast.
 */
#if defined(__linux__) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* madvise() is not in POSIX */
#endif
#include "base/huge_pages.h"

#if defined(__linux__)

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void aci_huge_pages_advise(void *block, size_t size)
{
    int saved = errno; /* only an optimisation: a refusal is no error */
    long page = sysconf(_SC_PAGESIZE);

    if (page > 0) {
        /* The system wants a page's beginning. What the first page holds besides keeps its meaning: this is advice. */
        size_t before = (size_t)((uintptr_t)block % (uintptr_t)page);

        (void)madvise((char *)block - before, size + before, MADV_HUGEPAGE);
    }
    errno = saved;
}

#else

void aci_huge_pages_advise(void *block, size_t size)
{
    (void)block;
    (void)size;
}

#endif
