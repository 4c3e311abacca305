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

static void print_time(double time, char *text, size_t size)
{
    bool tiny = time != 0 && fabs(time) < 0.01; /* molecular time scales */
    snprintf(text, size, tiny ? "t = %.3e s" : "t = %.3f s", time);
}

static mo_legend_look look_of(const mo_annotation *a, double size)
{
    return a->dark ? mo_legend_look_dark(size) : mo_legend_look_light(size);
}

static mo_legend legend_of(const mo_annotation *a)
{
    bool field = a->field && a->count == 0;
    return (mo_legend){.count = a->count,
                       .entries = a->entries,
                       .map = mo_colormap_find(a->map),
                       .label = field ? a->field->label : NULL,
                       .unit = field && a->field->unit[0] ? a->field->unit : NULL,
                       .low = a->low,
                       .high = a->high};
}

mote_status mo_annotation_margin(const mo_annotation *a, int width, int height, int *margin,
                                 mote_error *error)
{
    mo_canvas *canvas;
    mo_image image = {.width = width, .height = height};
    double size = mo_annotation_size(&image);
    *margin = 0;
    if (!a->field && a->count == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_image_create(width, height, &image, error));
    mote_status status = mo_canvas_create(&image, 1, &canvas, error);
    if (status == MOTE_OK) {
        mo_legend_look look = look_of(a, size);
        mo_legend legend = legend_of(a);
        double time = mo_canvas_text_width(canvas, "t = 00.000 s", size) + 1.8 * size;
        double wide = fmax(mo_legend_width(canvas, &look, &legend), isnan(a->time) ? 0 : time);
        *margin = wide <= 0.5 * width ? (int)ceil(wide) : 0;
        mo_canvas_destroy(canvas);
    }
    mo_image_destroy(&image);
    return status;
}

static void write_time(mo_canvas *canvas, const mo_annotation *a, double size)
{
    char text[64];
    print_time(a->time, text, sizeof text);
    mo_text_style style = {.size = size, .color = look_of(a, size).text};
    mo_point2 all = mo_canvas_size(canvas);
    mo_point2 at = {(a->margin ? all.x - a->margin : 0) + 0.9 * size, all.y - 0.9 * size};
    mo_canvas_text(canvas, at, &style, text);
}

mote_status mo_annotate(mo_image *image, const mo_annotation *a, mote_error *error)
{
    mo_canvas *canvas;
    double size = mo_annotation_size(image);
    MO_TRY(mo_canvas_create(image, 1, &canvas, error));
    if (a->field || a->count > 0) {
        mo_legend legend = legend_of(a);
        mo_legend_look look = look_of(a, size);
        mo_legend_draw(canvas, MO_TOP_RIGHT, &look, &legend);
    }
    if (!isnan(a->time)) {
        write_time(canvas, a, size);
    }
    mo_canvas_destroy(canvas);
    return MOTE_OK;
}
