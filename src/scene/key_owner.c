#include "scene/key_owner.h"

#include "scene/reader.h"

#include <stdio.h>

enum { OWNERS_MAX = 64 };

static bool has_key(const mo_descriptor *method, const char *key)
{
    return mo_param_find(method->params, key) != NULL;
}

/* The methods of a family with the key; returns their number. */
static int find_owners(const mo_family *family, const char *key, const char *owners[OWNERS_MAX])
{
    int count = 0;
    for (int k = 0; k < mo_family_count(family) && count < OWNERS_MAX; ++k) {
        const mo_descriptor *method = mo_family_at(family, k);
        if (has_key(method, key)) {
            owners[count++] = method->name;
        }
    }
    return count;
}

/* "'fem'", "'fem' or 'elements'", "'a', 'b' or 'c'" */
static void list_owners(const char *const *owners, int count, char *text, size_t size)
{
    int used = 0;
    for (int k = 0; k < count && (size_t)used < size; ++k) {
        const char *before = k == 0 ? "" : k == count - 1 ? " or " : ", ";
        used += snprintf(text + used, size - (size_t)used, "%s'%s'", before, owners[k]);
    }
}

/* "the model 'spring'" or nothing */
static int name_methods(const mo_family *family, const char *key, char *text, size_t size)
{
    const char *owners[OWNERS_MAX];
    char names[400];
    int count = family ? find_owners(family, key, owners) : 0;
    text[0] = '\0';
    if (count > 0) {
        list_owners(owners, count, names, sizeof names);
        snprintf(text, size, "the %s %s", family->name, names);
    }
    return count;
}

void mo_key_owner(const char *key, const mo_section *keys, const mo_family *family, char *text,
                  size_t size)
{
    const mo_param *p;
    char peers[450], inner[450] = "";
    int found = name_methods(family, key, peers, sizeof peers), within = 0;
    for (int k = 0; within == 0 && (p = mo_section_param(keys, k)) != NULL; ++k) {
        bool other = p->type == MO_METHOD && (found == 0 || p->family != family);
        within = other ? name_methods(p->family, key, inner, sizeof inner) : 0;
    }
    text[0] = '\0';
    if (found + within > 0) {
        snprintf(text, size, "; it belongs to %s%s%s", peers, found && within ? ", or to " : "",
                 inner);
    }
}
