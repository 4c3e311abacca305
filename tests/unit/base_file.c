/*
 * Atomic files: temporary names, files of killed processes, and syncs.
 */
#include "test.h"

#include "base/file.h"

#include <dirent.h>
#include <mote/mote.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The library's calls are redirected here and counted. */
static int file_syncs, disk_syncs;

int fsync(int descriptor)
{
    (void)descriptor;
    file_syncs++;
    return 0;
}

int syncfs(int descriptor)
{
    (void)descriptor;
    disk_syncs++;
    return 0;
}

static int enter_directory(void **state)
{
    static char name[] = "mote_file_XXXXXX";
    strcpy(name, "mote_file_XXXXXX");
    *state = mkdtemp(name);
    return *state && chdir(name) == 0 ? 0 : -1;
}

static int leave_directory(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", (const char *)*state);
    return chdir("..") == 0 && system(command) == 0 ? 0 : -1;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_text(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static int count_entries(const char *directory)
{
    int count = 0;
    DIR *stream = opendir(directory);
    assert_non_null(stream);
    for (struct dirent *entry = readdir(stream); entry; entry = readdir(stream)) {
        count += entry->d_name[0] != '.';
    }
    closedir(stream);
    return count;
}

static mo_file begin(const char *path, const char *text)
{
    mo_file file;
    mote_error error = {0};
    if (mo_file_create(path, &file, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
    fputs(text, file.stream);
    return file;
}

static void commit(mo_file *file)
{
    mote_error error = {0};
    if (mo_file_commit(file, &error) != MOTE_OK) {
        fail_msg("%s", error.text);
    }
}

static void existing_symbolic_links_are_not_followed(void **state)
{
    (void)state;
    write_text("precious", "kept");
    assert_int_equal(symlink("precious", "a.tmp"), 0);
    mo_file file = begin("a", "new");
    struct stat info;
    assert_int_equal(lstat(file.temporary, &info), 0);
    assert_true(S_ISREG(info.st_mode));
    commit(&file);
    assert_text("a", "new");
    assert_text("precious", "kept");
}

static void two_writers_of_a_file_do_not_meet(void **state)
{
    (void)state;
    mo_file first = begin("a", "first"), second = begin("a", "second");
    commit(&second);
    assert_text("a", "second");
    commit(&first);
    assert_text("a", "first");
    assert_int_equal(count_entries("."), 1);
}

static void abandoned_output_is_removed(void **state)
{
    (void)state;
    write_text("a", "old");
    mo_file file = begin("a", "half");
    assert_int_equal(count_entries("."), 2);
    mo_file_abandon(&file);
    assert_text("a", "old");
    assert_int_equal(count_entries("."), 1);
}

static void a_sweep_takes_what_killed_processes_left(void **state)
{
    (void)state;
    mo_file alive = begin("scene.000001.vtp", "half");
    pid_t child = fork();
    if (child == 0) {
        mo_file file;
        _exit(mo_file_create("scene.000002.vtp", &file, NULL) != MOTE_OK ||
              mo_file_create("other.vtp", &file, NULL) != MOTE_OK);
    }
    int outcome = 0;
    waitpid(child, &outcome, 0);
    assert_int_equal(outcome, 0);
    write_text("scene.notes.tmp", "not ours");
    write_text("scene.x.0123456.tmp", "not ours");
    assert_int_equal(count_entries("."), 5);
    mo_file_sweep("./scene.");
    assert_int_equal(count_entries("."), 4);
    mo_file_sweep("other.vtp.");
    mo_file_sweep("no/such/directory.");
    assert_int_equal(count_entries("."), 3);
    commit(&alive);
    assert_text("scene.000001.vtp", "half");
}

static void a_directory_is_checked_without_making_it(void **state)
{
    (void)state;
    mote_error error = {0};
    write_text("file", "");
    assert_int_equal(mo_directory_check("a/b/c", &error), MOTE_OK);
    assert_int_equal(mo_directory_check("a/", &error), MOTE_OK);
    assert_int_equal(mo_directory_check("file/b", &error), MOTE_ERROR_IO);
    assert_int_equal(count_entries("."), 1);
    assert_int_equal(mo_directory_create("a/b/c", &error), MOTE_OK);
    assert_int_equal(mo_directory_check("a/b/c", &error), MOTE_OK);
}

/* A run of a hundred frames syncs as often as one of ten. */
static void frames_are_not_synced_one_by_one(void **state)
{
    (void)state;
    static const char SCENE[] =
        "{\"time\": {\"end\": 0.1, \"step\": 0.001, \"fps\": %d},"
        " \"bodies\": [{\"mesh\": {\"type\": \"points\", \"positions\": [[0, 0, 1]]}}]}";
    int syncs[2];
    for (int k = 0; k < 2; ++k) {
        char text[400];
        mote_scene *scene;
        mote_error error = {0};
        mote_run_options options = mote_run_options_default();
        snprintf(text, sizeof text, SCENE, k ? 1000 : 100);
        assert_int_equal(mote_scene_parse(text, &scene, &error), MOTE_OK);
        options.directory = k ? "many" : "few";
        file_syncs = disk_syncs = 0;
        assert_int_equal(mote_run(scene, &options, NULL, &error), MOTE_OK);
        syncs[k] = file_syncs + disk_syncs;
        assert_true(disk_syncs > 0); /* the end of a run is synced */
        mote_scene_destroy(scene);
    }
    assert_true(count_entries("many") > 100);
    assert_int_equal(syncs[0], syncs[1]);
    assert_true(syncs[1] < 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(existing_symbolic_links_are_not_followed, enter_directory,
                                        leave_directory),
        cmocka_unit_test_setup_teardown(two_writers_of_a_file_do_not_meet, enter_directory,
                                        leave_directory),
        cmocka_unit_test_setup_teardown(abandoned_output_is_removed, enter_directory,
                                        leave_directory),
        cmocka_unit_test_setup_teardown(a_sweep_takes_what_killed_processes_left, enter_directory,
                                        leave_directory),
        cmocka_unit_test_setup_teardown(a_directory_is_checked_without_making_it, enter_directory,
                                        leave_directory),
        cmocka_unit_test_setup_teardown(frames_are_not_synced_one_by_one, enter_directory,
                                        leave_directory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
