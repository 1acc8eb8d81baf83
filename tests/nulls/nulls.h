/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls that make_calls.py makes from the headers are given, and how they are listed. */
#ifndef NULLS_H
#define NULLS_H

#include <agentchat/agentchat.h>
#include <agentchat/json.h>
#include <agentchat/session_json.h>
#include <agentchat/sqlite.h>
#include <agentchat/view.h>
#ifdef NULLS_WITH_POSTGRES
#include <agentchat/postgres.h>
#endif

/* An answer of a provider. */
#define ANSWER "[{\"role\":\"assistant\",\"content\":\"x\",\"refusal\":null}]"

/* One valid value of each kind, made anew for each call. */
typedef struct nulls_world {
    const agentchat_env *env;
    agentchat_env *own_env;
    agentchat_chat *chat, *empty_chat;   /* both with an agent; the second has not been used */
    agentchat_chat *saved_chat;          /* remembers the thread "t1" */
    agentchat_agent *agent, *free_agent; /* of the chat; of none */
    agentchat_snapshot *snapshot;
    const agentchat_channel_state *channel;
    const agentchat_participant *participant;
    agentchat_message *message;
    const agentchat_message *list[1];
    const agentchat_item *item;
    agentchat_messages *messages;
    agentchat_message_builder *builder;
    agentchat_message *call; /* with an item that calls manage_memory */
    agentchat_snapshot_builder *snapshot_builder;
    agentchat_event *event;
    agentchat_event_builder *event_builder;
    agentchat_state *state;
    agentchat_store *store;
    agentchat_session *session;
    agentchat_session_file *session_file;
    agentchat_document *document;
    agentchat_session_list *sessions;
    agentchat_checkpoint *checkpoint; /* of the thread "t1" */
    agentchat_checkpoint_list *checkpoints;
    agentchat_pending_list *pending;
    agentchat_thread_list *threads;
    agentchat_thread_hits *hits;
    agentchat_memory_results *documents;
    agentchat_source *no_lines;
    agentchat_memory_namespaces *spaces;
    agentchat_collection_outcomes *outcomes;
    agentchat_memory_steps *steps;
    agentchat_work_item_list *work; /* one that has been claimed */
    agentchat_memory_vectors *vectors;
    agentchat_calls *calls;
    agentchat_list_edit *edit, *history_edit; /* for the messages; for the chat's history */
    agentchat_report *report;
    agentchat_source *source, *session_source;
    agentchat_sink *sink;
    agentchat_channel_load *channel_load;
    agentchat_channel_save *channel_save;
    agentchat_channel_edit *channel_edit;
    agentchat_replies *replies;
    agentchat_turn *turn;
    agentchat_bytes bytes, written;
    agentchat_error error;
    json_t *json;
    FILE *file;
    char path[256];
} nulls_world;

enum { NULLS_NONE = -1 };

typedef struct nulls_call {
    const char *name;
    int parameters;
    const char *pointers; /* one character a parameter: '-' no pointer, 'm' must not be NULL, 'n' may be NULL */
    const char *const *names;
    bool has_status;
    /* Calls it with NULL for parameter `null`; the status, or OK for a function that has none. */
    agentchat_status (*run)(nulls_world *w, int null);
} nulls_call;

extern const nulls_call nulls_calls[];
extern const size_t nulls_call_count;

/* Callbacks that do nothing. */
agentchat_status nulls_answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err);
agentchat_status nulls_check(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err);
agentchat_status nulls_each(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                            agentchat_error *err);
extern const agentchat_source_ops nulls_source_ops;
extern const agentchat_sink_ops nulls_sink_ops;
extern const agentchat_remote_agent_options nulls_remote_agent;
extern const agentchat_agent_options nulls_agent;
extern const agentchat_memory_embedder nulls_embedder;
extern const agentchat_pending_write nulls_pending_write;
extern const agentchat_html_thread nulls_html_thread;
extern const agentchat_aggregator_options nulls_aggregator;
extern const agentchat_history_agent_options nulls_history_agent;

bool nulls_test(void *user, const agentchat_message *message);
agentchat_status nulls_reduce(void *user, agentchat_str existing, agentchat_str update, agentchat_bytes *out,
                              agentchat_error *err);
agentchat_status nulls_profile(void *user, agentchat_profile_draft *draft, agentchat_error *err);
agentchat_status nulls_instructions(void *user, agentchat_instructions_draft *draft, agentchat_error *err);
agentchat_status nulls_summarize(void *user, const agentchat_messages *messages, agentchat_bytes *out,
                                 agentchat_error *err);
void nulls_failed(void *user, const char *check, agentchat_str path, agentchat_str text);

#endif
