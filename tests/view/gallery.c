/*
 * Pictures of all styles for visual inspection: tests/pictures/gallery_*.png in the build folder.
 * Checked is that each is drawn without an error and differs from the background.
 */
#include "view/stage.h"

typedef struct cloud {
    int64_t count;
    double *x, *radius, *q;
    float *values;
} cloud;

static cloud make_cloud(int64_t count)
{
    return (cloud){count, calloc(3 * (size_t)count, sizeof(double)),
                   calloc((size_t)count, sizeof(double)), calloc(4 * (size_t)count, sizeof(double)),
                   calloc((size_t)count, sizeof(float))};
}

static void free_cloud(cloud *c)
{
    free(c->x);
    free(c->radius);
    free(c->q);
    free(c->values);
}

/* A colour map from dark violet over red and orange to pale yellow. */
static void fill_map(uint8_t *map)
{
    const double stops[5][3] = {
        {40, 20, 90}, {130, 30, 120}, {215, 65, 75}, {250, 150, 50}, {250, 240, 170}};
    for (int k = 0; k < 256; ++k) {
        double t = k / 255.0 * 4;
        int i = t < 3 ? (int)t : 3;
        for (int c = 0; c < 3; ++c) {
            map[3 * k + c] = (uint8_t)(stops[i][c] + (t - i) * (stops[i + 1][c] - stops[i][c]));
        }
    }
}

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static mo_quat random_turn(uint64_t *state)
{
    mo_quat q = {uniform(state) - 0.5, uniform(state) - 0.5, uniform(state) - 0.5,
                 uniform(state) - 0.5};
    return mo_quat_normalize(q);
}

static mo_camera camera_at(double x, double y, double z, const mo_picture *picture, double aspect)
{
    mo_camera camera = mo_camera_default();
    mo_vec3 low, high;
    camera.eye = mo_vec3_make(x, y, z);
    mo_picture_bounds(picture, &low, &high);
    mo_camera_frame(&camera, low, high, aspect, 0.06);
    return camera;
}

static void show(const mo_picture *picture, const mo_camera *camera, const mo_look *look,
                 const char *name)
{
    mo_look bare = *look;
    char title[64];
    mo_picture empty = {0};
    stage_draw(&STAGE, &empty, camera, &bare, 960, 640);
    size_t bytes = 4 * 960 * 640;
    uint8_t *background = malloc(bytes);
    memcpy(background, STAGE.image.pixels, bytes);
    stage_draw(&STAGE, picture, camera, look, 960, 640);
    snprintf(title, sizeof title, "gallery_%s", name);
    stage_save(&STAGE, title);
    int64_t changed = 0;
    for (size_t k = 0; k < bytes; k += 4) {
        changed += abs(background[k] - STAGE.image.pixels[k]) > 8;
    }
    free(background);
    assert_in_range(changed, 960 * 640 / 200, 960 * 640);
}

static mo_solid ground_at(double z)
{
    return (mo_solid){.kind = MO_SOLID_PLANE, .center = {0, 0, z}, .turn = mo_quat_identity()};
}

/* Drops balls one after another to the lowest position in a heap. */
static cloud make_pile(int64_t count, double radius)
{
    cloud c = make_cloud(count);
    uint64_t state = 7;
    for (int64_t i = 0; i < count; ++i) {
        double r = radius * (0.75 + 0.5 * uniform(&state));
        double best[3] = {0, 0, 1e9};
        for (int attempt = 0; attempt < 12; ++attempt) {
            double angle = 2 * PI * uniform(&state), away = 22 * radius * sqrt(uniform(&state)),
                   z = r;
            double x = away * cos(angle), y = away * sin(angle);
            for (int64_t j = 0; j < i; ++j) {
                double dx = x - c.x[3 * j], dy = y - c.x[3 * j + 1], sum = r + c.radius[j];
                double gap = sum * sum - dx * dx - dy * dy;
                z = gap > 0 ? fmax(z, c.x[3 * j + 2] + sqrt(gap)) : z;
            }
            /* a heap: higher in the middle */
            if (z + 0.7 * away < best[2] + 0.7 * hypot(best[0], best[1])) {
                best[0] = x, best[1] = y, best[2] = z;
            }
        }
        memcpy(c.x + 3 * i, best, sizeof best);
        c.radius[i] = r;
        c.values[i] = (float)best[2];
        mo_quat_store(c.q + 4 * i, random_turn(&state));
    }
    return c;
}

static void test_pile(void **state)
{
    (void)state;
    uint8_t map[768];
    cloud c = make_pile(2000, 0.05);
    mo_solid ground = ground_at(0);
    mo_picture picture = {.count = c.count,
                          .x = c.x,
                          .radius = c.radius,
                          .q = c.q,
                          .solid_count = 1,
                          .solids = &ground};
    mo_look look = mo_look_default();
    mo_camera camera = camera_at(0.6, -3, 1.3, &picture, 1.5);
    fill_map(map);
    show(&picture, &camera, &look, "pile");
    picture.values = c.values;
    look.map = map;
    look.map_max = 0.9;
    show(&picture, &camera, &look, "pile_values");
    look.particles = MO_PARTICLES_CUBES;
    show(&picture, &camera, &look, "cubes");
    look.particles = MO_PARTICLES_HEXAGONS;
    show(&picture, &camera, &look, "hexagons");
    look.particles = MO_PARTICLES_DISCS;
    show(&picture, &camera, &look, "discs");
    look.particles = MO_PARTICLES_AXES;
    show(&picture, &camera, &look, "axes");
    free_cloud(&c);
}

enum { N = 60 };

static void make_cloth(cloud *c, int32_t *triangles, int32_t *springs, int64_t *spring_count)
{
    for (int i = 0; i < N * N; ++i) {
        double u = (i % N) / (N - 1.0) * 2 - 1, v = (i / N) / (N - 1.0) * 2 - 1, r = hypot(u, v);
        double fold = 0.12 * cos(5 * atan2(v, u)) * fmax(r - 0.35, 0);
        double z = r < 0.45 ? sqrt(0.2051 - r * r * 0.98) : 0.0825 - 0.9 * (r - 0.45);
        c->x[3 * i] = u * (1 - 0.25 * r * r);
        c->x[3 * i + 1] = v * (1 - 0.25 * r * r);
        c->x[3 * i + 2] = 0.75 + z + fold;
        c->values[i] = (float)r;
    }
    *spring_count = 0;
    for (int j = 0; j < N; ++j) {
        for (int i = 0; i < N; ++i) {
            int32_t a = j * N + i;
            if (i + 1 < N) {
                springs[2 * *spring_count] = a;
                springs[2 * (*spring_count)++ + 1] = a + 1;
            }
            if (j + 1 < N) {
                springs[2 * *spring_count] = a;
                springs[2 * (*spring_count)++ + 1] = a + N;
            }
            if (i + 1 < N && j + 1 < N) {
                int32_t *t = triangles + 6 * (j * (N - 1) + i);
                t[0] = a, t[1] = a + 1, t[2] = a + N + 1;
                t[3] = a, t[4] = a + N + 1, t[5] = a + N;
            }
        }
    }
}

static void test_cloth(void **state)
{
    (void)state;
    cloud c = make_cloud(N * N);
    static int32_t triangles[6 * N * N], springs[4 * N * N];
    int64_t spring_count;
    make_cloth(&c, triangles, springs, &spring_count);
    mo_solid solids[] = {ground_at(0),
                         {.kind = MO_SOLID_SPHERE,
                          .center = {0, 0, 0.72},
                          .turn = {1, 0, 0, 0},
                          .half = {0.41, 0, 0}},
                         {.kind = MO_SOLID_BOX,
                          .center = {0.95, -0.75, 0.15},
                          .turn = mo_quat_turn(mo_vec3_make(0, 0, 1), 0.4),
                          .half = {0.15, 0.25, 0.15}}};
    mo_picture picture = {.count = c.count,
                          .x = c.x,
                          .triangle_count = 2 * (N - 1) * (N - 1),
                          .triangles = triangles,
                          .typical_radius = 0.012,
                          .solid_count = 3,
                          .solids = solids};
    mo_look look = mo_look_default();
    mo_camera camera = camera_at(1, -3, 1.6, &picture, 1.5);
    look.particles = MO_PARTICLES_NONE;
    show(&picture, &camera, &look, "cloth_smooth");
    look.triangles = MO_MESH_FLAT;
    show(&picture, &camera, &look, "cloth_flat");
    look.triangles = MO_MESH_SMOOTH;
    look.edges = true;
    show(&picture, &camera, &look, "cloth_edges");
    look.triangles = MO_MESH_WIRE;
    show(&picture, &camera, &look, "cloth_wire");
    picture.springs = springs;
    picture.spring_count = spring_count;
    look.triangles = MO_MESH_NONE;
    look.particles = MO_PARTICLES_SPHERES;
    show(&picture, &camera, &look, "springs");
    free_cloud(&c);
}

static void test_lights(void **state)
{
    (void)state;
    uint8_t map[768];
    cloud c = make_cloud(30000);
    uint64_t random = 3;
    for (int64_t i = 0; i < c.count; ++i) {
        double away = 0.05 + uniform(&random), angle = 5 * log(away) + PI * (double)(i % 2);
        angle += 0.5 * (uniform(&random) + uniform(&random) - 1);
        c.x[3 * i] = away * cos(angle);
        c.x[3 * i + 1] = away * sin(angle);
        c.x[3 * i + 2] = 0.05 * (uniform(&random) + uniform(&random) - 1);
        c.values[i] = (float)(1 - away);
    }
    mo_picture picture = {.count = c.count, .x = c.x, .values = c.values, .typical_radius = 0.01};
    mo_look look = mo_look_default();
    mo_camera camera = camera_at(0, -3, 2, &picture, 1.5);
    fill_map(map);
    look.map = map;
    look.particles = MO_PARTICLES_POINTS;
    look.glow = 0.3;
    memcpy(look.background_top, (float[]){0.01f, 0.01f, 0.03f}, sizeof look.background_top);
    memcpy(look.background_bottom, (float[]){0.03f, 0.03f, 0.07f}, sizeof look.background_bottom);
    show(&picture, &camera, &look, "points");
    picture.count = 1500;
    look.particles = MO_PARTICLES_STARS;
    look.point_size = 9;
    show(&picture, &camera, &look, "stars");
    free_cloud(&c);
}

static void test_tank(void **state)
{
    (void)state;
    cloud c = make_cloud(20 * 14 * 9);
    uint64_t random = 5;
    for (int64_t i = 0; i < c.count; ++i) {
        double x = (double)(i % 20), y = (double)(i / 20 % 14), z = (double)(i / 280);
        c.x[3 * i] = -0.95 + 0.08 * (x + 0.25 * uniform(&random));
        c.x[3 * i + 1] = -0.54 + 0.08 * (y + 0.25 * uniform(&random));
        c.x[3 * i + 2] = 0.05 + 0.07 * (z + 0.2 * uniform(&random)) * (1 - 0.02 * x);
        c.values[i] = (float)(x / 20);
    }
    mo_solid solids[] = {ground_at(0),
                         {.kind = MO_SOLID_BOX,
                          .center = {0, 0, 0.5},
                          .turn = {1, 0, 0, 0},
                          .half = {1, 0.6, 0.5},
                          .inside = true},
                         {.kind = MO_SOLID_SPHERE,
                          .center = {1.7, 0.2, 0.45},
                          .turn = {1, 0, 0, 0},
                          .half = {0.45, 0, 0},
                          .inside = true}};
    mo_picture picture = {
        .count = c.count, .x = c.x, .typical_radius = 0.045, .solid_count = 3, .solids = solids};
    mo_look look = mo_look_default();
    memcpy(look.color, (float[]){0.25f, 0.55f, 0.85f}, sizeof look.color);
    mo_camera camera = camera_at(1.2, -3, 1.5, &picture, 1.5);
    show(&picture, &camera, &look, "tank");
    free_cloud(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pile), cmocka_unit_test(test_cloth),
                                       cmocka_unit_test(test_lights), cmocka_unit_test(test_tank)};
    STAGE_MAIN(tests);
}
