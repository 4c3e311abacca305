/*
 * Memory per particle: the slope of the peak memory of a run from 97,336 to a million particles,
 * with velocity Verlet. Each size runs in a separate process, whose peak is reported by the system.
 *
 *   memory/free       particles without interactions
 *   memory/pairs      Lennard-Jones in free space; the neighbour lists (16 to 24 neighbours) are
 *                     reported separately
 *   memory/periodic   the same in a periodic box, with wrapped positions and images
 *
 * The rate is particles per byte; the baseline is the target of 1/256.
 */
#include "base/error.h"
#include "bench/bench.h"
#include "bench/case_world.h"
#include "system/forces/state.h"
#include "world/world.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMALL = 46, LARGE = 100, STEPS = 3, BYTES_WANTED = 256 };

typedef struct use {
    double peak, lists; /* bytes */
} use;

static const char SCENE[] =
    "{\"time\": {\"end\": 1, \"step\": 0.001}, \"integrator\": \"velocity_verlet\", %s"
    " \"bodies\": [{\"mesh\": {\"type\": \"lattice\", \"kind\": \"sc\", \"nx\": %d, \"ny\": %d, \"nz\": %d,"
    "                          \"spacing\": 1}}]%s}";
static const char FORCES[] =
    ", \"forces\": [{\"type\": \"lennard_jones\", \"e\": 1, \"r0\": 1, \"r_b\": 1.45}]";

static mote_status create_world(int side, bool pairs, bool periodic, mote_world **world,
                                mote_error *error)
{
    char text[1024], domain[128] = "";
    if (periodic) {
        snprintf(domain, sizeof domain, "\"domain\": {\"min\": [0, 0, 0], \"max\": [%d, %d, %d]},",
                 side, side, side);
    }
    snprintf(text, sizeof text, SCENE, domain, side, side, side, pairs ? FORCES : "");
    return case_world_create(text, NULL, 1, world, error);
}

/* The memory of the lists: indices in use and list starts. */
static double bytes_of_lists(const mote_world *world)
{
    const mo_forces *forces = world->systems[0].state;
    const mo_search *search = forces->source.search;
    const mo_lists *lists = search ? mo_search_lists(search, 0, 0) : NULL;
    return lists ? 4.0 * (double)lists->start[lists->rows] + 12.0 * (double)lists->rows : 0;
}

static mote_status run_world(int side, bool pairs, bool periodic, use *out, mote_error *error)
{
    mote_world *world;
    struct rusage usage;
    MO_TRY(create_world(side, pairs, periodic, &world, error));
    mote_status status = MOTE_OK;
    for (int k = 0; k < STEPS && status == MOTE_OK; ++k) {
        status = mote_world_step(world, NULL, error);
    }
    getrusage(RUSAGE_SELF, &usage);
    *out = (use){1024.0 * (double)usage.ru_maxrss, bytes_of_lists(world)};
    mote_world_destroy(world);
    return status;
}

/* The same in a separate process. */
static mote_status measure(int side, bool pairs, bool periodic, use *out, mote_error *error)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return mo_fail(error, MOTE_ERROR_IO, "no pipe to a process");
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        mote_error problem = {0};
        use found = {NAN, NAN};
        bool good = run_world(side, pairs, periodic, &found, &problem) == MOTE_OK &&
                    write(ends[1], &found, sizeof found) == sizeof found;
        _exit(good ? 0 : 1);
    }
    close(ends[1]);
    bool got = child > 0 && read(ends[0], out, sizeof *out) == sizeof *out;
    close(ends[0]);
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
    return got ? MOTE_OK
               : mo_fail(error, MOTE_ERROR_MEMORY, "the process that was to be measured failed");
}

static mote_status run_case(const bench *b, const char *name, bool pairs, bool periodic,
                            mote_error *error)
{
    use small, large;
    MO_TRY(measure(SMALL, pairs, periodic, &small, error));
    MO_TRY(measure(LARGE, pairs, periodic, &large, error));
    double particles = pow(LARGE, 3) - pow(SMALL, 3);
    double all = (large.peak - small.peak) / particles,
           lists = (large.lists - small.lists) / particles;
    bench_row row = {.name = name,
                     .threads = 1,
                     .seconds = NAN,
                     .rate = 1 / (all - lists),
                     .unit = "particles/byte",
                     .baseline = 1.0 / BYTES_WANTED};
    snprintf(row.note, sizeof row.note,
             "%.1f bytes a particle, of which %.1f are lists: %.1f beside them", all, lists,
             all - lists);
    bench_report(b, &row);
    return MOTE_OK;
}

static mote_status run_free(void *context, mote_error *error)
{
    return run_case(context, "memory/free", false, false, error);
}

static mote_status run_pairs(void *context, mote_error *error)
{
    return run_case(context, "memory/pairs", true, false, error);
}

static mote_status run_periodic(void *context, mote_error *error)
{
    return run_case(context, "memory/periodic", true, true, error);
}

static const suite_case CASES[] = {
    {"memory/free", "Bytes per particle without pair forces.", run_free},
    {"memory/pairs", "Bytes per particle with Lennard-Jones forces, without neighbour lists.",
     run_pairs},
    {"memory/periodic", "The same in a periodic box.", run_periodic},
    {0}};

const suite_group bench_memory = {"memory", "Memory per particle.", CASES};
