/* `mote info` of a frame. */
#include "mote/run.h"

#include "io/stored/stored.h"

mote_status mote_frame_examine(const char *path, mote_frame_info *info, mote_error *error)
{
    mo_stored stored;
    MO_NEED(path);
    MO_NEED(info);
    mo_error_clear(error);
    *info = (mote_frame_info){0};
    MO_TRY(mo_stored_read(path, &stored, error));
    *info = (mote_frame_info){stored.time, stored.rows, stored.edge_count, stored.triangle_count,
                              stored.column_count};
    mo_stored_release(&stored);
    return MOTE_OK;
}
