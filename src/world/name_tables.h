/*
 * Lists of the scene whose entries columns refer to by number. A snapshot keeps the names of their
 * entries, so that a number means the same entry after a restore.
 */
#ifndef MO_WORLD_NAME_TABLES_H
#define MO_WORLD_NAME_TABLES_H

#include "world/world.h"

typedef struct mo_name_table {
    const char *path; /* of the list in the scene; lives as long as the program */
    int64_t count;
    const char *(*name)(const void *context, int64_t k); /* of entry k; NULL: it has none */
    const void *context;
} mo_name_table;

enum { MO_NAME_TABLES_MAX = 16 };

/* The tables of a world, each path once; returns how many there are, at most `max`. */
int mo_world_name_tables(const mote_world *world, mo_name_table *tables, int max);

/* A column of 32-bit numbers of entries of such a list, in any system: 0 to count - 1. The list
   need not have names. */
typedef struct mo_index_column {
    const char *name, *path;
    int64_t count;
} mo_index_column;

enum { MO_INDEX_COLUMNS_MAX = 16 };

int mo_world_index_columns(const mote_world *world, mo_index_column *columns, int max);

#endif
