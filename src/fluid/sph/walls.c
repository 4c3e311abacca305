#include "fluid/sph/walls.h"

#include <math.h>
#include <string.h>

/* With a hold of this W^4 stops particles that come alone; below it W^6 is taken. */
static const double FIRM_HOLD = 3;

void mo_walls_init(mo_walls *walls, mo_memory *memory)
{
    *walls = (mo_walls){.memory = memory};
}

void mo_walls_release(mo_walls *w)
{
    void *const arrays[] = {w->pieces,   w->rest,  w->x,    w->v,        w->volume, w->place,
                            w->velocity, w->slope, w->firm, w->collider, w->piece};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        mo_release(w->memory, arrays[k]);
    }
}

static mote_status make_room(mo_walls *w, int64_t count, mote_error *error)
{
    MO_TRY(mo_make_room(w->memory, &w->pieces, &w->piece_capacity, w->piece_count + 1, sizeof *w->pieces,
                        error));
    MO_TRY(mo_make_room(w->memory, &w->collider, &w->collider_capacity, count, sizeof(int32_t), error));
    MO_TRY(mo_make_room(w->memory, &w->piece, &w->sample_piece_capacity, count, sizeof(int32_t), error));
    MO_TRY(mo_make_room(w->memory, &w->rest, &w->rest_capacity, 3 * count, sizeof(double), error));
    MO_TRY(mo_make_room(w->memory, &w->x, &w->x_capacity, 3 * count + 1, sizeof(double), error));
    MO_TRY(mo_make_room(w->memory, &w->v, &w->v_capacity, 3 * count + 1, sizeof(double), error));
    return mo_make_room(w->memory, &w->volume, &w->volume_capacity, count, sizeof(double), error);
}

mote_status mo_walls_add(mo_walls *w, int collider, mo_method motion, int64_t count, const double *x,
                         mote_error *error)
{
    MO_TRY(make_room(w, w->count + count, error));
    if (count > 0) { /* none, and no array of them, of what is too far away */
        memcpy(w->rest + 3 * w->count, x, (size_t)count * 3 * sizeof(double));
        memset(w->volume + w->count, 0, (size_t)count * sizeof(double));
        for (int64_t k = 0; k < count; ++k) {
            w->collider[w->count + k] = collider;
            w->piece[w->count + k] = w->piece_count;
        }
    }
    w->pieces[w->piece_count++] = (mo_wall_piece){
        .first = w->count, .count = count, .collider = collider, .motion = motion, .body = -1};
    w->count += count;
    w->moves = w->moves || motion.type;
    return MOTE_OK;
}

/* Of a layer of samples, as lattices are, at some height: the sum of W^power, and how it changes with the height. */
typedef struct layer_sum {
    double value, change;
} layer_sum;

static layer_sum layer(const mo_kernel *kernel, int dimension, double spacing, int distance, int power)
{
    int reach = (int)(1 / spacing) + 1, deep = dimension == 3 ? reach : 0;
    double height = distance * spacing;
    layer_sum sum = {0};
    for (int a = -reach; a <= reach; ++a) {
        for (int b = -deep; b <= deep; ++b) {
            double q = spacing * sqrt(a * a + b * b + distance * distance), w = mo_kernel_w(kernel, q);
            sum.value += pow(w, power);
            sum.change += power * pow(w, power - 1) * mo_kernel_gradient(kernel, q) * height;
        }
    }
    return sum;
}

/* What a lattice has behind the wall, and twice its gradient, seen from the first layer of fluid; a sample's volume is 1. */
static layer_sum behind_wall(const mo_kernel *kernel, int dimension, double spacing, double volume)
{
    double cell = pow(spacing, dimension);
    layer_sum behind = {0};
    for (int k = 1; k * spacing < 1; ++k) {
        layer_sum more = layer(kernel, dimension, spacing, k, 1);
        behind.value += cell * more.value / volume;
        behind.change += 2 * cell * more.change / volume;
    }
    return behind;
}

/* Two equations for a and b: value and gradient of what is behind the wall. */
static mo_wall_firmness firmness_with(const mo_kernel *kernel, int dimension, double spacing, int power,
                                      layer_sum behind)
{
    layer_sum square = layer(kernel, dimension, spacing, 1, 2),
              core = layer(kernel, dimension, spacing, 1, power);
    if (!(square.value > 0)) {
        return (mo_wall_firmness){0};
    }
    double determinant = square.value * core.change - core.value * square.change, b = 0;
    if (power > 2 && determinant != 0) {
        b = fmax((square.value * behind.change - behind.value * square.change) / determinant, 0);
    }
    float a = (float)((behind.value - b * core.value) / square.value);
    return (mo_wall_firmness){a, power == 4 ? (float)b : 0, power == 6 ? (float)b : 0};
}

/* The density of a particle that is alone with a wall and on its very samples. */
static double hold(const mo_kernel *kernel, int dimension, double spacing, double volume,
                   mo_wall_firmness firm)
{
    return pow(spacing, dimension) * mo_kernel_w(kernel, 0) +
           volume * ((double)firm.square * layer(kernel, dimension, spacing, 0, 2).value +
                     (double)firm.fourth * layer(kernel, dimension, spacing, 0, 4).value +
                     (double)firm.sixth * layer(kernel, dimension, spacing, 0, 6).value);
}

mo_wall_firmness mo_walls_firmness(const mo_kernel *kernel, const mo_kernel *sampling, int dimension,
                                   double spacing, bool soft)
{
    double volume = 1 / layer(sampling, dimension, spacing, 0, 1).value;
    layer_sum behind = behind_wall(kernel, dimension, spacing, volume);
    mo_wall_firmness gentle = firmness_with(kernel, dimension, spacing, soft ? 2 : 4, behind);
    return soft || hold(kernel, dimension, spacing, volume, gentle) > FIRM_HOLD
               ? gentle
               : firmness_with(kernel, dimension, spacing, 6, behind);
}

double mo_walls_hold(const mo_kernel *kernel, int dimension, double spacing)
{
    return hold(kernel, dimension, spacing, 1 / layer(kernel, dimension, spacing, 0, 1).value,
                mo_walls_firmness(kernel, kernel, dimension, spacing, false));
}

mo_pose mo_walls_pose(const mo_walls *w, const mo_wall_piece *piece, double time, mo_vec3 *center)
{
    mo_pose pose = mo_motion_pose(piece->motion, time);
    *center = pose.p;
    if (piece->body >= 0) {
        w->responder->place(w->responder->context, piece->body, time, &pose, center);
    }
    return pose;
}

void mo_walls_move(mo_walls *w, double time)
{
    for (int p = 0; p < w->piece_count; ++p) {
        mo_wall_piece *piece = &w->pieces[p];
        mo_pose pose = mo_walls_pose(w, piece, time, &piece->center);
        for (int64_t k = piece->first; k < piece->first + piece->count; ++k) {
            mo_vec3 place = mo_pose_apply(&pose, mo_vec3_load(w->rest + 3 * k));
            mo_vec3_store(w->x + 3 * k, place);
            mo_vec3_store(w->v + 3 * k, mo_pose_velocity(&pose, place));
        }
    }
}
