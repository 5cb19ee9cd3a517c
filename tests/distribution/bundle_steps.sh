#!/bin/bash
# What check_bundle.py does in the clean image, as an ordinary user: bash bundle_steps.sh PACKED
set -euo pipefail
cd
mkdir -p results
SENTENCE="Mary saw the man with the telescope."

now() { date +%s.%N; }
since() { echo "$(now) $1" | awk '{printf "%.1f s", $1 - $2}'; }
timed() { # what it is, and the command
    local started
    started=$(now)
    "${@:2}"
    echo "$1: $(since "$started")"
}
fail() {
    echo "bundle_steps.sh: $1" >&2
    exit 1
}

id -un | grep -qv root || fail "not an ordinary user"
! command -v python3 >/dev/null || fail "there is a Python"
[ "$(tail -n +3 /proc/net/dev | grep -vc '^ *lo:' || true)" = 0 ] || fail "there is a network"

timed "unpacking" tar xf "$1"
echo "packed $(stat -c %s "$1" | awk '{printf "%.0f MB", $1 / 1e6}'), unpacked $(du -sb parse-explorer | awk '{printf "%.0f MB", $1 / 1e6}')"
# Another place than the one that it was made in, with a space; only to be read.
mkdir "my programs"
mv parse-explorer "my programs/"
PROGRAMS="$HOME/my programs/parse-explorer"
chmod -R a-w "$PROGRAMS"

echo "$SENTENCE" >sentences.txt
timed "first parse, empty home" "$PROGRAMS/parse-engine" parse sentences.txt >results/first.txt
cat results/first.txt
timed "second parse" "$PROGRAMS/parse-engine" parse sentences.txt >results/second.txt
tail -1 results/second.txt
[ -z "$(find . -path './.cache/*' -name 'kernels-*')" ] || fail "kernels were compiled, though they come with the bundle"
"$PROGRAMS/parse-engine" evaluate "$PROGRAMS/_internal/resources/examples/classroom.ptb" --model classroom --jobs 2 |
    grep -q "130 of 130" || fail "two processes did not evaluate all sentences"
"$PROGRAMS/parse-engine" experiment beam --model classroom --test "$PROGRAMS/_internal/resources/examples/everyday.ptb" \
    --plot results/beam.pdf >/dev/null

timed "a picture" "$PROGRAMS/parse-explorer" --export results/parse.svg "$SENTENCE"
timed "snapshots of six stages" "$PROGRAMS/parse-explorer" --snapshot results/snapshots "$SENTENCE"
[ "$(ls results/snapshots/window-*.png | wc -l)" = 6 ] || fail "not every stage has its picture"
timed "a handout" "$PROGRAMS/parse-explorer" --handout results/handout.pdf "$PROGRAMS/_internal/resources/lessons/1-dependencies.md"
head -c 5 results/handout.pdf | grep -q "%PDF-" || fail "the handout is no PDF"

# A window on a screen, with an empty home: from the start until it is there, and until the sentence is parsed.
export DISPLAY=:7 HOME="$HOME/second"
mkdir "$HOME"
Xvfb :7 -screen 0 1280x800x24 -noreset -nolisten tcp 2>/dev/null &
SCREEN=$!
trap 'kill $SCREEN 2>/dev/null || true' EXIT
until xdpyinfo >/dev/null 2>&1; do
    kill -0 $SCREEN || fail "there is no virtual screen"
    sleep 0.1
done
window() { xdotool search --onlyvisible --class parse-explorer 2>/dev/null | head -1; }
shot() { xwd -silent -root -out "../results/$1.xwd"; }
cd "$HOME"
start_window() { # what is timed, and arguments of the program
    STARTED=$(now)
    "$PROGRAMS/parse-explorer" "${@:2}" 2>>../results/window.txt &
    WINDOW=$!
    until [ -n "$(window)" ]; do
        kill -0 $WINDOW || fail "the window's program has ended"
        sleep 0.05
    done
    echo "$1: a window after $(since "$STARTED")"
}
still() { # wait until the screen is the same for a while
    local before="" after="-" same=0
    while [ $same -lt 4 ]; do
        after=$(xwd -silent -root | md5sum)
        [ "$before" = "$after" ] && same=$((same + 1)) || same=0
        before=$after
        sleep 0.25
    done
}
complete() { # wait until a parse is shown: a picture of the screen packs to more bytes than one of an empty window
    until [ "$(xwd -silent -root | gzip -1 | wc -c)" -gt 120000 ]; do
        kill -0 $WINDOW || fail "the window's program has ended"
        [ "$(echo "$(now) $STARTED" | awk '{print ($1 - $2 < 120)}')" = 1 ] || fail "no parse was shown"
        sleep 0.05
    done
    echo "$1: a parse after $(since "$STARTED")"
    still
}
end_window() {
    # As Ctrl-C does: the window closes in good order.
    kill -INT $WINDOW
    wait $WINDOW || fail "the window ended with status $?"
}

start_window "first start, empty home" "$SENTENCE"
complete "first start, empty home"
xdotool windowfocus --sync "$(window)"
for stage in 1 2 3 4 5 6; do
    xdotool key --clearmodifiers "alt+$stage"
    still
    shot "stage-$stage"
done
[ "$(md5sum ../results/stage-?.xwd | cut -d' ' -f1 | sort -u | wc -l)" = 6 ] || fail "keys did not lead to six stages"
end_window
start_window "second start" "$SENTENCE"
complete "second start"
end_window

# The desktop: the entry is valid, kinds of files are known, each kind opens, and all of it can be taken away.
"$PROGRAMS/parse-explorer" --install-desktop-entry
desktop-file-validate .local/share/applications/parse-explorer.desktop
export XDG_CURRENT_DESKTOP=GNOME
cp "$PROGRAMS/_internal/resources/models/classroom.model" own.model
cp "$PROGRAMS/_internal/resources/lessons/1-dependencies.md" own.lesson.md
printf '{\n "format": "parse-explorer session",\n "version": 1,\n "model": "%s/own.model",\n "preset": 3,\n "settings": {},\n "current": 0,\n "gold_tags": true,\n "lines": [\n  {"text": "Mary saw the man."}\n ]\n}\n' "$HOME" >own.session.json
cp own.session.json session-without-ending
chmod u+w own.*
for file in own.model own.session.json session-without-ending own.lesson.md; do
    kind=$(xdg-mime query filetype "$file")
    echo "$file: $kind, opened by $(xdg-mime query default "$kind")"
    case "$kind" in *parse-explorer-*) ;; *) fail "$file is not known" ;; esac
    start_window "$file" "$file"
    complete "$file"
    shot "open-$file"
    end_window
done
"$PROGRAMS/parse-explorer" --remove-desktop-entry
[ "$(xdg-mime query filetype own.lesson.md)" = text/markdown ] || fail "the kinds of files are still known"
# Nothing was written into the installation, and no program of it is left.
[ -z "$(find "$PROGRAMS" -newer ../sentences.txt -type f)" ] || fail "the installation was changed"
[ ! -s ../results/window.txt ] || cat ../results/window.txt
echo "all as it should be"
