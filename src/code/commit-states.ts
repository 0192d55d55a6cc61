/** What outside CI says of a commit, as v4 names it. */
export const COMMIT_STATES = [
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
] as const;
export type CommitState = (typeof COMMIT_STATES)[number];
