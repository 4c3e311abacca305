/*
 * A single body of a model: a mesh, the force, its arrays, and Jacobians as dense matrices.
 */
#ifndef TEST_MODEL_BODY_H
#define TEST_MODEL_BODY_H

#include "failing_allocator.h"
#include "geometry/generate/generate.h"
#include "material_cases.h"
#include "solid/model/model.h"

typedef struct model_body {
    failing_allocator allocator;
    mo_memory memory;
    mo_mesh mesh;
    mo_store *store;
    mo_force force;
    int64_t rows;
    double *x, *v, *mass, *f; /* one row more than there are */
} model_body;

/* ---- parameters ---- */

static inline void set_method(params *p, const char *name, mo_method method)
{
    memcpy(param_at(p, name, MO_METHOD, false), &method, sizeof method);
}

static inline void set_text(params *p, const char *name, const char *text)
{
    memcpy(param_at(p, name, MO_STRING, false), &text, sizeof text);
}

/* `material` must outlive p. */
static inline void make_fem(params *p, params *material, const mo_descriptor *type,
                            const char *triangles)
{
    clear_params_of(p, &mo_models, "fem");
    set_material_params(material, type);
    set_method(p, "material", method_of(material));
    set_text(p, "triangles", triangles);
    set_text(p, "mass", "lumped");
    set_real(p, "damping_mass", 0);
    set_real(p, "damping_stiffness", 0);
    set_real(p, "creep", 1e30);
    set_real(p, "plastic_max", 1e30);
}

static inline void make_elements(params *p, double length, double area, double volume,
                                 double damping)
{
    clear_params_of(p, &mo_models, "elements");
    set_real(p, "length", length);
    set_real(p, "area", area);
    set_real(p, "volume", volume);
    set_real(p, "damping_length", damping);
    set_real(p, "damping_area", area > 0 ? damping : 0);
    set_real(p, "damping_volume", volume > 0 ? damping : 0);
}

/* ---- meshes ---- */

static inline void build_mesh(mo_mesh *mesh, mo_memory *memory, const char *type, int nx, int ny,
                              int nz)
{
    static params p;
    mote_error error = {0};
    clear_params_of(&p, &mo_meshes, type);
    if (strcmp(type, "block") == 0) {
        set_vec3(&p, "min", mo_vec3_make(0, 0, 0));
        set_vec3(&p, "max", mo_vec3_make(1, 0.8, 0.6));
        set_int(&p, "nx", nx);
        set_int(&p, "ny", ny);
        set_int(&p, "nz", nz);
        set_int(&p, "tetrahedra", 5);
        set_bool(&p, "shear", false);
    } else {
        set_vec3(&p, "origin", mo_vec3_make(0, 0, 0));
        set_vec3(&p, "u", mo_vec3_make(1, 0, 0));
        set_vec3(&p, "v", mo_vec3_make(0, 0.7, 0));
        set_int(&p, "columns", nx);
        set_int(&p, "rows", ny);
        set_bool(&p, "shear", true);
        set_bool(&p, "bend", false);
    }
    if (mo_mesh_generate(method_of(&p), memory, mesh, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

static inline void open_body(model_body *b, const params *model, const char *mesh, int nx, int ny,
                             int nz)
{
    mote_error error = {0};
    const mo_model_type *type = (const mo_model_type *)model->type;
    b->memory = failing_memory(&b->allocator, -1);
    build_mesh(&b->mesh, &b->memory, mesh, nx, ny, nz);
    b->rows = b->mesh.node_count;
    int64_t first;
    assert_int_equal(mo_store_create(&b->memory, &b->store, NULL), MOTE_OK);
    assert_int_equal(mo_store_add(b->store, b->rows, &first, NULL), MOTE_OK);
    mo_force_context context = {.memory = &b->memory};
    assert_int_equal(mo_force_create(&type->force, NULL, &context, &b->force, NULL), MOTE_OK);
    if (type->add_body(b->force.instance, model->bytes, &b->mesh, 0, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
    if (type->attach) {
        assert_int_equal(type->attach(b->force.instance, b->store, NULL), MOTE_OK);
    }
    assert_int_equal(type->finish(&b->force, b->rows, NULL), MOTE_OK);
    size_t numbers = (size_t)(3 * b->rows + 3);
    b->x = calloc(numbers, sizeof(double));
    b->v = calloc(numbers, sizeof(double));
    b->f = calloc(numbers, sizeof(double));
    b->mass = calloc((size_t)b->rows, sizeof(double));
    memcpy(b->x, b->mesh.nodes, (size_t)(3 * b->rows) * sizeof(double));
    for (int64_t k = 0; k < b->rows; ++k) {
        b->mass[k] = 1 + 0.1 * (double)(k % 3);
    }
}

static inline void close_body(model_body *b)
{
    mo_force_destroy(&b->force, &b->memory);
    mo_store_destroy(b->store);
    mo_mesh_release(&b->mesh);
    free(b->x);
    free(b->v);
    free(b->f);
    free(b->mass);
    assert_all_given_back(&b->allocator, &b->memory);
}

/* ---- evaluation ---- */

static inline mo_force_args args_of(const model_body *b)
{
    return (mo_force_args){.rows = b->rows, .x = b->x, .v = b->v, .mass = b->mass, .f = b->f};
}

static inline void evaluate_forces(const model_body *b)
{
    mo_force_args args = args_of(b);
    memset(b->f, 0, (size_t)(3 * b->rows) * sizeof(double));
    for (int64_t first = 0; first < b->rows; first += MO_FORCE_GRAIN) {
        int64_t last = first + MO_FORCE_GRAIN < b->rows ? first + MO_FORCE_GRAIN : b->rows;
        b->force.type->add(b->force.instance, &args, first, last);
    }
}

static inline double total_energy(const model_body *b)
{
    mo_force_args args = args_of(b);
    double sum = 0;
    for (int64_t first = 0; first < b->rows; first += MO_FORCE_GRAIN) {
        int64_t last = first + MO_FORCE_GRAIN < b->rows ? first + MO_FORCE_GRAIN : b->rows;
        sum += b->force.type->energy(b->force.instance, &args, first, last);
    }
    return sum;
}

/* Displaces every node by at most `size` along each allowed axis. */
static inline void shake(model_body *b, double *what, double size, bool plane, uint64_t *random)
{
    for (int64_t k = 0; k < 3 * b->rows; ++k) {
        double by = random_between(random, -size, size);
        what[k] += plane && k % 3 == 2 ? 0 : by;
    }
}

#endif
