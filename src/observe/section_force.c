/*
 * The force through a plane: of every element of deformable bodies that the plane cuts, the
 * traction t = sigma n on its section, split into the normal stress n . t and the shear stress |t
 * - n (n . t)|, and their sum over the section. sigma is Cauchy's stress of the element (fem,
 * fast_corotated); the force sigma n a of the deformed section is P N A of the undeformed one.
 * Edges and triangles of the model `elements` transmit their tension k C, and have no area.
 */
#include "observe/observable.h"
#include "solid/model/cut.h"

#include <math.h>
#include <stdio.h>

enum {
    ELEMENTS,
    AREA,
    FORCE,
    NORMAL_FORCE = FORCE + 3,
    SHEAR_FORCE,
    NORMAL,
    SHEAR,
    NORMAL_MAX,
    SHEAR_MAX,
    NUMBERS
};

typedef struct parameters {
    const char *system;
    mo_vec3 point, normal;
    double thickness;
} parameters;

static const mo_param PARAMS[] = {
    MO_OBSERVED_SYSTEM(parameters),
    {"point", MO_VEC3, MO_FIELD(parameters, point), .unit = "m", .initial = "[0, 0, 0]",
     .doc = "A point of the plane."},
    {"normal", MO_VEC3, MO_FIELD(parameters, normal), .initial = "[1, 0, 0]",
     .doc = "Normal of the plane, of any length. The force is that of the part on its side on the "
            "other one: positive normal stresses are tension."},
    {"thickness", MO_REAL, MO_FIELD(parameters, thickness), .unit = "m", .initial = "0.001",
     .range = "(0, inf)", .doc = "Thickness of membranes, as in their model."},
    {0}};

typedef struct section {
    mo_system *system;
    mote_world *world;
    mo_cut plane;
    double thickness;
    double *values; /* of the current observation */
} section;

/* Sections of elements without a stress, if there are any; a plane NULL only asks. */
static bool cut_elements(const mo_system *system, const mo_cut *plane)
{
    const mo_export_hooks *hooks = system->type->export;
    return hooks && hooks->cut && hooks->cut(system, plane);
}

/* Elements with a stress. */
static mote_status find_cells(mo_system *system, double time, mote_cells *cells, mote_error *error)
{
    const mo_export_hooks *hooks = system->type->export;
    *cells = (mote_cells){0};
    return hooks && hooks->cells ? hooks->cells(system, time, cells, error) : MOTE_OK;
}

static mote_status section_force_create(const void *params, const mo_observable_context *context,
                                        void **instance, mote_error *error)
{
    const parameters *p = params;
    mo_system *system;
    double length = mo_length(p->normal);
    if (!(length > 0)) {
        return mo_fail(error, MOTE_ERROR_INPUT, "normal: it has no length");
    }
    mote_cells cells;
    MO_TRY(mo_observed_system(context, p->system, &system, error));
    MO_TRY(find_cells(system, 0, &cells, error));
    if (cells.count == 0 && !cut_elements(system, NULL)) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "system: '%s' has no elements with a stress, as bodies of finite elements have",
            system->type->base.name);
    }
    section *s = mo_allocate(context->memory, sizeof *s);
    if (!s) {
        return mo_fail_memory(error, sizeof *s);
    }
    *s = (section){.system = system, .world = context->world, .thickness = p->thickness};
    s->plane = (mo_cut){.point = p->point, .normal = mo_scale(1 / length, p->normal)};
    *instance = s;
    return MOTE_OK;
}

static void section_force_destroy(void *instance, mo_memory *memory)
{
    mo_release(memory, instance);
}

static int64_t section_force_size(const void *instance)
{
    (void)instance;
    return NUMBERS;
}

static void section_force_label(const void *instance, int64_t index, char text[MO_OBSERVABLE_LABEL])
{
    static const char *const LABELS[NUMBERS] = {
        "elements",      "area_m2",   "force_x_N", "force_y_N",     "force_z_N",   "normal_force_N",
        "shear_force_N", "normal_Pa", "shear_Pa",  "normal_max_Pa", "shear_max_Pa"};
    (void)instance;
    snprintf(text, MO_OBSERVABLE_LABEL, "%s", LABELS[index]);
}

/* Length of the part of a vector in the plane. */
static double shear_of(mo_vec3 force, mo_vec3 normal)
{
    return mo_length(mo_add_scaled(force, -mo_dot(force, normal), normal));
}

static void add_element(void *context, double area, mo_vec3 force)
{
    const section *s = context;
    double *v = s->values;
    v[ELEMENTS] += 1;
    v[AREA] += area;
    v[FORCE] += force.x;
    v[FORCE + 1] += force.y;
    v[FORCE + 2] += force.z;
    if (area > 0) {
        double normal = mo_dot(force, s->plane.normal) / area,
               shear = shear_of(force, s->plane.normal) / area;
        v[NORMAL_MAX] = fabs(normal) > fabs(v[NORMAL_MAX]) ? normal : v[NORMAL_MAX];
        v[SHEAR_MAX] = fmax(v[SHEAR_MAX], shear);
    }
}

/* sigma n, of 11 22 33 12 13 23 */
static mo_vec3 traction(const double *s, mo_vec3 n)
{
    return mo_vec3_make(s[0] * n.x + s[3] * n.y + s[4] * n.z, s[3] * n.x + s[1] * n.y + s[5] * n.z,
                        s[4] * n.x + s[5] * n.y + s[2] * n.z);
}

/* An element with a stress; of triangles the traction on the section in their plane. */
static void cut_cell(const section *s, const mo_cut *plane, const int32_t *rows,
                     const double *stress)
{
    const double *x = mo_f64(s->system->columns.x);
    mo_vec3 at[4] = {{0}}, way = plane->normal;
    bool solid = rows[3] >= 0;
    for (int k = 0; k < (solid ? 4 : 3); ++k) {
        at[k] = mo_vec3_load(x + 3 * (int64_t)rows[k]);
    }
    double area = solid ? mo_cut_area(plane, at) : s->thickness * mo_cut_length(plane, at, &way);
    if (area > 0) {
        plane->add(plane->context, area, mo_scale(area, traction(stress, way)));
    }
}

static mote_status section_force_observe(void *instance, double time, double *values,
                                         mote_error *error)
{
    section *s = instance;
    mo_cut plane = s->plane;
    mote_cells cells;
    for (int k = 0; k < NUMBERS; ++k) {
        values[k] = 0;
    }
    s->values = values;
    plane.add = add_element;
    plane.context = s;
    MO_TRY(find_cells(s->system, time, &cells, error));
    for (int64_t k = 0; k < cells.count; ++k) {
        cut_cell(s, &plane, cells.rows + 4 * k, cells.stress + 6 * k);
    }
    cut_elements(s->system, &plane);
    mo_vec3 force = mo_vec3_load(values + FORCE);
    double area = values[AREA] > 0 ? values[AREA] : 1;
    values[NORMAL_FORCE] = mo_dot(force, plane.normal);
    values[SHEAR_FORCE] = shear_of(force, plane.normal);
    values[NORMAL] = values[AREA] > 0 ? values[NORMAL_FORCE] / area : 0;
    values[SHEAR] = values[AREA] > 0 ? values[SHEAR_FORCE] / area : 0;
    return MOTE_OK;
}

const mo_observable_type mo_observable_section_force = {
    .base = {.name = "section_force",
             .summary = "Force and stresses on the elements that a plane cuts, normal and shear.",
             .param_size = sizeof(parameters),
             .params = PARAMS},
    .create = section_force_create,
    .destroy = section_force_destroy,
    .size = section_force_size,
    .label = section_force_label,
    .observe = section_force_observe,
};
