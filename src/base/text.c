#include "base/text.h"

#include "base/memory.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(mo_text *text, size_t more)
{
    size_t need = text->length + more + 1;
    if (need <= text->capacity) {
        return true;
    }
    size_t capacity = need < 256 ? 256 : need + need / 2;
    char *data = mo_heap_resize(text->data, capacity);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void mo_text_add(mo_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (more < 0 || text->failed || !reserve(text, (size_t)more)) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(text->data + text->length, (size_t)more + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)more;
}

void mo_text_release(mo_text *text)
{
    mo_heap_release(text->data);
    *text = (mo_text){0};
}

mote_status mo_text_take(mo_text *text, char **out, mote_error *error)
{
    mo_text_add(text, "%s", "");
    if (text->failed) {
        size_t bytes = text->capacity;
        mo_text_release(text);
        return mo_fail_memory(error, bytes);
    }
    *out = text->data;
    *text = (mo_text){0};
    return MOTE_OK;
}

/* Edit distance with transpositions (Damerau, restricted), for short names. */
static int edit_distance(const char *a, const char *b)
{
    enum { MAX = 48 };
    int rows[3][MAX + 1];
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n > MAX || m > MAX) {
        return INT_MAX; /* no similar name */
    }
    for (int j = 0; j <= m; ++j) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= n; ++i) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= m; ++j) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            int best = above[j - 1] + (x != y);
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]) && above2[j - 2] + 1 < best) {
                best = above2[j - 2] + 1;
            }
            row[j] = best;
        }
    }
    return rows[n % 3][m];
}

const char *mo_nearest(const char *word, const char *const *names, int count)
{
    const char *nearest = NULL;
    int length = (int)strlen(word), best = length < 2 ? 0 : 1 + length / 3;
    for (int k = 0; k < count; ++k) {
        int distance = edit_distance(word, names[k]);
        if (distance <= best && (!nearest || distance < best)) {
            best = distance;
            nearest = names[k];
        }
    }
    return nearest;
}

bool mo_ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), more = strlen(ending);
    return length > more && strcmp(text + length - more, ending) == 0;
}
