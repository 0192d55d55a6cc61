import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { commitBare } from './support/bare-commits.js';
import { benchFolder, command, git } from './support/fixtures.js';
import { interleave, seconds } from './support/figures.js';
import { projectPath, startStack } from './support/stack.js';

const SIZES = [10_000, 50_000];
const PER_FOLDER = 100;
const COMMITS = 5;

/**
 * A commit of one file through the API, whole: over HTTP, under a write lease, recorded with its
 * event and read back; beside the git plumbing that makes the same commit and nothing else.
 */
export async function run() {
  const stack = await startStack();
  try {
    const rows = [];
    for (const files of SIZES) rows.push(await measure(stack, files));
    return rows;
  } finally {
    await stack.stop();
  }
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @param {number} files
 */
async function measure(stack, files) {
  const fixture = await wideFixture(files);
  const project = await stack.api('POST', '/projects', { name: `wide ${files}` });
  const target = join(stack.storage('default'), projectPath(project.id));
  await command('cp', ['-a', `${fixture}/.`, target]);
  const peer = join(await benchFolder(), `wide-${files}-peer.git`);
  await rm(peer, { recursive: true, force: true });
  await command('cp', ['-a', fixture, peer]);
  let count = 0;
  const next = () => {
    count += 1;
    return { path: pathOf((count * 997) % files), content: `${files} ${count}` };
  };
  const figures = await interleave({
    rounds: 9,
    ours: () => perCommit(() => commitByApi(stack, project.id, next())),
    peer: () => perCommit(() => commitBare(peer, next())),
  });
  await git(['-C', target, 'fsck', '--connectivity-only', 'main']);
  return {
    name: `commit of one file of ${files.toLocaleString('en')} over the API`,
    metric: 'ms',
    ...figures,
    peerName: 'git plumbing with an index of its own',
    ratio: figures.ours / figures.peer,
    target: '<= 2',
  };
}

/** @param {() => Promise<unknown>} commit */
async function perCommit(commit) {
  const total = await seconds(async () => {
    for (let count = 0; count < COMMITS; count += 1) await commit();
  });
  return (total / COMMITS) * 1000;
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @param {number} id
 * @param {{ path: string, content: string }} file
 */
function commitByApi(stack, id, { path, content }) {
  return stack.api('POST', `/projects/${id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Change',
    actions: [{ action: 'update', file_path: path, content }],
  });
}

/**
 * A repository whose only commit has so many files, a hundred in each folder.
 * @param {number} files
 */
async function wideFixture(files) {
  const folder = join(await benchFolder(), `wide-${files}.git`);
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return folder;
  const temporary = `${folder}.tmp`;
  await rm(temporary, { recursive: true, force: true });
  await git(['init', '--quiet', '--bare', '--initial-branch=main', temporary]);
  const lines = ['commit refs/heads/main', 'committer Bench <bench@example.com> 1700000000 +0000'];
  lines.push('data 4', 'wide');
  for (let number = 0; number < files; number += 1) {
    const content = `file ${number}`;
    lines.push(`M 100644 inline ${pathOf(number)}`, `data ${content.length}`, content);
  }
  const args = ['-C', temporary, '-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'];
  await git(args, `${lines.join('\n')}\n`);
  await rename(temporary, folder);
  return folder;
}

/** @param {number} number */
function pathOf(number) {
  return `folder-${Math.floor(number / PER_FOLDER)}/inner/file-${number % PER_FOLDER}.txt`;
}
