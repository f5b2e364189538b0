#!/usr/bin/env bash
# check_determinism.sh PROGRAM WORK SCENARIO...: the same scenario, seed and
# version give the same bytes, whatever the compiler, the optimisation, the
# number of threads, and whether the C library's mathematics uses fused
# multiply-add.
#
# Runs every scenario with other builds of the program too, and compares standard
# output and all files of the result but speed.json, which holds the machine's
# speed. The other builds are those of LBSIM_BUILDS, folders between colons, where
# somebody has made them; else three are made below WORK (kept, so that the next
# time is quick).
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "$1")
shift
mkdir -p "$1"
work=$(cd "$1" && pwd)
shift
cd "$root"
export LC_ALL=C.UTF-8

# glibc 2.36 on x86-64 then takes the variants of exp, log, pow, sin, ... that
# do without these instructions, and which round differently here and there.
without_fma=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4

# build NAME COMPILER TYPE
build() {
    local log=$work/$1.log

    if ! {
        cmake -S "$root" -B "$work/$1" -G Ninja -DCMAKE_C_COMPILER="$2" \
            -DCMAKE_BUILD_TYPE="$3" -DBUILD_TESTING=OFF -DLBSIM_WERROR=OFF &&
            cmake --build "$work/$1" --target lbsim
    } >"$log" 2>&1 </dev/null; then
        cat "$log"
        echo "check_determinism: cannot build $1" >&2
        exit 1
    fi
    programs[$1]=$work/$1/sim/lbsim
}

# Each build is one of its kind: a compiler and a type that no other has.
find_builds() {
    local folder folders program kind

    IFS=: read -ra folders <<<"$LBSIM_BUILDS"
    for folder in "${folders[@]}"; do
        program=$folder/sim/lbsim
        kind=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=\|^CMAKE_BUILD_TYPE:[A-Z]*=//p' \
            "$folder/CMakeCache.txt" | sed 's,.*/,,' | sort | paste -sd -)
        if [[ ! -x $program || -n ${programs[$kind]-} ]]; then
            echo "check_determinism: no program, or one more $kind: $folder" >&2
            exit 1
        fi
        programs[$kind]=$(realpath "$program")
    done
}

# The setting must change the last bits of some exponentials, where the
# processor has the instructions at all; else the comparison compares nothing.
check_setting() {
    grep -qw fma /proc/cpuinfo || return 0
    cat >"$work/probe.c" <<'SOURCE'
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    uint64_t hash = 0;

    for (int i = 1; i < 1000000; i++) {
        double y = sin(i * 1e-3);
        uint64_t bits;

        memcpy(&bits, &y, sizeof bits);
        hash = hash * 31 + bits;
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
SOURCE
    gcc -O1 -o "$work/probe" "$work/probe.c" -lm
    if [[ $("$work/probe") == "$(GLIBC_TUNABLES=$without_fma "$work/probe")" ]]
    then
        echo "check_determinism: '$without_fma' changes nothing here" >&2
        exit 1
    fi
}

# run SCENARIO BUILD JOBS TUNABLES DIR
run() {
    local lbsim=${programs[$2]}

    rm -rf "$5"
    mkdir -p "$5"
    if ! GLIBC_TUNABLES=$4 "$lbsim" run "$1" --replications 2 \
        --jobs "$3" --quiet --format json --output "$5/result" \
        >"$5/stdout" 2>"$5.stderr" </dev/null; then
        cat "$5.stderr"
        echo "check_determinism: $2 fails on $1" >&2
        exit 1
    fi
    # A comparison of the same simulations, which the store has.
    if ! GLIBC_TUNABLES=$4 "$lbsim" compare "$1" --replications 2 \
        --jobs "$3" --quiet --format json --store "$5/result/runs.sqlite" \
        >>"$5/stdout" 2>"$5.stderr" </dev/null; then
        cat "$5.stderr"
        echo "check_determinism: $2 fails to compare $1" >&2
        exit 1
    fi
    rm -f "$5/result/speed.json" "$5/result/runs.sqlite"
}

declare -A programs=([given]=$program)
if [[ -n ${LBSIM_BUILDS-} ]]; then
    find_builds
else
    build gcc-debug gcc Debug
    build clang-debug clang Debug
    build clang-release clang RelWithDebInfo
fi
check_setting
variants=()
for name in "${!programs[@]}"; do
    variants+=("$name 1 $without_fma" "$name 2")
done

failures=0
for scenario in "$@"; do
    run "$scenario" given 1 '' "$work/expected"
    if [[ ! -s $work/expected/stdout ]]; then
        echo "check_determinism: $scenario prints nothing" >&2
        exit 1
    fi
    for variant in "${variants[@]}"; do
        read -r name jobs tunables <<<"$variant"
        run "$scenario" "$name" "$jobs" "$tunables" "$work/actual"
        if ! diff -r "$work/expected" "$work/actual" >"$work/diff"; then
            echo "$scenario: $variant differs from given 1:"
            head -n 20 "$work/diff"
            failures=$((failures + 1))
        fi
    done
done
[[ $failures -eq 0 ]]
