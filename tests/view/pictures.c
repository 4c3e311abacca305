/*
 * From scenes to pictures, without OpenGL: fields, radii, visible parts of bodies, moving
 * colliders, frames.
 */
#include "test.h"

#include "geometry/motion/motion.h"
#include "geometry/shape/shape.h"
#include "scene/scene.h"
#include "view/opened.h"
#include "view/picture/pick.h"

#include <math.h>
#include <string.h>

static void fields_are_found(void **state)
{
    (void)state;
    mote_scene *scene;
    mo_studio s;
    open_text("{" TIME
              ", \"bodies\": [{\"velocity\": [3, -4, 0], \"radius\": 0.5, \"mesh\": {\"type\": "
              "\"points\", \"positions\": [[1, 2, 3]]}}]}",
              &s, &scene);
    const mo_moment *moment = mo_show_moment(s.show);
    const mo_part *part = &moment->parts[0];
    mo_field field;
    mote_error error = {0};
    assert_int_equal(mo_field_find(moment, "v", &field, &error), MOTE_OK);
    assert_string_equal(field.label, "speed");
    assert_string_equal(field.unit, "m/s");
    assert_true(mo_column_number(mo_part_find(part, field.name), 0, field.component) == 5);
    assert_int_equal(mo_field_find(moment, "v.y", &field, &error), MOTE_OK);
    assert_string_equal(field.label, "v.y");
    assert_true(mo_column_number(mo_part_find(part, field.name), 0, field.component) == -4);
    assert_int_equal(mo_field_find(moment, "x.2", &field, &error), MOTE_OK);
    assert_true(mo_column_number(mo_part_find(part, field.name), 0, field.component) == 3);
    assert_int_equal(mo_field_find(moment, "mass", &field, &error), MOTE_OK);
    assert_string_equal(field.label, "mass");
    assert_int_equal(mo_field_find(moment, "v.w", &field, &error), MOTE_ERROR_INPUT);
    assert_int_equal(mo_field_find(moment, "radios", &field, &error), MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, "did you mean 'radius'"));
    assert_true(isnan(mo_column_number(NULL, 0, 0)));
    int count = 0;
    while (mo_field_number(moment, count, &field)) {
        ++count;
    }
    assert_in_range(count, 5, 40);
    close_all(&s, scene);
}

/* A cloth, a rope, a block and a point: visibility of particles, lines and triangles. */
static void bodies_are_drawn_once(void **state)
{
    (void)state;
    mote_scene *scene;
    mo_studio s;
    open_text(
        "{" TIME
        ", \"bodies\": [{\"mesh\": {\"type\": \"cloth\", \"columns\": 3, \"rows\": 3}, \"model\": {\"type\": "
        "\"spring\", \"k\": 1}}, {\"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 5], \"end\": [1, 0, 5], "
        "\"segments\": "
        "4}, \"model\": {\"type\": \"spring\", \"k\": 1}}, {\"mesh\": {\"type\": \"block\", \"min\": [0, 0, "
        "8], \"max\": "
        "[1, 1, 9], \"nx\": 4, \"ny\": 4, \"nz\": 4}, \"model\": {\"type\": \"spring\", \"k\": 1}}, "
        "{\"radius\": 0.7, "
        "\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 20]]}}]}",
        &s, &scene);
    const mo_picture *p = &s.maker.picture;
    assert_int_equal(p->count, 9 + 5 + 64 + 1);
    for (int64_t k = 0; k < p->count; ++k) {
        bool rope = k >= 9 && k < 14, point = k == p->count - 1;
        assert_true((p->radius[k] > 0) == (rope || point));
        /* several bodies have different colours, in their order */
        assert_int_equal(p->paint[k], k < 9 ? 1 : k < 14 ? 2 : k < 78 ? 3 : 4);
    }
    assert_true(p->radius[p->count - 1] == 0.7);
    assert_true(fabs(p->radius[10] - 0.125) < 1e-12); /* half the distance of its neighbours */
    assert_int_equal(p->spring_count, 4);
    for (int64_t k = 0; k < 2 * p->spring_count; ++k) {
        assert_in_range(p->springs[k], 9, 13);
    }
    assert_int_equal(p->triangle_count, 8 + 6 * 3 * 3 * 2);
    s.wish.hide_covered = false;
    s.wish.springs = true;
    s.wish.mesh = false;
    s.wish.field = "none";
    assert_int_equal(mo_studio_picture(&s, NULL), MOTE_OK);
    assert_true(p->radius[0] > 0);
    assert_null(p->values);
    assert_int_equal(p->triangle_count, 0);
    assert_true(p->spring_count > 4 + 12);
    close_all(&s, scene);
}

/* Nothing connects the particles of a body without a model: its mesh is not drawn, unless it is
 * prescribed by pins. */
static void free_particles_have_no_mesh(void **state)
{
    (void)state;
    static const char *const PINS[] = {"", ", \"pins\": [{\"region\": {\"type\": "
                                           "\"sphere\", \"radius\": 9}}]"};
    for (int k = 0; k < 2; ++k) {
        mote_scene *scene;
        mo_studio s;
        char text[400];
        snprintf(text, sizeof text,
                 "{" TIME ", \"bodies\": [{\"mesh\": {\"type\": \"block\", \"nx\": 3, \"ny\": 3, "
                 "\"nz\": 3}, \"mass\": 1%s}]}",
                 PINS[k]);
        open_text(text, &s, &scene);
        const mo_picture *p = &s.maker.picture;
        assert_int_equal(p->triangle_count, k == 0 ? 0 : 6 * 2 * 2 * 2);
        assert_int_equal(p->spring_count, 0);
        assert_true((p->radius[0] > 0) == (k == 0));
        s.wish.free_mesh = true; /* a mesh style was chosen */
        assert_int_equal(mo_studio_picture(&s, NULL), MOTE_OK);
        assert_int_equal(p->triangle_count, 6 * 2 * 2 * 2);
        close_all(&s, scene);
    }
}

/* The arm of a hinge to its point in the world, and a rope between the points of two bodies. */
static void joints_are_lines(void **state)
{
    (void)state;
    mote_scene *scene;
    mo_studio s;
    open_text("{" TIME
              ", \"bodies\": [{\"name\": \"a\", \"model\": \"rigid\", \"shape\": {\"type\": "
              "\"sphere\", \"center\": [1, 0, 0], \"radius\": 0.1}}, {\"name\": \"b\", \"model\": "
              "\"rigid\", \"shape\": {\"type\": \"sphere\", \"center\": [2, 0, 0], \"radius\": "
              "0.1}}], \"joints\": [{\"type\": \"hinge\", \"bodies\": [\"a\"], \"point\": [0, 0, "
              "0]}, {\"type\": \"distance\", \"bodies\": [\"a\", \"b\"], \"point\": [1.1, 0, 0], "
              "\"other\": [1.9, 0, 0]}]}",
              &s, &scene);
    static const double EXPECTED[2][2] = {{1, 0}, {1.1, 1.9}};
    const mo_picture *p = &s.maker.picture;
    assert_int_equal(p->spring_count, 2);
    for (int line = 0; line < 2; ++line) {
        for (int end = 0; end < 2; ++end) {
            int32_t row = p->springs[2 * line + end];
            assert_true(row >= p->count - p->riders);
            assert_true(fabs(p->x[3 * row] - EXPECTED[line][end]) < 1e-12);
        }
    }
    s.wish.joints = false;
    assert_int_equal(mo_studio_picture(&s, NULL), MOTE_OK);
    assert_int_equal(p->spring_count, 0);
    close_all(&s, scene);
}

/* Single particles are wrapped into the periodic box; a rope is not. */
static void periodic_worlds_are_boxes(void **state)
{
    (void)state;
    mote_scene *scene;
    mo_studio s;
    open_text(
        "{" TIME
        ", \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 2, 3], \"periodic\": \"xyz\"}, \"bodies\": "
        "[{\"mesh\": {\"type\": \"points\", \"positions\": [[1.25, -0.5, 7], [0.5, 0.5, 0.5]]}}, {\"mesh\": "
        "{\"type\": \"rope\", \"start\": [0.5, 0, 0], \"end\": [1.5, 0, 0], \"segments\": 2}, \"model\": "
        "{\"type\": "
        "\"spring\", \"k\": 1}}]}",
        &s, &scene);
    static const double POINTS[] = {0.25, 1.5, 1, 0.5, 0.5, 0.5, 0.5, 0, 0, 1, 0, 0, 1.5, 0, 0};
    const mo_picture *p = &s.maker.picture;
    assert_int_equal(p->count, 5);
    assert_memory_equal(p->x, POINTS, sizeof POINTS);
    assert_int_equal(p->solid_count, 1);
    assert_true(p->solids[0].inside && p->solids[0].half.y == 1 && p->solids[0].center.z == 1.5);
    close_all(&s, scene);
}

static void neighbors_are_pairs(void **state)
{
    (void)state;
    mote_scene *scene;
    mo_studio s;
    open_text(
        "{" TIME
        ", \"view\": {\"neighbors\": true, \"neighbor_radius\": 1.1}, \"bodies\": [{\"mesh\": "
        "{\"type\": \"points\", \"positions\": [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [9, 9, "
        "9]]}}]}",
        &s, &scene);
    static const int32_t PAIRS[] = {0, 1, 1, 2, 2, 3};
    assert_int_equal(s.maker.picture.neighbor_count, 3);
    assert_memory_equal(s.maker.picture.neighbors, PAIRS, sizeof PAIRS);
    close_all(&s, scene);
}

/* A point of the drawn solid is on the collider's surface. */
static void check_solid(const mo_solid *solid, const mo_collider_def *c, double time)
{
    static const double POINTS[][3] = {{1, 0, 0},      {0, -1, 0},     {0, 0, 1},
                                       {-1, 0.3, 0.4}, {0.2, 1, -0.7}, {0.1, 0.2, -1}};
    mo_pose pose = mo_motion_pose(c->motion, time);
    for (int k = 0; k < 6; ++k) {
        mo_vec3 at = mo_vec3_load(POINTS[k]);
        if (solid->kind == MO_SOLID_SPHERE) {
            at = mo_scale(solid->half.x, mo_unit(at, at));
        } else if (solid->kind == MO_SOLID_BOX) {
            at = mo_multiply(at, solid->half);
        } else {
            at.z = 0;
        }
        at = mo_add(solid->center, mo_quat_rotate(solid->turn, at));
        double local[3], distance;
        mo_vec3_store(local, mo_pose_undo(&pose, at));
        mo_shape_distances(c->shape, 1, local, &distance, NULL);
        if (fabs(distance) > 1e-9) {
            fail_msg("%s at t = %g: a point of the picture is %g off", c->shape.type->name, time,
                     distance);
        }
    }
}

static void colliders_are_where_they_are(void **state)
{
    (void)state;
    mote_scene *scene;
    mo_studio s;
    open_text(
        "{" TIME ", \"colliders\": ["
        "{\"shape\": {\"type\": \"sphere\", \"center\": [1, 2, 3], \"radius\": 0.5}},"
        "{\"shape\": {\"type\": \"box\", \"min\": [1, 2, 3], \"max\": [2, 4, 7]}, \"inside\": true,"
        " \"motion\": {\"type\": \"rotate\", \"axis\": [1, 2, -1], \"center\": [1, 0, 0], \"speed\": 2}},"
        "{\"shape\": {\"type\": \"plane\", \"point\": [0, 1, 2], \"normal\": [1, -2, 0.5]},"
        " \"motion\": {\"type\": \"translate\", \"velocity\": [0, 3, 1]}},"
        "{\"shape\": {\"type\": \"plane\", \"normal\": [0, 0, -1]},"
        " \"motion\": {\"type\": \"rotate\", \"axis\": [0, 1, 0], \"speed\": 3}}]}",
        &s, &scene);
    const mo_world_def *def = &mo_show_def(s.show)->world;
    const mo_collider_def *colliders = def->colliders.items;
    mo_moment moment = {0};
    for (int k = 0; k < 7; ++k) {
        moment.time = 0.4 * k;
        assert_int_equal(mo_picture_make(&s.maker, &moment, def, &s.wish, NULL), MOTE_OK);
        assert_int_equal(s.maker.picture.solid_count, 4);
        for (int c = 0; c < 4; ++c) {
            check_solid(&s.maker.picture.solids[c], &colliders[c], moment.time);
        }
        assert_true(s.maker.picture.solids[1].inside);
    }
    close_all(&s, scene);
}

/* The drawn ground is below colliders as well as particles. */
static void ground_is_below_colliders(void **state)
{
    (void)state;
    mote_scene *scene;
    mo_studio s;
    open_text("{" TIME ", \"view\": {\"ground\": true}, \"bodies\": [{\"radius\": 0.1, \"mesh\": "
              "{\"type\": \"points\", \"positions\": [[0, 0, 1]]}}], \"colliders\": [{\"shape\": "
              "{\"type\": \"box\", \"min\": [-1, -1, -0.5], \"max\": [1, 1, 0]}}]}",
              &s, &scene);
    const mo_picture *picture = &s.maker.picture;
    const mo_solid *ground = &picture->solids[picture->solid_count - 1];
    assert_int_equal(ground->kind, MO_SOLID_PLANE);
    assert_true(fabs(ground->center.z + 0.5) < 1e-12);
    close_all(&s, scene);
}

/* No vertex of a reconstructed surface is outside of its container. */
static void surfaces_end_at_colliders(void **state)
{
    (void)state;
    mote_scene *scene;
    mo_studio s;
    open_text("{" TIME ", \"view\": {\"surface\": \"anisotropic\"}, \"fluid\": {\"spacing\": 0.05, "
              "\"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.5, "
              "0.5, 0.3]}]}]}, \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", "
              "\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.5]}}]}",
              &s, &scene);
    const mo_surface_view *surface = &s.maker.picture.surface;
    assert_true(surface->vertex_count > 100);
    double low = INFINITY;
    for (int64_t k = 0; k < 3 * surface->vertex_count; ++k) {
        double x = (double)surface->vertices[k] + mo_vec3_at(surface->origin, (int)(k % 3));
        low = fmin(low, x);
        assert_true(x > 0 && x < 0.5);
    }
    assert_true(low < 0.005); /* it wets the floor */
    close_all(&s, scene);
}

/* Every corner of the extent is in the picture, for any up axis. */
static void cameras_see_everything(void **state)
{
    (void)state;
    static const char *const VIEWS[] = {"{}",
                                        "{\"camera\": {\"azimuth\": 140, \"elevation\": -30}}",
                                        "{\"camera\": {\"projection\": \"orthographic\"}}",
                                        "{\"camera\": {\"elevation\": 89, \"field_of_view\": 80}}"};
    for (int k = 0; k < 12; ++k) {
        char text[800];
        mote_scene *scene;
        snprintf(
            text, sizeof text,
            "{" TIME
            ", \"up\": \"%c\", \"view\": %s, \"bodies\": [{\"radius\": 0.1, \"mesh\": {\"type\": \"points\","
            " \"positions\": [[5, 0, 1], [6, 4, 2], [5, 1, -3]]}}]}",
            "xyz"[k % 3], VIEWS[k / 3]);
        mo_studio s;
        open_text(text, &s, &scene);
        mo_studio_survey(&s);
        mo_studio_aim(&s, 640, 360);
        for (int corner = 0; corner < 8; ++corner) {
            mo_vec3 p = {corner & 1 ? s.extent.low.x : s.extent.high.x,
                         corner & 2 ? s.extent.low.y : s.extent.high.y,
                         corner & 4 ? s.extent.low.z : s.extent.high.z};
            double x, y, depth;
            assert_true(mo_camera_project(&s.camera, 640, 360, p, &x, &y, &depth));
            if (!(x >= 0 && x <= 640 && y >= 0 && y <= 360)) {
                fail_msg("view %d: a corner is at %g, %g", k, x, y);
            }
        }
        close_all(&s, scene);
    }
}

/* The frames of a show are bitwise those of a run, also with a variable step; going back
 * restarts. */
static void frames_are_those_of_a_run(void **state)
{
    (void)state;
    mote_scene *scene;
    mo_show *show;
    mote_world *world;
    assert_int_equal(mote_scene_load(MOTE_SCENES "/bouncing_points.json", &scene, NULL), MOTE_OK);
    assert_int_equal(mote_world_create(scene, NULL, &world, NULL), MOTE_OK);
    assert_int_equal(mo_show_open(scene, NULL, NULL, &show, NULL), MOTE_OK);
    assert_int_equal(mo_show_count(show), 151);
    uint64_t hashes[8];
    for (int k = 0; k < 8; ++k) {
        assert_int_equal(mote_world_advance(world, k / 50.0, NULL, NULL), MOTE_OK);
        hashes[k] = mote_world_state_hash(world);
    }
    static const int ORDER[] = {7, 2, 3, 6, 0};
    for (int k = 0; k < 5; ++k) {
        assert_int_equal(mo_show_seek(show, ORDER[k], NULL, NULL, NULL), MOTE_OK);
        assert_true(mote_world_state_hash(mo_show_world(show)) == hashes[ORDER[k]]);
        assert_true(fabs(mo_show_moment(show)->time - ORDER[k] / 50.0) < 1e-12);
    }
    mo_show_close(show);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_found),
        cmocka_unit_test(bodies_are_drawn_once),
        cmocka_unit_test(free_particles_have_no_mesh),
        cmocka_unit_test(neighbors_are_pairs),
        cmocka_unit_test(joints_are_lines),
        cmocka_unit_test(periodic_worlds_are_boxes),
        cmocka_unit_test(colliders_are_where_they_are),
        cmocka_unit_test(ground_is_below_colliders),
        cmocka_unit_test(surfaces_end_at_colliders),
        cmocka_unit_test(cameras_see_everything),
        cmocka_unit_test(frames_are_those_of_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
