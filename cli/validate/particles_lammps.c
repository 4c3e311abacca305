/*
 * Energy drift compared with LAMMPS in the same run: 32,000 atoms with the potential shifted at the
 * cut-off, 1,000 steps of 0.005, from the same positions and velocities, which LAMMPS reads from a
 * file. The drift is the largest relative change of the total energy at steps 200, 300, ... 1,000
 * from step 100 (in the first steps, when half the kinetic energy becomes potential energy, the
 * truncation error dominates).
 */
#include "validate/particles.h"

#include "base/error.h"
#include "peer/peer.h"

#include <math.h>

enum { CELLS = 20, SAMPLES = 10, EVERY = 100 };

static const char INPUT[] =
    "units lj\natom_style atomic\nread_data data.lj\n"
    "pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0 2.5\npair_modify shift yes\n"
    "neighbor 0.3 bin\nneigh_modify delay 0 every 1 check yes\n"
    "fix motion all nve\nthermo 100\nthermo_style custom step etotal\n"
    "thermo_modify norm no format float %.17g\nrun 1000\n";

static double drift_of(const double energy[SAMPLES])
{
    double worst = 0;
    for (int k = 1; k < SAMPLES; ++k) {
        double change = fabs(energy[k] / energy[0] - 1);
        worst = change > worst || isnan(change) ? change : worst;
    }
    return worst;
}

static mote_status write_data(const mote_world *world, const peer_folder *folder, mote_error *error)
{
    const double *x = particles_column(world, "x"), *v = particles_column(world, "v");
    int64_t rows = mote_world_rows(world, 0);
    mote_domain domain = mote_world_domain(world);
    FILE *file = peer_file_create(folder, "data.lj", error);
    if (!file) {
        return MOTE_ERROR_IO;
    }
    fprintf(file, "a melt\n\n%lld atoms\n1 atom types\n\n", (long long)rows);
    for (int k = 0; k < 3; ++k) {
        fprintf(file, "%.17g %.17g %clo %chi\n", domain.low[k], domain.high[k], 'x' + k, 'x' + k);
    }
    fprintf(file, "\nMasses\n\n1 1.0\n\nAtoms # atomic\n\n");
    for (int64_t row = 0; row < rows; ++row) {
        fprintf(file, "%lld 1 %.17g %.17g %.17g\n", (long long)row + 1, x[3 * row], x[3 * row + 1],
                x[3 * row + 2]);
    }
    fprintf(file, "\nVelocities\n\n");
    for (int64_t row = 0; row < rows; ++row) {
        fprintf(file, "%lld %.17g %.17g %.17g\n", (long long)row + 1, v[3 * row], v[3 * row + 1],
                v[3 * row + 2]);
    }
    return peer_file_close(file, "data.lj", error);
}

static mote_status write_input(const peer_folder *folder, mote_error *error)
{
    FILE *file = peer_file_create(folder, "in.lj", error);
    if (!file) {
        return MOTE_ERROR_IO;
    }
    fputs(INPUT, file);
    return peer_file_close(file, "in.lj", error);
}

typedef struct energies {
    int found;
    double energy[SAMPLES];
} energies;

/* Parses the lines "step energy" between the table head and "Loop time". */
static void read_energy(void *context, const char *line)
{
    energies *e = context;
    long long step;
    double value;
    if (e->found < SAMPLES && sscanf(line, "%lld %lf", &step, &value) == 2 &&
        step == EVERY * (e->found + 1)) {
        e->energy[e->found++] = value;
    }
}

static mote_status run_lammps(const mote_world *world, const peer_folder *folder, double *drift,
                              mote_error *error)
{
    static const char COMMAND[] = "env OMP_NUM_THREADS=1 lmp -sf opt -log none -in in.lj";
    energies e = {0};
    MO_TRY(write_data(world, folder, error));
    MO_TRY(write_input(folder, error));
    MO_TRY(peer_run(folder, COMMAND, read_energy, &e, error));
    if (e.found < SAMPLES) {
        return mo_fail(error, MOTE_ERROR_IO, "lmp told %d of %d energies", e.found, SAMPLES);
    }
    *drift = drift_of(e.energy);
    return MOTE_OK;
}

static mote_status compare_with(const mote_world *world, double *drift, mote_error *error)
{
    peer_folder folder;
    MO_TRY(peer_folder_make(&folder, error));
    mote_status status = run_lammps(world, &folder, drift, error);
    peer_folder_remove(&folder);
    return status;
}

static mote_status run_ours(mote_world *world, double *drift, mote_error *error)
{
    double energy[SAMPLES];
    for (int k = 0; k < SAMPLES; ++k) {
        mote_measures m;
        MO_TRY(particles_steps(world, EVERY, error));
        MO_TRY(mote_world_measure(world, &m, error));
        energy[k] = m.kinetic + m.potential;
    }
    *drift = drift_of(energy);
    return MOTE_OK;
}

mote_status particles_drift(void *context, mote_error *error)
{
    mote_world *world;
    double ours = NAN, theirs = NAN;
    if (!peer_is_installed("lmp")) {
        validate_skip(context, "particles/drift", "LAMMPS (the program lmp) is not installed");
        return MOTE_OK;
    }
    MO_TRY(particles_melt(CELLS, true, 0, &world, error));
    mote_status status = compare_with(world, &theirs, error);
    if (status == MOTE_OK) {
        status = run_ours(world, &ours, error);
    }
    if (status == MOTE_OK) { /* at most 1.5 times that of LAMMPS */
        validate_at_most(context, "particles/drift", "drift of the energy, beside lmp's", ours,
                         theirs, 0.5 * theirs);
    }
    mote_world_destroy(world);
    return status;
}
