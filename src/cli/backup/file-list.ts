import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { CliError } from '../cli.js';
import type { BackupArchive } from './backup-archive.js';
import type { ChunkWriter } from './chunk-writer.js';
import type { FileDump, Part } from './manifest.js';

/** Files whose lines are made at once. */
const SLICE = 1_000;

/** Named by their content, so that an equal path has equal bytes. */
const IMMUTABLE =
  /^objects\/(?:[0-9a-f]{2}\/[0-9a-f]+|pack\/pack-[0-9a-f]+\.(?:pack|idx|rev|mtimes))$/;

/** Returns the SHA-256 of the list of these files. */
export function digestOf(files: readonly FileDump[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${JSON.stringify(file)}\n`);
  return hash.digest('hex');
}

/** Writes the files of a repository as lines of JSON; the parts are complete after `flush`. */
export async function writeFileList(
  writer: ChunkWriter,
  files: readonly FileDump[],
): Promise<Part[]> {
  const parts: Part[] = [];
  for (let start = 0; start < files.length; start += SLICE) {
    const lines = files.slice(start, start + SLICE).map((file) => `${JSON.stringify(file)}\n`);
    await writer.append(Buffer.from(lines.join('')), parts);
  }
  return parts;
}

/** Yields the files of a list. Throws CliError when a chunk is missing or damaged. */
export async function* readFileList(
  archive: BackupArchive,
  list: readonly Part[],
): AsyncGenerator<FileDump> {
  // A path can have a character whose bytes are in two parts.
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const bytes of archive.read(list)) {
    const lines = (rest + decoder.write(bytes)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as FileDump;
  }
}

/** Returns the files of a list that cannot have changed by path; null if the list cannot be read. */
export async function readImmutableFiles(
  archive: BackupArchive,
  list: readonly Part[],
): Promise<Map<string, FileDump> | null> {
  const files = new Map<string, FileDump>();
  try {
    for await (const file of readFileList(archive, list)) {
      if (IMMUTABLE.test(file.path)) files.set(file.path, file);
    }
    return files;
  } catch (error) {
    // The files are read again; `verify` reports the damage.
    if (error instanceof CliError) return null;
    throw error;
  }
}
