/* Oriented particles with random axes and displaced positions form one sheet, from any seed. */
#include "worlds.h"

static void form_sheet(const char *seed)
{
    mote_scene *scene;
    mote_world *world;
    mote_surface *surface;
    mote_error error = {0};
    mote_surface_options options = mote_surface_options_default();
    assert_int_equal(mote_scene_load(MOTE_SCENES "/sheet_from_noise.json", &scene, &error),
                     MOTE_OK);
    assert_int_equal(mote_scene_set(scene, "bodies[0].mesh.seed", seed, &error), MOTE_OK);
    assert_int_equal(mote_world_create(scene, NULL, &world, &error), MOTE_OK);
    assert_int_equal(mote_world_advance(world, 3, NULL, &error), MOTE_OK);
    int64_t rows = mote_world_rows(world, 0);
    options.normals = numbers_of(world, "normal");
    options.spacing = 1;
    assert_int_equal(mote_surface_create(rows, numbers_of(world, "x"), &options, &surface, &error),
                     MOTE_OK);
    mote_surface_mesh mesh = mote_surface_get(surface);
    assert_true(mesh.manifold && mesh.euler == 1);
    assert_true(mesh.vertices >= rows - 2);
    mote_surface_destroy(surface);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

static void a_sheet_forms_from_noise(void **state)
{
    (void)state;
    form_sheet("1");
    form_sheet("2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_sheet_forms_from_noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
