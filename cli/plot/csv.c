/* The data of a figure, a row for each point (RFC 4180 but for the line ends). */
#include "plot/file.h"

#include <math.h>

/* Quoted, quotes doubled. */
static void print_text(FILE *stream, const char *text)
{
    putc('"', stream);
    for (; *text; ++text) {
        if (*text == '"') {
            putc('"', stream);
        }
        putc(*text, stream);
    }
    putc('"', stream);
}

/* A text, or a number in its place, at the start of a row. */
static void print_name(FILE *stream, const char *name, int number)
{
    if (name) {
        print_text(stream, name);
    } else {
        fprintf(stream, "%d", number);
    }
    putc(',', stream);
}

/* Empty where there is no number, which is what most readers take for a missing one. */
static void print_number(FILE *stream, double number, char after)
{
    if (!isnan(number)) {
        fprintf(stream, "%.17g", number);
    }
    putc(after, stream);
}
