/*
 * Lists of the scene whose entries are referred to by index in columns (mo_name_table of
 * host/system.h). Snapshots contain the names of the entries, so that indices are verified on
 * restore.
 */
#ifndef MO_WORLD_NAME_TABLES_H
#define MO_WORLD_NAME_TABLES_H

#include "world/world.h"

/* The tables of a world; returns their number, at most `max`. */
int mo_world_name_tables(const mote_world *world, mo_name_table *tables, int max);

#endif
