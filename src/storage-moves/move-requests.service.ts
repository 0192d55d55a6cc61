import { Injectable } from '@nestjs/common';
import type { AuthContext } from '../core/access/auth-context.js';
import type { AuditActor } from '../core/audit/audit.service.js';
import { MoveBatches, type BatchRequest } from './move-batches.service.js';
import { MoveCancellation } from './move-cancellation.service.js';
import { MoveDryRun } from './move-dry-run.service.js';
import type { BulkForecast, MoveForecast } from './move-forecast.js';
import { MoveScheduler, type MoveRequest } from './move-scheduler.service.js';
import type { MoveKind } from './move-states.js';

/** Everything an administrator may ask for; the API and the command line share it. */
@Injectable()
export class MoveRequests {
  constructor(
    private readonly scheduler: MoveScheduler,
    private readonly batches: MoveBatches,
    private readonly cancellation: MoveCancellation,
    private readonly dryRun: MoveDryRun,
  ) {}

  /** See MoveScheduler.schedule. */
  schedule(request: MoveRequest, actor: AuditActor): Promise<number> {
    return this.scheduler.schedule(request, actor);
  }

  /** See MoveScheduler.retry. */
  retry(kind: MoveKind, moveId: number, actor: AuditActor): Promise<number> {
    return this.scheduler.retry(kind, moveId, actor);
  }

  /** See MoveBatches.create. */
  scheduleAll(request: BatchRequest, actor: AuditActor): Promise<number> {
    return this.batches.create(request, actor);
  }

  /** See MoveCancellation.cancel; under sudo the administrator behind it is named. */
  cancel(kind: MoveKind, moveId: number, actor: AuthContext): Promise<void> {
    const username = (actor.impersonator ?? actor.viewer)?.username ?? 'the system';
    return this.cancellation.cancel(kind, moveId, { ...actor, username });
  }

  forecast(request: MoveRequest): Promise<MoveForecast> {
    return this.dryRun.ofContainer(request);
  }

  /** Throws as MoveBatches.check does. */
  forecastAll(request: BatchRequest): Promise<BulkForecast> {
    return this.dryRun.ofStorage(this.batches.check(request));
  }
}
