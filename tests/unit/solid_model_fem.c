/*
 * Finite elements and scalar elements: patch test, momenta, energies, Jacobians, errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model_body.h"

static const char *const TRIANGLES[] = {"membrane", "plane_stress", "plane_strain"};

/* Every material on tetrahedra and on the triangles it takes, and scalar elements of all widths. */
static void for_every_model(void (*function)(const params *model, const char *mesh, bool plane,
                                             bool objective))
{
    static params model, material;
    for (int k = 0; k < mo_materials.count; ++k) {
        const mo_descriptor *type = mo_materials.methods[k];
        bool objective = type->capabilities & MO_MATERIAL_OBJECTIVE;
        make_fem(&model, &material, type, "membrane");
        function(&model, "block", false, objective);
        for (int t = 0; t < 3; ++t) {
            make_fem(&model, &material, type, TRIANGLES[t]);
            if (t > 0 || !((const mo_material_type *)type)->small) {
                function(&model, "cloth", t > 0, objective);
            }
        }
    }
    make_elements(&model, 3, 2, 4, 0);
    function(&model, "block", false, true);
    make_elements(&model, 0, 2, 0, 0);
    function(&model, "cloth", false, true);
}

/* ---- patch test ---- */

/* An affine deformation gives zero force on interior nodes. */
static void patch(const params *model, const char *mesh, bool plane, bool objective)
{
    model_body b;
    uint64_t random = 21;
    bool block = mesh[0] == 'b';
    (void)objective;
    if (strcmp(model->type->name, "elements") == 0) {
        return; /* they have no stress */
    }
    open_body(&b, model, mesh, 5, 4, 4);
    for (int round = 0; round < 10; ++round) {
        mo_mat3 a = random_deformation(&random, plane ? MO_PLANE : MO_SOLID, 0.3);
        for (int64_t k = 0; k < b.rows; ++k) {
            mo_vec3 position = mo_mat3_apply(a, mo_vec3_load(b.mesh.nodes + 3 * k));
            mo_vec3_store(b.x + 3 * k, position);
        }
        evaluate_forces(&b);
        double size = 0;
        for (int64_t k = 0; k < 3 * b.rows; ++k) {
            size = fmax(size, fabs(b.f[k]));
        }
        assert_true(size > 1e-5);
        for (int64_t k = 0; k < b.rows; ++k) {
            const double *p = b.mesh.nodes + 3 * k;
            bool inside = p[0] > 0.01 && p[0] < 0.99 && p[1] > 0.01 && p[1] < (block ? 0.79 : 0.69);
            inside = inside && (!block || (p[2] > 0.01 && p[2] < 0.59));
            if (inside) {
                assert_near_vec3(mo_vec3_load(b.f + 3 * k), mo_vec3_make(0, 0, 0),
                                 1e-12 * fmax(1, size));
            }
        }
    }
    close_body(&b);
}

static void affine_deformations_leave_the_inside_alone(void **state)
{
    (void)state;
    for_every_model(patch);
}

/* ---- momenta ---- */

static void check_momenta(const model_body *b, bool torque, double allowed)
{
    mo_vec3 sum = {0, 0, 0}, turn = {0, 0, 0};
    double size = 0;
    for (int64_t k = 0; k < b->rows; ++k) {
        mo_vec3 f = mo_vec3_load(b->f + 3 * k);
        sum = mo_add(sum, f);
        turn = mo_add(turn, mo_cross(mo_vec3_load(b->x + 3 * k), f));
        size += mo_length(f);
    }
    assert_true(size > 0);
    assert_near_vec3(sum, mo_vec3_make(0, 0, 0), allowed * size);
    if (torque) {
        assert_near_vec3(turn, mo_vec3_make(0, 0, 0), allowed * size);
    }
}

/* One cell: strongly deformed elements, including inverted ones. */
static void momenta(const params *model, const char *mesh, bool plane, bool objective)
{
    model_body b;
    uint64_t random = 22;
    open_body(&b, model, mesh, 2, 2, 2);
    for (int round = 0; round < 100; ++round) {
        memcpy(b.x, b.mesh.nodes, (size_t)(3 * b.rows) * sizeof(double));
        shake(&b, b.x, round % 2 ? 0.1 : 0.8, plane, &random);
        evaluate_forces(&b);
        check_momenta(&b, objective, 1e-11);
    }
    close_body(&b);
}

static void elements_exert_no_net_force_and_no_torque(void **state)
{
    (void)state;
    for_every_model(momenta);
}

static params *damped(const params *model)
{
    static params copy;
    copy = *model;
    if (strcmp(model->type->name, "fem") == 0) {
        set_real(&copy, "damping_stiffness", 0.7);
    } else {
        set_real(&copy, "damping_length",
                 *(double *)param_at(&copy, "length", MO_REAL, false) > 0 ? 0.3 : 0);
        set_real(&copy, "damping_area", 0.3);
        set_real(&copy, "damping_volume",
                 *(double *)param_at(&copy, "volume", MO_REAL, false) > 0 ? 0.3 : 0);
    }
    return &copy;
}

/* Stiffness damping dissipates and conserves linear and angular momentum. */
static void damping(const params *model, const char *mesh, bool plane, bool objective)
{
    model_body b, still;
    uint64_t random = 23;
    open_body(&b, damped(model), mesh, 3, 3, 3);
    open_body(&still, model, mesh, 3, 3, 3);
    for (int round = 0; round < 20; ++round) {
        memcpy(b.x, b.mesh.nodes, (size_t)(3 * b.rows) * sizeof(double));
        memset(b.v, 0, (size_t)(3 * b.rows) * sizeof(double));
        shake(&b, b.x, 0.08, plane, &random);
        shake(&b, b.v, 1, plane, &random);
        memcpy(still.x, b.x, (size_t)(3 * b.rows) * sizeof(double));
        evaluate_forces(&b);
        evaluate_forces(&still);
        double power = 0, size = 0;
        for (int64_t k = 0; k < 3 * b.rows; ++k) {
            double f = b.f[k] - still.f[k];
            power += f * b.v[k];
            size += fabs(f);
        }
        assert_true(size > 1e-6 && power < 0);
        check_momenta(&b, objective, 1e-12);
    }
    close_body(&b);
    close_body(&still);
}

static void stiffness_damping_dissipates_and_keeps_momenta(void **state)
{
    (void)state;
    for_every_model(damping);
}

/* ---- energy ---- */

static void forces_against_energy(const params *model, const char *mesh, bool plane, bool objective)
{
    model_body b;
    uint64_t random = 24;
    const double h = 1e-6;
    (void)objective;
    open_body(&b, model, mesh, 3, 3, 2);
    shake(&b, b.x, 0.05, plane, &random);
    evaluate_forces(&b);
    for (int64_t k = 0; k < 3 * b.rows; k += 5) {
        if (plane && k % 3 == 2) {
            continue;
        }
        double x = b.x[k];
        b.x[k] = x + h;
        double up = total_energy(&b);
        b.x[k] = x - h;
        double down = total_energy(&b);
        b.x[k] = x;
        assert_near(b.f[k], -(up - down) / (2 * h), 1e-8);
    }
    close_body(&b);
}

static void forces_are_the_slope_of_the_energy(void **state)
{
    (void)state;
    for_every_model(forces_against_energy);
}

/* ---- Jacobians ---- */

static void lay_out_matrix(model_body *b, mo_block_matrix *matrix)
{
    mo_block_pattern pattern = {0};
    mo_force_args args = args_of(b);
    mo_block_pattern_clear(&pattern, b->rows);
    *matrix = (mo_block_matrix){0};
    assert_int_equal(
        b->force.type->jacobian->couple(b->force.instance, &args, &b->memory, &pattern, NULL),
        MOTE_OK);
    assert_int_equal(mo_block_matrix_build(&b->memory, &pattern, matrix, NULL), MOTE_OK);
    assert_int_equal(b->force.type->jacobian->find_slots(b->force.instance, matrix, NULL), MOTE_OK);
    mo_block_pattern_release(&b->memory, &pattern);
}

/* y = (along_x K + along_v D) p by the matrix and by the product; leaves the matrix filled. */
static void multiply_both(model_body *b, mo_block_matrix *matrix, const mo_jacobian_ask *ask,
                          const double *p, double *filled, double *product)
{
    mo_force_args args = args_of(b);
    memset(matrix->value, 0, (size_t)(9 * matrix->blocks) * sizeof(double));
    memset(product, 0, (size_t)(3 * b->rows) * sizeof(double));
    for (int64_t first = 0; first < b->rows; first += MO_FORCE_GRAIN) {
        int64_t last = first + MO_FORCE_GRAIN < b->rows ? first + MO_FORCE_GRAIN : b->rows;
        b->force.type->jacobian->fill(b->force.instance, &args, ask, matrix, first, last);
        b->force.type->jacobian->multiply(b->force.instance, &args, ask, p, product, first, last);
    }
    mo_block_matrix_rows(matrix, p, filled, 0, b->rows);
}

static void jacobian(const params *model, const char *mesh, bool plane, bool objective)
{
    model_body b;
    mo_block_matrix matrix;
    uint64_t random = 25;
    const double h = 1e-6;
    (void)objective;
    open_body(&b, damped(model), mesh, 3, 3, 2);
    size_t bytes = (size_t)(3 * b.rows + 3) * sizeof(double);
    double *p = calloc(1, bytes), *filled = calloc(1, bytes), *product = calloc(1, bytes),
           *up = calloc(1, bytes);
    shake(&b, b.x, 0.03, plane, &random);
    shake(&b, p, 1, plane, &random);
    lay_out_matrix(&b, &matrix);
    for (int which = 0; which < 2; ++which) { /* df/dx, df/dv: against differences */
        mo_jacobian_ask ask = {.along_x = which == 0, .along_v = which == 1};
        double *what = which ? b.v : b.x;
        multiply_both(&b, &matrix, &ask, p, filled, product);
        for (int64_t k = 0; k < 3 * b.rows; ++k) {
            what[k] += h * p[k];
        }
        evaluate_forces(&b);
        memcpy(up, b.f, bytes);
        for (int64_t k = 0; k < 3 * b.rows; ++k) {
            what[k] -= 2 * h * p[k];
        }
        evaluate_forces(&b);
        for (int64_t k = 0; k < 3 * b.rows; ++k) {
            what[k] += h * p[k];
            assert_near(filled[k], (up[k] - b.f[k]) / (2 * h), 2e-7);
            assert_near(product[k], filled[k], 1e-12);
        }
    }
    for (int round = 0; round < 20;
         ++round) { /* semi-definite: p . A p <= 0, and its product is the matrix's */
        mo_jacobian_ask ask = {.along_x = 0.7, .along_v = 0.2, .definite = true};
        double sum = 0;
        shake(&b, b.x, 0.05, plane, &random);
        shake(&b, p, 1, plane, &random);
        multiply_both(&b, &matrix, &ask, p, filled, product);
        for (int64_t k = 0; k < 3 * b.rows; ++k) {
            sum += p[k] * filled[k];
            assert_near(product[k], filled[k], 1e-10);
        }
        assert_true(sum <= 1e-10);
    }
    mo_block_matrix_release(&b.memory, &matrix);
    close_body(&b);
    free(p);
    free(filled);
    free(product);
    free(up);
}

static void jacobians_are_the_slopes_of_forces(void **state)
{
    (void)state;
    for_every_model(jacobian);
}

/* ---- blocks of rows ---- */

/* 4,913 nodes in two blocks: elements across the border are computed by both. Compared with
 * single tetrahedra. */
static void elements_across_blocks_count_once(void **state)
{
    static params model, material;
    model_body b;
    mo_material m;
    uint64_t random = 26;
    const mo_descriptor *type = mo_family_find(&mo_materials, "corotated");
    (void)state;
    make_fem(&model, &material, type, "membrane");
    set_real(&model, "damping_mass", 0.3);
    open_body(&b, &model, "block", 17, 17, 17);
    assert_true(b.rows > MO_FORCE_GRAIN);
    shake(&b, b.x, 0.01, false, &random);
    shake(&b, b.v, 1, false, &random);
    evaluate_forces(&b);
    double *f = calloc((size_t)(3 * b.rows), sizeof(double)), energy = 0;
    assert_true(make_material(type, MO_SOLID, false, &m));
    for (int64_t e = 0; e < b.mesh.tetrahedron_count; ++e) {
        const int32_t *n = b.mesh.tetrahedra + 4 * e;
        mo_mat3 rest, now;
        for (int k = 0; k < 9; ++k) { /* columns are edges */
            rest.m[k] = b.mesh.nodes[3 * n[k % 3 + 1] + k / 3] - b.mesh.nodes[3 * n[0] + k / 3];
            now.m[k] = b.x[3 * n[k % 3 + 1] + k / 3] - b.x[3 * n[0] + k / 3];
        }
        mo_mat3 inverse = mo_mat3_inverse(rest), gradient = mo_mat3_product(now, inverse);
        double volume = mo_mat3_determinant(rest) / 6;
        mo_mat3 h = mo_mat3_product(stress_of(&m, gradient, NULL), mo_mat3_transpose(inverse));
        energy += volume * energy_of(&m, gradient, NULL);
        for (int k = 0; k < 9; ++k) {
            f[3 * n[k % 3 + 1] + k / 3] -= volume * h.m[k];
            f[3 * n[0] + k / 3] += volume * h.m[k];
        }
    }
    for (int64_t k = 0; k < 3 * b.rows; ++k) {
        assert_near(b.f[k], f[k] - 0.3 * b.mass[k / 3] * b.v[k], 1e-13);
    }
    assert_near(total_energy(&b), energy, 1e-12 * energy);
    free(f);
    close_body(&b);
}

/* Removed nodes remove their elements; the forces of the others are unchanged. */
static void removed_nodes_take_their_elements(void **state)
{
    static params model, material;
    model_body b, whole;
    uint64_t random = 27;
    (void)state;
    make_fem(&model, &material, mo_family_find(&mo_materials, "stvk"), "membrane");
    set_real(&model, "damping_mass", 0.5);
    open_body(&b, &model, "block", 18, 17, 17);
    open_body(&whole, &model, "block", 18, 17, 17);
    shake(&whole, whole.x, 0.01, false, &random);
    shake(&whole, whole.v, 1, false, &random);
    int64_t *map = calloc((size_t)b.rows, sizeof *map), left = 0;
    for (int64_t k = 0; k < b.rows; ++k) { /* half of the body goes: x below the middle */
        map[k] = whole.mesh.nodes[3 * k] < 0.5 ? -1 : left++;
        if (map[k] >= 0) {
            memcpy(b.x + 3 * map[k], whole.x + 3 * k, 3 * sizeof(double));
            memcpy(b.v + 3 * map[k], whole.v + 3 * k, 3 * sizeof(double));
            b.mass[map[k]] = whole.mass[k];
        }
    }
    assert_int_equal(b.force.type->remap(b.force.instance, map, left, NULL), MOTE_OK);
    b.force.type->settle(b.force.instance, map);
    int64_t all = b.rows;
    b.rows = left;
    evaluate_forces(&b);
    evaluate_forces(&whole);
    int far = 0;
    for (int64_t k = 0; k < all; ++k) {
        if (whole.mesh.nodes[3 * k] > 0.65) { /* no element is adjacent to removed ones */
            ++far;
            assert_near_vec3(mo_vec3_load(b.f + 3 * map[k]), mo_vec3_load(whole.f + 3 * k), 1e-13);
        }
    }
    assert_true(far > 1000);
    free(map);
    close_body(&b);
    close_body(&whole);
}

/* ---- plasticity ---- */

static void a_body_that_flows_keeps_its_shape(void **state)
{
    static params model, material;
    model_body b;
    (void)state;
    for (int k = 0; k < mo_materials.count; ++k) {
        const mo_descriptor *type = mo_materials.methods[k];
        if (!(type->capabilities & MO_MATERIAL_PLASTIC)) {
            make_fem(&model, &material, type, "membrane");
            set_real(&model, "yield", 0.1);
            assert_refused(&model, "does not support plasticity");
            continue;
        }
        make_fem(&model, &material, type, "membrane");
        set_real(&model, "yield", 0.05);
        set_real(&model, "creep", 100);
        set_real(&model, "plastic_max", 10);
        open_body(&b, &model, "block", 3, 3, 3);
        mo_force_args args = args_of(&b);
        mo_pool *pool;
        assert_int_equal(mo_pool_create(&b.memory, 1, &pool, NULL), MOTE_OK);
        for (int64_t n = 0; n < b.rows; ++n) {
            b.x[3 * n] *= 1.2;
        }
        double before = total_energy(&b);
        assert_int_equal(b.force.type->advance(b.force.instance, &args, 0.004, pool, NULL),
                         MOTE_OK);
        /* 0.4 of the strain is plastic: 0.6 of it remains, and the square of its energy */
        assert_near(total_energy(&b), 0.36 * before, 1e-12 * before);
        for (int n = 0; n < 20; ++n) { /* until the yield limit is reached */
            assert_int_equal(b.force.type->advance(b.force.instance, &args, 0.004, pool, NULL),
                             MOTE_OK);
        }
        double left = total_energy(&b);
        assert_true(left > 0 && left < 0.1 * before);
        assert_int_equal(b.force.type->advance(b.force.instance, &args, 0.004, pool, NULL),
                         MOTE_OK);
        assert_near(total_energy(&b), left, 0);
        mo_pool_destroy(pool);
        close_body(&b);
    }
}

/* ---- errors ---- */

static void refuse(const params *model, mo_mesh *mesh, const char *word)
{
    mo_force force;
    mo_force_context context = {.memory = mesh->memory};
    mote_error error = {0};
    const mo_model_type *type = (const mo_model_type *)model->type;
    assert_int_equal(mo_force_create(&type->force, NULL, &context, &force, NULL), MOTE_OK);
    assert_int_equal(type->add_body(force.instance, model->bytes, mesh, 0, &error),
                     MOTE_ERROR_INPUT);
    if (!strstr(error.text, word)) {
        fail_msg("'%s' does not speak of '%s'", error.text, word);
    }
    mo_force_destroy(&force, mesh->memory);
}

static void bad_meshes_are_refused_by_element(void **state)
{
    static params model, material;
    failing_allocator allocator;
    mo_memory memory = failing_memory(&allocator, -1);
    mo_mesh mesh;
    (void)state;
    make_fem(&model, &material, mo_family_find(&mo_materials, "corotated"), "membrane");
    build_mesh(&mesh, &memory, "block", 3, 3, 3);
    int32_t *t = mesh.tetrahedra + 4 * 7, swap = t[0];
    t[0] = t[1];
    t[1] = swap;
    refuse(&model, &mesh, "tetrahedron 7 ");
    refuse(&model, &mesh, "is inverted");
    t[1] = t[0];
    refuse(&model, &mesh, "no volume");
    mesh.tetrahedron_count = 0;
    refuse(&model, &mesh, "no tetrahedra");
    mo_mesh_release(&mesh);
    build_mesh(&mesh, &memory, "cloth", 3, 3, 1);
    make_fem(&model, &material, mo_family_find(&mo_materials, "linear"), "membrane");
    refuse(&model, &mesh, "linear");
    make_fem(&model, &material, mo_family_find(&mo_materials, "linear"), "plane_strain");
    mesh.nodes[3 * 4 + 2] = 0.1;
    refuse(&model, &mesh, "x-y plane");
    mo_mesh_release(&mesh);
    assert_all_given_back(&allocator, &memory);
}

/* Failing allocations: an error without leak. */
static void failing_allocations_leave_nothing_behind(void **state)
{
    static params model, material;
    (void)state;
    for (int which = 0; which < 2; ++which) {
        if (which == 0) {
            make_fem(&model, &material, mo_family_find(&mo_materials, "stvk"), "membrane");
            set_real(&model, "damping_mass", 1);
            set_real(&model, "yield", 0.1);
        } else {
            make_elements(&model, 1, 1, 1, 0);
        }
        const mo_model_type *type = (const mo_model_type *)model.type;
        for (int64_t allowed = 0;; ++allowed) {
            failing_allocator allocator, other;
            mo_memory memory = failing_memory(&allocator, allowed),
                      plenty = failing_memory(&other, -1);
            mo_mesh mesh;
            mo_store *store;
            int64_t first;
            mo_force force;
            mo_force_context context = {.memory = &memory};
            build_mesh(&mesh, &plenty, "block", 3, 3, 3);
            assert_int_equal(mo_store_create(&plenty, &store, NULL), MOTE_OK);
            assert_int_equal(mo_store_add(store, mesh.node_count, &first, NULL), MOTE_OK);
            mote_status status = mo_force_create(&type->force, NULL, &context, &force, NULL);
            bool created = status == MOTE_OK;
            if (created) {
                status = type->add_body(force.instance, model.bytes, &mesh, 0, NULL);
            }
            if (status == MOTE_OK && type->attach) {
                status = type->attach(force.instance, store, NULL);
            }
            if (status == MOTE_OK) {
                status = type->finish(&force, mesh.node_count, NULL);
            }
            mo_force_destroy(&force, &memory);
            mo_store_destroy(store);
            mo_mesh_release(&mesh);
            assert_all_given_back(&allocator, &memory);
            if (status == MOTE_OK) {
                assert_true(allowed > 5);
                break;
            }
            assert_int_equal(status, MOTE_ERROR_MEMORY);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affine_deformations_leave_the_inside_alone),
        cmocka_unit_test(elements_exert_no_net_force_and_no_torque),
        cmocka_unit_test(stiffness_damping_dissipates_and_keeps_momenta),
        cmocka_unit_test(forces_are_the_slope_of_the_energy),
        cmocka_unit_test(jacobians_are_the_slopes_of_forces),
        cmocka_unit_test(elements_across_blocks_count_once),
        cmocka_unit_test(removed_nodes_take_their_elements),
        cmocka_unit_test(a_body_that_flows_keeps_its_shape),
        cmocka_unit_test(bad_meshes_are_refused_by_element),
        cmocka_unit_test(failing_allocations_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
