import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { dataSourceOptions } from './data-source-options.js';

const WEB_STATEMENT_TIMEOUT_MS = 5_000;

/** The database connection of a process. */
@Module({})
export class DatabaseModule {
  /** For the web process: no statement runs longer than 5 seconds. */
  static forWeb(): DynamicModule {
    return connection(WEB_STATEMENT_TIMEOUT_MS);
  }

  /** For the worker and the command line: without that bound. */
  static forWorker(): DynamicModule {
    return connection(0);
  }
}

function connection(statementTimeoutMs: number): DynamicModule {
  const typeOrm = TypeOrmModule.forRootAsync({
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
  return { module: DatabaseModule, imports: [typeOrm] };
}
