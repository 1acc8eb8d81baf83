/* SPDX-License-Identifier: Apache-2.0 */
/* Permissions of a file that replaces another one. Only the files of src/io include it. */
#ifndef ACI_IO_PERMISSIONS_H
#define ACI_IO_PERMISSIONS_H

#include "base/env.h"

/* Gives the file `fd`, which so far only its maker may read, owner, group, mode and access control list of the file
   `name` in `dir`; 0600 where there is none. What may not be kept is made up for by fewer rights, so that nobody gets
   one that the old file did not give; at no moment are there more. E_IO where the system fails. */
agentchat_status aci_permissions_take_over(const agentchat_env *env, int fd, int dir, const char *name,
                                           agentchat_error *err);

#endif
