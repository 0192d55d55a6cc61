import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = join(tmpdir(), 'guildhall-bench');

/** Folder for everything the benchmarks write; kept between runs for the fixtures. */
export async function benchFolder() {
  await mkdir(FOLDER, { recursive: true });
  return FOLDER;
}

/**
 * A bare repository with history, made once: `commits` commits of three new files each, and a
 * branch on every `commits / branches`th of them (loose refs).
 * @param {{ name: string, commits: number, fileBytes: number, branches: number }} shape
 * @returns {Promise<string>} its folder
 */
export async function repositoryFixture({ name, commits, fileBytes, branches }) {
  const folder = join(await benchFolder(), `${name}.git`);
  const exists = await access(folder).then(
    () => true,
    () => false,
  );
  if (exists) return folder;
  const temporary = `${folder}.tmp`;
  await rm(temporary, { recursive: true, force: true });
  await git(['init', '--quiet', '--bare', '--initial-branch=main', temporary]);
  await importHistory(temporary, commits, fileBytes);
  const step = Math.max(1, Math.floor(commits / Math.max(1, branches)));
  const log = await git(['-C', temporary, 'rev-list', 'main']);
  const oids = log.trim().split('\n');
  const creations = Array.from({ length: branches }, (_, index) => {
    const oid = oids[(index * step) % oids.length];
    return `create refs/heads/branch-${index} ${oid}\n`;
  });
  await git(['-C', temporary, 'update-ref', '--stdin'], creations.join(''));
  await rename(temporary, folder);
  return folder;
}

/**
 * @param {string} folder
 * @param {number} commits
 * @param {number} fileBytes
 */
async function importHistory(folder, commits, fileBytes) {
  const args = ['-C', folder, '-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'];
  const child = spawn('git', args, { stdio: ['pipe', 'ignore', 'inherit'] });
  for (let number = 0; number < commits; number += 1) {
    const parts = [
      'commit refs/heads/main\n',
      `committer Bench <bench@example.com> ${1_700_000_000 + number} +0000\n`,
      `data ${`commit ${number}`.length}\ncommit ${number}\n`,
    ];
    for (let file = 0; file < 3; file += 1) {
      const content = randomBytes(Math.ceil(fileBytes / 2))
        .toString('hex')
        .slice(0, fileBytes);
      parts.push(`M 100644 inline dir-${number % 50}/file-${file}.txt\n`);
      parts.push(`data ${content.length}\n${content}\n`);
    }
    if (!child.stdin.write(parts.join(''))) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

/**
 * @param {string[]} args
 * @param {string} [input]
 * @returns {Promise<string>} standard output; throws when git fails
 */
export async function git(args, input = '') {
  return command('git', args, input);
}

/**
 * Runs a command to its end.
 * @param {string} program
 * @param {string[]} args
 * @param {string} [input]
 */
export async function command(program, args, input = '') {
  const stdin = input === '' ? 'ignore' : 'pipe';
  const child = spawn(program, args, { stdio: [stdin, 'pipe', 'pipe'] });
  /** @type {Buffer[]} */
  const out = [];
  /** @type {Buffer[]} */
  const err = [];
  child.stdout?.on('data', (chunk) => out.push(chunk));
  child.stderr?.on('data', (chunk) => err.push(chunk));
  child.stdin?.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ${args[0]}: ${Buffer.concat(err).toString()}`);
  return Buffer.concat(out).toString();
}
