/*
 * Finite elements with linear shape functions: tetrahedra, triangles in the plane, and triangles in
 * space (membranes without bending stiffness). fem_state.h has the formulas; the materials are in
 * solid/material.
 *
 * Rayleigh damping: -alpha m v of each node, and beta times the stiffness against the velocities,
 * projected to be semidefinite and free of rigid rotations, so that it conserves linear and angular
 * momentum.
 */
#include "math/mat3.h"
#include "solid/model/fem_state.h"
#include "solid/model/model.h"

#include <string.h>

typedef struct fem_params {
    mo_method material;
    double thickness, damping_mass, damping_stiffness, yield, creep, plastic_max;
    const char *triangles, *mass;
} fem_params;

static const mo_param PARAMS[] = {
    {"material", MO_METHOD, MO_FIELD(fem_params, material), .family = &mo_materials,
     .required = true, .doc = "Constitutive model."},
    {"triangles", MO_STRING, MO_FIELD(fem_params, triangles), .initial = "\"membrane\"",
     .choices = "membrane|plane_stress|plane_strain",
     .doc =
         "Interpretation of triangles: a membrane in space, or a two-dimensional body in the x-y "
         "plane in plane stress or plane strain."},
    {"thickness", MO_REAL, MO_FIELD(fem_params, thickness), .unit = "m", .range = "(0, inf)",
     .doc = "Thickness of triangles, for their stiffness; default 0.001 for a membrane, 1 in the "
            "plane. Their density is per area in both cases."},
    {"mass", MO_STRING, MO_FIELD(fem_params, mass), .initial = "\"lumped\"",
     .choices = "lumped|consistent",
     .doc = "Mass matrix: lumped (diagonal), or consistent with the shape functions, which couples "
            "nodes; implicit integrators and modal analysis use the consistent matrix directly, "
            "explicit integrators solve with it in every evaluation."},
    {"damping_mass", MO_REAL, MO_FIELD(fem_params, damping_mass), .unit = "1/s", .initial = "0",
     .range = "[0, inf)",
     .doc = "Rayleigh's alpha: mass-proportional damping, including rigid-body motion."},
    {"damping_stiffness", MO_REAL, MO_FIELD(fem_params, damping_stiffness), .unit = "s",
     .initial = "0", .range = "[0, inf)",
     .doc = "Rayleigh's beta: stiffness-proportional damping of deformation; conserves linear and "
            "angular momentum."},
    {"yield", MO_REAL, MO_FIELD(fem_params, yield), .range = "[0, inf)",
     .doc = "Yield strain: Frobenius norm of the elastic strain above which plastic flow begins; "
            "default: purely elastic. For linear, corotated, stvk and hooke."},
    {"creep", MO_REAL, MO_FIELD(fem_params, creep), .unit = "1/s", .initial = "1e30",
     .range = "[0, inf)",
     .doc = "Creep rate: fraction of the elastic strain that becomes plastic per second. Default: "
            "instantaneous."},
    {"plastic_max", MO_REAL, MO_FIELD(fem_params, plastic_max), .initial = "1e30",
     .range = "[0, inf)", .doc = "Maximum norm of the plastic strain of an element."},
    {0}};

static const mo_column_spec COLUMNS[] = {
    {"von_mises", MOTE_F64, 1, MO_DERIVED, "Pa", "equivalent (von Mises) stress"},
    {"stress", MOTE_F64, 6, MO_DERIVED, "Pa", "Cauchy stress: 11 22 33 12 13 23"},
    {0}};

static mote_status fem_check(const void *params, mote_error *error)
{
    const fem_params *p = params;
    if (!isnan(p->yield) && !(p->material.type->capabilities & MO_MATERIAL_PLASTIC)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "yield: the material '%s' does not support plasticity; allowed: linear, corotated, "
            "stvk and hooke",
            p->material.type->name);
    }
    if (isnan(p->yield) && (p->creep < 1e30 || p->plastic_max < 1e30)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%s: it has no effect without yield, the strain at which plastic flow "
                       "begins",
                       p->creep < 1e30 ? "creep" : "plastic_max");
    }
    return MOTE_OK;
}

static mote_status fem_create(const void *params, const mo_force_context *context, mo_force *force,
                              mote_error *error)
{
    mo_memory *memory = context->memory;
    (void)params;
    mo_fem *fem = mo_allocate(memory, sizeof *fem);
    if (!fem) {
        return mo_fail_memory(error, sizeof *fem);
    }
    fem->memory = memory;
    mo_element_table_init(&fem->tables[MO_FEM_TETRAHEDRA], memory, 4, 10);
    mo_element_table_init(&fem->tables[MO_FEM_TRIANGLES], memory, 3, 5);
    force->instance = fem;
    return MOTE_OK;
}

static void fem_destroy(void *instance, mo_memory *memory)
{
    mo_fem *fem = instance;
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        mo_element_table_release(&fem->tables[k]);
    }
    mo_release(memory, fem->groups);
    mo_release(memory, fem->ranges);
    mo_release(memory, fem);
}

/* ---- elements from meshes ---- */

static mo_vec3 node_at(const mo_mesh *mesh, int64_t node)
{
    return mo_vec3_load(mesh->nodes + 3 * node);
}

mote_status mo_fem_add_tetrahedron(mo_element_table *table, const mo_mesh *mesh, int64_t e,
                                   int64_t first, int32_t group, mote_error *error)
{
    const int32_t *n = mesh->tetrahedra + 4 * e;
    mo_vec3 o = node_at(mesh, n[0]), a = mo_sub(node_at(mesh, n[1]), o),
            b = mo_sub(node_at(mesh, n[2]), o);
    mo_vec3 c = mo_sub(node_at(mesh, n[3]), o);
    double six = mo_dot(mo_cross(a, b), c), size = mo_length(a) * mo_length(b) * mo_length(c);
    if (!(six > 1e-12 * size)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "tetrahedron %lld of its mesh (nodes %d %d %d %d) %s", (long long)e, n[0],
                       n[1], n[2], n[3], six < -1e-12 * size ? "is inverted" : "has no volume");
    }
    int32_t rows[4];
    double number[10] = {six / 6};
    /* the rows of Dm^-1 */
    mo_vec3_store(number + 1, mo_scale(1 / six, mo_cross(b, c)));
    mo_vec3_store(number + 4, mo_scale(1 / six, mo_cross(c, a)));
    mo_vec3_store(number + 7, mo_scale(1 / six, mo_cross(a, b)));
    for (int k = 0; k < 4; ++k) {
        rows[k] = (int32_t)(first + n[k]);
    }
    return mo_element_table_add(table, rows, group, 0, number, error);
}

/* The axes of a triangle's rest shape: x is the projection of the world's x. In the plane they
 * are the world's. */
static void triangle_axes(mo_vec3 normal, bool plane, mo_vec3 *x, mo_vec3 *y)
{
    mo_vec3 along = mo_vec3_make(1, 0, 0);
    if (!plane && fabs(normal.x) > 0.99) {
        along = mo_vec3_make(0, 1, 0);
    }
    if (plane) {
        normal = mo_vec3_make(0, 0, 1);
    }
    *x = mo_unit(mo_add_scaled(along, -mo_dot(along, normal), normal), along);
    *y = mo_cross(normal, *x);
}

static mote_status check_triangle(const mo_mesh *mesh, int64_t e, mo_vec3 a, mo_vec3 b, bool plane,
                                  mote_error *error)
{
    const int32_t *n = mesh->triangles + 3 * e;
    double size = mo_length(a) * mo_length(b);
    mo_vec3 twice = mo_cross(a, b);
    const char *wrong = NULL;
    if (plane && fabs(a.z) + fabs(b.z) > 1e-9 * (mo_length(a) + mo_length(b))) {
        wrong = "is not parallel to the x-y plane, as plane elements are";
    } else if (!(mo_length(twice) > 1e-12 * size)) {
        wrong = "has no area";
    } else if (plane && twice.z < 0) {
        wrong = "is inverted: its nodes must be in counter-clockwise order";
    }
    if (wrong) {
        return mo_fail(error, MOTE_ERROR_INPUT, "triangle %lld of its mesh (nodes %d %d %d) %s",
                       (long long)e, n[0], n[1], n[2], wrong);
    }
    return MOTE_OK;
}

static mote_status add_triangle(mo_fem *fem, const mo_mesh *mesh, int64_t e, int64_t first,
                                int32_t group, double thickness, bool plane, mote_error *error)
{
    const int32_t *n = mesh->triangles + 3 * e;
    mo_vec3 o = node_at(mesh, n[0]), a = mo_sub(node_at(mesh, n[1]), o),
            b = mo_sub(node_at(mesh, n[2]), o), x, y;
    MO_TRY(check_triangle(mesh, e, a, b, plane, error));
    triangle_axes(mo_unit(mo_cross(a, b), mo_vec3_make(0, 0, 1)), plane, &x, &y);
    double ax = mo_dot(a, x), ay = mo_dot(a, y), bx = mo_dot(b, x), by = mo_dot(b, y),
           twice = ax * by - ay * bx;
    const double number[5] = {0.5 * twice * thickness, by / twice, -bx / twice, -ay / twice,
                              ax / twice};
    const int32_t rows[3] = {(int32_t)(first + n[0]), (int32_t)(first + n[1]),
                             (int32_t)(first + n[2])};
    return mo_element_table_add(&fem->tables[MO_FEM_TRIANGLES], rows, group, 0, number, error);
}

static mote_status add_group(mo_fem *fem, const fem_params *p, mo_space space, int64_t first,
                             int64_t count, int32_t *index, mote_error *error)
{
    void *groups = fem->groups;
    mote_status status = mo_grow(fem->memory, &groups, &fem->group_capacity, fem->group_count + 1,
                                 sizeof(mo_fem_group), error);
    fem->groups = groups;
    MO_TRY(status);
    mo_fem_group *group = &fem->groups[fem->group_count];
    bool stress =
        space == MO_MEMBRANE || (space == MO_PLANE && strcmp(p->triangles, "plane_stress") == 0);
    *group = (mo_fem_group){.damping = p->damping_stiffness,
                            .consistent = p->mass[0] == 'c',
                            .first = first,
                            .count = count,
                            .plastic = !isnan(p->yield),
                            .yield = p->yield,
                            .creep = p->creep,
                            .most = p->plastic_max};
    MO_TRY(mo_material_begin(p->material, space, stress, &group->material, error));
    group->full = space == MO_PLANE && !stress;
    if (group->full) {
        MO_TRY(mo_material_begin(p->material, MO_SOLID, false, &group->solid, error));
    }
    *index = (int32_t)fem->group_count++;
    return MOTE_OK;
}

static mote_status add_range(mo_fem *fem, int64_t first, int64_t count, double damping,
                             mote_error *error)
{
    void *ranges = fem->ranges;
    if (!(damping > 0)) {
        return MOTE_OK;
    }
    mote_status status = mo_grow(fem->memory, &ranges, &fem->range_capacity, fem->range_count + 1,
                                 sizeof(mo_fem_range), error);
    fem->ranges = ranges;
    MO_TRY(status);
    fem->ranges[fem->range_count++] = (mo_fem_range){first, count, damping};
    return MOTE_OK;
}

static mote_status fem_add_body(void *instance, const void *params, const mo_mesh *mesh,
                                int64_t first, mote_error *error)
{
    mo_fem *fem = instance;
    const fem_params *p = params;
    bool solid = mesh->tetrahedron_count > 0, plane = p->triangles[0] == 'p';
    mo_space space = solid ? MO_SOLID : plane ? MO_PLANE : MO_MEMBRANE;
    double thickness = isnan(p->thickness) ? plane ? 1 : 0.001 : p->thickness;
    int32_t group;
    if (!solid && (mesh->dimension == 3 || mesh->triangle_count == 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its mesh has no %s for finite elements; %s",
                       mesh->dimension == 3 ? "tetrahedra" : "triangles",
                       mesh->dimension == 3 ? "set \"tetrahedra\" of a block to 5 or 6"
                                            : "use a mesh that has some");
    }
    if (solid && !isnan(p->thickness)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "thickness: it belongs to membranes; the mesh has tetrahedra");
    }
    MO_TRY(add_group(fem, p, space, first, mesh->node_count, &group, error));
    MO_TRY(add_range(fem, first, mesh->node_count, p->damping_mass, error));
    for (int64_t e = 0; e < mesh->tetrahedron_count; ++e) {
        MO_TRY(
            mo_fem_add_tetrahedron(&fem->tables[MO_FEM_TETRAHEDRA], mesh, e, first, group, error));
    }
    for (int64_t e = 0; e < mesh->triangle_count && !solid; ++e) {
        MO_TRY(add_triangle(fem, mesh, e, first, group, thickness, plane, error));
    }
    return MOTE_OK;
}

/* ---- forces ---- */

void mo_fem_scatter(const mo_element_table *t, const mo_element_run *run, int64_t b,
                    const mo_fem_batch *batch, const mo_d4 p[9], double *f, int64_t first)
{
    mo_d4 at_first[3] = {{0}};
    int lanes = mo_element_lanes(run, b);
    for (int k = 1; k < t->width; ++k) {
        mo_d4 force[3];
        const mo_d4 *g = batch->g + 3 * (k - 1);
        for (int i = 0; i < 3; ++i) {
            force[i] =
                -batch->volume * (p[3 * i] * g[0] + p[3 * i + 1] * g[1] + p[3 * i + 2] * g[2]);
            at_first[i] -= force[i];
        }
        mo_element_scatter(f, force, mo_element_nodes(t, run->first + b, k), lanes, run->inner,
                           first);
    }
    mo_element_scatter(f, at_first, mo_element_nodes(t, run->first + b, 0), lanes, run->inner,
                       first);
}

static void add_damping(const mo_fem_group *group, const mo_element_table *t, int64_t batch,
                        const double *v, const mo_fem_batch *b, const mo_d4 *plastic, mo_d4 p[9])
{
    mo_tangent tangent;
    mo_d4 rate[9], dp[9];
    mo_fem_gradient(t, batch, v, b->g, rate);
    mo_material_tangent(&group->material, b->f, plastic, MO_DAMPING, &tangent);
    mo_tangent_apply(&group->material, &tangent, rate, dp);
    for (int n = 0; n < 9; ++n) {
        p[n] += group->damping * dp[n];
    }
}

static void add_run(const mo_fem *fem, const mo_element_table *t, const mo_element_run *run,
                    const mo_force_args *args, int64_t first)
{
    const mo_fem_group *group = &fem->groups[run->group];
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        mo_fem_batch batch;
        mo_d4 p[9];
        mo_fem_load(t, run->first + b, args->x, &batch);
        const mo_d4 *plastic = mo_fem_load_plastic(fem, group, t, run->first + b, &batch);
        mo_material_stress(&group->material, batch.f, plastic, p);
        if (group->damping > 0) {
            add_damping(group, t, run->first + b, args->v, &batch, plastic, p);
        }
        mo_fem_scatter(t, run, b, &batch, p, args->f, first);
    }
}

static void damp_mass(const mo_fem *fem, const mo_force_args *args, int64_t first, int64_t last)
{
    for (int64_t k = 0; k < fem->range_count; ++k) {
        const mo_fem_range *r = &fem->ranges[k];
        int64_t from = r->first > first ? r->first : first;
        int64_t to = r->first + r->count < last ? r->first + r->count : last;
        for (int64_t n = 3 * from; n < 3 * to; ++n) {
            args->f[n] -= r->damping * args->mass[n / 3] * args->v[n];
        }
    }
}

void mo_fem_add_elastic(const mo_fem *fem, const mo_force_args *args, int64_t first)
{
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        const mo_element_table *t = &fem->tables[k];
        int64_t from, to;
        mo_element_table_runs(t, first, &from, &to);
        for (int64_t n = from; n < to; ++n) {
            add_run(fem, t, &t->runs[n], args, first);
        }
    }
}

static void fem_add(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const mo_fem *fem = instance;
    mo_fem_add_elastic(fem, args, first);
    damp_mass(fem, args, first, last);
}

static double run_energy(const mo_fem *fem, const mo_element_table *t, const mo_element_run *run,
                         const double *x, int64_t first)
{
    const mo_fem_group *group = &fem->groups[run->group];
    double sum = 0;
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        mo_fem_batch batch;
        mo_d4 psi;
        mo_fem_load(t, run->first + b, x, &batch);
        const mo_d4 *plastic = mo_fem_load_plastic(fem, group, t, run->first + b, &batch);
        mo_material_energy(&group->material, batch.f, plastic, &psi);
        for (int lane = 0; lane < mo_element_lanes(run, b); ++lane) {
            double part = run->inner ? 1 : mo_element_part(t, run->first + b, lane, first);
            sum += part * batch.volume[lane] * psi[lane];
        }
    }
    return sum;
}

double mo_fem_elastic_energy(const mo_fem *fem, const mo_force_args *args, int64_t first)
{
    double sum = 0;
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        const mo_element_table *t = &fem->tables[k];
        int64_t from, to;
        mo_element_table_runs(t, first, &from, &to);
        for (int64_t n = from; n < to; ++n) {
            sum += run_energy(fem, t, &t->runs[n], args->x, first);
        }
    }
    return sum;
}

static double fem_energy(const void *instance, const mo_force_args *args, int64_t first,
                         int64_t last)
{
    (void)last;
    return mo_fem_elastic_energy(instance, args, first);
}

static void fem_mark_planar(const void *instance, uint8_t *mask)
{
    const mo_fem *fem = instance;
    const mo_element_table *t = &fem->tables[MO_FEM_TRIANGLES];
    for (int64_t n = 0; t->block_count > 0 && n < t->block_runs[t->block_count]; ++n) {
        const mo_element_run *run = &t->runs[n];
        bool plane = fem->groups[run->group].material.space == MO_PLANE;
        for (int64_t e = 0; plane && e < run->count; ++e) {
            for (int k = 0; k < t->width; ++k) {
                mask[mo_element_nodes(t, run->first + e / MO_LANES, k)[e % MO_LANES]] = 1;
            }
        }
    }
}

/* ---- removal of rows ---- */

static void remap_range(mo_fem_range *range, const int64_t *map)
{
    int64_t kept = 0, start = 0;
    for (int64_t row = range->first; row < range->first + range->count; ++row) {
        if (map[row] >= 0) {
            start = kept++ == 0 ? map[row] : start;
        }
    }
    range->first = start;
    range->count = kept;
}

static mote_status fem_remap(void *instance, const int64_t *map, int64_t rows, mote_error *error)
{
    mo_fem *fem = instance;
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        MO_TRY(mo_element_table_remap(&fem->tables[k], map, rows, error));
    }
    return MOTE_OK;
}

static void fem_settle(void *instance, const int64_t *map)
{
    mo_fem *fem = instance;
    for (int64_t k = 0; map && k < fem->range_count; ++k) {
        remap_range(&fem->ranges[k], map);
    }
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        mo_element_table_settle(&fem->tables[k], map != NULL);
    }
}

static mote_status fem_finish(mo_force *force, int64_t rows, mote_error *error)
{
    mo_fem *fem = force->instance;
    mo_fem_volumes(fem);
    for (int k = 0; k < MO_FEM_TABLES; ++k) {
        MO_TRY(mo_element_table_lay_out(&fem->tables[k], rows, error));
    }
    force->derivatives = mo_fem_derivatives(fem);
    force->evolves = fem->plastic != NULL;
    return MOTE_OK;
}

/* The off-diagonal masses follow from the elements' volumes and must not exceed the lumped ones. */
static const char *fem_needs_mass(const void *params)
{
    const fem_params *p = params;
    return p->mass[0] == 'c' ? "mass: consistent mass matrices" : NULL;
}

static bool fem_is_plane(const void *params)
{
    const fem_params *p = params;
    return p->triangles[0] == 'p';
}

static const mo_force_statics STATICS = {.mark_planar = fem_mark_planar};

const mo_model_type mo_model_fem = {
    .force =
        {
            .base =
                {.name = "fem",
                 .summary =
                     "Finite elements: linear tetrahedra, or triangles in the plane or in space.",
                 .citation =
                     "E. Sifakis, J. Barbic 2012, SIGGRAPH course, chapter 4; J. Teran et al. 2003, SCA 68",
                 .param_size = sizeof(fem_params),
                 .params = PARAMS,
                 .columns = COLUMNS,
                 .check = fem_check},
            .elastic = true,
            .create = fem_create,
            .destroy = fem_destroy,
            .begin = mo_fem_begin,
            .add = fem_add,
            .advance = mo_fem_advance,
            .energy = fem_energy,
            .inertia = mo_fem_inertia,
            .stiffness = mo_fem_stiffness,
            .damping = mo_fem_damping,
            .remap = fem_remap,
            .settle = fem_settle,
            .jacobian = &mo_fem_jacobian,
            .stress = &mo_fem_stress,
            .statics = &STATICS,
        },
    .add_body = fem_add_body,
    .attach = mo_fem_attach,
    .finish = fem_finish,
    .needs_mass = fem_needs_mass,
    .is_plane = fem_is_plane,
};
