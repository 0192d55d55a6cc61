import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { changeSettings } from '../support/settings.js';
import { clientOf, idsOf, refusalOf, type Client } from './client.js';

const SPAM = Array.from({ length: 61 }, (_, n) => `Buy https://shop${n}.example/ now`).join('\n');

let app: TestApp;
let author: MadeActor;
let client: Client;
beforeAll(async () => {
  app = await startTestApp();
  author = await makeActor(app);
  client = clientOf(app, author);
});
afterAll(() => app.close());

describe('issues', () => {
  it('are created, shown, changed, closed and removed', async () => {
    const project = await client.Projects.create({ name: unique('project-') });
    const path = String(project.path_with_namespace);
    const created = await client.Issues.create(path, 'It squeaks', { description: 'Loudly' });
    expect(created).toMatchObject({
      iid: 1,
      project_id: project.id,
      title: 'It squeaks',
      state: 'opened',
      author: { id: author.user.id },
      references: { full: `${path}#1` },
    });
    await client.Issues.edit(project.id, created.iid, { title: 'It squeals', confidential: true });
    const closed = await client.Issues.edit(project.id, created.iid, { stateEvent: 'close' });
    expect(closed).toMatchObject({ title: 'It squeals', confidential: true, state: 'closed' });
    expect(await client.Issues.show(created.iid, { projectId: project.id })).toMatchObject({
      closed_by: { id: author.user.id },
    });
    await client.Issues.remove(project.id, created.iid);
    const gone = client.Issues.show(created.iid, { projectId: project.id });
    expect((await refusalOf(gone)).status).toBe(404);
  });

  it('are listed per project and over all projects, by their filters', async () => {
    const project = await client.Projects.create({ name: unique('project-') });
    const word = unique('word');
    const issues = [];
    for (const n of [1, 2, 3]) issues.push(await client.Issues.create(project.id, `${word} ${n}`));
    await client.Issues.edit(project.id, 2, { stateEvent: 'close' });
    const query = { projectId: project.id, orderBy: 'created_at', sort: 'asc' } as const;
    expect(idsOf(await client.Issues.all({ ...query, perPage: 1 }))).toEqual(idsOf(issues));
    const opened = await client.Issues.all({ ...query, state: 'opened', iids: [2, 3] });
    expect(opened).toMatchObject([{ iid: 3 }]);
    const everywhere = await client.Issues.all({ search: word, scope: 'created_by_me' });
    expect(everywhere).toHaveLength(3);
  });

  it('tell the application what it forgot and what was taken for spam', async () => {
    const project = await client.Projects.create({
      name: unique('project-'),
      visibility: 'public',
    });
    expect(await refusalOf(client.Issues.create(project.id, ''))).toEqual({
      status: 400,
      description: 'title is empty',
    });
    const spam = client.Issues.create(project.id, 'Cheap', { description: SPAM });
    const { status, description } = await refusalOf(spam);
    expect({ status, told: description.includes('recognized as spam') }).toEqual({
      status: 400,
      told: true,
    });
  });

  it('ask for a CAPTCHA in the answer that the application gets', async () => {
    await changeSettings(app, {
      recaptcha_enabled: true,
      recaptcha_site_key: 'site-key',
      recaptcha_private_key: 'private-key',
    });
    const project = await client.Projects.create({
      name: unique('project-'),
      visibility: 'public',
    });
    const spam = client.Issues.create(project.id, 'Cheap', { description: SPAM });
    expect((await refusalOf(spam)).status).toBe(409);
  });
});
