/*
 * External forces on a fluid: closed forms with every pressure solver, rejected forces, the step
 * limit, energies, added and removed rows, and forces attached by couplings and callers.
 */
#include "refusals.h"

#include "system/fluid/fluid.h"
#include "world/world.h"

#include <math.h>

/* A cube of 216 particles of 0.125 kg without gravity, moving along x with 1 m/s. */
#define DROP(step, pressure, forces) \
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": " step \
    "}, \"fluid\": {\"spacing\": 0.05," \
    " \"mass_scale\": 0.9, \"pressure\": " pressure \
    ", \"phases\": [{\"velocity\": [1, 0, 0], \"fill\":" \
    " [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.3, 0.3, 0.3]}]}]}, \"forces\": " forces \
    "}"

static const double MASS = 0.9 * 0.125;

static mo_system *system_of(mote_world *world)
{
    return &world->systems[0];
}

static mo_vec3 mean_velocity(mote_world *world)
{
    mote_measures m = measures_of(world);
    return mo_scale(1 / m.mass, mo_vec3_load(m.momentum));
}

/* The largest error of a particle's velocity from v. */
static double velocity_error(const mote_world *world, mo_vec3 v)
{
    const double *own = numbers_of(world, "v");
    double most = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        most = fmax(most, mo_length(mo_sub(mo_vec3_load(own + 3 * row), v)));
    }
    return most;
}

/* ---- closed forms ---- */

static const char *const SOLVERS[] = {"\"wcsph\"", "\"dfsph\"", "\"iisph\"", "\"pbf\"", "\"isph\""};
enum { SOLVER_COUNT = sizeof SOLVERS / sizeof *SOLVERS };

/* v' = -(c/m) (v - wind): v = wind + (v0 - wind) exp(-c t/m) */
static void drag_relaxes_to_the_wind(void **state)
{
    (void)state;
    for (int k = 0; k < SOLVER_COUNT; ++k) {
        mote_world *world = world_printf(
            1,
            DROP("0.0005", "%s", "[{\"type\": \"drag\", \"linear\": 0.225, \"wind\": [0, 2, 0]}]"),
            SOLVERS[k]);
        advance_to(world, 0.5);
        double left = exp(-0.225 / MASS * 0.5);
        mo_vec3 exact = mo_vec3_make(left, 2 * (1 - left), 0);
        assert_near(mo_length(mo_sub(mean_velocity(world), exact)), 0, 1e-3);
        assert_near(velocity_error(world, exact), 0, 1e-3);
        mote_world_destroy(world);
    }
}

/* v = v0 exp(-g t/m) */
static void point_damping_decays_exponentially(void **state)
{
    (void)state;
    for (int k = 0; k < SOLVER_COUNT; ++k) {
        mote_world *world = world_printf(
            1, DROP("0.0005", "%s", "[{\"type\": \"damping_point\", \"g\": 0.225}]"), SOLVERS[k]);
        advance_to(world, 0.5);
        assert_near(velocity_error(world, mo_vec3_make(exp(-1), 0, 0)), 0, 1e-3);
        mote_world_destroy(world);
    }
}

/* v' = -(q/m) v^2: v = v0/(1 + q v0 t/m) */
static void quadratic_drag_decays_hyperbolically(void **state)
{
    (void)state;
    mote_world *world =
        world_of(DROP("0.0005", "\"dfsph\"", "[{\"type\": \"drag\", \"quadratic\": 0.225}]"), 1);
    advance_to(world, 0.5);
    assert_near(velocity_error(world, mo_vec3_make(0.5, 0, 0)), 0, 1e-3);
    mote_world_destroy(world);
}

/* Terminal velocity: m g = c v. */
static void forces_add_to_gravity(void **state)
{
    (void)state;
    mote_scene *scene = scene_of(DROP("0.001", "\"dfsph\"",
                                      "[{\"type\": \"damping_point\", \"g\": 0.5},"
                                      " {\"type\": \"drag\", \"linear\": 0.625}]"));
    set_in_scene(scene, "gravity", "[0, 0, -10]");
    mote_world *world = world_of_last(scene, NULL);
    advance_to(world, 2);
    assert_near(velocity_error(world, mo_vec3_make(0, 0, -10 * MASS / 1.125)), 0, 1e-3);
    mote_world_destroy(world);
}

/* ---- unsupported forces ---- */

static void pair_forces_need_bodies(void **state)
{
    (void)state;
    need_refusal(
        DROP("0.001", "\"dfsph\"",
             "[{\"type\": \"damping_point\", \"g\": 1},"
             " {\"type\": \"lennard_jones\", \"e\": 1, \"r0\": 0.1, \"r_a\": 0.2, \"r_b\": 0.3}]"),
        "forces[1]: 'lennard_jones' acts on bodies and not on a fluid; this "
        "scene has no bodies");
    /* without a range all pairs interact */
    need_refusal(
        DROP("0.001", "\"dfsph\"",
             "[{\"type\": \"lennard_jones\", \"e\": 1, \"r0\": 0.1, \"unlimited\": true}]"),
        "forces[0]: 'lennard_jones'");
    need_refusal(
        DROP("0.001", "\"dfsph\"",
             "[{\"type\": \"heat\", \"conductivity\": 1, \"range\": 0.1, \"specific_heat\": 1}]"),
        "forces[0]: 'heat'");
    need_refusal(
        DROP("0.001", "\"dfsph\"", "[{\"type\": \"damping_viscous\", \"g\": 1, \"range\": 0.1}]"),
        "forces[0]: 'damping_viscous'");
}

static const char BESIDE[] =
    "[{\"name\": \"grain\", \"mass\": 0.225, \"velocity\": [1, 0, 0], \"mesh\": {\"type\": \"points\","
    " \"positions\": [[9, 0, 0], [9, 1, 0]]}}]";

static int warnings_with(const mote_world *world, const char *part)
{
    int count = 0;
    for (int k = 0; k < mote_world_warning_count(world); ++k) {
        count += strstr(mote_world_warning(world, k).text, part) != NULL;
    }
    return count;
}

static void bodies_and_fluid_share_external_forces(void **state)
{
    (void)state;
    mote_scene *scene =
        scene_of(DROP("0.0005", "\"dfsph\"",
                      "[{\"type\": \"drag\", \"linear\": 0.225},"
                      " {\"type\": \"damping_viscous\", \"g\": 1, \"range\": 0.5}]"));
    set_in_scene(scene, "bodies", BESIDE);
    mote_world *world = world_of_last(scene, NULL);
    assert_int_equal(mote_world_system_count(world), 2);
    advance_to(world, 0.5);
    for (int k = 0; k < 2; ++k) {
        assert_near(numbers_in(world, k, "v")[0], exp(-1), 1e-3);
    }
    assert_int_equal(warnings_with(world, "forces[1]: 'damping_viscous' acts on bodies"), 1);
    assert_int_equal(warnings_with(world, "drag"), 0);
    mote_world_destroy(world);
}

#define PLANE(wind) \
    "{\"up\": \"y\", \"time\": {\"end\": 9, \"step\": 0.001}, \"fluid\": {\"dimension\": 2, \"spacing\": " \
    "0.05, \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [0.3, 0.3, 1]}]}]}," \
    " \"forces\": [{\"type\": \"drag\", \"linear\": 0.1, \"wind\": " wind "}]}"

static void plane_fluids_take_no_force_along_z(void **state)
{
    (void)state;
    need_refusal(PLANE("[1, 0, 1]"), "forces[0]: 'drag' has a component along z");
    mote_world *world = world_of(PLANE("[1, 0, 0]"), 1);
    step_by(world, 10);
    assert_true(mean_velocity(world).x > 0 && mean_velocity(world).z == 0);
    mote_world_destroy(world);
}

/* ---- steps ---- */

static void damping_limits_the_step(void **state)
{
    (void)state;
    mote_step_report report;
    mote_error error = {0};
    mote_world *world = world_of(DROP("{\"type\": \"cfl\", \"max\": 0.01}", "\"dfsph\"",
                                      "[{\"type\": \"damping_point\", \"g\": 45}]"),
                                 1);
    need(mote_world_step(world, &report, &error), &error, "step");
    assert_string_equal(report.limited_by, "forces");
    assert_near(report.dt, 0.95 * 2 * MASS / 45, 1e-12);
    step_by(world, 500);
    assert_near(velocity_error(world, mo_vec3_make(0, 0, 0)), 0, 1e-6);
    mote_world_destroy(world);
    world = world_of(DROP("0.01", "\"dfsph\"", "[{\"type\": \"damping_point\", \"g\": 45}]"), 1);
    step_by(world, 1);
    need_warning(world, "the largest stable step of explicit forces on the fluid");
    mote_world_destroy(world);
}

/* With equal damping by viscosity and by drag the step is halved. */
static void limits_of_damping_add_up(void **state)
{
    (void)state;
    mote_scene *scene = scene_of(DROP("{\"type\": \"cfl\", \"max\": 0.1}", "\"dfsph\"", "[]"));
    set_in_scene(scene, "fluid.viscosity", "{\"type\": \"laplacian\", \"nu\": 1}");
    mote_world *world = world_of_scene(scene, NULL);
    double viscous = system_of(world)->type->limit(system_of(world)).size;
    assert_true(viscous > 0);
    mote_world_destroy(world);
    char force[80];
    snprintf(force, sizeof force, "[{\"type\": \"damping_point\", \"g\": %.17g}]",
             1.9 * MASS / viscous);
    set_in_scene(scene, "forces", force);
    world = world_of_last(scene, NULL);
    assert_near(system_of(world)->type->limit(system_of(world)).size, 0.5 * viscous,
                1e-9 * viscous);
    mote_world_destroy(world);
}

/* ---- same bits ---- */

static const char CLOUD[] =
    "{\"time\": {\"end\": 9, \"step\": {\"type\": \"cfl\", \"max\": 0.004}}, \"fluid\": {\"spacing\": 0.02,"
    " \"jitter\": 0.1, \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.5, 0.5,"
    " 0.5]}]}]}, \"forces\": [{\"type\": \"drag\", \"linear\": 0.01, \"quadratic\": 0.02, \"wind\": [3, 1,"
    " 0]}, {\"type\": \"damping_point\", \"g\": 0.01}]}";

static void threads_do_not_matter(void **state)
{
    (void)state;
    static const int THREADS[] = {2, 3, 8};
    mote_world *one = world_of(CLOUD, 1);
    step_by(one, 6);
    for (int k = 0; k < 3; ++k) {
        mote_world *world = world_of(CLOUD, THREADS[k]);
        step_by(world, 6);
        assert_same_state(one, world);
        assert_true(measures_of(one).kinetic == measures_of(world).kinetic);
        mote_world_destroy(world);
    }
    mote_world_destroy(one);
}

/* Fluid is emitted at the left and removed at the right, accelerated by wind. */
static const char STREAM[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": {\"type\": \"cfl\", \"max\": 0.02}},"
    " \"fluid\": {\"spacing\": 0.05, \"phases\": [{}], \"emitters\": [{\"shape\": \"disc\", \"radius\": 0.15,"
    " \"center\": [0, 0, 0], \"direction\": [1, 0, 0], \"speed\": 1}], \"remove\": [{\"outside\": true,"
    " \"shape\": {\"type\": \"box\", \"min\": [-1, -1, -1], \"max\": [0.8, 1, 1]}}]}, \"forces\":"
    " [{\"type\": \"drag\", \"quadratic\": 0.5, \"wind\": [4, 0, 0]}]}";

static void resumed_runs_are_the_same(void **state)
{
    (void)state;
    mote_world *whole = world_of(STREAM, 1), *resumed = world_of(STREAM, 2);
    mote_error error = {0};
    step_by(whole, 150);
    assert_true(mote_world_fluid(whole).removed > 0 && mote_world_fluid(whole).emitted > 100);
    mote_snapshot *snapshot = snapshot_of(whole);
    need(mote_world_restore(resumed, snapshot, &error), &error, "restore");
    mote_snapshot_destroy(snapshot);
    for (int k = 0; k < 60; ++k) {
        step_by(whole, 1);
        step_by(resumed, 1);
        assert_same_state(whole, resumed);
    }
    mote_world_destroy(whole);
    mote_world_destroy(resumed);
}

/* ---- memory ---- */

/* Every allocation of a fluid with forces fails once, without leaks. */
static void failures_leave_nothing_behind(void **state)
{
    (void)state;
    mote_scene *scene = scene_of(STREAM);
    mote_status status = MOTE_ERROR_MEMORY;
    for (int64_t fail_at = 0; status != MOTE_OK; ++fail_at) {
        failing_allocator a;
        mote_config config = config_with(1, &a);
        mote_world *world = NULL;
        a.fail_at = fail_at;
        status = mote_world_create(scene, &config, &world, NULL);
        for (int k = 0; k < 3 && status == MOTE_OK; ++k) {
            status = mote_world_step(world, NULL, NULL);
        }
        mote_world_destroy(world);
        assert_true(status == MOTE_OK || status == MOTE_ERROR_MEMORY);
        assert_true(a.live == 0 && !a.misused);
    }
    mote_scene_destroy(scene);
}

static void steps_do_not_allocate(void **state)
{
    (void)state;
    failing_allocator a;
    mote_config config = config_with(1, &a);
    mote_world *world = world_of_last(
        scene_of(DROP("{\"type\": \"cfl\", \"max\": 0.002}", "\"dfsph\"",
                      "[{\"type\": \"drag\", \"linear\": 0.2, \"wind\": [0, 1, 0]}]")),
        &config);
    step_by(world, 100);
    int64_t calls = a.calls;
    step_by(world, 100);
    assert_int_equal(a.calls, calls);
    mote_world_destroy(world);
}

/* ---- energy ---- */

static bool is_open(const mote_world *world, const mo_world_def *def)
{
    mo_energy_budget budget = {0};
    world->systems[0].type->budget(&world->systems[0], def, &budget);
    return budget.open;
}

static void wind_does_work(void **state)
{
    (void)state;
    mote_world *still =
        world_of(DROP("0.001", "\"dfsph\"", "[{\"type\": \"drag\", \"linear\": 1}]"), 1);
    mote_world *windy = world_of(
        DROP("0.001", "\"dfsph\"", "[{\"type\": \"drag\", \"linear\": 1, \"wind\": [9, 0, 0]}]"),
        1);
    assert_false(is_open(still, NULL));
    assert_true(is_open(windy, NULL));
    double before = measures_of(still).kinetic;
    for (int k = 0; k < 200; ++k) {
        step_by(still, 1);
        step_by(windy, 1);
        double now = measures_of(still).kinetic;
        assert_true(now < before);
        before = now;
    }
    assert_true(measures_of(windy).kinetic > 10 * before);
    assert_int_equal(warnings_with(windy, "energy") + warnings_with(still, "energy"), 0);
    mote_world_destroy(still);
    mote_world_destroy(windy);
}

/* ---- attached forces ---- */

/* A harmonic trap f = -k x, with a column that counts new rows and advances. */
typedef struct trap {
    double k;
    mo_column *mark;
} trap;

static const mo_column_spec TRAP_COLUMNS[] = {
    {"mark", MOTE_F64, 1, MO_STATE, "1", "steps since it came"}, {0}};

static mote_status trap_begin(void *instance, const mo_force_args *args, int64_t first,
                              mo_pool *pool, mote_error *error)
{
    (void)pool, (void)error;
    for (int64_t row = first; row < args->rows; ++row) {
        mo_f64(((trap *)instance)->mark)[row] = 100;
    }
    return MOTE_OK;
}

static void trap_add(const void *instance, const mo_force_args *args, int64_t first, int64_t last)
{
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        args->f[k] -= ((const trap *)instance)->k * args->x[k];
    }
}

static double trap_energy(const void *instance, const mo_force_args *args, int64_t first,
                          int64_t last)
{
    double sum = 0;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        sum += 0.5 * ((const trap *)instance)->k * args->x[k] * args->x[k];
    }
    return sum;
}

static void trap_stiffness(const void *instance, const mo_force_args *args, int64_t first,
                           int64_t last, double *bound)
{
    (void)args;
    for (int64_t k = 3 * first; k < 3 * last; ++k) {
        bound[k] += ((const trap *)instance)->k;
    }
}

static mote_status trap_advance(void *instance, const mo_force_args *args, double h, mo_pool *pool,
                                mote_error *error)
{
    (void)h, (void)pool, (void)error;
    for (int64_t row = 0; row < args->rows; ++row) {
        mo_f64(((trap *)instance)->mark)[row] += 1;
    }
    return MOTE_OK;
}

static const mo_force_type TRAP = {.base = {.name = "trap", .columns = TRAP_COLUMNS},
                                   .begin = trap_begin,
                                   .add = trap_add,
                                   .advance = trap_advance,
                                   .energy = trap_energy,
                                   .stiffness = trap_stiffness};

static void attach_trap(mote_world *world, trap *t)
{
    mo_system *s = system_of(world);
    mo_force_context context = {.memory = s->host->memory, .store = s->store};
    mo_force force;
    mote_error error = {0};
    need(mo_force_create(&TRAP, t, &context, &force, &error), &error, "trap");
    t->mark = force.column[0];
    need(s->type->force_hooks->attach(s, &force, &error), &error, "attach");
}

/* The centre of mass oscillates with sqrt(k/m), independent of internal pressure. */
static void an_attached_trap_swings_the_drop(void **state)
{
    (void)state;
    mote_world *world = world_of(DROP("0.0005", "\"dfsph\"", "[]"), 1);
    trap t = {.k = 4 * MASS};
    attach_trap(world, &t);
    mo_step_bound bound = system_of(world)->type->limit(system_of(world));
    assert_near(bound.size, 0.95, 1e-12); /* 2/w = 1 s */
    mote_measures before = measures_of(world);
    double stiffness[3 * 216] = {0};
    system_of(world)->type->force_hooks->bound_stiffness(system_of(world), stiffness, NULL);
    assert_near(stiffness[3 * 215 + 2], t.k, 0);
    assert_true(before.potential > 0 && before.elastic == 0);
    advance_to(world, 0.5);
    mo_vec3 v = mean_velocity(world);
    assert_near(v.x, cos(1) - 0.15 * 2 * sin(1), 1e-3);
    assert_near(v.y, -0.15 * 2 * sin(1), 1e-3);
    mote_world_destroy(world);
}

static void new_rows_begin_and_all_advance(void **state)
{
    (void)state;
    mote_world *world = world_of(STREAM, 1);
    trap t = {.k = 1e-6};
    attach_trap(world, &t);
    step_by(world, 90);
    double least = INFINITY, most = 0;
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        least = fmin(least, mo_f64(t.mark)[row]);
        most = fmax(most, mo_f64(t.mark)[row]);
    }
    assert_true(least >= 100 && least < 110 && most > 130 && most <= 190);
    mote_world_destroy(world);
}

static void forces_between_particles_are_not_attached(void **state)
{
    (void)state;
    mote_world *world = world_of(DROP("0.001", "\"dfsph\"", "[]"), 1);
    mo_force force = {.type = &TRAP, .range = 1};
    mote_error error = {0};
    assert_int_equal(system_of(world)->type->force_hooks->attach(system_of(world), &force, &error),
                     MOTE_ERROR_INPUT);
    assert_says(error.text, "the force 'trap' cannot act on a fluid: it acts between particles");
    mote_world_destroy(world);
}

/* ---- callbacks ---- */

static void add_force(void *context, const mote_force_view *view)
{
    for (int64_t row = view->first; row < view->last; ++row) {
        view->f[3 * row + 1] += *(double *)context * view->mass[row] * view->time;
    }
}

static void callbacks_act_on_a_fluid_without_bodies(void **state)
{
    (void)state;
    double six = 6, nothing = NAN;
    mote_error error = {0};
    mote_world *world = world_of(DROP("0.0005", "\"dfsph\"", "[]"), 1);
    mote_world *other = world_of(DROP("0.0005", "\"dfsph\"", "[]"), 1);
    need(mote_world_add_force(world, add_force, &six, &error), &error, "callback");
    advance_to(world, 0.5);
    assert_near(velocity_error(world, mo_vec3_make(1, 3 * 0.25, 0)), 0, 1e-3);
    mote_snapshot *snapshot = snapshot_of(world);
    assert_int_equal(mote_world_restore(other, snapshot, &error), MOTE_ERROR_USAGE);
    need(mote_world_add_force(other, add_force, &six, &error), &error, "callback");
    need(mote_world_restore(other, snapshot, &error), &error, "restore");
    mote_snapshot_destroy(snapshot);
    step_by(world, 5);
    step_by(other, 5);
    assert_same_state(world, other);
    need(mote_world_add_force(other, add_force, &nothing, &error), &error, "callback");
    assert_int_equal(mote_world_step(other, NULL, &error), MOTE_ERROR_NUMERIC);
    assert_says(error.text, "a force callback");
    mote_world_destroy(world);
    mote_world_destroy(other);
}

/* In a world with bodies a callback acts on the bodies. */
static void callbacks_prefer_bodies(void **state)
{
    (void)state;
    double six = 6;
    mote_error error = {0};
    mote_scene *scene = scene_of(DROP("0.0005", "\"dfsph\"", "[]"));
    set_in_scene(scene, "bodies", BESIDE);
    mote_world *world = world_of_last(scene, NULL);
    need(mote_world_add_force(world, add_force, &six, &error), &error, "callback");
    advance_to(world, 0.5);
    assert_near(mo_length(mo_sub(mo_vec3_load(numbers_in(world, 0, "v")), mo_vec3_make(1, 0, 0))),
                0, 1e-3);
    assert_near(numbers_in(world, 1, "v")[1], 0.75, 1e-3);
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drag_relaxes_to_the_wind),
        cmocka_unit_test(point_damping_decays_exponentially),
        cmocka_unit_test(quadratic_drag_decays_hyperbolically),
        cmocka_unit_test(forces_add_to_gravity),
        cmocka_unit_test(pair_forces_need_bodies),
        cmocka_unit_test(bodies_and_fluid_share_external_forces),
        cmocka_unit_test(plane_fluids_take_no_force_along_z),
        cmocka_unit_test(damping_limits_the_step),
        cmocka_unit_test(limits_of_damping_add_up),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(resumed_runs_are_the_same),
        cmocka_unit_test(failures_leave_nothing_behind),
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(wind_does_work),
        cmocka_unit_test(an_attached_trap_swings_the_drop),
        cmocka_unit_test(new_rows_begin_and_all_advance),
        cmocka_unit_test(forces_between_particles_are_not_attached),
        cmocka_unit_test(callbacks_act_on_a_fluid_without_bodies),
        cmocka_unit_test(callbacks_prefer_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
