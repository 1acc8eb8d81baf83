/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes and offsets of every public struct: where pointers and long have 64 bits, which is the same on all of Debian's
 * such architectures, and on 32-bit x86, where 64-bit numbers are aligned to 4. Programs that were compiled against an
 * older version rely on them: a line is never changed within one SOVERSION; a new member of an options struct stands at
 * the end and gets a new line (docs/abi.md). Not part of any program: the test abi.layout compiles it.
 */
#include <agentchat/agentchat.h>
#include <agentchat/view.h>
#include <stddef.h>

#if defined(__LP64__)
#define CHOOSE(on_64, on_x86_32) (on_64)
#elif defined(__i386__)
#define CHOOSE(on_64, on_x86_32) (on_x86_32)
#endif

#ifdef CHOOSE

#define SIZE(type, on_64, on_x86_32) _Static_assert(sizeof(type) == CHOOSE(on_64, on_x86_32), #type " has another size")
#define AT(type, member, on_64, on_x86_32)                                                                             \
    _Static_assert(offsetof(type, member) == CHOOSE(on_64, on_x86_32), #type "." #member " has moved")

SIZE(agentchat_channel_type, 88, 44);
AT(agentchat_channel_type, struct_size, 0, 0);
AT(agentchat_channel_type, name, 8, 4);
AT(agentchat_channel_type, create, 16, 8);
AT(agentchat_channel_type, receive, 24, 12);
AT(agentchat_channel_type, invoke, 32, 16);
AT(agentchat_channel_type, save, 40, 20);
AT(agentchat_channel_type, load, 48, 24);
AT(agentchat_channel_type, history, 56, 28);
AT(agentchat_channel_type, reset, 64, 32);
AT(agentchat_channel_type, free, 72, 36);
AT(agentchat_channel_type, edit, 80, 40);

SIZE(agentchat_agent_options, 96, 48);
AT(agentchat_agent_options, struct_size, 0, 0);
AT(agentchat_agent_options, name, 8, 4);
AT(agentchat_agent_options, id, 24, 12);
AT(agentchat_agent_options, type, 40, 20);
AT(agentchat_agent_options, participant, 48, 24);
AT(agentchat_agent_options, channel, 56, 28);
AT(agentchat_agent_options, keys, 64, 32);
AT(agentchat_agent_options, key_count, 72, 36);
AT(agentchat_agent_options, user, 80, 40);
AT(agentchat_agent_options, free_user, 88, 44);

SIZE(agentchat_history_agent_options, 112, 56);
AT(agentchat_history_agent_options, struct_size, 0, 0);
AT(agentchat_history_agent_options, name, 8, 4);
AT(agentchat_history_agent_options, id, 24, 12);
AT(agentchat_history_agent_options, type, 40, 20);
AT(agentchat_history_agent_options, participant, 48, 24);
AT(agentchat_history_agent_options, answer, 56, 28);
AT(agentchat_history_agent_options, reduce, 64, 32);
AT(agentchat_history_agent_options, keys, 72, 36);
AT(agentchat_history_agent_options, key_count, 80, 40);
AT(agentchat_history_agent_options, keep_all, 88, 44);
AT(agentchat_history_agent_options, user, 96, 48);
AT(agentchat_history_agent_options, free_user, 104, 52);

SIZE(agentchat_remote_info, 32, 16);
AT(agentchat_remote_info, id, 0, 0);
AT(agentchat_remote_info, synced, 16, 8);
AT(agentchat_remote_info, history_count, 24, 12);

SIZE(agentchat_remote_ops, 40, 20);
AT(agentchat_remote_ops, struct_size, 0, 0);
AT(agentchat_remote_ops, create, 8, 4);
AT(agentchat_remote_ops, post, 16, 8);
AT(agentchat_remote_ops, answer, 24, 12);
AT(agentchat_remote_ops, check, 32, 16);

SIZE(agentchat_remote_agent_options, 104, 52);
AT(agentchat_remote_agent_options, struct_size, 0, 0);
AT(agentchat_remote_agent_options, name, 8, 4);
AT(agentchat_remote_agent_options, id, 24, 12);
AT(agentchat_remote_agent_options, type, 40, 20);
AT(agentchat_remote_agent_options, participant, 48, 24);
AT(agentchat_remote_agent_options, channel_type, 56, 28);
AT(agentchat_remote_agent_options, ops, 64, 32);
AT(agentchat_remote_agent_options, keys, 72, 36);
AT(agentchat_remote_agent_options, key_count, 80, 40);
AT(agentchat_remote_agent_options, user, 88, 44);
AT(agentchat_remote_agent_options, free_user, 96, 48);

SIZE(agentchat_aggregator_options, 88, 44);
AT(agentchat_aggregator_options, struct_size, 0, 0);
AT(agentchat_aggregator_options, name, 8, 4);
AT(agentchat_aggregator_options, id, 24, 12);
AT(agentchat_aggregator_options, participant, 40, 20);
AT(agentchat_aggregator_options, mode, 48, 24);
AT(agentchat_aggregator_options, make, 56, 28);
AT(agentchat_aggregator_options, run, 64, 32);
AT(agentchat_aggregator_options, user, 72, 36);
AT(agentchat_aggregator_options, free_user, 80, 40);

SIZE(agentchat_str, 16, 8);
AT(agentchat_str, ptr, 0, 0);
AT(agentchat_str, len, 8, 4);

SIZE(agentchat_allocator, 48, 24);
AT(agentchat_allocator, struct_size, 0, 0);
AT(agentchat_allocator, alloc, 8, 4);
AT(agentchat_allocator, realloc, 16, 8);
AT(agentchat_allocator, free, 24, 12);
AT(agentchat_allocator, user, 32, 16);
AT(agentchat_allocator, free_user, 40, 20);

SIZE(agentchat_limits, 32, 28);
AT(agentchat_limits, struct_size, 0, 0);
AT(agentchat_limits, max_bytes, 8, 4);
AT(agentchat_limits, max_messages, 16, 12);
AT(agentchat_limits, max_depth, 24, 20);
AT(agentchat_limits, max_copies, 28, 24);

SIZE(agentchat_env_options, 56, 28);
AT(agentchat_env_options, struct_size, 0, 0);
AT(agentchat_env_options, allocator, 8, 4);
AT(agentchat_env_options, limits, 16, 8);
AT(agentchat_env_options, now_us, 24, 12);
AT(agentchat_env_options, random, 32, 16);
AT(agentchat_env_options, user, 40, 20);
AT(agentchat_env_options, free_user, 48, 24);

SIZE(agentchat_bytes, 32, 16);
AT(agentchat_bytes, ptr, 0, 0);
AT(agentchat_bytes, len, 8, 4);
AT(agentchat_bytes, cap, 16, 8);
AT(agentchat_bytes, env, 24, 12);

SIZE(agentchat_json_walk, 48, 24);
AT(agentchat_json_walk, key, 0, 0);
AT(agentchat_json_walk, value, 16, 8);
AT(agentchat_json_walk, at, 32, 16);
AT(agentchat_json_walk, end, 40, 20);

SIZE(agentchat_chat_observer, 48, 24);
AT(agentchat_chat_observer, struct_size, 0, 0);
AT(agentchat_chat_observer, on_input, 8, 4);
AT(agentchat_chat_observer, on_answer, 16, 8);
AT(agentchat_chat_observer, user, 24, 12);
AT(agentchat_chat_observer, free_user, 32, 16);
AT(agentchat_chat_observer, on_edit, 40, 20);
SIZE(agentchat_chat_reducer, 32, 16);
AT(agentchat_chat_reducer, struct_size, 0, 0);
AT(agentchat_chat_reducer, reduce, 8, 4);
AT(agentchat_chat_reducer, user, 16, 8);
AT(agentchat_chat_reducer, free_user, 24, 12);
SIZE(agentchat_run_options, 48, 24);
AT(agentchat_run_options, struct_size, 0, 0);
AT(agentchat_run_options, max_turns, 8, 4);
AT(agentchat_run_options, select, 16, 8);
AT(agentchat_run_options, is_complete, 24, 12);
AT(agentchat_run_options, reset_complete, 32, 16);
AT(agentchat_run_options, user, 40, 20);

SIZE(agentchat_capture_options, 16, 8);
AT(agentchat_capture_options, struct_size, 0, 0);
AT(agentchat_capture_options, no_delivery, 8, 4);
AT(agentchat_capture_options, all_channels, 9, 5);

SIZE(agentchat_restore_options, 32, 16);
AT(agentchat_restore_options, struct_size, 0, 0);
AT(agentchat_restore_options, resolve, 8, 4);
AT(agentchat_restore_options, user, 16, 8);
AT(agentchat_restore_options, no_type_match, 24, 12);

SIZE(agentchat_extra, 48, 24);
AT(agentchat_extra, name, 0, 0);
AT(agentchat_extra, value, 16, 8);
AT(agentchat_extra, from, 32, 16);

SIZE(agentchat_format, 32, 20);
AT(agentchat_format, name, 0, 0);
AT(agentchat_format, summary, 8, 4);
AT(agentchat_format, reads, 16, 8);
AT(agentchat_format, writes, 20, 12);
AT(agentchat_format, has_strict, 24, 16);

SIZE(agentchat_call, 24, 12);
AT(agentchat_call, item, 0, 0);
AT(agentchat_call, message, 8, 4);
AT(agentchat_call, partner, 16, 8);

SIZE(agentchat_report_entry, 56, 32);
AT(agentchat_report_entry, kind, 0, 0);
AT(agentchat_report_entry, match, 4, 4);
AT(agentchat_report_entry, path, 8, 8);
AT(agentchat_report_entry, text, 24, 16);
AT(agentchat_report_entry, key, 40, 24);

SIZE(agentchat_read_options, 40, 20);
AT(agentchat_read_options, struct_size, 0, 0);
AT(agentchat_read_options, format, 8, 4);
AT(agentchat_read_options, fail_on_loss, 16, 8);
AT(agentchat_read_options, limits, 24, 12);
AT(agentchat_read_options, sessions, 32, 16);

SIZE(agentchat_write_options, 32, 20);
AT(agentchat_write_options, struct_size, 0, 0);
AT(agentchat_write_options, format, 8, 4);
AT(agentchat_write_options, strict, 16, 8);
AT(agentchat_write_options, fail_on_loss, 17, 9);
AT(agentchat_write_options, max_copies, 20, 12);
AT(agentchat_write_options, lines, 24, 16);

SIZE(agentchat_error, 1888, 1888);
AT(agentchat_error, struct_size, 0, 0);
AT(agentchat_error, code, 4, 4);
AT(agentchat_error, offset, 8, 8);
AT(agentchat_error, line, 16, 16);
AT(agentchat_error, column, 20, 20);
AT(agentchat_error, native, 24, 24);
AT(agentchat_error, sqlstate, 28, 28);
AT(agentchat_error, path, 36, 36);
AT(agentchat_error, source, 548, 548);
AT(agentchat_error, message, 804, 804);
AT(agentchat_error, reserved, 1828, 1828);

SIZE(agentchat_source_ops, 24, 12);
AT(agentchat_source_ops, struct_size, 0, 0);
AT(agentchat_source_ops, read, 8, 4);
AT(agentchat_source_ops, free, 16, 8);

SIZE(agentchat_sink_ops, 32, 16);
AT(agentchat_sink_ops, struct_size, 0, 0);
AT(agentchat_sink_ops, write, 8, 4);
AT(agentchat_sink_ops, commit, 16, 8);
AT(agentchat_sink_ops, free, 24, 12);
SIZE(agentchat_sink_path_options, 32, 16);
AT(agentchat_sink_path_options, struct_size, 0, 0);
AT(agentchat_sink_path_options, go_on, 8, 4);
AT(agentchat_sink_path_options, user, 16, 8);
AT(agentchat_sink_path_options, free_user, 24, 12);

SIZE(agentchat_template_options, 40, 20);
AT(agentchat_template_options, struct_size, 0, 0);
AT(agentchat_template_options, dialect, 8, 4);
AT(agentchat_template_options, artifact, 16, 8);
AT(agentchat_template_options, user, 24, 12);
AT(agentchat_template_options, keep_missing, 32, 16);

SIZE(agentchat_html_options, 56, 28);
AT(agentchat_html_options, struct_size, 0, 0);
AT(agentchat_html_options, title, 8, 4);
AT(agentchat_html_options, channel, 24, 12);
AT(agentchat_html_options, report, 40, 20);
AT(agentchat_html_options, no_media, 48, 24);
SIZE(agentchat_html_checkpoint, 24, 12);
AT(agentchat_html_checkpoint, info, 0, 0);
AT(agentchat_html_checkpoint, summary, 8, 4);
SIZE(agentchat_html_thread, 56, 28);
AT(agentchat_html_thread, struct_size, 0, 0);
AT(agentchat_html_thread, checkpoints, 8, 4);
AT(agentchat_html_thread, count, 16, 8);
AT(agentchat_html_thread, shown, 24, 12);
AT(agentchat_html_thread, snapshot, 32, 16);
AT(agentchat_html_thread, user, 40, 20);
AT(agentchat_html_thread, has_more, 48, 24);

SIZE(agentchat_change, 40, 24);
AT(agentchat_change, kind, 0, 0);
AT(agentchat_change, key, 8, 4);
AT(agentchat_change, value, 16, 8);
AT(agentchat_change, amount, 32, 16);

SIZE(agentchat_store_options, 40, 32);
AT(agentchat_store_options, struct_size, 0, 0);
AT(agentchat_store_options, read_only, 8, 4);
AT(agentchat_store_options, durability, 12, 8);
AT(agentchat_store_options, wait_ms, 16, 12);
AT(agentchat_store_options, max_connections, 20, 16);
AT(agentchat_store_options, statement_ms, 24, 20);
AT(agentchat_store_options, memory_ttl_us, 32, 24);

SIZE(agentchat_session_id, 24, 12);
AT(agentchat_session_id, app, 0, 0);
AT(agentchat_session_id, user, 8, 4);
AT(agentchat_session_id, id, 16, 8);

SIZE(agentchat_session_get_options, 40, 28);
AT(agentchat_session_get_options, struct_size, 0, 0);
AT(agentchat_session_get_options, last, 8, 4);
AT(agentchat_session_get_options, after_sequence, 16, 8);
AT(agentchat_session_get_options, since_ns, 24, 16);
AT(agentchat_session_get_options, has_since, 32, 24);
AT(agentchat_session_get_options, no_events, 33, 25);

SIZE(agentchat_append_options, 40, 28);
AT(agentchat_append_options, struct_size, 0, 0);
AT(agentchat_append_options, expect_sequence, 8, 4);
AT(agentchat_append_options, expect_key, 16, 12);
AT(agentchat_append_options, expect_revision, 24, 16);
AT(agentchat_append_options, has_expect_sequence, 32, 24);

SIZE(agentchat_session_info, 40, 32);
AT(agentchat_session_info, user, 0, 0);
AT(agentchat_session_info, id, 8, 4);
AT(agentchat_session_info, sequence, 16, 8);
AT(agentchat_session_info, created_us, 24, 16);
AT(agentchat_session_info, updated_us, 32, 24);

SIZE(agentchat_session_list_options, 32, 16);
AT(agentchat_session_list_options, struct_size, 0, 0);
AT(agentchat_session_list_options, user, 8, 4);
AT(agentchat_session_list_options, cursor, 16, 8);
AT(agentchat_session_list_options, limit, 24, 12);

SIZE(agentchat_session_file_options, 56, 28);
AT(agentchat_session_file_options, struct_size, 0, 0);
AT(agentchat_session_file_options, format, 8, 4);
AT(agentchat_session_file_options, fail_on_loss, 16, 8);
AT(agentchat_session_file_options, keep_times, 17, 9);
AT(agentchat_session_file_options, as, 24, 12);
AT(agentchat_session_file_options, lines, 48, 24);

SIZE(agentchat_checkpoint_info, 104, 72);
AT(agentchat_checkpoint_info, ns, 0, 0);
AT(agentchat_checkpoint_info, id, 8, 4);
AT(agentchat_checkpoint_info, parent, 16, 8);
AT(agentchat_checkpoint_info, sequence, 24, 12);
AT(agentchat_checkpoint_info, step, 32, 20);
AT(agentchat_checkpoint_info, has_step, 40, 28);
AT(agentchat_checkpoint_info, source, 48, 32);
AT(agentchat_checkpoint_info, run, 56, 36);
AT(agentchat_checkpoint_info, time_us, 64, 40);
AT(agentchat_checkpoint_info, messages, 72, 48);
AT(agentchat_checkpoint_info, metadata, 80, 56);
AT(agentchat_checkpoint_info, line, 96, 64);

SIZE(agentchat_checkpoint_put_options, 112, 68);
AT(agentchat_checkpoint_put_options, struct_size, 0, 0);
AT(agentchat_checkpoint_put_options, ns, 8, 4);
AT(agentchat_checkpoint_put_options, id, 16, 8);
AT(agentchat_checkpoint_put_options, parent, 24, 12);
AT(agentchat_checkpoint_put_options, expect, 32, 16);
AT(agentchat_checkpoint_put_options, source, 40, 20);
AT(agentchat_checkpoint_put_options, run, 48, 24);
AT(agentchat_checkpoint_put_options, metadata, 56, 28);
AT(agentchat_checkpoint_put_options, time_us, 72, 36);
AT(agentchat_checkpoint_put_options, step, 80, 44);
AT(agentchat_checkpoint_put_options, has_step, 88, 52);
AT(agentchat_checkpoint_put_options, no_parent, 89, 53);
AT(agentchat_checkpoint_put_options, expect_none, 90, 54);
AT(agentchat_checkpoint_put_options, branch, 91, 55);
AT(agentchat_checkpoint_put_options, replace, 92, 56);
AT(agentchat_checkpoint_put_options, work, 96, 60);
AT(agentchat_checkpoint_put_options, work_count, 104, 64);

SIZE(agentchat_checkpoint_options, 24, 12);
AT(agentchat_checkpoint_options, struct_size, 0, 0);
AT(agentchat_checkpoint_options, ns, 8, 4);
AT(agentchat_checkpoint_options, id, 16, 8);

SIZE(agentchat_checkpoint_list_options, 72, 36);
AT(agentchat_checkpoint_list_options, struct_size, 0, 0);
AT(agentchat_checkpoint_list_options, ns, 8, 4);
AT(agentchat_checkpoint_list_options, before, 16, 8);
AT(agentchat_checkpoint_list_options, run, 24, 12);
AT(agentchat_checkpoint_list_options, filter, 32, 16);
AT(agentchat_checkpoint_list_options, cursor, 48, 24);
AT(agentchat_checkpoint_list_options, limit, 56, 28);
AT(agentchat_checkpoint_list_options, all_namespaces, 64, 32);

SIZE(agentchat_pending_write, 72, 40);
AT(agentchat_pending_write, path, 0, 0);
AT(agentchat_pending_write, task, 8, 4);
AT(agentchat_pending_write, channel, 16, 8);
AT(agentchat_pending_write, index, 24, 12);
AT(agentchat_pending_write, media_type, 32, 20);
AT(agentchat_pending_write, value, 48, 28);
AT(agentchat_pending_write, consumed_by, 64, 36);

SIZE(agentchat_pending_options, 32, 16);
AT(agentchat_pending_options, struct_size, 0, 0);
AT(agentchat_pending_options, ns, 8, 4);
AT(agentchat_pending_options, id, 16, 8);
AT(agentchat_pending_options, all, 24, 12);

SIZE(agentchat_thread_prune_options, 32, 24);
AT(agentchat_thread_prune_options, struct_size, 0, 0);
AT(agentchat_thread_prune_options, keep, 8, 4);
AT(agentchat_thread_prune_options, before_us, 16, 12);
AT(agentchat_thread_prune_options, branches, 24, 20);

SIZE(agentchat_thread_info, 48, 44);
AT(agentchat_thread_info, id, 0, 0);
AT(agentchat_thread_info, sequence, 8, 4);
AT(agentchat_thread_info, messages, 16, 12);
AT(agentchat_thread_info, bytes, 24, 20);
AT(agentchat_thread_info, created_us, 32, 28);
AT(agentchat_thread_info, updated_us, 40, 36);

SIZE(agentchat_thread_list_options, 40, 20);
AT(agentchat_thread_list_options, struct_size, 0, 0);
AT(agentchat_thread_list_options, cursor, 8, 4);
AT(agentchat_thread_list_options, limit, 16, 8);
AT(agentchat_thread_list_options, filter, 24, 12);

SIZE(agentchat_thread_hit, 64, 36);
AT(agentchat_thread_hit, thread, 0, 0);
AT(agentchat_thread_hit, checkpoint, 8, 4);
AT(agentchat_thread_hit, position, 16, 8);
AT(agentchat_thread_hit, message, 24, 16);
AT(agentchat_thread_hit, excerpt, 32, 20);
AT(agentchat_thread_hit, match_begin, 48, 28);
AT(agentchat_thread_hit, match_end, 56, 32);

SIZE(agentchat_thread_search_options, 32, 16);
AT(agentchat_thread_search_options, struct_size, 0, 0);
AT(agentchat_thread_search_options, ns, 8, 4);
AT(agentchat_thread_search_options, cursor, 16, 8);
AT(agentchat_thread_search_options, limit, 24, 12);

SIZE(agentchat_thread_save_options, 96, 52);
AT(agentchat_thread_save_options, struct_size, 0, 0);
AT(agentchat_thread_save_options, ns, 8, 4);
AT(agentchat_thread_save_options, expect, 16, 8);
AT(agentchat_thread_save_options, source, 24, 12);
AT(agentchat_thread_save_options, run, 32, 16);
AT(agentchat_thread_save_options, metadata, 40, 20);
AT(agentchat_thread_save_options, capture, 56, 28);
AT(agentchat_thread_save_options, step, 64, 32);
AT(agentchat_thread_save_options, has_step, 72, 40);
AT(agentchat_thread_save_options, branch, 73, 41);
AT(agentchat_thread_save_options, work, 80, 44);
AT(agentchat_thread_save_options, work_count, 88, 48);

SIZE(agentchat_thread_restore_options, 40, 24);
AT(agentchat_thread_restore_options, struct_size, 0, 0);
AT(agentchat_thread_restore_options, ns, 8, 4);
AT(agentchat_thread_restore_options, checkpoint, 16, 8);
AT(agentchat_thread_restore_options, restore, 24, 12);
AT(agentchat_thread_restore_options, line, 32, 16);

SIZE(agentchat_thread_catch_up_options, 24, 12);
AT(agentchat_thread_catch_up_options, struct_size, 0, 0);
AT(agentchat_thread_catch_up_options, restore, 8, 4);
AT(agentchat_thread_catch_up_options, append, 16, 8);

SIZE(agentchat_thread_attach_options, 96, 52);
AT(agentchat_thread_attach_options, struct_size, 0, 0);
AT(agentchat_thread_attach_options, ns, 8, 4);
AT(agentchat_thread_attach_options, checkpoint, 16, 8);
AT(agentchat_thread_attach_options, run, 24, 12);
AT(agentchat_thread_attach_options, metadata, 32, 16);
AT(agentchat_thread_attach_options, restore, 48, 24);
AT(agentchat_thread_attach_options, branch, 56, 28);
AT(agentchat_thread_attach_options, at_end, 57, 29);
AT(agentchat_thread_attach_options, no_catch_up, 58, 30);
AT(agentchat_thread_attach_options, append, 59, 31);
AT(agentchat_thread_attach_options, line, 64, 32);
AT(agentchat_thread_attach_options, keep_partial, 72, 40);
AT(agentchat_thread_attach_options, work, 80, 44);
AT(agentchat_thread_attach_options, work_count, 88, 48);

SIZE(agentchat_edit_step, 40, 20);
AT(agentchat_edit_step, kind, 0, 0);
AT(agentchat_edit_step, index, 8, 4);
AT(agentchat_edit_step, count, 16, 8);
AT(agentchat_edit_step, message, 24, 12);
AT(agentchat_edit_step, position, 32, 16);

SIZE(agentchat_message_update, 24, 12);
AT(agentchat_message_update, message, 0, 0);
AT(agentchat_message_update, remove, 8, 4);

SIZE(agentchat_token_options, 48, 36);
AT(agentchat_token_options, struct_size, 0, 0);
AT(agentchat_token_options, chars_per_token, 8, 4);
AT(agentchat_token_options, extra_per_message, 16, 12);
AT(agentchat_token_options, tokens_per_image, 24, 20);
AT(agentchat_token_options, skip_names, 32, 28);
AT(agentchat_token_options, scale_by_usage, 33, 29);
AT(agentchat_token_options, tools, 40, 32);

SIZE(agentchat_filter_options, 72, 36);
AT(agentchat_filter_options, struct_size, 0, 0);
AT(agentchat_filter_options, exclude_names, 8, 4);
AT(agentchat_filter_options, exclude_roles, 16, 8);
AT(agentchat_filter_options, exclude_ids, 24, 12);
AT(agentchat_filter_options, include_names, 32, 16);
AT(agentchat_filter_options, include_roles, 40, 20);
AT(agentchat_filter_options, include_ids, 48, 24);
AT(agentchat_filter_options, exclude_call_ids, 56, 28);
AT(agentchat_filter_options, exclude_calls, 64, 32);

SIZE(agentchat_merge_options, 16, 8);
AT(agentchat_merge_options, struct_size, 0, 0);
AT(agentchat_merge_options, separator, 8, 4);

SIZE(agentchat_summary_options, 72, 40);
AT(agentchat_summary_options, struct_size, 0, 0);
AT(agentchat_summary_options, keep_last, 8, 4);
AT(agentchat_summary_options, max_tokens, 16, 8);
AT(agentchat_summary_options, counter, 24, 16);
AT(agentchat_summary_options, counter_user, 32, 20);
AT(agentchat_summary_options, create_prompt, 40, 24);
AT(agentchat_summary_options, extend_prompt, 48, 28);
AT(agentchat_summary_options, introduction, 56, 32);
AT(agentchat_summary_options, include_system, 64, 36);
AT(agentchat_summary_options, split_calls, 65, 37);
AT(agentchat_summary_options, keep_list, 66, 38);

SIZE(agentchat_trim_options, 80, 44);
AT(agentchat_trim_options, struct_size, 0, 0);
AT(agentchat_trim_options, max_tokens, 8, 4);
AT(agentchat_trim_options, counter, 16, 12);
AT(agentchat_trim_options, counter_user, 24, 16);
AT(agentchat_trim_options, strategy, 32, 20);
AT(agentchat_trim_options, start_on, 40, 24);
AT(agentchat_trim_options, end_on, 48, 28);
AT(agentchat_trim_options, include_system, 56, 32);
AT(agentchat_trim_options, split_calls, 57, 33);
AT(agentchat_trim_options, allow_partial, 58, 34);
AT(agentchat_trim_options, split, 64, 36);
AT(agentchat_trim_options, split_user, 72, 40);

/* Enumerations are four bytes; their _MAX_ enumerator sees to it. */
SIZE(agentchat_remote_decision, 4, 4);
SIZE(agentchat_aggregator_mode, 4, 4);
SIZE(agentchat_item_kind, 4, 4);
SIZE(agentchat_field, 4, 4);
SIZE(agentchat_holds, 4, 4);
SIZE(agentchat_document_kind, 4, 4);
SIZE(agentchat_report_kind, 4, 4);
SIZE(agentchat_match, 4, 4);
SIZE(agentchat_channel_kind, 4, 4);
SIZE(agentchat_status, 4, 4);
SIZE(agentchat_scope, 4, 4);
SIZE(agentchat_template_dialect, 4, 4);
SIZE(agentchat_event_field, 4, 4);
SIZE(agentchat_change_kind, 4, 4);
SIZE(agentchat_durability, 4, 4);
SIZE(agentchat_edit_kind, 4, 4);
SIZE(agentchat_trim_strategy, 4, 4);

#endif
