import { randomBytes } from 'node:crypto';
import { access, mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Flushes a file's or a directory's entry list to the disk; errors are never swallowed. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a new file and flushes it; throws EEXIST when it is there. */
export async function writeNewFile(path: string, content: Buffer | string): Promise<void> {
  const handle = await open(path, 'wx', 0o644);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Makes a directory and its missing parents and flushes each parent that got a new entry, so that
 * what is later put inside cannot vanish with its directory.
 */
export async function makeDirectoryDurably(path: string): Promise<void> {
  const first = await makeDirectories(path);
  if (first === undefined) return;
  const top = dirname(first);
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    await syncPath(directory);
    if (directory === top) return;
  }
}

/**
 * Returns the first directory created. On a read-only filesystem, Node's recursive mkdir fails with
 * ENOENT; a plain one fails with EROFS.
 */
async function makeDirectories(path: string): Promise<string | undefined> {
  try {
    return await mkdir(path, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await mkdir(path);
    return path;
  }
}

/** Writes or replaces a file atomically and durably. */
export async function replaceFile(path: string, content: Buffer | string): Promise<void> {
  const directory = dirname(path);
  await makeDirectoryDurably(directory);
  const temporary = join(directory, `tmp_obj_${randomBytes(8).toString('hex')}`);
  await writeNewFile(temporary, content);
  await rename(temporary, path);
  await syncPath(directory);
}

/** Returns false when there is nothing at the path; throws other errors. */
export async function pathExists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
