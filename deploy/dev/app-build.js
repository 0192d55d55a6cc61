import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { transform } from '@swc/core';
import { rolldown } from 'rolldown';
import { ENTRIES, FOLDERS, PROGRAMS } from '../bundle.js';
import { ROOT } from '../local/build.js';
import { compilerOptions } from '../local/compiler-options.js';

const SOURCES = join(ROOT, 'src') + sep;
/** Matches imports other than relative and absolute paths and the bundler's own modules. */
const LIBRARY = /^(?!@oxc-project\/)[^./\0]/;

/**
 * A build of the application.
 * @typedef {object} Version
 * @property {string} folder
 * @property {Record<string, string>} digests of each program's code, without source maps
 * @property {string[]} libraries packages imported from node_modules
 *
 * @typedef {import('rolldown').OutputChunk} Chunk
 */

/**
 * Compiles each changed source once and rebundles all of them without libraries, which is faster
 * than loading that many files in Node. Each version has its own folder, so that running processes
 * keep theirs.
 */
export class AppBuild {
  /** @type {Map<string, Promise<import('rolldown').LoadResult>>} compiled sources by path */
  #compiled = new Map();
  #options = compilerOptions();
  #count = 0;

  /** @param {string} folder parent of all versions, inside the checkout to resolve node_modules */
  constructor(folder) {
    this.folder = folder;
  }

  /**
   * Builds a new version from the current sources.
   * @param {string[]} changed paths of files that changed since the last call
   * @returns {Promise<Version>}
   * @throws {Error} with file and line when a source has an error
   */
  async run(changed) {
    if (changed.includes(join(ROOT, '.swcrc'))) {
      this.#options = compilerOptions();
      this.#compiled.clear();
    }
    for (const path of changed) this.#compiled.delete(path);
    this.#count += 1;
    const folder = join(this.folder, String(this.#count));
    const chunks = await this.#bundle(folder);
    write(folder, chunks);
    return {
      folder,
      digests: Object.fromEntries(PROGRAMS.map((name) => [name, digestOf(name, chunks)])),
      libraries: librariesOf(chunks),
    };
  }

  /**
   * @param {string} folder base of the paths in source maps
   * @returns {Promise<Chunk[]>}
   */
  async #bundle(folder) {
    const build = await rolldown({
      cwd: ROOT,
      platform: 'node',
      input: Object.fromEntries(
        Object.entries(ENTRIES).map(([name, path]) => [name, join(SOURCES, `${path}.ts`)]),
      ),
      external: LIBRARY,
      tsconfig: false,
      resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
      plugins: [this.#compiler()],
      onLog: () => undefined,
    });
    try {
      const { output } = await build.generate({
        dir: folder,
        format: 'esm',
        entryFileNames: '[name].js',
        chunkFileNames: 'chunk-[name].js',
        // Nest and TypeORM depend on class names.
        keepNames: true,
        comments: false,
        sourcemap: true,
        sourcemapExcludeSources: true,
      });
      return output.filter((file) => file.type === 'chunk');
    } finally {
      await build.close();
    }
  }

  /** @returns {import('rolldown').Plugin} */
  #compiler() {
    return {
      name: 'compiler',
      load: {
        filter: { id: /\/src\/.*\.tsx?$/ },
        handler: (id) => {
          const known = this.#compiled.get(id);
          if (known) return known;
          const compiling = this.#compile(id);
          this.#compiled.set(id, compiling);
          compiling.catch(() => this.#compiled.delete(id));
          return compiling;
        },
      },
    };
  }

  /**
   * @param {string} path
   * @returns {Promise<import('rolldown').LoadResult>}
   */
  async #compile(path) {
    const source = await readFile(path, 'utf8');
    const { code, map } = await transform(source, { ...this.#options, filename: path });
    return { code, map, moduleType: 'js' };
  }
}

/**
 * @param {string} folder
 * @param {Chunk[]} chunks
 */
function write(folder, chunks) {
  mkdirSync(folder, { recursive: true });
  for (const { fileName, code, map } of chunks) {
    writeFileSync(join(folder, fileName), code);
    writeFileSync(join(folder, `${fileName}.map`), String(map));
  }
  for (const path of FOLDERS) {
    cpSync(join(SOURCES, path), join(folder, basename(path)), { recursive: true });
  }
}

/**
 * Returns a digest of all code that a program can load, including its Git hooks.
 * @param {string} program
 * @param {Chunk[]} chunks
 */
function digestOf(program, chunks) {
  const digest = createHash('sha256');
  const reached = new Set([`${program}.js`]);
  for (const name of reached) {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (!chunk) continue;
    digest.update(chunk.code);
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) reached.add(next);
  }
  const hooks = join(SOURCES, 'git/hooks');
  for (const name of readdirSync(hooks).sort()) digest.update(readFileSync(join(hooks, name)));
  return digest.digest('hex');
}

/** @param {Chunk[]} chunks */
function librariesOf(chunks) {
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const needed = chunks.filter(({ name }) => name !== 'cli').flatMap(({ imports }) => imports);
  return [...new Set(needed)].filter((name) => !own.has(name) && !name.startsWith('node:'));
}

/**
 * @param {Version} version
 */
export function removeVersion({ folder }) {
  rmSync(folder, { recursive: true, force: true });
}
