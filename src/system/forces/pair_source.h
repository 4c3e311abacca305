/*
 * The neighbours that all pair forces of a system share: one set of lists, as wide as the force
 * that reaches furthest (and a skin, if the scene's search keeps lists over steps).
 *
 * Which pairs are in kept lists and in which order follows from where the particles were when the
 * lists were made. So these places are a state column: whenever rows came, went, were reordered or
 * restored, the lists are made again from them, in a live run as in a resumed one, and both go on
 * with the same bits.
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
    bool stale;     /* the lists are not those the columns speak of */
    int64_t builds; /* so far */
    mo_pairs pairs;
} mo_pair_source;

/* Range 0 leaves it empty. */
mote_status mo_pair_source_init(mo_pair_source *source, mo_method search, const mo_domain *domain,
                                double range, mo_store *store, mo_memory *memory,
                                mote_error *error);
void mo_pair_source_release(mo_pair_source *source);

/* Makes source->pairs fit the positions x. */
mote_status mo_pair_source_update(mo_pair_source *source, mo_pool *pool, int64_t rows,
                                  const double *x, mote_error *error);

/* The same for someone who only measures: what it finds does not tell in the lists of later
 * steps. */
mote_status mo_pair_source_look(mo_pair_source *source, mo_pool *pool, int64_t rows,
                                const double *x, mote_error *error);

/* Gives the memory of the lists back; the next update makes them again, the same as they were. */
void mo_pair_source_drop(mo_pair_source *source);

#endif
