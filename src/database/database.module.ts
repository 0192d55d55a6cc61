import pg from 'pg';
import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { createPgDriver, SESSION_OPTIONS } from '../core/sql/pg-driver.js';
import { ENTITIES } from './entities.js';
import { Baseline1795900000000 } from './migrations/1795900000000-baseline.js';
import { AccessRequests1795900067000 } from './migrations/1795900067000-access-requests.js';
import { FeedTokens1795910300000 } from './migrations/1795910300000-feed-tokens.js';
import { SearchIndexes1796000063000 } from './migrations/1796000063000-search-indexes.js';
import { Todos1796000064000 } from './migrations/1796000064000-todos.js';
import { ErrorAssignees1796000100000 } from './migrations/1796000100000-error-assignees.js';
import { Labels1796000200000 } from './migrations/1796000200000-labels.js';
import { EncryptedColumns1796000300000 } from './migrations/1796000300000-encrypted-columns.js';
import { KeptLabels1796000310000 } from './migrations/1796000310000-kept-labels.js';
import { ErrorConditions1796000317000 } from './migrations/1796000317000-error-conditions.js';
import { OpenedIssuesByType1796000320000 } from './migrations/1796000320000-opened-issues-by-type.js';
import { ErrorMerges1796000327000 } from './migrations/1796000327000-error-merges.js';
import { SavedViews1796000500000 } from './migrations/1796000500000-saved-views.js';
import { AlertSilences1796000600000 } from './migrations/1796000600000-alert-silences.js';
import { WorkerHeartbeats1796000610000 } from './migrations/1796000610000-worker-heartbeats.js';
import { AuditDeliveries1796000620000 } from './migrations/1796000620000-audit-deliveries.js';
import { TextSearch1796000750000 } from './migrations/1796000750000-text-search.js';
import { SilencePatterns1796000760000 } from './migrations/1796000760000-silence-patterns.js';
import { ListOrders1796000770000 } from './migrations/1796000770000-list-orders.js';
import { LabelSubscriptions1796000890000 } from './migrations/1796000890000-label-subscriptions.js';
import { GrowingSearches1797000100000 } from './migrations/1797000100000-growing-searches.js';
import { GrowingFilters1797000110000 } from './migrations/1797000110000-growing-filters.js';
import { AuthorizedNamespaces1797000120000 } from './migrations/1797000120000-authorized-namespaces.js';
import { AlertHours1797000400000 } from './migrations/1797000400000-alert-hours.js';
import { ValidAlertHours1797000410000 } from './migrations/1797000410000-valid-alert-hours.js';
import { ErrorTexts1797000500000 } from './migrations/1797000500000-error-texts.js';
import { LargeProjects1797000600000 } from './migrations/1797000600000-large-projects.js';
import { UserIndexes1797000700000 } from './migrations/1797000700000-user-indexes.js';
import { NameBeginnings1797000800000 } from './migrations/1797000800000-name-beginnings.js';
import { UserAnnouncements1797000900000 } from './migrations/1797000900000-user-announcements.js';

const DATE_OID = 1082;

interface ConnectionSettings {
  databaseUrl: string;
  poolSize: number;
  /** 0 = no limit: the worker's copies and the command line can take longer than a request. */
  statementTimeoutMs: number;
  /** True if requests can read from a replica: false by default. */
  hasReplica?: boolean;
}

/** TypeORM's options, the same for the application and for the migration command. */
export function dataSourceOptions(settings: ConnectionSettings): DataSourceOptions {
  // A date has no time zone; pg would turn it into local midnight.
  pg.types.setTypeParser(DATE_OID, (text) => text);
  return {
    type: 'postgres',
    // Without it TypeORM requires `pg` by a computed name, which no bundler can follow.
    driver: createPgDriver(settings),
    url: settings.databaseUrl,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    parseInt8: true,
    poolSize: settings.poolSize,
    extra: {
      // Statements of a transaction that need no answer of each other share a round trip.
      pipeline: true,
      statement_timeout: settings.statementTimeoutMs,
      idle_in_transaction_session_timeout: 60_000,
      connectionTimeoutMillis: 10_000,
      ...SESSION_OPTIONS,
    },
  };
}

/** Every migration in order, named one by one. */
const MIGRATIONS = [
  Baseline1795900000000,
  AccessRequests1795900067000,
  FeedTokens1795910300000,
  SearchIndexes1796000063000,
  Todos1796000064000,
  ErrorAssignees1796000100000,
  Labels1796000200000,
  EncryptedColumns1796000300000,
  KeptLabels1796000310000,
  ErrorConditions1796000317000,
  OpenedIssuesByType1796000320000,
  ErrorMerges1796000327000,
  SavedViews1796000500000,
  AlertSilences1796000600000,
  WorkerHeartbeats1796000610000,
  AuditDeliveries1796000620000,
  TextSearch1796000750000,
  SilencePatterns1796000760000,
  ListOrders1796000770000,
  LabelSubscriptions1796000890000,
  GrowingSearches1797000100000,
  GrowingFilters1797000110000,
  AuthorizedNamespaces1797000120000,
  AlertHours1797000400000,
  ValidAlertHours1797000410000,
  ErrorTexts1797000500000,
  LargeProjects1797000600000,
  UserIndexes1797000700000,
  NameBeginnings1797000800000,
  UserAnnouncements1797000900000,
];

/** Names as the database records them. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map(({ name }) => name);

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
        hasReplica: config.databaseReplicaUrl !== undefined,
      }),
      retryAttempts: 0,
    }),
  });
  return { module: DatabaseModule, imports: [typeOrm] };
}
