import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { thirdPartyNotices } from './licenses.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ASSETS = join(ROOT, 'src', 'core', 'ui', 'assets');
const SOURCE = join(ROOT, 'src', 'core', 'ui', 'styles', 'app.css');

/** The folder of the script that runs in browsers. */
export const CLIENT_FOLDER = join(ROOT, 'src', 'core', 'ui', 'client');

/** The folder in which files below are made; it changes with them. */
export const ASSETS_FOLDER = ASSETS;

/** Generated files, which are no sources: their age does not count. */
export const MADE_ASSETS = [
  'api-reference.js',
  'app.css',
  'app.js',
  'inter.woff2',
  'licenses.txt',
].map((name) => join(ASSETS, name));

const FONT = join(ROOT, 'node_modules', '@fontsource-variable', 'inter');

/**
 * Makes the files of pages that are built: the style sheet, from the classes that pages use, the
 * font, and the script.
 * @throws {Error} with the compiler's words when one of them cannot be made
 */
export async function makeAssets() {
  writeWhenChanged('app.css', compiledStyles());
  const font = join(FONT, 'files', 'inter-latin-wght-normal.woff2');
  writeWhenChanged('inter.woff2', readFileSync(font));
  await makeScripts();
}

/** Bundles the scripts of pages with their libraries, whose licenses are a file of their own. */
export async function makeScripts() {
  const app = await bundled('app');
  const reference = await bundled('api-reference');
  const notices = thirdPartyNotices([...app.moduleIds, ...reference.moduleIds, join(FONT, 'x')]);
  writeWhenChanged('licenses.txt', notices);
  // The address that the service of assets makes.
  const address = `/-/assets/licenses-${hash('sha256', notices, 'hex').slice(0, 16)}.txt`;
  writeWhenChanged('app.js', `/*! Licenses of libraries: ${address} */\n${app.code}`);
  writeWhenChanged('api-reference.js', reference.code);
}

/** @param {string} name of the script's file in the folder of the client */
async function bundled(name) {
  const build = await rolldown({
    cwd: ROOT,
    platform: 'browser',
    input: join(CLIENT_FOLDER, `${name}.ts`),
    tsconfig: false,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  try {
    const { output } = await build.generate({ format: 'iife', minify: true, comments: false });
    return output[0];
  } finally {
    await build.close();
  }
}

function compiledStyles() {
  const compiler = join(ROOT, 'node_modules', '@tailwindcss', 'cli', 'dist', 'index.mjs');
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [compiler, '--input', SOURCE, '--minify'],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024, timeout: 60_000 },
  );
  if (error) throw error;
  if (status !== 0 || stdout === '') throw new Error(`the styles were not made:\n${stderr}`);
  return stdout;
}

/**
 * Writes atomically, so that no reader sees half a file; the temporary file is outside the folder,
 * which is read as a whole.
 * @param {string} name
 * @param {string | Buffer} content
 */
function writeWhenChanged(name, content) {
  const file = join(ASSETS, name);
  if (existsSync(file) && readFileSync(file).equals(Buffer.from(content))) return;
  const draft = join(ROOT, 'node_modules', `.${name}.${process.pid}`);
  writeFileSync(draft, content);
  renameSync(draft, file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeAssets();
