/*
 * The fluid as a system of the world: its rows, boundaries from the world's colliders, a step by
 * the scene's pressure solver.
 *
 * Rows are resorted along the Morton curve at the start of every 64th step, for cache locality of
 * pair loops. All phases are one body, "fluid", with a column `phase`: emitted particles are
 * appended.
 *
 * Emission and removal are at the end of a step (emitters.h, remove.c).
 *
 * Sampled boundaries act by pressure; contacts (collide/contact.h) are then a fallback against
 * penetration, half a radius from the surface of the collider instead of a full one. Its
 * corrections are counted and reported.
 */
#ifndef MO_SYSTEM_FLUID_FLUID_H
#define MO_SYSTEM_FLUID_FLUID_H

#include "base/warning.h"
#include "fluid/pressure/pressure.h"
#include "fluid/sph/fluid.h"
#include "host/system.h"
#include "system/fluid/emitters.h"
#include "system/fluid/forces.h"

struct mo_fill_points;

typedef struct mo_fluid_system {
    mo_system *system;
    mo_fluid fluid;
    const mo_pressure_type *pressure;
    mo_fluid_stages stage;
    mo_warner warner;
    mo_emitters emitters;
    mo_external_forces forces;
    double expected_speed; /* of the flow, before the start */
    /* particles of a fill are closer to a solid than half a spacing */
    bool near_solids;
    int64_t dense_steps;        /* consecutive steps with many particles of high density error */
    mote_fluid_summary summary; /* without values computed on demand */
} mo_fluid_system;

extern const mo_system_type mo_system_fluid;

/* The fluid of a scene; NULL: it has none. */
const mo_fluid_def *mo_fluid_system_def_of(const mo_world_def *def);

mote_status mo_fluid_system_create(const mo_world_def *def, mo_system *system, mote_error *error);

/* Adds rows of a phase with common values; positions and velocities are set by the caller. */
mote_status mo_fluid_system_add(mo_fluid_system *fluid, int phase, int64_t count, int64_t *first,
                                mote_error *error);

/* The layers emitted after `from` up to `to`. */
mote_status mo_fluid_system_emit(mo_fluid_system *fluid, double from, double to, mote_error *error);

/* Removes particles in the scene's sinks. */
mote_status mo_fluid_system_remove(mo_fluid_system *fluid, mote_error *error);

/* A map of `rows` old rows (NULL: not needed); and, after rows were sorted or removed, its
 * application to terms and couplings. */
mote_status mo_fluid_system_map(mo_fluid_system *fluid, int64_t rows, int64_t **map,
                                mote_error *error);
void mo_fluid_system_remap(mo_fluid_system *fluid, const int64_t *map);

/* Relaxes the initial density error before the start. */
mote_status mo_fluid_system_relax(mo_fluid_system *fluid, mote_error *error);

/* Boxes to which a fill is clipped: several where plates divide it. */
enum { MO_FLUID_PARTS = 8 };
typedef struct mo_fluid_parts {
    int count;
    mo_vec3 low[MO_FLUID_PARTS], high[MO_FLUID_PARTS];
} mo_fluid_parts;

/* Clips a box at the surfaces of colliders. */
void mo_fluid_system_snap(const mo_fluid_system *fluid, mo_method shape, mo_fluid_parts *parts);

/* One fill of a phase: a shape or a vessel. */
typedef struct mo_fluid_fill {
    int64_t phase, number;
    const char *key;      /* of the list that has it, "fill" or "inside" */
    int64_t shapes_first; /* shapes of the phase that are filled before it */
} mo_fluid_fill;

/* Removes overlapping points of a fill. If solids intersect the shape, the particle mass is set
 * from the remaining volume. */
mote_status mo_fluid_system_cull(mo_fluid_system *fluid, const mo_fluid_fill *fill,
                                 struct mo_fill_points *points, mote_error *error);
/* Warns about emitters inside solids at the start. */
mote_status mo_fluid_system_check_nozzles(mo_fluid_system *fluid, mote_error *error);

/* Warns about problems of the scene before the start. */
void mo_fluid_system_advise(const mo_fluid_system *fluid, const mo_world_def *world);

/* Warnings about the pressure solver: unsuitable flows. `viscosity` is the minimum over the
 * phases [m^2/s]. */
void mo_fluid_system_advise_on_solver(const mo_fluid_system *fluid, double viscosity);

/* Warns about a speed of sound that is too low for the flow: expected before the start, and
 * current. */
mote_status mo_fluid_system_check_sound_first(mo_fluid_system *fluid, mote_error *error);
mote_status mo_fluid_system_check_sound(const mo_fluid_system *fluid, double time,
                                        mote_error *error);

/* Warns about large density errors of the last step. */
mote_status mo_fluid_system_check_density(mo_fluid_system *fluid, const mo_step_time *now,
                                          mote_error *error);

void mo_fluid_system_release(mo_system *system);

/* Its boundary is sampled: contacts are a fallback that projects penetrating particles. */
bool mo_fluid_system_has_samples(const mo_system *system);

/* Its part of a scene (def.c). */
extern const mo_section mo_fluid_system_keys_section;
bool mo_fluid_system_wanted(const mo_world_def *def);
/* The kernel of its densities. */
mo_kernel mo_fluid_system_density_kernel(const mo_world_def *def);
mote_status mo_fluid_system_check(const mo_world_def *def, mo_memory *memory, mote_error *error);
int mo_fluid_system_name_tables(const mo_system *system, mo_name_table *tables);
extern const struct mo_drawing_hooks mo_fluid_system_drawing;

/* Its numbers in report.json (summary.c). */
extern const mo_report_hooks mo_fluid_system_reported;

/* Warnings about the boundary and about emitters that pause. */
mote_status mo_fluid_system_health(mo_system *system, const mo_step_time *now,
                                   mote_step_report *report, mote_error *error);

#endif
