import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { makeUser } from '../support/factories.js';
import { MailTrap } from './support/mail-trap.js';
import { redisCommand } from './support/redis-command.js';
import { scaled } from './support/scale.js';
import { FaultStack } from './support/stack.js';

const KILLS = scaled(50);
const WATCHERS = KILLS * 40;
const CONNECTIONS = 4;

const PROJECT_SQL = `
  WITH project AS (
    INSERT INTO projects (namespace_id, name, path, repository_storage, visibility)
    VALUES ($1, 'Watched', 'watched', 'default', 20) RETURNING id),
  people AS (
    INSERT INTO users (username, name, email, confirmed_at)
    SELECT 'watcher' || n, 'Watcher ' || n, 'watcher' || n || '@example.com', now()
    FROM generate_series(1, $2::int) n RETURNING id),
  settings AS (
    INSERT INTO notification_settings (user_id, project_id, level)
    SELECT people.id, project.id, 2 FROM people, project)
  INSERT INTO issues (project_id, iid, author_id, title)
  SELECT id, 1, $3, 'Watched' FROM project RETURNING id, project_id AS "projectId"`;

/** As the transaction leaves it that makes the issue. */
const NOTICE_SQL = `
  INSERT INTO notices (kind, project_id, actor_id, target_type, target_id)
  VALUES (2, $1, $2, 1, $3)`;

let stack: FaultStack;
let trap: MailTrap;
beforeAll(async () => {
  [stack, trap] = await Promise.all([FaultStack.start(), MailTrap.start()]);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await trap.goAway();
});

const startWorker = () =>
  stack.startWorker(undefined, {
    SMTP_URL: trap.url,
    SMTP_CONNECTIONS: String(CONNECTIONS),
  });

async function makeWatchedIssue(): Promise<void> {
  const author = await makeUser(stack);
  const values = [author.namespaceId, WATCHERS, author.id];
  const [issue] = await stack.rows<{ id: number; projectId: number }>(PROJECT_SQL, values);
  if (issue === undefined) throw new Error('The issue was not made');
  await stack.rows(NOTICE_SQL, [issue.projectId, author.id, issue.id]);
}

/** What a killed worker had claimed. Its lease would end by itself after five minutes. */
const endLeases = () =>
  stack.rows(
    `UPDATE outgoing_mails SET not_before = now() WHERE state = 'queued' AND not_before > now()`,
  );

describe(`workers killed ${KILLS} times while ${WATCHERS} people are told of an issue`, () => {
  it('tell everybody, and at most as many twice per kill as there are connections', async () => {
    await makeWatchedIssue();
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Every other time in the only window that SMTP leaves open: taken, but not answered.
      trap.isSilent = kill % 2 === 0;
      const victim = startWorker();
      const enough = trap.recipients.length + (trap.isSilent ? CONNECTIONS : 3 + kill);
      await eventually(() => trap.recipients.length >= enough, { seconds: 60, everyMs: 1 });
      await victim.kill();
      if (kill % 5 === 0) await redisCommand(stack.servers.redisUrl, 'FLUSHALL');
      await endLeases();
    }
    trap.answer();
    startWorker();
    await eventually(
      async () => {
        const rows = await stack.rows(
          `SELECT state, count(*)::int AS mails FROM outgoing_mails GROUP BY state`,
        );
        expect(rows).toEqual([{ state: 'sent', mails: WATCHERS }]);
      },
      { seconds: 120 },
    );
    const told = new Set(trap.recipients);
    const twice = trap.recipients.length - told.size;
    console.log(`${KILLS} kills: ${told.size} people told, ${twice} mails came twice`);
    expect(told.size).toBe(WATCHERS);
    expect(twice).toBeLessThanOrEqual(KILLS * CONNECTIONS);
  });
});
