import { rename } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { RouteRedirect } from '../../src/identity/users/namespace.entity.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { sendRaw } from '../core/raw-http.js';
import { eventually } from '../support/eventually.js';
import { makeAdmin, makeToken, makeUser } from '../support/factories.js';
import {
  basic,
  makeGroup,
  makeMember,
  makeProject,
  makeRepository,
  makeSnippet,
  makeStranger,
  raw,
  type RawAnswer,
} from './world.js';

const NOT_FOUND =
  "The project you were looking for could not be found or you don't have permission to view it.";
const READ_ONLY = 'The repository is temporarily read-only. Please try again later.';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function discover(path: string, service: 'upload' | 'receive', token?: string): Promise<RawAnswer> {
  return raw(app, `/${path}.git/info/refs?service=git-${service}-pack`, { token });
}

const pull = (path: string, token?: string): Promise<RawAnswer> => discover(path, 'upload', token);
const push = (path: string, token?: string): Promise<RawAnswer> => discover(path, 'receive', token);

describe('anonymous access', () => {
  it('clones a public project but does not push to it', async () => {
    const { fullPath } = await makeProject(app, { visibility: 20 });
    const clone = await pull(fullPath);
    expect(clone.status).toBe(200);
    expect(clone.headers['content-type']).toBe('application/x-git-upload-pack-advertisement');
    expect(clone.headers['cache-control']).toBe('no-cache, max-age=0, must-revalidate');
    expect(clone.headers).not.toHaveProperty('etag');
    expect(clone.body.startsWith('001e# service=git-upload-pack\n0000')).toBe(true);
    expect((await push(fullPath)).status).toBe(401);
  });

  it('cannot distinguish a private, an internal and a missing project', async () => {
    const hidden = await makeProject(app);
    const internal = await makeProject(app, { visibility: 10 });
    const answers = await Promise.all(
      [
        hidden.fullPath,
        internal.fullPath,
        'no/where',
        'x/../y',
        'a b/c',
        'no.wiki',
        'snippets/2000000000',
      ].map((path) => pull(encodeURI(path))),
    );
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toBe('Basic realm="Guildhall"');
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(body).toBe(answers[0]?.body);
    }
    expect(answers[0]?.body).toMatch(/^HTTP Basic: Access denied\./);
  });
});

describe('credentials', () => {
  it('are an active token, with any username', async () => {
    const { fullPath, owner } = await makeProject(app);
    const path = `/${fullPath}.git/info/refs?service=git-upload-pack`;
    const token = await makeToken(app, owner);
    for (const user of ['oauth2', owner.username, '', 'anything']) {
      const answer = await raw(app, path, { headers: { Authorization: basic(token, user) } });
      expect(answer.status).toBe(200);
    }
    const expired = await makeToken(app, owner, { expiresAt: new Date(0) });
    const revoked = await makeToken(app, owner, { revokedAt: new Date() });
    const bad = [
      basic(expired),
      basic(revoked),
      basic('svcpat-nope'),
      basic(''),
      'Basic !',
      'Digest',
    ];
    for (const Authorization of bad) {
      expect((await raw(app, path, { headers: { Authorization } })).status).toBe(401);
    }
  });

  it('that are job tokens open nothing under any other user name than theirs', async () => {
    const { id, fullPath, owner } = await makeProject(app, { visibility: 20 });
    const token = await makeToken(app, owner, { kind: 'job', projectId: id });
    expect((await pull(fullPath, token)).status).toBe(401);
  });

  it('are noted as used, token and user', async () => {
    const { fullPath, owner } = await makeProject(app);
    expect((await pull(fullPath, await makeToken(app, owner))).status).toBe(200);
    await eventually(async () => {
      const [row] = await app.dataSource.query<{ isNoted: boolean }[]>(
        `SELECT t.last_used_at IS NOT NULL AND u.last_activity_on IS NOT NULL AS "isNoted"
         FROM access_tokens t JOIN users u ON u.id = t.user_id WHERE u.id = $1`,
        [owner.id],
      );
      return row?.isNoted === true;
    });
  });

  it('of a blocked user are refused with the reason', async () => {
    const { fullPath } = await makeProject(app, { visibility: 20 });
    const user = await makeUser(app, { state: 'blocked' });
    const answer = await pull(fullPath, await makeToken(app, user));
    expect([answer.status, answer.body]).toEqual([
      403,
      '403 Forbidden - Your account has been blocked.',
    ]);
  });

  it.each([
    ['read_repository', 200, 403],
    ['write_repository', 200, 200],
    ['api', 200, 200],
    ['read_api', 200, 403],
    ['read_user', 403, 403],
  ] as const)('with the scope %s pull %i and push %i', async (scope, pulled, pushed) => {
    const { fullPath, owner } = await makeProject(app);
    const token = await makeToken(app, owner, { scopes: [scope] });
    expect((await pull(fullPath, token)).status).toBe(pulled);
    const answer = await push(fullPath, token);
    expect(answer.status).toBe(pushed);
    if (pushed === 403) {
      expect(answer.body).toBe(
        'The access token lacks the scope to push: it needs write_repository or api.',
      );
    }
  });
});

describe('access to a project', () => {
  it('is denied to strangers as if there were none', async () => {
    const { fullPath } = await makeProject(app);
    const token = await makeStranger(app);
    for (const path of [fullPath, 'no/where', `${fullPath}.wiki`, `${fullPath}/snippets/1`]) {
      const answer = await pull(path, token);
      expect([answer.status, answer.body]).toEqual([404, NOT_FOUND]);
    }
  });

  it.each([
    { role: 'guest', pulled: 403, pushed: 403 },
    { role: 'reporter', pulled: 200, pushed: 403 },
    { role: 'developer', pulled: 200, pushed: 200 },
    { role: 'owner', pulled: 200, pushed: 200 },
  ] as const)('of a $role: pull $pulled, push $pushed', async ({ role, pulled, pushed }) => {
    const project = await makeProject(app);
    const { token } = await makeMember(app, project, role);
    const clone = await pull(project.fullPath, token);
    expect(clone.status).toBe(pulled);
    const refused = await push(project.fullPath, token);
    expect(refused.status).toBe(pushed);
    if (role === 'guest') {
      expect(clone.body).toBe('You are not allowed to download code from this project.');
    }
    if (role === 'reporter') {
      expect(refused.body).toBe('You are not allowed to push code to this project.');
    }
  });

  it('finds the project in any case and through a path it had before', async () => {
    const project = await makeProject(app);
    const token = await makeToken(app, project.owner);
    expect((await pull(project.fullPath.toUpperCase(), token)).status).toBe(200);
    const { manager } = app.dataSource;
    await manager.insert(RouteRedirect, { path: 'old/name', projectId: project.id });
    await manager.insert(RouteRedirect, {
      path: 'former',
      namespaceId: project.owner.namespaceId,
    });
    const [, name] = project.fullPath.split('/');
    for (const path of ['old/name', `former/${name}`, 'Old/Name']) {
      expect((await pull(path, token)).status).toBe(200);
    }
    expect((await pull('old/name/more', token)).status).toBe(404);
    expect((await pull('former/other', token)).status).toBe(404);
  });

  it('reports a missing repository or storage', async () => {
    const project = await makeProject(app);
    const token = await makeToken(app, project.owner);
    await rename(project.directory, `${project.directory}.gone`);
    for (const answer of [
      await pull(project.fullPath, token),
      await push(project.fullPath, token),
    ]) {
      expect(answer.status).toBe(503);
      expect(answer.body).toContain('The repository is missing on storage default.');
    }
    const unmade = await makeProject(app);
    await rename(unmade.directory, `${unmade.directory}.gone`);
    await app.dataSource.manager.update(Project, { id: unmade.id }, { emptyRepo: true });
    const none = await pull(unmade.fullPath, await makeToken(app, unmade.owner));
    expect(none.status).toBe(404);
    expect(none.body).toBe('A repository for this project does not exist yet.');
    const { root } = app.app.get(StorageRegistry, { strict: false }).get('default');
    await rename(root, `${root}.unmounted`);
    const away = await pull(project.fullPath, token);
    await rename(`${root}.unmounted`, root);
    expect(away.status).toBe(503);
    expect(away.headers['retry-after']).toBe('10');
    await app.dataSource.manager.update(Project, { id: project.id }, { repositoryStorage: 'lost' });
    expect((await pull(project.fullPath, token)).status).toBe(503);
  });

  it('stops pushes, not clones, during a move and when archived; the move is reported first', async () => {
    const project = await makeProject(app);
    const token = await makeToken(app, project.owner);
    const { manager } = app.dataSource;
    await manager.update(Project, { id: project.id }, { archived: true });
    const archived = await push(project.fullPath, token);
    expect(archived.status).toBe(403);
    expect(archived.body).toBe("You can't push code to an archived project.");
    await manager.update(Project, { id: project.id }, { repositoryReadOnly: true });
    const moved = await push(project.fullPath, token);
    expect([moved.status, moved.body]).toEqual([403, READ_ONLY]);
    expect(moved.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect((await pull(project.fullPath, token)).status).toBe(200);
  });

  it('ends with the deletion and with the repository feature', async () => {
    const deleted = await makeProject(app, { pendingDelete: true });
    expect((await pull(deleted.fullPath, await makeToken(app, deleted.owner))).status).toBe(404);
    const off = await makeProject(app, { repositoryEnabled: false });
    expect((await pull(off.fullPath, await makeToken(app, off.owner))).status).toBe(403);
  });
});

describe('what Git clients do not send', () => {
  it('is refused: other commands, other methods, other content types', async () => {
    const { fullPath, owner } = await makeProject(app);
    const token = await makeToken(app, owner);
    const refs = `/${fullPath}.git/info/refs`;
    const rpc = `/${fullPath}.git/git-upload-pack`;
    const notAllowed = "The command you're trying to execute is not allowed.";
    const answers = await Promise.all([
      raw(app, refs, { token }),
      raw(app, `${refs}?service=git-upload-archive`, { token }),
      raw(app, `/${fullPath}.git/HEAD`, { token }),
      raw(app, `/${fullPath}.git/objects/info/packs`, { token }),
    ]);
    for (const { status, body } of answers) expect([status, body]).toEqual([403, notAllowed]);
    const query = '?service=git-upload-pack';
    expect((await raw(app, refs + query, { token, method: 'HEAD' })).status).toBe(403);
    expect((await raw(app, refs)).status).toBe(401);
    expect((await raw(app, `/${fullPath}.git/HEAD`)).status).toBe(401);
    const deleted = await raw(app, refs + query, { token, method: 'DELETE' });
    expect([deleted.status, deleted.headers.allow]).toEqual([405, 'GET']);
    const got = await raw(app, rpc, { token });
    expect([got.status, got.headers.allow]).toEqual([405, 'POST']);
    const typed = { 'Content-Type': 'application/json' };
    const json = await raw(app, rpc, { token, method: 'POST', headers: typed, body: '{}' });
    expect(json.status).toBe(415);
  });

  it.each([
    ['POST', 'info/lfs/objects/batch'],
    ['POST', 'info/lfs/locks/verify'],
    ['GET', 'info/lfs/locks'],
    ['PUT', `info/lfs/objects/${'a'.repeat(64)}/5`],
  ])('%s %s returns that LFS is not supported, with any credentials', async (method, below) => {
    const { fullPath, owner } = await makeProject(app);
    const token = await makeToken(app, owner);
    for (const viewer of [{}, { token }, { token: 'wrong' }]) {
      const answer = await raw(app, `/${fullPath}.git/${below}`, { method, body: '{}', ...viewer });
      expect(answer.status).toBe(501);
      expect(answer.headers['content-type']).toBe('application/vnd.git-lfs+json');
      expect(answer.headers).not.toHaveProperty('www-authenticate');
      expect(JSON.parse(answer.body)).toEqual({ message: 'LFS is not supported on this server' });
    }
  });

  it('is led to the address with .git', async () => {
    const answer = await raw(app, '/some/project/info/refs?service=git-upload-pack');
    expect(answer.status).toBe(301);
    expect(answer.headers.location).toBe('/some/project.git/info/refs?service=git-upload-pack');
    expect((await raw(app, '/some/project/info/refs')).status).toBe(404);
  });

  it('is a page where its path is below /-/, and none of ours', async () => {
    const { fullPath } = await makeProject(app, { visibility: 20 });
    for (const path of [`/${fullPath}/-/blob/main/x.git/info/refs`, '/api/v4/x.git/info/refs']) {
      const answer = await raw(app, `${path}?service=git-upload-pack`);
      expect(answer.status).toBe(404);
      expect(answer.headers).not.toHaveProperty('www-authenticate');
    }
  });

  it.each(['//evil.example/x', '/\\evil.example/x', '///evil.example/x', '/\\/evil.example'])(
    'is never redirected to another host by %s',
    async (path) => {
      const { hostname, port } = new URL(app.url);
      const target = `${path}/info/refs?service=git-upload-pack`;
      const head = `GET ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`;
      expect(await sendRaw(app.url, head)).toMatch(/^HTTP\/1\.1 404 /);
    },
  );
});

describe('wikis and snippets', () => {
  it('of a project are read by who sees it and made by the first push', async () => {
    const project = await makeProject(app, { visibility: 20 });
    const path = `${project.fullPath}.wiki`;
    expect((await pull(path)).status).toBe(404);
    const { token } = await makeMember(app, project, 'developer');
    const reporter = await makeMember(app, project, 'reporter');
    expect((await push(path, reporter.token)).status).toBe(403);
    expect((await pull(path)).status).toBe(404);
    expect((await push(path, token)).status).toBe(200);
    expect((await pull(path)).status).toBe(200);
  });

  it('of a group belong to its members', async () => {
    const group = await makeGroup(app, { visibility: 20 });
    const admin = await makeAdmin(app);
    const path = `${group.fullPath}.wiki`;
    expect((await push(path, await makeStranger(app))).status).toBe(403);
    expect((await push(path, admin.token)).status).toBe(200);
    expect((await pull(path)).status).toBe(200);
  });

  it('personal ones belong to their author', async () => {
    const author = await makeUser(app);
    const hidden = await makeSnippet(app, { authorId: author.id });
    const open = await makeSnippet(app, { authorId: author.id, visibility: 20 });
    const token = await makeToken(app, author);
    const stranger = await makeStranger(app);
    expect((await push(`snippets/${hidden.id}`, token)).status).toBe(200);
    expect((await pull(`snippets/${hidden.id}`, stranger)).status).toBe(404);
    expect((await pull(`snippets/${open.id}`)).status).toBe(200);
    expect((await push(`snippets/${open.id}`, stranger)).status).toBe(403);
  });

  it('in projects are found below their project only', async () => {
    const project = await makeProject(app, { visibility: 20 });
    const author = await makeUser(app);
    const { id } = await makeSnippet(app, {
      authorId: author.id,
      projectId: project.id,
      visibility: 20,
    });
    const other = await makeProject(app, { visibility: 20 });
    const token = await makeStranger(app);
    expect((await pull(`${project.fullPath}/snippets/${id}`)).status).toBe(200);
    expect((await pull(`${other.fullPath}/snippets/${id}`, token)).status).toBe(404);
    expect((await pull(`snippets/${id}`, token)).status).toBe(404);
    const maintainer = await makeMember(app, project, 'maintainer');
    const developer = await makeMember(app, project, 'developer');
    const path = `${project.fullPath}/snippets/${id}`;
    expect((await push(path, maintainer.token)).status).toBe(200);
    expect((await push(path, developer.token)).status).toBe(403);
  });

  it('in projects keep to what the API lets people see and change', async () => {
    const project = await makeProject(app, { visibility: 20 });
    const { user, token } = await makeMember(app, project, 'guest');
    const { id } = await makeSnippet(app, { authorId: user.id, projectId: project.id });
    const path = `${project.fullPath}/snippets/${id}`;
    const reporter = await makeMember(app, project, 'reporter');
    expect((await push(path, token)).status).toBe(200);
    expect((await push(path, reporter.token)).status).toBe(403);
    expect((await pull(path, await makeStranger(app))).status).toBe(404);
    const { manager } = app.dataSource;
    await manager.insert(RouteRedirect, { path: `was/${id}`, projectId: project.id });
    expect((await pull(`was/${id}/snippets/${id}`, token)).status).toBe(200);
    await manager.update(Project, { id: project.id }, { archived: true });
    expect((await push(path, token)).body).toBe("You can't push code to an archived project.");
    await manager.update(Project, { id: project.id }, { snippetsEnabled: false });
    expect((await pull(path, token)).status).toBe(404);
  });

  it('are not mistaken for a project called like a number', async () => {
    const project = await makeProject(app, { path: '7', visibility: 20 });
    const { manager } = app.dataSource;
    await manager.query(
      `INSERT INTO namespaces (kind, name, path, full_path, full_name)
       VALUES ('group', 'snippets', 'snippets', $1, $1)`,
      ['deep/snippets'],
    );
    await manager.query(
      `UPDATE projects SET namespace_id =
         (SELECT id FROM namespaces WHERE full_path = 'deep/snippets') WHERE id = $1`,
      [project.id],
    );
    expect((await pull('deep/snippets/7')).status).toBe(200);
    await makeRepository(app, { kind: 'wiki', containerId: project.id });
    expect((await pull('deep/snippets/7.wiki')).status).toBe(200);
  });
});
