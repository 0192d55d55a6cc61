import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { mergeBare } from './support/bare-merges.js';
import { benchFolder, command, git, repositoryFixture } from './support/fixtures.js';
import { interleave, seconds } from './support/figures.js';
import { projectPath, startStack } from './support/stack.js';

const ROUNDS = 7;
const MERGES = 10;

/**
 * Merging a small merge request, whole: over HTTP, under a write lease, recorded with its events
 * and read back; beside the git plumbing that makes the same merge commit and nothing else.
 */
export async function run() {
  const shape = { name: 'merges', commits: 100, fileBytes: 300, branches: 1 };
  const fixture = await repositoryFixture(shape);
  const prepared = join(await benchFolder(), 'merges-prepared.git');
  const peer = join(await benchFolder(), 'merges-peer.git');
  await rm(prepared, { recursive: true, force: true });
  await rm(peer, { recursive: true, force: true });
  await command('cp', ['-a', fixture, prepared]);
  await addBranches(prepared, ROUNDS * MERGES);
  await command('cp', ['-a', prepared, peer]);
  const stack = await startStack();
  try {
    const project = await stack.api('POST', '/projects', { name: 'merges' });
    const target = join(stack.storage('default'), projectPath(project.id));
    await command('cp', ['-a', `${prepared}/.`, target]);
    const path = `/projects/${project.id}/merge_requests`;
    for (let number = 0; number < ROUNDS * MERGES; number += 1) {
      const branches = { source_branch: `side-${number}`, target_branch: 'main' };
      await stack.api('POST', path, { ...branches, title: `Merge ${number}` });
    }
    const next = { ours: 0, peer: 0 };
    const figures = await interleave({
      rounds: ROUNDS,
      ours: () => perMerge(() => stack.api('PUT', `${path}/${(next.ours += 1)}/merge`, {})),
      peer: () => perMerge(() => mergeBare(peer, `side-${(next.peer += 1) - 1}`)),
    });
    await git(['-C', target, 'fsck', '--connectivity-only', 'main']);
    return [
      {
        name: 'merge of a small merge request',
        metric: 'ms',
        ...figures,
        peerName: 'git plumbing',
        ratio: figures.ours / figures.peer,
        target: '<= 2',
      },
    ];
  } finally {
    await stack.stop();
  }
}

/** @param {() => Promise<unknown>} merge */
async function perMerge(merge) {
  const total = await seconds(async () => {
    for (let count = 0; count < MERGES; count += 1) await merge();
  });
  return (total / MERGES) * 1000;
}

/**
 * Branches that each add one file to `main`.
 * @param {string} repository
 * @param {number} count
 */
async function addBranches(repository, count) {
  const main = (await git(['-C', repository, 'rev-parse', 'refs/heads/main'])).trim();
  const lines = [];
  for (let number = 0; number < count; number += 1) {
    const content = `side ${number}`;
    lines.push(`commit refs/heads/side-${number}`);
    lines.push('committer Bench <bench@example.com> 1700000000 +0000');
    lines.push('data 4', 'side', `from ${main}`);
    lines.push(`M 100644 inline side/${number}.txt`, `data ${content.length}`, content);
  }
  await git(['-C', repository, 'fast-import', '--quiet'], `${lines.join('\n')}\n`);
}
