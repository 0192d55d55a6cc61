import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { startTestApp, type OwnTestApp } from './app.js';
import { makeUser } from './factories.js';
import { makeGitSandbox } from './git.js';
import { startTestWorker } from './worker.js';

describe('the application of a test file', () => {
  let app: OwnTestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it('answers over HTTP at the address its configuration names', async () => {
    const response = await fetch(`${app.url}/api/v4/no-such-thing`);
    expect(response.status).toBe(404);
    expect(app.config.baseUrl).toBe(app.url);
  });

  it('shares its rows with a worker on the same configuration', async () => {
    const user = await makeUser(app);
    const worker = await startTestWorker(app);
    const found = await worker
      .get(DataSource)
      .query<unknown[]>('SELECT username FROM users WHERE id = $1', [user.id]);
    await worker.close();
    expect(found).toEqual([{ username: user.username }]);
  });
});

describe('a git sandbox', () => {
  it('commits without a git configuration', async () => {
    const git = await makeGitSandbox();
    await git.run(['init', '--quiet', 'clone']);
    const id = await git.commit('clone', 'docs/a.txt', 'hello\n');
    expect(await git.run(['show', 'main:docs/a.txt'], 'clone')).toBe('hello');
    expect(id).toMatch(/^[0-9a-f]{40}$/);
    await git.remove();
  });
});
