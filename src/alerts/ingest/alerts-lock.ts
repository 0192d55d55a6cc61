/** Locks of projects whose alerts are written: above every other lock of ours. */
const PROJECT_LOCKS = 4_100_000_000_000_000;

/** Returns the key of the advisory lock for writes of a project's alerts. */
export function alertsLockOf(projectId: number): number {
  return PROJECT_LOCKS + projectId;
}
