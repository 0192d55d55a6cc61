import { join } from 'node:path';
import autocannon from 'autocannon';
import { benchFolder, command, repositoryFixture } from './support/fixtures.js';
import { interleave, seconds } from './support/figures.js';
import { startNginxPeer } from './support/nginx-peer.js';
import { projectPath, startStack } from './support/stack.js';

const CALLS = 200;
const PARALLEL = 8;
const LOAD_SECONDS = 5;

/**
 * Looking whether anything is new: `git ls-remote` as a whole process, and the requests it makes
 * without the client's own start, against nginx with git's CGI backend.
 */
export async function run() {
  const shape = { name: 'refs', commits: 100, fileBytes: 300, branches: 50 };
  const fixture = await repositoryFixture(shape);
  const stack = await startStack();
  const peer = await startNginxPeer(await benchFolder());
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
    const discovery = await interleave({
      rounds: 5,
      ours: () => discover(ours),
      peer: () => discover(theirs),
    });
    const name = `git ls-remote, ${PARALLEL} at a time`;
    return [
      { ...row, name, ...whole, ratio: whole.ours / whole.peer, target: '>= 2' },
      {
        ...row,
        name: 'protocol v2 discovery',
        ...discovery,
        ratio: discovery.ours / discovery.peer,
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
async function discover(url) {
  const result = await autocannon({
    url: `${url}/info/refs?service=git-upload-pack`,
    connections: PARALLEL,
    duration: LOAD_SECONDS,
    headers: { 'git-protocol': 'version=2' },
  });
  if (result.non2xx > 0) throw new Error(`${url}: ${result.non2xx} refused`);
  return result.requests.average;
}
