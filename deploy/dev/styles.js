import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../local/build.js';
import { printError } from './log.js';

const COMPILER = join(ROOT, 'node_modules', '@tailwindcss', 'cli', 'dist', 'index.mjs');
const SOURCE = join(ROOT, 'src', 'core', 'ui', 'styles', 'app.css');

/**
 * Rebuilds the style sheet when pages change their classes.
 * @param {string} output path of the style sheet
 * @param {() => void} onChange called after each change, including the first build
 */
export function watchStyles(output, onChange) {
  const child = spawn(process.execPath, [COMPILER, '-i', SOURCE, '-o', output, '--watch'], {
    cwd: ROOT,
    detached: true,
    // The compiler exits when its standard input closes, and so with this process.
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  let digest = '';
  const check = () => {
    const found = existsSync(output) ? digestOf(output) : '';
    if (found === digest) return;
    digest = found;
    onChange();
  };
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('Done in')) check();
    else if (/error|^│|^┌|^└/i.test(line)) printError(line);
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** @param {string} path */
function digestOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
