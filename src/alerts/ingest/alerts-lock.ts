/** Locks of projects whose alerts are written: above every other lock of ours. */
const PROJECT_LOCKS = 4_100_000_000_000_000;

/** Key of the advisory lock under which what tools tell of a project's alerts is written. */
export function alertsLockOf(projectId: number): number {
  return PROJECT_LOCKS + projectId;
}
