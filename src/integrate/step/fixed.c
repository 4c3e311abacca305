/* A constant step. The simplest member of its family, as a template. */
#include "integrate/step/step.h"

typedef struct fixed {
    double size;
} fixed;

static const mo_param PARAMS[] = {{"size", MO_REAL, MO_FIELD(fixed, size), .unit = "s",
                                   .required = true, .range = "(0, inf)", .doc = "The step."},
                                  {0}};

static mo_step_choice choose(const void *params, const mo_step_state *state)
{
    (void)state;
    const fixed *f = params;
    return (mo_step_choice){f->size, "fixed", NULL};
}

const mo_step_type mo_step_fixed = {
    .base = {.name = "fixed",
             .summary = "Constant step; frames are written at the nearest step.",
             .capabilities = MO_PORTABLE,
             .param_size = sizeof(fixed),
             .params = PARAMS},
    .choose = choose,
};
