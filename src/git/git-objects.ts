import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { replaceFile } from './durable-file.js';

const compress = promisify(deflate);
const FILE_MODE = '100644';
const TREE_MODE = '40000';

export interface Signature {
  name: string;
  email: string;
  date: Date;
}

export interface NewCommit {
  tree: string;
  parents: readonly string[];
  author: Signature;
  message: string;
}

/** One file of a tree, however deep: its path and the blob's id. */
export interface TreeFile {
  path: string;
  oid: string;
  mode: string;
}

/** Writes a loose object unless it is there; answers its id. */
async function writeObject(
  repository: string,
  type: 'blob' | 'tree' | 'commit',
  content: Buffer,
): Promise<string> {
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const oid = createHash('sha1').update(whole).digest('hex');
  const path = join(repository, 'objects', oid.slice(0, 2), oid.slice(2));
  if (await exists(path)) return oid;
  await replaceFile(path, await compress(whole));
  return oid;
}

/** Writes the trees of all directories named by the files; answers the root tree's id. */
export async function writeTree(repository: string, files: readonly TreeFile[]): Promise<string> {
  const entries: { name: string; mode: string; oid: string }[] = [];
  const directories = new Map<string, TreeFile[]>();
  for (const file of files) {
    const slash = file.path.indexOf('/');
    if (slash === -1) {
      entries.push({ name: file.path, mode: file.mode, oid: file.oid });
      continue;
    }
    const directory = file.path.slice(0, slash);
    const inner = directories.get(directory) ?? [];
    inner.push({ ...file, path: file.path.slice(slash + 1) });
    directories.set(directory, inner);
  }
  for (const [name, inner] of directories) {
    entries.push({ name, mode: TREE_MODE, oid: await writeTree(repository, inner) });
  }
  return writeObject(repository, 'tree', encodeTree(entries));
}

/** Writes a commit whose author is also its committer. */
export function writeCommit(repository: string, commit: NewCommit): Promise<string> {
  const { tree, parents, author, message } = commit;
  const seconds = Math.floor(author.date.getTime() / 1000);
  const signature = `${cleanIdentity(author.name)} <${cleanIdentity(author.email)}> ${seconds} +0000`;
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${signature}`,
    `committer ${signature}`,
    '',
    message.endsWith('\n') ? message : `${message}\n`,
  ];
  return writeObject(repository, 'commit', Buffer.from(lines.join('\n')));
}

/** A regular file's entry for `writeTree`; writes its blob. */
export async function writeFile(
  repository: string,
  path: string,
  content: string,
): Promise<TreeFile> {
  return {
    path,
    mode: FILE_MODE,
    oid: await writeObject(repository, 'blob', Buffer.from(content)),
  };
}

function encodeTree(entries: { name: string; mode: string; oid: string }[]): Buffer {
  // Git sorts by bytes and takes a directory's name as if it ended with a slash.
  const sortable = entries.map((entry) => {
    const key = entry.mode === TREE_MODE ? `${entry.name}/` : entry.name;
    return { entry, key: Buffer.from(key) };
  });
  sortable.sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(
    sortable.flatMap(({ entry }) => [
      Buffer.from(`${entry.mode} ${entry.name}\0`),
      Buffer.from(entry.oid, 'hex'),
    ]),
  );
}

/** Names may hold anything; git's header may not hold line ends or angle brackets. */
function cleanIdentity(text: string): string {
  const cleaned = text.replace(/[\0\n\r<>]/g, ' ').trim();
  return cleaned === '' ? 'unknown' : cleaned;
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
