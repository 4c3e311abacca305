/*
 * Neighbours of several sets of points, by any structure of the family `search`.
 *
 * A set is an array of positions with a radius. Its owner says once which lists it wants (from a
 * set to itself or to another: all points of b within the radius of a of each point of a), and then
 * calls mo_search_update with the positions of every step. The method decides what that costs: a
 * structure builds everything anew, `verlet_list` and `cached` keep lists over steps. Beside lists
 * there are queries at any position: a radius, the k nearest, existence; and single points may come
 * and go.
 *
 * Periodic domains. Positions stay unwrapped: a row may lie anywhere, and its images are a period
 * apart. The structures know free space only. So each set has a halo (halo.h): the rows, moved into
 * the domain by whole periods, and behind them ghosts, the images of rows near a border. Lists hold
 * local and ghost particles, and the loop over pairs is the same with and without periods:
 *
 *     dx = x[j] - x[i],    x = mo_search_halo(...)->x, i a row, j from its list.
 *
 * What else a loop needs of j is at mo_halo_row(halo, j), or in a column that the halo has updated.
 * Between builds the particles of the halo follow the rows, and ghosts stay images of what they
 * were. A row's image is never within the radius of the row, for a radius above half a period is
 * refused.
 *
 * What was rejected: wrapped cell numbers (each structure would need them), the minimum image in
 * the pair loop (6 more operations a pair), and an image number in each list entry (a gather a
 * pair).
 *
 * Kept lists. With a skin, lists hold all pairs up to radius + skin at the time they were built,
 * and are good until two points have come nearer by the skin: an update looks how far every point
 * is from where it was at the build, and builds again as soon as one has gone half the skin. So no
 * pair is ever missed, and pair loops must themselves leave out pairs beyond their range. When
 * lists are rebuilt, and in which order their pairs come, follows from the positions at the last
 * build: these (mo_search_built) and the age belong to the state of a run, and mo_search_resume
 * starts from them.
 */
#ifndef MO_NEIGHBOR_SEARCH_H
#define MO_NEIGHBOR_SEARCH_H

#include "neighbor/halo.h"
#include "neighbor/pairs.h"
#include "neighbor/search/search.h"

typedef struct mo_search mo_search;

enum { MO_SEARCH_SETS_MAX = 8 };

/* `method` is of the family `search`, without a type the default; parameters may be NULL for a
 * structure's defaults, and must live until the last set has been added. */
mote_status mo_search_create(mo_method method, const mo_domain *domain, mo_memory *memory,
                             mo_search **search, mote_error *error);
void mo_search_destroy(mo_search *search);

/* Refuses a radius whose square is too small or too large to compare squared distances with. Forces
   whose range is a parameter check it when they are made: the widest range of all is the only one
   that a set sees. `where` begins the message. */
mote_status mo_search_check_radius(double radius, const char *where, mote_error *error);

/* Another set; *set is its number, from 0. A radius above half a period is an error. */
mote_status mo_search_add_set(mo_search *search, double radius, int *set, mote_error *error);

/* Another radius, from the next update on, which builds. */
mote_status mo_search_set_radius(mo_search *search, int set, double radius, mote_error *error);

/* What updates make lists of; MO_LISTS_HALF (within a set only) has each pair once, with the lower
 * row. */
typedef enum mo_lists_kind { MO_LISTS_NONE, MO_LISTS_FULL, MO_LISTS_HALF } mo_lists_kind;
mote_status mo_search_ask(mo_search *search, int from, int to, mo_lists_kind kind,
                          mote_error *error);

/* The positions of a set: three a row, and room for one number behind the last row. They must stay
 * where and what they are until the next update as long as the halo or queries are used. */
typedef struct mo_search_set {
    int64_t rows;
    const double *x;
} mo_search_set;

/* The sets are at new positions. Builds, or keeps the lists and moves the halo. *built (may be
   NULL) says which. A position that is not finite (or beyond 1e150) is an error of the numeric kind
   that names the row. After a failure nothing is to be asked of the search until an update
   succeeds. */
mote_status mo_search_update(mo_search *search, const mo_search_set *sets, mo_pool *pool,
                             bool *built, mote_error *error);

/* As an update that builds in any case: after rows were removed or reordered, say. */
mote_status mo_search_build(mo_search *search, const mo_search_set *sets, mo_pool *pool,
                            mote_error *error);

/* The next update builds in any case. */
void mo_search_forget(mo_search *search);

/* The same, and the memory of the lists is given back until then. */
void mo_search_drop(mo_search *search);

/* Lists as they were at age `age` of a build from the positions `built`, now with the rows at
 * `sets`. */
mote_status mo_search_resume(mo_search *search, const mo_search_set *built, int64_t age,
                             const mo_search_set *sets, mo_pool *pool, mote_error *error);

/* Where the positions at the next builds of kept lists are to be put (three numbers a row and one
 * more), so that who keeps them anyway keeps them once; nothing else may write there as long as
 * lists made from them are kept. NULL: the search has a copy of its own from the next build on. */
void mo_search_lend(mo_search *search, int set, double *positions);

/* The positions at the last build (a copy; unwrapped), and how many updates have kept its lists
 * since. */
const double *mo_search_built(const mo_search *search, int set);
int64_t mo_search_age(const mo_search *search);
bool mo_search_counts(const mo_search *search); /* the age decides when lists are built again */

/* Lists from a set, one a row; the indices are local and ghost particles of the set `to`. NULL if
 * they were not asked for. */
const mo_lists *mo_search_lists(const mo_search *search, int from, int to);

/* Before an update: room for lists of this many indices in all (copies included). The lists of the
 * last update are gone. */
mote_status mo_search_reserve(mo_search *search, int from, int to, int64_t indices,
                              mote_error *error);

/* The longest distance that lists from this set hold: its radius and the skin. */
double mo_search_reach(const mo_search *search, int set);

/* The local and ghost particles of a set; their positions are those of the last update. */
const mo_halo *mo_search_halo(const mo_search *search, int set);

/* Full lists within a set and its halo, together: what pair forces read. */
mo_pairs mo_search_pairs(const mo_search *search, int set);

/* ---- queries: exact, with the rows where they were at the last update; from any number of threads
 * ---- */

/* The rows of a set within `radius` of a place, the nearest image of each. Writes the first
 * `capacity` and returns how many there are. Up to the largest radius that is searched in this set
 * the structure answers, beyond it all rows are looked at. */
int64_t mo_search_near(const mo_search *search, int set, mo_vec3 place, double radius, int32_t *out,
                       int64_t capacity);

/* The k rows nearest to a place, by distance, equal ones by row, and their squared distances.
 * Returns how many there are: fewer than k only if the set has fewer rows. */
int64_t mo_search_nearest(const mo_search *search, int set, mo_vec3 place, int64_t k, int32_t *out,
                          double *square);

/* Whether any row is within `radius` of a place; 0: exactly there. */
bool mo_search_exists(const mo_search *search, int set, mo_vec3 place, double radius);

/* ---- points that come and go; lists are those of the last update until the next one ---- */

/* The set has one row more, the last of x, which may have moved. */
mote_status mo_search_insert(mo_search *search, int set, const double *x, mo_pool *pool,
                             mote_error *error);

/* The last row takes the place of `row` in x (this is done here) and the set has one row less. */
mote_status mo_search_remove(mo_search *search, int set, int64_t row, double *x, mo_pool *pool,
                             mote_error *error);

/* An order of rows (for mo_store_reorder) in which neighbours in space are mostly neighbours in
 * memory: along the Morton curve over cells of the given width; rows within a cell ascend. */
mote_status mo_search_order(mo_memory *memory, int64_t rows, const double *x, double width,
                            mo_pool *pool, int64_t *order, mote_error *error);

/* Morton order keeps neighbours nearest to each other. Lexicographic order (x fastest, z slowest)
 * is that in which a grid lays out its lists, so that passes over rows stream through them. */
typedef enum mo_row_order { MO_ORDER_MORTON, MO_ORDER_LEXICOGRAPHIC } mo_row_order;

/* Either in memory of the caller's: mo_search_order_bytes(rows), aligned for 64-bit numbers. */
size_t mo_search_order_bytes(int64_t rows);
mote_status mo_search_order_in(void *workspace, mo_row_order by, int64_t rows, const double *x,
                               double width, mo_pool *pool, int64_t *order, mote_error *error);

/* Memory that the structures, lists and halos hold. */
int64_t mo_search_bytes(const mo_search *search);

#endif
