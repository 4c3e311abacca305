/*
 * Sample scenes for any method, from the tables alone: required parameters get values of their type
 * and range. Every listed method is tested.
 */
#ifndef TEST_METHOD_SAMPLE_H
#define TEST_METHOD_SAMPLE_H

#include "host/action/action.h"
#include "worlds.h"

#include "fluid/kernel/kernel.h"
#include "neighbor/search/search.h"
#include "particle/long_range/long_range.h"
#include "scene/catalog.h"

#include <math.h>

/* A small number inside the parameter's range. */
static inline double sample_real(const mo_param *p)
{
    mo_range range = mo_range_parse(p->range);
    /* a step that is stable for springs, distant keyframes */
    bool is_time = p->unit && strcmp(p->unit, "s") == 0;
    double value = p->type == MO_INT ? 3 : !is_time ? 0.01 : p->list ? 0.5 : 0.0001;
    if (!mo_range_contains(range, value)) {
        value = isfinite(range.low) && isfinite(range.high) ? 0.5 * (range.low + range.high)
                                                            : range.low + 1;
    }
    return p->type == MO_INT ? floor(value) : value;
}

static inline json_t *sample_method(const mo_descriptor *method);

/* The k-th value of a parameter; vectors and times increase with k, so that "max" is above
 * "min". */
static inline json_t *sample_value(const mo_param *p, int k)
{
    switch (p->type) {
    case MO_BOOL:
        return json_true();
    case MO_INT:
        return json_integer((json_int_t)sample_real(p));
    case MO_REAL:
    case MO_CURVE:
        return json_real(sample_real(p) * (k + 1));
    case MO_VEC3:
        return json_pack("[f, f, f]", 0.1 + 0.5 * k, 0.2 + 0.5 * k, 0.1 + 0.5 * k);
    case MO_FILE:
        return json_string(MOTE_SCENES "/meshes/gem.obj");
    case MO_METHOD: /* the simplest of its family */
        return sample_method(mo_family_at(p->family, 0));
    default:
        return json_string("sample");
    }
}

/* {"type": ..., and all required parameters} */
static inline json_t *sample_method(const mo_descriptor *method)
{
    json_t *object = json_pack("{s:s}", "type", method->name);
    int k = 0;
    for (const mo_param *p = method->params; p->name; ++p) {
        if (p->required) {
            json_t *value = p->list ? json_pack("[o, o]", sample_value(p, 0), sample_value(p, 1))
                                    : sample_value(p, k);
            json_object_set_new(object, p->name, value);
            ++k;
        }
    }
    if (strcmp(method->name, "mesh") == 0) { /* under the cloth, like the ball of the sample */
        json_object_set_new(object, "translate", json_pack("[f, f, f]", 0.5, 0.5, 0.1));
    }
    if (json_object_get(object, "other_side")) { /* orthogonal sides */
        json_object_set_new(object, "side", json_pack("[f, f, f]", 0.5, 0.0, 0.0));
        json_object_set_new(object, "other_side", json_pack("[f, f, f]", 0.0, 0.5, 0.0));
    }
    if (strcmp(method->name, "probe") == 0) { /* particles without a kernel need one */
        json_object_set_new(object, "support", json_real(0.1));
    }
    if (strcmp(method->name, "hull") == 0) { /* at least four points */
        json_object_set_new(object, "points",
                            json_pack("[[f, f, f], [f, f, f], [f, f, f], [f, f, f]]", 0.3, 0.3, 0.0,
                                      0.7, 0.3, 0.0, 0.5, 0.7, 0.0, 0.5, 0.5, 0.25));
    }
    if (strcmp(method->name, "expression") == 0) { /* an arbitrary text is not an expression */
        json_object_set_new(object, "velocity", json_pack("[s, s, s]", "0.1 - y", "x", "0"));
    }
    if (strcmp(method->name, "expression_field") == 0) { /* one of two */
        json_object_set_new(object, "acceleration", json_pack("[s, s, s]", "-x", "0.1", "sin(t)"));
    }
    if (strcmp(method->name, "oriented") ==
        0) { /* at least one strength; of the rope's particles */
        json_object_set_new(object, "coplanarity", json_real(0.5));
        json_object_set_new(object, "conormality", json_real(0.5));
        json_object_set_new(object, "range", json_real(0.3));
    }
    if (strcmp(method->name, "table") == 0) { /* a file of this format */
        json_object_set_new(object, "file", json_string(MOTE_SCENES "/meshes/vortex.csv"));
    }
    if (strcmp(method->name, "hooke") == 0) { /* moduli, or constants */
        json_object_set_new(object, "young", json_pack("[f, f, f]", 0.1, 0.2, 0.1));
        json_object_set_new(object, "shear", json_pack("[f, f, f]", 0.6, 0.7, 0.6));
    }
    if (strcmp(method->name, "path") == 0) { /* slowly */
        json_object_set_new(object, "end", json_real(1));
    }
    if (strcmp(method->name, "keyframes") == 0) { /* at least one of two */
        json_object_set_new(object, "positions",
                            json_pack("[[f, f, f], [f, f, f]]", 0.1, 0.2, 0.1, 0.6, 0.7, 0.6));
    }
    if (strcmp(method->name, "difference") == 0) { /* not from itself */
        json_object_set_new(
            object, "subtract",
            json_pack("[{s:s, s:[f, f, f]}]", "type", "plane", "normal", 1.0, 0.0, 0.0));
    }
    if (strcmp(method->name, "spring") == 0) { /* one of two, a constraint beyond the table */
        json_object_set_new(object, "k", json_real(5));
    }
    if (strcmp(method->name, "elements") == 0) { /* like the springs: the cloth is light */
        json_object_set_new(object, "length", json_real(2));
    }
    if (strcmp(method->name, "attach") == 0) { /* nodes that would separate from the ball */
        json_object_set_new(object, "nodes", json_pack("[i, i, i]", 100, 103, 130));
        json_object_set_new(object, "collider", json_string("ball"));
        json_object_set_new(object, "compliance", json_real(1e-4));
    }
    if (strcmp(method->name, "density") == 0) { /* larger particles than the lattice has room for */
        json_object_set_new(object, "spacing", json_real(0.052));
    }
    if (strcmp(method->name, "shape_match") == 0) { /* several clusters */
        json_object_set_new(object, "deformation", json_string("quadratic"));
        json_object_set_new(object, "region", json_real(0.15));
        json_object_set_new(object, "compliance", json_real(1e-5));
    }
    if (strcmp(method->name, "fem") == 0) {
        json_object_set_new(object, "material",
                            json_pack("{s:s, s:f}", "type", "stvk", "young", 1e4));
    }
    /* one of two; of the species of the sample */
    if (strcmp(method->name, "species_pair") == 0) {
        json_object_set_new(object, "between", json_pack("[s]", "stuff"));
        json_object_set_new(object, "r0", json_real(0.005));
    }
    for (int n = 0; n < mo_actions.count; ++n) { /* later: the sample keeps its particles */
        if (method == mo_actions.methods[n]) {
            json_object_set_new(object, "time", json_real(1000));
            if (json_object_get(object, "until")) {
                json_object_set_new(object, "until", json_real(2000));
            }
        }
    }
    if (strcmp(method->name, "species_heat") == 0) {
        json_object_set_new(object, "of", json_string("stuff"));
        json_object_set_new(object, "melting_point", json_real(310));
    }
    if (strcmp(method->name, "file") == 0) { /* it must exist */
        json_object_set_new(object, "file", json_string(MOTE_SCENES "/meshes/block.msh"));
    }
    if (strcmp(method->name, "fill") == 0) { /* one of two */
        json_object_set_new(object, "spacing", json_real(0.3));
        json_object_set_new(object, "shape",
                            json_pack("{s:s, s:[f, f, f], s:f}", "type", "sphere", "center", 0.0,
                                      0.0, 1.0, "radius", 0.5));
    }
    if (strcmp(method->name, "lattice") == 0) { /* one of two */
        json_object_set_new(object, "spacing", json_real(0.1));
    }
    if (strcmp(method->name, "ewald") == 0) { /* cheaper */
        json_object_set_new(object, "tolerance", json_real(1e-3));
    }
    if (strcmp(method->name, "limited_range") == 0) { /* beyond the nearest neighbours */
        json_object_set_new(object, "r_b", json_real(0.15));
    }
    if (strcmp(method->name, "lennard_jones") == 0) { /* one of two; suitable for light particles */
        json_object_set_new(object, "r0", json_real(0.005));
        json_object_set_new(object, "e", json_real(1e-8));
    }
    return object;
}

/* The key of each family in the sample scene. A new family must be added here. */
static const struct {
    const char *family, *path, *second_path;
} LOCATIONS[] = {
    {"integrator", "integrator", NULL},
    {"step", "time.step", NULL},
    {"mesh", "bodies[1].mesh", NULL},
    {"model", "bodies[0].model", NULL},
    {"material", "bodies[0].model.material", NULL},
    {"shape", "colliders[0].shape", "bodies[0].pins[0].region"},
    {"motion", "colliders[0].motion", "bodies[0].pins[0].motion"},
    {"force", "forces[0]", NULL},
    {"friction", "colliders[0].friction", NULL},
    {"contact_law", "colliders[0].contact", NULL},
    {"format", "output.formats[0]", NULL},
    {"search", "neighbors", NULL},
    {"pair", "forces[1].pairs[0]", NULL},
    {"thermostat", "thermostats[0]", NULL},
    {"heater", "forces[2].sources[0]", NULL},
    {"thermal", "forces[2].species[0]", NULL},
    {"action", "actions[0]", NULL},
    {"long_range", "forces[0].method", NULL},
    {"surface", "output.surface", NULL},
    {"observable", "observables[0]", NULL},
    {"sampling", "observables[0].at", NULL},
    {"kernel", "fluid.kernel", NULL},
    {"pressure", "fluid.pressure", NULL},
    {"viscosity", "fluid.viscosity", NULL},
    {"artificial_viscosity", "fluid.artificial_viscosity", NULL},
    {"surface_tension", "fluid.surface_tension", NULL},
    {"vorticity", "fluid.vorticity", NULL},
    {"boundary", "fluid.boundary", NULL},
    {"flow", "fluid.phases[0].flow", NULL},
    {"shifting", "fluid.shifting", NULL},
    {"state_equation", "fluid.pressure.state", NULL},
    {"rheology", "fluid.viscosity.law", NULL},
    {"linear_solver", "integrator.solver", NULL},
    {"constraint", "bodies[0].model.constraints[1]", NULL},
    {"constraint_solver", "constraints.solver", NULL},
    {"contact_detection", "body_contact.detection", NULL},
    {"primitive_search", "body_contact.detection.search", NULL},
    {"bound", "body_contact.detection.search.bound", NULL},
};

/* Size of the sample scenes. A test of parallel work defines SAMPLE_SPLITS: a cloth of three
 * blocks of rows, of two with sanitizers; a fluid of two, and of one. */
#if !defined(SAMPLE_SPLITS)
#define SAMPLE_SIZE "\"columns\": 40, \"rows\": 30"
#define SAMPLE_FLUID "0.275"
#define SAMPLE_ROW "5"
#elif SANITIZED
#define SAMPLE_SIZE "\"columns\": 72, \"rows\": 72"
#define SAMPLE_FLUID "0.25"
#define SAMPLE_ROW "5"
#else
#define SAMPLE_SIZE "\"columns\": 120, \"rows\": 100"
#define SAMPLE_FLUID "0.625"
#define SAMPLE_ROW "16"
#endif

/* A fluid falling into a tank with a moving ball, for the families of fluids. */
static const char SAMPLE_FLUID_SCENE[] =
    "{\"time\": {\"end\": 1, \"step\": 0.0002},"
    " \"fluid\": {\"spacing\": 0.05, \"support\": 2, \"mass_scale\": 0.7, \"viscosity\": \"laplacian\","
    "   \"phases\": [{\"velocity\": [0, 0, -0.5], \"fill\": [{\"type\": \"box\","
    "     \"min\": [0.025, 0.025, 0.025], \"max\": [0.525, 0.525, " SAMPLE_FLUID "]}]}]},"
    " \"colliders\": [{\"name\": \"tank\", \"inside\": true,"
    "     \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0], \"max\": [0.55, 0.55, 1.5]}},"
    "   {\"name\": \"ball\", \"shape\": {\"type\": \"sphere\", \"center\": [0.2, 0.25, 0.35],"
    "     \"radius\": 0.08}, \"motion\": {\"type\": \"translate\", \"velocity\": [0.5, 0, 0]}}]}";

/* The viscosity of fluids whose rheology is tested. */
#define SAMPLE_SYRUP "{\"type\": \"implicit_corotational\", \"nu\": 0.01}"

static inline bool is_of_fluids(const mo_family *family)
{
    static const char *const FAMILIES[] = {
        "kernel",   "pressure",       "viscosity", "artificial_viscosity", "boundary", "flow",
        "shifting", "state_equation", "vorticity", "surface_tension",      "rheology"};
    bool found = false;
    for (size_t k = 0; k < sizeof FAMILIES / sizeof *FAMILIES; ++k) {
        found = found || strcmp(FAMILIES[k], family->name) == 0;
    }
    return found;
}

/* A pinned, damped cloth falling on a moving ball; and a second body. */
static const char SAMPLE_SCENE[] =
    "{\"time\": {\"end\": 1, \"step\": 0.0001},"
    " \"bodies\": [{\"name\": \"sheet\", \"mesh\": {\"type\": \"cloth\", " SAMPLE_SIZE ","
    "   \"origin\": [0, 0, 0.35]}, \"density\": 0.5, \"radius\": 0.004,"
    "   \"model\": {\"type\": \"spring\", \"k\": 2, \"damping_spring\": 0.0005, \"damping_viscous\": 0.0001},"
    "   \"pins\": [{\"region\": {\"type\": \"sphere\", \"center\": [0, 0, 0.35], \"radius\": 0.02},"
    "     \"motion\": {\"type\": \"translate\", \"velocity\": [0, 0, 0.1]}}]},"
    "  {\"name\": \"other\", \"mesh\": {\"type\": \"rope\", \"start\": [0, 0, 1], \"end\": [1, 0, 1]},"
    "   \"oriented\": true, \"inertia\": [1, 2, 3], \"angular_velocity\": [1, 2, 0.5]}],"
    " \"forces\": [{\"type\": \"drag\", \"linear\": 1e-5, \"quadratic\": 1e-6, \"wind\": [1, 0, 0]}],"
    " \"species\": [{\"name\": \"stuff\"}],"
    " \"colliders\": [{\"name\": \"ball\", \"shape\": {\"type\": \"sphere\", \"center\": [0.5, 0.5, 0.15],"
    "   \"radius\": 0.2}, \"friction\": 0.2, \"restitution\": 0.3,"
    "   \"motion\": {\"type\": \"rotate\", \"speed\": 1}}],"
    " \"output\": {}}";

/* A distorted crystal of charges, for methods of long-range forces; periodic unless the method is
 * for open domains only. */
static const char SAMPLE_CHARGES[] =
    "{\"gravity\": [0, 0, 0], \"time\": {\"end\": 1, \"step\": 0.0001},"
    " \"bodies\": [{\"name\": \"plus\", \"charge\": 1e-9, \"mass\": 1, \"mesh\": {\"type\": \"lattice\","
    "     \"nx\": 4, \"ny\": 4, \"nz\": 4, \"spacing\": 0.1, \"jitter\": 0.01}},"
    "   {\"name\": \"minus\", \"charge\": -1e-9, \"mass\": 1, \"mesh\": {\"type\": \"lattice\","
    "     \"nx\": 4, \"ny\": 4, \"nz\": 4, \"spacing\": 0.1, \"jitter\": 0.01, \"seed\": 2,"
    "     \"origin\": [0.05, 0, 0]}}],"
    " \"forces\": [{\"type\": \"coulomb\"}]}";
static const char SAMPLE_DOMAIN[] = "{\"min\": [0, 0, 0], \"max\": [0.4, 0.4, 0.4]}";

/* Two blocks that overlap, for families of contact between bodies. */
static const char SAMPLE_CONTACT_SCENE[] =
    "{\"time\": {\"end\": 1, \"step\": 0.0002},"
    " \"body_contact\": {\"stiffness\": 0.5, \"friction\": 0.2,"
    "   \"detection\": {\"type\": \"heidelberger2004\", \"search\": {\"type\": \"hierarchy\"}}},"
    " \"bodies\": [{\"name\": \"lower\", \"density\": 1000, \"model\": {\"type\": \"spring\", \"k\": 200},"
    "   \"mesh\": {\"type\": \"block\", \"min\": [0, 0, 0], \"max\": [0.3, 0.3, 0.2],"
    "     \"nx\": 9, \"ny\": 9, \"nz\": 6, \"tetrahedra\": 5}},"
    "  {\"name\": \"upper\", \"density\": 1000, \"model\": {\"type\": \"spring\", \"k\": 200},"
    "   \"velocity\": [0.1, 0, -1],"
    "   \"mesh\": {\"type\": \"block\", \"min\": [0.05, 0.04, 0.17], \"max\": [0.22, 0.21, 0.4],"
    "     \"nx\": 6, \"ny\": 6, \"nz\": 8, \"tetrahedra\": 5}}],"
    " \"colliders\": [{\"name\": \"floor\", \"shape\": {\"type\": \"plane\", \"point\": [0, 0, -0.1]}}]}";

static inline bool is_of_contact(const mo_family *family)
{
    return strcmp(family->name, "contact_detection") == 0 ||
           strcmp(family->name, "primitive_search") == 0 || strcmp(family->name, "bound") == 0;
}

/* Rigid bodies that fall on each other, on the ground and on a moving ball; a chain. */
static const char SAMPLE_RIGID_SCENE[] =
    "{\"time\": {\"end\": 1, \"step\": 0.004},"
    " \"bodies\": [{\"name\": \"boxes\", \"model\": \"rigid\", \"density\": 500,"
    "   \"shape\": {\"type\": \"box\", \"min\": [0, 0, 0.001], \"max\": [0.1, 0.15, 0.1]},"
    "   \"restitution\": 0.2, \"copies\": ["
    "     {\"count\": " SAMPLE_ROW
    ", \"step\": [0.12, 0, 0]}, {\"count\": 8, \"step\": [0, 0.16, 0]},"
    "     {\"count\": 3, \"step\": [0.04, 0.03, 0.101]}]},"
    "  {\"name\": \"balls\", \"model\": \"rigid\", \"mass\": 1, \"linear_damping\": 0.1,"
    "   \"shape\": {\"type\": \"sphere\", \"center\": [0, 0, 1], \"radius\": 0.1},"
    "   \"angular_velocity\": [0.1, 5, 1]},"
    "  {\"name\": \"link\", \"model\": \"rigid\", \"mass\": 0.1, \"copies\": [{\"count\": 10, \"step\": [0.1, 0, 0]}],"
    "   \"shape\": {\"type\": \"capsule\", \"start\": [2.12, 0, 0.5], \"end\": [2.18, 0, 0.5], \"radius\": 0.02}}],"
    " \"joints\": [{\"type\": \"ball\", \"bodies\": [\"link\"], \"point\": [2.1, 0, 0.5]},"
    "   {\"type\": \"ball\", \"bodies\": [\"link\"], \"chain\": true, \"point\": [2.2, 0, 0.5]}],"
    " \"colliders\": [{\"name\": \"ground\", \"shape\": {\"type\": \"plane\"}},"
    "   {\"name\": \"ball\", \"shape\": {\"type\": \"sphere\", \"center\": [-0.25, 0.5, 0.2], \"radius\": 0.2},"
    "    \"motion\": {\"type\": \"translate\", \"velocity\": [0.2, 0, 0]}}]}";

/* A position-based block of tetrahedra that falls on a moving ball, with a moving pin:
 * every constraint has edges, triangles or tetrahedra to act on. */
#if !defined(SAMPLE_SPLITS) || SANITIZED
#define SAMPLE_BLOCK "\"nx\": 9, \"ny\": 9, \"nz\": 7"
#else
#define SAMPLE_BLOCK "\"nx\": 17, \"ny\": 17, \"nz\": 17"
#endif
static const char SAMPLE_CONSTRAINT_SCENE[] =
    "{\"time\": {\"end\": 1, \"step\": 0.002}, \"constraints\": {\"substeps\": 2, \"iterations\": 3},"
    " \"bodies\": [{\"name\": \"block\", \"density\": 1000, \"radius\": 0.004,"
    "   \"mesh\": {\"type\": \"block\", \"min\": [0, 0, 0.25], \"max\": [0.4, 0.4, 0.55], " SAMPLE_BLOCK
    ", \"tetrahedra\": 5}, \"velocity\": [0, 0, -1],"
    "   \"model\": {\"type\": \"xpbd\", \"damping\": 0.5,"
    "     \"constraints\": [{\"type\": \"distance\", \"compliance\": 1e-6}]},"
    "   \"pins\": [{\"region\": {\"type\": \"sphere\", \"center\": [0, 0, 0.55], \"radius\": 0.02},"
    "     \"motion\": {\"type\": \"translate\", \"velocity\": [0, 0, 0.1]}}]}],"
    " \"forces\": [{\"type\": \"drag\", \"linear\": 1e-5, \"quadratic\": 1e-6, \"wind\": [1, 0, 0]}],"
    " \"colliders\": [{\"name\": \"ball\", \"shape\": {\"type\": \"sphere\", \"center\": [0.25, 0.2, 0.05],"
    "   \"radius\": 0.2}, \"friction\": 0.2, \"restitution\": 0.3,"
    "   \"motion\": {\"type\": \"rotate\", \"speed\": 1}}]}";

static inline bool is_of_constraints(const mo_family *family)
{
    return strncmp(family->name, "constraint", 10) == 0;
}

/* A solid with nodes in two blocks of rows, fixed on one side, above a moving collider. */
static const char SAMPLE_FAST_SCENE[] =
    "{\"time\": {\"end\": 0.2, \"step\": 0.004},"
    " \"bodies\": [{\"name\": \"solid\", \"density\": 1000, \"mesh\": {\"type\": \"block\", " SAMPLE_BLOCK
    ", \"min\": [0, 0, 0.02], \"max\": [1, 1, 1], \"tetrahedra\": 5},"
    "   \"model\": {\"type\": \"fast_corotated\", \"young\": 1e4}, \"velocity\": [0, 0, -1],"
    "   \"pins\": [{\"set\": \"x0\"}]}],"
    " \"colliders\": [{\"name\": \"ground\", \"shape\": {\"type\": \"plane\"}}]}";

/* Forces between particles, for the families that need them: every step takes their time. */
static const char SAMPLE_PAIRS[] =
    "{\"type\": \"lennard_jones\", \"e\": 1e-10, \"r0\": 0.005, \"clip\": true}";
static const char SAMPLE_HEAT[] =
    "{\"type\": \"heat\", \"conductivity\": 1e-3, \"range\": 0.012, \"specific_heat\": 100,"
    " \"sources\": [{\"type\": \"hold\", \"temperature\": 300}], \"strength\": [[0, 1], [400, 0.2]]}";

static const char SAMPLE_PROBE[] =
    "{\"type\": \"probe\", \"support\": 0.1, \"at\": {\"type\": \"points\", \"positions\": [[0, 0, 0]]}}";

/* A sample scene with this method as the member of its family. */
static const char SAMPLE_MEMBRANE[] =
    "{\"type\": \"fem\", \"material\": {\"type\": \"stvk\", \"young\": 1e4}}";
static const char SAMPLE_PLANE[] =
    "{\"type\": \"fem\", \"triangles\": \"plane_stress\", \"thickness\": 0.001,"
    " \"material\": {\"type\": \"stvk\", \"young\": 1e4}}";

static inline void set_json(mote_scene *scene, const char *path, json_t *value)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY);
    set_in_scene(scene, path, text);
    free(text);
}

/* reused lists, since some structures are slow */
static inline mote_scene *sample_scene(const mo_family *family, const mo_descriptor *method)
{
    if (strcmp(method->name, "rigid") == 0) {
        return scene_of(SAMPLE_RIGID_SCENE);
    }
    if (strcmp(method->name, "fast_corotated") == 0) {
        return scene_of(SAMPLE_FAST_SCENE);
    }
    bool charged = family == &mo_long_ranges;
    mote_scene *scene = scene_of(charged                     ? SAMPLE_CHARGES
                                 : is_of_fluids(family)      ? SAMPLE_FLUID_SCENE
                                 : is_of_contact(family)     ? SAMPLE_CONTACT_SCENE
                                 : is_of_constraints(family) ? SAMPLE_CONSTRAINT_SCENE
                                                             : SAMPLE_SCENE);
    for (size_t k = 0; k < sizeof LOCATIONS / sizeof *LOCATIONS; ++k) {
        if (strcmp(LOCATIONS[k].family, family->name) == 0) {
            json_t *value = sample_method(method);
            if (strcmp(family->name, "search") == 0 && !((const mo_search_type *)method)->reuse) {
                /* one of them is two-dimensional only */
                value = json_pack("{s:s, s:o}", "type", "verlet_list", "over", value);
            }
            const char *name = family->name;
            if (charged && (method->capabilities & MO_LONG_RANGE_PERIODIC)) {
                set_in_scene(scene, "domain", SAMPLE_DOMAIN);
            }
            if (strcmp(method->name, "coulomb") == 0) {
                set_in_scene(scene, "bodies[0].charge", "1e-9");
            }
            if (strcmp(name, "search") == 0 || strcmp(name, "pair") == 0 ||
                strcmp(name, "heater") == 0 || strcmp(name, "thermal") == 0 ||
                strcmp(name, "action") == 0) {
                set_in_scene(scene, "forces[1]", SAMPLE_PAIRS);
                set_in_scene(scene, "forces[2]", SAMPLE_HEAT);
            }
            if (strcmp(name, "sampling") == 0) {
                set_in_scene(scene, "observables[0]", SAMPLE_PROBE);
            }
            if (strcmp(method->name, "section_force") == 0) {
                set_in_scene(scene, "bodies[0].model", SAMPLE_MEMBRANE);
            }
            if (strcmp(name, "state_equation") == 0) {
                set_in_scene(scene, "fluid.pressure", "wcsph");
            }
            if (strcmp(name, "rheology") == 0) {
                set_in_scene(scene, "fluid.viscosity", SAMPLE_SYRUP);
            }
            if (strcmp(name, "linear_solver") == 0) {
                set_in_scene(scene, "integrator", "\"implicit_euler\"");
            }
            /* A kernel without a density sum is rejected as a fluid's; see
             * tests/unit/fluid_kernel.c. */
            if (strcmp(name, "material") == 0) {
                const char *model =
                    strcmp(method->name, "linear") == 0 ? SAMPLE_PLANE : SAMPLE_MEMBRANE;
                set_in_scene(scene, "bodies[0].model", model);
            }
            bool pin_may_miss = strcmp(family->name, "shape") == 0;
            set_json(scene, LOCATIONS[k].path, value);
            if (LOCATIONS[k].second_path && !pin_may_miss) {
                set_json(scene, LOCATIONS[k].second_path, value);
            }
            json_decref(value);
            return scene;
        }
    }
    fail_msg("the family '%s' has no location in the sample scene of tests/method/sample.h",
             family->name);
    return NULL;
}

/* Calls `function` for every method, or only for the one named by the environment. */
static inline bool has_location(const mo_family *family, const mo_descriptor *method)
{
    return family != &mo_kernels || (method->capabilities & MO_KERNEL_DENSITY);
}

/* Calls `function` for every method there is, or only for the one that the environment names. */
static inline void for_every_method(void (*function)(const mo_family *family,
                                                     const mo_descriptor *method))
{
    mo_catalog catalog;
    mo_catalog_collect(&catalog);
    assert_true(catalog.family_count > 0);
    const char *only = getenv("MOTE_TEST_METHOD");
    int called = 0;
    for (int f = 0; f < catalog.family_count; ++f) {
        assert_true(mo_family_count(catalog.families[f]) > 0);
        for (int m = 0; m < mo_family_count(catalog.families[f]); ++m) {
            const mo_descriptor *method = mo_family_at(catalog.families[f], m);
            if (has_location(catalog.families[f], method) &&
                (!only || strcmp(only, method->name) == 0)) {
                function(catalog.families[f], method);
                ++called;
            }
        }
    }
    assert_true(called > 0);
}

/* "pressure 'dfsph'", for messages. */
static inline const char *sample_name(const mo_family *family, const mo_descriptor *method)
{
    static char name[128];
    snprintf(name, sizeof name, "%s '%s'", family->name, method->name);
    return name;
}

static inline mote_world *sample_world(const mo_family *family, const mo_descriptor *method,
                                       int threads)
{
    mote_scene *scene = sample_scene(family, method);
    mote_world *world;
    mote_error error = {0};
    mote_config config = config_with(threads, NULL);
    need(mote_world_create(scene, &config, &world, &error), &error, sample_name(family, method));
    mote_scene_destroy(scene);
    return world;
}

#endif
