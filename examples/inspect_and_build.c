/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks at who took part in a saved chat, builds an agent for each of them and restores the chat.
 *
 * A file names types, but nothing in it is ever loaded or run: the program has a table of the types that it knows, and
 * decides itself what an unknown one means. Here it means that the participant is left out; its state stays with the
 * chat and is written back by the next save.
 *
 *     inspect_and_build FILE      (without FILE it first makes one, team.json, to look at)
 */
#include <agentchat/agentchat.h>

/* ---- agents: a writer that has its history here, and two that keep theirs in a service elsewhere ---- */

static agentchat_status write_draft(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                    agentchat_error *err)
{
    char text[64];

    (void)user;
    (void)snprintf(text, sizeof text, "draft after %zu messages", agentchat_messages_count(seen));
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

static agentchat_status create_thread(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    (void)user;
    return agentchat_bytes_append(out_id, AGENTCHAT_STR("shelf-12"), err); /* a service would make it up */
}

static agentchat_status post(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    (void)user, (void)id, (void)batch, (void)err; /* a real one sends them to its service */
    return AGENTCHAT_OK;
}

static agentchat_status look_up(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    char text[64];

    (void)user;
    (void)snprintf(text, sizeof text, "found on " AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(id));
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

static const agentchat_remote_ops service = {
    .struct_size = sizeof service, .create = create_thread, .post = post, .answer = look_up};

/* ---- the factory: from a type, as a file spells it, to an agent ---- */

/* Each takes name, id and type from the participant. */
static agentchat_status make_writer(const agentchat_participant *who, agentchat_agent **out, agentchat_error *err)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;

    options.participant = who;
    options.answer = write_draft;
    return agentchat_history_agent_new(NULL, &options, out, err);
}

static agentchat_status make_remote(const agentchat_participant *who, agentchat_agent **out, agentchat_error *err)
{
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;

    options.participant = who;
    options.channel_type = "example.RemoteThread";
    options.ops = &service;
    return agentchat_remote_agent_new(NULL, &options, out, err);
}

static const struct {
    const char *type;
    agentchat_status (*make)(const agentchat_participant *who, agentchat_agent **out, agentchat_error *err);
} factory[] = {
    {AGENTCHAT_TYPE_HISTORY_AGENT, make_writer},
    {"example.Librarian", make_remote},
};

/* Builds an agent for a participant and adds it to the chat; DONE for a type that this program does not have. */
static agentchat_status add_agent_for(agentchat_chat *chat, const agentchat_participant *who, agentchat_error *err)
{
    agentchat_str type = agentchat_participant_type(who);

    for (size_t i = 0; i < sizeof factory / sizeof factory[0]; i++) {
        agentchat_agent *agent = NULL;

        if (!agentchat_str_equal(type, agentchat_str_from(factory[i].type)))
            continue;
        if (factory[i].make(who, &agent, err) < 0)
            return err->code;
        return agentchat_chat_add_agent(chat, agent, err);
    }
    return AGENTCHAT_DONE;
}

static agentchat_status restore(const char *path, agentchat_error *err)
{
    agentchat_snapshot *saved = NULL;
    agentchat_report *report = NULL;
    agentchat_chat *chat = NULL;
    agentchat_status status = agentchat_chat_new(NULL, &chat, err);

    if (status >= 0)
        status = agentchat_snapshot_read_file(NULL, path, NULL, &saved, NULL, err);
    for (size_t i = 0; status >= 0 && i < agentchat_snapshot_participant_count(saved); i++) {
        const agentchat_participant *who = agentchat_snapshot_participant(saved, i);

        status = add_agent_for(chat, who, err);
        printf(AGENTCHAT_STR_FMT ": type " AGENTCHAT_STR_FMT "%s\n", AGENTCHAT_STR_ARG(agentchat_participant_name(who)),
               AGENTCHAT_STR_ARG(agentchat_participant_type(who)),
               status == AGENTCHAT_DONE ? ", which this program does not have" : "");
    }
    if (status >= 0)
        status = agentchat_chat_restore(chat, saved, NULL, &report, err);
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);
        printf("%s: " AGENTCHAT_STR_FMT "\n", agentchat_report_kind_name(entry->kind), AGENTCHAT_STR_ARG(entry->text));
    }
    if (status >= 0)
        status = agentchat_chat_invoke(chat, AGENTCHAT_STR("Librarian"), err);
    if (status >= 0) {
        agentchat_str text = agentchat_message_text(agentchat_chat_newest(chat, 0));
        printf("Librarian: " AGENTCHAT_STR_FMT "\n", AGENTCHAT_STR_ARG(text));
    }
    agentchat_report_free(report);
    agentchat_snapshot_unref(saved);
    agentchat_chat_free(chat);
    return status;
}

/* ---- a file to look at: three agents, one of a type that the factory does not have ---- */

static agentchat_status add_remote(agentchat_chat *chat, const char *type, agentchat_str name, agentchat_error *err)
{
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;
    agentchat_agent *agent = NULL;

    options.name = name;
    options.type = type;
    options.channel_type = "example.RemoteThread";
    options.ops = &service;
    if (agentchat_remote_agent_new(NULL, &options, &agent, err) < 0)
        return err->code;
    return agentchat_chat_add_agent(chat, agent, err);
}

static agentchat_status make_file(const char *path, agentchat_error *err)
{
    agentchat_str writer = AGENTCHAT_STR("Writer"), librarian = AGENTCHAT_STR("Librarian"),
                  auditor = AGENTCHAT_STR("Auditor");
    agentchat_chat *chat = NULL;
    agentchat_status status;

    (void)((status = agentchat_chat_new(NULL, &chat, err)) < 0 ||
           (status = agentchat_chat_add_history_agent(chat, writer, write_draft, NULL, err)) < 0 ||
           (status = add_remote(chat, "example.Librarian", librarian, err)) < 0 ||
           (status = add_remote(chat, "example.Auditor", auditor, err)) < 0 ||
           (status = agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("A book on bread, please"), err)) < 0 ||
           (status = agentchat_chat_invoke(chat, writer, err)) < 0 ||
           (status = agentchat_chat_invoke(chat, librarian, err)) < 0 ||
           (status = agentchat_chat_invoke(chat, auditor, err)) < 0 ||
           (status = agentchat_chat_save_file(chat, path, NULL, NULL, err)));
    agentchat_chat_free(chat);
    return status;
}

int main(int argc, char **argv)
{
    agentchat_error err;
    const char *path = argc > 1 ? argv[1] : "team.json";

    if ((argc < 2 && make_file(path, &err) < 0) || restore(path, &err) < 0) {
        agentchat_error_print(&err, stderr);
        return 1;
    }
    return 0;
}
