import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from './fixtures.js';

/** Git configuration of every git process of the server. */
const SETTINGS = [
  '-c',
  'core.fsync=objects,derived-metadata,reference',
  '-c',
  'core.fsyncMethod=fsync',
];
const IDENTITY = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];

/**
 * Changes one file of `main` in a bare repository by git's own plumbing, with an index of its own,
 * and names the new commit.
 * @param {string} repository
 * @param {{ path: string, content: string }} file
 */
export async function commitBare(repository, { path, content }) {
  const index = join(repository, `index-${process.pid}`);
  /** @param {string[]} args @param {string} [input] */
  const git = async (args, input) => {
    const all = [`GIT_INDEX_FILE=${index}`, 'git', '-C', repository, ...SETTINGS, ...IDENTITY];
    return (await command('env', [...all, ...args], input)).trim();
  };
  const parent = await git(['rev-parse', 'refs/heads/main']);
  const blob = await git(['hash-object', '-w', '--stdin'], content);
  await git(['read-tree', parent]);
  await git(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`]);
  const tree = await git(['write-tree']);
  const commit = await git(['commit-tree', tree, '-p', parent, '-m', 'Change']);
  await git(['update-ref', 'refs/heads/main', commit, parent]);
  await rm(index);
  return commit;
}
