#include "bench/suite.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

bool suite_selects(const char *wanted, const char *name)
{
    if (!wanted) {
        return true;
    }
    size_t length = strlen(wanted);
    return strncmp(wanted, name, length) == 0 && (name[length] == '\0' || name[length] == '/');
}

static bool selects_case(const suite_group *group, const suite_case *c, const char *wanted)
{
    size_t length = strlen(c->name);
    bool open = c->name[length - 1] == '/';
    return suite_selects(wanted, c->name) || strcmp(wanted, group->name) == 0 ||
           (open && strncmp(wanted, c->name, length) == 0);
}

bool suite_selects_case(const suite_group *group, const char *wanted)
{
    for (const suite_case *c = group->cases; c->name; ++c) {
        if (selects_case(group, c, wanted)) {
            return true;
        }
    }
    return false;
}

void suite_list(const suite *s, FILE *file)
{
    for (int k = 0; k < s->count; ++k) {
        fprintf(file, "%s: %s\n", s->groups[k]->name, s->groups[k]->doc);
        for (const suite_case *c = s->groups[k]->cases; c->name; ++c) {
            fprintf(file, "  %-24s %s\n", c->name, c->doc);
        }
    }
}

static int name_count(const suite *s)
{
    int count = 0;
    for (int k = 0; k < s->count; ++k) {
        ++count;
        for (const suite_case *c = s->groups[k]->cases; c->name; ++c) {
            ++count;
        }
    }
    return count;
}

/* The name of a group or a case nearest to `wanted`; NULL if none is near. */
static const char *nearest_name(const suite *s, const char *wanted)
{
    const char **names = calloc((size_t)name_count(s), sizeof *names);
    int count = 0;
    if (!names) {
        return NULL;
    }
    for (int k = 0; k < s->count; ++k) {
        names[count++] = s->groups[k]->name;
        for (const suite_case *c = s->groups[k]->cases; c->name; ++c) {
            names[count++] = c->name;
        }
    }
    const char *nearest = mo_nearest(wanted, names, count);
    free(names);
    return nearest;
}

bool suite_has(const suite *s, const char *wanted)
{
    for (int k = 0; k < s->count; ++k) {
        if (suite_selects_case(s->groups[k], wanted)) {
            return true;
        }
    }
    const char *nearest = nearest_name(s, wanted);
    fprintf(stderr, "%s: there is no '%s'", s->command, wanted);
    if (nearest) {
        fprintf(stderr, "; did you mean '%s'? see --list\n", nearest);
    } else {
        fprintf(stderr, "\nKnown are:\n");
        suite_list(s, stderr);
    }
    return false;
}

int suite_run_group(const suite_group *group, const char *wanted, void *context)
{
    int failed = 0;
    for (const suite_case *c = group->cases; c->name; ++c) {
        mote_error error = {.status = MOTE_OK};
        if (selects_case(group, c, wanted) && c->run(context, &error) != MOTE_OK) {
            fflush(stdout);
            fprintf(stderr, "%s: %s\n", c->name, error.text);
            ++failed;
        }
    }
    return failed;
}
