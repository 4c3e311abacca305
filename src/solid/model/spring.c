/*
 * Springs on the edges of a mesh, with damping along them. For an edge of length l and rest length
 * L, d = x_j - x_i:
 *     f_i = a (1/L - 1/l) d            with a = k [N], force per strain: k (l - L)/L along d,
 *                                      or a = k_length L, k_length in N/m: k_length (l - L)
 *         + g_s ((v_j - v_i).d) d/l^2  (damping_spring: along the edge; conserves linear and
 *                                      angular momentum)
 *         + g_v (v_j - v_i)            (damping_viscous: conserves linear momentum only)
 * and f_j = -f_i, exactly. Energy a/(2 L) (l - L)^2. M. Teschner's slides define k per strain, many
 * others per length: both are supported.
 *
 * Cost: an edge is 16 bytes of table (two rows, 1/L) and, per block of rows, x and v of its nodes
 * from the cache; one square root and one division, four edges at a time (eight would spill
 * registers).
 */
#include "solid/model/model.h"
#include "solid/model/spring_state.h"

typedef mo_spring_material material;

typedef struct spring {
    double k, k_length, shear, bend, damping_spring, damping_viscous;
} spring;

static const mo_param PARAMS[] = {
    {"k", MO_REAL, MO_FIELD(spring, k), .unit = "N", .range = "[0, inf)",
     .doc =
         "Stiffness of each edge as force per strain: independent of resolution for a rope, while "
         "a finer cloth or block has more parallel edges and is stiffer. Give this or k_length."},
    {"k_length", MO_REAL, MO_FIELD(spring, k_length), .unit = "N/m", .range = "[0, inf)",
     .doc = "Stiffness of each edge as force per elongation."},
    {"shear", MO_REAL, MO_FIELD(spring, shear), .initial = "1", .range = "[0, inf)",
     .doc = "Stiffness factor of shear springs (cell diagonals)."},
    {"bend", MO_REAL, MO_FIELD(spring, bend), .initial = "1", .range = "[0, inf)",
     .doc = "Stiffness factor of bending springs (edges over two cells)."},
    {"damping_spring", MO_REAL, MO_FIELD(spring, damping_spring), .unit = "kg/s", .initial = "0",
     .range = "[0, inf)",
     .doc = "Damping of the relative velocity along each edge; conserves linear and angular "
            "momentum."},
    {"damping_viscous", MO_REAL, MO_FIELD(spring, damping_viscous), .unit = "kg/s", .initial = "0",
     .range = "[0, inf)",
     .doc = "Damping of the full relative velocity; conserves linear momentum only."},
    {0}};

static mote_status spring_check(const void *params, mote_error *error)
{
    const spring *p = params;
    if (isnan(p->k) == isnan(p->k_length)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "k: give exactly one of k (force per strain) and k_length "
                       "(force per elongation)");
    }
    return MOTE_OK;
}

static mote_status spring_create(const void *params, const mo_force_context *context,
                                 mo_force *force, mote_error *error)
{
    mo_springs *s = mo_allocate(context->memory, sizeof *s);
    (void)params;
    if (!s) {
        return mo_fail_memory(error, sizeof *s);
    }
    s->memory = context->memory;
    mo_element_table_init(&s->table, s->memory, 2, 1);
    s->table.own_first = true;
    force->instance = s;
    return MOTE_OK;
}

static void spring_destroy(void *instance, mo_memory *memory)
{
    mo_springs *s = instance;
    mo_element_table_release(&s->table);
    mo_release(memory, s->materials);
    mo_release(memory, s);
}

/* The index of this material; equal ones share it. */
static mote_status intern(mo_springs *s, material wanted, int32_t *index, mote_error *error)
{
    for (int64_t k = 0; k < s->material_count; ++k) {
        const material *m = &s->materials[k];
        if (m->stiffness == wanted.stiffness && m->per_length == wanted.per_length &&
            m->along == wanted.along && m->viscous == wanted.viscous) {
            *index = (int32_t)k;
            return MOTE_OK;
        }
    }
    void *materials = s->materials;
    mote_status status = mo_grow(s->memory, &materials, &s->material_capacity,
                                 s->material_count + 1, sizeof(material), error);
    s->materials = materials;
    MO_TRY(status);
    *index = (int32_t)s->material_count;
    s->materials[s->material_count++] = wanted;
    return MOTE_OK;
}

static mote_status spring_add_body(void *instance, const void *params, const mo_mesh *mesh,
                                   int64_t first, mote_error *error)
{
    mo_springs *s = instance;
    const spring *p = params;
    bool per_length = isnan(p->k);
    double stiffness = per_length ? p->k_length : p->k;
    const double factor[MO_EDGE_KINDS] = {1, p->shear, p->bend};
    int32_t kinds[MO_EDGE_KINDS];
    for (int kind = 0; kind < MO_EDGE_KINDS; ++kind) {
        material m = {factor[kind] * stiffness, per_length, p->damping_spring, p->damping_viscous};
        MO_TRY(intern(s, m, &kinds[kind], error));
    }
    if (mesh->edge_count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its mesh has no edges for springs");
    }
    MO_TRY(mo_element_table_reserve(&s->table, mesh->edge_count, error));
    for (int64_t e = 0; e < mesh->edge_count; ++e) {
        int32_t a = mesh->edges[2 * e], b = mesh->edges[2 * e + 1];
        double length = mo_length(mo_sub(mo_vec3_load(mesh->nodes + 3 * (int64_t)b),
                                         mo_vec3_load(mesh->nodes + 3 * (int64_t)a)));
        if (!(length > 0)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "the edge between its nodes %d and %d has no length", a, b);
        }
        const int32_t ends[2] = {(int32_t)(first + a), (int32_t)(first + b)};
        const double inverse_rest = 1 / length;
        MO_TRY(mo_element_table_add(&s->table, ends, kinds[mesh->edge_kind[e]], 0, &inverse_rest,
                                    error));
    }
    return MOTE_OK;
}

/* ---- forces ---- */

MO_INLINE void add_damping(const mo_element_table *t, const material *m, const double *v,
                           int64_t batch, const mo_spring_batch *b, mo_d4 f[3])
{
    const int32_t *ends = mo_spring_ends(t, batch);
    mo_d4 xi, yi, zi, xj, yj, zj;
    mo_d4_load3(v, ends, &xi, &yi, &zi);
    mo_d4_load3(v, ends + MO_LANES, &xj, &yj, &zj);
    mo_d4 ux = xj - xi, uy = yj - yi, uz = zj - zi;
    mo_d4 s = m->along * ((ux * b->dx + uy * b->dy + uz * b->dz) / b->square);
    f[0] += s * b->dx + m->viscous * ux;
    f[1] += s * b->dy + m->viscous * uy;
    f[2] += s * b->dz + m->viscous * uz;
}

/* The forces on the first ends of four springs. */
MO_INLINE void forces_of(const mo_element_table *t, const material *m, const mo_force_args *args,
                         int64_t batch, bool damped, mo_d4 f[3])
{
    mo_spring_batch b = mo_spring_load(t, m, args->x, batch);
    mo_d4 c = b.factor * (mo_spring_inverse_rest(t, batch) - b.inverse_length);
    f[0] = c * b.dx;
    f[1] = c * b.dy;
    f[2] = c * b.dz;
    if (damped) {
        add_damping(t, m, args->v, batch, &b, f);
    }
}

/* The forces on `lanes` first ends, and their opposites on the second ends of inner springs.
 * Spring by spring, so that the order of additions is that of a list of springs. */
MO_INLINE void scatter(double *f, const mo_d4 *force, const int32_t *ends, int lanes, bool inner)
{
    for (int k = 0; k < lanes; ++k) {
        mo_d4_add3(f + 3 * (int64_t)ends[k], force[k]);
        if (inner) {
            mo_d4_add3(f + 3 * (int64_t)ends[MO_LANES + k], -force[k]);
        }
    }
}

MO_INLINE void add_run(const mo_springs *s, const mo_element_run *run, const mo_force_args *args,
                       bool damped, bool inner)
{
    const mo_element_table *t = &s->table;
    const material m = s->materials[run->group];
    for (int64_t done = 0; done < run->count; done += MO_LANES) {
        int64_t batch = run->first + done / MO_LANES;
        mo_d4 f[3], force[MO_LANES];
        forces_of(t, &m, args, batch, damped, f);
        mo_d4_rows3(f[0], f[1], f[2], force);
        if (run->count - done >= MO_LANES) {
            scatter(args->f, force, mo_spring_ends(t, batch), MO_LANES, inner);
        } else {
            scatter(args->f, force, mo_spring_ends(t, batch), (int)(run->count - done), inner);
        }
    }
}

/* Selects the loop per run, so that it is branch-free. */
static void add_any_run(const mo_springs *s, const mo_element_run *run, const mo_force_args *args)
{
    const material *m = &s->materials[run->group];
    bool damped = m->along > 0 || m->viscous > 0;
    if (damped) {
        run->inner ? add_run(s, run, args, true, true) : add_run(s, run, args, true, false);
    } else {
        run->inner ? add_run(s, run, args, false, true) : add_run(s, run, args, false, false);
    }
}

static void spring_add(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const mo_springs *s = instance;
    int64_t from, to;
    (void)last;
    mo_element_table_runs(&s->table, first, &from, &to);
    for (int64_t k = from; k < to; ++k) {
        add_any_run(s, &s->table.runs[k], args);
    }
}

/* ---- energy and bounds ---- */

/* One spring of a run: d = x_j - x_i, its rest length, and the stiffness a/L. */
typedef struct one_spring {
    int32_t i, j;
    mo_vec3 d;
    double rest, stiffness;
} one_spring;

static one_spring spring_at(const mo_springs *s, const mo_element_run *run, int64_t at,
                            const double *x)
{
    const material *m = &s->materials[run->group];
    int64_t batch = run->first + at / MO_LANES, lane = at % MO_LANES;
    const int32_t *ends = mo_spring_ends(&s->table, batch) + lane;
    one_spring e = {.i = ends[0], .j = ends[MO_LANES]};
    e.d = mo_sub(mo_vec3_load(x + 3 * (int64_t)e.j), mo_vec3_load(x + 3 * (int64_t)e.i));
    e.rest = 1 / s->table.numbers[MO_LANES * batch + lane];
    e.stiffness = m->per_length ? m->stiffness : m->stiffness / e.rest;
    return e;
}

/* A spring between two blocks is visited twice with weight 1/2. */
static double spring_energy(const void *instance, const mo_force_args *args, int64_t first,
                            int64_t last)
{
    const mo_springs *s = instance;
    int64_t from, to;
    double sum = 0;
    (void)last;
    mo_element_table_runs(&s->table, first, &from, &to);
    for (int64_t k = from; k < to; ++k) {
        const mo_element_run *run = &s->table.runs[k];
        for (int64_t at = 0; at < run->count; ++at) {
            one_spring e = spring_at(s, run, at, args->x);
            double stretch = mo_length(e.d) - e.rest;
            sum += (run->inner ? 0.5 : 0.25) * e.stiffness * stretch * stretch;
        }
    }
    return sum;
}

/* K = s n n^T + s (1 - L/l) (1 - n n^T) with s = a/L; the second part counts in tension and is
 * clamped in compression. Each block row has K twice, on and off the diagonal. */
static void bound_stiffness(const one_spring *e, const material *m, double bound[3])
{
    double length = mo_length(e->d), k = e->stiffness;
    mo_vec3 n = mo_unit(e->d, mo_vec3_make(1, 0, 0));
    double across = length > e->rest ? k * (1 - e->rest / length) : 0;
    double sum = fabs(n.x) + fabs(n.y) + fabs(n.z);
    (void)m;
    for (int c = 0; c < 3; ++c) {
        bound[c] = 2 * (k * fabs(mo_vec3_at(n, c)) * sum + across);
    }
}

/* g_s n n^T + g_v, twice as above. */
static void bound_damping(const one_spring *e, const material *m, double bound[3])
{
    mo_vec3 n = mo_unit(e->d, mo_vec3_make(1, 0, 0));
    double sum = fabs(n.x) + fabs(n.y) + fabs(n.z);
    for (int c = 0; c < 3; ++c) {
        bound[c] = 2 * (m->along * fabs(mo_vec3_at(n, c)) * sum + m->viscous);
    }
}

typedef void bound_spring(const one_spring *e, const material *m, double bound[3]);

static void add_bounds(const mo_springs *s, const mo_force_args *args, int64_t first,
                       bound_spring *of, double *bound)
{
    int64_t from, to;
    mo_element_table_runs(&s->table, first, &from, &to);
    for (int64_t k = from; k < to; ++k) {
        const mo_element_run *run = &s->table.runs[k];
        for (int64_t at = 0; at < run->count; ++at) {
            one_spring e = spring_at(s, run, at, args->x);
            double both[3];
            of(&e, &s->materials[run->group], both);
            for (int c = 0; c < 3; ++c) {
                bound[3 * (int64_t)e.i + c] += both[c];
                if (run->inner) {
                    bound[3 * (int64_t)e.j + c] += both[c];
                }
            }
        }
    }
}

static void spring_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                             int64_t last, double *bound)
{
    (void)last;
    add_bounds(instance, args, first, bound_stiffness, bound);
}

static void spring_damping(const void *instance, const mo_force_args *args, int64_t first,
                           int64_t last, double *bound)
{
    (void)last;
    add_bounds(instance, args, first, bound_damping, bound);
}

/* ---- removal of rows ---- */

static mote_status spring_remap(void *instance, const int64_t *map, int64_t rows, mote_error *error)
{
    mo_springs *s = instance;
    return mo_element_table_remap(&s->table, map, rows, error);
}

static void spring_settle(void *instance, const int64_t *map)
{
    mo_springs *s = instance;
    mo_element_table_settle(&s->table, map != NULL);
}

static mote_status spring_finish(mo_force *force, int64_t rows, mote_error *error)
{
    mo_springs *s = force->instance;
    MO_TRY(mo_element_table_lay_out(&s->table, rows, error));
    force->derivatives = mo_spring_derivatives(s);
    return MOTE_OK;
}

const mo_model_type mo_model_spring = {
    .force =
        {
            .base =
                {.name = "spring",
                 .summary = "Mass-spring model: damped springs on the edges of the mesh.",
                 .citation =
                     "M. Teschner, Simulation in Computer Graphics, lecture slides on particle motion",
                 .capabilities = MO_PORTABLE,
                 .param_size = sizeof(spring),
                 .params = PARAMS,
                 .check = spring_check},
            .elastic = true,
            .create = spring_create,
            .destroy = spring_destroy,
            .add = spring_add,
            .energy = spring_energy,
            .stiffness = spring_stiffness,
            .damping = spring_damping,
            .remap = spring_remap,
            .settle = spring_settle,
            .jacobian = &mo_spring_jacobian,
        },
    .add_body = spring_add_body,
    .finish = spring_finish,
};
