/*
 * TetGen's files (Si 2015): NAME.node has the points, NAME.ele the tetrahedra. Lines of "#" are
 * comments. Numbering begins at 0 or at 1. Boundary markers of points other than 0 become groups
 * "marker1", ..., attributes of tetrahedra "region1", ....
 */
#include "geometry/meshfile/source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reads a number, skipping comments. */
static void skip_comments(mo_mesh_source *s)
{
    for (;;) {
        while (s->at < s->end &&
               (*s->at == ' ' || *s->at == '\t' || *s->at == '\r' || *s->at == '\n')) {
            s->at++;
        }
        if (s->at >= s->end || *s->at != '#') {
            return;
        }
        mo_mesh_source_skip_line(s);
    }
}

static bool read_int(mo_mesh_source *s, int64_t *value)
{
    skip_comments(s);
    return mo_mesh_source_int(s, value);
}

static bool read_real(mo_mesh_source *s, double *value)
{
    skip_comments(s);
    return mo_mesh_source_real(s, value);
}

static mote_status read_head(mo_mesh_source *s, int64_t head[4], int count, const char *what)
{
    for (int k = 0; k < count; ++k) {
        if (!read_int(s, &head[k]) || head[k] < 0) {
            return mo_mesh_source_fail(s, "begins with %d numbers: %s", count, what);
        }
    }
    return MOTE_OK;
}

static void join(mo_mesh_source *s, const char *kind, double number, int32_t node)
{
    char name[48];
    snprintf(name, sizeof name, "%s%.0f", kind, number);
    int group = number != 0 && fabs(number) < 1e9 ? mo_mesh_source_group(s, name) : -1;
    if (group >= 0) {
        s->members[node] |= UINT32_C(1) << group;
    }
}

mote_status mo_mesh_read_tetgen_nodes(mo_mesh_source *s)
{
    int64_t head[4], name;
    MO_TRY(read_head(s, head, 4, "of points, dimensions (3), attributes, markers (0 or 1)"));
    if (head[1] != 3 || head[2] > 1000 || head[3] > 1) {
        return mo_mesh_source_fail(
            s, "has %lld dimensions, %lld attributes, %lld markers; allowed: 3, up to 1000, 0 or 1",
            (long long)head[1], (long long)head[2], (long long)head[3]);
    }
    MO_TRY(mo_mesh_source_check_size(s, "points", head[0], 8 + 2 * (head[2] + head[3])));
    for (int64_t k = 0; k < head[0]; ++k) {
        double x[3], other = 0;
        if (!read_int(s, &name) || !read_real(s, &x[0]) || !read_real(s, &x[1]) ||
            !read_real(s, &x[2])) {
            return mo_mesh_source_fail(s,
                                       "point %lld of %lld is not a number and three coordinates",
                                       (long long)k + 1, (long long)head[0]);
        }
        MO_TRY(mo_mesh_source_add_node(s, name, x));
        for (int64_t a = 0; a < head[2] + head[3]; ++a) {
            if (!read_real(s, &other)) {
                return mo_mesh_source_fail(s, "point %lld lacks an attribute or its marker",
                                           (long long)name);
            }
        }
        if (head[3]) {
            join(s, "marker", other, (int32_t)k);
        }
    }
    return mo_mesh_source_index(s);
}

static mote_status read_tetrahedron(mo_mesh_source *s, int64_t k, const int64_t head[4])
{
    int64_t name, corner;
    int32_t nodes[4];
    double region = 0;
    if (!read_int(s, &name)) {
        return mo_mesh_source_fail(s, "has %lld tetrahedra, but its header states %lld",
                                   (long long)k, (long long)head[0]);
    }
    for (int c = 0; c < 4; ++c) {
        if (!read_int(s, &corner)) {
            return mo_mesh_source_fail(s, "tetrahedron %lld has fewer than four nodes",
                                       (long long)name);
        }
        MO_TRY(mo_mesh_source_find(s, name, corner, &nodes[c]));
    }
    for (int64_t a = 0; a < head[2]; ++a) {
        if (!read_real(s, &region)) {
            return mo_mesh_source_fail(s, "tetrahedron %lld lacks an attribute", (long long)name);
        }
    }
    for (int c = 0; c < 4 && head[2]; ++c) {
        join(s, "region", region, nodes[c]);
    }
    return mo_mesh_source_add(s, &s->tetrahedra, name, nodes);
}

mote_status mo_mesh_read_tetgen_elements(mo_mesh_source *s)
{
    int64_t head[4];
    MO_TRY(read_head(s, head, 3, "of tetrahedra, nodes of each (4), attributes"));
    if (head[1] != 4 || head[2] > 1000) {
        return mo_mesh_source_fail(
            s, "its tetrahedra have %lld nodes and %lld attributes; allowed: 4, up to 1000",
            (long long)head[1], (long long)head[2]);
    }
    MO_TRY(mo_mesh_source_check_size(s, "tetrahedra", head[0], 10 + 2 * head[2]));
    for (int64_t k = 0; k < head[0]; ++k) {
        MO_TRY(read_tetrahedron(s, k, head));
    }
    return MOTE_OK;
}
