#include "plot/run_table.h"

#include "base/error.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char HEAD[] = "time_s,steps,"; /* head of the table of a run */
static const char REMEDY[] = "`mote run SCENE.json -o DIR` makes one";

/* ---- runs ---- */

static bool begins_like_a_run(const char *path)
{
    char head[sizeof HEAD] = "";
    FILE *stream = fopen(path, "rbe");
    if (!stream) {
        return false;
    }
    size_t length = fread(head, 1, sizeof HEAD - 1, stream);
    fclose(stream);
    return length == sizeof HEAD - 1 && memcmp(head, HEAD, length) == 0;
}

/* The length of a table's name without ".csv"; 0 if the file is not a table, or is the table of
 * stage times. */
static size_t name_length(const char *file)
{
    static const char ENDING[] = ".csv", TIMES[] = ".times.csv";
    size_t length = strlen(file), tail = sizeof ENDING - 1, times = sizeof TIMES - 1;
    if (length <= tail || strcmp(file + length - tail, ENDING) != 0) {
        return 0;
    }
    bool is_times = length > times && strcmp(file + length - times, TIMES) == 0;
    return is_times ? 0 : length - tail;
}

static mote_status take_name(const char *file, run_location *location, mote_error *error)
{
    size_t length = name_length(file);
    if (length >= sizeof location->name) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.100s...: the name is too long", file);
    }
    memcpy(location->name, file, length);
    location->name[length] = '\0';
    return MOTE_OK;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Whether a directory has files, and the tables of runs among them. */
static mote_status choose_run(const char *path, struct dirent **entries, int count,
                              run_location *location, mote_error *error)
{
    mo_text names = {0};
    int runs = 0;
    mote_status status = MOTE_OK;
    for (int k = 0; status == MOTE_OK && k < count; ++k) {
        const char *file = entries[k]->d_name;
        char full[sizeof location->directory + 300];
        snprintf(full, sizeof full, "%s/%s", path, file);
        if (name_length(file) > 0 && begins_like_a_run(full)) {
            mo_text_add(&names, "%s%s", runs++ ? ", " : "", file);
            status = take_name(file, location, error);
        }
    }
    if (status != MOTE_OK) {
        mo_text_release(&names);
        return status;
    }
    if (count == 0) {
        status = mo_fail(error, MOTE_ERROR_INPUT,
                         "%s: the directory is empty, so there is no run in it; %s", path, REMEDY);
    } else if (runs == 0) {
        status = mo_fail(
            error, MOTE_ERROR_INPUT,
            "%s: not the directory of a run: there is no table NAME.csv that begins with '%s'; %s",
            path, HEAD, REMEDY);
    } else if (runs > 1) {
        status = mo_fail(error, MOTE_ERROR_INPUT,
                         "%s: contains %d runs; choose one of %.1200s: mote plot %s/%s.csv", path,
                         runs, names.data ? names.data : "", path, location->name);
    }
    mo_text_release(&names);
    return status;
}

static mote_status find_in_directory(const char *path, run_location *location, mote_error *error)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_visible, alphasort);
    if (count < 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s: could not be listed: %s", path,
                       strerror(errno));
    }
    snprintf(location->directory, sizeof location->directory, "%s", path);
    mote_status status = choose_run(path, entries, count, location, error);
    for (int k = 0; k < count; ++k) {
        free(entries[k]);
    }
    free(entries);
    return status;
}

static mote_status find_table(const char *path, run_location *location, mote_error *error)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    if (name_length(file) == 0 || !begins_like_a_run(path)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "%s: is neither the directory of a run nor its table NAME.csv, which begins with '%s'; %s",
            path, HEAD, REMEDY);
    }
    int length = slash ? (int)(slash - path) : 0;
    snprintf(location->directory, sizeof location->directory, "%.*s", slash ? length : 1,
             slash ? path : ".");
    return take_name(file, location, error);
}

mote_status run_find(const char *path, run_location *location, mote_error *error)
{
    struct stat there;
    if (strlen(path) >= sizeof location->directory) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%.60s...: the path is too long", path);
    }
    if (stat(path, &there) != 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s: %s; give the directory of a run; %s", path,
                       strerror(errno), REMEDY);
    }
    return S_ISDIR(there.st_mode) ? find_in_directory(path, location, error)
                                  : find_table(path, location, error);
}

/* ---- values ---- */

int run_table_column(const run_table *t, const char *name)
{
    for (int k = 0; k < t->columns; ++k) {
        if (strcmp(t->names[k], name) == 0) {
            return k;
        }
    }
    return -1;
}

void run_table_release(run_table *t)
{
    free(t->text);
    free(t->values);
    *t = (run_table){0};
}

/* A line without its end; a last line without an end is incomplete. */
static mote_status take_line_end(const char *path, int64_t line, char *text, mote_error *error)
{
    size_t length = strlen(text);
    if (length == 0 || text[length - 1] != '\n') {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%s:%lld: the file is truncated within a line; run the scene again", path,
                       (long long)line);
    }
    text[length - 1] = '\0';
    return MOTE_OK;
}

static mote_status read_head(const char *path, char *text, run_table *t, mote_error *error)
{
    MO_TRY(take_line_end(path, 1, text, error));
    for (char *rest = text, *name; (name = strsep(&rest, ",")) != NULL;) {
        if (t->columns == RUN_COLUMNS_MAX) {
            return mo_fail(error, MOTE_ERROR_INPUT, "%s: has more than %d columns", path,
                           RUN_COLUMNS_MAX);
        }
        t->names[t->columns++] = name;
    }
    return MOTE_OK;
}

static mote_status read_cells(const char *path, int64_t line, char *text, const run_table *t,
                              double *cells, mote_error *error)
{
    char *rest = text;
    for (int k = 0; k < t->columns; ++k) {
        char *cell = strsep(&rest, ","), *end;
        if (!cell) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "%s:%lld: the row has %d of %d columns, the first missing one is '%s': the file is "
                "truncated or was changed; run the scene again",
                path, (long long)line, k, t->columns, t->names[k]);
        }
        cells[k] = strtod(cell, &end);
        if (end == cell || *end) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "%s:%lld: '%.40s' in the column '%s' is not a number", path,
                           (long long)line, cell, t->names[k]);
        }
    }
    if (rest) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s:%lld: the row has more than %d columns", path,
                       (long long)line, t->columns);
    }
    return MOTE_OK;
}

static mote_status read_rows(const char *path, FILE *stream, run_table *t, mote_error *error)
{
    char *line = NULL;
    size_t size = 0;
    int64_t capacity = 0;
    mote_status status = MOTE_OK;
    while (status == MOTE_OK && getline(&line, &size, stream) > 0) {
        if (t->rows == capacity) {
            capacity = capacity ? 2 * capacity : 256;
            double *grown = realloc(t->values, (size_t)(capacity * t->columns) * sizeof *grown);
            if (!grown) {
                status = mo_fail_memory(error, (size_t)(capacity * t->columns) * sizeof *grown);
                break;
            }
            t->values = grown;
        }
        status = take_line_end(path, t->rows + 2, line, error);
        if (status == MOTE_OK) {
            status =
                read_cells(path, t->rows + 2, line, t, t->values + t->rows * t->columns, error);
        }
        t->rows++;
    }
    free(line);
    return status;
}

static mote_status read_stream(const char *path, FILE *stream, run_table *t, mote_error *error)
{
    size_t size = 0;
    if (getline(&t->text, &size, stream) <= 0) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s: is empty; run the scene again", path);
    }
    MO_TRY(read_head(path, t->text, t, error));
    MO_TRY(read_rows(path, stream, t, error));
    if (t->rows == 0) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%s: has no rows: the run ended before its first frame; run the scene again",
                       path);
    }
    return MOTE_OK;
}

mote_status run_table_read(const char *path, run_table *t, mote_error *error)
{
    *t = (run_table){0};
    FILE *stream = fopen(path, "rbe");
    if (!stream) {
        return mo_fail(error, MOTE_ERROR_INPUT, "%s: could not be read: %s", path, strerror(errno));
    }
    mote_status status = read_stream(path, stream, t, error);
    fclose(stream);
    if (status != MOTE_OK) {
        run_table_release(t);
    }
    return status;
}
