/* `mote plot RUN-DIR`: the numbers of a run over time, as SVG and PNG. */
#include "commands.h"
#include "options.h"
#include "plot/run_figures.h"

#include <stdio.h>

enum { USUAL_WIDTH = 900, USUAL_HEIGHT = 560, LEAST = 200, MOST = 8000 };

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
    if (!o->scene) {
        complain("plot: which run? mote plot RUN-DIR [-o DIR] [--png-only|--svg-only] [--size WxH]");
        return false;
    }
    if (o->png_only && o->svg_only) {
        complain("plot: --png-only and --svg-only exclude each other; without them both are written");
        return false;
    }
    bool fits = o->width >= LEAST && o->width <= MOST && o->height >= LEAST && o->height <= MOST;
    if (o->width && !fits) {
        complain("plot: --size: %dx%d is out of range; allowed: %dx%d to %dx%d", o->width, o->height, LEAST,
                 LEAST, MOST, MOST);
        return false;
    }
    return true;
}

int command_plot(int count, char **arguments)
{
    static const char *const FLAGS[] = {"-o", "--png-only", "--svg-only", "--size", "--quiet", NULL};
    options o;
    mote_error error;
    if (!options_parse(count, arguments, "plot", FLAGS, &o) || !check(&o)) {
        return EXIT_USAGE;
    }
    run_plot_options plot = {.path = o.scene,
                             .directory = o.directory,
                             .svg = !o.png_only,
                             .png = !o.svg_only,
                             .width = o.width ? o.width : USUAL_WIDTH,
                             .height = o.height ? o.height : USUAL_HEIGHT};
    mote_status status = run_plot(&plot, tell, &o, &error);
    if (status == MOTE_OK) {
        return EXIT_DONE;
    }
    complain("%s", error.text);
    return status == MOTE_ERROR_INPUT ? EXIT_USAGE : EXIT_FAILED;
}
