mkdir -p src include lib test build .pio scripts zephyr
printf '#include <stdint.h>\nint main(void) { for (;;) { } }\n' > src/main.c
printf '#pragma once\nvoid blink(void);\n' > include/blink.h
printf '#include "../include/blink.h"\nint main(void) { return 0; }\n' > test/test_blink.c
printf '[env:esp32]\nplatform = espressif32\nboard = esp32dev\nframework = arduino\n' > platformio.ini
printf 'cmake_minimum_required(VERSION 3.20)\nproject(blink C)\nadd_executable(blink src/main.c)\nenable_testing()\n' > CMakeLists.txt
printf 'all:\n\t$(CC) -o build/blink src/main.c\ntest: all\n\t./build/blink --selftest\nflash:\n\tesptool.py write_flash 0x0 build/blink.bin\nclean:\n\trm -rf build\n' > Makefile
printf '#!/usr/bin/env python3\nimport sys\n\nprint("map", len(sys.argv))\n' > scripts/size.py
printf 'CONFIG_GPIO=y\n' > zephyr/prj.conf
printf 'build\n.pio\n' > .gitignore
echo '# blink' > README.md
git init -q -b main . && git add -A && git commit -qm 'Start'
git remote add origin https://github.com/acme/blink.git
git update-ref refs/remotes/origin/main HEAD
git config branch.main.remote origin && git config branch.main.merge refs/heads/main
echo elf > build/blink
