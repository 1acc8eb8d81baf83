/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sinks in general: making, writing, committing, releasing; and the sinks over memory, descriptors and FILEs.
 *
 * A sink remembers a failure: nothing is written and nothing committed after one.
 */
#include "io/posix.h"
#include "io/stream_impl.h"

#include "base/buf.h"
#include "base/error.h"
#include <errno.h>
#include <string.h>

agentchat_status aci_sink_make(const agentchat_env *env, const agentchat_sink_ops *ops, void *self, const char *name,
                               agentchat_sink **out, agentchat_error *err)
{
    agentchat_sink *sink;

    env = aci_env(env);
    *out = NULL;
    sink = aci_alloc_zero(env, sizeof *sink);
    if (sink == NULL)
        goto failed;
    if (name != NULL) {
        sink->name = aci_strdup(env, agentchat_str_from(name));
        if (sink->name == NULL)
            goto failed;
    }
    sink->env = env;
    sink->ops = *ops;
    sink->self = self;
    *out = sink;
    return AGENTCHAT_OK;

failed:
    aci_free(env, sink, sizeof *sink);
    if (ops->free != NULL)
        ops->free(self);
    aci_error_source(err, name);
    return aci_fail_nomem(err);
}

agentchat_status agentchat_sink_new(const agentchat_env *env, const agentchat_sink_ops *ops, void *self,
                                    agentchat_sink **out, agentchat_error *err)
{
    agentchat_sink_ops loaded = {0};
    agentchat_status status = AGENTCHAT_OK;

    agentchat_error_clear(err);
    if (out != NULL)
        *out = NULL;
    if (ops == NULL)
        return aci_fail_null(err, "ops");
    if (out == NULL)
        status = aci_fail_null(err, "out");
    if (status == AGENTCHAT_OK)
        status = aci_env_options_load(&loaded, sizeof loaded, ops, err);
    if (status == AGENTCHAT_OK && loaded.write == NULL)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "a sink needs a write function");
    if (status < 0) {
        /* The first version of the struct had this member, so it is there even where struct_size was forgotten. */
        if (ops->free != NULL)
            ops->free(self);
        return status;
    }
    return aci_sink_make(env, &loaded, self, NULL, out, err);
}

void agentchat_sink_ops_init(agentchat_sink_ops *ops, size_t size)
{
    aci_env_options_init(ops, size);
}

void agentchat_sink_free(agentchat_sink *sink)
{
    if (sink == NULL)
        return;
    if (sink->ops.free != NULL)
        sink->ops.free(sink->self);
    if (sink->name != NULL)
        aci_free(sink->env, sink->name, strlen(sink->name) + 1);
    aci_free(sink->env, sink, sizeof *sink);
}

const char *aci_sink_name(const agentchat_sink *sink)
{
    return sink->name;
}

/* Turns the result of one of the sink's functions into that of the sink: `local` is the record that it was given. */
static agentchat_status settle(agentchat_sink *sink, agentchat_status status, agentchat_error *local, const char *verb,
                               agentchat_error *err)
{
    if (status == AGENTCHAT_OK)
        return AGENTCHAT_OK;
    sink->failed = true;
    if (status > 0) {
        agentchat_error_clear(local);
        status = aci_fail(local, AGENTCHAT_E_CALLBACK, "the sink's %s function broke its contract: it returned %d",
                          verb, (int)status);
    }
    if (local->code == 0)
        aci_fail(local, status, "the sink failed to %s: %s", verb, agentchat_status_text(status));
    local->code = status;
    aci_error_source(local, sink->name);
    if (err != NULL && err->code == 0)
        *err = *local;
    return status;
}

static agentchat_status check_usable(const agentchat_sink *sink, agentchat_error *err)
{
    if (sink->committed)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the sink has been committed already");
    if (sink->failed)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the sink has failed before and can only be released");
    return AGENTCHAT_OK;
}

agentchat_status aci_sink_write(agentchat_sink *sink, const void *bytes, size_t len, agentchat_error *err)
{
    agentchat_error local;
    agentchat_status status = check_usable(sink, err);

    if (status < 0 || len == 0)
        return status;
    agentchat_error_clear(&local);
    status = sink->ops.write(sink->self, bytes, len, &local);
    return settle(sink, status, &local, "write", err);
}

agentchat_status aci_sink_commit(agentchat_sink *sink, agentchat_error *err)
{
    agentchat_error local;
    agentchat_status status = check_usable(sink, err);

    if (status < 0)
        return status;
    agentchat_error_clear(&local);
    status = sink->ops.commit != NULL ? sink->ops.commit(sink->self, &local) : AGENTCHAT_OK;
    status = settle(sink, status, &local, "commit", err);
    sink->committed = status == AGENTCHAT_OK;
    return status;
}

/* One self for the sinks below; what a kind does not use stays zero. */
typedef struct simple_sink {
    const agentchat_env *env;
    agentchat_bytes *bytes;
    size_t start; /* length of bytes before */
    bool was_empty, committed;
    bool may_raise_sigpipe;
    FILE *file;
    int fd;
} simple_sink;

static agentchat_status memory_write(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    const simple_sink *s = self;

    return aci_buf_append_bytes(s->bytes, s->env, (agentchat_str){bytes, len}, err);
}

static agentchat_status memory_commit(void *self, agentchat_error *err)
{
    simple_sink *s = self;
    agentchat_status status = AGENTCHAT_OK;

    if (s->bytes->ptr == NULL) /* nothing was written: an empty text all the same */
        status = aci_buf_append_bytes(s->bytes, s->env, AGENTCHAT_STR(""), err);
    s->committed = status == AGENTCHAT_OK;
    return status;
}

static void memory_free(void *self)
{
    simple_sink *s = self;

    if (!s->committed && s->was_empty) {
        agentchat_bytes_clear(s->bytes);
    } else if (!s->committed && s->bytes->len > s->start) {
        s->bytes->len = s->start;
        s->bytes->ptr[s->start] = '\0';
    }
    aci_free(s->env, s, sizeof *s);
}

static agentchat_status fd_write(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    const simple_sink *s = self;
    aci_sigpipe pipe = {.is_held = false};
    int result;

    if (s->may_raise_sigpipe)
        aci_posix_sigpipe_hold(&pipe);
    result = aci_posix_write_all(s->fd, bytes, len);
    aci_posix_sigpipe_release(&pipe);
    return result == 0 ? AGENTCHAT_OK : aci_fail_errno(err, AGENTCHAT_E_IO, errno, "cannot write");
}

/* Writes to the FILE; NULL bytes: what it still holds. */
static agentchat_status file_put(const simple_sink *s, const void *bytes, size_t len, agentchat_error *err)
{
    aci_sigpipe pipe = {.is_held = false};
    bool good;

    if (s->may_raise_sigpipe)
        aci_posix_sigpipe_hold(&pipe);
    errno = 0;
    good = bytes != NULL ? fwrite(bytes, 1, len, s->file) == len : fflush(s->file) == 0;
    aci_posix_sigpipe_release(&pipe);
    return good ? AGENTCHAT_OK : aci_fail_errno(err, AGENTCHAT_E_IO, errno != 0 ? errno : EIO, "cannot write");
}

static agentchat_status file_write(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    return file_put(self, bytes, len, err);
}

static agentchat_status file_commit(void *self, agentchat_error *err)
{
    return file_put(self, NULL, 0, err);
}

static void simple_free(void *self)
{
    simple_sink *s = self;

    aci_free(s->env, s, sizeof *s);
}

static agentchat_status make(const agentchat_env *env, const agentchat_sink_ops *ops, simple_sink start,
                             agentchat_sink **out, agentchat_error *err)
{
    simple_sink *self;

    env = aci_env(env);
    self = aci_alloc(env, sizeof *self);
    if (self == NULL)
        return aci_fail_nomem(err);
    *self = start;
    self->env = env;
    return aci_sink_make(env, ops, self, NULL, out, err);
}

/* What every constructor begins with. */
static agentchat_status begin(agentchat_sink **out, bool argument_is_good, const char *complaint, agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    return argument_is_good ? AGENTCHAT_OK : aci_fail(err, AGENTCHAT_E_INVALID, "%s", complaint);
}

agentchat_status agentchat_sink_memory(const agentchat_env *env, agentchat_bytes *bytes, agentchat_sink **out,
                                       agentchat_error *err)
{
    static const agentchat_sink_ops ops = {sizeof ops, memory_write, memory_commit, memory_free};
    agentchat_status status = begin(out, bytes != NULL, "bytes must not be NULL", err);

    if (status < 0)
        return status;
    if (bytes->ptr != NULL && aci_env(bytes->env) != aci_env(env))
        return aci_fail(err, AGENTCHAT_E_INVALID, "the bytes to append to belong to another environment");
    return make(env, &ops, (simple_sink){.bytes = bytes, .start = bytes->len, .was_empty = bytes->ptr == NULL}, out,
                err);
}

agentchat_status agentchat_sink_fd(const agentchat_env *env, int fd, agentchat_sink **out, agentchat_error *err)
{
    static const agentchat_sink_ops ops = {sizeof ops, fd_write, NULL, simple_free};
    agentchat_status status = begin(out, fd >= 0, "a file descriptor cannot be negative", err);

    if (status < 0)
        return status;
    return make(env, &ops, (simple_sink){.fd = fd, .may_raise_sigpipe = aci_posix_may_raise_sigpipe(fd)}, out, err);
}

agentchat_status agentchat_sink_file(const agentchat_env *env, FILE *file, agentchat_sink **out, agentchat_error *err)
{
    static const agentchat_sink_ops ops = {sizeof ops, file_write, file_commit, simple_free};
    agentchat_status status = begin(out, file != NULL, "file must not be NULL", err);

    if (status < 0)
        return status;
    return make(env, &ops, (simple_sink){.file = file, .may_raise_sigpipe = aci_posix_may_raise_sigpipe(fileno(file))},
                out, err);
}
