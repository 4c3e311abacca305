/* Mass, centre of mass and inertia: closed forms of primitives, closed meshes, compounds and
 * particles, all to 1e-12. */
#include "test.h"

#include "base/memory.h"
#include "geometry/shape/facets.h"
#include "geometry/shape/shape.h"
#include "rigid/mass.h"
#include "set_param.h"

static const double PI = 3.14159265358979323846, ALLOWED = 1e-12;

static void near_to(double value, double expected, double scale)
{
    if (!(fabs(value - expected) <= ALLOWED * scale)) {
        fail_msg("%.17g is not %.17g", value, expected);
    }
}

static mo_mass_properties of_shape(const params *p, double density)
{
    mo_volume_moments moments;
    assert_true(mo_shape_moments(method_of(p), &moments));
    return mo_mass_of_solid(&moments, density);
}

/* Two parts that are one body: the parallel-axis theorem. */
static mo_mass_properties sum_of(const mo_mass_properties parts[2])
{
    double mass[2] = {parts[0].mass, parts[1].mass}, x[6];
    mo_vec3_store(x, parts[0].center);
    mo_vec3_store(x + 3, parts[1].center);
    mo_mass_properties out = mo_mass_of_particles(2, x, mass);
    for (int k = 0; k < 9; ++k) {
        out.inertia.m[k] += parts[0].inertia.m[k] + parts[1].inertia.m[k];
    }
    return out;
}

/* A solid of revolution about z: moments of inertia along the axis and across it. */
static void check_round(const params *p, double volume, mo_vec3 center, double along, double across)
{
    mo_mass_properties m = of_shape(p, 2);
    near_to(m.mass, 2 * volume, volume);
    for (int k = 0; k < 3; ++k) {
        near_to(mo_vec3_at(m.center, k), mo_vec3_at(center, k), 1);
    }
    for (int k = 0; k < 9; ++k) {
        double expected = k % 4 != 0 ? 0 : k == 8 ? along : across;
        near_to(m.inertia.m[k], 2 * expected, across + along);
    }
}

static void set_axis(params *p, const char *name, double radius)
{
    clear_params_of(p, &mo_shapes, name);
    set_vec3(p, "start", mo_vec3_make(1, 2, 3));
    set_vec3(p, "end", mo_vec3_make(1, 2, 5));
    set_real(p, "radius", radius);
}

static void primitives_have_their_closed_forms(void **state)
{
    params p;
    double r = 0.7, h = 2, ball = 4.0 / 3 * PI * r * r * r, tube = PI * r * r * h;
    (void)state;
    clear_params_of(&p, &mo_shapes, "sphere");
    set_vec3(&p, "center", mo_vec3_make(1, 2, 3));
    set_real(&p, "radius", r);
    check_round(&p, ball, mo_vec3_make(1, 2, 3), 0.4 * ball * r * r, 0.4 * ball * r * r);

    set_axis(&p, "cylinder", r);
    check_round(&p, tube, mo_vec3_make(1, 2, 4), 0.5 * tube * r * r,
                tube * (3 * r * r + h * h) / 12);

    set_axis(&p, "cone", r);
    set_real(&p, "end_radius", 0);
    double cone = tube / 3;
    check_round(&p, cone, mo_vec3_make(1, 2, 3.5), 0.3 * cone * r * r,
                cone * (0.15 * r * r + 3.0 / 80 * h * h));

    set_axis(&p, "capsule", r);
    check_round(&p, tube + ball, mo_vec3_make(1, 2, 4), 0.5 * tube * r * r + 0.4 * ball * r * r,
                tube * (h * h / 12 + r * r / 4) + ball * (0.4 * r * r + h * h / 4 + 0.375 * h * r));

    clear_params_of(&p, &mo_shapes, "torus");
    set_vec3(&p, "center", mo_vec3_make(1, 2, 3));
    set_vec3(&p, "axis", mo_vec3_make(0, 0, 2));
    set_real(&p, "radius", 2);
    set_real(&p, "tube", r);
    double ring = 2 * PI * PI * 2 * r * r;
    check_round(&p, ring, mo_vec3_make(1, 2, 3), ring * (4 + 0.75 * r * r),
                ring * (2 + 0.625 * r * r));
}

/* A truncated cone is the difference of two cones. */
static void a_truncated_cone_is_the_difference_of_two(void **state)
{
    params p;
    (void)state;
    mo_vec3 start = {0, 0, 0}, middle = {0, 0, 1.5}, end = {0, 0, 2};
    clear_params_of(&p, &mo_shapes, "cone");
    set_vec3(&p, "start", start);
    set_vec3(&p, "end", end);
    set_real(&p, "radius", 1);
    set_real(&p, "end_radius", 0);
    mo_mass_properties whole = of_shape(&p, 1);
    set_vec3(&p, "start", middle);
    set_real(&p, "radius", 0.25);
    mo_mass_properties parts[2] = {of_shape(&p, 1)};
    set_vec3(&p, "start", start);
    set_vec3(&p, "end", middle);
    set_real(&p, "radius", 1);
    set_real(&p, "end_radius", 0.25);
    parts[1] = of_shape(&p, 1);
    mo_mass_properties sum = sum_of(parts);
    near_to(sum.mass, whole.mass, whole.mass);
    near_to(sum.center.z, whole.center.z, 1);
    for (int k = 0; k < 9; ++k) {
        near_to(sum.inertia.m[k], whole.inertia.m[k], whole.inertia.m[0]);
    }
}

/* The triangles of a shape, which the moments of a mesh are summed over. */
static mo_mass_properties of_triangles(const params *p, mo_mat3 turn, mo_vec3 offset)
{
    mo_memory memory;
    mo_facets facets;
    mo_shape_region region = {.low = {-10, -10, -10}, .high = {10, 10, 10}, .edge = 1};
    mo_memory_init(&memory, NULL);
    mo_facets_init(&facets, &memory);
    assert_int_equal(mo_shape_facets(method_of(p), &region, &facets, NULL), MOTE_OK);
    for (int64_t k = 0; k < facets.vertices; ++k) {
        mo_vec3 x = mo_mat3_apply(turn, mo_vec3_load(facets.x + 3 * k));
        mo_vec3_store(facets.x + 3 * k, mo_add(x, offset));
    }
    mo_trimesh mesh = mo_facets_mesh(&facets);
    mo_volume_moments moments = mo_moments_of_mesh(&mesh);
    mo_facets_release(&facets);
    return mo_mass_of_solid(&moments, 1000);
}

static void a_closed_mesh_of_a_box_is_the_box(void **state)
{
    params p;
    (void)state;
    clear_params_of(&p, &mo_shapes, "box");
    set_vec3(&p, "min", mo_vec3_make(-0.3, -0.2, -0.1));
    set_vec3(&p, "max", mo_vec3_make(0.5, 0.4, 0.3));
    mo_mass_properties box = of_shape(&p, 1000);
    near_to(box.mass, 1000 * 0.8 * 0.6 * 0.4, box.mass);
    near_to(box.inertia.m[0], box.mass * (0.36 + 0.16) / 12, box.inertia.m[0]);
    near_to(box.inertia.m[4], box.mass * (0.64 + 0.16) / 12, box.inertia.m[4]);
    near_to(box.inertia.m[8], box.mass * (0.64 + 0.36) / 12, box.inertia.m[8]);
    mo_mat3 R = mo_quat_matrix(mo_quat_exponential(mo_vec3_make(0.3, -0.8, 1.1)));
    mo_vec3 offset = {1, -2, 0.5};
    mo_mass_properties mesh = of_triangles(&p, R, offset);
    mo_mat3 turned = mo_mat3_product(mo_mat3_product(R, box.inertia), mo_mat3_transpose(R));
    mo_vec3 center = mo_add(mo_mat3_apply(R, box.center), offset);
    near_to(mesh.mass, box.mass, box.mass);
    for (int k = 0; k < 9; ++k) {
        near_to(mesh.inertia.m[k], turned.m[k], box.inertia.m[8]);
        near_to(mo_vec3_at(mesh.center, k % 3), mo_vec3_at(center, k % 3), 1);
    }
    mo_principal_axes axes = mo_principal_axes_of(mesh.inertia);
    mo_mat3 V = mo_quat_matrix(axes.turn), D = {{0}};
    double most = 0;
    for (int k = 0; k < 3; ++k) {
        D.m[4 * k] = mo_vec3_at(axes.moments, k);
        most += D.m[4 * k];
    }
    mo_mat3 again = mo_mat3_product(mo_mat3_product(V, D), mo_mat3_transpose(V));
    near_to(most, box.inertia.m[0] + box.inertia.m[4] + box.inertia.m[8], most);
    for (int k = 0; k < 9; ++k) {
        near_to(again.m[k], mesh.inertia.m[k], most);
    }
}

static void an_aligned_box_keeps_its_frame(void **state)
{
    mo_mat3 inertia = {{3, 0, 0, 0, 1, 0, 0, 0, 2}};
    (void)state;
    mo_principal_axes axes = mo_principal_axes_of(inertia);
    assert_true(axes.turn.w == 1 && axes.turn.x == 0 && axes.turn.y == 0 && axes.turn.z == 0);
    assert_true(axes.moments.x == 3 && axes.moments.y == 1 && axes.moments.z == 2);
}

static void a_transform_scales_and_turns(void **state)
{
    params p;
    (void)state;
    clear_params_of(&p, &mo_shapes, "box");
    set_vec3(&p, "min", mo_vec3_make(0, 0, 0));
    set_vec3(&p, "max", mo_vec3_make(1, 2, 3));
    mo_volume_moments own, moved;
    mo_shape_moments(method_of(&p), &own);
    mo_mat3 quarter = {{0, -1, 0, 1, 0, 0, 0, 0, 1}};
    moved = mo_moments_moved(&own, 2, quarter, mo_vec3_make(5, 0, 0));
    near_to(moved.volume, 48, 48);
    near_to(moved.center.x, 5 - 2, 1);
    near_to(moved.center.y, 1, 1);
    near_to(moved.second.m[0], 48 * 16.0 / 12, 100);
    near_to(moved.second.m[4], 48 * 4.0 / 12, 100);
    near_to(moved.second.m[8], 48 * 36.0 / 12, 100);
}

/* Four particles in a plane and one above it, against the sums written out. */
static void particles_are_summed(void **state)
{
    static const double x[15] = {1, 0, 0, -1, 0, 0, 0, 2, 0, 0, -2, 0, 0, 0, 3},
                        mass[5] = {1, 1, 1, 1, 1};
    (void)state;
    mo_mass_properties m = mo_mass_of_particles(5, x, mass);
    double z = 3.0 / 5, zz = 4 * z * z + (3 - z) * (3 - z);
    near_to(m.mass, 5, 5);
    near_to(m.center.z, z, 1);
    near_to(m.inertia.m[0], 8 + zz, 10);
    near_to(m.inertia.m[4], 2 + zz, 10);
    near_to(m.inertia.m[8], 10, 10);
    near_to(m.inertia.m[1], 0, 1);
    mo_mass_properties heavy = mo_mass_scaled(&m, 50);
    near_to(heavy.inertia.m[8], 100, 100);
}

/* Two halves of a box are the box. */
static void a_compound_is_the_sum_of_its_parts(void **state)
{
    params p;
    mo_mass_properties halves[2];
    (void)state;
    clear_params_of(&p, &mo_shapes, "box");
    set_vec3(&p, "min", mo_vec3_make(100, 0, 0));
    set_vec3(&p, "max", mo_vec3_make(102, 1, 1));
    mo_mass_properties whole = of_shape(&p, 10);
    set_vec3(&p, "max", mo_vec3_make(100.5, 1, 1));
    halves[0] = of_shape(&p, 10);
    set_vec3(&p, "min", mo_vec3_make(100.5, 0, 0));
    set_vec3(&p, "max", mo_vec3_make(102, 1, 1));
    halves[1] = of_shape(&p, 10);
    mo_mass_properties sum = sum_of(halves);
    near_to(sum.center.x, 101, 100);
    for (int k = 0; k < 9; ++k) {
        near_to(sum.inertia.m[k], whole.inertia.m[k], whole.inertia.m[8]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(primitives_have_their_closed_forms),
        cmocka_unit_test(a_truncated_cone_is_the_difference_of_two),
        cmocka_unit_test(a_closed_mesh_of_a_box_is_the_box),
        cmocka_unit_test(an_aligned_box_keeps_its_frame),
        cmocka_unit_test(a_transform_scales_and_turns),
        cmocka_unit_test(particles_are_summed),
        cmocka_unit_test(a_compound_is_the_sum_of_its_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
