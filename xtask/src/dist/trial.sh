#!/bin/sh
# Tries one package on an empty copy of this machine: trial.sh RELEASE PYTHON ROOT_COMMANDS USER_COMMANDS. Runs as
# root in mount, process and network namespaces of its own, so nothing outside changes and nothing is asked of the
# network. RELEASE is served on loopback. Whatever the commands need comes from this machine's /usr; home folders
# and /tmp are empty.
set -eu
release=$1 python=$2 as_root=$3 as_user=$4

work=$(mktemp -d)
mount -t tmpfs none "$work"
mkdir "$work/upper" "$work/work" "$work/machine"
machine="$work/machine"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" "$machine"
mount -t proc proc "$machine/proc"
mount --rbind /dev "$machine/dev"
for folder in tmp home root run; do
    mount -t tmpfs none "$machine/$folder"
done
chmod 1777 "$machine/tmp"
chmod 755 "$machine/root"
if [ -n "$python" ]; then
    mkdir -p "$machine$python"
    mount --bind "$python" "$machine$python"
fi
mkdir "$machine/release" "$machine/home/ada"
mount --bind "$release" "$machine/release"
echo 'ada:x:4242:4242::/home/ada:/bin/sh' >>"$machine/etc/passwd"
echo 'ada:x:4242:' >>"$machine/etc/group"
chown 4242:4242 "$machine/home/ada"
ip link set lo up

cat >"$machine/tmp/user.sh" <<'SCRIPT'
set -eu
cd "$HOME"
RELEASE=http://127.0.0.1:8471
eval "$1"
doorward --version
# As if Claude Code had been started once.
mkdir "$HOME/.claude"
doorward setup --yes
hook=$(sed -n 's/.*"command": *"\(.*\)".*/\1/p' "$HOME/.claude/settings.json" | head -n 1)
mkdir -p "$HOME/project"
cd "$HOME/project"
cat >event.json <<EVENT
{"session_id": "trial", "transcript_path": "", "cwd": "$PWD", "hook_event_name": "PreToolUse", "tool_name": "Bash",
 "tool_input": {"command": "rm -rf ~"}, "tool_use_id": "t1", "permission_mode": "bypassPermissions"}
EVENT
sh -c "$hook" <event.json
SCRIPT

chroot "$machine" python3 -m http.server --bind 127.0.0.1 --directory /release 8471 >"$work/served" 2>&1 &
until chroot "$machine" curl -fs -o /dev/null http://127.0.0.1:8471/SHA256SUMS; do sleep 0.1; done

begun=$(date +%s%N)
[ -z "$as_root" ] || chroot "$machine" sh -euc "$as_root"
user() {
    chroot "$machine" setpriv --reuid 4242 --regid 4242 --clear-groups env -i \
        HOME=/home/ada USER=ada LANG=C.UTF-8 npm_config_update_notifier=false \
        PATH="/home/ada/.local/bin:/home/ada/.venv/bin:/home/ada/runner/doorward/bin:/usr/bin:/bin" "$@"
}
user sh /tmp/user.sh "$as_user"
ended=$(date +%s%N)
echo
echo "milliseconds $(((ended - begun) / 1000000))"
