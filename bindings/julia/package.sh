#!/usr/bin/env bash
# package.sh FOLDER: the package as a new folder with the library inside, to be copied anywhere on machines of this kind
# and added by `Pkg.develop(path = "FOLDER")`. The library is that of build/lib, or HURRAY_LIBRARY.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
library=${HURRAY_LIBRARY:-$root/build/lib/libhurray.so.10}

mkdir "$1" "$1/lib"
cp -R "$here/src" "$here/Project.toml" "$here/README.md" "$root"/LICENSE-* "$1"
cp -L "$library" "$1/lib/libhurray.so.10"
