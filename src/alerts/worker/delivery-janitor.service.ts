import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
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

  /** Runs one round and returns the number of deleted rows. */
  async run(isStopping: () => boolean): Promise<number> {
    let count = 0;
    for (const excess of await this.deliveries.listExcess()) {
      count += await this.trim(excess, isStopping);
    }
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    let deleted = DELETED_DELIVERIES;
    while (deleted === DELETED_DELIVERIES && !isStopping()) {
      deleted = await this.deliveries.deleteOld(before);
      count += deleted;
    }
    return count;
  }

  private async trim(excess: DeliveryExcess, isStopping: () => boolean): Promise<number> {
    let [count, deleted, from] = [0, DELETED_DELIVERIES, 0];
    while (deleted === DELETED_DELIVERIES && !isStopping()) {
      const ids = await this.deliveries.deleteExcess(excess, from);
      deleted = ids.length;
      count += deleted;
      from = Math.max(from, ...ids);
    }
    return count;
  }
}
