/*
 * Runs a test and measures its CPU seconds, including its children. Budgets and limits are CPU
 * seconds, since wall time depends on the load.
 *
 *   cpu_seconds FILE NAME BUDGET LIMIT COMMAND...   runs COMMAND; appends "NAME seconds BUDGET" to
 *                                                   FILE; no process of the test may use more than
 *                                                   LIMIT CPU seconds (an endless loop)
 *   cpu_seconds FILE                                the table of FILE, most expensive first
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TESTS_MAX = 2000, PER_LINE = 3 };

typedef struct cost {
    char name[80];
    double seconds, budget;
} cost;

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* One write per line, so that concurrent tests do not mix. */
static void append(const char *path, const char *name, double seconds, const char *budget)
{
    char line[160];
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    int length = snprintf(line, sizeof line, "%s %.3f %s\n", name, seconds, budget);
    if (file < 0 || write(file, line, (size_t)length) != length) {
        perror(path);
    }
    close(file);
}

static int run(char **arguments)
{
    rlim_t seconds = (rlim_t)atof(arguments[4]);
    struct rlimit limit = {seconds, seconds + 5};
    struct rusage used;
    int status;
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CPU, &limit);
        execvp(arguments[5], arguments + 5);
        perror(arguments[5]);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child) {
        perror("cpu_seconds");
        return 1;
    }
    double total = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    append(arguments[1], arguments[2], total, arguments[3]);
    printf("%.2f CPU seconds of %s\n", total, arguments[3]);
    if (WIFSIGNALED(status)) {
        printf("ended by signal %d%s\n", WTERMSIG(status),
               WTERMSIG(status) == SIGXCPU ? ": more CPU seconds than its limit, an endless loop?"
                                           : "");
        return 128 + WTERMSIG(status);
    }
    return WEXITSTATUS(status);
}

static int costlier(const void *a, const void *b)
{
    const cost *p = a, *q = b;
    return (p->seconds < q->seconds) - (p->seconds > q->seconds);
}

static int print_table(const char *path)
{
    static cost list[TESTS_MAX];
    int count = 0, over = 0;
    double total = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return 1;
    }
    while (count < TESTS_MAX && fscanf(file, "%79s %lf %lf", list[count].name, &list[count].seconds,
                                       &list[count].budget) == 3) {
        total += list[count++].seconds;
    }
    fclose(file);
    qsort(list, (size_t)count, sizeof *list, costlier);
    printf("CPU seconds of %d tests, %.0f in all:\n", count, total);
    for (int k = 0; k < count; ++k) {
        bool exceeds = list[k].seconds > list[k].budget;
        over += exceeds;
        printf("%-32s %7.2f%c%s", list[k].name, list[k].seconds, exceeds ? '!' : ' ',
               k % PER_LINE == PER_LINE - 1 || k == count - 1 ? "\n" : " ");
    }
    if (over > 0) {
        printf("%d marked ! are over their budget: make them cheaper, or label them long in "
               "tests/CMakeLists.txt\n",
               over);
    }
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 2) {
        return print_table(arguments[1]);
    }
    if (count < 6) {
        fprintf(stderr, "usage: cpu_seconds FILE [NAME BUDGET LIMIT COMMAND...]\n");
        return 2;
    }
    return run(arguments);
}
