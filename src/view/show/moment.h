/*
 * A moment: the named columns of all systems at one time. Running worlds and stored frames provide
 * the same struct, from which pictures are made. All arrays are borrowed from the source and valid
 * until it advances.
 */
#ifndef MO_VIEW_SHOW_MOMENT_H
#define MO_VIEW_SHOW_MOMENT_H

#include "host/def.h"
#include "host/skin.h"
#include "mote/world.h"
#include "store/store.h"

enum { MO_MOMENT_PARTS = MO_SYSTEMS_MAX, MO_MOMENT_COLUMNS = MO_COLUMNS_MAX };

typedef struct mo_part {
    const char *name; /* the system; "" if it has no name */
    int system;       /* with the same rows in the moment's world; -1: none */
    int64_t rows;
    double radius; /* of rows without a radius; 0: unknown */
    int column_count;
    mote_column columns[MO_MOMENT_COLUMNS];
    int64_t edge_count, triangle_count;
    const int32_t *edges, *triangles;
    int64_t skin_count;
    const mo_skin *skins; /* surfaces embedded in its bodies */
} mo_part;

typedef struct mo_moment {
    double time;
    const mote_world *world; /* of the scene, for constant data such as joints; NULL: none */
    int part_count;
    mo_part parts[MO_MOMENT_PARTS];
} mo_moment;

/* NULL if there is none. */
const mote_column *mo_part_find(const mo_part *part, const char *name);

/* A scalar field for colours: a column, one component of it, or the norm of a vector. */
typedef struct mo_field {
    char name[80];  /* of the column */
    int component;  /* -1: the scalar itself, or the norm of a vector */
    char label[96]; /* displayed: "speed", "v.x" */
    const char *unit;
} mo_field;

/* Finds "mass", "v", "v.x" or "strain.1" in a moment; the error lists the available ones. */
mote_status mo_field_find(const mo_moment *moment, const char *text, mo_field *field,
                          mote_error *error);

/* Field number k of the useful ones; false beyond the last. */
bool mo_field_number(const mo_moment *moment, int k, mo_field *field);

/* The value of a row; NaN if the part has no such column. */
double mo_column_number(const mote_column *column, int64_t row, int component);

int64_t mo_moment_rows(const mo_moment *moment);

#endif
