#include "bench/bench.h"

#include "base/timer.h"
#include "bench/team.h"
#include "commands.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BENCH_CASE(name) extern const suite_group bench_##name;
#include "bench/cases.def"
#undef BENCH_CASE

static const suite_group *const GROUPS[] = {
#define BENCH_CASE(name) &bench_##name,
#include "bench/cases.def"
#undef BENCH_CASE
};

static const suite SUITE = {"mote: bench", GROUPS, sizeof GROUPS / sizeof *GROUPS};

enum { REPEATS = 5, REPEATS_QUICK = 2, THREADS_MAX = 256, REPEATS_MAX = 1000 };

int bench_thread_counts(const bench *b, int counts[BENCH_THREAD_COUNTS_MAX])
{
    int cores = team_cores();
    counts[0] = b->threads ? b->threads : 1;
    counts[1] = cores;
    return b->threads || cores == 1 ? 1 : 2;
}

double bench_best_seconds(const bench *b, void (*function)(void *context), void *context)
{
    double best = INFINITY;
    for (int k = 0; k < b->repeats; ++k) {
        double start = mo_clock();
        function(context);
        best = fmin(best, mo_clock() - start);
    }
    return best;
}

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void print_json(const bench_row *row)
{
    json_t *object = json_pack("{s:s, s:i, s:o, s:o, s:s, s:o, s:o, s:s}", "case", row->name,
                               "threads", row->threads, "seconds", real_or_null(row->seconds),
                               "rate", real_or_null(row->rate), "unit", row->unit, "baseline",
                               real_or_null(row->baseline), "ratio",
                               real_or_null(row->rate / row->baseline), "note", row->note);
    json_dumpf(object, stdout, JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(object);
}

static void print_head(void)
{
    printf("%-24s %7s %11s %11s %-17s %11s %7s  %s\n", "case", "threads", "seconds", "rate", "unit",
           "baseline", "ratio", "note");
}

static void print_line(const bench_row *row)
{
    char baseline[24] = "-", ratio[24] = "-";
    if (!isnan(row->baseline)) {
        snprintf(baseline, sizeof baseline, "%.4g", row->baseline);
        snprintf(ratio, sizeof ratio, "%.3g", row->rate / row->baseline);
    }
    printf("%-24s %7d %11.4g %11.4g %-17s %11s %7s  %s\n", row->name, row->threads, row->seconds,
           row->rate, row->unit, baseline, ratio, row->note);
}

void bench_report(const bench *b, const bench_row *row)
{
    if (b->json) {
        print_json(row);
    } else {
        print_line(row);
    }
    fflush(stdout); /* the next row may take some time */
}

static const flag FLAGS[] = {
    {"--json", NULL, FLAG_SWITCH, offsetof(bench, json), .doc = "one JSON object a line"},
    {"--threads", "N", FLAG_INT, offsetof(bench, threads), .low = 1, .high = THREADS_MAX,
     .doc = "with N threads only; default: one, and one per core"},
    {"--repeat", "N", FLAG_INT, offsetof(bench, repeats), .low = 1, .high = REPEATS_MAX,
     .doc = "the minimum of N measurements (5)"},
    {"--quick", NULL, FLAG_SWITCH, offsetof(bench, quick),
     .doc = "short measurements, for a functional check only"},
    {"--list", NULL, FLAG_SWITCH, offsetof(bench, listed), .doc = "list the benchmarks"},
    {"-o", "DIR", FLAG_TEXT, offsetof(bench, directory),
     .doc = "also write the plots of the groups into this existing directory"},
    {0}};

static int run_bench(const command *self, int count, char **arguments)
{
    bench b = {0};
    if (!command_read(self, count, arguments, &b) || !suite_has(&SUITE, b.wanted)) {
        return EXIT_USAGE;
    }
    if (b.listed) {
        suite_list(&SUITE, stdout);
        return EXIT_DONE;
    }
    b.repeats = b.repeats ? b.repeats : b.quick ? REPEATS_QUICK : REPEATS;
    if (!b.json) {
        print_head();
    }
    int failed = 0;
    for (int k = 0; k < SUITE.count; ++k) {
        failed += suite_run_group(SUITE.groups[k], b.wanted, &b);
    }
    return failed ? EXIT_FAILED : EXIT_DONE;
}

const command command_bench = {
    .name = "bench",
    .operand = "[NAME]",
    .summary = "run benchmarks (see --list); `mote bench calibrate` measures the machine",
    .operand_field = offsetof(bench, wanted),
    .flags = FLAGS,
    .run = run_bench,
};
