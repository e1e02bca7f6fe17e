# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# The examples of systemd/examples, with the mirror's own tree and settings as their units have them.

examples=$package/systemd/examples
title="Ann's 50% #1: Größe und Tiefe eines sehr, sehr langen Namens – mit Ärger für jeden, der nur ASCII kennt"

prepare_examples() {
    local name
    need gsettings libglib2.0-bin && need xfconf-query xfconf && need msmtp msmtp &&
        need systemd-nspawn systemd-container || return 1
    for name in gsettings-desktop-schemas dconf-gsettings-backend dbus-user-session libpam-systemd python3-dbus \
        python3-gi; do
        [ -d /usr/share/doc/$name ] || install_package $name
    done
}

# begin_example: sets tree, a copy that the mirror does not write. Its newest picture has a name that is hard to quote.
begin_example() {
    tree=$place/tree home=$place/home before=()
    local stem=${pictures[2]%.jpg} to="2019/05/2019-05-01 Ann's 50% #1 Größe"
    cp -a "$root" "$tree" && mkdir -p "$home/.config" && mv "$tree/$stem.jpg" "$tree/$to.jpg" || return 1
    newest=$tree/$to.jpg known=$tree/$to.json
    jq --arg name "${to##*/}.jpg" --arg title "$title" '.title = $title | .mirror.files[0].name = $name' \
        "$tree/$stem.json" >"$known" && rm "$tree/$stem.json" && cp "$known" "$place/known" || return 1
    ln -sfn "$to.jpg" "$tree/latest"
    sum=$(sha256sum <"$newest" | cut -d' ' -f1)
    chown -R nobody:nogroup "$home" "$place"
    # No functions: what is started by one in the background is not what `stop` ends.
    guest=("${person[@]}" env HOME="$home" XDG_RUNTIME_DIR="$home" LANG=C.UTF-8 DBUS_SESSION_BUS_ADDRESS="unix:path=$place/bus")
    "${guest[@]}" dbus-daemon --session --nofork --nosyslog --address="unix:path=$place/bus" \
        >"$place/session.log" 2>&1 &
    ends
    eventually test -S "$place/bus"
}

in_session() { "${guest[@]}" "$@"; }

# What goes before an example.
before=()

# example NAME [SETTING=VALUE…]: as its unit starts it.
example() {
    local name=$1 unit=()
    shift
    mapfile -t unit < <(sed -n "s|%E|$home/.config|g; s|%u|nobody|g; s|^Environment=||p" "$examples/$name.service" |
        tr ' ' '\n')
    in_session mkdir -p "$place/state/$name"
    "${before[@]}" "${guest[@]}" STATE_DIRECTORY="$place/state/$name" "${unit[@]}" ROOT="$tree" "$@" \
        timeout 30 /usr/bin/python3 "$examples/$name" >>"$place/said" 2>&1
}

# start_listener PROGRAM TARGET: sets port.
start_listener() {
    rm -f "$place/port"
    "${guest[@]}" /usr/bin/python3 "$here/$1" "$2" >"$place/port" 2>>"$place/session.log" &
    ends
    eventually test -s "$place/port" && port=$(<"$place/port")
}

# exits STATUS COMMAND…
exits() {
    local expected=$1
    shift
    "$@"
    [ $? = "$expected" ]
}

gnome_key() { in_session gsettings get org.gnome.desktop.background "$1"; }

# How GNOME names the newest picture.
address() { /usr/bin/python3 -c 'import pathlib, sys; print(pathlib.Path(sys.argv[1]).as_uri())' "$newest"; }

has_wallpaper() {
    [ "$(gnome_key picture-uri)" = "'$(address)'" ] && [ "$(gnome_key picture-uri-dark)" = "'$(address)'" ]
}

# judged yes|no CHANGE-OF-THE-JSON [SETTING=VALUE…]: whether it becomes the wallpaper.
judged() {
    local expected=$1 change=$2 answer=no
    shift 2
    in_session gsettings reset-recursively org.gnome.desktop.background
    rm -rf "$place/state"
    jq "$change" "$place/known" >"$known"
    wallpaper "$@" || return 1
    ! has_wallpaper || answer=yes
    [ $answer = "$expected" ]
}

client_wallpaper_gnome() {
    begin_example || return 1
    local expected change setting
    while read -r expected change setting; do
        once "$expected: $change $setting" judged "$expected" "$change" $setting
    done <<'END'
yes .
no . MIN_SIZE=1920x1080
no . MIN_SIZE=641x480
no . MIN_SIZE=640x481
yes .mirror.files[0].width=960 SHAPE=1.5-2
no . SHAPE=1.2-1.3
no . SHAPE=1.4-2.4
no .mirror.files[0].role="poster"
no .mirror.files[0].width=null
END
    printf '2011-11-11\n2019-05-01 Ann\n' >"$home/.config/apod-wallpaper.never"
    once "not one that the person's file names" judged no .
    rm "$home/.config/apod-wallpaper.never"
    once "without it" judged yes .
    in_session gsettings set org.gnome.desktop.background picture-uri file:///mine.jpg
    once "it is set once" wallpaper
    once "what the person chooses stays" test "$(gnome_key picture-uri)" = "'file:///mine.jpg'"
    echo 2019-04-30 >"$place/state/apod-wallpaper/gnome"
    once "until the next picture" wallpaper
    once "which is set" has_wallpaper
    rm "$tree/latest"
    once "without a picture it fails" exits 1 example apod-wallpaper
}

wallpaper() { example apod-wallpaper MIN_SIZE=640x480 "$@"; }

# undecided KIND: while its desktop is not there.
undecided() { wallpaper "${@:2}" && [ ! -e "$place/state/apod-wallpaper/$1" ]; }

client_wallpaper_kde() {
    begin_example || return 1
    once "nothing is decided before plasmashell is there" undecided kde
    "${guest[@]}" /usr/bin/python3 "$here/plasmashell.py" "$place/scripts" >>"$place/session.log" 2>&1 &
    ends
    check "there it is" has_owner org.kde.plasmashell
    once "the wallpaper is set" wallpaper
    once "by the picture's own path" grep -qF "desktop.writeConfig(\"Image\", \"$(address)\");" "$place/scripts"
    once "once" wallpaper
    once "and not again" test "$(grep -c writeConfig "$place/scripts")" = 1
}

has_owner() {
    [ "$(in_session busctl --user call org.freedesktop.DBus / org.freedesktop.DBus NameHasOwner s "$1")" = "b true" ]
}

client_wallpaper_xfce() {
    local screen=/backdrop/screen0/monitorscreen/workspace
    begin_example && start_screen || return 1
    once "nothing is decided while Xfce has no screen" undecided xfce DISPLAY="$DISPLAY"
    for workspace in 0 1; do
        in_session xfconf-query -c xfce4-desktop -n -t string -p $screen$workspace/last-image -s /old.jpg
        in_session xfconf-query -c xfce4-desktop -n -t int -p $screen$workspace/image-style -s 5
    done
    once "the wallpaper is set" wallpaper DISPLAY="$DISPLAY"
    for workspace in 0 1; do
        once "on workspace $workspace, whose style stays" \
            test "$(xfce $screen$workspace/last-image)$(xfce $screen$workspace/image-style)" = "${newest}5"
    done
}

xfce() { in_session xfconf-query -c xfce4-desktop -p "$1"; }

client_ntfy() {
    begin_example && start_listener ntfy.py "$place/topic" || return 1
    local url=http://127.0.0.1:$port/my-topic_1 copy=$tree/gallery/2019/2019-05-01-1280.jpg
    once "without a topic it says so" exits 2 example apod-ntfy
    once "a server that refuses is not asked again" exits 2 example apod-ntfy URL="http://127.0.0.1:$port/refused"
    once "one that is busy is" exits 1 example apod-ntfy URL="http://127.0.0.1:$port/busy"
    once "then the picture is sent" sends "$url"
    once "as ntfy asks for it" sent ".title == \$title and .sha256 == \"$sum\" and .wrong == []"
    once "with name, credit and address" sent '.filename == "2019-05-01 Ann'\''s 50% #1 Größe.jpg" and
        .message == "Credit: Bo Tern" and (.click | endswith("/image-article/apod-2019-may-1-the-lantern/"))'
    example apod-ntfy URL="$url"
    once "once" test "$(wc -l <"$place/topic")" = 3
    mkdir -p "${copy%/*}" && echo smaller >"$copy"
    once "the gallery's smaller copy goes before" sends "$url"
    once "with its name" sent '.filename != "" and .body == "smaller\n" and .wrong == []'
    rm "$copy" && truncate -s 2000001 "$newest"
    jq '.credit = null | .title = "two\nlines"' "$place/known" >"$known"
    once "of a picture that is too large" sends "$url"
    once "words are sent" sent '.filename == "" and .body == "2019-05-01" and .title == "two lines" and .wrong == []'
}

# sends URL: for the first time.
sends() {
    rm -f "$place/state/apod-ntfy/sent"
    example apod-ntfy URL="$1"
}

# sent CONDITION: what the topic got last.
sent() {
    [ -s "$place/topic" ] && tail -1 "$place/topic" | jq -e --arg title "$title" \
        "{title: .Title, message: .Message, filename: .Filename, click: .Click, sha256, body, wrong} | $1"
}

start_mailbox() {
    mkdir "$place/mail" && chown nobody "$place/mail" && start_listener smtp.py "$place/mail" || return 1
    printf 'account default\nhost 127.0.0.1\nport %s\nfrom server@example.org\n' "$port" >"$home/.msmtprc"
    chown nobody "$home/.msmtprc" && chmod 600 "$home/.msmtprc"
    mkdir "$place/sbin" && ln -s /usr/bin/msmtp "$place/sbin/sendmail"
    # This machine's own sendmail, if there is one, stays as it is.
    before=(unshare --mount sh -c
        'mount -t overlay overlay -o "lowerdir=$0:/usr/sbin" /usr/sbin && exec "$@"' "$place/sbin")
}

# mailed NUMBER CONDITION
mailed() { jq -e --arg title "$title" --rawfile text "$place/text" "$2" "$place/mail/$1.json"; }

client_mail() {
    begin_example && start_mailbox || return 1
    jq '.explanation = "One line – " + ("long " * 300) + "\n.\nFrom here on: ." ' "$place/known" >"$known"
    jq -j '.explanation, "\n\nCredit: Bo Tern\n\n", .permalink, "\n"' "$known" >"$place/text"
    once "the newest picture is mailed" example apod-mail TO=anna@example.org
    once "with title and text" mailed 1 '.to == "anna@example.org" and .from == "server@example.org" and
        .subject == "2019-05-01: " + $title and .text == $text'
    once "and its file" mailed 1 ".files == [{name: \"$(basename "$newest")\", type: \"image/jpeg\", sha256: \"$sum\"}]"
    once "in lines that every server takes" mailed 1 '.ascii and .longest <= 998 and .defects == []'
    example apod-mail TO=anna@example.org
    once "once" test ! -e "$place/mail/2.json"
    rm "$place/state/apod-mail/sent" && truncate -s 7000001 "$newest"
    once "of a picture that is too large" example apod-mail
    once "words are mailed, to the person" mailed 2 '.files == [] and .to == "nobody"'
    rm "$place/state/apod-mail/sent" "$home/.msmtprc"
    once "without a mail server it fails" exits 1 example apod-mail
    once "and notes nothing" test ! -e "$place/state/apod-mail/sent"
}

# aged DAYS: the newest picture.
aged() {
    local name
    name="2019/05/$(TZ=America/New_York date -d "$1 days ago" +%F) Old.jpg"
    touch "$tree/$name" && ln -sfn "$name" "$tree/latest"
}

client_stale() {
    begin_example && start_mailbox && start_listener ntfy.py "$place/topic" || return 1
    local url=http://127.0.0.1:$port/stale
    for days in 0 2; do
        aged $days
        once "after $days days" example apod-stale URL="$url"
    done
    once "nothing is said" test ! -e "$place/topic"
    aged 3
    once "after three" example apod-stale URL="$url"
    once "the topic is told" sent '.title == "No new Astronomy Picture of the Day" and .wrong == [] and
        (.body | test("3 days ago. apod-mirror status says why.$"))'
    : >"$place/text"
    once "without one" example apod-stale TO=anna@example.org
    once "a mail tells" mailed 1 '.to == "anna@example.org" and (.text | test("3 days ago"))'
    rm "$tree/latest"
    once "without any picture" example apod-stale URL="$url"
    once "too" sent '.body | startswith("There is no picture in ")'
    once "a server that does not answer is asked again" exits 1 example apod-stale URL=http://127.0.0.1:1/x
}
