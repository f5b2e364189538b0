#!/usr/bin/env bash
# check_layering.sh [ROOT]: fails when an include breaks the rules of who knows
# whom. The rules are the table below; everything it does not name is forbidden.
#
#   cli -> experiment, report -> scenario, cluster, frontdoor -> core, measure
#   frontdoor -> policies/lbp.h      cluster and above -> workloads
#
# A folder may always include itself. Neighbours of one rank do not know each
# other, but for report, which prints what experiment has found.
set -eu

root=${1:-$(dirname "$0")/../..}
cd "$root"

# folder | what of ours it may include | headers of foreign libraries
rules='
policies       | -                                        | -
workloads      | -                                        | gsl/ csv.h yajl/ zlib.h zstd.h utf8proc.h xxhash.h
sim/core       | -                                        | sys/prctl.h
sim/measure    | -                                        | gsl/
sim/cluster    | core measure workloads                   | -
sim/frontdoor  | core measure workloads policies/lbp.h    | -
sim/scenario   | cluster frontdoor core measure workloads policies/lbp.h policies/registry.h policies/params.h policies/table.h | libfyaml.h xxhash.h
sim/conformance | core policies/lbp.h policies/params.h policies/hash.h policies/table.h | link.h linux/ sys/prctl.h sys/random.h sys/syscall.h
sim/experiment | scenario cluster frontdoor core measure workloads policies/lbp.h | xxhash.h zstd.h sqlite3.h
sim/advice     | experiment scenario cluster frontdoor core measure workloads policies/lbp.h policies/params.h | -
sim/report     | advice experiment scenario cluster frontdoor core measure workloads | jansson.h libsmartcols.h
sim/cli        | report advice experiment conformance scenario cluster frontdoor core measure workloads policies/lbp.h policies/registry.h policies/params.h | -
'

# The C library, which everyone may include. POSIX and glibc are for workloads/
# and sim/ alone: policies/ must compile wherever there is a C compiler.
standard_c='assert complex ctype errno fenv float inttypes iso646 limits locale
math setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib
stdnoreturn string tgmath threads time uchar wchar wctype'
posix='argp dirent dlfcn err error fcntl fnmatch ftw getopt glob langinfo libgen
malloc poll pthread regex sched search semaphore spawn strings termios unistd
sys/file sys/ioctl sys/mman sys/param sys/resource sys/select sys/stat sys/sysinfo
sys/time sys/times sys/types sys/uio sys/utsname sys/wait'

mapfile -t sources < <(find policies workloads sim -type f \
    \( -name '*.[ch]' -o -name '*.def' -o -name '*.inc' \) | LC_ALL=C sort)
if [[ ${#sources[@]} -eq 0 ]]; then
    echo "check_layering: no sources below $root" >&2
    exit 1
fi

awk -v rules="$rules" -v standard_c="$standard_c" -v posix="$posix" '
function complain(what) {
    printf "%s:%d: %s: %s\n", FILENAME, FNR, $0, what
    bad++
}

# Is one of the words a prefix, at a "/" or the end, of the header?
function listed(header, words,    list, n, i) {
    n = split(words, list, " ")
    for (i = 1; i <= n; i++)
        if (header == list[i] || index(header, list[i] "/") == 1 ||
            (list[i] ~ /\/$/ && index(header, list[i]) == 1))
            return 1
    return 0
}

BEGIN {
    count = split(rules, row, "\n")
    for (i = 1; i <= count; i++) {
        if (split(row[i], cell, "|") != 3)
            continue
        gsub(/ /, "", cell[1])
        gsub(/(^| )-( |$)/, " ", cell[2])
        known[cell[1]] = 1
        ours[cell[1]] = cell[1]
        n = split(cell[2], word, " ")
        for (j = 1; j <= n; j++)
            ours[cell[1]] = ours[cell[1]] " " \
                (word[j] ~ /^(policies|workloads)/ ? "" : "sim/") word[j]
        foreign[cell[1]] = cell[3]
    }
    n = split(standard_c, word, /[ \n]+/)
    for (i = 1; i <= n; i++)
        libc[word[i] ".h"] = "standard"
    n = split(posix, word, /[ \n]+/)
    for (i = 1; i <= n; i++)
        libc[word[i] ".h"] = "posix"
}

FNR == 1 {
    split(FILENAME, part, "/")
    folder = part[1] == "sim" ? part[1] "/" part[2] : part[1]
    if (!(folder in known))
        complain("no rule for the folder " folder)
}

!/^[ \t]*#[ \t]*include/ { next }

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    header = quoted[2]
    if (header ~ /(^|\/)\.\.?\// || header !~ /\//)
        complain("write it from the root, such as \"" folder "/...\"")
    else if (!listed(header, ours[folder]))
        complain(folder " must not know it")
    next
}

/^[ \t]*#[ \t]*include[ \t]*</ {
    split($0, bracket, /[<>]/)
    header = bracket[2]
    if (libc[header] == "standard")
        next
    if (libc[header] == "posix" && folder != "policies")
        next
    if (!listed(header, foreign[folder]))
        complain(folder " must not use this library")
    next
}

{ complain("an include must name its header") }

END { exit bad > 0 }
' "${sources[@]}"

# The simulator composes policies by the registry and knows none by name.
names=$(sed -n 's/^const struct lbp_ops \(policy_[a-z0-9_]*\) = {.*/\1/p' \
    policies/*.c | paste -sd '|' -)
if [[ -n $names ]] && grep -rnwE "$names" sim; then
    echo "sim/ must not know a policy by name" >&2
    exit 1
fi
