/*
 * Removal of particles: all at once, with every implicit integrator and linear solver; and
 * removals, additions and restorations in which one allocation fails, which leave the world
 * unchanged and usable.
 */
#include "worlds.h"

#include "integrate/integrator.h"
#include "linear/solver/solver.h"

#define TIME "\"time\": {\"end\": 1, \"step\": 0.001}"
#define OBSERVED \
    "\"observables\": [\"mean_square_displacement\", {\"type\": \"radial_distribution\", \"range\": 0.4}]"
#define BLOCK(low, high) \
    "\"mesh\": {\"type\": \"block\", \"min\": [0, 0, " low "], \"max\": [1, 1, " high \
    "], \"nx\": 3, \"ny\": 3, \"nz\": 3, \"tetrahedra\": 5}, \"mass\": 2"
#define PINS \
    "\"pins\": [{\"nodes\": [0, 1], \"motion\": {\"type\": \"translate\", \"velocity\": [0, 0, 0.1]}}]"
#define GROUND \
    "\"colliders\": [{\"shape\": {\"type\": \"plane\", \"point\": [0, 0, -0.01], \"normal\": [0, 0, 1]}}]"
#define MATERIAL "\"material\": {\"type\": \"corotated\", \"young\": 1e4, \"poisson\": 0.3}"

static const char SPRINGS[] = "{" TIME ", " OBSERVED ", " GROUND ", \"bodies\": [{" BLOCK(
    "0", "1") ", " PINS
              ", \"model\": {\"type\": \"spring\", \"k\": 50, \"damping_spring\": 0.1}}]}";
static const char ELEMENTS[] = "{" TIME ", " OBSERVED ", " GROUND ", \"bodies\": [{" BLOCK(
    "0", "1") ", " PINS ", \"model\": {\"type\": \"elements\", \"length\": 50, \"volume\": 50}}]}";
static const char FEM[] =
    "{" TIME ", " OBSERVED ", " GROUND ", \"body_contact\": {\"stiffness\": 1},"
    " \"bodies\": [{" BLOCK(
        "0", "1") ", " PINS ", \"loads\": [{\"nodes\": [26], \"force\": [0, 0, 1]}],"
                  "   \"model\": {\"type\": \"fem\", \"yield\": 0.1, " MATERIAL "}},"
                  "  {" BLOCK("1.01", "2") ", \"model\": {\"type\": \"fem\", " MATERIAL "}}]}";
static const char CONSISTENT[] = "{" TIME ", \"bodies\": [{" BLOCK(
    "0", "1") ", " PINS ", \"model\": {\"type\": \"fem\", \"mass\": \"consistent\", " MATERIAL
              "}}]}";
static const char PARTICLES[] =
    "{" TIME
    ", \"species\": [{\"name\": \"a\"}], \"bodies\": [{\"mesh\": {\"type\": \"lattice\", \"nx\": 3,"
    " \"ny\": 3, \"nz\": 3, \"spacing\": 0.3}, \"mass\": 2, \"radius\": 0.1, \"oriented\": true}],"
    " \"forces\": [{\"type\": \"lennard_jones\", \"e\": 0.01, \"r0\": 0.3},"
    "  {\"type\": \"heat\", \"conductivity\": 1, \"range\": 0.4, \"specific_heat\": 1, \"initial\": 3}],"
    " " GROUND ", \"observables\": [{\"type\": \"mean_square_displacement\", \"species\": \"a\"},"
    "  {\"type\": \"radial_distribution\", \"range\": 0.4, \"between\": [\"a\"]}]}";
static const char FLUID[] =
    "{" TIME
    ", \"fluid\": {\"spacing\": 0.1, \"phases\": [{\"name\": \"water\", \"fill\": [{\"type\": \"box\","
    " \"min\": [0, 0, 0], \"max\": [0.4, 0.4, 0.4]}]}]}, \"observables\": [\"collider_load\","
    " \"mean_square_displacement\"], \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\","
    " \"min\": [0, 0, 0], \"max\": [0.4, 0.4, 0.6]}}]}";

/* Two systems, with colliders and contact between bodies. */
static const char BOTH[] =
    "{" TIME ", " GROUND
    ", \"body_contact\": {\"stiffness\": 1}, \"fluid\": {\"spacing\": 0.1, \"phases\":"
    " [{\"fill\": [{\"type\": \"box\", \"min\": [3, 3, 0], \"max\": [3.3, 3.3, 0.3]}]}]}, \"bodies\": "
    "[{" BLOCK("0", "1") ", \"model\": {\"type\": \"fem\", " MATERIAL "}}, {" BLOCK(
        "1.01",
        "2") ", \"model\": {\"type\": \"spring\", \"k\": 50}}],"
             " \"observables\": [\"collider_load\", {\"type\": \"mean_square_displacement\","
             " \"system\": \"fluid\"}, {\"type\": \"mean_square_displacement\", \"system\": \"forces\"}]}";

static const char *const SCENES[] = {SPRINGS, ELEMENTS, FEM, CONSISTENT, PARTICLES, FLUID, BOTH};
enum { SCENE_COUNT = sizeof SCENES / sizeof *SCENES, ROWS_MAX = 200, FIRST_SOLID = 0, SOLIDS = 4 };

static mote_world *create(const char *text, const char *integrator, failing_allocator *allocator)
{
    mote_scene *scene = scene_of(text);
    mote_config config = config_with(1, allocator);
    if (integrator) {
        set_in_scene(scene, "integrator", integrator);
    }
    mote_world *world = world_of_last(scene, &config);
    for (int s = 0; s < mote_world_system_count(world); ++s) {
        assert_true(mote_world_rows(world, s) <= ROWS_MAX);
    }
    return world;
}

/* All read operations of a world; unsupported ones are rejected with a message. */
static void look(mote_world *world)
{
    double values[128], number;
    mote_cells cells;
    measures_of(world);
    for (int k = 0; k < mote_world_observable_count(world); ++k) {
        assert_true(mote_world_observable_size(world, k) <= 128);
        observe(world, k, values);
    }
    assert_int_equal(mote_world_frequency(world, &number, NULL), MOTE_OK);
    assert_int_equal(mote_world_damping(world, &number, NULL), MOTE_OK);
    for (int s = 0; s < mote_world_system_count(world); ++s) {
        assert_int_equal(mote_world_cells(world, s, &cells, NULL), MOTE_OK);
    }
}

/* Round trip through a snapshot. */
static void save_and_restore(mote_world *world)
{
    mote_snapshot *snapshot = NULL;
    uint64_t hash = mote_world_state_hash(world);
    snapshot = snapshot_of(world);
    step_by(world, 1);
    assert_int_equal(mote_world_restore(world, snapshot, NULL), MOTE_OK);
    assert_true(mote_world_state_hash(world) == hash);
    mote_snapshot_destroy(snapshot);
}

/* ---- all particles ---- */

/* A world without rows is in equilibrium and has no modes; a fluid has neither. */
static void solve_without_rows(mote_world *world)
{
    mote_error error = {0};
    double omega;
    if (mote_world_solve_static(world, NULL, NULL, &error) != MOTE_OK) {
        assert_says(error.text, "the scene has no deformable bodies or particles");
    }
    assert_int_not_equal(mote_world_modes(world, 1, &omega, NULL, &error), MOTE_OK);
}

/* A world without particles can be stepped; restoring the state restores them. */
static void lose_all(const char *scene, const char *integrator, int steps_before)
{
    mote_world *world = create(scene, integrator, NULL);
    mote_snapshot *snapshot = NULL;
    uint8_t gone[ROWS_MAX];
    memset(gone, 1, sizeof gone);
    step_by(world, steps_before);
    snapshot = snapshot_of(world);
    uint64_t hash = mote_world_state_hash(world);
    for (int s = 0; s < mote_world_system_count(world); ++s) {
        assert_int_equal(mote_world_remove(world, s, gone, NULL), MOTE_OK);
        assert_int_equal(mote_world_rows(world, s), 0);
    }
    step_by(world, 2);
    look(world);
    solve_without_rows(world);
    step_by(world, 1);
    assert_true(measures_of(world).mass == 0);
    save_and_restore(world);
    assert_int_equal(mote_world_restore(world, snapshot, NULL), MOTE_OK);
    assert_true(mote_world_state_hash(world) == hash);
    step_by(world, 1);
    look(world);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
}

static void worlds_without_rows_step(void **state)
{
    (void)state;
    for (int scene = 0; scene < SCENE_COUNT; ++scene) {
        for (int steps = 0; steps < 2; ++steps) {
            lose_all(SCENES[scene], NULL, steps);
        }
    }
}

static void every_solver_takes_no_rows(void **state)
{
    (void)state;
    for (int scene = FIRST_SOLID; scene < SOLIDS; ++scene) {
        for (int k = 0; k < mo_integrators.count; ++k) {
            const mo_descriptor *integrator = mo_integrators.methods[k];
            for (int n = 0; n < mo_linear_solvers.count && integrator->capabilities & MO_IMPLICIT;
                 ++n) {
                char text[200];
                snprintf(text, sizeof text, "{\"type\": \"%s\", \"solver\": {\"type\": \"%s\"}}",
                         integrator->name, mo_linear_solvers.methods[n]->name);
                lose_all(SCENES[scene], text, n % 2);
            }
        }
    }
}

/* ---- failing allocations ---- */

/* Removes some rows of all bodies. */
static void choose_gone(uint8_t gone[ROWS_MAX])
{
    for (int row = 0; row < ROWS_MAX; ++row) {
        gone[row] = row % 5 == 2;
    }
}

static void use(mote_world *world)
{
    step_by(world, 1);
    look(world);
    save_and_restore(world);
    step_by(world, 1);
}

/* The system rows are removed from: the last one, that of the bodies if there are any. */
static int edited(const mote_world *world)
{
    return mote_world_system_count(world) - 1;
}

typedef mote_status edit(mote_world *world, const mote_snapshot *snapshot, mote_error *error);

static mote_status remove_some(mote_world *world, const mote_snapshot *snapshot, mote_error *error)
{
    uint8_t gone[ROWS_MAX];
    (void)snapshot;
    choose_gone(gone);
    return mote_world_remove(world, edited(world), gone, error);
}

static mote_status add_one(mote_world *world, const mote_snapshot *snapshot, mote_error *error)
{
    double x[3] = {0.1, 0.2, 5};
    mote_particles one = {.count = 1, .x = x, .radius = 0.1};
    (void)snapshot;
    return mote_world_add(world, &one, NULL, error);
}

static mote_status restore_all(mote_world *world, const mote_snapshot *snapshot, mote_error *error)
{
    return mote_world_restore(world, snapshot, error);
}

/* The world of an edit, and its state saved before some rows were removed (restore only). */
static mote_world *begin(const char *scene, edit *change, failing_allocator *a,
                         mote_snapshot **snapshot)
{
    /* without a history, which an edit discards if memory lacks to compare accelerations */
    mote_world *world = create(scene, scene == FLUID ? NULL : "symplectic_euler", a);
    *snapshot = NULL;
    step_by(world, 2);
    if (change == restore_all) {
        assert_int_equal(mote_world_save(world, snapshot, NULL), MOTE_OK);
        assert_int_equal(remove_some(world, NULL, NULL), MOTE_OK);
    }
    return world;
}

/* Fails allocation k of the edit; returns whether it was reached. *after is the state of the
 * world after the completed edit and two steps. */
static bool fail_edit(const char *scene, edit *change, int64_t k, uint64_t *after)
{
    failing_allocator a;
    mote_snapshot *snapshot;
    mote_error error = {0};
    mote_world *world = begin(scene, change, &a, &snapshot);
    uint64_t before = mote_world_state_hash(world);
    int64_t rows = mote_world_rows(world, edited(world)), bodies = mote_world_body_count(world);
    a.calls = 0;
    a.fail_at = k;
    mote_status status = change(world, snapshot, &error);
    bool failed = has_failed(&a);
    a.fail_at = -1;
    if (status != MOTE_OK) {
        assert_int_equal(status, MOTE_ERROR_MEMORY);
        assert_true(failed && mote_world_state_hash(world) == before);
        assert_int_equal(mote_world_rows(world, edited(world)), rows);
        assert_int_equal(mote_world_body_count(world), bodies);
        mote_snapshot *now = snapshot_of(world);
        use(world);
        assert_int_equal(mote_world_restore(world, now, NULL), MOTE_OK);
        mote_snapshot_destroy(now);
        assert_int_equal(change(world, snapshot, &error), MOTE_OK);
    }
    use(world);
    *after = mote_world_state_hash(world);
    mote_snapshot_destroy(snapshot);
    mote_world_destroy(world);
    assert_int_equal(a.live, 0);
    assert_false(a.misused);
    return failed;
}

static void fail_everywhere(edit *change)
{
    for (int scene = 0; scene < SCENE_COUNT; ++scene) {
        uint64_t right, after;
        int64_t k = 0;
        if (change == add_one && SCENES[scene] == FLUID) {
            continue;
        }
        assert_false(fail_edit(SCENES[scene], change, INT64_MAX, &right));
        while (fail_edit(SCENES[scene], change, k, &after)) {
            if (after != right) {
                fail_msg("scene %d, allocation %lld fails: the world goes another way", scene,
                         (long long)k);
            }
            ++k;
        }
        assert_true(k > 0);
    }
}

static void a_removal_is_all_or_nothing(void **state)
{
    (void)state;
    fail_everywhere(remove_some);
}

static void an_addition_is_all_or_nothing(void **state)
{
    (void)state;
    fail_everywhere(add_one);
}

static void a_restoration_is_all_or_nothing(void **state)
{
    (void)state;
    fail_everywhere(restore_all);
}

/* A snapshot whose overwriting failed is invalid and rejected. */
static void a_failed_save_is_refused(void **state)
{
    (void)state;
    for (int64_t k = 0;; ++k) {
        failing_allocator a;
        mote_world *world = create(FEM, NULL, &a);
        mote_snapshot *snapshot = NULL;
        mote_scene *scene = NULL;
        mote_error error = {0};
        snapshot = snapshot_of(world);
        assert_int_equal(add_one(world, NULL, NULL), MOTE_OK);
        a.calls = 0;
        a.fail_at = k;
        mote_status status = mote_world_save(world, &snapshot, NULL);
        bool failed = has_failed(&a);
        a.fail_at = -1;
        assert_int_equal(status, failed ? MOTE_ERROR_MEMORY : MOTE_OK);
        assert_int_equal(mote_world_restore(world, snapshot, &error),
                         failed ? MOTE_ERROR_INPUT : MOTE_OK);
        error.text[0] = 0;
        assert_true(mote_snapshot_scene(snapshot, &scene, &error) == MOTE_OK || error.text[0]);
        use(world);
        mote_scene_destroy(scene);
        mote_snapshot_destroy(snapshot);
        mote_world_destroy(world);
        assert_int_equal(a.live, 0);
        if (!failed) {
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(worlds_without_rows_step),
                                       cmocka_unit_test(every_solver_takes_no_rows),
                                       cmocka_unit_test(a_removal_is_all_or_nothing),
                                       cmocka_unit_test(an_addition_is_all_or_nothing),
                                       cmocka_unit_test(a_restoration_is_all_or_nothing),
                                       cmocka_unit_test(a_failed_save_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
