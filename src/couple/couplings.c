/*
 * The list of couplings. A coupling is a file in this folder and one line in couplings.def.
 */
#include "host/coupling.h"

#define MO_COUPLING(name) extern const mo_coupling_type mo_coupling_##name;
#include "couple/couplings.def"
#undef MO_COUPLING

static const mo_coupling_type *const TYPES[] = {
#define MO_COUPLING(name) &mo_coupling_##name,
#include "couple/couplings.def"
#undef MO_COUPLING
};

enum { COUNT = sizeof TYPES / sizeof *TYPES };

_Static_assert((int)COUNT <= (int)MO_COUPLINGS_MAX, "more couplings than MO_COUPLINGS_MAX");

const mo_coupling_type *mo_coupling_type_at(int index)
{
    return index >= 0 && index < COUNT ? TYPES[index] : NULL;
}
