import { cutText } from '../json-values.js';

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
const MAX_LENGTH = 512;
/** A method of whatever the nameless function was called on: `HTMLButtonElement.<anonymous>`. */
const ANONYMOUS = /(?:^|\.)<anonymous>$/;
/** Each button has one of its own, by the same name, and minifiers leave it. */
const HANDLER = /^on[a-z]+$/i;
/** Names as short as this are made by minifiers, which choose others in each build. */
const MINIFIED = /^[a-z_$]\w?$/i;

type Step = readonly [pattern: RegExp, replacement: string];

/** Additions of compilers to names, in the order of their removal. */
const ADDED: readonly Step[] = [
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
export function functionName(name: string | null, isBrowser: boolean): string | null {
  if (name === null) return null;
  let clean = cutText(name.trim(), MAX_LENGTH);
  for (const [pattern, replacement] of ADDED) clean = clean.replace(pattern, replacement);
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
