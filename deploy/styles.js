import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ASSETS = join(ROOT, 'src', 'core', 'ui', 'assets');
const SOURCE = join(ROOT, 'src', 'core', 'ui', 'styles', 'app.css');

/** The folder in which files below are made; it changes with them. */
export const ASSETS_FOLDER = ASSETS;

/** Generated files, which are no sources: their age does not count. */
export const MADE_ASSETS = ['app.css', 'htmx.js'].map((name) => join(ASSETS, name));

/**
 * Makes the files of pages that come from packages: the style sheet, from the classes that pages
 * use, and the script for live regions.
 * @throws {Error} with the compiler's words when the style sheet cannot be made
 */
export function makeAssets() {
  writeWhenChanged('app.css', compiledStyles());
  const htmx = join(ROOT, 'node_modules', 'htmx.org', 'dist', 'htmx.min.js');
  writeWhenChanged('htmx.js', readFileSync(htmx, 'utf8'));
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
 * @param {string} content
 */
function writeWhenChanged(name, content) {
  const file = join(ASSETS, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  const draft = join(ROOT, 'node_modules', `.${name}.${process.pid}`);
  writeFileSync(draft, content);
  renameSync(draft, file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) makeAssets();
