import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  NOTIFICATION_KINDS,
  NOTIFICATION_TARGETS,
} from '../../src/core/activity/notifications.repository.js';
import { eventually } from '../support/eventually.js';
import { makeUser } from '../support/factories.js';
import { redisCommand } from './support/redis-command.js';
import { scaled } from './support/scale.js';
import { FaultStack } from './support/stack.js';

const WATCHERS = 40;
/** With the author of the issue. */
const READERS = WATCHERS + 1;
const NOTIFICATIONS = scaled(480);
const KILLS = scaled(20);
const TIME_MS = 600_000;
/** Nothing listens there, so that every email can be looked at in the end. */
const NO_MAIL_SERVER = { SMTP_URL: 'smtp://127.0.0.1:1' };

let stack: FaultStack;
beforeAll(async () => {
  stack = await FaultStack.start();
}, 240_000);
afterEach(async () => {
  await Promise.all(stack.workers.map((worker) => worker.kill()));
});
afterAll(() => stack.stop());

/** A private project with an issue; those who watch it are members. Answers the project's id. */
async function makePlace(): Promise<number> {
  const owner = await makeUser(stack);
  const [project] = await stack.rows<{ id: number }>(
    `INSERT INTO projects (namespace_id, name, path, repository_storage)
     VALUES ($1, 'Watched', 'watched', 'default') RETURNING id::int`,
    [owner.namespaceId],
  );
  const id = project?.id ?? 0;
  await stack.rows(
    `INSERT INTO issues (project_id, iid, author_id, title) VALUES ($1, 1, $2, 'Watched')`,
    [id, owner.id],
  );
  await stack.rows(
    `WITH watchers AS (INSERT INTO users (username, name, email, confirmed_at)
       SELECT 'watcher' || g, 'Watcher', 'watcher' || g || '@example.com', now()
       FROM generate_series(1, $2::int) g RETURNING id),
     joined AS (INSERT INTO members (project_id, user_id, access_level)
       SELECT $1, id, 30 FROM watchers)
     INSERT INTO notification_settings (project_id, user_id, level)
     SELECT $1, id, 2 FROM watchers`,
    [id, WATCHERS],
  );
  return id;
}

/** As they would be written with what happened. */
async function makeNotifications(projectId: number, count: number): Promise<void> {
  await stack.rows(
    `INSERT INTO notifications (kind, project_id, target_type, target_id)
     SELECT $2, i.project_id, $3, i.id FROM issues i CROSS JOIN generate_series(1, $4::int)
     WHERE i.project_id = $1`,
    [projectId, NOTIFICATION_KINDS.close_issue, NOTIFICATION_TARGETS.issue, count],
  );
}

interface Progress {
  mails: number;
  waiting: number;
}

async function progress(): Promise<Progress> {
  const [now] = await stack.rows<Progress>(
    `SELECT (SELECT count(*) FROM outgoing_mails)::int AS mails,
       (SELECT count(*) FROM notifications WHERE mailed_at IS NULL)::int AS waiting`,
  );
  return now ?? { mails: 0, waiting: 0 };
}

/** Each time while it writes emails, at another moment of it. */
async function killWhileWriting(projectId: number): Promise<void> {
  for (let round = 0; round < KILLS; round += 1) {
    await makeNotifications(projectId, NOTIFICATIONS / KILLS);
    const { mails } = await progress();
    const worker = stack.startWorker(undefined, NO_MAIL_SERVER);
    await eventually(async () => (await progress()).mails > mails, { seconds: 60, everyMs: 1 });
    await delay(((round * 0.618_034) % 1) * 20);
    await worker.kill();
  }
}

describe(`a worker killed ${KILLS} times while it writes mails about notifications`, () => {
  it(
    'writes each of them once in the end, although Redis has forgotten all jobs',
    async () => {
      const projectId = await makePlace();
      await killWhileWriting(projectId);
      await redisCommand(stack.servers.redisUrl, 'FLUSHALL');
      const { waiting: left } = await progress();
      const last = [1, 2].map(() => stack.startWorker(undefined, NO_MAIL_SERVER));
      await eventually(async () => (await progress()).waiting === 0, { seconds: 60 });
      await Promise.all(last.map((worker) => worker.kill()));

      const made = Math.floor(NOTIFICATIONS / KILLS) * KILLS;
      const wrong = await stack.rows(
        `SELECT o.id, count(q.id)::int AS mails, count(DISTINCT q.user_id)::int AS readers
         FROM notifications o LEFT JOIN outgoing_mails q ON q.notification_id = o.id
         GROUP BY o.id HAVING count(q.id) <> $1 OR count(DISTINCT q.user_id) <> $1`,
        [READERS],
      );
      expect(wrong).toEqual([]);
      expect((await progress()).mails).toBe(made * READERS);
      // Otherwise no worker was killed in the middle of its work.
      expect(left).toBeGreaterThan(0);
    },
    TIME_MS,
  );
});
