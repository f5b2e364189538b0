#!/usr/bin/env bash
# self_check.sh: sees that check_globals.sh finds each kind of data that may
# change, leaves alone what is constant, and goes by its list of exceptions.
# CC, AR and NM name the tools.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/planted.c" <<'SOURCE'
extern int outside;
int shared_zero;
int shared_set = 1;
static int own_zero;
static int own_set = 2;
_Thread_local int per_thread;
const int constant = 3;
static const char *const table[] = {"a", "b"};
const char *const *get_table(void);
const char *const *get_table(void) { return table; }
int *step(int which);
int *step(int which)
{
    static int counter;
    counter += which + outside;
    return which ? &own_zero : counter ? &own_set : &counter;
}
SOURCE
"${CC:-cc}" -fPIC -O1 -c "$work/planted.c" -o "$work/planted.o"
"${AR:-ar}" rc "$work/libplanted.a" "$work/planted.o"

if "$here/check_globals.sh" --allow /dev/null "$work/libplanted.a" \
    >"$work/log"; then
    echo 'self_check: shared data went unseen' >&2
    exit 1
fi
sed -n 's/^libplanted:planted\.o: //p' "$work/log" >"$work/found"
printf '%s\n' counter own_set own_zero per_thread shared_set shared_zero |
    diff -u - "$work/found"

# Exceptions are accepted, each for itself.
sed -n 's/^libplanted.*/& because/p' "$work/log" >"$work/allowed"
"$here/check_globals.sh" --allow "$work/allowed" "$work/libplanted.a"
sed -i 1d "$work/allowed"
if "$here/check_globals.sh" --allow "$work/allowed" "$work/libplanted.a" \
    >"$work/log"; then
    echo 'self_check: shared data hides behind an exception for other' >&2
    exit 1
fi
