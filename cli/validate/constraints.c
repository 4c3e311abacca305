/* Position-based bodies against closed forms. */
#include "validate/constraints.h"

#include "base/error.h"
#include "bench/case_world.h"
#include "math/vec3.h"
#include "mote/mote.h"
#include "validate/validate.h"

#include <math.h>
#include <stdio.h>

static const double G = 9.81;

static double *column_of(const mote_world *world, const char *name)
{
    mote_column column;
    int system = mote_world_system_find(world, "constraints");
    return mote_world_column_find(world, system, name, &column) ? column.data : NULL;
}

static mote_status run_until(mote_world *world, double end, mote_error *error)
{
    while (mote_world_time(world) < end) {
        MO_TRY(mote_world_step(world, NULL, error));
    }
    return MOTE_OK;
}

/* ---- a hanging chain ---- */

enum { LINKS = 10 };

/* The elongation of a chain after it has come to rest, over that of its links under the weight
 * below them: sum of compliance g (mass below). */
static mote_status elongation(double step, const char *solver, double *ratio, mote_error *error)
{
    const double compliance = 1e-3;
    char text[1000];
    mote_world *world;
    snprintf(text, sizeof text,
             "{\"time\": {\"end\": 10, \"step\": %g}, \"constraints\": {%s}, "
             "\"bodies\": [{\"mass\": 1, \"pins\": [{\"nodes\": [0]}], "
             "\"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 0], \"end\": [0, 0, -1], "
             "\"segments\": %d}, \"model\": {\"type\": \"xpbd\", \"damping\": 20, "
             "\"constraints\": [{\"type\": \"distance\", \"compliance\": %g}]}}]}",
             step, solver, LINKS, compliance);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    const double *x = column_of(world, "x"), *mass = column_of(world, "mass");
    double below = 0, sum = 0;
    for (int k = LINKS; k > 0; --k) {
        below += mass[k];
        sum += compliance * G * below;
    }
    mote_status status = run_until(world, 8, error);
    *ratio = (-1 - x[3 * LINKS + 2]) / sum;
    mote_world_destroy(world);
    return status;
}

/* With a number of substeps and iterations. */
static mote_status elongation_at(double step, int substeps, int iterations, double *ratio,
                                 mote_error *error)
{
    char solver[80];
    snprintf(solver, sizeof solver, "\"substeps\": %d, \"iterations\": %d", substeps, iterations);
    return elongation(step, solver, ratio, error);
}

/* Once converged, the elongation depends neither on the step nor on the substeps. The last rows
 * have the default substeps and iterations. */
static mote_status constraints_chain(void *context, mote_error *error)
{
    static const struct {
        double step;
        int substeps, iterations;
    } RUNS[] = {{0.01, 1, 300}, {0.01, 10, 50}, {0.002, 1, 100}, {0.02, 20, 20}};
    for (size_t k = 0; k < sizeof RUNS / sizeof *RUNS; ++k) {
        double ratio;
        char quantity[100];
        MO_TRY(elongation_at(RUNS[k].step, RUNS[k].substeps, RUNS[k].iterations, &ratio, error));
        snprintf(quantity, sizeof quantity, "elongation, step %g s, %d substeps of %d iterations",
                 RUNS[k].step, RUNS[k].substeps, RUNS[k].iterations);
        validate_relative(context, "constraints/chain", quantity, ratio, 1, 0.01);
    }
    for (int k = 0; k < 3; ++k) {
        static const double STEPS[] = {0.02, 0.01, 0.005};
        double ratio;
        char quantity[100];
        MO_TRY(elongation(STEPS[k], "\"solver\": \"newton\"", &ratio, error));
        snprintf(quantity, sizeof quantity, "elongation, newton, step %g s", STEPS[k]);
        validate_relative(context, "constraints/chain", quantity, ratio, 1, 0.01);
    }
    return MOTE_OK;
}

/* Far from convergence the chain is too soft: elongations at few iterations, step 0.01 s. Each
 * iteration moves a correction by a link or more, so that 100 of them are many times those that 10
 * links need. */
static mote_status constraints_iterations(void *context, mote_error *error)
{
    static const int ITERATIONS[] = {1, 10, 100};
    double last = 1; /* that of a rigid chain */
    for (int k = 0; k < 3; ++k) {
        double ratio;
        char quantity[100];
        MO_TRY(elongation_at(0.01, 1, ITERATIONS[k], &ratio, error));
        snprintf(quantity, sizeof quantity, "error of the elongation at %d iterations",
                 ITERATIONS[k]);
        validate_at_most(context, "constraints/iterations", quantity, fabs(ratio - 1),
                         k == 2 ? 0.01 : last, 0);
        last = fabs(ratio - 1);
    }
    return MOTE_OK;
}

/* ---- a catenary ---- */

/* The parameter a of a catenary of length L over the span D: 2 a sinh(D/(2 a)) = L. */
static double catenary(double length, double span)
{
    double low = 0.01 * span, high = 100 * span;
    for (int k = 0; k < 200; ++k) {
        double a = 0.5 * (low + high);
        if (2 * a * sinh(span / (2 * a)) > length) {
            low = a;
        } else {
            high = a;
        }
    }
    return 0.5 * (low + high);
}

/* An inextensible rope of 1.5 m whose end moves until the span is 1 m, damped until it rests. */
static mote_status constraints_catenary(void *context, mote_error *error)
{
    enum { SEGMENTS = 60 };
    char text[1000];
    mote_world *world;
    snprintf(text, sizeof text,
             "{\"time\": {\"end\": 20, \"step\": 0.01}, \"constraints\": {\"substeps\": 20, "
             "\"iterations\": 4}, \"bodies\": [{\"mass\": 1, \"mesh\": {\"type\": \"rope\", "
             "\"start\": [0, 0, 0], \"end\": [1.5, 0, 0], \"segments\": %d}, \"model\": {\"type\": "
             "\"xpbd\", \"damping\": 3, \"constraints\": [\"distance\"]}, \"pins\": [{\"nodes\": "
             "[0]}, {\"nodes\": [%d], \"motion\": {\"type\": \"keyframes\", \"times\": [0, 2], "
             "\"positions\": [[0, 0, 0], [-0.5, 0, 0]]}}]}]}",
             SEGMENTS, SEGMENTS);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    const double *x = column_of(world, "x");
    mote_status status = run_until(world, 12, error);
    double a = catenary(1.5, 1), low = 0, worst = 0, sag = a * (cosh(0.5 / a) - 1);
    for (int k = 0; k <= SEGMENTS; ++k) {
        double z = a * (cosh((x[3 * k] - 0.5) / a) - cosh(0.5 / a));
        low = fmin(low, x[3 * k + 2]);
        worst = fmax(worst, fabs(x[3 * k + 2] - z));
    }
    mote_world_destroy(world);
    MO_TRY(status);
    validate_relative(context, "constraints/catenary", "sag [m]", -low, sag, 0.01);
    validate_at_most(context, "constraints/catenary", "largest distance from it over the sag",
                     worst / sag, 0.01, 0);
    return MOTE_OK;
}

/* ---- bending on a cylinder ---- */

enum { COLUMNS = 21, ROWS = 5 };

/* A strip bent along its columns: every quadrilateral stays plane, so that the deformation is
 * isometric, and hinges along the columns have the angle t. */
static mote_status constraints_cylinder(void *context, mote_error *error)
{
    const double t = 0.2, width = 0.4, stiffness = 1e-3;
    const double du = 1.0 / (COLUMNS - 1), dv = width / (ROWS - 1);
    char text[600];
    mote_world *world;
    mote_measures measures;
    snprintf(text, sizeof text,
             "{\"time\": {\"end\": 1}, \"gravity\": [0, 0, 0], \"bodies\": [{\"mesh\": {\"type\": "
             "\"cloth\", \"u\": [1, 0, 0], \"v\": [0, %g, 0], \"columns\": %d, \"rows\": %d}, "
             "\"density\": 1, \"model\": {\"type\": \"xpbd\", \"constraints\": [{\"type\": "
             "\"bend_isometric\", \"compliance\": %g}]}}]}",
             width, COLUMNS, ROWS, 1 / stiffness);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    double *x = column_of(world, "x");
    for (int64_t k = 0; k < COLUMNS * ROWS; ++k) {
        int column = (int)lround(x[3 * k] / du);
        x[3 * k] = x[3 * k + 2] = 0;
        for (int n = 0; n < column; ++n) {
            x[3 * k] += du * cos(n * t);
            x[3 * k + 2] += du * sin(n * t);
        }
    }
    mote_world_invalidate(world, mote_world_system_find(world, "constraints"));
    mote_status status = mote_world_measure(world, &measures, error);
    mote_world_destroy(world);
    MO_TRY(status);
    /* hinges of length dv between triangles of the area du dv together */
    double hinge = 0.5 * stiffness * 3 * dv * dv / (du * dv) * 4 * sin(t / 2) * sin(t / 2);
    validate_relative(context, "constraints/cylinder", "energy of bend_isometric [J]",
                      measures.elastic, (COLUMNS - 2) * (ROWS - 1) * hinge, 1e-6);
    return MOTE_OK;
}

/* ---- a bar under tension ---- */

static const double YOUNG = 1e5, POISSON = 0.3;

/* The stretch of a bar pulled by forces on both ends, once it rests. Multipliers start at zero in
 * every substep, and those of a stretched bar do not vanish: gauss_seidel converges in few
 * iterations only where substeps are small and compliance/h^2 is large. Without substeps and
 * iterations they are the defaults. */
static mote_status stretch(const char *solver, const char *constraint, double traction,
                           double *ratio, mote_error *error)
{
    char text[1500];
    mote_world *world;
    double force = traction * 0.04; /* of the section 0.2 x 0.2 */
    snprintf(text, sizeof text,
             "{\"time\": {\"end\": 10, \"step\": 0.01}, \"gravity\": [0, 0, 0], \"constraints\": "
             "{%s}, \"bodies\": [{\"density\": 1000, \"mesh\": "
             "{\"type\": \"block\", \"min\": [0, 0, 0], \"max\": [0.4, 0.2, 0.2], \"nx\": 5, "
             "\"ny\": 3, \"nz\": 3, \"tetrahedra\": 5}, \"model\": {\"type\": \"xpbd\", "
             "\"damping\": 30, \"constraints\": [%s]}, \"loads\": [{\"set\": \"x0\", \"force\": "
             "[%g, 0, 0]}, {\"set\": \"x1\", \"force\": [%g, 0, 0]}]}]}",
             solver, constraint, -force, force);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    const double *x = column_of(world, "x");
    mote_status status = run_until(world, 0.6, error);
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int k = 0; k < 45; ++k) {
        low = fmin(low, x[3 * k]);
        high = fmax(high, x[3 * k]);
    }
    *ratio = (high - low) / 0.4;
    mote_world_destroy(world);
    return status;
}

/* St. Venant-Kirchhoff: P = E l (l^2 - 1)/2. The pair: with free sides mu + lambda (J - 1 -
 * mu/lambda) l = 0, so that J = 1 + mu/lambda - mu/(lambda l) and P = mu l - mu J/l^2. */
static mote_status constraints_bar(void *context, mote_error *error)
{
    static const struct {
        const char *name, *solver;
        bool energy;
    } RUNS[] = {{"newton", "\"solver\": \"newton\"", true},
                {"newton", "\"solver\": \"newton\"", false},
                {"gauss_seidel", "", true},
                {"gauss_seidel, 20 substeps of 20", "\"substeps\": 20, \"iterations\": 20", false}};
    double l = 1.1, value, mu = YOUNG / (2 * (1 + POISSON)),
           lambda = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)) + mu,
           j = 1 + mu / lambda - mu / (lambda * l);
    for (int k = 0; k < 4; ++k) {
        char constraint[200], quantity[100];
        bool energy = RUNS[k].energy;
        snprintf(constraint, sizeof constraint,
                 energy ? "{\"type\": \"strain_energy\", \"material\": {\"type\": \"stvk\", "
                          "\"young\": %g, \"poisson\": %g}}"
                        : "{\"type\": \"neo_hookean_pair\", \"young\": %g, \"poisson\": %g}",
                 YOUNG, POISSON);
        MO_TRY(stretch(RUNS[k].solver, constraint,
                       energy ? YOUNG * l * (l * l - 1) / 2 : mu * l - mu * j / (l * l), &value,
                       error));
        snprintf(quantity, sizeof quantity, "%s: stretch - 1, %s",
                 energy ? "strain_energy, stvk" : "neo_hookean_pair", RUNS[k].name);
        validate_relative(context, "constraints/bar", quantity, value - 1, l - 1, 0.01);
    }
    return MOTE_OK;
}

/* ---- momenta ---- */

static double worst_change(const double a[3], const double b[3])
{
    double worst = 0;
    for (int k = 0; k < 3; ++k) {
        worst = fmax(worst, fabs(a[k] - b[k]));
    }
    return worst;
}

/* The changes of the momenta of a free block that turns, in 0.5 s. */
static mote_status change_momenta(const char *constraint, double step, double *linear,
                                  double *angular, mote_error *error)
{
    char text[1000];
    mote_world *world;
    mote_measures before, after;
    snprintf(text, sizeof text,
             "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": %g}, \"bodies\": "
             "[{\"density\": 1000, \"mesh\": {\"type\": \"block\", \"min\": [0, 0, 0], "
             "\"max\": [0.3, 0.2, 0.2], \"nx\": 4, \"ny\": 3, \"nz\": 3, \"tetrahedra\": 5}, "
             "\"flow\": {\"type\": \"rotation\", \"angular_velocity\": [1, 5, 2]}, "
             "\"model\": {\"type\": \"xpbd\", \"constraints\": [%s]}}]}",
             step, constraint);
    MO_TRY(case_world_create(text, NULL, 1, &world, error));
    mote_status status = mote_world_measure(world, &before, error);
    status = status == MOTE_OK ? run_until(world, 0.5 - 0.5 * step, error) : status;
    status = status == MOTE_OK ? mote_world_measure(world, &after, error) : status;
    mote_world_destroy(world);
    MO_TRY(status);
    *linear = worst_change(before.momentum, after.momentum);
    *angular = worst_change(before.angular_momentum, after.angular_momentum);
    return MOTE_OK;
}

/* Linear momentum is conserved to rounding. The angular one is not: x x v of an implicit Euler step
 * has v of its end and x of its start, so that its change is proportional to the step. */
static mote_status constraints_momenta(void *context, mote_error *error)
{
    static const char *const CONSTRAINTS[] = {"distance", "volume", "strain_energy"};
    for (size_t k = 0; k < sizeof CONSTRAINTS / sizeof *CONSTRAINTS; ++k) {
        char constraint[64], quantity[100];
        double linear, coarse, fine;
        snprintf(constraint, sizeof constraint, "\"%s\"", CONSTRAINTS[k]);
        MO_TRY(change_momenta(constraint, 0.01, &linear, &coarse, error));
        snprintf(quantity, sizeof quantity, "%s: change of linear momentum [kg m/s]",
                 CONSTRAINTS[k]);
        validate_absolute(context, "constraints/momenta", quantity, linear, 0, 1e-9);
        MO_TRY(change_momenta(constraint, 0.0025, &linear, &fine, error));
        snprintf(quantity, sizeof quantity, "%s: order of the change of angular momentum",
                 CONSTRAINTS[k]);
        validate_absolute(context, "constraints/momenta", quantity, log2(coarse / fine) / 2, 1,
                          0.2);
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"constraints/chain", "Elongation of a hanging chain: compliance times load per link.",
     constraints_chain},
    {"constraints/iterations", "The error of that elongation at few iterations.",
     constraints_iterations},
    {"constraints/catenary", "An inextensible rope hanging from two ends.", constraints_catenary},
    {"constraints/cylinder", "Energy of a strip bent on a cylinder.", constraints_cylinder},
    {"constraints/bar", "Uniaxial tension against the closed forms of the materials.",
     constraints_bar},
    {"constraints/fabric", "Woven cloth pulled along warp, weft and bias.", constraints_fabric},
    {"constraints/momenta", "Momenta of a free block.", constraints_momenta},
    {"constraints/derivatives", "Gradients and second derivatives against finite differences.",
     constraints_derivatives},
    {"constraints/newton", "Residuals of newton, and its distance from implicit_euler.",
     constraints_newton},
    {"constraints/section", "Traction on the section of a bar under tension.", constraints_section},
    {"constraints/cloth", "Cloth in contact: no intersections at any frame.", constraints_cloth},
    {"constraints/plate", "A fast sheet does not pass a thin plate.", constraints_plate},
    {0}};

const suite_group validate_constraints = {
    "constraints", "Position-based bodies: elongation, catenary, bending, tension and momenta.",
    CASES};
