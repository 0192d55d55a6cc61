import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import type { IsStopping } from '../../core/durable-work/periodic-task.js';
import { RunEvery } from '../../core/durable-work/run-every.decorator.js';
import { utcDay } from '../error-values.js';
import { ErrorGroupsRepository } from '../errors/error-groups.repository.js';
import { ErrorPartitions } from './error-partitions.service.js';
import { ErrorRetention } from './error-retention.service.js';

/** Maintains the tables of errors: partitions for the next days, no rows that are too old. */
@Injectable()
export class ErrorMaintenance {
  private readonly logger = new Logger(ErrorMaintenance.name);
  private cleanedDay = '';

  constructor(
    private readonly clock: Clock,
    private readonly partitions: ErrorPartitions,
    private readonly retention: ErrorRetention,
    private readonly errors: ErrorGroupsRepository,
  ) {}

  /** Creates partitions, so that few events wait for one. */
  @RunEvery({ ms: 60_000 })
  async makePartitions(): Promise<void> {
    const made = await this.partitions.ensure();
    if (made.length > 0) this.logger.log(`Made partitions: ${made.map(nameOf).join(', ')}`);
  }

  /** Reopens errors that were ignored until now. */
  @RunEvery({ ms: 60_000 })
  async endIgnores(isStopping: IsStopping): Promise<void> {
    let ended = 1;
    while (ended > 0 && !isStopping()) ended = await this.errors.endIgnores(this.clock.now());
  }

  /** Drops past days, and once a day what else is too old. */
  @RunEvery({ ms: 3_600_000 })
  async removeOld(isStopping: IsStopping): Promise<void> {
    const dropped = await this.partitions.prune(isStopping);
    if (dropped.length > 0) this.logger.log(`Dropped past days: ${dropped.map(nameOf).join(', ')}`);
    const today = utcDay(this.clock.now());
    if (this.cleanedDay === today) return;
    const { trends, outcomes, errors } = await this.retention.run(isStopping);
    this.cleanedDay = today;
    if (trends + outcomes + errors === 0) return;
    const counts = `${errors} errors, ${trends} hours, ${outcomes} counters of outcomes`;
    this.logger.log(`Deleted what was too old: ${counts}`);
  }
}

function nameOf({ table, day }: { table: string; day: string }): string {
  return `${table} ${day}`;
}
