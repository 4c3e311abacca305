/*
 * Colour maps: perceptual uniformity, and legends that match their values.
 */
#include "test.h"

#include "draw/legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 64, COARSE = 32 };

typedef struct lab {
    double l, a, b;
} lab;

static double linear(int channel)
{
    double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* B. Ottosson 2020, "A perceptual color space for image processing". */
static lab oklab(mo_color c)
{
    double r = linear(c.r), g = linear(c.g), b = linear(c.b);
    double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return (lab){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

/* L* of CIE 1976. */
static double lightness(mo_color c)
{
    double y = 0.2126729 * linear(c.r) + 0.7151522 * linear(c.g) + 0.0721750 * linear(c.b);
    return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

static double distance(lab a, lab b)
{
    return sqrt((a.l - b.l) * (a.l - b.l) + (a.a - b.a) * (a.a - b.a) + (a.b - b.b) * (a.b - b.b));
}

static void lightness_is_monotonic(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int sign;
        double range; /* of lightness, at least */
    } MAPS[] = {{"viridis", 1, 75}, {"magma", 1, 97},   {"inferno", 1, 97}, {"plasma", 1, 75},
                {"cividis", 1, 75}, {"heat", -1, 59.5}, {"grey", 1, 100}};
    for (size_t m = 0; m < sizeof MAPS / sizeof *MAPS; ++m) {
        const mo_colormap *map = mo_colormap_find(MAPS[m].name);
        assert_non_null(map);
        double last = lightness(mo_colormap_at(map, 0)), first = last;
        for (int k = 1; k <= STEPS; ++k) {
            double next = lightness(mo_colormap_at(map, (double)k / STEPS));
            assert_true(MAPS[m].sign * (next - last) > 0);
            last = next;
        }
        assert_true(MAPS[m].sign * (last - first) >= MAPS[m].range - 1e-6);
    }
}

/* Symmetric about the middle. */
static void coolwarm_is_lightest_in_its_middle(void **state)
{
    (void)state;
    const mo_colormap *map = mo_colormap_find("coolwarm");
    for (int k = 0; k < STEPS / 2; ++k) {
        double t = (double)k / STEPS, step = 1.0 / STEPS;
        assert_true(lightness(mo_colormap_at(map, t)) < lightness(mo_colormap_at(map, t + step)));
        assert_true(lightness(mo_colormap_at(map, 1 - t)) <
                    lightness(mo_colormap_at(map, 1 - t - step)));
        assert_true(
            fabs(lightness(mo_colormap_at(map, t)) - lightness(mo_colormap_at(map, 1 - t))) < 3);
    }
}

/* Near black OKLab is not uniform: steps count above a lightness of 0.25. Rounding to 256 levels
 * changes fine steps by a fifth, so coarse steps are compared. */
static void steps_are_even(void **state)
{
    (void)state;
    for (int m = 0; mo_colormap_number(m); ++m) {
        const mo_colormap *map = mo_colormap_number(m);
        double least = INFINITY, most = 0, sum = 0;
        int count = 0;
        for (int k = 0; k < COARSE; ++k) {
            lab a = oklab(mo_colormap_at(map, (double)k / COARSE));
            lab b = oklab(mo_colormap_at(map, (k + 1.0) / COARSE));
            if (a.l > 0.25) {
                double step = distance(a, b);
                least = fmin(least, step);
                most = fmax(most, step);
                sum += step;
                ++count;
            }
        }
        /* cividis is uniform for colour vision deficiency (its paper, CAM02-UCS), hence less so
         * in OKLab */
        bool other_space = !strcmp(map->name, "cividis");
        if (least < (other_space ? 0.75 : 0.8) * sum / count ||
            most > (other_space ? 1.35 : 1.3) * sum / count) {
            print_error("%s: steps from %g to %g of the mean\n", map->name, least * count / sum,
                        most * count / sum);
            fail();
        }
    }
}

static void maps_are_found_by_name(void **state)
{
    (void)state;
    char choices[200] = "";
    for (int m = 0; mo_colormap_number(m); ++m) {
        const char *name = mo_colormap_number(m)->name;
        assert_ptr_equal(mo_colormap_find(name), mo_colormap_number(m));
        snprintf(choices + strlen(choices), sizeof choices - strlen(choices), "%s%s", m ? "|" : "",
                 name);
    }
    assert_string_equal(choices, MO_COLORMAP_CHOICES);
    assert_null(mo_colormap_find("virids"));
    assert_null(mo_colormap_number(-1));
}

static void expect_hex(mo_color c, uint32_t hex)
{
    assert_int_equal((uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b, hex);
    assert_int_equal(c.a, 255);
}

static void ends_are_clamped(void **state)
{
    (void)state;
    const mo_colormap *map = mo_colormap_find("viridis");
    expect_hex(mo_colormap_at(map, 0), 0x440154);
    expect_hex(mo_colormap_at(map, -3), 0x440154);
    expect_hex(mo_colormap_at(map, -INFINITY), 0x440154);
    expect_hex(mo_colormap_at(map, 1), 0xfde725);
    expect_hex(mo_colormap_at(map, INFINITY), 0xfde725);
    expect_hex(mo_colormap_at(map, NAN), 0x808890);
    expect_hex(mo_colormap_at(mo_colormap_find("heat"), 0), 0xffffff);
    expect_hex(mo_colormap_at(map, 15 / 255.0), 0x481769);
}

/* ---- legends ---- */

static bool same(mo_color a, mo_color b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void a_legend_shows_its_colours_from_low_to_high(void **state)
{
    (void)state;
    mo_image image;
    mo_canvas *canvas;
    assert_int_equal(mo_image_create(400, 300, &image, NULL), MOTE_OK);
    assert_int_equal(mo_canvas_create(&image, 1, &canvas, NULL), MOTE_OK);
    mo_legend_look look = mo_legend_look_dark(12);
    mo_legend legend = {mo_colormap_find("plasma"), "speed", "m/s", 0, 10, .log = false};
    mo_box2 box = mo_legend_draw(canvas, MO_TOP_RIGHT, &look, &legend);
    assert_true(box.left > 200 && box.right <= 400 && box.top >= 0 && box.bottom <= 300);
    /* along the centre of the bar: all colours of the map, the highest first */
    int x = (int)box.left + 16, found = 0;
    double last = 1;
    for (int y = (int)box.top; y < (int)box.bottom; ++y) {
        for (double t = last; t >= 0; t -= 1.0 / 512) {
            if (same(mo_image_color(&image, x, y), mo_colormap_at(legend.map, t))) {
                last = t;
                ++found;
                break;
            }
        }
    }
    assert_true(found > 100 && last < 0.01);
    /* nothing outside of the box */
    for (int y = 0; y < 300; ++y) {
        for (int k = 0; k < 400; ++k) {
            bool inside = k >= box.left && k < box.right && y >= box.top && y < box.bottom;
            assert_true(inside || mo_image_color(&image, k, y).a == 0);
        }
    }
    mo_canvas_destroy(canvas);
    mo_image_destroy(&image);
}

/* One square and one name per category, of equal distance, within the box. */
static void a_legend_of_categories_names_each_colour(void **state)
{
    (void)state;
    mo_image image;
    mo_canvas *canvas;
    const mo_legend_entry entries[] = {{"water", {40, 80, 200, 255}}, {"oil", {230, 180, 60, 255}}};
    assert_int_equal(mo_image_create(400, 300, &image, NULL), MOTE_OK);
    assert_int_equal(mo_canvas_create(&image, 1, &canvas, NULL), MOTE_OK);
    mo_legend_look look = mo_legend_look_dark(12);
    mo_legend legend = {.count = 2, .entries = entries}, longer = legend;
    mo_legend_entry other[] = {{"a much longer name", {0}}, {"oil", {0}}};
    longer.entries = other;
    assert_true(mo_legend_width(canvas, &look, &longer) > mo_legend_width(canvas, &look, &legend));
    mo_box2 box = mo_legend_draw(canvas, MO_TOP_RIGHT, &look, &legend);
    int x = (int)box.left + 16, rows[2] = {0}, first[2] = {300, 300}, written = 0;
    for (int y = (int)box.top; y < (int)box.bottom; ++y) {
        for (int k = 0; k < 2; ++k) {
            bool hit = same(mo_image_color(&image, x, y), entries[k].color);
            rows[k] += hit;
            first[k] = hit && y < first[k] ? y : first[k];
        }
        for (int c = (int)box.left + 30; c < (int)box.right; ++c) {
            written += mo_image_color(&image, c, y).r > 0xc0;
        }
    }
    assert_true(rows[0] > 8 && rows[1] == rows[0] && first[1] > first[0] + rows[0]);
    assert_true(written > 50);
    mo_canvas_destroy(canvas);
    mo_image_destroy(&image);
}

/* For any values and image sizes. */
static void legends_and_tables_accept_any_values(void **state)
{
    (void)state;
    static const double RANGES[][2] = {{0, 0}, {5, 5},        {-1e300, 1e300}, {NAN, 1},
                                       {3, 1}, {0, INFINITY}, {1e-9, 2e-9}};
    static const mo_table_row ROWS[] = {{"a very long name of some key", "and what it does"},
                                        {"heading", NULL}};
    for (int k = 0; k < 14; ++k) {
        mo_image image;
        mo_canvas *canvas;
        assert_int_equal(mo_image_create(10 + 30 * k, 10 + 20 * k, &image, NULL), MOTE_OK);
        assert_int_equal(mo_canvas_create(&image, 1 + k % 2, &canvas, NULL), MOTE_OK);
        mo_legend_look look = mo_legend_look_light(12);
        mo_legend legend = {mo_colormap_number(k % 9), k % 3 ? "x" : NULL, k % 4 ? "m" : NULL,
                            RANGES[k % 7][0],          RANGES[k % 7][1],   .log = k % 2};
        mo_table table = {k % 2 ? "title" : NULL, 2, ROWS, k % 3 == 0};
        mo_legend_draw(canvas, k % 5, &look, &legend);
        mo_table_draw(canvas, k % 5, &look, &table);
        mo_canvas_destroy(canvas);
        mo_image_destroy(&image);
    }
}

static void tables_fit_into_their_picture(void **state)
{
    (void)state;
    mo_table_row rows[30];
    mo_image image;
    mo_canvas *canvas;
    for (int k = 0; k < 30; ++k) {
        rows[k] = (mo_table_row){"key", "what it does"};
    }
    assert_int_equal(mo_image_create(500, 400, &image, NULL), MOTE_OK);
    assert_int_equal(mo_canvas_create(&image, 1, &canvas, NULL), MOTE_OK);
    mo_legend_look look = mo_legend_look_dark(14);
    mo_table table = {"Keys", 30, rows, false};
    mo_box2 box = mo_table_draw(canvas, MO_MIDDLE, &look, &table);
    assert_true(box.left > 0 && box.right < 500 && box.top > 0 && box.bottom < 400);
    mo_canvas_destroy(canvas);
    mo_image_destroy(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lightness_is_monotonic),
        cmocka_unit_test(coolwarm_is_lightest_in_its_middle),
        cmocka_unit_test(steps_are_even),
        cmocka_unit_test(maps_are_found_by_name),
        cmocka_unit_test(ends_are_clamped),
        cmocka_unit_test(a_legend_shows_its_colours_from_low_to_high),
        cmocka_unit_test(a_legend_of_categories_names_each_colour),
        cmocka_unit_test(legends_and_tables_accept_any_values),
        cmocka_unit_test(tables_fit_into_their_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
