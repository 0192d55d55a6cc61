import { Global, Module } from '@nestjs/common';
import { Activity } from './activity/activity.service.js';
import { EventsRepository } from './activity/events.repository.js';
import { NotificationsRepository } from './activity/notifications.repository.js';
import { TodosRepository } from './activity/todos.repository.js';
import { PgNotifyListener } from './announcements/pg-notify-listener.service.js';
import { AuditLog } from './audit/audit.service.js';
import { AvatarsRepository } from './avatars/avatars.repository.js';
import { Avatars } from './avatars/avatars.service.js';
import { Clock } from './clock.js';
import { HttpMetrics } from './metrics/http-metrics.service.js';
import { MetricsRegistry } from './metrics/metrics-registry.js';
import { PoolMetrics } from './metrics/pool-metrics.service.js';
import { ApplicationSettingsRepository } from './settings/application-settings.repository.js';
import { InstanceSettings } from './settings/instance-settings.service.js';
import { JsonPages } from './sql/json-pages.service.js';
import { Sql } from './sql/sql.service.js';
import { WorkerHeartbeatsRepository } from './durable-work/worker-heartbeats.repository.js';
import { SavedViewsRepository } from './ui/saved-views.repository.js';

const SERVICES = [
  Activity,
  ApplicationSettingsRepository,
  AuditLog,
  Avatars,
  AvatarsRepository,
  Clock,
  EventsRepository,
  HttpMetrics,
  InstanceSettings,
  JsonPages,
  MetricsRegistry,
  NotificationsRepository,
  PgNotifyListener,
  PoolMetrics,
  SavedViewsRepository,
  Sql,
  TodosRepository,
  WorkerHeartbeatsRepository,
];

/** Providers that every feature uses without an import. */
@Global()
@Module({ providers: SERVICES, exports: SERVICES })
export class CoreModule {}
