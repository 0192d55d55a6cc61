import { cpSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { rolldown } from 'rolldown';
import { thirdPartyNotices } from './licenses.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const COMPILED = join(DIST, 'src') + sep;
const LIBRARIES = join(ROOT, 'node_modules') + sep;

/** Programs of the bundle, and the compiled modules they start from. */
export const PROGRAMS = ['main', 'worker', 'cli'];

/** What the programs start beside themselves, by the name of the file. */
const HELPERS = {
  'fork-server': 'git/fork-server',
  'highlight-thread': 'core/ui/highlighting/highlight-thread',
};

/**
 * Compiler output for a parameter of Express's types: it takes them for the global ones of `fetch`,
 * and reading those loads all of undici (2 MB).
 */
const FETCH_TYPE = /typeof (Request|Response) === "undefined" \? Object : \1/g;

/** Paths below src by the name of the bundled file. */
export const ENTRIES = { ...Object.fromEntries(PROGRAMS.map((name) => [name, name])), ...HELPERS };

/** Folders of dist/src that modules read beside themselves: `new URL('./…', import.meta.url)`. */
export const FOLDERS = [
  'git/hooks',
  'core/ui/assets',
  'cli/demo/portraits',
  'cli/demo/repositories',
];

/** The same folders below dist, beside the bundle. */
export const BUNDLED_FOLDERS = FOLDERS.map((folder) => basename(folder));

/** The licenses of the bundled libraries, below dist. */
export const LICENSES = 'licenses.txt';

/** Packages that the bundle loads from node_modules: native code cannot be bundled. */
export const NATIVE_PACKAGES = ['@node-rs/argon2', 'sharp'];

/** Optional parts of Nest that are not installed. */
const ABSENT_PACKAGES = ['@nestjs/microservices', '@nestjs/websockets'];

/** ES modules of packages whose Node build is CommonJS, of which nothing unused could be left out. */
const ES_MODULES = {
  'class-transformer': join(LIBRARIES, 'class-transformer/esm2015/index.js'),
  'class-validator': join(LIBRARIES, 'class-validator/esm2015/index.js'),
  rxjs: join(LIBRARIES, 'rxjs/dist/esm/index.js'),
  // Resolves both installed versions to the newer one.
  'mime-db': join(LIBRARIES, 'mime-db/db.json'),
};

/**
 * Bundles the compiled modules of dist/src and all libraries into dist/main.js, dist/worker.js,
 * dist/cli.js and the chunks they share, with what they read at run time beside them.
 */
export async function bundle() {
  const build = await rolldown({
    cwd: ROOT,
    platform: 'node',
    input: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, path]) => [name, join(COMPILED, `${path}.js`)]),
    ),
    external: isExternal,
    resolve: { alias: ES_MODULES },
    plugins: [
      sourceMaps(),
      parsedJson(),
      ownTypeOrm(),
      oneDriver(),
      withoutPhoneNumbers(),
      requiredHttp(),
    ],
    onLog(level, log, handle) {
      if (log.code !== 'EVAL') handle(level, log);
    },
  });
  try {
    const { output } = await build.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunk-[name]-[hash].js',
      // Nest and TypeORM go by the names of classes.
      keepNames: true,
      // Chunks are cut across packages; without it, decorators run before reflect-metadata.
      strictExecutionOrder: true,
      comments: false,
      sourcemap: true,
      sourcemapExcludeSources: true,
    });
    for (const folder of FOLDERS) copyFolder(folder);
    for (const file of output) {
      if (file.type === 'chunk') write(file.fileName, inAscii(file.code, file.fileName));
      else write(file.fileName, file.fileName.endsWith('.map') ? byLine(file.source) : file.source);
    }
    write(LICENSES, thirdPartyNotices(output.flatMap((file) => moduleIdsOf(file))));
    removeOthers(new Set(output.map((file) => file.fileName)));
  } finally {
    await build.close();
  }
}

/** @param {import('rolldown').OutputChunk | import('rolldown').OutputAsset} file */
function moduleIdsOf(file) {
  return file.type === 'chunk' ? file.moduleIds : [];
}

/** @param {string} id what is imported */
function isExternal(id) {
  const packages = [...NATIVE_PACKAGES, ...ABSENT_PACKAGES];
  return packages.some((name) => id === name || id.startsWith(`${name}/`));
}

/**
 * Leads stack traces back to the .ts files. Libraries have no map: it would be larger than that of
 * our own code, and Node reads maps when it loads a file.
 * @returns {import('rolldown').Plugin}
 */
function sourceMaps() {
  return {
    name: 'source-maps',
    load(id) {
      if (id.startsWith(LIBRARIES) && /\.[cm]?js$/.test(id)) {
        return { code: readFileSync(id, 'utf8'), map: { mappings: '' } };
      }
      if (!id.startsWith(COMPILED)) return null;
      const code = readFileSync(id, 'utf8').replace(FETCH_TYPE, 'Object');
      if (code.includes('IsPhoneNumber'))
        throw new Error(`${id}: IsPhoneNumber is not available in the bundle`);
      return { code, map: readFileSync(`${id}.map`, 'utf8') };
    },
  };
}

/**
 * @nestjs/typeorm asks the installed TypeORM for classes of old versions with a `require` that is
 * its own; where node_modules lies beside the bundle, that would load a second TypeORM.
 * @returns {import('rolldown').Plugin}
 */
function ownTypeOrm() {
  return {
    name: 'own-typeorm',
    transform: {
      filter: { id: /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ },
      handler(code) {
        const own = 'const require = createRequire(import.meta.url);';
        if (!code.includes(own))
          throw new Error('typeorm-compat.js of @nestjs/typeorm has changed');
        return { code: code.replace(own, ''), map: null };
      },
    },
  };
}

/**
 * Removes TypeORM's database drivers other than PostgreSQL's, which it would all load.
 * @returns {import('rolldown').Plugin}
 */
function oneDriver() {
  return {
    name: 'one-driver',
    transform: {
      filter: { id: /typeorm\/driver\/DriverFactory\.js$/ },
      handler(code) {
        const others = /^const ((?!Postgres)\w+)Driver_1 = require\(".*"\);$/gm;
        if (!others.test(code)) throw new Error('DriverFactory.js of typeorm has changed');
        return { code: code.replace(others, 'const $1Driver_1 = {};'), map: null };
      },
    },
  };
}

/**
 * Removes class-validator's phone number metadata (0.3 MB), which no validation uses.
 * @returns {import('rolldown').Plugin}
 */
function withoutPhoneNumbers() {
  return {
    name: 'without-phone-numbers',
    transform: {
      filter: { id: /class-validator\/esm2015\/decorator\/string\/IsPhoneNumber\.js$/ },
      handler(code) {
        const imported = "import { parsePhoneNumber } from 'libphonenumber-js/max';";
        if (!code.includes(imported)) {
          throw new Error('IsPhoneNumber.js of class-validator has changed');
        }
        return { code: code.replace(imported, 'const parsePhoneNumber = undefined;'), map: null };
      },
    },
  };
}

/**
 * V8 keeps an object literal twice, as code and as object, and reads JSON faster.
 * @returns {import('rolldown').Plugin}
 */
function parsedJson() {
  return {
    name: 'parsed-json',
    load: {
      filter: { id: /node_modules\/.*\.json$/ },
      handler(id) {
        const text = JSON.stringify(JSON.parse(readFileSync(id, 'utf8')));
        return { code: `module.exports = JSON.parse(${JSON.stringify(text)});`, moduleType: 'js' };
      },
    },
  };
}

/**
 * Importing node:http by name reads all it exports, and one of those loads the whole of undici
 * (2 MB) for WebSocket. A `require` reads only what is used.
 * @returns {import('rolldown').Plugin}
 */
function requiredHttp() {
  const wrapper = '\0node-http.cjs';
  return {
    name: 'required-http',
    resolveId: {
      filter: { id: /^(node:)?http$/ },
      handler: (_, importer) => (importer === wrapper ? null : wrapper),
    },
    load: {
      filter: { id: /^\0node-http\.cjs$/ },
      handler: () => "module.exports = require('node:http');",
    },
  };
}

/**
 * Node keeps a script with a single character beyond Latin-1 in memory at twice its size.
 * Escapes stand for the same in strings, templates and regular expressions, but not in raw ones.
 * @param {string} code
 * @param {string} fileName
 */
function inAscii(code, fileName) {
  for (const [, raw] of code.matchAll(/String\.raw`([^`]*)`/g)) {
    if (!isAscii(raw))
      throw new Error(`${fileName}: String.raw with characters beyond ASCII: ${raw}`);
  }
  return code.replace(/[\x80-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** @param {string} [text] */
function isAscii(text = '') {
  return !/[\x80-\uffff]/.test(text);
}

/**
 * Ends what the segment before it maps.
 * @type {import('@jridgewell/sourcemap-codec').SourceMapSegment}
 */
const UNMAPPED = [0];

/**
 * Reduces a source map to the beginnings of lines, all that stack traces of code with its line
 * breaks need: Node holds a whole map in memory from the first stack trace on.
 * @param {string | Uint8Array} source
 */
function byLine(source) {
  const map = JSON.parse(String(source));
  let isOurs = false;
  const lines = decode(map.mappings).map((segments) => {
    const start = segments.flatMap(atLineStart).slice(0, 1);
    const wasOurs = isOurs;
    isOurs = start.length > 0;
    return wasOurs && !isOurs ? [UNMAPPED] : start;
  });
  return JSON.stringify({ ...map, names: [], mappings: encode(lines) });
}

/**
 * @param {import('@jridgewell/sourcemap-codec').SourceMapSegment} segment
 * @returns {import('@jridgewell/sourcemap-codec').SourceMapSegment[]}
 */
function atLineStart([, file, line, column]) {
  return file === undefined || line === undefined || column === undefined
    ? []
    : [[0, file, line, column]];
}

/** @param {string} folder below dist/src */
function copyFolder(folder) {
  const target = join(DIST, basename(folder));
  rmSync(target, { recursive: true, force: true });
  cpSync(join(COMPILED, folder), target, { recursive: true });
}

/**
 * Replaces a file in one step, since a process may be starting from the former one.
 * @param {string} name
 * @param {string | Uint8Array} content
 */
function write(name, content) {
  const path = join(DIST, name);
  // npx runs the command of the package, and makes it executable only once.
  writeFileSync(`${path}.new`, content, { mode: name === 'cli.js' ? 0o755 : 0o644 });
  renameSync(`${path}.new`, path);
}

/**
 * Removes the chunks of former builds.
 * @param {Set<string>} written
 */
function removeOthers(written) {
  for (const name of readdirSync(DIST)) {
    if (/^chunk-.*\.js(\.map)?$/.test(name) && !written.has(name)) rmSync(join(DIST, name));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
