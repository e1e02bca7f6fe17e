# Completion of apod-mirror's command line in fish, by what `apod-mirror help` says.

# The rows of a help text whose first word matches, each with what it says.
function __apod_mirror_rows
    apod-mirror help $argv[2..] 2>/dev/null | string replace -rf "^  ($argv[1])(?: [^ ]+)*  +(.*)" '$1\t$2'
end

# The first word of the line that the help of a topic explains.
function __apod_mirror_given
    set -l names (__apod_mirror_rows '[a-z]+' $argv | string replace -r '\t.*' '')
    for word in (commandline -opc)[2..]
        contains -- $word $names; and echo $word; and return
    end
end

function __apod_mirror_command
    __apod_mirror_given
end

# Such as `add` of `favorites`.
function __apod_mirror_action
    set -l command (__apod_mirror_command)
    test -n "$command"; and __apod_mirror_given $command
end

# The command's own options, and the settings that its help names; all where it says so, or without a command.
function __apod_mirror_options
    set -l command (__apod_mirror_command)
    set -l action (__apod_mirror_action)
    set -l help (apod-mirror help $command $action 2>/dev/null)
    __apod_mirror_rows '--[a-z-]+' $command $action
    echo --help
    test -n "$command"; or echo --version
    for row in (__apod_mirror_rows '--[a-z-]+' settings)
        set -l option (string split -- \t $row)[1]
        test -z "$command"; or string match -q -- "*Every setting is an option*" $help
        or string match -q -- "*$option*" $help; and printf '%s\n' $row
    end
end

# What the value of the option before the cursor is called; nothing if that is no option with a value.
function __apod_mirror_value
    set -l option (commandline -opc)[-1]
    string match -q -- '--*' $option; or return
    for topic in (__apod_mirror_command) settings
        apod-mirror help $topic 2>/dev/null | string replace -rf "^  $option ([^ ]+).*" '$1'
    end | tail -n 1
end

function __apod_mirror_days
    for age in (seq 0 30)
        date -d "$age days ago" +%F
    end
end

function __apod_mirror_favorites
    apod-mirror favorites list 2>/dev/null | string replace -fr '^([0-9-]+)  (.*)' '$1\t$2'
end

# Those of some days that are no favorites.
function __apod_mirror_others
    set -l favorites (__apod_mirror_favorites | string replace -r '\t.*' '')
    for day in $argv
        contains -- $day $favorites; or echo $day
    end
end

# Lists that the settings name; for `prune`, those that are here beside them.
function __apod_mirror_lists
    set -l named (apod-mirror config 2>/dev/null | string replace -fr '^list\.([^. ]*) = .*' '$1')
    if test (__apod_mirror_command) = prune
        for list in (apod-mirror status 2>/dev/null | string replace -fr '^list ([^ ]+) .*' '$1')
            contains -- $list $named; or echo $list
        end
    else
        printf '%s\n' $named
    end
end

function __apod_mirror_words
    set -l value (__apod_mirror_value)
    switch "$value"
        case ''
        case FOLDER
            __fish_complete_directories
            return
        case FILE
            __fish_complete_path
            return
        case DATE TIME
            echo 1995-06-16
            __apod_mirror_days
            return
        case NAME
            test (commandline -opc)[-1] = --list; and __apod_mirror_lists
            return
        case '*'
            string split '|' $value | string match -r '.*[a-z].*'
            return
    end
    switch (commandline -ct)
        case '-*'
            __apod_mirror_options
            return
    end
    switch (__apod_mirror_command)
        case ''
            __apod_mirror_rows '[a-z]+'
        case help
            __apod_mirror_rows '[a-z]+'
            echo settings
        case favorites
            switch (__apod_mirror_action)
                case ''
                    __apod_mirror_rows '[a-z]+' favorites
                case remove
                    echo latest
                    __apod_mirror_favorites
                case add
                    __apod_mirror_others latest (__apod_mirror_days)
                    __fish_complete_path
                case restore
                    __apod_mirror_others (apod-mirror favorites history 2>/dev/null |
                        string replace -fr '^.{16}  went +([0-9-]+)  .*' '$1' | sort -u)
                    __fish_complete_path
            end
        case show open
            echo latest
            __apod_mirror_days
        case sync revert thumbnails
            __apod_mirror_days
    end
end

complete -c apod-mirror -f -a "(__apod_mirror_words)"
