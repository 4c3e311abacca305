#include "solid/fast_corotated/fast_corotated.h"

#include "math/mat3.h"
#include "solid/material/young.h"

#include <math.h>
#include <string.h>

extern const mo_material_type mo_material_corotated;

void mo_fast_corotated_init(mo_fast_corotated *fast, mo_memory *memory)
{
    *fast = (mo_fast_corotated){.memory = memory};
    fast->fem.memory = memory;
    mo_element_table_init(&fast->fem.tables[MO_FEM_TETRAHEDRA], memory, 4, 10);
    mo_element_table_init(&fast->fem.tables[MO_FEM_TRIANGLES], memory, 3, 5);
}

void mo_fast_corotated_release(mo_fast_corotated *fast)
{
    mo_memory *memory = fast->memory;
    if (!memory) {
        return;
    }
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        mo_element_table_release(&fast->fem.tables[k]);
    }
    mo_release(memory, fast->fem.groups);
    mo_release(memory, fast->bodies);
    mo_block_pattern_release(memory, &fast->pattern);
    mo_block_matrix_release(memory, &fast->matrix);
    mo_supernodal_release(&fast->factor);
    mo_release(memory, fast->value);
    mo_release(memory, fast->factor_mass);
    mo_release(memory, fast->diagonal);
    mo_release(memory, fast->rotated);
    mo_release(memory, fast->work.block);
    mo_release(memory, fast->conjugate.block);
    *fast = (mo_fast_corotated){0};
}

/* ---- bodies ---- */

/* Parameters of the solve are those of all bodies. */
static mote_status agree(mo_fast_corotated *fast, const mo_fast_corotated_params *p,
                         mote_error *error)
{
    bool iterated = p->coupling[0] == 'i', predicted = p->rotations[0] == 'p';
    if (fast->body_count == 0) {
        fast->iterated = iterated;
        fast->predicted = predicted;
        fast->tolerance = p->tolerance;
        fast->iterations = p->iterations;
        fast->rotation_updates = p->rotation_updates;
    }
    const char *differs = fast->iterated != iterated                      ? "coupling"
                          : fast->predicted != predicted                  ? "rotations"
                          : fast->tolerance != p->tolerance               ? "tolerance"
                          : fast->iterations != p->iterations             ? "iterations"
                          : fast->rotation_updates != p->rotation_updates ? "rotation_updates"
                                                                          : NULL;
    return differs ? mo_fail(error, MOTE_ERROR_INPUT,
                             "%s: all bodies with this model are solved together and must have the "
                             "same value",
                             differs)
                   : MOTE_OK;
}

mote_status mo_fast_corotated_add(mo_fast_corotated *fast, const mo_fast_corotated_params *p,
                                  const mo_mesh *mesh, int64_t first, mote_error *error)
{
    mo_fem *fem = &fast->fem;
    const mo_young young = {.young = p->young, .poisson = p->poisson};
    if (mesh->tetrahedron_count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its mesh has no tetrahedra%s",
                       mesh->dimension == 3 ? "; set \"tetrahedra\" of a block to 5 or 6"
                                            : "; it is a model of volumes");
    }
    MO_TRY(agree(fast, p, error));
    MO_TRY(mo_reserve(fast->memory, &fem->groups, &fem->group_capacity, fem->group_count + 1,
                      sizeof *fem->groups, error));
    MO_TRY(mo_reserve(fast->memory, &fast->bodies, &fast->body_capacity, fast->body_count + 1,
                      sizeof *fast->bodies, error));
    mo_fem_group *group = &fem->groups[fem->group_count];
    *group =
        (mo_fem_group){.damping = p->damping_stiffness, .first = first, .count = mesh->node_count};
    MO_TRY(mo_material_begin((mo_method){&mo_material_corotated.base, &young}, MO_SOLID, false,
                             &group->material, error));
    fast->bodies[fast->body_count++] =
        (mo_fast_corotated_body){first, mesh->node_count, p->damping_mass};
    for (int64_t e = 0; e < mesh->tetrahedron_count; ++e) {
        MO_TRY(mo_fem_add_tetrahedron(&fem->tables[MO_FEM_TETRAHEDRA], mesh, e, first,
                                      (int32_t)fem->group_count, error));
    }
    fem->group_count++;
    return MOTE_OK;
}

mote_status mo_fast_corotated_finish(mo_fast_corotated *fast, int64_t rows, mote_error *error)
{
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        MO_TRY(mo_element_table_lay_out(&fast->fem.tables[k], rows, error));
    }
    return MOTE_OK;
}

/* ---- a step ---- */

/* Angular momentum about the centre of mass, the moments of inertia, and the centre. */
typedef struct spin {
    double mass;
    mo_vec3 centre, momentum;
    mo_mat3 inertia;
} spin;

static spin spin_of(const mo_fast_corotated_body *body, const mo_fast_corotated_step *s)
{
    spin a = {0};
    mo_vec3 first = mo_vec3_load(s->x + 3 * body->first), p = {0, 0, 0};
    for (int64_t row = body->first; row < body->first + body->count; ++row) {
        double m = s->mass[row];
        a.mass += m;
        a.centre = mo_add_scaled(a.centre, m, mo_sub(mo_vec3_load(s->x + 3 * row), first));
        p = mo_add_scaled(p, m, mo_vec3_load(s->v + 3 * row));
    }
    a.centre = mo_add(first, mo_scale(1 / a.mass, a.centre));
    for (int64_t row = body->first; row < body->first + body->count; ++row) {
        double m = s->mass[row];
        mo_vec3 r = mo_sub(mo_vec3_load(s->x + 3 * row), a.centre);
        mo_vec3 v = mo_add_scaled(mo_vec3_load(s->v + 3 * row), -1 / a.mass, p);
        a.momentum = mo_add_scaled(a.momentum, m, mo_cross(r, v));
        const double d[3] = {r.x, r.y, r.z};
        for (int k = 0; k < 9; ++k) {
            a.inertia.m[k] += m * ((k % 4 == 0 ? mo_dot(r, r) : 0) - d[k / 3] * d[k % 3]);
        }
    }
    return a;
}

static bool is_free(const mo_fast_corotated_body *body, const mo_fast_corotated_step *s)
{
    for (int64_t row = body->first; row < body->first + body->count; ++row) {
        if (s->inverse_mass[row] == 0) {
            return false;
        }
    }
    return body->count > 0;
}

/* The angular momentum of a free body at the end of an implicit step with the torque of the
 * external forces and mass-proportional damping. */
static mo_vec3 expected_momentum(const mo_fast_corotated_body *body,
                                 const mo_fast_corotated_step *s)
{
    spin a = spin_of(body, s);
    for (int64_t row = body->first; row < body->first + body->count; ++row) {
        mo_vec3 r = mo_sub(mo_vec3_load(s->x + 3 * row), a.centre);
        a.momentum = mo_add_scaled(a.momentum, s->h, mo_cross(r, mo_vec3_load(s->f + 3 * row)));
    }
    return mo_scale(1 / (1 + s->h * body->damping), a.momentum);
}

/* Adds the rigid rotation that restores the angular momentum. */
static void restore_momentum(const mo_fast_corotated_body *body, const mo_fast_corotated_step *s,
                             mo_vec3 expected)
{
    spin a = spin_of(body, s);
    double trace = a.inertia.m[0] + a.inertia.m[4] + a.inertia.m[8];
    if (!(mo_mat3_determinant(a.inertia) > 1e-12 * trace * trace * trace)) {
        return; /* nodes on a line have no moment of inertia about it */
    }
    mo_mat3 inverse = mo_mat3_inverse(a.inertia);
    mo_vec3 w = mo_mat3_apply(inverse, mo_sub(expected, a.momentum));
    for (int64_t row = body->first; row < body->first + body->count; ++row) {
        mo_vec3 r = mo_sub(mo_vec3_load(s->x + 3 * row), a.centre);
        mo_vec3_store(s->v + 3 * row, mo_add(mo_vec3_load(s->v + 3 * row), mo_cross(w, r)));
    }
}

/* rhs += h (f - alpha M v); 0 for prescribed rows. */
static void add_external(const mo_fast_corotated *fast, const mo_fast_corotated_step *s,
                         double *rhs)
{
    for (int64_t b = 0; b < fast->body_count; ++b) {
        const mo_fast_corotated_body *body = &fast->bodies[b];
        for (int64_t k = 3 * body->first; k < 3 * (body->first + body->count); ++k) {
            double own = s->f[k] - body->damping * s->mass[k / 3] * s->v[k];
            rhs[k] = s->inverse_mass[k / 3] > 0 ? rhs[k] + s->h * own : 0;
        }
    }
}

static bool has_volume_part(const mo_fast_corotated *fast)
{
    bool any = false;
    for (int64_t k = 0; k < fast->fem.group_count; ++k) {
        any = any || fast->fem.groups[k].material.lambda != 0;
    }
    return any;
}

/* The end velocities, with rotations of x + along `predicted`, into `end`. */
static mote_status solve_parts(mo_fast_corotated *fast, const mo_fast_corotated_step *s,
                               const double *predicted, double along, double *const w[4],
                               double *end, mote_error *error)
{
    double *rhs = w[0], *dv = w[1];
    int64_t numbers = 3 * s->rows;
    bool volume = has_volume_part(fast), together = fast->iterated && volume;
    mo_fast_corotated_stretch(fast, s, predicted, along, together, rhs);
    add_external(fast, s, rhs);
    if (together) {
        MO_TRY(mo_fast_corotated_conjugate(fast, s, true, rhs, dv, error));
    } else {
        memcpy(dv, rhs, (size_t)numbers * sizeof *dv);
        mo_supernodal_solve_components(&fast->factor, dv);
    }
    for (int64_t k = 0; k < numbers; ++k) {
        end[k] = s->v[k] + dv[k];
    }
    if (volume && !together) {
        mo_fast_corotated_volume(fast, s, end, rhs);
        MO_TRY(mo_fast_corotated_conjugate(fast, s, false, rhs, dv, error));
        for (int64_t k = 0; k < numbers; ++k) {
            end[k] += dv[k];
        }
    }
    return MOTE_OK;
}

mote_status mo_fast_corotated_advance(mo_fast_corotated *fast, const mo_fast_corotated_step *s,
                                      mote_error *error)
{
    int64_t numbers = 3 * s->rows;
    double *w[4];
    MO_TRY(mo_fast_corotated_factor(fast, s, error));
    MO_TRY(mo_reserve(fast->memory, &fast->rotated, &fast->batch_capacity,
                      40 * fast->fem.tables[MO_FEM_TETRAHEDRA].batches, sizeof *fast->rotated,
                      error));
    MO_TRY(mo_work_vectors(fast->memory, &fast->work, 4, numbers + 1, w, error));
    fast->count.iterations = 0;
    fast->count.residual = 0;
    double *end = w[2];
    MO_TRY(solve_parts(fast, s, s->v, fast->predicted ? s->h : 0, w, end, error));
    for (int64_t k = 1; k < fast->rotation_updates; ++k) {
        memcpy(w[3], end, (size_t)numbers * sizeof *end);
        MO_TRY(solve_parts(fast, s, w[3], s->h, w, end, error));
    }
    for (int64_t b = 0; b < fast->body_count; ++b) {
        const mo_fast_corotated_body *body = &fast->bodies[b];
        bool free = is_free(body, s);
        mo_vec3 expected = free ? expected_momentum(body, s) : mo_vec3_make(0, 0, 0);
        memcpy(s->v + 3 * body->first, end + 3 * body->first,
               (size_t)(3 * body->count) * sizeof *end);
        if (free) {
            restore_momentum(body, s, expected);
        }
    }
    return MOTE_OK;
}

/* ---- removal of rows ---- */

mote_status mo_fast_corotated_remap(mo_fast_corotated *fast, const int64_t *map, int64_t rows,
                                    mote_error *error)
{
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        MO_TRY(mo_element_table_remap(&fast->fem.tables[k], map, rows, error));
    }
    return MOTE_OK;
}

void mo_fast_corotated_settle(mo_fast_corotated *fast, const int64_t *map)
{
    for (int64_t b = 0; map && b < fast->body_count; ++b) {
        mo_fast_corotated_body *body = &fast->bodies[b];
        int64_t kept = 0, start = 0;
        for (int64_t row = body->first; row < body->first + body->count; ++row) {
            if (map[row] >= 0) {
                start = kept++ == 0 ? map[row] : start;
            }
        }
        body->first = start;
        body->count = kept;
    }
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        mo_element_table_settle(&fast->fem.tables[k], map != NULL);
    }
    fast->analysed = fast->analysed && map == NULL;
}
