import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { toUnavailableError, NotFoundError } from '../../core/errors.js';
import { IngestQueue } from '../../core/ingest/ingest-queue.js';
import { ErrorBatchWriter } from './error-batch-writer.service.js';
import {
  type ErrorSource,
  type IncomingEvent,
  heldBytes,
  type IngestItem,
  type IngestOutcome,
} from './grouped-events.js';
import { MetricsRegistry } from '../../core/metrics/metrics-registry.js';
import type { ErrorOutcomeKind } from '../error-values.js';

const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** Metrics of the ingest in this process. */
@Injectable()
export class IngestMetrics {
  private readonly events: Counter<'outcome'>;
  private readonly rest: Counter<'outcome' | 'reason'>;
  private readonly batchSizes: Histogram;
  /** Bytes of events that wait for their commit. */
  waitingBytes = 0;

  constructor({ registry }: MetricsRegistry) {
    const registers = [registry];
    this.events = new Counter({
      name: 'guildhall_error_events_total',
      help: 'Events of errors that were taken: stored, only counted, or known already',
      labelNames: ['outcome'],
      registers,
    });
    this.rest = new Counter({
      name: 'guildhall_error_items_total',
      help: 'Other items that error SDKs sent or discarded, by outcome and reason',
      labelNames: ['outcome', 'reason'],
      registers,
    });
    this.batchSizes = new Histogram({
      name: 'guildhall_error_batch_size',
      help: 'Events that are written in one transaction',
      buckets: BATCH_SIZES,
      registers,
    });
    const waitingBytes = (): number => this.waitingBytes;
    new Gauge({
      name: 'guildhall_error_waiting_bytes',
      help: 'Bytes of events that wait for their commit',
      registers,
      collect() {
        this.set(waitingBytes());
      },
    });
  }

  /** An event whose outcome is committed. */
  taken(outcome: IngestOutcome): void {
    this.events.inc({ outcome });
  }

  /** Events that are about to be written together. */
  batch(size: number): void {
    this.batchSizes.observe(size);
  }

  /** Counts other items. The reasons of clients are unbounded, so they share one label. */
  other(outcome: Exclude<ErrorOutcomeKind, 'accepted'>, reason: string, quantity: number): void {
    const label = outcome === 'lost_by_client' ? 'client' : reason;
    this.rest.inc({ outcome, reason: label }, quantity);
  }
}

const LIMITS = {
  // One batch is written while the next one is collected.
  batches: { running: 2, size: 500, weight: { max: 8 * 1024 * 1024, of: heldBytes } },
  waiting: [
    { capacity: 20_000, weightOf: () => 1 },
    { capacity: 64 * 1024 * 1024, weightOf: heldBytes },
  ],
};

const FOREIGN_KEY_VIOLATION = '23503';

/** The one way into the tables of errors: for what programs report, and for test events. */
@Injectable()
export class ErrorIngest {
  private readonly queue: IngestQueue<IngestItem, IngestOutcome>;

  constructor(
    writer: ErrorBatchWriter,
    private readonly metrics: IngestMetrics,
  ) {
    this.queue = new IngestQueue((items) => {
      metrics.batch(items.length);
      return writer.write(items);
    }, LIMITS);
  }

  /**
   * Counts the event, and stores it as far as events of its error are stored. What it resolves is
   * committed; an event that came before changes nothing. Throws 503 when too much waits or the
   * database is away: whether the event was counted is then unknown, and it can be sent again.
   * Throws 404 when the project is gone.
   */
  async receive(source: ErrorSource, event: IncomingEvent): Promise<void> {
    const item = { source, event };
    const bytes = heldBytes(item);
    this.metrics.waitingBytes += bytes;
    try {
      this.metrics.taken(await this.queue.run(item));
    } catch (error) {
      throw refusalOf(error);
    } finally {
      this.metrics.waitingBytes -= bytes;
    }
  }
}

function refusalOf(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (code === FOREIGN_KEY_VIOLATION) return new NotFoundError('Project');
  return toUnavailableError(error) ?? error;
}
