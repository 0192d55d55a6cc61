import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitOutput } from '../../git/git-process.js';
import { daysBefore } from './timeline.js';

/** A commit of a demo repository, pushed on its own. */
export interface DemoCommit {
  branch: string;
  /** Username. */
  author: string;
  date: Date;
  message: string;
  files: Map<string, string>;
  /** Index of the parent; -1 for the first commit. */
  parent: number;
  tags: string[];
}

interface Person {
  name: string;
  email: string;
}

const HOUR_MS = 3_600_000;
const SECTION = /^=== (commit|branch|main|tag) ?(.*)$/;

/**
 * Parses the history of a demo repository: `=== commit <username> <days>d <message>` with files
 * (`--- path`) and replacements (`--- edit path`), `=== branch <name>`, `=== main`, `=== tag <name>`.
 */
export function parseHistory(text: string, base: Date): DemoCommit[] {
  const commits: DemoCommit[] = [];
  const files = new Map<string, Map<string, string>>([['main', new Map()]]);
  const tips = new Map<string, number>([['main', -1]]);
  let branch = 'main';
  for (const { kind, argument, body } of sectionsOf(text)) {
    if (kind === 'main') branch = 'main';
    if (kind === 'branch') {
      branch = argument;
      files.set(branch, new Map(files.get('main')));
      tips.set(branch, tips.get('main') ?? -1);
    }
    if (kind === 'tag') commits[tips.get(branch) ?? 0]?.tags.push(argument);
    if (kind !== 'commit') continue;
    const [, author = '', days = '', message = ''] = /^(\w+) (\d+)d (.*)$/.exec(argument) ?? [];
    const tree = files.get(branch) ?? new Map<string, string>();
    const changed = applyChanges(tree, body);
    const parent = tips.get(branch) ?? -1;
    // Not all at the same time of the day, but after one another.
    const date = daysBefore(base, Number(days) + ((commits.length * 7) % 9) / 24);
    const before = commits[parent]?.date.getTime() ?? 0;
    if (date.getTime() <= before) date.setTime(before + HOUR_MS);
    tips.set(branch, commits.length);
    commits.push({ branch, author, date, message, files: changed, parent, tags: [] });
  }
  return commits;
}

function sectionsOf(text: string): { kind: string; argument: string; body: string }[] {
  const sections: { kind: string; argument: string; body: string }[] = [];
  for (const line of text.split('\n')) {
    const [, kind, argument = ''] = SECTION.exec(line) ?? [];
    const last = sections.at(-1);
    if (kind !== undefined) sections.push({ kind, argument, body: '' });
    else if (last !== undefined) last.body += `${line}\n`;
  }
  return sections;
}

/** Applies the changes of a commit to the files of its branch; returns the changed ones. */
function applyChanges(tree: Map<string, string>, body: string): Map<string, string> {
  const changed = new Map<string, string>();
  for (const part of body.split(/^--- /m).slice(1)) {
    const end = part.indexOf('\n');
    const [path, content] = [part.slice(0, end), part.slice(end + 1)];
    if (!path.startsWith('edit ')) {
      changed.set(path, content);
      tree.set(path, content);
      continue;
    }
    const file = path.slice('edit '.length);
    const [, old = '', replacement = ''] =
      /^<<<\n([\s\S]*?)\n===\n([\s\S]*?)\n>>>$/m.exec(content) ?? [];
    const before = tree.get(file) ?? '';
    if (old === '' || !before.includes(old)) throw new Error(`${file} has no "${old}"`);
    const after = before.replace(old, () => replacement);
    changed.set(file, after);
    tree.set(file, after);
  }
  return changed;
}

/** A repository on the disk with the commits of a history; `oids` are in their order. */
export interface DemoRepository {
  path: string;
  oids: string[];
  remove(): Promise<void>;
}

/** Writes the commits into a temporary repository: the same IDs for the same history. */
export async function writeRepository(
  commits: readonly DemoCommit[],
  personOf: (username: string) => Person,
): Promise<DemoRepository> {
  const path = await mkdtemp(join(tmpdir(), 'guildhall-demo-'));
  const marks = join(path, 'marks');
  await gitOutput(['init', '--quiet', '--bare', '--template=', path], {});
  const input = commits.map((commit, at) => streamOf(commit, { at, personOf })).join('');
  await gitOutput(['fast-import', '--quiet', '--force', `--export-marks=${marks}`], {
    cwd: path,
    input,
  });
  const oids: string[] = [];
  for (const line of (await readFile(marks, 'utf8')).trim().split('\n')) {
    const [mark = '', oid = ''] = line.split(' ');
    oids[Number(mark.slice(1)) - 1] = oid;
  }
  return { path, oids, remove: () => rm(path, { recursive: true, force: true }) };
}

function streamOf(
  { branch, author, date, message, files, parent, tags }: DemoCommit,
  { at, personOf }: { at: number; personOf: (username: string) => Person },
): string {
  const { name, email } = personOf(author);
  const by = `${name} <${email}> ${Math.floor(date.getTime() / 1000)} +0000`;
  const changes = [...files].map(([path, content]) => `M 100644 inline ${path}\n${data(content)}`);
  return [
    `commit refs/heads/${branch}\nmark :${at + 1}\nauthor ${by}\ncommitter ${by}\n`,
    data(message),
    parent === -1 ? '' : `from :${parent + 1}\n`,
    ...changes,
    ...tags.map((tag) => `tag ${tag}\nfrom :${at + 1}\ntagger ${by}\n${data(`Release ${tag}`)}`),
  ].join('');
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
