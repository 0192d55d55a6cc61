import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitEnvironment } from '../../src/git/git-process.js';
import {
  copyRepository,
  type CopiedRepository,
} from '../../src/storage-moves/engine/copy-repository.js';
import {
  verifyRepository,
  type VerifiedRepository,
} from '../../src/storage-moves/engine/verify-repository.js';
import { atProcessEnd } from '../runner/process-end.js';

/** A folder with a source repository's place and a storage to move to, removed by `remove`. */
export interface MoveSandbox {
  source: string;
  storageRoot: string;
  temporary: string;
  target: string;
  remove(): void;
}

export function makeMoveSandbox(): MoveSandbox {
  const root = mkdtempSync(join(tmpdir(), 'guildhall-moves-'));
  const storageRoot = join(root, 'storage2');
  for (const directory of ['+svc/tmp', '+svc/trash']) {
    mkdirSync(join(storageRoot, directory), { recursive: true });
  }
  writeFileSync(join(storageRoot, '.svc-metadata'), '{"filesystem_id":"test"}');
  return {
    source: join(root, 'source.git'),
    storageRoot,
    temporary: join(storageRoot, '+svc/tmp/project-1-1-x'),
    target: join(storageRoot, '@hashed/aa/bb/x.git'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Runs git in a repository and answers its output without the last line end. */
export function gitIn(path: string, args: string[], input = ''): string {
  const env = gitEnvironment({
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  });
  const options = { encoding: 'utf8' as const, env, input, maxBuffer: 64 * 1024 * 1024 };
  return execFileSync('git', ['-C', path, ...args], options).trimEnd();
}

export interface RepositoryShape {
  commits?: number;
  packed?: boolean;
  format?: 'sha1' | 'sha256';
  /** Bytes of incompressible content in each commit. */
  weight?: number;
}

/** Repositories by their shape, to copy: making one takes git up to three runs. */
const templates = new Map<string, string>();

/** A bare repository with `main`, `other` and an annotated tag `v1`, by git itself. */
export function makeBareRepository(path: string, shape: RepositoryShape = {}): void {
  const key = JSON.stringify(shape);
  const template = templates.get(key) ?? makeTemplate(shape);
  templates.set(key, template);
  cpSync(template, path, { recursive: true });
}

function makeTemplate(shape: RepositoryShape): string {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-template-'));
  atProcessEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'template.git');
  importRepository(path, shape);
  return path;
}

function importRepository(path: string, shape: RepositoryShape): void {
  const { commits = 3, packed = false, format = 'sha1', weight = 0 } = shape;
  gitIn('/', ['init', '-q', '--bare', '-b', 'main', `--object-format=${format}`, path]);
  let stream = '';
  for (let index = 1; index <= commits; index += 1) stream += commitCommand(index, weight);
  stream += 'reset refs/heads/other\nfrom :1\n\n';
  stream += 'tag v1\nfrom :1\ntagger Ada <ada@example.com> 1700000000 +0000\ndata 3\none\n';
  const unpack = packed ? '1' : '100000';
  gitIn(path, ['-c', `fastimport.unpackLimit=${unpack}`, 'fast-import', '--quiet'], stream);
  if (packed) gitIn(path, ['repack', '-adfq', '--depth=50', '--window=50']);
}

function commitCommand(index: number, weight: number): string {
  const text = `${'shared line\n'.repeat(200)}file of commit ${index}\n${noise(index, weight)}`;
  return (
    `commit refs/heads/main\nmark :${index}\n` +
    `committer Ada <ada@example.com> ${1_700_000_000 + index} +0000\ndata 6\nchange\n` +
    (index > 1 ? `from :${index - 1}\n` : '') +
    `M 100644 inline docs/file.txt\ndata ${text.length}\n${text}\n`
  );
}

/** The same for the same seed, and incompressible but for its base64 form. */
function noise(seed: number, bytes: number): string {
  let block = createHash('sha512').update(String(seed)).digest();
  let text = '';
  while (text.length < bytes) {
    block = createHash('sha512').update(block).digest();
    text += block.toString('base64');
  }
  return text.slice(0, bytes);
}

/** Flips one bit of one byte of a file, read-only or not. */
export function flipByte(path: string, position: number): void {
  const content = readFileSync(path);
  const index = position < 0 ? content.length + position : position;
  content[index] = (content[index] ?? 0) ^ 1;
  rmSync(path);
  writeFileSync(path, content);
}

export async function copyWithDefaults(sandbox: MoveSandbox): Promise<CopiedRepository> {
  const { signal } = new AbortController();
  return copyRepository(sandbox.source, sandbox.temporary, { signal, onProgress: () => undefined });
}

/** Verifies what `copyWithDefaults` made. */
export async function verifyCopy(
  sandbox: MoveSandbox,
  copied: CopiedRepository,
): Promise<VerifiedRepository> {
  const { signal } = new AbortController();
  return verifyRepository(sandbox.source, sandbox.temporary, { copied, label: 'project', signal });
}

/** Copy and verification in one go. */
export async function copyAndVerify(sandbox: MoveSandbox): Promise<VerifiedRepository> {
  return verifyCopy(sandbox, await copyWithDefaults(sandbox));
}

/** Paths below a repository, relative, that end in the given way. */
export function filesOf(repository: string, end: RegExp): string[] {
  const paths = readdirSync(repository, { recursive: true }).map(String);
  return paths.filter((path) => end.test(path) && statSync(`${repository}/${path}`).isFile());
}

/** The first of them; throws when there is none. */
export function firstFile(repository: string, end: RegExp): string {
  const [path] = filesOf(repository, end);
  if (path === undefined) throw new Error(`No file like ${end}`);
  return path;
}

export const LOOSE_OBJECT = /^objects\/[0-9a-f]{2}\//;

/** A shape above the limit of the in-process object check. */
export const BIG_SHAPE: RepositoryShape = { packed: true, weight: 3_000_000 };
