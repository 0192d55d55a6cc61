import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { IdentityWorkerModule } from './identity/identity.worker.module.js';
import { AlertsWorkerModule } from './alerts/alerts.worker.module.js';
import { MergeRequestsWorkerModule } from './code/merge-requests/merge-requests.worker.module.js';
import { ErrorTrackingWorkerModule } from './error-tracking/error-tracking.worker.module.js';
import { EventsWorkerModule } from './events/events.worker.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Config } from './config/env.js';
import { CoreModule } from './core/core.module.js';
import { AuditDeliveriesRepository } from './core/audit/audit-deliveries.repository.js';
import { AuditStream } from './core/audit/audit-stream.service.js';
import {
  DurableWorker,
  WorkerHeartbeatService,
} from './core/durable-work/durable-worker.service.js';
import { DurableWorkModule } from './core/durable-work/durable-work.module.js';
import { DatabaseModule } from './database/database.module.js';
import { NotificationsWorkerModule } from './notifications/notifications.worker.module.js';
import { MailWorkerModule } from './core/mail/mail.worker.module.js';
import { OAuthWorkerModule } from './oauth/oauth.worker.module.js';
import { ProjectsWorkerModule } from './workspace/projects/projects.worker.module.js';
import { StorageMovesWorkerModule } from './storage-moves/storage-moves.worker.module.js';

/** Features with work to be done in the background; no HTTP. */
const FEATURES = [
  IdentityWorkerModule,
  ErrorTrackingWorkerModule,
  EventsWorkerModule,
  MergeRequestsWorkerModule,
  AlertsWorkerModule,
  MailWorkerModule,
  NotificationsWorkerModule,
  OAuthWorkerModule,
  ProjectsWorkerModule,
  StorageMovesWorkerModule,
];

/** The worker process. */
@Module({})
export class WorkerModule {
  /** Reads the environment unless a configuration is given. */
  static forRoot(config?: Config): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.forRoot(config),
        DatabaseModule.forWorker(),
        DiscoveryModule,
        DurableWorkModule,
        CoreModule,
        ...FEATURES,
      ],
      providers: [AuditDeliveriesRepository, AuditStream, DurableWorker, WorkerHeartbeatService],
    };
  }
}
