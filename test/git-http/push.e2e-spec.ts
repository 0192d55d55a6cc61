import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gitOutput } from '../../src/git/git-process.js';
import { headBranch, listReferences } from '../../src/git/git-repository.js';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { RouteRedirect } from '../../src/identity/users/namespace.entity.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { Snippet } from '../../src/workspace/snippets/snippet.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeToken, makeUser } from '../support/factories.js';
import { type GitSandbox, makeGitSandbox } from '../support/git.js';
import { processesIn } from '../support/processes.js';
import { makePack, pushBody, SlowPush } from './raw-push.js';
import {
  cloneUrl,
  makeMember,
  makeProject,
  makeSnippet,
  openWrites,
  raw,
  recordedUpdates,
} from './world.js';

const ZERO = '0'.repeat(40);
const READ_ONLY = 'The repository is temporarily read-only. Please try again later.';

let app: OwnTestApp;
let git: GitSandbox;
beforeAll(async () => {
  [app, git] = await Promise.all([startTestApp(), makeGitSandbox()]);
});
afterAll(async () => {
  await Promise.all([app.close(), git.remove()]);
});

let clones = 0;
/** Clones into a new folder of the sandbox; answers the folder. */
async function clone(path: string, token: string): Promise<string> {
  const directory = `clone${(clones += 1)}`;
  await git.run(['clone', '--quiet', cloneUrl(app, path, token), directory]);
  return directory;
}

/** A project, one of its members and the member's clone. */
async function setUp(role: 'owner' | 'maintainer' | 'developer' = 'maintainer') {
  const project = await makeProject(app);
  const { user, token } = await makeMember(app, project, role);
  return { project, user, token, directory: await clone(project.fullPath, token) };
}

async function refOf(directory: string, name: string): Promise<string | undefined> {
  return (await listReferences(directory)).find((reference) => reference.name === name)?.oid;
}

describe('a push with a commit of megabytes', () => {
  it('is refused with the reason', async () => {
    const { project, directory } = await setUp('developer');
    await writeFile(join(git.path, directory, 'message'), 'x'.repeat(1_100_000));
    await git.run(['checkout', '-q', '-b', 'wordy'], directory);
    await git.run(['commit', '-q', '--allow-empty', '-F', 'message'], directory);
    const { code, stderr } = await git.try(['push', '-q', 'origin', 'wordy'], directory);
    expect(code).not.toBe(0);
    expect(stderr).toContain('The push contains a commit or tag larger than 1 MiB.');
    expect(await refOf(project.directory, 'refs/heads/wordy')).toBeUndefined();
    await git.run(['commit', '-q', '--amend', '--allow-empty', '-m', 'Short'], directory);
    await git.run(['push', '-q', 'origin', 'wordy'], directory);
  });
});

describe('an accepted push', () => {
  it('creates, updates and removes refs, each recorded once', async () => {
    const { project, user, directory } = await setUp('developer');
    const first = await git.commit(directory, 'a.txt', 'a');
    await git.run(['push', 'origin', 'HEAD:feature'], directory);
    const second = await git.commit(directory, 'a.txt', 'b');
    await git.run(['push', 'origin', 'HEAD:feature', 'HEAD:refs/tags/v2'], directory);
    await git.run(['push', 'origin', ':feature'], directory);
    const recorded = await recordedUpdates(app, project.id);
    const by = { user_id: user.id };
    expect(recorded.sort((a, b) => String(a['ref']).localeCompare(String(b['ref'])))).toEqual([
      { ...by, ref: 'refs/heads/feature', old_oid: ZERO, new_oid: first },
      { ...by, ref: 'refs/heads/feature', old_oid: first, new_oid: second },
      { ...by, ref: 'refs/heads/feature', old_oid: second, new_oid: ZERO },
      { ...by, ref: 'refs/tags/v2', old_oid: ZERO, new_oid: second },
    ]);
    expect(await refOf(project.directory, 'refs/tags/v2')).toBe(second);
    expect(await openWrites(app)).toBe(0);
  });

  it('can contain commit notes', async () => {
    const { project, directory } = await setUp('developer');
    await git.run(['notes', 'add', '-m', 'Reviewed', 'HEAD'], directory);
    await git.run(['push', 'origin', 'refs/notes/commits'], directory);
    expect(await refOf(project.directory, 'refs/notes/commits')).toBeDefined();
  });

  it('records all branches of one push under one write', async () => {
    const { project, directory } = await setUp('developer');
    await git.commit(directory, 'a.txt', 'a');
    await git.run(['push', 'origin', 'HEAD:b1', 'HEAD:b2', 'HEAD:b3', 'HEAD:b4'], directory);
    const [count] = await app.dataSource.query<Record<string, number>[]>(
      `SELECT count(*)::int AS refs, count(DISTINCT write_id)::int AS writes
       FROM ref_updates WHERE container_id = $1`,
      [project.id],
    );
    expect(count).toEqual({ refs: 4, writes: 1 });
  });

  it('of 3 MB is probed first, sent in chunks and recorded once', async () => {
    const { project, directory } = await setUp();
    await writeFile(join(git.path, directory, 'big'), randomBytes(3 * 1024 * 1024));
    await git.run(['add', 'big'], directory);
    await git.run(['commit', '--quiet', '-m', 'Big'], directory);
    const { code, stderr } = await git.try(
      ['-c', 'http.postBuffer=65536', 'push', 'origin', 'main'],
      directory,
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining('main -> main')]);
    expect(await recordedUpdates(app, project.id)).toHaveLength(1);
    await gitOutput(['fsck', '--full'], { cwd: project.directory });
  });

  it('touches the project and ends its being empty', async () => {
    const project = await makeProject(app, { empty: true, lastActivityAt: new Date(0) });
    const { token } = await makeMember(app, project, 'maintainer');
    const directory = await clone(project.fullPath, token);
    await git.run(['checkout', '--quiet', '-b', 'trunk'], directory);
    await git.commit(directory, 'a.txt', 'a');
    await git.run(['push', 'origin', 'trunk'], directory);
    const row = await app.dataSource.manager.findOneByOrFail(Project, { id: project.id });
    expect(row).toMatchObject({ emptyRepo: false, defaultBranch: 'trunk' });
    expect(Date.now() - row.lastActivityAt.getTime()).toBeLessThan(60_000);
    expect(await headBranch(project.directory)).toBe('trunk');
  });

  it('to an old path shows the new one', async () => {
    const { project, directory } = await setUp();
    const path = `old/p${project.id}`;
    await app.dataSource.manager.insert(RouteRedirect, { path, projectId: project.id });
    const token = await makeToken(app, project.owner);
    await git.commit(directory, 'a.txt', 'a');
    const { code, stderr } = await git.try(['push', cloneUrl(app, path, token), 'main'], directory);
    expect(code).toBe(0);
    expect(stderr).toContain(`remote: Project '${path}' was moved to '${project.fullPath}'.`);
    expect(stderr).toContain('remote: Please update your Git remote:');
    expect(stderr).toContain(`git remote set-url origin ${app.url}/${project.fullPath}.git`);
  });
});

describe('the probe of a large push', () => {
  it('is answered without being a push', async () => {
    const project = await makeProject(app);
    const token = await makeToken(app, project.owner);
    const answer = await raw(app, `/${project.fullPath}.git/git-receive-pack`, {
      method: 'POST',
      token,
      headers: {
        'Content-Type': 'application/x-git-receive-pack-request',
        'Content-Length': '4',
      },
      body: '0000',
    });
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(answer.headers['content-type']).toBe('application/x-git-receive-pack-result');
    expect(await recordedUpdates(app, project.id)).toEqual([]);
  });
});

describe('a refused push', () => {
  async function expectRefusal(directory: string, args: string[], reason: string): Promise<void> {
    const { code, stderr } = await git.try(['push', 'origin', ...args], directory);
    expect(stderr).toContain(`remote: Guildhall: ${reason}`);
    expect(stderr).toContain('(pre-receive hook declined)');
    expect(code).toBe(1);
  }

  it('of a Developer to the default branch leaves no trace', async () => {
    const { project, directory } = await setUp('developer');
    const before = await refOf(project.directory, 'refs/heads/main');
    await git.commit(directory, 'a.txt', 'a');
    await expectRefusal(
      directory,
      ['main'],
      'You are not allowed to push code to protected branches on this project.',
    );
    expect(await refOf(project.directory, 'refs/heads/main')).toBe(before);
    expect(await recordedUpdates(app, project.id)).toEqual([]);
    expect(await openWrites(app)).toBe(0);
    // The quarantine is gone: nothing but the first commit's objects is left.
    const count = await gitOutput(['count-objects', '-v'], { cwd: project.directory });
    expect(count.toString()).toContain('count: 3\n');
  });

  it('also of a Developer who would make the default branch of an empty project', async () => {
    const project = await makeProject(app, { empty: true });
    const { token } = await makeMember(app, project, 'developer');
    const directory = await clone(project.fullPath, token);
    await git.commit(directory, 'a.txt', 'a');
    await expectRefusal(
      directory,
      ['HEAD:main'],
      'You are not allowed to push code to protected branches on this project.',
    );
    await git.run(['push', 'origin', 'HEAD:feature'], directory);
  });

  it('of anyone who deletes or rewrites the default branch', async () => {
    const { directory } = await setUp('owner');
    await expectRefusal(directory, [':main'], 'The default branch of a project cannot be deleted.');
    await git.run(['commit', '--quiet', '--amend', '-m', 'Rewritten'], directory);
    await expectRefusal(
      directory,
      ['--force', 'main'],
      'You are not allowed to force push code to a protected branch on this project.',
    );
  });

  it('of a Developer who changes a tag; a Maintainer may', async () => {
    const { project, directory } = await setUp('developer');
    await git.run(['push', 'origin', 'main:refs/tags/v1'], directory);
    await git.commit(directory, 'a.txt', 'a');
    const reason = 'You are not allowed to change existing tags on this project.';
    await expectRefusal(directory, ['--force', 'main:refs/tags/v1'], reason);
    await expectRefusal(directory, [':refs/tags/v1'], reason);
    const { token } = await makeMember(app, project, 'maintainer');
    await git.run(['push', cloneUrl(app, project.fullPath, token), ':refs/tags/v1'], directory);
  });

  it('with a branch that is called like a commit', async () => {
    const { directory } = await setUp('owner');
    for (const name of ['a'.repeat(40), 'B'.repeat(64)]) {
      await expectRefusal(
        directory,
        [`main:refs/heads/${name}`],
        'You cannot create a branch with a SHA-1 or SHA-256 branch name.',
      );
    }
  });

  it('of anyone who makes, moves or removes the head of a merge request', async () => {
    const { project, directory } = await setUp('owner');
    const ref = 'refs/merge-requests/1/head';
    await gitOutput(['update-ref', ref, 'main'], { cwd: project.directory });
    await git.commit(directory, 'a.txt', 'a');
    const reason = 'You are not allowed to change refs that the server keeps.';
    for (const spec of [`+HEAD:${ref}`, `:${ref}`, 'HEAD:refs/merge-requests/2/head']) {
      await expectRefusal(directory, [spec], reason);
    }
    expect(await refOf(project.directory, ref)).toBe(
      await refOf(project.directory, 'refs/heads/main'),
    );
    expect(await recordedUpdates(app, project.id)).toEqual([]);
  });

  it.each(['replace', 'pipelines', 'environments'])(
    'of anyone who pushes below refs/%s',
    async (name) => {
      const { project, directory } = await setUp('owner');
      const reason = 'You are not allowed to change refs that the server keeps.';
      for (const ref of [`refs/${name}/1`, `refs/${name}`]) {
        await git.commit(directory, 'a.txt', ref);
        await expectRefusal(directory, [`HEAD:${ref}`], reason);
        expect(await refOf(project.directory, ref)).toBeUndefined();
      }
    },
  );

  it('updates none of its refs when one is refused', async () => {
    const { project, directory } = await setUp('developer');
    await git.commit(directory, 'a.txt', 'a');
    await expectRefusal(directory, ['HEAD:fine', 'main'], 'You are not allowed to push code to');
    expect(await refOf(project.directory, 'refs/heads/fine')).toBeUndefined();
  });
});

describe('a push and a move', () => {
  it('refuses the push at its discovery with readable text', async () => {
    const { project, directory } = await setUp();
    await app.dataSource.manager.update(Project, { id: project.id }, { repositoryReadOnly: true });
    await git.commit(directory, 'a.txt', 'a');
    const { code, stderr } = await git.try(['push', 'origin', 'main'], directory);
    expect(code).toBe(128);
    expect(stderr).toContain(`remote: ${READ_ONLY}`);
    expect(stderr).toContain('The requested URL returned error: 403');
    await git.run(['fetch'], directory);
  });

  it('refuses a push during the move in the words of git, and accepts it afterwards', async () => {
    const { project, body, slow } = await preparePush();
    await app.dataSource.manager.update(Project, { id: project.id }, { repositoryReadOnly: true });
    const first = slow();
    first.write(body);
    first.end();
    const refused = await first.answer();
    expect(refused.status).toBe(200);
    expect(refused.body).toContain(`Guildhall: ${READ_ONLY}`);
    expect(refused.body).toContain('pre-receive hook declined');
    await app.dataSource.manager.update(Project, { id: project.id }, { repositoryReadOnly: false });
    const second = slow();
    second.write(body);
    second.end();
    expect((await second.answer()).body).toContain('ok refs/heads/main');
  });

  it('finds the repository again that a move took away before git could enter it', async () => {
    const { project, body, slow } = await preparePush();
    const storages = app.app.get(StorageRegistry, { strict: false });
    const absolutePath = storages.absolutePath.bind(storages);
    let calls = 0;
    storages.absolutePath = (address) => {
      calls += 1;
      const path = absolutePath(address);
      // The first call lets the request in, the second one is for git.
      return calls === 2 ? `${path}.gone` : path;
    };
    const push = slow();
    push.write(body);
    push.end();
    const answer = await push.answer();
    storages.absolutePath = absolutePath;
    expect(answer.body).toContain('ok refs/heads/main');
    expect(await recordedUpdates(app, project.id)).toHaveLength(1);
  });

  it('accepts a push that is in progress when a move starts', async () => {
    const { project, body, slow } = await preparePush();
    const push = slow();
    push.write(body.subarray(0, 150));
    await eventually(async () => (await openWrites(app)) === 1);
    await app.dataSource.manager.update(Project, { id: project.id }, { repositoryReadOnly: true });
    push.write(body.subarray(150));
    push.end();
    expect((await push.answer()).body).toContain('ok refs/heads/main');
    expect(await recordedUpdates(app, project.id)).toHaveLength(1);
    expect(await openWrites(app)).toBe(0);
  });

  it('refuses a push whose lease was taken for dead while its pack came in', async () => {
    const { project, body, slow } = await preparePush();
    const push = slow();
    push.write(body.subarray(0, 150));
    await eventually(async () => (await openWrites(app)) === 1);
    await app.dataSource.query('DELETE FROM inflight_writes');
    push.write(body.subarray(150));
    push.end();
    expect((await push.answer()).body).toContain(`Guildhall: ${READ_ONLY}`);
    expect(await recordedUpdates(app, project.id)).toEqual([]);
  });
});

describe('a client that disappears', () => {
  it('while the hook runs does not stop the push, which is recorded once', async () => {
    const { project, body, slow, newOid } = await preparePush();
    const push = slow();
    push.write(body.subarray(0, 150));
    await eventually(async () => (await openWrites(app)) === 1);
    // pre-receive has to write to this row and waits for the lock.
    const holder = app.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT 1 FROM inflight_writes FOR UPDATE');
    push.write(body.subarray(150));
    push.end();
    await eventually(isHookWaiting);
    push.abort();
    await eventually(async () => (await connections()) === 0);
    await holder.rollbackTransaction();
    await holder.release();
    await eventually(async () => (await openWrites(app)) === 0);
    expect(await refOf(project.directory, 'refs/heads/main')).toBe(newOid);
    expect(await recordedUpdates(app, project.id)).toHaveLength(1);
  });

  it('before its body was complete leaves no refs, objects or processes', async () => {
    const { project, body, slow, oldOid } = await preparePush();
    const push = slow();
    push.write(body.subarray(0, body.length - 5));
    await eventually(async () => (await openWrites(app)) === 1);
    push.abort();
    await eventually(async () => (await openWrites(app)) === 0);
    expect(await refOf(project.directory, 'refs/heads/main')).toBe(oldOid);
    expect(await recordedUpdates(app, project.id)).toEqual([]);
    await eventually(async () => (await processesIn(project.directory)).length === 0);
    expect(await readdir(join(project.directory, 'objects'))).not.toContainEqual(
      expect.stringContaining('incoming'),
    );
  });
});

async function preparePush() {
  const { project, token, directory } = await setUp();
  const newOid = await git.commit(directory, 'a.txt', randomBytes(2000).toString('hex'));
  const oldOid = (await refOf(project.directory, 'refs/heads/main')) ?? '';
  const pack = await makePack(join(git.path, directory), newOid, oldOid);
  const body = pushBody({ ref: 'refs/heads/main', oldOid, newOid, pack });
  const slow = (): SlowPush => new SlowPush(app, project.fullPath, token);
  return { project, body, slow, newOid, oldOid };
}

/** The heartbeat of writes can wait, too. */
async function isHookWaiting(): Promise<boolean> {
  const [row] = await app.dataSource.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%SET commands%'`,
  );
  return row?.n === 1;
}

function connections(): Promise<number> {
  const server = app.app.getHttpServer() as Server;
  return promisify(server.getConnections.bind(server))();
}

describe('a push to a snippet', () => {
  async function setUpSnippet() {
    const author = await makeUser(app);
    const snippet = await makeSnippet(app, { authorId: author.id });
    const directory = await clone(`snippets/${snippet.id}`, await makeToken(app, author));
    return { snippet, directory };
  }

  it('updates its list of files', async () => {
    const { snippet, directory } = await setUpSnippet();
    await git.commit(directory, 'dir/b.txt', 'b');
    await git.run(['push', 'origin', 'main'], directory);
    const row = await app.dataSource.manager.findOneByOrFail(Snippet, { id: snippet.id });
    expect(row.filePaths).toEqual(['README.md', 'dir/b.txt']);
    expect(await recordedUpdates(app, snippet.id, 'snippet')).toHaveLength(1);
  });

  it('may neither add branches and tags nor more than 10 files nor remove all', async () => {
    const { directory } = await setUpSnippet();
    for (const refspec of ['main:other', 'main:refs/tags/v1', ':main']) {
      const { stderr } = await git.try(['push', 'origin', refspec], directory);
      expect(stderr).toContain('Guildhall: You can not create or delete branches.');
    }
    for (let file = 0; file < 10; file += 1) await git.commit(directory, `${file}.txt`, 'x');
    const many = await git.try(['push', 'origin', 'main'], directory);
    expect(many.stderr).toContain('Guildhall: The repository can contain at most 10 file(s).');
    await git.run(['rm', '--quiet', '-r', '.'], directory);
    await git.run(['commit', '--quiet', '-m', 'Nothing'], directory);
    const none = await git.try(['push', 'origin', 'main'], directory);
    expect(none.stderr).toContain('Guildhall: The repository must contain at least 1 file.');
  });
});
