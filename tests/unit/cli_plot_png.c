/*
 * Plots as pixel images: the same figure as in SVG, with the right colours.
 */
#include "test.h"

#include "draw/png.h"
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 400, HEIGHT = 300 };

static char directory[] = "plot_png_XXXXXX";

static int make_directory(void **state)
{
    *state = mkdtemp(directory);
    return *state ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

/* The figure read back from a file. Destroys the figure. */
static mo_image picture_of(plot_figure *figure)
{
    char path[100];
    mo_image image;
    mote_error error = {0};
    snprintf(path, sizeof path, "%s/figure.png", directory);
    assert_int_equal(plot_write(figure, path, &error), MOTE_OK);
    assert_int_equal(mo_png_read(path, &image, &error), MOTE_OK);
    unlink(path);
    plot_destroy(figure);
    return image;
}

static plot_figure *make_figure(plot_panel **panel)
{
    plot_figure *figure = plot_create(1, 1, WIDTH, HEIGHT);
    *panel = plot_panel_at(figure, 0);
    plot_set_axis(*panel, PLOT_X, (plot_axis){.label = "time", .unit = "s", .low = 0, .high = 1});
    plot_set_axis(*panel, PLOT_Y, (plot_axis){.label = "energy", .unit = "J", .low = 0, .high = 1});
    return figure;
}

static bool is_near(mo_color c, uint32_t hex)
{
    enum { SLACK = 60 };
    return abs(c.r - (int)(hex >> 16)) < SLACK && abs(c.g - (int)(hex >> 8 & 255)) < SLACK &&
           abs(c.b - (int)(hex & 255)) < SLACK;
}

static int count_color(const mo_image *image, uint32_t hex)
{
    int count = 0;
    for (int y = 0; y < image->height; ++y) {
        for (int x = 0; x < image->width; ++x) {
            count += is_near(mo_image_color(image, x, y), hex);
        }
    }
    return count;
}

/* The frame's edges: the longest runs of its grey. */
typedef struct edges {
    int left, right, top, bottom;
} edges;

static edges frame_of(const mo_image *image)
{
    edges e = {WIDTH, 0, HEIGHT, 0};
    for (int y = 0; y < HEIGHT; ++y) {
        for (int x = 0, run = 0; x < WIDTH; ++x) {
            run = is_near(mo_image_color(image, x, y), 0x444444) ? run + 1 : 0;
            if (run > WIDTH / 2) {
                e.top = y < e.top ? y : e.top;
                e.bottom = y > e.bottom ? y : e.bottom;
                e.right = x > e.right ? x : e.right;
                e.left = x - run + 1 < e.left ? x - run + 1 : e.left;
            }
        }
    }
    return e;
}

static void curves_have_their_colour_where_they_are(void **state)
{
    (void)state;
    plot_panel *panel;
    plot_figure *figure = make_figure(&panel);
    double x[] = {0, 1}, up[] = {0, 1}, level[] = {0.25, 0.25};
    plot_add_series(panel, NULL, 2, x, up, PLOT_LINE);
    plot_add_series(panel, NULL, 2, x, level, PLOT_LINE);
    mo_image image = picture_of(figure);
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    edges f = frame_of(&image);
    assert_true(f.right - f.left > 250 && f.bottom - f.top > 150);
    for (double t = 0.4; t < 0.95; t += 0.05) {
        int px = (int)(f.left + t * (f.right - f.left)),
            py = (int)(f.bottom - t * (f.bottom - f.top));
        bool found = false, level_found = false;
        for (int k = -2; k <= 2; ++k) {
            found = found || is_near(mo_image_color(&image, px, py + k), 0x0072b2);
            int below = (int)(f.bottom - 0.25 * (f.bottom - f.top)) + k;
            level_found = level_found || is_near(mo_image_color(&image, px, below), 0xd55e00);
        }
        assert_true(found && level_found);
        assert_false(is_near(mo_image_color(&image, px, py - 12), 0x0072b2));
    }
    mo_image_destroy(&image);
}

static void dashes_and_markers_are_drawn(void **state)
{
    (void)state;
    plot_panel *panel;
    double x[] = {0.1, 0.5, 0.9}, y[] = {0.5, 0.5, 0.5};
    plot_figure *figure = make_figure(&panel);
    plot_add_series(panel, NULL, 3, x, y, PLOT_LINE);
    mo_image whole = picture_of(figure);
    figure = make_figure(&panel);
    plot_add_series(panel, NULL, 3, x, y, PLOT_DASHED);
    mo_image dashed = picture_of(figure);
    figure = make_figure(&panel);
    plot_add_series(panel, NULL, 3, x, y, PLOT_POINTS);
    mo_image points = picture_of(figure);
    /* six of ten pixels, of which those at the ends of a dash may be lighter */
    double share = (double)count_color(&dashed, 0x0072b2) / count_color(&whole, 0x0072b2);
    assert_true(share > 0.4 && share < 0.65);
    /* three discs of radius 2.75, of which the edges are lighter */
    int discs = count_color(&points, 0x0072b2);
    assert_true(discs > 3 * 12 && discs < 3 * 28);
    mo_image_destroy(&whole);
    mo_image_destroy(&dashed);
    mo_image_destroy(&points);
}

static void matrices_fill_their_cells(void **state)
{
    (void)state;
    plot_panel *panel;
    plot_figure *figure = make_figure(&panel);
    double values[] = {0, 1, 1, 0}, range[] = {0, 1};
    plot_add_matrix(panel, 2, 2, values, range, range);
    mo_image image = picture_of(figure);
    int area = count_color(&image, 0x440154), light = count_color(&image, 0xfde725);
    edges f = frame_of(&image);
    int cell = (f.right - f.left) * (f.bottom - f.top) / 4;
    /* two cells each, and a little of the bar */
    assert_true(area > 1.9 * cell && area < 2.3 * cell);
    assert_true(light > 1.9 * cell && light < 2.3 * cell);
    mo_image_destroy(&image);
}

static void legends_and_titles_are_written(void **state)
{
    (void)state;
    plot_panel *panel;
    double x[] = {0, 1}, y[] = {0, 0};
    mo_image image[2];
    for (int k = 0; k < 2; ++k) {
        plot_figure *figure = make_figure(&panel);
        plot_add_series(panel, k ? "kinetic" : NULL, 2, x, y, PLOT_LINE);
        image[k] = picture_of(figure);
    }
    assert_true(count_color(&image[1], 0x222222) > count_color(&image[0], 0x222222) + 20);
    mo_image_destroy(&image[0]);
    mo_image_destroy(&image[1]);
}

static void failures_are_reported(void **state)
{
    (void)state;
    plot_panel *panel;
    mote_error error = {0};
    plot_figure *figure = make_figure(&panel);
    assert_int_equal(plot_write(figure, "no/such/place/figure.png", &error), MOTE_ERROR_IO);
    assert_non_null(strstr(error.text, "no/such/place/figure.png"));
    plot_destroy(figure);
    assert_int_equal(plot_write(NULL, "figure.png", &error), MOTE_ERROR_MEMORY);
    figure = plot_create(0, 0, 100, 100);
    assert_int_equal(plot_write(figure, "figure.png", &error), MOTE_ERROR_USAGE);
    plot_destroy(figure);
    assert_int_equal(access("figure.png", F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_have_their_colour_where_they_are),
        cmocka_unit_test(dashes_and_markers_are_drawn),
        cmocka_unit_test(matrices_fill_their_cells),
        cmocka_unit_test(legends_and_titles_are_written),
        cmocka_unit_test(failures_are_reported),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
