/*
 * Faces of a hull from its triangles: regions grow from the largest triangle over neighbours whose
 * corners lie in its plane, within 1e-6 of the hull's size. A vertex with fewer than three faces
 * around it lies on an edge or in a face and is dropped.
 */
#include "geometry/hull/builder.h"

#include <string.h>

static const double MERGE = 1e-6;

typedef struct merging {
    mo_hull_builder *b;
    int32_t faces;
    int32_t face_of[MO_HULL_TRIANGLES];      /* -1: not assigned */
    int32_t seed[MO_HULL_TRIANGLES];         /* of each face */
    int32_t start[MO_HULL_TRIANGLES + 1];    /* of each face in loop */
    int32_t loop[6 * MO_HULL_VERTICES_MOST]; /* vertices of the faces, in order */
    int32_t degree[MO_HULL_VERTICES_MOST];   /* faces at a vertex */
    int32_t stack[MO_HULL_TRIANGLES], number[MO_HULL_VERTICES_MOST];
} merging;

static int32_t largest_free(const merging *m)
{
    int32_t best = -1;
    for (int32_t t = 0; t < m->b->used; ++t) {
        const mo_hull_triangle *tri = &m->b->triangle[t];
        if (tri->live && m->face_of[t] < 0 && (best < 0 || tri->area > m->b->triangle[best].area)) {
            best = t;
        }
    }
    return best;
}

/* Triangles of one plane, connected; their number. */
static int32_t grow(merging *m, int32_t seed, int32_t face)
{
    const mo_hull_triangle *plane = &m->b->triangle[seed];
    double tolerance = MERGE * m->b->size;
    int32_t count = 0;
    m->stack[count++] = seed;
    m->face_of[seed] = face;
    for (int32_t k = 0; k < count; ++k) {
        const mo_hull_triangle *t = &m->b->triangle[m->stack[k]];
        for (int i = 0; i < 3; ++i) {
            const mo_hull_triangle *o = &m->b->triangle[t->next[i]];
            bool flat = m->face_of[t->next[i]] < 0;
            for (int c = 0; c < 3 && flat; ++c) {
                double d = mo_dot(plane->normal, m->b->vertex[o->v[c]]) - plane->offset;
                flat = fabs(d) <= tolerance;
            }
            if (flat && mo_dot(o->normal, plane->normal) > 0) {
                m->face_of[t->next[i]] = face;
                m->stack[count++] = t->next[i];
            }
        }
    }
    return count;
}

/* The boundary of the region on the stack as one loop; false if it is not one. */
static bool trace(merging *m, int32_t count, int32_t face)
{
    int32_t next[MO_HULL_VERTICES_MOST], edges = 0, from = -1, at = m->start[face];
    memset(next, -1, sizeof next);
    for (int32_t k = 0; k < count; ++k) {
        const mo_hull_triangle *t = &m->b->triangle[m->stack[k]];
        for (int i = 0; i < 3; ++i) {
            if (m->face_of[t->next[i]] != face) {
                if (next[t->v[i]] >= 0) {
                    return false;
                }
                from = from < 0 || t->v[i] < from ? t->v[i] : from;
                next[t->v[i]] = t->v[(i + 1) % 3];
                ++edges;
            }
        }
    }
    int32_t v = from, length = 0;
    while (v >= 0 && length < edges) {
        m->loop[at + length++] = v;
        v = next[v];
    }
    m->start[face + 1] = at + length;
    return v == from && length == edges;
}

/* Each region a face; one whose boundary is no loop stays the triangle it began with. */
static void find_faces(merging *m)
{
    memset(m->face_of, -1, sizeof m->face_of);
    for (int32_t seed = largest_free(m); seed >= 0; seed = largest_free(m)) {
        int32_t count = grow(m, seed, m->faces);
        if (!trace(m, count, m->faces)) {
            for (int32_t k = 1; k < count; ++k) {
                m->face_of[m->stack[k]] = -1;
            }
            memcpy(m->loop + m->start[m->faces], m->b->triangle[seed].v, 3 * sizeof *m->loop);
            m->start[m->faces + 1] = m->start[m->faces] + 3;
        }
        m->seed[m->faces++] = seed;
    }
}

/* Vertices with fewer than three faces leave the loops. */
static void drop_vertices(merging *m)
{
    for (int32_t k = 0; k < m->start[m->faces]; ++k) {
        m->degree[m->loop[k]]++;
    }
    int32_t kept = 0, first = 0;
    for (int32_t f = 0; f < m->faces; ++f) {
        int32_t last = m->start[f + 1];
        for (int32_t k = first; k < last; ++k) {
            if (m->degree[m->loop[k]] >= 3) {
                m->loop[kept++] = m->loop[k];
            }
        }
        first = last;
        m->start[f + 1] = kept;
    }
}

/* ---- half edges ---- */

static mote_status reserve(mo_hull *hull, mo_arena *arena, mote_error *error)
{
    size_t v = (size_t)hull->vertices, f = (size_t)hull->faces, e = (size_t)hull->edges;
    hull->vertex = mo_arena_allocate(arena, v * sizeof *hull->vertex);
    hull->normal = mo_arena_allocate(arena, f * sizeof *hull->normal);
    hull->offset = mo_arena_allocate(arena, f * sizeof *hull->offset);
    hull->first = mo_arena_allocate(arena, (f + 1) * sizeof *hull->first);
    hull->edge = mo_arena_allocate(arena, e * sizeof *hull->edge);
    bool made = hull->vertex && hull->normal && hull->offset && hull->first && hull->edge;
    return made ? MOTE_OK : mo_fail_memory(error, (v + 2 * f + e) * sizeof *hull->vertex);
}

static void fill_vertices(merging *m, mo_hull *hull)
{
    int32_t made = 0;
    mo_vec3 sum = {0, 0, 0};
    for (int32_t v = 0; v < m->b->vertices; ++v) {
        if (m->degree[v] >= 3) {
            m->number[v] = made;
            hull->vertex[made++] = m->b->vertex[v];
            sum = mo_add(sum, m->b->vertex[v]);
        }
    }
    mo_vec3 middle = mo_scale(1.0 / made, sum);
    hull->center = mo_add(m->b->center, middle);
    hull->reach = 0;
    for (int32_t v = 0; v < made; ++v) {
        hull->vertex[v] = mo_sub(hull->vertex[v], middle);
        hull->reach = fmax(hull->reach, mo_length(hull->vertex[v]));
    }
}

/* Normals by Newell's sum; no vertex is above a face. */
static void fill_faces(merging *m, mo_hull *hull)
{
    for (int32_t f = 0; f < hull->faces; ++f) {
        int32_t first = m->start[f], last = m->start[f + 1];
        mo_vec3 sum = {0, 0, 0}, from = hull->vertex[m->number[m->loop[first]]];
        for (int32_t k = first; k < last; ++k) {
            int32_t next = k + 1 < last ? k + 1 : first;
            mo_vec3 p = mo_sub(hull->vertex[m->number[m->loop[k]]], from),
                    q = mo_sub(hull->vertex[m->number[m->loop[next]]], from);
            sum = mo_add(sum, mo_cross(p, q));
            hull->edge[k] = (mo_hull_edge){m->number[m->loop[k]], -1, next, f};
        }
        hull->first[f] = first;
        hull->normal[f] = mo_unit(sum, m->b->triangle[m->seed[f]].normal);
        hull->offset[f] = -(double)INFINITY;
        for (int32_t v = 0; v < hull->vertices; ++v) {
            hull->offset[f] = fmax(hull->offset[f], mo_dot(hull->normal[f], hull->vertex[v]));
        }
    }
    hull->first[hull->faces] = hull->edges;
}

/* False if an edge has no other side: a face has lost too many vertices. */
static bool pair_edges(mo_hull *hull)
{
    for (int32_t e = 0; e < hull->edges; ++e) {
        int32_t from = hull->edge[e].origin, to = hull->edge[hull->edge[e].next].origin;
        for (int32_t o = 0; o < hull->edges && hull->edge[e].twin < 0; ++o) {
            if (hull->edge[o].origin == to && hull->edge[hull->edge[o].next].origin == from) {
                hull->edge[e].twin = o;
            }
        }
        if (hull->edge[e].twin < 0) {
            return false;
        }
    }
    return true;
}

mote_status mo_hull_merge(mo_hull_builder *b, mo_arena *arena, mo_hull *hull, mote_error *error)
{
    merging *m = mo_allocate(arena->memory, sizeof *m);
    if (!m) {
        return mo_fail_memory(error, sizeof *m);
    }
    m->b = b;
    find_faces(m);
    drop_vertices(m);
    *hull = (mo_hull){.faces = m->faces, .edges = m->start[m->faces]};
    for (int32_t v = 0; v < b->vertices; ++v) {
        hull->vertices += m->degree[v] >= 3;
    }
    mote_status status = reserve(hull, arena, error);
    if (status == MOTE_OK) {
        fill_vertices(m, hull);
        fill_faces(m, hull);
        if (!pair_edges(hull)) {
            status = mo_fail(error, MOTE_ERROR_INPUT,
                             "the convex hull of %lld points is too thin for its faces",
                             (long long)b->count);
        }
    }
    mo_release(arena->memory, m);
    return status;
}
