/* SPDX-License-Identifier: Apache-2.0 */
/* Agents: what all kinds have in common, and those with a channel of the host's own. */
#include "chat/agent.h"

#include "base/error.h"
#include "base/ids.h"
#include "model/check.h"
#include <string.h>

#define ARENA_SIZE 1024 /* an agent with its strings fits, so that it costs one block */

/* Copies text into the agent's arena and terminates it with a NUL. */
static bool keep_text(aci_arena *arena, agentchat_str text, agentchat_str *out)
{
    char *copy = aci_arena_text(arena, text.len + 1);

    if (copy == NULL)
        return false;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    *out = (agentchat_str){copy, text.len};
    return true;
}

static bool keep_valid(aci_arena *arena, const char *text, agentchat_str *out)
{
    agentchat_str view = agentchat_str_from(text);

    return view.ptr != NULL && aci_check_text(view, NULL) >= 0 && keep_text(arena, view, out);
}

static bool make_key(agentchat_agent *agent, const aci_agent_spec *spec)
{
    const agentchat_env *env = aci_arena_env(agent->arena);
    size_t room = spec->key_count + 2, count = 0;
    agentchat_str *keys;
    bool ok;

    if (room > SIZE_MAX / sizeof *keys)
        return false;
    keys = aci_alloc(env, room * sizeof *keys);
    if (keys == NULL)
        return false;
    if (spec->key_rule != ACI_KEY_AS_GIVEN || spec->keys == NULL)
        keys[count++] = agentchat_str_from(agent->table.name);
    ok = true;
    for (size_t i = 0; spec->keys != NULL && i < spec->key_count; i++) {
        keys[count] = agentchat_str_from(spec->keys[i]);
        ok = ok && keys[count].ptr != NULL && aci_check_text(keys[count], NULL) >= 0;
        count++;
    }
    if (spec->key_rule == ACI_KEY_OF_THE_AGENT && spec->keys == NULL) {
        agent->key_from_id = agent->name.ptr == NULL;
        keys[count++] = agent->key_from_id ? agent->id : agent->name;
    }
    ok = ok && agentchat_channel_key(keys, count, agent->key) >= 0;
    aci_free(env, keys, room * sizeof *keys);
    return ok;
}

static bool fill(agentchat_agent *agent, const aci_agent_spec *spec)
{
    const agentchat_env *env = aci_arena_env(agent->arena);
    const char *channel = spec->channel_name != NULL ? spec->channel_name : agent->table.name;
    char id[ACI_ID_LEN + 1];
    agentchat_str channel_name;

    if (!keep_valid(agent->arena, channel, &channel_name))
        return false;
    agent->table.name = channel_name.ptr;
    if (!keep_valid(agent->arena, spec->type != NULL ? spec->type : channel, &agent->type))
        return false;
    if (spec->name != NULL && !keep_valid(agent->arena, spec->name, &agent->name))
        return false;
    if (spec->id == NULL && aci_id_new(env, id, NULL) < 0)
        return false;
    if (!keep_valid(agent->arena, spec->id != NULL ? spec->id : id, &agent->id) || agent->id.len == 0)
        return false;
    if (spec->context_size != 0) {
        agent->context = aci_arena_alloc(agent->arena, spec->context_size);
        if (agent->context == NULL)
            return false;
        memset(agent->context, 0, spec->context_size);
    }
    return make_key(agent, spec);
}

static bool table_is_complete(const agentchat_channel_type *table)
{
    return table->name != NULL && table->create != NULL && table->receive != NULL && table->invoke != NULL &&
           table->save != NULL && table->load != NULL;
}

agentchat_agent *aci_agent_make(const agentchat_env *env, const aci_agent_spec *spec)
{
    aci_arena *arena = aci_arena_new(aci_env(env), ARENA_SIZE);
    agentchat_agent *agent = arena != NULL ? aci_arena_alloc(arena, sizeof *agent) : NULL;

    if (agent != NULL) {
        *agent = (agentchat_agent){.arena = arena, .context = spec->user, .inner = spec->inner, .turns = spec->turns};
        if (spec->table != NULL && aci_env_options_load(&agent->table, sizeof agent->table, spec->table, NULL) >= 0 &&
            table_is_complete(&agent->table) && fill(agent, spec)) {
            agent->user = spec->user;
            agent->free_user = spec->free_user;
            return agent;
        }
    }
    aci_arena_unref(arena);
    if (spec->free_user != NULL)
        spec->free_user(spec->user);
    return NULL;
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

agentchat_agent *agentchat_agent_new(const agentchat_env *env, const agentchat_agent_options *options)
{
    agentchat_agent_options o;
    aci_agent_spec spec;

    if (aci_env_options_load(&o, sizeof o, options, NULL) < 0)
        return NULL;
    spec = (aci_agent_spec){.name = o.name,
                            .id = o.id,
                            .type = o.type,
                            .table = o.channel,
                            .key_rule = ACI_KEY_AS_GIVEN,
                            .keys = o.keys,
                            .key_count = o.keys != NULL ? o.key_count : 0,
                            .user = o.user,
                            .free_user = o.free_user};
    return aci_agent_make(env, &spec);
}

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
        return aci_fail_nomem(err);
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
    if (agent->key_from_id)
        memcpy(agent->key, key, sizeof key);
    return AGENTCHAT_OK;
}
