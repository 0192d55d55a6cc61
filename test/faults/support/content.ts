import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from '../../support/command.js';
import { git } from '../../support/storage-move-factories.js';

const COMMITS = 30;

/**
 * A bare repository with what there is in real ones: packed and loose objects, packed and loose
 * references of all sorts, an annotated tag, HEAD on another branch than `main`, a description,
 * attributes and a setting of its own.
 */
export async function makeTemplate(path: string): Promise<void> {
  await git(['init', '--quiet', '--bare', '--initial-branch=main', '--template=', path]);
  await git(['-C', path, 'fast-import', '--quiet'], history({ from: 0, to: COMMITS }));
  await git(['-C', path, 'repack', '-adq']);
  await git(['-C', path, 'pack-refs', '--all']);
  // Few enough to stay loose.
  const loose = ['-c', 'fastimport.unpackLimit=100', 'fast-import', '--quiet'];
  await git(['-C', path, ...loose], history({ from: COMMITS, to: COMMITS + 5 }));
  await git(['-C', path, 'symbolic-ref', 'HEAD', 'refs/heads/topic-3']);
  await git(['-C', path, 'config', 'pack.threads', '1']);
  await writeFile(join(path, 'description'), 'Kept over moves\n');
  await mkdir(join(path, 'info'), { recursive: true });
  await writeFile(join(path, 'info', 'attributes'), '*.bin binary\n');
}

function history({ from, to }: { from: number; to: number }): string {
  const steps = Array.from({ length: to - from }, (_, index) => from + index);
  return `${steps.map(commit).join('')}${from === 0 ? tagsAndOthers() : ''}`;
}

function commit(step: number): string {
  const branch = step % 3 === 0 ? 'main' : `topic-${step}`;
  // Incompressible, so that the pack is larger than one block.
  const text = Array.from({ length: 20 }, (_, line) => digest(`${step} ${line}`)).join('\n');
  // Within one stream git goes on from the branch's last commit by itself.
  const parent = step === COMMITS ? 'from refs/heads/main^0\n' : '';
  return (
    `commit refs/heads/${branch}\ncommitter A <a@example.com> ${1_700_000_000 + step} +0000\n` +
    `${data(`Step ${step}`)}${parent}M 100644 inline dir-${step % 4}/file.txt\n${data(text)}`
  );
}

function tagsAndOthers(): string {
  const tagger = 'tagger A <a@example.com> 1700000000 +0000\n';
  return (
    `tag v1.0\nfrom refs/heads/main\n${tagger}${data('First')}` +
    `reset refs/tags/light\nfrom refs/heads/main\n` +
    `reset refs/keep-around/one\nfrom refs/heads/main\n`
  );
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Puts a copy of the template where a repository belongs. */
export async function placeCopy(template: string, path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  await cp(template, path, { recursive: true });
}

/** Flips a byte of one loose object, so that the repository is damaged. */
export async function damage(path: string): Promise<void> {
  const { stdout } = await runCommand('find', [
    join(path, 'objects'),
    '-path',
    '*/??/*',
    '-type',
    'f',
  ]);
  const [object] = stdout.trim().split('\n').sort();
  if (!object) throw new Error(`${path} has no loose object`);
  const content = await readFile(object);
  content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 0xff;
  // Objects are read-only files.
  await rm(object);
  await writeFile(object, content);
}

/** Everything about a repository that a move must keep; a damaged one has `fsck` complaints in it. */
export async function fingerprint(path: string): Promise<string> {
  const run = async (...args: string[]): Promise<string> => {
    const env = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', HOME: '/nonexistent' };
    const { code, stdout, stderr } = await runCommand('git', ['-C', path, ...args], { env });
    return `${args[0]} ${code}\n${stdout}${stderr}`;
  };
  const parts = await Promise.all([
    run('for-each-ref'),
    run('cat-file', '--batch-all-objects', '--batch-check'),
    run('fsck', '--full', '--no-progress'),
    ...['HEAD', 'config', 'description', 'info/attributes'].map((name) =>
      readFile(join(path, name), 'utf8'),
    ),
  ]);
  return parts.join('\n');
}
