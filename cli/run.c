#include "commands.h"
#include "interrupt.h"
#include "options.h"
#include "progress.h"
#include "session.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct session {
    const options *o;
    progress_view view;
} session;

static bool on_progress(void *context, const mote_progress *progress)
{
    session *s = context;
    if (!s->o->quiet && !s->o->json) {
        progress_show(&s->view, progress);
    }
    return !interrupt_seen();
}

static void on_log(void *context, mote_log_level level, const char *text)
{
    session *s = context;
    if (level >= MOTE_LOG_WARNING && !s->o->quiet) {
        progress_close(&s->view);
        complain("warning: %s", text);
    }
}

static const char *outcome(const mote_run_summary *s, mote_status status)
{
    bool failed = status != MOTE_OK && status != MOTE_CANCELLED;
    return failed ? "failed" : s->cancelled ? "stopped" : "done";
}

static void print_json(const mote_run_summary *s, mote_status status, const mote_error *error)
{
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, s->state_hash);
    bool failed = status != MOTE_OK && status != MOTE_CANCELLED;
    json_t *o =
        json_pack("{s:s, s:s*, s:f, s:I, s:i, s:i, s:f, s:s, s:s, s:s, s:s, s:s}", "outcome",
                  failed         ? "failed"
                  : s->cancelled ? "stopped"
                                 : "done",
                  "failure", failed ? error->text : NULL, "time", s->time, "steps",
                  (json_int_t)s->steps, "frames", s->frames, "files", s->files, "wall_s", s->wall,
                  "state_hash", hash, "index", s->index_file, "first_file", s->first_file, "report",
                  s->report_file, "checkpoint", s->checkpoint_file);
    char *text = json_dumps(o, JSON_COMPACT);
    puts(text ? text : "{}");
    free(text);
    json_decref(o);
}

static void print_summary(const mote_run_summary *s, mote_status status)
{
    char wall[40];
    format_duration(s->wall, wall, sizeof wall);
    printf("%s at t = %.6g s after %lld steps in %s\n", outcome(s, status), s->time,
           (long long)s->steps, wall);
    if (s->step_limits[0]) {
        printf("steps of %.3g to %.3g s, set by %s\n", s->step_min, s->step_max, s->step_limits);
    }
    printf("state_hash %016" PRIx64 "\n", s->state_hash);
    if (s->files > 0) {
        printf("%d frames in %d files; open %s\n", s->frames, s->files, s->index_file);
    }
    if (s->checkpoint_file[0]) {
        printf("checkpoint %s\n", s->checkpoint_file);
    }
    if (s->report_file[0]) {
        printf("report %s\n", s->report_file);
    }
}

/* Usage and input errors are found before anything is written; a run that has begun can only
 * fail. */
static int exit_code(mote_status status, bool begun)
{
    switch (status) {
    case MOTE_OK:
    case MOTE_CANCELLED: /* stopped by the user, ended cleanly */
        return EXIT_DONE;
    case MOTE_ERROR_INPUT:
    case MOTE_ERROR_USAGE:
        return begun ? EXIT_FAILED : EXIT_USAGE;
    default:
        return EXIT_FAILED;
    }
}

int run_scene(const mote_scene *scene, const options *o, const char *directory,
              const mote_snapshot *resume)
{
    session s = {.o = o};
    mote_run_options r = mote_run_options_default();
    r.config.threads = o->threads;
    r.config.log = on_log;
    r.config.log_context = &s;
    r.config.cancel = interrupt_cancels;
    r.directory = directory;
    r.report_path = o->report;
    r.until = o->until;
    r.frames = o->frames;
    r.checkpoint_every = o->checkpoint_every;
    r.checkpoint_wall = o->checkpoint_wall;
    r.checkpoint_keep = o->keep;
    r.resume = resume;
    r.solve_static = o->solve_static;
    r.changes = o->sets;
    r.change_count = resume ? o->set_count : 0;
    r.progress = on_progress;
    r.progress_context = &s;
    progress_open(&s.view);
    mote_run_summary summary = {0};
    mote_error error = {0};
    mote_status status = mote_run(scene, &r, &summary, &error);
    progress_close(&s.view);
    if (status != MOTE_OK && status != MOTE_CANCELLED) {
        print_file_error(o->scene, &error);
    }
    if (o->json) {
        print_json(&summary, status, &error);
    } else if (!o->quiet && summary.wall > 0) { /* otherwise it did not begin */
        print_summary(&summary, status);
    }
    return exit_code(status, summary.wall > 0);
}

static const flag FLAGS[] = {
    {"-o", "DIR", FLAG_TEXT, offsetof(options, directory), .doc = "output directory (out/SCENE)"},
    {"--static", NULL, FLAG_SWITCH, offsetof(options, solve_static),
     .doc = "solve for static equilibrium instead of integrating in time"},
    SESSION_FLAGS,
    {0}};

static int run(const command *self, int count, char **arguments)
{
    options o = options_default();
    interrupt_catch();
    mote_scene *scene = command_read(self, count, arguments, &o) ? options_load(&o) : NULL;
    if (!scene) {
        return EXIT_USAGE;
    }
    char default_directory[600];
    snprintf(default_directory, sizeof default_directory, "out/%.500s", mote_scene_name(scene));
    int code = run_scene(scene, &o, o.directory ? o.directory : default_directory, NULL);
    mote_scene_destroy(scene);
    return code;
}

const command command_run = {
    .name = "run",
    .operand = "SCENE",
    .summary = "run a scene to its end and write frames, an index and report.json",
    .missing = "a scene is missing: mote run SCENE.json [-o DIR] [--set path=value]",
    .operand_field = offsetof(options, scene),
    .flags = FLAGS,
    .run = run,
};
