#include "draw/font.h"

#include <math.h>
#include <string.h>

enum { EM = 40, SPACING = 8, DESCENT = -8, SMALL = 20, CAPITAL = 28, POINTS_MAX = 256 };

static const double RAISED_SIZE = 0.72, RAISED_BY = 0.36; /* of the font */

typedef struct glyph {
    unsigned code;
    int width;
    const char *path;
} glyph;

static const glyph GLYPHS[] = {
#define MO_GLYPH(code, width, path) {code, width, path},
#include "draw/glyphs.def"
#undef MO_GLYPH
};

static const glyph BOX = {0, 14, "M0 0L14 0L14 28L0 28L0 0"};

/* ---- text ---- */

unsigned mo_font_character(const char **text)
{
    enum { NONE = 0xfffd };
    const unsigned char *u = (const unsigned char *)*text;
    int bytes = u[0] < 0x80 ? 1 : u[0] >= 0xc2 && u[0] < 0xe0 ? 2 : (u[0] & 0xf0) == 0xe0 ? 3 : 0;
    bytes = u[0] >= 0xf0 && u[0] < 0xf5 ? 4 : bytes;
    unsigned code = bytes == 1 ? u[0] : u[0] & (0x7fu >> bytes);
    for (int k = 1; k < bytes; ++k) {
        if ((u[k] & 0xc0) != 0x80) {
            *text += 1;
            return NONE;
        }
        code = code << 6 | (u[k] & 0x3fu);
    }
    *text += bytes ? bytes : 1;
    return bytes ? code : NONE;
}

size_t mo_font_raised(const char *text)
{
    if (text[0] != '^') {
        return 0;
    }
    size_t sign = text[1] == '-' || text[1] == '+' ? 1 : 0;
    size_t digits = strspn(text + 1 + sign, "0123456789");
    return digits ? 1 + sign + digits : 0;
}

static const glyph *find_glyph(unsigned code)
{
    /* sorted by code, and ASCII without a gap */
    enum { COUNT = sizeof GLYPHS / sizeof *GLYPHS, ASCII = '~' - ' ' + 1 };
    if (code >= ' ' && code <= '~') {
        return &GLYPHS[code - ' '];
    }
    for (int k = ASCII; k < COUNT; ++k) {
        if (GLYPHS[k].code == code) {
            return &GLYPHS[k];
        }
    }
    return &BOX;
}

/* ---- one size of the font ---- */

/* The grid lines in pixels. */
typedef struct face {
    double unit;
    double descent, small, capital, spacing; /* whole pixels */
} face;

static face make_face(double size)
{
    double unit = size / EM;
    return (face){unit, round(DESCENT * unit), round(SMALL * unit), round(CAPITAL * unit),
                  fmax(round(SPACING * unit), 1)};
}

static double glyph_y(const face *f, double y)
{
    double up = y < 0       ? f->descent * y / DESCENT
                : y < SMALL ? f->small * y / SMALL
                            : f->small + (f->capital - f->small) * (y - SMALL) / (CAPITAL - SMALL);
    return -round(up);
}

static double width_of(const face *f, const glyph *g)
{
    return round(g->width * f->unit);
}

static double glyph_x(const face *f, const glyph *g, double x)
{
    return g->width > 0 ? round(x / g->width * width_of(f, g)) : 0;
}

/* ---- strokes ---- */

typedef struct pen {
    mo_font_stroke *stroke;
    void *context;
    mo_point2 start; /* of the glyph */
    int count;
    mo_point2 points[POINTS_MAX];
} pen;

static void pen_up(pen *p)
{
    if (p->count > 0) {
        p->stroke(p->context, p->count, p->points);
    }
    p->count = 0;
}

static void pen_to(pen *p, mo_point2 to)
{
    if (p->count < POINTS_MAX) {
        p->points[p->count++] = to;
    }
}

/* A quarter of a superellipse: a Bezier curve with its handles at 0.6 instead of 0.5523. */
static void pen_arc(pen *p, mo_point2 to, bool horizontal)
{
    static const double HANDLE = 0.6;
    if (p->count == 0) {
        return;
    }
    mo_point2 from = p->points[p->count - 1], a = from, b = to;
    double dx = HANDLE * (to.x - from.x), dy = HANDLE * (to.y - from.y);
    if (horizontal) {
        a.x += dx;
        b.y -= dy;
    } else {
        a.y += dy;
        b.x -= dx;
    }
    int steps = (int)fmin(4 + hypot(to.x - from.x, to.y - from.y) / 3, 16);
    for (int k = 1; k <= steps; ++k) {
        double t = (double)k / steps, s = 1 - t;
        double c[] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
        pen_to(p, (mo_point2){c[0] * from.x + c[1] * a.x + c[2] * b.x + c[3] * to.x,
                              c[0] * from.y + c[1] * a.y + c[2] * b.y + c[3] * to.y});
    }
}

static const char *read_number(const char *text, double *value)
{
    int sign = 1, number = 0;
    text += strspn(text, " ");
    if (*text == '-') {
        sign = -1;
        ++text;
    }
    for (; *text >= '0' && *text <= '9'; ++text) {
        number = 10 * number + *text - '0';
    }
    *value = sign * number;
    return text;
}

static void draw_command(pen *p, char command, mo_point2 at)
{
    if (command == 'M' || command == 'D') {
        pen_up(p);
    }
    if (command == 'H' || command == 'V') {
        pen_arc(p, at, command == 'H');
    } else {
        pen_to(p, at);
    }
    if (command == 'D') {
        pen_up(p);
    }
}

static void draw_glyph(pen *p, const face *f, const glyph *g)
{
    for (const char *text = g->path; *text;) {
        double x, y;
        char command = *text++;
        text = read_number(read_number(text, &x), &y);
        draw_command(p, command,
                     (mo_point2){p->start.x + glyph_x(f, g, x), p->start.y + glyph_y(f, y)});
    }
    pen_up(p);
}

/* Draws regular or raised text up to `end` and advances the pen; without a stroke it only
 * advances. */
static void draw_run(pen *p, const face *f, const char *text, const char *end, bool true_minus)
{
    while (text < end && *text) {
        unsigned code = mo_font_character(&text);
        const glyph *g = find_glyph(code == '-' && true_minus ? 0x2212 : code);
        double half = f->spacing / 2;
        if (p->stroke) {
            mo_point2 pen_start = p->start;
            p->start.x = round(pen_start.x + half);
            draw_glyph(p, f, g);
            p->start = pen_start;
        }
        p->start.x += width_of(f, g) + f->spacing;
    }
}

static void draw_text(pen *p, const char *text, double size)
{
    face level = make_face(size), small = make_face(RAISED_SIZE * size);
    double lift = round(RAISED_BY * size);
    while (*text) {
        size_t raised = mo_font_raised(text);
        if (raised) {
            p->start.y -= lift;
            draw_run(p, &small, text + 1, text + raised, true);
            p->start.y += lift;
            text += raised;
        } else {
            const char *end = text + 1;
            while (*end && !mo_font_raised(end)) {
                ++end;
            }
            draw_run(p, &level, text, end, false);
            text = end;
        }
    }
}

double mo_font_width(const char *text, double size)
{
    pen p = {0};
    draw_text(&p, text, size);
    return p.start.x;
}

double mo_font_height(double size)
{
    face f = make_face(size);
    return f.capital + mo_font_pen(size, 1);
}

double mo_font_pitch(double size)
{
    return round(1.4 * size);
}

double mo_font_pen(double size, double weight)
{
    static const double SHARE = 0.082; /* of the size */
    return fmax(SHARE * size, 1) * weight;
}

void mo_font_draw(const char *text, double size, mo_font_stroke *stroke, void *context)
{
    pen p = {.stroke = stroke, .context = context};
    draw_text(&p, text, size);
}
