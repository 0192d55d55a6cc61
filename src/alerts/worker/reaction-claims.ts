import type { EntityManager } from 'typeorm';
import type { ReactionKind } from '../alert-reaction.entity.js';
import type { DueReaction } from './reaction-work.js';

/** Seconds before the second, third, … attempt: 5, 20, 80, 320, 1280, then an hour each time. */
const PAUSE_SQL = `least(3600, 5 * power(4, least(attempts, 6))) * interval '1 second'`;

/** The database rounds to milliseconds and our clock cuts them off. */
const DUE_SQL = `r.kind = $1 AND r.not_before <= $2::timestamptz + interval '1 millisecond'`;

/**
 * The oldest row stands for all of its alert: whoever has it has the others, too, also those that
 * another worker could see without it.
 */
const OLDEST_SQL = `${DUE_SQL} AND NOT EXISTS (
  SELECT FROM alert_reactions e WHERE e.alert_id = r.alert_id AND e.kind = r.kind AND e.id < r.id)`;

/**
 * By indexes only, row by row: a storm comes faster than PostgreSQL counts its rows, and a plan for
 * a small table would read and sort all that waits with each claim.
 */
const IN_ORDER_SQL = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'sort']
  .map((way) => `SET LOCAL enable_${way} = off`)
  .join('; ');

/** What else the transaction does names few rows, and may sort those. */
const SORTING_SQL = 'SET LOCAL enable_sort = on';

const CLAIM_SOME_SQL = `
  SELECT r.alert_id AS "alertId" FROM alert_reactions r WHERE ${OLDEST_SQL}
  ORDER BY r.not_before, r.id LIMIT $3 FOR UPDATE SKIP LOCKED`;

const CLAIM_ONE_SQL = `
  SELECT r.alert_id AS "alertId" FROM alert_reactions r WHERE ${OLDEST_SQL} AND r.alert_id = $3
  FOR UPDATE SKIP LOCKED`;

const ROWS_SQL = `
  SELECT r.id, r.alert_id AS "alertId", r.events FROM alert_reactions r
  WHERE ${DUE_SQL} AND r.alert_id = ANY($3::bigint[]) ORDER BY r.id FOR UPDATE SKIP LOCKED`;

const POSTPONE_SQL = `
  UPDATE alert_reactions r SET attempts = r.attempts + 1, not_before = $2::timestamptz + ${PAUSE_SQL}
  WHERE ${DUE_SQL} AND r.alert_id = $3`;

/** Which alerts are meant: the first ones that are due, or a certain one. */
export type ClaimedAlerts = { limit: number } | { alertId: number };

/** What a worker has for itself until its transaction ends. */
export interface Claim {
  due: DueReaction[];
  /** Deletes the rows, but not those of the given alerts. */
  finish(tx: EntityManager, except: readonly number[]): Promise<void>;
}

/** Claims rows that are due and that no other worker has. */
export async function claimReactions(
  tx: EntityManager,
  { kind, now }: { kind: ReactionKind; now: Date },
  wanted: ClaimedAlerts,
): Promise<Claim> {
  const [text, value] =
    'limit' in wanted ? [CLAIM_SOME_SQL, wanted.limit] : [CLAIM_ONE_SQL, wanted.alertId];
  await tx.query(IN_ORDER_SQL);
  const oldest = await tx.query<{ alertId: number }[]>(text, [kind, now, value]);
  await tx.query(SORTING_SQL);
  const alertIds = oldest.map(({ alertId }) => alertId);
  const rows = await tx.query<ClaimedRow[]>(ROWS_SQL, [kind, now, alertIds]);
  const finish = async (manager: EntityManager, except: readonly number[]): Promise<void> => {
    const done = rows.filter(({ alertId }) => !except.includes(alertId)).map(({ id }) => id);
    await manager.query('DELETE FROM alert_reactions WHERE id = ANY($1::bigint[])', [done]);
  };
  return { due: byAlert(alertIds, rows), finish };
}

/** Lets what failed rest for a while, longer each time. */
export async function postponeReactions(
  tx: EntityManager,
  { kind, now }: { kind: ReactionKind; now: Date },
  alertId: number,
): Promise<void> {
  await tx.query(POSTPONE_SQL, [kind, now, alertId]);
}

interface ClaimedRow {
  id: number;
  alertId: number;
  events: number;
}

function byAlert(alertIds: readonly number[], rows: readonly ClaimedRow[]): DueReaction[] {
  const events = new Map<number, number[]>(alertIds.map((alertId) => [alertId, []]));
  for (const row of rows) events.get(row.alertId)?.push(row.events);
  return [...events].map(([alertId, counts]) => ({ alertId, events: counts }));
}
