import pg from 'pg';
import { DataSource } from 'typeorm';
import type { Config } from '../config/env.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { SETUP_LOCK_SQL } from './cli.repository.js';

/**
 * Runs `work` while no other process prepares the same database. Waits for its turn; the lock
 * dies with the connection, so a killed process leaves none behind.
 */
export async function withSetupLock<T>(config: Config, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: config.databaseUrl });
  await client.connect();
  try {
    await client.query(SETUP_LOCK_SQL);
    return await work();
  } finally {
    await client.end();
  }
}

/** Brings the database's schema up to date; returns the names of the migrations that it lacked. */
export async function runMigrations({ databaseUrl }: Config): Promise<string[]> {
  const options = dataSourceOptions({ databaseUrl, poolSize: 2, statementTimeoutMs: 0 });
  const dataSource = await new DataSource(options).initialize();
  try {
    const migrations = await dataSource.runMigrations();
    return migrations.map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}
