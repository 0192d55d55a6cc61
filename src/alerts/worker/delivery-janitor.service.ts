import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { inBatches } from '../../core/durable-work/in-batches.js';
import type { IsStopping } from '../../core/durable-work/periodic-task.js';
import { RunEvery } from '../../core/durable-work/run-every.decorator.js';
import {
  AlertDeliveriesRepository,
  DELETED_DELIVERIES,
  type DeliveryExcess,
} from '../alert-deliveries.repository.js';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;

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
