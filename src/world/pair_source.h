/*
 * The neighbours that all pair forces of a system share: one set of lists, as wide as the force that reaches
 * furthest and a skin, made anew when something has moved half the skin. Where the particles were then is a
 * state column, so that a resumed run makes the same lists at the same steps and sums in the same order.
 */
#ifndef MO_WORLD_PAIR_SOURCE_H
#define MO_WORLD_PAIR_SOURCE_H

#include "neighbor/cell_list.h"
#include "neighbor/domain.h"
#include "neighbor/pairs.h"
#include "store/store.h"

typedef struct mo_pair_source {
    mo_memory *memory;
    double range; /* of the force that reaches furthest; 0: there is none */
    mo_domain domain;
    mo_neighbor_lists lists;
    mo_pairs pairs;
    double *place;
    int32_t *owner, *count, *index;
    int64_t *start;
    int64_t place_capacity, owner_capacity, count_capacity, index_capacity, start_capacity;
} mo_pair_source;

void mo_pair_source_init(mo_pair_source *source, mo_memory *memory, const mo_domain *domain);
void mo_pair_source_release(mo_pair_source *source);

/* Makes source->pairs fit the positions x. */
mote_status mo_pair_source_update(mo_pair_source *source, mo_pool *pool, int64_t rows, const double *x,
                                  mote_error *error);

/* Rows came, went or changed their order. */
void mo_pair_source_forget(mo_pair_source *source);

#endif
