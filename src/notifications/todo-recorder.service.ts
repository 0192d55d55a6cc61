import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../core/activity/activity.service.js';
import { NOTIFICATION_KINDS, type NewNotification } from '../core/activity/notification.entity.js';
import { queryPrepared } from '../core/sql/pg-driver.js';
import { recordTodosSql, type NotifiedTodoTarget } from './sql/todos.js';

const STATEMENTS: Record<NotifiedTodoTarget, string> = {
  issue: recordTodosSql('issue'),
  merge_request: recordTodosSql('merge_request'),
};

/** Keeps the to-dos of issues and merge requests, in the transaction of the change. */
@Injectable()
export class TodoRecorder implements OnModuleInit {
  constructor(private readonly activity: Activity) {}

  onModuleInit(): void {
    this.activity.onNotify(async (tx, notifications) => {
      for (const target of ['issue', 'merge_request'] as const) {
        const ofTarget = notifications.filter((one) => one.target.type === target);
        if (ofTarget.length > 0) await record(tx, target, ofTarget);
      }
    });
  }
}

function record(
  tx: EntityManager,
  target: NotifiedTodoTarget,
  notifications: readonly NewNotification[],
): Promise<void> {
  const values = [
    notifications.map(({ kind }) => NOTIFICATION_KINDS[kind]),
    notifications.map(({ projectId }) => projectId),
    notifications.map(({ actorId }) => actorId),
    notifications.map((one) => one.target.id),
    notifications.map(({ noteId }) => noteId ?? null),
    notifications.map(({ details }) => JSON.stringify(details ?? {})),
  ];
  return queryPrepared(tx, { name: `record-${target}-todos`, text: STATEMENTS[target], values });
}
