import type { EntityManager } from 'typeorm';

const LOCK_SQL = `SELECT pg_advisory_xact_lock(hashtextextended('pipelines ' || $1 || ' ' || $2, 0))`;

/**
 * Until the transaction ends nobody else makes or changes a pipeline of the commit. It is the first
 * lock that a transaction takes, so that none waits for another in a circle.
 */
export async function lockPipelines(
  tx: EntityManager,
  projectId: number,
  sha: string,
): Promise<void> {
  await tx.query(LOCK_SQL, [String(projectId), sha]);
}
