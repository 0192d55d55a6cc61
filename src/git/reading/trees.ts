import { isObjectId } from '../reference-name.js';
import { runGitCached } from './read-git.js';
import type { OpenRepository } from './repository-reader.service.js';

export type EntryType = 'tree' | 'blob' | 'commit';

/** A folder, file or submodule of a tree. */
export interface TreeEntry {
  id: string;
  name: string;
  type: EntryType;
  /** Path from the root of the repository. */
  path: string;
  /** As v4 writes it: six digits, `040000` for a folder. */
  mode: string;
}

const TYPE_ORDER: Record<EntryType, number> = { tree: 0, blob: 1, commit: 2 };

/**
 * Entries of a folder of a commit or tree ('' = the root), folders first; with `recursive` all
 * below it too. null when there is no such folder. An empty folder is only ever the root.
 */
export async function listTree(
  repository: OpenRepository,
  oid: string,
  { path = '', recursive = false }: { path?: string; recursive?: boolean },
): Promise<TreeEntry[] | null> {
  const folder = withoutOuterSlashes(path);
  if (!isObjectId(oid) || !isPlainPath(folder)) return null;
  const depth = recursive ? ['-r', '-t'] : [];
  const args = ['ls-tree', '-z', '--full-tree', ...depth, `${oid}:${folder}`];
  const { code, stdout } = await runGitCached(repository, args);
  if (code !== 0) return null;
  const entries = parseEntries(stdout.toString('utf8'), folder === '' ? '' : `${folder}/`);
  return entries.sort((a, b) => TYPE_ORDER[a.type] - TYPE_ORDER[b.type]);
}

/** Returns the entry of a commit at a path ('' = its root folder); null when there is none. */
export async function entryAt(
  repository: OpenRepository,
  oid: string,
  path: string,
): Promise<TreeEntry | null> {
  if (!isObjectId(oid) || !isPlainPath(path)) return null;
  if (path === '') return rootOf(repository, oid);
  const args = ['ls-tree', '-z', '--full-tree', oid, '--', path];
  const { code, stdout } = await runGitCached(repository, args);
  const [entry] = code === 0 ? parseEntries(stdout.toString('utf8'), '') : [];
  return entry ?? null;
}

/** `/src/` is taken for `src`. */
export function withoutOuterSlashes(path: string): string {
  return path.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '');
}

/** Returns true if a path is possible in a tree: no empty names, no `.` or `..`, no NUL. */
export function isPlainPath(path: string): boolean {
  if (path === '') return true;
  if (path.includes('\0')) return false;
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}

async function rootOf(repository: OpenRepository, oid: string): Promise<TreeEntry | null> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${oid}^{tree}`];
  const { code, stdout } = await runGitCached(repository, args);
  if (code !== 0) return null;
  const id = stdout.toString('ascii').trim();
  return { id, name: '', type: 'tree', path: '', mode: '040000' };
}

function parseEntries(output: string, prefix: string): TreeEntry[] {
  return output.split('\0').flatMap((line) => {
    const match = /^(\d{6}) (tree|blob|commit) ([0-9a-f]+)\t(.+)$/s.exec(line);
    if (match === null) return [];
    const [, mode = '', type = '', id = '', inner = ''] = match;
    const name = inner.slice(inner.lastIndexOf('/') + 1);
    return [{ id, name, type: type as EntryType, path: `${prefix}${inner}`, mode }];
  });
}
