/*
 * Lists of the scene whose entries columns refer to by number, as the systems name them
 * (mo_name_table of host/system.h). A snapshot keeps the names of their entries, so that a number
 * means the same entry after a restore.
 */
#ifndef MO_WORLD_NAME_TABLES_H
#define MO_WORLD_NAME_TABLES_H

#include "world/world.h"

/* The tables of a world; returns how many there are, at most `max`. */
int mo_world_name_tables(const mote_world *world, mo_name_table *tables, int max);

#endif
