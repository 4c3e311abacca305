/*
 * Parameters of methods, set through their tables, since the struct of a method is private. A test
 * names parameters, or fills them randomly, which covers future methods.
 */
#ifndef TEST_SET_PARAM_H
#define TEST_SET_PARAM_H

#include "base/param.h"
#include "numbers.h"

enum { PARAMS_BYTES_MAX = 512, PARAMS_LIST_LENGTH = 5, PARAMS_LISTS_MAX = 4 };
enum { PARAMS_INNER_MAX = 8, PARAMS_INNER_BYTES = 256 };

typedef struct params {
    const mo_descriptor *type;
    _Alignas(16) unsigned char bytes[PARAMS_BYTES_MAX];
    mo_vec3 list[PARAMS_LISTS_MAX][PARAMS_LIST_LENGTH]; /* storage of random lists */
    int lists;
    /* methods that are parameters, alone or in a list */
    mo_method inner[PARAMS_INNER_MAX];
    _Alignas(16) unsigned char inner_bytes[PARAMS_INNER_MAX][PARAMS_INNER_BYTES];
    int inners;
} params;

static inline mo_method method_of(const params *p)
{
    return (mo_method){p->type, p->bytes};
}

/* The value of an absent parameter, as set by the scene reader. */
static inline void set_absent(const mo_param *param, void *at)
{
    const double nan[3] = {(double)NAN, (double)NAN, (double)NAN};
    const int64_t absent = MO_ABSENT_INT;
    if (param->list) {
        memset(at, 0, sizeof(mo_list));
    } else if (param->type == MO_REAL || param->type == MO_VEC3) {
        memcpy(at, nan, mo_param_size(param));
    } else if (param->type == MO_INT) {
        memcpy(at, &absent, sizeof absent);
    } else {
        memset(at, 0, mo_param_size(param));
    }
}

/* Parameters of a method, all absent. */
static inline void clear_params(params *p, const mo_descriptor *type)
{
    memset(p, 0, sizeof *p);
    p->type = type;
    assert_true(type->param_size <= sizeof p->bytes);
    for (const mo_param *param = type->params; param->name; ++param) {
        set_absent(param, p->bytes + param->offset);
    }
}

static inline void clear_params_of(params *p, const mo_family *family, const char *name)
{
    const mo_descriptor *type = mo_family_find(family, name);
    if (!type) {
        fail_msg("there is no %s '%s'", family->name, name);
    }
    clear_params(p, type);
}

/* The address of a parameter of this name and type. */
static inline void *param_at(params *p, const char *name, mo_param_type type, bool list)
{
    for (const mo_param *param = p->type->params; param->name; ++param) {
        if (strcmp(param->name, name) == 0 && param->type == type && param->list == list) {
            return p->bytes + param->offset;
        }
    }
    fail_msg("'%s' has no parameter '%s' of this type", p->type->name, name);
    return NULL;
}

static inline void set_real(params *p, const char *name, double value)
{
    memcpy(param_at(p, name, MO_REAL, false), &value, sizeof value);
}

static inline void set_int(params *p, const char *name, int64_t value)
{
    memcpy(param_at(p, name, MO_INT, false), &value, sizeof value);
}

static inline void set_bool(params *p, const char *name, bool value)
{
    memcpy(param_at(p, name, MO_BOOL, false), &value, sizeof value);
}

static inline void set_vec3(params *p, const char *name, mo_vec3 value)
{
    memcpy(param_at(p, name, MO_VEC3, false), &value, sizeof value);
}

/* The text is owned by the caller. */
static inline void set_choice(params *p, const char *name, const char *choice)
{
    memcpy(param_at(p, name, MO_STRING, false), &choice, sizeof choice);
}

static inline void set_file(params *p, const char *name, const char *path)
{
    memcpy(param_at(p, name, MO_FILE, false), &path, sizeof path);
}

/* The items are owned by the caller. */
static inline void set_list(params *p, const char *name, mo_param_type type, int64_t count,
                            void *items)
{
    mo_list list = {count, items};
    memcpy(param_at(p, name, type, true), &list, sizeof list);
}

static inline mote_status check_params(const params *p, mote_error *error)
{
    return p->type->check ? p->type->check(p->bytes, error) : MOTE_OK;
}

static inline void assert_refused(const params *p, const char *word)
{
    mote_error error = {0};
    assert_int_equal(check_params(p, &error), MOTE_ERROR_INPUT);
    assert_int_equal(error.status, MOTE_ERROR_INPUT);
    if (!strstr(error.text, word)) {
        fail_msg("'%s' does not speak of '%s'", error.text, word);
    }
    assert_int_equal(check_params(p, NULL), MOTE_ERROR_INPUT);
}

static inline double random_in_range(const char *text, uint64_t *random)
{
    mo_range range = mo_range_parse(text);
    double low = isfinite(range.low) ? range.low : -2,
           high = isfinite(range.high) ? range.high : low + 4;
    for (;;) {
        double value = random_between(random, low, high);
        if (mo_range_contains(range, value)) {
            return value;
        }
    }
}

/* One of "a|b|c", up to the end of the text: tested methods use its first letter. */
static inline const char *random_choice(const char *choices, uint64_t *random)
{
    const char *at = choices;
    for (int64_t k = random_below(random, 4); k > 0 && strchr(at, '|'); --k) {
        at = strchr(at, '|') + 1;
    }
    return at;
}

/* Numbers, vectors and choices only, for nested methods. */
static inline bool is_plain_method(const mo_descriptor *type)
{
    bool plain = !type->prepare && type->param_size <= PARAMS_INNER_BYTES;
    for (const mo_param *param = type->params; param->name; ++param) {
        plain = plain && !param->list &&
                (param->type == MO_REAL || param->type == MO_VEC3 || param->type == MO_STRING);
    }
    return plain;
}

/* A random plain method of a family with random parameters. */
static inline mo_method *random_inner(params *p, const mo_family *family, uint64_t *random)
{
    assert_true(p->inners < PARAMS_INNER_MAX);
    unsigned char *bytes = p->inner_bytes[p->inners];
    mo_method *inner = &p->inner[p->inners++];
    for (int attempt = 0; attempt < 10000; ++attempt) {
        const mo_descriptor *type =
            mo_family_at(family, (int)random_below(random, mo_family_count(family)));
        if (!is_plain_method(type)) {
            continue;
        }
        for (const mo_param *param = type->params; param->name; ++param) {
            bool absent = !param->required && !param->initial && random_below(random, 2);
            double value = absent ? (double)NAN : 0;
            mo_vec3 vector = mo_vec3_make((double)NAN, (double)NAN, (double)NAN);
            if (!absent && param->type == MO_REAL) {
                mo_range range = mo_range_parse(param->range);
                double low = isfinite(range.low) ? range.low : -2;
                value = random_between(random, low, isfinite(range.high) ? range.high : low + 2);
            } else if (!absent) {
                vector = random_vec3(random, 2);
            }
            const char *choice =
                param->type == MO_STRING ? random_choice(param->choices, random) : NULL;
            memcpy(bytes + param->offset,
                   param->type == MO_REAL     ? (const void *)&value
                   : param->type == MO_STRING ? (const void *)&choice
                                              : (const void *)&vector,
                   mo_param_size(param));
        }
        *inner = (mo_method){type, bytes};
        if (!type->check || type->check(bytes, NULL) == MOTE_OK) {
            return inner;
        }
    }
    fail_msg("no method of the family '%s' was found", family->name);
    return NULL;
}

static inline void set_random_method(params *p, const mo_param *param, uint64_t *random)
{
    mo_method *first = random_inner(p, param->family, random);
    if (!param->list) {
        memcpy(p->bytes + param->offset, first, sizeof *first);
        return;
    }
    mo_list list = {PARAMS_LIST_LENGTH, first};
    for (int k = 1; k < PARAMS_LIST_LENGTH; ++k) {
        random_inner(p, param->family, random);
    }
    memcpy(p->bytes + param->offset, &list, sizeof list);
}

/* Lists of numbers increase, as required for times. */
static inline void set_random_list(params *p, const mo_param *param, uint64_t *random)
{
    assert_true(p->lists < PARAMS_LISTS_MAX);
    mo_vec3 *vectors = p->list[p->lists++];
    double *numbers = &vectors[0].x, last = -1;
    for (int k = 0; k < PARAMS_LIST_LENGTH; ++k) {
        if (param->type == MO_VEC3) {
            vectors[k] = random_vec3(random, 2);
        } else {
            assert_int_equal(param->type, MO_REAL);
            last += random_between(random, 0.1, 1);
            memcpy(numbers + k, &last, sizeof last);
        }
    }
    set_list(p, param->name, param->type, PARAMS_LIST_LENGTH, vectors);
}

static inline void set_random(params *p, const mo_param *param, uint64_t *random)
{
    if (!param->required && !param->initial && random_below(random, 2)) {
        return; /* it may be absent, so let it */
    }
    if (param->type == MO_METHOD) {
        set_random_method(p, param, random);
        return;
    }
    if (param->list) {
        set_random_list(p, param, random);
        return;
    }
    switch (param->type) {
    case MO_BOOL:
        set_bool(p, param->name, random_below(random, 2));
        break;
    case MO_INT:
        set_int(p, param->name, (int64_t)random_in_range(param->range, random));
        break;
    case MO_REAL:
        set_real(p, param->name, random_in_range(param->range, random));
        break;
    case MO_VEC3:
        set_vec3(p, param->name,
                 param->range ? mo_vec3_make(random_in_range(param->range, random),
                                             random_in_range(param->range, random),
                                             random_in_range(param->range, random))
                              : random_vec3(random, 2));
        break;
    case MO_STRING: {
        const char *choice = random_choice(param->choices, random);
        memcpy(p->bytes + param->offset, &choice, sizeof choice);
        break;
    }
    case MO_FILE:
        set_file(p, param->name, MOTE_SCENES "/meshes/gem.obj");
        break;
    default:
        fail_msg("'%s.%s': say here how to fill a parameter of its type", p->type->name,
                 param->name);
    }
}

/* Random parameters accepted by the method's check. */
static inline void fill_params(params *p, const mo_descriptor *type, uint64_t *random)
{
    for (int attempt = 0; attempt < 1000; ++attempt) {
        clear_params(p, type);
        for (const mo_param *param = type->params; param->name; ++param) {
            set_random(p, param, random);
        }
        if (check_params(p, NULL) == MOTE_OK) {
            return;
        }
    }
    fail_msg("no parameters were found that '%s' accepts", type->name);
}

#endif
