import type { EntityManager } from 'typeorm';

/**
 * Rows that a hand-written statement returns inside a transaction. (`EntityManager.query` wraps
 * those of an UPDATE in a pair with their count.)
 */
export async function transactionRows<T extends object>(
  tx: EntityManager,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  if (tx.queryRunner === undefined) throw new Error('Not inside a transaction');
  const result = await tx.queryRunner.query(text, values, true);
  return result.records as T[];
}
