#include "world/name_tables.h"

int mo_world_name_tables(const mote_world *world, mo_name_table *tables, int max)
{
    int count = 0;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        mo_name_table own[MO_NAME_TABLES_MAX];
        int own_count = s->type->name_tables ? s->type->name_tables(s, own) : 0;
        for (int n = 0; n < own_count && count < max; ++n) {
            tables[count++] = own[n];
        }
    }
    return count;
}
