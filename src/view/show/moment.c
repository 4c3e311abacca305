#include "view/show/moment.h"

#include "base/error.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const mote_column *mo_part_find(const mo_part *part, const char *name)
{
    for (int k = 0; k < part->column_count; ++k) {
        if (strcmp(part->columns[k].name, name) == 0) {
            return &part->columns[k];
        }
    }
    return NULL;
}

static const mote_column *find_anywhere(const mo_moment *moment, const char *name)
{
    const mote_column *found = NULL;
    for (int k = 0; k < moment->part_count && !found; ++k) {
        found = mo_part_find(&moment->parts[k], name);
    }
    return found;
}

/* 0 to 3 for x, y, z, w and for digits; -1 otherwise. */
static int component_of(const char *text)
{
    static const char LETTERS[] = "xyzw";
    if (text[0] && !text[1] && strchr(LETTERS, text[0])) {
        return (int)(strchr(LETTERS, text[0]) - LETTERS);
    }
    return isdigit((unsigned char)text[0]) && strlen(text) <= 2 ? atoi(text) : -1;
}

static void describe(mo_field *field, const mote_column *column)
{
    field->unit = column->unit ? column->unit : "";
    if (strcmp(field->unit, "1") == 0) {
        field->unit = "";
    }
    bool vector = column->components > 1;
    if (field->component >= 0 && vector) {
        const char *letters =
            column->components <= 4 && strcmp(field->name, "q") != 0 ? "xyzw" : "0123";
        if (column->components <= 4) {
            snprintf(field->label, sizeof field->label, "%s.%c", field->name,
                     letters[field->component]);
        } else {
            snprintf(field->label, sizeof field->label, "%s.%d", field->name, field->component);
        }
    } else if (strcmp(field->name, "v") == 0 && vector) {
        snprintf(field->label, sizeof field->label, "speed");
    } else {
        snprintf(field->label, sizeof field->label, vector ? "|%s|" : "%s", field->name);
    }
}

static mote_status fail_unknown(const mo_moment *moment, const char *text, mote_error *error)
{
    const char *names[MO_MOMENT_COLUMNS];
    int count = 0;
    mo_text list = {0};
    for (int p = 0; p < moment->part_count; ++p) {
        for (int k = 0; k < moment->parts[p].column_count && count < MO_MOMENT_COLUMNS; ++k) {
            const char *name = moment->parts[p].columns[k].name;
            bool twice = false;
            for (int j = 0; j < count; ++j) {
                twice = twice || strcmp(names[j], name) == 0;
            }
            if (!twice) {
                mo_text_add(&list, "%s%s", count ? ", " : "", name);
                names[count++] = name;
            }
        }
    }
    const char *nearest = mo_nearest(text, names, count);
    mo_fail(
        error, MOTE_ERROR_INPUT,
        "view.color.field: there is no column '%.100s'%s%s%sallowed: none, %s, and components like v.x",
        text, nearest ? "; did you mean '" : "; ", nearest ? nearest : "", nearest ? "'? " : "",
        list.data ? list.data : "");
    mo_text_release(&list);
    return MOTE_ERROR_INPUT;
}

mote_status mo_field_find(const mo_moment *moment, const char *text, mo_field *field,
                          mote_error *error)
{
    *field = (mo_field){.component = -1, .unit = ""};
    if (strlen(text) >= sizeof field->name) {
        return fail_unknown(moment, text, error);
    }
    snprintf(field->name, sizeof field->name, "%s", text);
    const mote_column *column = find_anywhere(moment, text);
    char *dot = strrchr(field->name, '.');
    if (!column && dot) {
        *dot = '\0';
        field->component = component_of(dot + 1);
        column = find_anywhere(moment, field->name);
        if (column && (field->component < 0 || field->component >= column->components)) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "view.color.field: '%.100s': the column '%s' has the components 0 to %d",
                           text, field->name, column->components - 1);
        }
    }
    if (!column) {
        return fail_unknown(moment, text, error);
    }
    describe(field, column);
    return MOTE_OK;
}

/* Columns that are not useful as colours. */
static bool dull(const mote_column *column)
{
    static const char *const NAMES[] = {"inverse_mass", "inverse_diameter", "contact_x", "age"};
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; ++k) {
        if (strcmp(column->name, NAMES[k]) == 0) {
            return true;
        }
    }
    return false;
}

bool mo_field_number(const mo_moment *moment, int k, mo_field *field)
{
    for (int p = 0; p < moment->part_count; ++p) {
        for (int c = 0; c < moment->parts[p].column_count; ++c) {
            const mote_column *column = &moment->parts[p].columns[c];
            if (!dull(column) && find_anywhere(moment, column->name) == column && k-- == 0) {
                return mo_field_find(moment, column->name, field, NULL) == MOTE_OK;
            }
        }
    }
    return false;
}

static double number_at(const mote_column *column, int64_t k)
{
    switch (column->type) {
    case MOTE_F64:
        return ((const double *)column->data)[k];
    case MOTE_F32:
        return (double)((const float *)column->data)[k];
    case MOTE_I64:
        return (double)((const int64_t *)column->data)[k];
    case MOTE_I32:
        return ((const int32_t *)column->data)[k];
    case MOTE_U8:
        return ((const uint8_t *)column->data)[k];
    }
    return NAN;
}

double mo_column_number(const mote_column *column, int64_t row, int component)
{
    if (!column || row < 0 || row >= column->rows || component >= column->components) {
        return NAN;
    }
    if (component >= 0 || column->components == 1) {
        return number_at(column, row * column->components + (component > 0 ? component : 0));
    }
    double square = 0;
    for (int k = 0; k < column->components; ++k) {
        double value = number_at(column, row * column->components + k);
        square += value * value;
    }
    return sqrt(square);
}

int64_t mo_moment_rows(const mo_moment *moment)
{
    int64_t rows = 0;
    for (int k = 0; k < moment->part_count; ++k) {
        rows += moment->parts[k].rows;
    }
    return rows;
}
