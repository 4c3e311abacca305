/*
 * Terms: all accelerations of a fluid except gravity and pressure. Viscosity, surface tension,
 * vorticity, elasticity, heat and a user's force are methods with the hooks below; a fluid has a
 * list of them.
 *
 * The step, for all pressure solvers. Terms act in the order of the list, which is the order in
 * which the fluid's section names them (mo_fluid_def_terms), then those of the pressure solver,
 * then external forces (system/fluid/forces.h):
 *     1. a = gravity; `accelerate` of each term adds to it          mo_terms_accelerate
 *     2. v += h a                                                   mo_terms_apply, with 1 and 3
 *     3. `solve` of each implicit term changes v                    mo_terms_solve
 *     4. pressure, positions                                        the solver
 *     5. `advance` of each term, its own state                      mo_terms_advance
 * Implicit terms are split off before pressure, so that their divergence is projected out. Position
 * based solvers do 1 to 3 after 4, with the velocities that follow from the positions (pbf.c).
 *
 * Reactions. A term that acts on boundary particles reports its force on them in the hook where it
 * acts, as long as kernel gradient factors and velocities are those of the force
 * (mo_fluid_react_forces). A separate hook would have to recompute these.
 */
#ifndef MO_FLUID_TERM_TERM_H
#define MO_FLUID_TERM_TERM_H

#include "fluid/sph/fluid.h"

typedef struct mo_term_type {
    mo_descriptor base;
    mo_instance_hooks hooks;
    /* Adds to the column `a` the acceleration during a step of h from fluid->terms.time.
     * Positions, velocities and densities are packed; may pack other values. */
    mote_status (*accelerate)(mo_instance *self, mo_fluid *fluid, double h, mote_error *error);
    /* Changes the velocities of the store by an implicit step of h. They are packed. */
    mote_status (*solve)(mo_instance *self, mo_fluid *fluid, double h, mote_error *error);
    /* Advances its own columns (temperature, spin). Lists, kernel gradient factors and densities
     * are those of the start of the step. */
    mote_status (*advance)(mo_instance *self, mo_fluid *fluid, double h, mote_error *error);
    /* The largest stable step with the columns of the last `accelerate` [s]; infinite: any. */
    double (*limit)(const mo_instance *self, const mo_fluid *fluid);
    /* Energy stored by the term in the current state [J]; with `updates` of the current positions,
     * after mo_fluid_update. */
    mote_status (*energy)(const mo_instance *self, mo_fluid *fluid, double *energy,
                          mote_error *error);
    bool updates;
    /* Rows were moved: map[old row] is the new one, -1 if removed. For row indices in `state`;
     * columns are reordered automatically. */
    void (*remap)(mo_instance *self, mo_fluid *fluid, const int64_t *map);
} mo_term_type;

/* Appends a term; `name` is its parameter in the fluid's section. */
mote_status mo_terms_add(mo_fluid *fluid, const char *name, mo_method term, mote_error *error);
void mo_terms_release(mo_fluid *fluid);

/* 1 of the above. Each term's `taken` is -h sum_i m_i v_i . a_i of its own acceleration, the
 * kinetic energy removed from the flow to first order in h. */
mote_status mo_terms_accelerate(mo_fluid *fluid, double time, double h, mote_error *error);

/* 1 to 3. With `falling` gravity is already included in the velocities. Velocities are packed
 * only where an implicit term needs them. */
mote_status mo_terms_apply(mo_fluid *fluid, double time, double h, bool falling, mote_error *error);

/* 5. */
mote_status mo_terms_advance(mo_fluid *fluid, double h, mote_error *error);

/* Before the first step: computes the columns of limits. Accelerations are 0 afterwards. */
mote_status mo_terms_find_limits(mo_fluid *fluid, mote_error *error);

/* `taken` of all terms of the parameter `name` [J]. */
double mo_terms_taken(const mo_fluid *fluid, const char *name);

/* The smallest limit, and the name of its term. */
double mo_terms_limit(const mo_fluid *fluid, const char **name);

mote_status mo_terms_energy(mo_fluid *fluid, double *energy, mote_error *error);
bool mo_terms_energy_updates(const mo_fluid *fluid); /* some energy needs mo_fluid_update */

/* A map of `rows` old rows; NULL: not needed. Then, after rows were reordered, its application to
 * all terms. */
mote_status mo_terms_map(mo_fluid *fluid, int64_t rows, int64_t **map, mote_error *error);
void mo_terms_remap(mo_fluid *fluid, const int64_t *map);

#endif
