/*
 * The head of a .npy file (NumPy enhancement proposal 1, format 1.0): magic, length, and a Python
 * dictionary with type and shape, padded to a multiple of 64 bytes. It is a function of type and
 * shape alone, so a head is validated by comparison.
 */
#ifndef MO_IO_CHECKPOINT_NPY_H
#define MO_IO_CHECKPOINT_NPY_H

#include "mote/world.h"

enum { MO_NPY_HEAD = 128 };

/* Writes the head of an array of rows x components (of `rows` numbers if components is 1). */
void mo_npy_head(mote_type type, int64_t rows, int components, char head[MO_NPY_HEAD]);

#endif
