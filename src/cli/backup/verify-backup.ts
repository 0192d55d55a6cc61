import { CliError } from '../cli.js';
import type { Progress } from '../progress.js';
import type { BackupArchive } from './backup-archive.js';
import { chunksOf, type Manifest } from './manifest.js';

/**
 * Reads and authenticates all chunks of a backup, and returns the missing and damaged ones with the
 * reason. A chunk that cannot be read is read twice, since the connection can be at fault.
 */
export async function findDamage(
  archive: BackupArchive,
  manifest: Manifest,
  progress: Progress,
): Promise<Map<string, string>> {
  const chunks = chunksOf(manifest);
  const damage = new Map<string, string>();
  progress.begin('Chunks', chunks.size, 'chunks');
  for (const name of chunks) {
    try {
      const content = await archive.chunk(name).catch(() => archive.chunk(name));
      progress.addBytes(content.length);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      damage.set(name, error.message);
    }
    progress.advance(1);
  }
  progress.end();
  return damage;
}

/** Throws CliError when chunks of the backup are not there; with `isThorough` also when any is damaged. */
export async function assertRestorable(
  archive: BackupArchive,
  manifest: Manifest,
  { isThorough, progress }: { isThorough: boolean; progress: Progress },
): Promise<void> {
  const absent = [...chunksOf(manifest)].filter((name) => !archive.has([[name, 0, 0]]));
  const problems =
    absent.length > 0 || !isThorough
      ? absent.map((name) => `chunk ${name} is missing`)
      : [...(await findDamage(archive, manifest, progress)).values()];
  if (problems.length === 0) return;
  throw new CliError(`backup ${manifest.id} cannot be restored:\n${problems.join('\n')}`);
}
