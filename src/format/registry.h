/* SPDX-License-Identifier: Apache-2.0 */
/* The formats that there are. */
#ifndef ACI_FORMAT_REGISTRY_H
#define ACI_FORMAT_REGISTRY_H

#include "format/kit/format.h"

/* What a format may be wanted for. */
typedef enum aci_format_use {
    ACI_READ_CHAT,
    ACI_WRITE_CHAT,
    ACI_READ_EVENT,
    ACI_WRITE_EVENT,
    ACI_READ_SESSION,
    ACI_WRITE_SESSION
} aci_format_use;

/* All of them, in the order in which they are asked. */
const aci_format *const *aci_registry_all(size_t *count);
bool aci_registry_can(const aci_format *format, aci_format_use use);
/* The format of a name, which must be one that can do it. E_INVALID, with the names that would do. */
agentchat_status aci_registry_choose(const char *name, aci_format_use use, const aci_format **out,
                                     agentchat_error *err);
/* The most levels that a format needs for an event beyond those of the native format. */
uint32_t aci_registry_more_levels(void);

#endif
