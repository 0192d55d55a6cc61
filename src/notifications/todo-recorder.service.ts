import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Activity } from '../core/activity/activity.service.js';
import {
  NOTIFICATION_KINDS,
  type NewNotification,
} from '../core/activity/notifications.repository.js';
import { queryPrepared } from '../core/sql/pg-driver.js';
import { recordTodosSql, type NotificationCount, type NotifiedTodoTarget } from './sql/todos.js';

const statementsOf = (target: NotifiedTodoTarget): Record<NotificationCount, string> => ({
  one: recordTodosSql(target, 'one'),
  many: recordTodosSql(target, 'many'),
});

const STATEMENTS: Record<NotifiedTodoTarget, Record<NotificationCount, string>> = {
  issue: statementsOf('issue'),
  merge_request: statementsOf('merge_request'),
};

/** Keeps the to-dos of issues and merge requests, in the transaction of the change. */
@Injectable()
export class TodoRecorder implements OnModuleInit {
  constructor(private readonly activity: Activity) {}

  onModuleInit(): void {
    this.activity.onNotify(async (tx, notifications) => {
      for (const target of ['issue', 'merge_request'] as const) {
        const ofTarget = notifications.filter((one) => one.target.type === target);
        if (ofTarget.length > 0) await queryPrepared(tx, todosStatement(target, ofTarget));
      }
    });
  }
}

/** Returns the prepared statement that records the to-dos of notifications about one kind of target. */
export function todosStatement(
  target: NotifiedTodoTarget,
  notifications: readonly NewNotification[],
): { name: string; text: string; values: unknown[] } {
  const columns = [
    notifications.map(({ kind }) => NOTIFICATION_KINDS[kind]),
    notifications.map(({ projectId }) => projectId),
    notifications.map(({ actorId }) => actorId),
    notifications.map((one) => one.target.id),
    notifications.map(({ noteId }) => noteId ?? null),
    notifications.map(({ details }) => JSON.stringify(details ?? {})),
  ];
  const count = notifications.length === 1 ? 'one' : 'many';
  const values = count === 'one' ? columns.map(([value]) => value) : columns;
  const name = `record-${target}-todos-of-${count}`;
  return { name, text: STATEMENTS[target][count], values };
}
