/*
 * Every integrator with every force and every model, each with a contact, with damping, with
 * orientations, with removal and addition during the run. In every cell
 *   - the force has an effect: without it the particles end elsewhere;
 *   - the feature has an effect: without it the final state differs;
 *   - the scheme agrees with rk4 to a small fraction of the effect of the force.
 * The error of a first-order step is 1/(2 STEPS) of that, so an omitted term is detected.
 */
#include "method/sample.h"

#include "integrate/integrator.h"
#include "particle/force/field.h"
#include "solid/model/model.h"

enum { STEPS = 16, ROWS_MAX = 101 };

typedef enum feature { PLAIN, CONTACT, DAMPING, ORIENTATION, REMOVAL, FEATURES } feature;
static const char *const FEATURE_NAMES[] = {"plain", "contact", "damping", "orientation",
                                            "removal"};

static const char BASE[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.0001}, \"bodies\": [{\"mass\": 1,"
    " \"radius\": 0.01, \"mesh\": {\"type\": \"block\", \"nx\": 5, \"ny\": 5, \"nz\": 4}}]}";

#define PAIRS "{\"type\": \"lennard_jones\", \"e\": 0.05, \"r0\": 0.26}"

/* Forces that act at the spacing of BASE, 1/4 and 1/3 m; with an additional body where one alone
 * would not move. */
static const struct {
    const char *name, *value, *beside;
} ACTING[] = {
    {"damping_point", "{\"type\": \"damping_point\", \"g\": 0.05}", NULL},
    {"drag", "{\"type\": \"drag\", \"linear\": 0.05, \"quadratic\": 0.05, \"wind\": [1, 0, 0]}",
     NULL},
    {"expression_field",
     "{\"type\": \"expression_field\", \"acceleration\": [\"30 - x\", \"20*cos(5*t)\", \"y\"]}",
     NULL},
    {"attractor", "{\"type\": \"attractor\", \"center\": [0, 0, 3], \"strength\": 300}", NULL},
    {"force_plane",
     "{\"type\": \"force_plane\", \"point\": [0, 0, 3], \"normal\": [1, 1, 1], \"strength\": 30}",
     NULL},
    {"vortex",
     "{\"type\": \"vortex\", \"strength\": 30, \"inflow\": 10, \"updraft\": 10, \"axis\": [1, 1, 1]}",
     NULL},
    {"wind", "{\"type\": \"wind\", \"velocity\": [5, 2, 1], \"turbulence\": 0.2, \"gust\": 0.5}",
     NULL},
    {"damping_viscous", "{\"type\": \"damping_viscous\", \"g\": 0.05, \"range\": 0.4}", NULL},
    {"lennard_jones", PAIRS, NULL},
    {"heat",
     "{\"type\": \"heat\", \"conductivity\": 0.1, \"range\": 0.4, \"specific_heat\": 1, \"initial\": 300,"
     " \"strength\": [[0, 1], [400, 0.2]]}",
     PAIRS},
    {"oriented",
     "{\"type\": \"oriented\", \"coplanarity\": 0.5, \"conormality\": 0.05, \"range\": 0.4}", NULL},
    {"coulomb", "{\"type\": \"coulomb\", \"constant\": 0.001}", NULL},
    {"newton", "{\"type\": \"newton\", \"constant\": 10}", NULL},
    {"damping_rotation", "{\"type\": \"damping_rotation\", \"g\": 5}", NULL},
    {"spring", "{\"type\": \"spring\", \"k\": 5}", NULL},
    {"elements", "{\"type\": \"elements\", \"length\": 5, \"area\": 5, \"volume\": 50}", NULL},
    {"fem", "{\"type\": \"fem\", \"material\": {\"type\": \"corotated\", \"young\": 2000}}", NULL},
};

/* The force or model under test; NULL: a world without it. */
typedef struct cell {
    const mo_descriptor *integrator, *acting;
    bool model;
    feature with;
} cell;

static const char *name_of(const cell *c)
{
    static char name[200];
    snprintf(name, sizeof name, "%s x %s x %s", c->integrator->name, c->acting->name,
             FEATURE_NAMES[c->with]);
    return name;
}

/* The next free index among the forces. */
static void add_force(mote_scene *scene, int *count, const char *value)
{
    char path[32];
    snprintf(path, sizeof path, "forces[%d]", (*count)++);
    set_in_scene(scene, path, value);
}

static void set_acting(mote_scene *scene, const cell *c, bool there, int *forces)
{
    for (size_t k = 0; k < sizeof ACTING / sizeof *ACTING; ++k) {
        if (strcmp(ACTING[k].name, c->acting->name) != 0) {
            continue;
        }
        if (ACTING[k].beside) {
            add_force(scene, forces, ACTING[k].beside);
        }
        if (c->model) { /* springs on the edges of tetrahedra */
            set_in_scene(scene, "bodies[0].mesh.tetrahedra", "5");
        }
        if (there && strcmp(ACTING[k].name, "coulomb") == 0) {
            set_in_scene(scene, "bodies[0].charge", "1");
        }
        if (there && c->model) {
            set_in_scene(scene, "bodies[0].model", ACTING[k].value);
        } else if (there) {
            add_force(scene, forces, ACTING[k].value);
        }
        return;
    }
    fail_msg("'%s' has no numbers in tests/method/combinations.c that make it act",
             c->acting->name);
}

/* Whether the force acts on orientations. */
static bool turns(const cell *c)
{
    return strcmp(c->acting->name, "oriented") == 0 ||
           strcmp(c->acting->name, "damping_rotation") == 0;
}

static void set_orientation(mote_scene *scene, const char *angular_velocity)
{
    set_in_scene(scene, "bodies[0].oriented", "true");
    set_in_scene(scene, "bodies[0].inertia", "[1, 2, 3]");
    set_in_scene(scene, "bodies[0].angular_velocity", angular_velocity);
}

static mote_scene *scene_of_cell(const cell *c, bool there)
{
    mote_scene *scene = scene_of(BASE);
    int forces = 0;
    if (turns(c)) {
        set_orientation(scene, "[3, 1, 2]");
    }
    set_acting(scene, c, there, &forces);
    set_in_scene(scene, "integrator", c->integrator->name);
    if (c->with == CONTACT) { /* reached after a few steps */
        set_in_scene(
            scene, "colliders[0]",
            "{\"shape\": {\"type\": \"plane\", \"point\": [0, 0, -0.0106]}, \"restitution\": 0.5,"
            " \"friction\": 0.3}");
    } else if (c->with == DAMPING) {
        add_force(scene, &forces, "{\"type\": \"damping_point\", \"g\": 0.02}");
    } else if (c->with == ORIENTATION) {
        set_orientation(scene, "[10, 20, 30]");
        if (strcmp(c->acting->name, "wind") == 0) { /* oriented particles alone have no triangles */
            set_in_scene(scene, "bodies[0].model", "{\"type\": \"spring\", \"k\": 5}");
        }
    }
    return scene;
}

/* Different velocities of all particles, for velocity-dependent forces. */
static void stir(mote_world *world)
{
    double *v = numbers_of(world, "v");
    for (int64_t row = 0; row < mote_world_rows(world, 0); ++row) {
        v[3 * row] = 0.1 * (double)(row % 3);
        v[3 * row + 1] = -0.1 * (double)(row % 7);
        v[3 * row + 2] = -1 - 0.1 * (double)(row % 4);
    }
    mote_world_invalidate(world, 0);
}

static void remove_and_add(mote_world *world)
{
    uint8_t gone[ROWS_MAX] = {0};
    double x[3] = {2, 2, 2};
    mote_particles more = {.count = 1, .x = x, .radius = 0.01};
    for (int k = 0; k < 100; k += 9) {
        gone[k] = 1;
    }
    assert_int_equal(mote_world_remove(world, 0, gone, NULL), MOTE_OK);
    assert_int_equal(mote_world_add(world, &more, NULL, NULL), MOTE_OK);
}

/* The final positions. */
typedef struct outcome {
    int64_t rows;
    double x[3 * ROWS_MAX], q[4 * ROWS_MAX];
} outcome;

static outcome run(const cell *c, bool there)
{
    mote_world *world;
    mote_error error = {0};
    mote_config config = config_with(1, NULL);
    mote_scene *scene = scene_of_cell(c, there);
    need(mote_world_create(scene, &config, &world, &error), &error, name_of(c));
    stir(world);
    take_steps(world, STEPS, name_of(c));
    if (c->with == REMOVAL) {
        remove_and_add(world);
    }
    take_steps(world, STEPS, name_of(c));
    outcome end = {.rows = mote_world_rows(world, 0)};
    assert_true(end.rows <= ROWS_MAX);
    memcpy(end.x, numbers_of(world, "x"), (size_t)end.rows * 3 * sizeof(double));
    if (mote_world_column_find(world, 0, "q", NULL)) {
        memcpy(end.q, numbers_of(world, "q"), (size_t)end.rows * 4 * sizeof(double));
    }
    mote_world_destroy(world);
    mote_scene_destroy(scene);
    return end;
}

/* The largest difference; infinite if there are not as many, or some are not finite. */
static double difference(const double *a, const double *b, int64_t count)
{
    double most = 0;
    for (int64_t k = 0; k < count; ++k) {
        double d = fabs(a[k] - b[k]);
        most = d <= most ? most : isnan(d) ? (double)INFINITY : d;
    }
    return most;
}

/* rk4 with the force, without it, and without the feature. */
typedef struct reference {
    outcome with, without, plain;
    double force_does;
} reference;

static reference make_reference(const mo_descriptor *rk4, const cell *c)
{
    cell own = *c, plain = *c;
    own.integrator = plain.integrator = rk4;
    plain.with = PLAIN;
    reference r = {run(&own, true), run(&own, false), run(&plain, true), 0};
    r.force_does = fmax(difference(r.with.x, r.without.x, 3 * r.with.rows),
                        difference(r.with.q, r.without.q, 4 * r.with.rows));
    bool differs = c->with == PLAIN || r.with.rows != r.plain.rows ||
                   difference(r.with.x, r.plain.x, 3 * r.with.rows) > 0.01 * r.force_does ||
                   difference(r.with.q, r.plain.q, 4 * r.with.rows) > 0;
    if (!(r.force_does > 1e-8)) {
        fail_msg("%s: the force moves nothing (%g m)", name_of(c), r.force_does);
    }
    if (!differs) {
        fail_msg("%s: %s changes nothing", name_of(c), FEATURE_NAMES[c->with]);
    }
    return r;
}

/* Allowed deviation of a scheme relative to the effect of the force. Neighbours of particles
 * that bounce or are removed continue with the stored acceleration, an error of first order. */
static double allowed(const cell *c)
{
    bool first_order = ((const mo_integrator_type *)c->integrator)->order == 1;
    bool stale = c->with == CONTACT || c->with == REMOVAL;
    return first_order ? 4.0 / (2 * STEPS) : stale ? 2.5 / (2 * STEPS) : 0.003;
}

static void check_cell(const cell *c, const reference *r)
{
    outcome end = run(c, true);
    assert_int_equal(end.rows, r->with.rows);
    double off = difference(end.x, r->with.x, 3 * end.rows) / r->force_does;
    double turned = difference(end.q, r->with.q, 4 * end.rows);
    if (!(off < allowed(c))) {
        fail_msg("%s: %g of what the force does away from rk4", name_of(c), off);
    }
    if (!(turned < 0.01)) {
        fail_msg("%s: orientations %g away from rk4", name_of(c), turned);
    }
}

static int check_family(const mo_family *family, bool models)
{
    const mo_descriptor *rk4 = mo_family_find(&mo_integrators, "rk4");
    int cells = 0;
    for (int m = 0; m < mo_family_count(family); ++m) {
        for (feature with = PLAIN; with < FEATURES; ++with) {
            cell c = {rk4, mo_family_at(family, m), models, with};
            reference r = make_reference(rk4, &c);
            for (int i = 0; i < mo_integrators.count; ++i) {
                c.integrator = mo_integrators.methods[i];
                check_cell(&c, &r);
                ++cells;
            }
        }
    }
    return cells;
}

static void no_cell_is_untested(void **state)
{
    (void)state;
    int cells = check_family(&mo_fields, false) + check_family(&mo_models, true);
    print_message("%d combinations\n", cells);
    assert_int_equal(cells, mo_integrators.count * (mo_fields.count + mo_models.count) * FEATURES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_cell_is_untested)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
