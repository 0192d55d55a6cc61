import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The development key kept in `<dataDir>/secret_key` (0600), made on first use. Web and worker can
 * start at the same moment: the file appears complete by a link, and the process that comes second
 * reads the key of the first.
 */
export function readOrCreateSecretKey(dataDir: string): string {
  const path = join(dataDir, 'secret_key');
  const existing = readIfPresent(path);
  if (existing !== null) return existing;
  mkdirSync(dataDir, { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8').trim();
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
