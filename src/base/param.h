/*
 * Parameters, methods and families: the descriptor tables.
 *
 * A parameter is described once, in a mo_param, from which the scene reader, `mote explain`, the
 * JSON Schema and the reference pages are generated. The reader fills a plain C struct (offsets in
 * the table), so that methods do not parse JSON.
 *
 *   type           in JSON                          in the struct
 *   MO_BOOL        true                             bool
 *   MO_INT         3                                int64_t
 *   MO_REAL        0.5                              double                    (absent: NaN)
 *   MO_VEC3        [0, 0, 1]                        double[3], mo_vec3        (absent: NaN)
 *   MO_STRING      "text"                           const char *              (absent: NULL)
 *   MO_FILE        "mesh.obj", beside the scene     const char *, full path   (absent: NULL)
 *   MO_CURVE       0.5 or [[t, value], ...]         mo_curve
 *   MO_REFERENCE   "name" of an object              mo_reference
 *   MO_METHOD      {"type": "rk4", ...}, "rk4",     mo_method                 (absent: type NULL)
 *                  or a number: the family's default method with its first parameter
 *   MO_SECTION     {...}                            the section's struct, inline
 *   any of these with `list`: [ ... ]               mo_list
 * MO_SECTION is a part of a scene ("time", a body, a collider); a method never has one.
 */
#ifndef MO_BASE_PARAM_H
#define MO_BASE_PARAM_H

#include "base/error.h"

typedef enum mo_param_type {
    MO_BOOL,
    MO_INT,
    MO_REAL,
    MO_VEC3,
    MO_STRING,
    MO_FILE,
    MO_CURVE,
    MO_REFERENCE,
    MO_METHOD,
    MO_SECTION
} mo_param_type;

struct mo_arena;
struct mo_family;
struct mo_section;

typedef struct mo_param {
    const char *name;
    mo_param_type type;
    bool list;
    bool required;
    size_t offset;
    const char *unit;    /* "m/s"; NULL or "1" if dimensionless */
    const char *initial; /* the default as JSON; NULL = absent */
    const char *range;   /* "[0, 1]", "(0, inf)": round brackets exclude the end; NULL = any */
    const char *choices; /* strings only: "coulomb|scale" */
    /* references only: the name of the list referred to in the scene ("bodies") */
    const char *target;
    const struct mo_family *family;   /* methods only */
    const struct mo_section *section; /* sections only */
    const char *doc;
    /* A key without which this one has no effect, "gust" or "iterations>1": an error if this one is
     * given and that one is not, being absent, false, 0 or not above the number by default. */
    const char *needs;
} mo_param;

typedef struct mo_list {
    int64_t count;
    void *items; /* `count` consecutive values of the parameter's type */
} mo_list;

typedef struct mo_curve {
    int count; /* 1: a constant */
    const double *time, *value;
} mo_curve;

typedef struct mo_reference {
    const char *name;
    int64_t index; /* index in its list */
} mo_reference;

struct mo_descriptor;
typedef struct mo_method {
    const struct mo_descriptor *type;
    const void *params;
} mo_method;

/* The default of a key where the section's parameter `preset` has a value. */
typedef struct mo_preset {
    const char *value, *key, *initial;
} mo_preset;

/* A section: a struct read as a unit. Tables end with a parameter without a name. It may include
 * the keys of other tables, its parts: part k is read into its own struct, and a pointer to it
 * is stored in the array of pointers at the offset `parts_at`. */
typedef struct mo_section {
    const char *name, *doc;
    size_t size;
    const mo_param *params;
    const struct mo_section *(*part)(int index); /* NULL beyond the last; NULL: it has none */
    size_t parts_at;
    const char *preset;       /* the parameter that selects defaults of others; NULL: none */
    const mo_preset *presets; /* ends with one without a value */
} mo_section;

extern const mo_section mo_empty_section; /* without keys */

/* The default of a key as JSON (NULL: absent) for this value of `preset` (NULL: its default). */
const char *mo_section_default(const mo_section *section, const mo_param *param,
                               const char *preset);

/* All keys of a section and of its parts, by index: NULL beyond the last. */
const mo_param *mo_section_param(const mo_section *section, int index);
const mo_param *mo_section_find(const mo_section *section, const char *name);

/* A column of the field store that a method needs. */
typedef enum mo_column_role {
    MO_STATE,  /* part of the state: saved in snapshots and checkpoints */
    MO_DERIVED /* can be recomputed; resized and reordered, but not saved */
} mo_column_role;

typedef struct mo_column_spec {
    const char *name;
    mote_type type;
    int components;
    mo_column_role role;
    const char *unit, *doc;
} mo_column_spec;

/* The head of every method's descriptor. */
typedef struct mo_descriptor {
    const char *name;     /* in a scene */
    const char *summary;  /* one sentence */
    const char *citation; /* paper and equations; NULL for textbook material */
    const char *departs;  /* where it differs from the cited source, in sentences; NULL: nowhere */
    uint32_t capabilities;
    size_t param_size; /* of the struct that params describes */
    const mo_param *params;
    /* The parameter that chooses defaults of others, and these defaults, as in mo_section. */
    const char *preset;
    const mo_preset *presets;
    const mo_column_spec *columns; /* ends with one without a name; may be NULL */
    /* Checks beyond the table ("one of mass and density"); the path is prepended to errors. May be
     * NULL. */
    mote_status (*check)(const void *params, mote_error *error);
    /* Preprocessing of the parameters after the check: reading a file, building a tree. Results
     * are stored in members of the struct that are not in the table (zero until then) and in the
     * arena, which has the lifetime of the parameters. Errors as for check. May be NULL. */
    mote_status (*prepare)(void *params, struct mo_arena *arena, mote_error *error);
} mo_descriptor;

typedef struct mo_family {
    const char *name, *doc;
    const mo_descriptor *const *methods;
    int count;
    /* the method selected by a number; NULL: none */
    const char *number_selects;
    const char *const *capabilities; /* the names of the bits, ends with NULL; may be NULL */
    /* A family composed of others: `methods` is NULL, these are its parts; NULL beyond the last. */
    const struct mo_family *(*part)(int index);
} mo_family;

/* The methods of a family, or of all its parts, by number; NULL beyond the last. */
int mo_family_count(const mo_family *family);
const mo_descriptor *mo_family_at(const mo_family *family, int index);

/* The keys of a method as a section, without its "type". */
static inline mo_section mo_method_keys(const mo_descriptor *method)
{
    return (mo_section){.name = method->name,
                        .doc = method->summary,
                        .size = method->param_size,
                        .params = method->params,
                        .preset = method->preset,
                        .presets = method->presets};
}

/* Capabilities common to all families. */
/* only + - * / and sqrt: bitwise identical with and without AVX2 */
enum { MO_PORTABLE = 1u << 30 };

const mo_descriptor *mo_family_find(const mo_family *family, const char *name);

/* The interval of a mo_param.range. */
typedef struct mo_range {
    double low, high;
    bool open_low, open_high;
} mo_range;
mo_range mo_range_parse(const char *text);
bool mo_range_contains(mo_range range, double value);

/* Piecewise linear, constant beyond the ends. */
double mo_curve_at(const mo_curve *curve, double time);

size_t mo_param_size(const mo_param *param); /* of one value, not of a list */

/* Absent optional values. */
#define MO_ABSENT_INT INT64_MIN

/* Short forms for tables: MO_FIELD(struct, member) is the offset. */
#define MO_FIELD(type, member) .offset = offsetof(type, member)

/* The list of a family, from its methods.def:
 *     #define MO_METHOD(name) MO_DECLARE_METHOD(mo_shape_type, mo_shape_, name)  ... */
#define MO_DECLARE_METHOD(type, prefix, name) extern const type prefix##name;
#define MO_LIST_METHOD(prefix, name) &prefix##name.base,

#endif
