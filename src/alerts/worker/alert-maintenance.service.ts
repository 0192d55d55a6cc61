import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../core/durable-work/job-queue.service.js';
import { inBatches, RunEvery, type IsStopping } from '../../core/durable-work/periodic-task.js';
import { QUEUES } from '../../core/durable-work/queues.js';
import { Clock } from '../../core/clock.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { AlertBot } from '../../identity/users/alert-bot.service.js';
import { AlertReactionsRepository } from '../alert-reactions.repository.js';
import { resolveAlerts } from '../alerts.service.js';
import { RESOLVED_AT_ONCE } from '../sql/resolve-alerts.js';
import { AlertsRepository } from '../alerts.repository.js';
import {
  AlertSilencesRepository,
  DELETED_SILENCES,
} from '../silences/alert-silences.repository.js';
import { statusNote } from '../alert-values.js';
import {
  AlertDeliveriesRepository,
  DELETED_DELIVERIES,
  type DeliveryExcess,
} from '../alert-deliveries.repository.js';

/** Resolves alerts without events for the duration in their project's settings. */
@Injectable()
export class StaleAlertResolver {
  constructor(
    private readonly sql: Sql,
    private readonly alerts: AlertsRepository,
    private readonly clock: Clock,
    private readonly bot: AlertBot,
    private readonly jobs: JobQueue,
    private readonly reactions: AlertReactionsRepository,
  ) {}

  /** Resolves all that are stale; returns their number. */
  @RunEvery({
    ms: 60_000,
    countMessage: 'Resolved stale alerts',
    failureMessage: 'Stale alerts were not resolved',
  })
  async run(isStopping: IsStopping): Promise<number> {
    const authorId = await this.bot.id();
    const count = await inBatches(RESOLVED_AT_ONCE, isStopping, () =>
      this.sql.transaction((rows) => this.resolveSome(rows, authorId)),
    );
    if (count > 0) this.jobs.notify(QUEUES.alerts);
    return count;
  }

  private async resolveSome(rows: TransactionRows, authorId: number): Promise<number> {
    const now = this.clock.now();
    const silent = await this.alerts.lockSilent(rows, now);
    const hours = new Map(silent.map((alert) => [alert.id, alert.hours]));
    const alertIds = [...hours.keys()];
    await resolveAlerts(this.alerts, (text, values) => rows(text, values), {
      alertIds,
      endedAt: now,
      authorId,
      notes: ({ id }) => [statusNote('resolved', silenceText(hours.get(id) ?? 0))],
    });
    await this.reactions.insertClosings(rows, alertIds);
    return alertIds.length;
  }
}

function silenceText(hours: number): string {
  return `because no events arrived for ${hours} ${hours === 1 ? 'hour' : 'hours'}`;
}

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;
const KEPT_SILENCE_DAYS = 90;

/** Deletes silences 90 days after their end. */
@Injectable()
export class SilenceJanitor {
  constructor(
    private readonly silences: AlertSilencesRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns the number of deleted silences. */
  @RunEvery({
    ms: 3_600_000,
    countMessage: 'Deleted old silences',
    failureMessage: 'Old silences were not deleted',
  })
  run(isStopping: IsStopping): Promise<number> {
    const before = new Date(this.clock.now().getTime() - KEPT_SILENCE_DAYS * DAY_MS);
    return inBatches(DELETED_SILENCES, isStopping, () => this.silences.deleteExpired(before));
  }
}

/** Keeps the log of deliveries short: the newest 200 of an integration, none older than 30 days. */
@Injectable()
export class DeliveryJanitor {
  constructor(
    private readonly deliveries: AlertDeliveriesRepository,
    private readonly clock: Clock,
  ) {}

  /** Deletes what is too much or too old; returns the number of rows. */
  @RunEvery({
    ms: 60_000,
    countMessage: 'Deleted old deliveries',
    failureMessage: 'Old deliveries stay',
  })
  async run(isStopping: IsStopping): Promise<number> {
    let count = 0;
    for (const excess of await this.deliveries.listExcess()) {
      count += await this.trim(excess, isStopping);
    }
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    return (
      count +
      (await inBatches(DELETED_DELIVERIES, isStopping, () => this.deliveries.deleteOld(before)))
    );
  }

  private trim(excess: DeliveryExcess, isStopping: IsStopping): Promise<number> {
    let from = 0;
    return inBatches(DELETED_DELIVERIES, isStopping, async () => {
      const ids = await this.deliveries.deleteExcess(excess, from);
      from = Math.max(from, ...ids);
      return ids.length;
    });
  }
}
