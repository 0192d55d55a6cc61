import { Injectable } from '@nestjs/common';
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
import { IngestMetrics } from './ingest-metrics.service.js';

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
