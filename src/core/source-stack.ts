import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapping } from 'node:module';
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
  const { originalSource, originalLine = 0, originalColumn = 0 } = originOf(file, line, column);
  if (originalSource === undefined) return `${FOLDER}${text}`;
  const place = `${originalLine + 1}:${originalColumn + 1}`;
  return `${join(FOLDER, originalSource)}:${place}${text.slice(position.length)}`;
}

/** Code that the bundler added has an entry without a source, contrary to Node's types. */
function originOf(file: string, line?: string, column?: string): Partial<SourceMapping> {
  return mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1) ?? {};
}

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  const map = readMap(join(FOLDER, `${file}.map`));
  maps.set(file, map);
  return map;
}

/** Returns null without a readable map: a log line must not fail for its stack. */
function readMap(path: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as MapPayload);
  } catch {
    return null;
  }
}

type MapPayload = ConstructorParameters<typeof SourceMap>[0];
