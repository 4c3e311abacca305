#include "system/forces/thermal.h"

#include "math/random.h"

enum { STREAM = 7 }; /* a stream separate from those of meshes */

static mo_vec3 draw(uint64_t seed, uint64_t id)
{
    double xy[2], z[2];
    mo_random_normal(seed, STREAM, id, 0, xy);
    mo_random_normal(seed, STREAM, id, 1, z);
    return mo_vec3_make(xy[0], xy[1], z[0]);
}

typedef struct gas {
    const double *mass, *inverse_mass;
    const int64_t *id;
    int64_t first_id;
    double unit; /* kB T */
    uint64_t seed;
} gas;

/* The random velocity of a row; zero if fixed. */
static mo_vec3 drawn(const gas *g, int64_t row)
{
    bool fixed = g->inverse_mass[row] == 0;
    return fixed ? mo_vec3_make(0, 0, 0)
                 : mo_scale(sqrt(g->unit * g->inverse_mass[row]),
                            draw(g->seed, (uint64_t)(g->id[row] - g->first_id)));
}

void mo_thermal_fill(mo_system *system, const mo_body_def *body, double boltzmann, int64_t first,
                     int64_t count)
{
    const mo_particle_columns *c = &system->columns;
    const mo_forces_body_def *own = mo_forces_body_of(body);
    gas g = {mo_f64(c->mass),  mo_f64(c->inverse_mass),      mo_i64(c->id),
             system->first_id, boltzmann * own->temperature, (uint64_t)own->seed};
    double mass = 0, twice_kinetic = 0;
    int64_t moving = 0;
    mo_vec3 momentum = {0, 0, 0};
    for (int64_t row = first; row < first + count; ++row) {
        bool fixed = g.inverse_mass[row] == 0;
        mass += fixed ? 0 : g.mass[row];
        moving += !fixed;
        momentum = mo_add_scaled(momentum, g.mass[row], drawn(&g, row));
    }
    mo_vec3 drift = moving > 1 ? mo_scale(1 / mass, momentum) : mo_vec3_make(0, 0, 0);
    for (int64_t row = first; row < first + count; ++row) {
        mo_vec3 v = mo_sub(drawn(&g, row), drift);
        twice_kinetic += g.inverse_mass[row] == 0 ? 0 : g.mass[row] * mo_dot(v, v);
    }
    double wanted = 3 * (double)(moving - 1) * g.unit;
    double scale = moving > 1 && twice_kinetic > 0 ? sqrt(wanted / twice_kinetic) : 1;
    for (int64_t row = first; row < first + count; ++row) {
        double *v = mo_f64(c->v) + 3 * row;
        if (g.inverse_mass[row] != 0) {
            mo_vec3_store(v, mo_add_scaled(mo_vec3_load(v), scale, mo_sub(drawn(&g, row), drift)));
        }
    }
}
