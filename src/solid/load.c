#include "solid/load.h"

#include "geometry/mesh/volume.h"
#include "solid/model/element_table.h"

#include <math.h>
#include <string.h>

enum { NODES, FACES, TABLES };

/* Of a face: its pressure, and the initial positions of its nodes. */
enum { PRESSURE, POSITIONS, FACE_NUMBERS = POSITIONS + 9 };

struct mo_loads {
    mo_memory *memory;
    int64_t scale_count, scale_capacity;
    mo_curve *scales; /* groups of the tables; the curves belong to the scene */
    mo_element_table tables[TABLES];
};

mote_status mo_loads_create(mo_memory *memory, mo_loads **loads, mote_error *error)
{
    mo_loads *l = mo_allocate(memory, sizeof *l);
    if (!l) {
        return mo_fail_memory(error, sizeof *l);
    }
    l->memory = memory;
    mo_element_table_init(&l->tables[NODES], memory, 1, 3); /* the force */
    mo_element_table_init(&l->tables[FACES], memory, 3, FACE_NUMBERS);
    *loads = l;
    return MOTE_OK;
}

void mo_loads_destroy(void *loads, mo_memory *memory)
{
    mo_loads *l = loads;
    for (int k = 0; k < TABLES; ++k) {
        mo_element_table_release(&l->tables[k]);
    }
    mo_release(memory, l->scales);
    mo_release(memory, l);
}

/* ---- distribution of loads ---- */

static bool face_is_selected(const int32_t *triangle, const double *share)
{
    return share[triangle[0]] >= 0 && share[triangle[1]] >= 0 && share[triangle[2]] >= 0;
}

/* share[node] becomes the node's fraction of the total; negative for nodes outside the
 * selection. */
static void distribute(const mo_mesh *mesh, double *share)
{
    double whole = 0, nodes = 0;
    for (int64_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *n = mesh->triangles + 3 * t;
        if (face_is_selected(n, share)) {
            double area = mo_mesh_triangle_area(mesh, n);
            whole += area;
            for (int k = 0; k < 3; ++k) {
                share[n[k]] += area / 3;
            }
        }
    }
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        nodes += share[k] >= 0;
    }
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        if (share[k] >= 0) {
            share[k] = whole > 0 ? share[k] / whole : 1 / nodes;
        }
    }
}

static mote_status add_force(mo_loads *l, const mo_load *load, const mo_mesh *mesh, double *share,
                             int64_t first, int32_t group, mote_error *error)
{
    distribute(mesh, share);
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        if (share[k] > 0) {
            int32_t row = (int32_t)(first + k);
            mo_vec3 part = mo_scale(share[k], load->force);
            const double number[3] = {part.x, part.y, part.z};
            MO_TRY(mo_element_table_add(&l->tables[NODES], &row, group, 0, number, error));
        }
    }
    return MOTE_OK;
}

static mote_status add_pressure(mo_loads *l, const mo_load *load, const mo_mesh *mesh,
                                const double *share, int64_t first, int32_t group,
                                mote_error *error)
{
    int64_t faces = 0;
    for (int64_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *n = mesh->triangles + 3 * t;
        if (face_is_selected(n, share)) {
            const int32_t rows[3] = {(int32_t)(first + n[0]), (int32_t)(first + n[1]),
                                     (int32_t)(first + n[2])};
            double number[FACE_NUMBERS] = {load->pressure};
            for (int k = 0; k < 3; ++k) {
                memcpy(number + POSITIONS + 3 * k, mesh->nodes + 3 * (int64_t)n[k],
                       3 * sizeof(double));
            }
            MO_TRY(mo_element_table_add(&l->tables[FACES], rows, group, 0, number, error));
            ++faces;
        }
    }
    if (faces == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       ".pressure: no surface triangle has all three nodes in the selection");
    }
    return MOTE_OK;
}

mote_status mo_loads_add(mo_loads *l, const mo_load *load, const mo_mesh *mesh,
                         const int32_t *nodes, int64_t count, int64_t first, mote_error *error)
{
    void *memory = l->scales;
    int32_t group = (int32_t)l->scale_count;
    mote_status status =
        mo_grow(l->memory, &memory, &l->scale_capacity, group + 1, sizeof(mo_curve), error);
    l->scales = memory;
    MO_TRY(status);
    l->scales[l->scale_count++] = load->scale;
    MO_TRY(mo_allocate_array(l->memory, mesh->node_count, sizeof(double), &memory, error));
    double *share = memory;
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        share[k] = -1;
    }
    for (int64_t k = 0; k < count; ++k) {
        share[nodes[k]] = 0;
    }
    if (!isnan(load->pressure)) {
        status = add_pressure(l, load, mesh, share, first, group, error);
    }
    if (status == MOTE_OK && !isnan(load->force.x)) {
        status = add_force(l, load, mesh, share, first, group, error);
    }
    mo_release(l->memory, share);
    return status;
}

/* ---- the force ---- */

static void add_nodes(const mo_loads *l, const mo_element_run *run, const mo_force_args *args,
                      int64_t first)
{
    const mo_element_table *t = &l->tables[NODES];
    double scale = mo_curve_at(&l->scales[run->group], args->time);
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        mo_d4 force[3];
        for (int i = 0; i < 3; ++i) {
            force[i] = scale * mo_element_number(t, run->first + b, i);
        }
        mo_element_scatter(args->f, force, mo_element_nodes(t, run->first + b, 0),
                           mo_element_lanes(run, b), run->inner, first);
    }
}

/* -p A n/3 at each node: A n is half of a x b. */
static void add_faces(const mo_loads *l, const mo_element_run *run, const mo_force_args *args,
                      int64_t first)
{
    const mo_element_table *t = &l->tables[FACES];
    double scale = -mo_curve_at(&l->scales[run->group], args->time) / 6;
    for (int64_t b = 0; b * MO_LANES < run->count; ++b) {
        mo_d4 x[3][3], force[3];
        for (int k = 0; k < 3; ++k) {
            mo_d4_load3(args->x, mo_element_nodes(t, run->first + b, k), &x[k][0], &x[k][1],
                        &x[k][2]);
        }
        mo_d4 p = scale * mo_element_number(t, run->first + b, PRESSURE);
        for (int i = 0; i < 3; ++i) {
            int u = (i + 1) % 3, w = (i + 2) % 3;
            force[i] = p * ((x[1][u] - x[0][u]) * (x[2][w] - x[0][w]) -
                            (x[1][w] - x[0][w]) * (x[2][u] - x[0][u]));
        }
        for (int k = 0; k < 3; ++k) {
            mo_element_scatter(args->f, force, mo_element_nodes(t, run->first + b, k),
                               mo_element_lanes(run, b), run->inner, first);
        }
    }
}

static void load_add(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const mo_loads *l = instance;
    int64_t from, to;
    (void)last;
    mo_element_table_runs(&l->tables[NODES], first, &from, &to);
    for (int64_t k = from; k < to; ++k) {
        add_nodes(l, &l->tables[NODES].runs[k], args, first);
    }
    mo_element_table_runs(&l->tables[FACES], first, &from, &to);
    for (int64_t k = from; k < to; ++k) {
        add_faces(l, &l->tables[FACES].runs[k], args, first);
    }
}

/* -F . x of one node. */
static double energy_of_node(const mo_element_table *t, const double *x, int64_t batch,
                             int64_t lane)
{
    const double *position = x + 3 * (int64_t)mo_element_nodes(t, batch, 0)[lane];
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        sum -= position[i] * t->numbers[(3 * batch + i) * MO_LANES + lane];
    }
    return sum;
}

static mo_vec3 half_cross(const mo_vec3 x[3])
{
    return mo_scale(0.5, mo_cross(mo_sub(x[1], x[0]), mo_sub(x[2], x[0])));
}

/* p times the volume swept by one face along a straight path from its initial position: the
 * integral of A n . (sum of the displacements)/3, quadratic along the path, by Simpson's rule. */
static double energy_of_face(const mo_element_table *t, const double *x, int64_t batch,
                             int64_t lane)
{
    const double *number = t->numbers + (int64_t)FACE_NUMBERS * batch * MO_LANES + lane;
    mo_vec3 old[3], middle[3], new[3], way = mo_vec3_make(0, 0, 0);
    for (int k = 0; k < 3; ++k) {
        const double *at = number + (int64_t)(POSITIONS + 3 * k) * MO_LANES;
        old[k] = mo_vec3_make(at[0], at[MO_LANES], at[2 * MO_LANES]);
        new[k] = mo_vec3_load(x + 3 * (int64_t)mo_element_nodes(t, batch, k)[lane]);
        middle[k] = mo_scale(0.5, mo_add(old[k], new[k]));
        way = mo_add(way, mo_sub(new[k], old[k]));
    }
    mo_vec3 area = mo_add(mo_add_scaled(half_cross(old), 4, half_cross(middle)), half_cross(new));
    return number[(int64_t)PRESSURE * MO_LANES] * mo_dot(area, way) / 18;
}

static double load_energy(const void *instance, const mo_force_args *args, int64_t first,
                          int64_t last)
{
    const mo_loads *l = instance;
    double sum = 0;
    (void)last;
    for (int kind = 0; kind < TABLES; ++kind) {
        const mo_element_table *t = &l->tables[kind];
        int64_t from, to;
        mo_element_table_runs(t, first, &from, &to);
        for (int64_t k = from; k < to; ++k) {
            const mo_element_run *run = &t->runs[k];
            double scale = mo_curve_at(&l->scales[run->group], args->time), part = 0;
            for (int64_t at = 0; at < run->count; ++at) {
                int64_t batch = run->first + at / MO_LANES, lane = at % MO_LANES;
                double mine = run->inner ? 1 : mo_element_part(t, batch, (int)lane, first);
                part += mine * (kind == NODES ? energy_of_node(t, args->x, batch, lane)
                                              : energy_of_face(t, args->x, batch, lane));
            }
            sum += scale * part;
        }
    }
    return sum;
}

static mote_status load_remap(void *instance, const int64_t *map, int64_t rows, mote_error *error)
{
    mo_loads *l = instance;
    for (int k = 0; k < TABLES; ++k) {
        MO_TRY(mo_element_table_remap(&l->tables[k], map, rows, error));
    }
    return MOTE_OK;
}

static void load_settle(void *instance, const int64_t *map)
{
    mo_loads *l = instance;
    for (int k = 0; k < TABLES; ++k) {
        mo_element_table_settle(&l->tables[k], map != NULL);
    }
}

static const mo_force_type LOAD = {
    .base = {.name = "load"},
    .destroy = mo_loads_destroy,
    .add = load_add,
    .energy = load_energy,
    .remap = load_remap,
    .settle = load_settle,
};

mote_status mo_loads_finish(mo_loads *l, int64_t rows, mo_force *force, mote_error *error)
{
    for (int k = 0; k < TABLES; ++k) {
        MO_TRY(mo_element_table_lay_out(&l->tables[k], rows, error));
    }
    *force = (mo_force){.type = &LOAD, .instance = l};
    return MOTE_OK;
}
