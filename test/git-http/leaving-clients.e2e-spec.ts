import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, rm } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { gitOutput, runGit } from '../../src/git/git-process.js';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { packetLine } from '../../src/code/git-http/packet-lines.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { processesIn } from '../support/processes.js';
import { makeProject, type MadeProject, raw, type RawAnswer } from './world.js';

const LARGE_BYTES = 16 * 1024 * 1024;
const RPC_TYPE = 'application/x-git-upload-pack-request';

let app: TestApp;
let project: MadeProject;
let fetchBody: string;
beforeAll(async () => {
  app = await sharedTestApp();
  project = await makeProject(app, { visibility: 20 });
  const head = await commitLargeFile(project.directory);
  fetchBody = fetchOf(head, 'command=fetch');
});

function fetchOf(head: string, command: string): string {
  const isFetch = command === 'command=fetch';
  const lines = isFetch ? [`want ${head}\n`, 'no-progress\n', 'done\n'] : ['peel\n'];
  return `${packetLine(command)}0001${lines.map(packetLine).join('')}0000`;
}

/** More than fits into the buffers between git and a client; answers the commit. */
async function commitLargeFile(cwd: string): Promise<string> {
  const input = await gitOutput(['rev-parse', 'main'], { cwd });
  const run = async (args: string[], stdin: Buffer | string = ''): Promise<string> => {
    return (await gitOutput(args, { cwd, input: stdin, env: SIGNATURES })).toString().trim();
  };
  const blob = await run(['hash-object', '-w', '--stdin'], randomBytes(LARGE_BYTES));
  const tree = await run(['mktree'], `100644 blob ${blob}\tlarge\n`);
  const parent = input.toString().trim();
  const commit = await run(['commit-tree', '-p', parent, '-m', 'Large', tree]);
  await runGit(['update-ref', 'refs/heads/main', commit], { cwd });
  return commit;
}

const SIGNATURES = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'x'],
    [`GIT_${who}_EMAIL`, 'x@example.com'],
  ]),
);

function advertisement(): ClientRequest {
  const path = `/${project.fullPath}.git/info/refs?service=git-upload-pack`;
  return ignoreErrors(request(`${app.url}${path}`, { agent: false })).end();
}

function fetchRequest(): ClientRequest {
  const sent = request(`${app.url}/${project.fullPath}.git/git-upload-pack`, {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': RPC_TYPE, 'Git-Protocol': 'version=2' },
  });
  return ignoreErrors(sent).end(fetchBody);
}

/** Leaving is what these tests are about. */
function ignoreErrors(sent: ClientRequest): ClientRequest {
  return sent.on('error', () => undefined);
}

function fetchWhole(): Promise<RawAnswer> {
  return raw(app, `/${project.fullPath}.git/git-upload-pack`, {
    method: 'POST',
    body: fetchBody,
    headers: { 'Content-Type': RPC_TYPE, 'Git-Protocol': 'version=2' },
  });
}

/** Returns the number of processes, zombies included, in the project's repository. */
async function processes(): Promise<number> {
  return (await processesIn(project.directory)).length;
}

describe('clients that leave during the advertisement', () => {
  it('leave no process and no slot behind, whenever they go', async () => {
    for (let round = 0; round < 60; round += 1) {
      const sent = advertisement();
      // From before the connection is made to after the whole answer.
      setTimeout(() => sent.destroy(), round / 2);
      await new Promise((resolve) => sent.once('close', resolve));
    }
    // A slot is given back a moment after its process is gone.
    await eventually(async () => (await statuses(15)).every((status) => status === 200));
    await eventually(async () => (await processes()) === 0);
  });
});

/** Returns the response statuses of this many concurrent fetches. */
async function statuses(count: number): Promise<(number | undefined)[]> {
  const responses = await Promise.all(Array.from({ length: count }, () => fetchHeaders()));
  for (const response of responses) response.destroy();
  return responses.map(({ statusCode }) => statusCode);
}

async function fetchHeaders(): Promise<IncomingMessage> {
  const [response] = (await once(fetchRequest(), 'response')) as [IncomingMessage];
  return response;
}

describe('a client that does not read its answer', () => {
  it('holds up git and nothing else, and ends it by leaving', async () => {
    const response = await fetchHeaders();
    expect(response.statusCode).toBe(200);
    expect(await processes()).toBeGreaterThan(0);
    expect((await fetchWhole()).bytes.length).toBeGreaterThan(LARGE_BYTES);
    expect(await processes()).toBeGreaterThan(0);
    response.destroy();
    await eventually(async () => (await processes()) === 0);
  });
});

describe('a repository that moves while a client sends its request', () => {
  it.each(['command=fetch', 'command=ls-refs'])('is found again for %s', async (command) => {
    const own = await makeProject(app, { visibility: 20 });
    const head = (await gitOutput(['rev-parse', 'main'], { cwd: own.directory })).toString();
    const body = fetchOf(head.trim(), command);
    const sent = request(`${app.url}/${own.fullPath}.git/git-upload-pack`, {
      method: 'POST',
      agent: false,
      headers: { 'Content-Type': RPC_TYPE, 'Git-Protocol': 'version=2', Expect: '100-continue' },
    });
    const answered = once(sent, 'response');
    sent.flushHeaders();
    await once(sent, 'continue');
    sent.write(body.slice(0, 4));
    await moveToOtherStorage(own);
    sent.end(body.slice(4));
    const [response] = (await answered) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    expect((await buffer(response)).length).toBeGreaterThan(50);
  });
});

/** Follows the order of a real move: the old copy is removed last. */
async function moveToOtherStorage({ id, directory }: MadeProject): Promise<void> {
  const storages = app.app.get(StorageRegistry, { strict: false });
  const kind = 'project';
  const target = storages.absolutePath({ storage: 'storage2', kind, containerId: id });
  await mkdir(dirname(target), { recursive: true });
  await cp(directory, target, { recursive: true });
  await app.dataSource.manager.update(Project, { id }, { repositoryStorage: 'storage2' });
  await rm(directory, { recursive: true });
}

describe('200 fetches at once', () => {
  it('are served as far as there is room; the others are asked to come again', async () => {
    const responses = await Promise.all(Array.from({ length: 200 }, () => fetchHeaders()));
    const refused = responses.filter(({ statusCode }) => statusCode !== 200);
    const answers = new Set(
      refused.map((each) => [each.statusCode, each.headers['retry-after']].join()),
    );
    for (const response of responses) response.destroy();
    await eventually(async () => (await processes()) === 0);
    expect([refused.length, ...answers]).toEqual([185, '503,10']);
    await eventually(async () => (await fetchWhole()).status === 200);
  });
});
