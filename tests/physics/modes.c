/*
 * Natural frequencies: multiple ones, very low ones, of planar bodies, of bodies on the ground.
 */
#include "worlds.h"

#include <math.h>
#include <string.h>

static void find(mote_world *world, int count, double *omega)
{
    find_modes(world, count, omega);
    for (int k = 1; k < count; ++k) {
        assert_true(omega[k] >= omega[k - 1] * (1 - 1e-9));
    }
}

#define HEAD "{\"time\": {\"end\": 1, \"step\": 0.01}, \"gravity\": [0, 0, 0], \"bodies\": ["
#define STEEL \
    "\"density\": 1000, \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"linear\", \"young\": 1e9," \
    " \"poisson\": 0.3}}"

/* Twenty equal cantilevers with a square section: the first frequency has multiplicity forty,
 * others twenty. */
static void equal_bodies_have_equal_frequencies(void **state)
{
    enum { BODIES = 20, COUNT = 45 };
    static char text[BODIES * 400];
    double one[4], omega[COUNT];
    (void)state;
    for (int bodies = 1; bodies <= BODIES; bodies += BODIES - 1) {
        size_t length = (size_t)snprintf(text, sizeof text, HEAD);
        for (int k = 0; k < bodies; ++k) {
            length += (size_t)snprintf(
                text + length, sizeof text - length,
                "%s{\"mesh\": {\"type\": \"block\", \"min\": [0, %g, 0], \"max\": [0.4, %g, 0.2], \"nx\": 5, "
                "\"ny\": 3, \"nz\": 3, \"tetrahedra\": 5}, " STEEL
                ", \"pins\": [{\"set\": \"x0\"}]}",
                k > 0 ? "," : "", 0.5 * k, 0.5 * k + 0.2);
        }
        snprintf(text + length, sizeof text - length, "]}");
        mote_world *world = world_of(text, 1);
        find(world, bodies == 1 ? 4 : COUNT, bodies == 1 ? one : omega);
        mote_world_destroy(world);
    }
    for (int k = 0; k < COUNT; ++k) {
        double exact = one[k / BODIES];
        if (!(fabs(omega[k] - exact) < 1e-6 * exact)) {
            fail_msg("frequency %d is %.9g, not %.9g rad/s", k, omega[k], exact);
        }
    }
}

#define THIN(thick, segments, pins) \
    HEAD \
        "{\"mesh\": {\"type\": \"beam\", \"start\": [0, 0, 0], \"end\": [1, 0, 0], \"width\": " thick \
        ", \"height\": " thick ", \"segments\": " segments \
        ", \"across\": 1, \"high\": 1}, " STEEL pins "}]}"

/* The ratio of the first two bending modes of a beam with one cell across, whose stiffness
 * errors cancel: x^2 of cosh x cos x = 1, or -1. */
static void check_ratio(const char *name, double first, double second, double x, double y)
{
    print_message("%s: %.6g %.6g rad/s\n", name, first, second);
    assert_true(first > 0);
    assert_true(fabs(second / first * (x * x) / (y * y) - 1) < 1e-2);
}

/* Slenderness of a thousand and three thousand: the square of the first frequency is 1e-13 of
 * that of an element. One, three and nine modes. */
static void slender_bodies_are_not_rigid(void **state)
{
    double omega[9], few[3];
    (void)state;
    mote_world *world = world_of(THIN("0.0003", "3000", ""), 1);
    find(world, 1, few);
    find(world, 3, few);
    find(world, 9, omega);
    for (int k = 0; k < 6; ++k) {
        assert_true(omega[k] == 0);
    }
    check_ratio("free beam", omega[6], omega[8], 4.730040745, 7.853204624);
    mote_world_destroy(world);
    world = world_of(THIN("0.001", "1000", ", \"pins\": [{\"set\": \"start\"}]"), 1);
    find(world, 1, omega);
    find(world, 3, few);
    assert_true(fabs(omega[0] - few[0]) < 1e-4 * few[0]);
    check_ratio("cantilever", few[0], few[2], 1.875104069, 4.694091133);
    mote_world_destroy(world);
}

/* A soft and a stiff body, both free: twelve rigid-body modes, followed by the modes of the soft
 * one. */
static void soft_and_hard_bodies_together(void **state)
{
    double alone[8], both[14];
    static const char JELLY[] =
        "{\"mesh\": {\"type\": \"block\", \"max\": [1, 0.2, 0.2], \"nx\": 6, \"ny\": 2, \"nz\": 2,"
        " \"tetrahedra\": 6}, " STEEL "}";
    static const char CHIP[] =
        "{\"mesh\": {\"type\": \"block\", \"min\": [3, 0, 0], \"max\": [3.03, 0.03, 0.03], \"nx\": 5,"
        " \"ny\": 5, \"nz\": 5, \"tetrahedra\": 5}, \"density\": 7800, \"model\": {\"type\": \"fem\","
        " \"material\": {\"type\": \"linear\", \"young\": 2e11, \"poisson\": 0.3}}}";
    (void)state;
    mote_world *world = world_printf(1, HEAD "%s]}", JELLY);
    find(world, 8, alone);
    mote_world_destroy(world);
    world = world_printf(1, HEAD "%s, %s]}", JELLY, CHIP);
    find(world, 14, both);
    for (int k = 0; k < 14; ++k) {
        double exact = k < 12 ? 0 : alone[k - 6];
        assert_true(fabs(both[k] - exact) <= 1e-6 * exact);
    }
    mote_world_destroy(world);
}

#define PLATE(pins) \
    HEAD \
        "{\"mesh\": {\"type\": \"cloth\", \"u\": [1, 0, 0], \"v\": [0, 0.1, 0], \"columns\": 41, \"rows\":" \
        " 9}, \"density\": 1, \"model\": {\"type\": \"fem\", \"triangles\": \"plane_stress\"," \
        " \"thickness\": 0.001, \"material\": {\"type\": \"linear\", \"young\": 1e7, \"poisson\": 0}}" pins \
        "}]}"

/* In its plane a plate has three rigid-body modes, and fixed at one end those of a cantilever:
 * 1.8751^2 sqrt(E I/(rho A L^4)), slightly overestimated by linear triangles. */
static void plane_bodies_move_in_their_plane(void **state)
{
    double omega[4];
    mote_error error = {0};
    (void)state;
    mote_world *world = world_of(PLATE(""), 1);
    find(world, 4, omega);
    assert_true(omega[2] == 0 && omega[3] > 1);
    int all = 2 * 41 * 9;
    assert_int_equal(mote_world_modes(world, all + 1, omega, NULL, &error), MOTE_ERROR_INPUT);
    assert_says(error.text, "738 degrees of freedom");
    mote_world_destroy(world);
    world = world_of(PLATE(", \"pins\": [{\"set\": \"u0\"}]"), 1);
    find(world, 2, omega);
    double exact = 1.875104069 * 1.875104069 * sqrt(1e7 * 0.1 * 0.1 / 12 / 1000);
    print_message("plate: %.6g rad/s, beam %.6g\n", omega[0], exact);
    assert_true(omega[0] > 0.97 * exact && omega[0] < 1.1 * exact);
    mote_world_destroy(world);
}

#define CUBE(gravity, foot) \
    "{\"time\": {\"end\": 1, \"step\": 0.01}, \"gravity\": [0, 0, " gravity \
    "], \"bodies\": [{\"mesh\": " \
    "{\"type\": \"block\", \"max\": [0.4, 0.4, 0.4], \"nx\": 5, \"ny\": 5, \"nz\": 5, \"tetrahedra\": 5}, " \
    "\"density\": 1000, \"model\": {\"type\": \"fem\", \"material\": {\"type\": \"linear\", \"young\": 1e5," \
    " \"poisson\": 0.3}}" foot "}"

/* A block on the ground is constrained by friction as by pins, without friction along the normal
 * only. */
static void the_ground_supports_bodies(void **state)
{
    double pinned[6], rough[6], smooth[6];
    (void)state;
    mote_world *world = world_of(CUBE("0", ", \"pins\": [{\"set\": \"z0\"}]") "]}", 1);
    find(world, 6, pinned);
    mote_world_destroy(world);
    world = world_of(
        CUBE("-9.81",
             "") "], \"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"friction\": 0.5}]}",
        1);
    find(world, 6, rough);
    mote_world_destroy(world);
    world =
        world_of(CUBE("-9.81", "") "], \"colliders\": [{\"shape\": {\"type\": \"plane\"}}]}", 1);
    find(world, 6, smooth);
    mote_world_destroy(world);
    for (int k = 0; k < 6; ++k) {
        assert_true(fabs(rough[k] - pinned[k]) < 1e-6 * pinned[k]);
    }
    assert_true(smooth[2] == 0); /* two translations and one rotation */
    assert_true(smooth[3] > 1 && smooth[3] < 2 * pinned[0]);
}

#define TOWER_BLOCK(low, high, nz) \
    "{\"mesh\": {\"type\": \"block\", \"min\": [0, 0, " low "], \"max\": [0.3, 0.3, " high \
    "], \"nx\": 5, \"ny\": 5, \"nz\": " nz \
    ", \"tetrahedra\": 5}, \"density\": 1000, \"model\": {\"type\": " \
    "\"fem\", \"material\": {\"type\": \"corotated\", \"young\": 1e5, \"poisson\": 0.3}}}"
#define TOWER(blocks) \
    "{\"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [" blocks \
    "], \"body_contact\": {\"stiffness\": 5, \"gap\": 0.005, \"friction\": 0.5}, " \
    "\"colliders\": [{\"shape\": {\"type\": \"plane\"}, \"friction\": 0.5}]}"

/* A block on a block, connected by friction: nearly one block of both heights, since the whole
 * interface is in compression. */
static void friction_stabilises_a_stack(void **state)
{
    static const char *const SCENES[] = {
        TOWER(TOWER_BLOCK("0", "0.4", "5")),
        TOWER(TOWER_BLOCK("0", "0.2", "3") "," TOWER_BLOCK("0.205", "0.405", "3"))};
    double omega[2][4];
    (void)state;
    for (int k = 0; k < 2; ++k) {
        mote_world *world = world_of(SCENES[k], 1);
        solve_static(world);
        find(world, 4, omega[k]);
        print_message("%.6g %.6g %.6g %.6g rad/s\n", omega[k][0], omega[k][1], omega[k][2],
                      omega[k][3]);
        double first = omega[k][0];
        find(world, 4, omega[k]); /* the analysis does not change the state */
        assert_true(omega[k][0] == first);
        mote_world_destroy(world);
    }
    for (int n = 0; n < 4; ++n) {
        assert_true(fabs(omega[1][n] / omega[0][n] - 1) < 0.02);
    }
}

/* A square of side a and mass m supported by a smooth bowl at its corners oscillates as a rigid
 * body about the centre of the bowl, L above it. Its two triangles give m/3 to each corner of
 * their common diagonal and m/6 to the others: the inertias about the diagonals are m (L^2 +
 * a^2/3) and m (L^2 + a^2/6), the frequencies sqrt(g L/(L^2 + a^2/3)) and sqrt(g L/(L^2 +
 * a^2/6)). The rotation about the vertical is free. */
static void plates_swing_in_bowls(void **state)
{
    double omega[4], side = 0.4, down = sqrt(1 - side * side / 2);
    (void)state;
    mote_world *world = world_printf(
        1,
        "{\"time\": {\"end\": 1, \"step\": 0.01}, \"bodies\": [{\"density\": 1, \"mesh\": {\"type\": "
        "\"cloth\", "
        "\"origin\": [-0.2, -0.2, %.17g], \"u\": [0.4, 0, 0], \"v\": [0, 0.4, 0], \"columns\": 2, \"rows\": "
        "2}, "
        "\"model\": {\"type\": \"fem\", \"thickness\": 0.001, \"material\": {\"type\": \"corotated\", "
        "\"young\": "
        "1e8}}}], \"colliders\": [{\"shape\": {\"type\": \"sphere\", \"radius\": 1}, \"inside\": true}]}",
        -down);
    solve_static(world);
    find(world, 4, omega);
    print_message("%.6g %.6g %.6g %.6g rad/s\n", omega[0], omega[1], omega[2], omega[3]);
    assert_true(omega[0] < 1e-3 && omega[3] > 20);
    for (int k = 1; k < 3; ++k) {
        double exact = sqrt(9.81 * down / (down * down + side * side / (3 * k)));
        assert_true(fabs(omega[k] - exact) < 1e-5 * exact);
    }
    mote_world_destroy(world);
}

static void fixed_nodes_do_not_vibrate(void **state)
{
    double omega[1];
    mote_error error = {0};
    (void)state;
    mote_world *world = world_of(CUBE("0", ", \"pins\": [{\"set\": \"all\"}]") "]}", 1);
    assert_int_equal(mote_world_modes(world, 1, omega, NULL, &error), MOTE_ERROR_INPUT);
    assert_says(error.text, "all particles are fixed");
    mote_world_destroy(world);
}

/* ---- with a fluid ---- */

#define CLAMPED \
    HEAD \
        "{\"mesh\": {\"type\": \"block\", \"min\": [0, 0, 0], \"max\": [0.4, 0.2, 0.2], \"nx\": 5, " \
        "\"ny\": 3, \"nz\": 3, \"tetrahedra\": 5}, " STEEL ", \"pins\": [{\"set\": \"x0\"}]}]"
#define DROP \
    ", \"fluid\": {\"spacing\": 0.1, \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [5, 5, 5], " \
    "\"max\": [5.2, 5.2, 5.2]}]}]}"

/* Modes and their frames belong to the bodies, for any order of systems: their shapes have more
 * rows than the fluid, which must not move. */
static void modes_are_of_the_bodies_beside_a_fluid(void **state)
{
    enum { COUNT = 4 };
    double alone[COUNT], beside[COUNT];
    char directory[80];
    mote_scene *scene = scene_of(CLAMPED DROP ", \"output\": {\"formats\": [\"ply\"]}}");
    mote_world *world = world_of(CLAMPED "}", 1);
    mote_error error = {0};
    (void)state;
    find(world, COUNT, alone);
    snprintf(directory, sizeof directory, "%s/mote-modes-%d", P_tmpdir, (int)getpid());
    need(mote_run_modes(scene, NULL, directory, COUNT, true, beside, &error), &error, "modes");
    assert_int_equal(remove_folder(directory), 0);
    for (int k = 0; k < COUNT; ++k) {
        assert_true(fabs(beside[k] - alone[k]) < 1e-9 * alone[k]);
    }
    mote_scene_destroy(scene);
    mote_world_destroy(world);
}

/* A static solve moves the bodies, so their integrator discards its history. */
static void static_solves_touch_the_bodies_beside_a_fluid(void **state)
{
    (void)state;
    mote_world *world = world_of(CLAMPED DROP "}", 1);
    mote_column age = column_of(world, mote_world_system_find(world, "forces"), "age");
    step_by(world, 3);
    for (int64_t row = 0; row < age.rows; ++row) {
        assert_int_equal(((const uint8_t *)age.data)[row], 3);
    }
    solve_static(world);
    for (int64_t row = 0; row < age.rows; ++row) {
        assert_int_equal(((const uint8_t *)age.data)[row], 0);
    }
    mote_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_bodies_have_equal_frequencies),
        cmocka_unit_test(slender_bodies_are_not_rigid),
        cmocka_unit_test(soft_and_hard_bodies_together),
        cmocka_unit_test(plane_bodies_move_in_their_plane),
        cmocka_unit_test(the_ground_supports_bodies),
        cmocka_unit_test(friction_stabilises_a_stack),
        cmocka_unit_test(plates_swing_in_bowls),
        cmocka_unit_test(fixed_nodes_do_not_vibrate),
        cmocka_unit_test(modes_are_of_the_bodies_beside_a_fluid),
        cmocka_unit_test(static_solves_touch_the_bodies_beside_a_fluid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
