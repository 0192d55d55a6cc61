import { randomBytes } from 'node:crypto';
import { access, mkdir, open, rename, stat } from 'node:fs/promises';
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
  const first = await makeDirectory(path);
  if (first === undefined) return;
  const top = dirname(first);
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    await syncPath(directory);
    if (directory === top) return;
  }
}

/**
 * Makes a directory and its missing parents, and returns the first that was created. Node's own
 * recursive mkdir never ends where a parent takes no directories, such as /proc, and reports a
 * read-only filesystem as ENOENT.
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<string | undefined> {
  if (await isDirectory(path)) return undefined;
  const first = await makeDirectory(dirname(path), mode);
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (!(await isDirectory(path))) throw error;
  }
  return first ?? path;
}

/** Returns false when there is nothing at the path or a file; throws other errors. */
async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
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
