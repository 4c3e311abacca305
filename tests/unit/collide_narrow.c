/* The narrow phase of rigid bodies: planes, containers, meshes, compounds, signed distances. */
#include "test.h"

#include "collide/narrow/narrow.h"
#include "numbers.h"
#include "shape_text.h"
#include "surfaces.h"

static const double PI = 3.14159265358979323846;

/* A body of one shape of the scene, in its own frame. */
typedef struct body {
    shape_text text;
    mo_collision_shape shape;
} body;

static void open_body(body *b, const char *text)
{
    mote_error error = {0};
    memset(b, 0, sizeof *b);
    open_shape(&b->text, text);
    if (mo_collision_shape_add(&b->shape, b->text.shape, mo_vec3_make(0, 0, 0), mo_mat3_identity(),
                               &b->text.arena, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

static mo_collider collider_of(const shape_text *text, bool inside)
{
    return (mo_collider){
        .name = "test", .shape = text->shape, .inside = inside, .pose = mo_pose_identity()};
}

static mo_pose pose_at(mo_vec3 p, mo_vec3 axis, double angle)
{
    mo_pose pose = mo_pose_identity();
    pose.p = p;
    pose.R = mo_quat_matrix(mo_quat_turn(mo_unit(axis, axis), angle));
    return pose;
}

static const mo_narrow_hints NONE = {0, NULL};

static int touch(const body *b, const mo_pose *pose, const mo_collider *collider, double margin,
                 mo_manifold *out)
{
    mo_narrow_query query = {margin, 0};
    int count = mo_narrow_collider(&b->shape, pose, collider, &query, NONE, out);
    for (int k = 0; k < count; ++k) {
        assert_true(out[k].count >= 1 && out[k].count <= 4);
        assert_near(mo_length(out[k].normal), 1, 1e-12);
        assert_true(k == 0 || out[k].hint.part >= out[k - 1].hint.part);
        for (int i = 0; i < out[k].count; ++i) {
            const mo_manifold_point *p = &out[k].point[i];
            assert_near(p->gap, mo_dot(out[k].normal, mo_sub(p->point[0], p->point[1])), 1e-12);
        }
    }
    return count;
}

/* ---- planes ---- */

static void shapes_rest_on_a_plane(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        mo_vec3 axis;
        double angle, height;
        int points;
    } cases[] = {
        {"{\"type\": \"sphere\", \"radius\": 0.5}", {1, 0, 0}, 0.7, 0.5, 1},
        {"{\"type\": \"box\", \"min\": [-1, -1, -1], \"max\": [1, 1, 1]}", {1, 0, 0}, 0, 1, 4},
        {"{\"type\": \"box\", \"min\": [-1, -1, -1], \"max\": [1, 1, 1]}",
         {1, 0, 0},
         0.785398163397448310,
         1.41421356237309505,
         2},
        {"{\"type\": \"box\", \"min\": [-1, -1, -1], \"max\": [1, 1, 1]}",
         {1, -1, 0},
         0.95531661812450928,
         1.73205080756887729,
         1},
        {"{\"type\": \"capsule\", \"start\": [0, 0, -1], \"end\": [0, 0, 1], \"radius\": 0.3}",
         {1, 0, 0},
         1.57079632679489662,
         0.3,
         2},
        {"{\"type\": \"capsule\", \"start\": [0, 0, -1], \"end\": [0, 0, 1], \"radius\": 0.3}",
         {1, 0, 0},
         0,
         1.3,
         1},
        {"{\"type\": \"cylinder\", \"start\": [0, 0, -1], \"end\": [0, 0, 1], \"radius\": 0.3}",
         {1, 0, 0},
         0,
         1,
         4},
        {"{\"type\": \"cylinder\", \"start\": [0, 0, -1], \"end\": [0, 0, 1], \"radius\": 0.3}",
         {1, 0, 0},
         1.57079632679489662,
         0.3,
         2},
        /* on its rim: cos 0.5 + 0.3 sin 0.5 */
        {"{\"type\": \"cylinder\", \"start\": [0, 0, -1], \"end\": [0, 0, 1], \"radius\": 0.3}",
         {0.6, 0.8, 0},
         0.5,
         0.87758256189037272 + 0.3 * 0.47942553860420300,
         1},
        /* a cone on its apex, on its base, and along its side: the apex is 1 above the middle of a
           line of length sqrt 5, so the centre is at (1/2 * 2 + ...)  */
        {"{\"type\": \"cone\", \"start\": [0, 0, 1], \"end\": [0, 0, -1], \"radius\": 1}",
         {1, 0, 0},
         0,
         1,
         1},
        {"{\"type\": \"cone\", \"start\": [0, 0, -1], \"end\": [0, 0, 1], \"radius\": 1}",
         {1, 0, 0},
         0,
         1,
         4},
        {"{\"type\": \"cone\", \"start\": [0, 0, -1], \"end\": [0, 0, 1], \"radius\": 1}",
         {1, 0, 0},
         1.57079632679489662 + 0.46364760900080609,
         0.44721359549995794,
         2},
    };
    shape_text ground;
    open_shape(&ground, "{\"type\": \"plane\", \"point\": [0, 0, 2], \"normal\": [0, 0, 3]}");
    mo_collider plane = collider_of(&ground, false);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        body b;
        mo_manifold m[MO_NARROW_MOST];
        open_body(&b, cases[k].shape);
        mo_pose pose =
            pose_at(mo_vec3_make(5, 6, 2 + cases[k].height - 0.001), cases[k].axis, cases[k].angle);
        assert_int_equal(touch(&b, &pose, &plane, 0.002, m), 1);
        if (m[0].count != cases[k].points) {
            fail_msg("case %d: %d points, not %d", (int)k, m[0].count, cases[k].points);
        }
        assert_near_vec3(m[0].normal, mo_vec3_make(0, 0, 1), 1e-15);
        assert_near(mo_manifold_gap(&m[0]), -0.001, 1e-9);
        pose.p.z += 0.01;
        assert_int_equal(touch(&b, &pose, &plane, 0.002, m), 0);
        close_shape(&b.text);
    }
    close_shape(&ground);
}

static void a_box_in_the_corner_of_a_container_touches_three_sides(void **state)
{
    (void)state;
    shape_text tank;
    body b;
    mo_manifold m[MO_NARROW_MOST];
    open_shape(&tank, "{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [10, 10, 10]}");
    open_body(&b, "{\"type\": \"box\", \"min\": [-1, -1, -1], \"max\": [1, 1, 1]}");
    mo_collider container = collider_of(&tank, true);
    mo_pose pose = pose_at(mo_vec3_make(0.999, 1.001, 9.0), mo_vec3_make(0, 0, 1), 0);
    assert_int_equal(touch(&b, &pose, &container, 0.01, m), 3);
    assert_near_vec3(m[0].normal, mo_vec3_make(1, 0, 0), 1e-15);
    assert_near_vec3(m[1].normal, mo_vec3_make(0, 1, 0), 1e-15);
    assert_near_vec3(m[2].normal, mo_vec3_make(0, 0, -1), 1e-15);
    assert_near(mo_manifold_gap(&m[0]), -0.001, 1e-12);
    assert_near(mo_manifold_gap(&m[1]), 0.001, 1e-12);
    assert_near(mo_manifold_gap(&m[2]), 0, 1e-12);
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(m[k].count, 4);
    }
    close_shape(&b.text);
    close_shape(&tank);
}

/* ---- meshes ---- */

/* A slab with n x n squares on top. */
static void make_slab(mo_trimesh *mesh, mo_memory *memory, int n, double size)
{
    int side = n + 1, top = 2 * n * n;
    int64_t vertices = 2 * (int64_t)side * side, t = 0;
    mo_trimesh_init(mesh, memory);
    assert_int_equal(mo_trimesh_reserve(mesh, vertices, 2 * top + 8 * n, NULL), MOTE_OK);
    for (int64_t v = 0; v < vertices; ++v) {
        int64_t k = v % ((int64_t)side * side);
        mo_vec3_store(mesh->x + 3 * v, mo_vec3_make(size * ((double)(k % side) / n - 0.5),
                                                    size * ((double)(k / side) / n - 0.5),
                                                    v < vertices / 2 ? 0 : -0.5));
    }
    int32_t under = side * side;
    for (int32_t k = 0; k < n * n; ++k) {
        int32_t a = k / n * side + k % n, b = a + 1, c = a + side, d = c + 1;
        int32_t quad[12] = {a,         b,         d,         a,         d,         c,
                            under + a, under + d, under + b, under + a, under + c, under + d};
        memcpy(mesh->corner + 3 * t, quad, sizeof quad);
        t += 4;
    }
    for (int32_t k = 0; k < n; ++k) {
        int32_t edge[4][2] = {{k + 1, k},
                              {k * side, (k + 1) * side},
                              {n * side + k, n * side + k + 1},
                              {(k + 1) * side + n, k * side + n}};
        for (int e = 0; e < 4; ++e) {
            int32_t a = edge[e][0], b = edge[e][1];
            int32_t quad[6] = {a, b, under + b, a, under + b, under + a};
            memcpy(mesh->corner + 3 * t, quad, sizeof quad);
            t += 2;
        }
    }
    mesh->triangles = t;
}

typedef struct mesh_body {
    mo_memory memory;
    mo_arena arena;
    mo_trimesh mesh;
    mo_collision_shape shape;
} mesh_body;

static void open_mesh_body(mesh_body *b)
{
    mote_error error = {0};
    mo_arena_init(&b->arena, &b->memory);
    if (mo_collision_shape_add_mesh(&b->shape, &b->mesh, "mesh", mo_vec3_make(0, 0, 0),
                                    mo_mat3_identity(), &b->arena, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

static void close_mesh_body(mesh_body *b)
{
    mo_trimesh_release(&b->mesh);
    mo_arena_release(&b->arena);
    assert_int_equal(b->memory.bytes, 0);
}

/* A concave floor: the slab, with a ridge far away, so that it is no hull. */
static void open_floor(mesh_body *b)
{
    memset(b, 0, sizeof *b);
    mo_memory_init(&b->memory, NULL);
    make_slab(&b->mesh, &b->memory, 10, 10);
    b->mesh.x[2] = 1; /* a corner is lifted */
    open_mesh_body(b);
    assert_int_equal(b->shape.meshes, 1);
    assert_int_equal(b->shape.parts, 0);
}

static void nothing_catches_on_internal_edges(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        double height;
        int points;
    } cases[] = {
        {"{\"type\": \"sphere\", \"radius\": 0.5}", 0.5, 1},
        {"{\"type\": \"box\", \"min\": [-0.7, -0.6, -0.5], \"max\": [0.7, 0.6, 0.5]}", 0.5, 4},
        {"{\"type\": \"cylinder\", \"start\": [0, 0, -0.5], \"end\": [0, 0, 0.5], \"radius\": 0.4}",
         0.5, 4},
        {"{\"type\": \"capsule\", \"start\": [-0.5, 0, 0], \"end\": [0.5, 0, 0], \"radius\": 0.5}",
         0.5, 2},
    };
    mesh_body ground;
    open_floor(&ground);
    mo_pose still = mo_pose_identity();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        body b;
        open_body(&b, cases[c].shape);
        for (int k = 0; k < 300; ++k) {
            mo_manifold m[MO_NARROW_MOST];
            mo_narrow_query query = {0.01, 0};
            /* depths from 4 mm of penetration to a gap of 4 mm */
            mo_pose pose = pose_at(
                mo_vec3_make(-1 + 0.0137 * k, 0.3 + 0.0071 * k, cases[c].height + 0.004 * sin(k)),
                mo_vec3_make(0, 0, 1), 0.01 * k);
            int count = mo_narrow_bodies(&b.shape, &pose, &ground.shape, &still, &query, NONE, m);
            assert_int_equal(count, 1);
            assert_near_vec3(m[0].normal, mo_vec3_make(0, 0, 1), 1e-12);
            if (m[0].count != cases[c].points) {
                fail_msg("case %d, step %d: %d points", (int)c, k, m[0].count);
            }
            assert_near(mo_manifold_gap(&m[0]), 0.004 * sin(k), 1e-9);
        }
        close_shape(&b.text);
    }
    close_mesh_body(&ground);
}

/* A box as a mesh, and as a box: what touches it cannot tell. */
static void a_mesh_is_its_box(void **state)
{
    (void)state;
    mesh_body mesh = {0};
    body box, ball, block;
    uint64_t random = 77;
    int touched = 0;
    mo_memory_init(&mesh.memory, NULL);
    make_box_surface(&mesh.mesh, &mesh.memory, mo_vec3_make(-1, -1.5, -0.5),
                     mo_vec3_make(1, 1.5, 0.5));
    open_mesh_body(&mesh);
    assert_int_equal(mesh.shape.meshes, 0); /* it is convex: a hull */
    shape_text as_mesh;
    open_shape(&as_mesh, "{\"type\": \"intersection\", \"shapes\": [{\"type\": \"box\", \"min\": "
                         "[-1, -1.5, -0.5], \"max\": [1, 1.5, 0.5]}]}");
    open_body(&box, "{\"type\": \"box\", \"min\": [-1, -1.5, -0.5], \"max\": [1, 1.5, 0.5]}");
    open_body(&ball, "{\"type\": \"sphere\", \"radius\": 0.3}");
    open_body(&block, "{\"type\": \"box\", \"min\": [-0.3, -0.3, -0.2], \"max\": [0.3, 0.3, 0.2]}");
    mo_pose still = mo_pose_identity();
    mo_collider field = collider_of(&as_mesh, false);
    for (int k = 0; k < 3000; ++k) {
        mo_manifold m[MO_NARROW_MOST], n[MO_NARROW_MOST], f[MO_NARROW_MOST];
        mo_narrow_query query = {0.05, 0};
        mo_pose pose = pose_at(random_vec3(&random, 2), random_unit_vec3(&random),
                               random_between(&random, 0, 6));
        const body *b = k % 2 ? &ball : &block;
        int first = mo_narrow_bodies(&b->shape, &pose, &box.shape, &still, &query, NONE, m);
        int second = mo_narrow_bodies(&b->shape, &pose, &mesh.shape, &still, &query, NONE, n);
        int third = mo_narrow_collider(&b->shape, &pose, &field, &query, NONE, f);
        assert_int_equal(first, second);
        if (first > 0 && mo_manifold_gap(&m[0]) > -0.1) {
            ++touched;
            assert_near(mo_manifold_gap(&m[0]), mo_manifold_gap(&n[0]), 2e-3);
            assert_true(third > 0);
        }
    }
    assert_true(touched > 100);
    close_shape(&box.text);
    close_shape(&ball.text);
    close_shape(&block.text);
    close_shape(&as_mesh);
    close_mesh_body(&mesh);
}

static const mo_manifold *deepest(const mo_manifold *m, int count)
{
    const mo_manifold *best = m;
    for (int k = 1; k < count; ++k) {
        best = mo_manifold_gap(&m[k]) < mo_manifold_gap(best) ? &m[k] : best;
    }
    return best;
}

/* Balls around a ring: exact by the ring's distance, and not in its hole. */
static void a_ring_has_a_hole(void **state)
{
    (void)state;
    body ring, ball;
    mo_manifold m[MO_NARROW_MOST];
    mo_narrow_query query = {0.02, 0};
    open_body(&ring, "{\"type\": \"torus\", \"radius\": 1, \"tube\": 0.25}");
    open_body(&ball, "{\"type\": \"sphere\", \"radius\": 0.3}");
    assert_int_equal(ring.shape.meshes, 1);
    mo_pose still = mo_pose_identity(),
            through = pose_at(mo_vec3_make(0, 0, 0.1), mo_vec3_make(0, 0, 1), 0);
    assert_int_equal(mo_narrow_bodies(&ball.shape, &through, &ring.shape, &still, &query, NONE, m),
                     0);
    for (int k = 0; k < 40; ++k) {
        double turn = 2 * PI * k / 40, up = 0.3 * k;
        mo_vec3 out = mo_vec3_make(cos(turn), sin(turn), 0);
        mo_vec3 n = mo_add_scaled(mo_scale(cos(up), out), sin(up), mo_vec3_make(0, 0, 1));
        mo_pose at = pose_at(mo_add_scaled(out, 0.55, n), mo_vec3_make(0, 0, 1), 0);
        int count = mo_narrow_bodies(&ball.shape, &at, &ring.shape, &still, &query, NONE, m);
        assert_true(count >= 1);
        assert_near(mo_manifold_gap(deepest(m, count)), 0, 0.02); /* facets */
        assert_true(mo_dot(deepest(m, count)->normal, n) > 0.97);
        /* the ring as the first body */
        count = mo_narrow_bodies(&ring.shape, &still, &ball.shape, &at, &query, NONE, m);
        assert_true(count >= 1 && mo_dot(deepest(m, count)->normal, n) < -0.97);
    }
    /* two rings, one in the hole of the other, as links of a chain */
    mo_pose link = pose_at(mo_vec3_make(1, 0, 0), mo_vec3_make(1, 0, 0), 0.5 * PI);
    assert_int_equal(mo_narrow_bodies(&ring.shape, &link, &ring.shape, &still, &query, NONE, m), 0);
    link.p.x = 0.49;
    int count = mo_narrow_bodies(&ring.shape, &link, &ring.shape, &still, &query, NONE, m);
    assert_true(count >= 1);
    close_shape(&ring.text);
    close_shape(&ball.text);
}

/* ---- signed distances ---- */

static void shapes_lie_in_curved_containers_and_on_rings(void **state)
{
    (void)state;
    shape_text bowl, ring;
    body box, ball;
    mo_manifold m[MO_NARROW_MOST];
    open_shape(&bowl, "{\"type\": \"sphere\", \"radius\": 2}");
    open_shape(&ring, "{\"type\": \"torus\", \"radius\": 1, \"tube\": 0.25}");
    open_body(&box, "{\"type\": \"box\", \"min\": [-0.5, -0.5, -0.1], \"max\": [0.5, 0.5, 0.1]}");
    open_body(&ball, "{\"type\": \"sphere\", \"radius\": 0.5}");
    mo_collider inside = collider_of(&bowl, true), on = collider_of(&ring, false);
    /* four corners at a distance of 2 from the middle: normals differ, one manifold each */
    mo_pose pose = pose_at(mo_vec3_make(0, 0, 0.1 - sqrt(3.5)), mo_vec3_make(0, 0, 1), 0.3);
    int count = touch(&box, &pose, &inside, 1e-3, m);
    assert_int_equal(count, 4);
    for (int k = 0; k < count; ++k) {
        assert_int_equal(m[k].count, 1);
        assert_near(m[k].point[0].gap, 0, 1e-12);
        assert_near(m[k].normal.z, sqrt(3.5) / 2, 1e-12);
    }
    pose = pose_at(mo_vec3_make(0.9, 1.2, 0.01), mo_vec3_make(0, 0, 1), 0.3);
    assert_int_equal(touch(&ball, &pose, &inside, 0.01, m), 1);
    assert_near(m[0].point[0].gap, 2 - 0.5 - sqrt(0.81 + 1.44 + 1e-4), 1e-12);
    /* a plate on the ring: its lowest points are on the circle of radius 1 */
    pose = pose_at(mo_vec3_make(1, 0.1, 0.35), mo_vec3_make(0, 0, 1), 0.3);
    count = touch(&box, &pose, &on, 1e-3, m);
    assert_true(count >= 1);
    assert_near(mo_manifold_gap(&m[0]), 0, 1e-4);
    assert_true(m[0].normal.z > 0.999);
    close_shape(&bowl);
    close_shape(&ring);
    close_shape(&box.text);
    close_shape(&ball.text);
}

/* ---- compounds ---- */

static void parts_of_a_compound_have_numbers(void **state)
{
    (void)state;
    body table;
    shape_text ground;
    mo_manifold m[MO_NARROW_MOST];
    open_body(&table, "{\"type\": \"union\", \"shapes\": ["
                      "{\"type\": \"box\", \"min\": [-1, -1, 0], \"max\": [1, 1, 0.2]},"
                      "{\"type\": \"box\", \"min\": [-1, -1, -1], \"max\": [-0.8, 1, 0]},"
                      "{\"type\": \"box\", \"min\": [0.8, -1, -1], \"max\": [1, 1, 0]}]}");
    open_shape(&ground, "{\"type\": \"plane\"}");
    mo_collider plane = collider_of(&ground, false);
    assert_int_equal(table.shape.parts, 3);
    mo_pose pose = pose_at(mo_vec3_make(0, 0, 1), mo_vec3_make(0, 0, 1), 0);
    assert_int_equal(touch(&table, &pose, &plane, 1e-3, m), 2);
    assert_true(m[0].hint.part != m[1].hint.part);
    /* one table on the other: four legs' worth of pairs, each with its own number */
    mo_pose above = pose_at(mo_vec3_make(0, 0, 1.2), mo_vec3_make(0, 0, 1), 0.5 * PI);
    mo_narrow_query query = {1e-3, 0};
    int count = mo_narrow_bodies(&table.shape, &above, &table.shape,
                                 &(mo_pose){.R = mo_mat3_identity()}, &query, NONE, m);
    assert_int_equal(count, 2);
    assert_int_equal(m[0].count, 4);
    assert_near_vec3(m[0].normal, mo_vec3_make(0, 0, 1), 1e-12);
    close_shape(&ground);
    close_shape(&table.text);
}

/* ---- fast bodies ---- */

/* The least distance over a step, by many small ones. */
static double swept_distance(const body *a, const mo_pose *pose_a, const body *b,
                             const mo_pose *pose_b, double h, int steps)
{
    double least = (double)INFINITY;
    for (int k = 0; k <= steps; ++k) {
        mo_pose p = mo_pose_after(pose_a, h * k / steps), q = mo_pose_after(pose_b, h * k / steps);
        mo_posed first = mo_convex_at(&a->shape.part[0], &p),
                 second = mo_convex_at(&b->shape.part[0], &q);
        least = fmin(least, mo_convex_distance(&first, &second).distance);
    }
    return least;
}

static void nothing_passes_at_50_metres_per_second(void **state)
{
    (void)state;
    static const char *const SHAPES[] = {
        "{\"type\": \"sphere\", \"radius\": 0.02}",
        "{\"type\": \"box\", \"min\": [-0.2, -0.2, -0.001], \"max\": [0.2, 0.2, 0.001]}",
        "{\"type\": \"box\", \"min\": [-0.02, -0.03, -0.1], \"max\": [0.02, 0.03, 0.1]}",
        "{\"type\": \"capsule\", \"start\": [0, 0, -0.1], \"end\": [0, 0, 0.1], \"radius\": 0.01}",
        "{\"type\": \"cylinder\", \"start\": [0, 0, -0.01], \"end\": [0, 0, 0.01], \"radius\": "
        "0.1}",
        "{\"type\": \"cone\", \"start\": [0, 0, -0.1], \"end\": [0, 0, 0.1], \"radius\": 0.05}"};
    enum { KINDS = sizeof SHAPES / sizeof *SHAPES };
    const double h = 1 / 60.0, margin = 0.002;
    body b[KINDS];
    uint64_t random = 50;
    int hits = 0, misses = 0;
    for (int k = 0; k < KINDS; ++k) {
        open_body(&b[k], SHAPES[k]);
    }
    for (int k = 0; k < 1500; ++k) {
        const body *first = &b[k % KINDS], *second = &b[k / KINDS % KINDS];
        mo_manifold m[MO_NARROW_MOST];
        mo_narrow_query query = {margin, h};
        /* towards each other, past each other, with spins of up to 20 rad/s */
        mo_vec3 from = mo_scale(random_between(&random, 0.3, 0.8), random_unit_vec3(&random));
        mo_pose p = pose_at(from, random_unit_vec3(&random), 3),
                q = pose_at(mo_vec3_make(0, 0, 0), random_unit_vec3(&random), 2);
        mo_vec3 aim = mo_sub(random_vec3(&random, 0.15), from);
        p.v = mo_scale(40 / mo_length(aim), aim);
        q.v = mo_scale(-10 / mo_length(aim), aim);
        p.w = random_vec3(&random, 20);
        q.w = random_vec3(&random, 20);
        double least = swept_distance(first, &p, second, &q, h, 300);
        int count = mo_narrow_bodies(&first->shape, &p, &second->shape, &q, &query, NONE, m);
        if (least < -1e-4) {
            ++hits;
            assert_int_equal(count, 1);
            assert_true(m[0].count > 0);
            /* a contact that acts: its points come together within the step */
            const mo_manifold_point *x = &m[0].point[0];
            mo_vec3 speed =
                mo_sub(mo_pose_velocity(&p, x->point[0]), mo_pose_velocity(&q, x->point[1]));
            assert_true(x->gap + h * mo_dot(speed, m[0].normal) < 0.05);
        } else if (least > 3 * margin) {
            ++misses;
            assert_int_equal(count, 0);
        }
    }
    assert_true(hits > 300 && misses > 300);
    for (int k = 0; k < KINDS; ++k) {
        close_shape(&b[k].text);
    }
}

/* A ball shot at a thin wall of triangles, a plane, a container and a ring. */
static void nothing_passes_colliders_either(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        bool inside;
        mo_vec3 from, v;
    } cases[] = {
        {"{\"type\": \"plane\"}", false, {0, 0, 0.5}, {10, 0, -49}},
        {"{\"type\": \"box\", \"min\": [-1, -1, -0.001], \"max\": [1, 1, 0.001]}",
         false,
         {0, 0, 0.4},
         {3, 4, -49}},
        {"{\"type\": \"box\", \"min\": [-1, -1, -1], \"max\": [1, 1, 1]}",
         true,
         {0, 0.5, 0.5},
         {0, 30, 40}},
        {"{\"type\": \"sphere\", \"radius\": 1}", true, {0, 0.4, 0.4}, {0, 30, 40}},
        {"{\"type\": \"torus\", \"radius\": 1, \"tube\": 0.01}", false, {1, 0, 0.4}, {0, 0, -50}},
        {"{\"type\": \"difference\", \"shape\": {\"type\": \"box\", \"min\": [-1, -1, -0.01], "
         "\"max\": [1, 1, 0]}, \"subtract\": [{\"type\": \"sphere\", \"center\": [0, 0, 0], "
         "\"radius\": 0.3}]}",
         false,
         {0.5, 0, 0.4},
         {0, 0, -50}},
    };
    body ball, block;
    open_body(&ball, "{\"type\": \"sphere\", \"radius\": 0.02}");
    open_body(&block, "{\"type\": \"box\", \"min\": [-0.02, -0.03, -0.01], \"max\": [0.02, 0.03, "
                      "0.01]}");
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; ++k) {
        shape_text text;
        mo_manifold m[MO_NARROW_MOST];
        mo_narrow_query query = {0.002, 1 / 60.0};
        const body *b = k % 2 ? &ball : &block;
        open_shape(&text, cases[k / 2].shape);
        mo_collider collider = collider_of(&text, cases[k / 2].inside);
        mo_pose pose = pose_at(cases[k / 2].from, mo_vec3_make(1, 1, 0), 0.3);
        pose.v = cases[k / 2].v;
        int count = mo_narrow_collider(&b->shape, &pose, &collider, &query, NONE, m);
        if (count == 0) {
            fail_msg("it passes collider %d", (int)(k / 2));
        }
        bool stopped = false;
        for (int i = 0; i < count; ++i) {
            double closing = -mo_dot(pose.v, m[i].normal) * query.h;
            stopped |= closing > mo_manifold_gap(&m[i]);
        }
        assert_true(stopped);
        /* in the hole of the plate, and through the ring, it flies on */
        if (k / 2 >= 4) {
            pose.p.x = pose.p.y = 0;
            assert_int_equal(mo_narrow_collider(&b->shape, &pose, &collider, &query, NONE, m), 0);
        }
        close_shape(&text);
    }
    close_shape(&ball.text);
    close_shape(&block.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_rest_on_a_plane),
        cmocka_unit_test(a_box_in_the_corner_of_a_container_touches_three_sides),
        cmocka_unit_test(nothing_catches_on_internal_edges),
        cmocka_unit_test(a_mesh_is_its_box),
        cmocka_unit_test(a_ring_has_a_hole),
        cmocka_unit_test(shapes_lie_in_curved_containers_and_on_rings),
        cmocka_unit_test(parts_of_a_compound_have_numbers),
        cmocka_unit_test(nothing_passes_at_50_metres_per_second),
        cmocka_unit_test(nothing_passes_colliders_either),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
