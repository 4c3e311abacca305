/* Plots: what is drawn is where it belongs, and the file is one that viewers open. */
#include "test.h"

#include "plot/scale.h"
#include "plot/svg.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- figures as text ---- */

/* What the figure looks like in a file; the caller frees it. */
static char *text_of(const plot_figure *figure)
{
    char *text = NULL;
    size_t size = 0;
    mote_error error = {0};
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(plot_write_stream(figure, stream, &error), MOTE_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *p = strstr(text, part); p; p = strstr(p + 1, part)) {
        ++count;
    }
    return count;
}

static const char *find(const char *text, const char *part)
{
    const char *found = strstr(text, part);
    if (!found) {
        print_error("'%s' is not there\n", part);
    }
    assert_non_null(found);
    return found;
}

/* ---- a small checker of XML ---- */

/* A reference to a character: one of the five that XML knows by name. */
static bool is_entity(const char *p)
{
    static const char *const KNOWN[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (size_t k = 0; k < sizeof KNOWN / sizeof *KNOWN; ++k) {
        if (strncmp(p, KNOWN[k], strlen(KNOWN[k])) == 0) {
            return true;
        }
    }
    return false;
}

/* Text or the value of an attribute; returns where it ends. */
static const char *check_characters(const char *p, char end)
{
    for (; *p && *p != end; ++p) {
        assert_true(*p != '<' && *p != '>');
        assert_true((unsigned char)*p >= 0x20 || *p == '\n');
        assert_true(*p != '&' || is_entity(p));
    }
    return p;
}

static const char *skip_name(const char *p)
{
    size_t length = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:");
    assert_true(length > 0);
    return p + length;
}

/* name="value" name="value", each name once; returns the end of the tag. */
static const char *check_attributes(const char *p)
{
    enum { MOST = 20 };
    const char *names[MOST];
    size_t lengths[MOST];
    int count = 0;
    while (*p == ' ') {
        const char *name = p + 1;
        p = skip_name(name);
        size_t length = (size_t)(p - name);
        for (int k = 0; k < count; ++k) {
            assert_false(lengths[k] == length && memcmp(names[k], name, length) == 0);
        }
        assert_true(count < MOST);
        names[count] = name;
        lengths[count++] = length;
        assert_memory_equal(p, "=\"", 2);
        p = check_characters(p + 2, '"');
        assert_int_equal(*p++, '"');
    }
    return p;
}

typedef struct open_tags {
    const char *name[32];
    size_t length[32];
    int depth;
} open_tags;

static const char *check_end_tag(const char *p, open_tags *open)
{
    const char *name = p + 2;
    p = skip_name(name);
    assert_true(open->depth > 0);
    --open->depth;
    assert_int_equal(p - name, open->length[open->depth]);
    assert_memory_equal(name, open->name[open->depth], open->length[open->depth]);
    assert_int_equal(*p, '>');
    return p + 1;
}

static const char *check_start_tag(const char *p, open_tags *open)
{
    const char *name = p + 1;
    p = skip_name(name);
    size_t length = (size_t)(p - name);
    p = check_attributes(p);
    if (*p == '/') {
        assert_int_equal(p[1], '>');
        return p + 2;
    }
    assert_int_equal(*p, '>');
    assert_true(open->depth < 32);
    open->name[open->depth] = name;
    open->length[open->depth++] = length;
    return p + 1;
}

/* One element with all its tags closed, all texts escaped, and no number that is none. */
static void check_svg(const char *text)
{
    static const char HEAD[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ";
    open_tags open = {.depth = 0};
    int roots = 0;
    assert_memory_equal(text, HEAD, strlen(HEAD));
    for (const char *p = strchr(text, '\n') + 1; *p;) {
        if (*p == '<') {
            roots += open.depth == 0;
            p = p[1] == '/' ? check_end_tag(p, &open) : check_start_tag(p, &open);
        } else {
            const char *end = check_characters(p, '<');
            assert_true(open.depth > 0 || strcmp(p, "\n") == 0);
            p = end;
        }
    }
    assert_int_equal(open.depth, 0);
    assert_int_equal(roots, 1 + 1); /* its start and its end */
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
}

int main(void)
{
    return 0;
}
