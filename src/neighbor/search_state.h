/* Internals of the search; see neighbor/search.h. */
#ifndef MO_NEIGHBOR_SEARCH_STATE_H
#define MO_NEIGHBOR_SEARCH_STATE_H

#include "neighbor/search.h"

typedef struct mo_set_state {
    double radius, reach; /* of the set; the largest search radius in it, skin included */
    mo_search_set now;
    void *structure;
    mo_search_points points; /* at the build of the structure */
    mo_halo halo;
    /* reused lists only: positions of the rows at the build, in external or internal storage; those
     * of local and ghost particles, stored separately in periodic domains */
    double *built, *lent, *kept, *frozen;
    int64_t frozen_capacity, kept_capacity;
} mo_set_state;

struct mo_search {
    mo_memory *memory;
    mo_domain domain;
    bool periodic; /* along any axis */
    const mo_search_type *type;
    mo_search_reuse reuse; /* skin and every 0: none */
    int set_count;
    mo_set_state sets[MO_SEARCH_SETS_MAX];
    mo_lists_kind kind[MO_SEARCH_SETS_MAX][MO_SEARCH_SETS_MAX]; /* from, to */
    mo_lists lists[MO_SEARCH_SETS_MAX][MO_SEARCH_SETS_MAX];
    bool valid; /* lists are valid for the build */
    bool anew;  /* structures must be built, not updated */
    int64_t age;
    double moved; /* since the build, maximum over rows */
};

static inline bool mo_search_keeps(const mo_search *search)
{
    return search->reuse.skin > 0 || search->reuse.every > 0;
}

/* The bounding box of positions; a non-finite or too distant one is an error that names the row. */
mote_status mo_search_bound(int64_t rows, const double *x, int set, mo_pool *pool, double low[3],
                            double high[3], mote_error *error);

/* Halo and structure of one set, without lists. */
mote_status mo_search_build_set(mo_search *search, int set, mo_pool *pool, mote_error *error);

#endif
