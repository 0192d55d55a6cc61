import {
  Notification,
  NOTIFICATION_KINDS,
  NOTIFICATION_TARGETS,
  type NewNotification,
  type NotificationKind,
} from '../../src/core/activity/notifications.repository.js';
import { OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { MAIL_REASONS, type MailReason } from '../../src/notifications/notification-values.js';
import type { TestApp } from './app.js';

type Database = Pick<TestApp, 'dataSource'>;

/**
 * Inserts a notification whose emails the test writes itself: the worker must not choose
 * recipients.
 */
export async function makeNotification(
  { dataSource }: Database,
  notification: NewNotification,
): Promise<number> {
  const { kind, projectId, actorId, target, noteId = null, details = {} } = notification;
  const inserted = await dataSource.manager.insert(Notification, {
    kind: NOTIFICATION_KINDS[kind],
    projectId,
    actorId,
    targetType: NOTIFICATION_TARGETS[target.type],
    targetId: target.id,
    noteId,
    details,
    mailedAt: new Date(),
  });
  return (inserted.identifiers[0] as { id: number }).id;
}

/** An email about a notification that waits to be sent. */
export interface WaitingMail {
  kind: NotificationKind;
  notificationId: number;
  user: { id: number; email: string };
  reason?: MailReason;
}

/** Keeps it as the worker does that decides who gets one. */
export async function makeNotificationMail(
  { dataSource }: Database,
  { kind, notificationId, user, reason }: WaitingMail,
): Promise<number> {
  const inserted = await dataSource.manager.insert(OutgoingMail, {
    recipient: user.email,
    kind,
    notificationId,
    userId: user.id,
    reason: reason === undefined ? null : MAIL_REASONS[reason],
  });
  return (inserted.identifiers[0] as { id: number }).id;
}
