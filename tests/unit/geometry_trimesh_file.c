/*
 * Surfaces from files: three formats in all variants, and errors with their position.
 */
#include "test.h"

#include "failing_allocator.h"
#include "geometry/shape/shape_samples.h"
#include "geometry/trimesh/check.h"
#include "geometry/trimesh/file.h"
#include "numbers.h"
#include "set_param.h"
#include "surfaces.h"

#include <stdio.h>
#include <stdlib.h>

static const char OBJ[] = "# a wedge\n"
                          "mtllib none.mtl\r\n"
                          "o wedge\n"
                          "v 0 0 0\n"
                          "v 1 0 0 1.0\n"
                          "v 0 1 0 0.5 0.5 0.5\n"
                          "v 0 0 1\n"
                          "vn 0 0 1\n"
                          "f 1 3 2\n"
                          "f 1//1 2//1 4//1\n"
                          "f -4/7/1 \\\n  -1 -2 # back\n"
                          "f 2/1 3/1 4/1\n";

typedef struct bench {
    mo_memory memory;
    mo_trimesh mesh;
    mote_error error;
} bench;

static void open_bench(bench *b)
{
    memset(b, 0, sizeof *b);
    mo_memory_init(&b->memory, NULL);
    mo_trimesh_init(&b->mesh, &b->memory);
}

static void close_bench(bench *b)
{
    mo_trimesh_release(&b->mesh);
    assert_int_equal(b->memory.bytes, 0);
}

/* From an exactly sized copy, so that the sanitizer detects reads beyond its end. */
static mote_status parse_bytes(bench *b, const char *path, const void *data, size_t size)
{
    char *copy = malloc(size + 1);
    memcpy(copy, data, size);
    copy[size] = '\0';
    mote_status status = mo_trimesh_parse(path, copy, size, &b->mesh, &b->error);
    free(copy);
    return status;
}

static mote_status parse_text(bench *b, const char *path, const char *text)
{
    return parse_bytes(b, path, text, strlen(text));
}

static void assert_read(bench *b, const char *path, const void *data, size_t size)
{
    if (parse_bytes(b, path, data, size) != MOTE_OK) {
        fail_msg("%s", b->error.text);
    }
}

static void assert_unread(const char *path, const char *text, const char *says)
{
    bench b;
    open_bench(&b);
    assert_int_equal(parse_text(&b, path, text), MOTE_ERROR_INPUT);
    if (!strstr(b.error.text, says) || strncmp(b.error.text, path, strlen(path)) != 0) {
        fail_msg("'%s' does not say '%s'", b.error.text, says);
    }
    assert_int_equal(b.mesh.triangles, 0);
    close_bench(&b);
}

static void assert_wedge(bench *b)
{
    assert_int_equal(b->mesh.vertices, 4);
    assert_int_equal(b->mesh.triangles, 4);
    assert_int_equal(mo_trimesh_check(&b->mesh, "wedge", 0, &b->error), MOTE_OK);
    assert_near(mo_trimesh_volume(&b->mesh), 1 / 6.0, 1e-15);
    for (int v = 0; v < 4; ++v) {
        mo_vec3 out = mo_sub(mo_vec3_load(b->mesh.x + 3 * v), mo_vec3_make(0.25, 0.25, 0.25));
        assert_true(mo_dot(mo_vec3_load(b->mesh.normal + 3 * v), out) > 0);
    }
}

static void an_obj_is_read(void **state)
{
    (void)state;
    bench b;
    open_bench(&b);
    assert_read(&b, "wedge.obj", OBJ, strlen(OBJ));
    assert_wedge(&b);
    /* a polygon is a fan; points may follow */
    const char *quad = "f 1 2 3 4 5\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv .5 2 0\nv 0 1 0";
    assert_read(&b, "quad.obj", quad, strlen(quad));
    static const int32_t FAN[] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    assert_int_equal(b.mesh.triangles, 3);
    assert_memory_equal(b.mesh.corner, FAN, sizeof FAN);
    close_bench(&b);
}

static void obj_errors_are_reported(void **state)
{
    (void)state;
    assert_unread("a.obj", "", "has no triangles");
    assert_unread("a.obj", "v 0 0\n", "a.obj:1: point 1 needs three finite numbers");
    assert_unread("a.obj", "v 0 0 0\nv 0 0 nan\n", "a.obj:2: point 2 needs three finite numbers");
    assert_unread("a.obj", "v 0 0 1e999\n", "a.obj:1: point 1");
    assert_unread("a.obj", "v 0 0 0x10\n", "a.obj:1: point 1");
    assert_unread("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n",
                  "a.obj:5: a face refers to point 4; allowed: 1 to 3");
    assert_unread("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "a.obj:4: '0' is not a corner");
    assert_unread("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n",
                  "a.obj:4: '-4' is not a corner");
    assert_unread("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3x\n",
                  "a.obj:4: '3x' is not a corner");
    assert_unread("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n",
                  "is not a corner");
    assert_unread("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n",
                  "a.obj:3: a face needs at least three corners, this one has 2");
    assert_unread("a.obj", "v 0 0 0\nhello\n",
                  "a.obj:2: 'hello' does not begin a line of an OBJ file");
    assert_unread("a.dae", "v 0 0 0\n", "allowed: .obj, .ply, .stl");
    bench b;
    open_bench(&b);
    assert_int_equal(mo_trimesh_read("/nowhere/thing.obj", &b.mesh, &b.error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(b.error.text, "/nowhere/thing.obj: cannot be opened"));
    assert_int_equal(mo_trimesh_read("/", &b.mesh, &b.error), MOTE_ERROR_INPUT);
    close_bench(&b);
}

/* ---- PLY ---- */

static const double WEDGE_X[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const int32_t WEDGE_CORNER[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static const char PLY_TEXT[] = "ply\n"
                               "format ascii 1.0\n"
                               "comment made by hand\n"
                               "element camera 1\n"
                               "property float view\n"
                               "element vertex 4\n"
                               "property double x\n"
                               "property uchar red\n"
                               "property float32 y\n"
                               "property float z\n"
                               "element face 3\n"
                               "property list uchar int vertex_index\n"
                               "property float quality\n"
                               "end_header\n"
                               "0.5\n"
                               "0 255 0 0\n1 255 0 0\n0 255 1 0\n0 255 0 1\n"
                               "3 0 2 1 0.5\n4 0 1 2 3 1\n\n3 0 3 2 1\n";

/* The wedge in binary, either byte order, written independently of the library. */
typedef struct bytes {
    unsigned char data[4096];
    size_t size;
    bool swapped;
} bytes;

static void put(bytes *b, const void *value, size_t size)
{
    const unsigned char *p = value;
    for (size_t k = 0; k < size; ++k) {
        b->data[b->size + k] = p[b->swapped ? size - 1 - k : k];
    }
    b->size += size;
}

static void put_text(bytes *b, const char *text)
{
    memcpy(b->data + b->size, text, strlen(text));
    b->size += strlen(text);
}

static void make_binary_ply(bytes *b, bool swapped)
{
    memset(b, 0, sizeof *b);
    b->swapped = swapped;
    put_text(b, "ply\nformat ");
    put_text(b, swapped ? "binary_big_endian" : "binary_little_endian");
    put_text(
        b,
        " 1.0\nelement vertex 4\nproperty float x\nproperty double y\nproperty short z\n"
        "element face 4\nproperty list uchar float texture\nproperty list ushort uint vertex_indices\n"
        "property char kind\nend_header\n");
    for (int v = 0; v < 4; ++v) {
        float x = (float)WEDGE_X[3 * v];
        int16_t z = (int16_t)WEDGE_X[3 * v + 2];
        put(b, &x, sizeof x);
        put(b, &WEDGE_X[3 * v + 1], sizeof(double));
        put(b, &z, sizeof z);
    }
    for (int t = 0; t < 4; ++t) {
        uint8_t texture = 2;
        float uv[2] = {0.5F, 0.25F};
        uint16_t corners = 3;
        put(b, &texture, 1);
        put(b, &uv[0], 4);
        put(b, &uv[1], 4);
        put(b, &corners, 2);
        for (int k = 0; k < 3; ++k) {
            put(b, &WEDGE_CORNER[3 * t + k], 4);
        }
        put(b, &texture, 1);
    }
}

static void a_ply_is_read(void **state)
{
    (void)state;
    bench b;
    bytes file;
    open_bench(&b);
    assert_read(&b, "thing.ply", PLY_TEXT, strlen(PLY_TEXT));
    assert_int_equal(b.mesh.vertices, 4);
    assert_int_equal(b.mesh.triangles, 4);
    assert_memory_equal(b.mesh.x, WEDGE_X, sizeof WEDGE_X);
    static const int32_t CORNER[] = {0, 2, 1, 0, 1, 2, 0, 2, 3, 0, 3, 2};
    assert_memory_equal(b.mesh.corner, CORNER, sizeof CORNER);
    for (int swapped = 0; swapped < 2; ++swapped) {
        make_binary_ply(&file, swapped);
        assert_read(&b, "thing.ply", file.data, file.size);
        assert_wedge(&b);
        for (size_t size = 0; size < file.size; ++size) { /* truncated at any length */
            assert_int_equal(parse_bytes(&b, "thing.ply", file.data, size), MOTE_ERROR_INPUT);
        }
    }
    close_bench(&b);
}

#define PLY_HEAD \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define PLY_FACE "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
#define PLY_POINTS "0 0 0\n1 0 0\n0 1 0\n"

static void ply_errors_are_reported(void **state)
{
    (void)state;
    assert_unread("a.ply", "", "does not begin with 'ply'");
    assert_unread("a.ply", "ply\nformat ascii 1.0\n", "its header has no end");
    assert_unread("a.ply", "ply\nformat octal 1.0\n", "a.ply:2: the format 'octal' is unknown");
    assert_unread("a.ply", "ply\nformat ascii 1.0\nelement vertex many\n",
                  "a.ply:3: 'many' is not a number of elements");
    assert_unread("a.ply", "ply\nformat ascii 1.0\nelement vertex -1\n",
                  "a.ply:3: '-1' is not a number");
    assert_unread("a.ply", "ply\nformat ascii 1.0\nproperty float x\n",
                  "a.ply:3: a property without an element");
    assert_unread("a.ply", "ply\nelement vertex 1\nproperty half x\n",
                  "a.ply:3: a property of the unknown type 'half'");
    assert_unread("a.ply", "ply\nelement face 1\nproperty list float int vertex_index\n",
                  "a.ply:3: the count of a list");
    assert_unread("a.ply", "ply\nelment vertex 1\n", "a.ply:2: 'elment' does not begin a line");
    assert_unread(
        "a.ply",
        "ply\nformat ascii 1.0\nelement vertex 2000000000\nproperty float x\nend_header\n1\n",
        "is truncated: its header states elements of at least 4000000000 bytes");
    assert_unread("a.ply", "ply\nformat ascii 1.0\nelement vertex 2000000000\nend_header\n",
                  "has no properties");
    assert_unread(
        "a.ply",
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n1 1\n",
        "lack one of the properties x, y, z");
    assert_unread("a.ply", PLY_HEAD PLY_FACE PLY_POINTS "3 0 1 3\n",
                  "triangle 0 has point 3 as a corner; allowed: 0 to 2");
    assert_unread("a.ply", PLY_HEAD PLY_FACE PLY_POINTS "3 0 1 -1\n",
                  "face 1 of 1 has a corner that is not");
    assert_unread("a.ply", PLY_HEAD PLY_FACE PLY_POINTS "3 0 1 1.5\n",
                  "face 1 of 1 has a corner that is not");
    assert_unread("a.ply", PLY_HEAD PLY_FACE PLY_POINTS "2 0 1    \n",
                  "a.ply:13: face 1 of 1 has fewer than three corners");
    assert_unread("a.ply", PLY_HEAD PLY_FACE PLY_POINTS "3 0 1    \n", "face 1 of 1 is truncated");
    assert_unread("a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n",
                  "a.ply:11: vertex 2 of 3");
    assert_unread("a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0 x\n0 1 0\n3 0 1 2\n",
                  "a.ply:11: vertex 2 of 3");
    assert_unread("a.ply", PLY_HEAD "end_header\n" PLY_POINTS, "has no triangles");
}

/* ---- STL ---- */

static void make_binary_stl(bytes *b, const char *head)
{
    memset(b, 0, sizeof *b);
    put_text(b, head);
    b->size = 80;
    uint32_t count = 4;
    put(b, &count, 4);
    for (int k = 0; k < 12; ++k) {
        float zero = -0.0F;
        for (int n = 0; n < 3 && k % 3 == 0; ++n) {
            put(b, &zero, 4);
        }
        for (int axis = 0; axis < 3; ++axis) { /* both zeros are one */
            float x = (float)WEDGE_X[3 * WEDGE_CORNER[k] + axis];
            put(b, x == 0 && k % 2 ? &zero : &x, 4);
        }
        b->size += k % 3 == 2 ? 2 : 0;
    }
}

static void an_stl_is_read_and_joined(void **state)
{
    (void)state;
    bench b;
    bytes file;
    open_bench(&b);
    static const char *const HEADS[] = {"made by hand", "solid but binary"};
    for (int k = 0; k < 2; ++k) {
        make_binary_stl(&file, HEADS[k]);
        assert_int_equal(file.size, 84 + 200);
        assert_read(&b, "thing.stl", file.data, file.size);
        assert_wedge(&b);
        for (size_t size = 0; size < file.size; ++size) {
            assert_int_equal(parse_bytes(&b, "thing.stl", file.data, size), MOTE_ERROR_INPUT);
        }
    }
    static char text[4000];
    int used = snprintf(text, sizeof text, "solid a wedge of facets\n");
    for (int t = 0; t < 4; ++t) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  FACET normal 0 nan 0\n outer loop\n");
        for (int k = 0; k < 3; ++k) {
            const double *x = WEDGE_X + 3 * WEDGE_CORNER[3 * t + k];
            used += snprintf(text + used, sizeof text - (size_t)used, "vertex %.1e %g %g\r\n", x[0],
                             x[1], x[2]);
        }
        used += snprintf(text + used, sizeof text - (size_t)used, "endloop endfacet\n");
    }
    snprintf(text + used, sizeof text - (size_t)used, "endsolid a wedge\n");
    assert_read(&b, "thing.stl", text, strlen(text));
    assert_wedge(&b);
    close_bench(&b);
}

#define STL_FACET "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"

static void stl_errors_are_reported(void **state)
{
    (void)state;
    assert_unread("a.stl", "", "it is too short");
    assert_unread("a.stl", "solid x\nendsolid\n", "has no triangles");
    assert_unread("a.stl", "solid x\nhello\n",
                  "a.stl:2: expected 'facet' or 'endsolid', found 'hello'");
    assert_unread("a.stl", "solid x\n" STL_FACET "endloop\n",
                  "a.stl:6: expected 'vertex' of triangle 1, found 'endloop'");
    assert_unread("a.stl", "solid x\n" STL_FACET "vertex 0 1 inf\n",
                  "a.stl:6: corner 3 of triangle 1 needs three finite");
    assert_unread("a.stl", "solid x\n" STL_FACET, "is truncated");
    assert_unread("a.stl", "solid x\n" STL_FACET "vertex 0 0 0\nendloop\nendfacet\n",
                  "has no triangle with three distinct");
    bench b;
    bytes file;
    open_bench(&b);
    make_binary_stl(&file, "x");
    file.data[80] = 5;
    assert_int_equal(parse_bytes(&b, "a.stl", file.data, file.size), MOTE_ERROR_INPUT);
    assert_non_null(strstr(b.error.text, "5 triangles need 334 bytes, and it has 284"));
    file.data[80] = 4;
    memset(file.data + 84 + 50 + 12, 0xff, 4);
    assert_int_equal(parse_bytes(&b, "a.stl", file.data, file.size), MOTE_ERROR_INPUT);
    assert_non_null(strstr(b.error.text, "triangle 2 of 4 has a number that is not finite"));
    close_bench(&b);
}

/* A soup of a box's triangles becomes the box again, without its duplicates. */
static void welding_joins_exactly(void **state)
{
    (void)state;
    bench b, soup;
    open_bench(&b);
    open_bench(&soup);
    make_box_surface(&b.mesh, &b.memory, mo_vec3_make(-1, 0, 0), mo_vec3_make(1, 1, 1));
    double x[3 * 39];
    int32_t corner[39];
    for (int k = 0; k < 39; ++k) {
        memcpy(x + 3 * k,
               b.mesh.x + 3 * (k < 36   ? b.mesh.corner[k]
                               : k < 38 ? 0
                                        : 1),
               3 * sizeof *x);
        corner[k] = k;
    }
    make_surface(&soup.mesh, &soup.memory, 39, x, 13, corner);
    soup.mesh.x[3] += 1e-300; /* nothing at all beside -1, and something beside 0 */
    assert_int_equal(mo_trimesh_weld(&soup.mesh, NULL), MOTE_OK);
    assert_int_equal(soup.mesh.vertices, 8);
    assert_int_equal(soup.mesh.triangles, 12);
    assert_int_equal(mo_trimesh_check(&soup.mesh, "box", 0, NULL), MOTE_OK);
    close_bench(&soup);
    close_bench(&b);
}

/* A shape from a file: every allocation fails once, in reading, measuring and sampling, without
 * leaks. */
static bool try_shape(int64_t fail_at)
{
    failing_allocator a;
    mo_memory memory = failing_memory(&a, fail_at);
    mo_arena arena;
    mo_samples samples;
    params p;
    mote_error error = {0};
    clear_params_of(&p, &mo_shapes, "mesh");
    set_file(&p, "file", MOTE_SCENES "/meshes/gem.obj");
    set_vec3(&p, "scale", mo_vec3_make(1, 1, 2));
    set_vec3(&p, "axis", mo_vec3_make(0, 1, 0));
    set_vec3(&p, "translate", mo_vec3_make(0, 0, 0));
    set_real(&p, "angle", 0.5);
    mo_arena_init(&arena, &memory);
    mo_samples_init(&samples, &memory);
    mote_status status = p.type->prepare(p.bytes, &arena, &error);
    for (int dimension = 2; dimension <= 3 && status == MOTE_OK; ++dimension) {
        mo_sampling how = mo_sampling_make(0.1, dimension);
        status = mo_sample_shape(method_of(&p), &how, &samples, &error);
    }
    assert_int_equal(status, has_failed(&a) ? MOTE_ERROR_MEMORY : MOTE_OK);
    assert_true(status == MOTE_OK || error.text[0]);
    bool failed = has_failed(&a);
    mo_samples_release(&samples);
    mo_arena_release(&arena);
    assert_all_given_back(&a, &memory);
    return failed;
}

static void failing_memory_loses_nothing(void **state)
{
    (void)state;
    int64_t calls = 0;
    while (try_shape(calls)) {
        ++calls;
    }
    assert_true(calls > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_obj_is_read),
        cmocka_unit_test(obj_errors_are_reported),
        cmocka_unit_test(a_ply_is_read),
        cmocka_unit_test(ply_errors_are_reported),
        cmocka_unit_test(an_stl_is_read_and_joined),
        cmocka_unit_test(stl_errors_are_reported),
        cmocka_unit_test(welding_joins_exactly),
        cmocka_unit_test(failing_memory_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
