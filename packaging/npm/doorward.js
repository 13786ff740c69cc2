#!/usr/bin/env node
// Starts the program of the package for this platform, and ends as it ends.
'use strict';

const { spawn } = require('node:child_process');
const path = require('node:path');

const name = `doorward-${process.platform}-${process.arch}`;

function program() {
  try {
    return path.join(path.dirname(require.resolve(`${name}/package.json`)), 'bin', 'doorward');
  } catch {
    console.error(
      `doorward: the package ${name} isn't installed. Doorward is there for linux-x64 and linux-arm64; where this is ` +
        'one of them, install again without --omit=optional.',
    );
    process.exit(2);
  }
}

const child = spawn(program(), process.argv.slice(2), { stdio: 'inherit' });
// The terminal sends these to the whole group: the program ends by them, and this ends as it does.
for (const signal of ['SIGINT', 'SIGQUIT']) process.on(signal, () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`doorward: ${error.message}`);
  process.exit(2);
});
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
