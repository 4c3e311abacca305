#include "view/picture/density_grid.h"

#include "view/picture/pick.h"

#include <math.h>
#include <string.h>

enum { LEAST_CELLS = 3 }; /* of a smoothing radius: fewer show the grid */

void mo_density_grid_release(mo_density_grid *grid)
{
    mo_release(grid->memory, grid->medium);
    mo_release(grid->memory, grid->light);
    *grid = (mo_density_grid){.memory = grid->memory};
}

/* ---- extent ---- */

static int64_t count_particles(const mo_picture *picture)
{
    return picture->count - picture->riders;
}

/* The position and drawn radius of a particle; false: it is not drawn. */
static bool find_particle(const mo_picture *picture, const mo_look *look, int64_t row, mo_vec3 *x,
                          double *radius)
{
    *x = mo_vec3_load(picture->x + 3 * row);
    *radius = mo_picture_radius(picture, look, row);
    bool left_out = picture->radius && picture->radius[row] < 0;
    return !left_out && isfinite(x->x + x->y + x->z) && *radius > 0;
}

/* Bounds of the particles, their number and their mean radius. */
typedef struct extent {
    mo_vec3 low, high;
    int64_t count;
    double radius;
} extent;

static extent find_extent(const mo_picture *picture, const mo_look *look)
{
    extent e = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0, 0};
    for (int64_t row = 0; row < count_particles(picture); ++row) {
        mo_vec3 x;
        double radius;
        if (find_particle(picture, look, row, &x, &radius)) {
            e.low = mo_vec3_make(fmin(e.low.x, x.x), fmin(e.low.y, x.y), fmin(e.low.z, x.z));
            e.high = mo_vec3_make(fmax(e.high.x, x.x), fmax(e.high.y, x.y), fmax(e.high.z, x.z));
            e.radius += radius;
            e.count += 1;
        }
    }
    e.radius /= e.count > 0 ? (double)e.count : 1;
    return e;
}

static int64_t count_cells(const mo_density_grid *grid)
{
    return (int64_t)grid->cells[0] * grid->cells[1] * grid->cells[2];
}

/* Cells of a third of the smoothing radius, or as coarse as `resolution` demands. */
static mote_status lay_out(mo_density_grid *grid, const extent *e, const mo_look *look,
                           mote_error *error)
{
    mo_vec3 size = mo_sub(e->high, e->low);
    double longest = fmax(size.x, fmax(size.y, size.z));
    double smoothing = look->volume.smoothing * e->radius;
    int most = look->volume.resolution;
    grid->cell = fmax(smoothing / LEAST_CELLS, (longest + 2 * smoothing) / most);
    double margin = fmax(smoothing, LEAST_CELLS * grid->cell) + grid->cell;
    grid->low = mo_sub(e->low, mo_vec3_make(margin, margin, margin));
    for (int k = 0; k < 3; ++k) {
        grid->cells[k] = (int)ceil((mo_vec3_at(size, k) + 2 * margin) / grid->cell);
    }
    int64_t cells = count_cells(grid);
    MO_TRY(mo_reserve(grid->memory, &grid->medium, &grid->texels, 4 * cells, sizeof(float), error));
    MO_TRY(mo_reserve(grid->memory, &grid->light, &grid->lit, cells, 1, error));
    memset(grid->medium, 0, (size_t)(4 * cells) * sizeof(float));
    return MOTE_OK;
}

/* ---- the medium ---- */

static float linear(float encoded)
{
    return encoded <= 0.04045f ? encoded / 12.92f : powf((encoded + 0.055f) / 1.055f, 2.4f);
}

/* The colour of a particle as it would have in the other styles. */
static void find_color(const mo_picture *picture, const mo_look *look, int64_t row, float color[3])
{
    const float *plain = look->color;
    float level[3] = {plain[0], plain[1], plain[2]};
    if (picture->paint && picture->paint[row]) {
        memcpy(level, picture->paints[picture->paint[row] - 1].color, sizeof level);
    } else if (picture->values && isnan(picture->values[row])) {
        memcpy(level, look->unknown_color, sizeof level);
    } else if (picture->values) {
        double width = look->map_max - look->map_min;
        double t = width != 0 ? (picture->values[row] - look->map_min) / width : 0.5;
        int at = (int)(255 * fmin(fmax(t, 0), 1) + 0.5);
        for (int k = 0; k < 3; ++k) {
            level[k] = look->map ? look->map[3 * at + k] / 255.0f : (float)at / 255.0f;
        }
    }
    for (int k = 0; k < 3; ++k) {
        color[k] = linear(level[k]);
    }
}

/* The cells within the smoothing radius along one axis. */
static void find_range(const mo_density_grid *grid, int axis, double at, double reach, int *first,
                       int *last)
{
    *first = (int)fmax(0, ceil((at - reach) / grid->cell - 0.5));
    *last = (int)fmin(grid->cells[axis] - 1, floor((at + reach) / grid->cell - 0.5));
}

/* Calls with `amount` 0 sum the weights; others add amount * weight * (color, 1). */
static double spread(mo_density_grid *grid, mo_vec3 at, double reach, double amount,
                     const float color[3])
{
    int first[3], last[3];
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        find_range(grid, k, mo_vec3_at(at, k), reach, &first[k], &last[k]);
    }
    for (int z = first[2]; z <= last[2]; ++z) {
        for (int y = first[1]; y <= last[1]; ++y) {
            double dz = (z + 0.5) * grid->cell - at.z, dy = (y + 0.5) * grid->cell - at.y;
            int64_t row = ((int64_t)z * grid->cells[1] + y) * grid->cells[0];
            for (int x = first[0]; x <= last[0]; ++x) {
                double dx = (x + 0.5) * grid->cell - at.x;
                double w = fmax(0, 1 - (dx * dx + dy * dy + dz * dz) / (reach * reach));
                float part = (float)(amount * w * w), *texel = grid->medium + 4 * (row + x);
                sum += w * w;
                texel[0] += part * color[0];
                texel[1] += part * color[1];
                texel[2] += part * color[2];
                texel[3] += part;
            }
        }
    }
    return sum;
}

static void add_particles(mo_density_grid *grid, const mo_picture *picture, const mo_look *look,
                          const extent *e)
{
    double volume = grid->cell * grid->cell * grid->cell;
    for (int64_t row = 0; row < count_particles(picture); ++row) {
        mo_vec3 x;
        double radius;
        if (!find_particle(picture, look, row, &x, &radius)) {
            continue;
        }
        float color[3];
        find_color(picture, look, row, color);
        mo_vec3 at = mo_sub(x, grid->low);
        double reach = fmax(look->volume.smoothing * radius, LEAST_CELLS * grid->cell);
        double weights = spread(grid, at, reach, 0, color);
        double filled = 4.0 / 3 * 3.14159265358979324 * radius * radius * radius / volume;
        spread(grid, at, reach, look->volume.opacity * filled / (2 * e->radius) / weights, color);
    }
}

/* ---- light ---- */

static double light_at(const mo_density_grid *grid, const int axes[3], int slice, double u,
                       double v)
{
    int n[2] = {grid->cells[axes[1]], grid->cells[axes[2]]};
    int i = (int)floor(u), j = (int)floor(v);
    double f = u - i, g = v - j, sum = 0;
    for (int corner = 0; corner < 4; ++corner) {
        int c[3], a = i + (corner & 1), b = j + (corner >> 1);
        double w = (corner & 1 ? f : 1 - f) * (corner >> 1 ? g : 1 - g);
        c[axes[0]] = slice;
        c[axes[1]] = a;
        c[axes[2]] = b;
        bool outside = a < 0 || b < 0 || a >= n[0] || b >= n[1];
        int64_t cell =
            outside ? 0 : ((int64_t)c[2] * grid->cells[1] + c[1]) * grid->cells[0] + c[0];
        sum +=
            w * (outside ? 255 : grid->light[cell] * exp(-grid->medium[4 * cell + 3] * grid->cell));
    }
    return sum;
}

/* Slices across the axis that is nearest to the light's direction, from the light's side: the
 * light of a cell is that of the previous slice where the ray to the light meets it, attenuated by
 * that slice. */
static void attenuate_light(mo_density_grid *grid, mo_vec3 light)
{
    int main = fabs(light.x) > fabs(light.y) ? 0 : 1;
    main = fabs(light.z) > fabs(mo_vec3_at(light, main)) ? 2 : main;
    const int axes[3] = {main, (main + 1) % 3, (main + 2) % 3};
    double along = mo_vec3_at(light, main);
    int step = along > 0 ? -1 : 1, start = along > 0 ? grid->cells[main] - 1 : 0;
    double du = mo_vec3_at(light, axes[1]) / fabs(along),
           dv = mo_vec3_at(light, axes[2]) / fabs(along);
    for (int k = 0; k < grid->cells[main]; ++k) {
        int c[3];
        c[main] = start + step * k;
        for (c[axes[1]] = 0; c[axes[1]] < grid->cells[axes[1]]; ++c[axes[1]]) {
            for (c[axes[2]] = 0; c[axes[2]] < grid->cells[axes[2]]; ++c[axes[2]]) {
                int64_t cell = ((int64_t)c[2] * grid->cells[1] + c[1]) * grid->cells[0] + c[0];
                double seen =
                    k == 0 ? 255
                           : light_at(grid, axes, c[main] - step, c[axes[1]] + du, c[axes[2]] + dv);
                grid->light[cell] = (uint8_t)lrint(seen);
            }
        }
    }
}

mote_status mo_density_grid_fill(mo_density_grid *grid, const mo_picture *picture,
                                 const mo_look *look, mo_vec3 light, mote_error *error)
{
    extent e = find_extent(picture, look);
    memset(grid->cells, 0, sizeof grid->cells);
    if (e.count == 0) {
        return MOTE_OK;
    }
    MO_TRY(lay_out(grid, &e, look, error));
    add_particles(grid, picture, look, &e);
    attenuate_light(grid, light);
    return MOTE_OK;
}
