import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { WriteBuffer } from '../../core/ingest/ingest-queue.js';
import { ErrorOutcomesRepository, type OutcomeRow } from '../error-outcomes.repository.js';
import { type ErrorOutcomeKind, utcDay } from '../error-values.js';
import { IngestMetrics } from './error-ingest.service.js';

const WRITE_AFTER_MS = 2_000;

/** Waiting counters; further names of clients are dropped. */
const MAX_COUNTERS = 10_000;
const MAX_WORD_LENGTH = 64;

/** Counted data; category and reason are names of the protocol or our own. */
interface CountedData {
  category: string;
  reason: string;
  /** 1 by default. */
  quantity?: number;
}

/**
 * Counts events that were not stored or that clients discarded, without delaying requests. A killed
 * process loses the last seconds of it; accepted events are not counted here but in the transaction
 * that stores them.
 */
@Injectable()
export class ErrorOutcomes implements OnModuleDestroy {
  private readonly logger = new Logger(ErrorOutcomes.name);
  private readonly counters = new WriteBuffer<OutcomeRow>((rows) => this.write(rows), {
    limit: MAX_COUNTERS,
    delayMs: WRITE_AFTER_MS,
  });

  constructor(
    private readonly outcomes: ErrorOutcomesRepository,
    private readonly clock: Clock,
    private readonly metrics: IngestMetrics,
  ) {}

  /** Written within some seconds. */
  count(
    projectId: number,
    kind: Exclude<ErrorOutcomeKind, 'accepted'>,
    { category, reason, quantity = 1 }: CountedData,
  ): void {
    this.metrics.other(kind, reason, quantity);
    const day = utcDay(this.clock.now());
    const words = { category: wordOf(category), reason: wordOf(reason) };
    this.add({ projectId, day, kind, ...words, quantity });
  }

  /** Writes the remaining counters while the database is still connected. */
  onModuleDestroy(): Promise<void> {
    return this.counters.close();
  }

  private add(row: OutcomeRow): void {
    const key = `${row.projectId} ${row.day} ${row.kind} ${row.category} ${row.reason}`;
    this.counters.put(key, {
      create: () => ({ ...row }),
      add: (known) => {
        known.quantity += row.quantity;
      },
    });
  }

  /** Keeps counters after a failed write and adds them to the next one. */
  private async write(outcomes: OutcomeRow[]): Promise<void> {
    try {
      await this.outcomes.addNow(outcomes);
    } catch (error) {
      this.logger.warn(
        `${outcomes.length} counters of outcomes were not written: ${String(error)}`,
      );
      for (const row of outcomes) this.add(row);
    }
  }
}

/** Returns text that PostgreSQL accepts: without NUL, and of whole characters. */
function wordOf(text: string): string {
  return Buffer.from(text.slice(0, MAX_WORD_LENGTH).replaceAll('\0', '')).toString();
}
