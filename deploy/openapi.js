import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import prettier from 'prettier';
import { buildWhenStale, ROOT } from './local/build.js';
import { Refusal, runMain } from './local/refusal.js';
import { describeApi } from './openapi/document.js';

const FILE = join(ROOT, 'docs', 'openapi.json');

/**
 * `npm run openapi`: writes docs/openapi.json from the code; with `--check` it only compares.
 * Refuses, naming all of them, when types or comments leave something undescribed.
 */
async function main() {
  await buildWhenStale();
  const { document, problems } = await describeApi();
  if (problems.length > 0) {
    throw new Refusal(`the code does not describe all of its API:\n  ${problems.join('\n  ')}`);
  }
  const settings = await prettier.resolveConfig(FILE);
  const text = await prettier.format(JSON.stringify(document), { ...settings, filepath: FILE });
  if (!process.argv.includes('--check')) {
    writeFileSync(FILE, text);
    return 0;
  }
  const committed = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  if (committed !== text) {
    throw new Refusal('docs/openapi.json is not what the code says: run `npm run openapi`');
  }
  return 0;
}

await runMain(main);
