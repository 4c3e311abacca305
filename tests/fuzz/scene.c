/* Scenes: any text is read or refused; what is read survives being written and read again; what builds takes steps. */
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
