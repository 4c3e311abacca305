/*
 * The neighbour lists shared by all pair forces of a system, with the largest range (and a skin, if
 * lists are reused over steps).
 *
 * The pairs of reused lists and their order depend on the positions at the build. So these
 * positions are a state column: whenever rows were added, removed, reordered or restored, the lists
 * are rebuilt from them, so that a resumed run is bitwise identical.
 */
#ifndef MO_SYSTEM_FORCES_PAIR_SOURCE_H
#define MO_SYSTEM_FORCES_PAIR_SOURCE_H

#include "neighbor/pairs.h"
#include "neighbor/search.h"
#include "store/store.h"

typedef struct mo_pair_source {
    mo_search *search; /* NULL: no force has a range */
    mo_store *store;   /* NULL in tests without one */
    mo_column *built_at, *age;
    uint64_t epoch;
    bool stale;     /* the lists do not correspond to the columns */
    int64_t builds; /* so far */
    mo_pairs pairs;
} mo_pair_source;

/* Empty for range 0. */
mote_status mo_pair_source_init(mo_pair_source *source, mo_method search, const mo_domain *domain,
                                double range, mo_store *store, mo_memory *memory,
                                mote_error *error);
void mo_pair_source_release(mo_pair_source *source);

/* Updates source->pairs for the positions x. */
mote_status mo_pair_source_update(mo_pair_source *source, mo_pool *pool, int64_t rows,
                                  const double *x, mote_error *error);

/* The same for measurements, without effect on the lists of later steps. */
mote_status mo_pair_source_measure(mo_pair_source *source, mo_pool *pool, int64_t rows,
                                   const double *x, mote_error *error);

/* Releases the memory of the lists; the next update rebuilds them identically. */
void mo_pair_source_drop(mo_pair_source *source);

#endif
