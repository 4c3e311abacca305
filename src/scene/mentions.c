/* Full-text search in the parameter tables: the keys and methods whose name or sentence has all
 * words of a query. Words are separated by anything but letters and digits. */
#include "scene/catalog.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MENTIONS_MAX = 8 };

static const char *word_start(const char *text)
{
    while (*text && !isalnum((unsigned char)*text)) {
        ++text;
    }
    return text;
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length])) {
        ++length;
    }
    return length;
}

static bool has_word(const char *text, const char *word, size_t length)
{
    for (text = word_start(text); *text; text = word_start(text + word_length(text))) {
        if (word_length(text) == length && strncasecmp(text, word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether each word of the query is a word of one of the texts. */
static bool matches(const char *query, const char *const *texts, int count)
{
    bool all = *word_start(query) != '\0';
    for (const char *word = word_start(query); *word; word = word_start(word + word_length(word))) {
        bool found = false;
        for (int k = 0; k < count && !found; ++k) {
            found = has_word(texts[k], word, word_length(word));
        }
        all = all && found;
    }
    return all;
}

typedef struct mentions {
    const char *query;
    mo_text *out;
    int count;
} mentions;

static void mention(mentions *m, const char *of, const char *key)
{
    if (m->count++ < MENTIONS_MAX) {
        mo_text_add(m->out, "%s%s%s%s", m->count > 1 ? ", " : "", of, key[0] ? "." : "", key);
    }
}

static void search_keys(mentions *m, const char *owner, const mo_param *params)
{
    for (const mo_param *p = params; p && p->name; ++p) {
        const char *texts[] = {owner, p->name, p->doc ? p->doc : ""};
        if (matches(m->query, texts, 3)) {
            mention(m, owner, p->name);
        }
    }
}

static void search_family(mentions *m, const mo_family *family)
{
    for (int k = 0; k < mo_family_count(family); ++k) {
        const mo_descriptor *method = mo_family_at(family, k);
        const char *texts[] = {family->name, method->name, method->summary};
        if (matches(m->query, texts, 3)) {
            mention(m, method->name, "");
        }
        search_keys(m, method->name, method->params);
    }
}

int mo_catalog_mentions(const mo_catalog *catalog, const char *query, mo_text *out)
{
    mentions m = {.query = query, .out = out};
    for (int k = 0; k < catalog->section_count; ++k) {
        search_keys(&m, catalog->sections[k]->name, catalog->sections[k]->params);
    }
    for (int k = 0; k < catalog->family_count; ++k) {
        search_family(&m, catalog->families[k]);
    }
    return m.count;
}
