import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { benchFolder, command, repositoryFixture } from './support/fixtures.js';
import { interleave, seconds } from './support/figures.js';
import { projectPath, startStack } from './support/stack.js';

const REPOSITORIES = 1_000;
const PARALLEL = 4;

/**
 * 1,000 small repositories moved in bulk until none is left on the source, against a shell loop
 * of `git clone --mirror` with the same parallelism (which verifies nothing and keeps no settings).
 */
export async function run() {
  const stack = await startStack({ WORKER_CONCURRENCY: String(PARALLEL) });
  try {
    for (const name of ['default', 'storage2']) {
      const limits = { max_in: PARALLEL, max_out: PARALLEL };
      await stack.api('PUT', `/storage_moves/storages/${name}`, limits);
    }
    await fill(stack);
    let place = 'default';
    const ours = async () => {
      const source = place;
      place = place === 'default' ? 'storage2' : 'default';
      const took = await seconds(() => moveAll(stack, source, place));
      return REPOSITORIES / took;
    };
    const peer = async () =>
      REPOSITORIES /
      (await seconds(() => cloneAll(stack.storage(/** @type {'default'} */ (place)))));
    const figures = await interleave({ rounds: 3, ours, peer });
    return [
      {
        name: `${REPOSITORIES} small repositories, ${PARALLEL} at a time`,
        metric: 'repositories/s',
        ...figures,
        peerName: 'clone --mirror loop',
        ratio: figures.ours / figures.peer,
        target: '>= 4',
      },
    ];
  } finally {
    await stack.stop();
  }
}

/** @param {import('./support/stack.js').Stack} stack */
async function fill(stack) {
  const shape = { name: 'small', commits: 5, fileBytes: 300, branches: 1 };
  const fixture = await repositoryFixture(shape);
  for (let start = 0; start < REPOSITORIES; start += 20) {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const project = await stack.api('POST', '/projects', { name: `small-${start + index}` });
        const target = join(stack.storage('default'), projectPath(project.id));
        await command('cp', ['-a', `${fixture}/.`, target]);
      }),
    );
  }
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @param {string} source
 * @param {string} destination
 */
async function moveAll(stack, source, destination) {
  await stack.api('POST', '/project_repository_storage_moves', {
    source_storage_name: source,
    destination_storage_name: destination,
  });
  for (;;) {
    const path = `/projects?repository_storage=${source}&per_page=1`;
    if ((await stack.api('GET', path)).length === 0) return;
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

/** @param {string} root */
async function cloneAll(root) {
  const target = join(await benchFolder(), 'peer-clones');
  await rm(target, { recursive: true, force: true });
  const loop = `find ${root}/@hashed -name '*.git' -prune -print | xargs -P ${PARALLEL} -I{} sh -c 'git clone --quiet --mirror --no-local "$1" ${target}/$(basename "$1")' _ {}`;
  await command('sh', ['-c', loop]);
}
