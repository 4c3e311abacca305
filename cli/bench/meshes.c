/*
 * Meshes: reading the same block of tetrahedra from several formats, and filling a ball and a
 * triangle surface with tetrahedra, on one thread. The baseline of a file is reading its bytes.
 */
#include "base/error.h"
#include "base/file.h"
#include "bench/bench.h"
#include "geometry/generate/generate.h"
#include "geometry/mesh/quality.h"
#include "geometry/mesh/stuffing.h"
#include "geometry/mesh/volume.h"
#include "geometry/meshfile/meshfile.h"
#include "geometry/trimesh/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 41 };

/* ---- reading ---- */

typedef struct reading {
    const char *path;
    char *data;
    size_t size;
    int64_t tetrahedra;
    mote_status status;
    mote_error error;
} reading;

static void read_mesh(void *context)
{
    reading *r = context;
    mo_memory memory;
    mo_memory_init(&memory, NULL);
    mo_mesh mesh = {.memory = &memory};
    if (r->status == MOTE_OK) {
        r->status = mo_mesh_file_parse(r->path, r->data, r->size, false, &mesh, &r->error);
    }
    r->tetrahedra = mesh.tetrahedron_count;
    mo_mesh_release(&mesh);
}

static mote_status build_block(mo_memory *memory, mo_mesh *mesh, mote_error *error)
{
    struct {
        mo_vec3 min, max;
        int64_t nx, ny, nz, tetrahedra;
        bool shear;
    } p = {{0, 0, 0}, {1, 1, 1}, SIDE, SIDE, SIDE, 5, true};
    const mo_descriptor *block = mo_family_find(&mo_meshes, "block");
    if (block->param_size != sizeof p) {
        return mo_fail(error, MOTE_ERROR_USAGE, "meshes: the parameters of a block have changed");
    }
    return mo_mesh_generate((mo_method){block, &p}, memory, mesh, error);
}

static void print_node(FILE *file, const mo_mesh *mesh, int64_t k)
{
    fprintf(file, "%lld %.16g %.16g %.16g\n", (long long)k + 1, mesh->nodes[3 * k],
            mesh->nodes[3 * k + 1], mesh->nodes[3 * k + 2]);
}

static void print_corners(FILE *file, const mo_mesh *mesh, int64_t k)
{
    const int32_t *t = mesh->tetrahedra + 4 * k;
    fprintf(file, " %d %d %d %d\n", t[0] + 1, t[1] + 1, t[2] + 1, t[3] + 1);
}

static void write_gmsh_text(FILE *file, const mo_mesh *mesh)
{
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%lld\n",
            (long long)mesh->node_count);
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        print_node(file, mesh, k);
    }
    fprintf(file, "$EndNodes\n$Elements\n%lld\n", (long long)mesh->tetrahedron_count);
    for (int64_t k = 0; k < mesh->tetrahedron_count; ++k) {
        fprintf(file, "%lld 4 0", (long long)k + 1);
        print_corners(file, mesh, k);
    }
    fprintf(file, "$EndElements\n");
}

static void write_gmsh_binary(FILE *file, const mo_mesh *mesh)
{
    int32_t one = 1, head[3] = {4, (int32_t)mesh->tetrahedron_count, 0};
    fprintf(file, "$MeshFormat\n2.2 1 8\n");
    fwrite(&one, sizeof one, 1, file);
    fprintf(file, "\n$EndMeshFormat\n$Nodes\n%lld\n", (long long)mesh->node_count);
    for (int32_t k = 0; k < mesh->node_count; ++k) {
        int32_t name = k + 1;
        fwrite(&name, sizeof name, 1, file);
        fwrite(mesh->nodes + 3 * (int64_t)k, sizeof(double), 3, file);
    }
    fprintf(file, "\n$EndNodes\n$Elements\n%lld\n", (long long)mesh->tetrahedron_count);
    fwrite(head, sizeof head, 1, file);
    for (int32_t k = 0; k < mesh->tetrahedron_count; ++k) {
        const int32_t *t = mesh->tetrahedra + 4 * (int64_t)k;
        int32_t row[5] = {k + 1, t[0] + 1, t[1] + 1, t[2] + 1, t[3] + 1};
        fwrite(row, sizeof row, 1, file);
    }
    fprintf(file, "\n$EndElements\n");
}

static void write_tetgen(FILE *file, const mo_mesh *mesh)
{
    fprintf(file, "%lld 3 0 0\n", (long long)mesh->node_count);
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        print_node(file, mesh, k);
    }
    fprintf(file, "--\n%lld 4 0\n", (long long)mesh->tetrahedron_count);
    for (int64_t k = 0; k < mesh->tetrahedron_count; ++k) {
        fprintf(file, "%lld", (long long)k + 1);
        print_corners(file, mesh, k);
    }
}

static mote_status time_reading(const bench *b, const mo_mesh *mesh, const char *name,
                                const char *path, void (*write)(FILE *, const mo_mesh *),
                                mote_error *error)
{
    reading r = {.path = path};
    FILE *file = open_memstream(&r.data, &r.size);
    if (!file) {
        return mo_fail_memory(error, 0);
    }
    write(file, mesh);
    fclose(file);
    bench_row row = {.name = name, .threads = 1, .unit = "tetrahedra/s", .baseline = NAN};
    row.seconds = bench_best_seconds(b, read_mesh, &r);
    row.rate = (double)r.tetrahedra / row.seconds;
    snprintf(row.note, sizeof row.note,
             "%lld tetrahedra, %.1f MB, %.0f MB/s; checked, with edges and outer faces",
             (long long)r.tetrahedra, 1e-6 * (double)r.size, 1e-6 * (double)r.size / row.seconds);
    free(r.data);
    if (r.status != MOTE_OK) {
        return mo_fail(error, r.status, "%s", r.error.text);
    }
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run_reading(void *context, mote_error *error)
{
    mo_memory memory;
    mo_mesh mesh;
    mo_memory_init(&memory, NULL);
    MO_TRY(build_block(&memory, &mesh, error));
    mote_status status =
        time_reading(context, &mesh, "meshes/read/gmsh_text", "a.msh", write_gmsh_text, error);
    if (status == MOTE_OK) {
        status = time_reading(context, &mesh, "meshes/read/gmsh_binary", "a.msh", write_gmsh_binary,
                              error);
    }
    if (status == MOTE_OK) {
        status = time_reading(context, &mesh, "meshes/read/tetgen", "a.node", write_tetgen, error);
    }
    mo_mesh_release(&mesh);
    return status;
}

/* ---- filling ---- */

typedef struct filling {
    mo_distance_fn *distances;
    const void *context;
    double spacing;
    int64_t tetrahedra;
    mo_mesh_quality quality;
    mote_status status;
    mote_error error;
} filling;

static void ball_distances(const void *context, int64_t count, const double *x, double *distance)
{
    (void)context;
    for (int64_t k = 0; k < count; ++k) {
        distance[k] = mo_length(mo_vec3_load(x + 3 * k)) - 1;
    }
}

static void surface_distances(const void *context, int64_t count, const double *x, double *distance)
{
    mo_trimesh_distances(context, count, x, distance, NULL);
}

static void fill_once(void *context)
{
    filling *f = context;
    mo_memory memory;
    mo_memory_init(&memory, NULL);
    mo_mesh mesh = {.memory = &memory};
    mo_vec3 low = {-1, -1, -1}, high = {1, 1, 1};
    if (f->status == MOTE_OK) {
        f->status = mo_stuff(&mesh, f->distances, f->context, low, high, f->spacing, &f->error);
    }
    f->tetrahedra = mesh.tetrahedron_count;
    f->quality = mo_mesh_measure(&mesh);
    mo_mesh_release(&mesh);
}

static mote_status time_filling(const bench *b, const char *name, filling *f, mote_error *error)
{
    bench_row row = {.name = name, .threads = 1, .unit = "tetrahedra/s", .baseline = NAN};
    row.seconds = bench_best_seconds(b, fill_once, f);
    if (f->status != MOTE_OK) {
        return mo_fail(error, f->status, "%s", f->error.text);
    }
    row.rate = (double)f->tetrahedra / row.seconds;
    snprintf(row.note, sizeof row.note,
             "%lld tetrahedra, dihedral angles from %.1f to %.1f degrees", (long long)f->tetrahedra,
             f->quality.angle_min, f->quality.angle_max);
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run_ball(void *context, mote_error *error)
{
    filling f = {.distances = ball_distances, .spacing = 0.05};
    return time_filling(context, "meshes/fill/ball", &f, error);
}

/* A sphere of 5,120 triangles. */
static mote_status run_surface(void *context, mote_error *error)
{
    struct {
        mo_vec3 center;
        double radius, thickness;
        int64_t detail, layers;
    } p = {{0, 0, 0}, 0.99, 0.1, 16, 0};
    mo_memory memory;
    mo_mesh shell;
    mo_arena arena;
    mo_trimesh_distance tree;
    mo_memory_init(&memory, NULL);
    mo_arena_init(&arena, &memory);
    const mo_descriptor *type = mo_family_find(&mo_meshes, "shell");
    if (type->param_size != sizeof p) {
        return mo_fail(error, MOTE_ERROR_USAGE, "meshes: the parameters of a shell have changed");
    }
    MO_TRY(mo_mesh_generate((mo_method){type, &p}, &memory, &shell, error));
    mo_trimesh surface = {.memory = &memory,
                          .vertices = shell.node_count,
                          .triangles = shell.triangle_count,
                          .x = shell.nodes,
                          .corner = shell.triangles};
    mote_status status = mo_trimesh_distance_build(&surface, "sphere", false, &arena, &tree, error);
    if (status == MOTE_OK) {
        filling f = {.distances = surface_distances, .context = &tree, .spacing = 0.05};
        status = time_filling(context, "meshes/fill/surface", &f, error);
    }
    mo_arena_release(&arena);
    mo_mesh_release(&shell);
    return status;
}

static const suite_case CASES[] = {
    {"meshes/read/", "A block of 320,000 tetrahedra from files of every sort.", run_reading},
    {"meshes/fill/ball", "A ball filled with tetrahedra.", run_ball},
    {"meshes/fill/surface", "A surface of 5,120 triangles filled with tetrahedra.", run_surface},
    {0}};

const suite_group bench_meshes = {"meshes", "Reading meshes and filling surfaces.", CASES};
