#include "io/output/image_frames.h"

#include "base/file.h"
#include "io/format/vti.h"
#include "io/format/vtk_file.h"

#include <stdio.h>
#include <unistd.h>

enum { PATH_LENGTH = 4096, FILE_LENGTH = 400 };

static void path_of(const mo_image_frames *f, int frame, char *out)
{
    snprintf(out, PATH_LENGTH, "%.3500s/images/%.250s.%s.%06d.vti", f->directory, f->name,
             f->observable, frame);
}

/* Removes an incomplete file and names it in the error. */
static mote_status finish(mo_file *file, mote_status status, const mote_error *problem,
                          mote_error *error)
{
    if (status == MOTE_OK) {
        return mo_file_commit(file, error);
    }
    mo_file_abandon(file);
    return mo_fail(error, status, "%.500s: %.1200s", file->path, problem->text);
}

mote_status mo_image_frames_write(const mo_image_frames *f, int frame, double time, double *values,
                                  mo_memory *memory, mote_error *error)
{
    char path[PATH_LENGTH];
    mo_file file;
    mote_error problem = {0};
    const mo_lattice *l = &f->image.lattice;
    mote_column field = {
        f->image.name, "", MOTE_F64, f->image.components, l->count[0] * l->count[1] * l->count[2],
        values};
    snprintf(path, sizeof path, "%.3500s/images", f->directory);
    MO_TRY(mo_directory_create(path, error));
    path_of(f, frame, path);
    MO_TRY(mo_file_create(path, &file, error));
    return finish(&file, mo_vti_write(l, time, 1, &field, memory, file.stream, &problem), &problem,
                  error);
}

static mote_status write_index(const mo_image_frames *f, const mo_series_entry *entries,
                               int64_t count, mo_memory *memory, mote_error *error)
{
    char path[PATH_LENGTH];
    mo_file file;
    mote_error problem = {0};
    snprintf(path, sizeof path, "%.3500s/images/%.250s.%s.pvd", f->directory, f->name,
             f->observable);
    MO_TRY(mo_file_create(path, &file, error));
    return finish(&file, mo_vtk_write_index(entries, count, memory, file.stream, &problem),
                  &problem, error);
}

mote_status mo_image_frames_index(const mo_image_frames *f, int first, int last,
                                  double (*time)(const void *, int), const void *context,
                                  mo_memory *memory, mote_error *error)
{
    void *entries = NULL, *files = NULL;
    int64_t count = last - first;
    if (count <= 0) {
        return MOTE_OK;
    }
    MO_TRY(mo_allocate_array(memory, count, sizeof(mo_series_entry), &entries, error));
    mote_status status = mo_allocate_array(memory, count, FILE_LENGTH, &files, error);
    for (int64_t k = 0; status == MOTE_OK && k < count; ++k) {
        char *file = (char *)files + k * FILE_LENGTH;
        snprintf(file, FILE_LENGTH, "%.300s.%.60s.%06d.vti", f->name, f->observable,
                 first + (int)k);
        ((mo_series_entry *)entries)[k] =
            (mo_series_entry){time(context, first + (int)k), file, f->observable};
    }
    status = status == MOTE_OK ? write_index(f, entries, count, memory, error) : status;
    mo_release(memory, files);
    mo_release(memory, entries);
    return status;
}

void mo_image_frames_remove(const mo_image_frames *f, int frame)
{
    char path[PATH_LENGTH];
    do {
        path_of(f, frame++, path);
    } while (unlink(path) == 0);
}
