/*
 * Where a key that a method or a section does not have belongs.
 */
#ifndef MO_SCENE_KEY_OWNER_H
#define MO_SCENE_KEY_OWNER_H

#include "base/param.h"

/* The sentence for an error; empty if no table has the key.
 *
 * Of a method: "; it belongs to the model 'fem' or 'elements', or to the material 'arap'": the
 * methods of its family with the key, and those of a family that a parameter selects from. Of a
 * section (family NULL): "; it belongs to `fluid`, `bodies[].mesh` ('lattice')": sections and
 * methods below it, or, if there are none, anywhere in a scene; in both cases the nearest ones. */
void mo_key_owner(const char *key, const mo_section *keys, const mo_family *family, char *text,
                  size_t size);

#endif
