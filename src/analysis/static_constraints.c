#include "analysis/static_constraints.h"

#include "analysis/static_contacts.h"
#include "collide/law.h"

#include <math.h>
#include <string.h>

mote_status mo_static_constraints_create(mo_static_constraints *c, mote_world *world,
                                         mo_system *system, double time, mote_error *error)
{
    const mo_force *force;
    int64_t rows = mo_store_owned(system->store);
    double *v[6];
    if (mo_colliders_bounce(&world->colliders) && world->colliders.periodic) {
        mo_warn(
            &world->warnings, &world->log, time, "static",
            "in a periodic domain static and modal analysis ignore colliders; pin the nodes that "
            "rest on one, or run with damping");
    }
    c->colliders =
        world->colliders.count > 0 && !world->colliders.periodic ? &world->colliders : NULL;
    MO_TRY(mo_work_vectors(&world->memory, &c->work, 6, 3 * rows + 1, v, error));
    c->active = (mo_active){.normal = v[0], .kind = (uint8_t *)v[1]};
    c->planar = c->active.kind + rows;
    memset(c->planar, 0, (size_t)rows);
    c->supports = (int32_t *)v[2];
    c->geometric = v[3]; /* and the two after it */
    memset(c->geometric, 0, 9 * (size_t)rows * sizeof(double));
    c->accepted = c->supports + MO_STATIC_SUPPORTS * rows;
    memset(c->supports, 0xff, 2 * MO_STATIC_SUPPORTS * (size_t)rows * sizeof(int32_t));
    for (int k = 0; (force = system->type->statics->force(system, k)) != NULL; ++k) {
        if (force->type->statics && force->type->statics->mark_planar) {
            force->type->statics->mark_planar(force->instance, c->planar);
        }
    }
    c->any_planar = rows > 0 && memchr(c->planar, 1, (size_t)rows);
    return MOTE_OK;
}

void mo_static_constraints_destroy(mo_static_constraints *c, mote_world *world)
{
    mo_release(&world->memory, c->work.block);
}

static void constrain_planar(mo_static_constraints *c, int64_t rows, double *f)
{
    c->plane_force = 0;
    for (int64_t row = 0; row < rows; ++row) {
        if (c->planar[row]) {
            c->active.kind[row] = MO_ACTIVE_SLIP;
            mo_vec3_store(c->active.normal + 3 * row, mo_vec3_make(0, 0, 1));
            c->plane_force += fabs(f[3 * row + 2]);
            f[3 * row + 2] = 0;
        }
    }
}

const mo_active *mo_static_constraints_find(mo_static_constraints *c, mo_system *system,
                                            double time, double *f)
{
    int64_t rows = mo_store_owned(system->store);
    memset(c->active.kind, MO_ACTIVE_NONE, (size_t)rows);
    constrain_planar(c, rows, f);
    bool supported =
        c->colliders && mo_static_contacts_react(c->colliders, system, time, f, &c->active,
                                                 c->supports, c->geometric);
    return supported || c->any_planar ? &c->active : NULL;
}

mote_status mo_static_constraints_list_contacts(mo_static_constraints *c, mo_system *system,
                                                double time, double *f, mo_contact_set *set,
                                                mote_error *error)
{
    int64_t rows = mo_store_owned(system->store);
    if (!c->colliders) {
        return MOTE_OK;
    }
    memset(c->active.kind, MO_ACTIVE_NONE, (size_t)rows);
    constrain_planar(c, rows, f);
    return mo_static_contacts_list(c->colliders, system, time, f, &c->active, set, error);
}

void mo_static_constraints_accept(mo_static_constraints *c, const mo_system *system)
{
    memcpy(c->accepted, c->supports,
           MO_STATIC_SUPPORTS * (size_t)mo_store_owned(system->store) * sizeof(int32_t));
}

void mo_static_constraints_project(mo_static_constraints *c, mo_system *system, double time)
{
    if (c->colliders) {
        mo_static_contacts_project(c->colliders, system, time, c->accepted);
    }
}

mote_status mo_static_constraints_notify(const mo_system *system, const double *x,
                                         mote_error *error)
{
    const mo_force *force;
    for (int k = 0; (force = system->type->statics->force(system, k)) != NULL; ++k) {
        if (force->type->statics && force->type->statics->accept) {
            MO_TRY(force->type->statics->accept(force->instance, x, error));
        }
    }
    return MOTE_OK;
}

void mo_static_constraints_add_stiffness(const mo_static_constraints *c, const mo_active *active,
                                         mo_block_matrix *m, bool definite)
{
    for (int64_t row = 0; row < m->rows && c->colliders && active; ++row) {
        const double *geometric = c->geometric + 9 * row;
        double softening = geometric[0] + geometric[4] + geometric[8];
        if (active->kind[row] == MO_ACTIVE_NONE || active->kind[row] == MO_ACTIVE_STICK ||
            (definite && softening > 0)) {
            continue;
        }
        for (int k = 0; k < 9; ++k) {
            m->value[9 * m->diagonal[row] + k] -= geometric[k];
        }
    }
}
