/*
 * Fluid in vessels: the volume below a level, vessels without a cavity, and confinement in
 * containers and around solids of every shape.
 */
#include "fluid_worlds.h"
#include "refusals.h"

#define PI 3.14159265358979323846

#define SCENE \
    "{\"time\": {\"end\": 1, \"step\": {\"type\": \"cfl\", \"max\": 0.002}}, \"fluid\": " \
    "{\"spacing\": 0.025, \"boundary\": \"geometric\", \"phases\": [{\"name\": \"water\", %s}]}, \"colliders\": [%s]}"

#define GLASS \
    "{\"name\": \"glass\", \"shape\": {\"type\": \"difference\", \"shape\": {\"type\": " \
    "\"cylinder\", \"start\": [0, 0, 0], \"end\": [0, 0, 0.6], \"radius\": 0.3}, \"subtract\": " \
    "[{\"type\": \"cylinder\", \"start\": [0, 0, 0.05], \"end\": [0, 0, 1], \"radius\": 0.25}]}}"

#define BOWL \
    "{\"name\": \"bowl\", \"shape\": {\"type\": \"mesh\", \"file\": \"" MOTE_SCENES \
    "/meshes/bowl.obj\", \"translate\": [3, 0, 0.34]}}"

static void make_text(char *text, size_t size, const char *inside, const char *colliders)
{
    int length = snprintf(text, size, SCENE, inside, colliders);
    assert_true(length > 0 && (size_t)length < size);
}

static double volume_of(mote_world *world)
{
    const mo_fluid *f = fluid_of(world);
    double sum = 0;
    for (int64_t row = 0; row < mo_store_owned(f->store); ++row) {
        sum += mo_f64(f->columns.mass)[row] / 1000;
    }
    return sum;
}

/* The largest penetration of a particle's centre into a solid; and the highest particle. */
static double depth_of(mote_world *world, double *highest)
{
    const mo_fluid *f = fluid_of(world);
    double deepest = -INFINITY;
    *highest = -INFINITY;
    for (int64_t row = 0; row < mo_store_owned(f->store); ++row) {
        mo_vec3 x = mo_vec3_load(mo_f64(f->columns.x) + 3 * row);
        *highest = fmax(*highest, x.z);
        for (int64_t c = 0; c < world->host.colliders->count; ++c) {
            deepest = fmax(deepest, -mo_collider_gap(&world->host.colliders->list[c], x, NULL));
        }
    }
    return deepest;
}

/* ---- volumes ---- */

typedef struct vessel {
    const char *inside, *colliders;
    double volume, layer; /* and the volume of one layer of cells */
} vessel;

static double cap(double radius, double height)
{
    return PI * height * height * (3 * radius - height) / 3;
}

static void fluid_has_the_volume_below_the_level(void **state)
{
    (void)state;
    const vessel cases[] = {
        {"\"inside\": [{\"collider\": \"glass\", \"level\": 0.4}]", GLASS, PI * 0.0625 * 0.35,
         0.03},
        {"\"inside\": [{\"collider\": \"bowl\", \"level\": 0.25}]", BOWL, cap(0.3, 0.21), 0.05},
        {"\"inside\": [{\"collider\": \"ball\", \"level\": 0.1}]",
         "{\"name\": \"ball\", \"inside\": true, \"shape\": {\"type\": \"sphere\", \"radius\": "
         "0.4}}",
         cap(0.4, 0.5), 0.03},
        {"\"inside\": [{\"collider\": \"box\", \"level\": 0.2}]",
         "{\"name\": \"box\", \"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [-1, 0, "
         "0.1], \"max\": [-0.61, 0.41, 0.5]}}",
         0.39 * 0.41 * 0.1, 1e-9},
        {"\"inside\": [{\"collider\": \"shell\"}]", /* closed and full */
         "{\"name\": \"shell\", \"shape\": {\"type\": \"difference\", \"shape\": {\"type\": "
         "\"cylinder\", \"start\": [0, 0, 0], \"end\": [0, 0, 0.6], \"radius\": 0.3}, "
         "\"subtract\": [{\"type\": \"cylinder\", \"start\": [0, 0, 0.1], \"end\": [0, 0, 0.5], "
         "\"radius\": 0.25}]}}",
         PI * 0.0625 * 0.4, 0.03},
        {"\"inside\": [{\"collider\": \"glass\", \"level\": 0.4}, {\"collider\": \"bowl\", "
         "\"level\": 0.25}]",
         GLASS ", " BOWL ", {\"name\": \"floor\", \"shape\": {\"type\": \"plane\"}}",
         PI * 0.0625 * 0.35 + cap(0.3, 0.21), 0.04},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        char text[2000];
        double highest;
        make_text(text, sizeof text, cases[k].inside, cases[k].colliders);
        mote_world *world = world_of(text, 1);
        assert_near(volume_of(world), cases[k].volume, cases[k].layer * cases[k].volume);
        assert_true(depth_of(world, &highest) < 0);
        mote_world_destroy(world);
    }
}

/* A glass inside another one: only the requested cavity is filled. */
static void a_point_chooses_a_cavity(void **state)
{
    (void)state;
    static const char TRAY[] =
        "{\"name\": \"tray\", \"shape\": {\"type\": \"difference\", \"shape\": {\"type\": "
        "\"box\", \"min\": [0, 0, 0], \"max\": [1, 0.5, 0.5]}, \"subtract\": [{\"type\": \"box\", "
        "\"min\": [0.1, 0.1, 0.1], \"max\": [0.3, 0.4, 1]}, {\"type\": \"box\", \"min\": [0.5, "
        "0.1, 0.1], \"max\": [0.9, 0.4, 1]}]}}";
    static const char *const INSIDE[3] = {
        "\"inside\": [{\"collider\": \"tray\", \"level\": 0.3}]",
        "\"inside\": [{\"collider\": \"tray\", \"level\": 0.3, \"point\": [0.2, 0.2, 0.2]}]",
        "\"inside\": [{\"collider\": \"tray\", \"level\": 0.3, \"point\": [0.7, 0.2, 0.2]}]"};
    const double volumes[3] = {0.06 * 0.6, 0.06 * 0.2, 0.06 * 0.4};
    for (int k = 0; k < 3; ++k) {
        char text[2000];
        make_text(text, sizeof text, INSIDE[k], TRAY);
        mote_world *world = world_of(text, 1);
        assert_near(volume_of(world), volumes[k], 1e-9);
        mote_world_destroy(world);
    }
}

static void vessels_without_volume_are_refused(void **state)
{
    (void)state;
    static const char *const CASES[][3] = {
        {"\"inside\": [{\"collider\": \"glass\", \"level\": 0.7}]", GLASS,
         "fluid.phases[0].inside[0]: level: collider 'glass' has no closed cavity below z = 0.7 m: the "
         "space is connected to the outside"},
        {"\"inside\": [{\"collider\": \"glass\", \"level\": 0.02}]", GLASS,
         "has no closed cavity below"},
        {"\"inside\": [{\"collider\": \"floor\", \"level\": 0.4}]",
         "{\"name\": \"floor\", \"shape\": {\"type\": \"plane\"}}", "'floor' is unbounded"},
        {"\"inside\": [{\"collider\": \"glas\", \"level\": 0.4}]", GLASS,
         "nothing in 'colliders' is named 'glas'; did you mean 'glass'?"},
        {"\"inside\": [{\"collider\": \"glass\", \"level\": 0.4, \"point\": [2, 0, 0]}]", GLASS,
         "point: collider 'glass' has no closed cavity there"},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
        char text[2000];
        make_text(text, sizeof text, CASES[k][0], CASES[k][1]);
        need_refusal(text, CASES[k][2]);
    }
}

/* ---- fluid that stays ---- */

/* Quiescent fluid stays in vessels of every shape, nearly at rest. */
static void vessels_of_every_shape_contain_fluid(void **state)
{
    (void)state;
    SKIP_LONG_PHYSICS();
    static const char *const SHAPES[] = {
        "{\"type\": \"cylinder\", \"start\": [0, 0, 0], \"end\": [0.2, 0, 0.5], \"radius\": 0.2}",
        "{\"type\": \"cone\", \"start\": [0, 0, 0], \"end\": [0, 0, 0.5], \"radius\": 0.15, "
        "\"end_radius\": 0.3}",
        "{\"type\": \"capsule\", \"start\": [0, 0, 0.2], \"end\": [0.2, 0, 0.4], \"radius\": 0.2}",
        "{\"type\": \"ellipsoid\", \"center\": [0, 0, 0.3], \"radii\": [0.4, 0.25, 0.3]}",
        "{\"type\": \"torus\", \"center\": [0, 0, 0.2], \"radius\": 0.3, \"tube\": 0.15}",
        "{\"type\": \"transform\", \"axis\": [1, 0, 0], \"angle\": 0.5, \"shape\": {\"type\": "
        "\"box\", \"min\": [0, 0, 0], \"max\": [0.4, 0.4, 0.5]}}",
        "{\"type\": \"union\", \"shapes\": [{\"type\": \"sphere\", \"center\": [0, 0, 0.25], "
        "\"radius\": 0.25}, {\"type\": \"box\", \"min\": [0, -0.15, 0.1], \"max\": [0.5, 0.15, "
        "0.4]}]}",
        "{\"type\": \"intersection\", \"shapes\": [{\"type\": \"sphere\", \"center\": [0, 0, "
        "0.25], \"radius\": 0.35}, {\"type\": \"box\", \"min\": [-0.25, -0.25, 0], \"max\": "
        "[0.25, 0.25, 0.5]}]}",
    };
    for (size_t k = 0; k < sizeof SHAPES / sizeof *SHAPES; ++k) {
        char text[2000], colliders[1200];
        double before, after;
        snprintf(colliders, sizeof colliders,
                 "{\"name\": \"tank\", \"inside\": true, \"shape\": %s}", SHAPES[k]);
        make_text(text, sizeof text, "\"inside\": [{\"collider\": \"tank\", \"level\": 0.25}]",
                  colliders);
        mote_scene *scene = scene_of(text);
        set_in_scene(scene, "fluid.spacing", "0.04");
        set_in_scene(scene, "fluid.boundary", "\"continuum\"");
        mote_world *world = world_of_last(scene, NULL);
        int64_t rows = mo_store_owned(fluid_of(world)->store);
        depth_of(world, &before);
        mote_error error = {0};
        need(mote_world_advance(world, 0.15, NULL, &error), &error, SHAPES[k]);
        double depth = depth_of(world, &after), v2 = 0;
        const double *v = mo_f64(fluid_of(world)->columns.v);
        for (int64_t n = 0; n < 3 * rows; ++n) {
            v2 += v[n] * v[n];
        }
        if (!(depth < 0.3 * 0.04 && after < before + 0.05 && sqrt(v2 / (double)rows) < 0.2)) {
            fail_msg("%s: %g m deep, up to %g from %g m, mean speed %g", SHAPES[k], depth, after,
                     before, sqrt(v2 / (double)rows));
        }
        mote_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fluid_has_the_volume_below_the_level),
        cmocka_unit_test(a_point_chooses_a_cavity),
        cmocka_unit_test(vessels_without_volume_are_refused),
        cmocka_unit_test(vessels_of_every_shape_contain_fluid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
