import pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { PoolClient } from 'pg';

/** Tests the connection. */
export const PING_SQL = 'SELECT 1';

/** The `pg` module with the pool that was created last. */
interface PgDriver {
  pool: pg.Pool | null;
}

/** Returns `pg` for TypeORM's `driver` option, so that `poolOf` finds the pool TypeORM creates. */
export function createPgDriver(): PgDriver {
  const driver = {
    ...pg,
    pool: null as pg.Pool | null,
    Pool: class extends pg.Pool {
      constructor(config?: pg.PoolConfig) {
        super(config);
        driver.pool = this;
      }
    },
  };
  return driver;
}

/** Returns the connection pool of a data source; throws before it is initialized. */
export function poolOf({ options }: DataSource): pg.Pool {
  const driver = ('driver' in options ? options.driver : null) as PgDriver | null;
  const pool = driver?.pool ?? null;
  if (pool === null) throw new Error('The data source has no connection pool yet');
  return pool;
}

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
