#include "geometry/surface/surface.h"

#include "geometry/grid/isosurface.h"
#include "geometry/surface/splat_field.h"

#define MO_METHOD(name) MO_DECLARE_METHOD(mo_surface_type, mo_surface_, name)
#include "geometry/surface/methods.def"
#undef MO_METHOD

static const mo_descriptor *const METHODS[] = {
#define MO_METHOD(name) MO_LIST_METHOD(mo_surface_, name)
#include "geometry/surface/methods.def"
#undef MO_METHOD
};

const mo_family mo_surfaces = {
    .name = "surface",
    .doc =
        "Surface reconstruction from particles, used by `mote surface` and the renderer. Lengths "
        "are in spacings.",
    .methods = METHODS,
    .count = sizeof METHODS / sizeof *METHODS,
};

/* ---- checks ---- */

static mote_status check_cloud(const mo_cloud *cloud, double width, mote_error *error)
{
    if (!(cloud->spacing > 0) || !(cloud->spacing < 1e150) || !(cloud->spacing > 1e-150)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "surface: the spacing is %g m; allowed: a length above 0", cloud->spacing);
    }
    if (cloud->count > INT32_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT, "surface: %lld particles; allowed: %d",
                       (long long)cloud->count, INT32_MAX);
    }
    double most = MO_GRID_REACH * width * 0.99; /* margin of the splats' support */
    for (int64_t k = 0; k < 3 * cloud->count; ++k) {
        const double *x = cloud->x + 3 * (k / 3);
        if (!(fabs(cloud->x[k]) <= most)) {
            return mo_fail(
                error, MOTE_ERROR_INPUT,
                "surface: particle %lld is at (%g, %g, %g) m; allowed: up to %g m from the origin with "
                "cells of %g m",
                (long long)(k / 3), x[0], x[1], x[2], most, width);
        }
    }
    return MOTE_OK;
}

/* ---- the mesh ---- */

typedef struct making {
    const mo_surface_task *task;
    const mo_surface_type *type;
    const mo_surface_common *common;
    mo_pool *pool;
    mo_memory *memory;
    mo_trimesh *mesh;
    mo_splat *splat;
    mo_splat_field field;
    mo_fans fans;
} making;

static mote_status fill_field(making *m, mote_error *error)
{
    void *splat;
    const mo_cloud *cloud = &m->task->cloud;
    const void *params = m->task->method.params;
    double level = isnan(m->common->threshold) ? m->type->level(params) : m->common->threshold;
    MO_TRY(mo_allocate_array(m->memory, cloud->count, sizeof *m->splat, &splat, error));
    m->splat = splat;
    MO_TRY(m->type->splat(params, cloud, m->memory, m->pool, m->splat, error));
    mote_status status =
        mo_splat_field_make(&m->field, m->memory, m->pool, cloud->count, m->splat, m->type->rule,
                            level, m->common->cell * cloud->spacing, cloud->spacing, error);
    mo_release(m->memory, m->splat);
    m->splat = NULL;
    return status;
}

static mote_status interpolate_columns(making *m, mote_error *error)
{
    for (int k = 0; k < m->task->interpolated_count; ++k) {
        mo_surface_interpolated *interpolated = &m->task->interpolated[k];
        size_t row = (size_t)interpolated->column->components * sizeof *interpolated->out;
        void *out;
        MO_TRY(mo_allocate_array(m->memory, m->mesh->vertices, row, &out, error));
        interpolated->out = out;
        mo_splat_field_interpolate(&m->field, m->pool, m->mesh->vertices, m->mesh->x,
                                   interpolated->column, interpolated->out);
    }
    return MOTE_OK;
}

/* Columns of the particles that are the vertices. */
static mote_status copy_columns(making *m, const int32_t *row, mote_error *error)
{
    for (int k = 0; k < m->task->interpolated_count; ++k) {
        mo_surface_interpolated *copied = &m->task->interpolated[k];
        const mote_column *column = copied->column;
        size_t size = (size_t)column->components * sizeof *copied->out;
        void *out;
        MO_TRY(mo_allocate_array(m->memory, m->mesh->vertices, size, &out, error));
        copied->out = out;
        for (int64_t v = 0; v < m->mesh->vertices; ++v) {
            for (int c = 0; c < column->components; ++c) {
                copied->out[v * column->components + c] =
                    mo_surface_number(column, (int64_t)row[v] * column->components + c);
            }
        }
    }
    return MOTE_OK;
}

static mote_status mesh_particles(making *m, mo_trimesh_report *report, mote_error *error)
{
    const mo_cloud *cloud = &m->task->cloud;
    void *row;
    MO_TRY(mo_allocate_array(m->memory, cloud->count, sizeof(int32_t), &row, error));
    mote_status status = m->type->mesh(m->task->method.params, cloud, m->pool, m->mesh, row, error);
    if (status == MOTE_OK) {
        status = copy_columns(m, row, error);
    }
    mo_release(m->memory, row);
    MO_TRY(status);
    MO_TRY(mo_fans_make(m->mesh, &m->fans, error));
    return mo_trimesh_examine(m->mesh, &m->fans, m->pool, report, error);
}

static mote_status make_mesh(making *m, mo_trimesh_report *report, mote_error *error)
{
    if (m->type->mesh) {
        return mesh_particles(m, report, error);
    }
    MO_TRY(fill_field(m, error));
    MO_TRY(mo_isosurface_extract(&m->field.grid, m->pool, m->mesh, error));
    MO_TRY(interpolate_columns(m, error));
    MO_TRY(mo_fans_make(m->mesh, &m->fans, error));
    mo_trimesh_normals(m->mesh, &m->fans, m->pool, true);
    MO_TRY(mo_trimesh_smooth(m->mesh, &m->fans, m->pool, m->common->smooth, error));
    return mo_trimesh_examine(m->mesh, &m->fans, m->pool, report, error);
}

static mote_status check_columns(const mo_surface_task *task, mote_error *error)
{
    for (int k = 0; k < task->interpolated_count; ++k) {
        const mote_column *column = task->interpolated[k].column;
        if (column->components < 1 || column->components > MO_SURFACE_COMPONENTS_MAX) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "surface: the field \"%s\" has %d components; allowed: 1 to %d",
                           column->name, column->components, MO_SURFACE_COMPONENTS_MAX);
        }
        if (column->rows != task->cloud.count) {
            return mo_fail(
                error, MOTE_ERROR_USAGE,
                "surface: the field \"%s\" has %lld rows; allowed: one for each of %lld particles",
                column->name, (long long)column->rows, (long long)task->cloud.count);
        }
    }
    return MOTE_OK;
}

mote_status mo_surface_make(const mo_surface_task *task, mo_pool *pool, mo_trimesh *mesh,
                            mo_trimesh_report *report, mote_error *error)
{
    making m = {.task = task,
                .type = (const mo_surface_type *)task->method.type,
                .common = task->method.params,
                .pool = pool,
                .memory = mesh->memory,
                .mesh = mesh};
    m.field.memory = m.fans.memory = mesh->memory;
    mo_sparse_grid_init(&m.field.grid, mesh->memory, 1);
    double width = m.type->mesh ? 1 : m.common->cell;
    MO_TRY(check_cloud(&task->cloud, width * task->cloud.spacing, error));
    MO_TRY(check_columns(task, error));
    mote_status status = make_mesh(&m, report, error);
    mo_release(m.memory, m.splat);
    mo_splat_field_release(&m.field);
    mo_fans_release(&m.fans);
    return status;
}
