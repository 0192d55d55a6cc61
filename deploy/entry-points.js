import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The compiler mirrors the sources below dist/src; production starts dist/main.js and
 * dist/worker.js, so that the layout of the sources is nobody's business.
 */
for (const name of ['main.js', 'worker.js']) {
  const file = fileURLToPath(new URL(`../dist/${name}`, import.meta.url));
  writeFileSync(file, `import './src/${name}';\n`);
}
