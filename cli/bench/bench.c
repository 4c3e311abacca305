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
    "usage: mote bench [NAME] [--json] [--threads N] [--repeat N] [--quick] [--list] [-o DIR]\n"
    "  NAME         a group or a case, as --list shows them; all without it\n"
    "  --json       one JSON object a line\n"
    "  --threads N  with N threads only; otherwise with one and with one for each core\n"
    "  --repeat N   the best of N measurements (5)\n"
    "  --quick      short measurements: to see that it works, not for figures\n"
    "  --list       what there is\n"
    "  -o DIR       also draws the plots of the groups that have some, into this folder, which must be "
    "there\n";

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
    json_t *object = json_pack(
        "{s:s, s:i, s:o, s:o, s:s, s:o, s:o, s:s}", "case", row->name, "threads", row->threads, "seconds",
        real_or_null(row->seconds), "rate", real_or_null(row->rate), "unit", row->unit, "baseline",
        real_or_null(row->baseline), "ratio", real_or_null(row->rate / row->baseline), "note", row->note);
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

static bool *find_flag(bench *b, const char *option)
{
    return strcmp(option, "--json") == 0    ? &b->json
           : strcmp(option, "--quick") == 0 ? &b->quick
           : strcmp(option, "--list") == 0  ? &b->listed
                                            : NULL;
}

static int *find_count(bench *b, const char *option, int *most)
{
    *most = strcmp(option, "--threads") == 0 ? THREADS_MAX : REPEATS_MAX;
    return strcmp(option, "--threads") == 0  ? &b->threads
           : strcmp(option, "--repeat") == 0 ? &b->repeats
                                             : NULL;
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

/* Takes the option (and its value) at arguments[*at]; returns the exit code if it makes no sense, else 0. */
static int read_option(bench *b, int count, char **arguments, int *at)
{
    const char *option = arguments[*at];
    int most, *number = find_count(b, option, &most);
    bool *flag = find_flag(b, option);
    if (flag) {
        *flag = true;
        return 0;
    }
    if (strcmp(option, "-o") == 0) {
        b->directory = ++*at < count ? arguments[*at] : NULL;
        return b->directory ? 0 : complain("a folder must follow", option);
    }
    if (!number) {
        return complain("unknown option", option);
    }
    const char *value = ++*at < count ? arguments[*at] : "";
    if (!read_count(value, most, number)) {
        fprintf(stderr, "mote bench: %s needs a whole number from 1 to %d, not '%s'\n", option, most, value);
        return EXIT_USAGE;
    }
    return 0;
}

/* Returns the exit code if the arguments make no sense, else 0. */
static int read_arguments(bench *b, int count, char **arguments)
{
    for (int k = 0; k < count; ++k) {
        if (arguments[k][0] == '-') {
            int code = read_option(b, count, arguments, &k);
            if (code) {
                return code;
            }
        } else if (b->wanted) {
            return complain("only one name is allowed, and this is the second:", arguments[k]);
        } else {
            b->wanted = arguments[k];
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
