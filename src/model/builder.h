/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the message builder share. Layer 2. */
#ifndef ACI_MODEL_BUILDER_H
#define ACI_MODEL_BUILDER_H

#include <agentchat/message.h>

/* The environment of a builder that can go on; NULL when the builder is NULL or has failed. */
const agentchat_env *aci_builder_env(const agentchat_builder *builder);

/* Makes a failure stick, as if the field had been set to a wrong value: of the item added last, or of the message.
   error->code is its status, its path the place inside the value. */
void aci_builder_fail(agentchat_builder *builder, bool in_item, agentchat_field field, const agentchat_error *error);

#endif
