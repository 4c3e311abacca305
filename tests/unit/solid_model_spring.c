/*
 * The spring model in limiting cases: one spring by hand, springs of zero length, and errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_allocator.h"
#include "numbers.h"
#include "set_param.h"
#include "solid/model/model.h"

extern const mo_model_type mo_model_spring;

static void make_spring(params *p, double k, double k_length)
{
    clear_params(p, &mo_model_spring.force.base);
    set_real(p, "k", k);
    set_real(p, "k_length", k_length);
    set_real(p, "shear", 1);
    set_real(p, "bend", 1);
    set_real(p, "damping_spring", 0);
    set_real(p, "damping_viscous", 0);
}

static const double ABSENT = NAN;

typedef struct fixture {
    failing_allocator allocator;
    mo_memory memory;
    mo_mesh mesh;
    mo_force force;
} fixture;

/* A line of `nodes` nodes at distance 2, each connected with the next. */
static void build_line(mo_mesh *mesh, mo_memory *memory, int64_t nodes)
{
    *mesh = (mo_mesh){.memory = memory};
    for (int64_t k = 0; k < nodes; ++k) {
        assert_int_equal(mo_mesh_add_node(mesh, mo_vec3_make(2 * (double)k, 0, 0), 1, NULL),
                         MOTE_OK);
    }
    for (int64_t k = 0; k + 1 < nodes; ++k) {
        assert_int_equal(mo_mesh_add_edge(mesh, k, k + 1, MO_EDGE_STRETCH, NULL), MOTE_OK);
    }
}

static void open_line(fixture *f, const params *p, int64_t nodes)
{
    f->memory = failing_memory(&f->allocator, -1);
    build_line(&f->mesh, &f->memory, nodes);
    mo_force_context context = {.memory = &f->memory};
    assert_int_equal(mo_force_create(&mo_model_spring.force, NULL, &context, &f->force, NULL),
                     MOTE_OK);
    assert_int_equal(mo_model_spring.add_body(f->force.instance, p->bytes, &f->mesh, 0, NULL),
                     MOTE_OK);
    assert_int_equal(mo_model_spring.finish(&f->force, nodes, NULL), MOTE_OK);
}

static void close_line(fixture *f)
{
    mo_force_destroy(&f->force, &f->memory);
    mo_mesh_release(&f->mesh);
    assert_all_given_back(&f->allocator, &f->memory);
}

/* Forces on the two ends of one spring from the origin to `x`, the second end moving with `v`. */
static void pull(const fixture *f, mo_vec3 x, mo_vec3 v, mo_vec3 force[2], double *energy)
{
    double positions[7] = {0}, speeds[7] = {0}; /* padding for wide loads */
    double mass[2] = {1, 1}, sum[6] = {0};
    mo_vec3_store(positions + 3, x);
    mo_vec3_store(speeds + 3, v);
    mo_force_args args = {.x = positions, .v = speeds, .mass = mass, .f = sum};
    f->force.type->add(f->force.instance, &args, 0, 2);
    *energy = f->force.type->energy(f->force.instance, &args, 0, 2);
    force[0] = mo_vec3_load(sum);
    force[1] = mo_vec3_load(sum + 3);
}

/* Rest length 2, stretched to 5 along (3, 4, 0): a strain of 3/2, an elongation of 3. */
static void one_spring_pulls_as_written(void **state)
{
    (void)state;
    const double k[][2] = {{10, ABSENT}, {ABSENT, 10}}, tension[] = {15, 30}, stored[] = {22.5, 45};
    for (int c = 0; c < 2; ++c) {
        params p;
        fixture f;
        mo_vec3 force[2], still = {0, 0, 0};
        double energy;
        make_spring(&p, k[c][0], k[c][1]);
        open_line(&f, &p, 2);
        pull(&f, mo_vec3_make(3, 4, 0), still, force, &energy);
        assert_near_vec3(force[0], mo_scale(tension[c], mo_vec3_make(0.6, 0.8, 0)), 1e-14);
        assert_near_vec3(force[1], mo_scale(-1, force[0]), 0);
        assert_near(energy, stored[c], 1e-14);
        pull(&f, mo_vec3_make(0, 0, -2), still, force, &energy); /* at rest */
        assert_near_vec3(force[0], still, 1e-15);
        assert_near(energy, 0, 1e-30);
        pull(&f, mo_vec3_make(0, 0, 1), still, force, &energy); /* compressed: repulsion */
        assert_true(force[0].z < 0 && force[1].z > 0);
        assert_true(f.force.type->elastic);
        close_line(&f);
    }
}

static void one_spring_is_damped_as_written(void **state)
{
    (void)state;
    params p;
    fixture f;
    mo_vec3 force[2], v = {5, 0, 7};
    double energy;
    make_spring(&p, 0, ABSENT);
    set_real(&p, "damping_spring", 2);
    open_line(&f, &p, 2);
    pull(&f, mo_vec3_make(3, 4, 0), v, force, &energy); /* 3 of v is along the spring */
    assert_near_vec3(force[0], mo_scale(6, mo_vec3_make(0.6, 0.8, 0)), 1e-14);
    assert_near_vec3(force[1], mo_scale(-1, force[0]), 0);
    close_line(&f);
    make_spring(&p, 0, ABSENT);
    set_real(&p, "damping_viscous", 2);
    open_line(&f, &p, 2);
    pull(&f, mo_vec3_make(3, 4, 0), v, force, &energy);
    assert_near_vec3(force[0], mo_scale(2, v), 1e-14);
    assert_near_vec3(force[1], mo_scale(-1, force[0]), 0);
    close_line(&f);
}

/* Its direction is undefined, but the force must be finite. */
static void a_spring_squeezed_to_a_point_stays_finite(void **state)
{
    (void)state;
    static const double sizes[] = {0, 0x1p-1074, 1e-300, 1e-200, 1e-150, 1e-100, 1e-20};
    params p;
    fixture f;
    make_spring(&p, 100, ABSENT);
    set_real(&p, "damping_spring", 3);
    set_real(&p, "damping_viscous", 1);
    open_line(&f, &p, 2);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        mo_vec3 force[2];
        double energy;
        pull(&f, mo_vec3_make(sizes[k], 0, 0), mo_vec3_make(1, 1, 0), force, &energy);
        /* bounded by the force of a spring of zero length and both dampings */
        assert_true(mo_length(force[0]) <= 100 + 4 * sqrt(2));
        assert_near(energy, 0.5 * 100 / 2 * 4, 1e-12);
    }
    close_line(&f);
}

static void one_of_the_stiffnesses_is_wanted(void **state)
{
    (void)state;
    params p;
    make_spring(&p, ABSENT, ABSENT);
    assert_refused(&p, "k_length");
    make_spring(&p, 1, 1);
    assert_refused(&p, "k_length");
    make_spring(&p, 0, ABSENT);
    assert_int_equal(check_params(&p, NULL), MOTE_OK);
    make_spring(&p, ABSENT, 0);
    assert_int_equal(check_params(&p, NULL), MOTE_OK);
}

static void assert_body_refused(const mo_mesh *mesh, mo_memory *memory, const char *word)
{
    params p;
    mo_force force;
    mo_force_context context = {.memory = memory};
    mote_error error = {0};
    make_spring(&p, 1, ABSENT);
    assert_int_equal(mo_force_create(&mo_model_spring.force, NULL, &context, &force, NULL),
                     MOTE_OK);
    assert_int_equal(mo_model_spring.add_body(force.instance, p.bytes, mesh, 0, &error),
                     MOTE_ERROR_INPUT);
    assert_non_null(strstr(error.text, word));
    mo_force_destroy(&force, memory);
}

static void meshes_without_edges_or_lengths_are_refused(void **state)
{
    (void)state;
    failing_allocator a;
    mo_memory memory = failing_memory(&a, -1);
    mo_mesh mesh;
    build_line(&mesh, &memory, 1);
    assert_body_refused(&mesh, &memory, "edges");
    mo_mesh_release(&mesh);
    build_line(&mesh, &memory, 4);
    mo_vec3_store(mesh.nodes + 3 * 2, mo_vec3_make(2, 0, 0)); /* on top of node 1 */
    assert_body_refused(&mesh, &memory, "length");
    mo_mesh_release(&mesh);
    assert_all_given_back(&a, &memory);
}

static mote_status make_force(mo_memory *memory, const mo_mesh *mesh, mo_force *force,
                              mote_error *error)
{
    params p;
    mo_force_context context = {.memory = memory};
    make_spring(&p, ABSENT, 5);
    MO_TRY(mo_force_create(&mo_model_spring.force, NULL, &context, force, error));
    mote_status status = MOTE_OK;
    for (int body = 0; body < 4 && status == MOTE_OK; ++body) {
        set_real(&p, "shear", 2 + body); /* more materials each time */
        set_real(&p, "bend", 10 + body);
        status = mo_model_spring.add_body(force->instance, p.bytes, mesh, body * mesh->node_count,
                                          error);
    }
    if (status == MOTE_OK) {
        status = mo_model_spring.finish(force, 4 * mesh->node_count, error);
    }
    if (status != MOTE_OK) {
        mo_force_destroy(force, memory);
    }
    return status;
}

static void without_memory_nothing_is_left_behind(void **state)
{
    (void)state;
    failing_allocator own, a;
    mo_memory elsewhere = failing_memory(&own, -1);
    mo_mesh mesh;
    build_line(&mesh, &elsewhere, 3000); /* several blocks */
    int64_t failures = 0;
    for (;; ++failures) {
        mo_memory memory = failing_memory(&a, failures);
        mo_force force;
        mote_error error = {0};
        mote_status status = make_force(&memory, &mesh, &force, &error);
        if (!has_failed(&a)) {
            assert_int_equal(status, MOTE_OK);
            mo_force_destroy(&force, &memory);
            assert_all_given_back(&a, &memory);
            break;
        }
        assert_int_equal(status, MOTE_ERROR_MEMORY);
        assert_int_equal(error.status, MOTE_ERROR_MEMORY);
        assert_all_given_back(&a, &memory);
    }
    assert_true(failures > 10);
    mo_mesh_release(&mesh);
    assert_all_given_back(&own, &elsewhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_spring_pulls_as_written),
        cmocka_unit_test(one_spring_is_damped_as_written),
        cmocka_unit_test(a_spring_squeezed_to_a_point_stays_finite),
        cmocka_unit_test(one_of_the_stiffnesses_is_wanted),
        cmocka_unit_test(meshes_without_edges_or_lengths_are_refused),
        cmocka_unit_test(without_memory_nothing_is_left_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
