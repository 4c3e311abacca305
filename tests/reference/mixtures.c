/*
 * Lennard-Jones between several species in a periodic box, against a plain loop over all pairs and
 * all images with pow; its virial against the sum of r . f and against the derivative of the energy
 * under a scaling of the box.
 */
#include "worlds.h"

#include "world/world.h"

enum { SIDE = 7, ROWS = SIDE * SIDE * SIDE, KINDS = 3 };

static const double EDGE = 7.5; /* of the box */

/* Parameters of a species. */
static const struct {
    double e, sigma;
} SPECIES[KINDS] = {{1.0, 1.0}, {0.6, 0.8}, {1.7, 1.15}};

typedef struct setting {
    const char *mixing;
    double n, m, r_a, r_b; /* r_a 0: none; r_b 0: 2.5 sigma */
    bool shift, override, heat;
} setting;

static const setting SETTINGS[] = {
    {"lorentz_berthelot", 12, 6, 0, 0, false, false, false},
    {"geometric", 12, 6, 0, 0, true, false, false},
    {"sixth_power", 12, 6, 0, 0, false, false, false},
    {"lorentz_berthelot", 9, 3, 1.6, 2.9, true, false, false},
    {"geometric", 12, 6, 0, 2.7, false, true, false},
    {"sixth_power", 8, 5, 1.5, 2.4, false, true, true},
};
enum { SETTING_COUNT = sizeof SETTINGS / sizeof *SETTINGS };

/* ---- by a plain loop ---- */

typedef struct well {
    double e, sigma;
} well;

static well mixed(const setting *s, int a, int b)
{
    double e1 = SPECIES[a].e, e2 = SPECIES[b].e, s1 = SPECIES[a].sigma, s2 = SPECIES[b].sigma;
    if (s->override && a != b && a + b == 1) { /* species 0 and 1 */
        return (well){2.5, 0.9};
    }
    if (a == b) {
        return (well){e1, s1};
    }
    switch (s->mixing[0]) {
    case 'l':
        return (well){sqrt(e1 * e2), 0.5 * (s1 + s2)};
    case 'g':
        return (well){sqrt(e1 * e2), sqrt(s1 * s2)};
    default:
        return (well){2 * sqrt(e1 * e2) * pow(s1 * s2, 3) / (pow(s1, 6) + pow(s2, 6)),
                      pow(0.5 * (pow(s1, 6) + pow(s2, 6)), 1.0 / 6)};
    }
}

static double phi(const setting *s, well w, double r)
{
    double r0 = w.sigma * pow(s->n / s->m, 1 / (s->n - s->m));
    return w.e / (s->n - s->m) * (s->m * pow(r0 / r, s->n) - s->n * pow(r0 / r, s->m));
}

static double phi_derivative(const setting *s, well w, double r)
{
    double r0 = w.sigma * pow(s->n / s->m, 1 / (s->n - s->m));
    return w.e * s->n * s->m / (s->n - s->m) * (pow(r0 / r, s->m) - pow(r0 / r, s->n)) / r;
}

/* U and U' at a distance. */
static void potential(const setting *s, well w, double r, double u[2])
{
    double end = s->r_b > 0 ? s->r_b : 2.5 * w.sigma, weight = 1, slope = 0;
    u[0] = u[1] = 0;
    if (r > end) {
        return;
    }
    double value = phi(s, w, r) - (s->shift ? phi(s, w, end) : 0);
    if (s->r_a > 0 && r > s->r_a) {
        double q = (r - s->r_a) / (end - s->r_a);
        weight = 2 * q * q * q - 3 * q * q + 1;
        slope = (6 * q * q - 6 * q) / (end - s->r_a);
    }
    u[0] = weight * value;
    u[1] = weight * phi_derivative(s, w, r) + slope * value;
}

typedef struct sums {
    double energy, virial, f[3 * ROWS];
} sums;

static void add_pair(const setting *s, const mote_world *world, int i, int j, mo_vec3 d,
                     double strength, sums *out)
{
    const int32_t *kind = integers_of(world, "species");
    double r = mo_length(d), u[2];
    potential(s, mixed(s, kind[i], kind[j]), r, u);
    out->energy += 0.5 * strength * u[0];
    out->virial -= 0.5 * strength * u[1] * r;
    mo_vec3 f = mo_scale(strength * u[1] / r, d);
    mo_vec3_store(out->f + 3 * i, mo_add(mo_vec3_load(out->f + 3 * i), f));
}

/* All pairs with all images next to the box: positions are within a few periods of it. */
static void add_all(const setting *s, const mote_world *world, double edge, sums *out)
{
    const double *x = numbers_of(world, "x"),
                 *strength = s->heat ? numbers_of(world, "strength") : NULL;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < ROWS; ++i) {
        for (int j = 0; j < ROWS; ++j) {
            double d[3];
            for (int k = 0; k < 3; ++k) {
                d[k] = x[3 * j + k] - x[3 * i + k];
                d[k] -= edge * floor(d[k] / edge + 0.5);
            }
            for (int image = 0; image < 27; ++image) {
                mo_vec3 shift = {edge * (image % 3 - 1), edge * (image / 3 % 3 - 1),
                                 edge * (image / 9 - 1)};
                mo_vec3 seen = mo_add(mo_vec3_load(d), shift);
                if (mo_length(seen) > 0) {
                    add_pair(s, world, i, j, seen, strength ? 0.5 * (strength[i] + strength[j]) : 1,
                             out);
                }
            }
        }
    }
}

/* ---- the world ---- */

static void write_force(const setting *s, char *text, size_t size)
{
    char r_a[60] = "", r_b[60] = "";
    if (s->r_a > 0) {
        snprintf(r_a, sizeof r_a, ", \"r_a\": %g", s->r_a);
    }
    if (s->r_b > 0) {
        snprintf(r_b, sizeof r_b, ", \"r_b\": %g", s->r_b);
    }
    snprintf(
        text, size,
        "{\"type\": \"lennard_jones\", \"n\": %g, \"m\": %g, \"mixing\": \"%s\", \"shift\": %s%s%s%s}%s",
        s->n, s->m, s->mixing, s->shift ? "true" : "false", r_a, r_b,
        s->override
            ? ", \"pairs\": [{\"type\": \"species_pair\", \"between\": [\"s1\", \"s0\"], \"e\": 2.5,"
              " \"sigma\": 0.9}]"
            : "",
        s->heat ? ", {\"type\": \"heat\", \"conductivity\": 0, \"range\": 1, \"specific_heat\": 1,"
                  " \"strength\": [[0, 1], [10, 0.2]]}"
                : "");
}

/* Three bodies, one per species, on one displaced lattice in a box of `scale` times the edge. */
static mote_world *mixture(const setting *s, double scale)
{
    char force[800];
    double a = EDGE * scale / SIDE, edge = EDGE * scale;
    write_force(s, force, sizeof force);
    mote_world *world = world_printf(
        1,
        "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 1e-3}, \"integrator\": "
        "\"velocity_verlet\","
        " \"domain\": {\"min\": [0, 0, 0], \"max\": [%.17g, %.17g, %.17g]},"
        " \"species\": [{\"name\": \"s0\", \"e\": 1, \"sigma\": 1}, {\"name\": \"s1\", \"e\": 0.6, "
        "\"sigma\": 0.8},"
        "   {\"name\": \"s2\", \"e\": 1.7, \"sigma\": 1.15}],"
        " \"bodies\": ["
        "  {\"species\": \"s2\", \"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\", \"nx\": 7, \"ny\": "
        "7, \"nz\": 2,"
        "    \"spacing\": %.17g, \"jitter\": %.17g}},"
        "  {\"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\", \"nx\": 7, \"ny\": 7, \"nz\": 3, "
        "\"spacing\": %.17g,"
        "    \"jitter\": %.17g, \"seed\": 1, \"origin\": [0, 0, %.17g]}},"
        "  {\"species\": \"s1\", \"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\", \"nx\": 7, \"ny\": "
        "7, \"nz\": 2,"
        "    \"spacing\": %.17g, \"jitter\": %.17g, \"seed\": 2, \"origin\": [0, 0, %.17g]}}],"
        " \"forces\": [%s]}",
        edge, edge, edge, a, 0.1 * a, a, 0.1 * a, 2 * a, a, 0.1 * a, 5 * a, force);
    assert_int_equal(mote_world_rows(world, 0), ROWS);
    return world;
}

/* Rows some periods away, temperatures that differ. */
static void scatter(mote_world *world, const setting *s)
{
    double *x = numbers_of(world, "x");
    for (int row = 0; row < ROWS; ++row) {
        x[3 * row + row % 3] += EDGE * (row % 5 - 2);
    }
    mote_world_invalidate(world, 0);
    if (s->heat) {
        for (int row = 0; row < ROWS; ++row) {
            numbers_of(world, "temperature")[row] = row % 12;
            numbers_of(world, "strength")[row] = fmax(1 - 0.08 * (row % 12), 0.2);
        }
    }
}

static void check_setting(const setting *s)
{
    static sums expected;
    mote_world *world = mixture(s, 1);
    mote_error error = {0};
    scatter(world, s);
    add_all(s, world, EDGE, &expected);
    mote_measures m = measures_of(world);
    double size = fabs(expected.energy) + fabs(expected.virial), strongest = 0;
    assert_near(m.potential, expected.energy, 1e-12 * size);
    assert_near(m.virial, expected.virial, 1e-12 * size);
    assert_near(m.pressure, (2 * m.kinetic + expected.virial) / (3 * EDGE * EDGE * EDGE),
                1e-12 * size);
    assert_int_equal(world->systems[0].type->evaluate(&world->systems[0], 0, &error), MOTE_OK);
    const double *a = numbers_of(world, "a"); /* masses are 1 */
    for (int k = 0; k < 3 * ROWS; ++k) {
        strongest = fmax(strongest, fabs(expected.f[k]));
    }
    assert_true(strongest > 0.1);
    for (int k = 0; k < 3 * ROWS; ++k) {
        assert_near(a[k], expected.f[k], 1e-12 * strongest);
    }
    mote_world_destroy(world);
}

static void forces_are_those_of_all_pairs(void **state)
{
    (void)state;
    for (int k = 0; k < SETTING_COUNT; ++k) {
        check_setting(&SETTINGS[k]);
    }
}

/* dE/ds of x -> s x at s = 1 is minus the virial, for potentials without a jump at the cut-off. */
static void virial_is_the_derivative_of_the_energy(void **state)
{
    (void)state;
    const double h = 1e-5;
    const setting *smooth[] = {&SETTINGS[3], &SETTINGS[5]};
    for (int k = 0; k < 2; ++k) {
        double energy[2], virial;
        for (int side = 0; side < 2; ++side) {
            mote_world *world = mixture(smooth[k], 1 + (side ? h : -h));
            energy[side] = measures_of(world).potential;
            mote_world_destroy(world);
        }
        mote_world *world = mixture(smooth[k], 1);
        virial = measures_of(world).virial;
        mote_world_destroy(world);
        assert_true(fabs(virial) > 1);
        /* second differences: h^2 E'''/6, E''' of the size of 1000 E for exponents about 10 */
        assert_near((energy[1] - energy[0]) / (2 * h), -virial, 1e-6 * fabs(virial) + 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_those_of_all_pairs),
        cmocka_unit_test(virial_is_the_derivative_of_the_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
