#include "io/output/table.h"

#include "base/file.h"
#include "base/plain_numbers.h"

#include <math.h>
#include <string.h>

enum {
    MEASURES = sizeof(mote_measures) / sizeof(double),
    STEPS = 6 + MO_NUMBERS_MAX,
    AFTER = 2 + MEASURES,
    REST = AFTER + STEPS
};

_Static_assert(MO_RUN_ROW_NUMBERS == REST + 2 + MO_STAGES_MAX,
               "a row of the table fits all columns");

void mo_run_table_init(mo_run_table *t, mo_memory *memory)
{
    *t = (mo_run_table){.memory = memory, .clock_last = mo_clock()};
}

void mo_run_table_release(mo_run_table *t)
{
    mo_release(t->memory, t->rows);
    t->rows = NULL;
}

/* Accumulates a quantity over steps. */
static double reduce(mote_reduction rule, int64_t steps, double so_far, double value)
{
    switch (rule) {
    case MOTE_MEAN: /* divided by the number of steps when written */
    case MOTE_SUM:
        return so_far + value;
    case MOTE_MAX:
        return steps == 0 || value > so_far ? value : so_far;
    case MOTE_LAST:
        break;
    }
    return value;
}

static void read_numbers(mo_run_table *t, const mote_world *world)
{
    t->number_count = mote_world_quantity_count(world); /* at most MO_NUMBERS_MAX */
    for (int k = 0; k < t->number_count; ++k) {
        t->numbers[k] = mote_world_quantity(world, k);
    }
}

void mo_run_table_step(mo_run_table *t, const mote_world *world, const mote_step_report *report)
{
    mo_interval *i = &t->interval;
    i->step_min = i->steps == 0 || report->dt < i->step_min ? report->dt : i->step_min;
    i->step_max = report->dt > i->step_max ? report->dt : i->step_max;
    i->courant = report->courant > i->courant ? report->courant : i->courant;
    i->contacts = report->contacts > i->contacts ? report->contacts : i->contacts;
    i->evaluations += report->evaluations;
    read_numbers(t, world);
    for (int k = 0; k < t->number_count; ++k) {
        i->number[k] = reduce(t->numbers[k].reduction, i->steps, i->number[k], t->numbers[k].value);
    }
    i->steps++;
}

/* Seconds since the last row, in all and by stage. */
static void read_clocks(mo_run_table *t, const mote_world *world, mo_run_row *row)
{
    double now = mo_clock();
    row->wall = now - t->clock_last;
    t->clock_last = now;
    t->stage_count = mote_world_stage_count(world);
    for (int k = 0; k < t->stage_count; ++k) {
        mote_stage stage = mote_world_stage(world, k);
        t->stages[k] = stage.name;
        row->stage[k] = stage.seconds - t->stage_last[k];
        t->stage_last[k] = stage.seconds;
    }
}

mote_status mo_run_table_add(mo_run_table *t, mote_world *world, double output, mote_error *error)
{
    void *block = t->rows;
    mote_status status =
        mo_grow(t->memory, &block, &t->capacity, t->count + 1, sizeof *t->rows, error);
    t->rows = block;
    MO_TRY(status);
    mo_run_row *row = &t->rows[t->count];
    *row = (mo_run_row){.time = mote_world_time(world),
                        .steps = mote_world_steps(world),
                        .interval = t->interval,
                        .output = output};
    read_numbers(t, world);
    for (int k = 0; k < t->number_count; ++k) { /* current values */
        row->interval.number[k] =
            t->numbers[k].reduction == MOTE_LAST ? t->numbers[k].value : row->interval.number[k];
    }
    MO_TRY(mote_world_measure(world, &row->measures, error));
    read_clocks(t, world, row);
    t->interval = (mo_interval){0};
    t->count++;
    return MOTE_OK;
}

/* ---- numbers ---- */

static void export_interval(const mo_interval *i, double n[STEPS])
{
    const double numbers[] = {(double)i->steps, i->step_min,         i->step_max,
                              i->courant,       (double)i->contacts, (double)i->evaluations};
    memcpy(n, numbers, sizeof numbers);
    memcpy(n + sizeof numbers / sizeof *numbers, i->number, sizeof i->number);
}

static mo_interval import_interval(const double n[STEPS])
{
    mo_interval i = {.steps = (int64_t)n[0],
                     .step_min = n[1],
                     .step_max = n[2],
                     .courant = n[3],
                     .contacts = (int64_t)n[4],
                     .evaluations = (int64_t)n[5]};
    memcpy(i.number, n + 6, sizeof i.number);
    return i;
}

void mo_run_table_export(const mo_run_table *t, int64_t count, double *n)
{
    for (int64_t k = 0; k < count; ++k, n += MO_RUN_ROW_NUMBERS) {
        const mo_run_row *r = &t->rows[k];
        n[0] = r->time;
        n[1] = (double)r->steps;
        memcpy(n + 2, &r->measures, sizeof r->measures);
        export_interval(&r->interval, n + AFTER);
        n[REST] = r->wall;
        n[REST + 1] = r->output;
        memcpy(n + REST + 2, r->stage, sizeof r->stage);
    }
    memset(n, 0, MO_RUN_ROW_NUMBERS * sizeof *n);
    /* a frame that is written already, but not among the first `count`, includes them */
    export_interval(count < t->count ? &t->rows[count].interval : &t->interval, n + AFTER);
}

mote_status mo_run_table_import(mo_run_table *t, const double *n, int64_t count, mote_error *error)
{
    void *block = t->rows;
    mote_status status =
        mo_grow(t->memory, &block, &t->capacity, count + 1, sizeof *t->rows, error);
    t->rows = block;
    MO_TRY(status);
    for (int64_t k = 0; k < count; ++k, n += MO_RUN_ROW_NUMBERS) {
        mo_run_row *r = &t->rows[k];
        *r = (mo_run_row){
            .time = n[0], .steps = (int64_t)n[1], .wall = n[REST], .output = n[REST + 1]};
        memcpy(&r->measures, n + 2, sizeof r->measures);
        r->interval = import_interval(n + AFTER);
        memcpy(r->stage, n + REST + 2, sizeof r->stage);
    }
    t->interval = import_interval(n + AFTER);
    t->count = count;
    return MOTE_OK;
}

/* ---- files ---- */

/* Worlds with pair interactions, or in a periodic box, have a temperature. */
static bool has_temperature(const mo_run_table *t)
{
    bool any = false;
    for (int64_t k = 0; k < t->count; ++k) {
        any = any || t->rows[k].measures.virial != 0 || isfinite(t->rows[k].measures.pressure);
    }
    return any;
}

static void print_head(const mo_run_table *t, bool temperature, bool pressure, FILE *stream)
{
    fputs(
        "time_s,steps,kinetic_J,potential_J,elastic_J,total_J,px_kgm_s,py_kgm_s,pz_kgm_s,lx_kgm2_s,ly_kgm2_s,"
        "lz_kgm2_s,step_min_s,step_max_s,evaluations,contacts,courant",
        stream);
    fprintf(stream, "%s%s", temperature ? ",temperature_K,virial_J" : "",
            pressure ? ",pressure_Pa" : "");
    for (int k = 0; k < t->number_count; ++k) {
        fprintf(stream, ",%s", t->numbers[k].name);
    }
    fputc('\n', stream);
}

/* Named quantities over the steps since the last row. */
static void print_numbers(const mo_run_table *t, const mo_interval *i, FILE *stream)
{
    double per_step = i->steps > 0 ? 1 / (double)i->steps : 0;
    for (int k = 0; k < t->number_count; ++k) {
        fprintf(stream, ",%.17g",
                i->number[k] * (t->numbers[k].reduction == MOTE_MEAN ? per_step : 1));
    }
}

static void print_row(const mo_run_row *r, FILE *stream)
{
    const mote_measures *m = &r->measures;
    const mo_interval *i = &r->interval;
    fprintf(stream, "%.17g,%lld,%.17g,%.17g,%.17g,%.17g", r->time, (long long)r->steps, m->kinetic,
            m->potential, m->elastic, m->kinetic + m->potential + m->elastic);
    for (int c = 0; c < 3; ++c) {
        fprintf(stream, ",%.17g", m->momentum[c]);
    }
    for (int c = 0; c < 3; ++c) {
        fprintf(stream, ",%.17g", m->angular_momentum[c]);
    }
    fprintf(stream, ",%.17g,%.17g,%lld,%lld,%.17g", i->step_min, i->step_max,
            (long long)i->evaluations, (long long)i->contacts, i->courant);
}

static void print_measures(const mo_run_table *t, FILE *stream)
{
    bool temperature = has_temperature(t),
         pressure = t->count > 0 && !isnan(t->rows[0].measures.pressure);
    print_head(t, temperature, pressure, stream);
    for (int64_t k = 0; k < t->count; ++k) {
        const mo_run_row *r = &t->rows[k];
        print_row(r, stream);
        if (temperature) {
            fprintf(stream, ",%.17g,%.17g", r->measures.temperature, r->measures.virial);
        }
        if (pressure) {
            fprintf(stream, ",%.17g", r->measures.pressure);
        }
        print_numbers(t, &r->interval, stream);
        fputc('\n', stream);
    }
}

static void print_times(const mo_run_table *t, FILE *stream)
{
    fputs("time_s,wall_s", stream);
    for (int k = 0; k < t->stage_count; ++k) {
        fprintf(stream, ",%s_s", t->stages[k]);
    }
    fputs(",output_s\n", stream);
    for (int64_t k = 0; k < t->count; ++k) {
        const mo_run_row *r = &t->rows[k];
        fprintf(stream, "%.17g,%.9f", r->time, r->wall);
        for (int s = 0; s < t->stage_count; ++s) {
            fprintf(stream, ",%.9f", r->stage[s]);
        }
        fprintf(stream, ",%.9f\n", r->output);
    }
}

typedef void printer(const mo_run_table *table, FILE *stream);

static mote_status write_file(const mo_run_table *t, const char *base, const char *ending,
                              printer *print, mote_error *error)
{
    char path[sizeof((mo_file *)0)->path];
    mo_file out;
    snprintf(path, sizeof path, "%s%s", base, ending);
    MO_TRY(mo_file_create(path, &out, error));
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    print(t, out.stream);
    mo_plain_numbers_end(numbers);
    return mo_file_commit(&out, error);
}

mote_status mo_run_table_write(const mo_run_table *t, const char *base, mote_error *error)
{
    MO_TRY(write_file(t, base, ".csv", print_measures, error));
    return write_file(t, base, ".times.csv", print_times, error);
}
