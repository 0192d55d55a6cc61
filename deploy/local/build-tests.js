import { transformFile } from '@swc/core';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from './build.js';
import { compilerOptions } from './compiler-options.js';

const DIST = join(ROOT, 'dist');
const FOLDERS = ['test', 'src'];
const IS_SOURCE = /^test\/.+\.(?:[jt]s|tsx|cjs)$|^src\/.+\.spec\.tsx?$/;
const IS_OUTPUT = /^test\/.+\.c?js$|^src\/.+\.spec\.js$/;

/**
 * Compiles what changed in test/ and the spec files beside the sources into dist/, where they
 * import the application as it was built. Outputs without a source are removed.
 */
export async function buildTests() {
  const sources = (await Promise.all(FOLDERS.map((folder) => filesBelow(folder, ROOT))))
    .flat()
    .filter((path) => IS_SOURCE.test(path));
  await linkDeploy();
  await removeOrphans(new Set(sources.map(outputOf)));
  const options = testOptions();
  await Promise.all(sources.map((path) => buildFile(path, options)));
}

/**
 * @param {string} path relative to the project's folder
 * @param {import('@swc/core').Options} options
 */
async function buildFile(path, options) {
  const source = join(ROOT, path);
  const output = join(DIST, outputOf(path));
  if (await isCurrent(source, output)) return;
  await mkdir(dirname(output), { recursive: true });
  if (!/\.tsx?$/.test(path)) {
    await copyFile(source, output);
    return;
  }
  const { code, map } = await transformFile(source, options);
  if (map !== undefined) await writeFile(`${output}.map`, map);
  await writeFile(output, `${code}\n//# sourceMappingURL=${output.split('/').at(-1)}.map\n`);
}

/** @returns {import('@swc/core').Options} those of the application; tests import our `@jest/globals` */
function testOptions() {
  const options = compilerOptions();
  const globals = join(ROOT, 'test', 'runner', 'globals.js');
  return {
    ...options,
    jsc: { ...options.jsc, baseUrl: ROOT, paths: { '@jest/globals': [globals] } },
  };
}

/** @param {string} path */
function outputOf(path) {
  return path.replace(/\.tsx?$/, '.js');
}

/**
 * @param {string} source
 * @param {string} output
 */
async function isCurrent(source, output) {
  if (!existsSync(output)) return false;
  const [from, to] = await Promise.all([stat(source), stat(output)]);
  return from.mtimeMs <= to.mtimeMs;
}

/** Tests import programs of deploy/ by the path that leads there from their sources. */
async function linkDeploy() {
  const link = join(DIST, 'deploy');
  if (!existsSync(link)) await symlink(join('..', 'deploy'), link);
}

/** @param {Set<string>} wanted */
async function removeOrphans(wanted) {
  const outputs = (await Promise.all(FOLDERS.map((folder) => filesBelow(folder, DIST)))).flat();
  const orphans = outputs.filter((path) => IS_OUTPUT.test(path) && !wanted.has(path));
  await Promise.all(
    orphans
      .flatMap((path) => [`${path}.map`, path])
      .map((path) => rm(join(DIST, path), { force: true })),
  );
}

/**
 * @param {string} folder
 * @param {string} root
 * @returns {Promise<string[]>} paths relative to `root`
 */
async function filesBelow(folder, root) {
  const start = join(root, folder);
  if (!existsSync(start)) return [];
  const entries = await readdir(start, { recursive: true });
  return entries.map((name) => join(folder, name));
}
