#!/bin/sh
# Unpacks the program that lies beside this script below /usr. Run as root while a development container is built.
set -eu
cd "$(dirname "$0")"
found=$(sha256sum '@ARCHIVE@' | cut -d ' ' -f 1)
if [ "$found" != '@SHA256@' ]; then
    echo "doorward: @ARCHIVE@ isn't what was released: its checksum is $found" >&2
    exit 1
fi
tar -xzf '@ARCHIVE@' --strip-components=1 --no-same-owner -C /usr
