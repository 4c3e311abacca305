/* Normals and gaps of curved contacts in substeps. */
#include "rigid/curvature.h"

#include <math.h>

enum { GRAIN = 8 };

/* Rotation of a normal in a step below which it is not refreshed [rad]. */
static const double NEGLIGIBLE = 2e-5;

typedef struct pass {
    mo_rigid_curvature *curvature;
    double s;
} pass;

void mo_rigid_curvature_release(mo_rigid_curvature *curvature)
{
    mo_release(curvature->memory, curvature->list);
}

mote_status mo_rigid_curvature_begin(mo_rigid_curvature *curvature, mo_rigid_motion *motion,
                                     mo_rigid_contact *contacts, int64_t count, mote_error *error)
{
    mo_rigid_curvature *c = curvature;
    c->motion = motion;
    c->contacts = contacts;
    c->count = 0;
    if (!c->geometry.find) {
        return MOTE_OK;
    }
    int64_t most = 6 * motion->bodies.count; /* of a pile that forms */
    mote_status status = mo_reserve(c->memory, &c->list, &c->capacity, count > most ? count : most,
                                    sizeof *c->list, error);
    for (int64_t k = 0; k < count && !status; ++k) {
        const int32_t *body = contacts[k].body;
        contacts[k].curved &=
            contacts[k].count > 0 && (mo_rigid_movable(&motion->bodies, body[0]) ||
                                      mo_rigid_movable(&motion->bodies, body[1]));
        if (contacts[k].curved) {
            c->list[c->count++] = (int32_t)k;
        }
    }
    return status;
}

/* ---- one contact ---- */

static const double *packed_row(const mo_rigid_motion *motion, const double *packed, int32_t body)
{
    return packed + MO_PACK * (body < 0 ? motion->bodies.count : (int64_t)body);
}

/* The change of the gap of a point by displacements, or its rate by velocities, along the normal.
 */
static double linear(const mo_rigid_motion *motion, const mo_rigid_contact *c, int point,
                     const double *packed)
{
    mo_vec3 arm[2];
    double sum = 0;
    mo_rigid_contact_arms(motion, c, c->position[point], arm);
    for (int side = 0; side < 2; ++side) {
        const double *u = packed_row(motion, packed, c->body[side]);
        mo_vec3 moved = mo_add(mo_vec3_load(u), mo_cross(mo_vec3_load(u + 4), arm[side]));
        sum += (side ? -1 : 1) * mo_dot(c->normal, moved);
    }
    return sum;
}

/* The point of a contact with a key, the nearest of several; -1: none. */
static int nearest_of_key(const mo_rigid_contact *c, uint32_t key, mo_vec3 position)
{
    int best = -1;
    double least = (double)INFINITY;
    for (int k = 0; k < c->count; ++k) {
        mo_vec3 way = mo_sub(c->position[k][0], position);
        if (c->key[k] == key && mo_dot(way, way) < least) {
            least = mo_dot(way, way);
            best = k;
        }
    }
    return best;
}

/* The geometry of a contact after s at the present velocities; points in the order of the
 * contact's. A single point needs no key: on a mesh it passes from triangle to triangle. */
static bool find(const mo_rigid_curvature *k, int64_t index, double s, double h,
                 mo_rigid_contact *found)
{
    const mo_rigid_contact *c = k->contacts + index;
    mo_rigid_contact now = *c;
    mo_pose pose[2];
    for (int side = 0; side < 2; ++side) {
        const double *u = packed_row(k->motion, k->motion->velocity, c->body[side]);
        mo_vec3 x, v = mo_vec3_load(u), w = mo_vec3_load(u + 4);
        mo_quat q;
        mo_rigid_motion_pose(k->motion, c->body[side], &x, &q);
        mo_rigid_motion_move(k->motion, c->body[side], v, w, s, &x, &q);
        pose[side] = (mo_pose){.R = mo_quat_matrix(q), .p = x, .v = v, .w = w};
    }
    if (!k->geometry.find(k->geometry.context, index, pose, h, &now) || now.count != c->count) {
        return false;
    }
    *found = now;
    for (int i = 0; i < c->count && c->count > 1; ++i) {
        int at = nearest_of_key(&now, c->key[i], c->position[i][0]);
        if (at < 0) {
            return false;
        }
        found->gap[i] = now.gap[at];
        found->position[i][0] = now.position[at][0];
        found->position[i][1] = now.position[at][1];
        now.key[at] = ~now.key[at]; /* taken */
    }
    return true;
}

static double bend_of(const mo_rigid_curvature *k, const mo_rigid_contact *c, int point, double gap,
                      double s)
{
    const mo_rigid_motion *m = k->motion;
    double here = c->gap[point] + linear(m, c, point, m->displacement);
    return (gap - here) / s - linear(m, c, point, m->velocity);
}

/* ---- passes ---- */

static void select_range(void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    mo_rigid_curvature *k = p->curvature;
    for (int64_t i = first; i < last; ++i) {
        mo_rigid_contact *c = k->contacts + k->list[i], found;
        if (find(k, k->list[i], p->s, p->s, &found)) {
            mo_vec3 turn = mo_sub(found.normal, c->normal);
            c->curved = mo_dot(turn, turn) > NEGLIGIBLE * NEGLIGIBLE;
        }
    }
}

void mo_rigid_curvature_select(mo_rigid_curvature *curvature, mo_pool *pool, double h)
{
    pass p = {curvature, h};
    int64_t left = 0;
    mo_parallel_for(pool, curvature->count, GRAIN, select_range, &p);
    for (int64_t k = 0; k < curvature->count; ++k) {
        if (curvature->contacts[curvature->list[k]].curved) {
            curvature->list[left++] = curvature->list[k];
        }
    }
    curvature->count = left;
}

static void predict_range(void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    mo_rigid_curvature *k = p->curvature;
    for (int64_t i = first; i < last; ++i) {
        mo_rigid_contact *c = k->contacts + k->list[i], found;
        bool near = find(k, k->list[i], p->s, p->s, &found);
        for (int point = 0; point < c->count; ++point) {
            c->bend[point] = near ? bend_of(k, c, point, found.gap[point], p->s) : 0;
        }
    }
}

void mo_rigid_curvature_predict(mo_rigid_curvature *curvature, mo_pool *pool, double substep)
{
    pass p = {curvature, substep};
    mo_parallel_for(pool, curvature->count, GRAIN, predict_range, &p);
}

static void update_range(void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    mo_rigid_curvature *k = p->curvature;
    for (int64_t i = first; i < last; ++i) {
        mo_rigid_contact *c = k->contacts + k->list[i], found;
        if (!find(k, k->list[i], 0, p->s, &found)) {
            continue;
        }
        c->normal = found.normal;
        for (int point = 0; point < c->count; ++point) {
            for (int side = 0; side < 2; ++side) {
                const double *d = packed_row(k->motion, k->motion->displacement, c->body[side]);
                c->position[point][side] = mo_sub(found.position[point][side], mo_vec3_load(d));
            }
            c->gap[point] = found.gap[point] - linear(k->motion, c, point, k->motion->displacement);
        }
    }
}

void mo_rigid_curvature_update(mo_rigid_curvature *curvature, mo_pool *pool, double substep)
{
    pass p = {curvature, substep};
    mo_parallel_for(pool, curvature->count, GRAIN, update_range, &p);
}
