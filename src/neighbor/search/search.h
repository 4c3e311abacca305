/*
 * Fixed-radius search: the points within a radius of a position, by any of the structures of
 * methods.def. All of them find the same pairs as brute_force, on any points.
 *
 * A structure is one file for one set of points and one radius, in unbounded space. Common
 * functionality is in neighbor/search.c: several sets, periodic domains (by images of the points
 * near a border), lists for all points, and generic fallbacks. A structure with a faster method for
 * all pairs has `lists`.
 *
 * Distances are compared as |x_i - p|^2 <= r^2 in double precision, each term rounded as written:
 * this is the definition of "within", by which every structure finally decides. A structure may
 * prune with any conservative test (cells, floats with a margin), and the result is exact.
 *
 * Copy brute_force.c for a new structure: a layout, build and near are all it needs. A structure
 * that packs its points (packed.h) has `walk` instead, which provides near and lists.
 */
#ifndef MO_NEIGHBOR_SEARCH_SEARCH_H
#define MO_NEIGHBOR_SEARCH_SEARCH_H

#include "base/param.h"
#include "math/vec3.h"
#include "neighbor/search/lists.h"
#include "neighbor/search/window.h"

/* The largest number of rows, and the largest coordinate and radius; squares of differences stay
 * finite. */
enum { MO_SEARCH_ROWS_MAX = INT32_MAX / 2 - 64 };
#define MO_SEARCH_FAR 1e150
#define MO_SEARCH_TINY 1e-150

/* Input of a build. The caller has checked: at most MO_SEARCH_ROWS_MAX rows, all positions
 * finite and within MO_SEARCH_FAR, the radius from MO_SEARCH_TINY to MO_SEARCH_FAR. `flat`: all
 * z are 0 (2D); a structure may then use four children instead of eight. */
typedef struct mo_search_points {
    int64_t rows;
    /* lists are built for the first `owned` rows; those after (images) are only found */
    int64_t owned;
    /* three components per row, and one value of padding; valid and unchanged until the next
     * build, update, insert or remove */
    const double *x;
    double radius; /* the largest query radius */
    bool flat;
    double low[3], high[3]; /* the box of the points; undefined without rows */
} mo_search_points;

typedef enum mo_search_ability {
    MO_SEARCH_INSERTS = 1u << 0,
    MO_SEARCH_DELETES = 1u << 1,
    MO_SEARCH_NEAREST = 1u << 2,
    MO_SEARCH_UPDATES = 1u << 3, /* cheaper after small moves than a build */
    MO_SEARCH_PARALLEL = 1u << 4 /* builds on all threads */
} mo_search_ability;

/* Reuse of lists over steps: until a point has moved half the skin, or for `every` steps. The
 * parameters of the methods with `reuse`. */
typedef struct mo_search_reuse {
    double skin;   /* [m]; lists contain pairs up to radius + skin; 0 without `every`: the
                    * default */
    int64_t every; /* steps; 0: until a point has moved half the skin */
    bool check;    /* with `every`: an error if a point has moved more than half the skin */
    mo_method over;
} mo_search_reuse;

/* Common head of all structures. */
typedef struct mo_structure {
    const struct mo_search_type *type;
    mo_memory *memory;
    mo_search_points points; /* of the last call */
} mo_structure;

/* An array of an instance: offsets of its address and of its capacity, and the size of an item. */
typedef struct mo_structure_array {
    size_t array, capacity, size;
} mo_structure_array;

#define MO_STRUCTURE_ARRAY(type, member) \
    { \
        offsetof(type, member), offsetof(type, member##_capacity), sizeof *((type *)0)->member \
    }

/* The memory layout of an instance, for its creation, release and size. */
typedef struct mo_structure_layout {
    /* of an instance, which is initially zero except for its head */
    size_t size;
    size_t params;                    /* offset of its copy of the parameters */
    const void *defaults;             /* default parameters; not required without parameters */
    size_t radix;                     /* offset of its mo_radix; 0: none */
    const mo_structure_array *arrays; /* ends with a size of 0; may be NULL */
} mo_structure_layout;

struct mo_runs;

typedef struct mo_search_type {
    mo_descriptor base; /* capabilities are base.capabilities */
    mo_structure_layout layout;
    mote_status (*build)(void *instance, const mo_search_points *points, mo_pool *pool,
                         mote_error *error);
    /* As build, with the same results in the same order, but cheaper for the same rows after small
     * displacements. NULL: build again. */
    mote_status (*update)(void *instance, const mo_search_points *points, mo_pool *pool,
                          mote_error *error);
    /* Of a structure that begins with a mo_packed: adds runs that contain every row within the
     * window's reach, without duplicates. It uses mo_packed_near and mo_packed_lists as the next
     * two. */
    void (*walk)(const void *instance, const mo_search_window *window, struct mo_runs *runs);
    /* The rows within `radius` (any up to points.radius) of `position`, in an order that depends on
     * the points alone. Writes the first `capacity` and returns the total number. Called from many
     * threads. `position` is finite and within MO_SEARCH_FAR, but may lie far outside the box. */
    int64_t (*near)(const void *instance, mo_vec3 position, double radius, int32_t *out,
                    int64_t capacity);
    /* All lists of the first `owned` rows at once, without themselves. NULL: `near` for every
     * row. */
    mote_status (*lists)(void *instance, mo_pool *pool, mo_lists *lists, mote_error *error);
    /* The lists of the rows of another set, within from->radius (at most points.radius). NULL: by
     * `near`. */
    mote_status (*lists_from)(void *instance, const mo_search_points *from, mo_pool *pool,
                              mo_lists *lists, mote_error *error);
    /* The k rows nearest to `position`, by distance, equal ones by row; returns their number
     * (fewer only if there are fewer rows). NULL: the fallback by growing radii. */
    int64_t (*nearest)(const void *instance, mo_vec3 position, int64_t k, int32_t *out,
                       double *square);
    /* Insertion: points->rows is the new number of rows, the last one is new (x may have been
     * reallocated, row indices are unchanged). Removal: points->rows is the number of rows
     * before, the last row gets the index `row`, x is still unchanged. NULL: build again. Lists
     * are not used until the next build. */
    mote_status (*insert)(void *instance, const mo_search_points *points, mote_error *error);
    mote_status (*remove)(void *instance, const mo_search_points *points, int64_t row,
                          mote_error *error);
    bool reuse; /* not a structure: its parameters are a mo_search_reuse, and it has nothing else */
} mo_search_type;

/* An instance of a structure; params NULL: the defaults. */
mote_status mo_structure_create(const mo_search_type *type, const void *params, mo_memory *memory,
                                void **instance, mote_error *error);
void mo_structure_destroy(void *instance);
int64_t mo_structure_bytes(const void *instance); /* memory */

extern const mo_family mo_searches;

/* The default; as JSON for parameter tables. */
#define MO_SEARCH_DEFAULT "grid"
#define MO_SEARCH_DEFAULT_JSON "\"" MO_SEARCH_DEFAULT "\""

/* The check of methods that reuse lists: rejects another one of them as `over`. */
mote_status mo_search_check_reuse(const void *params, mote_error *error);

/* The definition of "within": x has three components, `square` is the squared radius. */
static inline bool mo_search_within(const double *x, mo_vec3 position, double square)
{
    double dx = x[0] - position.x, dy = x[1] - position.y, dz = x[2] - position.z;
    return dx * dx + dy * dy + dz * dz <= square;
}

#endif
