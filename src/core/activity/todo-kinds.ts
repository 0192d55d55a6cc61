/** Stored reasons of to-dos; the numbers are those of version 4. */
export const TODO_ACTIONS = {
  assigned: 1,
  mentioned: 2,
  marked: 4,
  review_requested: 9,
} as const;
export type TodoAction = keyof typeof TODO_ACTIONS;

/** Stored target types of to-dos; those of notifications share their numbers. */
export const TODO_TARGETS = { issue: 1, merge_request: 2, alert: 10 } as const;
export type TodoTarget = keyof typeof TODO_TARGETS;

/** Columns of the targets. */
export const TODO_COLUMNS: Record<TodoTarget, string> = {
  issue: 'issue_id',
  merge_request: 'merge_request_id',
  alert: 'alert_id',
};

/** Target types in the words of version 4. */
export const TODO_TYPES = {
  Issue: 'issue',
  MergeRequest: 'merge_request',
  'AlertManagement::Alert': 'alert',
} as const satisfies Record<string, TodoTarget>;
export type TodoType = keyof typeof TODO_TYPES;
