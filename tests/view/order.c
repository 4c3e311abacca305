/*
 * Depth order: every style of particle with every other kind of primitive, in both orders, with and
 * without lighting, in both projections. The particle is red, the other primitive is green.
 */
#include "view/stage.h"

enum { W = 120, H = 90 };

typedef enum other { BALL, BOX, SHEET, SURFACE, SPRING, PARTICLE, OTHERS } other;

static const char *const OTHER_NAMES[OTHERS] = {"ball",    "box",    "sheet",
                                                "surface", "spring", "particle"};

/* Rows: 0 the particle, 1 another particle (far away unless used), 2.. of the sheet, 5 and 6 of
 * the spring. */
typedef struct scene {
    double x[21], q[28], radius[7];
    float values[7], vertices[9];
    int32_t triangle[3], surface[3], spring[2];
    mo_solid solid;
    uint8_t map[768];
    mo_picture picture;
} scene;

static void set_position(scene *s, int row, double x, double y, double z)
{
    s->x[3 * row] = x;
    s->x[3 * row + 1] = y;
    s->x[3 * row + 2] = z;
}

static void make_scene(scene *s, mo_particle_style style, other what, double particle_z,
                       double other_z)
{
    static const double corners[3][2] = {{-3, -2}, {3, -2}, {0, 4}};
    *s = (scene){.triangle = {2, 3, 4}, .surface = {0, 1, 2}, .spring = {5, 6}};
    for (int row = 0; row < 7; ++row) {
        set_position(s, row, 0, 0, -40);
        s->q[4 * row] = 1;
        s->radius[row] = row < 2 ? 1.0 : 1e-6;
        s->values[row] = row == 0 ? 0 : 1;
    }
    /* an axis must pass through the centre of the picture */
    double shift = style == MO_PARTICLES_AXES ? -0.5 : 0;
    set_position(s, 0, shift, 0, particle_z);
    s->picture =
        (mo_picture){.count = 7, .x = s->x, .q = s->q, .radius = s->radius, .values = s->values};
    for (int k = 0; k < 3; ++k) {
        set_position(s, 2 + k, corners[k][0], corners[k][1], what == SHEET ? other_z : -40);
        s->vertices[3 * k] = (float)corners[k][0];
        s->vertices[3 * k + 1] = (float)corners[k][1];
        s->vertices[3 * k + 2] = (float)other_z;
    }
    s->solid = (mo_solid){what == BOX ? MO_SOLID_BOX : MO_SOLID_SPHERE,
                          {0, 0, other_z},
                          {1, 0, 0, 0},
                          {1, 1, 1},
                          false,
                          0};
    set_position(s, 5, -3, 0, what == SPRING ? other_z : -40);
    set_position(s, 6, 3, 0, what == SPRING ? other_z : -40);
    if (what == PARTICLE) {
        set_position(s, 1, shift, 0, other_z);
    } else if (what == SHEET) {
        s->picture.triangle_count = 1;
        s->picture.triangles = s->triangle;
    } else if (what == SURFACE) {
        s->picture.surface = (mo_surface_view){.vertex_count = 3,
                                               .triangle_count = 1,
                                               .vertices = s->vertices,
                                               .triangles = s->surface};
    } else if (what == SPRING) {
        s->picture.spring_count = 1;
        s->picture.springs = s->spring;
    } else {
        s->picture.solid_count = 1;
        s->picture.solids = &s->solid;
    }
    for (int k = 0; k < 256; ++k) {
        s->map[3 * k + (k < 128 ? 0 : 1)] = 230;
    }
}

static mo_look make_look(const scene *s, mo_particle_style style, bool lit)
{
    const float green[3] = {0.1f, 0.9f, 0.1f};
    mo_look look = plain_look();
    look.particles = style;
    look.lit = lit;
    look.map = s->map;
    look.line_width = 4;
    look.point_size = 30;
    look.glow = 1;
    for (int k = 0; k < 3; ++k) {
        look.solid_color[k] = look.triangle_color[k] = look.surface_color[k] =
            look.spring_color[k] = green[k];
    }
    look.light = mo_vec3_make(0.2, 0.3, 1);
    return look;
}

static mo_camera make_camera(bool parallel)
{
    return (mo_camera){
        .eye = {0, 0, 12}, .up = {0, 1, 0}, .angle = parallel ? 0 : 0.5, .height = 6};
}

/* Red minus green in the middle of the picture. */
static int redness(mo_particle_style style, other what, double particle_z, double other_z, bool lit,
                   bool parallel)
{
    scene s;
    make_scene(&s, style, what, particle_z, other_z);
    mo_look look = make_look(&s, style, lit);
    mo_camera camera = make_camera(parallel);
    stage_draw(&STAGE, &s.picture, &camera, &look, W, H);
    const uint8_t *p = pixel(&STAGE, W / 2, H / 2);
    return p[0] - p[1];
}

static void test_solid_styles(void **state)
{
    (void)state;
    for (int style = MO_PARTICLES_AXES; style < MO_PARTICLE_STYLES; ++style) {
        for (int what = 0; what < OTHERS; ++what) {
            bool hollow = style == MO_PARTICLES_WIRE_DISCS || style == MO_PARTICLES_WIRE_HEXAGONS;
            if (hollow || (style == MO_PARTICLES_AXES && what == PARTICLE)) {
                continue; /* no pixel in the middle; axes have fixed colours: see test_axes */
            }
            for (int k = 0; k < 4; ++k) {
                int near = redness(style, what, 2, -2, k & 1, k & 2),
                    far = redness(style, what, -2, 2, k & 1, k & 2);
                if (near < 40 || far > -40) {
                    fail_msg(
                        "%s and %s, lit %d, parallel %d: red - green is %d when nearer, %d when farther",
                        mo_particle_style_name(style), OTHER_NAMES[what], k & 1, k / 2, near, far);
                }
            }
        }
    }
}

/* Additive spots are visible over farther primitives, and not through nearer ones. */
static void test_light_styles(void **state)
{
    (void)state;
    for (int style = MO_PARTICLES_POINTS; style <= MO_PARTICLES_STARS; ++style) {
        for (int what = 0; what < PARTICLE; ++what) {
            int without = redness(style, what, 30, 0, false, true);
            int near = redness(style, what, 3, 0, false, true),
                far = redness(style, what, -3, 0, false, true);
            if (near < without + 80 || far != without) {
                fail_msg("%s and %s: red - green is %d without, %d when nearer, %d when farther",
                         mo_particle_style_name(style), OTHER_NAMES[what], without, near, far);
            }
        }
    }
}

/* Two spots at one position are twice as bright as one. */
static void test_light_adds_up(void **state)
{
    (void)state;
    double x[6] = {0}, light[2];
    mo_look look = plain_look();
    mo_camera camera = make_camera(true);
    look.point_size = 30;
    look.glow = 0.15;
    for (int style = MO_PARTICLES_POINTS; style <= MO_PARTICLES_STARS; ++style) {
        look.particles = style;
        for (int count = 1; count <= 2; ++count) {
            mo_picture picture = {.count = count, .x = x, .typical_radius = 1};
            stage_draw(&STAGE, &picture, &camera, &look, W, H);
            light[count - 1] = light_of(pixel(&STAGE, W / 2 + 4, H / 2)[1]);
        }
        assert_true(light[0] > 0.02);
        assert_close(light[1] / light[0], 2, 0.05, "twice the light");
    }
}

/* Of two particles rotated by a quarter, the nearer one's axis is visible at the crossing. */
static void test_axes(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned) {
        double x[] = {-0.5, 0, 2, 0, -0.5, -2}, q[8] = {1, 0, 0, 0, 1, 0, 0, 0};
        x[2] = turned ? -2 : 2;
        x[5] = turned ? 2 : -2;
        mo_picture picture = {.count = 2, .x = x, .q = q, .typical_radius = 1};
        mo_look look = plain_look();
        mo_camera camera = make_camera(true);
        look.particles = MO_PARTICLES_AXES;
        look.line_width = 4;
        stage_draw(&STAGE, &picture, &camera, &look, W, H);
        const uint8_t *p = pixel(&STAGE, W / 2, H / 2);
        /* the first one's x is red, the second one's y is green */
        assert_true(turned ? p[1] > 2 * p[0] : p[0] > 2 * p[1]);
    }
}

/* Other primitives among each other. */
static void test_lines_and_solids(void **state)
{
    (void)state;
    double x[] = {-3, 0, 2, 3, 0, 2};
    int32_t spring[] = {0, 1};
    mo_solid ball = {.kind = MO_SOLID_SPHERE, .turn = {1, 0, 0, 0}, .half = {1, 0, 0}};
    mo_picture picture = {.count = 2,
                          .x = x,
                          .spring_count = 1,
                          .springs = spring,
                          .solid_count = 1,
                          .solids = &ball};
    mo_look look = plain_look();
    mo_camera camera = make_camera(false);
    look.particles = MO_PARTICLES_NONE;
    look.line_width = 4;
    look.solid_color[0] = look.solid_color[2] = 0;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    assert_true(pixel(&STAGE, W / 2, H / 2)[0] > 200);
    x[2] = x[5] = -2;
    stage_draw(&STAGE, &picture, &camera, &look, W, H);
    assert_int_equal(pixel(&STAGE, W / 2, H / 2)[0], 0);
}

/* Occlusion culling, which starts with the 2001st particle, does not change the picture. */
static void test_buried(void **state)
{
    (void)state;
    enum { COUNT = 2001 };
    double *x = malloc(3 * COUNT * sizeof *x);
    float *values = malloc(COUNT * sizeof *values);
    uint64_t random = 11;
    for (int k = 0; k < 3 * COUNT; ++k) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        x[k] = 4 * ((double)(random >> 11) / 9007199254740992.0 - 0.5);
        values[k / 3] = (float)(k / 3 % 17) / 16;
    }
    x[3 * COUNT - 3] = x[3 * COUNT - 2] = x[3 * COUNT - 1] = 0; /* in the middle of all, hidden */
    mo_picture picture = {.x = x, .values = values, .typical_radius = 0.2};
    mo_look look = plain_look();
    look.occlusion = look.shadows = false;
    look.lit = true;
    uint8_t *before = malloc(4 * 400 * 300);
    for (int style = MO_PARTICLES_DISCS; style < MO_PARTICLE_STYLES; ++style) {
        for (int parallel = 0; parallel < 2; ++parallel) {
            mo_camera camera = make_camera(parallel);
            look.particles = style;
            if (style == MO_PARTICLES_SMOOTH_SPHERES) {
                continue; /* hidden particles are part of the density that shades the others */
            }
            /* discs do not occlude the middle */
            picture.count = COUNT - 1;
            stage_draw(&STAGE, &picture, &camera, &look, 400, 300);
            memcpy(before, STAGE.image.pixels, 4 * 400 * 300);
            picture.count = COUNT;
            stage_draw(&STAGE, &picture, &camera, &look, 400, 300);
            assert_memory_equal(before, STAGE.image.pixels, 4 * 400 * 300);
        }
    }
    free(before);
    free(values);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solid_styles),     cmocka_unit_test(test_light_styles),
        cmocka_unit_test(test_light_adds_up),    cmocka_unit_test(test_axes),
        cmocka_unit_test(test_lines_and_solids), cmocka_unit_test(test_buried)};
    STAGE_MAIN(tests);
}
