#include "geometry/mesh/stuffing.h"

#include "geometry/mesh/stuffing_lattice.h"
#include "geometry/mesh/volume.h"

#include <string.h>

typedef struct filler {
    mo_stuffing lattice;
    mo_mesh *mesh;
    mote_error *error;
    int32_t *point_node, *cut_node; /* node of the mesh + 1; 0: not used yet */
} filler;

static mote_status add_node(filler *f, mo_vec3 x, int32_t *node)
{
    MO_TRY(mo_mesh_add_node(f->mesh, x, 0, f->error));
    *node = (int32_t)f->mesh->node_count;
    return MOTE_OK;
}

static mote_status node_of_point(filler *f, int64_t point, int64_t *node)
{
    const mo_stuffing *s = &f->lattice;
    if (!f->point_node[point]) {
        mo_vec3 x =
            s->moved[point] >= 0 ? s->cuts[s->moved[point]].at : mo_stuffing_position(s, point);
        MO_TRY(add_node(f, x, &f->point_node[point]));
    }
    *node = f->point_node[point] - 1;
    return MOTE_OK;
}

/* Between a point inside and one that is not: the cut, or the point itself if it is on the
 * surface. */
static mote_status node_of_edge(filler *f, int64_t inside, int64_t other, int64_t *node)
{
    if (f->lattice.depth[other] == 0) {
        return node_of_point(f, other, node);
    }
    int64_t cut = mo_stuffing_cut(&f->lattice, inside, other);
    if (!f->cut_node[cut]) {
        MO_TRY(add_node(f, f->lattice.cuts[cut].at, &f->cut_node[cut]));
    }
    *node = f->cut_node[cut] - 1;
    return MOTE_OK;
}

static mote_status add(filler *f, int64_t a, int64_t b, int64_t c, int64_t d)
{
    return mo_mesh_add_tetrahedron_oriented(f->mesh, a, b, c, d, f->error);
}

/* Edges between points of the same kind are black. */
static bool is_black(const filler *f, int64_t a, int64_t b)
{
    return (a >= f->lattice.corners) == (b >= f->lattice.corners);
}

/* Exactly one end of a black edge is even. */
static bool is_even(const filler *f, int64_t point)
{
    int64_t at[3];
    mo_stuffing_index(&f->lattice, point, at);
    return (at[0] + at[1] + at[2]) % 2 == 0;
}

/*
 * Quadrangles between p, q inside and the cuts towards r are shared by two tetrahedra, which must
 * split them consistently. If one of the cuts is on a black edge, the diagonal ends there: it is
 * the shorter one. If both are on red edges it begins at the even one of p and q (the paper's
 * parity rule). True if the diagonal begins at p and ends at the cut towards q.
 */
static bool begins_at_first(const filler *f, int64_t p, int64_t q, int64_t r)
{
    return is_black(f, p, q) ? is_even(f, p) : is_black(f, q, r);
}

/* One point inside: a tetrahedron with corners on the edges. */
static mote_status fill_one(filler *f, const int64_t in[4], const int64_t out[4])
{
    int64_t p, n[3];
    MO_TRY(node_of_point(f, in[0], &p));
    for (int k = 0; k < 3; ++k) {
        MO_TRY(node_of_edge(f, in[0], out[k], &n[k]));
    }
    return add(f, p, n[0], n[1], n[2]);
}

/* Two inside, z on the surface, r outside: a pyramid over the quadrangle, with its top at z. */
static mote_status fill_pyramid(filler *f, int64_t p, int64_t q, int64_t z, int64_t r)
{
    if (!begins_at_first(f, p, q, r)) {
        int64_t kept = p;
        p = q;
        q = kept;
    }
    int64_t np, nq, nz, cp, cq;
    MO_TRY(node_of_point(f, p, &np));
    MO_TRY(node_of_point(f, q, &nq));
    MO_TRY(node_of_point(f, z, &nz));
    MO_TRY(node_of_edge(f, p, r, &cp));
    MO_TRY(node_of_edge(f, q, r, &cq));
    MO_TRY(add(f, np, nq, cq, nz));
    return add(f, np, cq, cp, nz);
}

static double length_between(const mo_mesh *mesh, int64_t a, int64_t b)
{
    return mo_length(mo_sub(mo_vec3_load(mesh->nodes + 3 * a), mo_vec3_load(mesh->nodes + 3 * b)));
}

/* Two inside with a black edge between them: both diagonals begin at the even one; on the surface
 * the shorter is free. */
static mote_status fill_black_pair(filler *f, int64_t p, int64_t q, int64_t r, int64_t s)
{
    int64_t e = is_even(f, p) ? p : q, o = is_even(f, p) ? q : p, ne, no, er, es, odd_r, odd_s;
    MO_TRY(node_of_point(f, e, &ne));
    MO_TRY(node_of_point(f, o, &no));
    MO_TRY(node_of_edge(f, e, r, &er));
    MO_TRY(node_of_edge(f, e, s, &es));
    MO_TRY(node_of_edge(f, o, r, &odd_r));
    MO_TRY(node_of_edge(f, o, s, &odd_s));
    MO_TRY(add(f, ne, no, odd_r, odd_s));
    if (length_between(f->mesh, er, odd_s) <= length_between(f->mesh, es, odd_r)) {
        MO_TRY(add(f, ne, er, odd_r, odd_s));
        return add(f, ne, er, odd_s, es);
    }
    MO_TRY(add(f, ne, er, odd_r, es));
    return add(f, ne, odd_r, odd_s, es);
}

/* Two inside with a red edge between them; r lies across a black edge from p, s from q. */
static mote_status fill_red_pair(filler *f, int64_t p, int64_t q, int64_t r, int64_t s)
{
    int64_t np, nq, pr, ps, qr, qs;
    MO_TRY(node_of_point(f, p, &np));
    MO_TRY(node_of_point(f, q, &nq));
    MO_TRY(node_of_edge(f, p, r, &pr));
    MO_TRY(node_of_edge(f, p, s, &ps));
    MO_TRY(node_of_edge(f, q, r, &qr));
    MO_TRY(node_of_edge(f, q, s, &qs));
    MO_TRY(add(f, pr, np, ps, qs));
    MO_TRY(add(f, pr, np, nq, qs));
    return add(f, pr, qr, nq, qs);
}

static mote_status fill_two(filler *f, const int64_t in[4], const int64_t out[4], int surface)
{
    if (surface) {
        bool first = f->lattice.depth[out[0]] == 0;
        return fill_pyramid(f, in[0], in[1], out[!first], out[first]);
    }
    if (is_black(f, in[0], in[1])) {
        return fill_black_pair(f, in[0], in[1], out[0], out[1]);
    }
    bool across = is_black(f, in[0], out[0]);
    return fill_red_pair(f, in[0], in[1], out[!across], out[across]);
}

/* Three inside, r outside: b lies across a black edge from r, e and o (even and odd) at the ends of
 * the other one. */
static mote_status fill_three(filler *f, const int64_t in[4], int64_t r)
{
    int b = is_black(f, in[0], r) ? 0 : is_black(f, in[1], r) ? 1 : 2;
    int64_t e = in[(b + 1) % 3], o = in[(b + 2) % 3], nb, ne, no, cb, ce, co;
    if (!is_even(f, e)) {
        int64_t kept = e;
        e = o;
        o = kept;
    }
    MO_TRY(node_of_point(f, in[b], &nb));
    MO_TRY(node_of_point(f, e, &ne));
    MO_TRY(node_of_point(f, o, &no));
    MO_TRY(node_of_edge(f, in[b], r, &cb));
    MO_TRY(node_of_edge(f, e, r, &ce));
    MO_TRY(node_of_edge(f, o, r, &co));
    MO_TRY(add(f, ne, no, nb, cb));
    MO_TRY(add(f, ne, no, co, cb));
    return add(f, ne, ce, co, cb);
}

static mote_status fill_tetrahedron(filler *f, const int64_t point[4])
{
    int64_t in[4], out[4], n[4];
    int inside = 0, others = 0, surface = 0;
    for (int k = 0; k < 4; ++k) {
        double depth = f->lattice.depth[point[k]];
        surface += depth == 0;
        if (depth > 0) {
            in[inside++] = point[k];
        } else {
            out[others++] = point[k];
        }
    }
    if (inside == 0) {
        return MOTE_OK;
    }
    if (surface == others) {
        for (int k = 0; k < 4; ++k) {
            MO_TRY(node_of_point(f, point[k], &n[k]));
        }
        return add(f, n[0], n[1], n[2], n[3]);
    }
    return inside == 1   ? fill_one(f, in, out)
           : inside == 2 ? fill_two(f, in, out, surface)
                         : fill_three(f, in, out[0]);
}

/* The four tetrahedra about the edge from the centre of a cube to that of the next along an
 * axis. */
static mote_status fill_between(filler *f, const int64_t at[3], int axis)
{
    const mo_stuffing *s = &f->lattice;
    int64_t next[3] = {at[0], at[1], at[2]}, square[4];
    next[axis]++;
    for (int c = 0; c < 4; ++c) {
        int64_t to[3] = {next[0], next[1], next[2]};
        to[(axis + 1) % 3] += c == 1 || c == 2;
        to[(axis + 2) % 3] += c >= 2;
        square[c] = mo_stuffing_corner(s, to[0], to[1], to[2]);
    }
    int64_t a = mo_stuffing_center(s, at[0], at[1], at[2]),
            b = mo_stuffing_center(s, next[0], next[1], next[2]);
    for (int c = 0; c < 4; ++c) {
        MO_TRY(fill_tetrahedron(f, (int64_t[]){a, b, square[c], square[(c + 1) % 4]}));
    }
    return MOTE_OK;
}

static mote_status fill_all(filler *f)
{
    const int64_t *n = f->lattice.n;
    int64_t at[3];
    for (at[2] = 0; at[2] < n[2]; ++at[2]) {
        for (at[1] = 0; at[1] < n[1]; ++at[1]) {
            for (at[0] = 0; at[0] < n[0]; ++at[0]) {
                for (int axis = 0; axis < 3; ++axis) {
                    if (at[axis] + 1 < n[axis]) {
                        MO_TRY(fill_between(f, at, axis));
                    }
                }
            }
        }
    }
    return MOTE_OK;
}

static mote_status fill_mesh(filler *f, mo_vec3 min, mo_vec3 max)
{
    void *points, *cuts;
    mo_memory *memory = f->mesh->memory;
    MO_TRY(mo_stuffing_make(&f->lattice, min, max, f->error));
    MO_TRY(mo_allocate_array(memory, f->lattice.points, sizeof(int32_t), &points, f->error));
    f->point_node = points;
    MO_TRY(mo_allocate_array(memory, f->lattice.cut_count, sizeof(int32_t), &cuts, f->error));
    f->cut_node = cuts;
    MO_TRY(fill_all(f));
    if (f->mesh->tetrahedron_count == 0) {
        return mo_fail(f->error, MOTE_ERROR_INPUT,
                       "spacing: no lattice point lies inside the surface; %g m is too coarse",
                       f->lattice.edge);
    }
    return MOTE_OK;
}

mote_status mo_stuff(mo_mesh *mesh, mo_distance_fn *distances, const void *context, mo_vec3 min,
                     mo_vec3 max, double spacing, mote_error *error)
{
    filler f = {.mesh = mesh, .error = error};
    f.lattice = (mo_stuffing){
        .memory = mesh->memory, .distances = distances, .context = context, .edge = spacing};
    mote_status status = fill_mesh(&f, min, max);
    mo_stuffing_release(&f.lattice);
    mo_release(mesh->memory, f.point_node);
    mo_release(mesh->memory, f.cut_node);
    MO_TRY(status);
    MO_TRY(mo_mesh_finish_volume(mesh, error));
    return mo_mesh_add_default_sets(mesh, error);
}
