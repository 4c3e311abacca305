/*
 * Fuzz targets, one per external format. Each is one LLVMFuzzerTestOneInput, for libFuzzer and
 * AFL++; replay.c runs it on files in the ordinary tests. A target must accept any bytes;
 * properties of accepted input are asserted with FUZZ_NEED, so that a violation counts as a crash.
 */
#ifndef TEST_FUZZ_FUZZ_H
#define TEST_FUZZ_FUZZ_H

#include <mote/mote.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_NEED(condition) ((condition) ? (void)0 : abort())

/* Limited memory, so that large worlds are rejected. */
typedef struct fuzz_budget {
    size_t left;
} fuzz_budget;

static inline void *fuzz_allocate(void *context, size_t bytes, size_t alignment)
{
    fuzz_budget *budget = context;
    size_t whole = (bytes + alignment - 1) / alignment * alignment;
    if (whole < bytes || whole > budget->left) {
        return NULL;
    }
    void *block = aligned_alloc(alignment, whole);
    budget->left -= block ? whole : 0;
    return block;
}

static inline void fuzz_release(void *context, void *block, size_t bytes)
{
    fuzz_budget *budget = context;
    budget->left += (bytes + 63) / 64 * 64;
    free(block);
}

static inline mote_config fuzz_config(fuzz_budget *budget, size_t bytes)
{
    mote_config config = mote_config_default();
    budget->left = bytes;
    config.threads = 1;
    config.allocator = (mote_allocator){fuzz_allocate, fuzz_release, budget};
    return config;
}

/* The world of the mutated checkpoints: springs, pairs, contacts, a moved pin, oriented
 * particles. */
static const char FUZZ_SCENE[] =
    "{\"time\": {\"end\": 1, \"step\": 0.001}, \"integrator\": \"abm2\","
    " \"bodies\": [{\"name\": \"sheet\", \"mesh\": {\"type\": \"cloth\", \"columns\": 3, \"rows\": 3,"
    "   \"origin\": [0, 0, 0.3]}, \"density\": 1, \"radius\": 0.05, \"model\": {\"type\": \"spring\", \"k\": "
    "5},"
    "   \"pins\": [{\"set\": \"u0v0\", \"motion\": {\"type\": \"translate\", \"velocity\": [0, 0, 0.1]}}]},"
    "  {\"mesh\": {\"type\": \"points\", \"positions\": [[3, 0, 1], [3, 1, 1]]}, \"oriented\": true,"
    "   \"inertia\": [1, 2, 3]}],"
    " \"forces\": [{\"type\": \"lennard_jones\", \"e\": 1e-8, \"r0\": 0.1}],"
    " \"colliders\": [{\"shape\": {\"type\": \"sphere\", \"center\": [0.5, 0.5, 0.1], \"radius\": 0.2}}]}";

static inline mote_world *fuzz_world(void)
{
    mote_scene *scene = NULL;
    mote_world *world = NULL;
    mote_config config = mote_config_default();
    config.threads = 1;
    FUZZ_NEED(mote_scene_parse(FUZZ_SCENE, &scene, NULL) == MOTE_OK);
    FUZZ_NEED(mote_world_create(scene, &config, &world, NULL) == MOTE_OK);
    mote_scene_destroy(scene);
    for (int k = 0; k < 5; ++k) {
        FUZZ_NEED(mote_world_step(world, NULL, NULL) == MOTE_OK);
    }
    return world;
}

/* A snapshot from a file is accepted and continued, or rejected without change. */
static inline void fuzz_use(mote_world *world, const mote_snapshot *snapshot)
{
    char *text = NULL;
    uint64_t before = mote_world_state_hash(world);
    FUZZ_NEED(mote_snapshot_header(snapshot, &text, NULL) == MOTE_OK);
    mote_text_free(text);
    if (mote_world_adopt(world, snapshot, NULL) != MOTE_OK) {
        FUZZ_NEED(mote_world_state_hash(world) == before);
        return;
    }
    FUZZ_NEED(mote_world_state_hash(world) == mote_snapshot_hash(snapshot));
    (void)mote_world_step(world, NULL, NULL);
    mote_measures measures;
    (void)mote_world_measure(world, &measures, NULL);
}

#endif
