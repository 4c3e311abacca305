/*
 * The names of a categorical legend: bodies and phases with the colours in which they are drawn.
 */
#ifndef MO_VIEW_SHOW_CATEGORIES_H
#define MO_VIEW_SHOW_CATEGORIES_H

#include "draw/legend.h"
#include "view/show/paints.h"

/* Bodies and phases that are named in the scene, visible, and drawn in a paint of their own; 0 if
 * there are fewer than two, or more than a legend has. */
int mo_categories_of_paints(const mo_world_def *def, const mo_paints *paints,
                            mo_legend_entry entries[MO_LEGEND_ENTRIES]);

/* Of the field `phase` or `body`, coloured by a map over [low, high]: the name of each value; 0 for
 * other fields, and where a name is missing. */
int mo_categories_of_field(const mo_world_def *def, const mo_field *field, const mo_colormap *map,
                           double low, double high, mo_legend_entry entries[MO_LEGEND_ENTRIES]);

#endif
