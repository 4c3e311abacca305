/*
 * Mode shapes as frames: frame n is the world displaced by mode n, at the time n s, with the shape
 * in the column v.
 */
#include "analysis/static.h"
#include "base/file.h"
#include "io/output/writer.h"
#include "mote/run.h"
#include "scene/scene.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* The extent of the world and the amplitude of a mode shape, for scaling. */
static double extent_of(const double *x, int64_t rows)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY},
           most = 0;
    for (int64_t k = 0; k < 3 * rows; ++k) {
        low[k % 3] = fmin(low[k % 3], x[k]);
        high[k % 3] = fmax(high[k % 3], x[k]);
    }
    for (int k = 0; k < 3; ++k) {
        most = fmax(most, high[k] - low[k]);
    }
    return most;
}

static double largest(const double *shape, int64_t rows)
{
    double most = 0;
    for (int64_t row = 0; row < rows; ++row) {
        most = fmax(most, mo_length(mo_vec3_load(shape + 3 * row)));
    }
    return most;
}

static mote_status write_shapes(mote_world *world, int system, mo_writer *writer, int count,
                                const double *shapes, double *start, mote_error *error)
{
    mote_column x, v;
    mote_world_column_find(world, system, "x", &x);
    mote_world_column_find(world, system, "v", &v);
    size_t bytes = (size_t)x.rows * 3 * sizeof(double);
    memcpy(start, x.data, bytes);
    double size = extent_of(start, x.rows);
    mote_status status = MOTE_OK;
    for (int n = 0; n < count && status == MOTE_OK; ++n) {
        const double *shape = shapes + 3 * x.rows * n;
        double most = largest(shape, x.rows), factor = most > 0 ? 0.05 * size / most : 0;
        for (int64_t k = 0; k < 3 * x.rows; ++k) {
            ((double *)x.data)[k] = start[k] + factor * shape[k];
        }
        memcpy(v.data, shape, bytes);
        world->clock.time = world->clock.base = n + 1;
        status = mo_writer_frame(writer, world, error);
    }
    memcpy(x.data, start, bytes);
    memset(v.data, 0, bytes);
    mote_world_invalidate(world, system);
    return status;
}

static mote_status write_modes(mote_world *world, int system, const mote_scene *scene,
                               const mo_output_def *output, const char *directory, int count,
                               const double *shapes, mote_error *error)
{
    mo_writer *writer;
    void *start;
    MO_TRY(mo_writer_create(&world->memory, directory, mote_scene_name(scene), output, world,
                            &writer, error));
    mote_status status = mo_allocate_array(&world->memory, mote_world_rows(world, system),
                                           3 * sizeof(double), &start, error);
    if (status == MOTE_OK) {
        status = mo_directory_create(directory, error);
        status = status == MOTE_OK
                     ? write_shapes(world, system, writer, count, shapes, start, error)
                     : status;
        mo_release(&world->memory, start);
    }
    if (status == MOTE_OK) {
        mo_writer_remove_stale(writer);
        status = mo_writer_index(writer, error);
        status = status == MOTE_OK ? mo_directory_sync(directory, error) : status;
    }
    mo_writer_destroy(writer);
    return status;
}

static mote_status find_modes(mote_world *world, const mote_scene *scene, const mo_scene_def *def,
                              const char *directory, int count, bool at_equilibrium, double *omega,
                              mote_error *error)
{
    void *shapes;
    mo_system *system;
    MO_TRY(mo_static_system(world, &system, error));
    int64_t rows = mo_store_rows(system->store);
    if (at_equilibrium) {
        mote_static_options options = mote_static_options_default();
        options.time = def->world.time.end; /* as `mote run --static` does */
        MO_TRY(mote_world_solve_static(world, &options, NULL, error));
        world->clock.time = world->clock.base = options.time;
    }
    /* larger counts are rejected below */
    int64_t kept = count < MOTE_MODES_MAX ? count : MOTE_MODES_MAX;
    MO_TRY(mo_allocate_array(&world->memory, kept * rows + 1, 3 * sizeof(double), &shapes, error));
    mote_status status = mote_world_modes(world, count, omega, shapes, error);
    if (status == MOTE_OK && directory) {
        status = write_modes(world, (int)(system - world->systems), scene, &def->output, directory,
                             count, shapes, error);
    }
    mo_release(&world->memory, shapes);
    return status;
}

mote_status mote_run_modes(const mote_scene *scene, const mote_config *config,
                           const char *directory, int count, bool at_equilibrium, double *omega,
                           mote_error *error)
{
    MO_NEED(scene);
    MO_NEED(omega);
    mo_memory memory;
    mo_arena arena;
    mo_scene_def def;
    mote_world *world;
    if (count < 1) {
        return MO_BAD_ARGUMENT(count, "is %d; allowed: 1 to %d", count, MOTE_MODES_MAX);
    }
    if (config && config->threads < 0) {
        return mo_fail(error, MOTE_ERROR_USAGE,
                       "config.threads: %d; allowed: 0 (one per core) or more", config->threads);
    }
    mo_memory_init(&memory, config ? &config->allocator : NULL);
    mo_arena_init(&arena, &memory);
    mote_status status = mo_scene_read(scene, &arena, &def, error);
    status = status == MOTE_OK ? mote_world_create(scene, config, &world, error) : status;
    if (status == MOTE_OK) {
        status = find_modes(world, scene, &def, directory, count, at_equilibrium, omega, error);
        mote_world_destroy(world);
    }
    mo_arena_release(&arena);
    return status;
}
