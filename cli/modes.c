/*
 * `mote modes SCENE`: the lowest natural frequencies of the scene's initial state, and their mode
 * shapes as frames: frame n is mode n, with a displacement of a twentieth of the body's size; its
 * column v is the mode shape.
 */
#include "commands.h"
#include "interrupt.h"
#include "options.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODES_DEFAULT = 10 };

static const double PI = 3.14159265358979323846;

static void print_mode(int mode, double omega, const options *o)
{
    if (o->json) {
        json_t *row = json_pack("{s:i, s:f, s:f}", "mode", mode, "omega_rad_s", omega,
                                "frequency_hz", omega / (2 * PI));
        char *text = json_dumps(row, JSON_COMPACT);
        puts(text ? text : "{}");
        free(text);
        json_decref(row);
    } else if (!o->quiet) {
        printf("mode %3d  %12.6g Hz  omega %12.6g rad/s\n", mode, omega / (2 * PI), omega);
    }
}

static void on_log(void *context, mote_log_level level, const char *text)
{
    const options *o = context;
    if (level >= MOTE_LOG_WARNING && !o->quiet) {
        complain("warning: %s", text);
    }
}

static int find_modes(const mote_scene *scene, options *o)
{
    mote_error error = {0};
    mote_config config = mote_config_default();
    int count = o->modes > 0 ? o->modes : MODES_DEFAULT;
    double *omega = calloc((size_t)count, sizeof *omega);
    if (!omega) {
        complain("modes: out of memory");
        return EXIT_FAILED;
    }
    config.threads = o->threads;
    config.log = on_log;
    config.log_context = o;
    config.cancel = interrupt_cancels;
    mote_status status =
        mote_run_modes(scene, &config, o->directory, count, o->solve_static, omega, &error);
    for (int k = 0; k < count && status == MOTE_OK; ++k) {
        print_mode(k + 1, omega[k], o);
    }
    free(omega);
    if (status == MOTE_OK) {
        return EXIT_DONE;
    }
    print_file_error(o->scene, &error);
    return status == MOTE_ERROR_INPUT || status == MOTE_ERROR_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

static const flag FLAGS[] = {{"-o", "DIR", FLAG_TEXT, offsetof(options, directory),
                              .doc = "directory for one frame per mode shape (none)"},
                             {"--count", "N", FLAG_INT, offsetof(options, modes), .low = 1,
                              .doc = "number of frequencies (10)"},
                             {"--static", NULL, FLAG_SWITCH, offsetof(options, solve_static),
                              .doc = "linearise about static equilibrium instead of the initial "
                                     "state"},
                             OPTIONS_SET,
                             OPTIONS_THREADS,
                             OPTIONS_QUIET,
                             OPTIONS_JSON,
                             {0}};

static int run(const command *self, int count, char **arguments)
{
    options o = options_default();
    interrupt_catch();
    mote_scene *scene = command_read(self, count, arguments, &o) ? options_load(&o) : NULL;
    if (!scene) {
        return EXIT_USAGE;
    }
    int code = find_modes(scene, &o);
    mote_scene_destroy(scene);
    return code;
}

const command command_modes = {
    .name = "modes",
    .operand = "SCENE",
    .summary = "compute the lowest natural frequencies and mode shapes",
    .missing = "a scene is missing: mote modes SCENE.json [--count N] [-o DIR]",
    .operand_field = offsetof(options, scene),
    .flags = FLAGS,
    .run = run,
};
