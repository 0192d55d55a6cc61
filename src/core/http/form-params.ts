import { BadRequestError } from '../errors.js';

/** A hash of parameters as forms and query strings spell it. */
interface ParamHash {
  [name: string]: ParamValue;
}
type ParamValue = string | ParamHash | ParamValue[];

const MAX_PAIRS = 5_000;
const MAX_DEPTH = 20;

/**
 * Reads `a=1&b[]=2&c[k]=3&d[0][k]=4` (API doc, Endpoints). The last of equal names wins, indexed
 * lists stay hashes with the keys 0, 1, … . Throws BadRequestError for bad percent-encoding, NUL,
 * text that is not UTF-8, too many or too deep names, and a name used in two forms.
 */
export function parseForm(text: string): ParamHash {
  const pairs = text === '' ? [] : text.split('&', MAX_PAIRS + 1);
  return nestParams(pairs.filter((pair) => pair !== '').map(splitPair));
}

/** Nests decoded name/value pairs, for bodies that are not URL-encoded. */
export function nestParams(pairs: readonly (readonly [string, string])[]): ParamHash {
  if (pairs.length > MAX_PAIRS) throw new BadRequestError('too many parameters');
  const params: ParamHash = {};
  for (const [name, value] of pairs) {
    if (value.includes('\0') || name.includes('\0'))
      throw new BadRequestError('NUL is not allowed');
    const path = pathOf(name);
    if (path.length === 1 && own(params, name) !== undefined) markDuplicateKeys(params);
    // Writing this name would replace the prototype of the hash.
    if (path.length > 0 && !path.includes('__proto__')) insert(params, path, value);
  }
  return params;
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=');
  if (at === -1) return [decode(pair), ''];
  return [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new BadRequestError('parameters are not URL-encoded UTF-8');
  }
}

/** `a[b][]` → ['a', 'b', '']; a name with stray brackets is taken literally. */
function pathOf(name: string): string[] {
  const open = name.indexOf('[');
  if (open <= 0 || !name.endsWith(']')) return name === '' ? [] : [name];
  const segments = name.slice(open + 1, -1).split('][', MAX_DEPTH + 1);
  if (segments.length > MAX_DEPTH) throw new BadRequestError('parameters are nested too deeply');
  const isClean = segments.every((segment) => !segment.includes('[') && !segment.includes(']'));
  return isClean ? [name.slice(0, open), ...segments] : [name];
}

/** Puts the value at its path; an empty segment appends to a list. */
function insert(root: ParamHash, path: readonly string[], value: string): void {
  let node: ParamHash | ParamValue[] = root;
  for (const [index, segment] of path.entries()) {
    const rest = path.slice(index + 1);
    if (rest.length === 0) {
      put(node, segment, value);
      return;
    }
    node = step(node, segment, rest);
  }
}

function put(node: ParamHash | ParamValue[], segment: string, value: string): void {
  if (Array.isArray(node)) {
    node.push(value);
    return;
  }
  if (typeof own(node, segment) === 'object') throw twoForms();
  node[segment] = value;
}

/** The list or hash below `segment`, made when it is not there yet. */
function step(
  node: ParamHash | ParamValue[],
  segment: string,
  rest: readonly string[],
): ParamHash | ParamValue[] {
  const wantsList = rest[0] === '';
  if (Array.isArray(node)) return stepIntoList(node, rest);
  const existing = own(node, segment);
  if (existing === undefined) return (node[segment] = wantsList ? [] : {});
  if (typeof existing === 'string' || Array.isArray(existing) !== wantsList) throw twoForms();
  return existing;
}

/** `v[][k]=1&v[][k]=2`: a key that the newest item has already starts the next item. */
function stepIntoList(list: ParamValue[], rest: readonly string[]): ParamHash | ParamValue[] {
  const newest = list.at(-1);
  const key = rest[0] ?? '';
  if (key !== '' && typeof newest === 'object' && !Array.isArray(newest)) {
    const isFree = own(newest, key) === undefined || rest.length > 1;
    if (isFree) return newest;
  }
  const item = key === '' ? [] : {};
  list.push(item);
  return item;
}

function own(hash: ParamHash, key: string): ParamValue | undefined {
  return Object.hasOwn(hash, key) ? hash[key] : undefined;
}

function twoForms(): BadRequestError {
  return new BadRequestError('a parameter is given in two forms');
}

const withRepetition = new WeakSet<object>();

/** Remembers of these parameters that a name came twice when they were read. */
export function markDuplicateKeys(params: object): void {
  withRepetition.add(params);
}

/**
 * Returns true if a plain name occurred twice: the last value wins, which some protocols forbid.
 */
export function hasDuplicateKeys(params: object): boolean {
  return withRepetition.has(params);
}
