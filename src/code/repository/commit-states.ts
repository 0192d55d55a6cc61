/** Commit states that external CI reports, by their v4 names. */
export const COMMIT_STATES = [
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
] as const;
export type CommitState = (typeof COMMIT_STATES)[number];
