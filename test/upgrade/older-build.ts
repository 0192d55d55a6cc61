import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runCommand } from '../support/command.js';

const MIGRATIONS = 'src/database/migrations';
const NO_HISTORY =
  'npm run test:upgrade builds an earlier commit: run it in a clone with its whole history (git fetch --unshallow)';

/** A build of an earlier commit in a temporary folder. */
export interface OlderBuild {
  commit: string;
  checkout: string;
  remove(): Promise<void>;
}

/**
 * Builds the commit that GUILDHALL_UPGRADE_FROM names, or the one before the newest migration. It uses
 * the packages of this checkout unless its package-lock.json differs.
 */
export async function buildOlder(): Promise<OlderBuild> {
  const commit = await olderCommit();
  const checkout = await mkdtemp(join(tmpdir(), 'guildhall-upgrade-'));
  const remove = (): Promise<void> => rm(checkout, { recursive: true, force: true });
  try {
    const archive = join(checkout, 'source.tar');
    await run('git', ['archive', `--output=${archive}`, commit]);
    await run('tar', ['-xf', archive], checkout);
    await installPackages(commit, checkout);
    await run('npm', ['run', 'build'], checkout);
  } catch (error) {
    await remove();
    throw error;
  }
  return { commit, checkout, remove };
}

async function olderCommit(): Promise<string> {
  const shallow = await runCommand('git', ['rev-parse', '--is-shallow-repository']);
  if (shallow.code !== 0 || shallow.stdout.trim() === 'true') throw new Error(NO_HISTORY);
  const given = process.env['GUILDHALL_UPGRADE_FROM'];
  const newest = ['log', '-1', '--format=%H^', '--diff-filter=A', '--', MIGRATIONS];
  const wanted = given || (await run('git', newest)).trim();
  const { code, stdout } = await runCommand('git', ['rev-parse', '--verify', `${wanted}^{commit}`]);
  if (code === 0) return stdout.trim();
  throw new Error(given ? `GUILDHALL_UPGRADE_FROM: there is no commit ${given}` : NO_HISTORY);
}

async function installPackages(commit: string, checkout: string): Promise<void> {
  const args = ['diff', '--quiet', commit, '--', 'package-lock.json'];
  const isSame = (await runCommand('git', args)).code === 0;
  if (isSame) await linkPackages(join(checkout, 'node_modules'));
  else await run('npm', ['ci', '--no-audit', '--no-fund'], checkout);
}

/** Links each package, as the build renames files from its own node_modules to their places. */
async function linkPackages(folder: string): Promise<void> {
  const packages = resolve('node_modules');
  await mkdir(folder);
  for (const name of await readdir(packages)) {
    await symlink(join(packages, name), join(folder, name));
  }
}

/** Runs a program and returns its output; throws with what it has printed when it fails. */
async function run(program: string, args: readonly string[], cwd = resolve()): Promise<string> {
  const { code, stdout, stderr } = await runCommand(program, args, { cwd });
  if (code === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
}
