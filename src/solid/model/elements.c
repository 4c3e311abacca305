/*
 * Penalty energies on the length, area or volume s of elements of two, three and four nodes (rest
 * size V):
 *     C = (s - V)/V,  E = 1/2 k V C^2,  f = -(k V C + c V C') grad C,  C' = grad C . v
 * (M. Teschner et al. 2004, "A versatile and robust model for geometrically complex deformable
 * solids", sections 3.1-3.3). Total force and torque of an element vanish, damping included.
 * Volumes are signed, so that inverted elements recover.
 */
#include "math/vec3.h"
#include "solid/model/elements_state.h"
#include "solid/model/model.h"

typedef struct elements_params {
    double length, area, volume, damping_length, damping_area, damping_volume;
} elements_params;

#define DAMPING(member, of) \
    { \
        "damping_" #member, MO_REAL, MO_FIELD(elements_params, damping_##member), \
            .unit = of " s", .initial = "0", .range = "[0, inf)", \
            .doc = "Damping of the rate of relative change of each " #member "." \
    }

static const mo_param PARAMS[] = {
    {"length", MO_REAL, MO_FIELD(elements_params, length), .unit = "N", .initial = "100",
     .range = "[0, inf)",
     .doc = "Stiffness of the edges against change of length: force per strain."},
    {"area", MO_REAL, MO_FIELD(elements_params, area), .unit = "N/m", .initial = "0",
     .range = "[0, inf)",
     .doc = "Stiffness of the triangles against change of area. Those of a solid are its surface."},
    {"volume", MO_REAL, MO_FIELD(elements_params, volume), .unit = "Pa", .initial = "0",
     .range = "[0, inf)", .doc = "Stiffness of the tetrahedra against change of volume."},
    DAMPING(length, "N"),
    DAMPING(area, "N/m"),
    DAMPING(volume, "Pa"),
    {0}};

static const mo_column_spec COLUMNS[] = {{"element_stress", MOTE_F64, MO_ELEMENTS_KINDS, MO_DERIVED,
                                          "N, N/m, Pa",
                                          "stress k C of edges, triangles and tetrahedra"},
                                         {0}};

static mote_status elements_create(const void *params, const mo_force_context *context,
                                   mo_force *force, mote_error *error)
{
    mo_memory *memory = context->memory;
    (void)params;
    mo_elements *m = mo_allocate(memory, sizeof *m);
    if (!m) {
        return mo_fail_memory(error, sizeof *m);
    }
    m->memory = memory;
    m->column = context->store ? mo_store_find(context->store, "element_stress") : NULL;
    for (int k = 0; k < MO_ELEMENTS_KINDS; ++k) {
        mo_element_table_init(&m->tables[k], memory, k + 2, 1);
    }
    force->instance = m;
    return MOTE_OK;
}

static void elements_destroy(void *instance, mo_memory *memory)
{
    mo_elements *m = instance;
    for (int k = 0; k < MO_ELEMENTS_KINDS; ++k) {
        mo_element_table_release(&m->tables[k]);
    }
    mo_release(memory, m->groups);
    mo_release(memory, m);
}

/* ---- elements from meshes ---- */

static double size_of(const mo_mesh *mesh, const int32_t *n, int width)
{
    mo_vec3 o = mo_vec3_load(mesh->nodes + 3 * (int64_t)n[0]), d[3];
    for (int k = 1; k < width; ++k) {
        d[k - 1] = mo_sub(mo_vec3_load(mesh->nodes + 3 * (int64_t)n[k]), o);
    }
    if (width == 2) {
        return mo_length(d[0]);
    }
    mo_vec3 normal = mo_cross(d[0], d[1]);
    return width == 3 ? 0.5 * mo_length(normal) : mo_dot(normal, d[2]) / 6;
}

static mote_status add_all(mo_elements *m, const mo_mesh *mesh, int width, int64_t count,
                           const int32_t *nodes, int64_t first, int32_t group, mote_error *error)
{
    static const char *const NAME[] = {"edge", "triangle", "tetrahedron"};
    static const char *const SIZE[] = {"length", "area", "volume"};
    for (int64_t e = 0; e < count; ++e) {
        int32_t rows[MO_ELEMENT_WIDTH];
        double size = size_of(mesh, nodes + width * e, width);
        if (!(size > 0)) {
            return mo_fail(error, MOTE_ERROR_INPUT, "%s %lld of its mesh has no %s%s",
                           NAME[width - 2], (long long)e, SIZE[width - 2],
                           size < 0 ? ", it is inverted" : "");
        }
        for (int k = 0; k < width; ++k) {
            rows[k] = (int32_t)(first + nodes[width * e + k]);
        }
        MO_TRY(mo_element_table_add(&m->tables[width - 2], rows, group, 0, &size, error));
    }
    return MOTE_OK;
}

static mote_status add_group(mo_elements *m, const elements_params *p, int32_t *index,
                             mote_error *error)
{
    void *groups = m->groups;
    mote_status status = mo_grow(m->memory, &groups, &m->group_capacity, m->group_count + 1,
                                 sizeof(mo_elements_group), error);
    m->groups = groups;
    MO_TRY(status);
    *index = (int32_t)m->group_count;
    m->groups[m->group_count++] = (mo_elements_group){
        {p->length, p->area, p->volume}, {p->damping_length, p->damping_area, p->damping_volume}};
    return MOTE_OK;
}

static mote_status elements_add_body(void *instance, const void *params, const mo_mesh *mesh,
                                     int64_t first, mote_error *error)
{
    static const char *const SIZE[] = {"length", "area", "volume"};
    mo_elements *m = instance;
    int32_t group;
    MO_TRY(add_group(m, params, &group, error));
    const mo_elements_group *g = &m->groups[group];
    const int64_t count[] = {mesh->edge_count, mesh->triangle_count, mesh->tetrahedron_count};
    const int32_t *nodes[] = {mesh->edges, mesh->triangles, mesh->tetrahedra};
    for (int k = 0; k < MO_ELEMENTS_KINDS; ++k) {
        if (!(g->stiffness[k] > 0 || g->damping[k] > 0)) {
            continue;
        }
        if (count[k] == 0) {
            return mo_fail(error, MOTE_ERROR_INPUT, "%s: its mesh has no elements with a %s",
                           SIZE[k], SIZE[k]);
        }
        MO_TRY(add_all(m, mesh, k + 2, count[k], nodes[k], first, group, error));
    }
    return MOTE_OK;
}

/* ---- sizes and their gradients ---- */

static void size_of_edge(mo_sizes *s)
{
    const mo_d4 *d = s->edge[0];
    mo_d4 square =
        /* avoids 0/0 for elements collapsed to a point */
        d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-280;
    s->inverse_length = 1 / mo_d4_sqrt(square);
    s->size = square * s->inverse_length;
    for (int i = 0; i < 3; ++i) {
        s->unit[i] = d[i] * s->inverse_length;
        s->gradient[1][i] = s->unit[i];
        s->gradient[0][i] = -s->unit[i];
    }
}

/* grad_k = 1/2 unit x (the edge opposite to k) */
static void size_of_triangle(mo_sizes *s)
{
    const mo_d4 *a = s->edge[0], *b = s->edge[1];
    mo_d4 n[3], against[3];
    mo_d4_cross(a, b, n);
    mo_d4 square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + 1e-280;
    s->inverse_length = 1 / mo_d4_sqrt(square);
    s->size = 0.5 * square * s->inverse_length;
    for (int i = 0; i < 3; ++i) {
        s->unit[i] = n[i] * s->inverse_length;
        against[i] = -b[i];
    }
    mo_d4_cross(s->unit, against, s->gradient[1]);
    mo_d4_cross(s->unit, a, s->gradient[2]);
    for (int i = 0; i < 3; ++i) {
        s->gradient[1][i] *= 0.5;
        s->gradient[2][i] *= 0.5;
        s->gradient[0][i] = -(s->gradient[1][i] + s->gradient[2][i]);
    }
}

static void size_of_tetrahedron(mo_sizes *s)
{
    const mo_d4 *a = s->edge[0], *b = s->edge[1], *c = s->edge[2];
    mo_d4_cross(b, c, s->gradient[1]);
    mo_d4_cross(c, a, s->gradient[2]);
    mo_d4_cross(a, b, s->gradient[3]);
    for (int i = 0; i < 3; ++i) {
        for (int k = 1; k < 4; ++k) {
            s->gradient[k][i] *= 1.0 / 6;
        }
        s->gradient[0][i] = -(s->gradient[1][i] + s->gradient[2][i] + s->gradient[3][i]);
    }
    s->size = a[0] * s->gradient[1][0] + a[1] * s->gradient[1][1] + a[2] * s->gradient[1][2];
}

void mo_sizes_load(const mo_element_table *t, int64_t batch, const double *x, mo_sizes *s)
{
    mo_d4 o[3];
    s->rest = mo_element_number(t, batch, 0);
    mo_d4_load3(x, mo_element_nodes(t, batch, 0), &o[0], &o[1], &o[2]);
    for (int k = 1; k < t->width; ++k) {
        mo_d4 *d = s->edge[k - 1];
        mo_d4_load3(x, mo_element_nodes(t, batch, k), &d[0], &d[1], &d[2]);
        for (int i = 0; i < 3; ++i) {
            d[i] -= o[i];
        }
    }
    if (t->width == 2) {
        size_of_edge(s);
    } else if (t->width == 3) {
        size_of_triangle(s);
    } else {
        size_of_tetrahedron(s);
    }
}

/* ---- forces ---- */

/* sum_k grad_k . v_k */
static mo_d4 rate_of(const mo_element_table *t, int64_t batch, const mo_sizes *s, const double *v)
{
    mo_d4 sum = mo_d4_set(0), u[3];
    for (int k = 0; k < t->width; ++k) {
        mo_d4_load3(v, mo_element_nodes(t, batch, k), &u[0], &u[1], &u[2]);
        for (int i = 0; i < 3; ++i) {
            sum += s->gradient[k][i] * u[i];
        }
    }
    return sum;
}

static void add_run(const mo_elements *m, const mo_element_table *t, const mo_element_run *run,
                    const mo_force_args *args, int64_t first)
{
    const mo_elements_group *g = &m->groups[run->group];
    double k = g->stiffness[t->width - 2], c = g->damping[t->width - 2];
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        mo_sizes s;
        mo_sizes_load(t, run->first + b, args->x, &s);
        mo_d4 pull = k * (s.size - s.rest);
        if (c > 0) {
            pull += c * rate_of(t, run->first + b, &s, args->v);
        }
        pull /= -s.rest;
        for (int n = 0; n < t->width; ++n) {
            const mo_d4 force[3] = {pull * s.gradient[n][0], pull * s.gradient[n][1],
                                    pull * s.gradient[n][2]};
            mo_element_scatter(args->f, force, mo_element_nodes(t, run->first + b, n),
                               mo_element_lanes(run, b), run->inner, first);
        }
    }
}

static void elements_add(const void *instance, const mo_force_args *args, int64_t first,
                         int64_t last)
{
    const mo_elements *m = instance;
    (void)last;
    for (int k = 0; k < MO_ELEMENTS_KINDS; ++k) {
        int64_t from, to;
        mo_element_table_runs(&m->tables[k], first, &from, &to);
        for (int64_t n = from; n < to; ++n) {
            add_run(m, &m->tables[k], &m->tables[k].runs[n], args, first);
        }
    }
}

static double run_energy(const mo_elements *m, const mo_element_table *t, const mo_element_run *run,
                         const double *x, int64_t first)
{
    double sum = 0, k = m->groups[run->group].stiffness[t->width - 2];
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        mo_sizes s;
        mo_sizes_load(t, run->first + b, x, &s);
        mo_d4 e = 0.5 * k * (s.size - s.rest) * (s.size - s.rest) / s.rest;
        for (int lane = 0; lane < mo_element_lanes(run, b); ++lane) {
            sum += (run->inner ? 1 : mo_element_part(t, run->first + b, lane, first)) * e[lane];
        }
    }
    return sum;
}

static double elements_energy(const void *instance, const mo_force_args *args, int64_t first,
                              int64_t last)
{
    const mo_elements *m = instance;
    double sum = 0;
    (void)last;
    for (int k = 0; k < MO_ELEMENTS_KINDS; ++k) {
        int64_t from, to;
        mo_element_table_runs(&m->tables[k], first, &from, &to);
        for (int64_t n = from; n < to; ++n) {
            sum += run_energy(m, &m->tables[k], &m->tables[k].runs[n], args->x, first);
        }
    }
    return sum;
}

static mote_status elements_remap(void *instance, const int64_t *map, int64_t rows,
                                  mote_error *error)
{
    mo_elements *m = instance;
    for (int k = 0; k < MO_ELEMENTS_KINDS; ++k) {
        MO_TRY(mo_element_table_remap(&m->tables[k], map, rows, error));
    }
    return MOTE_OK;
}

static void elements_settle(void *instance, const int64_t *map)
{
    mo_elements *m = instance;
    for (int k = 0; k < MO_ELEMENTS_KINDS; ++k) {
        mo_element_table_settle(&m->tables[k], map != NULL);
    }
}

static mote_status elements_finish(mo_force *force, int64_t rows, mote_error *error)
{
    mo_elements *m = force->instance;
    for (int k = 0; k < MO_ELEMENTS_KINDS; ++k) {
        MO_TRY(mo_element_table_lay_out(&m->tables[k], rows, error));
    }
    force->derivatives = mo_elements_derivatives(m);
    return MOTE_OK;
}

const mo_model_type mo_model_elements = {
    .force =
        {
            .base =
                {.name = "elements",
                 .summary = "Penalty energies of length, area and volume on edges, triangles and "
                            "tetrahedra.",
                 .citation =
                     "M. Teschner, B. Heidelberger, M. Mueller, M. Gross 2004, CGI 312, sections 3.1-3.3",
                 .capabilities = MO_PORTABLE,
                 .param_size = sizeof(elements_params),
                 .params = PARAMS,
                 .columns = COLUMNS},
            .elastic = true,
            .create = elements_create,
            .destroy = elements_destroy,
            .add = elements_add,
            .energy = elements_energy,
            .stiffness = mo_elements_stiffness,
            .damping = mo_elements_damping,
            .stress = &mo_elements_stress,
            .remap = elements_remap,
            .settle = elements_settle,
            .jacobian = &mo_elements_jacobian,
        },
    .add_body = elements_add_body,
    .finish = elements_finish,
};
