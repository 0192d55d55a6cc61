import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { createIssue, type IssueBody } from '../support/issue-factories.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeGroup,
  type MadeProject,
} from '../support/project-factories.js';
import { lastTold } from '../support/recipient-factories.js';

let app: TestApp;
let eve: MadeActor;
let bob: MadeActor;
let crew: MadeGroup;
let project: MadeProject;
beforeAll(async () => {
  app = await sharedTestApp();
});
beforeEach(async () => {
  eve = await makeActor(app);
  bob = await makeActor(app);
  crew = await makeGroup(app, { visibility: 'private' });
  await makeMember(app, { group: crew, user: bob.user, role: 'developer' });
  const { user } = await makeActor(app);
  project = await makeProject(app, { namespaceId: user.namespaceId, visibility: 'public' });
});

const isTold = async (user: MadeActor['user']): Promise<boolean> =>
  (await lastTold(app)).some(({ userId }) => userId === user.id);

const comment = (actor: MadeActor, { iid }: IssueBody, body: string): Promise<unknown> =>
  actor.api.post(`/projects/${project.id}/issues/${iid}/notes`, { body }).expect(201);

describe('a private group that a stranger names', () => {
  it('gets no mail: not by a new issue, a comment or a change of the text', async () => {
    const description = `@${crew.fullPath} look`;
    const issue = await createIssue(eve.api, project, { description });
    expect(await isTold(bob.user)).toBe(false);
    await comment(eve, issue, `And now, @${crew.fullPath}?`);
    expect(await isTold(bob.user)).toBe(false);
    const other = await createIssue(eve.api, project);
    await eve.api.put(`/projects/${project.id}/issues/${other.iid}`, { description }).expect(200);
    expect(await isTold(bob.user)).toBe(false);
  });

  it('accepts mentions by members of it, or of a group above it', async () => {
    const below = await makeGroup(app, { visibility: 'private', parentId: crew.id });
    await makeMember(app, { group: crew, user: eve.user, role: 'guest' });
    await createIssue(eve.api, project, { description: `@${crew.fullPath}` });
    expect(await isTold(bob.user)).toBe(true);
    await createIssue(eve.api, project, { description: `@${below.fullPath}` });
    expect(await isTold(bob.user)).toBe(true);
  });

  it('rejects mentions by former members', async () => {
    const ended = { role: 'guest', expiresAt: '2020-01-01' } as const;
    await makeMember(app, { group: crew, user: eve.user, ...ended });
    await createIssue(eve.api, project, { description: `@${crew.fullPath}` });
    expect(await isTold(bob.user)).toBe(false);
  });
});

describe('an internal group', () => {
  it('accepts mentions by everyone but external users', async () => {
    crew = await makeGroup(app, { visibility: 'internal' });
    await makeMember(app, { group: crew, user: bob.user, role: 'developer' });
    const description = `@${crew.fullPath}`;
    await createIssue(eve.api, project, { description });
    expect(await isTold(bob.user)).toBe(true);
    const guest = await makeActor(app, { external: true });
    await createIssue(guest.api, project, { description });
    expect(await isTold(bob.user)).toBe(false);
  });
});

describe('a thread that names a group of many', () => {
  it('takes hardly longer to write about when it names them a thousand times', async () => {
    crew = await makeGroup(app, { visibility: 'public' });
    await app.dataSource.query(
      `WITH people AS (
         INSERT INTO users (username, name, email, confirmed_at)
         SELECT 'crew-' || i, 'C', 'crew-' || i || '@example.com',
           now()
         FROM generate_series(1, 2000) i RETURNING id)
       INSERT INTO members (user_id, namespace_id, access_level) SELECT id, $1, 10 FROM people`,
      [crew.id],
    );
    await makeMember(app, { project, user: eve.user, role: 'developer' });
    const issueWith = async (mentions: number): Promise<IssueBody> => {
      const issue = await createIssue(eve.api, project);
      await app.dataSource.query(
        `WITH written AS (
           INSERT INTO notes (issue_id, author_id, body)
           SELECT $1, $2, 'x' FROM generate_series(1, $4) RETURNING id)
         INSERT INTO mentions (note_id, namespace_id) SELECT id, $3 FROM written`,
        [issue.id, eve.user.id, crew.id, mentions],
      );
      return issue;
    };
    const [once, often] = [await issueWith(1), await issueWith(1_000)];
    // As autovacuum does within a minute; until then a connection keeps its plan for small tables.
    await app.dataSource.query('ANALYZE users, members, issues, notes, mentions');
    const time = async (issue: IssueBody): Promise<number> => {
      await comment(eve, issue, 'Once more.');
      const start = performance.now();
      expect(await lastTold(app)).toHaveLength(2_000);
      return performance.now() - start;
    };
    const [short, long]: [number[], number[]] = [[], []];
    for (let run = 0; run < 3; run += 1) {
      short.push(await time(once));
      long.push(await time(often));
    }
    expect(Math.min(...long)).toBeLessThan(4 * Math.min(...short));
  });
});
