#!/usr/bin/env bash
# Installs what `make lib` laid out: PREFIX (default /usr/local), below DESTDIR if it is set. Nothing that is installed
# names the prefix, so the installed tree can be moved.
set -euo pipefail
cd "$(dirname "$0")/.."

root=${DESTDIR:-}${PREFIX:-/usr/local}
soname=$(readlink build/lib/libhurray.so)
version=$(sed -n 's/^Version: //p' build/lib/hurray.pc)
IFS=. read -r major minor _ <<<"$version"
# What `rustc --print native-static-libs` lists for the static library.
static_libs="-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc"

put() {
    install -D -m "$1" "$2" "$root/$3"
}
fill() {
    mkdir -p "$root/$3"
    sed -e "s/@VERSION@/$version/" -e "s/@MAJOR@/$major/" -e "s/@MINOR@/$minor/" -e "s/@SONAME@/$soname/" \
        -e "s/@STATIC_LIBS@/$2/" "tools/install/$1.in" >"$root/$3/$1"
}

put 644 build/include/hurray.h include/hurray.h
(cd bindings/cpp/include && find . -name '*.hpp' -print) | while read -r header; do
    put 644 "bindings/cpp/include/$header" "include/$header"
done
put 755 "build/lib/$soname" "lib/$soname"
put 644 build/lib/libhurray.a lib/libhurray.a
ln -sfn "$soname" "$root/lib/libhurray.so"
fill hurray.pc "$static_libs" lib/pkgconfig
fill hurrayConfig.cmake "${static_libs// /;}" lib/cmake/hurray
fill hurrayConfigVersion.cmake "" lib/cmake/hurray
printf 'installed hurray %s (%s) in %s\n' "$version" "$soname" "$root"
