/*
 * The files of a run: `name.000001.vtp` for each frame and format, the index of those formats that
 * have one, and `name.csv` with scalar measurements per frame (see table.h).
 */
#ifndef MO_IO_OUTPUT_WRITER_H
#define MO_IO_OUTPUT_WRITER_H

#include "base/memory.h"
#include "io/output/output.h"
#include "io/output/table.h"

typedef struct mo_writer mo_writer;

/* Checks the fields against the world's columns. No file is created before the first frame. */
mote_status mo_writer_create(mo_memory *memory, const char *directory, const char *name,
                             const mo_output_def *output, const mote_world *world,
                             mo_writer **writer, mote_error *error);
void mo_writer_destroy(mo_writer *writer);

/* To be called after every step, for the table. */
void mo_writer_step(mo_writer *writer, const mote_world *world, const mote_step_report *report);

/* Writes the current state of the world as the next frame. */
mote_status mo_writer_frame(mo_writer *writer, mote_world *world, mote_error *error);

/* Continues an earlier run: the measurements of its first `rows` frames are given, their files
 * may or may not exist (the index lists the existing ones). */
mote_status mo_writer_resume(mo_writer *writer, const double *table, int rows, mote_error *error);

/* The measurements of all frames so far, and the steps since the last. */
const mo_run_table *mo_writer_table(const mo_writer *writer);

/* Updates the index files and the tables. */
mote_status mo_writer_index(mo_writer *writer, mote_error *error);

/* Before a checkpoint: flushes the tables of observables, which it does not contain. */
mote_status mo_writer_flush_observables(mo_writer *writer, mote_error *error);

/* Removes frames of an earlier, longer run beyond the last of this one. */
void mo_writer_remove_stale(const mo_writer *writer);

int mo_writer_frames(const mo_writer *writer);
int mo_writer_files(const mo_writer *writer);

/* The first frame's file and the index (or the table), as paths; "" if there is none. */
void mo_writer_first_file(const mo_writer *writer, char *path, size_t size);
void mo_writer_index_file(const mo_writer *writer, char *path, size_t size);

#endif
