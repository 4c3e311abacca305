/*
 * A restored world continues as without interruption: the same step sizes, from the same rates, and
 * the same states, for every pressure solver and integrator.
 */
#include "worlds.h"

#include "fluid/pressure/pressure.h"
#include "integrate/integrator.h"

enum { BEFORE = 12, AFTER = 10, COLLAPSED = 500 };

/* A collapsing column of fluid in a tank, with CFL steps. */
static const char FLUID[] =
    "{\"time\": {\"end\": 1, \"step\": {\"type\": \"cfl\", \"max\": 0.03}},"
    " \"fluid\": {\"spacing\": 0.05, \"viscosity\": {\"type\": \"laplacian\", \"nu\": 0.01}, \"phases\": "
    "[{\"velocity\": [2, 0, 0],"
    "   \"fill\": [{\"type\": \"box\", \"min\": [0.025, 0.025, 0.025], \"max\": [0.325, 0.225, 0.425]}]}]},"
    " \"colliders\": [{\"name\": \"tank\", \"inside\": true,"
    "   \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.6, 0.25, 0.6]}}]}";

/* A cloth falling on a ball, and spinning grains. */
static const char SHEET[] =
    "{\"time\": {\"end\": 1, \"step\": {\"type\": \"cfl\", \"factor\": 0.02, \"max\": 0.001}},"
    " \"bodies\": [{\"name\": \"sheet\", \"density\": 0.5, \"radius\": 0.02,"
    "    \"mesh\": {\"type\": \"cloth\", \"columns\": 8, \"rows\": 8, \"origin\": [0, 0, 0.46]},"
    "    \"model\": {\"type\": \"spring\", \"k\": 2, \"damping_spring\": 0.002},"
    "    \"pins\": [{\"set\": \"u0v0\", \"motion\": {\"type\": \"translate\", \"velocity\": [0, 0, 1]}}]},"
    "   {\"name\": \"grains\", \"mass\": 0.1, \"radius\": 0.04, \"velocity\": [0, 0, -1],"
    "    \"mesh\": {\"type\": \"hexagonal\", \"nx\": 2, \"ny\": 2, \"nz\": 1, \"spacing\": 0.1,"
    "               \"origin\": [0.4, 0.4, 0.6]},"
    "    \"oriented\": true, \"angular_velocity\": [3, 2, 1]}],"
    " \"colliders\": [{\"shape\": {\"type\": \"sphere\", \"center\": [0.5, 0.5, 0.2], \"radius\": 0.25}}]}";

typedef struct course {
    double dt[AFTER];
    uint64_t hash[AFTER];
} course;

static mote_error error;

static mote_scene *parse(const char *text, const char *path, const char *value)
{
    mote_scene *scene = scene_of(text);
    set_in_scene(scene, path, value);
    return scene;
}

static course follow(mote_world *world, const char *name)
{
    course c;
    for (int k = 0; k < AFTER; ++k) {
        mote_step_report report;
        need(mote_world_step(world, &report, &error), &error, name);
        c.dt[k] = report.dt;
        c.hash[k] = mote_world_state_hash(world);
    }
    return c;
}

static void need_same(const course *expected, mote_world *world, const char *name, const char *how)
{
    course found = follow(world, name);
    for (int k = 0; k < AFTER; ++k) {
        if (found.dt[k] != expected->dt[k] || found.hash[k] != expected->hash[k]) {
            fail_msg("%s, %s: step %d is of %.17g s instead of %.17g s, the state is %s", name, how,
                     k, found.dt[k], expected->dt[k],
                     found.hash[k] == expected->hash[k] ? "the same" : "another");
        }
    }
}

/* Into new worlds: of the same scene, and of one that differs only in parameters without effect
 * on the motion. */
static void check_fresh(mote_scene *scene, const mote_snapshot *saved, const course *expected,
                        const char *name)
{
    mote_world *fresh = world_of_scene(scene, NULL);
    need(mote_world_restore(fresh, saved, &error), &error, name);
    need_same(expected, fresh, name, "fresh");
    mote_world_destroy(fresh);
    set_in_scene(scene, "time.end", "7");
    set_in_scene(scene, "time.fps", "3");
    set_in_scene(scene, "output.formats", "[\"ply\"]");
    fresh = world_of_scene(scene, NULL);
    /* another scene */
    assert_int_equal(mote_world_restore(fresh, saved, &error), MOTE_ERROR_INPUT);
    need(mote_world_adopt(fresh, saved, &error), &error, name);
    need_same(expected, fresh, name, "adopted");
    mote_world_destroy(fresh);
}

static void check(mote_scene *scene, const char *name)
{
    mote_world *world = world_of_scene(scene, NULL);
    take_steps(world, BEFORE, name);
    mote_snapshot *saved = snapshot_of(world);
    course expected = follow(world, name);
    need(mote_world_restore(world, saved, &error), &error, name);
    need_same(&expected, world, name, "the same world");
    mote_snapshot *read = through_a_file(saved);
    check_fresh(scene, read, &expected, name);
    mote_snapshot_destroy(read);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

static void every_pressure_solver_resumes_with_the_same_steps(void **state)
{
    (void)state;
    for (int k = 0; k < mo_pressures.count; ++k) {
        const char *name = mo_pressures.methods[k]->name;
        check(parse(FLUID, "fluid.pressure", name), name);
    }
}

static void every_integrator_resumes_with_the_same_steps(void **state)
{
    (void)state;
    int checked = 0;
    for (int k = 0; k < mo_integrators.count; ++k) {
        const char *name = mo_integrators.methods[k]->name;
        if (mo_integrators.methods[k]->capabilities & MO_VARIABLE_STEP) {
            check(parse(SHEET, "integrator", name), name);
            ++checked;
        }
    }
    assert_true(checked > 5);
}

/* A modified fluid keeps only the accelerations of its last step. */
static void a_fluid_keeps_its_accelerations(void **state)
{
    (void)state;
    mote_scene *scene = parse(FLUID, "fluid.pressure", "dfsph");
    mote_world *world = world_of_scene(scene, NULL), *clone;
    mote_step_report before, after;
    take_steps(world, BEFORE, "dfsph");
    need(mote_world_clone(world, NULL, &clone, &error), &error, "dfsph");
    mote_world_invalidate(clone, 0);
    need(mote_world_step(world, &before, &error), &error, "dfsph");
    need(mote_world_step(clone, &after, &error), &error, "dfsph");
    assert_string_equal(before.limited_by, "courant");
    assert_true(after.dt == before.dt);
    mote_world_destroy(clone);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

/* The next step depends on the speed of added particles, and no longer on removed ones. */
static void edits_change_the_next_step(void **state)
{
    (void)state;
    mote_scene *scene = parse(SHEET, "integrator", "symplectic_euler");
    mote_world *world = world_of_scene(scene, NULL);
    const double x[3] = {5, 5, 5}, v[3] = {100, 0, 0};
    mote_particles fast = {.count = 1, .x = x, .v = v, .radius = 0.01};
    mote_step_report report;
    mote_body body;
    uint8_t gone[80] = {0};
    assert_true(mote_world_rows(world, 0) < 80);
    take_steps(world, 1, "edit");
    need(mote_world_add(world, &fast, &body, &error), &error, "edit");
    need(mote_world_step(world, &report, &error), &error, "edit");
    assert_true(report.courant <= 0.02 * (1 + 1e-9));
    gone[body.first] = 1;
    double fastest = report.dt;
    need(mote_world_remove(world, 0, gone, &error), &error, "edit");
    need(mote_world_step(world, &report, &error), &error, "edit");
    assert_true(report.dt > 5 * fastest);
    mote_world_destroy(world);
    mote_scene_destroy(scene);
}

/* A run with minimum steps is warned about after the same number of steps with and without
 * interruption. */
static void steps_at_the_least_size_are_counted_on(void **state)
{
    (void)state;
    mote_scene *scene = parse(SHEET, "time.step",
                              "{\"type\": \"cfl\", \"factor\": 1e-9, \"min\": 1e-7, "
                              "\"max\": 1e-6}");
    mote_world *world = world_of_scene(scene, NULL), *fresh = world_of_scene(scene, NULL);
    take_steps(world, COLLAPSED - AFTER, "crawl");
    mote_snapshot *saved = snapshot_of(world);
    mote_snapshot *read = through_a_file(saved);
    need(mote_world_restore(fresh, read, &error), &error, "crawl");
    int before = mote_world_warning_count(fresh);
    take_steps(world, AFTER, "crawl");
    take_steps(fresh, AFTER, "crawl");
    assert_int_equal(mote_world_warning_count(world), before + 1);
    assert_int_equal(mote_world_warning_count(fresh), before + 1);
    mote_snapshot_destroy(read);
    mote_world_destroy(world);
    mote_world_destroy(fresh);
    mote_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pressure_solver_resumes_with_the_same_steps),
        cmocka_unit_test(every_integrator_resumes_with_the_same_steps),
        cmocka_unit_test(a_fluid_keeps_its_accelerations),
        cmocka_unit_test(edits_change_the_next_step),
        cmocka_unit_test(steps_at_the_least_size_are_counted_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
