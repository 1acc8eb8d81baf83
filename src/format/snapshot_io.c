/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Snapshots from streams, memory and files, and back: the public functions around the formats. The
 * formats know no streams to read from, no options and no commit.
 */
#include "format/snapshot_io.h"

#include "base/error.h"
#include "format/detect.h"
#include "format/lines.h"
#include "format/native/native.h"
#include "format/registry.h"
#include "format/semantic_kernel/semantic_kernel.h"
#include "io/stream.h"
#include "model/form_mark.h"
#include "snapshot/report.h"
#include <agentchat/repair.h>
#include <string.h>

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* The bytes of a document, which live as long as its arena. */
typedef struct input {
    aci_attached attached; /* first: the arena frees the block that begins with it */
    const agentchat_env *env;
    char *data;
    size_t cap;
} input;

static void input_free(aci_attached *attached)
{
    const input *in = (const input *)(const void *)attached;

    aci_free(in->env, in->data, in->cap);
}

/* What an arena is to begin with: about what a small chat makes of this much input, so that its blocks do not double
   past it. Larger ones grow as they need. */
static size_t first_block(size_t len)
{
    const size_t least = (size_t)4 << 10, most = (size_t)32 << 10;
    size_t usual = len / 5 * 2;

    return usual < least ? least : usual < most ? usual : most;
}

/* The bytes belong to in->arena, which is made here; without success they stay the caller's. */
static agentchat_status take_input(aci_read *in, const aci_input_text *text, agentchat_error *err)
{
    input *block = aci_alloc(in->env, sizeof(*block));

    in->arena = block != NULL ? aci_arena_new(in->env, first_block(text->len)) : NULL;
    if (in->arena == NULL) {
        aci_free(in->env, block, sizeof(*block));
        return aci_fail_nomem(err);
    }
    *block = (input){.env = in->env, .data = text->data, .cap = text->cap};
    in->data = text->data;
    in->len = text->len;
    block->attached.next = NULL;
    block->attached.size = sizeof(*block);
    block->attached.destroy = input_free;
    aci_arena_attach(in->arena, &block->attached);
    return AGENTCHAT_OK;
}

/* Says what bytes are that are no JSON for a plain reason; a reader would only say which byte it did not expect. */
static agentchat_status check_beginning(const aci_read *in, agentchat_error *err)
{
    const unsigned char *p = (const unsigned char *)in->data;
    const char *problem = NULL;

    if (in->len == 0)
        problem = "the input is empty";
    else if (in->len >= 2 && ((p[0] == 0xFF && p[1] == 0xFE) || (p[0] == 0xFE && p[1] == 0xFF) ||
                              (p[0] == 0 && p[1] != 0) || (p[0] != 0 && p[1] == 0)))
        problem = "the input is UTF-16 or UTF-32: convert it to UTF-8";
    else if (in->len >= 2 && p[0] == 0x1F && p[1] == 0x8B)
        problem = "the input is compressed with gzip: decompress it first";
    if (problem == NULL)
        return AGENTCHAT_OK;
    aci_fail(err, AGENTCHAT_E_SYNTAX, "%s", problem);
    if (err != NULL)
        aci_error_at(err, 0, 1, 1);
    return AGENTCHAT_E_SYNTAX;
}

static agentchat_status decode_document(aci_read *in, const char *name, agentchat_snapshot **out, agentchat_error *err)
{
    const aci_format *format;
    agentchat_status status;
    size_t count;

    if (name == NULL) {
        const aci_format *const *formats = aci_registry_all(&count);

        return aci_detect_and_read(formats, count, in, out, err);
    }
    status = aci_registry_choose(name, ACI_READ_CHAT, &format, err);
    if (status >= 0 && format == &aci_native_encoded_format &&
        aci_native_encoded_probe(in->data, in->len) == ACI_UNLIKE &&
        aci_native_probe(in->data, in->len) == ACI_UNLIKE) {
        status = aci_sk_encoded_read(in, out, err); /* without our header: option 3 of the decision record */
        if (status >= 0)
            (*out)->format = format->about.name;
        return status;
    }
    return status < 0 ? status : format->read_chat(in, out, err);
}

static agentchat_status decode(aci_read *in, const char *name, agentchat_snapshot **out, agentchat_error *err)
{
    aci_lines lines;
    agentchat_status status = aci_lines_open(in, name, &lines, err);

    if (status < 0)
        return status;
    status = decode_document(in, name, out, err);
    if (status < 0)
        aci_lines_locate(&lines, err);
    return status;
}

void agentchat_read_options_init(agentchat_read_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static agentchat_status read_checked(aci_read *in, const agentchat_read_options *options, agentchat_snapshot **out,
                                     agentchat_error *err)
{
    agentchat_status status = check_beginning(in, err);

    if (status >= 0)
        status = decode(in, options->format, out, err);
    if (status >= 0 && options->fail_on_loss)
        status = aci_report_fail_on_loss(in->report, err);
    if (status < 0) {
        agentchat_snapshot_unref(*out);
        *out = NULL;
        aci_error_source(err, in->source);
        return status;
    }
    (*out)->source_bytes = in->len;
    return status;
}

/* From a source, or a text that is taken over where source is NULL. */
static agentchat_status read_from(const agentchat_env *env, agentchat_source *source, aci_input_text *text,
                                  const agentchat_read_options *options, agentchat_snapshot **out,
                                  agentchat_report **report, agentchat_error *err)
{
    agentchat_read_options opts;
    aci_read in = {.env = aci_env(env), .source = source != NULL ? aci_source_name(source) : NULL};
    agentchat_status status;

    status = aci_env_options_load(&opts, sizeof(opts), options, err);
    if (status >= 0)
        status = aci_env_limits_load(in.env, opts.limits, &in.limits, err);
    if (status < 0)
        return status;

    in.sessions = opts.sessions;
    in.report = aci_report_new(in.env);
    status = in.report != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
    if (status >= 0 && source != NULL)
        status = aci_source_read_all(source, in.env, in.limits.max_bytes, &text->data, &text->len, &text->cap, err);
    else if (status >= 0 && text->len > in.limits.max_bytes)
        status = aci_fail(err, AGENTCHAT_E_LIMIT, "the input has more than %llu bytes",
                          (unsigned long long)in.limits.max_bytes);
    if (status >= 0)
        status = take_input(&in, text, err);
    if (status >= 0) {
        *text = (aci_input_text){NULL, 0, 0};
        status = read_checked(&in, &opts, out, err);
    }
    aci_report_hand_over(in.report, report);
    aci_arena_unref(in.arena);
    return status;
}

agentchat_status aci_snapshot_io_take(const agentchat_env *env, aci_input_text *text,
                                      const agentchat_read_options *options, agentchat_snapshot **out,
                                      agentchat_report **report, agentchat_error *err)
{
    *out = NULL;
    return read_from(env, NULL, text, options, out, report, err);
}

agentchat_status agentchat_snapshot_read(const agentchat_env *env, agentchat_source *source,
                                         const agentchat_read_options *options, agentchat_snapshot **out,
                                         agentchat_report **report, agentchat_error *err)
{
    aci_input_text text = {NULL, 0, 0};
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (source == NULL)
        return aci_fail_null(err, "source");
    status = read_from(env, source, &text, options, out, report, err);
    aci_free(aci_env(env), text.data, text.cap);
    return status;
}

/* Reads from a source that was made for it and releases it. */
static agentchat_status read_and_free(const agentchat_env *env, agentchat_source *source, agentchat_status made,
                                      const agentchat_read_options *options, agentchat_snapshot **out,
                                      agentchat_report **report, agentchat_error *err)
{
    if (out != NULL)
        *out = NULL;
    if (report != NULL)
        *report = NULL;
    if (made >= 0)
        made = agentchat_snapshot_read(env, source, options, out, report, err);
    agentchat_source_free(source);
    return made;
}

agentchat_status agentchat_snapshot_read_memory(const agentchat_env *env, agentchat_str bytes,
                                                const agentchat_read_options *options, agentchat_snapshot **out,
                                                agentchat_report **report, agentchat_error *err)
{
    agentchat_source *source;
    agentchat_status made = agentchat_source_memory(env, bytes, &source, err);

    return read_and_free(env, source, made, options, out, report, err);
}

agentchat_status agentchat_snapshot_read_file(const agentchat_env *env, const char *path,
                                              const agentchat_read_options *options, agentchat_snapshot **out,
                                              agentchat_report **report, agentchat_error *err)
{
    agentchat_source *source;
    agentchat_status made = agentchat_source_path(env, path, &source, err);

    return read_and_free(env, source, made, options, out, report, err);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static agentchat_status drop(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    (void)self;
    (void)bytes;
    (void)len;
    (void)err;
    return AGENTCHAT_OK;
}

/* Adds the entries of a report; advice: notes, too. */
static bool take_entries(aci_write *out, const agentchat_report *report, bool advice)
{
    bool ok = true;

    for (size_t i = 0; ok && i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);

        if (advice || entry->kind != AGENTCHAT_REPORT_NOTE)
            ok = aci_report_add(out->report, entry->kind, entry->match, entry->path, entry->key, AGENTCHAT_STR_FMT,
                                AGENTCHAT_STR_ARG(entry->text));
    }
    return ok;
}

static agentchat_status write_document(aci_write *out, const aci_format *format, const agentchat_snapshot *snapshot,
                                       agentchat_error *err)
{
    return out->lines ? aci_lines_write(out, format, snapshot, err) : format->write_chat(out, snapshot, err);
}

/* Writes to nowhere, to see whether anything would be lost. On failure real's report has that, too. */
static agentchat_status rehearse(aci_write *real, const aci_format *format, const agentchat_snapshot *snapshot,
                                 agentchat_error *err)
{
    static const agentchat_sink_ops ops = {sizeof(ops), drop, NULL, NULL};
    aci_write dry = *real;
    agentchat_status status;

    dry.dry_run = true;
    dry.report = aci_report_new(real->env);
    if (dry.report == NULL)
        return aci_fail_nomem(err);
    status = agentchat_sink_new(real->env, &ops, NULL, &dry.sink, err);
    if (status >= 0) {
        status = write_document(&dry, format, snapshot, err);
        if (status >= 0)
            status = aci_report_fail_on_loss(dry.report, err);
        agentchat_sink_free(dry.sink);
    }
    if (status < 0 && !take_entries(real, dry.report, true))
        status = aci_fail_nomem(err);
    agentchat_report_free(dry.report);
    return status;
}

void agentchat_write_options_init(agentchat_write_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

/* Whether anything of a snapshot says that it was of a format. */
static bool comes_from(const agentchat_snapshot *snapshot, const char *name)
{
    const agentchat_str tag = agentchat_str_from(name);

    if ((snapshot->format != NULL && strcmp(snapshot->format, name) == 0) ||
        aci_form_mark_value(snapshot->form, tag).ptr != NULL)
        return true;
    for (size_t i = 0; snapshot->extras != NULL && i < snapshot->extras->count; i++)
        if (aci_tag_is(snapshot->extras->list[i].from, tag))
            return true;
    return false;
}

/* The history as a provider accepts it, where the format is a provider's and it is written for that: to be released.
 *repaired: NULL, as it stands. */
static agentchat_status repair_for(aci_write *out, const aci_format *format, const agentchat_snapshot *snapshot,
                                   agentchat_messages **repaired, agentchat_error *err)
{
    agentchat_repair_options options = AGENTCHAT_REPAIR_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_status status;

    *repaired = NULL;
    if (format->profile == NULL || out->strict)
        return AGENTCHAT_OK;
    options.from = !out->is_foreign && comes_from(snapshot, format->profile->name) ? format->profile->name : NULL;
    status = agentchat_repair(out->env, &snapshot->history, format->profile, &options, repaired, NULL, &report, err);
    if (status >= 0 && !take_entries(out, report, false))
        status = aci_fail_nomem(err);
    agentchat_report_free(report);
    return status;
}

/* What such a format writes of a snapshot, and counts of it, with another history. */
static agentchat_snapshot with_history(const agentchat_snapshot *snapshot, const agentchat_messages *history)
{
    return (agentchat_snapshot){.env = snapshot->env,
                                .arena = snapshot->arena,
                                .format = snapshot->format,
                                .history = *history,
                                .participant_count = snapshot->participant_count,
                                .channel_count = snapshot->channel_count,
                                .value_count = snapshot->value_count,
                                .extras = snapshot->extras,
                                .form = snapshot->form,
                                .next_turn = snapshot->next_turn,
                                .source_bytes = snapshot->source_bytes,
                                .is_complete = snapshot->is_complete};
}

static agentchat_status write_checked(aci_write *out, const agentchat_write_options *options,
                                      const agentchat_snapshot *snapshot, agentchat_error *err)
{
    agentchat_messages *repaired = NULL;
    agentchat_snapshot accepted;
    const aci_format *format;
    agentchat_status status =
        aci_registry_choose(options->format != NULL ? options->format : "agentchat", ACI_WRITE_CHAT, &format, err);

    if (status >= 0)
        status = repair_for(out, format, snapshot, &repaired, err);
    if (repaired != NULL) {
        accepted = with_history(snapshot, repaired);
        snapshot = &accepted;
    }
    if (status >= 0 && options->fail_on_loss)
        status = aci_report_fail_on_loss(out->report, err);
    if (status >= 0 && options->fail_on_loss)
        status = rehearse(out, format, snapshot, err);
    if (status >= 0)
        status = write_document(out, format, snapshot, err);
    if (status >= 0)
        status = aci_sink_commit(out->sink, err);
    if (status < 0)
        aci_error_source(err, aci_sink_name(out->sink));
    agentchat_messages_unref(repaired);
    return status;
}

static agentchat_status write_to(const agentchat_snapshot *snapshot, agentchat_sink *sink,
                                 const agentchat_write_options *options, bool is_foreign, agentchat_report **report,
                                 agentchat_error *err)
{
    agentchat_write_options opts;
    agentchat_status status;
    aci_write out = {.sink = sink, .is_foreign = is_foreign};

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (snapshot == NULL || sink == NULL)
        return aci_fail_null(err, snapshot == NULL ? "snapshot" : "sink");
    status = aci_env_options_load(&opts, sizeof(opts), options, err);
    if (status < 0)
        return status;

    out.env = snapshot->env;
    out.strict = opts.strict;
    out.lines = opts.lines;
    out.max_copies = opts.max_copies > 0 ? opts.max_copies : aci_env(out.env)->limits.max_copies;
    out.report = aci_report_new(out.env);
    status = out.report != NULL ? write_checked(&out, &opts, snapshot, err) : aci_fail_nomem(err);
    aci_report_hand_over(out.report, report);
    return status;
}

agentchat_status agentchat_snapshot_write(const agentchat_snapshot *snapshot, agentchat_sink *sink,
                                          const agentchat_write_options *options, agentchat_report **report,
                                          agentchat_error *err)
{
    return write_to(snapshot, sink, options, false, report, err);
}

agentchat_status aci_snapshot_io_write_foreign(const agentchat_snapshot *snapshot,
                                               const agentchat_write_options *options, agentchat_bytes *out,
                                               agentchat_report **report, agentchat_error *err)
{
    agentchat_sink *sink = NULL;
    agentchat_status status = agentchat_sink_memory(snapshot->env, out, &sink, err);

    if (status >= 0)
        status = write_to(snapshot, sink, options, true, report, err);
    agentchat_sink_free(sink);
    return status;
}

/* Writes to a sink that was made for it and releases it. */
static agentchat_status write_and_free(const agentchat_snapshot *snapshot, agentchat_sink *sink, agentchat_status made,
                                       const agentchat_write_options *options, agentchat_report **report,
                                       agentchat_error *err)
{
    if (report != NULL)
        *report = NULL;
    if (made >= 0)
        made = agentchat_snapshot_write(snapshot, sink, options, report, err);
    agentchat_sink_free(sink);
    return made;
}

agentchat_status agentchat_snapshot_write_file(const agentchat_snapshot *snapshot, const char *path,
                                               const agentchat_write_options *options, agentchat_report **report,
                                               agentchat_error *err)
{
    const agentchat_env *env = snapshot != NULL ? snapshot->env : NULL;
    agentchat_sink *sink;
    agentchat_status made = agentchat_sink_path(env, path, NULL, &sink, err);

    return write_and_free(snapshot, sink, made, options, report, err);
}

agentchat_status agentchat_snapshot_write_memory(const agentchat_snapshot *snapshot,
                                                 const agentchat_write_options *options, agentchat_bytes *out,
                                                 agentchat_report **report, agentchat_error *err)
{
    const agentchat_env *env = snapshot != NULL ? snapshot->env : NULL;
    agentchat_sink *sink;
    agentchat_status made = agentchat_sink_memory(env, out, &sink, err);

    return write_and_free(snapshot, sink, made, options, report, err);
}
