import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { benchFolder, command, git, repositoryFixture } from './support/fixtures.js';
import { interleave, seconds } from './support/figures.js';
import { startNginxPeer } from './support/nginx-peer.js';
import { projectPath, startStack } from './support/stack.js';

const MEGABYTES = 78;

/** Cloning 78 MB over HTTP, and the time to the first byte, against nginx with git's CGI backend. */
export async function run() {
  const fixture = await repositoryFixture({
    name: 'clone',
    commits: 7_000,
    fileBytes: 7_000,
    branches: 20,
  });
  const peer = await startNginxPeer(await benchFolder());
  const stack = await startStack();
  try {
    const body = { name: 'clone', visibility: 'public' };
    const project = await stack.api('POST', '/projects', body);
    const target = join(stack.storage('default'), projectPath(project.id));
    await command('cp', ['-a', `${fixture}/.`, target]);
    const ours = project.http_url_to_repo;
    const theirs = `${peer.url}/clone.git`;
    const rate = await interleave({
      rounds: 7,
      ours: async () => MEGABYTES / (await seconds(() => clone(ours))),
      peer: async () => MEGABYTES / (await seconds(() => clone(theirs))),
    });
    const first = await interleave({
      rounds: 25,
      ours: () => firstByte(ours),
      peer: () => firstByte(theirs),
    });
    return [
      {
        name: 'clone of 78 MB',
        metric: 'MB/s',
        ...rate,
        peerName: 'nginx + git-http-backend',
        ratio: rate.ours / rate.peer,
        target: '>= 0.97',
      },
      {
        name: 'first byte of a clone',
        metric: 'ms',
        ...first,
        peerName: 'nginx + git-http-backend, + 5 ms',
        ratio: first.ours / (first.peer + 5),
        target: '<= 1',
      },
    ];
  } finally {
    await peer.stop();
    await stack.stop();
  }
}

/** @param {string} url */
async function clone(url) {
  const target = join(await benchFolder(), 'cloned.git');
  await rm(target, { recursive: true, force: true });
  await git(['clone', '--quiet', '--bare', url, target]);
}

/** @param {string} url */
async function firstByte(url) {
  const refs = `${url}/info/refs?service=git-upload-pack`;
  const args = ['-s', '-o', '/dev/null', '-w', '%{time_starttransfer}'];
  return Number(await command('curl', [...args, '-H', 'Git-Protocol: version=2', refs])) * 1000;
}
