/*
 * Contact of the surfaces of position-based bodies with themselves and with each other:
 * vertex-triangle and edge-edge pairs at a distance of at least the thickness, with Coulomb
 * friction, and without intersections.
 *
 * Cells are gathered in clusters of eight neighbours (surface_clusters.c). Two clusters whose paths
 * of the substep come near each other are a group, which lists its pairs of features nearer than
 * the slack (constraint_contacts_list.c). A group is listed anew when its clusters have moved by
 * the slack relative to each other, so that a cloth that falls, swings or rests keeps its lists.
 * Which pairs are contacts is decided by positions alone: lists are no state.
 *
 * In a substep, pairs nearer than the thickness, or on a path that leads there, are inequality
 * constraints (constraint_contacts_project.c). They are projected like others, colour by colour, in
 * every iteration. After the last one, paths of nodes are shortened where pairs would meet
 * (constraint_contacts_limit.c): each pair is followed by conservative advancement; and where
 * shortened paths keep meeting, no node moves farther than 0.45 of its distance to the nearest
 * feature that is not adjacent to it (A. H. Chen et al. 2025, Offset geometric contact, ACM Trans.
 * Graph. 44(4)), which no pair survives at distance 0. So surfaces that do not intersect stay so.
 */
#ifndef MO_SYSTEM_CONSTRAINTS_CONSTRAINT_CONTACTS_H
#define MO_SYSTEM_CONSTRAINTS_CONSTRAINT_CONTACTS_H

#include "geometry/hierarchy/pairs.h"
#include "geometry/simplex/proximity.h"

enum {
    MO_SURFACE_COLORS = 128,
    MO_CLUSTER = 8,                   /* cells */
    MO_CLUSTER_EDGES = 3 * MO_CLUSTER /* of its own, at most */
};

/* Pairs nearer than this many thicknesses are constraints. */
#define MO_SURFACE_NEAR 1.3

/* Parameters of a body. */
typedef struct mo_surface_body {
    double thickness;                 /* 0: no contact */
    double edge;                      /* mean length of its edges */
    double friction, static_friction; /* coefficients */
    bool self;
} mo_surface_body;

/* A triangle, or an edge of a line (row[2] == row[1]). It owns some of its vertices and edges, so
 * that each belongs to one cell. */
typedef struct mo_surface_cell {
    int32_t row[3];
    int32_t body;
    int32_t number;          /* in the order of the scene, also after others were removed */
    uint8_t vertices, edges; /* bit k: corner k, the edge from corner k to the next */
    bool triangle;
} mo_surface_cell;

/* Eight consecutive cells: neighbours in the rest shape. */
typedef struct mo_surface_cluster {
    int64_t rows; /* where its rows start */
    int32_t row_count, cell_count, edge_count, vertex_count;
    int32_t vertex[MO_CLUSTER_EDGES]; /* of its own: cell and corner, 3 cell + corner */
    int32_t edge[MO_CLUSTER_EDGES];   /* the same for the edge from this corner on */
    int32_t body;                     /* of all cells, or -1 */
    double thickness, mean;           /* largest thickness and mean edge of its bodies */
} mo_surface_cluster;

/* Displacements of the rows x of a cluster: within `radius` of shift + turn x (x - centre). */
typedef struct mo_cluster_motion {
    mo_vec3 centre, shift, turn;
    double reach; /* of the rows from the centre */
    double radius;
} mo_cluster_motion;

/* Features of a cluster that belong to it, in single precision (`place` of mo_constraint_contacts):
 * component by component, eight at a time, NaN where there is none. */
typedef struct mo_cluster_features {
    int32_t vertex_count, edge_count;
    bool triangles;        /* any */
    float low[3], high[3]; /* box around them */
    /* numbers of their rows (mo_constraint_contacts.joined); -1: none */
    int32_t vertex_row[MO_CLUSTER_EDGES], edge_row[2][MO_CLUSTER_EDGES], corner_row[3][MO_CLUSTER];
    float vertex[MO_CLUSTER_EDGES][3];
    float triangle[9][MO_CLUSTER];   /* first corner, and the two edges from it */
    float edge[6][MO_CLUSTER_EDGES]; /* start and direction */
} mo_cluster_features;

/* Pairs of two clusters, or of one with itself. */
typedef struct mo_surface_group {
    int32_t a, b;
    int32_t count;
    bool momentary; /* holds the pairs of the present paths alone */
    int64_t first;  /* pair */
    double least;   /* distance of its pairs when they were listed */
    double slack;   /* all pairs nearer than MO_SURFACE_NEAR thicknesses and this are listed */
    double moved;   /* by which they have approached since then, at the start of the substep */
    double motion;  /* by which they approach on the present paths, at most */
} mo_surface_group;

typedef struct mo_surface_pair {
    int32_t row[4];
    int32_t body[2];
    mo_pair_kind kind;
    double thickness;
} mo_surface_pair;

/* A lower bound of the distance of a pair, and its thickness. */
typedef struct mo_pair_bound {
    float distance; /* less the `moved` of its group: at most the distance now */
    float thickness;
} mo_pair_bound;

/* A constraint sum weight_i p_i . normal >= goal, with the multipliers of the substep. */
typedef struct mo_constraint_contact {
    int32_t row[4];
    double weight[4];
    mo_vec3 normal;
    double goal;
    double mobility; /* sum of weight^2 / mass */
    double friction, static_friction;
    double push;  /* along the normal */
    mo_vec3 drag; /* friction */
} mo_constraint_contact;

typedef struct mo_constraint_contacts {
    mo_memory *memory;
    mo_pool *pool;
    int64_t body_count, body_capacity, cell_count, cell_capacity, rows;
    int64_t numbers; /* of cells, with those removed */
    mo_surface_body *bodies;
    mo_surface_cell *cells;
    double *rest;    /* positions in the rest shape, three per row */
    double longest;  /* edge there */
    bool meets;      /* some of the surfaces may touch */
    double thinnest; /* surface */
    bool crowded;    /* pairs there are nearer than the thickness */
    int32_t *joined; /* rows attached to each other have one number */

    /* clusters */
    int64_t cluster_count;
    mo_surface_cluster *clusters;
    int32_t *cluster_rows;
    mo_cluster_motion *motion;
    mo_cluster_features *features;
    uint8_t *wanted; /* features */
    mo_box *boxes;   /* of the paths of the substep, relative to the common translation */
    mo_box *allowed; /* where they may be without another search */
    mo_vec3 common;  /* translation in the substep */
    mo_hierarchy tree;
    mo_pair_search search;

    /* of the substep, set by the caller: four components per row */
    double *p;
    const double *start;

    /* the groups: first one of each cluster with itself, then those found */
    bool listed;
    int64_t pair_capacity, spare_capacity, bound_capacity, spare_bound_capacity, contact_capacity,
        sorted_capacity, color_capacity, time_capacity, group_capacity, next_capacity,
        chosen_capacity, moved_capacity, motion_capacity, count_capacity, stale_capacity,
        mask_capacity;
    float *place;    /* start of the substep relative to its middle, four components */
    double rounding; /* of these and of distances in single precision */
    double *last;    /* start of the substep to which `moved` of the groups refers */
    double *ended;   /* p at its end, if `settled`: then `motion` of the groups is the one to it */
    bool settled;
    int64_t group_count, stale_count;
    mo_surface_group *groups, *next;
    int32_t *stale;     /* groups to list anew */
    uint32_t *near;     /* of these: which features are near each other */
    int64_t pair_count; /* with those of former groups */
    mo_surface_pair *pairs, *spare;
    mo_pair_bound *bounds, *spare_bounds; /* of the pairs */
    int64_t chosen_count;
    int32_t *chosen;                     /* pairs looked at in this substep */
    float *chosen_moved, *chosen_motion; /* of their groups: until the substep, and in it */
    int64_t *counts;                     /* of a block of groups, pairs or contacts */

    /* contacts of the substep, by colour */
    int64_t contact_count;
    mo_constraint_contact *contacts, *sorted;
    uint64_t *mask; /* colours of a row */
    uint8_t *color;
    int64_t contact_start[MO_SURFACE_COLORS + 1];

    /* shortened paths */
    double *time;             /* of chosen pairs */
    uint8_t *changed;         /* rows of the last pass */
    uint8_t *cut;             /* rows of the substep */
    double *nearest;          /* distance of a row to the nearest feature */
    int64_t lists, shortened; /* groups listed and paths shortened in the last step */
} mo_constraint_contacts;

void mo_constraint_contacts_init(mo_constraint_contacts *c, mo_memory *memory, mo_pool *pool);
void mo_constraint_contacts_release(mo_constraint_contacts *c);

/* Adds the triangles, or else the edges, of a body whose first row is `first`. */
mote_status mo_constraint_contacts_add(mo_constraint_contacts *c, const mo_surface_body *body,
                                       const int32_t *triangles, int64_t triangle_count,
                                       const int32_t *edges, int64_t edge_count, int64_t first,
                                       mote_error *error);

/* After all bodies: x are the positions of the rest shape. */
mote_status mo_constraint_contacts_finish(mo_constraint_contacts *c, int64_t rows, const double *x,
                                          mote_error *error);

/* Attaches two rows: features with one of them and features with the other are adjacent. */
void mo_constraint_contacts_join(mo_constraint_contacts *c, int64_t a, int64_t b);

/* The contacts of the remaining rows: map[old row] is the new row or -1. */
mote_status mo_constraint_contacts_remap(const mo_constraint_contacts *c, const int64_t *map,
                                         int64_t rows, mo_constraint_contacts *to,
                                         mote_error *error);

/* The steps of a substep, in this order. */
void mo_constraint_contacts_begin_step(mo_constraint_contacts *c);
mote_status mo_constraint_contacts_find(mo_constraint_contacts *c, mote_error *error);
void mo_constraint_contacts_project(mo_constraint_contacts *c);
mote_status mo_constraint_contacts_limit(mo_constraint_contacts *c, mote_error *error);

/* ---- shared by the files of this module ---- */

/* Whether there is anything to do. */
static inline bool mo_constraint_contacts_active(const mo_constraint_contacts *c)
{
    return c->cell_count > 0 && c->meets;
}

/* Clusters (surface_clusters.c): first cells in the order of the rest shape, then, when they own
 * their features, clusters of them. */
mote_status mo_surface_clusters_order(mo_constraint_contacts *c, mote_error *error);
mote_status mo_surface_clusters_build(mo_constraint_contacts *c, mote_error *error);
void mo_surface_clusters_release(mo_constraint_contacts *c);

/* Their motions from x to y (four components per row). */
void mo_surface_clusters_move(mo_constraint_contacts *c, const double *x, const double *y);

/* Boxes around the paths from start to p, after mo_surface_clusters_move. `again`: in the frame of
 * the last call. Whether all boxes are within those allowed. */
bool mo_surface_clusters_bound(mo_constraint_contacts *c, bool again);
void mo_surface_clusters_allow(mo_constraint_contacts *c); /* these boxes and a little more */

/* The features of the clusters that are wanted, at the start of the substep. */
void mo_surface_clusters_place(mo_constraint_contacts *c);

/* By how much points of two clusters approach each other, at most. A common turn w of both does
 * not count: |r + w x r| >= |r|. With the mean turn w and half the difference d the rest is
 *     |shift_a - shift_b - w x (c_a - c_b)| + |d| (reach_a + reach_b) + radius_a + radius_b. */
static inline double mo_cluster_motion_between(const mo_constraint_contacts *c, int32_t a,
                                               int32_t b)
{
    const mo_cluster_motion *m = &c->motion[a], *n = &c->motion[b];
    if (a == b) {
        return 2 * m->radius;
    }
    mo_vec3 mean = mo_scale(0.5, mo_add(m->turn, n->turn)),
            apart = mo_cross(mean, mo_sub(m->centre, n->centre));
    return mo_length(mo_sub(mo_sub(m->shift, n->shift), apart)) +
           0.5 * mo_length(mo_sub(m->turn, n->turn)) * (m->reach + n->reach) + m->radius +
           n->radius;
}

/* Features of two clusters without a common row that may be nearer than `reach` (cluster_near.c): a
 * word for each edge of the first, whose bits are edges of the second, then for each vertex of the
 * first with the triangles of the second, and for each vertex of the second with the triangles of
 * the first. */
enum { MO_NEAR_WORDS = 3 * MO_CLUSTER_EDGES };
/* The distance of their boxes. */
float mo_cluster_gap(const mo_cluster_features *a, const mo_cluster_features *b);
void mo_cluster_near(const mo_cluster_features *a, const mo_cluster_features *b, float reach,
                     uint32_t near[MO_NEAR_WORDS]);

/* The groups for the paths from start to p (constraint_contacts_list.c); `again`: p has changed
 * since the last call, start has not. */
mote_status mo_constraint_contacts_list(mo_constraint_contacts *c, bool again, mote_error *error);

/* Chooses the pairs that may come nearer than `near` times their thickness on the present paths. */
mote_status mo_constraint_contacts_choose(mo_constraint_contacts *c, double near,
                                          mote_error *error);

/* The displacement of the features of a pair relative to each other, at most. */
double mo_surface_pair_motion(const mo_constraint_contacts *c, const mo_surface_pair *pair);

static inline void mo_surface_pair_load(const mo_surface_pair *p, const double *x, mo_vec3 out[4])
{
    for (int k = 0; k < 4; ++k) {
        out[k] = mo_vec3_load(x + 4 * (int64_t)p->row[k]);
    }
}

#endif
