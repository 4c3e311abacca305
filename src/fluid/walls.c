#include "fluid/walls.h"

#include <string.h>

void mo_walls_init(mo_walls *walls, mo_memory *memory)
{
    *walls = (mo_walls){.memory = memory};
}

void mo_walls_release(mo_walls *w)
{
    void *const arrays[] = {w->pieces, w->rest, w->x, w->v, w->volume, w->place, w->velocity, w->slope};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k) {
        mo_release(w->memory, arrays[k]);
    }
}

static mote_status make_room(mo_walls *w, int64_t count, mote_error *error)
{
    MO_TRY(mo_make_room(w->memory, &w->pieces, &w->piece_capacity, w->piece_count + 1, sizeof *w->pieces,
                        error));
    MO_TRY(mo_make_room(w->memory, &w->rest, &w->rest_capacity, 3 * count, sizeof(double), error));
    MO_TRY(mo_make_room(w->memory, &w->x, &w->x_capacity, 3 * count + 1, sizeof(double), error));
    MO_TRY(mo_make_room(w->memory, &w->v, &w->v_capacity, 3 * count + 1, sizeof(double), error));
    return mo_make_room(w->memory, &w->volume, &w->volume_capacity, count, sizeof(double), error);
}

mote_status mo_walls_add(mo_walls *w, int collider, mo_method motion, int64_t count, const double *x,
                         mote_error *error)
{
    MO_TRY(make_room(w, w->count + count, error));
    memcpy(w->rest + 3 * w->count, x, (size_t)count * 3 * sizeof(double));
    memset(w->volume + w->count, 0, (size_t)count * sizeof(double));
    w->pieces[w->piece_count++] = (mo_wall_piece){w->count, count, collider, motion};
    w->count += count;
    w->moves = w->moves || motion.type;
    return MOTE_OK;
}

void mo_walls_move(mo_walls *w, double time)
{
    for (int p = 0; p < w->piece_count; ++p) {
        const mo_wall_piece *piece = &w->pieces[p];
        mo_pose pose = mo_motion_pose(piece->motion, time);
        for (int64_t k = piece->first; k < piece->first + piece->count; ++k) {
            mo_vec3 place = mo_pose_apply(&pose, mo_vec3_load(w->rest + 3 * k));
            mo_vec3_store(w->x + 3 * k, place);
            mo_vec3_store(w->v + 3 * k, mo_pose_velocity(&pose, place));
        }
    }
}
