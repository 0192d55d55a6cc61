import type { PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';

/**
 * Runs a statement of a transaction as a named prepared statement: it is parsed and planned once
 * per connection. Throws outside a transaction.
 */
export async function queryPrepared(
  manager: EntityManager,
  statement: { name: string; text: string; values: unknown[] },
): Promise<void> {
  const client = (await manager.queryRunner?.connect()) as PoolClient | undefined;
  if (client === undefined) throw new Error('Not inside a transaction');
  await client.query(statement);
}
