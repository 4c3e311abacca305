/* Validation and repair of a mesh from a file, and its conversion to a mo_mesh. */
#include "geometry/meshfile/hanging.h"
#include "geometry/meshfile/source.h"

#include "base/hash.h"
#include "geometry/mesh/volume.h"

#include <string.h>

/* Volumes below this fraction of the cube of the longest edge are degenerate; of its square for
 * areas. */
#define FLAT 1e-12

static const char *word_for(const mo_mesh_elements *e)
{
    return e->corners == 4 ? "tetrahedron" : "triangle";
}

/* Errors of the file as a whole, without a line. */
static mote_status fail_element(mo_mesh_source *s, const mo_mesh_elements *e, int64_t k,
                                const char *what)
{
    s->binary = true;
    return mo_mesh_source_fail(s, "%s %lld %s", word_for(e), (long long)e->names[k], what);
}

static mote_status check_corners(mo_mesh_source *s, const mo_mesh_elements *e)
{
    for (int64_t k = 0; k < e->count; ++k) {
        const int32_t *n = e->nodes + e->corners * k;
        for (int c = 1; c < e->corners; ++c) {
            for (int d = 0; d < c; ++d) {
                if (n[c] == n[d]) {
                    s->binary = true;
                    return mo_mesh_source_fail(s, "%s %lld uses node %lld as two of its corners",
                                               word_for(e), (long long)e->names[k],
                                               (long long)s->node_names[n[c]]);
                }
            }
        }
    }
    return MOTE_OK;
}

static mo_vec3 position_of(const mo_mesh_source *s, int32_t node)
{
    return mo_vec3_load(s->x + 3 * (int64_t)node);
}

static double longest_edge(const mo_mesh_source *s, const int32_t *n, int corners)
{
    double longest = 0;
    for (int c = 1; c < corners; ++c) {
        for (int d = 0; d < c; ++d) {
            longest = fmax(longest, mo_length(mo_sub(position_of(s, n[c]), position_of(s, n[d]))));
        }
    }
    return longest;
}

static mote_status check_volumes(mo_mesh_source *s, bool repair)
{
    mo_mesh_elements *e = &s->tetrahedra;
    for (int64_t k = 0; k < e->count; ++k) {
        int32_t *n = e->nodes + 4 * k;
        double volume = mo_tetrahedron_volume(position_of(s, n[0]), position_of(s, n[1]),
                                              position_of(s, n[2]), position_of(s, n[3]));
        double edge = longest_edge(s, n, 4);
        if (!(fabs(volume) > FLAT * edge * edge * edge)) {
            return fail_element(s, e, k, "is degenerate: it has no volume");
        }
        if (volume < 0) {
            if (!repair) {
                return fail_element(
                    s, e, k,
                    "is inverted: its volume is negative; \"repair\": true reorients such "
                    "elements");
            }
            int32_t kept = n[1];
            n[1] = n[2];
            n[2] = kept;
        }
    }
    return MOTE_OK;
}

static mote_status check_areas(mo_mesh_source *s)
{
    mo_mesh_elements *e = &s->triangles;
    for (int64_t k = 0; k < e->count; ++k) {
        const int32_t *n = e->nodes + 3 * k;
        mo_vec3 a = position_of(s, n[0]);
        double area =
            mo_length(mo_cross(mo_sub(position_of(s, n[1]), a), mo_sub(position_of(s, n[2]), a)));
        double edge = longest_edge(s, n, 3);
        if (!(area > FLAT * edge * edge)) {
            return fail_element(s, e, k, "has no area");
        }
    }
    return MOTE_OK;
}

static void sorted_nodes(const mo_mesh_elements *e, int64_t k, int32_t n[4])
{
    memcpy(n, e->nodes + e->corners * k, (size_t)e->corners * sizeof *n);
    for (int c = 1; c < e->corners; ++c) {
        for (int at = c; at > 0 && n[at] < n[at - 1]; --at) {
            int32_t kept = n[at];
            n[at] = n[at - 1];
            n[at - 1] = kept;
        }
    }
}

static void keep_element(mo_mesh_elements *e, int64_t from, int64_t to)
{
    size_t bytes = (size_t)e->corners * sizeof *e->nodes;
    memmove(e->nodes + e->corners * to, e->nodes + e->corners * from, bytes);
    e->names[to] = e->names[from];
}

/* Elements with the same nodes, by a table of their nodes. */
static mote_status find_duplicates(mo_mesh_source *s, mo_mesh_elements *e, bool repair,
                                   int64_t *table, uint64_t size)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < e->count; ++k) {
        int32_t n[4], other[4];
        sorted_nodes(e, k, n);
        uint64_t slot = mo_hash_bytes(0, n, (size_t)e->corners * sizeof *n) & (size - 1);
        int64_t twin = -1;
        for (; table[slot] && twin < 0; slot = (slot + 1) & (size - 1)) {
            sorted_nodes(e, table[slot] - 1, other);
            twin = memcmp(n, other, (size_t)e->corners * sizeof *n) == 0 ? table[slot] - 1 : -1;
        }
        if (twin >= 0) {
            if (!repair) {
                s->binary = true;
                return mo_mesh_source_fail(
                    s,
                    "%s %lld has the same corners as %s %lld; \"repair\": true removes such "
                    "elements",
                    word_for(e), (long long)e->names[k], word_for(e), (long long)e->names[twin]);
            }
            continue;
        }
        keep_element(e, k, kept);
        table[slot] = ++kept;
    }
    e->count = kept;
    return MOTE_OK;
}

static mote_status check_twins(mo_mesh_source *s, mo_mesh_elements *e, bool repair)
{
    uint64_t size = 16;
    while (size < 2 * (uint64_t)e->count) {
        size *= 2;
    }
    void *table;
    MO_TRY(mo_allocate_array(s->memory, (int64_t)size, sizeof(int64_t), &table, s->error));
    mote_status status = find_duplicates(s, e, repair, table, size);
    mo_release(s->memory, table);
    return status;
}

/* Used nodes keep their order. */
static void drop_unused(mo_mesh_source *s, mo_mesh_elements *e, int32_t *number)
{
    int32_t count = 0;
    for (int64_t k = 0; k < s->node_count; ++k) {
        if (number[k]) {
            memmove(s->x + 3 * (int64_t)count, s->x + 3 * k, 3 * sizeof *s->x);
            s->node_names[count] = s->node_names[k];
            s->members[count] = s->members[k];
            number[k] = count++;
        }
    }
    for (int64_t k = 0; k < e->corners * e->count; ++k) {
        e->nodes[k] = number[e->nodes[k]];
    }
    s->node_count = count;
}

static mote_status check_unused(mo_mesh_source *s, mo_mesh_elements *e, bool repair)
{
    void *block;
    MO_TRY(mo_allocate_array(s->memory, s->node_count, sizeof(int32_t), &block, s->error));
    int32_t *used = block;
    int64_t unused = 0, first = -1;
    for (int64_t k = 0; k < e->corners * e->count; ++k) {
        used[e->nodes[k]] = 1;
    }
    for (int64_t k = s->node_count; k-- > 0;) {
        unused += !used[k];
        first = used[k] ? first : k;
    }
    mote_status status = MOTE_OK;
    if (unused && !repair) {
        s->binary = true;
        status = mo_mesh_source_fail(
            s,
            "node %lld belongs to no %s, nor do %lld others; \"repair\": true removes such nodes",
            (long long)s->node_names[first], word_for(e), (long long)unused - 1);
    } else if (unused) {
        drop_unused(s, e, used);
    }
    mo_release(s->memory, block);
    return status;
}

static mote_status add_sets(const mo_mesh_source *s, mo_mesh *mesh, mote_error *error)
{
    for (int64_t k = 0; k < s->node_count; ++k) {
        for (int g = 0; s->members[k] >> g; ++g) {
            if (s->members[k] >> g & 1) {
                MO_TRY(mo_mesh_add_to_set(mesh, s->groups[g].name, k, error));
            }
        }
    }
    return MOTE_OK;
}

static mote_status copy_nodes(const mo_mesh_source *s, mo_mesh *mesh)
{
    MO_TRY(mo_mesh_check_size(s->path, (double)s->node_count, s->error));
    MO_TRY(mo_mesh_reserve(mesh, s->node_count, 0, 0, s->error));
    memcpy(mesh->nodes, s->x, 3 * (size_t)s->node_count * sizeof(double));
    mesh->node_count = s->node_count;
    return add_sets(s, mesh, s->error);
}

static mote_status fill_solid(mo_mesh_source *s, mo_mesh *mesh)
{
    const mo_mesh_elements *e = &s->tetrahedra;
    MO_TRY(copy_nodes(s, mesh));
    MO_TRY(mo_mesh_reserve_tetrahedra(mesh, e->count, s->error));
    memcpy(mesh->tetrahedra, e->nodes, 4 * (size_t)e->count * sizeof *e->nodes);
    mesh->tetrahedron_count = e->count;
    mote_error inner = {0};
    mote_status status = mo_mesh_find_faces(mesh, e->names, &inner);
    if (status != MOTE_OK) {
        s->binary = true;
        return status == MOTE_ERROR_INPUT ? mo_mesh_source_fail(s, "%s", inner.text)
                                          : mo_fail(s->error, status, "%s", inner.text);
    }
    MO_TRY(mo_mesh_check_hanging(mesh, s));
    MO_TRY(mo_mesh_finish_edges(mesh, s->error));
    return mo_mesh_add_default_sets(mesh, s->error);
}

static mote_status fill_surface(mo_mesh_source *s, mo_mesh *mesh)
{
    const mo_mesh_elements *e = &s->triangles;
    MO_TRY(copy_nodes(s, mesh));
    MO_TRY(mo_mesh_reserve(mesh, 0, 0, e->count, s->error));
    memcpy(mesh->triangles, e->nodes, 3 * (size_t)e->count * sizeof *e->nodes);
    mesh->triangle_count = e->count;
    MO_TRY(mo_mesh_finish_edges(mesh, s->error));
    return mo_mesh_add_default_sets(mesh, s->error);
}

mote_status mo_mesh_source_finish(mo_mesh_source *s, bool repair, mo_mesh *mesh)
{
    bool solid = s->tetrahedra.count > 0;
    mo_mesh_elements *e = solid ? &s->tetrahedra : &s->triangles;
    if (e->count == 0) {
        s->binary = true;
        return mo_mesh_source_fail(s, "has no tetrahedra and no triangles");
    }
    MO_TRY(check_corners(s, e));
    MO_TRY(solid ? check_volumes(s, repair) : check_areas(s));
    MO_TRY(check_twins(s, e, repair));
    MO_TRY(check_unused(s, e, repair));
    return solid ? fill_solid(s, mesh) : fill_surface(s, mesh);
}
