/*
 * Embedded surfaces through the public interface: they match their source surface, follow their
 * body, and support removal.
 */
#include "worlds.h"

#include <math.h>

static mote_world *create(const char *body)
{
    return world_printf(
        0,
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.001}, \"bodies\": "
        "[{\"mesh\": {\"type\": \"points\", \"positions\": [[9, 9, 9]]}}, %s]}",
        body);
}

#define TORUS \
    "{\"name\": \"ring\", \"velocity\": [1, 2, 3], \"mesh\": {\"type\": \"fill\", \"file\": \"" MOTE_SCENES \
    "/meshes/torus.obj\", \"spacing\": 0.08}}"

/* The largest distance of the vertices from a torus of radii 0.35 and 0.12 about a point. */
static double worst_distance(const mote_world *world, const double at[3], int64_t count)
{
    double *x = malloc((size_t)count * 3 * sizeof *x), worst = 0;
    assert_true(mote_world_skin_interpolate(world, 0, 0, "x", x));
    for (int64_t k = 0; k < count; ++k) {
        double p[3] = {x[3 * k] - at[0], x[3 * k + 1] - at[1], x[3 * k + 2] - at[2]};
        double across = sqrt(p[0] * p[0] + p[1] * p[1]) - 0.35;
        worst = fmax(worst, fabs(sqrt(across * across + p[2] * p[2]) - 0.12));
    }
    free(x);
    return worst;
}

static void skins_follow_their_bodies(void **state)
{
    (void)state;
    mote_world *world = create(TORUS);
    mote_skin skin;
    assert_int_equal(mote_world_skin_count(world, 0), 1);
    assert_true(mote_world_skin(world, 0, 0, &skin));
    assert_false(mote_world_skin(world, 0, 1, &skin));
    assert_string_equal(skin.body, "ring");
    assert_int_equal(skin.vertices, 96 * 32);
    assert_int_equal(skin.triangles, 2 * 96 * 32);
    assert_true(worst_distance(world, (double[]){0, 0, 0}, skin.vertices) <
                2e-6); /* the file has six digits */
    advance_to(world, 0.5);
    assert_true(worst_distance(world, (double[]){0.5, 1, 1.5}, skin.vertices) < 2e-6);
    double *v = malloc((size_t)skin.vertices * 3 * sizeof *v);
    assert_true(mote_world_skin_interpolate(world, 0, 0, "v", v));
    for (int64_t k = 0; k < skin.vertices; ++k) {
        assert_true(fabs(v[3 * k] - 1) < 1e-12 && fabs(v[3 * k + 1] - 2) < 1e-12 &&
                    fabs(v[3 * k + 2] - 3) < 1e-12);
    }
    assert_false(mote_world_skin_interpolate(world, 0, 0, "body", v));
    assert_false(mote_world_skin_interpolate(world, 0, 0, "nothing", v));
    free(v);
    mote_world_destroy(world);
}

static void removed_particles_take_their_part_of_the_skin(void **state)
{
    (void)state;
    mote_world *world = create(TORUS);
    mote_skin before, after;
    assert_true(mote_world_skin(world, 0, 0, &before));
    int64_t vertices = before.vertices, triangles = before.triangles;
    mote_column x = column_of(world, 0, "x");
    uint8_t *gone = calloc(1, (size_t)x.rows);
    for (int64_t row = 0; row < x.rows; ++row) {
        gone[row] = row == 0 || ((double *)x.data)[3 * row] >
                                    /* the single point before the ring, and most of its half */
                                    0.1;
    }
    assert_int_equal(mote_world_remove(world, 0, gone, NULL), MOTE_OK);
    assert_true(mote_world_skin(world, 0, 0, &after));
    assert_true(after.vertices < vertices && after.vertices > vertices / 3);
    assert_true(after.triangles < triangles && after.triangles > triangles / 3);
    for (int64_t k = 0; k < 3 * after.triangles; ++k) {
        assert_true(after.corners[k] >= 0 && after.corners[k] < after.vertices);
    }
    assert_true(worst_distance(world, (double[]){0, 0, 0}, after.vertices) < 2e-6);
    free(gone);
    mote_world_destroy(world);
}

static void a_skin_of_another_file_rides_on_any_tetrahedra(void **state)
{
    (void)state;
    mote_world *world = create(
        "{\"mesh\": {\"type\": \"ball\", \"radius\": 0.6, \"layers\": 3}, \"skin\": {\"file\": \"" MOTE_SCENES
        "/meshes/torus.obj\", \"scale\": 0.5}}");
    mote_skin skin;
    assert_true(mote_world_skin(world, 0, 0, &skin));
    assert_string_equal(skin.body, "body1");
    assert_int_equal(skin.vertices, 96 * 32);
    assert_int_equal(mote_world_warning_count(world), 0);
    mote_world_destroy(world);
    world = create(
        "{\"mesh\": {\"type\": \"ball\", \"radius\": 0.6, \"layers\": 3}, \"skin\": {\"file\": "
        "\"" MOTE_SCENES "/meshes/torus.obj\", \"scale\": 0.5, \"moved\": [3, 0, 0]}}");
    assert_int_equal(mote_world_warning_count(world), 1); /* outside of the mesh */
    assert_says(mote_world_warning(world, 0).text, "(skin) of 'body1'");
    mote_world_destroy(world);
    world = create("{\"mesh\": {\"type\": \"ball\"}}");
    assert_int_equal(mote_world_skin_count(world, 0), 0);
    mote_world_destroy(world);
}

static void meshes_are_examined(void **state)
{
    (void)state;
    mote_mesh_info info;
    mote_error error = {0};
    assert_int_equal(mote_mesh_examine(MOTE_SCENES "/meshes/block.msh", false, &info, &error),
                     MOTE_OK);
    assert_int_equal(info.nodes, 125);
    assert_int_equal(info.tetrahedra, 384);
    assert_int_equal(info.open_edges, 0);
    assert_int_equal(info.components, 1);
    assert_true(fabs(info.size - 0.064) < 1e-12);
    assert_true(fabs(info.angle_min - 45) < 1e-6 && fabs(info.angle_max - 90) < 1e-6);
    assert_int_equal(mote_mesh_examine(MOTE_SCENES "/meshes/nothing.msh", false, &info, &error),
                     MOTE_ERROR_INPUT);
    assert_says(error.text, "nothing.msh");
    assert_int_equal(mote_mesh_examine(MOTE_SCENES "/meshes/jack.doc", false, &info, &error),
                     MOTE_ERROR_INPUT);
    assert_says(error.text, "allowed");
    assert_true(mote_mesh_has_extension("a.vtu") && !mote_mesh_has_extension("a.vtp"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skins_follow_their_bodies),
        cmocka_unit_test(removed_particles_take_their_part_of_the_skin),
        cmocka_unit_test(a_skin_of_another_file_rides_on_any_tetrahedra),
        cmocka_unit_test(meshes_are_examined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
