/* The uniform grid over the box of all primitives: a slot for every cell, and no hash. Cells grow
 * where there would be more than a few per primitive, so a primitive far away makes it coarse. */
#include "geometry/subdivide/cells.h"

#include <math.h>

extern const mo_subdivision_type mo_subdivision_uniform_grid;

typedef struct parameters {
    double cell;
} parameters;

static const mo_param PARAMS[] = {{"cell", MO_REAL, MO_FIELD(parameters, cell), .initial = "1.5",
                                   .range = "[0.05, 64]",
                                   .doc = "Cell size, in mean extents of the primitives' boxes."},
                                  {0}};

enum { CELLS_PER_PRIMITIVE = 8 };

/* Beyond the grid is nothing to be found: the outermost cells stand for it. */
static int64_t slot_in_grid(const mo_box_cells *c, const int64_t cell[3])
{
    int64_t slot = 0;
    for (int k = 0; k < 3; ++k) {
        int64_t i = cell[k] < 0 ? 0 : cell[k] < c->dims[k] ? cell[k] : c->dims[k] - 1;
        slot = slot * c->dims[k] + i;
    }
    return slot;
}

static void uniform_grid_release(void *instance, mo_memory *memory)
{
    mo_box_cells_release(instance, memory);
}

static mote_status uniform_grid_build(void *instance, const void *params, const mo_subdivided *over,
                                      mo_memory *memory, mo_pool *pool, mote_error *error)
{
    static const parameters DEFAULTS = {1.5};
    const parameters *p = params ? params : &DEFAULTS;
    mo_box_cells *c = instance;
    double most = CELLS_PER_PRIMITIVE * (double)over->set.count + 64, size = p->cell * over->size;
    (void)pool;
    size = size > 0 ? size : 1;
    c->origin = mo_vec3_load(over->all.low);
    for (double cells = INFINITY; cells > most; size *= cells > most ? 1.25 : 1) {
        cells = 1;
        for (int k = 0; k < 3; ++k) {
            double n =
                over->set.count > 0 ? floor((over->all.high[k] - over->all.low[k]) / size) + 1 : 1;
            c->dims[k] = n < most ? (int64_t)n : (int64_t)most;
            cells *= n;
        }
        c->inverse = 1 / size;
    }
    c->slots = c->dims[0] * c->dims[1] * c->dims[2];
    c->slot = slot_in_grid;
    return mo_box_cells_fill(c, over, memory, error);
}

static void uniform_grid_near(const void *instance, const mo_box *box, mo_overlapping_fn *found,
                              void *context)
{
    mo_box_cells_near(instance, box, found, context);
}

const mo_subdivision_type mo_subdivision_uniform_grid = {
    .base = {.name = "uniform_grid",
             .summary = "Uniform grid over the box of all primitives: the least work per cell, "
                        "memory for every cell.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .size = sizeof(mo_box_cells),
    .release = uniform_grid_release,
    .build = uniform_grid_build,
    .near = uniform_grid_near,
};
