import fs from 'node:fs';
import { displayPath, eachInSlices, nativePath, readSmallFile } from './file-io.js';
import { errorCode, MoveError } from './move-error.js';

type FilePhase = 'object' | 'pack' | 'pack-index' | 'ref' | 'head' | 'other';

/** Decision about an entry: copy it, descend into it, skip it, or refuse the repository. */
export type Verdict = { take: FilePhase } | 'descend' | 'skip' | 'refuse';

const TOP_FILES = new Set(['shallow', 'config', 'description']);
// `shallow_XXXXXX` exists while upload-pack serves a shallow clone, and stays when it is killed.
const TOP_SKIPPED =
  /^(hooks|branches|FETCH_HEAD|ORIG_HEAD|gc\.pid|gc\.log|svc-move\.json|.*\.lock|tmp_.*|shallow_\w{6})$/;
const PACK_EXTENSIONS = new Set(['pack', 'rev', 'bitmap', 'mtimes', 'keep', 'promisor']);

/**
 * Returns the decision about an entry of a bare repository. Hooks, locks, and the quarantine of a
 * killed push are skipped; an unknown top-level entry is refused rather than lost silently.
 */
function judgeEntry(path: string, isDirectory: boolean): Verdict {
  if (path.startsWith('refs/')) return judgeReference(path, isDirectory);
  const [top, ...rest] = path.split('/');
  if (top === 'HEAD' && rest.length === 0) return isDirectory ? 'refuse' : { take: 'head' };
  if (path === 'packed-refs') return isDirectory ? 'refuse' : { take: 'ref' };
  if (path === 'refs') return isDirectory ? 'descend' : 'refuse';
  if (top === 'objects') return judgeObject(rest, isDirectory);
  if (top === 'info') return judgeInfo(rest, isDirectory);
  if (top === 'custom_hooks' || top === 'logs') return judgeFreely(path, isDirectory);
  if (rest.length > 0) return 'refuse';
  if (TOP_SKIPPED.test(path)) return 'skip';
  if (TOP_FILES.has(path) && !isDirectory) return { take: 'other' };
  return 'refuse';
}

function judgeReference(path: string, isDirectory: boolean): Verdict {
  const name = path.slice(path.lastIndexOf('/') + 1);
  // Git itself ignores both when it lists references.
  if (name.startsWith('.') || name.endsWith('.lock')) return 'skip';
  return isDirectory ? 'descend' : { take: 'ref' };
}

function judgeInfo(rest: string[], isDirectory: boolean): Verdict {
  if (rest.length === 0) return isDirectory ? 'descend' : 'refuse';
  const known = rest.length === 1 && /^(attributes|exclude)$/.test(rest[0] ?? '');
  return known && !isDirectory ? { take: 'other' } : 'skip';
}

function judgeFreely(path: string, isDirectory: boolean): Verdict {
  if (isDirectory) return 'descend';
  return path.endsWith('.lock') ? 'skip' : { take: 'other' };
}

function judgeObject(rest: string[], isDirectory: boolean): Verdict {
  const [folder = '', name] = rest;
  if (rest.length === 0) return isDirectory ? 'descend' : 'refuse';
  if (folder === 'info') return judgeObjectInfo(rest.slice(1), isDirectory);
  if (folder === 'pack') return judgePack(rest.slice(1), isDirectory);
  if (!/^[0-9a-f]{2}$/.test(folder)) return 'skip';
  if (name === undefined) return isDirectory ? 'descend' : 'skip';
  const isObject = rest.length === 2 && /^([0-9a-f]{38}|[0-9a-f]{62})$/.test(name);
  return isObject && !isDirectory ? { take: 'object' } : 'skip';
}

function judgeObjectInfo(rest: string[], isDirectory: boolean): Verdict {
  if (rest.length === 0) return isDirectory ? 'descend' : 'refuse';
  const path = rest.join('/');
  if (path === 'commit-graphs') return isDirectory ? 'descend' : 'skip';
  const isGraph = /^(commit-graph|commit-graphs\/(commit-graph-chain|graph-[0-9a-f]+\.graph))$/;
  return isGraph.test(path) && !isDirectory ? { take: 'other' } : 'skip';
}

function judgePack(rest: string[], isDirectory: boolean): Verdict {
  if (rest.length === 0) return isDirectory ? 'descend' : 'refuse';
  const [name = ''] = rest;
  if (rest.length > 1 || isDirectory || name.endsWith('.lock')) return 'skip';
  if (name.startsWith('multi-pack-index')) return { take: 'other' };
  if (!name.startsWith('pack-')) return 'skip';
  const extension = name.slice(name.lastIndexOf('.') + 1);
  if (extension === 'idx') return { take: 'pack-index' };
  return PACK_EXTENSIONS.has(extension) ? { take: 'pack' } : 'skip';
}

/** `objects/pack/pack-1.idx` → `objects/pack/pack-1`: the files of one pack share it. */
export function packStem(path: string): string {
  return path.slice(0, path.lastIndexOf('.'));
}

export interface RepositoryFile {
  /** Relative to the repository, `/` between parts, one latin1 character per byte. */
  path: string;
  size: number;
  mode: number;
  phase: FilePhase;
}

const LOOSE_OBJECTS = /^objects\/[0-9a-f]{2}$/;

export interface RepositoryInventory {
  files: RepositoryFile[];
  directories: string[];
  bytes: number;
  skipped: string[];
}

/**
 * Loose references are counted with their known size (an ID and a line end), as a stat of each
 * would cost as much as reading it: there can be 100,000.
 */
const LOOSE_REFERENCE_BYTES = 41;

/**
 * Lists what can travel of one bare repository.
 *
 * Throws MoveError for a symbolic link, an unknown top-level entry, or objects borrowed from
 * another repository; HEAD as a link is listed and rewritten by the copy.
 */
export async function inventoryRepository(repositoryPath: string): Promise<RepositoryInventory> {
  refuseAlternates(repositoryPath);
  const inventory = await listTree(repositoryPath, '');
  dropPacksWithoutPartner(inventory);
  assertHead(inventory);
  inventory.bytes = inventory.files.reduce((sum, file) => sum + file.size, 0);
  return inventory;
}

/**
 * Yields what `inventoryRepository` lists by parts, so that memory does not grow with the number of
 * objects: first each folder of loose objects, in their order, then all the rest.
 */
export async function* inventoryByParts(
  repositoryPath: string,
): AsyncGenerator<{ folder: string; files: RepositoryFile[] }> {
  refuseAlternates(repositoryPath);
  const entries = fs.readdirSync(`${repositoryPath}/objects`, { withFileTypes: true });
  const folders = entries.flatMap((one) => (one.isDirectory() ? [`objects/${one.name}`] : []));
  for (const folder of folders.filter((name) => LOOSE_OBJECTS.test(name)).sort()) {
    yield { folder, files: (await listTree(repositoryPath, folder)).files };
  }
  const rest = await listTree(repositoryPath, '', (folder) => !LOOSE_OBJECTS.test(folder));
  dropPacksWithoutPartner(rest);
  assertHead(rest);
  yield { folder: 'objects/pack', files: rest.files };
}

/** Lists the files below one folder of the repository (`refs`), or all of it (``). */
export async function listTree(
  root: string,
  start: string,
  isWanted: (directory: string) => boolean = () => true,
): Promise<RepositoryInventory> {
  const inventory: RepositoryInventory = { files: [], directories: [start], bytes: 0, skipped: [] };
  // The list grows while it is walked.
  await eachInSlices(inventory.directories, (directory) =>
    listDirectory({ root, directory, inventory, isWanted }),
  );
  inventory.directories.shift();
  return inventory;
}

interface Listing {
  root: string;
  directory: string;
  inventory: RepositoryInventory;
  /** Tells whether to descend into a directory. */
  isWanted: (directory: string) => boolean;
}

function listDirectory({ root, directory, inventory, isWanted }: Listing): void {
  const entries = fs.readdirSync(nativePath(root, directory), {
    withFileTypes: true,
    encoding: 'latin1',
  });
  for (const entry of entries) {
    const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
    const verdict = judgeEntry(path, entry.isDirectory());
    if (verdict === 'skip' || isSpecial(entry)) inventory.skipped.push(path);
    else if (entry.isSymbolicLink() && path !== 'HEAD') throw symbolicLink(path);
    else if (verdict === 'refuse') throw unknownEntry(path);
    else if (verdict !== 'descend') inventory.files.push(describeFile(root, path, verdict.take));
    else if (isWanted(path)) inventory.directories.push(path);
  }
}

function describeFile(root: string, path: string, phase: FilePhase): RepositoryFile {
  if (path.startsWith('refs/')) return { path, phase, size: LOOSE_REFERENCE_BYTES, mode: 0o644 };
  const { size, mode } = fs.lstatSync(nativePath(root, path));
  return { path, phase, size, mode: mode & 0o777 };
}

function isSpecial(entry: fs.Dirent): boolean {
  return !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink();
}

function unknownEntry(path: string): MoveError {
  return new MoveError(`Unknown entry in repository: ${displayPath(path)}`);
}

function symbolicLink(path: string): MoveError {
  return new MoveError(`Symbolic link in repository: ${displayPath(path)}`);
}

function assertHead({ files }: RepositoryInventory): void {
  if (files.some((file) => file.phase === 'head')) return;
  throw new MoveError('Source is not a Git repository: HEAD is missing');
}

/** A pack without index, or the reverse, is what a killed repack leaves: git does not see it. */
function dropPacksWithoutPartner(inventory: RepositoryInventory): void {
  const paths = new Set(inventory.files.map((file) => file.path));
  const isKept = (file: RepositoryFile) => {
    if (!file.path.startsWith('objects/pack/pack-')) return true;
    const stem = packStem(file.path);
    return paths.has(`${stem}.pack`) && paths.has(`${stem}.idx`);
  };
  inventory.skipped.push(...inventory.files.filter((f) => !isKept(f)).map((f) => f.path));
  inventory.files = inventory.files.filter(isKept);
}

/** There are no object pools here, so a repository that borrows objects cannot be moved whole. */
function refuseAlternates(repositoryPath: string): void {
  for (const name of ['alternates', 'http-alternates']) {
    const content = readOptional(`${repositoryPath}/objects/info/${name}`);
    const lines = content.toString('latin1').split('\n');
    const borrowed = lines.find((line) => line.trim() !== '' && !line.startsWith('#'));
    if (borrowed === undefined) continue;
    throw new MoveError(`Repository borrows objects from ${displayPath(borrowed)}`);
  }
}

/** The file's content, empty when there is none. */
export function readOptional(path: string): Buffer {
  try {
    return readSmallFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** HEAD as a symbolic link (git before 1.5.3 wrote it so) reads like the file that replaced it. */
export function readHead(repositoryPath: string): Buffer {
  try {
    return readSmallFile(`${repositoryPath}/HEAD`);
  } catch (error) {
    if (errorCode(error) !== 'ELOOP') throw error;
  }
  const target = fs.readlinkSync(`${repositoryPath}/HEAD`);
  if (!target.startsWith('refs/')) throw symbolicLink('HEAD');
  return Buffer.from(`ref: ${target}\n`);
}
