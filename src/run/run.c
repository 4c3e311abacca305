/* A run: frames, files, progress, and a report in any case. */
#include "mote/run.h"
#include "analysis/static.h"

#include "base/file.h"
#include "integrate/step/step.h"
#include "io/output/writer.h"
#include "run/checkpoints.h"
#include "run/report.h"
#include "run/schedule.h"
#include "scene/scene.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double MOST_FRAMES = 1e8;
static const double MOST_STEPS =
    1e15; /* largest time at which steps are still resolved in double precision */

/* Limit of the directory's path, so that file paths stay within system limits. */
enum { DIRECTORY_LENGTH = 3500 };

typedef struct run {
    const mote_scene *scene;
    const mote_run_options *options;
    mo_memory memory;
    mo_arena arena;
    mo_scene_def def;
    mote_world *world;
    mo_writer *writer;           /* NULL: no frames */
    mo_checkpoints *checkpoints; /* NULL: none */
    mo_run_state at;             /* state of the run at the last frame */
    bool begun;                  /* the first frame is written, by this run or the resumed one */
    mote_status trouble;         /* of a checkpoint, taken between two steps */
    mote_error trouble_error;
    double start, end, output_seconds;
    double time_before; /* simulated time, wall time and steps of the resumed run */
    int64_t steps_before;
    int frames_before; /* written by the resumed run */
    int frames_total, frames_done;
    int64_t rows;
    int claim; /* lock on the directory; -1: none */
    mo_step_sizes sizes;
    mote_static_report rest;
    mote_run_summary summary;
} run;

mote_run_options mote_run_options_default(void)
{
    return (mote_run_options){.config = mote_config_default(),
                              .until = NAN,
                              .frames = -1,
                              .checkpoint_every = NAN,
                              .checkpoint_wall = NAN};
}

static bool report_progress(run *r, const mote_step_report *report)
{
    if (!r->options->progress) {
        return true;
    }
    double wall = mo_clock() - r->start, done = report->time - r->time_before;
    mote_progress progress = {.time = report->time,
                              .end = r->end,
                              .wall = wall,
                              .remaining = done > 0 ? wall * (r->end - report->time) / done : -1,
                              .steps = report->step,
                              .frames = r->frames_done,
                              .frames_total = r->frames_total,
                              .particles = r->rows,
                              .last = *report};
    return r->options->progress(r->options->progress_context, &progress);
}

/* Called before a checkpoint is taken. */
static void note_now(run *r)
{
    const mo_run_state *before = r->options->resume ? mo_run_state_of(r->options->resume) : NULL;
    r->at.wall = (before ? before->wall : 0) + mo_clock() - r->start;
}

static const mo_run_state *state_of(const run *r)
{
    return r->begun ? &r->at : NULL;
}

static const mo_run_table *table_of(const run *r)
{
    return r->writer ? mo_writer_table(r->writer) : NULL;
}

/* After every step: table, checkpoint if due, and progress callback. */
static bool after_step(void *context, const mote_step_report *report)
{
    run *r = context;
    mo_step_sizes_add(&r->sizes, report);
    if (r->writer) {
        mo_writer_step(r->writer, r->world, report);
    }
    if (r->checkpoints && mo_checkpoints_due(r->checkpoints, report->time)) {
        note_now(r);
        r->trouble =
            r->writer ? mo_writer_flush_observables(r->writer, &r->trouble_error) : MOTE_OK;
        if (r->trouble == MOTE_OK) {
            r->trouble = mo_checkpoints_take(r->checkpoints, r->world, state_of(r), table_of(r),
                                             &r->trouble_error);
        }
    }
    return r->trouble == MOTE_OK && report_progress(r, report);
}

static double frame_time(const run *r, int frame)
{
    mo_schedule schedule = {r->end, r->def.world.time.fps, r->frames_total};
    return mo_schedule_time(&schedule, frame);
}

static mote_status write_frame(run *r, mote_error *error)
{
    double start = mo_clock();
    mote_status status = r->writer ? mo_writer_frame(r->writer, r->world, error) : MOTE_OK;
    r->output_seconds += mo_clock() - start;
    return status;
}

/* Stores the scene with its results, for rendering and repeating the run. */
static mote_status save_scene(const run *r, mote_error *error)
{
    char path[4096];
    if (!r->writer) {
        return MOTE_OK;
    }
    snprintf(path, sizeof path, "%s/%s.scene.json", r->options->directory,
             mote_scene_name(r->scene));
    return mo_scene_save(r->scene, path, error);
}

/* The run state of a checkpoint before `frame`. */
static void note_frame(run *r, int frame)
{
    r->at.frame = frame;
    r->at.written = r->writer ? mo_writer_frames(r->writer) : 0;
    r->at.steps_at_frame = mote_world_steps(r->world);
}

static mote_status advance_to(run *r, int frame, mote_error *error)
{
    mote_step_report report = {0};
    mote_status status =
        mo_world_advance(r->world, frame_time(r, frame), after_step, r, &report, error);
    return r->trouble == MOTE_OK ? status : mo_fail(error, r->trouble, "%s", r->trouble_error.text);
}

static mote_status advance_frames(run *r, mote_error *error)
{
    bool resumed = r->begun;
    if (!resumed) {
        MO_TRY(write_frame(r, error));
    }
    MO_TRY(save_scene(r, error));
    for (int frame = resumed ? r->at.frame : 1; frame <= r->frames_total; ++frame) {
        if (!resumed) {
            note_frame(r, frame);
        }
        resumed = false;
        r->begun = true;
        mote_status status = advance_to(r, frame, error);
        if (status != MOTE_OK && status != MOTE_CANCELLED) {
            return status;
        }
        r->frames_done = frame;
        if (mote_world_steps(r->world) > r->at.steps_at_frame) {
            mote_error problem = {0};
            mote_status written = write_frame(r, &problem);
            if (written != MOTE_OK) {
                return mo_fail(error, written, "%s", problem.text);
            }
        }
        MO_TRY(status);
    }
    return MOTE_OK;
}

/* Two frames: the initial state and the static equilibrium. */
static mote_status solve_static(run *r, mote_error *error)
{
    mote_static_options options = mote_static_options_default();
    options.time = r->end;
    MO_TRY(write_frame(r, error));
    MO_TRY(save_scene(r, error));
    mote_status status = mote_world_solve_static(r->world, &options, &r->rest, error);
    r->world->clock.time = r->world->clock.base = r->end;
    mote_error problem = {0};
    mote_status written = write_frame(r, &problem);
    return status != MOTE_OK    ? status
           : written == MOTE_OK ? MOTE_OK
                                : mo_fail(error, written, "%s", problem.text);
}

/* The number of frames after the first, and the time of the last. */
static mote_status plan_frames(run *r, mote_error *error)
{
    const mo_time_def *time = &r->def.world.time;
    r->end = isnan(r->at.until) ? time->end : r->at.until;
    if (!(r->end >= 0) || !isfinite(r->end)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "a run cannot end at t = %g s", r->end);
    }
    double frames = mo_schedule_make(r->end, time->fps).total;
    if (r->at.frames >= 0 && r->at.frames < frames) {
        frames = r->at.frames;
        r->end = frames / time->fps;
    }
    if (frames > MOST_FRAMES) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "time.fps: %g s at %g frames per second give %.3g frames; allowed: up to "
                       "%g",
                       r->end, time->fps, frames, MOST_FRAMES);
    }
    r->frames_total = (int)frames;
    return MOTE_OK;
}

/* Checks the number of steps of the run. */
static mote_status check_step(run *r, mote_error *error)
{
    const mo_method *control = &r->def.world.time.step;
    const mo_step_state still = {.frame = 1 / r->def.world.time.fps};
    double step = ((const mo_step_type *)control->type)->choose(control->params, &still).size;
    bool varies = control->type->capabilities & MO_STEP_VARIES;
    if (r->end > 0 && step > 2 * r->end && !varies) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "time.step: the step of %g s is longer than the run of %g s", step, r->end);
    }
    if (r->end / step > MOST_STEPS) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "time.step: %g s in steps of %g s give %.3g steps; allowed: up to %g; use larger steps "
            "or an earlier time.end",
            r->end, step, r->end / step, MOST_STEPS);
    }
    return MOTE_OK;
}

/* Checks before the run that the report can be written. */
static mote_status check_report_path(const run *r, mote_error *error)
{
    mo_file file;
    if (r->options->report_path) {
        MO_TRY(mo_file_create(r->options->report_path, &file, error));
        mo_file_abandon(&file);
    }
    return MOTE_OK;
}

static mote_status check_directory(const run *r, mote_error *error)
{
    size_t length = r->options->directory ? strlen(r->options->directory) : 0;
    if (length > DIRECTORY_LENGTH) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "the path of the directory has %zu characters; at most %d are allowed",
                       length, DIRECTORY_LENGTH);
    }
    return MOTE_OK;
}

static double first_number(double a, double b, double c)
{
    return !isnan(a) ? a : !isnan(b) ? b : isnan(c) ? 0 : c;
}

/* Whether a resumed run changes time.`name`. */
static bool changes_time(const mote_run_options *o, const char *name)
{
    char one[32];
    bool found = false;
    snprintf(one, sizeof one, "time.%s=", name);
    for (int k = 0; k < o->change_count; ++k) {
        found = found || strncmp(o->changes[k], one, strlen(one)) == 0 ||
                strncmp(o->changes[k], "time=", 5) == 0;
    }
    return found;
}

/* Precedence: the current option, the option of the interrupted run, the scene. */
static void choose_options(run *r)
{
    const mote_run_options *o = r->options;
    const mo_output_def *scene = &r->def.output;
    mo_run_state before = {.until = NAN, .frames = -1, .every = NAN, .wall_every = NAN};
    const mo_run_state *resumed = o->resume ? mo_run_state_of(o->resume) : NULL;
    if (resumed) {
        before = r->at = *resumed;
        r->begun = true;
    }
    bool new_end = !isnan(o->until) || o->frames >= 0 || changes_time(o, "end");
    r->at.until = new_end ? o->until : before.until;
    r->at.frames = new_end ? o->frames : before.frames;
    r->at.every = first_number(o->checkpoint_every, before.every, scene->checkpoint_every);
    r->at.wall_every = first_number(o->checkpoint_wall, before.wall_every, scene->checkpoint_wall);
    r->at.keep = o->checkpoint_keep > 0 ? o->checkpoint_keep
                 : before.keep > 0      ? before.keep
                                        : (int)scene->checkpoint_keep;
}

/* The next frame of a state without a run state or with other frames. */
static void find_frame(run *r)
{
    double time = mote_world_time(r->world);
    if (!r->begun || changes_time(r->options, "fps")) {
        r->at.frame = (int)fmin(floor(time * r->def.world.time.fps * (1 + 1e-9)) + 1,
                                (double)r->frames_total + 1);
        r->at.steps_at_frame = mote_world_steps(r->world);
    }
}

static mote_status plan_resume(run *r, mote_error *error)
{
    double time = mote_world_time(r->world);
    if (!r->options->resume) {
        return MOTE_OK;
    }
    if (time > r->end + mo_world_next_step(r->world)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "the checkpoint is at t = %g s, beyond the end at %g s; give a later end",
                       time, r->end);
    }
    find_frame(r);
    return MOTE_OK;
}

static mote_status plan_checkpoints(run *r, mote_error *error)
{
    const char *directory = r->options->directory;
    if (!(r->at.every > 0 || r->at.wall_every > 0)) {
        return MOTE_OK;
    }
    if (!directory) {
        return mo_fail(error, MOTE_ERROR_USAGE, "checkpoints need a directory to be written to");
    }
    mo_checkpoint_plan p = {directory,  mote_scene_name(r->scene), r->at.every, r->at.wall_every,
                            r->at.keep, r->options->resume != NULL};
    return mo_checkpoints_create(&r->memory, &p, mote_world_time(r->world), &r->checkpoints, error);
}

static mote_status plan_writer(run *r, mote_error *error)
{
    MO_TRY(mo_writer_create(&r->memory, r->options->directory, mote_scene_name(r->scene),
                            &r->def.output, r->world, &r->writer, error));
    if (r->begun) {
        MO_TRY(mo_writer_resume(r->writer, r->at.table, r->at.written, error));
        r->frames_before = r->at.written;
    }
    return MOTE_OK;
}

static mote_status plan(run *r, mote_error *error)
{
    MO_TRY(plan_frames(r, error));
    MO_TRY(plan_resume(r, error));
    MO_TRY(check_step(r, error));
    if (r->options->solve_static) {
        mo_system *unused;
        MO_TRY(mo_static_system(r->world, &unused, error));
    }
    MO_TRY(check_directory(r, error));
    MO_TRY(check_report_path(r, error));
    if (r->options->directory) {
        MO_TRY(plan_writer(r, error));
    }
    return plan_checkpoints(r, error);
}

/* Restores the resumed state into the new world. */
static mote_status restore_state(run *r, mote_error *error)
{
    const mote_snapshot *s = r->options->resume;
    mote_error problem = {0};
    if (!s) {
        return MOTE_OK;
    }
    mote_status status = r->options->change_count > 0 ? mote_world_adopt(r->world, s, &problem)
                                                      : mote_world_restore(r->world, s, &problem);
    if (status != MOTE_OK) {
        return mo_fail(error, status, "the checkpoint does not fit: %.1400s", problem.text);
    }
    bool same_build = !s->version || (strcmp(s->version, mote_version()) == 0 &&
                                      strcmp(s->instruction_set, mote_instruction_set()) == 0);
    if (!same_build) {
        mo_log log = {r->options->config.log, r->options->config.log_context};
        mo_log_write(
            &log, MOTE_LOG_WARNING,
            "the checkpoint was written by mote %s for %s, this is %s for %s; bitwise identical "
            "results are guaranteed for the same build only",
            s->version, s->instruction_set, mote_version(), mote_instruction_set());
    }
    r->time_before = mote_world_time(r->world);
    r->steps_before = mote_world_steps(r->world);
    return MOTE_OK;
}

/* Warns about an explicit step beyond the stability estimate. */
static mote_status warn_about_step(run *r, mote_error *error)
{
    double omega, rate;
    mote_advice advice;
    MO_TRY(mote_world_frequency(r->world, &omega, error));
    MO_TRY(mote_world_damping(r->world, &rate, error));
    for (int k = 0; mote_world_advice(r->world, omega, rate, k, &advice); ++k) {
        if (advice.current && advice.damped_step == 0) {
            mo_warn(
                &r->world->warnings, &r->world->log, mote_world_time(r->world), "long_step",
                "'%s' is unconditionally unstable here: its energy grows at any step (`mote check` "
                "lists alternatives); longer runs need a smaller time.step",
                advice.integrator);
        } else if (advice.current && advice.step > 1.001 * advice.damped_step) {
            mo_warn(
                &r->world->warnings, &r->world->log, mote_world_time(r->world), "long_step",
                "time.step: %.3g s exceeds the estimated stability limit of %.3g s of '%s' (`mote "
                "check` lists alternatives); if the motion diverges, use a smaller step or an "
                "implicit integrator",
                advice.step, advice.damped_step, advice.integrator);
        }
    }
    return MOTE_OK;
}

/* All checks before anything is written. */
static mote_status prepare(run *r, mote_error *error)
{
    mote_error problem = {0};
    mo_memory_init(&r->memory, &r->options->config.allocator);
    mo_arena_init(&r->arena, &r->memory);
    MO_TRY(mo_scene_read(r->scene, &r->arena, &r->def, error));
    MO_TRY(mote_world_create(r->scene, &r->options->config, &r->world, error));
    MO_TRY(restore_state(r, error));
    choose_options(r);
    mote_status status = plan(r, &problem);
    if (status != MOTE_OK) {
        return mo_fail(error, status, "%.600s: %.1400s", r->scene->file, problem.text);
    }
    for (int k = 0; k < mote_world_system_count(r->world); ++k) {
        r->rows += mote_world_rows(r->world, k);
    }
    if ((!r->begun || r->options->change_count > 0) && !r->options->solve_static) {
        MO_TRY(warn_about_step(r, error));
    }
    return r->begun ? MOTE_OK : mote_world_measure(r->world, &r->at.first, error);
}

static void summarize(run *r, mote_status status)
{
    mote_run_summary *s = &r->summary;
    s->time = mote_world_time(r->world);
    s->wall = mo_clock() - r->start;
    s->steps = mote_world_steps(r->world);
    s->step_min = r->sizes.least;
    s->step_max = r->sizes.most;
    mo_step_sizes_text(&r->sizes, s->step_limits, sizeof s->step_limits);
    s->state_hash = mote_world_state_hash(r->world);
    s->cancelled = status == MOTE_CANCELLED;
    if (r->checkpoints) {
        s->checkpoints = mo_checkpoints_written(r->checkpoints);
        snprintf(s->checkpoint_file, sizeof s->checkpoint_file, "%s",
                 mo_checkpoints_last_file(r->checkpoints));
    }
    if (r->writer) {
        s->frames = mo_writer_frames(r->writer);
        s->files = mo_writer_files(r->writer);
        mo_writer_first_file(r->writer, s->first_file, sizeof s->first_file);
        mo_writer_index_file(r->writer, s->index_file, sizeof s->index_file);
    }
    if (r->options->report_path) {
        snprintf(s->report_file, sizeof s->report_file, "%s", r->options->report_path);
    } else if (r->options->directory) {
        snprintf(s->report_file, sizeof s->report_file, "%.4000s/report.json",
                 r->options->directory);
    }
}

/* Frames beyond the last of this run belong to an earlier one and are removed. A resumed run keeps
 * them, since it would write the same, unless it has completed or its parameters have changed. */
static bool replaces_later_frames(const run *r, mote_status status)
{
    bool rewrote = mo_writer_frames(r->writer) > r->frames_before;
    return !r->begun || !r->options->resume || status == MOTE_OK ||
           (status == MOTE_CANCELLED && r->options->change_count > 0 && rewrote);
}

/* Index and tables; not written by a resumed run that failed before its first frame. */
static mote_status finish_frames(run *r, mote_status status, mote_error *error)
{
    bool failed = status != MOTE_OK && status != MOTE_CANCELLED;
    int frames = r->writer ? mo_writer_frames(r->writer) : 0;
    if (frames == 0 || (failed && frames == r->frames_before)) {
        return MOTE_OK;
    }
    if (replaces_later_frames(r, status)) {
        mo_writer_remove_stale(r->writer);
    }
    return mo_writer_index(r->writer, error);
}

/* Writes index and report, also after a failure: results so far are kept. */
static mote_status finish(run *r, mote_status status, const mote_error *failure, mote_error *error)
{
    mote_error kept_error = {0}, problem = {0};
    mote_status kept = finish_frames(r, status, &kept_error);
    bool failed = status != MOTE_OK && status != MOTE_CANCELLED;
    if (r->checkpoints && failed) {
        (void)mo_checkpoints_wait(r->checkpoints, NULL);
    } else if (r->checkpoints) { /* also if the index could not be written */
        note_now(r);
        mote_status saved =
            mo_checkpoints_finish(r->checkpoints, r->world, state_of(r), table_of(r), &problem);
        if (saved != MOTE_OK && kept == MOTE_OK) {
            kept = saved;
            kept_error = problem;
        }
    }
    if (kept == MOTE_OK &&
        r->options->directory) { /* frames are on disk before the report states "done" */
        kept = mo_directory_sync(r->options->directory, &kept_error);
    }
    summarize(r, status);
    if (!r->summary.report_file[0]) {
        return kept == MOTE_OK ? MOTE_OK : mo_fail(error, kept, "%s", kept_error.text);
    }
    mo_run_record record = {.scene = r->scene,
                            .world = r->world,
                            .summary = &r->summary,
                            .output_seconds = r->output_seconds,
                            .checkpoint_seconds =
                                r->checkpoints ? mo_checkpoints_seconds(r->checkpoints) : 0,
                            .sizes = r->sizes,
                            .steps_before = r->steps_before,
                            .options = r->options,
                            .first = r->at.first,
                            .rest = r->options->solve_static ? &r->rest : NULL,
                            .failure = failed            ? failure->text
                                       : kept != MOTE_OK ? kept_error.text
                                                         : NULL};
    /* sums of a failed state may not be finite: null in the report */
    mote_status measured = mote_world_measure(r->world, &record.last, failed ? NULL : error);
    mote_status written = failed ? MOTE_OK : measured;
    if (written == MOTE_OK) {
        written = mo_report_write(r->summary.report_file, &record, error);
    }
    if (written != MOTE_OK) {
        r->summary.report_file[0] = '\0';
        return written;
    }
    return kept == MOTE_OK ? MOTE_OK : mo_fail(error, kept, "%s", kept_error.text);
}

/* Removes incomplete files of killed runs of the same name. */
static void sweep(const run *r)
{
    char prefix[DIRECTORY_LENGTH + 320];
    snprintf(prefix, sizeof prefix, "%s/%.300s.", r->options->directory, mote_scene_name(r->scene));
    mo_file_sweep(prefix);
    snprintf(prefix, sizeof prefix, "%s/skin/%.300s.", r->options->directory,
             mote_scene_name(r->scene));
    mo_file_sweep(prefix);
    snprintf(prefix, sizeof prefix, "%s/report.json.", r->options->directory);
    mo_file_sweep(prefix);
}

/* Called at the start of the run, before anything is written. */
static mote_status claim_directory(run *r, mote_error *error)
{
    if (!r->options->directory) {
        return MOTE_OK;
    }
    MO_TRY(mo_directory_create(r->options->directory, error));
    MO_TRY(mo_directory_claim(r->options->directory, &r->claim, error));
    sweep(r);
    return MOTE_OK;
}

static void release(run *r)
{
    mo_checkpoints_destroy(r->checkpoints);
    mo_directory_leave(r->claim);
    mo_writer_destroy(r->writer);
    mote_world_destroy(r->world);
    mo_arena_release(&r->arena);
}

/* ---- checks of the caller's options ---- */

static mote_status check_count(const char *name, int value, int least, const char *meaning,
                               mote_error *error)
{
    return value >= least ? MOTE_OK
                          : mo_fail(error, MOTE_ERROR_USAGE, "%s: %d; allowed: %d (%s) or more",
                                    name, value, least, meaning);
}

/* NaN selects a default. */
static mote_status check_seconds(const char *name, double value, const char *nan, mote_error *error)
{
    return isnan(value) || (value >= 0 && isfinite(value))
               ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_USAGE, "%s: %g s; allowed: 0 or more, NaN for %s", name,
                         value, nan);
}

static mote_status check_options(const mote_run_options *o, mote_error *error)
{
    MO_TRY(check_count("config.threads", o->config.threads, 0, "one per core", error));
    MO_TRY(check_count("frames", o->frames, -1, "all", error));
    MO_TRY(check_count("checkpoint_keep", o->checkpoint_keep, 0, "as the scene says", error));
    MO_TRY(check_count("change_count", o->change_count, 0, "none", error));
    MO_TRY(check_seconds("until", o->until, "the scene's end", error));
    MO_TRY(check_seconds("checkpoint_every", o->checkpoint_every, "what the scene says", error));
    MO_TRY(check_seconds("checkpoint_wall", o->checkpoint_wall, "what the scene says", error));
    if (o->change_count > 0 && !o->changes) {
        return mo_fail(error, MOTE_ERROR_USAGE, "changes: there are none, and change_count is %d",
                       o->change_count);
    }
    return MOTE_OK;
}

mote_status mote_run_check(const mote_scene *scene, const mote_config *config, mote_error *error)
{
    MO_NEED(scene);
    mote_run_options options = mote_run_options_default();
    options.config = config ? *config : options.config;
    options.directory = "unused"; /* so that the output is checked as well */
    run r = {.scene = scene, .options = &options, .claim = -1};
    mote_status status = prepare(&r, error);
    release(&r);
    return status;
}

mote_status mote_run(const mote_scene *scene, const mote_run_options *options,
                     mote_run_summary *summary, mote_error *error)
{
    MO_NEED(scene);
    mote_run_options defaults = mote_run_options_default();
    run r = {
        .scene = scene, .options = options ? options : &defaults, .claim = -1, .start = mo_clock()};
    mote_error outcome = {0}, trouble = {0};
    mote_status status = check_options(r.options, &outcome);
    status = status == MOTE_OK ? prepare(&r, &outcome) : status;
    status = status == MOTE_OK ? claim_directory(&r, &outcome) : status;
    if (status == MOTE_OK) {
        status =
            r.options->solve_static ? solve_static(&r, &outcome) : advance_frames(&r, &outcome);
        mote_status ended = finish(&r, status, &outcome, &trouble);
        if (ended != MOTE_OK && (status == MOTE_OK || status == MOTE_CANCELLED)) {
            status = ended;
            outcome = trouble;
        }
    }
    release(&r);
    if (summary) {
        *summary = r.summary;
    }
    if (error) {
        *error = outcome;
        error->status = status;
    }
    return status;
}
