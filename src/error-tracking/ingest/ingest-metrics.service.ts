import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { MetricsRegistry } from '../../core/metrics/metrics-registry.js';
import type { ErrorOutcomeKind } from '../error-values.js';
import type { IngestOutcome } from './grouped-events.js';

const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** Figures of this process about what programs report. */
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
      help: 'What else error SDKs sent, and what they lost, by what became of it',
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
