import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { Sql } from '../../core/sql/sql.service.js';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;

/** Deliveries that an integration keeps, the newest ones. */
const KEPT = 200;

/** Rows of one statement, so that none of them locks for long. */
const CHUNK = 1_000;

/** The newest delivery of each integration that is one too many. */
const TOO_MANY_SQL = `
  SELECT i.id AS "integrationId", d.id AS "last" FROM alert_integrations i
  CROSS JOIN LATERAL (SELECT id FROM alert_deliveries WHERE integration_id = i.id
    ORDER BY id DESC OFFSET ${KEPT} LIMIT 1) d`;

/** From $3 on, so that a statement does not wade through what the ones before it deleted. */
const TRIM_SQL = `
  DELETE FROM alert_deliveries WHERE id = ANY(ARRAY(
    SELECT id FROM alert_deliveries WHERE integration_id = $1 AND id <= $2 AND id > $3
    ORDER BY id LIMIT ${CHUNK} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** Reads the whole table, which is small once the integrations are trimmed. */
const OLD_SQL = `
  DELETE FROM alert_deliveries WHERE id = ANY(ARRAY(
    SELECT id FROM alert_deliveries WHERE created_at < $1 LIMIT ${CHUNK} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

interface Excess {
  integrationId: number;
  last: number;
}

/** Keeps the log of deliveries short: the newest 200 of an integration, none older than 30 days. */
@Injectable()
export class DeliveryJanitor {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** One round; answers how many rows it deleted. */
  async run(isStopping: () => boolean): Promise<number> {
    let count = 0;
    for (const excess of await this.sql.rows<Excess>(TOO_MANY_SQL)) {
      count += await this.trim(excess, isStopping);
    }
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    let deleted = CHUNK;
    while (deleted === CHUNK && !isStopping()) {
      deleted = (await this.sql.rows(OLD_SQL, [before])).length;
      count += deleted;
    }
    return count;
  }

  private async trim({ integrationId, last }: Excess, isStopping: () => boolean): Promise<number> {
    let [count, deleted, from] = [0, CHUNK, 0];
    while (deleted === CHUNK && !isStopping()) {
      const rows = await this.sql.rows<{ id: number }>(TRIM_SQL, [integrationId, last, from]);
      deleted = rows.length;
      count += deleted;
      from = Math.max(from, ...rows.map(({ id }) => id));
    }
    return count;
  }
}
