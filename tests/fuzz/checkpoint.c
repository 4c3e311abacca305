/* Checkpoints as files: zip, .npy heads, CRCs. */
#include "fuzz.h"

#include "io/checkpoint/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static mote_world *world;
    mote_snapshot *snapshot = NULL;
    mote_error error = {0};
    if (!world) {
        world = fuzz_world();
    }
    if (mo_checkpoint_parse(data, size, NULL, &snapshot, &error) == MOTE_OK) {
        fuzz_use(world, snapshot);
    } else {
        FUZZ_NEED(error.text[0] && !snapshot);
    }
    mote_snapshot_destroy(snapshot);
    return 0;
}
