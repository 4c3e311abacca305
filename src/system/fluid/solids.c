#include "system/fluid/solids.h"

#include "fluid/boundary/boundary.h"
#include "fluid/sph/response.h"

#include <string.h>

enum { GRAIN = 1024 };

static const mo_boundary_type *boundary_of(const mo_fluid *f)
{
    return (const mo_boundary_type *)f->def->boundary.type;
}

mote_status mo_fluid_system_accepts_solids(const mo_system *system, mote_error *error)
{
    const mo_fluid_system *fluid = system->state;
    const mo_boundary_type *boundary = boundary_of(&fluid->fluid);
    if (!boundary->add) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "fluid.boundary: '%s' cannot be moved by the fluid, which rigid bodies in "
                       "it need; use 'continuum' (the default), 'akinci2012', 'samples', "
                       "'density_map' or 'volume_map'",
                       boundary->base.name);
    }
    if (!fluid->pressure->moves_bodies) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "fluid.pressure: '%s' has no two-way coupling with rigid bodies; use "
                       "'dfsph' (the default) or 'iisph'",
                       fluid->pressure->base.name);
    }
    return MOTE_OK;
}

mote_status mo_fluid_system_add_solid(mo_system *system, const mo_collider *solid, int number,
                                      int like, int *piece, mote_error *error)
{
    mo_fluid *f = &((mo_fluid_system *)system->state)->fluid;
    const mo_boundary_type *type = boundary_of(f);
    mo_colliders none = {.domain = f->domain};
    if (f->walls.piece_count == 0) { /* the scene has no colliders */
        MO_TRY(type->create(&f->boundary, f, &none, error));
    }
    *piece = f->walls.piece_count;
    return type->add(&f->boundary, f, solid, number, like, error);
}

/* ---- fluid inside of solids ---- */

typedef struct clearing {
    const mo_fluid *fluid;
    const double *x;
    uint8_t *removed;
} clearing;

static bool is_within(const mo_collider *c, mo_vec3 x, double reach)
{
    const double at[3] = {x.x, x.y, x.z};
    for (int k = 0; k < 3; ++k) {
        if (at[k] < c->low[k] - reach || at[k] > c->high[k] + reach) {
            return false;
        }
    }
    return true;
}

/* partial: removed rows, and rows closer than half a spacing */
static void clear_range(void *context, int64_t first, int64_t last, double *partial)
{
    const clearing *c = context;
    const mo_walls *w = &c->fluid->walls;
    double half = 0.5 * c->fluid->spacing;
    partial[0] = partial[1] = 0;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3 x = mo_vec3_load(c->x + 3 * row);
        double least = half;
        for (int p = 0; p < w->piece_count; ++p) {
            const mo_collider *solid = &w->pieces[p].solid;
            if (w->pieces[p].body < 0 || !is_within(solid, x, half)) {
                continue;
            }
            double gap = mo_collider_gap(solid, x, NULL);
            least = gap < least ? gap : least;
        }
        c->removed[row] = least <= 0;
        partial[0] += least <= 0;
        partial[1] += least > 0 && least < 0.999 * half;
    }
}

static mote_status clear_solids(mo_fluid_system *fluid, int64_t *count, bool *near,
                                mote_error *error)
{
    mo_system *s = fluid->system;
    int64_t rows = mo_store_owned(s->store);
    double sums[2] = {0, 0};
    void *removed;
    MO_TRY(mo_allocate_array(s->host->memory, rows + 1, 1, &removed, error));
    clearing c = {&fluid->fluid, mo_f64(s->columns.x), removed};
    mote_status status =
        mo_parallel_reduce(s->host->pool, rows, GRAIN, MO_SUM, 2, clear_range, &c, sums, error);
    if (status == MOTE_OK && sums[0] > 0) {
        mo_store_remove(s->store, removed, NULL);
        s->bodies.list[0].count = s->built = mo_store_owned(s->store);
    }
    *count = (int64_t)sums[0];
    *near = sums[1] > 0;
    mo_release(s->host->memory, removed);
    return status;
}

mote_status mo_fluid_system_couple(mo_system *system, const mo_responder *responder,
                                   int64_t *removed, mote_error *error)
{
    mo_fluid_system *fluid = system->state;
    mo_fluid *f = &fluid->fluid;
    bool near = false;
    MO_TRY(mo_fluid_set_responder(f, responder, error));
    mo_walls_move(&f->walls, 0, f->support);
    MO_TRY(clear_solids(fluid, removed, &near, error));
    fluid->near_solids = fluid->near_solids || near;
    return near ? mo_fluid_system_relax(fluid, error) : MOTE_OK;
}

void mo_fluid_system_show_solid(mo_system *system, int piece, bool acts)
{
    ((mo_fluid_system *)system->state)->fluid.walls.pieces[piece].absent = !acts;
}
