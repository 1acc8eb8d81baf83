/* SPDX-License-Identifier: Apache-2.0 */
/* URLs of stores: which backend is meant, and with which options. The library agentchat-store. */
#ifndef ACI_STORE_OPEN_URL_H
#define ACI_STORE_OPEN_URL_H

#include <agentchat/store.h>

typedef enum aci_store_backend { ACI_STORE_MEMORY, ACI_STORE_SQLITE, ACI_STORE_POSTGRES } aci_store_backend;

typedef struct aci_store_url {
    aci_store_backend backend;
    agentchat_str file; /* SQLITE: what stands between "sqlite:" and "?" */
    bool has_durability;
    agentchat_durability durability; /* SQLITE: the option `synchronous` */
    bool has_wait;
    uint32_t wait_ms; /* the option `wait_ms`, never 0 */
    /* POSTGRES: where that option stands in the URL, with one of its separators, to be taken out for libpq. */
    size_t wait_at, wait_len;
} aci_store_url;

/* Takes a URL apart. E_INVALID names what is wrong with it, but never repeats what may hold a password. */
agentchat_status aci_url_parse(const char *url, aci_store_url *out, agentchat_error *err);

#endif
