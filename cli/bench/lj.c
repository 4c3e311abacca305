/*
 * Lennard-Jones melts compared with LAMMPS: the liquid of its benchmark in.lj (fcc at density
 * 0.8442, T = 1.44, cut-off 2.5, time step 0.005; 32,000 and 256,000 atoms), by `mote` with its
 * defaults and by Debian's `lmp -sf opt`, alternating in one run.
 *
 * LAMMPS runs with both rebuild policies: as shipped every 20 steps without a check (which may miss
 * pairs), and with `check yes`, which is exact, as in mote. Its ranks are bound to cores. Its "Loop
 * time" is compared; that of mote is measured likewise, after the first lists and forces. A rate is
 * the best of the repeats; on a busy machine the rates by CPU time in the note are more stable.
 */
#include "base/error.h"
#include "base/timer.h"
#include "bench/bench.h"
#include "bench/case_world.h"
#include "peer/peer.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

static const char SCENE[] =
    "{\"gravity\": [0, 0, 0], \"boltzmann\": 1, \"time\": {\"end\": 1, \"step\": 0.005},"
    " \"integrator\": \"velocity_verlet\","
    " \"domain\": {\"min\": [0, 0, 0], \"max\": [%.17g, %.17g, %.17g]},"
    " \"bodies\": [{\"mesh\": {\"type\": \"lattice\", \"nx\": %d, \"ny\": %d, \"nz\": %d,"
    "                          \"number_density\": 0.8442}, \"temperature\": 1.44, \"seed\": 1}],"
    " \"forces\": [{\"type\": \"lennard_jones\", \"e\": 1, \"sigma\": 1}]}";

static const char INPUT[] =
    "units lj\natom_style atomic\nlattice fcc 0.8442\n"
    "region all block 0 %d 0 %d 0 %d\ncreate_box 1 all\ncreate_atoms 1 box\n"
    "mass 1 1.0\nvelocity all create 1.44 87287 loop geom\n"
    "pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0 2.5\n"
    "neighbor 0.3 bin\nneigh_modify delay 0 every %s\n"
    "fix motion all nve\nrun %d\n";

/* A program and policy, and its best time so far. */
typedef struct contender {
    const char *policy; /* of LAMMPS; NULL: mote */
    double wall, processor;
} contender;

enum { OURS, SHIPPED, CHECKED, CONTENDERS };

typedef struct melt {
    int cells, steps, threads;
    contender contenders[CONTENDERS];
} melt;

static double atoms_of(const melt *m)
{
    return 4.0 * m->cells * m->cells * m->cells;
}

static void note_time(contender *c, double wall, double processor)
{
    c->wall = isnan(c->wall) || wall < c->wall ? wall : c->wall;
    c->processor = isnan(c->processor) || processor < c->processor ? processor : c->processor;
}

/* ---- mote ---- */

static double processor_seconds(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)use.ru_utime.tv_sec + 1e-6 * (double)use.ru_utime.tv_usec +
           (double)use.ru_stime.tv_sec + 1e-6 * (double)use.ru_stime.tv_usec;
}

static mote_status create_world(const melt *m, mote_world **world, mote_error *error)
{
    char text[sizeof SCENE + 200];
    double edge = m->cells * cbrt(4 / 0.8442);
    snprintf(text, sizeof text, SCENE, edge, edge, edge, m->cells, m->cells, m->cells);
    return case_world_create(text, NULL, m->threads, world, error);
}

static mote_status run_ours(melt *m, mote_error *error)
{
    mote_world *world;
    MO_TRY(create_world(m, &world, error));
    mote_status status = mote_world_step(world, NULL, error); /* the first lists and forces */
    double wall = mo_clock(), processor = processor_seconds();
    for (int k = 0; k < m->steps && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, error);
    }
    note_time(&m->contenders[OURS], mo_clock() - wall, processor_seconds() - processor);
    mote_world_destroy(world);
    return status;
}

/* ---- LAMMPS ---- */

static mote_status write_input(const melt *m, const char *policy, const peer_folder *folder,
                               mote_error *error)
{
    FILE *file = peer_file_create(folder, "in.lj", error);
    if (!file) {
        return MOTE_ERROR_IO;
    }
    fprintf(file, INPUT, m->cells, m->cells, m->cells, policy, m->steps);
    return peer_file_close(file, "in.lj", error);
}

typedef struct loop_time {
    double wall, share; /* wall time, and share of CPU */
} loop_time;

/* "Loop time of 1.5 on 1 procs for 100 steps with 32000 atoms" and "99.5% CPU use with ..." */
static void read_loop_time(void *context, const char *line)
{
    loop_time *t = context;
    double value;
    if (sscanf(line, "Loop time of %lf", &value) == 1) {
        t->wall = value;
    }
    if (strstr(line, "% CPU use") && sscanf(line, "%lf%%", &value) == 1) {
        t->share = 0.01 * value;
    }
}

static mote_status run_lammps(const melt *m, contender *c, const peer_folder *folder,
                              mote_error *error)
{
    char launcher[64] = "taskset -c 0", command[256];
    loop_time t = {NAN, NAN};
    if (m->threads > 1) {
        snprintf(launcher, sizeof launcher, "mpirun --bind-to core -np %d", m->threads);
    }
    snprintf(command, sizeof command,
             "env OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
             "%s lmp -sf opt -log none -in in.lj",
             launcher);
    MO_TRY(write_input(m, c->policy, folder, error));
    MO_TRY(peer_run(folder, command, read_loop_time, &t, error));
    if (isnan(t.wall)) {
        return mo_fail(error, MOTE_ERROR_IO, "lmp printed no loop time");
    }
    note_time(c, t.wall, t.wall * t.share * m->threads);
    return MOTE_OK;
}

/* Alternating, so that all run under the same load. */
static mote_status run_all(const bench *b, melt *m, bool compare, const peer_folder *folder,
                           mote_error *error)
{
    for (int repeat = 0; repeat < b->repeats; ++repeat) {
        MO_TRY(run_ours(m, error));
        for (int k = SHIPPED; compare && k < CONTENDERS; ++k) {
            MO_TRY(run_lammps(m, &m->contenders[k], folder, error));
        }
    }
    return MOTE_OK;
}

static void report(const bench *b, const melt *m, int against, const char *name, bool compare)
{
    const contender *ours = &m->contenders[OURS], *theirs = &m->contenders[against];
    double work = atoms_of(m) * m->steps;
    bench_row row = {.name = name,
                     .threads = m->threads,
                     .seconds = ours->wall / m->steps,
                     .rate = work / ours->wall,
                     .unit = "atom-steps/s",
                     .baseline = work / theirs->wall};
    if (compare) {
        snprintf(row.note, sizeof row.note,
                 "lmp -sf opt, %s; wanted: %.1f; by processor time %.3g and %.3g: ratio %.2f",
                 theirs->policy, against == SHIPPED ? 1.3 : 1.8, work / ours->processor,
                 work / theirs->processor, theirs->processor / ours->processor);
    } else {
        snprintf(row.note, sizeof row.note, "lmp is not installed%s; by processor time %.3g",
                 m->threads > 1 ? ", or mpirun is not" : "", work / ours->processor);
    }
    bench_report(b, &row);
}

static mote_status run_melt(const bench *b, int cells, int steps, const char *const names[2],
                            mote_error *error)
{
    peer_folder folder;
    int threads[BENCH_THREAD_COUNTS_MAX], count = bench_thread_counts(b, threads);
    MO_TRY(peer_folder_make(&folder, error));
    mote_status status = MOTE_OK;
    for (int k = 0; k < count && status == MOTE_OK; ++k) {
        melt m = {cells,
                  b->quick ? steps / 2 : steps,
                  threads[k],
                  {{NULL, NAN, NAN}, {"20 check no", NAN, NAN}, {"1 check yes", NAN, NAN}}};
        bool compare =
            peer_is_installed("lmp") && peer_is_installed(threads[k] > 1 ? "mpirun" : "taskset");
        status = run_all(b, &m, compare, &folder, error);
        for (int against = SHIPPED;
             against < CONTENDERS && status == MOTE_OK && (compare || against == SHIPPED);
             ++against) {
            report(b, &m, against, names[against - SHIPPED], compare);
        }
    }
    peer_folder_remove(&folder);
    return status;
}

static mote_status run_small(void *context, mote_error *error)
{
    static const char *const NAMES[] = {"lj/32000", "lj/32000/checked"};
    return run_melt(context, 20, 200, NAMES, error);
}

static mote_status run_large(void *context, mote_error *error)
{
    static const char *const NAMES[] = {"lj/256000", "lj/256000/checked"};
    return run_melt(context, 40, 100, NAMES, error);
}

static const suite_case CASES[] = {
    {"lj/32000", "A Lennard-Jones melt of 32,000 atoms, compared with LAMMPS.", run_small},
    {"lj/256000", "The same with 256,000 atoms.", run_large},
    {0}};

const suite_group bench_lj = {"lj", "Lennard-Jones melts, compared with LAMMPS.", CASES};
