#include "system/forces/pair_columns.h"

static const mo_column_spec NEIGHBORS = {
    "neighbors", MOTE_I32, 1, MO_DERIVED, "1", "particles within the range of the pair potentials"};
static const mo_column_spec ENERGY = {
    "energy", MOTE_F64, 1, MO_DERIVED, "J", "kinetic energy and half of the pair energies"};

/* The largest range of the pair potentials; negative: there is none, 0: all pairs. */
static double potential_range(const mo_forces *forces)
{
    double range = -1;
    for (int k = 0; k < forces->force_count; ++k) {
        const mo_force *force = &forces->forces[k];
        range = force->type->row_energy ? fmax(range, force->range) : range;
    }
    return range;
}

mote_status mo_pair_columns_declare(const mo_forces *forces, mote_error *error)
{
    mo_column *column;
    double range = potential_range(forces);
    if (range > 0) {
        MO_TRY(mo_store_declare(forces->system->store, &NEIGHBORS, &column, error));
    }
    return range >= 0 ? mo_store_declare(forces->system->store, &ENERGY, &column, error) : MOTE_OK;
}

typedef struct deriving {
    const mo_forces *forces;
    mo_force_args args;
    double range;
    int32_t *neighbors; /* NULL: not declared */
    double *energy;
} deriving;

static int32_t count_neighbors(const mo_pairs *pairs, double range, int64_t row)
{
    const double *x = pairs->x + 3 * row;
    const int32_t *near = pairs->index + pairs->start[row];
    int32_t count = 0;
    for (int32_t k = 0; k < pairs->count[row]; ++k) {
        const double *y = pairs->x + 3 * (int64_t)near[k];
        double dx = y[0] - x[0], dy = y[1] - x[1], dz = y[2] - x[2];
        count += dx * dx + dy * dy + dz * dz <= range * range;
    }
    return count;
}

static double energy_of_row(const deriving *d, int64_t row)
{
    const double *v = d->args.v + 3 * row;
    double sum = 0.5 * d->args.mass[row] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < d->forces->force_count; ++k) {
        const mo_force *force = &d->forces->forces[k];
        sum += force->type->row_energy
                   ? force->type->energy(force->instance, &d->args, row, row + 1)
                   : 0;
    }
    return sum;
}

static void derive_range(void *context, int64_t first, int64_t last)
{
    const deriving *d = context;
    for (int64_t row = first; row < last; ++row) {
        if (d->neighbors) {
            d->neighbors[row] = count_neighbors(d->args.pairs, d->range, row);
        }
        d->energy[row] = energy_of_row(d, row);
    }
}

void mo_pair_columns_derive(mo_forces *forces, double time)
{
    const mo_system *system = forces->system;
    const mo_column *neighbors = mo_store_find(system->store, "neighbors");
    const mo_column *energy = mo_store_find(system->store, "energy");
    deriving d = {.forces = forces, .range = potential_range(forces)};
    mote_error error;
    if (!energy || d.range < 0) {
        return;
    }
    d.args = mo_forces_now(forces, time);
    d.neighbors = neighbors ? neighbors->data : NULL;
    d.energy = mo_f64(energy);
    if (mo_forces_prepare(forces, &d.args, MO_FOR_ENERGY, &error) == MOTE_OK) {
        mo_parallel_for(system->host->pool, mo_store_owned(system->store), MO_FORCE_GRAIN,
                        derive_range, &d);
    }
}
