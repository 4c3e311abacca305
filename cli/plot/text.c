#include "plot/text.h"

static const double RAISED_SIZE = 0.72, RAISED_BY = 0.36; /* of the font */

/* The bytes of the character at `p` if XML allows it (well-formed UTF-8, no control character),
 * else 0. */
static int character_bytes(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    int bytes = u[0] < 0x80 ? 1 : u[0] >= 0xc2 && u[0] < 0xe0 ? 2 : (u[0] & 0xf0) == 0xe0 ? 3 : 0;
    bytes = u[0] >= 0xf0 && u[0] < 0xf5 ? 4 : bytes;
    for (int k = 1; k < bytes; ++k) {
        if ((u[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool control = u[0] < 0x20 || u[0] == 0x7f;
    bool overlong = (u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xf0 && u[1] < 0x90);
    bool beyond = (u[0] == 0xed && u[1] >= 0xa0) || (u[0] == 0xf4 && u[1] >= 0x90);
    /* U+FFFE and U+FFFF are not characters */
    bool nothing = u[0] == 0xef && u[1] == 0xbf && u[2] >= 0xbe;
    return control || overlong || beyond || nothing ? 0 : bytes;
}

/* Writes one character and returns the bytes it took. */
static int write_character(FILE *file, const char *p)
{
    int bytes = character_bytes(p);
    switch (*p) {
    case '&':
        fputs("&amp;", file);
        break;
    case '<':
        fputs("&lt;", file);
        break;
    case '>':
        fputs("&gt;", file);
        break;
    default:
        fwrite(bytes ? p : "?", 1, bytes ? (size_t)bytes : 1, file);
    }
    return bytes ? bytes : 1;
}

static void write_raised(FILE *file, const char *text, size_t bytes, double size)
{
    fprintf(file, "<tspan dy=\"%.2f\" font-size=\"%.2f\">", -RAISED_BY * size, RAISED_SIZE * size);
    for (size_t k = 1; k < bytes; ++k) {
        if (text[k] == '-') {
            fputs("\u2212", file); /* a hyphen would be too short */
        } else {
            putc(text[k], file);
        }
    }
    fputs("</tspan>", file);
}

/* Writes up to the next superscript and returns its position. */
static const char *write_level(FILE *file, const char *text)
{
    while (*text && !mo_font_raised(text)) {
        text += write_character(file, text);
    }
    return text;
}

/* `dy` shifts all following text, so the shift is reverted after a superscript. Some viewers
 * drop a space at the start of an element, so it is written as a shift as well. */
static void write_marked_up(FILE *file, const char *text, double size)
{
    static const double SPACE = 0.3;
    text = write_level(file, text);
    while (*text) {
        size_t raised = mo_font_raised(text);
        write_raised(file, text, raised, size);
        text += raised;
        double space = *text == ' ' ? SPACE * size : 0;
        fprintf(file, "<tspan dx=\"%.2f\" dy=\"%.2f\">", space, RAISED_BY * size);
        text = write_level(file, text + (space > 0));
        fputs("</tspan>", file);
    }
}

void plot_text_write(FILE *file, plot_text where, const char *text)
{
    static const char *const ANCHORS[] = {"start", "middle", "end"};
    double width = plot_text_width(text, where.size) * (where.bold ? 1.1 : 1);
    double size = where.max_width > 0 && width > where.max_width
                      ? where.size * where.max_width / width
                      : where.size;
    fprintf(file, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" text-anchor=\"%s\"", where.x,
            where.y, size, ANCHORS[where.anchor]);
    if (where.bold) {
        fputs(" font-weight=\"bold\"", file);
    }
    if (where.upwards) {
        fprintf(file, " transform=\"rotate(-90 %.2f %.2f)\"", where.x, where.y);
    }
    fputs(">", file);
    write_marked_up(file, text, size);
    fputs("</text>\n", file);
}

double plot_text_width(const char *text, double size)
{
    static const double CHARACTER = 0.62; /* a digit of a wide sans-serif font */
    double width = 0;
    while (*text) {
        size_t raised = mo_font_raised(text);
        int bytes = character_bytes(text);
        width += raised ? RAISED_SIZE * (double)(raised - 1) : 1;
        text += raised ? raised : bytes ? (size_t)bytes : 1;
    }
    return CHARACTER * size * width;
}
