/*
 * The files of a run: `name.000001.vtp` for each frame and format, the index of those formats that
 * have one, and `name.csv` with what can be measured in one number a frame (see table.h).
 */
#ifndef MO_IO_OUTPUT_WRITER_H
#define MO_IO_OUTPUT_WRITER_H

#include "base/memory.h"
#include "io/output/output.h"
#include "io/output/table.h"

typedef struct mo_writer mo_writer;

/* Checks the fields against the world's columns. Nothing is made on the disk before the first
 * frame. */
mote_status mo_writer_create(mo_memory *memory, const char *directory, const char *name,
                             const mo_output_def *output, const mote_world *world,
                             mo_writer **writer, mote_error *error);
void mo_writer_destroy(mo_writer *writer);

/* After every step, so that the table knows what happened between frames. */
void mo_writer_step(mo_writer *writer, const mote_world *world, const mote_step_report *report);

/* Writes the world's present state as the next frame. */
mote_status mo_writer_frame(mo_writer *writer, mote_world *world, mote_error *error);

/* Goes on where a run left off: what its first `rows` frames measured is known, their files may be
 * there or not (the index lists those that are). */
mote_status mo_writer_resume(mo_writer *writer, const double *table, int rows, mote_error *error);

/* What each frame so far has measured, and the steps since. */
const mo_run_table *mo_writer_table(const mo_writer *writer);

/* Brings the index files and the tables up to date with the frames written. */
mote_status mo_writer_index(mo_writer *writer, mote_error *error);

/* Before a checkpoint: what it does not hold, the tables of observables, must be on the disk as far
 * as it has come. */
mote_status mo_writer_settle(mo_writer *writer, mote_error *error);

/* Removes the frames that an earlier, longer run of the same name left beyond the last of this
 * one. */
void mo_writer_remove_stale(const mo_writer *writer);

int mo_writer_frames(const mo_writer *writer);
int mo_writer_files(const mo_writer *writer);

/* The first frame's file and the index (or the table), as paths; "" if there is none. */
void mo_writer_first_file(const mo_writer *writer, char *path, size_t size);
void mo_writer_index_file(const mo_writer *writer, char *path, size_t size);

#endif
