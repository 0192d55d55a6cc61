import { randomBytes } from 'node:crypto';
import { copyFile, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pathExists, syncPath } from '../../git/durable-file.js';
import { type Cli, CliError } from '../cli.js';
import type { Manifest } from './manifest.js';

/** Throws CliError when the environment has another key than the backup. */
export function assertSecretKey({ config, io }: Cli, { secrets }: Manifest): void {
  if (config.secretKey === secrets['SECRET_KEY']) return;
  if (!io.env['SECRET_KEY']?.trim() && !io.env['SECRET_KEY_FILE']?.trim()) return;
  throw new CliError(
    'SECRET_KEY is not the one of the backup: `guildhall backup secrets` prints that one',
  );
}

/** Replaces a generated key by the one of the backup; the former stays beside it, with the time. */
export async function adoptSecretKey({ config }: Cli, { secrets }: Manifest): Promise<void> {
  const key = secrets['SECRET_KEY'] ?? '';
  if (config.secretKey === key) return;
  const path = join(config.dataDir, 'secret_key');
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  if (await pathExists(path)) await copyFile(path, `${path}.replaced-${time}`);
  const temporary = `${path}.${randomBytes(8).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${key}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncPath(config.dataDir);
}
