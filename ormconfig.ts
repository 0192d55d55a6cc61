import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { withLocalServers } from './src/config/local-servers.js';
import { dataSourceOptions } from './src/database/database.module.js';

/** Data source of the TypeORM command line; the application builds its own from the same options. */
export default new DataSource(
  dataSourceOptions({
    databaseUrl: withLocalServers(process.env)['DATABASE_URL'] ?? 'postgres://localhost/guildhall',
    poolSize: 2,
    statementTimeoutMs: 0,
  }),
);
