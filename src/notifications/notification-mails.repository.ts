import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import {
  Notification,
  NOTIFICATION_KINDS,
  NOTIFICATION_TARGETS,
  type NotificationKind,
  type NotificationTarget,
} from '../core/activity/notifications.repository.js';
import {
  dueSql,
  postponeSql,
  purgeSql,
  type WorkTable,
} from '../core/durable-work/sql/work-statements.js';
import { Sql } from '../core/sql/sql.service.js';
import type { NotificationMail } from '../core/mail/notification-emails.service.js';
import type { EmailRow } from './emails/email-facts.js';
import { fanOutSql } from './sql/recipients.js';
import { EMAILS_SQL } from './sql/emails.js';

export const DUE_BATCH = 100;

const NOTIFICATIONS: WorkTable = {
  table: 'notifications',
  pending: 'w.mailed_at IS NULL',
  order: 'w.id',
};

const DUE_SQL = dueSql(NOTIFICATIONS, {
  columns: `w.id, w.kind, w.target_type AS "targetType", w.project_id AS "projectId",
    (SELECT k.commit_sha FROM notes k WHERE k.id = w.note_id) AS sha`,
  now: '$1',
  limit: String(DUE_BATCH),
});

const POSTPONE_SQL = postponeSql(NOTIFICATIONS, { where: 'w.id = $1', now: '$2', seconds: 15 });

/** A notification whose emails are to be written now. */
export interface DueNotification {
  id: number;
  kind: number;
  targetType: number;
  projectId: number;
  /** The commit, of notifications about commits. */
  sha: string | null;
}

/** The first worker inserts the day; others wait for it and do nothing. */
const DUE_ISSUES_SQL = `
  WITH run AS (INSERT INTO due_date_reminders (day) VALUES ($1) ON CONFLICT DO NOTHING RETURNING day),
  told AS (
    INSERT INTO notifications (kind, project_id, target_type, target_id)
    SELECT ${NOTIFICATION_KINDS.issue_due}, i.project_id, ${NOTIFICATION_TARGETS.issue}, i.id
    FROM run JOIN issues i ON i.due_date = run.day + 1 WHERE i.state = 'opened'
    ORDER BY i.id RETURNING 1)
  SELECT count(*)::integer AS count FROM told`;

/** Notifications of one statement, so that none of them locks for long. */
export const PURGE_BATCH = 10_000;

/** Keeps notifications of queued emails, which are rendered from them. */
const PURGE_SQL = purgeSql(
  'notifications',
  `w.created_at < $1
    AND NOT EXISTS (SELECT FROM outgoing_mails q
      WHERE q.notification_id = w.id AND q.state = 'queued')`,
  PURGE_BATCH,
);

const PURGE_REMINDERS_SQL = `
  DELETE FROM due_date_reminders WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date`;

/** Owns every statement that makes emails of notifications, and those about days of due issues. */
@Injectable()
export class NotificationMailsRepository extends Repository<Notification> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Notification, dataSource.manager);
  }

  /** Returns up to DUE_BATCH notifications whose emails are due. */
  dueNotifications(now: Date): Promise<DueNotification[]> {
    return this.queries.rows<DueNotification>(DUE_SQL, [now]);
  }

  /**
   * Writes the emails about a notification and returns their number. About commits `author` is the
   * list of one value, the address of the commit's author or null; else it is empty.
   */
  async writeMails(
    notification: DueNotification,
    { now, author }: { now: Date; author: readonly (string | null)[] },
  ): Promise<number> {
    const values = [notification.id, now, ...author];
    const written = await this.queries.row<{ mails: number }>(statementOf(notification), values);
    return written?.mails ?? 0;
  }

  /** Schedules the next attempt. */
  async postpone(notificationId: number, now: Date): Promise<void> {
    await this.queries.rows(POSTPONE_SQL, [notificationId, now]);
  }

  /** Returns the contents of emails, for recipients who can read them now. */
  emails(mails: readonly NotificationMail[]): Promise<EmailRow[]> {
    return this.queries.rows<EmailRow>(EMAILS_SQL, [
      mails.map(({ id }) => id),
      mails.map(({ notificationId }) => notificationId),
      mails.map(({ userId }) => userId),
      mails.map(({ reason }) => reason),
    ]);
  }

  /**
   * Records notifications about issues due on the day after `day`, once, and returns their number.
   */
  async recordDueDateReminders(day: string): Promise<number> {
    const told = await this.queries.row<{ count: number }>(DUE_ISSUES_SQL, [day]);
    return told?.count ?? 0;
  }

  /** Deletes the days before a time on which due issues were recorded. */
  async purgeDueDateReminders(before: Date): Promise<void> {
    await this.queries.rows(PURGE_REMINDERS_SQL, [before]);
  }

  /** Deletes up to PURGE_BATCH notifications from before a time and returns their number. */
  async purgeNotifications(before: Date): Promise<number> {
    const gone = await this.queries.row<{ count: number }>(PURGE_SQL, [before]);
    return gone?.count ?? 0;
  }
}

function statementOf({ kind, targetType }: DueNotification): string {
  const kindName = nameIn(NOTIFICATION_KINDS, kind);
  const targetName = nameIn(NOTIFICATION_TARGETS, targetType);
  return fanOutSql(kindName as NotificationKind, targetName as NotificationTarget);
}

function nameIn(words: Record<string, number>, stored: number): string {
  const name = Object.keys(words).find((word) => words[word] === stored);
  // A later version wrote it before a downgrade; it can be deployed again.
  if (name === undefined) throw new Error(`${stored} is unknown`);
  return name;
}
