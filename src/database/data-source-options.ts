import type { DataSourceOptions } from 'typeorm';
import pg from 'pg';
import { createPgDriver } from '../core/sql/pg-driver.js';
import { ENTITIES } from './entities.js';
import { MIGRATIONS } from './migrations.js';

const DATE_OID = 1082;

interface ConnectionSettings {
  databaseUrl: string;
  poolSize: number;
  /** 0 = no limit: the worker's copies and the command line can take longer than a request. */
  statementTimeoutMs: number;
}

/** TypeORM's options, the same for the application and for the migration command. */
export function dataSourceOptions(settings: ConnectionSettings): DataSourceOptions {
  // A date has no time zone; pg would turn it into local midnight.
  pg.types.setTypeParser(DATE_OID, (text) => text);
  return {
    type: 'postgres',
    // Without it TypeORM requires `pg` by a computed name, which no bundler can follow.
    driver: createPgDriver(),
    url: settings.databaseUrl,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    parseInt8: true,
    poolSize: settings.poolSize,
    extra: {
      statement_timeout: settings.statementTimeoutMs,
      idle_in_transaction_session_timeout: 60_000,
      connectionTimeoutMillis: 10_000,
      application_name: 'guildhall',
      // Compiling a statement takes longer than running any of ours.
      options: '-c jit=off',
    },
  };
}
