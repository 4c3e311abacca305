/* A method from a text, as options of the public interface give it: a name or a JSON object. */
#ifndef MO_RUN_METHOD_TEXT_H
#define MO_RUN_METHOD_TEXT_H

#include "base/memory.h"
#include "base/param.h"

/* Reads the text as a scene would read it at this key; `source` begins messages. */
mote_status mo_method_text_read(const char *text, const char *source, const char *key,
                                const mo_family *family, mo_arena *arena, mo_method *method,
                                mote_error *error);

#endif
