import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeAlert } from '../../support/alert-factories.js';
import { api, type ApiClient } from '../../support/api-client.js';
import { sharedTestApp, type TestApp } from '../../support/app.js';
import { makeActor, type MadeActor } from '../../support/factories.js';
import { createIssue, type IssueBody } from '../../support/issue-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

interface Place {
  project: MadeProject;
  /** Path of its issues. */
  issues: string;
  guest: MadeActor;
  reporter: MadeActor;
  stranger: MadeActor;
}

/** A public project with people of several roles. */
async function makePlace(): Promise<Place> {
  const { namespaceId } = owner.user;
  const project = await makeProject(app, { namespaceId, visibility: 'public' });
  return {
    project,
    issues: `/projects/${project.id}/issues`,
    guest: await makeMemberOf(app, project, 'guest'),
    reporter: await makeMemberOf(app, project, 'reporter'),
    stranger: await makeActor(app),
  };
}

async function notesCounts(client: ApiClient, { issues, project }: Place, { iid }: IssueBody) {
  const one = await client.get(`${issues}/${iid}`).expect(200);
  const listed = await client.get(issues).expect(200);
  const everywhere = await client.get('/issues?scope=all&per_page=100');
  const found = [listed.body, everywhere.status === 200 ? everywhere.body : []].flatMap(
    (list: IssueBody[]) => list.filter((issue) => issue['project_id'] === project.id),
  );
  return [one.body as IssueBody, ...found].map((issue) => issue['user_notes_count']);
}

describe('an internal note', () => {
  it('is counted for those only who may read it', async () => {
    const place = await makePlace();
    const issue = await createIssue(owner.api, place.project);
    const notes = `${place.issues}/${issue.iid}/notes`;
    await owner.api.post(notes, { body: 'For everybody' }).expect(201);
    await owner.api.post(notes, { body: 'Among us', internal: true }).expect(201);
    for (const { api: client } of [owner, place.reporter]) {
      expect(new Set(await notesCounts(client, place, issue))).toEqual(new Set([2]));
    }
    for (const client of [place.guest.api, place.stranger.api, api(app.url)]) {
      expect(new Set(await notesCounts(client, place, issue))).toEqual(new Set([1]));
    }
  });

  it('is not there for others: in lists, their totals, by its id, and for its changes', async () => {
    const place = await makePlace();
    const issue = await createIssue(owner.api, place.project);
    const notes = `${place.issues}/${issue.iid}/notes`;
    const { body: note } = await owner.api.post(notes, { body: 'Among us', internal: true });
    const path = `${notes}/${(note as { id: number }).id}`;
    for (const { api: client } of [place.guest, place.stranger]) {
      const listed = await client.get(notes).expect(200);
      expect(listed.body).toEqual([]);
      expect(listed.headers['x-total']).toBe('0');
      const missing = await client.get(`${notes}/0`).expect(404);
      for (const answer of [
        await client.get(path),
        await client.put(path, { body: 'Mine' }),
        await client.delete(path),
      ]) {
        expect([answer.status, answer.body]).toEqual([404, missing.body]);
      }
    }
  });

  it('cannot be written by who could not read it', async () => {
    const place = await makePlace();
    const issue = await createIssue(owner.api, place.project);
    const notes = `${place.issues}/${issue.iid}/notes`;
    for (const { api: client } of [place.guest, place.stranger]) {
      await client.post(notes, { body: 'Psst', internal: true }).expect(403);
      await client.post(notes, { body: 'Psst', confidential: true }).expect(403);
    }
  });
});

describe('a confidential issue', () => {
  it('is unknown to others on every path of it', async () => {
    const place = await makePlace();
    const { iid } = await createIssue(owner.api, place.project, { confidential: true });
    const { body: note } = await owner.api.post(`${place.issues}/${iid}/notes`, { body: 'Hush' });
    const noteId = (note as { id: number }).id;
    const ask = async ({ api: client }: MadeActor, base: string) => {
      const answers = await Promise.all([
        client.get(base),
        client.put(base, { title: 'Mine' }),
        client.get(`${base}/notes`),
        client.post(`${base}/notes`, { body: 'Hello' }),
        client.get(`${base}/notes/${noteId}`),
        client.put(`${base}/notes/${noteId}`, { body: 'Mine' }),
        client.delete(`${base}/notes/${noteId}`),
        client.get(`${base}/resource_state_events`),
        client.get(`${base}/resource_state_events/1`),
      ]);
      return answers.map(({ status, body }) => ({ status, body: body as unknown }));
    };
    for (const actor of [place.guest, place.stranger]) {
      const hidden = await ask(actor, `${place.issues}/${iid}`);
      expect(hidden).toEqual(await ask(actor, `${place.issues}/999`));
      expect(new Set(hidden.map(({ status }) => status))).toEqual(new Set([404]));
    }
  });

  it('is in no list, no search and no count of others', async () => {
    const place = await makePlace();
    const issue = await createIssue(owner.api, place.project, {
      title: 'Zeppelin leaks',
      confidential: true,
      labels: 'hush',
      assignee_ids: [place.reporter.user.id],
    });
    const filters = [
      '',
      'search=Zeppelin',
      'labels=hush',
      'labels=Any',
      'confidential=true',
      `iids[]=${issue.iid}`,
      `assignee_id=${place.reporter.user.id}`,
      `assignee_username=${place.reporter.user.username}`,
      `author_id=${owner.user.id}`,
      'issue_type=issue',
      'order_by=title',
    ];
    const none = { statistics: { counts: { all: 0, closed: 0, opened: 0 } } };
    for (const filter of filters) {
      for (const client of [place.guest.api, place.stranger.api, api(app.url)]) {
        const listed = await client.get(`${place.issues}?${filter}`).expect(200);
        expect([filter, listed.body, listed.headers['x-total']]).toEqual([filter, [], '0']);
        const counted = await client.get(
          `/projects/${place.project.id}/issues_statistics?${filter}`,
        );
        if (filter !== 'order_by=title') expect([filter, counted.body]).toEqual([filter, none]);
      }
      const seen = await place.reporter.api.get(`${place.issues}?${filter}`).expect(200);
      expect([filter, (seen.body as unknown[]).length]).toEqual([filter, 1]);
    }
    const everywhere = await place.stranger.api.get('/issues?scope=all&search=Zeppelin');
    expect(everywhere.body).toEqual([]);
    const shown = await place.stranger.api.get(`/projects/${place.project.id}`).expect(200);
    expect((shown.body as Record<string, unknown>)['open_issues_count']).toBe(0);
  });

  it('is not assigned to users who cannot read it, nor shown to them by that', async () => {
    const place = await makePlace();
    const { user, api: client } = place.stranger;
    const { iid, assignees } = await createIssue(owner.api, place.project, {
      confidential: true,
      assignee_ids: [user.id, place.guest.user.id],
    });
    expect(assignees).toEqual([]);
    await client.get(`${place.issues}/${iid}`).expect(404);
    expect((await client.get('/issues?scope=assigned_to_me').expect(200)).body).toEqual([]);
  });

  it('whose assignees lost their role is theirs to see as long as the project is, in counts too', async () => {
    const place = await makePlace();
    const { user, api: client } = place.reporter;
    const assigned = { confidential: true, assignee_ids: [user.id] };
    const { iid } = await createIssue(owner.api, place.project, assigned);
    await client.get(`${place.issues}/${iid}`).expect(200);
    await app.dataSource.query('DELETE FROM members WHERE user_id = $1', [user.id]);
    await client.get(`${place.issues}/${iid}`).expect(200);
    await owner.api.put(`/projects/${place.project.id}`, { visibility: 'private' }).expect(200);
    await client.get(`${place.issues}/${iid}`).expect(404);
    expect((await client.get('/issues?scope=assigned_to_me').expect(200)).body).toEqual([]);
    const { body } = await client.get('/issues_statistics?scope=assigned_to_me').expect(200);
    expect(body).toEqual({ statistics: { counts: { all: 0, closed: 0, opened: 0 } } });
  });

  it('is shown with its alert only to those who see both', async () => {
    const place = await makePlace();
    const developer = await makeMemberOf(app, place.project, 'developer');
    const { iid } = await createIssue(owner.api, place.project, { confidential: true });
    const alert = await makeAlert(app, place.project);
    const path = `/projects/${place.project.id}/alert_management_alerts/${alert.iid}`;
    await developer.api.post(`${path}/issue`, { issue_iid: iid }).expect(200);
    const { body } = await developer.api.get(path).expect(200);
    expect(body).toMatchObject({ issue: { iid } });
    for (const actor of [place.guest, place.reporter, place.stranger]) {
      await actor.api.get(path).expect(403);
      await actor.api.get(`${path}/notes`).expect(403);
    }
  });
});
