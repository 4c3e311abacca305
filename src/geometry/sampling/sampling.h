/*
 * The family of sampling positions, at which a probe evaluates fields: single points, or the nodes
 * of a regular lattice of one, two or three dimensions.
 */
#ifndef MO_GEOMETRY_SAMPLING_H
#define MO_GEOMETRY_SAMPLING_H

#include "base/param.h"
#include "math/vec3.h"

/* The nodes origin + i step[0] + j step[1] + k step[2], i fastest. Steps are orthogonal; one with a
 * single node has the length 1. */
typedef struct mo_lattice {
    int rank; /* 1: a line, 2: a plane, 3: a grid */
    int64_t count[3];
    mo_vec3 origin, step[3];
} mo_lattice;

typedef struct mo_sampling_type {
    mo_descriptor base;
    /* The lattice of its positions; NULL: `points` has them. */
    mo_lattice (*lattice)(const void *params);
    mo_list (*points)(const void *params); /* mo_vec3 */
} mo_sampling_type;

extern const mo_family mo_samplings;

/* The largest number of positions. */
#define MO_SAMPLING_MAX 100000000

int64_t mo_sampling_count(mo_method sampling);
mo_vec3 mo_sampling_position(mo_method sampling, int64_t index);

/* False if it has none. */
bool mo_sampling_lattice(mo_method sampling, mo_lattice *lattice);

/* For the methods: a step from `from` to `to` with `count` nodes; the check of their number. */
mo_vec3 mo_sampling_step(mo_vec3 from, mo_vec3 to, int64_t count);
mote_status mo_sampling_check_count(const int64_t count[3], mote_error *error);

#endif
