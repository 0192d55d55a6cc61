import type { ObjectWriter } from './git-objects.js';
import type { ObjectReader } from './object-reader.js';

/** Mode as git stores it (`100644`, no leading zero) and object id. */
export interface TreeItem {
  mode: string;
  oid: string;
}

/** Something stands in the way of a path: a folder at it, or a file where it needs a folder. */
export class TreeClashError extends Error {
  constructor(
    readonly path: string,
    readonly obstacle: 'file' | 'folder',
  ) {
    super(`There is a ${obstacle} at ${path}`);
  }
}

const FOLDER_MODE = '40000';
const OID_BYTES = 20;
const SPACE = 0x20;
const NUL = 0x00;

interface Entry extends TreeItem {
  /** Its entries, when it is a folder that was looked into. */
  folder?: Folder;
}

interface Folder {
  /** By name; one character for each byte, since names need not be UTF-8. */
  entries: Map<string, Entry>;
  isChanged: boolean;
}

/**
 * Editable files of a commit: reads only folders on the way to requested paths, and writes only
 * those on the way to changes.
 */
export class TreeEdit {
  private root: Folder | undefined;

  /** `rootOid` null = there is nothing yet, and nothing to read. */
  constructor(
    private readonly reader: ObjectReader,
    private readonly rootOid: string | null,
  ) {}

  /** Returns the item at a path; null when there is none, also because a file is in the way. */
  async find(path: string): Promise<TreeItem | null> {
    const [names, name] = split(path);
    let folder: Folder | null = await this.rootFolder();
    for (const parent of names) {
      folder = folder === null ? null : await this.open(folder.entries.get(parent));
    }
    const entry = folder?.entries.get(name);
    return entry === undefined ? null : { mode: entry.mode, oid: entry.oid };
  }

  /** Puts a file at a path, over one that is there. Throws TreeClashError. */
  async put(path: string, { mode, oid }: TreeItem): Promise<void> {
    const [names, name] = split(path);
    let folder = await this.rootFolder();
    folder.isChanged = true;
    for (const parent of names) {
      const entry = folder.entries.get(parent) ?? newFolder();
      const inner = await this.open(entry);
      if (inner === null) throw new TreeClashError(path, 'file');
      folder.entries.set(parent, entry);
      folder = inner;
      folder.isChanged = true;
    }
    if (folder.entries.get(name)?.mode === FOLDER_MODE) throw new TreeClashError(path, 'folder');
    folder.entries.set(name, { mode, oid });
  }

  /** Takes away what is at a path, and folders that it leaves empty; no-op when nothing is. */
  async remove(path: string): Promise<void> {
    const [names, name] = split(path);
    const way: { folder: Folder; name: string }[] = [];
    let folder = await this.rootFolder();
    for (const parent of names) {
      const inner = await this.open(folder.entries.get(parent));
      if (inner === null) return;
      way.push({ folder, name: parent });
      folder = inner;
    }
    if (!folder.entries.delete(name)) return;
    folder.isChanged = true;
    for (const step of way.reverse()) {
      step.folder.isChanged = true;
      const inner = step.folder.entries.get(step.name)?.folder;
      if (inner?.entries.size === 0) step.folder.entries.delete(step.name);
    }
  }

  /** Hands the changed folders to the writer; returns the id of the whole. */
  async write(writer: ObjectWriter): Promise<string> {
    return writeFolder(await this.rootFolder(), writer);
  }

  private async rootFolder(): Promise<Folder> {
    const { rootOid } = this;
    this.root ??=
      rootOid === null ? { entries: new Map(), isChanged: true } : await this.read(rootOid);
    return this.root;
  }

  /** null for what is no folder. */
  private async open(entry: Entry | undefined): Promise<Folder | null> {
    if (entry?.mode !== FOLDER_MODE) return null;
    entry.folder ??= await this.read(entry.oid);
    return entry.folder;
  }

  private async read(oid: string): Promise<Folder> {
    const object = await this.reader.read(oid);
    if (object?.type !== 'tree') throw new Error(`${oid} is no tree`);
    return { entries: parseTree(object.content), isChanged: false };
  }
}

/** Returns true for regular files and symbolic links. */
export function isFile({ mode }: TreeItem): boolean {
  return mode.startsWith('100') || mode === '120000';
}

function newFolder(): Entry {
  return { mode: FOLDER_MODE, oid: '', folder: { entries: new Map(), isChanged: true } };
}

function split(path: string): [parents: string[], name: string] {
  const names = Buffer.from(path).toString('latin1').split('/');
  const name = names.pop() ?? '';
  return [names, name];
}

function parseTree(content: Buffer): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(SPACE, at);
    const end = content.indexOf(NUL, space);
    const next = end + 1 + OID_BYTES;
    entries.set(content.toString('latin1', space + 1, end), {
      mode: content.toString('latin1', at, space),
      oid: content.toString('hex', end + 1, next),
    });
    at = next;
  }
  return entries;
}

function writeFolder(folder: Folder, writer: ObjectWriter): string {
  for (const entry of folder.entries.values()) {
    if (entry.folder?.isChanged === true) entry.oid = writeFolder(entry.folder, writer);
  }
  return writer.add('tree', encodeTree(folder.entries));
}

function encodeTree(entries: ReadonlyMap<string, Entry>): Buffer {
  // Git sorts by bytes and takes a folder's name as if it ended with a slash.
  const sortable = [...entries].map(([name, { mode, oid }]) => {
    return { key: mode === FOLDER_MODE ? `${name}/` : name, head: `${mode} ${name}\0`, oid };
  });
  sortable.sort((a, b) => (a.key < b.key ? -1 : 1));
  const length = sortable.reduce((sum, { head }) => sum + head.length + OID_BYTES, 0);
  const bytes = Buffer.alloc(length);
  let at = 0;
  for (const { head, oid } of sortable) {
    at += bytes.write(head, at, 'latin1');
    at += bytes.write(oid, at, 'hex');
  }
  return bytes;
}

const MAX_PATH_BYTES = 1024;
const MAX_NAME_BYTES = 255;

/**
 * Returns the reason why a path cannot be a file of a commit, or null. Refuses paths that would
 * escape the work tree of a checkout: `..`, absolute paths, anything that a file system treats as
 * `.git` (CVE-2014-9390).
 */
export function treePathProblem(path: string): string | null {
  if (path === '') return 'is empty';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return 'is too long';
  if (/[\0-\x1f\x7f\\]/.test(path)) return 'has characters that are not allowed';
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'is not a plain relative path';
    if (Buffer.byteLength(name) > MAX_NAME_BYTES) return 'is too long';
    if (looksLikeDotGit(name)) return 'must not contain .git';
  }
  return null;
}

/** Throws RangeError for a path that `treePathProblem` finds fault with. */
export function assertSafeTreePath(path: string): void {
  const problem = treePathProblem(path);
  if (problem !== null) throw new RangeError(`The path ${JSON.stringify(path)} ${problem}`);
}

function looksLikeDotGit(name: string): boolean {
  // HFS+ ignores these characters, NTFS trailing dots, spaces and streams, and it has git~1.
  const plain = name
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .toLowerCase()
    .replace(/:.*/s, '')
    .replace(/(?<![. ])[. ]+$/, '');
  return plain === '.git' || plain === 'git~1';
}
