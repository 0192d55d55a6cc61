import { git } from './fixtures.js';

const DURABLE = [
  '-c',
  'core.fsync=objects,derived-metadata,reference',
  '-c',
  'core.fsyncMethod=fsync',
];
const IDENTITY = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];

/**
 * Merges a branch into `main` with git's plumbing and nothing else, as durable as the server.
 * @param {string} repository
 * @param {string} branch
 */
export async function mergeBare(repository, branch) {
  const into = [...DURABLE, ...IDENTITY, '-C', repository];
  const names = ['refs/heads/main', `refs/heads/${branch}`];
  const [target = '', source = ''] = (await git([...into, 'rev-parse', ...names])).split('\n');
  await git([...into, 'merge-base', target, source]);
  const tree = await git([...into, 'merge-tree', '--write-tree', '--no-messages', target, source]);
  const message = `Merge branch '${branch}' into 'main'\n`;
  const parents = ['-p', target, '-p', source];
  const commit = await git([...into, 'commit-tree', tree.trim(), ...parents], message);
  await git([...into, 'update-ref', 'refs/heads/main', commit.trim(), target]);
}
