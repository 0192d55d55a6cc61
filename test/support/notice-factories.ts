import { NOTICE_KINDS, NOTICE_TARGETS, type NoticeKind } from '../../src/activity/notice-kinds.js';
import type { NewNotice } from '../../src/activity/new-notice.js';
import { Notice } from '../../src/activity/notice.entity.js';
import { OutgoingMail } from '../../src/mail/outgoing-mail.entity.js';
import { MAIL_REASONS, type MailReason } from '../../src/notifications/notification-values.js';
import type { TestApp } from './app.js';

type Database = Pick<TestApp, 'dataSource'>;

/** Inserts a notice whose emails the test writes itself: the worker must not choose recipients. */
export async function makeNotice({ dataSource }: Database, notice: NewNotice): Promise<number> {
  const { kind, projectId, actorId, target, noteId = null, details = {} } = notice;
  const inserted = await dataSource.manager.insert(Notice, {
    kind: NOTICE_KINDS[kind],
    projectId,
    actorId,
    targetType: NOTICE_TARGETS[target.type],
    targetId: target.id,
    noteId,
    details,
    mailedAt: new Date(),
  });
  return (inserted.identifiers[0] as { id: number }).id;
}

/** A mail about a notice that waits to be sent. */
export interface WaitingMail {
  kind: NoticeKind;
  noticeId: number;
  user: { id: number; email: string };
  reason?: MailReason;
}

/** Keeps it as the worker does that decides who gets one. */
export async function makeNoticeMail(
  { dataSource }: Database,
  { kind, noticeId, user, reason }: WaitingMail,
): Promise<number> {
  const inserted = await dataSource.manager.insert(OutgoingMail, {
    recipient: user.email,
    kind,
    noticeId,
    userId: user.id,
    reason: reason === undefined ? null : MAIL_REASONS[reason],
  });
  return (inserted.identifiers[0] as { id: number }).id;
}
