/* The part of a scene that the fluid system reads, the key `fluid`, and how it is drawn. */
#include "host/drawing.h"
#include "system/fluid/fluid.h"

typedef struct mo_fluid_keys {
    mo_fluid_def fluid;
} mo_fluid_keys;

static const mo_param KEYS[] = {{"fluid", MO_SECTION, MO_FIELD(mo_fluid_keys, fluid),
                                 .initial = "{}", .section = &mo_fluid_section, .doc = "A fluid."},
                                {0}};

const mo_section mo_fluid_system_keys_section = {
    .name = "fluid_keys", .doc = "A fluid.", .size = sizeof(mo_fluid_keys), .params = KEYS};

const mo_fluid_def *mo_fluid_system_def_of(const mo_world_def *def)
{
    const mo_fluid_keys *keys = mo_world_def_system(def, &mo_system_fluid);
    return keys && mo_fluid_def_present(&keys->fluid) ? &keys->fluid : NULL;
}

bool mo_fluid_system_wanted(const mo_world_def *def)
{
    return mo_fluid_system_def_of(def) != NULL;
}

/* A two-dimensional fluid must not have gravity out of the plane z = 0. */
static mote_status check_plane(const mo_world_def *def, const mo_fluid_def *fluid,
                               mote_error *error)
{
    if (fluid->dimension == 2 && mo_world_def_gravity(def).z != 0) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "gravity: the fluid is in the plane z = 0 (fluid.dimension is 2), but gravity has a "
            "component along z; set \"up\": \"y\", or a gravity without z");
    }
    return MOTE_OK;
}

mote_status mo_fluid_system_check(const mo_world_def *def, mo_memory *memory, mote_error *error)
{
    const mo_fluid_keys *keys = mo_world_def_system(def, &mo_system_fluid);
    const mo_fluid_def *fluid = mo_fluid_system_def_of(def);
    MO_TRY(mo_check_names("fluid.phases", "phase", &keys->fluid.phases, sizeof(mo_phase_def),
                          offsetof(mo_phase_def, name), memory, error));
    MO_TRY(mo_fluid_def_check(&keys->fluid, error));
    if (!fluid) {
        return MOTE_OK;
    }
    MO_TRY(check_plane(def, fluid, error));
    return mo_fluid_system_forces_check(def, error);
}

mo_kernel mo_fluid_system_density_kernel(const mo_world_def *def)
{
    const mo_fluid_def *fluid = mo_fluid_system_def_of(def);
    const mo_pressure_type *pressure = (const mo_pressure_type *)fluid->pressure.type;
    const mo_descriptor *type = pressure->density_kernel
                                    ? mo_family_find(&mo_kernels, pressure->density_kernel)
                                    : fluid->kernel.type;
    return mo_kernel_make((const mo_kernel_type *)type, (int)fluid->dimension,
                          fluid->support * fluid->spacing);
}

/* ---- lists that columns refer to ---- */

static const char *phase_name(const void *items, int64_t k)
{
    return ((const mo_phase_def *)items)[k].name;
}

int mo_fluid_system_name_tables(const mo_system *system, mo_name_table *tables)
{
    const mo_fluid_def *def = ((const mo_fluid_system *)system->state)->fluid.def;
    tables[0] = (mo_name_table){.path = "fluid.phases",
                                .column = "phase",
                                .count = def->phases.count,
                                .allowed = def->phases.count,
                                .name = phase_name,
                                .items = def->phases.items};
    tables[1] = (mo_name_table){.path = "fluid.emitters",
                                .column = "nozzle",
                                .count = def->emitters.count,
                                .allowed = def->emitters.count + 1};
    return 2;
}

/* ---- drawing ---- */

/* The parameter nu of a viscosity; 0: it has none. */
static double viscosity_of_method(mo_method method)
{
    for (const mo_param *p = method.type ? method.type->params : NULL; p && p->name; ++p) {
        if (p->type == MO_REAL && !p->list && strcmp(p->name, "nu") == 0) {
            double nu;
            memcpy(&nu, (const char *)method.params + p->offset, sizeof nu);
            return nu;
        }
    }
    return 0;
}

static bool phase_at(const mo_world_def *def, mo_category *category)
{
    const mo_fluid_def *fluid = mo_fluid_system_def_of(def);
    category->column = "phase";
    category->count = fluid ? fluid->phases.count : 0;
    if (category->index >= category->count) {
        return false;
    }
    const mo_phase_def *phase = (const mo_phase_def *)fluid->phases.items + category->index;
    category->name = phase->name;
    category->look = &phase->look;
    category->viscosity =
        isnan(phase->viscosity) ? viscosity_of_method(fluid->viscosity) : phase->viscosity;
    return true;
}

static double radius_of(const mo_world_def *def)
{
    const mo_fluid_def *fluid = mo_fluid_system_def_of(def);
    return fluid ? fluid->spacing / 2 : 0;
}

static bool is_planar(const mo_world_def *def)
{
    const mo_fluid_def *fluid = mo_fluid_system_def_of(def);
    return fluid && fluid->dimension == 2;
}

const mo_drawing_hooks mo_fluid_system_drawing = {
    .category = phase_at, .radius = radius_of, .is_planar = is_planar, .liquid = true};
