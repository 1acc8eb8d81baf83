/* SPDX-License-Identifier: Apache-2.0 */
/* A running summary. */
#include "list_edit/list_edit.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/utf8.h"
#include "list_edit/list_edit_internal.h"
#include "json/escape.h"
#include "json/value.h"
#include <agentchat/json_text.h>
#include <agentchat/list_edit.h>
#include <inttypes.h>
#include <string.h>

/* ==== summary state ============================================================================================== */

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static agentchat_status fail(agentchat_error *err, const char *what)
{
    return aci_fail(err, AGENTCHAT_E_INVALID, "state of a summary: %s", what);
}

static agentchat_status read_text(const agentchat_env *env, agentchat_str value, const char *what, agentchat_bytes *out,
                                  agentchat_error *err)
{
    return agentchat_json_kind_of(value) == AGENTCHAT_JSON_STRING ? agentchat_json_decode(env, value, out, err)
                                                                  : fail(err, what);
}

static agentchat_status read_members(aci_summary_state *state, const agentchat_env *env, agentchat_str object,
                                     agentchat_error *err)
{
    agentchat_str id = agentchat_json_find(object, AGENTCHAT_STR("last_id"));
    agentchat_str covered = agentchat_json_find(object, AGENTCHAT_STR("covered"));
    agentchat_status status;
    int64_t count = 0;

    if (agentchat_json_kind_of(object) != AGENTCHAT_JSON_OBJECT)
        return fail(err, "it must be an object");
    if (covered.ptr != NULL &&
        (agentchat_json_kind_of(covered) != AGENTCHAT_JSON_NUMBER || !aci_json_integer(covered, &count) || count < 0))
        return fail(err, "\"covered\" must be a number of messages");
    state->covered = (uint64_t)count;
    state->has_last_id = id.ptr != NULL;
    status = read_text(env, agentchat_json_find(object, AGENTCHAT_STR("summary")), "\"summary\" must be a text",
                       &state->summary, err);
    if (status >= 0 && state->has_last_id)
        status = read_text(env, id, "\"last_id\" must be a text", &state->last_id, err);
    return status;
}

/* text absent: there is no summary. On failure there is nothing to be cleared. */
static agentchat_status summary_state_read(aci_summary_state *state, const agentchat_env *env, agentchat_str text,
                                           agentchat_error *err)
{
    agentchat_status status;

    *state = (aci_summary_state){AGENTCHAT_BYTES_INIT, AGENTCHAT_BYTES_INIT, false, 0};
    if (text.ptr == NULL)
        return AGENTCHAT_OK;
    status = agentchat_json_check(env, text, &text, err);
    if (status >= 0)
        status = read_members(state, env, text, err);
    if (status < 0)
        aci_summary_state_clear(state);
    return status;
}

void aci_summary_state_clear(aci_summary_state *state)
{
    agentchat_bytes_clear(&state->summary);
    agentchat_bytes_clear(&state->last_id);
}

/* How many messages at the beginning of a list are covered. */
static size_t summary_state_covered(const aci_summary_state *state, const agentchat_messages *messages)
{
    size_t count = agentchat_messages_count(messages), first = state->covered < count ? (size_t)state->covered : count;
    agentchat_str last_id = {state->last_id.ptr, state->last_id.len};
    agentchat_messages before;
    size_t index;
    bool found;

    if (!state->has_last_id)
        return first;
    aci_list_prefix(&before, messages, first);
    found =
        agentchat_messages_find_id(&before, last_id, &index) || agentchat_messages_find_id(messages, last_id, &index);
    aci_list_clear(&before);
    return found ? index + 1 : 0;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Appends UTF-8 as a JSON string. */
static bool add_string(aci_buf *out, agentchat_str text)
{
    const char *at = text.ptr, *end = text.ptr + text.len;
    char spelled[2 * ACI_JSON_SPELL_ROOM];
    bool ok = aci_buf_add_str(out, AGENTCHAT_STR("\""));

    while (ok && at < end)
        ok = aci_buf_add(out, spelled, aci_json_spell(&at, end, ACI_JSON_UTF8, spelled, sizeof spelled));
    return ok && aci_buf_add_str(out, AGENTCHAT_STR("\""));
}

agentchat_status aci_summary_state_write(aci_buf *out, agentchat_str summary, uint64_t covered, agentchat_str last_id,
                                         agentchat_error *err)
{
    bool ok;

    if (!aci_utf8_is_valid(summary, false))
        return aci_fail(err, AGENTCHAT_E_INVALID, "the summary is not UTF-8");
    ok = aci_buf_add_str(out, AGENTCHAT_STR("{\"summary\":")) && add_string(out, summary) &&
         aci_buf_printf(out, ",\"covered\":%" PRIu64, covered);
    if (ok && last_id.ptr != NULL && !agentchat_str_is_null(last_id))
        ok = aci_buf_add_str(out, AGENTCHAT_STR(",\"last_id\":")) && add_string(out, last_id);
    return ok && aci_buf_add_str(out, AGENTCHAT_STR("}")) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* ==== A running summary: what a model is asked, what goes, and what is remembered of it ========================== */

typedef struct summarizing {
    const agentchat_env *env;
    const agentchat_messages *messages;
    agentchat_summary_options options;
    aci_summary_state old;
    aci_buf introduced; /* the text of the message that shows the old summary, where one does */
    bool has_system;    /* the first message stays */
    bool shows_old;     /* the message after that is the one that shows the old summary: it goes */
    size_t from;        /* the first message that is not covered */
    size_t cut;         /* the first one that stays */
    agentchat_error *err;
} summarizing;

void agentchat_summary_options_init(agentchat_summary_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static agentchat_str view_of(const agentchat_bytes *bytes)
{
    return (agentchat_str){bytes->len > 0 ? bytes->ptr : "", bytes->len};
}

/* ---- what goes -------------------------------------------------------------------------------------------------- */

static bool is_system(const agentchat_message *message)
{
    return agentchat_str_equal(aci_roles_plain(agentchat_message_role(message)), AGENTCHAT_STR("system"));
}

/* Whether a message is the one that an earlier edit put in for the old summary. */
static bool is_introduced(const summarizing *s, const agentchat_message *message)
{
    return s->introduced.len > 0 && message != NULL && is_system(message) &&
           agentchat_message_item_count(message) == 1 &&
           agentchat_str_equal(agentchat_message_text(message), aci_buf_str(&s->introduced));
}

/* Moves the border until no call has its result on the other side, and what stays begins with none that is alone. */
static agentchat_status keep_pairs(summarizing *s)
{
    aci_pairs pairs;
    agentchat_status status = aci_pairs_find(&pairs, s->env, s->messages, s->err);

    if (status < 0)
        return status;
    for (size_t i = s->cut; i < pairs.count; i++)
        if (pairs.first[i] < s->cut || (i == s->cut && pairs.alone[i]))
            s->cut = i + 1;
    aci_pairs_clear(&pairs);
    return AGENTCHAT_OK;
}

/* Finds what is covered and what stays. */
static agentchat_status find_borders(summarizing *s)
{
    size_t count = s->messages->count, keep = s->options.keep_last > 0 ? s->options.keep_last : 2, first;

    s->has_system = s->options.include_system && count > 0 && is_system(agentchat_messages_at(s->messages, 0)) &&
                    !is_introduced(s, agentchat_messages_at(s->messages, 0));
    first = s->has_system;
    s->shows_old = is_introduced(s, agentchat_messages_at(s->messages, first));
    first += s->shows_old;
    s->from = s->options.keep_list ? summary_state_covered(&s->old, s->messages) : 0;
    s->from = s->from > first ? s->from : first;
    s->cut = count > keep ? count - keep : 0;
    s->cut = s->cut > s->from ? s->cut : s->from;
    return s->options.split_calls ? AGENTCHAT_OK : keep_pairs(s);
}

/* ---- asking ----------------------------------------------------------------------------------------------------- */

/* Whether there is enough to be summarised. */
static agentchat_status is_due(const summarizing *s, bool *due)
{
    size_t count = s->messages->count - s->from;
    agentchat_messages rest;
    agentchat_status status;
    uint64_t tokens;

    *due = s->options.keep_list ? s->cut > s->from : count > 0;
    if (!*due || s->options.max_tokens == 0)
        return AGENTCHAT_OK;
    aci_list_init(&rest, s->env);
    if (!aci_list_append_range(&rest, s->messages, s->from, count)) {
        aci_list_clear(&rest);
        return aci_fail_nomem(s->err);
    }
    status = agentchat_messages_count_tokens(&rest, s->options.counter, s->options.counter_user, &tokens, s->err);
    *due = tokens > s->options.max_tokens;
    aci_list_clear(&rest);
    return status;
}

/* What a model is asked for. E_NOMEM. */
static agentchat_status write_prompt(const summarizing *s, aci_buf *out)
{
    static const char blank[] = "{summary}";
    const char *create = s->options.create_prompt != NULL ? s->options.create_prompt : AGENTCHAT_SUMMARY_CREATE;
    const char *rest = s->options.extend_prompt != NULL ? s->options.extend_prompt : AGENTCHAT_SUMMARY_EXTEND, *found;
    bool ok = true;

    if (s->old.summary.len == 0)
        return aci_buf_add_str(out, agentchat_str_from(create)) ? AGENTCHAT_OK : aci_fail_nomem(s->err);
    while (ok && (found = strstr(rest, blank)) != NULL) {
        ok = aci_buf_add(out, rest, (size_t)(found - rest)) && aci_buf_add_str(out, view_of(&s->old.summary));
        rest = found + sizeof blank - 1;
    }
    return ok && aci_buf_add_str(out, agentchat_str_from(rest)) ? AGENTCHAT_OK : aci_fail_nomem(s->err);
}

static agentchat_status add_prompt(const summarizing *s, agentchat_messages *asked)
{
    agentchat_message *message = NULL;
    agentchat_status status;
    aci_buf prompt;

    aci_buf_init(&prompt, s->env, SIZE_MAX);
    status = write_prompt(s, &prompt);
    if (status >= 0)
        status = agentchat_message_new_text(s->env, "user", (agentchat_str){NULL, 0}, aci_buf_str(&prompt), &message,
                                            s->err);
    if (status >= 0 && !aci_list_append(asked, message))
        status = aci_fail_nomem(s->err);
    agentchat_message_unref(message);
    aci_buf_clear(&prompt);
    return status;
}

/* Of a list that is kept only what the summary will cover is shown, of another one all that there is. */
static agentchat_status ask(const summarizing *s, agentchat_summarizer_fn summarizer, void *user, agentchat_bytes *out)
{
    size_t to = s->options.keep_list ? s->cut : s->messages->count;
    agentchat_status status = AGENTCHAT_OK;
    agentchat_messages asked;

    aci_list_init(&asked, s->env);
    if (!aci_list_append_range(&asked, s->messages, 0, s->has_system) ||
        !aci_list_append_range(&asked, s->messages, s->from, to - s->from))
        status = aci_fail_nomem(s->err);
    if (status >= 0)
        status = add_prompt(s, &asked);
    if (status >= 0)
        status = summarizer(user, &asked, out, s->err);
    aci_list_clear(&asked);
    return status;
}

/* ---- results ---------------------------------------------------------------------------------------------------- */

/* Writes the text that shows a summary; none without an introduction. */
static agentchat_status introduce(const summarizing *s, agentchat_str summary, aci_buf *out)
{
    if (s->options.introduction == NULL || summary.len == 0)
        return AGENTCHAT_OK;
    return aci_buf_add_str(out, agentchat_str_from(s->options.introduction)) && aci_buf_add_str(out, summary)
               ? AGENTCHAT_OK
               : aci_fail_nomem(s->err);
}

static agentchat_status insert_summary(const summarizing *s, agentchat_str summary, agentchat_list_edit *edit)
{
    agentchat_message *message = NULL;
    agentchat_status status;
    aci_buf text;

    aci_buf_init(&text, s->env, SIZE_MAX);
    status = introduce(s, summary, &text);
    if (status >= 0 && text.len > 0)
        status = agentchat_message_new_text(s->env, "system", (agentchat_str){NULL, 0}, aci_buf_str(&text), &message,
                                            s->err);
    if (message != NULL)
        status = agentchat_list_edit_insert(edit, s->has_system, message, s->err);
    agentchat_message_unref(message);
    aci_buf_clear(&text);
    return status;
}

/* The messages up to one go, and the summary comes there. */
static agentchat_status make_edit(const summarizing *s, size_t to, agentchat_str summary, agentchat_list_edit *edit)
{
    agentchat_status status = insert_summary(s, summary, edit);

    return status < 0 ? status : agentchat_list_edit_remove(edit, s->has_system, to - s->has_system, s->err);
}

static agentchat_status write_state(const summarizing *s, agentchat_str summary, agentchat_bytes *new_state)
{
    bool is_kept = s->options.keep_list && s->cut > 0;
    agentchat_str last_id = {NULL, 0};
    agentchat_status status;
    aci_buf state;

    if (is_kept)
        last_id = agentchat_message_get(agentchat_messages_at(s->messages, s->cut - 1), AGENTCHAT_FIELD_ID);
    aci_buf_init(&state, s->env, SIZE_MAX);
    status = aci_summary_state_write(&state, summary, is_kept ? s->cut : 0, last_id, s->err);
    if (status >= 0)
        status = aci_buf_append_bytes(new_state, s->env, aci_buf_str(&state), s->err);
    aci_buf_clear(&state);
    return status;
}

/* What is done with a summary that has just been made. */
static agentchat_status take_new(const summarizing *s, agentchat_summarizer_fn summarizer, void *user,
                                 agentchat_list_edit *edit, agentchat_bytes *new_state)
{
    agentchat_bytes summary = AGENTCHAT_BYTES_INIT;
    agentchat_status status;

    summary.env = s->env;
    status = ask(s, summarizer, user, &summary);
    if (status >= 0)
        status = make_edit(s, s->cut, view_of(&summary), edit);
    if (status >= 0)
        status = write_state(s, view_of(&summary), new_state);
    agentchat_bytes_clear(&summary);
    return status;
}

/* Without a new summary a list that is kept is shown as before. */
static agentchat_status take_old(const summarizing *s, agentchat_str state, agentchat_list_edit *edit,
                                 agentchat_bytes *new_state)
{
    agentchat_status status = AGENTCHAT_OK;

    if (s->options.keep_list && state.ptr != NULL)
        status = make_edit(s, s->from, view_of(&s->old.summary), edit);
    if (status >= 0 && state.ptr != NULL)
        status = aci_buf_append_bytes(new_state, s->env, state, s->err);
    return status;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static agentchat_status summarize(summarizing *s, agentchat_str state, agentchat_summarizer_fn summarizer, void *user,
                                  agentchat_list_edit *edit, agentchat_bytes *new_state)
{
    agentchat_status status = introduce(s, view_of(&s->old.summary), &s->introduced);
    bool due = false;

    if (status >= 0)
        status = find_borders(s);
    if (status >= 0)
        status = is_due(s, &due);
    if (status < 0)
        return status;
    return due ? take_new(s, summarizer, user, edit, new_state) : take_old(s, state, edit, new_state);
}

static agentchat_status check(const agentchat_messages *messages, agentchat_summarizer_fn summarizer,
                              const agentchat_bytes *new_state, agentchat_error *err)
{
    return messages == NULL     ? aci_fail_null(err, "messages")
           : summarizer == NULL ? aci_fail_null(err, "summarizer")
           : new_state == NULL  ? aci_fail_null(err, "new_state")
                                : AGENTCHAT_OK;
}

agentchat_status agentchat_messages_summarize(const agentchat_env *env, const agentchat_messages *messages,
                                              agentchat_str state, agentchat_summarizer_fn summarizer, void *user,
                                              const agentchat_summary_options *options, agentchat_bytes *new_state,
                                              agentchat_list_edit **out, agentchat_error *err)
{
    summarizing s = {.env = aci_env(env), .messages = messages, .err = err};
    agentchat_list_edit *edit = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    status = check(messages, summarizer, new_state, err);
    if (status >= 0)
        status = aci_env_options_load(&s.options, sizeof s.options, options, err);
    if (status >= 0)
        status = summary_state_read(&s.old, s.env, state, err);
    if (status < 0)
        return status;
    aci_buf_init(&s.introduced, s.env, SIZE_MAX);
    status = agentchat_list_edit_new(env, messages->count, &edit, err);
    if (status >= 0)
        status = summarize(&s, state, summarizer, user, edit, new_state);
    aci_buf_clear(&s.introduced);
    aci_summary_state_clear(&s.old);
    if (status < 0)
        agentchat_list_edit_free(edit);
    else
        *out = edit;
    return status;
}
