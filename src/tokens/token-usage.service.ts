import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { Sql } from '../core/sql/sql.service.js';
import { UseNotebook, type NotedUses } from './use-notebook.js';

/** `last_used_at` is at most this old while a token is in use. */
const PRECISION_MS = 10 * 60 * 1000;
/** How often an address is written down for one token. */
const ADDRESS_PRECISION_MS = 60 * 1000;
const WRITE_AFTER_MS = 1_000;

/** Writes come later than the uses, not always equally late; the next use must not be too early. */
const SLACK_MS = 5_000;

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
 * One address per token; the token's row is the lock under which the five newest stay. Tokens of
 * which another process noted an address within the minute are left alone.
 */
const NOTE_ADDRESSES_SQL = `
  WITH used AS (
    SELECT id FROM access_tokens
    WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  ), seen AS (
    SELECT s.id, s.ip FROM unnest($1::bigint[], $2::inet[]) AS s (id, ip) JOIN used USING (id)
    WHERE NOT EXISTS (
      SELECT 1 FROM access_token_ips r WHERE r.token_id = s.id AND r.seen_at > $4)
  ), dropped AS (
    DELETE FROM access_token_ips old USING seen
    WHERE old.token_id = seen.id AND old.ip <> seen.ip AND 4 <= (
      SELECT count(*) FROM access_token_ips newer
      WHERE newer.token_id = seen.id AND newer.ip <> seen.ip
        AND (newer.seen_at, newer.ip) > (old.seen_at, old.ip))
  )
  INSERT INTO access_token_ips (token_id, ip, seen_at) SELECT id, ip, $3 FROM seen
  ON CONFLICT (token_id, ip) DO UPDATE SET seen_at = excluded.seen_at`;

/**
 * Notes when and from where tokens were last used and when their users were last active, without
 * making a request wait: uses are collected for a second and written together, of each token the
 * time at most every ten minutes and an address at most every minute.
 */
@Injectable()
export class TokenUsage implements OnModuleDestroy {
  private readonly logger = new Logger(TokenUsage.name);
  private readonly notebook = new UseNotebook(PRECISION_MS, ADDRESS_PRECISION_MS);
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** The token was accepted just now, from `ip` if that is known. */
  note({ tokenId }: { tokenId: number }, ip: string | null): void {
    const isNew = this.notebook.note({ tokenId, ip }, this.clock.now().getTime());
    if (isNew) this.timer ??= setTimeout(() => this.flush(), WRITE_AFTER_MS);
  }

  /** Writes what is left while the database is still connected. */
  async onModuleDestroy(): Promise<void> {
    this.flush();
    await this.writing;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const uses = this.notebook.take();
    if (uses.tokenIds.length === 0 && uses.addresses.length === 0) return;
    this.writing = this.writing.then(() => this.write(uses));
  }

  private async write({ tokenIds, addresses }: NotedUses): Promise<void> {
    const now = this.clock.now();
    const ago = (ms: number): Date => new Date(now.getTime() - ms + SLACK_MS);
    try {
      if (tokenIds.length > 0) await this.sql.rows(NOTE_SQL, [tokenIds, now, ago(PRECISION_MS)]);
      if (addresses.length === 0) return;
      const [ids, ips] = [addresses.map(({ tokenId }) => tokenId), addresses.map(({ ip }) => ip)];
      await this.sql.rows(NOTE_ADDRESSES_SQL, [ids, ips, now, ago(ADDRESS_PRECISION_MS)]);
    } catch (error) {
      // Only a note for people: worth a line in the log, not a failed request.
      this.logger.warn(`The use of some tokens was not noted: ${String(error)}`);
    }
  }
}
