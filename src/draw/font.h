/*
 * A stroke font: every glyph consists of lines and quarter ellipses on an integer grid, drawn with
 * a round pen. Text needs no font file or library, scales and rotates, and is the same on every
 * machine.
 *
 * The grid is 40 units to the font's size: capitals are 28 high, small letters 20, descenders -8.
 * At label sizes a unit is a third of a pixel; the points of a glyph and the widths are therefore
 * snapped to pixels (hinting), also in mo_font_width.
 *
 * Texts are UTF-8: printable ASCII and some more (see glyphs.def); unknown characters are drawn as
 * a box. A '^' before an integer raises it: "m/s^2", "10^-3".
 */
#ifndef MO_DRAW_FONT_H
#define MO_DRAW_FONT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mo_point2 {
    double x, y; /* pixels, y downwards */
} mo_point2;

/* The width of a text in pixels, including half a letter spacing on either side. `size` in
 * pixels. */
double mo_font_width(const char *text, double size);

/* The height of capitals and digits above the base line, and the default line spacing. */
double mo_font_height(double size);
double mo_font_pitch(double size);

/* The width of the pen; `weight` is 1 for regular text, 1.6 for bold. */
double mo_font_pen(double size, double weight);

/* Called for every stroke of a text, in pixels from the start of its base line. One point is a
 * dot. */
typedef void mo_font_stroke(void *context, int count, const mo_point2 *points);
void mo_font_draw(const char *text, double size, mo_font_stroke *stroke, void *context);

/* The bytes of a superscript number, with its '^', at the start of `text`; 0 if there is none. */
size_t mo_font_raised(const char *text);

/* Decodes and skips the next character of a UTF-8 text; an invalid byte is U+FFFD. */
unsigned mo_font_character(const char **text);

#endif
