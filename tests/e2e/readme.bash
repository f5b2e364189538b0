# Parts of a page in Markdown, for tests that do what it says.
# shellcheck shell=bash

# section FILE TITLE: its lines, up to the next title of the same level.
section() {
    awk -v title="## $2" '
        $0 == title { inside = 1; next }
        inside && /^## / { exit }
        inside' "$1"
}

# block LANGUAGE <TEXT: the lines of all its code blocks of that language.
block() {
    awk -v start="^ *\`\`\`$1\$" '
        !inside && $0 ~ start { inside = 1; next }
        inside && /^ *```$/ { inside = 0; next }
        inside'
}
