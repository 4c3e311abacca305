/*
 * The file of golden hashes: one line per hash, "name steps hash where". `where` is "any" for
 * portable hashes, else processor, C library and instruction set of the recording; a case may then
 * have several lines.
 */
#ifndef TEST_GOLDEN_RECORDS_H
#define TEST_GOLDEN_RECORDS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOLDEN_NAME = 96, GOLDEN_WHERE = 128, GOLDEN_MAX = 4096 };

typedef struct golden_record {
    char name[GOLDEN_NAME], where[GOLDEN_WHERE];
    int steps;
    uint64_t hash;
    bool seen; /* the case was run */
} golden_record;

typedef struct golden_records {
    int count;
    golden_record list[GOLDEN_MAX];
} golden_records;

static inline bool golden_read(golden_records *records, const char *path)
{
    char line[512];
    FILE *file = fopen(path, "r");
    if (!file) {
        return false;
    }
    while (fgets(line, sizeof line, file) && records->count < GOLDEN_MAX) {
        golden_record *r = &records->list[records->count];
        records->count += line[0] != '#' && sscanf(line, "%95s %d %" SCNx64 " %127[^\n]", r->name,
                                                   &r->steps, &r->hash, r->where) == 4;
    }
    fclose(file);
    return true;
}

/* The record of a case; `where` NULL: of any machine. NULL if there is none. */
static inline golden_record *golden_find(golden_records *records, const char *name, int steps,
                                         const char *where)
{
    for (int k = 0; k < records->count; ++k) {
        golden_record *r = &records->list[k];
        if (strcmp(r->name, name) == 0 && r->steps == steps &&
            (!where || strcmp(r->where, where) == 0)) {
            return r;
        }
    }
    return NULL;
}

static inline void golden_mark(golden_records *records, const char *name, int steps)
{
    for (int k = 0; k < records->count; ++k) {
        golden_record *r = &records->list[k];
        r->seen = r->seen || (strcmp(r->name, name) == 0 && r->steps == steps);
    }
}

/* The smallest recorded number of steps above `above` of a case, or a default. */
static inline int golden_steps(const golden_records *records, const char *name, int above,
                               int otherwise)
{
    int least = 0;
    for (int k = 0; k < records->count; ++k) {
        const golden_record *r = &records->list[k];
        if (strcmp(r->name, name) == 0 && r->steps > above && (!least || r->steps < least)) {
            least = r->steps;
        }
    }
    return least ? least : otherwise;
}

/* Records a hash. If it replaces another one, those of other machines are outdated and removed. */
static inline void golden_store(golden_records *records, golden_record record, const char *name,
                                const char *where)
{
    int kept = 0;
    bool replaces =
        golden_find(records, name, record.steps, where) != NULL || strcmp(where, "any") == 0;
    for (int k = 0; k < records->count; ++k) {
        const golden_record *r = &records->list[k];
        if (!replaces || strcmp(r->name, name) != 0 || r->steps != record.steps) {
            records->list[kept++] = *r;
        }
    }
    records->count = kept;
    snprintf(record.name, sizeof record.name, "%s", name);
    snprintf(record.where, sizeof record.where, "%s", where);
    if (records->count < GOLDEN_MAX) {
        records->list[records->count++] = record;
    }
}

static inline int golden_compare(const void *a, const void *b)
{
    const golden_record *p = a, *q = b;
    int order = strcmp(p->name, q->name);
    order = order ? order : (p->steps > q->steps) - (p->steps < q->steps);
    return order ? order : strcmp(p->where, q->where);
}

static inline bool golden_write(golden_records *records, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        return false;
    }
    qsort(records->list, (size_t)records->count, sizeof *records->list, golden_compare);
    fprintf(
        file,
        "# Golden state hashes: name, steps, hash, where it holds. `make golden` compares, `make "
        "golden WRITE=1` "
        "records.\n");
    for (int k = 0; k < records->count; ++k) {
        const golden_record *r = &records->list[k];
        fprintf(file, "%s %d %016" PRIx64 " %s\n", r->name, r->steps, r->hash, r->where);
    }
    return fclose(file) == 0;
}

#endif
