/*
 * Contacts with colliders in static equilibrium (analysis/static.c): rows are projected onto the
 * surface of colliders, which react to the forces on them. Colliders with a force law are not
 * constraints: they exert their contact force, as in dynamics.
 */
#include "analysis/static_contacts.h"

#include "collide/friction/friction.h"
#include "collide/law.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096, SWEEPS = 8 };

typedef struct statics {
    const mo_colliders *colliders;
    double *x, *f;
    const double *radius, *inverse_mass;
    const mo_active *active;
    int32_t *supports; /* MO_STATIC_SUPPORTS of each row; NULL: not required */
    double *geometric; /* nine components per row; NULL likewise */
} statics;

static double gap_of(const statics *r, int64_t c, int64_t row, mo_vec3 *n)
{
    return mo_collider_gap(&r->colliders->list[c], mo_vec3_load(r->x + 3 * row), n) -
           r->radius[row];
}

static bool constrains(const statics *r, int64_t c)
{
    const mo_collider *collider = &r->colliders->list[c];
    return collider->projects && !mo_force_law_of(collider);
}

/* Whether a collider supported the row: slip in the tangent plane leaves a curved surface. */
static bool is_supported_by(const statics *r, int64_t c, int64_t row)
{
    return r->supports && (r->supports[MO_STATIC_SUPPORTS * row] == c ||
                           r->supports[MO_STATIC_SUPPORTS * row + 1] == c);
}

static void project_range(void *context, int64_t first, int64_t last)
{
    const statics *r = context;
    for (int64_t row = first; row < last; ++row) {
        bool inside = r->inverse_mass[row] > 0;
        for (int sweep = 0; inside && sweep < SWEEPS; ++sweep) { /* a second sweep for corners */
            inside = false;
            for (int64_t c = 0; c < r->colliders->count; ++c) {
                mo_vec3 n;
                double gap = constrains(r, c) ? gap_of(r, c, row, &n) : 0;
                if (gap < 0 || (gap > 0 && is_supported_by(r, c, row))) {
                    mo_vec3_store(r->x + 3 * row,
                                  mo_add_scaled(mo_vec3_load(r->x + 3 * row), -gap, n));
                    inside = true;
                }
            }
        }
    }
}

/* The contacts of a row: the constrained directions, orthonormal, and the reacting colliders. */
typedef struct row_contacts {
    int count, collider_count;
    mo_vec3 direction[3], residual; /* the force less its constrained part */
    int64_t collider[3];
    mo_vec3 normal[3];
    mo_vec3 friction[3]; /* of each collider on the row */
} row_contacts;

static mo_vec3 project_free(const row_contacts *g, mo_vec3 v)
{
    for (int k = 0; k < g->count; ++k) {
        v = mo_add_scaled(v, -mo_dot(v, g->direction[k]), g->direction[k]);
    }
    return v;
}

static bool add_direction(row_contacts *g, mo_vec3 n, mo_vec3 f)
{
    mo_vec3 across = project_free(g, n);
    if (g->count == 3 || mo_length(across) < 1e-6) {
        return false;
    }
    g->direction[g->count++] = mo_unit(across, n);
    g->residual = g->count == 3 ? mo_vec3_make(0, 0, 0) : project_free(g, f);
    return true;
}

/* The collider with the largest normal component of the residual force. */
static bool add_most_loaded(const statics *r, int64_t row, mo_vec3 f, row_contacts *g)
{
    double near = 1e-9 * (1 + mo_length(mo_vec3_load(r->x + 3 * row))),
           lowest = -1e-12 * mo_length(f);
    int64_t found = -1;
    mo_vec3 normal = mo_vec3_make(0, 0, 0);
    for (int64_t c = 0; c < r->colliders->count; ++c) {
        mo_vec3 n;
        if (constrains(r, c) && gap_of(r, c, row, &n) <= near && mo_dot(g->residual, n) < lowest) {
            lowest = mo_dot(g->residual, n);
            found = c;
            normal = n;
        }
    }
    if (found < 0 || !add_direction(g, normal, f)) {
        return false;
    }
    g->collider[g->collider_count] = found;
    g->normal[g->collider_count++] = normal;
    return true;
}

/* The normal forces of the colliders that constrain a row: f + sum normal_force n has no normal
 * component. */
static void solve_normal_forces(const row_contacts *g, mo_vec3 f, double normal_force[3])
{
    mo_vec3 a = g->normal[0], b = g->normal[1];
    if (g->collider_count == 3) { /* Cramer's rule */
        double volume = mo_dot(a, mo_cross(b, g->normal[2]));
        for (int k = 0; k < 3; ++k) {
            mo_vec3 across = mo_cross(g->normal[(k + 1) % 3], g->normal[(k + 2) % 3]);
            normal_force[k] = -mo_dot(f, across) / volume;
        }
    } else if (g->collider_count == 2) {
        double c = mo_dot(a, b), fa = -mo_dot(f, a), fb = -mo_dot(f, b), det = 1 - c * c;
        normal_force[0] = (fa - c * fb) / det;
        normal_force[1] = (fb - c * fa) / det;
    } else { /* possibly with the normal of a planar body */
        mo_vec3 across = g->direction[g->count - 1];
        normal_force[0] = -mo_dot(f, across) / mo_dot(a, across);
    }
}

/* Whether friction balances the residual force; subtracts the friction from it. A row without
 * tangential load sticks too. */
static bool is_sticking(const statics *r, row_contacts *g, mo_vec3 f)
{
    double normal_force[3];
    solve_normal_forces(g, f, normal_force);
    mo_vec3 line = g->count == 2 ? mo_cross(g->direction[0], g->direction[1])
                                 : mo_perpendicular(g->direction[0]);
    mo_vec3 least = mo_scale(1e-9 * normal_force[0], line), load = g->residual;
    bool pulled = mo_dot(load, load) > mo_dot(least, least);
    if (!pulled) {
        load = least;
    }
    for (int k = 0; k < g->collider_count; ++k) {
        const mo_collider *collider = &r->colliders->list[g->collider[k]];
        mo_vec3 slowed = ((const mo_friction_type *)collider->friction.type)
                             ->slow(collider->friction.params, load, fmax(normal_force[k], 0));
        g->friction[k] = pulled ? mo_sub(slowed, load) : mo_vec3_make(0, 0, 0);
        load = slowed;
    }
    bool sticks = mo_dot(load, load) == 0;
    g->residual =
        mo_dot(g->residual, g->residual) > mo_dot(least, least) || sticks ? load : g->residual;
    return sticks;
}

/* The derivative of a collider's normal along an axis; 0 at edges, where it is discontinuous. */
static mo_vec3 normal_derivative(const statics *r, int64_t c, mo_vec3 x, mo_vec3 axis)
{
    double step = 1e-5 * (1 + mo_length(x));
    mo_vec3 n[3];
    for (int k = 0; k < 3; ++k) {
        mo_collider_gap(&r->colliders->list[c], mo_add_scaled(x, (k - 1) * step, axis), &n[k]);
    }
    mo_vec3 first = mo_sub(n[2], n[0]), second = mo_sub(mo_add(n[0], n[2]), mo_scale(2, n[1]));
    bool jumps = mo_length(first) > 1e-2 || mo_length(second) > 1e-5;
    return mo_scale(jumps ? 0 : 0.5 / step, first);
}

/* Geometric stiffness: the normal force rotates with the normal as the row slips along the
 * surface, d(f n) = f dn/dx dx. */
static void add_geometric_stiffness(const statics *r, int64_t row, const row_contacts *g, mo_vec3 f)
{
    double normal_force[3], *geometric = r->geometric + 9 * row;
    solve_normal_forces(g, f, normal_force);
    for (int s = 0; s < g->collider_count && g->collider_count < 3; ++s) {
        for (int k = 0; k < 3; ++k) {
            mo_vec3 dn = normal_derivative(r, g->collider[s], mo_vec3_load(r->x + 3 * row),
                                           mo_vec3_make(k == 0, k == 1, k == 2));
            const double t[3] = {dn.x, dn.y, dn.z};
            for (int j = 0; j < 3; ++j) { /* symmetric up to rounding */
                geometric[3 * k + j] += 0.5 * normal_force[s] * t[j];
                geometric[3 * j + k] += 0.5 * normal_force[s] * t[j];
            }
        }
    }
}

/* The residual force on a row: its projection on the cone of feasible directions (J. J. Moreau
 * 1962, C. R. Acad. Sci. 255, 238), found by repeatedly adding the collider with the largest
 * normal load. In a corner a row may slip along the edge. */
static row_contacts react(const statics *r, int64_t row)
{
    mo_vec3 f = mo_vec3_load(r->f + 3 * row);
    row_contacts g = {.residual = f};
    if (r->active->kind[row] == MO_ACTIVE_SLIP) { /* of a planar body */
        add_direction(&g, mo_vec3_load(r->active->normal + 3 * row), f);
    }
    while (add_most_loaded(r, row, f, &g)) {
    }
    for (int k = 0; k < MO_STATIC_SUPPORTS && r->supports; ++k) {
        r->supports[MO_STATIC_SUPPORTS * row + k] =
            k < g.collider_count ? (int32_t)g.collider[k] : -1;
    }
    if (r->geometric) {
        memset(r->geometric + 9 * row, 0, 9 * sizeof(double));
    }
    if (g.collider_count == 0) {
        return g;
    }
    if (r->geometric && g.count < 3) {
        add_geometric_stiffness(r, row, &g, f);
    }
    bool sticks = g.count == 3 || is_sticking(r, &g, f);
    r->active->kind[row] = sticks         ? MO_ACTIVE_STICK
                           : g.count == 2 ? MO_ACTIVE_LINE
                                          : MO_ACTIVE_SLIP;
    mo_vec3_store(r->active->normal + 3 * row,
                  g.count == 2 ? mo_cross(g.direction[0], g.direction[1]) : g.direction[0]);
    mo_vec3_store(r->f + 3 * row, sticks ? mo_vec3_make(0, 0, 0) : g.residual);
    return g;
}

/* partial: number of constrained rows */
static void react_range(void *context, int64_t first, int64_t last, double *partial)
{
    const statics *r = context;
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        if (r->inverse_mass[row] > 0) {
            react(r, row);
            *partial += r->active->kind[row] != MO_ACTIVE_NONE;
        }
    }
}

static statics bind(mo_colliders *colliders, mo_system *system, double time, double *f,
                    const mo_active *active, int32_t *supports, double *geometric)
{
    const mo_particle_columns *p = &system->columns;
    mo_colliders_pose(colliders, time);
    return (statics){colliders, mo_f64(p->x), f,        mo_f64(p->radius), mo_f64(p->inverse_mass),
                     active,    supports,     geometric};
}

void mo_static_contacts_project(mo_colliders *colliders, mo_system *system, double time,
                                int32_t *supports)
{
    statics r = bind(colliders, system, time, NULL, NULL, supports, NULL);
    mo_parallel_for(system->host->pool, mo_store_owned(system->store), GRAIN, project_range, &r);
}

bool mo_static_contacts_react(mo_colliders *colliders, mo_system *system, double time, double *f,
                              const mo_active *active, int32_t *supports, double *geometric)
{
    statics r = bind(colliders, system, time, f, active, supports, geometric);
    double count = 1; /* if the count fails, contacts are assumed */
    mo_parallel_reduce(system->host->pool, mo_store_owned(system->store), GRAIN, MO_SUM, 1,
                       react_range, &r, &count, NULL);
    return count > 0;
}

/* ---- records ---- */

/* The contacts of a row under the force f. */
static mote_status list_row(const statics *r, const mo_system *system, int64_t row, mo_vec3 f,
                            const row_contacts *g, mo_contact_set *set, mote_error *error)
{
    const mo_contact_rows rows = mo_system_contact_rows(system);
    mo_vec3 x = mo_vec3_load(r->x + 3 * row);
    double normal_force[3] = {0};
    solve_normal_forces(g, f, normal_force);
    for (int k = 0; k < g->collider_count; ++k) {
        mo_contact contact = mo_contact_row_on_collider(&rows, row, g->collider[k], x, g->normal[k],
                                                        gap_of(r, g->collider[k], row, NULL));
        contact.force = mo_add_scaled(g->friction[k], normal_force[k], g->normal[k]);
        MO_TRY(mo_contact_set_append(set, &contact, error));
    }
    return MOTE_OK;
}

mote_status mo_static_contacts_list(mo_colliders *colliders, mo_system *system, double time,
                                    double *f, const mo_active *active, mo_contact_set *set,
                                    mote_error *error)
{
    statics r = bind(colliders, system, time, f, active, NULL, NULL);
    for (int64_t row = 0; row < mo_store_owned(system->store); ++row) {
        if (r.inverse_mass[row] > 0) {
            mo_vec3 acted = mo_vec3_load(f + 3 * row);
            row_contacts g = react(&r, row);
            MO_TRY(g.collider_count > 0 ? list_row(&r, system, row, acted, &g, set, error)
                                        : MOTE_OK);
        }
    }
    return MOTE_OK;
}
