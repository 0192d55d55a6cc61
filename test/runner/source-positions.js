import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';

/** Matches positions as printed by V8, and by Playwright without the protocol. */
const POSITION = /(?<=at |\()(?:file:\/\/)?(\/[^\s():]+\.js):(\d+):(\d+)/g;

/** @type {Map<string, SourceMap | null>} by compiled file; null: it has no map */
const maps = new Map();

/**
 * Leads the positions of a stack trace from compiled files to their sources. Only failures pay for
 * that: with --enable-source-maps, Node reads the maps of all modules it loads, which takes a second.
 * @param {string} stack
 */
export function withSourcePositions(stack) {
  return stack.replace(POSITION, (position, path, line, column) => {
    const file = decodeURI(path);
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !('originalSource' in entry)) return position;
    const source = resolve(dirname(file), entry.originalSource);
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

/** @param {string} file */
function mapOf(file) {
  let map = maps.get(file);
  if (map === undefined) {
    map = readMap(`${file}.map`);
    maps.set(file, map);
  }
  return map;
}

/** @param {string} path */
function readMap(path) {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    throw error;
  }
}
