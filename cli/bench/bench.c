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

static const suite SUITE = {"mote bench", GROUPS, sizeof GROUPS / sizeof *GROUPS};

static const char USAGE[] =
    "usage: mote bench [NAME] [--json] [--threads N] [--repeat N] [--quick] [--list]\n"
    "  NAME         a group or a case, as --list shows them; all without it\n"
    "  --json       one JSON object a line\n"
    "  --threads N  with N threads only; otherwise with one and with one for each core\n"
    "  --repeat N   the best of N measurements (5)\n"
    "  --quick      short measurements: to see that it works, not for figures\n"
    "  --list       what there is\n";

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

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void print_json(const bench_row *row)
{
    json_t *object = json_pack("{s:s, s:i, s:o, s:o, s:s, s:o, s:o, s:s}", "case", row->name, "threads",
                               row->threads, "seconds", number(row->seconds), "rate", number(row->rate),
                               "unit", row->unit, "baseline", number(row->baseline), "ratio",
                               number(row->rate / row->baseline), "note", row->note);
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
    printf("%-24s %7d %11.4g %11.4g %-17s %11s %7s  %s\n", row->name, row->threads, row->seconds, row->rate,
           row->unit, baseline, ratio, row->note);
}

void bench_report(const bench *b, const bench_row *row)
{
    if (b->json) {
        print_json(row);
    } else {
        print_line(row);
    }
    fflush(stdout); /* the next row may take a while */
}

static int complain(const char *problem, const char *argument)
{
    fprintf(stderr, "mote bench: %s '%s'\n%s", problem, argument, USAGE);
    return EXIT_USAGE;
}

/* A whole number from 1 to `most`. */
static bool read_count(const char *text, int most, int *count)
{
    char *end;
    long value = strtol(text, &end, 10);
    if (end == text || *end || value < 1 || value > most) {
        return false;
    }
    *count = (int)value;
    return true;
}

/* Takes the option (and its value) at arguments[*at]. */
static bool read_option(bench *b, int count, char **arguments, int *at)
{
    const char *option = arguments[*at];
    const char *value = *at + 1 < count ? arguments[*at + 1] : "";
    if (strcmp(option, "--threads") == 0) {
        ++*at;
        return read_count(value, THREADS_MAX, &b->threads);
    }
    if (strcmp(option, "--repeat") == 0) {
        ++*at;
        return read_count(value, REPEATS_MAX, &b->repeats);
    }
    bool *flag = strcmp(option, "--json") == 0    ? &b->json
                 : strcmp(option, "--quick") == 0 ? &b->quick
                 : strcmp(option, "--list") == 0  ? &b->listed
                                                  : NULL;
    if (flag) {
        *flag = true;
    }
    return flag != NULL;
}

/* Returns the exit code if the arguments make no sense, 0 if they do. */
static int read_arguments(bench *b, int count, char **arguments)
{
    for (int k = 0; k < count; ++k) {
        const char *argument = arguments[k];
        if (argument[0] == '-') {
            if (!read_option(b, count, arguments, &k)) {
                return complain("bad option or value:", argument);
            }
        } else if (b->wanted) {
            return complain("only one name is allowed, and this is the second:", argument);
        } else {
            b->wanted = argument;
        }
    }
    if (!b->repeats) {
        b->repeats = b->quick ? REPEATS_QUICK : REPEATS;
    }
    return suite_knows(&SUITE, b->wanted) ? 0 : EXIT_USAGE;
}

int command_bench(int count, char **arguments)
{
    bench b = {0};
    int code = read_arguments(&b, count, arguments);
    if (code) {
        return code;
    }
    if (b.listed) {
        suite_list(&SUITE, stdout);
        return EXIT_DONE;
    }
    if (!b.json) {
        print_head();
    }
    int failed = 0;
    for (int k = 0; k < SUITE.count; ++k) {
        failed += suite_run_group(SUITE.groups[k], b.wanted, &b);
    }
    return failed ? EXIT_FAILED : EXIT_DONE;
}
