# bash completion for lbsim. It asks the program for commands, options, settings
# and policies, so it offers what this version takes.
# shellcheck shell=bash

# The program as it was typed.
_lbsim_ask() {
    "${COMP_WORDS[0]/#\~/$HOME}" "$@" 2>/dev/null </dev/null
}

_lbsim_commands() {
    _lbsim_ask help | sed -n 's/^  \([a-z]\+\) .*/\1/p'
}

# _lbsim_options COMMAND: long ones, with '=' where they take a value.
_lbsim_options() {
    _lbsim_ask help "$1" |
        sed -n 's/^ \{2,6\}\(-., \)\{0,1\}\(--[a-z-]\+=\{0,1\}\).*/\2/p'
}

_lbsim_policies() {
    _lbsim_ask policies | sed -n 's/^\([a-z_0-9]\+\)  .*/\1/p'
}

# Only what takes a value: a block is followed by settings inside it.
_lbsim_paths() {
    _lbsim_ask settings | sed 's/ .*//' | awk '
        { path[NR] = $1 }
        END {
            for (i = 1; i <= NR; i++)
                if (index(path[i + 1], path[i] ".") != 1)
                    print path[i]
        }'
}

_lbsim_words() { # WORD OF-THESE...
    mapfile -t COMPREPLY < <(compgen -W "${*:2}" -- "$1")
}

# _lbsim_files WORD PATTERN: files that match, and folders on the way.
_lbsim_files() {
    local name

    COMPREPLY=()
    while IFS= read -r name; do
        # shellcheck disable=SC2053 # a pattern on purpose
        if [[ -d $name ]]; then
            COMPREPLY+=("$name/")
        elif [[ $name == $2 ]]; then
            COMPREPLY+=("$name")
        fi
    done < <(compgen -f -- "$1")
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != */ ]] || compopt -o nospace
}

# _lbsim_value COMMAND OPTION WORD
_lbsim_value() {
    case $2 in
    --policy)
        _lbsim_files "$3" '*.so'
        # shellcheck disable=SC2207 # names without blanks
        [[ $3 == */* ]] ||
            COMPREPLY+=($(compgen -W "$(_lbsim_policies)" -- "$3"))
        ;;
    --set | --vary | --together | --crossover)
        compopt -o nospace
        _lbsim_words "$3" "$(_lbsim_paths | sed "s/\[\]/[0]/; s/$/=/")"
        ;;
    --against) _lbsim_words "$3" "$(_lbsim_paths | sed "s/\[\]/[0]/")" ;;
    --format)
        case $1 in
        settings) _lbsim_words "$3" text markdown ;;
        trace) _lbsim_words "$3" table json ;;
        compare) _lbsim_words "$3" table json csv markdown ;;
        advise | diagnose) _lbsim_words "$3" table json markdown ;;
        check)
            _lbsim_words "$3" table json csv markdown junit github gitlab \
                azure lines
            ;;
        *) _lbsim_words "$3" table json csv ;;
        esac
        ;;
    --minimise) _lbsim_words "$3" nodes cost ;;
    --trace-format)
        _lbsim_words "$3" auto canonical azure_llm vidur splitwise mooncake \
            cache2k webcachesim access_log
        ;;
    --store) _lbsim_files "$3" '*.sqlite' ;;
    --baseline | -b) _lbsim_files "$3" '*.baseline' ;;
    --report)
        compopt -o nospace
        _lbsim_words "$3" "json= csv= markdown= junit= github= gitlab= lines="
        ;;
    --output | --plots | -o)
        mapfile -t COMPREPLY < <(compgen -d -- "$3")
        compopt -o filenames
        ;;
    *) COMPREPLY=() ;;
    esac
}

_lbsim_argument() { # COMMAND WORD
    case $1 in
    run | compare | sweep | lint | advise | diagnose | plan | baseline | check) _lbsim_files "$2" '*.y*ml' ;;
    policies)
        _lbsim_files "$2" '*.so'
        # shellcheck disable=SC2207 # names without blanks
        [[ $2 == */* ]] ||
            COMPREPLY+=($(compgen -W "$(_lbsim_policies)" -- "$2"))
        ;;
    settings) _lbsim_words "$2" "$(_lbsim_ask settings | sed 's/ .*//')" ;;
    trace)
        if [[ $COMP_CWORD -eq 2 ]]; then
            _lbsim_words "$2" profile
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$2")
            compopt -o filenames
        fi
        ;;
    plot | merge)
        if [[ " ${COMP_WORDS[*]} " == *' --power '* ]]; then
            _lbsim_files "$2" '*.csv'
            return
        fi
        mapfile -t COMPREPLY < <(compgen -d -- "$2")
        compopt -o filenames
        ;;
    help) _lbsim_words "$2" "$(_lbsim_commands)" ;;
    esac
}

_lbsim() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} option=''
    local before=${COMP_WORDS[COMP_CWORD - 1]}

    COMPREPLY=()
    if [[ $COMP_CWORD -eq 1 ]]; then
        _lbsim_words "$word" "$(_lbsim_commands)"
        return
    fi
    # '=' is a word of its own to bash: --format = js
    if [[ $word == = ]]; then
        option=$before word=''
    elif [[ $before == = && $COMP_CWORD -ge 3 ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $before == -[ob] ||
        ($before == --* && $(_lbsim_options "$command") == *"$before="*) ]]; then
        option=$before
    fi
    if [[ -n $option ]]; then
        _lbsim_value "$command" "$option" "$word"
    elif [[ $word == -* ]]; then
        _lbsim_words "$word" "$(_lbsim_options "$command")"
        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
    else
        _lbsim_argument "$command" "$word"
    fi
}

complete -F _lbsim lbsim
