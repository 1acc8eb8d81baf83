/* SPDX-License-Identifier: Apache-2.0 */
/* What a path means in the end. Only the files of src/io include it. */
#ifndef ACI_IO_TARGET_H
#define ACI_IO_TARGET_H

#include "base/buf.h"

#include <sys/stat.h>

typedef enum aci_target_kind {
    ACI_TARGET_FILE,       /* a regular file, or none yet: path is its name after all symbolic links */
    ACI_TARGET_DESCRIPTOR, /* a descriptor of this process, such as /dev/stdout: fd is its number */
    ACI_TARGET_STREAM,     /* something else that is written where it stands */
} aci_target_kind;

typedef struct aci_target {
    aci_target_kind kind;
    aci_buf path; /* NUL-terminated; to be cleared by the caller in any case */
    int fd;
} aci_target;

/* E_IO for a directory, for what cannot be written, and where it cannot be determined what the path is. */
agentchat_status aci_target_find(aci_target *target, const char *path, agentchat_error *err);
/* Length of the directory part of a path, its last slash included; 0 when there is none. */
size_t aci_target_dir_len(agentchat_str path);
/* Makes buf of two texts and the NUL that system calls want, which is not part of len. False: out of memory. */
bool aci_target_set(aci_buf *buf, agentchat_str first, agentchat_str second);

#endif
