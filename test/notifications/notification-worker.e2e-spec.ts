import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Notification,
  NOTIFICATION_KINDS,
} from '../../src/core/activity/notifications.repository.js';
import { Clock } from '../../src/core/clock.js';
import { Sql } from '../../src/core/sql/sql.service.js';
import { OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { NotificationMailsRepository } from '../../src/notifications/notification-mails.repository.js';
import {
  DueDateReminders,
  NotificationPurge,
} from '../../src/notifications/worker/notification-maintenance.service.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import {
  makeGroup,
  makeMember,
  makeMemberOf,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';
import {
  makeIssueRow,
  makeSetting,
  notificationFanOut,
  notify,
  writeNotificationMails,
} from '../support/recipient-factories.js';
import { startTestWorker } from '../support/worker.js';

const HOUR_MS = 3_600_000;
const NEVER = (): boolean => false;

let app: OwnTestApp;
let project: MadeProject;
let author: MadeUser;
let watcher: MadeUser;
beforeAll(async () => {
  app = await startTestApp();
  const { id: namespaceId } = await makeGroup(app);
  project = await makeProject(app, { namespaceId });
  [author, watcher] = [await makeUser(app), await makeUser(app)];
  for (const user of [author, watcher]) {
    await makeMember(app, { project, user, role: 'developer' });
    await makeSetting(app, { user, project }, { level: 'watch' });
  }
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.dataSource.query(
    'TRUNCATE notifications, outgoing_mails, due_date_reminders, issues CASCADE',
  );
});

class SetClock extends Clock {
  constructor(readonly time: Date) {
    super();
  }

  override now(): Date {
    return this.time;
  }
}

function at(time: string): SetClock {
  return new SetClock(new Date(time));
}

async function notificationOfIssue(): Promise<number> {
  const id = await makeIssueRow(app, { project, author });
  const target = { type: 'issue', id } as const;
  return notify(app, { kind: 'close_issue', projectId: project.id, actorId: author.id, target });
}

const stored = (): NotificationMailsRepository =>
  new NotificationMailsRepository(app.dataSource, app.app.get(Sql));
/** In the order of their making: an email that is sent meanwhile moves within its table. */
const mails = (): Promise<OutgoingMail[]> =>
  app.dataSource.manager.find(OutgoingMail, { order: { id: 'ASC' } });
const notifications = (): Promise<Notification[]> =>
  app.dataSource.manager.find(Notification, { order: { id: 'ASC' } });

describe('writing the mails about notifications', () => {
  it('happens once for each when two workers do it at the same time', async () => {
    const ids = [];
    for (let count = 0; count < 120; count += 1) ids.push(await notificationOfIssue());
    const workers = [notificationFanOut(app), notificationFanOut(app), notificationFanOut(app)];
    await Promise.all(workers.map((worker) => worker.writeDue(NEVER)));
    // A worker can have left rows to the others.
    await writeNotificationMails(app);
    const written = (await mails()).map(({ notificationId, userId }) => [notificationId, userId]);
    expect(written.toSorted(([one], [other]) => Number(one) - Number(other))).toEqual(
      ids.map((id) => [id, watcher.id]),
    );
  });

  it('goes on with others after one that fails, which is tried again later', async () => {
    const poison = await notificationOfIssue();
    await app.dataSource.manager.update(Notification, { id: poison }, { kind: 99 });
    const sound = await notificationOfIssue();
    const now = new Date(Date.now() + 1_000);
    await notificationFanOut(app, new SetClock(now)).writeDue(NEVER);
    expect((await mails()).map(({ notificationId }) => notificationId)).toEqual([sound]);
    const [failed] = await notifications();
    const notBefore = new Date(now.getTime() + 15_000);
    expect(failed).toMatchObject({ id: poison, mailedAt: null, attempts: 1, notBefore });

    await notificationFanOut(app, new SetClock(notBefore)).writeDue(NEVER);
    const again = (await notifications())[0];
    expect(again).toMatchObject({
      attempts: 2,
      notBefore: new Date(notBefore.getTime() + 60_000),
    });
    const { close_issue: kind } = NOTIFICATION_KINDS;
    await app.dataSource.manager.update(Notification, { id: poison }, { kind });
    const healed = new SetClock(new Date(notBefore.getTime() + 60_000));
    await notificationFanOut(app, healed).writeDue(NEVER);
    expect((await mails()).map(({ notificationId }) => notificationId)).toEqual([sound, poison]);
  });

  it('goes on with others also after the thousandth time that one fails', async () => {
    const poison = await notificationOfIssue();
    await app.dataSource.manager.update(Notification, { id: poison }, { kind: 99, attempts: 999 });
    const sound = await notificationOfIssue();
    const now = new Date(Date.now() + 1_000);
    await notificationFanOut(app, new SetClock(now)).writeDue(NEVER);
    expect((await mails()).map(({ notificationId }) => notificationId)).toEqual([sound]);
    const notBefore = new Date(now.getTime() + 3_600_000);
    expect((await notifications())[0]).toMatchObject({ attempts: 1_000, notBefore });
  });

  it('starts by itself in a worker, as soon as something has happened', async () => {
    const bob = await makeMemberOf(app, project, 'developer');
    const worker = await startTestWorker(app);
    try {
      const { id } = await createIssue(bob.api, project);
      await eventually(async () => (await mails()).length === 2, { seconds: 20 });
      const [notification] = await notifications();
      expect(notification).toMatchObject({ targetId: id, kind: NOTIFICATION_KINDS.new_issue });
      const told = (await mails()).map(({ userId, kind }) => [userId, kind]);
      expect(told).toEqual([
        [author.id, 'new_issue'],
        [watcher.id, 'new_issue'],
      ]);
    } finally {
      await worker.close();
    }
  });
});

describe('issues that are due tomorrow', () => {
  const dueDateReminders = (clock: Clock): DueDateReminders =>
    new DueDateReminders(stored(), clock);
  const due = (dueDate: string, state: 'opened' | 'closed' = 'opened'): Promise<number> =>
    makeIssueRow(app, {
      project,
      author,
      dueDate,
      state,
      ...(state === 'closed' && { closedAt: new Date() }),
    });

  it('are sent once a day from 00:50 on, by any worker', async () => {
    const id = await due('2027-03-02');
    await due('2027-03-02', 'closed');
    await due('2027-03-01');
    const later = await due('2027-03-03');
    expect(await dueDateReminders(at('2027-03-01T00:49:59Z')).tell()).toBe(0);
    const workers = [1, 2, 3, 4].map(() => dueDateReminders(at('2027-03-01T00:50:00Z')).tell());
    expect((await Promise.all(workers)).toSorted()).toEqual([0, 0, 0, 1]);
    await due('2027-03-02');
    expect(await dueDateReminders(at('2027-03-01T23:59:00Z')).tell()).toBe(0);
    expect(await dueDateReminders(at('2027-03-02T09:00:00Z')).tell()).toBe(1);
    const told = await notifications();
    expect(told.map(({ kind, actorId, targetId }) => ({ kind, actorId, targetId }))).toEqual(
      [id, later].map((targetId) => ({
        kind: NOTIFICATION_KINDS.issue_due,
        actorId: null,
        targetId,
      })),
    );
  });
});

describe('old notifications', () => {
  it('are forgotten after 30 days unless a mail about them waits', async () => {
    const [gone, waiting, young] = [
      await notificationOfIssue(),
      await notificationOfIssue(),
      await notificationOfIssue(),
    ];
    await writeNotificationMails(app);
    const { manager } = app.dataSource;
    const age = (days: number): { createdAt: Date } => ({
      createdAt: new Date(Date.now() - days * 24 * HOUR_MS),
    });
    await manager.update(Notification, [gone, waiting], age(31));
    await manager.update(Notification, { id: young }, age(29));
    await manager.update(OutgoingMail, { notificationId: gone }, { state: 'withheld' });
    await app.dataSource.query(
      'INSERT INTO due_date_reminders (day) VALUES (current_date - 31), (current_date - 1)',
    );
    const purge = new NotificationPurge(stored(), new Clock());
    expect(await purge.run(NEVER)).toBe(1);
    expect((await notifications()).map(({ id }) => id)).toEqual([waiting, young]);
    expect(await app.dataSource.query('SELECT count(*)::int AS n FROM due_date_reminders')).toEqual(
      [{ n: 1 }],
    );
  });
});
