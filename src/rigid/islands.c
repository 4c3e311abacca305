/* Islands by union and find. */
#include "rigid/islands.h"

#include <string.h>

void mo_rigid_islands_release(mo_rigid_islands *islands)
{
    mo_rigid_lists *lists[] = {&islands->bodies, &islands->contacts, &islands->joints};
    for (int k = 0; k < 3; ++k) {
        mo_release(islands->memory, lists[k]->item);
        mo_release(islands->memory, lists[k]->start);
    }
    mo_release(islands->memory, islands->island);
}

static int32_t root_of(int32_t *parent, int32_t body)
{
    while (parent[body] != body) {
        parent[body] = parent[parent[body]];
        body = parent[body];
    }
    return body;
}

/* The root of a set is its first body. */
static void unite(int32_t *parent, const mo_rigid_motion *motion, const int32_t body[2])
{
    if (mo_rigid_movable(&motion->bodies, body[0]) && mo_rigid_movable(&motion->bodies, body[1])) {
        int32_t a = root_of(parent, body[0]), b = root_of(parent, body[1]);
        parent[a > b ? a : b] = a > b ? b : a;
    }
}

/* The island of a constraint: that of a movable body. */
static int32_t island_of(const mo_rigid_islands *islands, const mo_rigid_motion *motion,
                         const int32_t body[2])
{
    return islands->island[mo_rigid_movable(&motion->bodies, body[0]) ? body[0] : body[1]];
}

static mote_status size_list(mo_rigid_islands *islands, mo_rigid_lists *lists, int64_t items,
                             mote_error *error)
{
    mote_status status = mo_reserve(islands->memory, &lists->item, &lists->item_capacity, items,
                                    sizeof *lists->item, error);
    if (!status) {
        status = mo_reserve(islands->memory, &lists->start, &lists->start_capacity,
                            islands->count + 2, sizeof *lists->start, error);
    }
    if (!status) {
        memset(lists->start, 0, (size_t)(islands->count + 2) * sizeof *lists->start);
    }
    return status;
}

mote_status mo_rigid_islands_reserve(mo_rigid_islands *islands, int64_t bodies, int64_t contacts,
                                     mote_error *error)
{
    islands->count = bodies;
    mote_status status = size_list(islands, &islands->bodies, bodies, error);
    if (!status) {
        status = size_list(islands, &islands->contacts, contacts, error);
    }
    return status ? status : size_list(islands, &islands->joints, 1, error);
}

/* Counts of start[k + 2] become beginnings of the lists at start[k + 1]; each item put into its
 * list then moves it to the end. */
static void sum_counts(mo_rigid_lists *lists, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        lists->start[k + 2] += lists->start[k + 1];
    }
}

static void put(mo_rigid_lists *lists, int32_t island, int64_t item)
{
    lists->item[lists->start[island + 1]++] = (int32_t)item;
}

static void list_bodies(mo_rigid_islands *islands, const mo_rigid_motion *motion)
{
    for (int64_t row = 0; row < motion->bodies.count; ++row) {
        if (motion->active[row]) {
            ++islands->bodies.start[islands->island[row] + 2];
        }
    }
    sum_counts(&islands->bodies, islands->count);
    for (int64_t row = 0; row < motion->bodies.count; ++row) {
        if (motion->active[row]) {
            put(&islands->bodies, islands->island[row], row);
        }
    }
}

static void list_contacts(mo_rigid_islands *islands, const mo_rigid_motion *motion,
                          const mo_rigid_contact *contacts, int64_t count, const uint8_t *use)
{
    for (int64_t k = 0; k < count; ++k) {
        if (use[k]) {
            ++islands->contacts.start[island_of(islands, motion, contacts[k].body) + 2];
        }
    }
    sum_counts(&islands->contacts, islands->count);
    for (int64_t k = 0; k < count; ++k) {
        if (use[k]) {
            put(&islands->contacts, island_of(islands, motion, contacts[k].body), k);
        }
    }
}

static bool connects(const mo_rigid_motion *motion, const int32_t body[2])
{
    return mo_rigid_movable(&motion->bodies, body[0]) || mo_rigid_movable(&motion->bodies, body[1]);
}

static void list_joints(mo_rigid_islands *islands, const mo_rigid_motion *motion,
                        const mo_rigid_joint *joints, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        if (connects(motion, joints[k].body)) {
            ++islands->joints.start[island_of(islands, motion, joints[k].body) + 2];
        }
    }
    sum_counts(&islands->joints, islands->count);
    for (int64_t k = 0; k < count; ++k) {
        if (connects(motion, joints[k].body)) {
            put(&islands->joints, island_of(islands, motion, joints[k].body), k);
        }
    }
}

mote_status mo_rigid_islands_find(mo_rigid_islands *islands, const mo_rigid_motion *motion,
                                  const mo_rigid_contact *contacts, int64_t contact_count,
                                  const uint8_t *use, const mo_rigid_joint *joints,
                                  int64_t joint_count, mote_error *error)
{
    int64_t rows = motion->bodies.count;
    mote_status status = mo_reserve(islands->memory, &islands->island, &islands->island_capacity,
                                    rows, sizeof *islands->island, error);
    if (status) {
        return status;
    }
    int32_t *parent = islands->island;
    for (int64_t row = 0; row < rows; ++row) {
        parent[row] = (int32_t)row;
    }
    for (int64_t k = 0; k < contact_count; ++k) {
        if (use[k]) {
            unite(parent, motion, contacts[k].body);
        }
    }
    for (int64_t k = 0; k < joint_count; ++k) {
        unite(parent, motion, joints[k].body);
    }
    /* a root comes before the other bodies of its set: its number replaces it, as a negative one */
    islands->count = 0;
    for (int64_t row = 0; row < rows; ++row) {
        int32_t root = parent[row];
        if (root == row) {
            parent[row] = motion->active[row] ? -2 - (int32_t)islands->count++ : -1;
        } else {
            while (root >= 0) {
                root = parent[root];
            }
            parent[row] = root;
        }
    }
    for (int64_t row = 0; row < rows; ++row) {
        islands->island[row] = parent[row] < -1 ? -2 - parent[row] : -1;
    }
    status = size_list(islands, &islands->bodies, rows, error);
    if (!status) {
        status = size_list(islands, &islands->contacts, contact_count, error);
    }
    if (!status) {
        status = size_list(islands, &islands->joints, joint_count, error);
    }
    if (!status) {
        list_bodies(islands, motion);
        list_contacts(islands, motion, contacts, contact_count, use);
        list_joints(islands, motion, joints, joint_count);
    }
    return status;
}
