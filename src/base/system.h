/* SPDX-License-Identifier: Apache-2.0 */
/* What an environment has where the host gave nothing else. */
#ifndef ACI_BASE_SYSTEM_H
#define ACI_BASE_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

/* The clock and random bytes, as an environment holds them; user is ignored. */
int64_t aci_system_now_us(void *user);
int aci_system_random(void *user, void *bytes, size_t size);

#endif
