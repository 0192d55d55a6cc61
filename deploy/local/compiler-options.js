import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.js';

/**
 * Returns the options of .swcrc for the compiler's own interface, so that what is compiled in
 * development and for tests is what `npm run build` makes of it.
 * @returns {import('@swc/core').Options}
 */
export function compilerOptions() {
  const options = JSON.parse(readFileSync(join(ROOT, '.swcrc'), 'utf8'));
  for (const name of ['$schema', 'exclude']) delete options[name];
  return { ...options, swcrc: false, cwd: ROOT, sourceMaps: true };
}
