/* SPDX-License-Identifier: Apache-2.0 */
/* ACI_SHARED before the declaration of an internal function: the other libraries of the same release call it too, so
 * the shared library exports it, in the version node AGENTCHAT_PRIVATE_…: docs/abi.md. */
#ifndef ACI_BASE_SHARED_H
#define ACI_BASE_SHARED_H

#if defined(__GNUC__)
#define ACI_SHARED __attribute__((visibility("default")))
#else
#define ACI_SHARED
#endif

#endif
