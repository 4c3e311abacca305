#include "world/edit_history.h"

#include <string.h>

static size_t column_bytes(const mo_edit_history *w, int k)
{
    return (size_t)w->rows * w->column[k]->row_bytes;
}

void mo_edit_history_release(mo_edit_history *w)
{
    for (int k = 0; k < 2; ++k) {
        mo_release(w->system->host->memory, w->kept[k]);
        mo_release(w->system->host->memory, w->before[k]);
    }
}

static mote_status allocate(mo_edit_history *w, mote_error *error)
{
    for (int k = 0; k < 2 && w->column[k]; ++k) {
        void *kept, *before;
        MO_TRY(mo_allocate_array(w->system->host->memory, w->rows, w->column[k]->row_bytes, &kept,
                                 error));
        w->kept[k] = kept;
        MO_TRY(mo_allocate_array(w->system->host->memory, w->rows, w->column[k]->row_bytes, &before,
                                 error));
        w->before[k] = before;
    }
    return MOTE_OK;
}

mote_status mo_edit_history_begin(mo_edit_history *w, mo_system *system, double time,
                                  mote_error *error)
{
    *w = (mo_edit_history){.system = system, .time = time, .rows = mo_store_rows(system->store)};
    w->column[0] = system->rate;
    w->column[1] = system->columns.q_acceleration;
    mote_status status = allocate(w, error);
    if (status != MOTE_OK) {
        mo_edit_history_release(w);
        return status;
    }
    for (int k = 0; k < 2 && w->column[k]; ++k) {
        memcpy(w->kept[k], w->column[k]->data, column_bytes(w, k));
    }
    status = system->type->evaluate(system, time, error);
    for (int k = 0; k < 2 && w->column[k]; ++k) {
        memcpy(w->before[k], w->column[k]->data, column_bytes(w, k));
        memcpy(w->column[k]->data, w->kept[k], column_bytes(w, k));
    }
    if (status != MOTE_OK) {
        mo_edit_history_release(w);
    }
    return status;
}

/* Maps an old row to its new index: discards its history if its acceleration changed, else
 * restores it. */
static void settle(const mo_edit_history *w, int64_t old, int64_t row)
{
    bool same = true;
    for (int k = 0; k < 2 && w->column[k]; ++k) {
        size_t bytes = w->column[k]->row_bytes;
        const char *now = (const char *)w->column[k]->data + (size_t)row * bytes;
        same = same && memcmp(now, (const char *)w->before[k] + (size_t)old * bytes, bytes) == 0;
    }
    for (int k = 0; same && k < 2 && w->column[k]; ++k) {
        size_t bytes = w->column[k]->row_bytes;
        memcpy((char *)w->column[k]->data + (size_t)row * bytes,
               (const char *)w->kept[k] + (size_t)old * bytes, bytes);
    }
    uint8_t *age = w->system->columns.age->data;
    age[row] = same ? age[row] : 0;
}

void mo_edit_history_end(mo_edit_history *w, const uint8_t *removed)
{
    mote_status status = w->system->type->evaluate(w->system, w->time, NULL);
    int64_t row = 0;
    for (int64_t old = 0; old < w->rows && status == MOTE_OK; ++old) {
        if (!removed || !removed[old]) {
            settle(w, old, row++);
        }
    }
    if (status != MOTE_OK) {
        if (w->system->type->disturb) {
            w->system->type->disturb(w->system);
        }
    }
    mo_edit_history_release(w);
}
