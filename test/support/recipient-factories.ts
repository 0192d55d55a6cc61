import { DataSource } from 'typeorm';
import { Activity } from '../../src/core/activity/activity.service.js';
import {
  Notification,
  type NewNotification,
} from '../../src/core/activity/notifications.repository.js';
import { Clock } from '../../src/core/clock.js';
import { Sql } from '../../src/core/sql/sql.service.js';
import { RepositoryReader } from '../../src/git/reading/repository-reader.service.js';
import { NotificationFanOut } from '../../src/notifications/worker/notification-fan-out.service.js';
import { Issue } from '../../src/workspace/issues/issue.entity.js';
import { JobQueue } from '../../src/core/durable-work/job-queue.service.js';
import { MergeRequest } from '../../src/code/merge-requests/merge-request.entity.js';
import { NotificationSetting } from '../../src/notifications/notification-setting.entity.js';
import {
  EMAIL_EVENTS,
  eventBit,
  MAIL_REASONS,
  type EmailEvent,
} from '../../src/notifications/notification-values.js';
import { NotificationMailsRepository } from '../../src/notifications/notification-mails.repository.js';
import {
  NOTIFICATION_LEVELS,
  type NotificationLevel,
} from '../../src/workspace/subscriptions/notification-levels.js';
import { Subscription } from '../../src/workspace/subscriptions/subscriptions.repository.js';
import type { TestApp } from './app.js';
import { unique } from './factories.js';

type App = Pick<TestApp, 'app' | 'dataSource'>;
type Database = Pick<TestApp, 'dataSource'>;
type WithId = { id: number };

interface SettingOptions {
  level?: NotificationLevel;
  /** Switches of `custom` that are on. */
  events?: readonly EmailEvent[];
  email?: string;
  ownActivity?: boolean;
}

/** Inserts a user's setting for a project, a group, or (neither) everything. */
export async function makeSetting(
  { dataSource }: Database,
  { user, project, group }: { user: WithId; project?: WithId; group?: WithId },
  { level = 'global', events = [], ...rest }: SettingOptions,
): Promise<void> {
  await dataSource.manager.insert(NotificationSetting, {
    userId: user.id,
    projectId: project?.id ?? null,
    namespaceId: group?.id ?? null,
    level: NOTIFICATION_LEVELS[level],
    events: bitsOf(events),
    ...rest,
  });
}

function bitsOf(events: readonly EmailEvent[]): number {
  return EMAIL_EVENTS.filter((event) => events.includes(event))
    .map(eventBit)
    .reduce((bits, bit) => bits | bit, 0);
}

/** Inserts a user's subscription to one thread: `{ issueId }`, `{ mergeRequestId }`, … */
export async function makeSubscription(
  { dataSource }: Database,
  user: WithId,
  row: Partial<Subscription>,
): Promise<void> {
  await dataSource.manager.insert(Subscription, { userId: user.id, subscribed: true, ...row });
}

const SHA = 'd'.repeat(40);

/** A row of an issue that nothing was recorded about; its id. */
export async function makeIssueRow(
  { dataSource }: Database,
  { project, author, ...rest }: { project: WithId; author: WithId } & Partial<Issue>,
): Promise<number> {
  const own = { projectId: project.id, authorId: author.id, title: 'Issue' };
  const iid = await nextNumber({ dataSource }, 'issues', project);
  const inserted = await dataSource.manager.insert(Issue, { ...own, iid, ...rest });
  return (inserted.identifiers[0] as WithId).id;
}

/** The same of a merge request. */
export async function makeMergeRequestRow(
  { dataSource }: Database,
  { project, author, ...rest }: { project: WithId; author: WithId } & Partial<MergeRequest>,
): Promise<number> {
  const own = { projectId: project.id, authorId: author.id, title: 'Change' };
  const iid = await nextNumber({ dataSource }, 'merge_requests', project);
  const branches = { sourceBranch: unique('topic'), targetBranch: 'main' };
  const row = { ...own, ...branches, headSha: SHA, baseSha: SHA, iid, ...rest };
  const inserted = await dataSource.manager.insert(MergeRequest, row);
  return (inserted.identifiers[0] as WithId).id;
}

async function nextNumber(
  { dataSource }: Database,
  table: string,
  { id }: WithId,
): Promise<number> {
  const rows: { iid: number }[] = await dataSource.query(
    `SELECT coalesce(max(iid), 0) + 1 AS iid FROM ${table} WHERE project_id = $1`,
    [id],
  );
  return rows[0]?.iid ?? 1;
}

/** Writes a notification as use cases do; its id. */
export async function notify(
  { app, dataSource }: App,
  notification: NewNotification,
): Promise<number> {
  await dataSource.transaction((tx) => app.get(Activity).notify(tx, [notification]));
  return lastNotification({ dataSource });
}

/** ID of the notification that was written last. */
export async function lastNotification({ dataSource }: Database): Promise<number> {
  const rows: WithId[] = await dataSource.query('SELECT max(id) AS id FROM notifications');
  return rows[0]?.id ?? 0;
}

/** One worker's; call it again for another worker's. */
export function notificationFanOut(
  { app }: Pick<TestApp, 'app'>,
  clock = new Clock(),
): NotificationFanOut {
  const notifications = new NotificationMailsRepository(app.get(DataSource), app.get(Sql));
  return new NotificationFanOut(notifications, clock, app.get(JobQueue), app.get(RepositoryReader));
}

/** Writes the emails about all notifications that wait, as a worker does. */
export function writeNotificationMails(app: Pick<TestApp, 'app'>): Promise<void> {
  return notificationFanOut(app).writeDue(() => false);
}

/** An email that is to be written about a notification. */
export interface ToldPerson {
  userId: number;
  /** One of MAIL_REASONS by name; null = none in particular. */
  reason: string | null;
}

/** Returns the recipients of the notification by ID, once all emails are written. */
export async function toldOf(app: App, notificationId: number): Promise<ToldPerson[]> {
  await writeNotificationMails(app);
  const [{ mailedAt }, rows] = await Promise.all([
    app.dataSource.manager.findOneByOrFail(Notification, { id: notificationId }),
    app.dataSource.query<{ user_id: number; reason: number | null }[]>(
      'SELECT user_id, reason FROM outgoing_mails WHERE notification_id = $1 ORDER BY user_id',
      [notificationId],
    ),
  ]);
  if (mailedAt === null) throw new Error('The mails about the notification were not written');
  return rows.map(({ user_id: userId, reason }) => ({ userId, reason: reasonName(reason) }));
}

/** Returns the recipients of the latest notification. */
export async function lastTold(app: App): Promise<ToldPerson[]> {
  return toldOf(app, await lastNotification(app));
}

function reasonName(stored: number | null): string | null {
  return Object.entries(MAIL_REASONS).find(([, value]) => value === stored)?.[0] ?? null;
}
