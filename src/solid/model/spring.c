/*
 * Springs on the edges of a mesh, with damping along them. For an edge of length l and rest length L, d = x_j - x_i:
 *     f_i = a (1/L - 1/l) d            with a = k [N], force per strain:      k (l - L)/L along the edge,
 *                                      or   a = k_length L, k_length in N/m:  k_length (l - L)
 *         + g_s ((v_j - v_i).d) d/l^2  (damping_spring: along the edge; keeps both momenta)
 *         + g_v (v_j - v_i)            (damping_viscous: keeps linear momentum only)
 * and f_j = -f_i, exactly. Energy a/(2 L) (l - L)^2. M. Teschner's slides write k per strain, many others per length:
 * both are offered.
 *
 * What bounds it: an edge is 16 bytes of list (two rows, 1/L) and, per block of rows, x and v of its nodes from the cache;
 * one square root and one division, four edges at a time (eight would spill registers).
 */
#include "integrate/element_blocks.h"
#include "solid/model/model.h"
#include "solid/model/spring_network.h"

#include <stdlib.h>
#include <string.h>

typedef mo_spring_network network;
typedef mo_spring_material material;
typedef mo_spring_run run;
typedef mo_spring_batch batch;

enum { LANES = MO_SPRING_LANES };

typedef struct spring {
    double k, k_length, shear, bend, damping_spring, damping_viscous;
} spring;

static const mo_param PARAMS[] = {
    {"k", MO_REAL, MO_FIELD(spring, k), .unit = "N", .range = "[0, inf)",
     .doc = "Stiffness of each edge as force per strain, so that a rope's does not depend on its segments; a "
            "cloth or a block has more edges side by side when it is finer, and is stiffer then. Give this "
            "or k_length."},
    {"k_length", MO_REAL, MO_FIELD(spring, k_length), .unit = "N/m", .range = "[0, inf)",
     .doc = "Stiffness as force per elongation."},
    {"shear", MO_REAL, MO_FIELD(spring, shear), .initial = "1", .range = "[0, inf)",
     .doc = "Stiffness of the edges across cells, as a multiple."},
    {"bend", MO_REAL, MO_FIELD(spring, bend), .initial = "1", .range = "[0, inf)",
     .doc = "Stiffness of the edges over two cells, as a multiple."},
    {"damping_spring", MO_REAL, MO_FIELD(spring, damping_spring), .unit = "kg/s", .initial = "0",
     .range = "[0, inf)", .doc = "Damping of the speed along each edge; keeps linear and angular momentum."},
    {"damping_viscous", MO_REAL, MO_FIELD(spring, damping_viscous), .unit = "kg/s", .initial = "0",
     .range = "[0, inf)", .doc = "Damping of the whole relative velocity; keeps linear momentum only."},
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

static mote_status make_network(mo_memory *memory, network **out, mote_error *error)
{
    network *net = mo_allocate(memory, sizeof *net);
    if (!net) {
        return mo_fail_memory(error, sizeof *net);
    }
    net->memory = memory;
    *out = net;
    return MOTE_OK;
}

static mote_status spring_create(const void *params, const mo_force_context *context, mo_force *force,
                                 mote_error *error)
{
    network *net = NULL;
    (void)params;
    MO_TRY(make_network(context->memory, &net, error));
    force->instance = net;
    return MOTE_OK;
}

static void spring_destroy(void *instance, mo_memory *memory)
{
    network *net = instance;
    if (net->next) {
        spring_destroy(net->next, memory);
    }
    void *parts[] = {net->rows,       net->inverse_rest, net->material_of, net->materials,
                     net->block_runs, net->runs,         net->from,        net->to,
                     net->inverse,    net->number,       net->number_of,   net->slot};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        mo_release(memory, parts[k]);
    }
    mo_release(memory, net);
}

/* The number of this material; equal ones share it. */
static mote_status intern(network *net, material wanted, int32_t *index, mote_error *error)
{
    for (int64_t k = 0; k < net->material_count; ++k) {
        const material *m = &net->materials[k];
        if (m->stiffness == wanted.stiffness && m->per_length == wanted.per_length &&
            m->along == wanted.along && m->viscous == wanted.viscous) {
            *index = (int32_t)k;
            return MOTE_OK;
        }
    }
    void *block = net->materials;
    mote_status status = mo_grow(net->memory, &block, &net->material_capacity, net->material_count + 1,
                                 sizeof(material), error);
    net->materials = block;
    MO_TRY(status);
    *index = (int32_t)net->material_count;
    net->materials[net->material_count++] = wanted;
    return MOTE_OK;
}

static mote_status make_room(network *net, int64_t need, mote_error *error)
{
    void *rows = net->rows, *rest = net->inverse_rest, *kind = net->material_of;
    mote_status a = mo_grow(net->memory, &rows, &net->row_capacity, need, 2 * sizeof(int32_t), error);
    net->rows = rows;
    MO_TRY(a);
    mote_status b = mo_grow(net->memory, &rest, &net->rest_capacity, need, sizeof(double), error);
    net->inverse_rest = rest;
    MO_TRY(b);
    mote_status c = mo_grow(net->memory, &kind, &net->kind_capacity, need, sizeof(int32_t), error);
    net->material_of = kind;
    MO_TRY(c);
    void *number = net->number_of;
    mote_status d = mo_grow(net->memory, &number, &net->number_capacity, need, sizeof(int64_t), error);
    net->number_of = number;
    return d;
}

static mote_status spring_add_body(void *instance, const void *params, const mo_mesh *mesh, int64_t first,
                                   mote_error *error)
{
    network *net = instance;
    const spring *p = params;
    bool per_length = isnan(p->k);
    double stiffness = per_length ? p->k_length : p->k;
    const double factor[MO_EDGE_KINDS] = {1, p->shear, p->bend};
    int32_t kinds[MO_EDGE_KINDS];
    for (int kind = 0; kind < MO_EDGE_KINDS; ++kind) {
        material m = {factor[kind] * stiffness, per_length, p->damping_spring, p->damping_viscous};
        MO_TRY(intern(net, m, &kinds[kind], error));
    }
    if (mesh->edge_count == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "its mesh has no edges to put springs on");
    }
    MO_TRY(make_room(net, net->count + mesh->edge_count, error));
    for (int64_t e = 0; e < mesh->edge_count; ++e) {
        int32_t a = mesh->edges[2 * e], b = mesh->edges[2 * e + 1];
        double length = mo_length(
            mo_sub(mo_vec3_load(mesh->nodes + 3 * (int64_t)b), mo_vec3_load(mesh->nodes + 3 * (int64_t)a)));
        if (!(length > 0)) {
            return mo_fail(error, MOTE_ERROR_INPUT, "the edge between its nodes %d and %d has no length", a,
                           b);
        }
        net->rows[2 * net->count] = (int32_t)(first + a);
        net->rows[2 * net->count + 1] = (int32_t)(first + b);
        net->inverse_rest[net->count] = 1 / length;
        net->material_of[net->count] = kinds[mesh->edge_kind[e]];
        net->number_of[net->count] = net->count;
        net->count++;
    }
    return MOTE_OK;
}

/* An entry of a block while it is being sorted. */
typedef struct entry {
    int64_t spring, number;
    int32_t material;
    bool crosses;
} entry;

static int compare_entries(const void *a, const void *b)
{
    const entry *p = a, *q = b;
    if (p->crosses != q->crosses) {
        return p->crosses - q->crosses;
    }
    if (p->material != q->material) {
        return p->material < q->material ? -1 : 1;
    }
    return (p->number > q->number) - (p->number < q->number);
}

static bool same_run(const entry *a, const entry *b)
{
    return a->crosses == b->crosses && a->material == b->material;
}

/* Fills the entries of block b, sorted. */
static int64_t sort_block(const network *net, const mo_element_blocks *blocks, int64_t b, entry *entries)
{
    int64_t count = blocks->start[b + 1] - blocks->start[b];
    for (int64_t k = 0; k < count; ++k) {
        int64_t s = blocks->element[blocks->start[b] + k];
        bool crosses = net->rows[2 * s] / MO_FORCE_GRAIN != net->rows[2 * s + 1] / MO_FORCE_GRAIN;
        entries[k] = (entry){s, net->number_of[s], net->material_of[s], crosses};
    }
    qsort(entries, (size_t)count, sizeof *entries, compare_entries);
    return count;
}

static int64_t round_up(int64_t count)
{
    return (count + LANES - 1) / LANES * LANES;
}

/* Appends the run of entries [0, count) of block b at place `at` of the arrays; returns the place after it.
 */
static int64_t write_run(network *net, const entry *entries, int64_t count, int64_t b, int64_t at, run *out)
{
    *out = (run){at, count, entries[0].material, !entries[0].crosses};
    for (int64_t k = 0; k < round_up(count); ++k) {
        int64_t s = entries[k < count ? k : count - 1].spring; /* the padding repeats the last */
        int32_t i = net->rows[2 * s], j = net->rows[2 * s + 1];
        bool swap = i / MO_FORCE_GRAIN != b; /* the block's own end comes first */
        net->from[at + k] = swap ? j : i;
        net->to[at + k] = swap ? i : j;
        net->inverse[at + k] = net->inverse_rest[s];
        net->number[at + k] = net->number_of[s];
    }
    return at + round_up(count);
}

/* Walks the runs of all blocks; counts them, or (with net->runs there) writes them. */
static void walk_runs(network *net, const mo_element_blocks *blocks, entry *entries, int64_t *runs,
                      int64_t *places)
{
    *runs = *places = 0;
    for (int64_t b = 0; b < blocks->block_count; ++b) {
        net->block_runs[b] = *runs;
        int64_t count = sort_block(net, blocks, b, entries);
        for (int64_t k = 0, next; k < count; k = next) {
            for (next = k + 1; next < count && same_run(&entries[k], &entries[next]);) {
                ++next;
            }
            if (net->runs) {
                write_run(net, entries + k, next - k, b, *places, &net->runs[*runs]);
            }
            *places += round_up(next - k);
            ++*runs;
        }
    }
    net->block_runs[blocks->block_count] = *runs;
}

static mote_status lay_out(network *net, const mo_element_blocks *blocks, entry *entries, mote_error *error)
{
    int64_t runs, places;
    void *memory;
    MO_TRY(mo_allocate_array(net->memory, blocks->block_count + 1, sizeof(int64_t), &memory, error));
    net->block_runs = memory;
    net->block_count = blocks->block_count;
    walk_runs(net, blocks, entries, &runs, &places);
    MO_TRY(mo_allocate_array(net->memory, places, sizeof(int32_t), &memory, error));
    net->from = memory;
    MO_TRY(mo_allocate_array(net->memory, places, sizeof(int32_t), &memory, error));
    net->to = memory;
    MO_TRY(mo_allocate_array(net->memory, places, sizeof(double), &memory, error));
    net->inverse = memory;
    MO_TRY(mo_allocate_array(net->memory, places, sizeof(int64_t), &memory, error));
    net->number = memory;
    MO_TRY(mo_allocate_array(net->memory, runs, sizeof(run), &memory, error));
    net->runs = memory;
    walk_runs(net, blocks, entries, &runs, &places);
    return MOTE_OK;
}

/* The springs as collected are no longer needed once they are laid out. */
static void drop_collected(network *net)
{
    mo_release(net->memory, net->rows);
    mo_release(net->memory, net->inverse_rest);
    mo_release(net->memory, net->material_of);
    mo_release(net->memory, net->number_of);
    net->number_of = NULL;
    net->rows = NULL;
    net->inverse_rest = NULL;
    net->material_of = NULL;
}

static mote_status lay_out_blocks(network *net, int64_t rows, mote_error *error)
{
    mo_element_blocks blocks;
    MO_TRY(
        mo_element_blocks_build(net->memory, net->count, 2, net->rows, rows, MO_FORCE_GRAIN, &blocks, error));
    int64_t largest = 0;
    for (int64_t b = 0; b < blocks.block_count; ++b) {
        int64_t size = blocks.start[b + 1] - blocks.start[b];
        largest = size > largest ? size : largest;
    }
    void *entries;
    mote_status status = mo_allocate_array(net->memory, largest, sizeof(entry), &entries, error);
    if (status == MOTE_OK) {
        status = lay_out(net, &blocks, entries, error);
        mo_release(net->memory, entries);
    }
    mo_element_blocks_release(net->memory, &blocks);
    return status;
}

MO_INLINE void add_damping(const network *net, const material *m, const double *v, int64_t at, const batch *b,
                           mo_d4 f[3])
{
    mo_d4 xi, yi, zi, xj, yj, zj;
    mo_d4_load3(v, net->from + at, &xi, &yi, &zi);
    mo_d4_load3(v, net->to + at, &xj, &yj, &zj);
    mo_d4 ux = xj - xi, uy = yj - yi, uz = zj - zi;
    mo_d4 s = m->along * ((ux * b->dx + uy * b->dy + uz * b->dz) / b->square);
    f[0] += s * b->dx + m->viscous * ux;
    f[1] += s * b->dy + m->viscous * uy;
    f[2] += s * b->dz + m->viscous * uz;
}

/* The forces on the first ends of four springs. */
MO_INLINE void forces_of(const network *net, const material *m, const mo_force_args *args, int64_t at,
                         bool damped, mo_d4 f[3])
{
    batch b = mo_spring_load(net, m, args->x, at);
    mo_d4 c = b.factor * (mo_d4_load(net->inverse + at) - b.inverse_length);
    f[0] = c * b.dx;
    f[1] = c * b.dy;
    f[2] = c * b.dz;
    if (damped) {
        add_damping(net, m, args->v, at, &b, f);
    }
}

/* The forces on `lanes` first ends, and their opposites on the second ends of inner springs. */
MO_INLINE void scatter(double *f, const mo_d4 *force, const int32_t *from, const int32_t *to, int lanes,
                       bool inner)
{
    for (int k = 0; k < lanes; ++k) {
        mo_d4_add3(f + 3 * (int64_t)from[k], force[k]);
        if (inner) {
            mo_d4_add3(f + 3 * (int64_t)to[k], -force[k]);
        }
    }
}

MO_INLINE void add_run(const network *net, const run *r, const mo_force_args *args, bool damped, bool inner)
{
    const material m = net->materials[r->material];
    for (int64_t done = 0; done < r->count; done += LANES) {
        int64_t at = r->first + done;
        mo_d4 f[3], force[LANES];
        forces_of(net, &m, args, at, damped, f);
        mo_d4_rows3(f[0], f[1], f[2], force);
        if (r->count - done >= LANES) {
            scatter(args->f, force, net->from + at, net->to + at, LANES, inner);
        } else {
            scatter(args->f, force, net->from + at, net->to + at, (int)(r->count - done), inner);
        }
    }
}

/* Picks the loop once a run, so that it has no branches inside. */
static void add_any_run(const network *net, const run *r, const mo_force_args *args)
{
    const material *m = &net->materials[r->material];
    bool damped = m->along > 0 || m->viscous > 0;
    if (damped) {
        r->inner ? add_run(net, r, args, true, true) : add_run(net, r, args, true, false);
    } else {
        r->inner ? add_run(net, r, args, false, true) : add_run(net, r, args, false, false);
    }
}

static void spring_add(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const network *net = instance;
    int64_t block = first / MO_FORCE_GRAIN;
    (void)last;
    if (block >= net->block_count) {
        return; /* rows that came later have no springs */
    }
    for (int64_t k = net->block_runs[block]; k < net->block_runs[block + 1]; ++k) {
        add_any_run(net, &net->runs[k], args);
    }
}

/* A spring between two blocks is met twice and counts half each time. */
static double spring_energy(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    const network *net = instance;
    int64_t block = first / MO_FORCE_GRAIN;
    double sum = 0;
    (void)last;
    if (block >= net->block_count) {
        return 0;
    }
    for (int64_t k = net->block_runs[block]; k < net->block_runs[block + 1]; ++k) {
        const run *r = &net->runs[k];
        const material *m = &net->materials[r->material];
        for (int64_t at = r->first; at < r->first + r->count; ++at) {
            const double *xi = args->x + 3 * (int64_t)net->from[at], *xj = args->x + 3 * (int64_t)net->to[at];
            double rest = 1 / net->inverse[at];
            double stretch = mo_length(mo_sub(mo_vec3_load(xj), mo_vec3_load(xi))) - rest;
            double stiffness = m->per_length ? m->stiffness : m->stiffness / rest;
            sum += (r->inner ? 0.5 : 0.25) * stiffness * stretch * stretch;
        }
    }
    return sum;
}

/* K = s n n^T + s (1 - L/l) (1 - n n^T) with s = a/L; the second part counts where it is pulled, and it is
   clamped where it is squeezed. Each row of 3x3 blocks has K twice, as its own block and as the neighbour's.
 */
static void bound_spring(const network *net, const material *m, const double *x, int64_t at, double bound[3])
{
    mo_vec3 d =
        mo_sub(mo_vec3_load(x + 3 * (int64_t)net->to[at]), mo_vec3_load(x + 3 * (int64_t)net->from[at]));
    double length = mo_length(d), rest = 1 / net->inverse[at];
    double s = m->per_length ? m->stiffness : m->stiffness / rest;
    mo_vec3 n = mo_unit(d, mo_vec3_make(1, 0, 0));
    double across = length > rest ? s * (1 - rest / length) : 0, sum = fabs(n.x) + fabs(n.y) + fabs(n.z);
    for (int c = 0; c < 3; ++c) {
        bound[c] += 2 * (s * fabs(mo_vec3_at(n, c)) * sum + across);
    }
}

/* g_s n n^T + g_v, twice as above. */
static void bound_damping(const network *net, const material *m, const double *x, int64_t at, double bound[3])
{
    mo_vec3 d =
        mo_sub(mo_vec3_load(x + 3 * (int64_t)net->to[at]), mo_vec3_load(x + 3 * (int64_t)net->from[at]));
    mo_vec3 n = mo_unit(d, mo_vec3_make(1, 0, 0));
    double sum = fabs(n.x) + fabs(n.y) + fabs(n.z);
    for (int c = 0; c < 3; ++c) {
        bound[c] += 2 * (m->along * fabs(mo_vec3_at(n, c)) * sum + m->viscous);
    }
}

typedef void bound_edge(const network *net, const material *m, const double *x, int64_t at, double bound[3]);

static void bound_edges(const network *net, const mo_force_args *args, int64_t first, bound_edge *edge,
                        double *bound)
{
    int64_t block = first / MO_FORCE_GRAIN;
    if (block >= net->block_count) {
        return;
    }
    for (int64_t k = net->block_runs[block]; k < net->block_runs[block + 1]; ++k) {
        const run *r = &net->runs[k];
        for (int64_t at = r->first; at < r->first + r->count; ++at) {
            double both[3] = {0};
            edge(net, &net->materials[r->material], args->x, at, both);
            for (int c = 0; c < 3; ++c) {
                bound[3 * (int64_t)net->from[at] + c] += both[c];
                if (r->inner) {
                    bound[3 * (int64_t)net->to[at] + c] += both[c];
                }
            }
        }
    }
}

static void spring_stiffness(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                             double *bound)
{
    (void)last;
    bound_edges(instance, args, first, bound_spring, bound);
}

static void spring_damping(const void *instance, const mo_force_args *args, int64_t first, int64_t last,
                           double *bound)
{
    (void)last;
    bound_edges(instance, args, first, bound_damping, bound);
}

/* ---- rows that go ---- */

/* Back from the layout to a list of springs, without those that will lose an end. A spring between
   two blocks is in both; the lower block's copy counts. */
static mote_status collect_again(const network *net, const int64_t *map, network *to, mote_error *error)
{
    for (int64_t k = 0; k < net->block_runs[net->block_count]; ++k) {
        const run *r = &net->runs[k];
        MO_TRY(make_room(to, to->count + r->count, error));
        for (int64_t at = r->first; at < r->first + r->count; ++at) {
            int64_t i = net->from[at], j = net->to[at];
            bool counts = r->inner || i / MO_FORCE_GRAIN < j / MO_FORCE_GRAIN;
            if (counts && map[i] >= 0 && map[j] >= 0) {
                to->rows[2 * to->count] = (int32_t)map[i];
                to->rows[2 * to->count + 1] = (int32_t)map[j];
                to->inverse_rest[to->count] = net->inverse[at];
                to->number_of[to->count] = net->number[at];
                to->material_of[to->count++] = r->material;
            }
        }
    }
    return MOTE_OK;
}

static mote_status spring_remap(void *instance, const int64_t *map, int64_t rows, mote_error *error)
{
    network *net = instance;
    MO_TRY(make_network(net->memory, &net->next, error));
    MO_TRY(collect_again(net, map, net->next, error));
    MO_TRY(lay_out_blocks(net->next, rows, error));
    drop_collected(net->next);
    return MOTE_OK;
}

static void take_materials(network *to, network *from)
{
    to->materials = from->materials;
    to->material_count = from->material_count;
    to->material_capacity = from->material_capacity;
    from->materials = NULL;
}

static void spring_settle(void *instance, const int64_t *map)
{
    network *net = instance, *next = net->next;
    if (!next) {
        return;
    }
    net->next = NULL;
    if (map) {
        network old = *net;
        *net = *next;
        *next = old;
        take_materials(net, next);
    }
    spring_destroy(next, net->memory);
}

static mote_status spring_finish(mo_force *force, int64_t rows, mote_error *error)
{
    network *net = force->instance;
    MO_TRY(lay_out_blocks(net, rows, error));
    drop_collected(net);
    force->derivatives = mo_spring_derivatives(net);
    return MOTE_OK;
}

const mo_model_type mo_model_spring = {
    .force =
        {
            .base = {.name = "spring",
                     .summary = "Springs on the edges of the mesh, with damping along them.",
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
