#include "mote/base.h"

#include "base/memory.h"

#include <stdlib.h>

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *mote_version(void)
{
    return TEXT(MOTE_VERSION_MAJOR) "." TEXT(MOTE_VERSION_MINOR) "." TEXT(MOTE_VERSION_PATCH);
}

const char *mote_instruction_set(void)
{
#if defined(__AVX2__) && \
    defined(__BMI2__) /* of this library: some sources are compiled without FMA */
    return "x86-64-v3";
#elif defined(__x86_64__)
    return "x86-64";
#else
    return "generic";
#endif
}

void mote_text_free(char *text)
{
    mo_heap_release(text);
}
