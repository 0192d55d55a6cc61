import { access, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commitFiles } from '../../src/git/git-commit.js';
import { AbandonedWrites } from '../../src/git/abandoned-writes.service.js';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { WriteLeaseService } from '../../src/git/write-lease.service.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeGitSandbox, type GitSandbox } from '../support/git.js';
import { makeSnippet } from '../support/snippet-factories.js';

let app: TestApp;
let author: MadeActor;
let sandbox: GitSandbox;

beforeAll(async () => {
  [app, sandbox] = await Promise.all([sharedTestApp(), makeGitSandbox()]);
  author = await makeActor(app);
});
afterAll(() => sandbox.remove());

function repositoryOf(id: number, storage = 'default'): string {
  return app.app.get(StorageRegistry).absolutePath({ storage, kind: 'snippet', containerId: id });
}

async function create(body: object): Promise<number> {
  const response = await author.api.post('/snippets', { title: 'Snippet', ...body });
  return (response.body as { id: number }).id;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function rows(text: string, ...values: unknown[]): Promise<unknown[]> {
  return app.dataSource.query(text, values);
}

async function paths(id: number): Promise<string[]> {
  const { body } = await author.api.get(`/snippets/${id}`);
  return (body as { files: { path: string }[] }).files.map(({ path }) => path);
}

describe('the repository of a snippet', () => {
  it('is a sound one with one commit per request on main', async () => {
    const id = await create({
      files: [
        { file_path: 'a.txt', content: 'ä' },
        { file_path: 'src/b.txt', content: 'b' },
      ],
    });
    await author.api.put(`/snippets/${id}`, {
      files: [{ action: 'move', previous_path: 'a.txt', file_path: 'src/a.txt' }],
    });
    const git = (...args: string[]) => sandbox.run(['-C', repositoryOf(id), ...args]);

    expect(await git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(await git('log', '--format=%s by %an <%ae>')).toBe(
      [
        `Update snippet by ${author.user.name} <${author.user.email}>`,
        `Initial commit by ${author.user.name} <${author.user.email}>`,
      ].join('\n'),
    );
    expect(await git('ls-tree', '-r', '--name-only', 'main')).toBe('src/a.txt\nsrc/b.txt');
    expect(await git('show', 'main:src/a.txt')).toBe('ä');
    await git('fsck', '--full', '--strict');
  });

  it('can be cloned by its address, and pushed to by its author', async () => {
    const id = await create({ content: 'one', file_name: 'one.txt' });
    const { body } = await author.api.get(`/snippets/${id}`);
    const url = new URL((body as { http_url_to_repo: string }).http_url_to_repo);
    Object.assign(url, { username: 'oauth2', password: author.token });
    await sandbox.run(['clone', '--quiet', url.href, `clone-${id}`]);
    await sandbox.commit(`clone-${id}`, 'two.txt', 'two');
    await sandbox.run(['push', '--quiet', 'origin', 'main'], `clone-${id}`);

    expect(await paths(id)).toEqual(['one.txt', 'two.txt']);
    const raw = await author.api.get(`/snippets/${id}/files/main/two.txt/raw`);
    expect(raw.text).toBe('two');
  });

  it('records an update over the API like a push, once', async () => {
    const id = await create({ content: 'one', file_name: 'one.txt' });
    await author.api.put(`/snippets/${id}`, { content: 'two' });

    const updates = await rows(
      `SELECT ref, user_id FROM ref_updates WHERE repository_kind = 'snippet' AND container_id = $1`,
      id,
    );
    expect(updates).toEqual([{ ref: 'refs/heads/main', user_id: author.user.id }]);
    expect(await rows('SELECT 1 FROM inflight_writes WHERE container_id = $1', id)).toEqual([]);
  });

  it('takes concurrent updates one after the other without losing any', async () => {
    const id = await create({ content: 'one', file_name: '0.txt' });
    const responses = await Promise.all(
      [1, 2].map((n) =>
        author.api.put(`/snippets/${id}`, {
          files: [{ action: 'create', file_path: `${n}.txt`, content: 'x' }],
        }),
      ),
    );

    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await paths(id)).toEqual(['0.txt', '1.txt', '2.txt']);
  });

  it('is made by the first update when there is none', async () => {
    const { id } = await makeSnippet(app, { authorId: author.user.id, files: null });
    const response = await author.api.put(`/snippets/${id}`, { content: 'x', file_name: 'x.txt' });

    expect(response.body).toMatchObject({ file_name: 'x.txt' });
    expect(response.body).toHaveProperty('http_url_to_repo');
  });

  it('lies on the storage that its row names, also after a move', async () => {
    const snippet = await makeSnippet(app, {
      authorId: author.user.id,
      repositoryStorage: 'storage2',
    });
    expect((await author.api.get(`/snippets/${snippet.id}/raw`)).text).toBe('Notes\n');

    await author.api.put(`/snippets/${snippet.id}`, { content: 'New' });
    expect(await sandbox.run(['-C', snippet.repositoryPath, 'show', 'main:notes.txt'])).toBe('New');
  });
});

describe('while a snippet is moved', () => {
  const READ_ONLY = {
    message: 'The repository is temporarily read-only. Please try again later.',
  };
  async function makeMoving(state = 'started'): Promise<number> {
    const { id } = await makeSnippet(app, { authorId: author.user.id });
    await rows(
      `INSERT INTO snippet_repository_storage_moves
         (snippet_id, state, source_storage_name, destination_storage_name)
       VALUES ($1, $2, 'default', 'storage2')`,
      id,
      state,
    );
    const isReadOnly = state !== 'replicated';
    await rows('UPDATE snippets SET repository_read_only = $2 WHERE id = $1', id, isReadOnly);
    return id;
  }

  it('its files cannot change, but its title can', async () => {
    const id = await makeMoving();
    const response = await author.api.put(`/snippets/${id}`, { title: 'New', content: 'x' });

    expect([response.status, response.body]).toEqual([400, READ_ONLY]);
    expect((await author.api.get(`/snippets/${id}/raw`)).text).toBe('Notes\n');
    expect((await author.api.put(`/snippets/${id}`, { title: 'New' })).status).toBe(200);
    expect(await rows('SELECT 1 FROM inflight_writes WHERE container_id = $1', id)).toEqual([]);
  });

  it.each(['scheduled', 'started', 'replicated'])('(%s) it is not deleted: 409', async (state) => {
    const id = await makeMoving(state);
    const response = await author.api.delete(`/snippets/${id}`);

    expect([response.status, response.body]).toEqual([
      409,
      {
        message:
          "A related snippet repository storage move is in progress. Try again when it's complete.",
      },
    ]);
    expect((await author.api.get(`/snippets/${id}/raw`)).status).toBe(200);
  });

  it.each(['finished', 'failed'])('after a %s move it is deleted', async (state) => {
    const id = await makeMoving(state);
    await rows('UPDATE snippets SET repository_read_only = false WHERE id = $1', id);

    expect((await author.api.delete(`/snippets/${id}`)).status).toBe(204);
  });
});

describe('a deleted snippet', () => {
  it('has its repository in the trash of its storage, for the janitor to find', async () => {
    const id = await create({ content: 'one', file_name: 'one.txt' });
    expect((await author.api.delete(`/snippets/${id}`)).status).toBe(204);

    expect(await exists(repositoryOf(id))).toBe(false);
    const [trash] = await rows(
      'SELECT storage, path FROM repository_trash WHERE reason = $1',
      `snippet-${id} deleted`,
    );
    expect(trash).toEqual({ storage: 'default', path: `+svc/trash/snippet-${id}-deleted.git` });
    const { root } = app.app.get(StorageRegistry).get('default');
    expect(await exists(`${root}/+svc/trash/snippet-${id}-deleted.git/HEAD`)).toBe(true);
    expect(await rows('SELECT 1 FROM inflight_writes WHERE container_id = $1', id)).toEqual([]);
  });

  it('leaves an audit row', async () => {
    const id = await create({ content: 'one', file_name: 'one.txt' });
    await author.api.delete(`/snippets/${id}`);

    const audit = `SELECT author_id, action FROM audit_events
      WHERE target_type = 'Snippet' AND target_id = $1`;
    expect(await rows(audit, id)).toEqual([
      { author_id: author.user.id, action: 'snippet_deleted' },
    ]);
  });
});

describe('when a process dies', () => {
  async function letLeasesDie(): Promise<void> {
    await rows(`UPDATE inflight_writes SET heartbeat_at = now() - interval '61 seconds'`);
    await app.app.get(AbandonedWrites, { strict: false }).recover();
  }
  const leaseFor = (id: number) =>
    app.app
      .get(WriteLeaseService, { strict: false })
      .acquire({ kind: 'snippet', containerId: id, userId: author.user.id });

  it('between commit and row, the row follows git', async () => {
    const { id, repositoryPath } = await makeSnippet(app, { authorId: author.user.id });
    const lease = await leaseFor(id);
    await commitFiles(repositoryPath, {
      branch: 'main',
      message: 'Update snippet',
      author: { name: 'A', email: 'a@example.com', date: new Date() },
      changes: [{ path: 'late.txt', content: 'late' }],
      confirm: async (command) => {
        await lease.confirm([command]);
      },
    });
    lease.abandon();
    expect(await paths(id)).toEqual(['notes.txt']);

    await letLeasesDie();

    expect(await paths(id)).toEqual(['late.txt', 'notes.txt']);
  });

  it('between the deletion of the row and the trash, the repository follows', async () => {
    const { id, repositoryPath } = await makeSnippet(app, { authorId: author.user.id });
    const lease = await leaseFor(id);
    await rows('DELETE FROM snippets WHERE id = $1', id);
    lease.abandon();

    await letLeasesDie();

    expect(await exists(repositoryPath)).toBe(false);
    expect(await rows('SELECT 1 FROM inflight_writes WHERE container_id = $1', id)).toEqual([]);
  });

  it('before the row of a new snippet, nothing shows and the next one is made', async () => {
    const before = await create({ content: 'one', file_name: 'one.txt' });
    await rows('DELETE FROM snippets WHERE id = $1', before);

    expect((await author.api.get(`/snippets/${before}`)).status).toBe(404);
    const after = await create({ content: 'one', file_name: 'one.txt' });
    expect(after).toBeGreaterThan(before);
    await rm(repositoryOf(before), { recursive: true });
  });
});
