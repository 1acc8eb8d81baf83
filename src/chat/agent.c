/* SPDX-License-Identifier: Apache-2.0 */
/* Agents: what all kinds have in common, and those with a channel of the host's own. */
#include "chat/agent.h"

#include "base/error.h"
#include "base/ids.h"
#include "model/check.h"
#include <stdio.h>
#include <string.h>

#define ARENA_SIZE 1024 /* an agent with its strings fits, so that it costs one block */

/* Copies text into the agent's arena and terminates it with a NUL. */
static bool keep_text(aci_arena *arena, agentchat_str text, agentchat_str *out)
{
    bool ok = true;

    *out = (agentchat_str){aci_arena_cstr(arena, text, &ok), text.len};
    return ok;
}

/* The agent in a message about its options: "agent X", or "the agent" where nothing is known of it. */
typedef struct agent_label {
    char text[sizeof(aci_excerpt) + 8];
} agent_label;

static const char *label(agentchat_str name, agentchat_str id, agent_label *out)
{
    agentchat_str known = name.len > 0 ? name : id;
    aci_excerpt excerpt;

    if (known.len == 0)
        return "the agent";
    snprintf(out->text, sizeof out->text, "agent %s", aci_error_excerpt(known, &excerpt));
    return out->text;
}

agentchat_status aci_agent_fail_options(agentchat_str name, agentchat_str id, const char *what, agentchat_error *err)
{
    agent_label who;

    return aci_fail(err, AGENTCHAT_E_INVALID, "the options of %s %s", label(name, id, &who), what);
}

/* Keeps a text of the options; `what` is its name in the message. */
static agentchat_status keep(agentchat_agent *agent, const aci_agent_spec *spec, const char *what, agentchat_str text,
                             agentchat_str *out, agentchat_error *err)
{
    agent_label who;

    if (text.len == 0 || aci_check_text(text, NULL) < 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the %s of %s must be UTF-8 and not empty", what,
                        label(spec->name, spec->id, &who));
    return keep_text(agent->arena, text, out) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static bool is_given(agentchat_str text)
{
    return text.ptr != NULL && !agentchat_str_is_null(text);
}

/* The spec with the participant's name and id where the caller gave none; absent where there is none either. */
static aci_agent_spec resolve(const aci_agent_spec *spec)
{
    const agentchat_str absent = {NULL, 0};
    aci_agent_spec resolved = *spec;

    if (!is_given(spec->name)) {
        resolved.name = agentchat_participant_name(spec->participant);
        if (!is_given(resolved.name))
            resolved.name = absent;
    }
    if (!is_given(spec->id)) {
        resolved.id = agentchat_participant_id(spec->participant);
        if (resolved.id.len == 0)
            resolved.id = absent;
    }
    return resolved;
}

static agentchat_status keep_names(agentchat_agent *agent, const aci_agent_spec *spec, agentchat_error *err)
{
    agentchat_str id = spec->id, type = agentchat_str_from(spec->type);
    char generated[ACI_ID_LEN + 1];
    agentchat_status status = AGENTCHAT_OK;
    agent_label who;

    if (aci_check_text(spec->name, NULL) < 0) /* an empty one is a name */
        return aci_fail(err, AGENTCHAT_E_INVALID, "the name of %s is not UTF-8", label(spec->name, spec->id, &who));
    if (spec->name.ptr != NULL && !keep_text(agent->arena, spec->name, &agent->name))
        return aci_fail_nomem(err);
    if (id.ptr == NULL) {
        agent->id_is_made = true;
        status = aci_id_new(aci_arena_env(agent->arena), generated, err);
        id = agentchat_str_from(generated);
    }
    if (status >= 0)
        status = keep(agent, spec, "id", id, &agent->id, err);
    if (status < 0)
        return status;
    if (spec->type == NULL)
        type = agentchat_participant_type(spec->participant);
    if (type.len == 0 && spec->type == NULL)
        type = agentchat_str_from(spec->type_default);
    return keep(agent, spec, "type", type, &agent->type, err);
}

static agentchat_status make_key(agentchat_agent *agent, const aci_agent_spec *spec, agentchat_error *err)
{
    const agentchat_env *env = aci_arena_env(agent->arena);
    size_t room = spec->key_count + 2, count = 0, size;
    agentchat_str *keys = room > spec->key_count ? aci_alloc_array(env, room, sizeof *keys, &size) : NULL;
    agentchat_status status = AGENTCHAT_OK;
    agent_label who;

    if (keys == NULL)
        return aci_fail_nomem(err);
    if (spec->key_rule != ACI_KEY_AS_GIVEN || spec->keys == NULL)
        keys[count++] = agentchat_str_from(agent->table.name);
    for (size_t i = 0; spec->keys != NULL && i < spec->key_count && status >= 0; i++) {
        keys[count] = agentchat_str_from(spec->keys[i]);
        if (keys[count].ptr == NULL || aci_check_text(keys[count], NULL) < 0)
            status = aci_fail(err, AGENTCHAT_E_INVALID, "key string %zu of %s is %s", i,
                              label(spec->name, spec->id, &who), keys[count].ptr == NULL ? "NULL" : "not UTF-8");
        count++;
    }
    if (spec->key_rule == ACI_KEY_OF_THE_AGENT && spec->keys == NULL) {
        agent->key_from_id = agent->name.ptr == NULL;
        keys[count++] = agent->key_from_id ? agent->id : agent->name;
    }
    if (status >= 0 && agentchat_channel_key(keys, count, agent->key) < 0)
        status = aci_fail_nomem(err);
    aci_free(env, keys, size);
    return status;
}

static agentchat_status fill(agentchat_agent *agent, const aci_agent_spec *spec, agentchat_error *err)
{
    const char *channel = spec->channel_name != NULL ? spec->channel_name : agent->table.name;
    agentchat_str channel_name = {NULL, 0};
    agentchat_status status = keep(agent, spec, "channel type", agentchat_str_from(channel), &channel_name, err);

    if (status < 0)
        return status;
    agent->table.name = channel_name.ptr;
    status = keep_names(agent, spec, err);
    if (status < 0)
        return status;
    if (spec->context_size != 0) {
        agent->context = aci_arena_alloc(agent->arena, spec->context_size);
        if (agent->context == NULL)
            return aci_fail_nomem(err);
        memset(agent->context, 0, spec->context_size);
    }
    return make_key(agent, spec, err);
}

static agentchat_status make(const agentchat_env *env, const aci_agent_spec *spec, agentchat_agent **out,
                             agentchat_error *err)
{
    aci_arena *arena = aci_arena_new(aci_env(env), ARENA_SIZE);
    agentchat_agent *agent = arena != NULL ? aci_arena_alloc(arena, sizeof *agent) : NULL;
    agentchat_status status;

    if (agent == NULL) {
        aci_arena_unref(arena);
        return aci_fail_nomem(err);
    }
    *agent = (agentchat_agent){.arena = arena,
                               .table = *spec->table,
                               .context = spec->user,
                               .user = spec->user,
                               .inner = spec->inner,
                               .turns = spec->turns};
    status = fill(agent, spec, err);
    if (status < 0) {
        aci_arena_unref(arena);
        return status;
    }
    agent->free_user = spec->free_user;
    *out = agent;
    return AGENTCHAT_OK;
}

agentchat_status aci_agent_make(const agentchat_env *env, const aci_agent_spec *spec, agentchat_status checked,
                                agentchat_agent **out, agentchat_error *err)
{
    aci_agent_spec resolved = resolve(spec);
    agentchat_status status = checked;

    if (out != NULL)
        *out = NULL;
    else if (status >= 0)
        status = aci_fail_null(err, "out");
    if (status >= 0)
        status = make(env, &resolved, out, err);
    if (status < 0 && spec->free_user != NULL)
        spec->free_user(spec->user);
    return status;
}

bool aci_agent_same_type(const agentchat_agent *a, const agentchat_agent *b)
{
    return a->table.receive == b->table.receive && a->table.invoke == b->table.invoke &&
           a->table.free == b->table.free && strcmp(a->table.name, b->table.name) == 0;
}

/* What a function reported, after a message that says whose it was. */
static void add_cause(agentchat_error *err, const agentchat_error *cause)
{
    err->native = cause->native;
    aci_error_at(err, cause->offset, cause->line, cause->column);
    aci_error_path(err, agentchat_str_from(cause->path));
    aci_error_source(err, cause->source);
}

static const char *text_of(const agentchat_error *cause, agentchat_status status)
{
    return cause->code != 0 && cause->message[0] != '\0' ? cause->message : agentchat_status_text(status);
}

static const char *name_of(const agentchat_agent *agent, aci_excerpt *name)
{
    return aci_error_excerpt(agent->name.len > 0 ? agent->name : agent->id, name);
}

agentchat_status aci_agent_fail_answer(const agentchat_agent *agent, agentchat_status status,
                                       const agentchat_error *cause, agentchat_error *err)
{
    aci_excerpt name;

    if (err == NULL || err->code != 0)
        return status;
    aci_fail(err, status, "agent %s could not answer: %s", name_of(agent, &name), text_of(cause, status));
    if (cause->code != 0)
        add_cause(err, cause);
    return status;
}

agentchat_status aci_agent_fail_channel(const agentchat_agent *agent, agentchat_status status,
                                        const agentchat_error *cause, const char *what, agentchat_error *err)
{
    aci_excerpt name;

    if (err == NULL || err->code != 0)
        return status;
    aci_fail(err, status, "agent %s: channel %s (%s) %s: %s", name_of(agent, &name), agent->table.name, agent->key,
             what, text_of(cause, status));
    if (cause->code != 0)
        add_cause(err, cause);
    return status;
}

/* ---- agents with a channel of the host's own --------------------------------------------------------------------- */

/* Copies the caller's table: members that its struct is too short for are NULL. */
static agentchat_status load_table(const agentchat_agent_options *o, agentchat_channel_type *table,
                                   agentchat_error *err)
{
    const char *wrong = NULL;
    agentchat_status status;

    if (o->channel == NULL)
        return aci_agent_fail_options(o->name, o->id, "lack channel", err);
    status = aci_env_struct_load(table, sizeof *table, o->channel, "the channel type", err);
    if (status < 0)
        return status;
    if (table->name == NULL)
        wrong = "lack channel->name";
    else if (table->create == NULL)
        wrong = "lack channel->create";
    else if (table->receive == NULL)
        wrong = "lack channel->receive";
    else if (table->invoke == NULL)
        wrong = "lack channel->invoke";
    else if (table->save == NULL)
        wrong = "lack channel->save";
    else if (table->load == NULL)
        wrong = "lack channel->load";
    return wrong == NULL ? AGENTCHAT_OK : aci_agent_fail_options(o->name, o->id, wrong, err);
}

agentchat_status agentchat_agent_new(const agentchat_env *env, const agentchat_agent_options *options,
                                     agentchat_agent **out, agentchat_error *err)
{
    agentchat_agent_options o;
    agentchat_channel_type table = {0};
    aci_agent_spec spec;
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_env_options_load(&o, sizeof o, options, err);
    if (status >= 0)
        status = load_table(&o, &table, err);
    spec = (aci_agent_spec){.name = o.name,
                            .id = o.id,
                            .type = o.type,
                            .type_default = table.name,
                            .participant = o.participant,
                            .table = &table,
                            .key_rule = ACI_KEY_AS_GIVEN,
                            .keys = o.keys,
                            .key_count = o.keys != NULL ? o.key_count : 0,
                            .user = o.user,
                            .free_user = o.free_user};
    return aci_agent_make(env, &spec, status, out, err);
}

void agentchat_agent_options_init(agentchat_agent_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

void agentchat_channel_type_init(agentchat_channel_type *type, size_t size)
{
    aci_env_options_init(type, size);
}

/* ---- what all kinds have in common --------------------------------------------------------------------------------
 */

void agentchat_agent_free(agentchat_agent *agent)
{
    if (agent == NULL)
        return;
    if (agent->free_user != NULL)
        agent->free_user(agent->user);
    aci_arena_unref(agent->arena);
}

agentchat_str agentchat_agent_id(const agentchat_agent *agent)
{
    return agent != NULL ? agent->id : (agentchat_str){NULL, 0};
}

agentchat_str agentchat_agent_name(const agentchat_agent *agent)
{
    return agent != NULL ? agent->name : (agentchat_str){NULL, 0};
}

agentchat_str agentchat_agent_type(const agentchat_agent *agent)
{
    return agent != NULL ? agent->type : (agentchat_str){NULL, 0};
}

agentchat_str agentchat_agent_channel_key(const agentchat_agent *agent)
{
    return agent != NULL ? (agentchat_str){agent->key, AGENTCHAT_KEY_LEN} : (agentchat_str){NULL, 0};
}

void *agentchat_agent_user(const agentchat_agent *agent)
{
    return agent != NULL ? agent->user : NULL;
}

agentchat_status agentchat_agent_set_id(agentchat_agent *agent, agentchat_str id, agentchat_error *err)
{
    char key[AGENTCHAT_KEY_LEN + 1];
    agentchat_str kept;

    agentchat_error_clear(err);
    if (agent == NULL)
        return aci_fail_null(err, "agent");
    if (agent->chat != NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the agent is in a chat already; set its id before it is added");
    if (id.len == 0 || aci_check_text(id, NULL) < 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "an agent's id must be UTF-8 and not empty");
    if (agent->key_from_id) {
        agentchat_str keys[2] = {agentchat_str_from(agent->table.name), id};

        if (agentchat_channel_key(keys, 2, key) < 0)
            return aci_fail_nomem(err);
    }
    if (!keep_text(agent->arena, id, &kept))
        return aci_fail_nomem(err);
    agent->id = kept;
    agent->id_is_made = false;
    if (agent->key_from_id)
        memcpy(agent->key, key, sizeof key);
    return AGENTCHAT_OK;
}
