/*
 * Plots as SVG: positions of data, and well-formed files.
 */
#include "test.h"

#include "draw/scale.h"
#include "plot/plot.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- figures as text ---- */

/* The figure as file content; freed by the caller. */
static char *text_of(const plot_figure *figure)
{
    char *text = NULL;
    size_t size = 0;
    mote_error error = {0};
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(plot_write_stream(figure, stream, &error), MOTE_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *p = strstr(text, part); p; p = strstr(p + 1, part)) {
        ++count;
    }
    return count;
}

static const char *find(const char *text, const char *part)
{
    const char *found = strstr(text, part);
    if (!found) {
        print_error("'%s' is not there\n", part);
    }
    assert_non_null(found);
    return found;
}

/* ---- a small checker of XML ---- */

/* A reference to one of the five characters predefined in XML. */
static bool is_entity(const char *p)
{
    static const char *const KNOWN[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (size_t k = 0; k < sizeof KNOWN / sizeof *KNOWN; ++k) {
        if (strncmp(p, KNOWN[k], strlen(KNOWN[k])) == 0) {
            return true;
        }
    }
    return false;
}

/* Text or the value of an attribute; returns where it ends. */
static const char *check_characters(const char *p, char end)
{
    for (; *p && *p != end; ++p) {
        assert_true(*p != '<' && *p != '>');
        assert_true((unsigned char)*p >= 0x20 || *p == '\n');
        assert_true(*p != '&' || is_entity(p));
    }
    return p;
}

static const char *skip_name(const char *p)
{
    size_t length = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:");
    assert_true(length > 0);
    return p + length;
}

/* name="value" name="value", each name once; returns the end of the tag. */
static const char *check_attributes(const char *p)
{
    enum { MOST = 20 };
    const char *names[MOST];
    size_t lengths[MOST];
    int count = 0;
    while (*p == ' ') {
        const char *name = p + 1;
        p = skip_name(name);
        size_t length = (size_t)(p - name);
        for (int k = 0; k < count; ++k) {
            assert_false(lengths[k] == length && memcmp(names[k], name, length) == 0);
        }
        assert_true(count < MOST);
        names[count] = name;
        lengths[count++] = length;
        assert_memory_equal(p, "=\"", 2);
        p = check_characters(p + 2, '"');
        assert_int_equal(*p++, '"');
    }
    return p;
}

typedef struct open_tags {
    const char *name[32];
    size_t length[32];
    int depth;
} open_tags;

static const char *check_end_tag(const char *p, open_tags *open)
{
    const char *name = p + 2;
    p = skip_name(name);
    assert_true(open->depth > 0);
    --open->depth;
    assert_int_equal(p - name, open->length[open->depth]);
    assert_memory_equal(name, open->name[open->depth], open->length[open->depth]);
    assert_int_equal(*p, '>');
    return p + 1;
}

static const char *check_start_tag(const char *p, open_tags *open)
{
    const char *name = p + 1;
    p = skip_name(name);
    size_t length = (size_t)(p - name);
    p = check_attributes(p);
    if (*p == '/') {
        assert_int_equal(p[1], '>');
        return p + 2;
    }
    assert_int_equal(*p, '>');
    assert_true(open->depth < 32);
    open->name[open->depth] = name;
    open->length[open->depth++] = length;
    return p + 1;
}

/* One well-formed element with escaped texts and valid numbers. */
static void check_svg(const char *text)
{
    static const char HEAD[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ";
    open_tags open = {.depth = 0};
    int roots = 0;
    assert_memory_equal(text, HEAD, strlen(HEAD));
    for (const char *p = strchr(text, '\n') + 1; *p;) {
        if (*p == '<') {
            roots += open.depth == 0;
            p = p[1] == '/' ? check_end_tag(p, &open) : check_start_tag(p, &open);
        } else {
            const char *end = check_characters(p, '<');
            assert_true(open.depth > 0 || strcmp(p, "\n") == 0);
            p = end;
        }
    }
    assert_int_equal(open.depth, 0);
    assert_int_equal(roots, 1);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
}

/* ---- positions of data ---- */

static double attribute(const char *element, const char *name)
{
    char start[40];
    snprintf(start, sizeof start, " %s=\"", name);
    const char *value = find(element, start);
    assert_true(value < strchr(element, '>'));
    return strtod(value + strlen(start), NULL);
}

typedef struct rectangle {
    double x, y, width, height;
} rectangle;

static rectangle rectangle_at(const char *element)
{
    return (rectangle){attribute(element, "x"), attribute(element, "y"),
                       attribute(element, "width"), attribute(element, "height")};
}

static rectangle frame_of(const char *text)
{
    return rectangle_at(find(text, "<rect class=\"frame\""));
}

enum { POINTS_MAX = 64 };

typedef struct points {
    int count;
    double x[POINTS_MAX], y[POINTS_MAX];
} points;

/* The points of the polyline at `element`. */
static points points_of(const char *element)
{
    points p = {0};
    const char *next = find(element, "points=\"") + strlen("points=\"");
    while (*next != '"') {
        char *end;
        assert_true(p.count < POINTS_MAX);
        p.x[p.count] = strtod(next, &end);
        assert_int_equal(*end, ',');
        p.y[p.count++] = strtod(end + 1, &end);
        next = end + (*end == ' ');
    }
    return p;
}

/* The middles of the markers at `element`. */
static points markers_of(const char *element)
{
    points p = {0};
    const char *end = strchr(element, '>');
    for (const char *m = strchr(element, 'M'); m && m < end; m = strchr(m + 1, 'M')) {
        assert_true(p.count < POINTS_MAX);
        assert_int_equal(sscanf(m, "M%lf,%lf", &p.x[p.count], &p.y[p.count]), 2);
        p.count++;
    }
    return p;
}

/* Coordinates have two digits after the point, and so has the frame they are compared with. */
static void assert_pixel(double found, double expected)
{
    if (!(fabs(found - expected) <= 0.021)) {
        print_error("at %.3f instead of %.3f\n", found, expected);
        fail();
    }
}

static void assert_position(rectangle frame, double x, double y, double right, double up)
{
    assert_pixel(x, frame.x + right * frame.width);
    assert_pixel(y, frame.y + (1 - up) * frame.height);
}

/* A figure with one panel. */
static plot_panel *one_panel(plot_figure **figure)
{
    *figure = plot_create(1, 1, 500, 400);
    plot_panel *panel = plot_panel_at(*figure, 0);
    assert_non_null(panel);
    return panel;
}

static void set_range(plot_panel *panel, plot_direction d, bool log, double low, double high)
{
    plot_set_axis(panel, d, (plot_axis){.log = log, .low = low, .high = high});
}

static char *finish(plot_figure *figure)
{
    char *text = text_of(figure);
    check_svg(text);
    plot_destroy(figure);
    return text;
}

/* ---- ticks ---- */

static void expect_ticks(mo_scale scale, int wanted, int exponent, int count,
                         const char *const *labels)
{
    mo_ticks ticks;
    mo_ticks_choose(&scale, wanted, &ticks);
    int found = 0;
    for (int k = 0; k < ticks.count; ++k) {
        if (ticks.tick[k].label[0]) {
            assert_true(found < count);
            assert_string_equal(ticks.tick[k].label, labels[found++]);
        }
    }
    assert_int_equal(found, count);
    assert_int_equal(ticks.exponent, exponent);
}

#define EXPECT_TICKS(log, low, high, wanted, exponent, ...) \
    do { \
        static const char *const LABELS[] = {__VA_ARGS__}; \
        expect_ticks((mo_scale){(log), (low), (high)}, (wanted), (exponent), \
                     (int)(sizeof LABELS / sizeof *LABELS), LABELS); \
    } while (0)

static void linear_ticks_are_round(void **state)
{
    (void)state;
    EXPECT_TICKS(false, 0, 10, 5, 0, "0", "2", "4", "6", "8", "10");
    EXPECT_TICKS(false, 0, 1, 2, 0, "0.0", "0.5", "1.0");
    EXPECT_TICKS(false, 0, 1, 10, 0, "0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8",
                 "0.9", "1.0");
    EXPECT_TICKS(false, -0.9, 1.04, 4, 0, "−0.5", "0.0", "0.5", "1.0");
    EXPECT_TICKS(false, -1e-5, 1.6e-5, 3, -6, "−10", "0", "10");
    EXPECT_TICKS(false, 0, 3e5, 3, 3, "0", "100", "200", "300");
    EXPECT_TICKS(false, 1000000, 1000099, 2, 0, "1000000", "1000050");
    EXPECT_TICKS(false, 2.1, 2.9, 4, 0, "2.2", "2.4", "2.6", "2.8");
    EXPECT_TICKS(false, -DBL_MAX, DBL_MAX, 4, 306, "−100", "0", "100");
    EXPECT_TICKS(false, 0, 3e-310, 3, -312, "0", "100", "200", "300");
}

static void log_ticks_are_decades(void **state)
{
    (void)state;
    EXPECT_TICKS(true, -3, 2, 8, 0, "10^-3", "10^-2", "10^-1", "1", "10", "10^2");
    EXPECT_TICKS(true, -3.2, 2.9, 3, 0, "10^-2", "1", "10^2");
    EXPECT_TICKS(true, -18, 0, 7, 0, "10^-18", "10^-15", "10^-12", "10^-9", "10^-6", "10^-3", "1");
    EXPECT_TICKS(true, -300, 300, 6, 0, "10^-300", "10^-200", "10^-100", "1", "10^100", "10^200",
                 "10^300");
    EXPECT_TICKS(true, log10(0.2), log10(15), 5, 0, "1", "10");
    /* less than two decades: multiples too, and at last a linear division */
    EXPECT_TICKS(true, log10(40), log10(600), 5, 0, "50", "100", "200", "500");
    EXPECT_TICKS(true, log10(4e-9), log10(6e-8), 5, 0, "5×10^-9", "10^-8", "2×10^-8", "5×10^-8");
    EXPECT_TICKS(true, log10(3), log10(4), 4, 0, "3.0", "3.5", "4.0");
}

/* A reproducible sequence of numbers between 0 and 1. */
static double random_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

static void check_ticks(const mo_scale *scale, int wanted, const mo_ticks *ticks)
{
    const char *last = "";
    int labels = 0;
    for (int k = 0; k < ticks->count; ++k) {
        double position = mo_scale_position(scale, ticks->tick[k].value);
        assert_true(position >= -1e-6 && position <= 1 + 1e-6);
        assert_true(k == 0 || ticks->tick[k].value > ticks->tick[k - 1].value);
        if (ticks->tick[k].label[0]) {
            assert_string_not_equal(ticks->tick[k].label, last);
            last = ticks->tick[k].label;
            ++labels;
        }
    }
    assert_true(labels >= 2 && labels <= (wanted > 6 ? wanted : 6) + 1);
}

static void ticks_lie_in_the_range_and_differ(void **state)
{
    (void)state;
    uint64_t stream = 1;
    for (int k = 0; k < 20000; ++k) {
        bool log = random_number(&stream) < 0.5;
        double size = pow(10, 600 * random_number(&stream) - 300),
               low = size * (2 * random_number(&stream) - 1);
        double span = fabs(low) * pow(10, -9 * random_number(&stream)) + size * 1e-3;
        mo_scale scale = {log, low, low + span};
        if (log) {
            scale.low = 600 * random_number(&stream) - 300;
            scale.high = fmin(scale.low + pow(10, 7 * random_number(&stream) - 4), 308);
        }
        int wanted = 2 + (int)(9 * random_number(&stream));
        mo_ticks ticks;
        mo_ticks_choose(&scale, wanted, &ticks);
        check_ticks(&scale, wanted, &ticks);
    }
}

/* ---- ranges ---- */

static void expect_range(bool log, double fixed_low, double fixed_high, double low, double high,
                         double expected_low, double expected_high)
{
    double fixed[2] = {fixed_low, fixed_high}, values[2] = {low, high};
    mo_scale scale = mo_scale_choose(log, fixed, values, 0.05);
    if (!(fabs(scale.low - expected_low) <= 1e-12 * fabs(expected_low)) ||
        !(fabs(scale.high - expected_high) <= 1e-12 * fabs(expected_high))) {
        print_error("%.17g to %.17g instead of %.17g to %.17g\n", scale.low, scale.high,
                    expected_low, expected_high);
        fail();
    }
}

static void ranges_cover_the_values_and_a_margin(void **state)
{
    (void)state;
    expect_range(false, NAN, NAN, 10, 20, 9.5, 20.5);
    expect_range(false, NAN, NAN, 0, 20, 0, 21); /* not negative, as the values */
    expect_range(false, NAN, NAN, -20, 0, -21, 0);
    expect_range(false, NAN, NAN, 0.5, 20.5, 0, 21.5);
    expect_range(false, 2, NAN, 10, 22, 2, 23);
    expect_range(false, 2, 7, 10, 20, 2, 7);
    expect_range(true, NAN, NAN, 1, 100, -0.1, 2.1);
    expect_range(true, 1e-3, 10, 1, 100, -3, 1);
}

static void ranges_without_extent_are_opened(void **state)
{
    (void)state;
    expect_range(false, NAN, NAN, 5, 5, 4.5, 5.5);
    expect_range(false, NAN, NAN, -5, -5, -5.5, -4.5);
    expect_range(false, NAN, NAN, 0, 0, -1, 1);
    expect_range(false, NAN, NAN, INFINITY, -INFINITY, 0, 1);
    expect_range(false, 3, NAN, INFINITY, -INFINITY, 3, 4);
    expect_range(false, NAN, 3, INFINITY, -INFINITY, 2, 3);
    expect_range(true, NAN, NAN, 10, 10, 0.5, 1.5);
    expect_range(true, NAN, NAN, INFINITY, -INFINITY, 0, 1);
    expect_range(false, NAN, NAN, -DBL_MAX, DBL_MAX, -DBL_MAX, DBL_MAX);
    expect_range(false, NAN, NAN, DBL_MAX, DBL_MAX, 0.9 * DBL_MAX, DBL_MAX);
}

/* ---- positions ---- */

static void data_positions_match_the_axes(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x[] = {0, 1, 2, 10}, y[] = {-2, 2, 0, 1};
    set_range(panel, PLOT_X, false, 0, 10);
    set_range(panel, PLOT_Y, false, -2, 2);
    plot_add_series(panel, NULL, 4, x, y, PLOT_LINE | PLOT_POINTS);
    char *text = finish(figure);
    rectangle frame = frame_of(text);
    assert_true(frame.width > 400 && frame.height > 300);
    points line = points_of(find(text, "<polyline")),
           markers = markers_of(find(text, "class=\"points\""));
    assert_int_equal(line.count, 4);
    assert_int_equal(markers.count, 4);
    for (int k = 0; k < 4; ++k) {
        assert_position(frame, line.x[k], line.y[k], x[k] / 10, (y[k] + 2) / 4);
        assert_position(frame, markers.x[k], markers.y[k], x[k] / 10, (y[k] + 2) / 4);
    }
    free(text);
}

static void log_axes_show_logarithms(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x[] = {1e-3, 1e-1, 10}, y[] = {1, 1000, 1e6};
    set_range(panel, PLOT_X, true, 1e-3, 10);
    set_range(panel, PLOT_Y, true, 1, 1e6);
    plot_add_series(panel, NULL, 3, x, y, PLOT_LINE);
    char *text = finish(figure);
    points line = points_of(find(text, "<polyline"));
    assert_int_equal(line.count, 3);
    for (int k = 0; k < 3; ++k) {
        assert_position(frame_of(text), line.x[k], line.y[k], 0.5 * k, 0.5 * k);
    }
    find(text, "10<tspan dy=\"-3.96\" font-size=\"7.92\">−3</tspan>");
    free(text);
}

/* Labels match the positions of their ticks. */
static void labels_are_at_their_ticks(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    set_range(panel, PLOT_X, false, 0, 8);
    set_range(panel, PLOT_Y, true, 1e-4, 1);
    plot_set_title(panel, "t");
    char *text = finish(figure);
    rectangle frame = frame_of(text);
    for (const char *p = strstr(text, "text-anchor=\"middle\">"); p;
         p = strstr(p + 1, "text-anchor=\"middle\">")) {
        double value;
        const char *element = p;
        while (*element != '<') {
            --element;
        }
        if (sscanf(strchr(p, '>'), ">%lf<", &value) == 1) {
            assert_pixel(attribute(element, "x"), frame.x + frame.width * value / 8);
        }
    }
    const char *tick =
        find(text, "text-anchor=\"end\">10<tspan dy=\"-3.96\" font-size=\"7.92\">−1<");
    while (memcmp(tick, "<text", 5) != 0) {
        --tick;
    }
    assert_pixel(attribute(tick, "y") - 0.36 * 11, frame.y + 0.25 * frame.height);
    free(text);
}

static void panels_share_the_figure(void **state)
{
    (void)state;
    plot_figure *figure = plot_create(3, 2, 900, 500);
    for (int k = 0; k < 6; ++k) {
        char title[20];
        snprintf(title, sizeof title, "p%d", k);
        plot_set_title(plot_panel_at(figure, k), title);
    }
    char *text = finish(figure);
    assert_int_equal(count_of(text, "class=\"frame\""), 6);
    for (int k = 0; k < 6; ++k) {
        char title[20];
        snprintf(title, sizeof title, ">p%d<", k);
        const char *element = find(text, title);
        while (*element != '<') {
            --element;
        }
        assert_true(attribute(element, "x") > 300 * (k % 3) &&
                    attribute(element, "x") < 300 * (k % 3 + 1));
        assert_true(attribute(element, "y") > 250 * (k / 3) &&
                    attribute(element, "y") < 250 * (k / 3 + 1));
    }
    free(text);
}

static void unused_panels_stay_white(void **state)
{
    (void)state;
    plot_figure *figure = plot_create(2, 2, 600, 500);
    plot_set_title(plot_panel_at(figure, 3), "alone");
    char *text = finish(figure);
    assert_int_equal(count_of(text, "class=\"frame\""), 1);
    assert_true(frame_of(text).x > 300 && frame_of(text).y > 250);
    free(text);
}

/* ---- clipping and gaps ---- */

static void curves_end_at_the_frame(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x[] = {-1, 1, 2, 3}, y[] = {0.5, 0.5, 2.5, 0.5};
    set_range(panel, PLOT_X, false, 0, 2.5);
    set_range(panel, PLOT_Y, false, 0, 1);
    plot_add_series(panel, NULL, 4, x, y, PLOT_LINE | PLOT_POINTS);
    char *text = finish(figure);
    rectangle frame = frame_of(text);
    points line = points_of(find(text, "<polyline"));
    assert_int_equal(count_of(text, "<polyline"), 1);
    assert_int_equal(line.count, 3);
    assert_position(frame, line.x[0], line.y[0], 0, 0.5);
    assert_position(frame, line.x[1], line.y[1], 0.4, 0.5);
    assert_position(frame, line.x[2], line.y[2], 0.5, 1);
    points markers = markers_of(find(text, "class=\"points\""));
    assert_int_equal(markers.count, 1);
    assert_position(frame, markers.x[0], markers.y[0], 0.4, 0.5);
    free(text);
}

static void a_curve_that_crosses_the_frame_is_seen(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x[] = {-1, 2}, y[] = {-1e300, 1e300};
    set_range(panel, PLOT_X, false, 0, 1);
    set_range(panel, PLOT_Y, false, 0, 1);
    plot_add_series(panel, NULL, 2, x, y, PLOT_LINE);
    char *text = finish(figure);
    points line = points_of(find(text, "<polyline"));
    assert_int_equal(line.count, 2);
    assert_position(frame_of(text), line.x[0], line.y[0], 0.5, 0);
    assert_position(frame_of(text), line.x[1], line.y[1], 0.5, 1);
    free(text);
}

static void nothing_is_drawn_beyond_the_frame(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    uint64_t stream = 7;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x[COUNT], y[COUNT];
    for (int k = 0; k < COUNT; ++k) {
        x[k] = 3 * random_number(&stream) - 1;
        y[k] = 3 * random_number(&stream) - 1;
    }
    set_range(panel, PLOT_X, false, 0, 1);
    set_range(panel, PLOT_Y, false, 0, 1);
    plot_add_series(panel, NULL, COUNT, x, y, PLOT_DASHED);
    char *text = finish(figure);
    rectangle f = frame_of(text);
    int lines = 0;
    for (const char *p = strstr(text, "<polyline"); p; p = strstr(p + 1, "<polyline"), ++lines) {
        points line = points_of(p);
        for (int k = 0; k < line.count; ++k) {
            assert_true(line.x[k] >= f.x - 0.021 && line.x[k] <= f.x + f.width + 0.021);
            assert_true(line.y[k] >= f.y - 0.021 && line.y[k] <= f.y + f.height + 0.021);
        }
    }
    assert_true(lines > 50);
    free(text);
}

static void non_finite_values_make_a_gap(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x[] = {0, 1, 2, 3, 4, NAN, 6, 7, 8, 9},
           y[] = {1, 1, NAN, 1, 1, 1, 1, INFINITY, 1, -INFINITY};
    plot_add_series(panel, NULL, 10, x, y, PLOT_LINE | PLOT_POINTS);
    char *text = finish(figure);
    const char *first = find(text, "<polyline"), *second = find(first + 1, "<polyline");
    assert_int_equal(count_of(text, "<polyline"), 2);
    assert_int_equal(points_of(first).count, 2);
    assert_int_equal(points_of(second).count, 2);
    assert_int_equal(count_of(text, "<circle"), 2); /* x = 6 and 8 have no neighbours */
    assert_int_equal(markers_of(find(text, "class=\"points\"")).count, 6);
    free(text);
}

static void log_axes_have_no_place_for_zero(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x[] = {1, 2, 3, 4, 5, 6}, y[] = {1, 10, 0, -1, 100, 1000};
    plot_set_axis(panel, PLOT_Y, (plot_axis){.log = true});
    plot_add_series(panel, NULL, 6, x, y, PLOT_LINE);
    char *text = finish(figure);
    assert_int_equal(count_of(text, "<polyline"), 2);
    free(text);
}

static void a_series_of_gaps_is_empty(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double bad[] = {NAN, INFINITY, -INFINITY};
    plot_add_series(panel, "nothing", 3, bad, bad, PLOT_LINE | PLOT_POINTS);
    plot_add_series(panel, "empty", 0, NULL, NULL, PLOT_LINE | PLOT_POINTS);
    char *text = finish(figure);
    assert_int_equal(count_of(text, "<polyline"), 0);
    find(text, ">nothing<");
    find(text, ">empty<");
    free(text);
}

static void a_single_point_is_in_the_middle(void **state)
{
    (void)state;
    double x = 3, y = 1e-30;
    for (int log = 0; log < 2; ++log) {
        plot_figure *figure;
        plot_panel *panel = one_panel(&figure);
        plot_set_axis(panel, PLOT_Y, (plot_axis){.log = log});
        plot_add_series(panel, NULL, 1, &x, &y, PLOT_LINE);
        char *text = finish(figure);
        const char *circle = find(text, "<circle");
        assert_position(frame_of(text), attribute(circle, "cx"), attribute(circle, "cy"), 0.5, 0.5);
        free(text);
    }
}

static void constant_data_are_a_level_line(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x[] = {0, 1}, y[] = {-7, -7};
    plot_add_series(panel, NULL, 2, x, y, PLOT_LINE);
    char *text = finish(figure);
    points line = points_of(find(text, "<polyline"));
    assert_int_equal(line.count, 2);
    assert_position(frame_of(text), line.x[0], line.y[0], 0, 0.5);
    assert_true(line.y[0] == line.y[1]);
    free(text);
}

/* The extreme values of double, on both kinds of axes. */
static void extreme_values_have_a_place(void **state)
{
    (void)state;
    static const double RANGES[][2] = {
        {-DBL_MAX, DBL_MAX},          {DBL_TRUE_MIN, DBL_MAX}, {0, DBL_TRUE_MIN},
        {DBL_MAX, DBL_MAX},           {DBL_MIN, 3 * DBL_MIN},  {1, 1 + DBL_EPSILON},
        {DBL_TRUE_MIN, DBL_TRUE_MIN}, {1e300, 1.0000001e300}};
    for (size_t k = 0; k < 2 * sizeof RANGES / sizeof *RANGES; ++k) {
        const double *range = RANGES[k / 2];
        bool log = k % 2;
        plot_figure *figure;
        plot_panel *panel = one_panel(&figure);
        plot_set_axis(panel, PLOT_X, (plot_axis){.log = log});
        plot_set_axis(panel, PLOT_Y, (plot_axis){.log = log});
        plot_add_series(panel, "extreme", 2, range, range, PLOT_POINTS);
        char *text = finish(figure);
        int drawable = log ? (range[0] > 0) + (range[1] > 0) : 2;
        assert_int_equal(markers_of(find(text, "class=\"points\"")).count, drawable);
        free(text);
    }
}

static void an_axis_fits_what_the_other_one_shows(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x[] = {0, 1, 2, 3}, y[] = {1000, 1, 2, 1000};
    set_range(panel, PLOT_X, false, 0.5, 2.5);
    plot_add_series(panel, NULL, 4, x, y, PLOT_POINTS);
    char *text = finish(figure);
    points markers = markers_of(find(text, "class=\"points\""));
    assert_int_equal(markers.count, 2);
    assert_true(markers.y[0] - markers.y[1] > 0.8 * frame_of(text).height);
    free(text);
}

static void long_curves_make_small_files(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    double *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y);
    assert_true(x && y);
    for (int k = 0; k < COUNT; ++k) {
        x[k] = k;
        y[k] = sin(1e-5 * k);
    }
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    set_range(panel, PLOT_X, false, 0, COUNT - 1);
    plot_add_series(panel, NULL, COUNT, x, y, PLOT_LINE);
    char *text = finish(figure);
    rectangle frame = frame_of(text);
    const char *end = strchr(find(text, "<polyline points=\"") + 18, '"'), *last = end;
    while (*last != ' ') {
        --last;
    }
    assert_true(strlen(text) < COUNT);
    assert_pixel(strtod(last, NULL), frame.x + frame.width); /* the last point is there */
    free(text);
    free(x);
    free(y);
}

/* ---- appearance ---- */

static void the_legend_names_every_series_once(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x[] = {0, 1}, y[] = {0, 1};
    plot_add_series(panel, "first", 2, x, y, PLOT_LINE);
    plot_add_series(panel, NULL, 2, x, y, PLOT_LINE);
    plot_add_series(panel, "last", 2, x, y, PLOT_POINTS);
    char *text = finish(figure);
    const char *legend = find(text, "class=\"legend\"");
    assert_int_equal(count_of(text, "class=\"legend\""), 1);
    assert_int_equal(count_of(legend, "<text"), 2);
    assert_true(find(legend, ">first<") < find(legend, ">last<"));
    assert_int_equal(count_of(legend, "<line "), 1);
    assert_int_equal(count_of(legend, "class=\"points\""), 1);
    free(text);
}

static void without_names_there_is_no_legend(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x[] = {0, 1}, y[] = {0, 1};
    plot_add_series(panel, NULL, 2, x, y, PLOT_LINE);
    char *text = finish(figure);
    assert_null(strstr(text, "class=\"legend\""));
    free(text);
}

static rectangle legend_of(const char *text)
{
    return rectangle_at(find(find(text, "class=\"legend\""), "<rect"));
}

static void the_legend_hides_no_curve(void **state)
{
    (void)state;
    double x[] = {0, 1}, up[] = {0, 1}, down[] = {1, 0};
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    plot_add_series(panel, "up", 2, x, up, PLOT_LINE);
    char *text = finish(figure);
    rectangle frame = frame_of(text), legend = legend_of(text);
    assert_true(legend.x >= frame.x && legend.x + legend.width < frame.x + frame.width / 2);
    assert_true(legend.y >= frame.y && legend.y + legend.height < frame.y + frame.height / 2);
    free(text);
    panel = one_panel(&figure); /* a cross leaves no free corner */
    plot_add_series(panel, "up", 2, x, up, PLOT_LINE);
    plot_add_series(panel, "down", 2, x, down, PLOT_LINE);
    text = finish(figure);
    frame = frame_of(text);
    legend = legend_of(text);
    assert_true(legend.x >= frame.x + frame.width && legend.x + legend.width <= 500);
    free(text);
}

static void styles_are_distinguishable(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x[] = {0, 1}, y[] = {0, 1};
    plot_add_series(panel, NULL, 2, x, y, 0);
    plot_add_series(panel, NULL, 2, x, y, PLOT_DASHED | PLOT_SAME_COLOUR);
    plot_add_series(panel, NULL, 2, x, y, PLOT_POINTS);
    char *text = finish(figure);
    assert_int_equal(count_of(text, "stroke=\"#0072b2\""), 2);
    assert_int_equal(count_of(text, "stroke-dasharray"), 1);
    assert_int_equal(count_of(text, "<polyline"), 2);
    assert_int_equal(count_of(text, "class=\"points\" fill=\"#d55e00\""), 1);
    free(text);
}

static void texts_are_escaped(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x = 0;
    plot_set_title(panel, "a<b & c>d \"q\" \x01\xff\xc3 </svg> \u03c9\xef\xbf\xbf");
    plot_set_axis(panel, PLOT_X, (plot_axis){.label = "<x>", .unit = "&"});
    plot_set_axis(panel, PLOT_Y, (plot_axis){.label = "y", .unit = "m/s^2 & more"});
    plot_add_series(panel, "]]>", 1, &x, &x, PLOT_POINTS);
    char *text = finish(figure);
    find(text, ">a&lt;b &amp; c&gt;d \"q\" \?\?\? &lt;/svg&gt; \u03c9\?\?\?</text>");
    find(text, ">&lt;x&gt; [&amp;]</text>");
    find(text, ">y [m/s<tspan dy=\"-4.32\" font-size=\"8.64\">2</tspan>"
               "<tspan dx=\"3.60\" dy=\"4.32\">&amp; more]</tspan></text>");
    find(text, ">]]&gt;</text>");
    free(text);
}

static void units_take_the_power_of_ten(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    plot_set_title(panel, "t");
    plot_set_axis(panel, PLOT_X, (plot_axis){.label = "time", .unit = "s", .low = 0, .high = 3e-7});
    plot_set_axis(panel, PLOT_Y, (plot_axis){.label = "count", .low = 0, .high = 2e6});
    char *text = finish(figure);
    find(
        text,
        ">time [10<tspan dy=\"-4.32\" font-size=\"8.64\">−9</tspan><tspan dx=\"3.60\" dy=\"4.32\">s]<");
    find(
        text,
        ">count [10<tspan dy=\"-4.32\" font-size=\"8.64\">6</tspan><tspan dx=\"0.00\" dy=\"4.32\">]<");
    find(text, ">300</text>");
    free(text);
}

/* Estimates the width of a label from its text. */
static double label_width(const char *element)
{
    const char *start = strchr(element, '>') + 1;
    return 0.5 * attribute(element, "font-size") * (double)strcspn(start, "<");
}

static void labels_of_the_x_axis_stay_apart(void **state)
{
    (void)state;
    for (int width = 120; width < 900; width += 20) {
        plot_figure *figure = plot_create(1, 1, width, 200);
        plot_panel *panel = plot_panel_at(figure, 0);
        set_range(panel, PLOT_X, false, 20.00000001, 20.00000002);
        plot_add_series(panel, NULL, 0, NULL, NULL, PLOT_LINE);
        char *text = finish(figure);
        double end = 0;
        for (const char *p = strstr(text, "<text"); p; p = strstr(p + 1, "<text")) {
            if (strncmp(strstr(p, "text-anchor"), "text-anchor=\"middle\"", 20) == 0) {
                double middle = attribute(p, "x"), half = label_width(p) / 2;
                assert_true(width < 300 || middle - half > end);
                end = middle + half;
                assert_true(end < width);
            }
        }
        assert_true(end > 0);
        free(text);
    }
}

/* A panel of any size stays within its cell with texts of any length. */
static void texts_stay_in_the_figure(void **state)
{
    (void)state;
    static const char LONG[] =
        "a label that is far longer than the side of the panel at which it is to stand";
    double x[] = {0, 1}, y[] = {0, 1};
    for (int size = 40; size < 800; size += 95) {
        plot_figure *figure = plot_create(1, 1, size, size);
        plot_panel *panel = plot_panel_at(figure, 0);
        plot_set_title(panel, LONG);
        plot_set_axis(panel, PLOT_X, (plot_axis){.label = LONG, .unit = "m"});
        plot_set_axis(panel, PLOT_Y, (plot_axis){.label = LONG, .unit = "m"});
        plot_add_series(panel, LONG, 2, x, y, PLOT_LINE);
        char *text = finish(figure);
        for (const char *p = strstr(text, "<text"); p; p = strstr(p + 1, "<text")) {
            double font = attribute(p, "font-size");
            assert_true(font > 0 && font <= 13);
            if (size >= 230) {
                assert_true(label_width(p) < size);
                assert_true(attribute(p, "x") >= 0 && attribute(p, "x") <= size);
                assert_true(attribute(p, "y") >= 0 && attribute(p, "y") <= size);
            }
        }
        free(text);
    }
}

/* ---- matrices ---- */

static const double UNIT_RANGE[] = {0, 1}, WIDE_RANGE[] = {0, 4};

/* The position and the colour of the k-th rectangle of a matrix. */
typedef struct patch {
    double left, bottom, right, top;
    char colour[8];
} patch;

static patch patch_of(const char *text, int k)
{
    const char *p = find(text, "class=\"matrix\"");
    patch found;
    for (; k >= 0; --k) {
        p = find(p + 1, "<path d=\"M");
    }
    assert_int_equal(sscanf(p, "<path d=\"M%lf,%lfH%lfV%lf", &found.left, &found.bottom,
                            &found.right, &found.top),
                     4);
    assert_int_equal(sscanf(find(p, "fill=\""), "fill=\"%7s", found.colour), 1);
    return found;
}

static void assert_patch(const char *text, int k, double left, double bottom, double right,
                         double top, const char *colour)
{
    patch p = patch_of(text, k);
    assert_position(frame_of(text), p.left, p.bottom, left, bottom);
    assert_position(frame_of(text), p.right, p.top, right, top);
    assert_string_equal(p.colour, colour);
}

static const char LOWEST[] = "#440154", HIGHEST[] = "#fde725";

static void matrices_begin_at_the_bottom_left(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double values[] = {0, 1, 1, 1, /* second row: */ 0.5, NAN, INFINITY, 0};
    plot_add_matrix(panel, 4, 2, values, WIDE_RANGE, UNIT_RANGE);
    char *text = finish(figure);
    assert_patch(text, 0, 0, 0, 0.25, 0.5, LOWEST);
    /* neighbours of one colour are merged */
    assert_patch(text, 1, 0.25, 0, 1, 0.5, HIGHEST);
    assert_patch(text, 2, 0, 0.5, 0.25, 1, patch_of(text, 2).colour);
    assert_patch(text, 3, 0.75, 0.5, 1, 1, LOWEST); /* and blanks are not drawn */
    assert_int_equal(count_of(text, "<path d=\"M"), 4);
    assert_int_equal(count_of(text, "class=\"bar\""), 1);
    assert_int_equal(count_of(text, "class=\"beyond\""), 0);
    free(text);
}

static void colours_are_clamped_to_the_range(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double values[] = {0, 1e-3, 1, 1e9};
    plot_set_axis(
        panel, PLOT_COLOUR,
        (plot_axis){.label = "separation", .unit = "m", .log = true, .low = 1e-3, .high = 1});
    plot_add_matrix(panel, 4, 1, values, WIDE_RANGE, UNIT_RANGE);
    char *text = finish(figure);
    assert_patch(text, 0, 0, 0, 0.5, 1, LOWEST);
    assert_patch(text, 1, 0.5, 0, 1, 1, HIGHEST);
    /* the bar has a triangle at both ends */
    assert_int_equal(count_of(text, "class=\"beyond\""), 2);
    assert_pixel(rectangle_at(find(text, "class=\"bar\"")).height, frame_of(text).height - 20);
    assert_pixel(rectangle_at(find(text, "class=\"bar\"")).y, frame_of(text).y + 10);
    find(text, ">separation [m]</text>");
    free(text);
}

static void matrices_end_at_the_frame(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double values[] = {0, 1, 2, 3};
    set_range(panel, PLOT_X, false, 1.5, 3);
    plot_add_matrix(panel, 4, 1, values, WIDE_RANGE, UNIT_RANGE);
    char *text = finish(figure);
    patch first = patch_of(text, 0), second = patch_of(text, 1);
    assert_position(frame_of(text), first.left, first.top, 0, 1);
    assert_position(frame_of(text), first.right, first.bottom, 1.0 / 3, 0);
    assert_position(frame_of(text), second.right, second.bottom, 1, 0);
    assert_int_equal(count_of(text, "<path d=\"M"), 2);
    free(text);
}

/* More cells than pixels: the size of the file is bounded. */
static void large_matrices_make_files_of_bounded_size(void **state)
{
    (void)state;
    enum { SIDE = 4000 };
    double *values = malloc((size_t)SIDE * SIDE * sizeof *values);
    assert_non_null(values);
    for (int k = 0; k < SIDE * SIDE; ++k) {
        values[k] = k / SIDE < SIDE / 2 ? 0 : 1;
    }
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    plot_add_matrix(panel, SIDE, SIDE, values, UNIT_RANGE, UNIT_RANGE);
    char *text = finish(figure);
    int rows = count_of(text, "<path d=\"M");
    assert_true(rows >= 300 && rows <= 800);
    assert_string_equal(patch_of(text, 0).colour, LOWEST);
    assert_string_equal(patch_of(text, rows - 1).colour, HIGHEST);
    free(text);
    free(values);
}

/* ---- tables ---- */

static char *read_file(const char *path)
{
    static char text[10000];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* A separate directory for each test. */
typedef struct temporary_directory {
    char directory[64], file[80], temporary[96];
} temporary_directory;

static temporary_directory make_directory(void)
{
    temporary_directory p;
    snprintf(p.directory, sizeof p.directory, "mote_plot_XXXXXX");
    assert_non_null(mkdtemp(p.directory));
    snprintf(p.file, sizeof p.file, "%s/figure", p.directory);
    snprintf(p.temporary, sizeof p.temporary, "%s.tmp", p.file);
    return p;
}

/* Fails if a file other than `file` remains. */
static void remove_directory(const temporary_directory *p)
{
    unlink(p->file);
    assert_int_equal(rmdir(p->directory), 0);
}

static void tables_have_every_point(void **state)
{
    (void)state;
    temporary_directory p = make_directory();
    mote_error error;
    plot_figure *figure = plot_create(2, 1, 400, 300);
    double x[] = {0, 0.1}, y[] = {NAN, 1e300};
    plot_set_title(plot_panel_at(figure, 0), "say \"a, b\"");
    plot_add_series(plot_panel_at(figure, 0), "one", 2, x, y, PLOT_LINE);
    plot_add_series(plot_panel_at(figure, 1), NULL, 1, x + 1, y + 1, PLOT_LINE);
    assert_int_equal(plot_write_csv(figure, p.file, &error), MOTE_OK);
    assert_string_equal(read_file(p.file),
                        "panel,series,x,y\n"
                        "\"say \"\"a, b\"\"\",\"one\",0,\n"
                        "\"say \"\"a, b\"\"\",\"one\",0.10000000000000001,1.0000000000000001e+300\n"
                        "2,1,0.10000000000000001,1.0000000000000001e+300\n");
    plot_destroy(figure);
    remove_directory(&p);
}

static void tables_have_every_cell(void **state)
{
    (void)state;
    temporary_directory p = make_directory();
    mote_error error;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double values[] = {1, 2, NAN, 4}, x = 3;
    plot_add_matrix(panel, 2, 2, values, WIDE_RANGE, (double[]){-2.5, -0.5});
    plot_add_series(panel, "s", 1, &x, &x, PLOT_LINE);
    assert_int_equal(plot_write_csv(figure, p.file, &error), MOTE_OK);
    assert_string_equal(read_file(p.file), "panel,series,x,y,value\n"
                                           "1,\"s\",3,3,\n"
                                           "1,\"matrix\",1,-2,1\n"
                                           "1,\"matrix\",3,-2,2\n"
                                           "1,\"matrix\",1,-1,\n"
                                           "1,\"matrix\",3,-1,4\n");
    plot_destroy(figure);
    remove_directory(&p);
}

/* ---- files ---- */

static plot_figure *small_figure(void)
{
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x[] = {0, 0.5, 1}, y[] = {0.25, 0.75, 0.5};
    plot_add_series(panel, "curve", 3, x, y, PLOT_LINE | PLOT_POINTS);
    return figure;
}

static void files_are_whole(void **state)
{
    (void)state;
    temporary_directory p = make_directory();
    mote_error error;
    plot_figure *figure = small_figure();
    assert_int_equal(plot_write(figure, p.file, &error), MOTE_OK);
    char *text = finish(figure);
    assert_string_equal(read_file(p.file), text);
    assert_int_equal(access(p.temporary, F_OK), -1);
    free(text);
    remove_directory(&p);
}

static void expect_bad_path(const char *path, mote_status status)
{
    mote_error error = {0};
    plot_figure *figure = small_figure();
    assert_int_equal(plot_write(figure, path, &error), status);
    assert_int_equal(error.status, status);
    assert_memory_equal(error.text, path, strlen(path));
    assert_true(strlen(error.text) > strlen(path) + 10);
    assert_int_equal(plot_write_csv(figure, path, NULL), status);
    plot_destroy(figure);
}

static void bad_paths_are_reported(void **state)
{
    (void)state;
    temporary_directory p = make_directory();
    char missing[128];
    snprintf(missing, sizeof missing, "%s/no/such/directory", p.directory);
    expect_bad_path(missing, MOTE_ERROR_IO);
    expect_bad_path(p.directory, MOTE_ERROR_IO);
    expect_bad_path("", MOTE_ERROR_INPUT);
    remove_directory(&p);
}

/* A rename would replace a device by a file. */
static void devices_are_not_replaced(void **state)
{
    (void)state;
    temporary_directory p = make_directory();
    struct stat there;
    assert_int_equal(mkfifo(p.file, 0600), 0);
    expect_bad_path(p.file, MOTE_ERROR_IO);
    assert_int_equal(stat(p.file, &there), 0);
    assert_true(S_ISFIFO(there.st_mode));
    remove_directory(&p);
}

/* The file may not grow beyond a few bytes, as on a full disk. */
static mote_status write_with_limit(const plot_figure *figure, const char *path, mote_error *error)
{
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    mote_status status = plot_write(figure, path, error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    return status;
}

static void existing_data_survive_a_failure(void **state)
{
    (void)state;
    temporary_directory p = make_directory();
    mote_error error = {0};
    plot_figure *figure = small_figure();
    FILE *file = fopen(p.file, "w");
    assert_non_null(file);
    fputs("before", file);
    fclose(file);
    assert_int_equal(write_with_limit(figure, p.file, &error), MOTE_ERROR_IO);
    assert_non_null(strstr(error.text, "File too large"));
    assert_string_equal(read_file(p.file), "before");
    plot_destroy(figure);
    remove_directory(&p);
}

static void streams_that_fail_are_reported(void **state)
{
    (void)state;
    mote_error error = {0};
    plot_figure *figure = small_figure();
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_int_equal(plot_write_stream(figure, full, &error), MOTE_ERROR_IO);
    assert_non_null(strstr(error.text, "No space left"));
    fclose(full);
    plot_destroy(figure);
}

/* ---- mistakes ---- */

static void expect_failure(plot_figure *figure, mote_status status)
{
    temporary_directory p = make_directory();
    mote_error error = {0};
    assert_int_equal(plot_write(figure, p.file, &error), status);
    assert_int_equal(error.status, status);
    assert_true(strlen(error.text) > 10);
    assert_int_equal(plot_write_csv(figure, p.file, NULL), status);
    assert_int_equal(access(p.file, F_OK), -1);
    plot_destroy(figure);
    remove_directory(&p);
}

static void no_memory_is_reported_when_writing(void **state)
{
    (void)state;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    double x = 0;
    plot_add_series(panel, "endless", INT64_MAX, &x, &x, PLOT_LINE);
    plot_add_series(panel, "fine", 1, &x, &x, PLOT_LINE);
    expect_failure(figure, MOTE_ERROR_MEMORY);
}

static void a_figure_that_could_not_be_made_takes_everything(void **state)
{
    (void)state;
    double x = 0;
    plot_panel *panel = plot_panel_at(NULL, 0);
    assert_null(panel);
    plot_set_title(panel, "title");
    plot_set_axis(panel, PLOT_X, (plot_axis){.label = "x"});
    plot_add_series(panel, "series", 1, &x, &x, PLOT_LINE);
    plot_add_matrix(panel, 1, 1, &x, UNIT_RANGE, UNIT_RANGE);
    expect_failure(NULL, MOTE_ERROR_MEMORY);
}

static void wrong_calls_are_reported_when_writing(void **state)
{
    (void)state;
    double x = 1;
    plot_figure *figure;
    expect_failure(plot_create(0, 1, 100, 100), MOTE_ERROR_USAGE);
    expect_failure(plot_create(1, 1, NAN, 100), MOTE_ERROR_USAGE);
    one_panel(&figure);
    assert_null(plot_panel_at(figure, 1));
    expect_failure(figure, MOTE_ERROR_USAGE);
    set_range(one_panel(&figure), PLOT_X, false, 2, 1);
    expect_failure(figure, MOTE_ERROR_USAGE);
    plot_add_series(one_panel(&figure), NULL, -1, &x, &x, PLOT_LINE);
    expect_failure(figure, MOTE_ERROR_USAGE);
    plot_add_series(one_panel(&figure), NULL, 1, &x, NULL, PLOT_LINE);
    expect_failure(figure, MOTE_ERROR_USAGE);
    plot_add_matrix(one_panel(&figure), 1, 0, &x, UNIT_RANGE, UNIT_RANGE);
    expect_failure(figure, MOTE_ERROR_USAGE);
    plot_add_matrix(one_panel(&figure), 1, 1, &x, UNIT_RANGE, (double[]){1, 1});
    expect_failure(figure, MOTE_ERROR_USAGE);
}

static void matrices_need_positive_edges_on_a_log_axis(void **state)
{
    (void)state;
    double x = 1;
    plot_figure *figure;
    plot_panel *panel = one_panel(&figure);
    plot_add_matrix(panel, 1, 1, &x, UNIT_RANGE, UNIT_RANGE);
    plot_set_axis(panel, PLOT_X, (plot_axis){.log = true});
    expect_failure(figure, MOTE_ERROR_USAGE);
}

/* ---- the locale ---- */

/* Writes the number format of a locale with a decimal comma, as compiled by glibc, independent
 * of installed locales. */
static void write_comma_locale(const char *path)
{
    static const char TEXTS[] = ",\0.\0\0\0\0\0,\0\0\0.\0\0\0UTF-8";
    static const uint32_t HEAD[] = {0x20031115 ^ LC_NUMERIC, 6, 32, 34, 36, 40, 44, 48};
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(HEAD, sizeof HEAD, 1, file);
    fwrite(TEXTS, sizeof TEXTS, 1, file);
    assert_int_equal(fclose(file), 0);
}

/* False where locales are stored differently. */
static bool set_comma_locale(const temporary_directory *p)
{
    char directory[96], file[112];
    snprintf(directory, sizeof directory, "%s/xx_XX.UTF-8", p->directory);
    snprintf(file, sizeof file, "%s/LC_NUMERIC", directory);
    assert_int_equal(mkdir(directory, 0777), 0);
    write_comma_locale(file);
    setenv("LOCPATH", p->directory, 1);
    bool set = setlocale(LC_NUMERIC, "xx_XX.UTF-8") != NULL;
    unsetenv("LOCPATH");
    unlink(file);
    rmdir(directory);
    return set;
}

static void numbers_have_a_point_in_every_locale(void **state)
{
    (void)state;
    temporary_directory p = make_directory();
    plot_figure *figure = small_figure();
    char *ordinary_text = text_of(figure), half[8];
    bool set = set_comma_locale(&p);
    char *comma_text = text_of(figure);
    mote_status status = plot_write_csv(figure, p.file, NULL);
    snprintf(half, sizeof half, "%.1f", 0.5);
    setlocale(LC_NUMERIC, "C");
    if (set) {
        assert_string_equal(half, "0,5"); /* the locale is restored */
        assert_string_equal(comma_text, ordinary_text);
        assert_int_equal(status, MOTE_OK);
        find(read_file(p.file), "\"curve\",0.5,0.75\n");
    }
    free(comma_text);
    free(ordinary_text);
    plot_destroy(figure);
    remove_directory(&p);
    if (!set) {
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_ticks_are_round),
        cmocka_unit_test(log_ticks_are_decades),
        cmocka_unit_test(ticks_lie_in_the_range_and_differ),
        cmocka_unit_test(ranges_cover_the_values_and_a_margin),
        cmocka_unit_test(ranges_without_extent_are_opened),
        cmocka_unit_test(data_positions_match_the_axes),
        cmocka_unit_test(log_axes_show_logarithms),
        cmocka_unit_test(labels_are_at_their_ticks),
        cmocka_unit_test(panels_share_the_figure),
        cmocka_unit_test(unused_panels_stay_white),
        cmocka_unit_test(curves_end_at_the_frame),
        cmocka_unit_test(a_curve_that_crosses_the_frame_is_seen),
        cmocka_unit_test(nothing_is_drawn_beyond_the_frame),
        cmocka_unit_test(non_finite_values_make_a_gap),
        cmocka_unit_test(log_axes_have_no_place_for_zero),
        cmocka_unit_test(a_series_of_gaps_is_empty),
        cmocka_unit_test(a_single_point_is_in_the_middle),
        cmocka_unit_test(constant_data_are_a_level_line),
        cmocka_unit_test(extreme_values_have_a_place),
        cmocka_unit_test(an_axis_fits_what_the_other_one_shows),
        cmocka_unit_test(long_curves_make_small_files),
        cmocka_unit_test(the_legend_names_every_series_once),
        cmocka_unit_test(without_names_there_is_no_legend),
        cmocka_unit_test(the_legend_hides_no_curve),
        cmocka_unit_test(styles_are_distinguishable),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(units_take_the_power_of_ten),
        cmocka_unit_test(labels_of_the_x_axis_stay_apart),
        cmocka_unit_test(texts_stay_in_the_figure),
        cmocka_unit_test(matrices_begin_at_the_bottom_left),
        cmocka_unit_test(colours_are_clamped_to_the_range),
        cmocka_unit_test(matrices_end_at_the_frame),
        cmocka_unit_test(large_matrices_make_files_of_bounded_size),
        cmocka_unit_test(tables_have_every_point),
        cmocka_unit_test(tables_have_every_cell),
        cmocka_unit_test(files_are_whole),
        cmocka_unit_test(bad_paths_are_reported),
        cmocka_unit_test(devices_are_not_replaced),
        cmocka_unit_test(existing_data_survive_a_failure),
        cmocka_unit_test(streams_that_fail_are_reported),
        cmocka_unit_test(no_memory_is_reported_when_writing),
        cmocka_unit_test(a_figure_that_could_not_be_made_takes_everything),
        cmocka_unit_test(wrong_calls_are_reported_when_writing),
        cmocka_unit_test(matrices_need_positive_edges_on_a_log_axis),
        cmocka_unit_test(numbers_have_a_point_in_every_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
