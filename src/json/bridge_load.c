/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON text to jansson values.
 *
 * jansson's own parser would change some values silently (numbers beyond the precision of a double; a text that grows
 * while memory is short loses bytes) and refuses others without saying where. So the text is walked with the library's
 * own reader first, which refuses what jansson could not hold unchanged, and then once more to make the values one by
 * one.
 */
#include <agentchat/json.h>

#include "base/error.h"
#include "json/bridge.h"
#include "json/reader_internal.h"
#include "json/value.h"
#include <math.h>
#include <stdlib.h>

/* Values inside values, the innermost scalar counted: JSON_PARSER_MAX_DEPTH of jansson. */
enum { JANSSON_LEVELS = 2048 };

static bool refuse(aci_json_reader *r, const char *why)
{
    return aci_json_fail(r, AGENTCHAT_E_UNSUPPORTED, "%s", why);
}

/* The value of an integer; false: it is beyond 64 bits. */
static bool read_int64(agentchat_str digits, int64_t *out)
{
    bool negative = digits.ptr[0] == '-';
    int64_t value = 0;

    for (size_t i = negative ? 1 : 0; i < digits.len; i++) {
        int digit = digits.ptr[i] - '0';

        if (__builtin_mul_overflow(value, (int64_t)10, &value) ||
            __builtin_add_overflow(value, (int64_t)(negative ? -digit : digit), &value))
            return false;
    }
    *out = value;
    return true;
}

/* The double nearest to a number, and the number's canonical text in `canonical`; infinite for one beyond a double. */
static agentchat_status nearest_real(agentchat_str text, aci_buf *canonical, double *out)
{
    char spelled[ACI_REAL_SIZE];

    *out = INFINITY;
    if (!aci_json_canonical_number(text, canonical))
        return AGENTCHAT_E_NOMEM;
    if (canonical->len >= sizeof(spelled)) /* more digits than any double needs, or an exponent that none has */
        return AGENTCHAT_OK;
    memcpy(spelled, canonical->ptr, canonical->len); /* without the point that depends on the locale */
    spelled[canonical->len] = '\0';
    *out = copysign(strtod(spelled, NULL), text.ptr[0] == '-' ? -1.0 : 1.0); /* a canonical zero has no sign */
    return AGENTCHAT_OK;
}

/* Whether the double nearest to the number spells the very same number. */
static agentchat_status check_real(agentchat_str text, bool *exact)
{
    const agentchat_env *env = aci_env(NULL);
    char spelled[ACI_REAL_SIZE];
    aci_buf wanted, got;
    agentchat_status status;
    double value;

    *exact = false;
    aci_buf_init(&wanted, env, SIZE_MAX);
    aci_buf_init(&got, env, SIZE_MAX);
    status = nearest_real(text, &wanted, &value);
    if (status < 0 || !isfinite(value))
        goto cleanup;
    if (!aci_json_canonical_number((agentchat_str){spelled, aci_json_real_print(value, spelled)}, &got)) {
        status = AGENTCHAT_E_NOMEM;
        goto cleanup;
    }
    *exact = got.len == wanted.len && memcmp(got.ptr, wanted.ptr, got.len) == 0;
cleanup:
    aci_buf_clear(&wanted);
    aci_buf_clear(&got);
    return status;
}

static bool is_integer(agentchat_str number)
{
    return memchr(number.ptr, '.', number.len) == NULL && memchr(number.ptr, 'e', number.len) == NULL &&
           memchr(number.ptr, 'E', number.len) == NULL;
}

static bool check_number(aci_json_reader *r, agentchat_str text)
{
    int64_t integer;
    bool exact;

    if (is_integer(text))
        return read_int64(text, &integer) || refuse(r, "an integer does not fit into jansson's 64 bits");
    if (check_real(text, &exact) < 0)
        return aci_json_fail(r, AGENTCHAT_E_NOMEM, "out of memory");
    return exact || refuse(r, "a number is beyond the range or precision of a double");
}

static bool check_value(aci_json_reader *r)
{
    aci_json_kind kind = aci_json_peek(r);
    agentchat_str text;

    if (kind == ACI_JSON_ERROR)
        return false;
    if (r->depth == JANSSON_LEVELS)
        return refuse(r, "nested deeper than jansson reads");
    if (kind == ACI_JSON_OBJECT)
        return aci_json_object(r);
    if (kind == ACI_JSON_ARRAY)
        return aci_json_array(r);
    if (!aci_json_raw(r, &text))
        return false;
    if (kind == ACI_JSON_STRING && aci_json_has_lone_surrogates(text))
        return refuse(r, "a string holds half a surrogate pair, which jansson cannot hold");
    return kind != ACI_JSON_NUMBER || check_number(r, text);
}

static void begin(aci_json_reader *r, agentchat_str text, agentchat_error *err)
{
    aci_json_options options = {.max_depth = JANSSON_LEVELS + 1};

    aci_json_begin(r, &options, (char *)(uintptr_t)text.ptr, text.len, err);
}

/* Walks through the text: whether it is JSON, and its values and names are such as jansson can hold. */
static agentchat_status check_all(agentchat_str text, agentchat_error *err)
{
    aci_json_reader r;

    begin(&r, text, err);
    do {
        const aci_json_frame *frame = r.depth > 0 ? &r.frames[r.depth - 1] : NULL;

        if (frame != NULL && frame->is_object &&
            aci_json_has_lone_surrogates((agentchat_str){frame->key, frame->key_len}))
            (void)refuse(&r, "a name holds half a surrogate pair, which jansson cannot hold");
    } while (check_value(&r) && aci_json_reader_walk_next(&r, 0));
    (void)aci_json_end(&r);
    return aci_json_close(&r);
}

/* ---- making values -------------------------------------------------------------------------------------------- */

typedef struct load {
    aci_json_reader r;
    json_t *root;  /* owned; all values are in it */
    json_t **open; /* the containers that the reader stands in, the outermost first */
    size_t open_cap;
    aci_buf name, text; /* room for what is spelled with escapes */
} load;

/* The text between the quotes of a raw string; with escapes it is decoded into `room`. false: out of memory. */
static bool decode(agentchat_str raw, aci_buf *room, agentchat_str *out)
{
    *out = (agentchat_str){raw.ptr + 1, raw.len - 2};
    if (memchr(raw.ptr, '\\', raw.len) == NULL)
        return true;
    room->len = 0;
    if (!aci_json_unquote(raw, room))
        return false;
    *out = aci_buf_str(room);
    return true;
}

/* NULL: out of memory. */
static json_t *make_number(agentchat_str text)
{
    int64_t integer = 0;
    double real = 0;
    aci_buf canonical;
    agentchat_status status;

    if (is_integer(text))
        return read_int64(text, &integer) ? json_integer(integer) : NULL;
    aci_buf_init(&canonical, aci_env(NULL), SIZE_MAX);
    status = nearest_real(text, &canonical, &real);
    aci_buf_clear(&canonical);
    return status >= 0 ? json_real(real) : NULL;
}

/* The value at which the reader stands; of a container, which the reader then stands in, an empty one. NULL: out of
   memory. */
static json_t *make_value(load *l)
{
    aci_json_kind kind = aci_json_peek(&l->r);
    agentchat_str text;

    if (kind == ACI_JSON_OBJECT)
        return aci_json_object(&l->r) ? json_object() : NULL;
    if (kind == ACI_JSON_ARRAY)
        return aci_json_array(&l->r) ? json_array() : NULL;
    if (!aci_json_raw(&l->r, &text))
        return NULL;
    if (kind == ACI_JSON_STRING)
        return decode(text, &l->text, &text) ? json_stringn_nocheck(text.ptr, text.len) : NULL;
    if (kind == ACI_JSON_NUMBER)
        return make_number(text);
    return kind == ACI_JSON_TRUE ? json_true() : kind == ACI_JSON_FALSE ? json_false() : json_null();
}

/* The name of the current member, which must not be in its object yet. */
static bool take_name(load *l, agentchat_str *name)
{
    const aci_json_frame *frame = &l->r.frames[l->r.depth - 1];

    if (!decode((agentchat_str){frame->key - 1, frame->key_len + 2}, &l->name, name))
        return aci_json_fail(&l->r, AGENTCHAT_E_NOMEM, "out of memory");
    if (memchr(name->ptr, '\0', name->len) != NULL)
        return refuse(&l->r, "a name holds U+0000, which jansson cannot hold");
    if (json_object_getn(l->open[l->r.depth - 1], name->ptr, name->len) != NULL)
        return refuse(&l->r, "a name stands twice in an object, which jansson cannot hold");
    return true;
}

/* Adds a value to its container, which takes ownership of it, on failure too. */
static bool attach(load *l, json_t *parent, agentchat_str name, json_t *value)
{
    if (parent == NULL)
        l->root = value;
    else if (json_is_array(parent))
        return json_array_append_new(parent, value) == 0;
    else
        return json_object_setn_new_nocheck(parent, name.ptr, name.len, value) == 0;
    return value != NULL;
}

static bool load_value(load *l)
{
    size_t depth = l->r.depth;
    json_t *parent = depth > 0 ? l->open[depth - 1] : NULL, *value;
    agentchat_str name = {NULL, 0};
    void *array;
    bool ok;

    if (json_is_object(parent) && !take_name(l, &name))
        return false;
    value = make_value(l);
    ok = attach(l, parent, name, value);
    if (ok && l->r.depth > depth) {
        array = l->open;
        ok = aci_grow(aci_env(NULL), &array, &l->open_cap, depth, sizeof(json_t *));
        l->open = array;
        if (ok)
            l->open[depth] = value;
    }
    if (!ok)
        (void)aci_json_fail(&l->r, AGENTCHAT_E_NOMEM, "out of memory");
    return ok;
}

/* Makes the values of a text that was checked. */
static agentchat_status make_all(agentchat_str text, json_t **out, agentchat_error *err)
{
    const agentchat_env *env = aci_env(NULL);
    load l = {.root = NULL};
    agentchat_status status;

    aci_buf_init(&l.name, env, SIZE_MAX);
    aci_buf_init(&l.text, env, SIZE_MAX);
    begin(&l.r, text, err);
    while (load_value(&l) && aci_json_reader_walk_next(&l.r, 0))
        continue;
    status = aci_json_close(&l.r);
    aci_buf_clear(&l.name);
    aci_buf_clear(&l.text);
    aci_free(env, l.open, l.open_cap * sizeof(json_t *));
    if (status >= 0)
        *out = l.root;
    else
        json_decref(l.root);
    return status;
}

agentchat_status agentchat_json_load(agentchat_str text, json_t **out, agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (text.ptr == NULL || agentchat_str_is_null(text))
        return aci_fail(err, AGENTCHAT_E_INVALID, "there is no JSON text to read");
    status = check_all(text, err);
    return status < 0 ? status : make_all(text, out, err);
}

/* ---- fields --------------------------------------------------------------------------------------------------- */

static agentchat_status load_field(agentchat_str text, json_t **out, agentchat_error *err)
{
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (agentchat_str_is_null(text))
        return agentchat_json_load(AGENTCHAT_STR("null"), out, err);
    return text.ptr == NULL ? AGENTCHAT_OK : agentchat_json_load(text, out, err);
}

agentchat_status agentchat_message_get_json(const agentchat_message *message, agentchat_field field, json_t **out,
                                            agentchat_error *err)
{
    agentchat_error_clear(err);
    return load_field(agentchat_message_get(message, field), out, err);
}

agentchat_status agentchat_item_get_json(const agentchat_item *item, agentchat_field field, json_t **out,
                                         agentchat_error *err)
{
    agentchat_error_clear(err);
    return load_field(agentchat_item_get(item, field), out, err);
}
