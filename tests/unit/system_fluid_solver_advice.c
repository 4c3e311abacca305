/*
 * Flows unsuitable for a pressure solver, and lids without effect, are reported before the start,
 * others are not.
 */
#include "worlds.h"

static const char EXCHANGE[] = "slows their exchange", EDDIES[] = "eddies are dissipated too fast",
                  SHIFTING[] = "gains energy with it";

/* A box of 20 x 10 particles; `fluid` are keys of the fluid. */
static mote_world *box(const char *fluid, const char *phases, double roof)
{
    return world_printf(
        1,
        "{\"up\": \"y\", \"time\": {\"end\": 9, \"step\": 0.001},"
        " \"fluid\": {\"dimension\": 2, \"spacing\": 0.05%s, \"phases\": [%s]},"
        " \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, -1],"
        "   \"max\": [1, %g, 1]}}]}",
        fluid, phases, roof);
}

#define PHASE(density, low, high) \
    "{\"density\": " density ", \"fill\": [{\"type\": \"box\", \"min\": [" low \
    ", -1], \"max\": [" high ", 1]}]}"
#define LEFT(density) PHASE(density, "0, 0", "0.5, 0.5")
#define RIGHT(density) PHASE(density, "0.5, 0", "1, 0.5")
#define BELOW(density) PHASE(density, "0, 0", "1, 0.25")
#define ABOVE(density) PHASE(density, "0, 0.25", "1, 0.5")

static bool box_is_warned_about(const char *fluid, const char *phases, double roof,
                                const char *part)
{
    mote_world *world = box(fluid, phases, roof);
    bool told = warning_with(world, part) != NULL;
    mote_world_destroy(world);
    return told;
}

static void phases_that_exchange_are_warned_about(void **state)
{
    (void)state;
    assert_true(box_is_warned_about("", LEFT("1000") ", " RIGHT("900"), 0.5, EXCHANGE));
    assert_true(box_is_warned_about("", LEFT("900") ", " RIGHT("1000"), 1, EXCHANGE));
    assert_true(box_is_warned_about("", BELOW("900") ", " ABOVE("1000"), 1, EXCHANGE));
    assert_true(box_is_warned_about(", \"pressure\": \"iisph\"", LEFT("1000") ", " RIGHT("900"), 1,
                                    "and iisph slows their exchange"));
    assert_false(box_is_warned_about("", BELOW("1000") ", " ABOVE("900"), 1, EXCHANGE));
    assert_false(box_is_warned_about("", LEFT("1000") ", " RIGHT("1000"), 1, EXCHANGE));
    assert_false(box_is_warned_about(", \"quality\": \"accurate\"", LEFT("1000") ", " RIGHT("900"),
                                     1, EXCHANGE));
}

/* isph is recommended only where it is stable. */
static void the_remedy_follows_from_the_densities(void **state)
{
    static const char ACCURATE[] = "use \"quality\": \"accurate\"";
    (void)state;
    assert_true(box_is_warned_about("", LEFT("1000") ", " RIGHT("900"), 1, ACCURATE));
    assert_false(box_is_warned_about("", LEFT("1000") ", " RIGHT("10"), 1, ACCURATE));
    assert_true(box_is_warned_about("", LEFT("1000") ", " RIGHT("10"), 1, "a wider support"));
}

#define MOVING(nu) ", \"viscosity\": " nu
#define STREAM \
    "{\"velocity\": [1, 0, 0], \"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 0.5, 1]}]}"
#define STILL "{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, 0.5, 1]}]}"

static void lost_eddies_are_warned_about(void **state)
{
    (void)state;
    assert_true(box_is_warned_about(MOVING("0.01"), STREAM, 0.5, "Reynolds number of 100"));
    assert_true(box_is_warned_about("", STREAM, 0.5, EDDIES));
    assert_false(box_is_warned_about(MOVING("0.2"), STREAM, 0.5, EDDIES)); /* creeping */
    assert_false(box_is_warned_about(MOVING("0.01"), STREAM, 1, EDDIES));  /* a free surface */
    assert_false(box_is_warned_about(MOVING("0.01"), STILL, 0.5, EDDIES));
    assert_false(
        box_is_warned_about(MOVING("0.01") ", \"quality\": \"accurate\"", STREAM, 0.5, EDDIES));
    assert_false(box_is_warned_about(
        MOVING("0.01") ", \"pressure\": {\"type\": \"wcsph\", \"state\": {\"type\": \"tait\", "
                       "\"stiffness\": 1000}}",
        STREAM, 0.5, EDDIES));
}

static mote_world *periodic(double height)
{
    return world_printf(
        1,
        "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.001},"
        " \"domain\": {\"min\": [0, 0, -1], \"max\": [1, 1, 1], \"periodic\": \"xy\"},"
        " \"fluid\": {\"dimension\": 2, \"spacing\": 0.05, \"viscosity\": 0.01, \"phases\": [{"
        "   \"flow\": {\"type\": \"taylor_green\", \"speed\": 1, \"length\": 1},"
        "   \"fill\": [{\"type\": \"box\", \"min\": [0, 0, -1], \"max\": [1, %g, 1]}]}]}}",
        height);
}

static void periodic_domains_have_no_surface_if_they_are_full(void **state)
{
    (void)state;
    mote_world *full = periodic(1), *part = periodic(0.7);
    need_warning(full, EDDIES);
    assert_null(warning_with(part, EDDIES));
    mote_world_destroy(full);
    mote_world_destroy(part);
}

static mote_world *cavity(double lid)
{
    return world_printf(
        1,
        "{\"up\": \"y\", \"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.001},"
        " \"fluid\": {\"dimension\": 2, \"spacing\": 0.05, \"viscosity\": 0.01, \"phases\": [" STILL
        "]},"
        " \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, -1],"
        "   \"max\": [1, 0.6, 1]}}, {\"shape\": {\"type\": \"box\", \"min\": [-9, 0.5, -1], \"max\": [9, 0.6, 1]},"
        "   \"motion\": {\"type\": \"translate\", \"velocity\": [%g, 0, 0]}}]}",
        lid);
}

static void moving_boundaries_drive_eddies(void **state)
{
    (void)state;
    mote_world *fast = cavity(1), *creeping = cavity(0.05);
    need_warning(fast, EDDIES);
    assert_null(warning_with(creeping, EDDIES));
    mote_world_destroy(fast);
    mote_world_destroy(creeping);
}

static void shifting_that_gains_energy_is_warned_about(void **state)
{
    (void)state;
    assert_true(box_is_warned_about(", \"quality\": \"accurate\", \"pressure\": \"pbf\"", STILL, 1,
                                    SHIFTING));
    assert_false(box_is_warned_about(", \"quality\": \"accurate\"", STILL, 1, SHIFTING));
    assert_false(box_is_warned_about(", \"shifting\": \"lind2012\"", STILL, 1, SHIFTING));
    assert_true(
        box_is_warned_about(", \"pressure\": \"isph\"", STILL, 1, "fails without shifting"));
}

/* A lid with a surface velocity; the container ends at or above its lower face, y = 0.5. */
static mote_world *covered(const char *viscosity, double top)
{
    return world_printf(
        1,
        "{\"up\": \"y\", \"time\": {\"end\": 9, \"step\": 0.001},"
        " \"fluid\": {\"dimension\": 2, \"spacing\": 0.05%s, \"phases\": [" STILL "]},"
        " \"colliders\": [{\"name\": \"tank\", \"inside\": true, \"shape\": {\"type\": \"box\","
        "   \"min\": [0, 0, -1], \"max\": [1, %g, 1]}}, {\"name\": \"lid\", \"shape\": {\"type\": \"box\","
        "   \"min\": [-0.1, 0.5, -1], \"max\": [1.1, 0.7, 1]}, \"surface_velocity\": [1, 0, 0]}]}",
        viscosity, top);
}

static void lids_without_effect_or_in_a_wall_are_warned_about(void **state)
{
    static const char IDLE[] = "does not move a fluid without viscosity",
                      DOUBLE[] = "'tank' and 'lid' overlap behind the face";
    (void)state;
    mote_world *inviscid = covered("", 0.7), *viscous = covered(", \"viscosity\": 0.01", 0.7),
               *doubled = covered(", \"viscosity\": 0.01", 0.5);
    need_warning(inviscid, IDLE);
    assert_null(warning_with(viscous, IDLE));
    assert_null(warning_with(viscous, DOUBLE));
    need_warning(doubled, DOUBLE);
    mote_world_destroy(inviscid);
    mote_world_destroy(viscous);
    mote_world_destroy(doubled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_that_exchange_are_warned_about),
        cmocka_unit_test(the_remedy_follows_from_the_densities),
        cmocka_unit_test(lost_eddies_are_warned_about),
        cmocka_unit_test(periodic_domains_have_no_surface_if_they_are_full),
        cmocka_unit_test(moving_boundaries_drive_eddies),
        cmocka_unit_test(shifting_that_gains_energy_is_warned_about),
        cmocka_unit_test(lids_without_effect_or_in_a_wall_are_warned_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
