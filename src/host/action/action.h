/*
 * Actions: a scene's list of timed tools on particles, as a hand would use them: grab, push, add,
 * delete, heat. They are functions of the clock alone, so that a resumed run repeats them exactly:
 * an action at one time acts at the end of the step that reaches it, one that lasts at the end of
 * every step from `time` to `until`.
 */
#ifndef MO_HOST_ACTION_H
#define MO_HOST_ACTION_H

#include "base/param.h"
#include "mote/world.h"
#include "neighbor/domain.h"

/* The parameters of every member begin with these. */
typedef struct mo_action_def {
    double time, until; /* until NaN (not given) or 0 (no such parameter): at `time` only */
    mo_method region;   /* a shape; none: everywhere */
} mo_action_def;

/* The particles of one system at the end of a step; the step is in [from, to]. */
typedef struct mo_action_rows {
    double from, to;
    mo_domain domain;
    int64_t rows;
    const double *x, *inverse_mass;
    double *v, *temperature; /* temperature NULL: none */
    uint8_t *removed;        /* zero; set for the rows to be removed */
} mo_action_rows;

typedef struct mo_action_type {
    mo_descriptor base;
    bool removes, heats; /* it sets `removed`, `temperature` */
    /* Acts on rows and returns whether any has changed; NULL: it adds particles. */
    bool (*act)(const void *params, const mo_action_rows *rows);
    void (*add)(const void *params, mote_particles *particles);
} mo_action_type;

extern const mo_family mo_actions;

/* Whether a row is in the region, which is displaced and repeated in every period. */
bool mo_action_contains(const mo_action_def *def, const mo_action_rows *rows, int64_t row,
                        const double *displacement);

/* `until` must not be before `time`. */
mote_status mo_action_check(const void *params, mote_error *error);

/* Rows of all tables. */
#define MO_ACTION_TIME(struct_) \
    { \
        "time", MO_REAL, MO_FIELD(struct_, common.time), \
            .unit = "s", .required = true, .range = "(0, inf)", \
            .doc = "Time of the action; its start, if it lasts." \
    }
#define MO_ACTION_REGION(struct_) \
    { \
        "region", MO_METHOD, MO_FIELD(struct_, common.region), \
            .family = &mo_shapes, .doc = "The particles inside this shape; default: all." \
    }

#endif
