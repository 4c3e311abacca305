/* A run: frames at their times, files, progress, and a report whatever happens. */
#include "mote/run.h"

#include "base/file.h"
#include "io/writer.h"
#include "run/report.h"
#include "run/schedule.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double MOST_FRAMES = 1e8;

typedef struct run {
    const mote_scene *scene;
    const mote_run_options *options;
    mo_memory memory;
    mo_arena arena;
    mo_scene_def def;
    mote_world *world;
    mo_writer *writer; /* NULL: no frames */
    mote_measures first;
    double start, end, output_seconds;
    int frames_total, frames_done;
    int64_t rows;
    mote_run_summary summary;
} run;

mote_run_options mote_run_options_default(void)
{
    return (mote_run_options){.config = mote_config_default(), .until = NAN, .frames = -1};
}

/* Notes the step for the table and tells the caller of it. */
static bool after_step(void *context, const mote_step_report *report)
{
    run *r = context;
    if (r->writer) {
        mo_writer_step(r->writer, report);
    }
    if (!r->options->progress) {
        return true;
    }
    double wall = mo_clock() - r->start;
    mote_progress progress = {.time = report->time,
                              .end = r->end,
                              .wall = wall,
                              .remaining = report->time > 0 ? wall * (r->end / report->time - 1) : -1,
                              .steps = report->step,
                              .frames = r->frames_done,
                              .frames_total = r->frames_total,
                              .particles = r->rows,
                              .last = *report};
    return r->options->progress(r->options->progress_context, &progress);
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

/* The scene as it is run, beside its results: so that they can be drawn, and run again. */
static mote_status save_scene(const run *r, mote_error *error)
{
    char path[4096];
    if (!r->writer) {
        return MOTE_OK;
    }
    snprintf(path, sizeof path, "%s/%s.scene.json", r->options->directory, mote_scene_name(r->scene));
    return mo_scene_save(r->scene, path, error);
}

static mote_status advance_frames(run *r, mote_error *error)
{
    mote_step_report report = {0};
    MO_TRY(write_frame(r, error));
    MO_TRY(save_scene(r, error));
    for (int frame = 1; frame <= r->frames_total; ++frame) {
        int64_t before = mote_world_steps(r->world);
        mote_status status = mo_world_advance(r->world, frame_time(r, frame), after_step, r, &report, error);
        if (status != MOTE_OK && status != MOTE_CANCELLED) {
            return status;
        }
        r->frames_done = frame;
        if (mote_world_steps(r->world) > before) {
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

/* How many frames after the first, and when the last one is due. */
static mote_status plan_frames(run *r, mote_error *error)
{
    const mo_time_def *time = &r->def.world.time;
    bool given = !isnan(r->options->until);
    r->end = given ? r->options->until : time->end;
    if (!(r->end >= 0) || !isfinite(r->end)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "a run cannot end at t = %g s", r->end);
    }
    double frames = mo_schedule_make(r->end, time->fps).total;
    if (r->options->frames >= 0 && r->options->frames < frames) {
        frames = r->options->frames;
        r->end = frames / time->fps;
    }
    if (frames > MOST_FRAMES) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "time.fps: %g s with %g frames a second make %.3g frames; allowed: %g", r->end,
                       time->fps, frames, MOST_FRAMES);
    }
    r->frames_total = (int)frames;
    return MOTE_OK;
}

/* A fixed step that is longer than the run would end before it began. */
static mote_status check_step(run *r, mote_error *error)
{
    double step = mo_world_next_step(r->world);
    if (r->end > 0 && step > 2 * r->end) {
        return mo_fail(error, MOTE_ERROR_INPUT, "time.step: the step of %g s is longer than the run of %g s",
                       step, r->end);
    }
    return MOTE_OK;
}

/* A report that cannot be written is found before the run, not after it. */
static mote_status check_report_path(const run *r, mote_error *error)
{
    mo_file file;
    if (r->options->report_path) {
        MO_TRY(mo_file_create(r->options->report_path, &file, error));
        mo_file_abandon(&file);
    }
    return MOTE_OK;
}

static mote_status plan(run *r, mote_error *error)
{
    MO_TRY(plan_frames(r, error));
    if (!(r->def.world.time.step.type->capabilities & MO_STEP_VARIES)) {
        MO_TRY(check_step(r, error));
    }
    MO_TRY(check_report_path(r, error));
    const char *directory = r->options->directory;
    if (!directory) {
        return MOTE_OK;
    }
    return mo_writer_create(&r->memory, directory, mote_scene_name(r->scene), &r->def.output, r->world,
                            &r->writer, error);
}

/* Everything that can be wrong is found here, before anything is written. */
static mote_status prepare(run *r, mote_error *error)
{
    mote_error problem = {0};
    mo_memory_init(&r->memory, &r->options->config.allocator);
    mo_arena_init(&r->arena, &r->memory);
    MO_TRY(mo_scene_read(r->scene, &r->arena, &r->def, error));
    MO_TRY(mote_world_create(r->scene, &r->options->config, &r->world, error));
    mote_status status = plan(r, &problem);
    if (status != MOTE_OK) {
        return mo_fail(error, status, "%.600s: %.1400s", r->scene->file, problem.text);
    }
    for (int k = 0; k < mote_world_system_count(r->world); ++k) {
        r->rows += mote_world_rows(r->world, k);
    }
    return mote_world_measure(r->world, &r->first, error);
}

static void summarize(run *r, mote_status status)
{
    mote_run_summary *s = &r->summary;
    s->time = mote_world_time(r->world);
    s->wall = mo_clock() - r->start;
    s->steps = mote_world_steps(r->world);
    s->state_hash = mote_world_state_hash(r->world);
    s->cancelled = status == MOTE_CANCELLED;
    if (r->writer) {
        s->frames = mo_writer_frames(r->writer);
        s->files = mo_writer_files(r->writer);
        mo_writer_first_file(r->writer, s->first_file, sizeof s->first_file);
        mo_writer_index_file(r->writer, s->index_file, sizeof s->index_file);
    }
    if (r->options->report_path) {
        snprintf(s->report_file, sizeof s->report_file, "%s", r->options->report_path);
    } else if (r->options->directory) {
        snprintf(s->report_file, sizeof s->report_file, "%.4000s/report.json", r->options->directory);
    }
}

/* Index and report, also of a run that failed: what was computed so far is kept. */
static mote_status finish(run *r, mote_status status, const mote_error *failure, mote_error *error)
{
    if (r->writer && mo_writer_frames(r->writer) > 0) {
        mo_writer_remove_stale(r->writer);
        MO_TRY(mo_writer_index(r->writer, error));
    }
    summarize(r, status);
    if (!r->summary.report_file[0]) {
        return MOTE_OK;
    }
    bool failed = status != MOTE_OK && status != MOTE_CANCELLED;
    mo_run_record record = {.scene = r->scene,
                            .world = r->world,
                            .summary = &r->summary,
                            .output_seconds = r->output_seconds,
                            .first = r->first,
                            .failure = failed ? failure->text : NULL};
    mote_status written = mote_world_measure(r->world, &record.last, error);
    if (written == MOTE_OK) {
        written = mo_report_write(r->summary.report_file, &record, error);
    }
    if (written != MOTE_OK) {
        r->summary.report_file[0] = '\0';
    }
    return written;
}

static void release(run *r)
{
    mo_writer_destroy(r->writer);
    mote_world_destroy(r->world);
    mo_arena_release(&r->arena);
}

mote_status mote_run_check(const mote_scene *scene, const mote_config *config, mote_error *error)
{
    mote_run_options options = mote_run_options_default();
    options.config = config ? *config : options.config;
    options.directory = "unused"; /* so that the output is checked too */
    run r = {.scene = scene, .options = &options};
    mote_status status = prepare(&r, error);
    release(&r);
    return status;
}

mote_status mote_run(const mote_scene *scene, const mote_run_options *options, mote_run_summary *summary,
                     mote_error *error)
{
    mote_run_options usual = mote_run_options_default();
    run r = {.scene = scene, .options = options ? options : &usual, .start = mo_clock()};
    mote_error outcome = {0}, trouble = {0};
    mote_status status = prepare(&r, &outcome);
    if (status == MOTE_OK) {
        status = advance_frames(&r, &outcome);
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
