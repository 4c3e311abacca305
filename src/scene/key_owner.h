/*
 * Where a key that a method or a section does not have belongs.
 */
#ifndef MO_SCENE_KEY_OWNER_H
#define MO_SCENE_KEY_OWNER_H

#include "base/param.h"

/* "; it belongs to the model 'fem' or 'elements', or to the material 'arap'": the methods of the
 * same family that have the key, and those of a family that a parameter of `keys` selects from;
 * empty if there are none. family NULL: `keys` are those of a section. */
void mo_key_owner(const char *key, const mo_section *keys, const mo_family *family, char *text,
                  size_t size);

#endif
