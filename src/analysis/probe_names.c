/* Names of a probe's operators, forms, corrections and results. */
#include "analysis/probe.h"

#include <stdio.h>
#include <string.h>

const char *const mo_probe_operator_names = "value|gradient|divergence|curl|laplacian|weight";
const char *const mo_probe_form_names = "plain|difference|symmetric";
const char *const mo_probe_correction_names = "none|shepard|least_squares";

int mo_probe_choice(const char *names, const char *name)
{
    size_t length = strlen(name);
    int index = 0;
    for (const char *at = names; at; ++index) {
        const char *end = strchr(at, '|');
        if ((end ? (size_t)(end - at) : strlen(at)) == length && strncmp(at, name, length) == 0) {
            return index;
        }
        at = end ? end + 1 : NULL;
    }
    return -1;
}

int mo_probe_components(mo_probe_operator operation, int components)
{
    bool vector = components == 3;
    switch (operation) {
    case MO_PROBE_GRADIENT:
        return 3 * components <= MO_PROBE_FIELD_MAX ? 3 * components : 0;
    case MO_PROBE_DIVERGENCE:
        return vector ? 1 : 0;
    case MO_PROBE_CURL:
        return vector ? 3 : 0;
    case MO_PROBE_WEIGHT:
        return 1;
    default:
        return components <= MO_PROBE_FIELD_MAX ? components : 0;
    }
}

/* The suffix of component `index` of `count`: x, y, z of vectors, else a number. */
static void suffix_of(int index, int count, char *out, size_t size)
{
    if (count == 1) {
        out[0] = '\0';
    } else if (count == 3) {
        snprintf(out, size, "_%c", "xyz"[index]);
    } else {
        snprintf(out, size, "_%d", index);
    }
}

void mo_probe_label(mo_probe_operator operation, const char *column, int components, int index,
                    char *label, size_t size)
{
    static const char *const PREFIX[] = {"", "grad_", "div_", "curl_", "lap_"};
    char suffix[16];
    bool gradient = operation == MO_PROBE_GRADIENT, scalar = operation == MO_PROBE_DIVERGENCE;
    if (operation == MO_PROBE_WEIGHT) {
        snprintf(label, size, "weight");
        return;
    }
    suffix_of(gradient ? index / 3 : index, scalar ? 1 : components, suffix, sizeof suffix);
    snprintf(label, size, "%s%.16s%s", PREFIX[operation], column, suffix);
    if (gradient) { /* dA_a/dx_b: the direction of the derivative follows */
        size_t used = strlen(label);
        snprintf(label + used, size - used, "_d%c", "xyz"[index % 3]);
    }
}

void mo_probe_name(mo_probe_operator operation, const char *column, char *name, size_t size)
{
    mo_probe_label(operation, column, 1, 0, name, size);
    if (operation == MO_PROBE_GRADIENT) {
        name[strlen(name) - strlen("_dx")] = '\0';
    }
}

bool mo_probe_convert(mote_type type, const void *data, int64_t count, double *out)
{
    for (int64_t k = 0; k < count; ++k) {
        switch (type) {
        case MOTE_F64:
            out[k] = ((const double *)data)[k];
            break;
        case MOTE_F32:
            out[k] = (double)((const float *)data)[k];
            break;
        case MOTE_I64:
            out[k] = (double)((const int64_t *)data)[k];
            break;
        case MOTE_I32:
            out[k] = (double)((const int32_t *)data)[k];
            break;
        case MOTE_U8:
            out[k] = (double)((const uint8_t *)data)[k];
            break;
        default:
            return false;
        }
    }
    return true;
}
