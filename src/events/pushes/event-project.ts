import type { EntityManager } from 'typeorm';

/**
 * Whether the project exists, and keeps it so until the transaction ends: an event without would
 * stay for good, the trigger that removes them being over.
 */
export async function projectIsThere(tx: EntityManager, id: number): Promise<boolean> {
  const rows = await tx.query<object[]>('SELECT 1 FROM projects WHERE id = $1 FOR KEY SHARE', [id]);
  return rows.length > 0;
}
