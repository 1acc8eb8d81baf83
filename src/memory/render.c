/* SPDX-License-Identifier: Apache-2.0 */
/* Memories as a model is shown them: texts and messages, within a number of tokens; and episodes. */
#include <agentchat/memory_kinds.h>

#include "base/buf.h"
#include "base/env.h"
#include "base/error.h"
#include "base/ids.h"
#include "base/result_page.h"
#include "memory/memory_internal.h"
#include "json/value.h"
#include <agentchat/json_text.h>
#include <agentchat/snapshot.h>
#include <string.h>

typedef struct rendering {
    const agentchat_env *env;
    agentchat_memory_render_options options;
    bool is_text, only_episodes;
    aci_buf text, keys, buffer;
    agentchat_message **messages; /* references */
    size_t count, cap;
} rendering;

/* ==== one memory ================================================================================================= */

static agentchat_status add_message(rendering *r, agentchat_message *message, agentchat_error *err)
{
    void *messages = r->messages;

    if (!aci_grow(r->env, &messages, &r->cap, r->count, sizeof *r->messages)) {
        agentchat_message_unref(message);
        return aci_fail_nomem(err);
    }
    r->messages = messages;
    r->messages[r->count++] = message;
    return AGENTCHAT_OK;
}

static agentchat_status add_text(rendering *r, const char *role, agentchat_str text, agentchat_error *err)
{
    agentchat_message *message = NULL;
    agentchat_status status = agentchat_message_new_text(r->env, role, (agentchat_str){NULL, 0}, text, &message, err);

    return status < 0 ? status : add_message(r, message, err);
}

/* A string is its text, any other value its JSON on one line: in r->buffer. */
static agentchat_status print_value(rendering *r, agentchat_str value, agentchat_error *err)
{
    bool ok;

    r->buffer.len = 0;
    ok = agentchat_json_kind_of(value) == AGENTCHAT_JSON_STRING ? aci_json_unquote(value, &r->buffer)
                                                                : aci_json_compact(value, &r->buffer);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status add_value(rendering *r, const char *role, agentchat_str value, agentchat_error *err)
{
    agentchat_status status = print_value(r, value, err);

    return status < 0 ? status : add_text(r, role, aci_buf_str(&r->buffer), err);
}

static agentchat_status add_list(rendering *r, const agentchat_messages *list, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < agentchat_messages_count(list) && status >= 0; i++)
        status = add_message(r, agentchat_message_ref(agentchat_messages_at(list, i)), err);
    return status;
}

/* Messages in our own format, or in any that is known by its marks. *is: whether they are. */
static agentchat_status add_messages(rendering *r, agentchat_str value, bool *is, agentchat_error *err)
{
    agentchat_error why; /* why they are none, which nobody asks */
    agentchat_messages *list = NULL;
    agentchat_snapshot *snapshot = NULL;
    agentchat_json_walk walk;
    agentchat_status status;

    if (agentchat_json_kind_of(value) != AGENTCHAT_JSON_ARRAY)
        return AGENTCHAT_OK;
    if (!agentchat_json_walk_into(&walk, value) || !agentchat_json_walk_next(&walk) ||
        agentchat_json_find(walk.value, AGENTCHAT_STR("items")).ptr != NULL) {
        status = agentchat_messages_read(r->env, value, &list, NULL, &why);
        if (status >= 0)
            status = add_list(r, list, &why);
    } else {
        status = agentchat_snapshot_read_memory(r->env, value, NULL, &snapshot, NULL, &why);
        if (status >= 0)
            status = add_list(r, agentchat_snapshot_history(snapshot), &why);
    }
    agentchat_messages_unref(list);
    agentchat_snapshot_unref(snapshot);
    *is = status >= 0;
    return status == AGENTCHAT_E_NOMEM ? aci_fail_nomem(err) : AGENTCHAT_OK;
}

static agentchat_status add_episode(rendering *r, agentchat_str document, bool *is, agentchat_error *err)
{
    agentchat_str messages = agentchat_json_find(document, AGENTCHAT_STR("messages"));
    agentchat_str input = agentchat_json_find(document, AGENTCHAT_STR("input"));
    agentchat_str output = agentchat_json_find(document, AGENTCHAT_STR("output"));
    agentchat_status status;

    *is = false;
    if (messages.ptr != NULL)
        return add_messages(r, messages, is, err);
    if (input.ptr == NULL || output.ptr == NULL)
        return AGENTCHAT_OK;
    *is = true;
    status = add_value(r, "user", input, err);
    return status < 0 ? status : add_value(r, "assistant", output, err);
}

/* A document of one text is that text. */
static agentchat_str only_text(agentchat_str document)
{
    agentchat_json_walk walk;
    agentchat_str value;

    if (!agentchat_json_walk_into(&walk, document) || !agentchat_json_walk_next(&walk))
        return document;
    value = walk.value;
    return agentchat_json_kind_of(value) == AGENTCHAT_JSON_STRING && !agentchat_json_walk_next(&walk) ? value
                                                                                                      : document;
}

/* ---- as text ---------------------------------------------------------------------------------------------------- */

/* Adds a text to the entry that has begun: what follows a line's end stands below its beginning. */
static bool indent(aci_buf *out, agentchat_str text)
{
    bool ok = true;

    for (size_t i = 0; i < text.len && ok; i++)
        ok = text.ptr[i] == '\n' ? aci_buf_add(out, "\n  ", 3) : aci_buf_add(out, text.ptr + i, 1);
    return ok;
}

static bool print_message(aci_buf *out, const agentchat_message *message)
{
    bool ok = indent(out, agentchat_message_role(message)) && aci_buf_add(out, ":", 1);

    for (size_t i = 0; i < agentchat_message_item_count(message) && ok; i++) {
        const agentchat_item *item = agentchat_message_item(message, i);
        agentchat_item_kind kind = agentchat_item_get_kind(item);

        if (kind == AGENTCHAT_ITEM_TEXT)
            ok = aci_buf_add(out, " ", 1) && indent(out, agentchat_item_get(item, AGENTCHAT_FIELD_TEXT));
        else if (kind == AGENTCHAT_ITEM_CALL)
            ok = aci_buf_add(out, " ", 1) && indent(out, agentchat_item_get(item, AGENTCHAT_FIELD_FUNCTION)) &&
                 indent(out, agentchat_item_get(item, AGENTCHAT_FIELD_ARGUMENTS));
        else if (kind == AGENTCHAT_ITEM_RESULT)
            ok = aci_buf_add(out, " ", 1) && indent(out, agentchat_item_get(item, AGENTCHAT_FIELD_RESULT));
    }
    return ok;
}

/* The messages from `first` on become an entry of the text. false: out of memory. */
static bool print_entry(rendering *r, size_t first, bool is_episode)
{
    bool ok = aci_buf_add(&r->text, "- ", 2);

    for (size_t i = first; i < r->count && ok; i++)
        ok = (i == first || aci_buf_add(&r->text, "\n  ", 3)) &&
             (is_episode ? print_message(&r->text, r->messages[i])
                         : indent(&r->text, agentchat_message_text(r->messages[i])));
    return ok && aci_buf_add(&r->text, "\n", 1);
}

/* ==== all of them ================================================================================================ */

static void drop_messages(rendering *r, size_t first)
{
    while (r->count > first)
        agentchat_message_unref(r->messages[--r->count]);
}

/* Whether what there is has not too many tokens. */
static agentchat_status fits(rendering *r, bool *out, agentchat_error *err)
{
    agentchat_token_counter_fn counter =
        r->options.counter != NULL ? r->options.counter : agentchat_count_approximately;
    size_t before = r->count;
    uint64_t tokens = 0;
    agentchat_status status = AGENTCHAT_OK;

    *out = true;
    if (r->options.max_tokens == 0)
        return AGENTCHAT_OK;
    if (r->is_text)
        status = add_text(r, "system", aci_buf_str(&r->text), err);
    if (status >= 0)
        status =
            counter(r->options.counter_user, (const agentchat_message *const *)r->messages, r->count, &tokens, err);
    if (r->is_text)
        drop_messages(r, before);
    *out = tokens <= r->options.max_tokens;
    return status;
}

static bool add_key(rendering *r, const char *key)
{
    return aci_buf_add_str(&r->keys, r->keys.len > 1 ? AGENTCHAT_STR(", ") : AGENTCHAT_STR("")) &&
           aci_json_quote(agentchat_str_from(key), &r->keys, NULL) >= 0;
}

static agentchat_status render_one(rendering *r, const agentchat_memory_item *item, agentchat_error *err)
{
    const size_t first = r->count, len = r->text.len;
    bool is_episode = false, is_in = false;
    agentchat_status status = add_episode(r, item->value, &is_episode, err);

    if (status >= 0 && !is_episode) {
        drop_messages(r, first);
        if (r->only_episodes)
            return AGENTCHAT_OK;
        status = add_value(r, "system", only_text(item->value), err);
    }
    if (status >= 0 && r->is_text) {
        if (!print_entry(r, first, is_episode))
            status = aci_fail_nomem(err);
        drop_messages(r, first);
    }
    if (status >= 0)
        status = fits(r, &is_in, err);
    if (!is_in) {
        drop_messages(r, first);
        r->text.len = len;
    } else if (!add_key(r, item->key)) {
        status = aci_fail_nomem(err);
    }
    return status;
}

static agentchat_status render(rendering *r, const agentchat_memory_results *const *pages, size_t count,
                               agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    if (pages == NULL && count > 0)
        return aci_fail_null(err, "pages");
    if (!aci_buf_add(&r->keys, "[", 1))
        return aci_fail_nomem(err);
    for (size_t i = 0; i < count && status >= 0; i++)
        for (size_t k = 0; k < agentchat_memory_results_count(pages[i]) && status >= 0; k++)
            status = render_one(r, agentchat_memory_results_at(pages[i], k), err);
    if (status >= 0 && !aci_buf_add(&r->keys, "]", 1))
        status = aci_fail_nomem(err);
    return status;
}

static agentchat_status begin(rendering *r, const agentchat_memory_results *const *pages, size_t count,
                              const agentchat_memory_render_options *options, agentchat_error *err)
{
    agentchat_status status = aci_env_options_load(&r->options, sizeof r->options, options, err);

    for (size_t i = 0; i < count && pages != NULL && r->env == NULL; i++)
        r->env = pages[i] != NULL ? pages[i]->page.env : NULL;
    r->env = aci_env(r->env);
    aci_buf_init(&r->text, r->env, SIZE_MAX);
    aci_buf_init(&r->keys, r->env, SIZE_MAX);
    aci_buf_init(&r->buffer, r->env, SIZE_MAX);
    return status;
}

/* Gives the keys, and releases what was made. */
static agentchat_status end(rendering *r, agentchat_status status, agentchat_error *err)
{
    if (status >= 0 && r->options.keys != NULL)
        status = aci_buf_append_bytes(r->options.keys, r->env, aci_buf_str(&r->keys), err);
    drop_messages(r, 0);
    aci_free(r->env, (void *)r->messages, r->cap * sizeof *r->messages);
    aci_buf_clear(&r->text);
    aci_buf_clear(&r->keys);
    aci_buf_clear(&r->buffer);
    return status;
}

void agentchat_memory_render_options_init(agentchat_memory_render_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_memory_render_text(const agentchat_memory_results *const *pages, size_t count,
                                              const agentchat_memory_render_options *options, agentchat_bytes *out,
                                              agentchat_error *err)
{
    rendering r = {.is_text = true};
    size_t before;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    before = out->len;
    status = begin(&r, pages, count, options, err);
    if (status >= 0)
        status = render(&r, pages, count, err);
    if (status >= 0)
        status = aci_buf_append_bytes(out, r.env, aci_buf_str(&r.text), err);
    status = end(&r, status, err);
    if (status < 0 && out->len > before) {
        out->len = before;
        out->ptr[before] = '\0';
    }
    return status;
}

static agentchat_status render_messages(rendering *r, const agentchat_memory_results *const *pages, size_t count,
                                        const agentchat_memory_render_options *options, agentchat_messages **out,
                                        agentchat_error *err)
{
    agentchat_messages *list = NULL;
    agentchat_status status = begin(r, pages, count, options, err);

    if (status >= 0)
        status = render(r, pages, count, err);
    if (status >= 0)
        status = agentchat_messages_new(r->env, (const agentchat_message *const *)r->messages, r->count, &list, err);
    status = end(r, status, err);
    if (status >= 0)
        *out = list;
    else
        agentchat_messages_unref(list);
    return status;
}

agentchat_status agentchat_memory_render_messages(const agentchat_memory_results *const *pages, size_t count,
                                                  const agentchat_memory_render_options *options,
                                                  agentchat_messages **out, agentchat_error *err)
{
    rendering r = {.is_text = false};

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    return render_messages(&r, pages, count, options, out, err);
}

/* ==== episodes =================================================================================================== */

agentchat_status agentchat_episode_put(agentchat_store *store, const char *ns, const char *key, agentchat_str situation,
                                       const agentchat_messages *messages, const agentchat_memory_put_options *options,
                                       agentchat_error *err)
{
    static const char *const fields[] = {"situation"};
    agentchat_memory_put_options put;
    agentchat_bytes document = AGENTCHAT_BYTES_INIT;
    char made[ACI_ID_LEN + 1];
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL || messages == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "messages");
    document.env = store->env;
    status = aci_env_options_load(&put, sizeof put, options, err);
    if (status >= 0 && key == NULL)
        status = aci_id_new_ordered(store->env, made, err);
    if (status >= 0)
        status = aci_document_with_messages("situation", situation, messages, &document, err);
    if (put.fields == NULL && !put.no_index) {
        put.fields = fields;
        put.field_count = 1;
    }
    if (status >= 0)
        status = agentchat_memory_put(store, ns, key != NULL ? key : made, (agentchat_str){document.ptr, document.len},
                                      &put, err);
    agentchat_bytes_clear(&document);
    return status;
}

agentchat_status agentchat_episodes_recall(agentchat_store *store, const char *ns, const agentchat_memory_query *query,
                                           const agentchat_memory_render_options *options, agentchat_messages **out,
                                           agentchat_error *err)
{
    rendering r = {.only_episodes = true};
    agentchat_memory_results *page = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out != NULL)
        *out = NULL;
    if (store == NULL || out == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "out");
    status = agentchat_memory_search(store, ns, query, &page, err);
    if (status >= 0)
        status = render_messages(&r, (const agentchat_memory_results *const *)&page, 1, options, out, err);
    agentchat_memory_results_free(page);
    return status;
}
