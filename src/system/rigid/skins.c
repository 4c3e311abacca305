/* The surfaces of rigid bodies, for drawing and export: the triangles of their shapes. */
#include "geometry/generate/generate.h"
#include "geometry/shape/facets.h"
#include "geometry/shape/shape.h"
#include "system/rigid/state.h"

/* Edges on curved surfaces, relative to the size of the shape. */
static const double EDGE = 0.1;

static mote_status add_shapes(const mo_rigid_body_def *own, mo_facets *facets, mote_error *error)
{
    const mo_method *shapes = own->shape.type ? &own->shape : own->shapes.items;
    int64_t count = own->shape.type ? 1 : own->shapes.count;
    for (int64_t k = 0; k < count; ++k) {
        mo_vec3 low, high;
        if (!mo_shape_bounds(shapes[k], &low, &high)) {
            continue;
        }
        mo_shape_region region = {low, high, EDGE * mo_length(mo_sub(high, low)), false};
        MO_TRY(mo_shape_facets(shapes[k], &region, facets, error));
    }
    return MOTE_OK;
}

/* A small ball at each particle. */
static mote_status add_balls(const mo_mesh *mesh, double radius, mo_facets *facets,
                             mote_error *error)
{
    static const double CORNER[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                        {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    static const int FACE[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                   {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (int64_t k = 0; k < mesh->node_count; ++k) {
        int64_t first = facets->vertices;
        mo_vec3 x = mo_vec3_load(mesh->nodes + 3 * k);
        for (int c = 0; c < 6; ++c) {
            MO_TRY(
                mo_facets_vertex(facets, mo_add_scaled(x, radius, mo_vec3_load(CORNER[c])), error));
        }
        for (int f = 0; f < 8; ++f) {
            MO_TRY(mo_facets_triangle(facets, first + FACE[f][0], first + FACE[f][1],
                                      first + FACE[f][2], error));
        }
    }
    return MOTE_OK;
}

static mote_status add_mesh(const mo_body_def *body, mo_memory *memory, mo_facets *facets,
                            mote_error *error)
{
    mo_mesh mesh;
    MO_TRY(mo_mesh_generate(body->mesh, memory, &mesh, error));
    mote_status status = MOTE_OK;
    if (mesh.triangle_count == 0) {
        double radius = !isnan(body->radius) ? body->radius : 0.25 * mesh.spacing;
        status = add_balls(&mesh, radius > 0 ? radius : 0.01, facets, error);
    }
    for (int64_t k = 0; k < mesh.node_count && mesh.triangle_count > 0 && status == MOTE_OK; ++k) {
        status = mo_facets_vertex(facets, mo_vec3_load(mesh.nodes + 3 * k), error);
    }
    for (int64_t k = 0; k < mesh.triangle_count && status == MOTE_OK; ++k) {
        const int32_t *c = mesh.triangles + 3 * k;
        status = mo_facets_triangle(facets, c[0], c[1], c[2], error);
    }
    mo_mesh_release(&mesh);
    return status;
}

/* One surface for all copies. */
static mote_status tie(mo_rigid *rigid, const mo_facets *facets, int64_t body, int64_t first,
                       int64_t count, mote_error *error)
{
    mo_body_table *table = &rigid->system->bodies;
    mo_memory *memory = rigid->system->host->memory;
    const mo_rigid_prototype *p = &rigid->prototypes[body];
    MO_TRY(mo_reserve(memory, &table->skins, &table->skin_capacity, table->skin_count + 1,
                      sizeof(mo_skin), error));
    mo_skin *skin = &table->skins[table->skin_count];
    MO_TRY(mo_skin_make_rigid(body, first, count, count * facets->vertices,
                              count * facets->triangles, memory, skin, error));
    table->skin_count++;
    mo_mat3 axes = mo_quat_matrix(p->axes.turn);
    for (int64_t copy = 0; copy < count; ++copy) {
        for (int64_t k = 0; k < facets->vertices; ++k) {
            mo_vec3 r = mo_sub(mo_vec3_load(facets->x + 3 * k), p->mass.center);
            mo_skin_tie(skin, copy * facets->vertices + k, first + copy,
                        mo_mat3_apply_transposed(axes, r));
        }
        for (int64_t k = 0; k < 3 * facets->triangles; ++k) {
            skin->triangles[3 * copy * facets->triangles + k] =
                (int32_t)(copy * facets->vertices + facets->corner[k]);
        }
    }
    return MOTE_OK;
}

mote_status mo_rigid_system_add_skin(mo_rigid *rigid, const mo_body_def *body, int64_t first,
                                     int64_t count, mote_error *error)
{
    mo_memory *memory = rigid->system->host->memory;
    mo_facets facets;
    mo_facets_init(&facets, memory);
    mote_status status = body->mesh.type
                             ? add_mesh(body, memory, &facets, error)
                             : add_shapes(mo_rigid_system_body_of(body), &facets, error);
    if (status == MOTE_OK && count * facets.vertices > INT32_MAX) {
        status = mo_fail(error, MOTE_ERROR_INPUT,
                         ".copies: their surfaces have more than %d "
                         "vertices",
                         INT32_MAX);
    }
    if (status == MOTE_OK && facets.triangles > 0) {
        status = tie(rigid, &facets, rigid->prototype_count - 1, first, count, error);
    }
    mo_facets_release(&facets);
    return status;
}
