#include "scene/reader.h"

#include "base/text.h"
#include "scene/color_names.h"
#include "scene/key_owner.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_MAX_LENGTH = 512, NAMES_MAX = 64, INT_DIGITS = 24 };

/* Limit of nested methods (such as shapes), since each level uses stack space. */
enum { METHODS_DEEP = 32 };

typedef struct reader {
    const mo_read_source *source;
    mo_arena *arena;
    mote_error *error;
    char path[PATH_MAX_LENGTH];
    int depth;     /* of methods in methods */
    json_t *names; /* section -> name -> index, of sections that were referred to */
} reader;

static mote_status read_value(reader *r, json_t *value, const mo_param *param, void *out);

/* "scene.json: bodies[0].mass: ..." */
static mote_status fail(reader *r, const char *format, ...) MO_PRINTF(2, 3);
static mote_status fail(reader *r, const char *format, ...)
{
    char text[1400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return mo_fail(r->error, MOTE_ERROR_INPUT, "%s: %s%s%s", r->source->file, r->path,
                   r->path[0] ? ": " : "", text);
}

/* Appends a child to the current path; the returned length restores it. */
static size_t enter(reader *r, const char *name)
{
    size_t length = strlen(r->path);
    snprintf(r->path + length, sizeof r->path - length, "%s%.100s", length ? "." : "", name);
    return length;
}

static size_t enter_index(reader *r, size_t index)
{
    size_t length = strlen(r->path);
    snprintf(r->path + length, sizeof r->path - length, "[%zu]", index);
    return length;
}

static void leave(reader *r, size_t length)
{
    r->path[length] = '\0';
}

static const char *type_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        return "null";
    }
    return "something else";
}

/* Words of the field for other quantities than a key of similar spelling: mu is not nu. */
typedef struct synonym {
    const char *word, *key, *relation;
} synonym;

static const synonym SYNONYMS[] = {
    {"mu", "nu", "the kinematic viscosity, dynamic viscosity over density"},
    {"eta", "nu", "the kinematic viscosity, dynamic viscosity over density"},
    {"dynamic_viscosity", "nu", "the kinematic viscosity, dynamic viscosity over density"},
    {"mu", "viscosity", "the kinematic viscosity, dynamic viscosity over density"},
    {"eta", "viscosity", "the kinematic viscosity, dynamic viscosity over density"},
    {"nu", "viscosity", "the kinematic viscosity"},
    {"dynamic_viscosity", "viscosity", "the kinematic viscosity, dynamic viscosity over density"},
    {"mu", "friction", "Coulomb's coefficient"},
    {"rho", "density", "mass per volume"},
    {"nu", "poisson", "Poisson's ratio"},
    {"youngs_modulus", "young", "Young's modulus"},
    {"E", "young", "Young's modulus"},
};

/* The first synonym of a word whose key is among the names; NULL: none. */
static const synonym *synonym_of(const char *word, const char *const *names, int count)
{
    for (size_t s = 0; s < sizeof SYNONYMS / sizeof *SYNONYMS; ++s) {
        for (int k = 0; strcmp(SYNONYMS[s].word, word) == 0 && k < count; ++k) {
            if (strcmp(SYNONYMS[s].key, names[k]) == 0) {
                return &SYNONYMS[s];
            }
        }
    }
    return NULL;
}

/* "; did you mean 'x'?" or nothing, and then the names allowed. */
static void suggest(const char *word, const char *const *names, int count, char *out, size_t size)
{
    const synonym *other = synonym_of(word, names, count);
    const char *nearest = other ? other->key : mo_nearest(word, names, count);
    int used =
        snprintf(out, size, nearest ? "; did you mean '%s'%s%s? allowed: " : "; allowed: ", nearest,
                 other ? ", " : "", other ? other->relation : "");
    for (int k = 0; k < count && (size_t)used < size; ++k) {
        used += snprintf(out + used, size - (size_t)used, "%s%s", k ? ", " : "", names[k]);
    }
}

const mo_param *mo_read_param_find(const mo_param *params, const char *name)
{
    for (const mo_param *p = params; p && p->name; ++p) {
        if (strcmp(p->name, name) == 0) {
            return p;
        }
    }
    return NULL;
}

/* family: of the method with these keys; NULL: a section. */
static mote_status fail_unknown_key(reader *r, const char *key, const mo_section *keys,
                                    const mo_family *family)
{
    const char *names[NAMES_MAX];
    int count = 0;
    const mo_param *p;
    if (family) {
        names[count++] = "type";
    }
    for (int k = 0; (p = mo_section_param(keys, k)) != NULL && count < NAMES_MAX; ++k) {
        names[count++] = p->name;
    }
    char owner[1000], hint[1000];
    mo_key_owner(key, keys, family, owner, sizeof owner);
    suggest(key, names, count, hint, sizeof hint);
    enter(r, key);
    return fail(r, "unknown key%s%s", owner, hint);
}

/* The allowed range of a parameter: "(0, inf) kg". */
typedef struct allowance {
    char text[120];
} allowance;

static allowance allowed(const mo_param *param)
{
    allowance a;
    snprintf(a.text, sizeof a.text, "%s%s%s", param->range ? param->range : "any finite number",
             param->unit ? " " : "", param->unit ? param->unit : "");
    return a;
}

static mote_status fail_no_number(reader *r, const char *expected, json_t *value,
                                  const mo_param *param)
{
    const char *text = json_string_value(value);
    return fail(r, "expected %s, found %s%s%.60s%s; allowed: %s", expected,
                text ? "the string" : type_of(value), text ? " '" : "", text ? text : "",
                text ? "'" : "", allowed(param).text);
}

/* Every value of a scene can be squared without overflow or underflow: norms of vectors, squared
 * ranges and speeds. */
static bool can_be_squared(double number)
{
    return number == 0 || (fabs(number) >= 1e-150 && fabs(number) <= 1e150);
}

static mote_status read_real(reader *r, json_t *value, const mo_param *param, double *out)
{
    if (!json_is_number(value)) {
        return fail_no_number(r, "a number", value, param);
    }
    double number = json_number_value(value);
    if (!isfinite(number) || !mo_range_contains(mo_range_parse(param->range), number)) {
        return fail(r, "%.12g is out of range; allowed: %s", number, allowed(param).text);
    }
    if (!can_be_squared(number)) {
        return fail(
            r, "%.12g is out of range; allowed: %s, with magnitudes of 0 or from 1e-150 to 1e150",
            number, allowed(param).text);
    }
    *out = number;
    return MOTE_OK;
}

static mote_status read_int(reader *r, json_t *value, const mo_param *param, int64_t *out)
{
    double number = json_number_value(value), checked;
    if (!json_is_number(value)) {
        return fail_no_number(r, "an integer", value, param);
    }
    if (number != floor(number)) {
        return fail(r, "expected an integer, found %.12g; allowed: %s", number,
                    allowed(param).text);
    }
    if (fabs(number) >= 0x1p53) {
        return fail(r, "%.12g is out of range; allowed: integers up to 9e15", number);
    }
    MO_TRY(read_real(r, value, param, &checked));
    *out = (int64_t)checked;
    return MOTE_OK;
}

static mote_status read_color(reader *r, const char *name, double *out)
{
    mo_vec3 color;
    if (!mo_color_named(name, &color)) {
        const char *nearest = mo_color_nearest(name);
        return fail(r,
                    "there is no colour '%.60s'%s%s%s allowed: [red, green, blue] from 0 to 1, "
                    "\"#rrggbb\", or a name of CSS: white, silver, gray, black, red, orange, gold, "
                    "yellow, green, teal, skyblue, steelblue, blue, purple, brown, ...",
                    name, nearest ? "; did you mean '" : ";", nearest ? nearest : "",
                    nearest ? "'?" : "");
    }
    mo_vec3_store(out, color);
    return MOTE_OK;
}

static mote_status read_vec3(reader *r, json_t *value, const mo_param *param, double *out)
{
    if (json_is_string(value) && param->unit && strcmp(param->unit, MO_COLOR_UNIT) == 0) {
        return read_color(r, json_string_value(value), out);
    }
    json_t *wrong = json_is_array(value) ? json_array_get(value, 0) : value;
    if (!json_is_array(value) || json_is_string(wrong)) {
        return fail(r, "expected three numbers, [x, y, z]%s%s, found %s; %.200s",
                    param->unit ? " in " : "", param->unit ? param->unit : "", type_of(wrong),
                    param->doc);
    }
    if (json_array_size(value) != 3) {
        return fail(r, "expected three numbers, [x, y, z]%s%s, found %zu",
                    param->unit ? " in " : "", param->unit ? param->unit : "",
                    json_array_size(value));
    }
    for (size_t k = 0; k < 3; ++k) {
        size_t length = enter_index(r, k);
        MO_TRY(read_real(r, json_array_get(value, k), param, &out[k]));
        leave(r, length);
    }
    return MOTE_OK;
}

static mote_status keep_text(reader *r, const char *text, const char **out)
{
    *out = mo_arena_text(r->arena, text);
    return *out ? MOTE_OK : mo_fail_memory(r->error, strlen(text));
}

/* Splits "a|b|c" into names; `buffer` stores the parts. */
static int split_choices(const char *choices, char *buffer, size_t size, const char **names)
{
    int count = 0;
    snprintf(buffer, size, "%s", choices);
    for (char *rest = buffer, *piece; count < NAMES_MAX && (piece = strsep(&rest, "|"));) {
        names[count++] = piece;
    }
    return count;
}

static mote_status read_string(reader *r, json_t *value, const mo_param *param, const char **out)
{
    if (!json_is_string(value)) {
        return fail(r, "expected a string, found %s", type_of(value));
    }
    const char *text = json_string_value(value);
    if (param->choices) {
        char buffer[256], hint[600];
        const char *names[NAMES_MAX];
        int count = split_choices(param->choices, buffer, sizeof buffer, names);
        bool known = false;
        for (int k = 0; k < count; ++k) {
            known = known || strcmp(names[k], text) == 0;
        }
        if (!known) {
            suggest(text, names, count, hint, sizeof hint);
            return fail(r, "'%.100s' is not a choice%s", text, hint);
        }
    }
    return keep_text(r, text, out);
}

static mote_status read_file_name(reader *r, json_t *value, const mo_param *param, const char **out)
{
    const char *text;
    struct stat info;
    MO_TRY(read_string(r, value, param, &text));
    char full[2048];
    bool absolute = text[0] == '/' || !r->source->directory[0];
    snprintf(full, sizeof full, "%s%s%s", absolute ? "" : r->source->directory, absolute ? "" : "/",
             text);
    if (stat(full, &info) != 0 || access(full, R_OK) != 0) {
        return fail(
            r,
            "the file '%.400s' cannot be read; relative paths refer to the directory of the "
            "scene",
            full);
    }
    if (!S_ISREG(info.st_mode)) {
        return fail(r, "'%.400s' is not a file", full);
    }
    return keep_text(r, full, out);
}

static mote_status read_curve_point(reader *r, json_t *point, const mo_param *param, double *time,
                                    double *value)
{
    static const mo_param TIME = {.name = "time", .type = MO_REAL, .unit = "s"};
    if (!json_is_array(point) || json_array_size(point) != 2) {
        return fail(r, "expected a point [time, value], found %s", type_of(point));
    }
    MO_TRY(read_real(r, json_array_get(point, 0), &TIME, time));
    return read_real(r, json_array_get(point, 1), param, value);
}

static mote_status read_curve(reader *r, json_t *value, const mo_param *param, mo_curve *out)
{
    size_t count = json_is_array(value) ? json_array_size(value) : 1;
    if (count == 0) {
        return fail(r, "expected a number or points [[time, value], ...], found an empty list");
    }
    double *numbers = mo_arena_allocate(r->arena, 2 * count * sizeof(double));
    if (!numbers) {
        return mo_fail_memory(r->error, 2 * count * sizeof(double));
    }
    *out = (mo_curve){(int)count, numbers, numbers + count};
    if (!json_is_array(value)) {
        return read_real(r, value, param, numbers + count);
    }
    for (size_t k = 0; k < count; ++k) {
        size_t length = enter_index(r, k);
        MO_TRY(
            read_curve_point(r, json_array_get(value, k), param, &numbers[k], &numbers[count + k]));
        if (k > 0 && !(numbers[k] > numbers[k - 1])) {
            return fail(r, "times must increase, %g is not after %g", numbers[k], numbers[k - 1]);
        }
        leave(r, length);
    }
    return MOTE_OK;
}

/* The indices of the named things of a section: a table, since a net of bodies has as many
 * references as names. The first of two things with one name counts. NULL: no memory. */
static json_t *indices_of(reader *r, const char *target, const json_t *things)
{
    json_t *indices = json_object_get(r->names, target), *thing;
    size_t k;
    if (indices) {
        return indices;
    }
    r->names = r->names ? r->names : json_object();
    indices = json_object();
    json_array_foreach(things, k, thing)
    {
        const char *name = json_string_value(json_object_get(thing, "name"));
        if (name && !json_object_get(indices, name)) {
            json_object_set_new(indices, name, json_integer((json_int_t)k));
        }
    }
    return json_object_set_new(r->names, target, indices) == 0 ? indices : NULL;
}

static mote_status fail_unknown_name(reader *r, const char *target, const json_t *things,
                                     const char *unknown)
{
    const char *names[NAMES_MAX];
    char hint[1000];
    const json_t *thing;
    int count = 0;
    size_t k;
    json_array_foreach(things, k, thing)
    {
        const char *name = json_string_value(json_object_get(thing, "name"));
        if (name && count < NAMES_MAX) {
            names[count++] = name;
        }
    }
    suggest(unknown, names, count, hint, sizeof hint);
    return fail(r, "nothing in '%s' is named '%.100s'%s", target, unknown, hint);
}

static mote_status read_reference(reader *r, json_t *value, const mo_param *param,
                                  mo_reference *out)
{
    MO_TRY(read_string(r, value, param, &out->name));
    const json_t *things = json_object_get(r->source->root, param->target);
    const json_t *indices = indices_of(r, param->target, things);
    if (!indices) {
        return mo_fail_memory(r->error, json_array_size(things));
    }
    const json_t *index = json_object_get(indices, out->name);
    if (!index) {
        return fail_unknown_name(r, param->target, things, out->name);
    }
    out->index = (int64_t)json_integer_value(index);
    return MOTE_OK;
}

json_t *mo_read_method_object(const mo_family *family, json_t *value)
{
    if (json_is_object(value)) {
        return json_copy(value);
    }
    if (json_is_string(value)) {
        return json_pack("{s:O}", "type", value);
    }
    const mo_descriptor *selected =
        family->number_selects ? mo_family_find(family, family->number_selects) : NULL;
    if (json_is_number(value) && selected && selected->params[0].name) {
        return json_pack("{s:s,s:O}", "type", selected->name, selected->params[0].name, value);
    }
    return NULL;
}

static mote_status fail_not_a_method(reader *r, const mo_family *family, const json_t *value)
{
    const char *example =
        family->number_selects ? family->number_selects : mo_family_at(family, 0)->name;
    return fail(r, "expected {\"type\": \"%s\", ...} or another %s%s, found %s", example,
                family->name, family->number_selects ? " or a number" : "", type_of(value));
}

/* ", or a number: size of fixed, in s": the short form of the family's default method, if any. */
static void mention_number(const mo_family *family, char *out, size_t size)
{
    const mo_descriptor *selected =
        family->number_selects ? mo_family_find(family, family->number_selects) : NULL;
    const mo_param *first = selected && selected->params[0].name ? selected->params : NULL;
    out[0] = '\0';
    if (first) {
        snprintf(out, size, ", or a number: %s of %s%s%s", first->name, selected->name,
                 first->unit ? ", in " : "", first->unit ? first->unit : "");
    }
}

/* `bare`: the scene has the name only instead of an object with a "type". */
static mote_status find_method(reader *r, const mo_family *family, json_t *object, bool bare,
                               const mo_descriptor **out)
{
    const char *names[NAMES_MAX];
    int count = 0;
    for (int k = 0; k < mo_family_count(family) && count < NAMES_MAX; ++k) {
        names[count++] = mo_family_at(family, k)->name;
    }
    json_t *type = json_object_get(object, "type");
    char hint[1000], number[120] = "";
    if (!type) {
        suggest("", names, count, hint, sizeof hint);
        return fail(r, "a %s needs a \"type\"%s", family->name, hint);
    }
    if (!json_is_string(type)) {
        enter(r, "type");
        return fail(r, "the type of a %s is a string, found %s", family->name, type_of(type));
    }
    *out = mo_family_find(family, json_string_value(type));
    if (!*out) {
        suggest(json_string_value(type), names, count, hint, sizeof hint);
        if (bare) {
            mention_number(family, number, sizeof number);
        } else {
            enter(r, "type");
        }
        return fail(r, "there is no %s '%.100s'%s%s", family->name, json_string_value(type), hint,
                    number);
    }
    return MOTE_OK;
}

/* Reads the keys present, then sets the defaults of the others. */
static mote_status read_fields(reader *r, json_t *object, const mo_section *keys,
                               const mo_family *family, void *out);

static mote_status check_method(reader *r, const mo_descriptor *type, void *params)
{
    mote_error problem = {0};
    mote_status status = type->check ? type->check(params, &problem) : MOTE_OK;
    if (status == MOTE_OK && type->prepare) {
        status = type->prepare(params, r->arena, &problem);
    }
    if (status == MOTE_OK) {
        return MOTE_OK;
    }
    return mo_fail(r->error, status == MOTE_ERROR_MEMORY ? status : MOTE_ERROR_INPUT,
                   "%s: %s%s%.1400s", r->source->file, r->path, r->path[0] ? "." : "",
                   problem.text);
}

static mote_status read_method_object(reader *r, json_t *object, const mo_family *family, bool bare,
                                      mo_method *out)
{
    const mo_descriptor *type;
    MO_TRY(find_method(r, family, object, bare, &type));
    void *params = mo_arena_allocate(r->arena, type->param_size ? type->param_size : 1);
    if (!params) {
        return mo_fail_memory(r->error, type->param_size);
    }
    mo_section keys = mo_method_keys(type);
    MO_TRY(read_fields(r, object, &keys, family, params));
    *out = (mo_method){type, params};
    return check_method(r, type, params);
}

static mote_status read_method(reader *r, json_t *value, const mo_param *param, mo_method *out)
{
    json_t *object = mo_read_method_object(param->family, value);
    if (!object) {
        return fail_not_a_method(r, param->family, value);
    }
    if (r->depth == METHODS_DEEP) {
        json_decref(object);
        return fail(r, "a %s is nested more than %d levels deep; allowed: %d", param->family->name,
                    METHODS_DEEP - 1, METHODS_DEEP - 1);
    }
    ++r->depth;
    mote_status status = read_method_object(r, object, param->family, json_is_string(value), out);
    --r->depth;
    json_decref(object);
    return status;
}

static mote_status read_bool(reader *r, json_t *value, bool *out)
{
    if (!json_is_boolean(value)) {
        return fail(r, "expected true or false, found %s", type_of(value));
    }
    *out = json_is_true(value);
    return MOTE_OK;
}

static mote_status read_object(reader *r, json_t *value, const mo_section *section, void *out)
{
    if (!json_is_object(value)) {
        return fail(r, "expected an object {...}, found %s", type_of(value));
    }
    return read_fields(r, value, section, NULL, out);
}

static mote_status read_value(reader *r, json_t *value, const mo_param *param, void *out)
{
    switch (param->type) {
    case MO_BOOL:
        return read_bool(r, value, out);
    case MO_INT:
        return read_int(r, value, param, out);
    case MO_REAL:
        return read_real(r, value, param, out);
    case MO_VEC3:
        return read_vec3(r, value, param, out);
    case MO_STRING:
        return read_string(r, value, param, out);
    case MO_FILE:
        return read_file_name(r, value, param, out);
    case MO_CURVE:
        return read_curve(r, value, param, out);
    case MO_REFERENCE:
        return read_reference(r, value, param, out);
    case MO_METHOD:
        return read_method(r, value, param, out);
    case MO_SECTION:
        return read_object(r, value, param->section, out);
    }
    return fail(r, "has no type");
}

static mote_status read_list(reader *r, json_t *value, const mo_param *param, mo_list *out)
{
    if (!json_is_array(value)) {
        return fail(r, "expected a list [...], found %s", type_of(value));
    }
    size_t size = mo_param_size(param), count = json_array_size(value), k;
    char *items = mo_arena_allocate(r->arena, count * size + 1);
    if (!items) {
        return mo_fail_memory(r->error, count * size);
    }
    json_t *element;
    json_array_foreach(value, k, element)
    {
        size_t length = enter_index(r, k);
        MO_TRY(read_value(r, element, param, items + k * size));
        leave(r, length);
    }
    *out = (mo_list){(int64_t)count, items};
    return MOTE_OK;
}

const char *mo_read_preset(const mo_section *section, const json_t *object)
{
    return section->preset ? json_string_value(json_object_get(object, section->preset)) : NULL;
}

/* The value of an absent optional parameter without a default. */
static void set_absent(const mo_param *param, void *out)
{
    if (param->list) {
        return;
    }
    if (param->type == MO_REAL || param->type == MO_VEC3) {
        for (int k = 0; k < (param->type == MO_VEC3 ? 3 : 1); ++k) {
            ((double *)out)[k] = NAN;
        }
    } else if (param->type == MO_INT) {
        *(int64_t *)out = MO_ABSENT_INT;
    }
}

static mote_status read_default(reader *r, const mo_param *param, const char *initial, void *out)
{
    json_t *value = json_loads(initial, JSON_DECODE_ANY, NULL);
    if (!value) {
        return fail(r, "its default '%s' is not JSON", initial);
    }
    mote_status status =
        param->list ? read_list(r, value, param, out) : read_value(r, value, param, out);
    json_decref(value);
    return status;
}

static mote_status read_field(reader *r, json_t *object, const mo_section *keys,
                              const mo_param *param, void *out)
{
    const char *initial = mo_section_default(keys, param, mo_read_preset(keys, object));
    json_t *value = json_object_get(object, param->name);
    size_t length = enter(r, param->name);
    if (value) {
        MO_TRY(param->list ? read_list(r, value, param, out) : read_value(r, value, param, out));
    } else if (param->required) {
        leave(r, length);
        return fail(r, "the key \"%s\" is missing: %s", param->name, param->doc);
    } else if (initial) {
        MO_TRY(read_default(r, param, initial, out));
    } else {
        set_absent(param, out);
    }
    leave(r, length);
    return MOTE_OK;
}

static mote_status read_table(reader *r, json_t *object, const mo_section *keys, void *out)
{
    for (const mo_param *p = keys->params; p->name; ++p) {
        MO_TRY(read_field(r, object, keys, p, (char *)out + p->offset));
    }
    return MOTE_OK;
}

/* Reads the parts of a section, each into its own struct. */
static mote_status read_parts(reader *r, json_t *object, const mo_section *keys, void *out)
{
    const void **parts = (const void **)((char *)out + keys->parts_at);
    const mo_section *part;
    for (int k = 0; keys->part && (part = keys->part(k)) != NULL; ++k) {
        if (part->size > 0) {
            void *own = mo_arena_allocate(r->arena, part->size);
            if (!own) {
                return mo_fail_memory(r->error, part->size);
            }
            MO_TRY(read_table(r, object, part, own));
            parts[k] = own;
        }
    }
    return MOTE_OK;
}

static json_t *default_of(json_t *object, const mo_section *keys, const mo_param *param)
{
    const char *initial = mo_section_default(keys, param, mo_read_preset(keys, object));
    return initial ? json_loads(initial, JSON_DECODE_ANY, NULL) : NULL;
}

/* Whether a key has a value that lets others have an effect. */
static bool is_effective(const json_t *value, double above)
{
    return json_is_number(value)  ? fabs(json_number_value(value)) > above
           : json_is_array(value) ? json_array_size(value) > 0
                                  : value && !json_is_null(value) && !json_is_false(value);
}

/* A key that is set, while the one that it needs is not (mo_param.needs). Who gives both, one of
 * them off, knows. */
static mote_status check_needs(reader *r, json_t *object, const mo_section *keys,
                               const mo_param *param, const json_t *value)
{
    char name[64];
    const char *sign = param->needs ? strchr(param->needs, '>') : NULL;
    snprintf(name, sizeof name, "%.*s", sign ? (int)(sign - param->needs) : 63,
             param->needs ? param->needs : "");
    const mo_param *needed = param->needs ? mo_section_find(keys, name) : NULL;
    if (!needed || json_object_get(object, name)) {
        return MOTE_OK;
    }
    json_t *other = default_of(object, keys, needed);
    json_t *initial = default_of(object, keys, param);
    bool fits = is_effective(other, sign ? strtod(sign + 1, NULL) : 0) ||
                (initial && json_equal(initial, value));
    json_decref(other);
    json_decref(initial);
    if (fits) {
        return MOTE_OK;
    }
    size_t length = enter(r, param->name);
    mote_status status =
        sign ? fail(r, "it has no effect unless `%s` is above %s; set that or remove this", name,
                    sign + 1)
             : fail(r, "it has no effect without `%s`; set that or remove this", name);
    leave(r, length);
    return status;
}

static mote_status read_fields(reader *r, json_t *object, const mo_section *keys,
                               const mo_family *family, void *out)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        bool known = strcmp(key, "_") == 0 || (family && strcmp(key, "type") == 0);
        const mo_param *param = mo_section_find(keys, key);
        if (!known && !param) {
            return fail_unknown_key(r, key, keys, family);
        }
        if (param) {
            MO_TRY(check_needs(r, object, keys, param, value));
        }
    }
    MO_TRY(read_table(r, object, keys, out));
    return read_parts(r, object, keys, out);
}

mote_status mo_read_section(const mo_read_source *source, json_t *object, const mo_section *section,
                            mo_arena *arena, void *out, mote_error *error)
{
    reader r = {.source = source, .arena = arena, .error = error};
    memset(out, 0, section->size);
    mote_status status = read_object(&r, object, section, out);
    json_decref(r.names);
    return status;
}
