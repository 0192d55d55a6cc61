import { textOf } from '../json-values.js';
import { remembered } from '../remembered.js';
import type { FrameFields } from '../trace-fields.js';
import { fileName } from './file-name.js';
import { functionName } from './function-name.js';

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
