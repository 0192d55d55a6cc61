#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { runCli } from './cli/program.js';

const exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  stdout: (output) => process.stdout.write(output),
  stderr: (output) => process.stderr.write(output),
  readStdin: () => text(process.stdin),
  isTerminal: process.stdout.isTTY === true,
});

// The endless reconnecting to Redis must not keep the process running.
process.exit(exitCode);
