import { type Quarantine } from '../git/hook-channel.js';
import { ReadingLimitError, streamGit } from '../git/reading/read-git.js';

const MAX_BYTES = 1024 * 1024;
const MEBIBYTE_OR_MORE = /^(?:commit|tag) (\d{7,})$/gm;

/**
 * Returns the reason to refuse a push with a commit or tag above 1 MiB, else null: commits hold
 * messages, not files.
 */
export async function objectsProblem(
  path: string,
  quarantine: Quarantine | null,
): Promise<string | null> {
  if (quarantine === null) return null;
  const found = await isAbsurdObjectIn(path, quarantine.objectDirectory);
  return found ? 'The push contains a commit or tag larger than 1 MiB.' : null;
}

async function isAbsurdObjectIn(path: string, objectDirectory: string): Promise<boolean> {
  let rest = '';
  const take = (chunk: Buffer): boolean => {
    const text = rest + chunk.toString('latin1');
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    const sizes = [...text.slice(0, end).matchAll(MEBIBYTE_OR_MORE)].map(([, size]) =>
      Number(size),
    );
    return sizes.every((size) => size <= MAX_BYTES);
  };
  const format = '--batch-check=%(objecttype) %(objectsize)';
  const args = ['cat-file', '--batch-all-objects', '--unordered', '--buffer', format];
  try {
    // Without alternates, the directory holds only the objects of this push.
    const env = { GIT_OBJECT_DIRECTORY: objectDirectory };
    return !(await streamGit({ path }, { args, env, take }));
  } catch (error) {
    // A push of millions of objects is let through: reads of commits are bounded anyway.
    if (error instanceof ReadingLimitError) return false;
    throw error;
  }
}
