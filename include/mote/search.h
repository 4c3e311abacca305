/*
 * mote/search.h: range search: points within a radius of any position, the k nearest, existence,
 * insertion and deletion, by any structure of the family `search`.
 *
 * A search owns a copy of its points. They have ids: 0, 1, ... of an array, the column "id" of a
 * world or of a stored frame. An inserted point has the next id; ids are not reused. In a periodic
 * domain distances are those of the nearest image.
 */
#ifndef MOTE_SEARCH_H
#define MOTE_SEARCH_H

#include "mote/base.h"
#include "mote/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mote_search mote_search;

typedef struct mote_search_options {
    mote_config config;
    /* A method's name, or an object as in a scene: "{\"type\": \"octree\", \"capacity\": 4}". NULL:
     * "octree", which inserts, deletes and finds the k nearest without a rebuild. */
    const char *method;
    /* The radius [m] for which the structure is built; larger ones are searched among all points.
     * 0: twice the median distance of nearest neighbours. */
    double radius;
    mote_domain domain; /* of mote_search_create; zero: unbounded */
} mote_search_options;

mote_search_options mote_search_options_default(void);

/* A search over `count` points, with three coordinates each [m]. Without points x may be NULL. */
mote_status mote_search_create(int64_t count, MOTE_OPTIONAL const double *x,
                               MOTE_OPTIONAL const mote_search_options *options,
                               mote_search **search, mote_error *error);

/* Over the current particles of one system of a world, in its domain. */
mote_status mote_search_world(const mote_world *world, int system,
                              MOTE_OPTIONAL const mote_search_options *options,
                              mote_search **search, mote_error *error);

/* Over a stored frame: of a result directory or an index (.pvd) the one nearest to `time` (NaN: the
 * last), or a single file (.vtp, .ply). `system` is a name; NULL: the first. The domain is that of
 * the scene stored beside the frames, if there is one. */
mote_status mote_search_results(const char *path, double time, MOTE_OPTIONAL const char *system,
                                MOTE_OPTIONAL const mote_search_options *options,
                                mote_search **search, mote_error *error);

void mote_search_destroy(MOTE_OPTIONAL mote_search *search);

int64_t mote_search_count(const mote_search *search);

/* Whether a point with this id exists, and its position (x may be NULL). */
bool mote_search_find(const mote_search *search, int64_t id, MOTE_OPTIONAL double *x);

/* The points within `radius` of a position, |x_i - x|^2 <= radius^2, by ascending distance, equal
 * ones by id. *found is their number; the first `capacity` ids and distances [m] are written.
 * Both arrays may be NULL. */
mote_status mote_search_near(mote_search *search, const double *position, double radius,
                             int64_t capacity, MOTE_OPTIONAL int64_t *ids,
                             MOTE_OPTIONAL double *distances, int64_t *found, mote_error *error);

/* The k nearest points in the same order, any of those at the k-th distance; *found is below k only
 * if there are fewer points. */
mote_status mote_search_nearest(mote_search *search, const double *position, int64_t k,
                                MOTE_OPTIONAL int64_t *ids, MOTE_OPTIONAL double *distances,
                                int64_t *found, mote_error *error);

/* Whether any point is within `radius` of a position; 0: coincident. */
mote_status mote_search_exists(const mote_search *search, const double *position, double radius,
                               bool *exists, mote_error *error);

/* Adds a point; *id (may be NULL) is its id. Removes the point with an id; an unknown one is
 * MOTE_ERROR_INPUT. After MOTE_ERROR_MEMORY a search can only be destroyed. */
mote_status mote_search_insert(mote_search *search, const double *position,
                               MOTE_OPTIONAL int64_t *id, mote_error *error);
mote_status mote_search_remove(mote_search *search, int64_t id, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
