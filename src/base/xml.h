/*
 * A minimal XML tokenizer for VTK files: a sequence of tags with attributes; no document is built.
 */
#ifndef MO_BASE_XML_H
#define MO_BASE_XML_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mo_xml_tag {
    bool closing;              /* </name> */
    const char *name, *inside; /* start of the name and of the attributes */
    size_t name_length, inside_length;
    const char *after; /* after the '>' */
} mo_xml_tag;

/* The next tag from `at` on, skipping comments and <?...?>; false at `end` or at an unterminated
 * tag. */
bool mo_xml_next(const char *at, const char *end, mo_xml_tag *tag);

bool mo_xml_is(const mo_xml_tag *tag, const char *name);

/* The value of an attribute, with entities resolved, truncated to the size; false (and "") if
 * there is none. */
bool mo_xml_attribute(const mo_xml_tag *tag, const char *name, char *out, size_t size);

#endif
