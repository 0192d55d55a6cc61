import { textOf } from '../json-values.js';
import { remembered } from '../remembered.js';
import type { FrameFields } from '../trace-fields.js';
import { functionName } from './function-name.js';

/** Longer paths are truncated at the front: their end is more specific. */
const MAX_LENGTH = 1_024;

/** Names of files that many directories have; the directory distinguishes them. */
const COMMON = /^(?:index|main|mod|lib|page|route|layout|app|init|__init__|utils?|helpers?)$/;

/** Parts that a build puts into names: `main.3f2a9c.js`, `chunk-BX7dk3_z.js`, `app.min.js`. */
const HEX_PART = /[.-](?=[\da-f]*\d)[\da-f]{5,64}(?=[.-]|$)/gi;
const MARKS = /\.(?:min|chunk|bundle|esm|cjs|prod|development|production)(?=\.|$)/gi;
const HASH_PART = /^[.-](?=[\w-]*[A-Z])(?=[\w-]*[a-z\d])[\w-]{8}$/;
const HASH_LENGTH = 9;

/** Directories that differ between releases: `/releases/20240101/`, `/3f2a9c8b/`, `/v1.2.3/`. */
const RELEASE_DIRECTORY = /^(?:v?\d[\d._-]*|(?=[a-f]*\d)[\da-f]{6,64}|current|releases|\.+|)$/i;

/**
 * The name of a source file without what differs between builds, releases and machines: no
 * directory, except before names as common as `index`, no hash of a build, in lower case.
 */
function fileName(path: string): string | null {
  const [address = ''] = path.slice(-MAX_LENGTH).split(/[?#]/, 1);
  const segments = address.replace(/^[\w+.-]*:\/\/[^/\\]*/, '').split(/[/\\]/);
  const base = segments.pop() ?? '';
  if (base === '' || base.startsWith('<') || base === 'unknown') return null;
  const name = withoutBuild(base);
  const [stem = ''] = name.split('.', 1);
  const directory = COMMON.test(stem) ? segments.findLast(isLasting) : undefined;
  return directory === undefined ? name : `${directory.toLowerCase()}/${name}`;
}

function withoutBuild(base: string): string {
  const dot = base.lastIndexOf('.');
  const stem = dot > 0 ? base.slice(0, dot) : base;
  const extension = dot > 0 ? base.slice(dot) : '';
  const named = HASH_PART.test(stem.slice(-HASH_LENGTH)) ? stem.slice(0, -HASH_LENGTH) : stem;
  const lasting = named.replace(HEX_PART, '').replace(MARKS, '');
  return `${lasting === '' ? stem : lasting}${extension}`.toLowerCase();
}

function isLasting(directory: string): boolean {
  return !RELEASE_DIRECTORY.test(directory) && !directory.endsWith(':');
}

/** Part of a frame in an event's hash; null if the frame is anonymous. */
export interface FrameKey {
  text: string;
  /** True if it names a function or a line of source, not only a file. */
  isExact: boolean;
}

/** Machine code: files depend on the build machine, so only functions count. */
const NATIVE: ReadonlySet<string> = new Set(['native', 'c', 'cocoa', 'objc']);
/** A longer line of source is one of a minified file. */
const LONGEST_LINE = 120;
const LONGEST_NAME = 512;

/**
 * Returns the identity of a frame: module, else file, and function, else line of source. Leaves out
 * line numbers and everything that differs between builds, machines and browsers.
 */
export function frameKey(frame: FrameFields, eventPlatform: string): FrameKey | null {
  const platform = textOf(frame.raw.platform) ?? eventPlatform;
  const place = NATIVE.has(platform) ? null : placeOf(frame);
  const call = callOf(frame.function, platform) ?? lineOf(frame);
  if (call === null) {
    const file = place ?? fileOf(frame.package);
    return file === null ? null : { text: file, isExact: false };
  }
  return { text: place === null ? call : `${place}:${call}`, isExact: true };
}

function placeOf({ module, filename, absPath }: FrameFields): string | null {
  const name = module === null ? null : knownModule(module);
  return name ?? fileOf(filename) ?? fileOf(absPath);
}

const knownFile = remembered(fileName);
const knownModule = remembered(moduleName);
const knownFunction = remembered((name) => functionName(name, false));
const knownInBrowser = remembered((name) => functionName(name, true));

function fileOf(path: string | null): string | null {
  return path === null ? null : knownFile(path);
}

function callOf(name: string | null, platform: string): string | null {
  if (name === null) return null;
  return platform === 'javascript' ? knownInBrowser(name) : knownFunction(name);
}

/** Additions of proxies, lambdas and builds to module and class names. */
const ADDED = /\$\d+|0x[\da-f]+|@[\da-f]{6,}|(?<=Accessor)\d+/gi;

/** A module's name; one that is a path, as of bundles, is shortened like a file's. */
function moduleName(module: string): string | null {
  const [own = ''] = module.slice(0, LONGEST_NAME).split('$$', 1);
  const name = own.trim().replace(ADDED, '');
  if (name === '' || name.startsWith('<')) return null;
  return name.includes('/') ? fileName(name) : name;
}

function lineOf({ contextLine }: FrameFields): string | null {
  const line = contextLine?.trim() ?? '';
  return line === '' || line.length > LONGEST_LINE ? null : line.replace(/\s+/g, ' ');
}
