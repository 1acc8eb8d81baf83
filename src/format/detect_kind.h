/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an object is a chat, a session or an event: what its properties say in all formats. */
#ifndef ACI_FORMAT_DETECT_KIND_H
#define ACI_FORMAT_DETECT_KIND_H

#include <agentchat/str.h>

typedef enum aci_detected {
    ACI_DETECTED_CHAT, /* or nothing that is known */
    ACI_DETECTED_SESSION,
    ACI_DETECTED_EVENT
} aci_detected;

/* object: validated JSON text. */
aci_detected aci_detect_kind(agentchat_str object);

#endif
