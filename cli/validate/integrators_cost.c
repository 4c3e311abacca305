/*
 * Machine-independent costs of a step: force evaluations, and arrays besides x, v and a
 * (docs/integrators.md).
 */
#include "base/error.h"
#include "validate/integrators.h"

#include <string.h>

/* One particle in contact with the ground in every step, another in free fall. */
static const char FREE[] =
    "{\"time\": {\"end\": 1, \"step\": 1},"
    " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 1e6]]}}]}";
static const char RESTING[] =
    "{\"time\": {\"end\": 1, \"step\": 1},"
    " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 1e6], [0, 0, 0]]}}],"
    " \"colliders\": [{\"shape\": {\"type\": \"plane\"}}]}";

typedef struct cost {
    const char *name;
    int free;    /* evaluations in an undisturbed step */
    int resting; /* and with a particle in contact */
    int arrays;  /* three components per particle each */
} cost;

/* By the formulas in the schemes' files. Schemes with stored accelerations reevaluate them for
 * disturbed particles. */
static const cost COSTS[] = {
    {"symplectic_euler", 1, 1, 0},
    {"explicit_euler", 1, 1, 0},
    {"modified_euler", 1, 1, 0},
    {"midpoint", 2, 2, 3},
    {"heun", 2, 2, 3},
    {"ralston", 2, 2, 3},
    {"rk4", 4, 4, 4},
    {"rk4_38", 4, 4, 7},
    {"abm2", 2, 3, 8},
    {"abm3", 2, 3, 10},
    {"abm4", 2, 3, 12},
    {"abm5", 2, 3, 14},
    {"verlet", 1, 1, 1},
    {"leapfrog", 1, 1, 1},
    {"velocity_verlet", 1, 2, 2},
    {"beeman", 1, 2, 4},
    {"gear", 1, 2, 10},
    {"implicit_euler", 1, 1, 5}, /* one Newton iteration; each further one costs one more */
    {"linear_implicit", 1, 1, 5},
    {"implicit_midpoint", 2, 2, 5}, /* one for the solve and one for the convergence check */
    {"bdf2", 2, 2, 9},
    {"newmark", 2, 2, 6},
};

static const cost *find_cost(const char *name)
{
    for (size_t k = 0; k < sizeof COSTS / sizeof *COSTS; ++k) {
        if (strcmp(COSTS[k].name, name) == 0) {
            return &COSTS[k];
        }
    }
    return NULL;
}

/* Of the last of twenty steps, with a full history; and the number of columns of the world. */
static mote_status measure(const trial_scheme *s, const char *scene, int64_t *evaluations,
                           int *columns, mote_error *error)
{
    trial t;
    mote_step_report report;
    MO_TRY(trial_start(&t, scene, s, 0.001, NULL, error));
    mote_status status = trial_steps(&t, 19, error);
    if (status == MOTE_OK) {
        status = mote_world_step(t.world, &report, error);
    }
    *evaluations = status == MOTE_OK ? report.evaluations : 0;
    *columns = mote_world_column_count(t.world, 0);
    trial_stop(&t);
    return status;
}

/* `columns` are those of a world whose scheme has no history. */
static mote_status check(validation *v, const trial_scheme *s, int columns, mote_error *error)
{
    const cost *c = find_cost(s->type->base.name);
    int64_t free, resting;
    int own, ignored;
    if (!c) {
        return MOTE_OK; /* no entry */
    }
    MO_TRY(measure(s, FREE, &free, &own, error));
    MO_TRY(measure(s, RESTING, &resting, &ignored, error));
    trial_row row = trial_row_of("cost", s, "evaluations a step");
    validate_absolute(v, row.name, row.quantity, (double)free, c->free, 0);
    row = trial_row_of("cost", s, "evaluations a step, something rests");
    validate_absolute(v, row.name, row.quantity, (double)resting, c->resting, 0);
    row = trial_row_of("cost", s, "arrays kept");
    validate_absolute(v, row.name, row.quantity, own - columns, c->arrays, 0);
    return MOTE_OK;
}

mote_status integrators_run_cost(void *context, mote_error *error)
{
    trial_scheme s;
    int64_t evaluations;
    int columns;
    trial_scheme_at(0, &s); /* the simplest, without history */
    MO_TRY(measure(&s, FREE, &evaluations, &columns, error));
    for (int k = 0; trial_scheme_at(k, &s) && !s.changed[0]; ++k) {
        MO_TRY(check(context, &s, columns, error));
    }
    return MOTE_OK;
}
