#include "geometry/mesh/volume.h"

#include <string.h>

const uint8_t mo_tetrahedron_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static const uint8_t TETRAHEDRON_EDGE[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
static const uint8_t TRIANGLE_EDGE[3][2] = {{0, 1}, {1, 2}, {2, 0}};

mote_status mo_mesh_add_tetrahedron_oriented(mo_mesh *mesh, int64_t a, int64_t b, int64_t c,
                                             int64_t d, mote_error *error)
{
    MO_TRY(mo_mesh_add_tetrahedron(mesh, a, b, c, d, error));
    if (mo_mesh_volume(mesh, mesh->tetrahedron_count - 1) < 0) {
        int32_t *t = mesh->tetrahedra + 4 * (mesh->tetrahedron_count - 1);
        t[1] = (int32_t)c;
        t[2] = (int32_t)b;
    }
    return MOTE_OK;
}

/* A side of an element, without its lowest node: the other nodes in ascending order, and the
 * element. */
typedef struct side {
    int32_t middle, high;
    int64_t owner;
} side;

/* All sides by their lowest node: side[start[n] .. start[n + 1]). */
typedef struct sides {
    mo_memory *memory;
    int64_t *start;
    side *side;
} sides;

static void sides_release(sides *s)
{
    mo_release(s->memory, s->start);
    mo_release(s->memory, s->side);
}

static bool is_before(side a, side b)
{
    if (a.middle != b.middle) {
        return a.middle < b.middle;
    }
    return a.high != b.high ? a.high < b.high : a.owner < b.owner;
}

static void sort_few(side *s, int64_t count)
{
    for (int64_t k = 1; k < count; ++k) {
        side moved = s[k];
        int64_t at = k;
        while (at > 0 && is_before(moved, s[at - 1])) {
            s[at] = s[at - 1];
            --at;
        }
        s[at] = moved;
    }
}

/* Lists of nodes of very high valence are too long for insertion sort. */
static void sift(side *heap, int64_t at, int64_t count)
{
    side moved = heap[at];
    for (int64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && is_before(heap[child], heap[child + 1]);
        if (!is_before(moved, heap[child])) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static void sort_sides(side *s, int64_t count)
{
    if (count <= 64) {
        sort_few(s, count);
        return;
    }
    for (int64_t k = count / 2; k-- > 0;) {
        sift(s, k, count);
    }
    for (int64_t end = count; end-- > 1;) {
        side largest = s[0];
        s[0] = s[end];
        s[end] = largest;
        sift(s, 0, end);
    }
}

/* Subdivision of elements into sides: `corners` nodes of an element, `per` sides of `width`
 * nodes. */
typedef struct cut {
    const int32_t *element;
    int64_t elements;
    int corners, per, width;
    const uint8_t *table;
} cut;

static void order_nodes(int32_t *n, int count)
{
    for (int k = 1; k < count; ++k) {
        for (int at = k; at > 0 && n[at] < n[at - 1]; --at) {
            int32_t lower = n[at];
            n[at] = n[at - 1];
            n[at - 1] = lower;
        }
    }
}

/* The nodes of one side, ascending; an edge has no node in the middle, which is -1. */
static void nodes_of(const cut *c, int64_t element, int s, int32_t n[3])
{
    n[1] = -1;
    for (int k = 0; k < c->width; ++k) {
        n[k] = c->element[c->corners * element + c->table[c->width * s + k]];
    }
    order_nodes(n, c->width);
    if (c->width == 2) {
        n[2] = n[1];
        n[1] = -1;
    }
}

static mote_status sides_make(mo_memory *memory, int64_t nodes, const cut *c, sides *s,
                              mote_error *error)
{
    void *start, *side_list;
    *s = (sides){.memory = memory};
    MO_TRY(mo_allocate_array(memory, nodes + 2, sizeof(int64_t), &start, error));
    s->start = start;
    mote_status status =
        mo_allocate_array(memory, c->elements * c->per, sizeof(side), &side_list, error);
    if (status != MOTE_OK) {
        sides_release(s);
        return status;
    }
    s->side = side_list;
    int32_t n[3];
    for (int64_t e = 0; e < c->elements; ++e) {
        for (int k = 0; k < c->per; ++k) {
            nodes_of(c, e, k, n);
            s->start[n[0] + 2]++;
        }
    }
    for (int64_t k = 0; k < nodes; ++k) {
        s->start[k + 2] += s->start[k + 1];
    }
    for (int64_t e = 0; e < c->elements; ++e) {
        for (int k = 0; k < c->per; ++k) {
            nodes_of(c, e, k, n);
            s->side[s->start[n[0] + 1]++] = (side){n[1], n[2], e * c->per + k};
        }
    }
    for (int64_t k = 0; k < nodes; ++k) {
        sort_sides(s->side + s->start[k], s->start[k + 1] - s->start[k]);
    }
    return MOTE_OK;
}

/* Number of sides from `at` on with the same nodes. */
static int64_t alike(const sides *s, int64_t at, int64_t end)
{
    int64_t k = at + 1;
    while (k < end && s->side[k].middle == s->side[at].middle &&
           s->side[k].high == s->side[at].high) {
        ++k;
    }
    return k - at;
}

static mote_status add_edges(mo_mesh *mesh, const sides *s, mote_error *error)
{
    int64_t count = 0;
    for (int64_t n = 0; n < mesh->node_count; ++n) {
        for (int64_t k = s->start[n]; k < s->start[n + 1]; k += alike(s, k, s->start[n + 1])) {
            ++count;
        }
    }
    MO_TRY(mo_mesh_reserve(mesh, 0, mesh->edge_count + count, 0, error));
    for (int64_t n = 0; n < mesh->node_count; ++n) {
        for (int64_t k = s->start[n]; k < s->start[n + 1]; k += alike(s, k, s->start[n + 1])) {
            MO_TRY(mo_mesh_add_edge(mesh, n, s->side[k].high, MO_EDGE_STRETCH, error));
        }
    }
    return MOTE_OK;
}

mote_status mo_mesh_find_edges(mo_mesh *mesh, mote_error *error)
{
    cut tetrahedra = {mesh->tetrahedra, mesh->tetrahedron_count, 4, 6, 2, &TETRAHEDRON_EDGE[0][0]};
    cut triangles = {mesh->triangles, mesh->triangle_count, 3, 3, 2, &TRIANGLE_EDGE[0][0]};
    sides s;
    MO_TRY(sides_make(mesh->memory, mesh->node_count,
                      mesh->tetrahedron_count ? &tetrahedra : &triangles, &s, error));
    mote_status status = add_edges(mesh, &s, error);
    sides_release(&s);
    return status;
}

static mote_status fail_shared_face(const int64_t *names, int64_t low, const side *f, int64_t same,
                                    mote_error *error)
{
    int64_t owner[3];
    for (int k = 0; k < 3; ++k) {
        owner[k] = names ? names[f[k].owner / 4] : f[k].owner / 4;
    }
    return mo_fail(
        error, MOTE_ERROR_INPUT,
        "%lld tetrahedra share one face (%lld, %lld and %lld among them; its nodes are %lld, %d "
        "and %d counted from 0); allowed: two",
        (long long)same, (long long)owner[0], (long long)owner[1], (long long)owner[2],
        (long long)low, f->middle, f->high);
}

static mote_status add_faces(mo_mesh *mesh, const sides *s, const int64_t *names, mote_error *error)
{
    for (int64_t n = 0; n < mesh->node_count; ++n) {
        int64_t same = 1;
        for (int64_t k = s->start[n]; k < s->start[n + 1]; k += same) {
            const side *f = &s->side[k];
            same = alike(s, k, s->start[n + 1]);
            if (same > 2) {
                return fail_shared_face(names, n, f, same, error);
            }
            if (same == 1) {
                const int32_t *t = mesh->tetrahedra + f->owner / 4 * 4;
                const uint8_t *corner = mo_tetrahedron_face[f->owner % 4];
                MO_TRY(mo_mesh_add_triangle(mesh, t[corner[0]], t[corner[1]], t[corner[2]], error));
            }
        }
    }
    return MOTE_OK;
}

mote_status mo_mesh_find_faces(mo_mesh *mesh, const int64_t *names, mote_error *error)
{
    cut tetrahedra = {mesh->tetrahedra,          mesh->tetrahedron_count, 4, 4, 3,
                      &mo_tetrahedron_face[0][0]};
    sides s;
    MO_TRY(sides_make(mesh->memory, mesh->node_count, &tetrahedra, &s, error));
    mote_status status = add_faces(mesh, &s, names, error);
    sides_release(&s);
    return status;
}

void mo_mesh_lump(mo_mesh *mesh)
{
    memset(mesh->shares, 0, (size_t)mesh->node_count * sizeof(double));
    for (int64_t e = 0; e < mesh->tetrahedron_count; ++e) {
        double quarter = mo_mesh_volume(mesh, e) / 4;
        for (int c = 0; c < 4; ++c) {
            mesh->shares[mesh->tetrahedra[4 * e + c]] += quarter;
        }
    }
    for (int64_t e = 0; e < (mesh->tetrahedron_count ? 0 : mesh->triangle_count); ++e) {
        const int32_t *t = mesh->triangles + 3 * e;
        double third = mo_mesh_triangle_area(mesh, t) / 3;
        for (int c = 0; c < 3; ++c) {
            mesh->shares[t[c]] += third;
        }
    }
}

static void set_spacing(mo_mesh *mesh)
{
    double sum = 0;
    for (int64_t e = 0; e < mesh->edge_count; ++e) {
        const int32_t *n = mesh->edges + 2 * e;
        sum += mo_length(mo_sub(mo_vec3_load(mesh->nodes + 3 * (int64_t)n[0]),
                                mo_vec3_load(mesh->nodes + 3 * (int64_t)n[1])));
    }
    if (mesh->spacing == 0 && mesh->edge_count > 0) {
        mesh->spacing = sum / (double)mesh->edge_count;
    }
}

mote_status mo_mesh_finish_edges(mo_mesh *mesh, mote_error *error)
{
    mesh->dimension = mesh->tetrahedron_count ? 3 : 2;
    MO_TRY(mo_mesh_find_edges(mesh, error));
    mo_mesh_lump(mesh);
    set_spacing(mesh);
    return MOTE_OK;
}

mote_status mo_mesh_finish_volume(mo_mesh *mesh, mote_error *error)
{
    MO_TRY(mo_mesh_find_faces(mesh, NULL, error));
    return mo_mesh_finish_edges(mesh, error);
}

mote_status mo_mesh_add_default_sets(mo_mesh *mesh, mote_error *error)
{
    void *block;
    bool surface = mo_mesh_set(mesh, "surface") == NULL, all = mo_mesh_set(mesh, "all") == NULL;
    MO_TRY(mo_allocate_array(mesh->memory, mesh->node_count, 1, &block, error));
    char *outside = block;
    for (int64_t k = 0; k < 3 * mesh->triangle_count; ++k) {
        outside[mesh->triangles[k]] = 1;
    }
    mote_status status = MOTE_OK;
    for (int64_t k = 0; k < mesh->node_count && status == MOTE_OK; ++k) {
        status = surface && outside[k] ? mo_mesh_add_to_set(mesh, "surface", k, error) : MOTE_OK;
        if (all && status == MOTE_OK) {
            status = mo_mesh_add_to_set(mesh, "all", k, error);
        }
    }
    mo_release(mesh->memory, block);
    return status;
}
