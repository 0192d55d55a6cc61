import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ASSETS = join(ROOT, 'src', 'core', 'ui', 'assets');
const SOURCE = join(ROOT, 'src', 'core', 'ui', 'styles', 'app.css');

/** The folder of the script that runs in browsers. */
export const CLIENT_FOLDER = join(ROOT, 'src', 'core', 'ui', 'client');

/** The folder in which files below are made; it changes with them. */
export const ASSETS_FOLDER = ASSETS;

/** Generated files, which are no sources: their age does not count. */
export const MADE_ASSETS = ['app.css', 'app.js', 'inter.woff2'].map((name) => join(ASSETS, name));

/**
 * Makes the files of pages that are built: the style sheet, from the classes that pages use, the
 * font, and the script.
 * @throws {Error} with the compiler's words when one of them cannot be made
 */
export async function makeAssets() {
  writeWhenChanged('app.css', compiledStyles());
  const font = join('@fontsource-variable', 'inter', 'files', 'inter-latin-wght-normal.woff2');
  writeWhenChanged('inter.woff2', readFileSync(join(ROOT, 'node_modules', font)));
  await makeScript();
}

/** Bundles the script of all pages with its libraries. */
export async function makeScript() {
  const build = await rolldown({
    cwd: ROOT,
    platform: 'browser',
    input: { app: join(CLIENT_FOLDER, 'app.ts') },
    tsconfig: false,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  try {
    const { output } = await build.generate({ format: 'iife', minify: true, comments: false });
    writeWhenChanged('app.js', output[0].code);
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
