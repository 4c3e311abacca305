/*
 * Images: blending, and PNG round trips.
 */
#include "test.h"

#include "draw/png.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void expect_color(mo_color a, mo_color b)
{
    assert_int_equal(a.r, b.r);
    assert_int_equal(a.g, b.g);
    assert_int_equal(a.b, b.b);
    assert_int_equal(a.a, b.a);
}

static void over_is_porter_and_duffs(void **state)
{
    (void)state;
    mo_color red = mo_rgb(0xff0000), white = mo_rgb(0xffffff), none = {0},
             glass = mo_rgba(0x0000ff, 0.5);
    expect_color(mo_color_over(red, white, 1), red);
    expect_color(mo_color_over(red, white, 0), white);
    expect_color(mo_color_over(red, white, 0.5), mo_rgb(0xff8080));
    expect_color(mo_color_over(none, white, 1), white);
    expect_color(mo_color_over(none, none, 1), none);
    /* over a transparent background the colour is unchanged, and only the opacity is reduced */
    expect_color(mo_color_over(red, none, 0.25), (mo_color){255, 0, 0, 64});
    /* two glasses: 1 - (1 - 128/255)^2 opaque, and more of the upper one */
    mo_color two = mo_color_over(glass, mo_rgba(0xff0000, 0.5), 1);
    assert_int_equal(two.a, 192);
    assert_int_equal(two.b, 170);
    assert_int_equal(two.r, 85);
}

static void pictures_are_laid_onto_each_other(void **state)
{
    (void)state;
    mo_image big, small;
    assert_int_equal(mo_image_create(4, 3, &big, NULL), MOTE_OK);
    assert_int_equal(mo_image_create(2, 2, &small, NULL), MOTE_OK);
    mo_image_fill(&big, mo_rgb(0x101010));
    mo_image_fill(&small, mo_rgb(0xabcdef));
    mo_image_draw(&big, &small, -1, 2);
    mo_image_draw(&big, &small, 3, -1);
    mo_image_draw(&big, &small, 50, -70);
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 4; ++x) {
            bool covered = (x == 0 && y == 2) || (x == 3 && y == 0);
            expect_color(mo_image_color(&big, x, y), mo_rgb(covered ? 0xabcdef : 0x101010));
        }
    }
    mo_image_destroy(&big);
    mo_image_destroy(&small);
}

static void sizes_are_checked(void **state)
{
    (void)state;
    mo_image image;
    mote_error error;
    assert_int_equal(mo_image_create(0, 5, &image, &error), MOTE_ERROR_INPUT);
    assert_int_equal(mo_image_create(5, -1, &image, &error), MOTE_ERROR_INPUT);
    assert_int_equal(mo_image_create(5, MO_IMAGE_SIDE_MAX + 1, &image, &error), MOTE_ERROR_INPUT);
    assert_null(image.pixels);
}

/* ---- files ---- */

static char directory[] = "draw_image_XXXXXX";

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

static const char *path_of(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static mo_image noise(int width, int height, bool opaque)
{
    mo_image image;
    uint32_t random = 1;
    assert_int_equal(mo_image_create(width, height, &image, NULL), MOTE_OK);
    for (int k = 0; k < 4 * width * height; ++k) {
        random = random * 1664525u + 1013904223u;
        image.pixels[k] = opaque && k % 4 == 3 ? 255 : (uint8_t)(random >> 24);
    }
    return image;
}

static void png_files_give_back_what_was_written(void **state)
{
    (void)state;
    for (int opaque = 0; opaque < 2; ++opaque) {
        mo_image image = noise(37, 23, opaque), back;
        mote_error error = {0};
        assert_int_equal(mo_png_write(path_of("a.png"), &image, &error), MOTE_OK);
        assert_int_equal(mo_png_read(path_of("a.png"), &back, &error), MOTE_OK);
        assert_int_equal(back.width, 37);
        assert_int_equal(back.height, 23);
        assert_memory_equal(back.pixels, image.pixels, 4 * 37 * 23);
        mo_image_destroy(&image);
        mo_image_destroy(&back);
        unlink(path_of("a.png"));
    }
}

static void the_same_picture_is_the_same_file(void **state)
{
    (void)state;
    mo_image image = noise(20, 20, true);
    char text[2][4096];
    size_t size[2];
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(mo_png_write(path_of("b.png"), &image, NULL), MOTE_OK);
        FILE *stream = fopen(path_of("b.png"), "rb");
        assert_non_null(stream);
        size[k] = fread(text[k], 1, sizeof text[k], stream);
        fclose(stream);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(text[0], text[1], size[0]);
    mo_image_destroy(&image);
    unlink(path_of("b.png"));
}

static void bad_files_are_reported(void **state)
{
    (void)state;
    mo_image image;
    mote_error error;
    assert_int_equal(mo_png_read(path_of("missing.png"), &image, &error), MOTE_ERROR_IO);
    assert_non_null(strstr(error.text, "missing.png"));
    FILE *stream = fopen(path_of("text.png"), "wb");
    fputs("this is no picture", stream);
    fclose(stream);
    assert_int_equal(mo_png_read(path_of("text.png"), &image, &error), MOTE_ERROR_INPUT);
    unlink(path_of("text.png"));
    mo_image whole = noise(30, 30, false);
    assert_int_equal(mo_png_write(path_of("cut.png"), &whole, NULL), MOTE_OK);
    assert_int_equal(truncate(path_of("cut.png"), 1500), 0);
    assert_int_equal(mo_png_read(path_of("cut.png"), &image, &error), MOTE_ERROR_INPUT);
    assert_null(image.pixels);
    unlink(path_of("cut.png"));
    assert_int_equal(mo_png_write(path_of("no/such/place.png"), &whole, &error), MOTE_ERROR_IO);
    assert_int_equal(mo_png_write("/dev/null", &whole, &error), MOTE_ERROR_IO);
    assert_int_equal(mo_png_write("/dev/full", &whole, &error), MOTE_ERROR_IO);
    mo_image_destroy(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_is_porter_and_duffs),
        cmocka_unit_test(pictures_are_laid_onto_each_other),
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(png_files_give_back_what_was_written),
        cmocka_unit_test(the_same_picture_is_the_same_file),
        cmocka_unit_test(bad_files_are_reported),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
