#include "io/checkpoint/npy.h"

#include <stdio.h>
#include <string.h>

static const char *descr(mote_type type)
{
    switch (type) {
    case MOTE_F64:
        return "<f8";
    case MOTE_F32:
        return "<f4";
    case MOTE_I64:
        return "<i8";
    case MOTE_I32:
        return "<i4";
    case MOTE_U8:
        return "|u1";
    }
    return "?";
}

void mo_npy_head(mote_type type, int64_t rows, int components, char head[MO_NPY_HEAD])
{
    static const char MAGIC[] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, MO_NPY_HEAD - 10, 0};
    char shape[48], text[MO_NPY_HEAD - sizeof MAGIC + 1];
    snprintf(shape, sizeof shape, components == 1 ? "(%lld,)" : "(%lld, %d)", (long long)rows,
             components);
    int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                 descr(type), shape);
    memcpy(head, MAGIC, sizeof MAGIC);
    memset(head + sizeof MAGIC, ' ', MO_NPY_HEAD - sizeof MAGIC);
    memcpy(head + sizeof MAGIC, text, (size_t)length);
    head[MO_NPY_HEAD - 1] = '\n';
}
