#include "bench/team.h"

#include "base/error.h"
#include "base/timer.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct member;

typedef struct team {
    const team_job *job;
    struct member *members;
    int count, repeats;
    double best;
    bool cancelled;       /* not all members could be started: the others must not wait */
    pthread_mutex_t gate; /* locked until all members are started */
    pthread_barrier_t together;
} team;

typedef struct member {
    pthread_t thread;
    team *team;
    int index;
    double start, end; /* of the current round */
} member;

int team_cores(void)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        return CPU_COUNT(&allowed);
    }
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (int)cores : 1;
}

/* Pins the calling thread to the index-th available core, modulo their number. A failure only
 * costs precision. */
static void pin(int index)
{
    cpu_set_t allowed, one;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return;
    }
    int left = index % CPU_COUNT(&allowed);
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &allowed) && left-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(core, &one);
            pthread_setaffinity_np(pthread_self(), sizeof one, &one);
            return;
        }
    }
}

/* From the first start to the last end, so that late members count. */
static double round_seconds(const team *t)
{
    double start = INFINITY, end = 0;
    for (int k = 0; k < t->count; ++k) {
        start = fmin(start, t->members[k].start);
        end = fmax(end, t->members[k].end);
    }
    return end - start;
}

static void *member_main(void *argument)
{
    member *m = argument;
    team *t = m->team;
    pthread_mutex_lock(&t->gate);
    pthread_mutex_unlock(&t->gate);
    if (t->cancelled) {
        return NULL;
    }
    pin(m->index);
    t->job->prepare(t->job->context, m->index);
    for (int k = 0; k < t->repeats; ++k) {
        pthread_barrier_wait(&t->together);
        m->start = mo_clock();
        t->job->work(t->job->context, m->index);
        m->end = mo_clock();
        pthread_barrier_wait(&t->together);
        /* no member begins the next round before all have reached the barrier */
        if (m->index == 0) {
            t->best = fmin(t->best, round_seconds(t));
        }
    }
    return NULL;
}

/* Starts the members behind the gate, opens it, and waits for them; 0 or the error of thread
 * creation. */
static int run_members(team *t)
{
    member *members = t->members;
    int started = 0, failure = 0;
    pthread_mutex_lock(&t->gate);
    while (started < t->count && !failure) {
        members[started] = (member){.team = t, .index = started};
        failure = pthread_create(&members[started].thread, NULL, member_main, &members[started]);
        started += failure ? 0 : 1;
    }
    t->cancelled = failure != 0;
    pthread_mutex_unlock(&t->gate);
    for (int k = 0; k < started; ++k) {
        pthread_join(members[k].thread, NULL);
    }
    return failure;
}

mote_status team_best_seconds(int members, int repeats, const team_job *job, double *seconds,
                              mote_error *error)
{
    member *list = calloc((size_t)members, sizeof *list);
    if (!list) {
        return mo_fail_memory(error, (size_t)members * sizeof *list);
    }
    team t = {.job = job, .members = list, .count = members, .repeats = repeats, .best = INFINITY};
    pthread_mutex_init(&t.gate, NULL);
    pthread_barrier_init(&t.together, NULL, (unsigned)members);
    int failure = run_members(&t);
    pthread_barrier_destroy(&t.together);
    pthread_mutex_destroy(&t.gate);
    free(list);
    *seconds = t.best;
    return failure ? mo_fail(error, MOTE_ERROR_MEMORY, "a thread could not be started: %s",
                             strerror(failure))
                   : MOTE_OK;
}
