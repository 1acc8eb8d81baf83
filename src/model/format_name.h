/* SPDX-License-Identifier: Apache-2.0 */
/* Names of formats, as tags of what came from them (docs/formats/agentchat.md, section 10). */
#ifndef ACI_MODEL_FORMAT_NAME_H
#define ACI_MODEL_FORMAT_NAME_H

#include <agentchat/base.h>

enum { ACI_FORMAT_NAME_LONGEST = 64 };

/* Whether text may be the name of a format, whether or not this version knows it: 1 to 64 of lower-case letters, digits
   and '-', beginning with a letter. */
bool aci_format_name_is_valid(agentchat_str text);

#endif
