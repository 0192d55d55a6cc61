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

/** Writes the files of a repository as lines of JSON; the parts are complete after `flush`. */
export async function writeFileList(
  writer: ChunkWriter,
  files: readonly FileDump[],
  parts: Part[] = [],
): Promise<Part[]> {
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

/**
 * The files of a list that cannot have changed, read as far as they are asked for, so that memory
 * does not grow with the list.
 */
export class ImmutableFiles {
  /** False when the list is damaged: what was not read of it counts as unknown. */
  isReadable = true;
  private readonly files: AsyncGenerator<FileDump>;
  private next: FileDump | undefined;

  constructor(archive: BackupArchive, list: readonly Part[]) {
    this.files = readFileList(archive, list);
  }

  /** Returns those of a folder by path. Folders must be asked for in their order, that of the list. */
  async of(folder: string): Promise<Map<string, FileDump>> {
    const found = new Map<string, FileDump>();
    for (let file = await this.peek(); file !== undefined; file = await this.advance()) {
      const its = folderOf(file);
      if (its > folder) break;
      if (its === folder) found.set(file.path, file);
    }
    return found;
  }

  /** Reads the rest, so that `isReadable` is true of the whole list. */
  async finish(): Promise<void> {
    while ((await this.advance()) !== undefined);
  }

  private async peek(): Promise<FileDump | undefined> {
    return this.next ?? this.advance();
  }

  private async advance(): Promise<FileDump | undefined> {
    this.next = undefined;
    try {
      for (;;) {
        const result = await this.files.next();
        if (result.done === true) return undefined;
        if (!IMMUTABLE.test(result.value.path)) continue;
        this.next = result.value;
        return this.next;
      }
    } catch (error) {
      // The files are read again; `verify` reports the damage.
      if (!(error instanceof CliError)) throw error;
      this.isReadable = false;
      return undefined;
    }
  }
}

function folderOf({ path }: FileDump): string {
  return path.slice(0, path.lastIndexOf('/'));
}
