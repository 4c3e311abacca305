/* The public views of a world: systems, columns, bodies, stages, warnings. */
#include "world/world.h"

#include "host/skin.h"

#include <string.h>

double mote_world_time(const mote_world *world)
{
    MO_NEED_OR(world, 0);
    return world->clock.time;
}

int64_t mote_world_steps(const mote_world *world)
{
    MO_NEED_OR(world, 0);
    return world->clock.steps;
}

int mote_world_warning_count(const mote_world *world)
{
    MO_NEED_OR(world, 0);
    return world->warnings.count;
}

mote_warning mote_world_warning(const mote_world *world, int index)
{
    MO_NEED_OR(world, (mote_warning){"", 0, 0});
    if (index < 0 || index >= world->warnings.count) {
        return (mote_warning){"", 0, 0};
    }
    return (mote_warning){world->warnings.list[index].text, world->warnings.list[index].times,
                          world->warnings.list[index].first_time};
}

static const mo_system *system_at(const mote_world *world, int system)
{
    return system >= 0 && system < world->system_count ? &world->systems[system] : NULL;
}

int mote_world_system_count(const mote_world *world)
{
    MO_NEED_OR(world, 0);
    return world->system_count;
}

const char *mote_world_system_name(const mote_world *world, int system)
{
    MO_NEED_OR(world, NULL);
    const mo_system *s = system_at(world, system);
    return s ? s->type->base.name : NULL;
}

int mote_world_system_find(const mote_world *world, const char *name)
{
    MO_NEED_OR(world, -1);
    MO_NEED_OR(name, -1);
    for (int k = 0; k < world->system_count; ++k) {
        if (strcmp(world->systems[k].type->base.name, name) == 0) {
            return k;
        }
    }
    return -1;
}

const mo_system *mo_world_system(const mote_world *world, const mo_system_type *type)
{
    for (int k = 0; k < world->system_count; ++k) {
        if (world->systems[k].type == type) {
            return &world->systems[k];
        }
    }
    return NULL;
}

int64_t mote_world_rows(const mote_world *world, int system)
{
    MO_NEED_OR(world, 0);
    const mo_system *s = system_at(world, system);
    return s ? mo_store_rows(s->store) : 0;
}

int mote_world_column_count(const mote_world *world, int system)
{
    MO_NEED_OR(world, 0);
    const mo_system *s = system_at(world, system);
    return s ? mo_store_columns(s->store) : 0;
}

static bool view_column(const mo_system *s, const mo_column *column, mote_column *out)
{
    if (!column || !out) {
        return column != NULL;
    }
    *out = (mote_column){column->spec.name,       column->spec.unit,       column->spec.type,
                         column->spec.components, mo_store_rows(s->store), column->data};
    return true;
}

bool mote_world_column(const mote_world *world, int system, int index, mote_column *column)
{
    MO_NEED_OR(world, false);
    const mo_system *s = system_at(world, system);
    return s && view_column(s, mo_store_column(s->store, index), column);
}

bool mote_world_column_find(const mote_world *world, int system, const char *name,
                            mote_column *column)
{
    MO_NEED_OR(world, false);
    MO_NEED_OR(name, false);
    const mo_system *s = system_at(world, system);
    return s && view_column(s, mo_store_find(s->store, name), column);
}

mote_domain mote_world_domain(const mote_world *world)
{
    MO_NEED_OR(world, (mote_domain){0});
    mo_domain d = world->host.domain;
    mote_domain domain = {0};
    for (int k = 0; k < 3; ++k) {
        domain.periodic[k] = d.periodic[k];
        domain.low[k] = d.low[k];
        domain.high[k] = d.high[k];
    }
    return domain;
}

void mote_world_invalidate(mote_world *world, int system)
{
    if (!world) {
        return;
    }
    if (system_at(world, system)) {
        mo_system *s = &world->systems[system];
        if (s->type->disturb) {
            s->type->disturb(s);
        }
        world->stale = true;
    }
}

int mote_world_body_count(const mote_world *world)
{
    MO_NEED_OR(world, 0);
    int64_t count = 0;
    for (int k = 0; k < world->system_count; ++k) {
        count += world->systems[k].bodies.count;
    }
    return (int)count;
}

mote_body mote_world_body(const mote_world *world, int index)
{
    MO_NEED_OR(world, (mote_body){NULL, -1, 0, 0});
    for (int k = 0; k < world->system_count && index >= 0; ++k) {
        const mo_system *s = &world->systems[k];
        if (index < s->bodies.count) {
            mote_body body = s->bodies.list[index];
            body.system = k;
            return body;
        }
        index -= (int)s->bodies.count;
    }
    return (mote_body){NULL, -1, 0, 0};
}

bool mote_world_body_find(const mote_world *world, const char *name, mote_body *body)
{
    MO_NEED_OR(world, false);
    MO_NEED_OR(name, false);
    int count = mote_world_body_count(world);
    for (int k = 0; k < count; ++k) {
        mote_body here = mote_world_body(world, k);
        if (strcmp(here.name, name) == 0) {
            if (body) {
                *body = here;
            }
            return true;
        }
    }
    return false;
}

/* ---- joints ---- */

int64_t mote_world_joint_count(const mote_world *world)
{
    MO_NEED_OR(world, 0);
    int64_t count = 0;
    for (int k = 0; k < world->coupling_count; ++k) {
        const mo_joint_hooks *hooks = world->couplings[k].type->joints;
        count += hooks ? hooks->count(&world->couplings[k]) : 0;
    }
    return count;
}

/* The coupling of a joint and its index there; NULL beyond the last. */
static const mo_coupling *coupling_of_joint(const mote_world *world, int64_t *index)
{
    for (int k = 0; *index >= 0 && k < world->coupling_count; ++k) {
        const mo_coupling *c = &world->couplings[k];
        int64_t count = c->type->joints ? c->type->joints->count(c) : 0;
        if (*index < count) {
            return c;
        }
        *index -= count;
    }
    return NULL;
}

bool mote_world_joint(const mote_world *world, int64_t index, mote_joint *joint)
{
    MO_NEED_OR(world, false);
    const mo_coupling *c = coupling_of_joint(world, &index);
    if (c && joint) {
        c->type->joints->read(c, index, joint);
    }
    return c != NULL;
}

bool mo_world_joint_anchors(const mote_world *world, int64_t index, mo_joint_anchor anchor[2])
{
    const mo_coupling *c = coupling_of_joint(world, &index);
    return c && c->type->joints->anchors(c, index, anchor);
}

bool mote_world_joint_find(const mote_world *world, const char *name, int64_t copy,
                           mote_joint *joint)
{
    MO_NEED_OR(world, false);
    MO_NEED_OR(name, false);
    mote_joint here;
    for (int64_t k = 0; mote_world_joint(world, k, &here); ++k) {
        if (strcmp(here.name, name) == 0 && here.copy == copy) {
            if (joint) {
                *joint = here;
            }
            return true;
        }
    }
    return false;
}

static int64_t view_elements(int64_t count, const int32_t *elements, const int32_t **rows)
{
    if (rows) {
        *rows = elements;
    }
    return count;
}

int64_t mote_world_edges(const mote_world *world, int system, const int32_t **rows)
{
    const mo_system *s = world ? system_at(world, system) : NULL;
    return s ? view_elements(s->bodies.edge_count, s->bodies.edges, rows)
             : view_elements(0, NULL, rows);
}

int64_t mote_world_triangles(const mote_world *world, int system, const int32_t **rows)
{
    const mo_system *s = world ? system_at(world, system) : NULL;
    return s ? view_elements(s->bodies.triangle_count, s->bodies.triangles, rows)
             : view_elements(0, NULL, rows);
}

int mote_world_stage_count(const mote_world *world)
{
    MO_NEED_OR(world, 0);
    return world->stages.count;
}

mote_stage mote_world_stage(const mote_world *world, int index)
{
    MO_NEED_OR(world, (mote_stage){0});
    if (index < 0 || index >= world->stages.count) {
        return (mote_stage){NULL, 0};
    }
    return (mote_stage){world->stages.name[index], world->stages.seconds[index]};
}

int mote_world_threads(const mote_world *world)
{
    MO_NEED_OR(world, 0);
    return mo_pool_threads(world->pool);
}

int64_t mote_world_worker_blocks(const mote_world *world, int worker)
{
    MO_NEED_OR(world, 0);
    return mo_pool_blocks(world->pool, worker);
}

int64_t mote_world_memory(const mote_world *world)
{
    MO_NEED_OR(world, 0);
    return world->memory.bytes;
}

int64_t mote_world_allocations(const mote_world *world)
{
    MO_NEED_OR(world, 0);
    return world->memory.allocations;
}

/* ---- named quantities ---- */

/* Quantity `index` of all systems and couplings, and their total number. */
static mote_quantity find_number(const mote_world *world, int index, int *count)
{
    mote_quantity found = {0};
    *count = 0;
    for (int k = 0; k < world->system_count; ++k) {
        const mo_system *s = &world->systems[k];
        mote_quantity own[MO_NUMBERS_MAX];
        int own_count = s->type->numbers ? s->type->numbers(s, own) : 0;
        if (index >= *count && index < *count + own_count) {
            found = own[index - *count];
            found.system = s->type->base.name;
        }
        *count += own_count;
    }
    for (int k = 0; k < world->coupling_count; ++k) {
        const mo_coupling *c = &world->couplings[k];
        mote_quantity own[MO_NUMBERS_MAX];
        int own_count = c->type->numbers ? c->type->numbers(c, own) : 0;
        if (index >= *count && index < *count + own_count) {
            found = own[index - *count];
            found.system = c->type->base.name;
        }
        *count += own_count;
    }
    return found;
}

int mote_world_quantity_count(const mote_world *world)
{
    MO_NEED_OR(world, 0);
    int count;
    find_number(world, -1, &count);
    return count;
}

mote_quantity mote_world_quantity(const mote_world *world, int index)
{
    MO_NEED_OR(world, (mote_quantity){0});
    int count;
    return find_number(world, index, &count);
}

/* ---- derived columns and elements ---- */

bool mo_world_derives(const mote_world *world, const char *column)
{
    for (int k = 0; k < world->system_count; ++k) {
        const mo_export_hooks *hooks = world->systems[k].type->export;
        for (int n = 0; hooks && hooks->derived && hooks->derived[n]; ++n) {
            if (strcmp(hooks->derived[n], column) == 0) {
                return true;
            }
        }
    }
    return false;
}

void mote_world_derive(mote_world *world)
{
    if (!world) {
        return;
    }
    for (int k = 0; k < world->system_count; ++k) {
        mo_system *system = &world->systems[k];
        if (system->type->export && system->type->export->derive) {
            system->type->export->derive(system, world->clock.time);
        }
    }
}

mote_status mote_world_cells(mote_world *world, int system, mote_cells *cells, mote_error *error)
{
    MO_NEED(world);
    MO_NEED(cells);
    *cells = (mote_cells){0};
    if (system < 0 || system >= world->system_count) {
        return MO_BAD_ARGUMENT(system, "is %d; the world has %d systems", system,
                               world->system_count);
    }
    mo_system *s = &world->systems[system];
    const mo_export_hooks *export = s->type->export;
    return export && export->cells ? export->cells(s, world->clock.time, cells, error) : MOTE_OK;
}

/* ---- embedded surfaces ---- */

const mo_skin *mo_world_skins(const mote_world *world, int system, int64_t *count)
{
    bool there = system >= 0 && system < world->system_count;
    *count = there ? world->systems[system].bodies.skin_count : 0;
    return there ? world->systems[system].bodies.skins : NULL;
}

int mote_world_skin_count(const mote_world *world, int system)
{
    MO_NEED_OR(world, 0);
    int64_t count;
    mo_world_skins(world, system, &count);
    return (int)count;
}

bool mote_world_skin(const mote_world *world, int system, int index, mote_skin *skin)
{
    MO_NEED_OR(world, false);
    int64_t count;
    const mo_skin *skins = mo_world_skins(world, system, &count);
    if (index < 0 || index >= count) {
        return false;
    }
    if (!skin) {
        return true;
    }
    const mo_skin *s = &skins[index];
    *skin = (mote_skin){world->systems[system].bodies.list[s->body].name, s->vertex_count,
                        s->triangle_count, s->triangles};
    return true;
}

bool mote_world_skin_interpolate(const mote_world *world, int system, int index, const char *column,
                                 double *values)
{
    MO_NEED_OR(world, false);
    MO_NEED_OR(column, false);
    MO_NEED_OR(values, false);
    int64_t count;
    mote_column c, turn;
    const mo_skin *skins = mo_world_skins(world, system, &count);
    if (index < 0 || index >= count || !mote_world_column_find(world, system, column, &c) ||
        (c.type != MOTE_F64 && c.type != MOTE_F32)) {
        return false;
    }
    bool turns = mote_world_column_find(world, system, "q", &turn);
    mo_skin_interpolate(&skins[index], &c, turns ? &turn : NULL, values);
    return true;
}
