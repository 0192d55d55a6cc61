import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { ErrorOutcomesRepository, type OutcomeRow } from '../error-outcomes.repository.js';
import type { ErrorOutcomeKind } from '../error-values.js';
import { IngestMetrics } from './ingest-metrics.service.js';
import { utcDay } from './utc-day.js';

const WRITE_AFTER_MS = 2_000;

/** Different counters that wait; words of clients beyond are left out. */
const MAX_COUNTERS = 10_000;
const MAX_WORD_LENGTH = 64;

/** Counted data; category and reason are names of the protocol or our own. */
interface CountedData {
  category: string;
  reason: string;
  /** 1 unless given. */
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
  private counters = new Map<string, OutcomeRow>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private hasEnded = false;

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

  /** Writes what is left while the database is still connected. */
  async onModuleDestroy(): Promise<void> {
    this.hasEnded = true;
    this.flush();
    await this.writing;
  }

  private add(row: OutcomeRow): void {
    const key = `${row.projectId} ${row.day} ${row.kind} ${row.category} ${row.reason}`;
    const known = this.counters.get(key);
    if (known !== undefined) known.quantity += row.quantity;
    else if (this.counters.size < MAX_COUNTERS) this.counters.set(key, { ...row });
    if (!this.hasEnded) this.timer ??= setTimeout(() => this.flush(), WRITE_AFTER_MS);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const rows = [...this.counters.values()];
    this.counters = new Map();
    if (rows.length > 0) this.writing = this.writing.then(() => this.write(rows));
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

/** As PostgreSQL takes it: no NUL, and whole characters. */
function wordOf(text: string): string {
  return Buffer.from(text.slice(0, MAX_WORD_LENGTH).replaceAll('\0', '')).toString();
}
