#include "run/surface_mesh.h"

#include "base/file.h"
#include "base/timer.h"
#include "geometry/surface/surface.h"
#include "run/method_text.h"

#include <string.h>

mote_surface_options mote_surface_options_default(void)
{
    return (mote_surface_options){.config = mote_config_default()};
}

/* ---- methods from texts ---- */

mote_status mo_surface_method_read(const char *text, mo_arena *arena, mo_method *method,
                                   mote_error *error)
{
    return mo_method_text_read(text, "surface", "method", &mo_surfaces, arena, method, error);
}

const char *mo_surface_default(bool oriented)
{
    return oriented ? "tangential_delaunay" : "anisotropic";
}

mote_status mo_surface_format_read(const char *name, mo_arena *arena, mo_method *format,
                                   mote_error *error)
{
    return mo_method_text_read(name ? name : "ply", "surface", "format", &mo_formats, arena, format,
                               error);
}

/* ---- a mesh ---- */

static void publish(mote_surface *s, const mo_surface_task *task, const mo_trimesh_report *report,
                    double seconds)
{
    const mo_surface_common *common = task->method.params;
    for (int k = 0; k < task->interpolated_count; ++k) {
        const mote_column *from = task->interpolated[k].column;
        s->fields[k] = (mote_column){from->name,       from->unit,       MOTE_F64,
                                     from->components, s->mesh.vertices, task->interpolated[k].out};
    }
    s->field_count = task->interpolated_count;
    s->view = (mote_surface_mesh){.vertices = s->mesh.vertices,
                                  .triangles = s->mesh.triangles,
                                  .x = s->mesh.x,
                                  .normal = s->mesh.normal,
                                  .corners = s->mesh.corner,
                                  .field_count = s->field_count,
                                  .fields = s->fields,
                                  .spacing = task->cloud.spacing,
                                  .cell = common->cell * task->cloud.spacing,
                                  .closed = report->bad_vertices == 0,
                                  .manifold = report->pinched == 0,
                                  .border_edges = report->border,
                                  .euler = report->euler,
                                  .area = report->area,
                                  .volume = report->volume,
                                  .seconds = seconds,
                                  .peak_memory = s->memory.peak};
}

static mote_status find_spacing(mo_cloud *cloud, mo_pool *pool, mote_error *error)
{
    if (cloud->spacing != 0) {
        return MOTE_OK; /* checked with the other options */
    }
    if (cloud->count == 0) {
        cloud->spacing = 1; /* unused */
        return MOTE_OK;
    }
    for (int64_t k = 0; k < 3 * cloud->count; ++k) {
        if (!isfinite(cloud->x[k])) {
            return mo_fail(error, MOTE_ERROR_INPUT,
                           "surface: particle %lld is at (%g, %g, %g) m; allowed: finite numbers",
                           (long long)(k / 3), cloud->x[k / 3 * 3], cloud->x[k / 3 * 3 + 1],
                           cloud->x[k / 3 * 3 + 2]);
        }
    }
    return mo_spacing_estimate(cloud->count, cloud->x, pool, &cloud->spacing, error);
}

static mote_status fill(mote_surface *s, mo_surface_task *task, int threads, mote_error *error)
{
    mo_pool *pool;
    mo_trimesh_report report;
    double start = mo_clock();
    MO_TRY(mo_pool_create(&s->memory, threads, &pool, error));
    mote_status status = find_spacing(&task->cloud, pool, error);
    if (status == MOTE_OK) {
        status = mo_surface_make(task, pool, &s->mesh, &report, error);
    }
    mo_pool_destroy(pool);
    if (status == MOTE_OK) {
        publish(s, task, &report, mo_clock() - start);
    }
    return status;
}

mote_status mo_surface_create(int64_t count, const double *x, mo_method method,
                              const mote_surface_options *options, mote_surface **surface,
                              mote_error *error)
{
    mo_surface_interpolated interpolated[MO_SURFACE_FIELDS_MAX] = {{0}};
    mo_memory memory;
    *surface = NULL;
    if (options->field_count > MO_SURFACE_FIELDS_MAX) {
        return mo_fail(error, MOTE_ERROR_INPUT, "surface: %d fields; allowed: %d",
                       options->field_count, MO_SURFACE_FIELDS_MAX);
    }
    for (int k = 0; k < options->field_count; ++k) {
        interpolated[k].column = &options->fields[k];
    }
    mo_memory_init(&memory, &options->config.allocator);
    mote_surface *s = mo_allocate(&memory, sizeof *s);
    if (!s) {
        return mo_fail_memory(error, sizeof *s);
    }
    s->memory = memory;
    mo_trimesh_init(&s->mesh, &s->memory);
    mo_surface_task task = {
        {count, x, options->spacing, options->normals}, method, options->field_count, interpolated};
    mote_status status = fill(s, &task, options->config.threads, error);
    if (status != MOTE_OK) {
        for (int k = 0; k < task.interpolated_count; ++k) {
            mo_release(&s->memory, interpolated[k].out);
        }
        mote_surface_destroy(s);
        return status;
    }
    *surface = s;
    return MOTE_OK;
}

static mote_status check_options(const mote_surface_options *o, const char *function,
                                 mote_error *error)
{
    if (!(o->spacing >= 0 && isfinite(o->spacing))) {
        return mo_fail_argument(error, function, "options.spacing",
                                "is %g m; allowed: finite values of at least 0", o->spacing);
    }
    if (o->field_count < 0 || o->field_count > MO_SURFACE_FIELDS_MAX) {
        return mo_fail_argument(error, function, "options.field_count", "is %d; allowed: 0 to %d",
                                o->field_count, MO_SURFACE_FIELDS_MAX);
    }
    if (o->field_count > 0 && !o->fields) {
        return mo_fail_argument(error, function, "options.fields",
                                "must not be NULL with %d of them", o->field_count);
    }
    return MOTE_OK;
}

mote_status mote_surface_create(int64_t count, const double *x, const mote_surface_options *options,
                                mote_surface **surface, mote_error *error)
{
    MO_NEED(surface);
    mote_surface_options defaults = mote_surface_options_default();
    const mote_surface_options *o = options ? options : &defaults;
    mo_memory memory;
    mo_arena arena;
    mo_method method;
    *surface = NULL;
    mo_error_clear(error);
    if (count < 0) {
        return MO_BAD_ARGUMENT(count, "is %lld; allowed: 0 or more", (long long)count);
    }
    if (count > 0 && !x) {
        return MO_BAD_ARGUMENT(x, "must not be NULL with %lld points", (long long)count);
    }
    MO_TRY(check_options(o, __func__, error));
    mo_memory_init(&memory, &o->config.allocator);
    mo_arena_init(&arena, &memory);
    const char *name = o->method ? o->method : mo_surface_default(o->normals != NULL);
    mote_status status = mo_surface_method_read(name, &arena, &method, error);
    if (status == MOTE_OK) {
        status = mo_surface_create(count, x, method, o, surface, error);
    }
    mo_arena_release(&arena);
    return status;
}

void mote_surface_destroy(mote_surface *surface)
{
    if (!surface) {
        return;
    }
    for (int k = 0; k < surface->field_count; ++k) {
        mo_release(&surface->memory, surface->fields[k].data);
    }
    mo_trimesh_release(&surface->mesh);
    mo_memory memory = surface->memory;
    mo_release(&memory, surface);
}

mote_surface_mesh mote_surface_get(const mote_surface *surface)
{
    MO_NEED_OR(surface, (mote_surface_mesh){0});
    return surface->view;
}

/* ---- files ---- */

mote_status mo_surface_write(const mote_surface *surface, mo_method format, const char *path,
                             double time, mote_error *error)
{
    const mo_format_type *type = (const mo_format_type *)format.type;
    const mo_trimesh *mesh = &surface->mesh;
    mote_column fields[MO_SURFACE_FIELDS_MAX + 1];
    mote_error problem = {0};
    mo_file file;
    fields[0] = (mote_column){"normal", "1", MOTE_F64, 3, mesh->vertices, mesh->normal};
    memcpy(fields + 1, surface->fields, sizeof surface->fields);
    mo_frame frame = {.time = time,
                      .rows = mesh->vertices,
                      .x = mesh->x,
                      .field_count = surface->field_count + 1,
                      .fields = fields,
                      .triangle_count = mesh->triangles,
                      .triangles = mesh->corner};
    MO_TRY(mo_file_create(path, &file, error));
    mo_memory memory;
    mo_memory_init(&memory, &surface->memory.allocator);
    mote_status status = type->write(format.params, &frame, &memory, file.stream, &problem);
    if (status != MOTE_OK) {
        mo_file_abandon(&file);
        return mo_fail(error, status, "%.500s: %.1200s", path, problem.text);
    }
    return mo_file_commit(&file, error);
}

mote_status mote_surface_write(const mote_surface *surface, const char *path, double time,
                               mote_error *error)
{
    MO_NEED(surface);
    MO_NEED(path);
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    mo_memory memory;
    mo_arena arena;
    mo_method format;
    mo_error_clear(error);
    if (!dot || (slash && dot < slash)) {
        return mo_fail(error, MOTE_ERROR_INPUT,
                       "%.1000s: has no file extension; allowed: .vtp, "
                       ".ply, .obj",
                       path);
    }
    mo_memory_init(&memory, NULL);
    mo_arena_init(&arena, &memory);
    mote_status status = mo_surface_format_read(dot + 1, &arena, &format, error);
    if (status == MOTE_OK) {
        status = mo_surface_write(surface, format, path, time, error);
    }
    mo_arena_release(&arena);
    return status;
}
