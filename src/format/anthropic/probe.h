/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a document is of Anthropic's Messages. */
#ifndef ACI_FORMAT_ANTHROPIC_PROBE_H
#define ACI_FORMAT_ANTHROPIC_PROBE_H

#include "format/kit/probe.h"

aci_probe aci_anthropic_probe;

#endif
