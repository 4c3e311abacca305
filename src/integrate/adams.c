/*
 * Predictor:  y_p = y_n + h sum_j ab[p][j] y'_{n-j},               j = 0 ... p-1
 * Corrector:  y+  = y_n + h (am[p][0] y'(y_p) + sum_j am[p][j+1] y'_{n-j}), j = 0 ... p-2; as often as asked
 * for and y' is evaluated once more at the end. E. Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary
 * Differential Equations I", 2nd ed. 1993, III.1, eqs. (1.5') and (1.8').
 *
 * The past lies in rings that turn with the number of the step. A row uses the order that its age allows.
 * Where nothing is remembered at all, `rk4` takes Runge-Kutta steps until enough is; `backward` makes the
 * past up, v_{-j} = v - j h a, x_{-j} = x - j h v + (j h)^2/2 a, which limits the order to 3.
 */
#include "integrate/adams.h"

#include "integrate/classic_rk4.h"

#include <string.h>

enum { ORDER_MAX = 5, PREDICTED_X = MO_AUX, PREDICTED_V, SUM_X, SUM_V, RINGS };

const mo_param mo_adams_params[] = {
    {"corrections", MO_INT, MO_FIELD(mo_adams, corrections), .initial = "1", .range = "[0, 10]",
     .doc = "How often to correct; 0 is the Adams-Bashforth method alone."},
    {"start", MO_STRING, MO_FIELD(mo_adams, start), .initial = "\"rk4\"", .choices = "rk4|backward",
     .doc = "How to come by the first past values: Runge-Kutta steps, or a backward extrapolation of order 3 "
            "at most."},
    {0}};

#define WORK                                                                                                 \
    {"abm_x", MOTE_F64, 0, MO_DERIVED, "m", "predicted position"},                                           \
        {"abm_v", MOTE_F64, 0, MO_DERIVED, "m/s", "predicted velocity"},                                     \
        {"abm_sum_x", MOTE_F64, 0, MO_DERIVED, "m/s", "for the start"},                                      \
    {                                                                                                        \
        "abm_sum_v", MOTE_F64, 0, MO_DERIVED, "m/s^2", "for the start"                                       \
    }
#define PAST_V(name)                                                                                         \
    {                                                                                                        \
        name, MOTE_F64, 0, MO_STATE, "m/s", "a velocity of the past"                                         \
    }
#define PAST_A(name)                                                                                         \
    {                                                                                                        \
        name, MOTE_F64, 0, MO_STATE, "m/s^2", "an acceleration of the past"                                  \
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

typedef struct pass {
    const uint8_t *age;
    int order;
    int64_t step;
    double h;
    int back;  /* make_past: which one */
    bool made; /* the past was made up: the oldest rows have all of it */
    int oldest;
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

static int order_of(const pass *p, const mo_segment *s, int64_t k)
{
    int age = p->age[k / s->components];
    int known = p->made && age == p->oldest ? p->order : 1 + age;
    return known < p->order ? known : p->order;
}

static void remember_v(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    memcpy(s->slot[past_v(p, 0)] + first, s->slot[MO_V] + first, (size_t)(last - first) * sizeof(double));
}

static void predict(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    const double *v[ORDER_MAX], *a[ORDER_MAX];
    for (int j = 0; j < p->order; ++j) {
        v[j] = s->slot[past_v(p, j)];
        a[j] = s->slot[past_a(p, j)];
    }
    for (int64_t k = first; k < last; ++k) {
        int order = order_of(p, s, k);
        double dx = 0, dv = 0;
        for (int j = 0; j < order; ++j) {
            dx += BASHFORTH[order][j] * v[j][k];
            dv += BASHFORTH[order][j] * a[j][k];
        }
        s->slot[PREDICTED_X][k] = s->slot[MO_X][k] + p->h * dx;
        s->slot[PREDICTED_V][k] = s->slot[MO_V][k] + p->h * dv;
    }
}

/* From the predicted y' (its v in PREDICTED_V, its a in MO_A) to a better prediction. */
static void correct(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    const double *v[ORDER_MAX], *a[ORDER_MAX];
    for (int j = 0; j + 1 < p->order; ++j) {
        v[j] = s->slot[past_v(p, j)];
        a[j] = s->slot[past_a(p, j)];
    }
    for (int64_t k = first; k < last; ++k) {
        int order = order_of(p, s, k);
        const double *weight = MOULTON[order];
        double dx = weight[0] * s->slot[PREDICTED_V][k], dv = weight[0] * s->slot[MO_A][k];
        for (int j = 0; j + 1 < order; ++j) {
            dx += weight[j + 1] * v[j][k];
            dv += weight[j + 1] * a[j][k];
        }
        s->slot[PREDICTED_X][k] = s->slot[MO_X][k] + p->h * dx;
        s->slot[PREDICTED_V][k] = s->slot[MO_V][k] + p->h * dv;
    }
}

static void accept(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    (void)context;
    size_t bytes = (size_t)(last - first) * sizeof(double);
    memcpy(s->slot[MO_X] + first, s->slot[PREDICTED_X] + first, bytes);
    memcpy(s->slot[MO_V] + first, s->slot[PREDICTED_V] + first, bytes);
}

/* Where things were `back` steps ago, as far as x, v and a tell. */
static void make_past(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    double t = p->back * p->h;
    const double *a = s->slot[past_a(p, 0)];
    for (int64_t k = first; k < last; ++k) {
        double v = s->slot[MO_V][k] - t * a[k];
        s->slot[PREDICTED_X][k] = s->slot[MO_X][k] - t * (s->slot[MO_V][k] - 0.5 * t * a[k]);
        s->slot[PREDICTED_V][k] = v;
        s->slot[past_v(p, p->back)][k] = v;
    }
}

static void make_up_the_past(mo_dynamics *dynamics, pass *p)
{
    for (p->back = 1; p->back < p->order; ++p->back) {
        mo_for_state_with(dynamics, p, make_past);
        mo_accelerate(dynamics, dynamics->time - p->back * p->h, PREDICTED_X, PREDICTED_V,
                      past_a(p, p->back));
    }
    p->made = true;
}

/* One Runge-Kutta step that leaves v and a of its start in the rings. */
static void start_step(mo_dynamics *dynamics, const pass *p)
{
    mo_for_state_with(dynamics, p, remember_v);
    mo_classic_rk4(dynamics, dynamics->time, p->h, PREDICTED_X, past_a(p, 0));
}

/* Contacts and step controls look for the acceleration in MO_A. */
static void show_acceleration(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    memcpy(s->slot[MO_A] + first, s->slot[past_a(context, 0)] + first,
           (size_t)(last - first) * sizeof(double));
}

/* Rows that something moved take the acceleration in MO_A; the others keep theirs and do not notice. */
static void recall_rows(const mo_segment *s, const void *context, int64_t first, int64_t last)
{
    const pass *p = context;
    for (int64_t k = first; k < last; ++k) {
        if (p->age[k / s->components] == 0) {
            s->slot[past_a(p, 0)][k] = s->slot[MO_A][k];
        }
    }
}

/* The acceleration now is known from the end of the last step, except after Runge-Kutta steps (`started`), and for rows
   that something moved. */
static void recall_acceleration(mo_dynamics *dynamics, const pass *p, bool started)
{
    if (started || dynamics->oldest == 0) {
        mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, past_a(p, 0));
    } else if (dynamics->disturbed) {
        mo_accelerate(dynamics, dynamics->time, MO_X, MO_V, MO_A);
        mo_for_state_with(dynamics, p, recall_rows);
    }
}

void mo_adams_step(mo_dynamics *dynamics, const mo_adams *params, int order, double h)
{
    pass p = {dynamics->age, order, dynamics->step, h, 0, false, dynamics->oldest};
    bool backward = params->start[0] == 'b';
    if (!backward && dynamics->oldest < order - 1) {
        start_step(dynamics, &p);
        return;
    }
    mo_for_state_with(dynamics, &p, remember_v);
    recall_acceleration(dynamics, &p, !backward && dynamics->oldest == order - 1);
    if (backward && dynamics->oldest < order) {
        /* made up once; until the rings are full of real values every row counts as having them all */
        if (dynamics->oldest == 0) {
            make_up_the_past(dynamics, &p);
        }
        p.made = true;
    }
    mo_for_state_with(dynamics, &p, predict);
    for (int64_t k = 0; k < params->corrections; ++k) {
        mo_accelerate(dynamics, dynamics->time + h, PREDICTED_X, PREDICTED_V, MO_A);
        mo_for_state_with(dynamics, &p, correct);
    }
    mo_for_state_with(dynamics, &p, accept);
    pass next = p;
    next.step++;
    mo_accelerate(dynamics, dynamics->time + h, MO_X, MO_V, past_a(&next, 0));
    mo_for_state_with(dynamics, &next, show_acceleration);
}
