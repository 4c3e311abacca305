#include "view/studio.h"

#include "view/show/categories.h"

#include <math.h>
#include <string.h>

static mote_status set_up(mo_studio *s, mote_error *error)
{
    const mo_view_def *view = &mo_show_def(s->show)->view;
    s->wish = mo_picture_wish_of(view);
    s->look = mo_scene_look(view, s->table);
    s->map = view->color.map;
    s->legend = view->legend;
    s->extent = mo_extent_none();
    s->low_free = isnan(view->color.min);
    s->high_free = isnan(view->color.max);
    s->low = view->color.min;
    s->high = view->color.max;
    mo_studio_reset_range(s);
    MO_TRY(mo_picture_maker_init(&s->maker, error));
    return mo_studio_picture(s, error);
}

mote_status mo_studio_open(const mote_scene *scene, const char *results, const mote_config *config,
                           mo_studio *s, mote_error *error)
{
    *s = (mo_studio){0};
    MO_TRY(mo_show_open(scene, results, config, &s->show, error));
    mote_status status = set_up(s, error);
    if (status != MOTE_OK) {
        mo_studio_close(s);
    }
    return status;
}

void mo_studio_close(mo_studio *s)
{
    mo_picture_maker_release(&s->maker);
    mo_show_close(s->show);
    s->show = NULL;
}

mote_status mo_studio_picture(mo_studio *s, mote_error *error)
{
    return mo_picture_make(&s->maker, mo_show_moment(s->show), &mo_show_def(s->show)->world,
                           &s->wish, error);
}

void mo_studio_reset_range(mo_studio *s)
{
    s->low = s->low_free ? INFINITY : s->low;
    s->high = s->high_free ? -INFINITY : s->high;
}

void mo_studio_survey(mo_studio *s)
{
    mo_extent_add(&s->extent, &s->maker.picture);
    if (s->maker.has_values) {
        s->has_shown_values = true;
        s->low = s->low_free && s->maker.low < s->low ? s->maker.low : s->low;
        s->high = s->high_free && s->maker.high > s->high ? s->maker.high : s->high;
    }
}

void mo_studio_aim(mo_studio *s, int width, int height)
{
    s->camera = mo_scene_camera(mo_show_def(s->show), &s->extent, (double)width / height,
                                s->maker.picture.time);
}

/* The colour range as drawn: never empty. */
static void range_of(const mo_studio *s, double *low, double *high)
{
    *low = isfinite(s->low) ? s->low : 0;
    *high = isfinite(s->high) ? s->high : 1;
    mo_range_widen(low, high);
}

mote_status mo_studio_draw(mo_studio *s, mo_renderer *renderer, int width, int height,
                           mote_error *error)
{
    range_of(s, &s->look.map_min, &s->look.map_max);
    s->look.map = s->table;
    return mo_renderer_draw(renderer, &s->maker.picture, &s->camera, &s->look, width, height,
                            error);
}

/* Whether particles or surfaces are drawn in colours of values or paints; axes have their own. */
static bool draws_colors(const mo_studio *s)
{
    const mo_look *look = &s->look;
    const mo_picture *picture = &s->maker.picture;
    bool particles = look->particles != MO_PARTICLES_NONE && look->particles != MO_PARTICLES_AXES;
    return particles || picture->triangle_count > 0 || picture->surface.triangle_count > 0;
}

bool mo_studio_is_colored(const mo_studio *s)
{
    const mo_picture *picture = &s->maker.picture;
    bool lines = s->look.lines_by_value && picture->spring_count + picture->neighbor_count > 0;
    bool values = s->maker.has_values || s->has_shown_values;
    return values && (draws_colors(s) || lines);
}

static int categories_of(const mo_studio *s, const mo_annotation *a,
                         mo_legend_entry entries[MO_LEGEND_ENTRIES])
{
    const mo_world_def *def = &mo_show_def(s->show)->world;
    if (a->field) {
        return mo_categories_of_field(def, a->field, mo_colormap_find(a->map), a->low, a->high,
                                      entries);
    }
    return draws_colors(s) ? mo_categories_of_paints(def, &s->maker.paints, entries) : 0;
}

static mo_annotation annotation_of(const mo_studio *s)
{
    mo_annotation a = {
        .map = s->map, .time = s->maker.picture.time, .dark = mo_look_is_dark(&s->look)};
    a.field = mo_studio_is_colored(s) ? &s->maker.field : NULL;
    range_of(s, &a.low, &a.high);
    a.count = categories_of(s, &a, a.entries);
    return a;
}

mote_status mo_studio_margin(const mo_studio *s, int width, int height, int *margin,
                             mote_error *error)
{
    mo_annotation a = annotation_of(s);
    *margin = 0;
    return s->legend ? mo_annotation_margin(&a, width, height, margin, error) : MOTE_OK;
}

mote_status mo_studio_annotate(const mo_studio *s, int margin, mo_image *image, mote_error *error)
{
    mo_annotation a = annotation_of(s);
    a.margin = margin;
    return s->legend ? mo_annotate(image, &a, error) : MOTE_OK;
}
