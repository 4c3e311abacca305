#include "geometry/mesh/stuffing_lattice.h"

#include "base/hash.h"

enum { BLOCK = 4, BATCH = 256, ROUNDS = 6 };

/* Maximum number of lattice points of the bounding box, 12 bytes each. */
static const double MOST_POINTS = 1e8;

/* ---- points ---- */

int64_t mo_stuffing_corner(const mo_stuffing *s, int64_t i, int64_t j, int64_t k)
{
    return (k * (s->n[1] + 1) + j) * (s->n[0] + 1) + i;
}

int64_t mo_stuffing_center(const mo_stuffing *s, int64_t i, int64_t j, int64_t k)
{
    return s->corners + (k * s->n[1] + j) * s->n[0] + i;
}

bool mo_stuffing_index(const mo_stuffing *s, int64_t point, int64_t at[3])
{
    bool center = point >= s->corners;
    int64_t index = center ? point - s->corners : point;
    int64_t nx = s->n[0] + !center, ny = s->n[1] + !center;
    at[0] = index % nx;
    at[1] = index / nx % ny;
    at[2] = index / nx / ny;
    return center;
}

mo_vec3 mo_stuffing_position(const mo_stuffing *s, int64_t point)
{
    int64_t at[3];
    double half = mo_stuffing_index(s, point, at) ? 0.5 : 0;
    mo_vec3 step = {(double)at[0] + half, (double)at[1] + half, (double)at[2] + half};
    return mo_add_scaled(s->origin, s->edge, step);
}

/* The points connected with this one by an edge: up to 6 by black ones, then up to 8 by red
 * ones. */
static int neighbors_of(const mo_stuffing *s, int64_t point, int64_t out[MO_STUFF_NEIGHBORS])
{
    int64_t at[3];
    bool center = mo_stuffing_index(s, point, at);
    int count = 0;
    for (int axis = 0; axis < 3; ++axis) {
        for (int64_t step = -1; step <= 1; step += 2) {
            int64_t to[3] = {at[0], at[1], at[2]};
            to[axis] += step;
            if (to[axis] >= 0 && to[axis] < s->n[axis] + !center) {
                out[count++] = center ? mo_stuffing_center(s, to[0], to[1], to[2])
                                      : mo_stuffing_corner(s, to[0], to[1], to[2]);
            }
        }
    }
    for (int corner = 0; corner < 8; ++corner) {
        int64_t to[3];
        bool there = true;
        for (int axis = 0; axis < 3; ++axis) {
            to[axis] = at[axis] + (corner >> axis & 1) - !center;
            there = there && to[axis] >= 0 && to[axis] < s->n[axis] + center;
        }
        if (there) {
            out[count++] = center ? mo_stuffing_corner(s, to[0], to[1], to[2])
                                  : mo_stuffing_center(s, to[0], to[1], to[2]);
        }
    }
    return count;
}

/* ---- distances ---- */

/* The points of a block of BLOCK^3 cubes; each belongs to one block. */
static int block_points(const mo_stuffing *s, const int64_t first[3],
                        int64_t out[2 * BLOCK * BLOCK * BLOCK])
{
    int count = 0;
    for (int64_t k = first[2]; k < first[2] + BLOCK && k <= s->n[2]; ++k) {
        for (int64_t j = first[1]; j < first[1] + BLOCK && j <= s->n[1]; ++j) {
            for (int64_t i = first[0]; i < first[0] + BLOCK && i <= s->n[0]; ++i) {
                out[count++] = mo_stuffing_corner(s, i, j, k);
                if (i < s->n[0] && j < s->n[1] && k < s->n[2]) {
                    out[count++] = mo_stuffing_center(s, i, j, k);
                }
            }
        }
    }
    return count;
}

/* A block whose centre is far from the surface is entirely on one side, since the distance is
 * 1-Lipschitz. Cut edges have both ends within an edge length of the surface. */
static void measure_block(mo_stuffing *s, const int64_t first[3])
{
    int64_t point[2 * BLOCK * BLOCK * BLOCK];
    double x[3 * 2 * BLOCK * BLOCK * BLOCK], distance[2 * BLOCK * BLOCK * BLOCK],
        half = 0.5 * BLOCK;
    int count = block_points(s, first, point);
    mo_vec3 middle = {(double)first[0] + half, (double)first[1] + half, (double)first[2] + half};
    mo_vec3_store(x, mo_add_scaled(s->origin, s->edge, middle));
    s->distances(s->context, 1, x, distance);
    double reach = s->edge * half * sqrt(3), spare = fabs(distance[0]) - reach;
    if (spare > 1.5 * s->edge) {
        for (int k = 0; k < count; ++k) {
            s->depth[point[k]] = distance[0] > 0 ? -spare : spare;
        }
        return;
    }
    for (int k = 0; k < count; ++k) {
        mo_vec3_store(x + 3 * k, mo_stuffing_position(s, point[k]));
    }
    s->distances(s->context, count, x, distance);
    for (int k = 0; k < count; ++k) {
        s->depth[point[k]] = isnan(distance[k]) ? -s->edge : -distance[k];
    }
}

static void measure(mo_stuffing *s)
{
    int64_t first[3];
    for (first[2] = 0; first[2] <= s->n[2]; first[2] += BLOCK) {
        for (first[1] = 0; first[1] <= s->n[1]; first[1] += BLOCK) {
            for (first[0] = 0; first[0] <= s->n[0]; first[0] += BLOCK) {
                measure_block(s, first);
            }
        }
    }
}

/* ---- cuts ---- */

static bool is_cut(double a, double b)
{
    return (a > 0 && b < 0) || (a < 0 && b > 0);
}

/* All edges with their ends on either side, each once; only counted if `cuts` is NULL. */
static int64_t find_cuts(const mo_stuffing *s, mo_cut *cuts)
{
    int64_t count = 0, other[MO_STUFF_NEIGHBORS];
    for (int64_t point = 0; point < s->points; ++point) {
        if (fabs(s->depth[point]) > s->edge) {
            continue;
        }
        int neighbors = neighbors_of(s, point, other);
        for (int k = 0; k < neighbors; ++k) {
            if (other[k] > point && is_cut(s->depth[point], s->depth[other[k]])) {
                if (cuts) {
                    bool in = s->depth[point] > 0;
                    cuts[count] =
                        (mo_cut){.inside = in ? point : other[k], .outside = in ? other[k] : point};
                }
                ++count;
            }
        }
    }
    return count;
}

/* One edge of a batch: the surface lies between the parts a (inside) and b. */
typedef struct bracket {
    mo_vec3 from, span;
    double a, b, depth_a, depth_b, part;
    int side; /* the end kept in the last iteration */
} bracket;

/* The Illinois variant of regula falsi: the weight of an end kept twice is halved. */
static void narrow(bracket *e, double depth)
{
    if (depth > 0) {
        e->a = e->part;
        e->depth_a = depth;
        e->depth_b *= e->side == 1 ? 0.5 : 1;
        e->side = 1;
    } else {
        e->b = e->part;
        e->depth_b = depth;
        e->depth_a *= e->side == -1 ? 0.5 : 1;
        e->side = -1;
    }
}

static double guess(const bracket *e)
{
    double part = e->a + (e->b - e->a) * (e->depth_a / (e->depth_a - e->depth_b));
    return part > e->a && part < e->b ? part : 0.5 * (e->a + e->b);
}

static void bisect_cuts(const mo_stuffing *s, mo_cut *cuts, int count)
{
    bracket edge[BATCH];
    double x[3 * BATCH], distance[BATCH];
    for (int k = 0; k < count; ++k) {
        mo_vec3 from = mo_stuffing_position(s, cuts[k].inside),
                to = mo_stuffing_position(s, cuts[k].outside);
        edge[k] = (bracket){.from = from,
                            .span = mo_sub(to, from),
                            .b = 1,
                            .depth_a = s->depth[cuts[k].inside],
                            .depth_b = s->depth[cuts[k].outside]};
        edge[k].part = guess(&edge[k]);
    }
    for (int round = 0; round < ROUNDS; ++round) {
        for (int k = 0; k < count; ++k) {
            mo_vec3_store(x + 3 * k, mo_add_scaled(edge[k].from, edge[k].part, edge[k].span));
        }
        s->distances(s->context, count, x, distance);
        for (int k = 0; k < count; ++k) {
            if (distance[k] != 0) {
                narrow(&edge[k], -distance[k]);
                edge[k].part = guess(&edge[k]);
            }
        }
    }
    for (int k = 0; k < count; ++k) {
        cuts[k].part = edge[k].part;
        cuts[k].at = mo_add_scaled(edge[k].from, edge[k].part, edge[k].span);
    }
}

static uint64_t slot_of(const mo_stuffing *s, int64_t a, int64_t b)
{
    int64_t low = a < b ? a : b, high = a < b ? b : a;
    uint64_t slot = mo_hash_word(mo_hash_mix((uint64_t)low), (uint64_t)high) & (s->table_size - 1);
    for (; s->table[slot]; slot = (slot + 1) & (s->table_size - 1)) {
        const mo_cut *c = &s->cuts[s->table[slot] - 1];
        if ((c->inside == a && c->outside == b) || (c->inside == b && c->outside == a)) {
            break;
        }
    }
    return slot;
}

int64_t mo_stuffing_cut(const mo_stuffing *s, int64_t a, int64_t b)
{
    return s->table[slot_of(s, a, b)] - 1;
}

static mote_status make_cuts(mo_stuffing *s, mote_error *error)
{
    void *cuts, *table;
    s->cut_count = find_cuts(s, NULL);
    MO_TRY(mo_mesh_check_size("spacing", (double)s->cut_count, error));
    MO_TRY(mo_allocate_array(s->memory, s->cut_count, sizeof(mo_cut), &cuts, error));
    s->cuts = cuts;
    find_cuts(s, s->cuts);
    for (int64_t k = 0; k < s->cut_count; k += BATCH) {
        bisect_cuts(s, s->cuts + k, (int)(s->cut_count - k < BATCH ? s->cut_count - k : BATCH));
    }
    for (s->table_size = 16; s->table_size < 2 * (uint64_t)s->cut_count;) {
        s->table_size *= 2;
    }
    MO_TRY(mo_allocate_array(s->memory, (int64_t)s->table_size, sizeof(int64_t), &table, error));
    s->table = table;
    for (int64_t k = 0; k < s->cut_count; ++k) {
        s->table[slot_of(s, s->cuts[k].inside, s->cuts[k].outside)] = k + 1;
    }
    return MOTE_OK;
}

/* Section 3 of the paper: points are warped to nearby cuts, in sequence. */
static void move_points(mo_stuffing *s)
{
    int64_t other[MO_STUFF_NEIGHBORS];
    for (int64_t point = 0; point < s->points; ++point) {
        s->moved[point] = -1;
        if (fabs(s->depth[point]) > s->edge || s->depth[point] == 0) {
            continue;
        }
        int neighbors = neighbors_of(s, point, other);
        bool center = point >= s->corners;
        double nearest = INFINITY;
        for (int k = 0; k < neighbors; ++k) {
            if (!is_cut(s->depth[point], s->depth[other[k]])) {
                continue;
            }
            int64_t cut = mo_stuffing_cut(s, point, other[k]);
            double part = s->depth[point] > 0 ? s->cuts[cut].part : 1 - s->cuts[cut].part;
            bool black = (other[k] >= s->corners) == center;
            double length = part * (black ? 1 : 0.5 * sqrt(3));
            if (part < (black ? 0.24999 : 0.41189) && length < nearest) {
                nearest = length;
                s->moved[point] = (int32_t)cut;
            }
        }
        s->depth[point] = s->moved[point] >= 0 ? 0 : s->depth[point];
    }
}

/* ---- lattice ---- */

mote_status mo_stuffing_make(mo_stuffing *s, mo_vec3 min, mo_vec3 max, mote_error *error)
{
    void *depth, *moved;
    mo_vec3 span = mo_sub(max, min), middle = mo_scale(0.5, mo_add(min, max));
    double size[3] = {span.x, span.y, span.z}, points = 2;
    for (int axis = 0; axis < 3; ++axis) { /* with a margin of one cube on either side */
        double cubes = ceil(size[axis] / s->edge) + 2;
        points *= cubes + 1;
        s->n[axis] = cubes < 1e9 ? (int64_t)cubes : 1000000000;
    }
    if (!(points <= MOST_POINTS)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "spacing: the lattice around the shape has %.3g points; allowed: up to %g; use a "
            "larger spacing, or remove outlying vertices",
            points, MOST_POINTS);
    }
    mo_vec3 cubes = {(double)s->n[0], (double)s->n[1], (double)s->n[2]};
    s->origin = mo_add_scaled(middle, -0.5 * s->edge, cubes);
    s->corners = (s->n[0] + 1) * (s->n[1] + 1) * (s->n[2] + 1);
    s->points = s->corners + s->n[0] * s->n[1] * s->n[2];
    MO_TRY(mo_allocate_array(s->memory, s->points, sizeof(double), &depth, error));
    s->depth = depth;
    MO_TRY(mo_allocate_array(s->memory, s->points, sizeof(int32_t), &moved, error));
    s->moved = moved;
    measure(s);
    MO_TRY(make_cuts(s, error));
    move_points(s);
    return MOTE_OK;
}

void mo_stuffing_release(mo_stuffing *s)
{
    mo_release(s->memory, s->depth);
    mo_release(s->memory, s->moved);
    mo_release(s->memory, s->cuts);
    mo_release(s->memory, s->table);
}
