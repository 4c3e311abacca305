/*
 * `mote plot RUN-DIR`: time series of a run, as SVG and PNG.
 */
#include "commands.h"
#include "options.h"
#include "plot/run_figures.h"

#include <stdio.h>

enum { WIDTH_DEFAULT = 900, HEIGHT_DEFAULT = 560, LEAST = 200, MOST = 8000 };

/* "900x560" */
static bool read_size(const flag *f, const char *text, void *out)
{
    options *o = out;
    int used = 0;
    if (sscanf(text, "%5dx%5d%n", &o->width, &o->height, &used) != 2 || text[used] ||
        o->width < 1 || o->height < 1) {
        complain("%s: '%s' is not a size; write width x height in pixels, as in --size 900x560",
                 f->name, text);
        return false;
    }
    return true;
}

static const flag FLAGS[] = {
    {"-o", "DIR", FLAG_TEXT, offsetof(options, directory),
     .doc = "output directory (that of the run)"},
    {"--size", "WxH", FLAG_OWN, .read = read_size, .doc = "size in pixels (900x560)"},
    {"--png-only", NULL, FLAG_SWITCH, offsetof(options, png_only), .doc = "no SVG"},
    {"--svg-only", NULL, FLAG_SWITCH, offsetof(options, svg_only), .doc = "no PNG"},
    OPTIONS_QUIET,
    {0}};

static const char *endings(const options *o)
{
    return o->png_only ? "png" : o->svg_only ? "svg" : "svg, png";
}

static void tell(void *context, const char *figure, const char *file, const char *reason)
{
    const options *o = context;
    if (o->quiet) {
        return;
    }
    if (file) {
        printf("%-11s %s.%s\n", figure, file, endings(o));
    } else {
        printf("%-11s not drawn: %s\n", figure, reason);
    }
}

static bool check(const options *o)
{
    if (o->png_only && o->svg_only) {
        complain(
            "plot: --png-only and --svg-only exclude each other; without them both are written");
        return false;
    }
    bool fits = o->width >= LEAST && o->width <= MOST && o->height >= LEAST && o->height <= MOST;
    if (o->width && !fits) {
        complain("plot: --size: %dx%d is out of range; allowed: %dx%d to %dx%d", o->width,
                 o->height, LEAST, LEAST, MOST, MOST);
        return false;
    }
    return true;
}

static int plot(const command *self, int count, char **arguments)
{
    options o = options_default();
    mote_error error;
    if (!command_read(self, count, arguments, &o) || !check(&o)) {
        return EXIT_USAGE;
    }
    run_plot_options wanted = {.path = o.scene,
                               .directory = o.directory,
                               .svg = !o.png_only,
                               .png = !o.svg_only,
                               .width = o.width ? o.width : WIDTH_DEFAULT,
                               .height = o.height ? o.height : HEIGHT_DEFAULT};
    mote_status status = run_plot(&wanted, tell, &o, &error);
    if (status == MOTE_OK) {
        return EXIT_DONE;
    }
    print_file_error(o.scene, &error);
    return status == MOTE_ERROR_INPUT ? EXIT_USAGE : EXIT_FAILED;
}

const command command_plot = {
    .name = "plot",
    .operand = "RUN-DIR",
    .summary = "plot the energies, momenta, steps, contacts and stage times of a run as SVG and "
               "PNG",
    .missing = "a run is missing: mote plot RUN-DIR [-o DIR] [--png-only|--svg-only] [--size "
               "WxH]",
    .operand_field = offsetof(options, scene),
    .flags = FLAGS,
    .run = plot,
};
