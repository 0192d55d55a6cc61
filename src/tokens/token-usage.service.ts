import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { Sql } from '../core/sql/sql.service.js';

/** `last_used_at` is at most this old while a token is in use. */
const PRECISION_MS = 10 * 60 * 1000;
const WRITE_AFTER_MS = 1_000;
const MAX_REMEMBERED = 100_000;

/** Skips rows that another process is writing: it writes the same. Always in order of the id. */
const NOTE_SQL = `
  WITH used AS (
    SELECT id, user_id FROM access_tokens
    WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  ), noted AS (
    UPDATE access_tokens t SET last_used_at = $2 FROM used
    WHERE t.id = used.id AND (t.last_used_at IS NULL OR t.last_used_at < $3)
  ), active AS (
    SELECT u.id FROM users u
    WHERE u.id IN (SELECT user_id FROM used)
      AND u.last_activity_on IS DISTINCT FROM ($2::timestamptz AT TIME ZONE 'UTC')::date
    ORDER BY u.id FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE users u SET last_activity_on = ($2::timestamptz AT TIME ZONE 'UTC')::date
  FROM active WHERE u.id = active.id`;

/**
 * Notes when tokens and their users were last active, without making a request wait: uses are
 * collected for a second and written by one statement, each token at most every ten minutes.
 */
@Injectable()
export class TokenUsage implements OnModuleDestroy {
  private readonly logger = new Logger(TokenUsage.name);
  private readonly nextWrite = new Map<number, number>();
  private collected = new Set<number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** The token was accepted just now. */
  note({ tokenId }: { tokenId: number }): void {
    const now = this.clock.now().getTime();
    if ((this.nextWrite.get(tokenId) ?? 0) > now) return;
    if (this.nextWrite.size >= MAX_REMEMBERED) this.nextWrite.clear();
    this.nextWrite.set(tokenId, now + PRECISION_MS);
    this.collected.add(tokenId);
    this.timer ??= setTimeout(() => this.flush(), WRITE_AFTER_MS);
  }

  /** Writes what is left while the database is still connected. */
  async onModuleDestroy(): Promise<void> {
    this.flush();
    await this.writing;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.collected.size === 0) return;
    const ids = [...this.collected];
    this.collected = new Set();
    this.writing = this.writing.then(() => this.write(ids));
  }

  private async write(ids: number[]): Promise<void> {
    const now = this.clock.now();
    const before = new Date(now.getTime() - PRECISION_MS);
    try {
      await this.sql.rows(NOTE_SQL, [ids, now, before]);
    } catch (error) {
      // Only a note for people: worth a line in the log, not a failed request.
      this.logger.warn(`The use of ${ids.length} tokens was not noted: ${String(error)}`);
    }
  }
}
