#include "base/param.h"

#include "base/plain_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const mo_section mo_empty_section = {
    .name = "nothing", .doc = "", .size = 0, .params = (const mo_param[]){{0}}};

const mo_param *mo_section_param(const mo_section *section, int index)
{
    const mo_section *part = section;
    for (int k = 0; part; part = section->part ? section->part(k++) : NULL) {
        for (const mo_param *p = part->params; p && p->name; ++p, --index) {
            if (index == 0) {
                return p;
            }
        }
    }
    return NULL;
}

const char *mo_section_default(const mo_section *section, const mo_param *param, const char *preset)
{
    for (const mo_preset *p = section->presets; preset && p && p->value; ++p) {
        if (strcmp(p->value, preset) == 0 && strcmp(p->key, param->name) == 0) {
            return p->initial;
        }
    }
    return param->initial;
}

const mo_param *mo_section_find(const mo_section *section, const char *name)
{
    const mo_param *p;
    for (int k = 0; (p = mo_section_param(section, k)) != NULL; ++k) {
        if (strcmp(p->name, name) == 0) {
            return p;
        }
    }
    return NULL;
}

const mo_descriptor *mo_family_at(const mo_family *family, int index)
{
    if (!family->part) {
        return index >= 0 && index < family->count ? family->methods[index] : NULL;
    }
    const mo_family *part;
    for (int k = 0; (part = family->part(k)) != NULL; ++k) {
        if (index < part->count) {
            return part->methods[index];
        }
        index -= part->count;
    }
    return NULL;
}

int mo_family_count(const mo_family *family)
{
    int count = 0;
    while (mo_family_at(family, count)) {
        ++count;
    }
    return count;
}

const mo_descriptor *mo_family_find(const mo_family *family, const char *name)
{
    const mo_descriptor *method;
    for (int k = 0; (method = mo_family_at(family, k)) != NULL; ++k) {
        if (strcmp(method->name, name) == 0) {
            return method;
        }
    }
    return NULL;
}

mo_range mo_range_parse(const char *text)
{
    mo_range range = {-INFINITY, INFINITY, true, true};
    if (!text) {
        return range;
    }
    char *end;
    mo_plain_numbers numbers = mo_plain_numbers_begin();
    range.open_low = text[0] == '(';
    range.low = strtod(text + 1, &end);
    end += strspn(end, ", ");
    range.high = strtod(end, &end);
    range.open_high = *end == ')';
    mo_plain_numbers_end(numbers);
    return range;
}

bool mo_range_contains(mo_range range, double value)
{
    bool above = range.open_low ? value > range.low : value >= range.low;
    bool below = range.open_high ? value < range.high : value <= range.high;
    return above && below;
}

double mo_curve_at(const mo_curve *curve, double time)
{
    int n = curve->count;
    if (n == 0) {
        return 0;
    }
    if (n == 1 || time <= curve->time[0]) {
        return curve->value[0];
    }
    if (time >= curve->time[n - 1]) {
        return curve->value[n - 1];
    }
    int low = 0, high = n - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(curve->time[middle] <= time ? &low : &high) = middle;
    }
    double s = (time - curve->time[low]) / (curve->time[high] - curve->time[low]);
    return curve->value[low] + s * (curve->value[high] - curve->value[low]);
}

size_t mo_param_size(const mo_param *param)
{
    switch (param->type) {
    case MO_BOOL:
        return sizeof(bool);
    case MO_INT:
        return sizeof(int64_t);
    case MO_REAL:
        return sizeof(double);
    case MO_VEC3:
        return 3 * sizeof(double);
    case MO_STRING:
    case MO_FILE:
        return sizeof(const char *);
    case MO_CURVE:
        return sizeof(mo_curve);
    case MO_REFERENCE:
        return sizeof(mo_reference);
    case MO_METHOD:
        return sizeof(mo_method);
    case MO_SECTION:
        return param->section->size;
    }
    return 0;
}
