import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { changeSettings } from '../support/settings.js';
import { clientOf, idsOf, refusalOf, type Client } from './client.js';

const SPAM = Array.from({ length: 61 }, (_, n) => `Buy https://shop${n}.example/ now`).join('\n');

let app: OwnTestApp;
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

  it('are planned with labels, people and days', async () => {
    const project = await client.Projects.create({ name: unique('project-') });
    const { iid } = await client.Issues.create(project.id, 'It squeaks', {
      labels: 'bug,noise',
      assigneeIds: [author.user.id],
      dueDate: '2026-03-01',
      issueType: 'incident',
    });
    const edited = await client.Issues.edit(project.id, iid, {
      addLabels: 'urgent',
      removeLabels: 'noise',
      discussionLocked: true,
    });
    expect(edited).toMatchObject({
      labels: ['bug', 'urgent'],
      assignees: [{ id: author.user.id }],
      assignee: { id: author.user.id },
      due_date: '2026-03-01',
      issue_type: 'incident',
      severity: 'UNKNOWN',
      discussion_locked: true,
    });
    const query = { projectId: project.id, labels: 'bug,urgent', assigneeId: author.user.id };
    expect(await client.Issues.all(query)).toMatchObject([{ iid }]);
    const cleared = await client.Issues.edit(project.id, iid, { labels: '', assigneeIds: [0] });
    expect(cleared).toMatchObject({ labels: [], assignees: [], assignee: null });
  });

  it('are counted by state, and tell who closed them', async () => {
    const project = await client.Projects.create({ name: unique('project-') });
    for (const n of [1, 2, 3]) await client.Issues.create(project.id, `Issue ${n}`);
    await client.Issues.edit(project.id, 2, { stateEvent: 'close' });
    const counts = { all: 3, closed: 1, opened: 2 };
    expect(await client.IssuesStatistics.all({ projectId: project.id })).toEqual({
      statistics: { counts },
    });
    const everywhere = await client.IssuesStatistics.all({ scope: 'assigned_to_me' });
    expect(everywhere.statistics.counts).toMatchObject({ closed: 0 });
    const [event] = await client.IssueStateEvents.all(project.id, 2);
    expect(event).toMatchObject({ state: 'closed', user: { id: author.user.id } });
    expect(await client.IssueStateEvents.show(project.id, 2, event?.id ?? 0)).toEqual(event);
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
