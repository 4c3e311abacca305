/* Warnings about a fluid scene before the start. */
#include "fluid/kernel/lattice.h"
#include "math/portable.h"
#include "system/fluid/fluid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Relative density above which a lattice has initial overpressure: at 1.1 a quiescent tank of 0.3 m
 * reached 0.1 m/s with dfsph, at 1.3 1 m/s with wcsph. */
#define SAFE_DENSITY 1.1

/* Below this ratio quiescent fluid gains spurious kinetic energy: a still tank had 8,000 times
 * the energy at 0.36 (wendland_c2 and poly6), 10 to 100 times at 0.44 and 0.49 (cubic and
 * poly6), 0.5 to 10 times from 0.41 to 0.64 with others. */
#define RATIO_MIN 0.4

/* Relative error of the discretised opening that is warned about. */

typedef struct advice {
    const mo_fluid_system *fluid;
    const mo_world_def *world;
    mo_warner warner;
} advice;

/* ---- kernels ---- */

static void warn_about_support(const advice *a)
{
    const mo_fluid *f = &a->fluid->fluid;
    double scale = f->def->mass_scale, support = f->support / f->spacing;
    double density = scale * mo_lattice_density(&f->kernel, f->dimension, 1 / support),
           enough = support;
    if (!(density > SAFE_DENSITY)) {
        return;
    }
    while (enough < 6 &&
           scale * mo_lattice_density(&f->kernel, f->dimension, 1 / enough) > SAFE_DENSITY) {
        enough += 0.1;
    }
    mo_warn(
        a->warner.warnings, a->warner.log, 0, "dense lattice",
        "fluid.support: with '%s' and a support of %g spacings the lattice has %.2f times the rest "
        "density, which causes initial overpressure; use a support of %.1f or more, another kernel "
        "(cubic and 2), or a mass_scale of %.2f",
        f->kernel.type->base.name, support, density, fmin(enough, 6), scale / density);
}

static void warn_about_force_kernel(const advice *a)
{
    const mo_fluid *f = &a->fluid->fluid;
    const mo_pressure_type *pressure = a->fluid->pressure;
    const mo_kernel_type *type =
        pressure->force_kernel ? pressure->force_kernel(f->def->pressure.params) : NULL;
    if (!type) {
        return;
    }
    mo_kernel force = mo_kernel_make(type, f->dimension, 1);
    double ratio = mo_lattice_gradient_ratio(&f->kernel, &force, f->spacing / f->support);
    if (ratio < RATIO_MIN) {
        mo_warn(
            a->warner.warnings, a->warner.log, 0, "force kernel",
            "fluid.pressure.kernel: at small distances the gradient of '%s' is %.2f of that of the "
            "density kernel '%s': close pairs are hardly repelled, which causes spurious kinetic "
            "energy; use the default, or a steeper kernel (spiky)",
            type->base.name, ratio, f->kernel.type->base.name);
    }
}

/* A kernel that the solver replaces by its own. */
static void warn_about_replaced_kernel(const advice *a)
{
    const mo_fluid_def *def = a->fluid->fluid.def;
    const char *own = a->fluid->pressure->density_kernel, *chosen = def->kernel.type->name;
    const mo_param *p = mo_section_find(&mo_fluid_section, "kernel");
    const char *initial_kernel = mo_section_default(&mo_fluid_section, p, def->quality);
    if (own && strcmp(chosen, own) != 0 && !strstr(initial_kernel, chosen)) {
        mo_warn(
            a->warner.warnings, a->warner.log, 0, "replaced kernel",
            "fluid.kernel: '%s' has no effect, since '%s' has the kernels of its paper, '%s' for "
            "densities; use wcsph, or remove it",
            chosen, a->fluid->pressure->base.name, own);
    }
}

/* A parameter of a method; 0 if it has none of this name. */
static double real_of(const mo_method *method, const char *name)
{
    const mo_param *p = method->type ? method->type->params : NULL;
    for (; p && p->name; ++p) {
        if (p->type == MO_REAL && strcmp(p->name, name) == 0) {
            return *(const double *)((const char *)method->params + p->offset);
        }
    }
    return 0;
}

static double viscosity_of(const mo_method *viscosity)
{
    return real_of(viscosity, "nu");
}

/* Of all phases. */
static double least_viscosity_of(const mo_fluid *f)
{
    double common = viscosity_of(&f->def->viscosity), least = INFINITY;
    for (int k = 0; k < f->phase_count; ++k) {
        double own = f->phases[k].viscosity;
        least = fmin(least, isnan(own) ? common : own);
    }
    return least;
}

static double greatest_viscosity_of(const mo_fluid *f)
{
    double most = viscosity_of(&f->def->viscosity);
    for (int k = 0; k < f->phase_count; ++k) {
        most = fmax(most, f->phases[k].viscosity); /* NaN: the common one */
    }
    return most;
}

static void warn_about_viscosity(const advice *a)
{
    const mo_fluid *f = &a->fluid->fluid;
    const mo_pressure_type *type = a->fluid->pressure;
    double least = type->least_viscosity ? type->least_viscosity(f->def->pressure.params, f) : 0;
    if (viscosity_of(&f->def->viscosity) < least) {
        mo_warn(
            a->warner.warnings, a->warner.log, 0, "thin fluid",
            "fluid.viscosity: '%s' gains energy and is unstable at low viscosity; use a nu of %.2g "
            "m^2/s or more, or another solver (wcsph)",
            type->base.name, least);
    }
}

/* Slow flows of a micropolar fluid have the viscosity nu - T/2, T = nu + nu_t. */
static void warn_about_transfer(const advice *a)
{
    const mo_fluid *f = &a->fluid->fluid;
    double transfer = real_of(&f->def->vorticity, "transfer"), least = least_viscosity_of(f);
    if (transfer > 2 * least) {
        mo_warn(a->warner.warnings, a->warner.log, 0, "transfer viscosity",
                "fluid.vorticity.transfer: %g m^2/s is more than twice the viscosity of %g m^2/s, "
                "so that long waves gain energy from the rotations; use a transfer of at most %g, "
                "or more viscosity",
                transfer, least, 2 * least);
    }
}

/* A belt or lid drags fluid by viscosity only. */
static void warn_about_idle_surfaces(const advice *a)
{
    const mo_colliders *colliders = a->fluid->system->host->colliders;
    double most = greatest_viscosity_of(&a->fluid->fluid);
    for (int64_t k = 0; k < colliders->count && !(most > 0); ++k) {
        if (colliders->list[k].slides) {
            char kind[32];
            snprintf(kind, sizeof kind, "idle surface %d", (int16_t)k);
            mo_warn(a->warner.warnings, a->warner.log, 0, kind,
                    "colliders[%d].surface_velocity: '%.60s' does not move a fluid without "
                    "viscosity; set fluid.viscosity (water: 1e-6 m^2/s)",
                    (int)k, colliders->list[k].name);
        }
    }
}

/* ---- solids ---- */

/* Rows times colliders that are examined. */
#define EXAMINED 2000000

/* Whether two solids have the same face beside a row: half a spacing behind the first is as deep
 * in the second. */
static bool share_face(const mo_collider *one, const mo_collider *other, mo_vec3 x, double spacing)
{
    mo_vec3 normal;
    double gap = mo_collider_gap(one, x, &normal);
    mo_vec3 behind = mo_add_scaled(x, -(gap + 0.5 * spacing), normal);
    return gap < spacing && mo_collider_gap(other, behind, NULL) < -0.25 * spacing;
}

/* Solids act on fluid by integrals over their volume, and where two of them overlap behind a face
 * it counts twice. */
static void warn_about_double_faces(const advice *a)
{
    const mo_fluid *f = &a->fluid->fluid;
    const mo_colliders *colliders = a->fluid->system->host->colliders;
    int64_t rows = mo_store_owned(f->store), count = colliders->count,
            most = count > 0 ? EXAMINED / (count * count) : 0,
            stride = most > 0 && rows > most ? rows / most + 1 : 1;
    for (int64_t row = 0; f->walls.maps && most > 0 && row < rows; row += stride) {
        mo_vec3 x = mo_vec3_load(mo_f64(f->columns.x) + 3 * row);
        for (int64_t pair = 0; pair < count * count; ++pair) {
            const mo_collider *one = &colliders->list[pair / count],
                              *other = &colliders->list[pair % count];
            if (one != other && share_face(one, other, x, f->spacing)) {
                mo_warn(a->warner.warnings, a->warner.log, 0, "double faces",
                        "colliders '%.60s' and '%.60s' overlap behind the face beside the fluid at "
                        "[%.3g, %.3g, %.3g] m, which acts twice there; move one of them back, or "
                        "combine them by a union",
                        one->name, other->name, x.x, x.y, x.z);
                return;
            }
        }
    }
}

/* Colliders that fluid will penetrate. */
static void warn_about_permeable_walls(const advice *a)
{
    const mo_walls *walls = &a->fluid->fluid.walls;
    for (int k = 0; k < walls->piece_count; ++k) {
        int collider = walls->pieces[k].collider;
        if (!walls->maps && !walls->bare && walls->pieces[k].count == 0) {
            char kind[32];
            snprintf(kind, sizeof kind, "bare wall %d", (int16_t)collider);
            mo_warn(
                a->warner.warnings, a->warner.log, 0, kind,
                "colliders[%d] '%.60s': it is too far from the fluid to be sampled and does not "
                "act as a boundary; set fluid.boundary.margin to the expected extent of the fluid "
                "[m], or use a bounded shape (box)",
                collider, a->fluid->system->host->colliders->list[collider].name);
        }
    }
}

/* ---- phases and emitters ---- */

static int64_t rows_of(const mo_fluid *f, int phase)
{
    const int32_t *phases = f->columns.phase->data;
    int64_t count = 0;
    for (int64_t row = 0; row < mo_store_owned(f->store); ++row) {
        count += phases[row] == phase;
    }
    return count;
}

static bool emitted(const mo_emitters *m, int phase)
{
    bool found = false;
    for (int k = 0; k < m->count; ++k) {
        found = found || m->nozzles[k].phase == phase;
    }
    return found;
}

static void warn_about_empty_phases(const advice *a)
{
    const mo_fluid *f = &a->fluid->fluid;
    for (int k = 0; k < f->phase_count; ++k) {
        const mo_phase_def *p = &f->phases[k];
        if (emitted(&a->fluid->emitters, k) || rows_of(f, k) > 0) {
            continue;
        }
        char kind[32], name[80];
        snprintf(kind, sizeof kind, "empty phase %d", (int16_t)k);
        snprintf(name, sizeof name, p->name ? " '%.60s'" : "%s", p->name ? p->name : "");
        mo_warn(
            a->warner.warnings, a->warner.log, 0, kind,
            p->fill.count + p->inside.count > 0
                ? "fluid.phases[%d]:%s has 0 particles: all overlap with colliders or other fills "
                  "and were removed; move its fill into free space"
                : "fluid.phases[%d]:%s has 0 particles, neither a fill nor an emitter; add one, or "
                  "remove the phase",
            k, name);
    }
}

static void warn_about_small_openings(const advice *a)
{
    const mo_fluid *f = &a->fluid->fluid;
    for (int k = 0; k < a->fluid->emitters.count; ++k) {
        const mo_nozzle *n = &a->fluid->emitters.nozzles[k];
        double given = (double)n->count * mo_power(f->spacing, f->dimension - 1);
        double asked =
            n->def->region.type || n->directions ? given : mo_emitter_opening(n->def, f->dimension);
        if (given <= MO_EMITTER_FAIR * asked && asked <= MO_EMITTER_FAIR * given) {
            continue;
        }
        char kind[32];
        snprintf(kind, sizeof kind, "opening %d", (int16_t)k);
        mo_warn(
            a->warner.warnings, a->warner.log, 0, kind,
            "fluid.emitters[%d]: an opening of %.3g m^%d is discretised by %lld particles of %g m, "
            "which cover %.3g m^%d, %s %.3g m^%d/s; use a smaller fluid.spacing or another "
            "opening",
            k, asked, f->dimension - 1, (long long)n->count, f->spacing, given, f->dimension - 1,
            isnan(n->def->speed) ? "and slower or faster for the same" : "so that it emits",
            given * n->speed * f->def->mass_scale, f->dimension);
    }
}

/* ---- missing couplings ---- */

static void warn_about_missing_contact(const advice *a)
{
    const mo_body_def *bodies = a->world->bodies.items;
    bool missing = false;
    for (int64_t k = 0; k < a->world->bodies.count; ++k) { /* bodies made of shapes are coupled */
        missing = missing || !mo_body_def_system(&bodies[k])->shapes;
    }
    if (missing) {
        mo_warn(a->warner.warnings, a->warner.log, 0, "fluid and bodies",
                "the fluid and the deformable bodies are not coupled; solids that act on the fluid "
                "must be colliders or rigid bodies");
    }
}

void mo_fluid_system_advise(const mo_fluid_system *fluid, const mo_world_def *world)
{
    advice a = {fluid, world, fluid->warner};
    mo_fluid_system_advise_on_solver(fluid, least_viscosity_of(&fluid->fluid));
    warn_about_support(&a);
    warn_about_force_kernel(&a);
    warn_about_replaced_kernel(&a);
    warn_about_viscosity(&a);
    warn_about_transfer(&a);
    warn_about_idle_surfaces(&a);
    warn_about_double_faces(&a);
    warn_about_permeable_walls(&a);
    warn_about_empty_phases(&a);
    warn_about_small_openings(&a);
    warn_about_missing_contact(&a);
}
