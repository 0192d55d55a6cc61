import { getQueueToken } from '@nestjs/bull';
import type { INestApplicationContext } from '@nestjs/common';
import type { Queue } from 'bull';
import { AlertReaction, type ReactionKind } from '../../src/alerts/alert-reaction.entity.js';
import { JOB_NAMES, QUEUES } from '../../src/core/durable-work/queues.js';
import type { TestApp } from '../support/app.js';

type Database = Pick<TestApp, 'dataSource'>;

/** Inserts a reaction for the worker; does not wake the worker. */
export async function makeReaction(
  { dataSource }: Database,
  alert: { id: number },
  reaction: ReactionKind | (Partial<AlertReaction> & { kind: ReactionKind }),
): Promise<void> {
  const attributes = typeof reaction === 'string' ? { kind: reaction } : reaction;
  await dataSource.manager.insert(AlertReaction, { ...attributes, alertId: alert.id });
}

/** The rows that still wait, the oldest first. */
export function waitingReactions({ dataSource }: Database): Promise<AlertReaction[]> {
  return dataSource.manager.find(AlertReaction, { order: { id: 'ASC' } });
}

/** Lets the worker do now what is due; otherwise it does so when it is woken, and every 5 s. */
export async function react(worker: INestApplicationContext): Promise<void> {
  const queue = worker.get<Queue>(getQueueToken(QUEUES.alerts), { strict: false });
  // Nothing can be learned of a job that has been removed.
  const job = await queue.add(JOB_NAMES.alerts, {}, { removeOnComplete: false });
  await job.finished();
}

/** People whose pending email could be written now. */
export async function dueEmails({ dataSource }: Database): Promise<unknown[]> {
  return dataSource.query(
    `SELECT w.user_id FROM alert_email_windows w
     WHERE w.next_at <= now() AND w.user_id IN (SELECT user_id FROM pending_alert_emails)`,
  );
}

/** As after the interval between two emails: the next one to everyone is due. */
export async function endEmailWindows({ dataSource }: Database): Promise<void> {
  await dataSource.query(`UPDATE alert_email_windows SET next_at = '-infinity'`);
}

interface Note {
  author: string;
  body: string;
}

/** System notes beneath an alert or an issue, in their order. */
export function systemNotes(
  { dataSource }: Database,
  noteable: { alertId: number } | { issueId: number },
): Promise<Note[]> {
  const [column, id] =
    'alertId' in noteable ? ['alert_id', noteable.alertId] : ['issue_id', noteable.issueId];
  return dataSource.query<Note[]>(
    `SELECT u.username AS author, n.body FROM notes n JOIN users u ON u.id = n.author_id
     WHERE n.system AND n.${column} = $1 ORDER BY n.created_at, n.id`,
    [id],
  );
}
