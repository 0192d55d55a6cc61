import { join } from 'node:path';
import autocannon from 'autocannon';
import { benchFolder, command, repositoryFixture } from './support/fixtures.js';
import { interleave, seconds } from './support/figures.js';
import { startNginxPeer } from './support/nginx-peer.js';
import { projectPath, startStack } from './support/stack.js';

const CALLS = 200;
const PARALLEL = 8;
const LOAD_SECONDS = 5;
const VERSION_2 = { 'git-protocol': 'version=2' };
/** Requests of `git ls-remote <url> HEAD`. */
const QUESTION = [
  packet('command=ls-refs\n'),
  packet('agent=git/2.39.5'),
  packet('object-format=sha1'),
  '0001',
  packet('peel\n'),
  packet('symrefs\n'),
  ...['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'].map((place) =>
    packet(`ref-prefix ${place}HEAD\n`),
  ),
  packet('ref-prefix refs/remotes/HEAD/HEAD\n'),
  '0000',
].join('');

/**
 * Looking whether anything is new: `git ls-remote` as a whole process, and the requests it makes
 * without the client's own start, against nginx with git's CGI backend.
 */
export async function run() {
  const shape = { name: 'refs', commits: 100, fileBytes: 300, branches: 50 };
  const fixture = await repositoryFixture(shape);
  const peer = await startNginxPeer(await benchFolder());
  const stack = await startStack();
  try {
    const body = { name: 'news', visibility: 'public' };
    const project = await stack.api('POST', '/projects', body);
    const target = join(stack.storage('default'), projectPath(project.id));
    await command('cp', ['-a', `${fixture}/.`, target]);
    const ours = project.http_url_to_repo;
    const theirs = `${peer.url}/refs.git`;
    const row = { metric: '1/s', peerName: 'nginx + git-http-backend' };
    const whole = await interleave({
      rounds: 5,
      ours: () => lsRemote(ours),
      peer: () => lsRemote(theirs),
    });
    const found = await interleave({
      rounds: 5,
      ours: () => discover(ours),
      peer: () => discover(theirs),
    });
    const both = await interleave({
      rounds: 5,
      ours: () => look(ours),
      peer: () => look(theirs),
    });
    const name = `git ls-remote, ${PARALLEL} at a time`;
    return [
      { ...row, name, ...whole, ratio: whole.ours / whole.peer, target: '>= 2' },
      {
        ...row,
        name: 'requests of git ls-remote, without the client',
        ...both,
        ratio: both.ours / both.peer,
        target: '>= 2',
      },
      {
        ...row,
        name: 'protocol v2 discovery',
        ...found,
        ratio: found.ours / found.peer,
        target: '>= 2',
      },
    ];
  } finally {
    await peer.stop();
    await stack.stop();
  }
}

/** @param {string} url */
async function lsRemote(url) {
  const loop = `seq ${CALLS} | xargs -P ${PARALLEL} -I{} git ls-remote --quiet ${url} HEAD >/dev/null`;
  return CALLS / (await seconds(() => command('sh', ['-c', loop])));
}

/** @param {string} url */
function discover(url) {
  return load(url, [discovery(url)]);
}

/**
 * Rate of both requests of `git ls-remote <url> HEAD` per second.
 * @param {string} url
 */
async function look(url) {
  const question = {
    method: /** @type {const} */ ('POST'),
    path: `${new URL(url).pathname}/git-upload-pack`,
    headers: { ...VERSION_2, 'content-type': 'application/x-git-upload-pack-request' },
    body: QUESTION,
  };
  return (await load(url, [discovery(url), question])) / 2;
}

/** @param {string} url */
function discovery(url) {
  const path = `${new URL(url).pathname}/info/refs?service=git-upload-pack`;
  return { path, headers: VERSION_2 };
}

/**
 * @param {string} url
 * @param {import('autocannon').Request[]} requests in turn, on each connection
 * @returns {Promise<number>} answers per second
 */
async function load(url, requests) {
  const result = await autocannon({ url, connections: PARALLEL, duration: LOAD_SECONDS, requests });
  if (result.non2xx > 0) throw new Error(`${url}: ${result.non2xx} refused`);
  return result.requests.average;
}

/** @param {string} text */
function packet(text) {
  return (text.length + 4).toString(16).padStart(4, '0') + text;
}
