#!/bin/sh
# Installs Doorward @VERSION@ below ~/.local, after it compared the download with its checksum.
#
#   DOORWARD_BASE     where the release's files are (https, or http on loopback)
#   DOORWARD_PREFIX   where it goes, in place of ~/.local
#   DOORWARD_SIGNERS  a file with the key that you trust; then the checksums must be signed by it
set -eu

version='@VERSION@'
base="${DOORWARD_BASE:-@BASE@}"
prefix="${DOORWARD_PREFIX:-${HOME:?HOME is not set}/.local}"
glibc='@GLIBC@'
signer='@SIGNER@'

fail() {
    printf 'doorward: %s\nNothing was installed.\n' "$*" >&2
    exit 1
}

has() {
    command -v "$1" >/dev/null 2>&1
}

case "$base" in
    https://* | http://127.0.0.1:* | http://localhost:*) ;;
    *) fail "DOORWARD_BASE has to begin with https:// (or be on loopback): $base" ;;
esac

[ "$(uname -s)" = Linux ] || fail "this script is for Linux; this is $(uname -s)"
machine=$(uname -m)
case "$machine" in
    x86_64 | aarch64) ;;
    *) fail "there is no build for $machine" ;;
esac

if [ -n "$glibc" ]; then
    own=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/^glibc //')
    [ -n "$own" ] || fail "this build needs glibc $glibc or newer, and this system has none"
    least=$(printf '%s\n%s\n' "$glibc" "$own" | sort -t . -k 1,1n -k 2,2n | head -n 1)
    [ "$least" = "$glibc" ] || fail "this build needs glibc $glibc or newer; this system has $own"
fi

if has curl; then
    fetch() { curl -fsSL --proto '=https,http' -o "$2" "$1"; }
elif has wget; then
    fetch() { wget -q -O "$2" "$1"; }
else
    fail 'neither curl nor wget is there to download with'
fi

if has sha256sum; then
    digest() { sha256sum "$1" | cut -d ' ' -f 1; }
elif has shasum; then
    digest() { shasum -a 256 "$1" | cut -d ' ' -f 1; }
else
    fail 'neither sha256sum nor shasum is there to check the download with'
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

name="doorward-$version-$machine-linux"
fetch "$base/SHA256SUMS" "$work/SHA256SUMS" || fail "$base/SHA256SUMS can't be downloaded"

trusted="${DOORWARD_SIGNERS:-}"
if [ -z "$trusted" ] && [ -n "$signer" ]; then
    trusted="$work/signers"
    printf '%s\n' "$signer" >"$trusted"
fi
checked='checksum'
if [ -n "$trusted" ]; then
    if has ssh-keygen; then
        fetch "$base/SHA256SUMS.sig" "$work/SHA256SUMS.sig" || fail "the checksums aren't signed"
        ssh-keygen -Y verify -q -f "$trusted" -I doorward -n doorward-release -s "$work/SHA256SUMS.sig" \
            <"$work/SHA256SUMS" >/dev/null 2>&1 || fail "the signature of the checksums isn't one of the trusted key"
        checked='signature and checksum'
    elif [ -n "${DOORWARD_SIGNERS:-}" ]; then
        fail 'DOORWARD_SIGNERS is set, but there is no ssh-keygen to check the signature with'
    fi
fi

wanted=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.gz\$/\1/p" "$work/SHA256SUMS")
[ "$(printf %s "$wanted" | wc -c)" -eq 64 ] || fail "SHA256SUMS has no checksum of $name.tar.gz"
fetch "$base/$name.tar.gz" "$work/archive" || fail "$base/$name.tar.gz can't be downloaded"
found=$(digest "$work/archive")
[ "$found" = "$wanted" ] || fail "the download isn't what was released: its checksum is $found, not $wanted"

tar -xzf "$work/archive" -C "$work" || fail 'the download could not be unpacked'
mkdir -p "$prefix/bin" || fail "$prefix can't be written"
for program in doorward doorward-thin; do
    # Another name first: a program that runs can be replaced, but not written to.
    cp -p "$work/$name/bin/$program" "$prefix/bin/.$program-new"
    mv -f "$prefix/bin/.$program-new" "$prefix/bin/$program"
done
mkdir -p "$prefix/share"
cp -Rp "$work/$name/share/." "$prefix/share/"

printf 'installed Doorward %s in %s (%s checked)\n' "$version" "$prefix/bin" "$checked"
case ":$PATH:" in
    *":$prefix/bin:"*) command='doorward setup' ;;
    *) command="$prefix/bin/doorward setup" ;;
esac
printf 'put it in front of your agents with:\n\n  %s\n\n' "$command"
