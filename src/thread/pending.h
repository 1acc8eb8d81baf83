/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of pending writes, and what a put does with those of the checkpoint that it follows. */
#ifndef ACI_THREAD_PENDING_H
#define ACI_THREAD_PENDING_H

#include "base/buf.h"
#include "thread/rows.h"
#include <agentchat/message.h>

typedef struct aci_pending_row {
    int64_t num, index;
    agentchat_str ns, checkpoint, path, task, channel, media, value,
        consumed_by; /* media, consumed_by: may be absent */
} aci_pending_row;

/* The row that the columns hold; its texts live as long as these. */
agentchat_status aci_pending_read_row(aci_pending_row *row, const aci_sql_value *columns, size_t count,
                                      agentchat_error *err);
/* Its texts are in the arena from then on. *ok is set false when out of memory. */
void aci_pending_copy_texts(aci_pending_row *row, aci_arena *arena, bool *ok);
/* Queues a row, which replaces another write of its name. */
agentchat_status aci_pending_put_row(aci_tx *tx, const aci_pending_row *row, agentchat_error *err);

/* The channel of the writes of an answer that did not end, each a message in format 1; their path is the agent's id,
   their task the turn. The checkpoint of an answer of that agent consumes them; others on the line take them along. */
#define ACI_PENDING_PARTIAL AGENTCHAT_STR("agentchat:partial")
agentchat_status aci_pending_write_message(const agentchat_env *env, const agentchat_message *message, aci_buf *out,
                                           agentchat_error *err);
agentchat_status aci_pending_read_message(const agentchat_env *env, agentchat_str value, agentchat_message **out,
                                          agentchat_error *err);

/* What a checkpoint that is put may consume: found together with the checkpoint that it follows, recorded with it. */
typedef struct aci_consumption {
    aci_arena *arena;
    agentchat_str consumer;
    agentchat_str answered;            /* ids of the agents whose answers it has, each ended by a NUL */
    struct aci_consumed *first, *last; /* in the arena */
} aci_consumption;
/* For the statements that give rows; those that were consumed are passed over. */
agentchat_status aci_pending_load_consumed(void *user, const aci_sql_value *columns, size_t count,
                                           agentchat_error *err);
/* Queues the changes of the rows that are of the checkpoint `parent`. continues: the consumer does so on its line. */
void aci_pending_consume(const aci_consumption *consumption, aci_tx *tx, agentchat_str parent, bool continues);

#endif
