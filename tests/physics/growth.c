/*
 * Growth of surfaces of oriented particles: a stretched torus keeps its Euler number and gains
 * particles, a sheet that is pulled apart grows or tears, close particles merge; the same bits on
 * any number of threads and after a restore.
 */
#include "worlds.h"

#include "math/quat.h"

/* A torus, stretched along x. */
#define TORUS \
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.002}, \"bodies\": [{\"mass\": 100," \
    "  \"radius\": 0.1, \"oriented\": true, \"axes\": \"normals\", \"growth\": {\"spacing\": 0.5}," \
    "  \"mesh\": {\"type\": \"torus\", \"radius\": 3, \"tube\": 1.2, \"around\": 40, \"across\": 18}}]," \
    " \"forces\": [{\"type\": \"lennard_jones\", \"e\": 0.5, \"r0\": 0.5, \"n\": 4, \"m\": 2," \
    "               \"r_a\": 0.5, \"r_b\": 1, \"clip\": true}," \
    "  {\"type\": \"oriented\", \"cocircularity\": 10, \"conormality\": 1, \"range\": 1}," \
    "  {\"type\": \"expression_field\", \"acceleration\": [\"3*x/(1 + abs(x))\", \"0\", \"0\"]}," \
    "  {\"type\": \"damping_point\", \"g\": 0.5}, {\"type\": \"damping_rotation\", \"g\": 0.05}]}"

/* A flat sheet whose halves are pulled apart. */
#define SHEET \
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.01}, \"bodies\": [{\"mass\": 120," \
    "  \"radius\": 0.4, \"oriented\": true, %s" \
    "  \"mesh\": {\"type\": \"hexagonal\", \"nx\": 15, \"ny\": 8, \"nz\": 1, \"spacing\": 1}}]," \
    " \"forces\": [{\"type\": \"lennard_jones\", \"e\": 2, \"r0\": 1, \"n\": 4, \"m\": 2, \"r_a\": 1," \
    "               \"r_b\": 2, \"clip\": true}," \
    "  {\"type\": \"oriented\", \"coplanarity\": 20, \"conormality\": 20, \"range\": 2}," \
    "  {\"type\": \"expression_field\", \"acceleration\": [\"2*(x - 7)\", \"0\", \"0\"]}," \
    "  {\"type\": \"damping_point\", \"g\": 4}, {\"type\": \"damping_rotation\", \"g\": 1}]}"

static mote_surface_mesh surface_of(const mote_world *world, double spacing)
{
    int64_t rows = mote_world_rows(world, 0);
    double *axes = malloc(3 * (size_t)rows * sizeof *axes);
    mote_surface_options options = mote_surface_options_default();
    mote_error error = {0};
    mote_surface *surface;
    assert_non_null(axes);
    for (int64_t k = 0; k < rows; ++k) {
        mo_quat q = mo_quat_load(numbers_of(world, "q") + 4 * k);
        mo_vec3_store(axes + 3 * k, mo_quat_rotate(q, mo_vec3_make(0, 0, 1)));
    }
    options.normals = axes;
    options.spacing = spacing;
    need(mote_surface_create(rows, numbers_of(world, "x"), &options, &surface, &error), &error,
         "surface");
    mote_surface_mesh mesh = mote_surface_get(surface);
    mote_surface_destroy(surface);
    free(axes);
    return mesh;
}

static void a_stretched_torus_grows(void **state)
{
    (void)state;
    mote_world *world = world_of(TORUS, 1);
    int64_t rows = mote_world_rows(world, 0);
    take_steps(world, 300, "torus");
    mote_surface_mesh mesh = surface_of(world, 0.45);
    assert_true(mote_world_rows(world, 0) > rows + 50);
    assert_int_equal(mesh.vertices, mote_world_rows(world, 0));
    assert_int_equal(mesh.euler, 0);
    assert_true(mesh.closed);
    mote_world_destroy(world);
}

static void a_sheet_grows_or_tears(void **state)
{
    (void)state;
    char text[sizeof SHEET + 64];
    snprintf(text, sizeof text, SHEET, "\"growth\": {\"spacing\": 1, \"every\": 2},");
    mote_world *growing = world_of(text, 1);
    snprintf(text, sizeof text, SHEET, "");
    mote_world *tearing = world_of(text, 1);
    int64_t rows = mote_world_rows(tearing, 0);
    take_steps(growing, 300, "growing");
    take_steps(tearing, 300, "tearing");
    assert_int_equal(mote_world_rows(tearing, 0), rows);
    assert_true(mote_world_rows(growing, 0) > rows + 20);
    assert_int_equal(surface_of(growing, 1).euler, 1);
    assert_true(surface_of(tearing, 1).euler != 1);
    mote_world_destroy(growing);
    mote_world_destroy(tearing);
}

/* Points at 0.3 spacings from others disappear; the oldest stay. */
static void close_particles_merge(void **state)
{
    (void)state;
    static const char TEXT[] =
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.01}, \"bodies\": [{\"mass\": 6,"
        "  \"radius\": 0.1, \"oriented\": true, \"growth\": {\"spacing\": 1, \"every\": 1},"
        "  \"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 0], [1, 0, 0], [0.3, 0, 0],"
        "             [0, 1, 0], [1, 1.3, 0], [1, 1, 0]]}}]}";
    mote_world *world = world_of(TEXT, 1);
    take_steps(world, 1, "merge");
    assert_int_equal(mote_world_rows(world, 0), 4);
    const int64_t *id = ids_of(world, 0);
    assert_true(id[0] == 0 && id[1] == 1 && id[2] == 3 && id[3] == 4);
    mote_world_destroy(world);
}

static void threads_and_restores_do_not_matter(void **state)
{
    (void)state;
    static const int THREADS[] = {1, 2, 3, 8};
    uint64_t hash = 0;
    for (int k = 0; k < 4; ++k) {
        mote_world *world = world_of(TORUS, THREADS[k]);
        take_steps(world, 300, "torus");
        hash = k == 0 ? mote_world_state_hash(world) : hash;
        assert_true(mote_world_state_hash(world) == hash);
        mote_world_destroy(world);
    }
    mote_world *first = world_of(TORUS, 1), *second = world_of(TORUS, 2);
    take_steps(first, 257, "torus");
    assert_true(mote_world_rows(first, 0) != mote_world_rows(second, 0));
    copy_state(first, second);
    take_steps(second, 43, "torus");
    assert_true(mote_world_state_hash(second) == hash);
    mote_world_destroy(first);
    mote_world_destroy(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stretched_torus_grows),
        cmocka_unit_test(a_sheet_grows_or_tears),
        cmocka_unit_test(close_particles_merge),
        cmocka_unit_test(threads_and_restores_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
