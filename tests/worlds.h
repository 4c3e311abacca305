/*
 * Fixtures: worlds created from scene text, steps, columns, snapshots, warnings. A fixture fails
 * the test with the library's message; a test that expects a failure calls the library directly and
 * checks the error with assert_says (test.h).
 */
#ifndef TEST_WORLDS_H
#define TEST_WORLDS_H

#include "test.h"

#include "unit/failing_allocator.h"
#include "unit/numbers.h"

#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Fails the test if a call of the library failed; `what` describes the case. */
static inline void need(mote_status status, const mote_error *error, const char *what)
{
    if (status != MOTE_OK) {
        fail_msg("%s: %s", what, error->text);
    }
}

/* ---- scenes ---- */

static inline mote_scene *scene_of(const char *text)
{
    mote_scene *scene = NULL;
    mote_error error = {0};
    need(mote_scene_parse(text, &scene, &error), &error, "scene");
    return scene;
}

/* Sets a parameter, as `mote run --set path=value` does. */
static inline void set_in_scene(mote_scene *scene, const char *path, const char *value)
{
    mote_error error = {0};
    if (mote_scene_set(scene, path, value, &error) != MOTE_OK) {
        fail_msg("%s = %s: %s", path, value, error.text);
    }
}

/* ---- worlds ---- */

/* threads 0: the number of processors; allocator NULL: that of the C library, otherwise a
 * counting one that fails at its fail_at. */
static inline mote_config config_with(int threads, failing_allocator *allocator)
{
    mote_config config = mote_config_default();
    config.threads = threads;
    if (allocator) {
        *allocator = (failing_allocator){.fail_at = -1};
        config.allocator = (mote_allocator){failing_allocate, failing_release, allocator};
    }
    return config;
}

/* A world of a scene, which is not released. config NULL: the default. */
static inline mote_world *world_of_scene(const mote_scene *scene, const mote_config *config)
{
    mote_world *world = NULL;
    mote_error error = {0};
    need(mote_world_create(scene, config, &world, &error), &error, mote_scene_name(scene));
    return world;
}

/* The same; the scene is released. */
static inline mote_world *world_of_last(mote_scene *scene, const mote_config *config)
{
    mote_world *world = world_of_scene(scene, config);
    mote_scene_destroy(scene);
    return world;
}

static inline mote_world *world_of(const char *text, int threads)
{
    mote_config config = config_with(threads, NULL);
    return world_of_last(scene_of(text), &config);
}

/* A world of scene text with printf arguments. */
__attribute__((format(printf, 2, 3))) static inline mote_world *
world_printf(int threads, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_in_range(length, 1, sizeof text - 1);
    return world_of(text, threads);
}

/* A world on the default threads with another integrator, by its name or as JSON, and another step
   [s]; NULL and 0: as in the text. */
static inline mote_world *world_with_integrator(const char *text, const char *integrator,
                                                double step)
{
    mote_scene *scene = scene_of(text);
    if (integrator) {
        set_in_scene(scene, "integrator", integrator);
    }
    if (step > 0) {
        char number[40];
        snprintf(number, sizeof number, "%.17g", step);
        set_in_scene(scene, "time.step", number);
    }
    return world_of_last(scene, NULL);
}

/* ---- time ---- */

static inline void take_steps(mote_world *world, int steps, const char *what)
{
    mote_error error = {0};
    for (int k = 0; k < steps; ++k) {
        need(mote_world_step(world, NULL, &error), &error, what);
    }
}

static inline void step_by(mote_world *world, int steps)
{
    take_steps(world, steps, "step");
}

static inline void advance_to(mote_world *world, double time)
{
    mote_error error = {0};
    need(mote_world_advance(world, time, NULL, &error), &error, "advance");
}

/* ---- static equilibrium and natural frequencies ---- */

static inline mote_static_report solve_static(mote_world *world)
{
    mote_static_report report;
    mote_error error = {0};
    need(mote_world_solve_static(world, NULL, &report, &error), &error, "static solve");
    return report;
}

/* The lowest natural frequencies [rad/s]. */
static inline void find_modes(mote_world *world, int count, double *omega)
{
    mote_error error = {0};
    need(mote_world_modes(world, count, omega, NULL, &error), &error, "modes");
}

/* ---- columns and measures ---- */

static inline mote_column column_of(const mote_world *world, int system, const char *name)
{
    mote_column column = {0};
    if (!mote_world_column_find(world, system, name, &column)) {
        fail_msg("system %d has no column '%s'", system, name);
    }
    return column;
}

static inline double *numbers_in(const mote_world *world, int system, const char *name)
{
    mote_column column = column_of(world, system, name);
    assert_int_equal(column.type, MOTE_F64);
    return column.data;
}

/* Of the first system. */
static inline double *numbers_of(const mote_world *world, const char *name)
{
    return numbers_in(world, 0, name);
}

static inline int32_t *integers_of(const mote_world *world, const char *name)
{
    mote_column column = column_of(world, 0, name);
    assert_int_equal(column.type, MOTE_I32);
    return column.data;
}

static inline int64_t *ids_of(const mote_world *world, int system)
{
    mote_column column = column_of(world, system, "id");
    assert_int_equal(column.type, MOTE_I64);
    return column.data;
}

static inline mote_measures measures_of(mote_world *world)
{
    mote_measures measures;
    mote_error error = {0};
    need(mote_world_measure(world, &measures, &error), &error, "measure");
    return measures;
}

static inline void observe(mote_world *world, int index, double *values)
{
    mote_error error = {0};
    need(mote_world_observe(world, index, values, &error), &error, "observe");
}

/* ---- warnings ---- */

/* The text of the first warning that has this part; NULL: there is none. */
static inline const char *warning_with(const mote_world *world, const char *part)
{
    for (int k = 0; k < mote_world_warning_count(world); ++k) {
        if (strstr(mote_world_warning(world, k).text, part)) {
            return mote_world_warning(world, k).text;
        }
    }
    return NULL;
}

static inline void need_warning(const mote_world *world, const char *part)
{
    if (!warning_with(world, part)) {
        fail_msg("there is no warning with '%s'", part);
    }
}

/* ---- snapshots ---- */

static inline mote_snapshot *snapshot_of(const mote_world *world)
{
    mote_snapshot *snapshot = NULL;
    mote_error error = {0};
    need(mote_world_save(world, &snapshot, &error), &error, "save");
    return snapshot;
}

/* Copies the state of one world to another. */
static inline void copy_state(const mote_world *from, mote_world *to)
{
    mote_error error = {0};
    mote_snapshot *snapshot = snapshot_of(from);
    need(mote_world_restore(to, snapshot, &error), &error, "restore");
    mote_snapshot_destroy(snapshot);
}

/* Two worlds have bitwise equal states. */
#define assert_same_state(a, b) assert_true(mote_world_state_hash(a) == mote_world_state_hash(b))

/* Written to a file and read back; the argument is released. */
static inline mote_snapshot *through_a_file(mote_snapshot *snapshot)
{
    char path[64];
    mote_snapshot *read = NULL;
    mote_error error = {0};
    snprintf(path, sizeof path, "snapshot-%d.npz", (int)getpid());
    need(mote_snapshot_write(snapshot, path, &error), &error, "write");
    need(mote_snapshot_read(path, NULL, &read, &error), &error, "read");
    unlink(path);
    mote_snapshot_destroy(snapshot);
    return read;
}

#endif
