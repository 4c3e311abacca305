/*
 * Cost of the terms of a fluid: processor time of a step with a term and of the same step without,
 * on the collapse of 14,400 particles. Both runs take turns of some steps, so that both see the
 * same load of the machine. Implicit viscosities have that of honey, nu = 1 m^2/s.
 *
 * materials/iteration: an iteration of conjugate gradients of the implicit viscosities with 32,768
 * particles, as the difference of steps with 60 and with 20 iterations.
 */
#include "base/error.h"
#include "bench/bench.h"
#include "bench/calibrate.h"
#include "bench/case_world.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { TURN = 5, TURNS = 16, QUICK_TURNS = 2 };

static const char DAM[] =
    "{\"time\": {\"end\": 9, \"step\": 0.002}, \"fluid\": {\"spacing\": 0.025, \"phases\": [{\"fill\":"
    "  [{\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.6, 0.5, 0.75]}]}]},"
    " \"colliders\": [{\"inside\": true, \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0],"
    "   \"max\": [1.6, 0.5, 1.5]}}]}";

typedef struct term {
    const char *name, *path, *value;
} term;

static const term TERMS[] = {
    {"corotational", "fluid.viscosity", "1e-6"},
    {"carreau1972", "fluid.viscosity",
     "{\"type\": \"corotational\", \"law\": {\"type\": \"carreau1972\", \"exponent\": 0.5, \"time\": 1}}"},
    {"laplacian", "fluid.viscosity", "{\"type\": \"laplacian\"}"},
    {"morris1997", "fluid.viscosity", "{\"type\": \"morris1997\"}"},
    {"mueller2003", "fluid.viscosity", "{\"type\": \"mueller2003\"}"},
    {"xsph", "fluid.viscosity", "{\"type\": \"xsph\"}"},
    {"implicit_corotational", "fluid.viscosity",
     "{\"type\": \"implicit_corotational\", \"nu\": 1}"},
    {"weiler2018", "fluid.viscosity", "{\"type\": \"weiler2018\", \"nu\": 1}"},
    {"takahashi2015", "fluid.viscosity", "{\"type\": \"takahashi2015\", \"nu\": 1}"},
    {"peer2015", "fluid.viscosity", "{\"type\": \"peer2015\"}"},
    {"akinci2013", "fluid.surface_tension", "{\"type\": \"akinci2013\", \"gamma\": 0.01}"},
    {"micropolar", "fluid.vorticity", "{\"type\": \"micropolar\", \"transfer\": 2e-6}"},
    {"confinement", "fluid.vorticity", "{\"type\": \"confinement\", \"strength\": 0.01}"},
    {"hyperviscosity", "fluid.artificial_viscosity", "0.2"},
};

/* A run, and the processor time and iterations of its steps. */
typedef struct course {
    mote_world *world;
    double seconds;
    int64_t steps, iterations;
} course;

static int64_t viscosity_iterations(const mote_world *world)
{
    for (int k = 0; k < mote_world_quantity_count(world); ++k) {
        mote_quantity n = mote_world_quantity(world, k);
        if (strcmp(n.name, "viscosity_iterations") == 0) {
            return (int64_t)n.value;
        }
    }
    return 0;
}

static mote_status take_turn(course *c, mote_error *error)
{
    mote_step_report report;
    for (int k = 0; k < TURN; ++k) {
        clock_t begin = clock();
        MO_TRY(mote_world_step(c->world, &report, error));
        c->seconds += (double)(clock() - begin) / CLOCKS_PER_SEC;
        c->iterations += viscosity_iterations(c->world);
        c->steps++;
    }
    return MOTE_OK;
}

/* The first turns of both, with cold memory, do not count. */
static mote_status take_turns(const bench *b, course *one, course *other, mote_error *error)
{
    int turns = b->quick ? QUICK_TURNS : TURNS;
    for (int k = 0; k <= turns; ++k) {
        if (k == 1) {
            one->seconds = other->seconds = 0;
            one->steps = other->steps = one->iterations = other->iterations = 0;
        }
        MO_TRY(take_turn(k % 2 ? one : other, error));
        MO_TRY(take_turn(k % 2 ? other : one, error));
    }
    return MOTE_OK;
}

static mote_status create_course(course *c, const char *text, const case_change *changes,
                                 int threads, mote_error *error)
{
    *c = (course){0};
    return case_world_create(text, changes, threads, &c->world, error);
}

static mote_status compare(const bench *b, const char *text, const case_change *first,
                           const case_change *second, course *one, course *other, mote_error *error)
{
    int threads = b->threads > 0 ? b->threads : 1;
    *other = (course){0};
    mote_status status = create_course(one, text, first, threads, error);
    if (status == MOTE_OK) {
        status = create_course(other, text, second, threads, error);
    }
    if (status == MOTE_OK) {
        status = take_turns(b, one, other, error);
    }
    mote_world_destroy(one->world);
    mote_world_destroy(other->world);
    return status;
}

/* ---- shares ---- */

static mote_status run_term(const bench *b, const term *t, mote_error *error)
{
    const case_change with[] = {{t->path, t->value}, {0}};
    bool own = strcmp(t->path, "fluid.artificial_viscosity") == 0;
    const case_change without[] = {{own ? t->path : NULL, "0"}, {0}};
    course one, other;
    char name[80];
    MO_TRY(compare(b, DAM, with, without, &one, &other, error));
    double step = one.seconds / (double)one.steps, rest = other.seconds / (double)other.steps;
    snprintf(name, sizeof name, "materials/terms/%s", t->name);
    bench_row row = {.name = name,
                     .threads = b->threads > 0 ? b->threads : 1,
                     .seconds = step,
                     .rate = 1 / step,
                     .unit = "steps/s",
                     .baseline = 1 / rest};
    snprintf(row.note, sizeof row.note,
             "%.2f ms a step, %.2f without: %.1f %% of the step, %.1f iterations", 1e3 * step,
             1e3 * rest, 100 * (step - rest) / step, (double)one.iterations / (double)one.steps);
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run_terms(void *context, mote_error *error)
{
    for (size_t k = 0; k < sizeof TERMS / sizeof *TERMS; ++k) {
        MO_TRY(run_term(context, &TERMS[k], error));
    }
    return MOTE_OK;
}

/* ---- an iteration ---- */

static const char BLOCK[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 9, \"step\": 0.01}, \"fluid\": {\"spacing\": 0.025,"
    "  \"artificial_viscosity\": 0, \"phases\": [{\"fill\": [{\"type\": \"box\", \"min\": [0, 0, 0],"
    "   \"max\": [0.8, 0.8, 0.8]}], \"flow\": {\"type\": \"noise\", \"speed\": 1, \"length\": 0.2}}]}}";

/* The first step of a new world with this number of iterations, the best of several. */
static mote_status time_step(const bench *b, const char *method, int iterations, course *best,
                             mote_error *error)
{
    char text[120];
    const case_change changes[] = {{"fluid.viscosity", text}, {0}};
    snprintf(text, sizeof text,
             "{\"type\": \"%s\", \"nu\": 1000, \"tolerance\": 1e-9, \"max_iterations\": %d}",
             method, iterations);
    course c;
    MO_TRY(create_course(&c, BLOCK, changes, b->threads > 0 ? b->threads : 1, error));
    mote_step_report report;
    clock_t begin = clock();
    mote_status status = mote_world_step(c.world, &report, error);
    c.seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    c.iterations = viscosity_iterations(c.world);
    mote_world_destroy(c.world);
    *best = best->iterations == 0 || c.seconds < best->seconds ? c : *best;
    return status;
}

static mote_status run_iteration(const bench *b, const char *method, mote_error *error)
{
    enum { REPEATS = 6 };
    char name[80];
    course most = {0}, least = {0};
    for (int k = 0; k < (b->quick ? 1 : REPEATS); ++k) {
        MO_TRY(time_step(b, method, 60, &most, error));
        MO_TRY(time_step(b, method, 20, &least, error));
    }
    double seconds = (most.seconds - least.seconds) / (double)(most.iterations - least.iterations);
    double flops = 1e-9 * calibrate_core_flops();
    snprintf(name, sizeof name, "materials/iteration/%s", method);
    bench_row row = {.name = name,
                     .threads = b->threads > 0 ? b->threads : 1,
                     .seconds = seconds,
                     .rate = 1 / seconds,
                     .unit = "iterations/s",
                     .baseline = NAN};
    snprintf(row.note, sizeof row.note,
             "%.2f ms an iteration of 32,768 particles at %.0f GFLOP/s a core; SPlisHSPlasH 4.9 ms "
             "with weiler2018 and 33,000 on another machine with 100 GFLOP/s",
             1e3 * seconds, flops);
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run_iterations(void *context, mote_error *error)
{
    static const char *const METHODS[] = {"weiler2018", "implicit_corotational", "takahashi2015"};
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; ++k) {
        MO_TRY(run_iteration(context, METHODS[k], error));
    }
    return MOTE_OK;
}

static const suite_case CASES[] = {
    {"materials/terms", "Each term of a fluid as a share of the step.", run_terms},
    {"materials/iteration", "An iteration of the implicit viscosities.", run_iterations},
    {0}};

const suite_group bench_materials = {"materials", "Viscosity, surface tension and vorticity.",
                                     CASES};
