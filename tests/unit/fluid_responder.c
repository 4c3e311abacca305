/*
 * Free bodies in a pressure solve: the wrench on them and the density rate of their acceleration
 * are transposes, momentum is conserved, solves converge, and the buoyancy is correct.
 */
#include "worlds.h"

#include "collide/body_solve.h"
#include "fluid/pressure/solve.h"
#include "fluid/sph/reaction.h"
#include "fluid/sph/response.h"
#include "fluid/sph/wall_entries.h"
#include "math/random.h"
#include "system/fluid/fluid.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

static mo_fluid *fluid_of(mote_world *world)
{
    return &((mo_fluid_system *)world->systems[0].state)->fluid;
}

/* ---- a rigid box ---- */

typedef struct rigid {
    mo_free_body body;
    mo_body_solve solve;
    mo_responder responder;
    mo_vec3 center, moved; /* rest position, and displacement from it */
    mo_twist velocity;
    double time;     /* time of `moved` */
    mo_twist kicked; /* accelerations times h since the last query */
} rigid;

static void rigid_pose(void *context, int body, double time, mo_pose *pose, mo_vec3 *center)
{
    const rigid *r = context;
    (void)body;
    *pose = mo_pose_identity();
    mo_vec3 way = mo_add_scaled(r->moved, time - r->time, r->velocity.linear);
    *center = mo_add(r->center, way);
    /* v + w x (x - p) of a body that turns about its centre */
    pose->p = way;
    pose->v = mo_add(r->velocity.linear, mo_cross(r->velocity.angular, mo_sub(way, *center)));
    pose->w = r->velocity.angular;
}

static void rigid_respond(void *context, const mo_added_inertia *added, const mo_wrench *wrench,
                          mo_twist *a)
{
    mo_body_solve_respond(&((rigid *)context)->solve, added, wrench, a);
}

static mo_twist twist_add(mo_twist t, double h, const mo_twist *a)
{
    return (mo_twist){mo_add_scaled(t.linear, h, a->linear),
                      mo_add_scaled(t.angular, h, a->angular)};
}

static void rigid_kick(void *context, const mo_wrench *wrench, const mo_twist *a, double h)
{
    rigid *r = context;
    (void)wrench;
    r->velocity = twist_add(r->velocity, h, a);
    r->kicked = twist_add(r->kicked, h, a);
}

/* A cube with this edge; mass INFINITY: fixed. */
static rigid *free_cube(mote_world *world, int collider, mo_vec3 center, double edge, double mass)
{
    rigid *r = calloc(1, sizeof *r);
    mote_error error = {0};
    r->center = center;
    r->body.collider = collider;
    r->body.inverse_mass = 1 / mass;
    r->body.inverse_inertia = mo_mat3_identity();
    for (int k = 0; k < 3; ++k) {
        r->body.inverse_inertia.m[4 * k] = 6 / (mass * edge * edge);
    }
    r->responder = (mo_responder){.context = r,
                                  .count = 1,
                                  .bodies = &r->body,
                                  .pose = rigid_pose,
                                  .respond = rigid_respond,
                                  .kick = rigid_kick};
    mo_body_solve_init(&r->solve, fluid_of(world)->memory);
    assert_int_equal(mo_body_solve_begin(&r->solve, 1, &r->body, 0, &error), MOTE_OK);
    assert_int_equal(mo_fluid_set_responder(fluid_of(world), &r->responder, &error), MOTE_OK);
    return r;
}

static void release(rigid *r)
{
    mo_body_solve_release(&r->solve);
    free(r);
}

/* A cube around CENTER whose boundary particles are lattice points, in a block of water or in a
 * completely filled tank. */
static mote_world *cube_world(bool tank, const char *pressure, const char *gravity, int threads)
{
    char text[1400];
    snprintf(
        text, sizeof text,
        "{\"gravity\": %s, \"time\": {\"end\": 9, \"step\": 0.001}, \"fluid\": {\"spacing\": 0.05, "
        "\"jitter\": %s, \"pressure\": %s, \"artificial_viscosity\": 0, \"viscosity\": {\"type\": "
        "\"laplacian\", \"nu\": %s, "
        "\"wall\": 0},"
        " \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.6, 0.6, "
        "0.6]}]}]},"
        " \"colliders\": [{\"name\": \"cube\", \"shape\": {\"type\": \"box\", \"min\": [0.225, "
        "0.225, 0.225],"
        "   \"max\": [0.375, 0.375, 0.375]}}%s]}",
        gravity, tank ? "0" : "0.1", pressure, tank ? "0.01" : "0.001",
        tank ? ", {\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [-0.025, -0.025, "
               "-0.025], "
               "\"max\": [0.625, 0.625, 1.5]}}"
             : "");
    return world_of(text, threads);
}

static const mo_vec3 CENTER = {0.3, 0.3, 0.3};
static const double EDGE = 0.15, RHO = 1000, G = 9.81;

/* ---- one solve ---- */

static void wrench_and_rate_are_transposes(void **state)
{
    (void)state;
    mote_world *world = cube_world(false, "\"dfsph\"", "[0, 0, 0]", 2);
    mo_fluid *f = fluid_of(world);
    mote_error error = {0};
    rigid *r = free_cube(world, 0, CENTER, EDGE, 5);
    assert_int_equal(mo_fluid_update(f, 0, &error), MOTE_OK);
    assert_true(f->response.count > 100);
    float *k = malloc((size_t)f->rows * sizeof *k), *rate = calloc((size_t)f->rows, sizeof *rate);
    for (int trial = 0; trial < 5; ++trial) {
        mo_twist t = {mo_random_cube(7, 0, (uint64_t)trial, 0),
                      mo_random_cube(8, 0, (uint64_t)trial, 0)};
        mo_wrench wrench;
        double by_rows = 0, exact = 0, size = 0;
        for (int64_t row = 0; row < f->rows; ++row) {
            k[row] = (float)(1000 * mo_random_cube(9, (uint32_t)trial, (uint64_t)row, 0).x);
            rate[row] = 0;
        }
        mo_response_wrench(f, k, &wrench);
        mo_response_rates(f, &t, rate);
        for (int64_t row = 0; row < f->rows; ++row) {
            double scale = mo_f64(f->columns.mass)[row] * (double)f->specific[row] * (double)k[row],
                   own = 0;
            for (int64_t e = f->walls.first[row]; e < f->walls.first[row + 1]; ++e) {
                const mo_wall_entry *entry = &f->walls.entries[e];
                mo_wrench J = {0};
                mo_wrench_add_force(&J, mo_wall_entry_gradient(entry),
                                    mo_wall_entry_arm(f, row, entry));
                own += f->walls.pieces[entry->piece].body >= 0 ? mo_wrench_dot(J, t) : 0;
            }
            by_rows -= scale * (double)rate[row];
            exact += scale * own;
            size += fabs(scale * own);
        }
        assert_near(mo_wrench_dot(wrench, t), exact, 1e-13 * size);
        assert_near(mo_wrench_dot(wrench, t), by_rows, 1e-7 * size); /* rates are floats */
    }
    free(k);
    free(rate);
    release(r);
    mote_world_destroy(world);
}

/* A solve of the existing compression, without gravity. */
static mo_solve_result solve(mo_fluid *f, float *k)
{
    static const mo_solve_def DEF = {.tolerance = 1e-4, .omega = 0.5, .least = 2, .most = 200};
    mo_solve_result result;
    mote_error error = {0};
    assert_int_equal(mo_fluid_update(f, 0, &error), MOTE_OK);
    for (int64_t row = 0; row < f->rows; ++row) {
        f->source[row] = 1 - f->density[row] - 0.02f;
        k[row] = 0;
    }
    assert_int_equal(mo_solve_pressure(f, &DEF, f->source, 1e-6, k, &result, &error), MOTE_OK);
    return result;
}

static void solves_converge_and_conserve_momentum(void **state)
{
    /* 8 kg is that of the displaced water */
    static const double MASSES[] = {800, 8, 2, 0.5, 0.008};
    int heavy = 0;
    (void)state;
    for (int m = 0; m < 5; ++m) {
        mote_world *world = cube_world(false, "\"dfsph\"", "[0, 0, 0]", 2);
        mo_fluid *f = fluid_of(world);
        mote_error error = {0};
        rigid *r = free_cube(world, 0, CENTER, EDGE, MASSES[m]);
        int64_t rows = mote_world_rows(world, 0);
        float *k = malloc((size_t)rows * sizeof *k);
        mo_solve_result result = solve(f, k);
        print_message("%g kg: %d iterations, residual %.2g to %.2g\n", MASSES[m], result.iterations,
                      result.begun, result.residual);
        assert_true(result.iterations < 200 && result.residual <= 1e-4);
        assert_true(result.begun > 10 * result.residual);
        heavy = m == 0 ? result.iterations : heavy;
        assert_true(result.iterations <= heavy + 3); /* whatever the mass is */
        mo_fluid_begin_reactions(f, 0, 0.001);
        assert_int_equal(mo_fluid_react(f, k, 0.001, &error), MOTE_OK);
        mo_vec3 linear = mo_scale(MASSES[m], r->velocity.linear),
                angular = mo_cross(CENTER, linear);
        double size = 0;
        angular = mo_add_scaled(angular, MASSES[m] * EDGE * EDGE / 6, r->velocity.angular);
        assert_true(mo_length(linear) > 0);
        for (int64_t row = 0; row < f->rows; ++row) {
            const float *acceleration = f->acceleration + 4 * row;
            mo_vec3 x = mo_vec3_load(mo_f64(f->columns.x) + 3 * row);
            mo_vec3 p = mo_scale(0.001 * mo_f64(f->columns.mass)[row],
                                 mo_vec3_make((double)acceleration[0], (double)acceleration[1],
                                              (double)acceleration[2]));
            linear = mo_add(linear, p);
            angular = mo_add(angular, mo_cross(x, p));
            size += mo_length(p);
        }
        assert_true(mo_length(linear) < 1e-7 * size);
        assert_true(mo_length(angular) < 1e-7 * size);
        free(k);
        release(r);
        mote_world_destroy(world);
    }
}

/* ---- steps ---- */

/* A step with free fall of the body before the pressure solve. */
static void step_with(mote_world *world, rigid *r)
{
    double h = 0.001;
    r->time = mote_world_time(world);
    if (r->body.inverse_mass > 0) {
        r->velocity.linear.z -= G * h;
    }
    step_by(world, 1);
    r->moved = mo_add_scaled(r->moved, mote_world_time(world) - r->time, r->velocity.linear);
    r->time = mote_world_time(world);
}

static void infinitely_heavy_bodies_are_prescribed(void **state)
{
    static const char *const SOLVERS[] = {"\"dfsph\"", "\"iisph\"", "\"pbf\""};
    (void)state;
    for (int s = 0; s < 3; ++s) {
        mote_world *fixed = cube_world(true, SOLVERS[s], "[0, 0, -9.81]", 1),
                   *heavy = cube_world(true, SOLVERS[s], "[0, 0, -9.81]", 2);
        rigid *r = free_cube(heavy, 0, CENTER, EDGE, INFINITY);
        for (int k = 0; k < 10; ++k) {
            step_by(fixed, 1);
            step_with(heavy, r);
        }
        assert_true(mote_world_state_hash(fixed) == mote_world_state_hash(heavy));
        release(r);
        mote_world_destroy(fixed);
        mote_world_destroy(heavy);
    }
}

/* A neutrally buoyant body is in equilibrium: pressure accelerates it by g. 0.4 s after its fill
 * fell the water still sloshes at 0.12 m/s, at the limit of quiescent fluid of dfsph. */
static void buoyancy_is_that_of_the_displaced_water(void **state)
{
    static const char *const SOLVERS[] = {"\"dfsph\"", "\"iisph\""};
    (void)state;
    for (int s = 0; s < 2; ++s) {
        mote_world *world = cube_world(true, SOLVERS[s], "[0, 0, -9.81]", 2);
        mo_fluid *f = fluid_of(world);
        mote_error error = {0};
        double lift = 0, displaced = RHO * pow(EDGE, 3);
        assert_int_equal(mo_fluid_want_reactions(f, &error), MOTE_OK);
        step_by(world, 300);
        for (int k = 0; k < 100; ++k) {
            step_by(world, 1);
            lift += mo_reactions_of(&f->reactions, 0).wrench.force.z / 100;
        }
        print_message("%s: displaced %.3f of its volume\n", SOLVERS[s], lift / (G * displaced));
        assert_near(lift / (G * displaced), 1, 0.1);
        rigid *r = free_cube(world, 0, CENTER, EDGE, lift / G);
        for (int k = 0; k < 50; ++k) {
            step_with(world, r);
        }
        double time = 50 * 0.001;
        print_message("%s: acceleration by pressure %.3f g, moved %.2g m\n", SOLVERS[s],
                      r->kicked.linear.z / (G * time), r->moved.z);
        assert_near(r->kicked.linear.z / (G * time), 1, 0.05);
        assert_true(fabs(r->moved.z) < 0.025 * G * time * time);
        release(r);
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrench_and_rate_are_transposes),
        cmocka_unit_test(solves_converge_and_conserve_momentum),
        cmocka_unit_test(infinitely_heavy_bodies_are_prescribed),
        cmocka_unit_test(buoyancy_is_that_of_the_displaced_water),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
