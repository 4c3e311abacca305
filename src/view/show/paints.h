/*
 * The paints of a scene: colour and material of each body, category (such as a phase) and collider,
 * from its `look` or by default. Several bodies or categories are distinguished by a palette, and
 * copies of a body by shades; a single body keeps the default colours of the view.
 */
#ifndef MO_VIEW_SHOW_PAINTS_H
#define MO_VIEW_SHOW_PAINTS_H

#include "base/memory.h"
#include "host/def.h"
#include "view/picture/picture.h"
#include "view/show/moment.h"

/* The drawing of a body, category or collider: a paint (0: none), or hidden. */
typedef struct mo_painting {
    uint8_t paint;
    uint8_t shades; /* of the copies of a body: paints from `paint` on, in turn; 0: all alike */
    bool visible;
    bool free;            /* particles of a body without a model, which no mesh connects */
    bool wire, container; /* of a collider: only its edges; an open glass box or ball */
} mo_painting;

typedef struct mo_paints {
    mo_memory *memory;
    int count;
    mo_paint list[MO_PAINTS_MAX];
    /* in the order of the scene; NULL: not created yet */
    mo_painting *bodies, *categories, *colliders;
} mo_paints;

/* `surface`: liquids are drawn as surfaces. */
mote_status mo_paints_make(mo_paints *paints, mo_memory *memory, const mo_world_def *def,
                           bool surface, mote_error *error);
void mo_paints_release(mo_paints *paints);

/* The drawing of the rows of a part: by the column of their category (host/drawing.h) if their
 * system has any, else by the column `body`. */
void mo_paints_rows(const mo_paints *paints, const mo_world_def *def, const mo_part *part,
                    mo_painting *out);

#endif
