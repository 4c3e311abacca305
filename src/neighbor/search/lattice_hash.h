/*
 * The hash of a cell: Teschner, Heidelberger, Mueller, Pomeranets, Gross 2003, "Optimized spatial
 * hashing for collision detection of deformable objects", section 3.1: (i p1 xor j p2 xor k p3) mod
 * n with three large primes; n is a prime here, which they found to collide least.
 */
#ifndef MO_NEIGHBOR_SEARCH_LATTICE_HASH_H
#define MO_NEIGHBOR_SEARCH_LATTICE_HASH_H

#include "neighbor/search/lattice.h"

static inline uint32_t mo_lattice_hash(int64_t i, int64_t j, int64_t k, uint32_t size)
{
    uint32_t x = (uint32_t)i * UINT32_C(73856093), y = (uint32_t)j * UINT32_C(19349663);
    return (x ^ y ^ (uint32_t)k * UINT32_C(83492791)) % size;
}

/* The smallest prime not below a number. */
static inline uint32_t mo_prime_above(int64_t number)
{
    for (int64_t n = number < 3 ? 3 : number | 1;; n += 2) {
        bool prime = true;
        for (int64_t d = 3; prime && d * d <= n; d += 2) {
            prime = n % d != 0;
        }
        if (prime) {
            return (uint32_t)n;
        }
    }
}

/* Entries already added by a query, since a few of its cells share an entry. */
typedef struct mo_visited {
    int count;
    uint32_t entry[MO_LATTICE_CELLS_MAX];
} mo_visited;

static inline bool mo_visit(mo_visited *v, uint32_t entry)
{
    for (int k = 0; k < v->count; ++k) {
        if (v->entry[k] == entry) {
            return false;
        }
    }
    v->entry[v->count++] = entry;
    return true;
}

#endif
