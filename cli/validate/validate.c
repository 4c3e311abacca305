#include "validate/validate.h"

#include "commands.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define VALIDATE_CASE(name) extern const suite_group validate_##name;
#include "validate/cases.def"
#undef VALIDATE_CASE

static const suite_group *const GROUPS[] = {
#define VALIDATE_CASE(name) &validate_##name,
#include "validate/cases.def"
#undef VALIDATE_CASE
};

static const suite SUITE = {"mote: validate", GROUPS, sizeof GROUPS / sizeof *GROUPS};

typedef struct check {
    const char *name, *quantity;
    double value, reference, error, allowed;
    bool pass;
} check;

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static void print_json(const check *c)
{
    json_t *object =
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "case", c->name, "quantity", c->quantity,
                  "value", real_or_null(c->value), "reference", real_or_null(c->reference), "error",
                  real_or_null(c->error), "allowed", real_or_null(c->allowed), "pass",
                  isinf(c->allowed) ? json_null() : json_boolean(c->pass));
    json_dumpf(object, stdout, JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(object);
}

static void print_head(void)
{
    printf("%-34s %-43s %14s %14s %10s %10s  %s\n", "case", "quantity", "value", "reference",
           "error", "allowed", "pass");
}

static void print_line(const check *c)
{
    printf("%-34s %-43s %14.8g %14.8g %10.2e %10.2e  %s\n", c->name, c->quantity, c->value,
           c->reference, c->error, c->allowed,
           isinf(c->allowed) ? "(shown)"
           : c->pass         ? "yes"
                             : "NO");
}

/* A field of a CSV file: quoted, quotes doubled. */
static void write_text(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text; ++text) {
        if (*text == '"') {
            putc('"', file);
        }
        putc(*text, file);
    }
    putc('"', file);
}

static void write_csv(FILE *file, const check *c)
{
    write_text(file, c->name);
    putc(',', file);
    write_text(file, c->quantity);
    fprintf(file, ",%.17g,%.17g,%.17g,%.17g,%s\n", c->value, c->reference, c->error, c->allowed,
            isinf(c->allowed) ? "shown"
            : c->pass         ? "true"
                              : "false");
}

/* NaN errors fail. Without a limit the error is reported and not judged. */
static void judge(validation *v, const char *name, const char *quantity, double value,
                  double reference, double error, double allowed)
{
    check c = {name, quantity, value, reference, error, allowed, error <= allowed};
    v->failures += c.pass ? 0 : 1;
    if (v->json) {
        print_json(&c);
    } else {
        print_line(&c);
    }
    if (v->csv) {
        write_csv(v->csv, &c);
    }
    fflush(stdout);
}

void validate_relative(validation *v, const char *name, const char *quantity, double value,
                       double reference, double allowed)
{
    judge(v, name, quantity, value, reference, fabs(value - reference) / fabs(reference), allowed);
}

void validate_absolute(validation *v, const char *name, const char *quantity, double value,
                       double reference, double allowed)
{
    judge(v, name, quantity, value, reference, fabs(value - reference), allowed);
}

void validate_at_least(validation *v, const char *name, const char *quantity, double value,
                       double reference, double allowed)
{
    /* not fmax, which would ignore NaN */
    double shortfall = value >= reference ? 0 : reference - value;
    judge(v, name, quantity, value, reference, shortfall, allowed);
}

void validate_at_most(validation *v, const char *name, const char *quantity, double value,
                      double reference, double allowed)
{
    double excess = value <= reference ? 0 : value - reference;
    judge(v, name, quantity, value, reference, excess, allowed);
}

void validate_skip(validation *v, const char *name, const char *reason)
{
    if (v->json) {
        json_t *object = json_pack("{s:s, s:s}", "case", name, "skipped", reason);
        json_dumpf(object, stdout, JSON_PRESERVE_ORDER);
        putchar('\n');
        json_decref(object);
    } else {
        printf("%-34s skipped: %s\n", name, reason);
    }
    if (v->csv) {
        write_text(v->csv, name);
        fprintf(v->csv, ",\"skipped: %s\",,,,,\n", reason);
    }
    fflush(stdout);
}

static bool open_csv(validation *v, const char *group)
{
    char path[4096];
    if (!v->directory) {
        return true;
    }
    snprintf(path, sizeof path, "%s/%s.csv", v->directory, group);
    if (mkdir(v->directory, 0777) == 0 || errno == EEXIST) {
        v->csv = fopen(path, "w");
    }
    if (!v->csv) {
        complain("validate: %s cannot be written: %s", path, strerror(errno));
        return false;
    }
    fprintf(v->csv, "case,quantity,value,reference,error,allowed,pass\n");
    return true;
}

static bool close_csv(validation *v, const char *group)
{
    FILE *file = v->csv;
    v->csv = NULL;
    if (!file) {
        return true;
    }
    bool whole = !ferror(file);
    whole = fclose(file) == 0 && whole;
    if (!whole) {
        complain("validate: %s/%s.csv could not be written completely", v->directory, group);
    }
    return whole;
}

static bool run_group(validation *v, const suite_group *group)
{
    if (!open_csv(v, group->name)) {
        return false;
    }
    int broken = suite_run_group(group, v->wanted, v);
    bool written = close_csv(v, group->name);
    return written && broken == 0;
}

static const flag FLAGS[] = {
    {"--json", NULL, FLAG_SWITCH, offsetof(validation, json), .doc = "one JSON object a line"},
    {"-o", "DIR", FLAG_TEXT, offsetof(validation, directory),
     .doc = "also writes DIR/<group>.csv, and the plots of the groups that have some"},
    {"--list", NULL, FLAG_SWITCH, offsetof(validation, listed), .doc = "list the cases"},
    {0}};

static int run_validate(const command *self, int count, char **arguments)
{
    validation v = {0};
    if (!command_read(self, count, arguments, &v) || !suite_has(&SUITE, v.wanted)) {
        return EXIT_USAGE;
    }
    if (v.listed) {
        suite_list(&SUITE, stdout);
        return EXIT_DONE;
    }
    if (!v.json) {
        print_head();
    }
    bool ran = true;
    for (int k = 0; k < SUITE.count; ++k) {
        if (suite_selects_case(SUITE.groups[k], v.wanted)) {
            ran = run_group(&v, SUITE.groups[k]) && ran;
        }
    }
    return ran && v.failures == 0 ? EXIT_DONE : EXIT_FAILED;
}

const command command_validate = {
    .name = "validate",
    .operand = "[NAME]",
    .summary = "compare with closed forms and published data (see --list)",
    .operand_field = offsetof(validation, wanted),
    .flags = FLAGS,
    .run = run_validate,
};
