/*
 * Scenes: any text is read or rejected; accepted ones survive a round trip; valid worlds can be
 * stepped.
 */
#include "fuzz.h"

static void build(const mote_scene *scene)
{
    enum { BUDGET = 1 << 20 };
    fuzz_budget budget;
    mote_world *world = NULL;
    mote_config config = fuzz_config(&budget, BUDGET);
    if (mote_world_create(scene, &config, &world, NULL) == MOTE_OK) {
        for (int k = 0; k < 2; ++k) {
            (void)mote_world_step(world, NULL, NULL);
        }
        mote_snapshot *snapshot = NULL;
        if (mote_world_save(world, &snapshot, NULL) == MOTE_OK) {
            FUZZ_NEED(mote_snapshot_hash(snapshot) == mote_world_state_hash(world));
        }
        mote_snapshot_destroy(snapshot);
    }
    mote_world_destroy(world);
    FUZZ_NEED(budget.left == BUDGET);
}

/* The valid scenes among the first inputs (seeds), whose numbers are mutated. */
typedef struct seed_scene {
    uint8_t *data;
    size_t size, numbers;
} seed_scene;

static struct seeds {
    seed_scene list[256];
    size_t count, numbers;
    bool complete; /* mutations have begun */
    size_t turn;
} seeds;

static void keep_seed(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mote_scene *scene = NULL, *again = NULL;
    mote_error error = {0};
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    if (mote_scene_parse(text, &scene, &error) == MOTE_OK) {
        char *written = mote_scene_text(scene);
        FUZZ_NEED(written && mote_scene_parse(written, &again, &error) == MOTE_OK);
        FUZZ_NEED(mote_scene_hash(scene) == mote_scene_hash(again));
        mote_text_free(written);
        if (mote_scene_check(scene, &error) == MOTE_OK) {
            keep_seed(data, size);
            build(scene);
        } else {
            FUZZ_NEED(error.text[0]);
        }
    }
    mote_scene_destroy(again);
    mote_scene_destroy(scene);
    free(text);
    return 0;
}

/*
 * ---- mutations ----
 *
 * Mutated bytes seldom form a valid scene, so every second mutation replaces a number by an extreme
 * one. Three of four mutate the seeds, until each of their numbers has had each value.
 */

static const char *const EXTREMES[] = {
    "0",     "-0.0",   "1",      "-1",      "1e308", "-1e308",     "1e155",           "1e-155",
    "1e149", "-1e149", "1e-149", "1e30",    "1e-30", "1e18",       "-1e18",           "1e9",
    "1e-9",  "5e-324", "1e-310", "-1e-310", "9e15",  "2147483648", "9007199254740993"};
enum { EXTREME_COUNT = sizeof EXTREMES / sizeof *EXTREMES };

/* libFuzzer's own; absent where inputs are replayed. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

/* The range of number `wanted` outside of strings; returns the number of numbers before it, or
 * in total. */
static size_t find_number(const uint8_t *data, size_t size, size_t wanted, size_t *first,
                          size_t *last)
{
    size_t count = 0;
    bool quoted = false;
    for (size_t k = 0; k < size; ++k) {
        quoted = quoted != (data[k] == '"' && (k == 0 || data[k - 1] != '\\'));
        if (quoted || !(is_digit(data[k]) || data[k] == '-')) {
            continue;
        }
        *first = k;
        while (k < size && (is_digit(data[k]) || memchr("+-.eE", data[k], 5))) {
            ++k;
        }
        *last = k;
        if (count == wanted) {
            return count;
        }
        ++count;
    }
    return count;
}

static void keep_seed(const uint8_t *data, size_t size)
{
    size_t first, last, numbers = find_number(data, size, SIZE_MAX, &first, &last);
    if (seeds.complete || numbers == 0 || seeds.count == sizeof seeds.list / sizeof *seeds.list) {
        return;
    }
    uint8_t *copy = malloc(size);
    memcpy(copy, data, size);
    seeds.list[seeds.count++] = (seed_scene){copy, size, numbers};
    seeds.numbers += numbers;
}

/* Replaces a number by a value; returns the new size, the old one if the buffer is too small. */
static size_t replace_number(uint8_t *data, size_t size, size_t max_size, size_t number,
                             const char *value)
{
    size_t first = 0, last = 0, length = strlen(value);
    find_number(data, size, number, &first, &last);
    if (size - (last - first) + length > max_size) {
        return size;
    }
    memmove(data + first + length, data + last, size - last);
    memcpy(data + first, value, length);
    return size - (last - first) + length;
}

/* The next number and value of the seeds; a prime stride visits all of them. */
static size_t next_of_seeds(uint8_t *data, size_t size, size_t max_size)
{
    enum { STRIDE = 1000003 };
    size_t turn = seeds.turn++ * STRIDE % (seeds.numbers * EXTREME_COUNT),
           number = turn / EXTREME_COUNT;
    const seed_scene *s = seeds.list;
    while (number >= s->numbers) {
        number -= s++->numbers;
    }
    if (s->size > max_size) {
        return size;
    }
    memcpy(data, s->data, s->size);
    return replace_number(data, s->size, max_size, number, EXTREMES[turn % EXTREME_COUNT]);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    size_t first, last, count = find_number(data, size, SIZE_MAX, &first, &last);
    unsigned int choice = seed / 4;
    seeds.complete = true;
    if (seed % 4 < 3 && seeds.turn < seeds.numbers * EXTREME_COUNT) {
        return next_of_seeds(data, size, max_size);
    }
    if (seed % 2 || count == 0) {
        return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, max_size) : size;
    }
    return replace_number(data, size, max_size, choice / EXTREME_COUNT % count,
                          EXTREMES[choice % EXTREME_COUNT]);
}
