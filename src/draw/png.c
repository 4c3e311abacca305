/*
 * libpng reports failures by longjmp, so variables that must survive it are in a struct passed to
 * the callbacks, never local.
 */
#include "draw/png.h"

#include "base/file.h"

#include <errno.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

/* The last message of libpng. */
typedef struct complaint {
    char text[200];
} complaint;

static void on_error(png_structp png, png_const_charp text)
{
    complaint *c = png_get_error_ptr(png);
    snprintf(c->text, sizeof c->text, "%s", text);
    longjmp(png_jmpbuf(png), 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

/* ---- writing ---- */

static bool is_opaque(const mo_image *image)
{
    size_t count = (size_t)image->width * (size_t)image->height;
    for (size_t k = 0; k < count; ++k) {
        if (image->pixels[4 * k + 3] != 255) {
            return false;
        }
    }
    return true;
}

/* False if libpng failed; stream errors are found when the file is committed. */
static bool write_picture(png_structp png, png_infop info, const mo_image *image, bool opaque,
                          FILE *stream)
{
    enum { FAST_AND_SMALL = 6 };
    if (setjmp(png_jmpbuf(png))) {
        return false;
    }
    png_init_io(png, stream);
    png_set_user_limits(png, MO_IMAGE_SIDE_MAX, MO_IMAGE_SIDE_MAX);
    png_set_compression_level(png, FAST_AND_SMALL);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
                 opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    if (opaque) {
        png_set_filler(png, 0, PNG_FILLER_AFTER); /* discards every fourth byte */
    }
    for (int row = 0; row < image->height; ++row) {
        png_write_row(png, mo_image_pixel(image, 0, row));
    }
    png_write_end(png, NULL);
    return true;
}

mote_status mo_png_write(const char *path, const mo_image *image, mote_error *error)
{
    mo_file file;
    MO_TRY(mo_file_create(path, &file, error));
    complaint said = {"out of memory"};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &said, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool written = info && write_picture(png, info, image, is_opaque(image), file.stream);
    png_destroy_write_struct(&png, &info);
    if (!written && !ferror(file.stream)) {
        mo_file_abandon(&file);
        return mo_fail(error, MOTE_ERROR_MEMORY, "%s: could not be written as PNG: %s", path,
                       said.text);
    }
    return mo_file_commit(&file, error);
}

/* ---- reading ---- */

static bool read_picture(png_structp png, png_infop info, FILE *stream, mo_image *image,
                         mote_error *error)
{
    if (setjmp(png_jmpbuf(png))) {
        return false;
    }
    png_init_io(png, stream);
    png_set_user_limits(png, MO_IMAGE_SIDE_MAX, MO_IMAGE_SIDE_MAX);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (mo_image_create((int)png_get_image_width(png, info), (int)png_get_image_height(png, info),
                        image, error) != MOTE_OK) {
        png_error(png, "out of memory");
    }
    for (int pass = 0; pass < passes; ++pass) {
        for (int row = 0; row < image->height; ++row) {
            png_read_row(png, mo_image_pixel(image, 0, row), NULL);
        }
    }
    png_read_end(png, NULL);
    return true;
}

mote_status mo_png_read(const char *path, mo_image *image, mote_error *error)
{
    *image = (mo_image){0};
    FILE *stream = fopen(path, "rbe");
    if (!stream) {
        return mo_fail(error, MOTE_ERROR_IO, "%s: could not be read: %s", path, strerror(errno));
    }
    complaint said = {"out of memory"};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &said, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool read = info && read_picture(png, info, stream, image, error);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(stream);
    if (!read) {
        mo_image_destroy(image);
        return mo_fail(error, MOTE_ERROR_INPUT, "%s: is not a readable PNG image: %s", path,
                       said.text);
    }
    return MOTE_OK;
}
