#!/usr/bin/env bash
# Installs the Debian packages that are missing: `build` for building and running, `view` for pictures and the window
# as well, `test` for the tests as well, `ci` for everything that is checked before a change lands, `fuzz` for
# fuzzing.
set -eu

build="build-essential cmake ninja-build pkg-config libjansson-dev zlib1g-dev libpng-dev libzip-dev
       libsuitesparse-dev libfftw3-dev ccache"
view="libepoxy-dev libglfw3-dev libegl1 libgles2 libgl1-mesa-dri ffmpeg"
tests="libcmocka-dev python3 python3-jsonschema python3-numpy python3-vtk9 xvfb xdotool calculix-ccx"
checks="clang clang-format"
fuzzing="clang afl++"

case "${1:-build}" in
build) wanted="$build" ;;
view) wanted="$build $view" ;;
test) wanted="$build $view $tests" ;;
ci) wanted="$build $view $tests $checks" ;;
fuzz) wanted="$build $tests $fuzzing" ;;
*) echo "usage: scripts/install.sh [build|view|test|ci|fuzz]" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian. Please install what these Debian packages hold: $wanted" >&2
    exit 0
fi

missing=""
for package in $wanted; do
    state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [ "$state" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Please install as root: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "Installing:$missing"
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
