/*
 * Tools on particles: control and the left button. A press takes the particle under the cursor and
 * those within REACH drawn radii; grab moves them with the cursor in the plane of the screen, push
 * adds the velocity of the drag, delete and heat act at once, add creates a particle in front of
 * the particle pressed, or in the plane of the target.
 */
#include "view/window/window.h"

#include "base/memory.h"
#include "view/picture/pick.h"

#include <math.h>
#include <stdlib.h>

static const double REACH = 3;    /* of the drawn radius */
static const double STRIDE = 4;   /* steps in which a grabbed particle reaches the cursor */
static const double WARMTH = 200; /* per click [K] */

static const char *const NAMES[MO_TOOLS] = {"grab", "push", "delete", "heat", "add"};

/* The named columns of the system that the tool acts on. */
typedef struct rows {
    int64_t count;
    const int64_t *id;
    double *x, *v, *temperature; /* temperature NULL: none */
    const double *inverse_mass;
} rows;

static rows rows_of(const mote_world *world, int system)
{
    mote_column x, v, id, temperature, inverse_mass;
    rows r = {0};
    if (mote_world_column_find(world, system, "x", &x) &&
        mote_world_column_find(world, system, "v", &v) &&
        mote_world_column_find(world, system, "id", &id) &&
        mote_world_column_find(world, system, "inverse_mass", &inverse_mass)) {
        bool warm = mote_world_column_find(world, system, "temperature", &temperature);
        r = (rows){x.rows,           id.data, x.data, v.data, warm ? temperature.data : NULL,
                   inverse_mass.data};
    }
    return r;
}

/* The taken particle with this id; NULL: none. Ids ascend. */
static const mo_taken *taken_of(const mo_tool_state *t, int64_t id)
{
    int64_t low = 0, high = t->count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        *(t->taken[middle].id < id ? &low : &high) = t->taken[middle].id < id ? middle + 1 : middle;
    }
    return low < t->count && t->taken[low].id == id ? &t->taken[low] : NULL;
}

static int compare_taken(const void *a, const void *b)
{
    int64_t left = ((const mo_taken *)a)->id, right = ((const mo_taken *)b)->id;
    return (left > right) - (left < right);
}

/* Takes the free particles within the reach of a position. */
static void take(mo_tool_state *t, const rows *r, mo_vec3 at, double reach)
{
    t->count = 0;
    mo_heap_release(t->taken);
    t->taken = mo_heap_allocate((size_t)r->count, sizeof *t->taken);
    for (int64_t row = 0; t->taken && row < r->count; ++row) {
        mo_vec3 d = mo_sub(mo_vec3_load(r->x + 3 * row), at);
        if (r->inverse_mass[row] > 0 && mo_dot(d, d) <= reach * reach) {
            t->taken[t->count++] = (mo_taken){r->id[row], d};
        }
    }
    if (t->count > 0) {
        qsort(t->taken, (size_t)t->count, sizeof *t->taken, compare_taken);
    }
}

/* The point under the cursor in the plane of the press. */
static mo_vec3 point_at(const mo_window *w, double x, double y)
{
    return mo_camera_unproject(&w->studio.camera, w->width, w->height, x, y, w->tool.depth);
}

static void changed(mo_window *w, mote_world *world)
{
    mote_world_invalidate(world, w->tool.system);
    mo_show_refresh(w->studio.show);
    mo_window_refresh(w);
}

/* ---- the tools ---- */

static void delete_taken(mo_window *w, mote_world *world, const rows *r)
{
    mote_error problem = {0};
    uint8_t *removed = mo_heap_allocate((size_t)r->count, 1);
    for (int64_t row = 0; removed && row < r->count; ++row) {
        removed[row] = taken_of(&w->tool, r->id[row]) != NULL;
    }
    mote_status status = removed && w->tool.count > 0
                             ? mote_world_remove(world, w->tool.system, removed, &problem)
                             : MOTE_OK;
    mo_heap_release(removed);
    if (status != MOTE_OK) {
        mo_window_message(w, "%.500s", problem.text);
        return;
    }
    w->picked = -1;
    changed(w, world);
    mo_window_message(w, "deleted %lld particles", (long long)w->tool.count);
}

static void heat_taken(mo_window *w, mote_world *world, const rows *r)
{
    if (!r->temperature) {
        mo_window_message(w, "particles have no temperature; the force 'heat' adds it");
        return;
    }
    for (int64_t row = 0; row < r->count; ++row) {
        r->temperature[row] += taken_of(&w->tool, r->id[row]) ? WARMTH : 0;
    }
    changed(w, world);
    mo_window_message(w, "heated %lld particles by %g K", (long long)w->tool.count, WARMTH);
}

static void add_particle(mo_window *w, mote_world *world, mo_vec3 at)
{
    mote_column mass, radius;
    mote_error problem = {0};
    double x[3], one = 1;
    mo_vec3_store(x, at);
    mote_particles p = {.count = 1, .x = x, .mass = &one};
    if (mote_world_rows(world, w->tool.system) > 0 &&
        mote_world_column_find(world, w->tool.system, "mass", &mass) &&
        mote_world_column_find(world, w->tool.system, "radius", &radius)) {
        p.mass = mass.data; /* as the first particle */
        p.radius = *(const double *)radius.data;
    }
    if (mote_world_add(world, &p, NULL, &problem) != MOTE_OK) {
        mo_window_message(w, "%.500s", problem.text);
        return;
    }
    changed(w, world);
    mo_window_message(w, "added a particle at %.6g %.6g %.6g", x[0], x[1], x[2]);
}

static void push_taken(mo_window *w, mote_world *world, const rows *r, mo_vec3 velocity)
{
    for (int64_t row = 0; row < r->count; ++row) {
        double *v = r->v + 3 * row;
        if (taken_of(&w->tool, r->id[row])) {
            mo_vec3_store(v, mo_add(mo_vec3_load(v), velocity));
        }
    }
    changed(w, world);
    mo_window_message(w, "pushed %lld particles by %.3g m/s", (long long)w->tool.count,
                      mo_length(velocity));
}

/* ---- events ---- */

void mo_window_next_tool(mo_window *w)
{
    w->tool.kind = (mo_tool)((w->tool.kind + 1) % MO_TOOLS);
    mo_window_message(w, "tool %s (control and the left button)", NAMES[w->tool.kind]);
}

/* The particle under the cursor determines system, reach and depth; without one the depth is that
 * of the target. Returns whether there is one. */
static bool aim(mo_window *w, double x, double y, mo_vec3 *at, double *reach)
{
    mo_studio *s = &w->studio;
    int64_t row, particle = mo_pick_particle(&s->maker.picture, &s->camera, &s->look, w->width,
                                             w->height, x, y, 4);
    const mo_part *part =
        particle >= 0 ? mo_picture_locate(mo_show_moment(s->show), particle, &row) : NULL;
    double px, py;
    *at = part ? mo_vec3_load(s->maker.picture.x + 3 * particle) : s->camera.target;
    *reach = part ? REACH * mo_picture_radius(&s->maker.picture, &s->look, particle) : 0;
    w->tool.system = part && part->system >= 0 ? part->system : 0;
    return mo_camera_project(&s->camera, w->width, w->height, *at, &px, &py, &w->tool.depth) &&
           part && part->system >= 0;
}

bool mo_window_tool_press(mo_window *w, double x, double y)
{
    mote_world *world = mo_show_world(w->studio.show);
    mo_vec3 at;
    double reach;
    if (!world) {
        mo_window_message(w, "tools act on running scenes only, not on stored results");
        return false;
    }
    bool found = aim(w, x, y, &at, &reach);
    if (w->tool.kind == MO_TOOL_ADD) {
        mo_ray ray = mo_camera_ray(&w->studio.camera, w->width, w->height, x, y);
        add_particle(w, world, mo_sub(point_at(w, x, y), mo_scale(reach, ray.along)));
        return false;
    }
    rows r = rows_of(world, w->tool.system);
    if (!found || r.count == 0) {
        mo_window_note(w, "no particle for the tool");
        return false;
    }
    take(&w->tool, &r, at, reach);
    if (w->tool.kind == MO_TOOL_DELETE) {
        delete_taken(w, world, &r);
    } else if (w->tool.kind == MO_TOOL_HEAT) {
        heat_taken(w, world, &r);
    } else {
        w->tool.active = true;
        w->tool.at = at;
        w->tool.from = w->tool.to = point_at(w, x, y);
        mo_window_note(w, "took %lld particles", (long long)w->tool.count);
    }
    return w->tool.active;
}

void mo_window_tool_move(mo_window *w, double x, double y)
{
    w->tool.to = point_at(w, x, y);
    w->dirty = true;
}

void mo_window_tool_release(mo_window *w)
{
    mote_world *world = mo_show_world(w->studio.show);
    w->tool.active = false;
    if (world && w->tool.kind == MO_TOOL_PUSH) {
        rows r = rows_of(world, w->tool.system);
        push_taken(w, world, &r, mo_sub(w->tool.to, w->tool.from));
    }
    mo_window_note(w, "released");
}

/* Grabbed particles approach the cursor within a few steps. */
void mo_window_tool_step(mo_window *w, mote_world *world)
{
    if (!w->tool.active || w->tool.kind != MO_TOOL_GRAB) {
        return;
    }
    rows r = rows_of(world, w->tool.system);
    double rate = 1 / (STRIDE * mote_world_step_size(world, NULL));
    mo_vec3 moved = mo_sub(w->tool.to, w->tool.from);
    for (int64_t row = 0; row < r.count && isfinite(rate); ++row) {
        const mo_taken *taken = taken_of(&w->tool, r.id[row]);
        if (taken) {
            mo_vec3 goal = mo_add(mo_add(w->tool.at, taken->offset), moved);
            mo_vec3_store(r.v + 3 * row, mo_scale(rate, mo_sub(goal, mo_vec3_load(r.x + 3 * row))));
        }
    }
    mote_world_invalidate(world, w->tool.system);
}

void mo_window_tool_close(mo_window *w)
{
    mo_heap_release(w->tool.taken);
    w->tool.taken = NULL;
}
