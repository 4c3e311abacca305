#include "base/xml.h"

#include <ctype.h>
#include <string.h>

static const char *find(const char *at, const char *end, const char *what)
{
    return at && at < end ? memmem(at, (size_t)(end - at), what, strlen(what)) : NULL;
}

static bool begins(const char *at, const char *end, const char *what)
{
    size_t length = strlen(what);
    return (size_t)(end - at) >= length && memcmp(at, what, length) == 0;
}

/* The '>' that ends a tag, ignoring quoted ones. */
static const char *tag_end(const char *at, const char *end)
{
    char quote = 0;
    for (; at < end; ++at) {
        if (quote) {
            quote = *at == quote ? 0 : quote;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '>') {
            return at;
        }
    }
    return NULL;
}

bool mo_xml_next(const char *at, const char *end, mo_xml_tag *tag)
{
    while ((at = find(at, end, "<")) != NULL) {
        if (!begins(at, end, "<!--") && !begins(at, end, "<?")) {
            break;
        }
        at = begins(at, end, "<?") ? find(at, end, "?>") : find(at, end, "-->");
    }
    const char *last = at ? tag_end(at, end) : NULL;
    if (!last) {
        return false;
    }
    *tag = (mo_xml_tag){.closing = at + 1 < last && at[1] == '/', .after = last + 1};
    tag->name = at + 1 + tag->closing;
    const char *name_end = tag->name;
    while (name_end < last && !isspace((unsigned char)*name_end) && *name_end != '/') {
        ++name_end;
    }
    tag->name_length = (size_t)(name_end - tag->name);
    tag->inside = name_end;
    tag->inside_length = (size_t)(last - name_end);
    return true;
}

bool mo_xml_is(const mo_xml_tag *tag, const char *name)
{
    return strlen(name) == tag->name_length && memcmp(tag->name, name, tag->name_length) == 0;
}

/* Copies a value with its entities resolved. */
static void copy_value(const char *at, const char *end, char *out, size_t size)
{
    static const struct {
        const char *entity;
        char character;
    } ENTITIES[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    size_t used = 0;
    while (at < end && used + 1 < size) {
        char character = *at;
        size_t length = 1;
        for (size_t k = 0; k < sizeof ENTITIES / sizeof *ENTITIES; ++k) {
            if (begins(at, end, ENTITIES[k].entity)) {
                character = ENTITIES[k].character;
                length = strlen(ENTITIES[k].entity);
            }
        }
        out[used++] = character;
        at += length;
    }
    out[used] = '\0';
}

static const char *skip_spaces(const char *at, const char *end)
{
    while (at < end && isspace((unsigned char)*at)) {
        ++at;
    }
    return at;
}

bool mo_xml_attribute(const mo_xml_tag *tag, const char *name, char *out, size_t size)
{
    const char *at = tag->inside, *end = at + tag->inside_length;
    size_t length = strlen(name);
    out[0] = '\0';
    for (;;) {
        at = skip_spaces(at, end);
        const char *equals = find(at, end, "=");
        const char *open = equals ? skip_spaces(equals + 1, end) : end;
        if (open >= end || (*open != '"' && *open != '\'')) {
            return false;
        }
        const char *close = memchr(open + 1, *open, (size_t)(end - open - 1));
        if (!close) {
            return false;
        }
        if ((size_t)(equals - at) >= length && memcmp(at, name, length) == 0 &&
            skip_spaces(at + length, equals) == equals) {
            copy_value(open + 1, close, out, size);
            return true;
        }
        at = close + 1;
    }
}
