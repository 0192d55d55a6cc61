import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { JobQueue } from '../durable-work/job-queue.service.js';
import { QUEUES } from '../durable-work/queues.js';
import type { NewEvent } from './event.entity.js';
import { EventsRepository } from './events.repository.js';
import {
  NotificationsRepository,
  type NewNotification,
  type NotificationKind,
} from './notifications.repository.js';

/** Additional work of a feature for the transaction of a notification; its errors undo the change. */
type NotificationListener = (
  tx: EntityManager,
  notifications: readonly NewNotification[],
) => Promise<void>;

/** Interval between two writes of a project's last activity. */
const TOUCHED_MS = 5 * 60_000;
const MAX_TOUCHED = 10_000;

/** Notification kinds by target and action of an event. */
const KINDS: Partial<Record<string, NotificationKind>> = {
  'issue created': 'new_issue',
  'issue closed': 'close_issue',
  'issue reopened': 'reopen_issue',
  'merge_request created': 'new_merge_request',
  'merge_request closed': 'close_merge_request',
  'merge_request reopened': 'reopen_merge_request',
  'merge_request merged': 'merge_merge_request',
};

/**
 * Records events of users and Git (API doc, Events), and the notifications that emails are made of.
 */
@Injectable()
export class Activity {
  /** When each project is to be touched again, so that most events need no statement for it. */
  private readonly touched = new Map<number, number>();
  private readonly listeners: NotificationListener[] = [];

  constructor(
    private readonly events: EventsRepository,
    private readonly notifications: NotificationsRepository,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Records events in the transaction of the change, with the notifications that belong to them.
   * The caller has locked or just inserted the target: triggers delete events with their targets.
   */
  async record(tx: EntityManager, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const notifications = events.flatMap((event) => notificationOf(event) ?? []);
    await Promise.all([this.events.record(tx, events), this.notify(tx, notifications)]);
    const due = this.dueProjects(new Set(events.map(({ projectId }) => projectId)), Date.now());
    if (due.length > 0) await this.events.touchProjects(tx, due);
  }

  /** Registers a listener for all recorded notifications. */
  onNotify(listener: NotificationListener): void {
    this.listeners.push(listener);
  }

  /** Records notifications that belong to no event, in the transaction of the change. */
  async notify(tx: EntityManager, notifications: readonly NewNotification[]): Promise<void> {
    if (notifications.length === 0) return;
    await this.notifications.record(tx, notifications);
    for (const listener of this.listeners) await listener(tx, notifications);
    this.jobs.notifyAfterCommit(tx, QUEUES.notifications);
  }

  private dueProjects(ids: ReadonlySet<number>, now: number): number[] {
    const due = [...ids].filter((id) => (this.touched.get(id) ?? 0) <= now);
    if (this.touched.size + due.length > MAX_TOUCHED) this.touched.clear();
    for (const id of due) this.touched.set(id, now + TOUCHED_MS);
    return due;
  }
}

function notificationOf({
  projectId,
  authorId,
  action,
  target,
  noteable,
}: NewEvent): NewNotification | null {
  if (target === undefined) return null;
  const base = { projectId, actorId: authorId };
  if (noteable !== undefined) {
    return { ...base, kind: 'new_note', target: noteable, noteId: target.id };
  }
  const kind = KINDS[`${target.type} ${action}`];
  if (kind === undefined || (target.type !== 'issue' && target.type !== 'merge_request'))
    return null;
  return { ...base, kind, target: { type: target.type, id: target.id } };
}
