/*
 * mote/catalog.h: documentation of every family, method and parameter, generated from the tables
 * that read scenes. Release the texts with mote_text_free.
 */
#ifndef MOTE_CATALOG_H
#define MOTE_CATALOG_H

#include "mote/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mote_text_format {
    MOTE_TEXT_PLAIN,
    MOTE_TEXT_JSON,
    MOTE_TEXT_MARKDOWN
} mote_text_format;

/* All families, or the methods of one. */
mote_status mote_catalog_list(MOTE_OPTIONAL const char *family, mote_text_format format,
                              char **text, mote_error *error);

/* A family, a method ("rk4" or "integrator.rk4"), a section ("time") or a parameter
 * ("time.step"). */
mote_status mote_catalog_explain(const char *name, mote_text_format format, char **text,
                                 mote_error *error);

/* JSON Schema (draft 2020-12) of a scene. */
mote_status mote_catalog_schema(char **text, mote_error *error);

#ifdef __cplusplus
}
#endif
#endif
