/* The list of terms and their order; see term.h. */
#include "fluid/term/term.h"

#include "fluid/sph/response.h"

#include <math.h>
#include <string.h>

enum { GRAIN = 4096 };

static const mo_term_type *type_of(const mo_instance *term)
{
    return (const mo_term_type *)term->method.type;
}

/* ---- the list ---- */

mote_status mo_terms_add(mo_fluid *f, const char *name, mo_method term, mote_error *error)
{
    mo_terms *t = &f->terms;
    const mo_term_type *type = (const mo_term_type *)term.type;
    MO_TRY(mo_reserve(f->memory, &t->list, &t->capacity, t->count + 1, sizeof *t->list, error));
    return mo_instance_create(&t->list[t->count++], f, name, term, &type->hooks, error);
}

void mo_terms_release(mo_fluid *f)
{
    mo_terms *t = &f->terms;
    for (int k = 0; k < t->count; ++k) {
        mo_instance_destroy(&t->list[k], f);
    }
    mo_release(f->memory, t->list);
    mo_release(f->memory, t->map);
    *t = (mo_terms){0};
}

/* ---- a step ---- */

typedef struct kick {
    double *v, *a, h;
    mo_vec3 gravity; /* initial value of a, or already applied */
} kick;

static void start_range(void *context, int64_t first, int64_t last)
{
    const kick *c = context;
    for (int64_t row = first; row < last; ++row) {
        mo_vec3_store(c->a + 3 * row, c->gravity);
    }
}

static void kick_range(void *context, int64_t first, int64_t last)
{
    const kick *c = context;
    const double g[3] = {c->gravity.x, c->gravity.y, c->gravity.z};
    for (int64_t row = first; row < last; ++row) {
        for (int axis = 0; axis < 3; ++axis) {
            c->v[3 * row + axis] += c->h * (c->a[3 * row + axis] - g[axis]);
        }
    }
}

/* partial: the power of all accelerations so far */
static void power_range(void *context, int64_t first, int64_t last, double *partial)
{
    const mo_fluid *f = context;
    const double *m = mo_f64(f->columns.mass), *v = mo_f64(f->columns.v), *a = mo_f64(f->columns.a);
    *partial = 0;
    for (int64_t row = first; row < last; ++row) {
        *partial += m[row] * mo_dot(mo_vec3_load(v + 3 * row), mo_vec3_load(a + 3 * row));
    }
}

mote_status mo_terms_accelerate(mo_fluid *f, double time, double h, mote_error *error)
{
    kick c = {.a = mo_f64(f->columns.a), .gravity = mo_fluid_gravity(f, time)};
    double before, after;
    f->terms.time = time;
    mo_parallel_for(f->pool, f->rows, GRAIN, start_range, &c);
    MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, power_range, f, &before, error));
    for (int k = 0; k < f->terms.count; ++k) {
        mo_instance *term = &f->terms.list[k];
        if (type_of(term)->accelerate) {
            MO_TRY(type_of(term)->accelerate(term, f, h, error));
            MO_TRY(mo_parallel_reduce(f->pool, f->rows, GRAIN, MO_SUM, 1, power_range, f, &after,
                                      error));
            term->taken = h * (before - after);
            before = after;
        }
    }
    return MOTE_OK;
}

double mo_terms_taken(const mo_fluid *f, const char *name)
{
    double sum = 0;
    for (int k = 0; k < f->terms.count; ++k) {
        sum += strcmp(f->terms.list[k].name, name) == 0 ? f->terms.list[k].taken : 0;
    }
    return sum;
}

static mote_status solve_terms(mo_fluid *f, double h, mote_error *error)
{
    for (int k = 0; k < f->terms.count; ++k) {
        mo_instance *term = &f->terms.list[k];
        if (type_of(term)->solve) {
            mo_fluid_pack_velocities(f);
            MO_TRY(type_of(term)->solve(term, f, h, error));
        }
    }
    return MOTE_OK;
}

mote_status mo_terms_apply(mo_fluid *f, double time, double h, bool falling, mote_error *error)
{
    MO_TRY(mo_terms_accelerate(f, time, h, error));
    kick c = {mo_f64(f->columns.v), mo_f64(f->columns.a), h, mo_fluid_gravity(f, time)};
    if (falling) {
        mo_parallel_for(f->pool, f->rows, GRAIN, kick_range, &c);
    } else {
        mo_fluid_kick(f, h);
        mo_response_accelerate(f, h);
    }
    return solve_terms(f, h, error);
}

mote_status mo_terms_advance(mo_fluid *f, double h, mote_error *error)
{
    for (int k = 0; k < f->terms.count; ++k) {
        mo_instance *term = &f->terms.list[k];
        if (type_of(term)->advance) {
            MO_TRY(type_of(term)->advance(term, f, h, error));
        }
    }
    return MOTE_OK;
}

/* ---- limits and energy ---- */

mote_status mo_terms_find_limits(mo_fluid *f, mote_error *error)
{
    bool limited = false;
    int64_t rows = mo_store_owned(f->store);
    for (int k = 0; k < f->terms.count; ++k) {
        limited = limited || type_of(&f->terms.list[k])->limit;
    }
    if (!limited || rows == 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_fluid_update(f, 0, error));
    MO_TRY(mo_terms_accelerate(f, 0, 1, error));
    memset(f->columns.a->data, 0, (size_t)rows * f->columns.a->row_bytes);
    return MOTE_OK;
}

double mo_terms_limit(const mo_fluid *f, const char **name)
{
    double least = INFINITY;
    *name = "";
    for (int k = 0; k < f->terms.count; ++k) {
        const mo_instance *term = &f->terms.list[k];
        double limit = type_of(term)->limit ? type_of(term)->limit(term, f) : INFINITY;
        if (limit < least) {
            least = limit;
            *name = term->name;
        }
    }
    return least;
}

mote_status mo_terms_energy(mo_fluid *f, double *energy, mote_error *error)
{
    *energy = 0;
    for (int k = 0; k < f->terms.count; ++k) {
        const mo_instance *term = &f->terms.list[k];
        double own = 0;
        if (type_of(term)->energy) {
            MO_TRY(type_of(term)->energy(term, f, &own, error));
        }
        *energy += own;
    }
    return MOTE_OK;
}

bool mo_terms_energy_updates(const mo_fluid *f)
{
    bool updates = false;
    for (int k = 0; k < f->terms.count; ++k) {
        updates = updates || type_of(&f->terms.list[k])->updates;
    }
    return updates;
}

/* ---- rows that move ---- */

mote_status mo_terms_map(mo_fluid *f, int64_t rows, int64_t **map, mote_error *error)
{
    mo_terms *t = &f->terms;
    bool wanted = false;
    for (int k = 0; k < t->count; ++k) {
        wanted = wanted || type_of(&t->list[k])->remap;
    }
    *map = NULL;
    if (wanted) {
        MO_TRY(mo_reserve(f->memory, &t->map, &t->map_capacity, rows, sizeof *t->map, error));
        *map = t->map;
    }
    return MOTE_OK;
}

void mo_terms_remap(mo_fluid *f, const int64_t *map)
{
    for (int k = 0; map && k < f->terms.count; ++k) {
        mo_instance *term = &f->terms.list[k];
        if (type_of(term)->remap) {
            type_of(term)->remap(term, f, map);
        }
    }
}
