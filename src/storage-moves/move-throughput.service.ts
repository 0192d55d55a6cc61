import { Injectable } from '@nestjs/common';
import { Sql } from '../core/sql/sql.service.js';
import { ALL_MOVE_KINDS } from './move-kinds.js';

/** Assumed until moves of real size have been measured. */
const ASSUMED_BYTES_PER_SECOND = 100_000_000;
const MEASURED_MOVES = 100;

/** The newest finished moves of all kinds that copied something, with how long they took. */
const RECENT_MOVES = ALL_MOVE_KINDS.map(
  ({ table }) =>
    `(SELECT destination_storage_name AS storage, bytes_total AS bytes, finished_at,
             extract(epoch FROM finished_at - started_at)::float8 AS seconds
      FROM ${table} WHERE state = 'finished' AND bytes_total > 0
      ORDER BY id DESC LIMIT ${MEASURED_MOVES})`,
).join(' UNION ALL ');

/** How fast moves have been lately; the base of every estimate. */
@Injectable()
export class MoveThroughput {
  constructor(private readonly sql: Sql) {}

  /** Bytes per second of one move into each storage; a storage without moves is missing. */
  async bytesPerSecond(): Promise<Map<string, number>> {
    const rows = await this.sql.rows<{ storage: string; rate: number | null }>(
      `SELECT storage, (sum(bytes) / nullif(sum(seconds), 0))::float8 AS rate
       FROM (${RECENT_MOVES}) recent GROUP BY storage`,
    );
    return new Map(rows.flatMap(({ storage, rate }) => (rate === null ? [] : [[storage, rate]])));
  }

  /** Seconds that the copy of so many bytes into the storage is likely to take. */
  async estimateSeconds(storage: string, bytes: number): Promise<number> {
    const rate = (await this.bytesPerSecond()).get(storage) ?? ASSUMED_BYTES_PER_SECOND;
    return Math.ceil(bytes / rate);
  }
}
