#include "view/show/annotate.h"

#include <math.h>
#include <stdio.h>

double mo_annotation_size(const mo_image *image)
{
    double size = image->height / 38.0;
    return size < 10 ? 10 : size > 40 ? 40 : floor(size);
}

void mo_range_widen(double *low, double *high)
{
    if (!(*low < *high)) {
        double more = fabs(*low) > 0 ? 0.1 * fabs(*low) : 1;
        *high = *low + more;
    }
}

static void write_time(mo_canvas *canvas, const mo_annotation *a, double size)
{
    char text[64];
    bool tiny = a->time != 0 && fabs(a->time) < 0.01; /* molecules live in picoseconds */
    snprintf(text, sizeof text, tiny ? "t = %.3e s" : "t = %.3f s", a->time);
    mo_legend_look look = a->dark ? mo_legend_look_dark(size) : mo_legend_look_light(size);
    mo_text_style style = {.size = size, .color = look.text};
    mo_point2 at = {0.9 * size, mo_canvas_size(canvas).y - 0.9 * size};
    mo_canvas_text(canvas, at, &style, text);
}

mote_status mo_annotate(mo_image *image, const mo_annotation *a, mote_error *error)
{
    mo_canvas *canvas;
    double size = mo_annotation_size(image);
    MO_TRY(mo_canvas_create(image, 1, &canvas, error));
    if (a->field) {
        mo_legend legend = {.map = mo_colormap_find(a->map),
                            .label = a->field->label,
                            .unit = a->field->unit[0] ? a->field->unit : NULL,
                            .low = a->low,
                            .high = a->high};
        mo_legend_look look = a->dark ? mo_legend_look_dark(size) : mo_legend_look_light(size);
        mo_legend_draw(canvas, MO_TOP_RIGHT, &look, &legend);
    }
    if (!isnan(a->time)) {
        write_time(canvas, a, size);
    }
    mo_canvas_destroy(canvas);
    return MOTE_OK;
}
