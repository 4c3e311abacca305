/*
 * Initial velocities: expressions, divergence-free noise, tables from files; and force fields by
 * expressions, on bodies and fluids.
 */
#include "fluid_worlds.h"
#include "refusals.h"

#include "geometry/flow/flow.h"

#define POINTS \
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.001}, \"bodies\": [{\"mass\": 3, " \
    "\"velocity\": [1, 0, 0], %s \"mesh\": {\"type\": \"points\", \"positions\": [[1, 2, 3], [0, " \
    "-1, 0.5], [4, 4, 4]]}}]%s}"

static void expressions_are_velocities(void **state)
{
    (void)state;
    mote_world *world = world_printf(
        1, POINTS,
        "\"flow\": {\"type\": \"expression\", \"velocity\": [\"-y\", \"x^2\", \"z/2\"]},", "");
    const double *x = numbers_of(world, "x"), *v = numbers_of(world, "v");
    for (int k = 0; k < 3; ++k) {
        assert_near(v[3 * k], 1 - x[3 * k + 1], 1e-15);
        assert_near(v[3 * k + 1], x[3 * k] * x[3 * k], 1e-15);
        assert_near(v[3 * k + 2], 0.5 * x[3 * k + 2], 1e-15);
    }
    mote_world_destroy(world);
}

static void bad_expressions_are_refused(void **state)
{
    (void)state;
    static const char *const CASES[][3] = {
        {"\"flow\": {\"type\": \"expression\", \"velocity\": [\"-y\", \"2*x)\", \"0\"]},", "",
         "bodies[0].flow.velocity[1]: column 4 of '2*x)': expected an operator"},
        {"\"flow\": {\"type\": \"expression\", \"velocity\": [\"-y\", \"x\"]},", "",
         "velocity: expected three expressions, along x, y and z, found 2"},
        {"\"flow\": {\"type\": \"expression\", \"velocity\": [\"1/(x-4)\", \"x\", \"0\"]},", "",
         "bodies[0].flow: the velocity at [4, 4, 4] m is [inf"},
        {"", ", \"forces\": [{\"type\": \"expression_field\"}]",
         "forces[0].acceleration: give acceleration, force or potential"},
        {"", ", \"forces\": [{\"type\": \"expression_field\", \"force\": [\"q\", \"0\", \"0\"]}]",
         "forces[0].force[0]: column 1 of 'q': there is no such name"},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        char text[1000];
        snprintf(text, sizeof text, POINTS, CASES[k][0], CASES[k][1]);
        need_refusal(text, CASES[k][2]);
    }
}

/* x'' = -4 x: cos(2 t); and an acceleration in time alone. */
static void fields_accelerate(void **state)
{
    (void)state;
    mote_world *world = world_printf(
        1, POINTS, "",
        ", \"integrator\": \"rk4\", \"forces\": [{\"type\": \"expression_field\", \"acceleration\": [\"-4*x\", \"0\", "
        "\"0\"]}, {\"type\": \"expression_field\", \"force\": [\"0\", \"6*cos(t)\", \"0\"]}]");
    advance_to(world, 1);
    double t = mote_world_time(world);
    const double *x = numbers_of(world, "x");
    assert_near(x[0], cos(2 * t) + 0.5 * sin(2 * t), 1e-5); /* from x = 1 with 1 m/s */
    assert_near(x[1], 2 + 6 * (1 - cos(t)), 1e-5);
    mote_world_destroy(world);
}

/* A rotating field acts on a fluid like gravity. */
static void fields_act_on_fluids(void **state)
{
    (void)state;
    static const char FLUID[] =
        "{\"gravity\": %s, \"time\": {\"end\": 9, \"step\": 0.002}, \"fluid\": {\"spacing\": 0.05, "
        "\"phases\": [{\"fill\": [{\"type\": \"sphere\", \"radius\": 0.2}]}]}, \"forces\": [%s]}";
    mote_world *plain = world_printf(1, FLUID, "[0, 0, -5]", "");
    mote_world *field = world_printf(1, FLUID, "[0, 0, 0]",
                                     "{\"type\": \"expression_field\", \"acceleration\": [\"0\", "
                                     "\"0\", \"-5\"]}");
    step_by(plain, 20);
    step_by(field, 20);
    int64_t rows = mo_store_owned(fluid_of(plain)->store);
    for (int64_t k = 0; k < 3 * rows; ++k) {
        assert_near(numbers_of(plain, "v")[k], numbers_of(field, "v")[k], 1e-4);
    }
    mote_world_destroy(plain);
    mote_world_destroy(field);
}

/* ---- noise ---- */

static mo_method flow_of(const char *text, mote_scene **scene, mote_world **world)
{
    char whole[1000];
    snprintf(whole, sizeof whole, POINTS, text, "");
    *scene = scene_of(whole);
    *world = world_of_scene(*scene, NULL);
    const mo_body_def *body = (*world)->def.bodies.items;
    return body->flow;
}

static void noise_has_no_divergence(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int planar = 0; planar < 2; ++planar) {
        mote_scene *scene;
        mote_world *world;
        double square = 0, h = 1e-4, worst = 0;
        mo_method flow = flow_of(planar ? "\"flow\": {\"type\": \"noise\", \"speed\": 2, "
                                          "\"length\": 0.5, \"planar\": true},"
                                        : "\"flow\": {\"type\": \"noise\", \"speed\": 2, "
                                          "\"length\": 0.5, \"seed\": 7},",
                                 &scene, &world);
        for (int k = 0; k < 20000; ++k) {
            mo_vec3 x = random_vec3(&random, 5), v = mo_flow_velocity(flow, x);
            square += mo_dot(v, v) / 20000;
            assert_true(!planar || v.z == 0);
            if (k < 200) {
                double divergence = 0;
                for (int c = 0; c < 3; ++c) {
                    mo_vec3 step = {c == 0 ? h : 0, c == 1 ? h : 0, c == 2 ? h : 0};
                    divergence += (mo_vec3_at(mo_flow_velocity(flow, mo_add(x, step)), c) -
                                   mo_vec3_at(mo_flow_velocity(flow, mo_sub(x, step)), c)) /
                                  (2 * h);
                }
                worst = fmax(worst, fabs(divergence));
            }
        }
        assert_near(sqrt(square), 2, 0.1);
        assert_true(worst < 1e-4); /* of gradients of about 25/s */
        mote_world_destroy(world);
        mote_scene_destroy(scene);
    }
}

/* ---- tables ---- */

static void tables_give_the_nearest_row(void **state)
{
    (void)state;
    enum { ROWS = 500 };
    static double rows[ROWS][6];
    uint64_t random = 3;
    char path[] = "geometry_flow_XXXXXX", text[200];
    int file = mkstemp(path);
    FILE *stream = fdopen(file, "w");
    fprintf(stream, "# x y z vx vy vz\n");
    for (int k = 0; k < ROWS; ++k) {
        for (int c = 0; c < 6; ++c) {
            rows[k][c] = random_between(&random, -1, c == 2 ? 0 : 2);
        }
        fprintf(stream,
                k % 2 ? "%.17g, %.17g, %.17g, %.17g, %.17g, %.17g\n"
                      : "%.17g %.17g %.17g %.17g %.17g %.17g\n\n",
                rows[k][0], rows[k][1], rows[k][2], rows[k][3], rows[k][4], rows[k][5]);
    }
    fclose(stream);
    mote_scene *scene;
    mote_world *world;
    snprintf(text, sizeof text, "\"flow\": {\"type\": \"table\", \"file\": \"%s\"},", path);
    mo_method flow = flow_of(text, &scene, &world);
    for (int k = 0; k < 3000; ++k) {
        mo_vec3 x = random_vec3(&random, 4);
        int nearest = 0;
        double least = INFINITY;
        for (int n = 0; n < ROWS; ++n) {
            double away = mo_length(mo_sub(mo_vec3_load(rows[n]), x));
            nearest = away < least ? n : nearest;
            least = fmin(least, away);
        }
        assert_near_vec3(mo_flow_velocity(flow, x), mo_vec3_load(rows[nearest] + 3), 0);
    }
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    stream = fopen(path, "w");
    fprintf(stream, "1 2 3 4 5 6\n1 2 3 4\n");
    fclose(stream);
    char whole[1000];
    snprintf(whole, sizeof whole, POINTS, text, "");
    need_refusal(whole, "file: line 2: expected six finite numbers");
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_are_velocities), cmocka_unit_test(bad_expressions_are_refused),
        cmocka_unit_test(fields_accelerate),          cmocka_unit_test(fields_act_on_fluids),
        cmocka_unit_test(noise_has_no_divergence),    cmocka_unit_test(tables_give_the_nearest_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
