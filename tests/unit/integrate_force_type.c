/*
 * Every registered force and model: consistent hooks, and at random states -dE/dx = f, the Jacobian
 * against differences, and bounds of damping. Every listed method is tested; its parameters come
 * from its table, with all coefficients that are 0 by default set.
 */
#include "jacobian.h"

#include "method/sample.h"
#include "model_body.h"
#include "particle/force/field.h"
#include "scene/reader.h"

enum { GRID = 3, CAPACITY = 32 };

static const double COEFFICIENT = 0.3;

typedef struct fixture {
    failing_allocator allocator;
    mo_memory memory;
    mo_arena arena;
    double x[JACOBIAN_MAX + 3], v[JACOBIAN_MAX + 1], mass[JACOBIAN_ROWS_MAX];
    int64_t start[JACOBIAN_ROWS_MAX];
    int32_t count[JACOBIAN_ROWS_MAX], index[JACOBIAN_ROWS_MAX * CAPACITY];
    mo_pairs pairs;
    mo_force force;
    double size; /* of the distance between neighbours */
    jacobian_check check;
} fixture;

/* ---- a force of its own ---- */

typedef struct choice {
    mo_method method;
} choice;

/* The sample of a method, with damping and other parameters that are absent by default. */
static mo_method read_method(fixture *f, const mo_family *family, const mo_descriptor *type)
{
    const mo_param table[] = {{"method", MO_METHOD, MO_FIELD(choice, method), .required = true,
                               .family = family, .doc = "The method."},
                              {0}};
    const mo_section section = {"test", "A method.", sizeof(choice), .params = table};
    json_t *object = sample_method(type), *root = json_pack("{s:o}", "method", object);
    mo_read_source source = {"test.json", "", root};
    mote_error error = {0};
    choice chosen = {0};
    for (const mo_param *p = type->params; p->name; ++p) {
        bool absent = p->type == MO_REAL && !p->list && p->initial && strcmp(p->initial, "0") == 0;
        if (absent && !p->needs && !json_object_get(object, p->name)) {
            json_object_set_new(object, p->name, json_real(COEFFICIENT));
        }
    }
    if (mo_read_section(&source, root, &section, &f->arena, &chosen, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
    json_decref(root);
    return chosen.method;
}

static void start(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->memory = failing_memory(&f->allocator, -1);
    mo_arena_init(&f->arena, &f->memory);
    f->check.memory = &f->memory;
    f->check.force = &f->force;
}

/* Random positions about those of the state, random velocities, and lists of all pairs if there is
 * a range. */
static void shuffle(fixture *f, int64_t rows, uint64_t *random)
{
    for (int64_t k = 0; k < 3 * rows; ++k) {
        f->x[k] += random_between(random, -0.1, 0.1) * f->size;
        f->v[k] = random_between(random, -1, 1);
        f->mass[k / 3] = 1 + 0.1 * (double)(k % 7);
    }
    for (int64_t i = 0; i < rows; ++i) {
        f->start[i] = CAPACITY * i;
        for (int64_t j = 0; j < rows && rows < CAPACITY; ++j) {
            if (j != i) {
                f->index[CAPACITY * i + f->count[i]++] = (int32_t)j;
            }
        }
        for (int k = f->count[i]; k < CAPACITY; ++k) {
            f->index[CAPACITY * i + k] = (int32_t)i; /* wide loads read on */
        }
    }
    f->pairs = (mo_pairs){rows, f->x, NULL, f->start, f->count, f->index, rows};
    f->check.args = (mo_force_args){.rows = rows,
                                    .x = f->x,
                                    .v = f->v,
                                    .mass = f->mass,
                                    .pairs = f->force.range > 0 ? &f->pairs : NULL};
}

static void open_field(fixture *f, const mo_descriptor *type, uint64_t *random)
{
    start(f);
    mo_method method = read_method(f, &mo_fields, type);
    mo_force_context context = {.memory = &f->memory};
    assert_int_equal(mo_force_create((const mo_force_type *)method.type, method.params, &context,
                                     &f->force, NULL),
                     MOTE_OK);
    f->size = f->force.range > 0 ? 0.45 * f->force.range : 1;
    for (int k = 0; k < GRID * GRID * GRID; ++k) {
        mo_vec3_store(f->x + 3 * k,
                      mo_scale(f->size, mo_vec3_make(k % GRID, k / GRID % GRID, k / 9)));
    }
    shuffle(f, GRID * GRID * GRID, random);
}

static void open_model(fixture *f, const mo_descriptor *type, uint64_t *random)
{
    const mo_model_type *model = (const mo_model_type *)type;
    mo_mesh mesh;
    mote_error error = {0};
    start(f);
    mo_method method = read_method(f, &mo_models, type);
    mo_force_context context = {.memory = &f->memory};
    build_mesh(&mesh, &f->memory, "block", GRID, GRID, GRID);
    assert_true(mesh.node_count <= JACOBIAN_ROWS_MAX);
    assert_int_equal(mo_force_create(&model->force, NULL, &context, &f->force, NULL), MOTE_OK);
    if (model->add_body(f->force.instance, method.params, &mesh, 0, &error) != MOTE_OK ||
        model->finish(&f->force, mesh.node_count, &error) != MOTE_OK) {
        fail_msg("%s: %s", type->name, error.text);
    }
    memcpy(f->x, mesh.nodes, (size_t)(3 * mesh.node_count) * sizeof(double));
    f->size = 0.3;
    shuffle(f, mesh.node_count, random);
    mo_mesh_release(&mesh);
}

static void close_force(fixture *f)
{
    mo_force_destroy(&f->force, &f->memory);
    mo_arena_release(&f->arena);
    assert_all_given_back(&f->allocator, &f->memory);
}

/* ---- properties of descriptors ---- */

static void check_hooks(const mo_force_type *type)
{
    const mo_force_jacobian *j = type->jacobian;
    int columns = 0;
    assert_non_null(type->base.name);
    assert_non_null(type->add);
    assert_true(!type->elastic || type->energy);
    assert_true(!type->remap == !type->settle);
    while (type->base.columns && type->base.columns[columns].name) {
        ++columns;
    }
    assert_true(columns <= MO_FORCE_COLUMNS_MAX);
    if (j) {
        assert_true(j->derivatives != 0 && j->fill && j->multiply);
        assert_true(!(j->derivatives & MO_DF_DX) || type->stiffness);
        assert_true(!(j->derivatives & MO_DF_DV) || type->damping);
        assert_true(!(j->derivatives & MO_DF_DA) || type->inertia);
    }
    if (type->stress) {
        assert_non_null(type->stress->nodes);
    }
}

static double energy_moved(fixture *f, int64_t at, double by)
{
    const mo_force_type *type = f->force.type;
    double kept = f->x[at];
    f->x[at] = kept + by;
    if (type->prepare) {
        assert_int_equal(type->prepare(f->force.instance, &f->check.args, NULL, NULL), MOTE_OK);
    }
    double energy = type->energy(f->force.instance, &f->check.args, 0, f->check.args.rows);
    f->x[at] = kept;
    return energy;
}

/* f = -dE/dx without velocities. */
static void check_energy(fixture *f)
{
    static double force[JACOBIAN_MAX];
    double by = 1e-5 * f->size;
    int64_t n = 3 * f->check.args.rows;
    forces_moved(&f->check, false, 0, 0, force);
    double most = largest_of(force, n);
    assert_true(most > 0);
    for (int64_t k = 0; k < n; ++k) {
        double slope = (energy_moved(f, k, by) - energy_moved(f, k, -by)) / (2 * by);
        assert_true(fabs(slope + force[k]) <= 1e-6 * most);
    }
}

/* sums[row] is the sum of |df/dv| (df/dx without `speeds`) by differences. */
static void sum_derivatives(fixture *f, bool speeds, double *sums)
{
    static double up[JACOBIAN_MAX], down[JACOBIAN_MAX];
    double by = speeds ? 1e-4 : 1e-5 * f->size;
    int64_t n = 3 * f->check.args.rows;
    memset(sums, 0, (size_t)n * sizeof *sums);
    for (int64_t column = 0; column < n; ++column) {
        forces_moved(&f->check, speeds, column, by, up);
        forces_moved(&f->check, speeds, column, -by, down);
        for (int64_t row = 0; row < n; ++row) {
            sums[row] += fabs(up[row] - down[row]) / (2 * by);
        }
    }
}

/* A force that depends on velocities has a bound, which holds. */
static void check_damping(fixture *f)
{
    static double sums[JACOBIAN_MAX], bound[JACOBIAN_MAX];
    const mo_force_type *type = f->force.type;
    int64_t n = 3 * f->check.args.rows;
    sum_derivatives(f, true, sums);
    double most = largest_of(sums, n);
    assert_true(type->damping || most == 0);
    assert_int_equal((f->force.derivatives & MO_DF_DV) != 0, type->jacobian && most > 0);
    if (type->damping) {
        memset(bound, 0, sizeof bound);
        type->damping(f->force.instance, &f->check.args, 0, f->check.args.rows, bound);
        for (int64_t k = 0; k < n; ++k) {
            assert_true(sums[k] <= bound[k] + 1e-6 * most);
        }
    }
}

static void check_stiffness(fixture *f)
{
    static double sums[JACOBIAN_MAX];
    const mo_force_type *type = f->force.type;
    sum_derivatives(f, false, sums);
    double most = largest_of(sums, 3 * f->check.args.rows);
    assert_true(type->stiffness || most == 0);
    assert_int_equal((f->force.derivatives & MO_DF_DX) != 0, type->jacobian && most > 0);
}

static void check_force(fixture *f)
{
    print_message("%s\n", f->force.type->base.name);
    check_hooks(f->force.type);
    check_damping(f);
    if (f->force.derivatives & MO_DF_DV) {
        check_differences(&f->check, true, 1e-4, 1e-6);
    }
    memset(f->v, 0, sizeof f->v); /* damping that depends on positions is neglected in df/dx */
    check_stiffness(f);
    if (f->force.type->energy && !f->force.open) {
        check_energy(f);
    }
    if (f->force.derivatives & MO_DF_DX) {
        check_differences(&f->check, false, 1e-5 * f->size, 1e-6);
    }
}

/* ---- the registries ---- */

static void fields_keep_their_descriptors(void **state)
{
    static fixture f;
    uint64_t random = 1;
    (void)state;
    for (int k = 0; k < mo_fields.count; ++k) {
        const char *name = mo_fields.methods[k]->name;
        if (strcmp(name, "wind") == 0 || strcmp(name, "oriented") == 0 ||
            strcmp(name, "damping_rotation") == 0) {
            /* on triangles of a mesh (physics/wind), on orientations (unit/particle_oriented) */
            continue;
        }
        bool far = strcmp(mo_fields.methods[k]->name, "coulomb") == 0 ||
                   strcmp(mo_fields.methods[k]->name, "newton") == 0;
        if (far) {
            continue; /* evaluated by a pool before all rows; `mote validate long_range` checks */
        }
        open_field(&f, mo_fields.methods[k], &random);
        check_force(&f);
        close_force(&f);
    }
}

static void models_keep_their_descriptors(void **state)
{
    static fixture f;
    uint64_t random = 2;
    (void)state;
    for (int k = 0; k < mo_models.count; ++k) {
        open_model(&f, mo_models.methods[k], &random);
        check_force(&f);
        close_force(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_keep_their_descriptors),
        cmocka_unit_test(models_keep_their_descriptors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
