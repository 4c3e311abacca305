#include "command.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("mote: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

/* ---- values ---- */

static bool is_in_range(const flag *f, double value)
{
    return (f->above ? value > f->low : value >= f->low) && (f->high == 0 || value <= f->high);
}

/* A finite number within the row's range, without trailing characters. */
static bool read_number(const flag *f, const char *text, double *out)
{
    char *end, range[80];
    errno = 0;
    double value = strtod(text, &end);
    bool good = end != text && !*end && !errno && isfinite(value);
    if (f->kind == FLAG_INT) {
        good = good && value == floor(value) && value <= INT_MAX;
    }
    if (good && is_in_range(f, value)) {
        *out = value;
        return true;
    }
    snprintf(range, sizeof range,
             f->high != 0 ? "%s %g to %g"
             : f->above   ? "%s %g"
                          : "%s %g up",
             f->above ? "above" : "from", f->low, f->high);
    complain("%s: '%s' is not a %snumber %s", f->name, text, f->kind == FLAG_INT ? "whole " : "",
             range);
    return false;
}

static bool read_value(const flag *f, const char *text, void *options)
{
    void *field = (char *)options + f->field;
    double number = 0;
    switch (f->kind) {
    case FLAG_SWITCH:
        *(bool *)field = true;
        return true;
    case FLAG_TEXT:
        *(const char **)field = text;
        return true;
    case FLAG_INT:
        if (read_number(f, text, &number)) {
            *(int *)field = (int)number;
            return true;
        }
        return false;
    case FLAG_REAL:
        return read_number(f, text, field);
    case FLAG_OWN:
        return f->read(f, text, options);
    }
    return false;
}

/* ---- arguments ---- */

static const flag *find_in(const flag *flags, const char *name, size_t length)
{
    for (; flags && flags->name; ++flags) {
        if (strlen(flags->name) == length && strncmp(flags->name, name, length) == 0) {
            return flags;
        }
    }
    return NULL;
}

static const flag *find_flag(const command *c, const char *name, size_t length)
{
    const flag *found = find_in(c->flags, name, length);
    return found ? found : find_in(c->more_flags, name, length);
}

static bool read_operand(const command *c, const char *word, void *options)
{
    const char **operand = (const char **)((char *)options + c->operand_field);
    if (!c->operand) {
        complain("%s: unexpected argument '%s'", c->name, word);
    } else if (!word[0]) {
        complain("%s: an argument is empty", c->name);
    } else if (*operand) {
        complain("%s: expected one argument, found '%s' and '%s'", c->name, *operand, word);
    } else {
        *operand = word;
        return true;
    }
    return false;
}

/* A flag and its value, which is the next argument or follows a '='. Returns the number of
 * arguments consumed, 0 after an error. */
static int read_flag(const command *c, int count, char **arguments, void *options)
{
    const char *word = arguments[0], *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const flag *f = find_flag(c, word, length);
    if (!f) {
        complain("%s: unknown flag '%.*s'; `mote %s --help` lists them", c->name, (int)length, word,
                 c->name);
        return 0;
    }
    if (!f->value) {
        if (equals) {
            complain("%s: %s takes no value", c->name, f->name);
            return 0;
        }
        return read_value(f, NULL, options) ? 1 : 0;
    }
    const char *value = equals ? equals + 1 : count > 1 ? arguments[1] : "";
    if (!value[0] || (!equals && find_flag(c, value, strlen(value)))) {
        complain("%s: %s needs a value: %s %s", c->name, f->name, f->name, f->value);
        return 0;
    }
    return !read_value(f, value, options) ? 0 : equals ? 1 : 2;
}

bool command_read(const command *c, int count, char **arguments, void *options)
{
    for (int k = 0, used; k < count; k += used) {
        bool is_flag = arguments[k][0] == '-' && arguments[k][1];
        used = is_flag ? read_flag(c, count - k, arguments + k, options)
                       : read_operand(c, arguments[k], options);
        if (!used) {
            return false;
        }
    }
    if (c->missing && !*(const char **)((char *)options + c->operand_field)) {
        complain("%s: %s", c->name, c->missing);
        return false;
    }
    return true;
}

/* ---- help ---- */

enum { COLUMN = 24 };

/* The head in its column, the text beside it or, if the head is too long, below. */
static void print_beside(FILE *file, const char *head, const char *text)
{
    int length = fprintf(file, "  %s", head);
    if (length >= COLUMN) {
        length = 0;
        fputc('\n', file);
    }
    fprintf(file, "%*s", COLUMN - length, "");
    for (; *text; ++text) {
        fputc(*text, file);
        if (*text == '\n') {
            fprintf(file, "%*s", COLUMN, "");
        }
    }
    fputc('\n', file);
}

static void print_pair(FILE *file, const char *first, const char *second, const char *text)
{
    char head[80];
    snprintf(head, sizeof head, second ? "%s %s" : "%s", first, second);
    print_beside(file, head, text);
}

static void print_flags(const flag *flags)
{
    for (; flags && flags->name; ++flags) {
        print_pair(stdout, flags->name, flags->value, flags->doc);
    }
}

void command_print_line(const command *c, FILE *file)
{
    char head[40];
    snprintf(head, sizeof head, "mote %s", c->name);
    print_pair(file, head, c->operand, c->summary);
}

void command_print_help(const command *c)
{
    printf("usage: mote %s%s%s%s\n%s\n", c->name, c->operand ? " " : "",
           c->operand ? c->operand : "", c->flags || c->more_flags ? " [flags]" : "", c->summary);
    if (c->flags) {
        putchar('\n');
        print_flags(c->flags);
    }
    if (c->more_flags) {
        printf("\n%s\n", c->more_doc);
        print_flags(c->more_flags);
    }
}
