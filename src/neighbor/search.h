/*
 * Neighbours of several sets of points, by any structure of the family `search`.
 *
 * A set is an array of positions with a radius. Its owner requests lists once (from a set to itself
 * or to another: all points of b within the radius of a of each point of a), and calls
 * mo_search_update with the positions of every step. A structure rebuilds in every update,
 * `verlet_list` and `cached` reuse lists over steps. There are also queries at any position, and
 * insertion and removal of points.
 *
 * Periodic domains. Positions stay unwrapped. The structures handle unbounded space only, so each
 * set has a halo (halo.h): the wrapped rows, followed by ghosts. Lists contain local and ghost
 * particles, and pair loops are the same with and without periods:
 *
 *   dx = x[j] - x[i],    x = mo_search_halo(...)->x, i a row, j from its list.
 *
 * Other data of j are at mo_halo_row(halo, j), or in a column updated by the halo. A radius above
 * half a period is an error.
 */
/* Verlet lists. With a skin, lists contain all pairs up to radius + skin at build time; an update
 * rebuilds as soon as a point has moved half the skin since the build. No pair is missed, and pair
 * loops must exclude pairs beyond their range. The rebuild times and the order of pairs depend on
 * the positions at the last build: these (mo_search_built) and the age are part of the state of a
 * run, restored by mo_search_resume. docs/neighbors.md discusses alternatives. */

#ifndef MO_NEIGHBOR_SEARCH_H
#define MO_NEIGHBOR_SEARCH_H

#include "neighbor/halo.h"
#include "neighbor/pairs.h"
#include "neighbor/search/search.h"

typedef struct mo_search mo_search;

enum { MO_SEARCH_SETS_MAX = 8 };

/* `method` is of the family `search`, without a type the default; parameters may be NULL for a
 * structure's defaults, and must stay valid until the last set has been added. */
mote_status mo_search_create(mo_method method, const mo_domain *domain, mo_memory *memory,
                             mo_search **search, mote_error *error);
void mo_search_destroy(mo_search *search);

/* Rejects a radius whose square underflows or overflows. Forces with a range parameter check it on
 * creation, since a set has only the largest range. `where` begins the message. */
mote_status mo_search_check_radius(double radius, const char *where, mote_error *error);

/* Adds a set; *set is its index, from 0. A radius above half a period is an error. */
mote_status mo_search_add_set(mo_search *search, double radius, int *set, mote_error *error);

/* Sets another radius; the next update rebuilds. */
mote_status mo_search_set_radius(mo_search *search, int set, double radius, mote_error *error);

/* Requests lists; MO_LISTS_HALF (within a set only) has each pair once, with the lower row. */
typedef enum mo_lists_kind { MO_LISTS_NONE, MO_LISTS_FULL, MO_LISTS_HALF } mo_lists_kind;
mote_status mo_search_ask(mo_search *search, int from, int to, mo_lists_kind kind,
                          mote_error *error);

/* The positions of a set: three components per row, and one value of padding. They must stay valid
 * and unchanged until the next update as long as the halo or queries are used. */
typedef struct mo_search_set {
    int64_t rows;
    const double *x;
} mo_search_set;

/* Updates to new positions: rebuilds, or reuses the lists and updates the halo. *built (may be
 * NULL) returns which. A position that is not finite (or beyond 1e150) is an error of the
 * numeric kind that names the row. After a failure the search must not be used until an update
 * succeeds. */
mote_status mo_search_update(mo_search *search, const mo_search_set *sets, mo_pool *pool,
                             bool *built, mote_error *error);

/* An update that always rebuilds, e.g. after rows were removed or reordered. */
mote_status mo_search_build(mo_search *search, const mo_search_set *sets, mo_pool *pool,
                            mote_error *error);

/* The next update rebuilds. */
void mo_search_invalidate(mo_search *search);

/* The same, and releases the memory of the lists until then. */
void mo_search_drop(mo_search *search);

/* Restores lists of age `age` from a build at the positions `built`, with the rows now at
 * `sets`. */
mote_status mo_search_resume(mo_search *search, const mo_search_set *built, int64_t age,
                             const mo_search_set *sets, mo_pool *pool, mote_error *error);

/* External storage of the positions at the next builds (three components per row and one value of
 * padding); it must not be written as long as lists built from it are used. NULL: internal storage
 * from the next build on. */
void mo_search_set_storage(mo_search *search, int set, double *positions);

/* The positions at the last build (a copy; unwrapped), and the number of updates since. */
const double *mo_search_built(const mo_search *search, int set);
int64_t mo_search_age(const mo_search *search);
bool mo_search_counts(const mo_search *search); /* the age determines the next rebuild */

/* Lists from a set, one per row; the indices are local and ghost particles of the set `to`. NULL
 * if not requested. */
const mo_lists *mo_search_lists(const mo_search *search, int from, int to);

/* Before an update: reserves this many indices in total (padding included). The lists of the last
 * update are invalid. */
mote_status mo_search_reserve(mo_search *search, int from, int to, int64_t indices,
                              mote_error *error);

/* The largest distance in lists from this set: its radius and the skin. */
double mo_search_reach(const mo_search *search, int set);

/* The local and ghost particles of a set; their positions are those of the last update. */
const mo_halo *mo_search_halo(const mo_search *search, int set);

/* Full lists within a set and its halo, for pair forces. */
mo_pairs mo_search_pairs(const mo_search *search, int set);

/* ---- queries: exact, for the positions of the last update; thread-safe ---- */

/* The rows of a set within `radius` of a position, the nearest image of each. Writes the first
 * `capacity` and returns the total number. Beyond the largest search radius of this set all rows
 * are tested. */
int64_t mo_search_near(const mo_search *search, int set, mo_vec3 position, double radius,
                       int32_t *out, int64_t capacity);

/* The k rows nearest to a position, by distance, equal ones by row, and their squared distances.
 * Returns their number: fewer than k only if the set has fewer rows. */
int64_t mo_search_nearest(const mo_search *search, int set, mo_vec3 position, int64_t k,
                          int32_t *out, double *square);

/* Whether any row is within `radius` of a position; 0: coincident. */
bool mo_search_exists(const mo_search *search, int set, mo_vec3 position, double radius);

/* ---- insertion and removal; lists stay those of the last update until the next one ---- */

/* Adds a row to the set, the last of x, which may have been reallocated. */
mote_status mo_search_insert(mo_search *search, int set, const double *x, mo_pool *pool,
                             mote_error *error);

/* The last row replaces `row` in x (done here), and the set has one row less. */
mote_status mo_search_remove(mo_search *search, int set, int64_t row, double *x, mo_pool *pool,
                             mote_error *error);

/* An order of rows (for mo_store_reorder) with spatial locality: along the Morton curve over
 * cells of the given width; rows within a cell ascend. */
mote_status mo_search_order(mo_memory *memory, int64_t rows, const double *x, double width,
                            mo_pool *pool, int64_t *order, mote_error *error);

/* Morton order has the best locality. Lexicographic order (x fastest, z slowest) is that of a
 * grid's lists, so that passes over rows stream through them. */
typedef enum mo_row_order { MO_ORDER_MORTON, MO_ORDER_LEXICOGRAPHIC } mo_row_order;

/* Either in the caller's memory: mo_search_order_bytes(rows), aligned for 64-bit values. */
size_t mo_search_order_bytes(int64_t rows);
mote_status mo_search_order_in(void *workspace, mo_row_order by, int64_t rows, const double *x,
                               double width, mo_pool *pool, int64_t *order, mote_error *error);

/* Memory of the structures, lists and halos. */
int64_t mo_search_bytes(const mo_search *search);

#endif
