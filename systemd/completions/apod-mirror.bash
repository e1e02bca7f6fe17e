# shellcheck shell=bash
# Completion of apod-mirror's command line in bash, by what `apod-mirror help` says.

_apod_mirror() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command help settings
    # Bash takes `--root=/srv` for three words.
    if [ "$current" = = ]; then
        current=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    COMPREPLY=()
    command=$(_apod_mirror_command)
    help=$(apod-mirror help ${command:+"$command"} 2>/dev/null)
    settings=$(apod-mirror help settings 2>/dev/null)
    _apod_mirror_value "$before" && return
    case $command:$current in
        :-*) _apod_mirror_among "$(_apod_mirror_options "$settings") --help --version" ;;
        :*) _apod_mirror_among "$(_apod_mirror_names "$help")" ;;
        help:*) _apod_mirror_among "$(_apod_mirror_names "$(apod-mirror help)") settings" ;;
        *:-*)
            [[ $help != *"Every setting is an option"* ]] || help+=$settings
            _apod_mirror_among "$(_apod_mirror_options "$help") --help"
            ;;
        favorites:*) _apod_mirror_favorites ;;
        show:* | open:*) _apod_mirror_days latest ;;
        sync:* | revert:* | thumbnails:*) _apod_mirror_days ;;
    esac
}

# The first word that is one of the commands.
_apod_mirror_command() {
    local word commands
    commands=$(_apod_mirror_names "$(apod-mirror help 2>/dev/null)")
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $'\n'$commands$'\n' != *$'\n'"$word"$'\n'* ]] || { echo "$word"; return; }
    done
}

# The words that a help text explains, and the options that it names.
_apod_mirror_names() { sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p' <<<"$1"; }
_apod_mirror_options() { grep -o -e '--[a-z][a-z-]*' <<<"$1"; }

# The value of an option; fails if the option takes none.
_apod_mirror_value() {
    local value
    [[ $1 == --* ]] || return
    value=$(sed -n "s/^  $1 \([^ ]\{1,\}\).*/\1/p" <<<"$help"$'\n'"$settings" | tail -n 1)
    case $value in
        "") return 1 ;;
        FOLDER) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
        FILE) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        DATE | TIME) _apod_mirror_days 1995-06-16 ;;
        *) _apod_mirror_among "$(tr '|' '\n' <<<"$value" | grep '[a-z]')" ;;
    esac
}

_apod_mirror_favorites() {
    local before=${COMP_WORDS[COMP_CWORD - 1]}
    case $before in
        favorites) _apod_mirror_among "$(_apod_mirror_names "$help")" ;;
        list | history) ;;
        *)
            compopt -o filenames
            mapfile -t COMPREPLY < <(
                compgen -W "latest $(apod-mirror favorites list 2>/dev/null | sed -n 's/^\([0-9-]*\)  .*/\1/p')" -- "$current"
                [[ " ${COMP_WORDS[*]} " == *" remove "* ]] || compgen -f -- "$current")
            ;;
    esac
}

# The last days, and those that are given.
_apod_mirror_days() {
    local age days=$*
    for age in {0..30}; do days+=" $(date -d "$age days ago" +%F)"; done
    _apod_mirror_among "$days"
}

_apod_mirror_among() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }

complete -F _apod_mirror apod-mirror
