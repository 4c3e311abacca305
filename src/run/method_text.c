#include "run/method_text.h"

#include "scene/reader.h"

typedef struct choice {
    mo_method method;
} choice;

mote_status mo_method_text_read(const char *text, const char *source, const char *key,
                                const mo_family *family, mo_arena *arena, mo_method *method,
                                mote_error *error)
{
    const mo_param params[] = {{key, MO_METHOD, MO_FIELD(choice, method), .required = true,
                                .family = family, .doc = "The method."},
                               {0}};
    const mo_section section = {key, "", sizeof(choice), .params = params};
    choice out = {{0}};
    json_t *value =
        text[0] == '{' ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : json_string(text);
    if (!value) {
        return mo_fail(
            error, MOTE_ERROR_INPUT,
            "%s: '%.200s' is not valid JSON; allowed: a name, or {\"type\": \"%s\", ...}", key,
            text, family->methods[0]->name);
    }
    json_t *root = json_pack("{s:o}", key, value);
    mo_read_source from = {source, "", root};
    mote_status status = root ? mo_read_section(&from, root, &section, arena, &out, error)
                              : mo_fail_memory(error, 0);
    json_decref(root);
    *method = out.method;
    return status;
}
