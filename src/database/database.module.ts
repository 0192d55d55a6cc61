import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { dataSourceOptions } from './data-source-options.js';

const WEB_STATEMENT_TIMEOUT_MS = 5_000;

/** The database connection of the web process: no statement runs longer than 5 seconds. */
@Module({ imports: [connection(WEB_STATEMENT_TIMEOUT_MS)] })
export class WebDatabaseModule {}

/** The database connection of the worker and the command line: without that bound. */
@Module({ imports: [connection(0)] })
export class WorkerDatabaseModule {}

function connection(statementTimeoutMs: number): ReturnType<typeof TypeOrmModule.forRootAsync> {
  return TypeOrmModule.forRootAsync({
    inject: [CONFIG],
    useFactory: (config: Config) => ({
      ...dataSourceOptions({
        databaseUrl: config.databaseUrl,
        poolSize: config.databasePoolSize,
        statementTimeoutMs,
      }),
      retryAttempts: 0,
    }),
  });
}
