import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NOTIFICATION_LEVELS } from '../../src/workspace/subscriptions/notification-levels.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import { MATRIX_LEVELS, NOTIFICATION_MATRIX } from '../support/notification-matrix.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeGroup,
  type MadeProject,
} from '../support/project-factories.js';
import { watchMails, type MailWatch } from './mail-watch.js';

const MEMBERS = 1_000;
/** All but every so manieth of them are members of the project, or may sign in. */
const STRANGER_STEP = 20;
const BLOCKED_STEP = 25;
const TIME_MS = 60_000;

/** One for each column of the matrix, none of them for issues, and one who set nothing. */
const LEVELS = [...MATRIX_LEVELS.map((level) => level.split(' ')[0] ?? ''), null] as const;

const PEOPLE_SQL = `
  WITH people AS (
    INSERT INTO users (username, name, email, confirmed_at, state)
    SELECT 'crew' || n, 'Crew ' || n, 'crew' || n || '@example.com', now(),
      CASE WHEN n % ${BLOCKED_STEP} = 0 THEN 'blocked' ELSE 'active' END
    FROM generate_series(1, $1::int) n RETURNING id, substr(username, 5)::int AS n),
  named AS (
    INSERT INTO members (namespace_id, user_id, access_level) SELECT $2, id, 30 FROM people),
  readers AS (
    INSERT INTO members (project_id, user_id, access_level)
    SELECT $3, id, 10 FROM people WHERE n % ${STRANGER_STEP} <> 0)
  INSERT INTO notification_settings (user_id, project_id, level, events)
  SELECT id, $3, ($4::int[])[1 + n % ${LEVELS.length}], 0 FROM people
  WHERE ($4::int[])[1 + n % ${LEVELS.length}] IS NOT NULL`;

let app: OwnTestApp;
let watch: MailWatch;
let author: MadeActor;
let crew: MadeGroup;
let project: MadeProject;
beforeAll(async () => {
  app = await startTestApp();
  watch = await watchMails(app);
  [crew, author] = [await makeGroup(app), await makeActor(app)];
  project = await makeProject(app, { namespaceId: (await makeGroup(app)).id });
  await makeMember(app, { group: crew, user: author.user, role: 'owner' });
  await makeMember(app, { project, user: author.user, role: 'developer' });
  const numbers: Record<string, number> = NOTIFICATION_LEVELS;
  const levels = LEVELS.map((level) => (level === null ? null : numbers[level]));
  await app.dataSource.query(PEOPLE_SQL, [MEMBERS - 1, crew.id, project.id, levels]);
}, TIME_MS);
afterAll(async () => {
  await watch.close();
  await app.close();
});

/** Returns the addresses of those whom the matrix notifies of mentions. */
function readers(): string[] {
  const row = NOTIFICATION_MATRIX.find(
    ({ kinds, relation }) => kinds.includes('new_issue') && relation === 'mentioned',
  );
  const tells = (n: number): boolean => {
    const index = n % LEVELS.length;
    const column = LEVELS[index] === null ? MATRIX_LEVELS.indexOf('participating') : index;
    return row?.mails[column] === 'y' && n % STRANGER_STEP !== 0 && n % BLOCKED_STEP !== 0;
  };
  const numbers = Array.from({ length: MEMBERS - 1 }, (_, index) => index + 1);
  return numbers.filter(tells).map((n) => `crew${n}@example.com`);
}

describe(`an issue that names a group of ${MEMBERS}`, () => {
  it(
    'is mailed once to each of them whom the matrix tells, who can read it and may sign in',
    async () => {
      const mails = await watch.mailsOf('new_issue', () =>
        createIssue(author.api, project, { description: `Have a look, @${crew.fullPath}.` }),
      );
      const wanted = readers();
      expect(wanted.length).toBeGreaterThan(700);
      expect(mails.flatMap(({ to }) => to).toSorted()).toEqual(wanted.toSorted());
      const reasons = mails.map(({ parsed }) => parsed.headers.get('x-svc-notificationreason'));
      expect(new Set(reasons)).toEqual(new Set(['mentioned']));
    },
    TIME_MS,
  );
});
