import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of this file: bundled, all others of the bundle are beside it. */
const FOLDER = `${dirname(fileURLToPath(import.meta.url))}/`;
const POSITION = /^([\w.-]+\.js):(\d+):(\d+)/;

const maps = new Map<string, SourceMap | null>();

/**
 * Returns the stack trace of an error in the bundle with positions in the sources. Node's
 * `--enable-source-maps` reads all maps at the start, which takes 20 MB, and slows down each stack.
 */
export function sourceStack(stack: string): string {
  // Only files of the folder are read: messages are part of stacks and can name any path.
  const [head = '', ...positions] = stack.replaceAll(`file://${FOLDER}`, FOLDER).split(FOLDER);
  return [head, ...positions.map(inSource)].join('');
}

/** Replaces the position in a file of the folder at the beginning of a text. */
function inSource(text: string): string {
  const [position, file, line, column] = POSITION.exec(text) ?? [];
  if (position === undefined || file === undefined) return `${FOLDER}${text}`;
  const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (entry === undefined || !('originalSource' in entry)) return `${FOLDER}${text}`;
  const { originalSource, originalLine, originalColumn } = entry;
  const place = `${originalLine + 1}:${originalColumn + 1}`;
  return `${join(FOLDER, originalSource)}:${place}${text.slice(position.length)}`;
}

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  const map = readMap(join(FOLDER, `${file}.map`));
  maps.set(file, map);
  return map;
}

function readMap(path: string): SourceMap | null {
  if (!existsSync(path)) return null;
  return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as MapPayload);
}

type MapPayload = ConstructorParameters<typeof SourceMap>[0];
