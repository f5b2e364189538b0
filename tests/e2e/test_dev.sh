#!/usr/bin/env bash
# The entry script dev: usage, and how it comes by what is missing, tried with
# an apt-get of our own that only writes down what it was asked.
set -eu

dev=$(pwd)/dev
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    echo "test_dev: $*" >&2
    failures=$((failures + 1))
}

# expect STATUS TEXT COMMAND...: what it exits with and what it says.
expect() {
    local status=0 wanted=$1 text=$2

    shift 2
    "$@" >"$work/said" 2>&1 </dev/null || status=$?
    [[ $status -eq $wanted ]] || fail "'$*' exits with $status, not $wanted"
    grep -qF -- "$text" "$work/said" ||
        fail "'$*' does not say '$text', but '$(cat "$work/said")'"
}

expect 0 'usage: ./dev COMMAND' "$dev" help
expect 2 'usage: ./dev COMMAND' "$dev"
expect 2 "no command 'tset'" "$dev" tset
expect 2 'run needs a scenario' "$dev" run
expect 2 'run needs a scenario' "$dev" run --quiet
expect 2 'cannot read nowhere.yaml' "$dev" run nowhere.yaml
expect 2 'no further argument' "$dev" test --long -V
expect 2 'install needs a folder' "$dev" install
expect 2 'install needs a folder' "$dev" install --prefix
expect 2 'package takes no argument' "$dev" package everything

# A copy, which keeps logs of its own, on a machine that has next to nothing.
cp "$dev" "$work/dev"
mkdir "$work/bin"
for tool in bash cat dirname env grep mkdir sed sort tail tr; do
    ln -s "$(command -v $tool)" "$work/bin/$tool"
done
bare() {
    env -i PATH="$work/bin" "$work/dev" "$@"
}

expect 2 'on Debian 12: apt-get install --no-install-recommends cmake ' \
    bare deps run

# Debian with all but two packages. The first try to install fails, as it does
# with lists that are too old, so one update has to come in between.
cat >"$work/bin/dpkg-query" <<'FAKE'
#!/usr/bin/env bash
for name in gcc libc6-dev libzstd-dev pkg-config libgsl-dev libcsv-dev \
    libcunit1-dev libfyaml-dev libjansson-dev libxxhash-dev libutf8proc-dev libyajl-dev libsmartcols-dev libsqlite3-dev \
    zlib1g-dev gnuplot-nox fonts-dejavu-core; do
    echo "installed $name"
done
echo 'config-files ninja-build'
FAKE
cat >"$work/bin/apt-get" <<FAKE
#!/usr/bin/env bash
echo "\$*" >>"$work/calls"
[[ \$* != *install\ cmake* ]] || grep -q update "$work/calls"
FAKE
cat >"$work/bin/sudo" <<'FAKE'
#!/usr/bin/env bash
[[ $1 == -n ]] && shift
exec "$@"
FAKE
chmod +x "$work"/bin/{dpkg-query,apt-get,sudo}
expect 0 'installing cmake ninja-build' bare deps run
tail -n 1 "$work/calls" |
    grep -q 'no-install-recommends.*install cmake ninja-build$' ||
    fail "the last call is not the installation: $(cat "$work/calls")"
[[ $(grep -c 'update$' "$work/calls") -eq 1 ]] ||
    fail "not one update: $(cat "$work/calls")"

# What cannot be installed ends the command, and shows why.
printf '#!/usr/bin/env bash\necho no network; exit 100\n' >"$work/bin/apt-get"
expect 100 'no network' bare deps run
expect 100 'build/log/apt.log' bare deps run

[[ $failures -eq 0 ]]
