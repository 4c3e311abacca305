/*
 * Running external programs: directory, output lines, exit codes.
 */
#include "test.h"

#include "peer/peer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct heard {
    int lines;
    char all[1000];
} heard;

static void hear(void *context, const char *line)
{
    heard *h = context;
    h->lines++;
    snprintf(h->all + strlen(h->all), sizeof h->all - strlen(h->all), "%s|", line);
}

/* A script in the directory, since commands run without a shell. */
static mote_status run_script(const peer_folder *folder, const char *script, heard *h,
                              mote_error *error)
{
    FILE *file = peer_file_create(folder, "script", error);
    assert_non_null(file);
    fputs(script, file);
    assert_int_equal(peer_file_close(file, "script", error), MOTE_OK);
    *h = (heard){0};
    return peer_run(folder, "env PEER_WORD=$0'x sh  script", hear, h, error);
}

static void programs_are_found_on_the_path(void **state)
{
    (void)state;
    char *path = strdup(getenv("PATH"));
    assert_true(peer_is_installed("sh"));
    assert_false(peer_is_installed("no-program-has-this-name"));
    setenv("PATH", "/nonexistent", 1);
    assert_false(peer_is_installed("sh"));
    setenv("PATH", path, 1);
    free(path);
}

/* In a TMPDIR whose name a shell would split; the directory is removed with its contents. */
static void works_in_a_folder_of_its_own(void **state)
{
    (void)state;
    static const char SCRIPT[] =
        "echo first\necho \"$PEER_WORD\" >&2\nmkdir more\necho x >more/y\ncat\nprintf end";
    char outer[] = "mote test's XXXXXX";
    peer_folder folder;
    mote_error error = {0};
    heard h;
    assert_non_null(mkdtemp(outer));
    setenv("TMPDIR", outer, 1);
    assert_int_equal(peer_folder_make(&folder, &error), MOTE_OK);
    assert_int_equal(strncmp(folder.path, outer, strlen(outer)), 0);
    assert_int_equal(run_script(&folder, SCRIPT, &h, &error), MOTE_OK);
    assert_string_equal(h.all, "first|$0'x|end|");
    assert_int_equal(h.lines, 3);
    peer_folder_remove(&folder);
    assert_int_not_equal(access(folder.path, F_OK), 0);
    assert_int_equal(rmdir(outer), 0);
    assert_int_not_equal(peer_folder_make(&folder, &error), MOTE_OK);
    assert_non_null(strstr(error.text, outer));
    unsetenv("TMPDIR");
}

static void invalid_ends_are_reported(void **state)
{
    (void)state;
    peer_folder folder;
    mote_error error = {0};
    heard h;
    assert_int_equal(peer_folder_make(&folder, &error), MOTE_OK);
    assert_int_equal(run_script(&folder, "echo it broke; echo; exit 3", &h, &error), MOTE_ERROR_IO);
    assert_string_equal(
        error.text,
        "'env PEER_WORD=$0'x sh  script' ended with exit code 3; it said last: it broke");
    assert_int_equal(run_script(&folder, "kill -KILL $$", &h, &error), MOTE_ERROR_IO);
    assert_non_null(strstr(error.text, "was ended by signal 9"));
    assert_int_equal(peer_run(&folder, "no-program-has-this-name -x", hear, &h, &error),
                     MOTE_ERROR_IO);
    assert_non_null(strstr(error.text, "'no-program-has-this-name -x' cannot be started"));
    assert_int_equal(peer_run(&folder, " ", hear, &h, &error), MOTE_ERROR_USAGE);
    assert_null(peer_file_create(&folder, "not/there", &error));
    assert_non_null(strstr(error.text, "cannot be written"));
    peer_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_are_found_on_the_path),
                                       cmocka_unit_test(works_in_a_folder_of_its_own),
                                       cmocka_unit_test(invalid_ends_are_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
