#include "commands.h"
#include "options.h"

#include <stdio.h>
#include <string.h>

static const char HELP[] =
    "mote: fluids, solids, cloth and particles from one scene file\n"
    "\n"
    "  mote run SCENE        run a scene to its end and write frames, an index and report.json\n"
    "  mote view SCENE|DIR   watch a scene run, or the results in a directory, in a window\n"
    "  mote render SCENE|DIR draw a picture (-o a.png), a film (-o a.mp4) or a folder of pictures (-o a/)\n"
    "  mote resume FILE      go on from a checkpoint, or from the newest in a run's directory\n"
    "  mote info FILE        what is in a checkpoint, scene, frame or report\n"
    "  mote check SCENE      read and build a scene, say what is in it, write nothing\n"
    "  mote plot RUN-DIR     a run's energies, momenta, steps, contacts and stage times as SVG and PNG\n"
    "  mote surface SCENE|DIR|FILE   a closed mesh of the particles for each frame\n"
    "  mote list [FAMILY]    the methods there are\n"
    "  mote explain NAME     a method, family, section or parameter: rk4, time.step, collider\n"
    "  mote schema           JSON Schema of scenes, for editors\n"
    "  mote validate [NAME]  compare with closed forms and published data\n"
    "  mote bench [NAME]     measure speed; `mote bench calibrate` measures the machine\n"
    "\n"
    "  -o DIR                where results go (run: out/SCENE; plot: beside the run)\n"
    "  --set path=value      change a parameter: --set time.step.size=0.001 --set colliders[0].friction=0.3\n"
    "  --threads N           workers; results do not depend on it\n"
    "  --until T, --frames N stop at a simulated time, or after so many frames\n"
    "  --checkpoint-every T, --checkpoint-wall S, --keep K\n"
    "                        run, resume: a checkpoint every T simulated or S real seconds; K are kept (2)\n"
    "  --scene FILE          resume: go on with this scene file, which must be the checkpoint's\n"
    "  --report FILE         where report.json goes\n"
    "  --quiet, --json       nothing on the terminal, or JSON for programs\n"
    "  --size WxH            plot: size in pixels (900x560)\n"
    "  --png-only, --svg-only  plot: one kind of file\n"
    "  --spacing D, --method NAME|JSON, --format ply|obj|vtp, --field NAME   surface: see docs/surface.md\n"
    "  --markdown            list, explain: as Markdown\n"
    "\n"
    "  view and render, beside what the scene's view block says (docs/rendering.md):\n"
    "  --style S, --mesh S   how particles and surfaces are drawn: spheres, points, discs; smooth, flat, "
    "wire\n"
    "  --surface METHOD      the surface of the particles, as of a fluid: anisotropic, zhu_bridson, "
    "metaball\n"
    "  --field F, --map M    what colours them: v, v.x, mass, none; viridis, heat, coolwarm\n"
    "  --range A,B           the numbers at the ends of the colours\n"
    "  --size WxH            of the pictures\n"
    "  --orbit A,E,D         from azimuth A and elevation E [deg], D times the distance that shows "
    "everything\n"
    "  --eye X,Y,Z --target X,Y,Z --fov DEG --orthographic --no-legend --no-shadows\n"
    "  --frame N, --time T   render: which moment of a single picture (the last)\n"
    "  --fps N, --speed S    render: pictures a second; simulated seconds in a second of film\n"
    "  --paused, --verbose   view: start paused; say what happens\n"
    "\n"
    "Exit codes: 0 done, 1 the run failed, 2 bad usage or input.\n";

static const struct {
    const char *name;
    int (*run)(int count, char **arguments);
} COMMANDS[] = {
    {"run", command_run},     {"render", command_render},     {"view", command_view},
    {"check", command_check}, {"plot", command_plot},         {"surface", command_surface},
    {"list", command_list},   {"explain", command_explain},   {"schema", command_schema},
    {"bench", command_bench}, {"validate", command_validate}, {"resume", command_resume},
    {"info", command_info},
};

static int print_help(void)
{
    fputs(HELP, stdout);
    return EXIT_DONE;
}

static bool asks_for_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int run_command(int count, char **arguments)
{
    const char *name = arguments[1];
    bool help = asks_for_help(name);
    for (int k = 2; k < count; ++k) {
        help = help || (arguments[k][0] == '-' && asks_for_help(arguments[k]));
    }
    if (help) {
        return print_help();
    }
    if (strcmp(name, "--version") == 0) {
        printf("mote %s (%s)\n", mote_version(), mote_instruction_set());
        return EXIT_DONE;
    }
    for (size_t k = 0; k < sizeof COMMANDS / sizeof *COMMANDS; ++k) {
        if (strcmp(COMMANDS[k].name, name) == 0) {
            return COMMANDS[k].run(count - 2, arguments + 2);
        }
    }
    complain("there is no command '%s'; `mote help` lists them", name);
    return EXIT_USAGE;
}

int main(int count, char **arguments)
{
    if (count < 2) {
        fputs(HELP, stderr);
        return EXIT_USAGE;
    }
    int code = run_command(count, arguments);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        complain("what was to be printed could not be written");
        code = code == EXIT_DONE ? EXIT_FAILED : code;
    }
    return code;
}
