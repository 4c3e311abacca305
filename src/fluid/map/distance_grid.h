/*
 * Signed distances of a solid on a sparse grid: for shapes whose exact distance is expensive
 * (meshes), and maps that ask for it a thousand times a node.
 *
 * Blocks of 8^3 cells within a band around the surface hold exact distances at their 9^3 nodes, in
 * double; between them they are trilinear, which is exact for planes. The normal is the gradient of
 * that. Elsewhere the solid itself is asked. At kinks, behind edges and between faces, the distance
 * is off by up to a third of a cell.
 *
 * Grids of large meshes are kept in a file beside the mesh (mo_distance_grid_load,
 * mo_distance_grid_save): its name has the checksum of all that the grid depends on, and what is in
 * it has one too. A file that is not whole, or of something else, is ignored.
 */
#ifndef MO_FLUID_MAP_DISTANCE_GRID_H
#define MO_FLUID_MAP_DISTANCE_GRID_H

#include "fluid/map/solid_map.h"

typedef struct mo_distance_grid {
    mo_memory *memory;
    mo_map_solid solid;
    double width, band; /* of a cell; distance from the surface up to which there are blocks */
    mo_sparse_grid blocks;
    double *value; /* of the nodes, block by block */
    int64_t value_capacity;
} mo_distance_grid;

/* A grid without blocks: every distance is the solid's own. */
void mo_distance_grid_init(mo_distance_grid *grid, const mo_map_solid *solid, double width,
                           double band, mo_memory *memory);
mote_status mo_distance_grid_build(mo_distance_grid *grid, mo_pool *pool, mote_error *error);
void mo_distance_grid_release(mo_distance_grid *grid);

/* An mo_gap_fn; the context is a grid. */
void mo_distance_grid_gaps(const void *grid, int64_t count, const double *x, double *gap,
                           double *normal);

/* From the file for a mesh with this checksum; false: there is none that can be used. */
bool mo_distance_grid_load(mo_distance_grid *grid, const char *mesh_path, uint64_t checksum);

/* Into that file; nothing happens where it cannot be written. */
void mo_distance_grid_save(const mo_distance_grid *grid, const char *mesh_path, uint64_t checksum);

#endif
