/* SPDX-License-Identifier: Apache-2.0 */
/* Temporary files that can be distinguished from those left by writers that are gone. For src/io only. */
#ifndef ACI_IO_TEMPORARY_H
#define ACI_IO_TEMPORARY_H

#include "base/buf.h"

/* Makes an empty file that only its owner may read, beside the file `target` (NUL-terminated, relative to dir), and
   removes what savers of the same file have left that are gone. *out_fd is open for writing; name, which is
   NUL-terminated, is empty after a failure. As long as *out_fd or a duplicate of it is open no other saver touches the
   file: rename it, or remove it, before the last of them is closed. */
agentchat_status aci_temporary_make(int dir, agentchat_str target, aci_buf *name, int *out_fd, agentchat_error *err);

#endif
