import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientRequest, request } from 'node:http';
import { commitFiles } from '../../src/git/git-commit.js';
import { gitOutput, runGit } from '../../src/git/git-process.js';
import { UPLOAD_PACK_CONFIG } from '../../src/code/git-http/git-exchange.js';
import { packetLength, packetLine } from '../../src/code/git-http/packet-lines.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeToken } from '../support/factories.js';
import { type GitSandbox, makeGitSandbox } from '../support/git.js';
import { processesIn } from '../support/processes.js';
import {
  basic,
  cloneUrl,
  makeMember,
  makeProject,
  type MadeProject,
  raw,
  type RawAnswer,
} from './world.js';

const RPC_TYPE = 'application/x-git-upload-pack-request';

let app: TestApp;
let git: GitSandbox;
let project: MadeProject;
let token: string;
beforeAll(async () => {
  [app, git] = await Promise.all([sharedTestApp(), makeGitSandbox()]);
  project = await makeProject(app);
  token = await makeToken(app, project.owner, { scopes: ['read_repository'] });
  for (const content of ['one', 'two', 'three']) await commitOne(content);
});
afterAll(async () => {
  await git.remove();
});

function commitOne(content: string): Promise<unknown> {
  return commitFiles(project.directory, {
    branch: 'main',
    message: content,
    author: { name: 'Ada', email: 'ada@example.com', date: new Date() },
    changes: [{ path: 'a.txt', content }],
  });
}

function discover(protocol?: string): Promise<RawAnswer> {
  const headers: Record<string, string> =
    protocol === undefined ? {} : { 'Git-Protocol': protocol };
  return raw(app, `/${project.fullPath}.git/info/refs?service=git-upload-pack`, { token, headers });
}

function uploadPack(body: Buffer, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return raw(app, `/${project.fullPath}.git/git-upload-pack`, {
    method: 'POST',
    token,
    body,
    headers: { 'Content-Type': RPC_TYPE, 'Content-Length': String(body.length), ...headers },
  });
}

/** A version 2 request for the whole of `main`. */
async function fetchBody(): Promise<Buffer> {
  const head = (await gitOutput(['rev-parse', 'main'], { cwd: project.directory })).toString();
  const lines = [`want ${head.trim()}\n`, 'no-progress\n', 'done\n'].map(packetLine).join('');
  return Buffer.from(`${packetLine('command=fetch')}0001${lines}0000`);
}

/** A fetch that git is working on while the client never ends its request; the caller must. */
async function startEndless(viewer = token, localAddress = '127.0.0.1'): Promise<ClientRequest> {
  const head = (await gitOutput(['rev-parse', 'main'], { cwd: project.directory })).toString();
  const sent = request(`${app.url}/${project.fullPath}.git/git-upload-pack`, {
    method: 'POST',
    agent: false,
    localAddress,
    headers: { Authorization: basic(viewer), 'Content-Type': RPC_TYPE },
  });
  sent.on('error', () => undefined);
  // The beginning is read before git is started.
  sent.write(packetLine(`want ${head.trim()}\n`).repeat(6000));
  return sent;
}

/** The pack of an answer; how it is cut into lines of the side band is a matter of timing. */
function packOf({ bytes }: RawAnswer): Buffer {
  const parts: Buffer[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const length = packetLength(bytes, offset) ?? 0;
    if (bytes[offset + 4] === 1) parts.push(bytes.subarray(offset + 5, offset + length));
    offset += Math.max(length, 4);
  }
  return Buffer.concat(parts);
}

describe('discovery', () => {
  it('lists the refs in version 0', async () => {
    const { body } = await discover();
    expect(body).toContain('refs/heads/main\n');
    expect(body).not.toContain('version 2');
  });

  it('lists in version 2 exactly what git itself does, without refs', async () => {
    const expected = await gitOutput(['upload-pack', '--http-backend-info-refs', '.'], {
      cwd: project.directory,
      env: { GIT_PROTOCOL: 'version=2' },
      config: UPLOAD_PACK_CONFIG,
    });
    for (const protocol of ['version=2', 'foo:version=2']) {
      const { bytes } = await discover(protocol);
      expect(bytes.equals(expected)).toBe(true);
    }
  });

  it('follows the repository when its configuration changes the protocol', async () => {
    const own = await makeProject(app, { visibility: 20 });
    const path = `/${own.fullPath}.git/info/refs?service=git-upload-pack`;
    const headers = { 'Git-Protocol': 'version=2' };
    const before = await raw(app, path, { headers });
    await gitOutput(['config', 'lsrefs.unborn', 'ignore'], { cwd: own.directory });
    const after = await raw(app, path, { headers });
    expect(before.body).toContain('ls-refs=unborn');
    expect(after.body).not.toContain('ls-refs=unborn');
  });

  it('does not pass on a protocol header that is no protocol', async () => {
    const { body, status } = await discover('version=2;$(id)');
    expect(status).toBe(200);
    expect(body).toContain('refs/heads/main\n');
  });
});

describe('a fetch', () => {
  it.each(['0', '1', '2'])('clones in protocol version %s', async (version) => {
    const directory = `version${version}`;
    const url = cloneUrl(app, project.fullPath, token);
    await git.run(['-c', `protocol.version=${version}`, 'clone', '--quiet', url, directory]);
    expect(await git.run(['log', '--format=%s'], directory)).toBe('three\ntwo\none\nStart');
    await git.run(['fsck', '--full'], directory);
  });

  it('may be shallow, deepened later, and partial', async () => {
    const url = cloneUrl(app, project.fullPath, token);
    await git.run(['clone', '--quiet', '--depth=1', url, 'shallow']);
    expect(await git.run(['rev-list', '--count', 'HEAD'], 'shallow')).toBe('1');
    await git.run(['fetch', '--quiet', '--unshallow'], 'shallow');
    expect(await git.run(['rev-list', '--count', 'HEAD'], 'shallow')).toBe('4');
    await git.run(['clone', '--quiet', '--filter=blob:none', '--no-checkout', url, 'partial']);
    const missing = await git.run(['rev-list', '--objects', '--missing=print', '--all'], 'partial');
    expect(missing.split('\n').filter((line) => line.startsWith('?'))).toHaveLength(4);
    await git.run(['checkout', '--quiet', 'main'], 'partial');
  });

  it('works while the repository is read-only', async () => {
    await app.dataSource.manager.update(Project, { id: project.id }, { repositoryReadOnly: true });
    await git.run(['clone', '--quiet', cloneUrl(app, project.fullPath, token), 'readonly']);
    await app.dataSource.manager.update(Project, { id: project.id }, { repositoryReadOnly: false });
  });

  it('brings the same pack whether its request was packed or plain', async () => {
    const version2 = { 'Git-Protocol': 'version=2' };
    const plain = await uploadPack(await fetchBody(), version2);
    const packed = gzipSync(await fetchBody());
    const unpacked = await uploadPack(packed, { ...version2, 'Content-Encoding': 'gzip' });
    expect(plain.status).toBe(200);
    expect(plain.headers['content-type']).toBe('application/x-git-upload-pack-result');
    expect(packOf(plain).toString('latin1', 0, 4)).toBe('PACK');
    expect(packOf(unpacked).equals(packOf(plain))).toBe(true);
  });

  it("of a missing object gets git's error", async () => {
    const body = (await fetchBody())
      .toString()
      .replace(/want [0-9a-f]{40}/, `want ${'1'.repeat(40)}`);
    const answer = await uploadPack(Buffer.from(body), { 'Git-Protocol': 'version=2' });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('ERR upload-pack: not our ref');
  });
});

describe('a bad request', () => {
  it('that unpacks to more than 64 MiB is refused', async () => {
    const start = `${packetLine('command=fetch')}0001`;
    const have = packetLine(`have ${'1'.repeat(40)}\n`);
    const bomb = gzipSync(start + have.repeat(Math.ceil((65 * 1024 * 1024) / have.length)));
    const answer = await uploadPack(bomb, {
      'Content-Encoding': 'gzip',
      'Git-Protocol': 'version=2',
    });
    expect([answer.status, answer.body]).toEqual([413, 'The request is too large.']);
    await eventually(noUploadPack);
  });

  it('is 400 when it is no gzip or not Git, 415 when its encoding is unknown', async () => {
    const nonsense = Buffer.from('zzzz this is not git');
    expect((await uploadPack(nonsense, { 'Content-Encoding': 'gzip' })).status).toBe(400);
    expect((await uploadPack(nonsense)).status).toBe(400);
    expect((await uploadPack(nonsense, { 'Content-Encoding': 'br' })).status).toBe(415);
  });

  it('that never ends leaves no process when the client goes', async () => {
    const sent = await startEndless();
    await eventually(async () => !(await noUploadPack()));
    sent.destroy();
    await eventually(noUploadPack);
  });
});

describe('too many fetches of one repository', () => {
  it('are asked to come again later', async () => {
    const other = await makeMember(app, project, 'developer');
    const waiting = await Promise.all([
      ...Array.from({ length: 10 }, () => startEndless(token, '127.0.0.2')),
      ...Array.from({ length: 10 }, () => startEndless(other.token, '127.0.0.3')),
    ]);
    await eventually(async () => (await processesIn(project.directory)).length === 20);
    const answer = await uploadPack(await fetchBody(), { 'Git-Protocol': 'version=2' });
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('10');
    for (const sent of waiting) sent.destroy();
    await eventually(noUploadPack);
    const again = await uploadPack(await fetchBody(), { 'Git-Protocol': 'version=2' });
    expect(again.status).toBe(200);
  });

  it('by one user leave slots to others', async () => {
    const start = (): Promise<ClientRequest> => startEndless(token, '127.0.0.2');
    const waiting = await Promise.all(Array.from({ length: 15 }, start));
    await eventually(async () => (await processesIn(project.directory)).length === 15);
    const own = await uploadPack(await fetchBody(), { 'Git-Protocol': 'version=2' });
    expect(own.status).toBe(503);
    expect(own.body).toContain('You have too many concurrent Git requests.');
    const other = await makeMember(app, project, 'developer');
    const headers = { 'Git-Protocol': 'version=2', Authorization: basic(other.token) };
    expect((await uploadPack(await fetchBody(), headers)).status).toBe(200);
    for (const sent of waiting) sent.destroy();
    await eventually(noUploadPack);
  });
});

async function noUploadPack(): Promise<boolean> {
  return (await processesIn(project.directory)).length === 0;
}

describe('hidden refs', () => {
  it('are neither listed nor fetched', async () => {
    const own = await makeProject(app, { visibility: 20 });
    await runGit(['update-ref', 'refs/keep-around/x', 'main'], { cwd: own.directory });
    const listed = await git.run(['ls-remote', cloneUrl(app, own.fullPath)]);
    expect(listed).toContain('refs/heads/main');
    expect(listed).not.toContain('keep-around');
  });
});
