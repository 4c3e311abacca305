/* Columns that are also members of mo_particle_columns. */
#ifndef MO_HOST_COLUMN_FIELD_H
#define MO_HOST_COLUMN_FIELD_H

#include "host/system.h"

typedef struct mo_column_field {
    mo_column_spec spec;
    size_t field; /* offset in mo_particle_columns */
} mo_column_field;

/* Declares columns of a system, and stores them in their members. */
mote_status mo_column_fields_declare(mo_system *system, const mo_column_field *list, size_t count,
                                     mote_error *error);

#endif
