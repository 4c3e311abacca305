/* A closed surface of oriented particles that is torn by the scene's actions and heals. */
#include "worlds.h"

static mote_surface_mesh mesh_at(mote_world *world, double time, mote_surface **surface)
{
    mote_error error = {0};
    mote_surface_options options = mote_surface_options_default();
    assert_int_equal(mote_world_advance(world, time, NULL, &error), MOTE_OK);
    options.normals = numbers_of(world, "normal");
    options.spacing = 0.4872;
    assert_int_equal(mote_surface_create(mote_world_rows(world, 0), numbers_of(world, "x"),
                                         &options, surface, &error),
                     MOTE_OK);
    return mote_surface_get(*surface);
}

static void a_torn_sphere_heals(void **state)
{
    (void)state;
    mote_scene *scene;
    mote_world *world;
    mote_surface *surface;
    mote_error error = {0};
    assert_int_equal(mote_scene_load(MOTE_SCENES "/torn_sphere.json", &scene, &error), MOTE_OK);
    assert_int_equal(mote_world_create(scene, NULL, &world, &error), MOTE_OK);
    mote_surface_mesh mesh = mesh_at(world, 0, &surface);
    assert_true(mesh.closed && mesh.euler == 2);
    mote_surface_destroy(surface);
    mesh = mesh_at(world, 2.4, &surface);
    assert_true(mesh.manifold && mesh.border_edges > 20 && mesh.euler < 0);
    mote_surface_destroy(surface);
    mesh = mesh_at(world, 12, &surface);
    assert_true(mesh.closed && mesh.euler == 2);
    mote_surface_destroy(surface);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_torn_sphere_heals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
