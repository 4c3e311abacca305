/*
 * Golden hashes: the state hash of every shipped scene, of worlds with two systems, and of every
 * method's sample scene after a fixed number of steps, compared with hashes.txt. A commit preserves
 * them, or states which change and why.
 *
 *   test_golden HASHES [--large] [--write] [--only NAME]
 *
 * prints old and new hashes that differ; --large: scenes/large, else all others; --write: records
 * the new ones; --only: scenes whose name contains NAME.
 *
 * A scene of portable methods has one hash on every machine and in every build ("any"). Other
 * scenes call functions of the C library or a BLAS, whose rounding depends on the processor and the
 * version of the library: their hashes are recorded with these, compared only where both match, and
 * reported elsewhere.
 */
#include "golden/records.h"
#include "method/sample.h"

#include <cpuid.h>
#include <dirent.h>
#include <gnu/libc-version.h>

#ifndef GOLDEN_WORLDS
#error "GOLDEN_WORLDS: the folder with the worlds of two systems"
#endif

enum { FEW_STEPS = 8, MORE_STEPS = 200 };

/* "GenuineIntel 6.143 glibc-2.36 x86-64-v3" */
static void describe_machine(char *text, size_t size)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    char vendor[13] = {0};
    __get_cpuid(0, &a, &b, &c, &d);
    memcpy(vendor, &b, 4);
    memcpy(vendor + 4, &d, 4);
    memcpy(vendor + 8, &c, 4);
    __get_cpuid(1, &a, &b, &c, &d);
    unsigned family = ((a >> 8) & 15) + ((a >> 20) & 255),
             model = ((a >> 4) & 15) | ((a >> 12) & 240);
    snprintf(text, size, "%s %u.%u glibc-%s %s", vendor, family, model, gnu_get_libc_version(),
             mote_instruction_set());
}

/* Whether a method of this name is portable. */
static bool is_portable_name(const char *name)
{
    mo_catalog catalog;
    mo_catalog_collect(&catalog);
    for (int f = 0; f < catalog.family_count; ++f) {
        const mo_descriptor *method = mo_family_find(catalog.families[f], name);
        if (method && !(method->capabilities & MO_PORTABLE)) {
            return false;
        }
    }
    return true;
}

/* Any string of a scene may name a method. */
static bool is_portable(const json_t *value)
{
    const char *key;
    json_t *part;
    size_t index;
    bool portable = !json_is_string(value) || is_portable_name(json_string_value(value));
    json_object_foreach((json_t *)value, key, part)
    {
        portable = portable && is_portable(part);
    }
    json_array_foreach((json_t *)value, index, part)
    {
        portable = portable && is_portable(part);
    }
    return portable;
}

static bool scene_is_portable(const mote_scene *scene)
{
    char *text = mote_scene_text(scene);
    json_t *tree = json_loads(text, 0, NULL);
    bool portable = tree && is_portable(tree);
    json_decref(tree);
    mote_text_free(text);
    return portable;
}

/* State of a run of this program. */
typedef struct session {
    golden_records *records;
    const char *machine;
    bool write;
    const char *only; /* scenes whose name contains this; NULL: all */
    int same, changed, missing, elsewhere, gone;
} session;

static void judge(session *s, const char *name, int steps, bool portable, uint64_t hash)
{
    const char *where = portable ? "any" : s->machine;
    const golden_record *old = golden_find(s->records, name, steps, where);
    golden_mark(s->records, name, steps);
    if (old && old->hash == hash) {
        ++s->same;
        return;
    }
    if (old) {
        printf("%s: after %d steps %016" PRIx64 " -> %016" PRIx64 "\n", name, steps, old->hash,
               hash);
        ++s->changed;
    } else if (!portable && golden_find(s->records, name, steps, NULL)) {
        printf("%s: after %d steps %016" PRIx64 ", not recorded for this machine (%s)\n", name,
               steps, hash, s->machine);
        ++s->elsewhere;
    } else {
        printf("%s: after %d steps %016" PRIx64 ", not recorded\n", name, steps, hash);
        ++s->missing;
    }
    if (s->write) {
        golden_store(s->records, (golden_record){.steps = steps, .hash = hash, .seen = true}, name,
                     where);
    }
}

/* Takes the recorded number of steps, in sanitized builds only the first few. */
static void check_scene(session *s, const char *name, mote_scene *scene)
{
    mote_world *world;
    mote_error error = {0};
    if (s->only && !strstr(name, s->only)) {
        return;
    }
    int few = golden_steps(s->records, name, 0, FEW_STEPS),
        more = golden_steps(s->records, name, few, MORE_STEPS);
    bool portable = scene_is_portable(scene);
    if (mote_world_create(scene, NULL, &world, &error) != MOTE_OK) {
        fail_msg("%s: %s", name, error.text);
    }
    take_steps(world, few, name);
    judge(s, name, few, portable, mote_world_state_hash(world));
    if (!SANITIZED && strncmp(name, "method/", 7) != 0) {
        take_steps(world, more - few, name);
        judge(s, name, more, portable, mote_world_state_hash(world));
    }
    mote_world_destroy(world);
}

static void check_folder(session *s, const char *prefix, const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    assert_true(count > 0);
    for (int k = 0; k < count; ++k) {
        char path[1024], name[GOLDEN_NAME];
        mote_scene *scene;
        mote_error error = {0};
        const char *ending = strrchr(entries[k]->d_name, '.');
        if (ending && strcmp(ending, ".json") == 0) {
            snprintf(path, sizeof path, "%s/%s", folder, entries[k]->d_name);
            snprintf(name, sizeof name, "%s/%.*s", prefix, (int)(ending - entries[k]->d_name),
                     entries[k]->d_name);
            if (mote_scene_load(path, &scene, &error) != MOTE_OK) {
                fail_msg("%s", error.text);
            }
            check_scene(s, name, scene);
            mote_scene_destroy(scene);
        }
        free(entries[k]);
    }
    free(entries);
}

/* The sample scene with a portable motion, unless the motion is tested. */
static void check_methods(session *s)
{
    mo_catalog catalog;
    mo_catalog_collect(&catalog);
    for (int f = 0; f < catalog.family_count; ++f) {
        const mo_family *family = catalog.families[f];
        for (int m = 0; m < mo_family_count(family); ++m) {
            char name[GOLDEN_NAME];
            if (!has_location(family, mo_family_at(family, m))) {
                continue;
            }
            mote_scene *scene = sample_scene(family, mo_family_at(family, m));
            bool collides = !is_of_fluids(family) && family != &mo_long_ranges;
            if (strcmp(family->name, "motion") != 0 && collides) {
                assert_int_equal(
                    mote_scene_set(scene, "colliders[0].motion",
                                   "{\"type\": \"translate\", \"velocity\": [0.5, 0, 0.1]}", NULL),
                    MOTE_OK);
            }
            snprintf(name, sizeof name, "method/%s/%s", family->name,
                     mo_family_at(family, m)->name);
            check_scene(s, name, scene);
            mote_scene_destroy(scene);
        }
    }
}

/* Removes records of missing scenes and methods. */
static void drop_gone(session *s, bool large)
{
    int kept = 0;
    for (int k = 0; k < s->records->count; ++k) {
        const golden_record *r = &s->records->list[k];
        bool gone = !r->seen && large == (strncmp(r->name, "large/", 6) == 0);
        if (gone) {
            printf("%s: after %d steps %016" PRIx64
                   " is recorded, but there is no such scene, method or count of steps\n",
                   r->name, r->steps, r->hash);
            ++s->gone;
        } else {
            s->records->list[kept++] = *r;
        }
    }
    s->records->count = kept;
}

static bool has_argument(int count, char **arguments, const char *wanted)
{
    bool found = false;
    for (int k = 2; k < count; ++k) {
        found = found || strcmp(arguments[k], wanted) == 0;
    }
    return found;
}

static const char *value_of(int count, char **arguments, const char *option)
{
    const char *value = NULL;
    for (int k = 2; k + 1 < count; ++k) {
        value = strcmp(arguments[k], option) == 0 ? arguments[k + 1] : value;
    }
    return value;
}

int main(int count, char **arguments)
{
    static golden_records records;
    char machine[128];
    if (count < 2 || !golden_read(&records, arguments[1])) {
        fprintf(stderr, "usage: test_golden HASHES [--large] [--write] [--only NAME]\n");
        return 2;
    }
    describe_machine(machine, sizeof machine);
    session s = {.records = &records,
                 .machine = machine,
                 .write = has_argument(count, arguments, "--write"),
                 .only = value_of(count, arguments, "--only")};
    bool large = has_argument(count, arguments, "--large");
    if (large) {
        check_folder(&s, "large", MOTE_SCENES "/large");
    } else {
        check_folder(&s, "scene", MOTE_SCENES);
        check_folder(&s, "world", GOLDEN_WORLDS);
        check_methods(&s);
    }
    if (!SANITIZED && !s.only) {
        drop_gone(&s, large);
    }
    printf(
        "%d hashes as recorded, %d changed, %d not recorded, %d without a scene, %d not recorded for this "
        "machine (%s)\n",
        s.same, s.changed, s.missing, s.gone, s.elsewhere, machine);
    if (s.write && !golden_write(&records, arguments[1])) {
        fprintf(stderr, "cannot write %s\n", arguments[1]);
        return 1;
    }
    bool differs = s.changed + s.missing + s.gone > 0;
    if (!s.write && differs) {
        printf("`make golden` prints these lines, `make golden WRITE=1` records the new hashes\n");
    }
    return !s.write && differs ? 1 : 0;
}
