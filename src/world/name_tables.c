#include "world/name_tables.h"

static const char *species_name(const void *species, int64_t k)
{
    return ((const mo_species_def *)species)[k].name;
}

static const char *phase_name(const void *phases, int64_t k)
{
    return ((const mo_phase_def *)phases)[k].name;
}

int mo_world_name_tables(const mote_world *world, mo_name_table *tables, int max)
{
    const mo_list *species = &world->def.species, *phases = &world->def.fluid.phases;
    const mo_name_table all[] = {{"species", species->count, species_name, species->items},
                                 {"fluid.phases", phases->count, phase_name, phases->items}};
    int count = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all && count < max; ++k) {
        tables[count++] = all[k];
    }
    return count;
}

int mo_world_index_columns(const mote_world *world, mo_index_column *columns, int max)
{
    const mo_world_def *def = &world->def;
    const mo_index_column all[] = {{"species", "species", def->species.count},
                                   {"phase", "fluid.phases", def->fluid.phases.count},
                                   {"nozzle", "fluid.emitters", def->fluid.emitters.count + 1}};
    int count = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all && count < max; ++k) {
        columns[count++] = all[k];
    }
    return count;
}
