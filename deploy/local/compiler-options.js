import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.js';

/**
 * Returns the options of .swcrc for the compiler's API, so that development and tests compile like
 * `npm run build`.
 * @returns {import('@swc/core').Options}
 */
export function compilerOptions() {
  const options = JSON.parse(readFileSync(join(ROOT, '.swcrc'), 'utf8'));
  for (const name of ['$schema', 'exclude']) delete options[name];
  return { ...options, swcrc: false, cwd: ROOT, sourceMaps: true };
}
