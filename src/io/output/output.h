/*
 * The "output" block of a scene: formats and columns.
 */
#ifndef MO_IO_OUTPUT_OUTPUT_H
#define MO_IO_OUTPUT_OUTPUT_H

#include "base/param.h"

typedef struct mo_output_def {
    mo_list formats; /* mo_method */
    mo_list fields;  /* const char * */
    /* index, counted from 1, of the field added because the view colours by it; 0: none */
    int64_t shown;
    /* intervals of simulated and wall time [s]; NaN: disabled */
    double checkpoint_every, checkpoint_wall;
    int64_t checkpoint_keep;
    mo_method surface;
    bool wrap; /* into the periodic box */
} mo_output_def;

extern const mo_section mo_output_section;

#endif
