/*
 * Meshes from files: the same mesh from every format, text and binary; and errors of files, by
 * element.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/meshfile/meshfile.h"
#include "mesh_asserts.h"

#include <stdio.h>

/* ---- a mesh, and its files ---- */

/* A cube of five tetrahedra; nodes and elements have arbitrary names. */
static const double CUBE[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const int CELLS[5][4] = {
    {0, 5, 3, 6}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 6, 5, 0}, {7, 6, 3, 5}};
static const int NAMES[8] = {7, 2, 1000, 4, 31, 6, 8, 99};

typedef struct buffer {
    char data[1 << 14];
    size_t size;
} buffer;

static void add_text(buffer *b, const char *format, ...) MO_PRINTF(2, 3);
static void add_text(buffer *b, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    b->size += (size_t)vsnprintf(b->data + b->size, sizeof b->data - b->size, format, arguments);
    va_end(arguments);
    assert_true(b->size < sizeof b->data);
}

static void add_bytes(buffer *b, const void *bytes, size_t size)
{
    assert_true(b->size + size < sizeof b->data);
    memcpy(b->data + b->size, bytes, size);
    b->size += size;
    b->data[b->size] = '\0';
}

static void add_int(buffer *b, bool binary, int32_t value)
{
    if (binary) {
        add_bytes(b, &value, sizeof value);
    } else {
        add_text(b, " %d", value);
    }
}

static void add_size(buffer *b, bool binary, int64_t value)
{
    if (binary) {
        add_bytes(b, &value, sizeof value);
    } else {
        add_text(b, " %lld", (long long)value);
    }
}

static void add_position(buffer *b, bool binary, const double x[3])
{
    if (binary) {
        add_bytes(b, x, 3 * sizeof *x);
    } else {
        add_text(b, " %.17g %.17g %.17g\n", x[0], x[1], x[2]);
    }
}

static void add_gmsh_head(buffer *b, const char *version, bool binary)
{
    int32_t one = 1;
    add_text(b, "$MeshFormat\n%s %d 8\n", version, binary);
    if (binary) {
        add_bytes(b, &one, sizeof one);
        add_text(b, "\n");
    }
    add_text(b, "$EndMeshFormat\n$Comments\nany $thing\n$EndComments\n"
                "$PhysicalNames\n2\n3 1 \"the body\"\n2 5 \"base\"\n$EndPhysicalNames\n");
}

static void write_gmsh2(buffer *b, bool binary)
{
    *b = (buffer){0};
    add_gmsh_head(b, "2.2", binary);
    add_text(b, "$Nodes\n8\n");
    for (int k = 0; k < 8; ++k) {
        add_int(b, binary, NAMES[k]);
        add_position(b, binary, CUBE[k]);
    }
    add_text(b, "\n$EndNodes\n$Elements\n7\n");
    for (int k = 0; k < 5; ++k) {
        if (!binary) {
            add_text(b, "\n%d 4 2 1 1", 50 + k);
        } else {
            const int32_t head[6] = {4, 1, 2, 50 + k, 1, 1}; /* groups of one */
            add_bytes(b, head, sizeof head);
        }
        for (int c = 0; c < 4; ++c) {
            add_int(b, binary, NAMES[CELLS[k][c]]);
        }
    }
    const int32_t base[2][3] = {{7, 4, 2}, {7, 1000, 4}};
    const int32_t head[3] = {2, 2, 2}; /* two triangles with two tags */
    if (binary) {
        add_bytes(b, head, sizeof head);
    }
    for (int k = 0; k < 2; ++k) {
        if (binary) {
            add_bytes(b, (int32_t[]){60 + k, 5, 9}, 3 * sizeof(int32_t));
            add_bytes(b, base[k], sizeof base[k]);
        } else {
            add_text(b, "\n%d 2 2 5 9 %d %d %d", 60 + k, base[k][0], base[k][1], base[k][2]);
        }
    }
    add_text(b, "\n$EndElements\n");
}

static void write_gmsh4(buffer *b, bool binary)
{
    const double box[6] = {0, 0, 0, 1, 1, 1};
    *b = (buffer){0};
    add_gmsh_head(b, "4.1", binary);
    add_text(b, "$Entities\n");
    const int64_t counts[4] = {1, 0, 1, 1};
    for (int k = 0; k < 4; ++k) {
        add_size(b, binary, counts[k]);
    }
    add_int(b, binary, 3); /* a point without groups */
    add_position(b, binary, box);
    add_size(b, binary, 0);
    for (int dimension = 2; dimension < 4; ++dimension) {
        add_int(b, binary, 10 + dimension);
        add_position(b, binary, box);
        add_position(b, binary, box + 3);
        add_size(b, binary, 1);
        add_int(b, binary, dimension == 2 ? -5 : 1); /* a sign is a direction */
        add_size(b, binary, 2);
        add_int(b, binary, 1);
        add_int(b, binary, 2);
    }
    add_text(b, "\n$EndEntities\n$Nodes\n");
    const int64_t nodes[4] = {2, 8, 2, 1000};
    for (int k = 0; k < 4; ++k) {
        add_size(b, binary, nodes[k]);
    }
    for (int block = 0; block < 2; ++block) { /* the second has parameters on its surface */
        add_int(b, binary, block ? 2 : 3);
        add_int(b, binary, block ? 12 : 13);
        add_int(b, binary, block);
        add_size(b, binary, 4);
        for (int k = 4 * block; k < 4 * block + 4; ++k) {
            add_size(b, binary, NAMES[k]);
        }
        for (int k = 4 * block; k < 4 * block + 4; ++k) {
            add_position(b, binary, CUBE[k]);
            if (block) {
                const double uv[2] = {0.1, 0.2};
                if (binary) {
                    add_bytes(b, uv, sizeof uv);
                } else {
                    add_text(b, "0.1 0.2\n");
                }
            }
        }
    }
    add_text(b, "\n$EndNodes\n$Elements\n");
    const int64_t elements[4] = {2, 6, 50, 60};
    for (int k = 0; k < 4; ++k) {
        add_size(b, binary, elements[k]);
    }
    add_int(b, binary, 2);
    add_int(b, binary, 12);
    add_int(b, binary, 2);
    add_size(b, binary, 1);
    add_size(b, binary, 60);
    add_size(b, binary, 7);
    add_size(b, binary, 4);
    add_size(b, binary, 2);
    add_int(b, binary, 3);
    add_int(b, binary, 13);
    add_int(b, binary, 4);
    add_size(b, binary, 5);
    for (int k = 0; k < 5; ++k) {
        add_size(b, binary, 50 + k);
        for (int c = 0; c < 4; ++c) {
            add_size(b, binary, NAMES[CELLS[k][c]]);
        }
    }
    add_text(b, "\n$EndElements\n");
}

static void write_tetgen(buffer *b, int from)
{
    *b = (buffer){0};
    add_text(b, "# points\n8 3 1 1\n");
    for (int k = 0; k < 8; ++k) {
        add_text(b, "%d %g %g %g 0.5 %d # a remark\n", k + from, CUBE[k][0], CUBE[k][1], CUBE[k][2],
                 CUBE[k][2] > 0 ? 4 : 0);
    }
    add_text(b, "--\n5 4 1\n");
    for (int k = 0; k < 5; ++k) {
        const int *c = CELLS[k];
        add_text(b, "%d %d %d %d %d 17\n", k + from, c[0] + from, c[1] + from, c[2] + from,
                 c[3] + from);
    }
}

static void write_vtu(buffer *b)
{
    *b = (buffer){0};
    add_text(b, "<?xml version=\"1.0\"?><VTKFile type=\"UnstructuredGrid\" "
                "byte_order=\"LittleEndian\"><UnstructuredGrid>"
                "<Piece NumberOfPoints=\"8\" NumberOfCells=\"6\"><Points>"
                "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">");
    for (int k = 0; k < 8; ++k) {
        add_text(b, "%g %g %g ", CUBE[k][0], CUBE[k][1], CUBE[k][2]);
    }
    add_text(
        b,
        "</DataArray></Points><Cells><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 ");
    for (int k = 0; k < 5; ++k) {
        add_text(b, "%d %d %d %d ", CELLS[k][0], CELLS[k][1], CELLS[k][2], CELLS[k][3]);
    }
    add_text(
        b,
        "</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">2 6 10 14 18 22</DataArray>"
        "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">3 10 10 10 10 "
        "10</DataArray></Cells></Piece>"
        "</UnstructuredGrid></VTKFile>\n");
}

/* ---- reading them ---- */

static mote_status parse(const char *path, const char *data, size_t size, bool repair, built *b,
                         mote_error *error)
{
    b->memory = failing_memory(&b->allocator, -1);
    b->mesh = (mo_mesh){.memory = &b->memory};
    mote_status status = mo_mesh_file_parse(path, data, size, repair, &b->mesh, error);
    if (status != MOTE_OK) {
        mo_mesh_release(&b->mesh);
        assert_all_given_back(&b->allocator, &b->memory);
    }
    return status;
}

static void assert_is_cube(const char *path, const buffer *file, const char *set, int64_t members)
{
    built b;
    mote_error error = {0};
    if (parse(path, file->data, file->size, false, &b, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(b.mesh.node_count, 8);
    assert_int_equal(b.mesh.tetrahedron_count, 5);
    assert_int_equal(b.mesh.edge_count, 18);
    assert_int_equal(b.mesh.triangle_count, 12);
    assert_solid(&b.mesh);
    assert_near(tetrahedra_volume(&b.mesh), 1, 1e-15);
    for (int k = 0; k < 5; ++k) {
        for (int c = 0; c < 4; ++c) {
            assert_near_vec3(node(&b.mesh, b.mesh.tetrahedra[4 * k + c]),
                             mo_vec3_load(CUBE[CELLS[k][c]]), 0);
        }
    }
    assert_int_equal(mo_mesh_set(&b.mesh, "all")->count, 8);
    assert_int_equal(mo_mesh_set(&b.mesh, "surface")->count, 8);
    if (set) {
        assert_non_null(mo_mesh_set(&b.mesh, set));
        assert_int_equal(mo_mesh_set(&b.mesh, set)->count, members);
    }
    release(&b);
}

static void every_format_gives_the_same_mesh(void **state)
{
    (void)state;
    buffer file;
    for (int binary = 0; binary < 2; ++binary) {
        write_gmsh2(&file, binary);
        assert_is_cube("cube.msh", &file, "the body", 8);
        assert_is_cube("cube.msh", &file, "base", 4);
        write_gmsh4(&file, binary);
        assert_is_cube("cube.msh", &file, "the body", 8);
        assert_is_cube("cube.msh", &file, "base", 3);
        write_tetgen(&file, binary);
        assert_is_cube("cube.node", &file, "marker4", 4);
        assert_is_cube("cube.ele", &file, "region17", 8);
    }
    write_vtu(&file);
    assert_is_cube("cube.vtu", &file, NULL, 0);
}

/* A truncated file is rejected or gives a valid mesh, without leaks and reads beyond the end. */
static void cut_files_do_no_harm(void **state)
{
    (void)state;
    for (int which = 0; which < 6; ++which) {
        buffer file;
        if (which < 4) {
            (which < 2 ? write_gmsh2 : write_gmsh4)(&file, which % 2);
        } else if (which == 4) {
            write_tetgen(&file, 1);
        } else {
            write_vtu(&file);
        }
        const char *path = which < 4 ? "cut.msh" : which == 4 ? "cut.ele" : "cut.vtu";
        for (size_t size = 0; size < file.size; ++size) {
            char *copy = malloc(size + 1);
            memcpy(copy, file.data, size);
            copy[size] = '\0';
            built b;
            mote_error error = {0};
            if (parse(path, copy, size, false, &b, &error) == MOTE_OK) {
                assert_solid(&b.mesh);
                release(&b);
            } else {
                assert_true(error.text[0] != '\0');
            }
            free(copy);
        }
    }
}

/* ---- faults ---- */

static void need_fault(const char *path, const char *text, const char *word, const char *other)
{
    built b;
    mote_error error = {0};
    if (parse(path, text, strlen(text), false, &b, &error) == MOTE_OK) {
        fail_msg("'%s' was read", text);
    }
    if (!strstr(error.text, word) || !strstr(error.text, other) || !strstr(error.text, path)) {
        fail_msg("'%s' lacks '%s', '%s' or '%s'", error.text, path, word, other);
    }
}

#define POINTS "5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n--\n"

static void broken_meshes_are_named_by_element(void **state)
{
    (void)state;
    need_fault("a.ele", POINTS "2 4 0\n1 1 2 3 4\n2 2 3 4 77\n", "element 2", "node 77");
    need_fault("a.ele", POINTS "2 4 0\n1 1 2 3 4\n2 2 4 3 5\n", "tetrahedron 2", "inverted");
    need_fault("a.ele", POINTS "2 4 0\n1 1 2 3 4\n2 2 3 3 5\n", "tetrahedron 2", "node 3");
    need_fault("a.ele", POINTS "3 4 0\n1 1 2 3 4\n2 2 3 4 5\n9 3 1 2 4\n", "tetrahedron 9",
               "as tetrahedron 1");
    need_fault("a.ele", POINTS "1 4 0\n1 1 2 3 4\n", "node 5", "belongs to no tetrahedron");
    need_fault("a.ele", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n--\n1 4 0\n6 1 2 3 4\n",
               "tetrahedron 6", "degenerate");
    need_fault("a.ele", "4 3 0 0\n1 0 0 0\n2 1 0 0\n2 0 1 0\n4 1 1 0\n--\n1 4 0\n6 1 2 3 4\n",
               "node 2", "duplicate");
    need_fault("a.ele", "3 3 0 0\n1 0 nan 0\n2 1 0 0\n3 0 1 0\n--\n", "a.ele:2", "node 1");
    need_fault("a.ele", "2 3 0 0\n1 0 1e999 0\n2 1 0 0\n--\n", "node 1", "not a finite position");
    need_fault("a.ele", "400000 3 0 0\n1 0 0 0\n--\n", "400000 points", "size of the file");
    need_fault("a.ele", "4 2 0 0\n1 0 0\n--\n", "2 dimensions", "allowed: 3");
    need_fault("a.ele", POINTS "99999 4 0\n1 1 2 3 4\n", "99999 tetrahedra", "size of the file");
    need_fault("a.ele", POINTS "2 10 0\n1 1 2 3 4\n", "10 nodes", "allowed: 4");
    need_fault("a.ele", POINTS "2 4 0\n1 1 2 3 4\n2 2 3 and no more\n", "tetrahedron 2", "fewer");
    /* three tetrahedra on one face, on both sides of it */
    need_fault(
        "a.ele",
        "6 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -1\n6 0.3 0.3 2\n--\n3 4 0\n7 1 2 3 4\n8 "
        "1 3 2 5\n9 1 2 3 6\n",
        "share one face", "7, 8 and 9");
}

static void nodes_that_hang_are_found(void **state)
{
    (void)state;
    /* below a tetrahedron of edge 1, two that meet in the middle of its edge 1-2 */
    need_fault("a.ele",
               "6 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0.5 0 0\n6 0 0 -1\n--\n"
               "3 4 0\n1 1 2 3 4\n2 1 3 5 6\n3 5 3 2 6\n",
               "node 5 is a hanging node", "tetrahedron 1");
    /* in the middle of a face */
    need_fault(
        "a.ele",
        "9 3 0 0\n1 0 0 0\n2 3 0 0\n3 0 3 0\n4 0 0 3\n5 1 1 0\n6 1 1 -1\n7 2 1 -1\n8 1 2 -1\n9 0 0 -9\n--\n"
        "3 4 0\n1 1 2 3 4\n2 5 8 7 6\n3 6 8 7 9\n",
        "node 5 is a hanging node", "tetrahedron 1");
}

static void faults_of_gmsh_files_are_named(void **state)
{
    (void)state;
#define HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
    need_fault("a.msh", "", "empty", "");
    need_fault("a.msh", "hello", "$MeshFormat", "");
    need_fault("a.msh", "$MeshFormat\n4 0 8\n$EndMeshFormat\n", "version 4,", "4.1");
    need_fault("a.msh", "$MeshFormat\n2.2 1 8\nxxxx\n$EndMeshFormat\n", "byte order", "");
    need_fault("a.msh", HEAD, "no tetrahedra", "");
    need_fault("a.msh", HEAD "$Nodes\n4\n1 0 0 0\n2 0 here there and everywhere\n", "node 2 of 4",
               "a.msh:");
    need_fault("a.msh", HEAD "$Nodes\n-4\n1 0 0 0\n", "-4 nodes", "size of the file");
    need_fault("a.msh", HEAD NODES "$Elements\n1\n1 4 2 0 0 1 2 3 9\n$EndElements\n", "element 1",
               "node 9");
    need_fault("a.msh", HEAD NODES "$Elements\n1\n1 5 2 0 0 1 2 3 4 1 2 3 4\n$EndElements\n",
               "element 1", "hexahedron");
    need_fault("a.msh", HEAD NODES "$Elements\n1\n1 11 2 0 0 1 2 3 4 1 2 3 4\n$EndElements\n",
               "element 1", "curved tetra");
    need_fault("a.msh", HEAD NODES "$Elements\n1\n1 77 2 0 0 1 2 3 4\n$EndElements\n", "element 1",
               "type 77");
    need_fault("a.msh", HEAD "$Elements\n1\n1 4 2 0 0 1 2 3 4\n$EndElements\n", "element 1",
               "does not exist");
    need_fault("a.msh", HEAD NODES "$Elements\n1\n1 4 2 0 0 1 2 3 4\n", "$Elements", "no end");
    need_fault("a.msh", HEAD NODES NODES, "two sections of nodes", "");
    need_fault("a.msh", HEAD "nonsense\n", "nonsense", "section");
}

static void faults_of_vtu_files_are_named(void **state)
{
    (void)state;
#define VTU \
    "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"><Piece NumberOfPoints=\"4\" " \
    "NumberOfCells=\"1\">"
#define VTU_POINTS \
    "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 " \
    "1</DataArray>"
#define CELL(nodes, end, type) \
    "<Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">" nodes \
    "</DataArray>" \
    "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">" end "</DataArray>" \
    "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">" type "</DataArray></Cells>"
    need_fault("a.vtu", "hello", "not a .vtu", "");
    need_fault("a.vtu", "<VTKFile type=\"PolyData\">", "UnstructuredGrid", "");
    need_fault("a.vtu", VTU VTU_POINTS CELL("0 1 2 9", "4", "10"), "cell 0", "point 9");
    need_fault("a.vtu", VTU VTU_POINTS CELL("0 1 2 -1", "4", "10"), "cell 0", "point -1");
    need_fault("a.vtu", VTU VTU_POINTS CELL("0 1 2 3", "4", "12"), "cell 0", "type 12");
    need_fault("a.vtu", VTU VTU_POINTS CELL("0 1 2", "3", "10"), "cell 0", "3 corners");
    need_fault("a.vtu", VTU VTU_POINTS CELL("0 1 2 3", "-4", "10"), "cell 0", "");
    need_fault("a.vtu", VTU VTU_POINTS CELL("0 1 2 3", "400000", "10"), "connectivity",
               "too small");
    need_fault("a.vtu", VTU VTU_POINTS CELL("0 2 1 3", "4", "10"), "tetrahedron 0", "inverted");
    need_fault("a.vtu", VTU VTU, "several pieces", "");
}

static void surfaces_are_meshes_too(void **state)
{
    (void)state;
    built b;
    mote_error error = {0};
    const char *obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    assert_int_equal(parse("a.obj", obj, strlen(obj), false, &b, &error), MOTE_OK);
    assert_int_equal(b.mesh.dimension, 2);
    assert_int_equal(b.mesh.node_count, 4);
    assert_int_equal(b.mesh.edge_count, 6);
    assert_int_equal(b.mesh.triangle_count, 4);
    assert_closed(&b.mesh);
    assert_near(total_share(&b.mesh), 1.5 + sqrt(3) / 2, 1e-14);
    release(&b);
    need_fault("a.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "triangle 0", "no area");
    need_fault("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\n", "node 3",
               "belongs to no triangle");
    need_fault("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 2 3 1\n", "triangle 1",
               "as triangle 0");
}

static void repair_turns_and_leaves_out(void **state)
{
    (void)state;
    built b;
    mote_error error = {0};
    /* the second is inverted, the third is a duplicate of the first, node 6 is unused */
    const char *text = "6 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n6 9 9 9\n5 1 1 1\n--\n"
                       "3 4 0\n1 1 2 3 4\n2 2 4 3 5\n9 3 1 2 4\n";
    assert_int_equal(parse("a.ele", text, strlen(text), true, &b, &error), MOTE_OK);
    assert_int_equal(b.mesh.node_count, 5);
    assert_int_equal(b.mesh.tetrahedron_count, 2);
    assert_solid(&b.mesh);
    assert_near_vec3(node(&b.mesh, 4), mo_vec3_make(1, 1, 1), 0);
    release(&b);
    /* degenerate elements are still errors */
    text = "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n--\n1 4 0\n6 1 2 3 4\n";
    assert_int_equal(parse("a.ele", text, strlen(text), true, &b, &error), MOTE_ERROR_INPUT);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int which = 0; which < 3; ++which) {
        buffer file;
        if (which == 0) {
            write_gmsh4(&file, true);
        } else if (which == 1) {
            write_tetgen(&file, 0);
        } else {
            write_vtu(&file);
        }
        bool failed = true;
        for (int64_t at = 0; failed; ++at) {
            failing_allocator a;
            mo_memory memory = failing_memory(&a, at);
            mo_mesh mesh = {.memory = &memory};
            const char *path = which == 0 ? "a.msh" : which == 1 ? "a.node" : "a.vtu";
            mote_status status = mo_mesh_file_parse(path, file.data, file.size, false, &mesh, NULL);
            failed = has_failed(&a);
            assert_int_equal(status, failed ? MOTE_ERROR_MEMORY : MOTE_OK);
            mo_mesh_release(&mesh);
            assert_all_given_back(&a, &memory);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_the_same_mesh),
        cmocka_unit_test(cut_files_do_no_harm),
        cmocka_unit_test(broken_meshes_are_named_by_element),
        cmocka_unit_test(nodes_that_hang_are_found),
        cmocka_unit_test(faults_of_gmsh_files_are_named),
        cmocka_unit_test(faults_of_vtu_files_are_named),
        cmocka_unit_test(surfaces_are_meshes_too),
        cmocka_unit_test(repair_turns_and_leaves_out),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
