import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeAlert } from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { day } from '../support/days.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import { signedIn } from '../support/page-client.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';

/** One more than the lists name one by one. */
const MANY = 1_001;

/** Subgroups of the group `$1`. */
const SUBGROUPS_SQL = `
  WITH below AS (
    INSERT INTO namespaces (kind, parent_id, name, path, full_path, full_name)
    SELECT 'group', $1, 'Many ' || n, 'many-' || n, 'many/' || n, 'Many ' || n
    FROM generate_series(1, ${MANY}) n RETURNING id
  ) INSERT INTO groups (id, repository_storage) SELECT id, 'default' FROM below`;

/** A project in each. */
const PROJECTS_SQL = `
  WITH below AS (
    UPDATE namespaces SET traversal_ids = ARRAY[$1, id] WHERE parent_id = $1 RETURNING id
  ) INSERT INTO projects (namespace_id, name, path, repository_storage)
  SELECT id, 'Part ' || id, 'part', 'default' FROM below`;

/** Events of three ages by `$2`: new ones, those of a hundred days ago, those of a year ago. */
const EVENTS_SQL = `
  INSERT INTO events (project_id, author_id, action, target_type, target_id, created_at)
  SELECT p.id, $2, 8, 5, p.id, now() - age * interval '1 day' - p.id * interval '1 second'
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id, unnest(ARRAY[3, 100, 365]) age
  WHERE n.parent_id = $1 AND p.id % 12 = 0 OR p.pending_delete`;

describe('lists of a member of more than a thousand projects', () => {
  let app: OwnTestApp;
  let viewer: MadeActor;
  let some: { ended: MadeProject; deleted: MadeProject; guest: MadeProject; named: MadeProject };
  const word = unique('Zq');

  beforeAll(async () => {
    app = await startTestApp();
    const [found, owner] = await Promise.all([makeActor(app), makeActor(app)]);
    viewer = found;
    const group = await makeGroup(app, { path: 'many' });
    await makeMember(app, { group, user: viewer.user, role: 'developer' });
    await app.dataSource.query(SUBGROUPS_SQL, [group.id]);
    await app.dataSource.query(PROJECTS_SQL, [group.id]);
    const { namespaceId } = owner.user;
    const guest = await makeProject(app, { namespaceId });
    await makeMember(app, { project: guest, user: viewer.user, role: 'guest' });
    const ended = await makeProject(app, { namespaceId });
    const expiresAt = day(-1);
    await makeMember(app, { project: ended, user: viewer.user, role: 'developer', expiresAt });
    const deleted = await makeProject(app, { namespaceId: group.id, pendingDelete: true });
    const named = await makeProject(app, { namespaceId: group.id });
    some = { ended, deleted, guest, named };
    await app.dataSource.query(EVENTS_SQL, [group.id, owner.user.id]);
    for (const project of [guest, ended]) {
      await createIssue(owner.api, project, { title: 'Open' });
      await createIssue(owner.api, project, { title: 'Secret', confidential: true });
    }
    for (const [place, project] of Object.entries(some)) {
      await makeAlert(app, project, { title: `${word} ${place}` });
    }
  }, 30_000);
  afterAll(() => app.close());

  /** Expects the pages of a list and their totals to be the rows of a plain statement. */
  async function expectPages(path: string, sql: string, values: unknown[] = []): Promise<void> {
    const rows = await app.dataSource.query<{ id: number }[]>(sql, values);
    const ids = rows.map(({ id }) => Number(id));
    const lastPage = Math.ceil(ids.length / 100);
    for (const page of [1, 2, lastPage]) {
      const answer = await viewer.api.get(`${path}&per_page=100&page=${page}`).expect(200);
      const items = answer.body as { id: number }[];
      expect(items.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 100, page * 100));
      expect(answer.headers).toMatchObject({
        'x-total': String(ids.length),
        'x-total-pages': String(lastPage),
        'x-next-page': page === lastPage ? '' : String(page + 1),
      });
    }
  }

  it.each([
    ['desc', ''],
    ['asc', ''],
    ['desc', `before=${day(-50)}`],
  ])('have all events that they can see: %s %s', async (sort, range) => {
    const sql = `SELECT e.id FROM events e JOIN projects p ON p.id = e.project_id
      LEFT JOIN issues i ON i.id = e.target_id AND e.target_type = 1
      WHERE NOT p.pending_delete AND p.id <> $1 AND i.confidential IS NOT TRUE
        AND ($2 = '' OR e.created_at < $3::date)
      ORDER BY e.created_at ${sort}, e.id ${sort}`;
    const path = `/events?scope=all&sort=${sort}${range && `&${range}`}`;
    await expectPages(path, sql, [some.ended.id, range, day(-50)]);
  });

  it('have their projects', async () => {
    const sql = `SELECT id FROM projects WHERE NOT pending_delete AND id <> $1
      ORDER BY created_at DESC, id DESC`;
    await expectPages('/projects?membership=true', sql, [some.ended.id]);
  });

  it('have their groups', async () => {
    const sql = 'SELECT g.id FROM groups g JOIN namespaces n ON n.id = g.id ORDER BY n.name, g.id';
    await expectPages('/groups?all_available=false', sql);
  });

  it.each(['/', `/search?scope=alerts&search=${word}`])('have their alerts: %s', async (path) => {
    const pages = await signedIn(app, viewer.user);
    const { text } = await pages.get(path).expect(200);
    const shown = Object.keys(some).filter((place) => text.includes(`${word} ${place}`));
    expect(shown).toEqual(['named']);
  });
});
