/* Shapes from their text in a scene, for tests. */
#ifndef TEST_SHAPE_TEXT_H
#define TEST_SHAPE_TEXT_H

#include "base/memory.h"
#include "geometry/shape/shape.h"
#include "scene/reader.h"

typedef struct shape_text {
    mo_memory memory;
    mo_arena arena;
    mo_method shape;
} shape_text;

static const mo_param SHAPE_TEXT_PARAMS[] = {
    {"shape", MO_METHOD, .offset = 0, .family = &mo_shapes, .required = true, .doc = "A shape."},
    {0}};
static const mo_section SHAPE_TEXT_SECTION = {"test", "A test.", sizeof(mo_method),
                                              .params = SHAPE_TEXT_PARAMS};

static inline mote_status read_shape(shape_text *s, const char *text, mote_error *error)
{
    json_error_t where;
    json_t *value = json_loads(text, 0, &where);
    if (!value) {
        fail_msg("%s: %s", text, where.text);
    }
    json_t *root = json_pack("{s:o}", "shape", value);
    mo_read_source source = {"test", MOTE_SCENES, root};
    mo_memory_init(&s->memory, NULL);
    mo_arena_init(&s->arena, &s->memory);
    mote_status status =
        mo_read_section(&source, root, &SHAPE_TEXT_SECTION, &s->arena, &s->shape, error);
    json_decref(root);
    return status;
}

static inline void open_shape(shape_text *s, const char *text)
{
    mote_error error = {0};
    if (read_shape(s, text, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

static inline void close_shape(shape_text *s)
{
    mo_arena_release(&s->arena);
    assert_int_equal(s->memory.bytes, 0);
}

#endif
