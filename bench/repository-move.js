import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { benchFolder, command, git, repositoryFixture } from './support/fixtures.js';
import { interleave, seconds } from './support/figures.js';
import { projectPath, startStack } from './support/stack.js';

/** As `reference-stamp.ts` has it. */
const TICK_MS = 2_000;

const SHAPES = [
  { name: '78 MB, 2,001 refs', commits: 7_000, fileBytes: 7_000, branches: 2_000 },
  { name: '8 MB, 50,000 refs', commits: 2_000, fileBytes: 2_500, branches: 50_000 },
];

/**
 * One move through the API, from the request until `finished`, against `git clone --mirror` with
 * `git fsck`, and against `cp -a` with `sync`.
 */
export async function run() {
  const stack = await startStack();
  try {
    const rows = [];
    for (const shape of SHAPES) rows.push(...(await measure(stack, shape)));
    return rows;
  } finally {
    await stack.stop();
  }
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @param {typeof SHAPES[number]} shape
 */
async function measure(stack, shape) {
  const slug = `move-${shape.commits}-${shape.branches}`;
  const fixture = await repositoryFixture({ ...shape, name: slug });
  const project = await stack.api('POST', '/projects', { name: slug });
  let place = 'default';
  // A move packs the references; each round gets the repository as it was pushed, and as it rests
  // when a move begins: right after a write its times do not yet show that references stay the same.
  const restore = async () => {
    const target = join(stack.storage(/** @type {'default'} */ (place)), projectPath(project.id));
    await rm(target, { recursive: true, force: true });
    await command('cp', ['-a', fixture, target]);
    await command('sync', ['-f', target]);
    await new Promise((resume) => setTimeout(resume, TICK_MS + 100));
  };
  const move = async () => {
    await restore();
    place = place === 'default' ? 'storage2' : 'default';
    const path = `/projects/${project.id}/repository_storage_moves`;
    return seconds(async () => {
      const { id } = await stack.api('POST', path, { destination_storage_name: place });
      await untilFinished(stack, `${path}/${id}`);
    });
  };
  const copy = join(await benchFolder(), 'peer.git');
  const fresh = async (/** @type {() => Promise<unknown>} */ work) => {
    await rm(copy, { recursive: true, force: true });
    return seconds(work);
  };
  const clone = await interleave({
    rounds: 5,
    ours: move,
    peer: () =>
      fresh(async () => {
        await git(['clone', '--quiet', '--mirror', '--no-local', fixture, copy]);
        await git(['-C', copy, 'fsck', '--no-progress', '--no-dangling']);
      }),
  });
  const plain = await interleave({
    rounds: 3,
    ours: move,
    peer: () =>
      fresh(async () => {
        await command('cp', ['-a', fixture, copy]);
        await command('sync', ['-f', copy]);
      }),
  });
  const row = { metric: 's', name: `one move, ${shape.name}` };
  return [
    {
      ...row,
      ...clone,
      peerName: 'clone --mirror + fsck',
      ratio: clone.ours / clone.peer,
      target: '<= 0.5',
    },
    { ...row, ...plain, peerName: 'cp -a + sync', ratio: plain.ours / plain.peer, target: '<= 2' },
  ];
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @param {string} path
 */
async function untilFinished(stack, path) {
  for (;;) {
    const move = await stack.api('GET', path);
    if (move.state === 'finished') return;
    if (/failed/.test(move.state)) throw new Error(`${path}: ${move.error_message}`);
    await new Promise((resume) => setTimeout(resume, 10));
  }
}
