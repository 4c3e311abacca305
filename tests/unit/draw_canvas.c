/*
 * Canvas and font: coverage and positions of drawn shapes.
 */
#include "test.h"

#include "draw/canvas.h"
#include "draw/mask.h"

#include <math.h>
#include <string.h>

enum { SIDE = 128 };

/* Black on white, so that the coverage is the missing white. */
typedef struct page {
    mo_image image;
    mo_canvas *canvas;
} page;

static page open_page(double scale)
{
    page p;
    assert_int_equal(mo_image_create(SIDE, SIDE, &p.image, NULL), MOTE_OK);
    mo_image_fill(&p.image, mo_rgb(0xffffff));
    assert_int_equal(mo_canvas_create(&p.image, scale, &p.canvas, NULL), MOTE_OK);
    return p;
}

static void close_page(page *p)
{
    mo_canvas_destroy(p->canvas);
    mo_image_destroy(&p->image);
}

static double covered_at(const page *p, int x, int y)
{
    return 1 - mo_image_color(&p->image, x, y).r / 255.0;
}

static double covered(const page *p)
{
    double sum = 0;
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            sum += covered_at(p, x, y);
        }
    }
    return sum;
}

static void expect_area(page *p, double area, double share)
{
    double found = covered(p);
    if (fabs(found - area) > share * area) {
        print_error("%g pixels covered, not %g\n", found, area);
    }
    assert_true(fabs(found - area) <= share * area);
    close_page(p);
}

static mo_stroke ink(double width)
{
    return (mo_stroke){mo_rgb(0x000000), width, {0}, false};
}

static void a_level_line_fills_its_row(void **state)
{
    (void)state;
    page p = open_page(1);
    mo_stroke s = ink(1);
    s.flat = true;
    mo_canvas_line(p.canvas, (mo_point2){10, 20.5}, (mo_point2){30, 20.5}, &s);
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            assert_true(covered_at(&p, x, y) == (y == 20 && x >= 10 && x < 30 ? 1 : 0));
        }
    }
    close_page(&p);
    /* between two rows it covers half of each */
    p = open_page(1);
    mo_canvas_line(p.canvas, (mo_point2){10, 20}, (mo_point2){30, 20}, &s);
    assert_true(fabs(covered_at(&p, 15, 19) - 0.5) < 0.005 &&
                fabs(covered_at(&p, 15, 20) - 0.5) < 0.005);
    close_page(&p);
}

/* A line covers its length times its width in any direction, and a round end half a circle. */
static void lines_cover_their_area(void **state)
{
    (void)state;
    for (int k = 0; k < 60; ++k) {
        double angle = 0.1047 * k, width = 0.6 + 0.13 * k, length = 90;
        mo_point2 a = {64.3 - 45 * cos(angle), 63.8 - 45 * sin(angle)};
        mo_point2 b = {a.x + length * cos(angle), a.y + length * sin(angle)};
        mo_stroke s = ink(width);
        page p = open_page(1);
        mo_canvas_line(p.canvas, a, b, &s);
        expect_area(&p, length * width + 3.14159265 * width * width / 4, 0.01);
        p = open_page(1);
        s.flat = true;
        mo_canvas_line(p.canvas, a, b, &s);
        expect_area(&p, length * width, 0.01);
    }
}

static void lines_that_bend_are_one_shape(void **state)
{
    (void)state;
    /* half transparent: no darkening where two segments overlap */
    page p = open_page(1);
    mo_stroke s = {mo_rgba(0x000000, 0.5), 9, {0}, false};
    mo_point2 points[] = {{20, 30}, {64, 90}, {108, 30}};
    mo_canvas_polyline(p.canvas, 3, points, &s);
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            assert_true(covered_at(&p, x, y) < 0.51);
        }
    }
    assert_true(covered_at(&p, 63, 88) > 0.49);
    close_page(&p);
}

static void dashes_cover_their_share(void **state)
{
    (void)state;
    page p = open_page(1);
    mo_stroke s = {mo_rgb(0x000000), 2, {6, 4}, false};
    mo_canvas_line(p.canvas, (mo_point2){10, 20}, (mo_point2){110, 20}, &s);
    assert_true(covered_at(&p, 12, 20) == 1 && covered_at(&p, 18, 20) == 0 &&
                covered_at(&p, 22, 20) == 1);
    expect_area(&p, 120, 0.01);
    /* dashes continue around a corner, and from far outside of the image */
    p = open_page(1);
    mo_point2 corner[] = {{-1e6 - 3, 20}, {13, 20}, {13, 100}};
    mo_canvas_polyline(p.canvas, 3, corner, &s);
    assert_true(covered_at(&p, 0, 20) == 1 && covered_at(&p, 5, 20) == 0 &&
                covered_at(&p, 9, 20) == 1);
    assert_true(covered_at(&p, 12, 21) == 0 && covered_at(&p, 12, 26) == 1);
    close_page(&p);
}

static void shapes_cover_their_area(void **state)
{
    (void)state;
    page p = open_page(1);
    mo_canvas_rectangle(p.canvas, (mo_box2){10.25, 20.5, 50.75, 61.1}, mo_rgb(0x000000));
    assert_true(fabs(covered_at(&p, 10, 20) - 0.375) < 0.004);
    expect_area(&p, 40.5 * 40.6, 0.001);
    p = open_page(1);
    mo_canvas_rounded(p.canvas, (mo_box2){10, 20, 60, 50}, 8, mo_rgb(0x000000));
    assert_true(covered_at(&p, 10, 20) == 0);
    expect_area(&p, 50 * 30 - (4 - 3.14159265) * 64, 0.001);
    for (int k = 0; k < 20; ++k) {
        p = open_page(1);
        mo_canvas_circle(p.canvas, (mo_point2){60 + 0.13 * k, 60}, 1.5 + k, mo_rgb(0x000000));
        expect_area(&p, 3.14159265 * (1.5 + k) * (1.5 + k), 0.02);
    }
    p = open_page(1);
    mo_point2 arrow[] = {{10.3, 10.1}, {90.7, 50.2}, {20.2, 100.9}, {40, 50}};
    mo_canvas_polygon(p.canvas, 4, arrow, mo_rgb(0x000000));
    expect_area(&p, 2300.79, 0.002); /* by the shoelace formula */
    p = open_page(1);
    mo_stroke s = ink(2);
    mo_canvas_frame(p.canvas, (mo_box2){20, 20, 80, 60}, 0, &s);
    expect_area(&p, 62 * 42 - 58 * 38, 0.001);
}

/* The exact area against a sum over a fine grid. */
static void half_planes_cut_squares(void **state)
{
    (void)state;
    enum { FINE = 200 };
    for (int k = 0; k < 40; ++k) {
        double angle = 0.157 * k, d = -0.8 + 0.04 * k, nx = cos(angle), ny = sin(angle);
        int inside = 0;
        for (int y = 0; y < FINE; ++y) {
            for (int x = 0; x < FINE; ++x) {
                inside += nx * ((x + 0.5) / FINE - 0.5) + ny * ((y + 0.5) / FINE - 0.5) <= d;
            }
        }
        assert_true(fabs(mo_half_plane(d, nx, ny) - (double)inside / (FINE * FINE)) < 0.004);
    }
}

static void clipping_keeps_the_outside_clean(void **state)
{
    (void)state;
    page p = open_page(1);
    mo_box2 box = {20, 30, 70.5, 90};
    mo_stroke s = ink(20);
    mo_canvas_clip(p.canvas, &box);
    mo_canvas_line(p.canvas, (mo_point2){-1e9, 64}, (mo_point2){1e9, 64}, &s);
    assert_true(fabs(covered_at(&p, 70, 64) - 0.5) < 0.005);
    expect_area(&p, 50.5 * 20, 0.001);
    p = open_page(1);
    mo_canvas_line(p.canvas, (mo_point2){NAN, 64}, (mo_point2){50, 64}, &s);
    mo_canvas_circle(p.canvas, (mo_point2){50, INFINITY}, 5, s.color);
    mo_canvas_line(p.canvas, (mo_point2){200, 64}, (mo_point2){500, 164}, &s);
    assert_true(covered(&p) == 0);
    close_page(&p);
}

static void a_scale_makes_everything_larger(void **state)
{
    (void)state;
    page p = open_page(2);
    mo_stroke s = ink(3);
    assert_true(mo_canvas_size(p.canvas).x == SIDE / 2);
    s.flat = true;
    mo_canvas_line(p.canvas, (mo_point2){10, 20}, (mo_point2){50, 20}, &s);
    expect_area(&p, 4 * 120, 0.001);
}

/* ---- text ---- */

static mo_box2 ink_box(const page *p)
{
    mo_box2 box = {SIDE, SIDE, 0, 0};
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            if (covered_at(p, x, y) > 0.3) {
                box = (mo_box2){fmin(box.left, x), fmin(box.top, y), fmax(box.right, x + 1),
                                fmax(box.bottom, y + 1)};
            }
        }
    }
    return box;
}

static mo_box2 box_of(const char *text, mo_text_style style, mo_point2 at)
{
    page p = open_page(1);
    style.color = mo_rgb(0x000000);
    mo_canvas_text(p.canvas, at, &style, text);
    mo_box2 box = ink_box(&p);
    close_page(&p);
    return box;
}

static void texts_are_on_their_baseline(void **state)
{
    (void)state;
    for (double size = 8; size < 40; size += 1) {
        mo_box2 box = box_of("HE", (mo_text_style){.size = size}, (mo_point2){20, 60});
        assert_true(fabs(box.bottom - 60) <= 1);
        assert_true(fabs(box.bottom - box.top - mo_font_height(size)) <= 1);
        mo_box2 deep = box_of("p", (mo_text_style){.size = size}, (mo_point2){20, 60});
        assert_true(deep.bottom > box.bottom && deep.top > box.top);
    }
}

static void widths_are_those_drawn(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"H", "HH", "Hello", "10^-3 m/s^2", "\u03c9\u0394\u03c1 H"};
    for (double size = 9; size < 26; size += 1) {
        for (size_t k = 0; k < sizeof TEXTS / sizeof *TEXTS; ++k) {
            double width = mo_font_width(TEXTS[k], size), pen = mo_font_pen(size, 1);
            if (width > 100) {
                continue;
            }
            for (int anchor = 0; anchor < 3; ++anchor) {
                double x = 10 + 0.5 * anchor * width;
                mo_box2 box = box_of(TEXTS[k], (mo_text_style){.size = size, .anchor = anchor},
                                     (mo_point2){x, 60});
                /* half a letter spacing on either side */
                double slack = 0.1 * size + pen + 1;
                assert_true(box.left >= 9 && box.left <= 10 + slack);
                assert_true(box.right <= 11 + width && box.right >= 10 + width - slack);
            }
        }
    }
    assert_true(mo_font_width("", 12) == 0);
    assert_true(mo_font_width("i", 12) < mo_font_width("W", 12));
    assert_true(mo_font_width("ab", 12) == mo_font_width("a", 12) + mo_font_width("b", 12));
    assert_true(mo_font_width("m^2", 20) < mo_font_width("m2", 20));
    /* digits have equal widths */
    for (char c[] = "0"; c[0] <= '9'; ++c[0]) {
        assert_true(mo_font_width(c, 12) == mo_font_width("0", 12));
    }
}

static void turned_text_is_the_same_text(void **state)
{
    (void)state;
    page level = open_page(1), turned = open_page(1);
    mo_text_style style = {.size = 14, .color = mo_rgb(0x000000)};
    mo_canvas_text(level.canvas, (mo_point2){10, 60}, &style, "turned 5");
    style.upwards = true;
    mo_canvas_text(turned.canvas, (mo_point2){60, 118}, &style, "turned 5");
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            assert_true(covered_at(&level, x, y) == covered_at(&turned, y, SIDE - 1 - x));
        }
    }
    assert_true(covered(&level) > 50);
    close_page(&level);
    close_page(&turned);
}

/* Every glyph is distinct; unknown characters are a box, and invalid UTF-8 is harmless. */
static void glyphs_differ(void **state)
{
    (void)state;
    static const char *const MORE[] = {"\u00b5", "\u00b0", "\u00b2", "\u00b3", "\u00d7", "\u00b7",
                                       "\u2212", "\u03c9", "\u0394", "\u03c1", "\u4e00"};
    enum { ASCII = '~' - '!' + 1, COUNT = ASCII + sizeof MORE / sizeof *MORE };
    static uint8_t seen[COUNT][4 * SIDE * SIDE];
    for (int k = 0; k < COUNT; ++k) {
        page p = open_page(1);
        char one[2] = {(char)('!' + k), '\0'};
        mo_text_style style = {.size = 60, .color = mo_rgb(0x000000)};
        mo_canvas_text(p.canvas, (mo_point2){30, 80}, &style, k < ASCII ? one : MORE[k - ASCII]);
        assert_true(covered(&p) > 10);
        memcpy(seen[k], p.image.pixels, sizeof seen[k]);
        for (int j = 0; j < k; ++j) {
            if (memcmp(seen[j], seen[k], sizeof seen[k]) == 0) {
                print_error("glyphs %d and %d look the same\n", j, k);
                fail();
            }
        }
        close_page(&p);
    }
    page p = open_page(1);
    mo_text_style style = {.size = 12, .color = mo_rgb(0x000000)};
    mo_canvas_text(p.canvas, (mo_point2){5, 80}, &style, "\xc3\xff\xe2\x82");
    close_page(&p);
    const char *broken = "\xe2\x82";
    assert_int_equal(mo_font_character(&broken), 0xfffd);
    assert_int_equal(mo_font_character(&broken), 0xfffd);
    assert_int_equal(*broken, '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_line_fills_its_row),
        cmocka_unit_test(lines_cover_their_area),
        cmocka_unit_test(lines_that_bend_are_one_shape),
        cmocka_unit_test(dashes_cover_their_share),
        cmocka_unit_test(shapes_cover_their_area),
        cmocka_unit_test(half_planes_cut_squares),
        cmocka_unit_test(clipping_keeps_the_outside_clean),
        cmocka_unit_test(a_scale_makes_everything_larger),
        cmocka_unit_test(texts_are_on_their_baseline),
        cmocka_unit_test(widths_are_those_drawn),
        cmocka_unit_test(turned_text_is_the_same_text),
        cmocka_unit_test(glyphs_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
