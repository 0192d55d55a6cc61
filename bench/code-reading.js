import { join } from 'node:path';
import { command, git, repositoryFixture } from './support/fixtures.js';
import { interleave } from './support/figures.js';
import { requestsPerSecond } from './support/load.js';
import { startNodePeer } from './support/node-peer.js';
import { projectPath, startStack } from './support/stack.js';

const WARM_UP_SECONDS = 2;
const ROUND_SECONDS = 4;
const ENTRIES = 1_000;

/** A folder of a thousand files and the newest commits, against one git process per request. */
export async function run() {
  const shape = { name: 'reading', commits: 1_000, fileBytes: 300, branches: 50 };
  const fixture = await repositoryFixture(shape);
  await addWideBranch(fixture);
  const stack = await startStack();
  const project = await stack.api('POST', '/projects', { name: 'reading' });
  await command('cp', [
    '-a',
    `${fixture}/.`,
    join(stack.storage('default'), projectPath(project.id)),
  ]);
  const peer = await startNodePeer('bare-git.js', { REPOSITORY: fixture });
  const base = `${stack.url}/api/v4/projects/${project.id}/repository`;
  const wide = `${base}/tree?ref=wide&per_page=100`;
  try {
    return [
      await measure(
        `page of a folder of ${ENTRIES} files, asked for again`,
        target(wide),
        `${peer.url}/tree`,
      ),
      await measure(
        'first page of 1,000 commits, asked for again',
        target(`${base}/commits`),
        `${peer.url}/commits`,
      ),
    ];
  } finally {
    await peer.stop();
    await stack.stop();
  }

  /** @param {string} url */
  function target(url) {
    return { url, token: stack.token };
  }
}

/**
 * @param {string} name
 * @param {{ url: string, token: string }} ours
 * @param {string} peerUrl
 */
async function measure(name, ours, peerUrl) {
  const theirs = { url: peerUrl };
  for (const one of [ours, theirs]) await requestsPerSecond(one, WARM_UP_SECONDS);
  const figures = await interleave({
    rounds: 5,
    ours: () => requestsPerSecond(ours, ROUND_SECONDS),
    peer: () => requestsPerSecond(theirs, ROUND_SECONDS),
  });
  const peerName = 'node:http, one git process per request';
  const ratio = figures.ours / figures.peer;
  return { name, metric: '1/s', ...figures, peerName, ratio, target: '>= 1' };
}

/** @param {string} repository */
async function addWideBranch(repository) {
  const blob = (await git(['-C', repository, 'rev-parse', 'main:dir-0/file-0.txt'])).trim();
  const numbers = Array.from({ length: ENTRIES }, (_, number) => number);
  const lines = numbers.map((number) => `100644 blob ${blob}\tfile-${number}.txt\n`);
  const tree = (await git(['-C', repository, 'mktree'], lines.join(''))).trim();
  const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  const commit = await git(['-C', repository, ...author, 'commit-tree', '-m', 'wide', tree]);
  await git(['-C', repository, 'update-ref', 'refs/heads/wide', commit.trim()]);
}
