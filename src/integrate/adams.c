/*
 * Predictor: y_p = y_n + h sum_j ab[p][j] y'_{n-j}, j = 0 ... p-1 Corrector: y+ = y_n + h (am[p][0]
 * y'(y_p) + sum_j am[p][j+1] y'_{n-j}), j = 0 ... p-2; repeated `corrections` times, and y' is
 * evaluated once more at the end. E. Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary
 * Differential Equations I", 2nd ed. 1993, III.1, eqs. (1.5') and (1.8').
 *
 * y'_n is in MO_V and MO_A when a step begins; the predictor stores it in ring buffers indexed by
 * the step. A row of age n has n + 1 of the y', enough for a predictor of order n + 1 and, with the
 * predicted one, for a corrector of order n + 2. The latter determines the order, since the
 * predictor's error enters times h: the first step of a row with invalid history is Heun's, with an
 * error of third order. (Without corrections it is Euler's, with an error of second order.)
 *
 * Starting values: `rk4` takes Runge-Kutta steps until the history is complete; `backward`
 * extrapolates the past linearly, x_{-j} = x - j h v, v_{-j} = v - j h a, and evaluates a_{-j}
 * there (M. Teschner, Simulation in Computer Graphics, predictor-corrector example). The error of
 * y'_{-j} is e j^2 h^2, e constant, which changes y by h^3 e sum_i c_i (1 + ... + i^2), c_i the
 * weight of y'_{n-i}; from order 4 on this sum is the integral of an odd cubic and vanishes. So
 * `abm3` keeps third order, `abm4` and `abm5` fourth order.
 */
#include "integrate/adams.h"

#include "integrate/classic_rk4.h"
#include "integrate/combine.h"

#include <string.h>

enum { ORDER_MAX = 5, PREDICTED_X = MO_AUX, PREDICTED_V, SUM_X, SUM_V, RINGS };

const mo_param mo_adams_params[] = {
    {"corrections", MO_INT, MO_FIELD(mo_adams, corrections), .initial = "1", .range = "[0, 10]",
     .doc = "Number of corrector iterations; 0 is the explicit Adams-Bashforth method."},
    {"start", MO_STRING, MO_FIELD(mo_adams, start), .initial = "\"rk4\"", .choices = "rk4|backward",
     .doc =
         "Computation of the starting values: Runge-Kutta steps, or the linear extrapolation x - j h v, "
         "v - j h a, which leaves order 4 at most."},
    {0}};

#define WORK \
    {"abm_x", MOTE_F64, 0, MO_DERIVED, "m", "predicted position"}, \
        {"abm_v", MOTE_F64, 0, MO_DERIVED, "m/s", "predicted velocity"}, \
        {"abm_sum_x", MOTE_F64, 0, MO_STATE, "m/s", "for the start"}, \
    { \
        "abm_sum_v", MOTE_F64, 0, MO_DERIVED, "m/s^2", "for the start" \
    }
#define PAST_V(name) \
    { \
        name, MOTE_F64, 0, MO_STATE, "m/s", "a past velocity" \
    }
#define PAST_A(name) \
    { \
        name, MOTE_F64, 0, MO_STATE, "m/s^2", "a past acceleration" \
    }

const mo_column_spec mo_adams_columns_2[] = {
    WORK, PAST_V("abm_v0"), PAST_V("abm_v1"), PAST_A("abm_a0"), PAST_A("abm_a1"), {0}};
const mo_column_spec mo_adams_columns_3[] = {WORK,
                                             PAST_V("abm_v0"),
                                             PAST_V("abm_v1"),
                                             PAST_V("abm_v2"),
                                             PAST_A("abm_a0"),
                                             PAST_A("abm_a1"),
                                             PAST_A("abm_a2"),
                                             {0}};
const mo_column_spec mo_adams_columns_4[] = {WORK,
                                             PAST_V("abm_v0"),
                                             PAST_V("abm_v1"),
                                             PAST_V("abm_v2"),
                                             PAST_V("abm_v3"),
                                             PAST_A("abm_a0"),
                                             PAST_A("abm_a1"),
                                             PAST_A("abm_a2"),
                                             PAST_A("abm_a3"),
                                             {0}};
const mo_column_spec mo_adams_columns_5[] = {WORK,
                                             PAST_V("abm_v0"),
                                             PAST_V("abm_v1"),
                                             PAST_V("abm_v2"),
                                             PAST_V("abm_v3"),
                                             PAST_V("abm_v4"),
                                             PAST_A("abm_a0"),
                                             PAST_A("abm_a1"),
                                             PAST_A("abm_a2"),
                                             PAST_A("abm_a3"),
                                             PAST_A("abm_a4"),
                                             {0}};

/* By order: newest first. Order 1 is Euler forward and backward. */
static const double BASHFORTH[ORDER_MAX + 1][ORDER_MAX] = {
    {0},
    {1},
    {3.0 / 2, -1.0 / 2},
    {23.0 / 12, -16.0 / 12, 5.0 / 12},
    {55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24},
    {1901.0 / 720, -2774.0 / 720, 2616.0 / 720, -1274.0 / 720, 251.0 / 720}};
static const double MOULTON[ORDER_MAX + 1][ORDER_MAX] = {
    {0},
    {1},
    {1.0 / 2, 1.0 / 2},
    {5.0 / 12, 8.0 / 12, -1.0 / 12},
    {9.0 / 24, 19.0 / 24, -5.0 / 24, 1.0 / 24},
    {251.0 / 720, 646.0 / 720, -264.0 / 720, 106.0 / 720, -19.0 / 720}};

/* By order and corrections, from the eigenvalues of a step of x'' = -x; `mote validate
 * integrators/stability` finds those of 0, 1 and 2 corrections. Below the limit the method damps;
 * 0: it grows at any small step. */
enum { CORRECTIONS_MAX = 10 };
static const double STABLE_LIMIT[ORDER_MAX + 1][CORRECTIONS_MAX + 1] = {
    [2] = {0, 1.287, 1.691, 0, 0, 1.572, 1.847, 0, 0, 1.679, 1.898},
    [3] = {0.7236},
    [4] = {0.4300},
    [5] = {0, 0.2587, 0.8089, 1.167, 1.334, 1.183, 1.163, 1.214, 1.224, 1.211, 1.210}};

double mo_adams_stable_limit(const mo_adams *params, int order)
{
    return STABLE_LIMIT[order][params->corrections];
}

/* The same for x'' = -x', by bisection: without corrections, with one, and the smallest of those
 * with more. */
static const double DAMPED_LIMIT[ORDER_MAX + 1][3] = {[2] = {0.99, 1.99, 1.47},
                                                      [3] = {0.54, 1.72, 1.27},
                                                      [4] = {0.29, 1.28, 1.05},
                                                      [5] = {0.16, 0.94, 0.85}};

double mo_adams_damped_limit(const mo_adams *params, int order)
{
    return DAMPED_LIMIT[order][params->corrections < 2 ? params->corrections : 2];
}

typedef struct pass {
    const uint8_t *age;
    int order;
    int64_t step;
    double h;
    int back;   /* make_past: number of steps back */
    bool made;  /* extrapolated history may still be in the ring buffers: see made_at */
    bool final; /* predict, correct: the last evaluation of the step */
} pass;

/* The slots of y' j steps ago. */
static int past_v(const pass *p, int j)
{
    return RINGS + (int)((p->step - j + 2 * p->order) % p->order);
}

static int past_a(const pass *p, int j)
{
    return past_v(p, j) + p->order;
}

/* The step in which the row's history was extrapolated. The sums are for Runge-Kutta steps, which
 * the start `backward` does not need. */
static double *made_at(const mo_segment *s, int64_t row)
{
    return s->slot[SUM_X] + row * s->components;
}

/* Number of valid y' of a row: all, if its history was extrapolated and is still valid. */
static int known_of(const pass *p, const mo_segment *s, int64_t row)
{
    int age = p->age[row];
    return p->made && (double)(p->step - age) == *made_at(s, row) ? p->order : 1 + age;
}

/* Whether all rows have that many. */
static bool all_have(const pass *p, int count, int64_t first, int64_t last)
{
    uint8_t youngest = UINT8_MAX;
    for (int64_t row = first; row < last; ++row) {
        youngest = p->age[row] < youngest ? p->age[row] : youngest;
    }
    return 1 + youngest >= count;
}

/* One of the two sums of a step: to = from + h sum of the terms. */
typedef struct sum {
    double *to;
    const double *from, *term[ORDER_MAX];
} sum;

/* `weight` by order, of as many terms; `more`: excess of a row's order over its history. */
typedef struct formula {
    const double (*weight)[ORDER_MAX];
    int more;
} formula;

static const formula PREDICTOR = {BASHFORTH, 0}, CORRECTOR = {MOULTON, 1};

/* Row by row, each with its own order; the same bits as mo_combine. */
static void combine_rows(const pass *p, const formula *f, const sum *u, const mo_segment *s,
                         int64_t first, int64_t last)
{
    for (int64_t row = first; row < last; ++row) {
        int most = known_of(p, s, row) + f->more, order = most < p->order ? most : p->order;
        const double *weight = f->weight[order];
        for (int64_t k = row * s->components; k < (row + 1) * s->components; ++k) {
            double total = weight[0] * u->term[0][k];
            for (int j = 1; j < order; ++j) {
                total += weight[j] * u->term[j][k];
            }
            u->to[k] = u->from[k] + p->h * total;
        }
    }
}

/* First x, whose terms may alias the new v; complete rows from `first` to `last`. */
static void apply(const pass *p, const formula *f, const sum *x, const sum *v, const mo_segment *s,
                  int64_t first, int64_t last)
{
    int64_t row = first / s->components, end = last / s->components;
    if (all_have(p, p->order - f->more, row, end)) {
        mo_combine(x->to, x->from, p->h, p->order, f->weight[p->order], x->term, first, last);
        mo_combine(v->to, v->from, p->h, p->order, f->weight[p->order], v->term, first, last);
    } else {
        combine_rows(p, f, x, s, row, end);
        combine_rows(p, f, v, s, row, end);
    }
}

/* A block that fits the cache, of complete rows. */
static int64_t piece_end(const mo_segment *s, int64_t start, int64_t last)
{
    int64_t size = (int64_t)MO_COMBINE_PIECE / s->components * s->components;
    return last - start < size ? last : start + size;
}

static void predict(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    double *now_v = s->slot[past_v(p, 0)], *now_a = s->slot[past_a(p, 0)];
    sum x = {s->slot[p->final ? MO_X : PREDICTED_X], s->slot[MO_X], {s->slot[MO_V]}};
    sum v = {s->slot[p->final ? MO_V : PREDICTED_V], s->slot[MO_V], {s->slot[MO_A]}};
    for (int j = 1; j < p->order; ++j) {
        x.term[j] = s->slot[past_v(p, j)];
        v.term[j] = s->slot[past_a(p, j)];
    }
    for (int64_t start = first, end; start < last; start = end) {
        end = piece_end(s, start, last);
        size_t bytes = (size_t)(end - start) * sizeof(double);
        memcpy(now_v + start, s->slot[MO_V] + start, bytes);
        memcpy(now_a + start, s->slot[MO_A] + start, bytes);
        apply(p, &PREDICTOR, &x, &v, s, start, end);
    }
}

/* From the predicted y' (v in PREDICTED_V, a in MO_A) to a corrected prediction, or to the end. */
static void correct(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    sum x = {s->slot[p->final ? MO_X : PREDICTED_X], s->slot[MO_X], {s->slot[PREDICTED_V]}};
    sum v = {s->slot[p->final ? MO_V : PREDICTED_V], s->slot[past_v(p, 0)], {s->slot[MO_A]}};
    for (int j = 1; j < p->order; ++j) {
        x.term[j] = s->slot[past_v(p, j - 1)];
        v.term[j] = s->slot[past_a(p, j - 1)];
    }
    for (int64_t start = first, end; start < last; start = end) {
        end = piece_end(s, start, last);
        apply(p, &CORRECTOR, &x, &v, s, start, end);
    }
}

/* Extrapolates x and v linearly to `back` steps ago. */
static void make_past(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    double t = p->back * p->h;
    const double *a = s->slot[MO_A];
    for (int64_t k = first; k < last; ++k) {
        double v = s->slot[MO_V][k] - t * a[k];
        s->slot[PREDICTED_X][k] = s->slot[MO_X][k] - t * s->slot[MO_V][k];
        s->slot[PREDICTED_V][k] = v;
        s->slot[past_v(p, p->back)][k] = v;
    }
    for (int64_t row = first / s->components; row < last / s->components; ++row) {
        *made_at(s, row) = (double)p->step;
    }
}

static void make_up_the_past(mo_dynamics *dynamics, pass *p)
{
    for (p->back = 1; p->back < p->order; ++p->back) {
        mo_for_state_with(dynamics, p, make_past);
        mo_accelerate(dynamics, dynamics->time - p->back * p->h, PREDICTED_X, PREDICTED_V,
                      past_a(p, p->back));
    }
}

static void remember_v(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    memcpy(s->slot[past_v(p, 0)] + first, s->slot[MO_V] + first,
           (size_t)(last - first) * sizeof(double));
}

/* One Runge-Kutta step that stores v and a of its start in the ring buffers. */
static void start_step(mo_dynamics *dynamics, const pass *p)
{
    mo_for_state_with(dynamics, p, remember_v);
    mo_classic_rk4(dynamics, dynamics->time, p->h, PREDICTED_X, past_a(p, 0));
}

/* Rows with invalid history take the new acceleration; the others are unchanged. */
static void recall_rows(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    for (int64_t k = first; k < last; ++k) {
        if (p->age[k / s->components] == 0) {
            s->slot[MO_A][k] = s->slot[past_a(p, 0)][k];
        }
    }
}

/* The current acceleration is known from the end of the last step, except after Runge-Kutta steps
 * (`started`), and for rows with invalid history. */
static void recall_acceleration(mo_dynamics *dynamics, const pass *p, bool started)
{
    if (started || dynamics->oldest == 0) {
        mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, MO_A);
    } else if (dynamics->disturbed) {
        mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, past_a(p, 0));
        mo_for_state_with(dynamics, p, recall_rows);
    }
}

void mo_adams_step(mo_dynamics *dynamics, const mo_adams *params, int order, double h)
{
    pass p = {.age = dynamics->age, .order = order, .step = dynamics->step, .h = h};
    bool backward = params->start[0] == 'b';
    if (!backward && dynamics->oldest < order - 1) {
        start_step(dynamics, &p);
        return;
    }
    recall_acceleration(dynamics, &p, !backward && dynamics->oldest == order - 1);
    if (backward && dynamics->oldest == 0) {
        make_up_the_past(dynamics, &p);
    }
    /* extrapolated once; until the ring buffers are full of computed values these rows use the
     * extrapolated ones */
    p.made = backward && dynamics->oldest < order;
    p.final = params->corrections == 0;
    mo_for_state_with(dynamics, &p, predict);
    for (int64_t k = 0; k < params->corrections; ++k) {
        p.final = k + 1 == params->corrections;
        mo_accelerate(dynamics, dynamics->time + h, PREDICTED_X, PREDICTED_V, MO_A);
        mo_for_state_with(dynamics, &p, correct);
    }
    mo_accelerate(dynamics, dynamics->time + h, MO_X, MO_V, MO_A);
}
