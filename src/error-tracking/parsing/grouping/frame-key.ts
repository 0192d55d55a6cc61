import { textOf, cutText } from '../json-values.js';
import { memoize } from '../memoize.js';
import type { FrameFields } from '../trace-fields.js';

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
  const location = NATIVE.has(platform) ? null : locationOf(frame);
  const call = callOf(frame.function, platform) ?? lineOf(frame);
  if (call === null) {
    const file = location ?? fileOf(frame.package);
    return file === null ? null : { text: file, isExact: false };
  }
  return { text: location === null ? call : `${location}:${call}`, isExact: true };
}

function locationOf({ module, filename, absPath }: FrameFields): string | null {
  const name = module === null ? null : knownModule(module);
  return name ?? fileOf(filename) ?? fileOf(absPath);
}

const knownFile = memoize(fileName);
const knownModule = memoize(moduleName);
const knownFunction = memoize((name) => functionName(name, false));
const knownInBrowser = memoize((name) => functionName(name, true));

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

const NAMELESS: ReadonlySet<string> = new Set([
  '',
  '?',
  '??',
  'anonymous',
  '(anonymous)',
  '[unknown]',
  'unknown',
  'object',
  'module',
  'function',
  '{closure}',
  '{main}',
  'eval',
  'global code',
  'eval code',
  'module code',
  '__invoke',
]);

/** Longer names are cut before anything looks for brackets in them. */
const MAX_NAME_LENGTH = 512;
/** A method of the object that the anonymous function was called on: `HTMLButtonElement.<anonymous>`. */
const ANONYMOUS = /(?:^|\.)<anonymous>$/;
/** Each button has one of its own, by the same name, and minifiers leave it. */
const HANDLER = /^on[a-z]+$/i;
/** Names as short as this are made by minifiers, which choose others in each build. */
const MINIFIED = /^[a-z_$]\w?$/i;

type Step = readonly [pattern: RegExp, replacement: string];

/** Additions of compilers to names, in the order of their removal. */
const ADDED_PARTS: readonly Step[] = [
  // Ruby: `block (2 levels) in save`, `rescue in save`.
  [/^(?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )+/, ''],
  // Rust: `run::h0123456789abcdef`, `run::{{closure}}`.
  [/::h[\da-f]{16}$/, ''],
  [/::\{\{closure\}\}|::\{closure#\d+\}|::\{closure_env#\d+\}/g, ''],
  // .NET: `<Load>d__7.MoveNext`, `<Main>b__0_1`.
  [/<(\w+)>[a-z]__[\d_|]+(?:\.MoveNext)?/g, '$1'],
  [/`\d+(?:\[[^\]]*\])?/g, ''],
  // Go: `handler.func1.2`, `(*Server).Serve`, `main.glob..func1`.
  [/\.(?:func|gowrap)\d+(?:\.\d+)*(?!\w)|-fm$/g, ''],
  [/\.glob\.$/, ''],
  // Java and Kotlin: `lambda$save$0`, `access$100`, `save$suspendImpl`.
  [/lambda\$(\w+)\$\d+/g, '$1'],
  [/\$\d+/g, ''],
  // C++.
  [/\(anonymous namespace\)::/g, ''],
  // JavaScript: `async save`, `new User`, `Object.save [as onClick]`, Firefox's `save/<`.
  [/ \[as [^\]]*\]$/, ''],
  [/^(?:async |new |get |set |static )+/, ''],
  [/0x[\da-f]+/gi, ''],
];

/**
 * The name of a function without what differs between builds, browsers and calls; null when it
 * has none. `isBrowser`: browsers do not agree on what stands before the last point.
 */
function functionName(name: string | null, isBrowser: boolean): string | null {
  if (name === null) return null;
  let clean = cutText(name.trim(), MAX_NAME_LENGTH);
  for (const [pattern, replacement] of ADDED_PARTS) clean = clean.replace(pattern, replacement);
  if (ANONYMOUS.test(clean)) return null;
  clean = trimmed(withoutArguments(withoutTypes(clean)));
  if (isBrowser) clean = clean.slice(Math.max(clean.lastIndexOf('.'), clean.lastIndexOf('/')) + 1);
  if (NAMELESS.has(clean.toLowerCase())) return null;
  return isBrowser && (MINIFIED.test(clean) || HANDLER.test(clean)) ? null : clean;
}

/** The name without the arguments of generic types and without what only stands for a name. */
function withoutTypes(text: string): string {
  if (!text.includes('<')) return text;
  let kept = '';
  let depth = 0;
  for (const character of text) {
    if (character === '<') depth += 1;
    else if (character === '>' && depth > 0) depth -= 1;
    else if (depth === 0) kept += character;
  }
  return kept;
}

/** The name up to its arguments; Go's `(*Server).Serve` has none there. */
function withoutArguments(name: string): string {
  const at = name.indexOf('(', 1);
  return at === -1 || name.startsWith('(*', at) ? name : name.slice(0, at);
}

/** Without what is left of separators at the ends; Firefox ends names by `/<`. */
function trimmed(name: string): string {
  let start = 0;
  let end = name.length;
  while (start < end && ' .:/'.includes(name.charAt(start))) start += 1;
  while (end > start && ' .:/'.includes(name.charAt(end - 1))) end -= 1;
  return name.slice(start, end);
}
