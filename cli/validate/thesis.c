/*
 * The cases of the group, and shared code: schemes, worlds, cores and files.
 */
#include "validate/thesis.h"

#include "base/pool.h"
#include "bench/case_world.h"

#include <stdlib.h>

const thesis_scheme thesis_schemes[THESIS_SCHEMES] = {{"explicit_euler", "Euler", "E"},
                                                      {"modified_euler", "Modified Euler", "M"},
                                                      {"leapfrog", "Leapfrog", "L"}};

mote_status thesis_create_world(const thesis_setup *setup, mote_world **world, mote_error *error)
{
    char step[40];
    case_change changes[] = {{"integrator", thesis_schemes[setup->scheme].integrator},
                             {"time.step", step},
                             {setup->seed ? "bodies[0].mesh.seed" : NULL, setup->seed},
                             {0}};
    snprintf(step, sizeof step, "%.17g", setup->step);
    return case_world_create(setup->scene, changes, 1, world, error);
}

typedef struct outcome {
    mote_status status;
    mote_error error;
} outcome;

typedef struct jobs {
    thesis_job *job;
    void *context;
    outcome *outcomes;
} jobs;

static void do_range(void *context, int64_t first, int64_t last)
{
    const jobs *j = context;
    for (int64_t k = first; k < last; ++k) {
        j->outcomes[k].status = j->job(j->context, (int)k, &j->outcomes[k].error);
    }
}

static mote_status first_failure(const outcome *outcomes, int count, mote_error *error)
{
    for (int k = 0; k < count; ++k) {
        if (outcomes[k].status != MOTE_OK) {
            return mo_fail(error, outcomes[k].status, "%s", outcomes[k].error.text);
        }
    }
    return MOTE_OK;
}

mote_status thesis_do_jobs(int count, thesis_job *job, void *context, mote_error *error)
{
    mo_memory memory;
    mo_pool *pool;
    mo_memory_init(&memory, NULL);
    MO_TRY(mo_pool_create(&memory, 0, &pool, error));
    jobs j = {job, context, calloc((size_t)count, sizeof(outcome))};
    mote_status status = MOTE_OK;
    if (j.outcomes) {
        mo_parallel_for(pool, count, 1, do_range, &j);
        status = first_failure(j.outcomes, count, error);
    } else {
        status = mo_fail_memory(error, (size_t)count * sizeof(outcome));
    }
    free(j.outcomes);
    mo_pool_destroy(pool);
    return status;
}

mote_status thesis_save_picture(const validation *v, plot_figure *figure, const char *name,
                                mote_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.svg", v->directory, name);
    mote_status status = plot_write(figure, path, error);
    plot_destroy(figure);
    return status;
}

mote_status thesis_save(const validation *v, plot_figure *figure, const char *name,
                        mote_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.csv", v->directory, name);
    mote_status status = plot_write_csv(figure, path, error);
    if (status != MOTE_OK) {
        plot_destroy(figure);
        return status;
    }
    return thesis_save_picture(v, figure, name, error);
}

static const suite_case CASES[] = {
    {"thesis/pair", "Two Lennard-Jones particles: the energy error of three schemes over the step.",
     thesis_run_pair},
    {"thesis/collapse", "800 damped particles: the largest stable step of three schemes.",
     thesis_run_collapse},
    {0}};

const suite_group validate_thesis = {"thesis", "D. Tonnesen's comparison of integrators (1998).",
                                     CASES};
