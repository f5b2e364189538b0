#!/usr/bin/env bash
# What somebody has who installs: the program with its charts, and all that a
# host or a policy of his own needs, by pkg-config, by CMake, as packages.
# shellcheck disable=SC1091,SC2154 # helpers.bash sets work, program, status
set -u
source "$(dirname "$0")/helpers.bash" "$1"
source "$(dirname "$0")/readme.bash"
build=$(dirname "$(dirname "$program")")

cache() {
    sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"
}

if [[ -n $(cache LBSIM_SANITIZE) || $(cache LBSIM_COVERAGE) == ON ]]; then
    echo 'a sanitized or counting library is for nobody else'
    exit 77
fi
for tool in cmake pkg-config dpkg-deb; do
    command -v $tool >/dev/null || {
        echo "no $tool here"
        exit 77
    }
done

# said COMMAND...: its output in $work/out and $work/err.
said() {
    status=0
    "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [[ $status -eq 0 ]] ||
        fail "'$*' exits with $status: $(tail -n 5 "$work/err" "$work/out")"
}

begin 'the whole is installed'
cmake --build "$build" --target lbsim lbpolicy_shared >"$work/log" 2>&1 ||
    fail "does not build: $(tail -n 5 "$work/log")"
said cmake --install "$build" --prefix "$work/usr"
library=$(dirname "$(find "$work/usr" -name liblbpolicy.a)")
for file in bin/lbsim share/lbsim/plots/style.gp \
    share/lbsim/scenarios/quickstart.yaml share/lbsim/scenarios/SETTINGS.md \
    share/man/man1/lbsim.1.gz share/bash-completion/completions/lbsim \
    include/lbsim/policies/lbp.h include/lbsim/policies/params.h; do
    [[ -s $work/usr/$file ]] || fail "no $file"
done
for file in liblbpolicy.so liblbpolicy.so.1 pkgconfig/lbpolicy.pc \
    cmake/lbsim/lbsim-config.cmake cmake/lbsim/lbsim-targets.cmake \
    lbsim/policies/least_conn.so; do
    [[ -s $library/$file ]] || fail "no $file"
done
"$program" policies | sed -n 's/^\([a-z_0-9]*\)  .*/\1/p' |
    while read -r name; do
        [[ -s $library/lbsim/policies/$name.so ]] || echo "$name"
    done >"$work/missing"
[[ ! -s $work/missing ]] || fail "no object of $(cat "$work/missing")"

# Moved, so that nothing is found by where it was.
mv "$work/usr" "$work/moved"
library=$work/moved${library#"$work/usr"}
installed=$work/moved/bin/lbsim

begin 'the program runs and finds its charts where it was moved to'
cd "$work" || exit
said "$installed" run "$work/moved/share/lbsim/scenarios/theory/mm1.yaml" \
    --quiet --set replications=2 --set 'duration=1000 s' \
    --set 'warm_up=10 %' --output "$work/result"
# What a scenario reads lies beside it, but for traces that are fetched.
find "$work/moved/share/lbsim/scenarios" -name '*.yaml' ! -name 'azure_*' \
    ! -path '*/engines/*' |
    sort >"$work/scenarios"
while read -r file; do
    said env -u LBSIM_DATA "$installed" lint "$file"
done <"$work/scenarios"
[[ -s $work/scenarios ]] || fail 'no scenarios'
if command -v gnuplot >/dev/null; then
    said env -u LBSIM_PLOTS "$installed" plot "$work/result"
    [[ -n $(find "$work/result/charts" -name '*.svg' -size +1k) ]] ||
        fail 'no chart'
fi
# Of two folders it takes its own: without that, the scripts are missing.
mv "$work/moved/share/lbsim/plots" "$work/plots"
mkdir "$work/moved/share/lbsim/plots"
if "$installed" plot "$work/result" >"$work/out" 2>&1; then
    fail 'draws with scripts from elsewhere'
fi
rmdir "$work/moved/share/lbsim/plots"
mv "$work/plots" "$work/moved/share/lbsim/plots"

begin 'a host of others, by pkg-config'
export PKG_CONFIG_PATH=$library/pkgconfig PKG_CONFIG_LIBDIR=
flags() {
    pkg-config "$@" lbpolicy
}
read -ra compile < <(flags --cflags)
read -ra link < <(flags --libs)
said cc -std=c17 -Wall -Werror "${compile[@]}" -o "$work/host" \
    "$root/tests/install/host.c" "${link[@]}"
said env LD_LIBRARY_PATH="$library" "$work/host" round_robin
prints '0 2 0 2 0 2'
said env LD_LIBRARY_PATH="$library" "$work/host" least_conn
if ! env LD_LIBRARY_PATH="$library" ldd "$work/host" |
    grep -q "liblbpolicy.so.1 => $library/"; then
    fail 'the host is not linked to the shared library'
fi
# Without the shared library, the static one.
said cc -std=c17 "${compile[@]}" -o "$work/host_static" \
    "$root/tests/install/host.c" "$library/liblbpolicy.a" -lm
said "$work/host_static" round_robin
prints '0 2 0 2 0 2'
# And in C++: CRC-32 of "123456789" is the check value of the catalogue.
said c++ -std=c++11 -Wall -Werror "${compile[@]}" -o "$work/host_cxx" \
    "$root/tests/install/host.cc" "${link[@]}"
said env LD_LIBRARY_PATH="$library" "$work/host_cxx" ring_hash
prints 'replicas=100'
prints 'crc32 cbf43926'
flags --modversion >"$work/out"
prints "$("$program" --version | sed 's/lbsim //')"

begin 'a policy of others, by pkg-config'
section "$root/policies/README.md" 'Your first policy' | block c \
    >"$work/sticky.c"
said cc -std=c17 -O2 -fPIC -shared -DLBP_SHARED "${compile[@]}" \
    -o "$work/sticky.so" "$work/sticky.c"
said "$installed" policies --check "$work/sticky.so"
prints ' passed, 0 failed, '
[[ $(flags --variable=moduledir) -ef $library/lbsim/policies ]] ||
    fail "moduledir is $(flags --variable=moduledir)"

begin 'a host and a policy of others, by CMake'
mkdir "$work/project"
cp "$root"/tests/install/{CMakeLists.txt,host.c,host.cc} "$work/sticky.c" \
    "$work/project"
said cmake -S "$work/project" -B "$work/project/build" \
    -DCMAKE_PREFIX_PATH="$work/moved"
said cmake --build "$work/project/build"
for host in host_static host_shared; do
    said "$work/project/build/$host" round_robin
    prints '0 2 0 2 0 2'
done
said "$work/project/build/host_cxx" ring_hash
prints 'replicas=100'
said "$installed" policies --check "$work/project/build/sticky.so"
[[ $(cat "$work/project/build/objects.txt") -ef $library/lbsim/policies ]] ||
    fail 'lbsim_POLICY_OBJECTS_DIR is elsewhere'

begin 'the library offers its functions and nothing else'
nm -D --defined-only "$library/liblbpolicy.so.1" |
    awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
    grep -vE '^(lbp_(registry|params|table|hash)_[a-z0-9_]+|policy_[a-z0-9_]+)$' \
        >"$work/foreign"
[[ ! -s $work/foreign ]] || fail "also $(paste -sd ' ' "$work/foreign")"

begin 'Debian packages'
if ! command -v dpkg-shlibdeps >/dev/null; then
    echo 'no dpkg-dev here: packages are not tried'
    finish
fi
said cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/packages"
packages=("$work"/packages/*.deb)
[[ ${#packages[@]} -eq 3 ]] || fail "${#packages[@]} packages"
for package in "${packages[@]}"; do
    name=$(dpkg-deb -f "$package" Package)
    dpkg-deb -c "$package" >"$work/$name.list" || fail "cannot list $name"
    dpkg-deb -f "$package" >"$work/$name.control"
    # As lintian looks: owners, modes, places, documents.
    grep -v ' root/root ' "$work/$name.list" && fail "$name: not root's"
    grep -E '^(-rwx|-rw-r--r--|drwxr-xr-x|lrwx)' -v "$work/$name.list" &&
        fail "$name: odd modes"
    grep -vE ' \./(usr/.*)?$' "$work/$name.list" && fail "$name: outside /usr"
    for document in copyright changelog.gz; do
        grep -q " ./usr/share/doc/$name/$document\$" "$work/$name.list" ||
            fail "$name: no $document"
    done
    for field in Version Maintainer Section Description Installed-Size; do
        grep -q "^$field: ." "$work/$name.control" || fail "$name: no $field"
    done
done
grep -q '^Description: compares load-balancing policies' \
    "$work/lbsim.control" || fail 'lbsim: no synopsis'
dpkg-deb -I "$work"/packages/liblbpolicy1*.deb postinst | grep -q ldconfig ||
    fail 'liblbpolicy1: ldconfig is not told'
contains() { # PACKAGE PATH
    grep -q " \./$2\( ->.*\)\?\$" "$work/$1.list" || fail "$1: no $2"
}
contains lbsim usr/bin/lbsim
contains lbsim usr/share/man/man1/lbsim.1.gz
contains lbsim usr/share/bash-completion/completions/lbsim
contains lbsim usr/share/lbsim/plots/policies.gp
contains lbsim usr/share/lbsim/scenarios/azure_conv.yaml
contains liblbpolicy1 'usr/lib/.*liblbpolicy.so.1'
contains liblbpolicy1 'usr/lib/.*lbsim/policies/ring_hash.so'
contains liblbpolicy-dev 'usr/lib/.*liblbpolicy.so'
contains liblbpolicy-dev 'usr/lib/.*pkgconfig/lbpolicy.pc'
contains liblbpolicy-dev usr/include/lbsim/policies/lbp.h
# Each file in one package only, but for folders.
grep -hv '^d' "$work"/{lbsim,liblbpolicy1,liblbpolicy-dev}.list |
    awk '{ print $6 }' | sort | uniq -d >"$work/twice"
[[ ! -s $work/twice ]] || fail "in two packages: $(cat "$work/twice")"
grep -q '^Depends: .*libgsl27.*libjansson4' "$work/lbsim.control" ||
    fail "lbsim: $(grep Depends "$work/lbsim.control")"
grep -q '^Depends: libc6' "$work/liblbpolicy1.control" ||
    fail "liblbpolicy1: $(grep Depends "$work/liblbpolicy1.control")"
grep -q '^Depends: liblbpolicy1 (= ' "$work/liblbpolicy-dev.control" ||
    fail 'liblbpolicy-dev does not depend on its library'

begin 'the packages, unpacked, run'
for package in "${packages[@]}"; do
    dpkg-deb -x "$package" "$work/unpacked"
done
said "$work/unpacked/usr/bin/lbsim" policies --check \
    "$(find "$work/unpacked" -name least_conn.so)"
PKG_CONFIG_PATH=$(dirname "$(find "$work/unpacked" -name lbpolicy.pc)")
read -ra compile < <(flags --cflags)
said cc -std=c17 -fPIC -shared -DLBP_SHARED "${compile[@]}" \
    -o "$work/sticky.so" "$work/sticky.c"
! nm "$work/unpacked/usr/bin/lbsim" 2>&1 | grep -q ' T main' ||
    fail 'the program is not stripped'

finish
