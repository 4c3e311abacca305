/*
 * The table of marching cubes (Lorensen, Cline 1987), made by tracing instead of by hand.
 *
 * On each face of a cell the crossed edges are joined in pairs so that corners inside are kept
 * apart from each other: what is done on a face depends on the face alone, so two cells that share
 * it agree (the ambiguous faces that the table of 1987 got wrong). A crossed edge lies on two faces
 * of a cell, so the pairs make closed polygons, of three to seven corners. A polygon is cut into
 * triangles by diagonals that never join two edges of one face: such a diagonal could be drawn by
 * the cell next door as well, and four triangles would meet in it. All 256 cases have a
 * triangulation of this kind (a test looks). From both follows that the surface of any field is
 * closed and a manifold: around a crossed edge of the grid stand four cells, each with one polygon
 * through its vertex, joined in a ring by the four faces.
 *
 * Three points on the edges of a cube that do not lie in one face are never on a line, so no
 * triangle is degenerate as long as the vertices keep off the corners.
 *
 * Corner c of a cell stands at (c & 1, c >> 1 & 1, c >> 2). Edge 4 a + u + 2 v runs along axis a,
 * at u along axis a + 1 and v along axis a + 2 (mod 3).
 */
#ifndef MO_GEOMETRY_GRID_CUBE_TABLE_H
#define MO_GEOMETRY_GRID_CUBE_TABLE_H

#include <stdint.h>

enum { MO_CUBE_CASES = 256, MO_CUBE_EDGES = 12, MO_CUBE_TRIANGLES_MAX = 5 };

typedef struct mo_cube_case {
    int8_t count;
    int8_t edge[MO_CUBE_TRIANGLES_MAX][3]; /* counter-clockwise as seen from outside */
} mo_cube_case;

typedef struct mo_cube_table {
    mo_cube_case cases[MO_CUBE_CASES]; /* by the corners that are inside, a bit each */
    int8_t base[MO_CUBE_EDGES];        /* the lower corner of an edge */
} mo_cube_table;

/* Takes some microseconds, so everyone makes his own. */
void mo_cube_table_make(mo_cube_table *table);

#endif
