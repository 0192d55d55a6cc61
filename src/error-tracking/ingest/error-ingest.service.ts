import { Injectable } from '@nestjs/common';
import { BatchLoader } from '../../core/batch-loader.js';
import { toUnavailableError } from '../../core/unavailable-error.js';
import { NotFoundError } from '../../core/errors.js';
import { Semaphore } from '../../core/semaphore.js';
import { ErrorBatchWriter } from './error-batch-writer.service.js';
import { IngestMetrics } from './ingest-metrics.service.js';
import type { ErrorSource } from './error-source.js';
import { heldBytes, type IngestItem, type IngestOutcome } from './ingest-item.js';
import type { IncomingEvent } from './incoming-event.js';

/** Limits of events that wait in the process for their commit. */
const MAX_WAITING = { events: 20_000, bytes: 64 * 1024 * 1024 };

/** One batch is written while the next one comes together. */
const BATCHES = { running: 2, size: 500, weight: { max: 8 * 1024 * 1024, of: heldBytes } };

const FOREIGN_KEY_VIOLATION = '23503';

/** The one way into the tables of errors: for what programs report, and for test events. */
@Injectable()
export class ErrorIngest {
  private readonly waitingEvents = new Semaphore({ capacity: MAX_WAITING.events });
  private readonly waitingBytes = new Semaphore({ capacity: MAX_WAITING.bytes });
  private readonly batches: BatchLoader<IngestItem, IngestOutcome>;

  constructor(
    writer: ErrorBatchWriter,
    private readonly metrics: IngestMetrics,
  ) {
    this.batches = new BatchLoader((items) => writer.write(items), BATCHES);
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
    const outcome = await this.waitingEvents.run(() =>
      this.waitingBytes.run(() => this.metrics.waiting(bytes, () => this.write(item)), bytes),
    );
    if (outcome.kind === 'failed') throw outcome.error;
    if (outcome.kind === 'stored' || outcome.kind === 'counted')
      this.metrics.accepted(outcome.kind);
    else this.metrics.duplicate();
  }

  private async write(item: IngestItem): Promise<IngestOutcome> {
    try {
      return await this.batches.run(item);
    } catch (error) {
      return { kind: 'failed', error: refusalOf(error) };
    }
  }
}

function refusalOf(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (code === FOREIGN_KEY_VIOLATION) return new NotFoundError('Project');
  return toUnavailableError(error) ?? error;
}
