import { createServer, connect, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Volume } from '../faults/support/volume.js';
import { api } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type MadeUser, makeToken, unique } from '../support/factories.js';
import { type PageClient, signedIn } from '../support/page-client.js';
import { makeGitSandbox } from '../support/git.js';
import { basic, cloneUrl, makeProject, makeSnippet, type MadeProject, raw } from './world.js';

const REASON = /Storage default (?:is read-only|denies access)\./;

/** A connection to the database that can be interrupted. */
class Way {
  private readonly sockets = new Set<Socket>();
  private isOpen = true;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async to(database: TestDatabase): Promise<Way> {
    const url = new URL(database.url);
    const { hostname, port } = url;
    const server = createServer((socket) => way.join(socket, connect(Number(port), hostname)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url.port = String((server.address() as { port: number }).port);
    url.hostname = '127.0.0.1';
    const way = new Way(server, url.href);
    return way;
  }

  cut(): void {
    this.isOpen = false;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isOpen = true;
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  private join(one: Socket, other: Socket): void {
    for (const socket of [one, other]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        one.destroy();
        other.destroy();
      });
    }
    if (this.isOpen) one.pipe(other).pipe(one);
    else one.destroy();
  }
}

let volume: Volume;
let database: TestDatabase;
let way: Way;
let app: OwnTestApp;
let project: MadeProject;
let owner: MadeUser;
let token: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outages-'));
  volume = await Volume.create(join(folder, 'storage'));
  database = await createTestDatabase();
  way = await Way.to(database);
  const STORAGES = JSON.stringify({ default: { path: volume.path, weight: 100 } });
  app = await startTestApp({ env: { STORAGES, DATABASE_URL: way.url } });
  project = await makeProject(app);
  owner = project.owner;
  token = await makeToken(app, owner);
});
afterAll(async () => {
  way.mend();
  await app.close();
  way.close();
  await database.drop();
  await volume.remove();
});

function refs(service: string): ReturnType<typeof raw> {
  const path = `/${project.fullPath}.git/info/refs?service=${service}`;
  return raw(app, path, { headers: { Authorization: basic(token) } });
}

describe('while the database is unavailable', () => {
  it('Git requests return 503 with an explanation and succeed afterwards', async () => {
    expect((await refs('git-upload-pack')).status).toBe(200);
    way.cut();
    await eventually(async () => {
      const { status, body, headers } = await refs('git-receive-pack');
      expect(body).toBe('The server is temporarily unavailable. Please try again later.');
      expect(status).toBe(503);
      expect(headers['retry-after']).toBe('5');
    });
    way.mend();
    await eventually(async () => expect((await refs('git-upload-pack')).status).toBe(200));
  });
});

const branch = { branch: 'feature', ref: 'main' };
const commit = {
  branch: 'main',
  commit_message: 'Add a file',
  actions: [{ action: 'create', file_path: 'a.txt', content: 'a' }],
};
const files = [{ file_path: 'a.txt', content: 'a' }];
const WRITES: [string, () => string, object][] = [
  ['a project', () => '/projects', { name: 'Loom', path: unique('loom') }],
  ['a branch', () => `/projects/${project.id}/repository/branches`, branch],
  ['a tag', () => `/projects/${project.id}/repository/tags`, { tag_name: 'v1', ref: 'main' }],
  ['a commit', () => `/projects/${project.id}/repository/commits`, commit],
  ['a snippet', () => '/snippets', { title: 'Warp', visibility: 'private', files }],
];

describe('while the disk of a storage is full', () => {
  it('writes through the API, pages and Git fail with 503, and reads work', async () => {
    // A folder has no size of its own.
    if (!volume.isMounted) return;
    const [pages, git] = await Promise.all([signedIn(app, owner), makeGitSandbox()]);
    await git.run(['clone', '--quiet', cloneUrl(app, project.fullPath, token), 'clone']);
    await git.commit('clone', 'b.txt', 'b');
    await volume.fill();
    for (const [name, path, body] of WRITES) {
      const answer = await api(app.url, token).post(path()).send(body);
      const message = expect.stringContaining('Storage default is full.');
      expect([name, answer.status, answer.body]).toEqual([name, 503, { message }]);
    }
    const fields = { name: 'Reed', path: unique('reed'), visibility: 'private' };
    const namespace = { namespace_id: String(owner.namespaceId) };
    const page = await pages.post('/projects/new', { ...fields, ...namespace });
    expect(page.status).toBe(503);
    expect(page.text).toContain('Storage default is full.');
    expect((await refs('git-upload-pack')).status).toBe(200);
    const push = ['push', 'origin', 'HEAD:refs/heads/pushed'];
    expect((await git.try(push, 'clone')).stderr).toContain('No space left on device');
    await volume.free();
    await git.run(push, 'clone');
    await git.remove();
  });
});

describe('while a storage is not writable', () => {
  let pages: PageClient;
  let snippet: { id: number };
  beforeAll(async () => {
    pages = await signedIn(app, owner);
    snippet = await makeSnippet(app, { authorId: owner.id });
    await volume.refuseWrites();
  });

  it.each(WRITES)('%s returns 503 with the name of the storage', async (_, path, body) => {
    const answer = await api(app.url, token).post(path()).send(body);
    expect(answer.body).toEqual({ message: expect.stringMatching(REASON) });
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('60');
  });

  it('a snippet change is refused', async () => {
    const changed = [{ action: 'update', file_path: 'README.md', content: 'b' }];
    const answer = await api(app.url, token)
      .put(`/snippets/${snippet.id}`)
      .send({ files: changed });
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({ message: expect.stringMatching(REASON) });
  });

  it('a form shows an error page', async () => {
    const fields = { name: 'Weft', path: unique('weft'), visibility: 'private' };
    const namespace = { namespace_id: String(owner.namespaceId) };
    const { text, status } = await pages.post('/projects/new', { ...fields, ...namespace });
    expect(status).toBe(503);
    expect(text).toMatch(REASON);
  });

  it('a push is refused before it starts and a clone succeeds', async () => {
    const push = await refs('git-receive-pack');
    expect(push.status).toBe(503);
    expect(push.body).toMatch(REASON);
    expect(push.headers['retry-after']).toBe('60');
    expect((await refs('git-upload-pack')).status).toBe(200);
  });
});
