/* Parts common to all versions: the header, group names, sections. */
#include "geometry/meshfile/gmsh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool mo_gmsh_int(mo_gmsh *g, int64_t *value)
{
    int32_t narrow;
    if (!g->source->binary) {
        return mo_mesh_source_int(g->source, value);
    }
    bool there = mo_mesh_source_bytes(g->source, &narrow, sizeof narrow);
    *value = there ? narrow : 0;
    return there;
}

bool mo_gmsh_size(mo_gmsh *g, int64_t *value)
{
    return g->source->binary ? mo_mesh_source_bytes(g->source, value, sizeof *value)
                             : mo_mesh_source_int(g->source, value);
}

bool mo_gmsh_real(mo_gmsh *g, double *value)
{
    return g->source->binary ? mo_mesh_source_bytes(g->source, value, sizeof *value)
                             : mo_mesh_source_real(g->source, value);
}

/* ---- groups ---- */

static int add_physical(mo_gmsh *g, int64_t dimension, int64_t tag, const char *name)
{
    if (g->physical_count == (int)(sizeof g->physicals / sizeof *g->physicals)) {
        return -1;
    }
    int group = mo_mesh_source_group(g->source, name);
    g->physicals[g->physical_count++] = (mo_gmsh_physical){dimension, tag, group};
    return group;
}

uint32_t mo_gmsh_member(mo_gmsh *g, int64_t dimension, int64_t tag)
{
    int group = -1, k = 0;
    if (tag == 0) {
        return 0;
    }
    while (k < g->physical_count &&
           (g->physicals[k].dimension != dimension || g->physicals[k].tag != tag)) {
        ++k;
    }
    if (k < g->physical_count) {
        group = g->physicals[k].group;
    } else {
        char name[48];
        snprintf(name, sizeof name, "physical%lld", (long long)tag);
        group = add_physical(g, dimension, tag, name);
    }
    return group >= 0 ? UINT32_C(1) << group : 0;
}

/* These lines are text in binary files, too. */
static mote_status read_names(mo_gmsh *g)
{
    mo_mesh_source *s = g->source;
    int64_t count, dimension, tag;
    if (!mo_mesh_source_int(s, &count)) {
        return mo_mesh_source_fail(s, "$PhysicalNames does not begin with a number");
    }
    MO_TRY(mo_mesh_source_check_size(s, "names", count, 6));
    for (int64_t k = 0; k < count; ++k) {
        char name[48] = "";
        size_t length = 0;
        bool good = mo_mesh_source_int(s, &dimension) && mo_mesh_source_int(s, &tag);
        const char *open = good ? memchr(s->at, '"', (size_t)(s->end - s->at)) : NULL;
        const char *close = open ? memchr(open + 1, '"', (size_t)(s->end - open - 1)) : NULL;
        if (!close) {
            return mo_mesh_source_fail(s,
                                       "a physical name is a dimension, a number and a \"name\"");
        }
        length = (size_t)(close - open - 1);
        length = length < sizeof name ? length : sizeof name - 1;
        memcpy(name, open + 1, length);
        name[length] = '\0';
        s->at = close + 1;
        add_physical(g, dimension, tag, length ? name : "unnamed");
    }
    return MOTE_OK;
}

/* ---- elements ---- */

enum { LINE = 1, TRIANGLE = 2, TETRAHEDRON = 4, CURVED_LINE = 8, POINT = 15 };

mote_status mo_gmsh_corners(mo_gmsh *g, int64_t element, int64_t type, int *corners)
{
    static const char *const OTHERS[] = {
        [3] = "a quadrangle", [5] = "a hexahedron",      [6] = "a prism",
        [7] = "a pyramid",    [9] = "a curved triangle", [11] = "a curved tetrahedron"};
    switch (type) {
    case POINT:
        *corners = 1;
        return MOTE_OK;
    case LINE:
        *corners = 2;
        return MOTE_OK;
    case TRIANGLE:
    case CURVED_LINE:
        *corners = 3;
        return MOTE_OK;
    case TETRAHEDRON:
        *corners = 4;
        return MOTE_OK;
    default:
        break;
    }
    const char *what =
        type > 0 && type < (int64_t)(sizeof OTHERS / sizeof *OTHERS) ? OTHERS[type] : NULL;
    return mo_mesh_source_fail(
        g->source,
        "element %lld is of Gmsh's type %lld%s%s%s; allowed: 4 (tetrahedron), 2 (triangle), and 1, 8, "
        "15 (lines and points)",
        (long long)element, (long long)type, what ? " (" : "", what ? what : "", what ? ")" : "");
}

mote_status mo_gmsh_add(mo_gmsh *g, int64_t element, int64_t type, const int64_t *names,
                        uint32_t members)
{
    mo_mesh_source *s = g->source;
    int32_t nodes[4];
    int corners = 0;
    MO_TRY(mo_gmsh_corners(g, element, type, &corners));
    for (int k = 0; k < corners; ++k) {
        MO_TRY(mo_mesh_source_find(s, element, names[k], &nodes[k]));
        s->members[nodes[k]] |= members;
    }
    if (type == TETRAHEDRON) {
        return mo_mesh_source_add(s, &s->tetrahedra, element, nodes);
    }
    return type == TRIANGLE ? mo_mesh_source_add(s, &s->triangles, element, nodes) : MOTE_OK;
}

/* ---- the file ---- */

/* The header: version, 0 for text or 1, size of a number; in binary files a 1 for the byte
 * order. */
static mote_status read_head(mo_gmsh *g, double *version)
{
    mo_mesh_source *s = g->source;
    int64_t binary, bytes;
    int32_t one;
    if (!mo_mesh_source_real(s, version) || !mo_mesh_source_int(s, &binary) ||
        !mo_mesh_source_int(s, &bytes)) {
        return mo_mesh_source_fail(s, "$MeshFormat is a version, 0 or 1, and the size of a number");
    }
    bool known = (*version >= 2 && *version < 3) || (*version >= 4.1 && *version < 4.2);
    if (!known || (binary != 0 && binary != 1) || bytes != 8) {
        return mo_mesh_source_fail(
            s,
            "is version %g, %s, with numbers of %lld bytes; allowed: versions 2 to 2.2 and 4.1, text "
            "or binary, 8 bytes",
            *version, binary == 0 ? "text" : "binary", (long long)bytes);
    }
    if (binary) {
        mo_mesh_source_skip_line(s);
        s->binary = true;
        if (!mo_mesh_source_bytes(s, &one, sizeof one) || one != 1) {
            return mo_mesh_source_fail(s, "has the byte order of another machine");
        }
    }
    return MOTE_OK;
}

/* Skips past the end of a section. */
static mote_status end_section(mo_gmsh *g, const char *name)
{
    mo_mesh_source *s = g->source;
    char word[80];
    snprintf(word, sizeof word, "$End%.70s", name + 1);
    const char *found = memmem(s->at, (size_t)(s->end - s->at), word, strlen(word));
    if (!found) {
        return mo_mesh_source_fail(s, "is truncated: %.70s has no end", name);
    }
    s->at = found + strlen(word);
    return MOTE_OK;
}

static mote_status read_section(mo_gmsh *g, const char *name, double version)
{
    static const struct {
        const char *name;
        mote_status (*read[2])(mo_gmsh *); /* of version 2 and 4 */
        bool binary;                       /* in binary files, after a line end */
    } SECTIONS[] = {{"$PhysicalNames", {read_names, read_names}, false},
                    {"$Entities", {NULL, mo_gmsh4_entities}, true},
                    {"$Nodes", {mo_gmsh2_nodes, mo_gmsh4_nodes}, true},
                    {"$Elements", {mo_gmsh2_elements, mo_gmsh4_elements}, true}};
    for (size_t k = 0; k < sizeof SECTIONS / sizeof *SECTIONS; ++k) {
        mote_status (*read)(mo_gmsh *) = SECTIONS[k].read[version >= 4];
        if (strcmp(name, SECTIONS[k].name) == 0 && read) {
            if (g->source->binary && SECTIONS[k].binary) {
                mo_mesh_source_skip_line(g->source);
            }
            return read(g);
        }
    }
    return MOTE_OK;
}

static mote_status read_all(mo_gmsh *g)
{
    mo_mesh_source *s = g->source;
    char word[80];
    double version = 0;
    while (mo_mesh_source_word(s, word, sizeof word)) {
        if (version == 0 && strcmp(word, "$MeshFormat") == 0) {
            MO_TRY(read_head(g, &version));
        } else if (version == 0) {
            return mo_mesh_source_fail(
                s, "does not begin with $MeshFormat: it is not a .msh file of version 2 or 4");
        } else if (word[0] != '$') {
            return mo_mesh_source_fail(s, "has '%.40s' where a section should begin", word);
        } else {
            MO_TRY(read_section(g, word, version));
        }
        MO_TRY(end_section(g, word));
    }
    return version != 0 ? MOTE_OK
                        : mo_mesh_source_fail(s, "is empty: it is not a .msh file of version 2 or "
                                                 "4");
}

mote_status mo_mesh_read_gmsh(mo_mesh_source *source)
{
    mo_gmsh g = {.source = source};
    mote_status status = read_all(&g);
    mo_release(source->memory, g.entities);
    return status;
}
